//! What is written down is what the command does.

use std::collections::BTreeSet;
use std::path::Path;

use vmdisk_host::dump::kind_named;
use vmdisk_policy::cluster::Kind;

use crate::common::{check, example, prints};

fn text(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap()
}

#[test]
fn the_examples_are_what_is_printed() {
    let (readme, document) = (text("README.md"), text("docs/vmdisk-check.md"));
    let table = prints(&["matrix", "--cluster", example().to_str().unwrap()]);
    assert!(document.contains(table.trim_end()), "docs/vmdisk-check.md should have:\n{table}");
    let grid = table.split("\n\n").next().unwrap();
    assert!(readme.contains(grid), "README.md should have:\n{grid}");
    let markdown = prints(&["matrix", "-f", "markdown", "--cluster", example().to_str().unwrap()]);
    assert!(document.contains(markdown.trim_end()), "docs/vmdisk-check.md should have:\n{markdown}");
    let request = example().with_file_name("vmdisk.yaml");
    let (request, cluster) = (request.display().to_string(), example().display().to_string());
    let story = check(&["explain", "--request", &request, "--cluster", &cluster]);
    let story = String::from_utf8(story.stdout).unwrap();
    let shown = document.split_once("```text\nAsked for").unwrap().1.split_once("```").unwrap().0;
    for line in shown.lines().filter(|line| *line != "…") {
        let line = line.trim_end_matches(" …");
        assert!(story.contains(line), "{line}\n{story}");
    }
}

#[test]
fn the_kubectl_commands_ask_for_every_kind_that_is_looked_up() {
    for (place, words) in [
        ("README.md", text("README.md")),
        ("docs/vmdisk-check.md", text("docs/vmdisk-check.md")),
        ("--help", prints(&["matrix", "--help"])),
    ] {
        let command = words.split("kubectl get storageclass,storageprofile").nth(1);
        let command = command.unwrap_or_else(|| panic!("{place} has no command")).split(" -A").next().unwrap();
        let kinds = format!("storageclass,storageprofile{command}").replace(['\\', '\n'], "");
        let kinds: BTreeSet<Kind> = kinds
            .split(',')
            .map(|name| kind_named(name.trim()).unwrap_or_else(|error| panic!("{place}: {error}")))
            .collect();
        assert_eq!(kinds, BTreeSet::from(Kind::ALL), "{place}");
    }
    let document = text("docs/vmdisk-check.md");
    let kinds = document.split_once("for kind in ").unwrap().1.split_once("; do").unwrap().0.replace('\\', " ");
    let kinds: BTreeSet<Kind> = kinds.split_whitespace().map(|name| kind_named(name).unwrap()).collect();
    assert_eq!(kinds, BTreeSet::from(Kind::ALL));
    let rights = document.split_once("kind: ClusterRole").unwrap().1.split_once("```").unwrap().0;
    let listed = rights.lines().filter_map(|line| line.trim().strip_prefix("resources: [")?.strip_suffix(']'));
    let listed: BTreeSet<Kind> =
        listed.flat_map(|names| names.split(", ")).map(|name| kind_named(name).unwrap()).collect();
    assert_eq!(listed, BTreeSet::from(Kind::ALL));
}
