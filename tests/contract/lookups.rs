//! How many lookups a decision takes, and in which order: measured, and written down in `docs/lookups.md`.
//!
//! `BLESS=1` writes the file anew; the difference is then reviewed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vmdisk_policy::cluster::Kind;
use vmdisk_policy::settings::{Action, Rule};

use crate::cdi;
use crate::common::*;
use crate::founding::{disk, rendered};

/// A kind of decision.
struct Line {
    what: &'static str,
    world: World,
    request: Value,
    /// Whether the order of its lookups is written down.
    in_order: bool,
}

impl Line {
    fn new(what: &'static str, world: World, request: Value) -> Self {
        Self { what, world, request, in_order: false }
    }

    fn in_order(self) -> Self {
        Self { in_order: true, ..self }
    }

    /// The lookups with all advice on, and with all of it off.
    fn lookups(&self) -> [Vec<String>; 2] {
        let off = without_advice(self.world.clone());
        [&self.world, &off].map(|world| {
            let lookups = world.judge(&self.request).lookups();
            for (index, lookup) in lookups.iter().enumerate() {
                assert!(!lookups[..index].contains(lookup), "{}: {lookup} is looked up twice", self.what);
            }
            lookups
        })
    }
}

/// Every rule that refuses by default is on, and no other.
fn without_advice(world: World) -> World {
    Rule::ALL.into_iter().fold(world, |world, rule| match rule.default_action() {
        Action::Deny => world,
        Action::Warn | Action::Off => world.action(rule, Action::Off),
    })
}

fn named_snapshot_class() -> World {
    let named = |class: &str| mk_profile(class).set(&["ReadWriteOnce"], "Block").snapshot_class("linstor-snapshots");
    World::snapshotting().with(named("local")).with(named("replicated"))
}

fn other_named_snapshot_class() -> World {
    named_snapshot_class().with(mk_profile("replicated").set(&["ReadWriteOnce"], "Block").snapshot_class("other"))
}

fn default_class(world: World) -> World {
    world.with(mk_storage_class("local").linstor().annotation(KUBERNETES_DEFAULT, "true"))
}

fn sourced_by(world: World, linked: bool) -> World {
    let image = mk_data_source("cozy-public", "image").names_claim("cozy-public", "vm-default-images-ubuntu");
    if !linked {
        return world.with(image);
    }
    let link = mk_data_source("cozy-public", "link").links_to("cozy-public", "image");
    world.with(image).with(link.status_claim("cozy-public", "vm-default-images-ubuntu"))
}

fn lines() -> Vec<Line> {
    let founding = World::founding;
    let labelled = |manifest: &Manifest| manifest.clone().at(&["metadata", "labels", "a"], "b").update_of(manifest);
    let left_out = data_volume("vm-disk-disk").claim("cozy-public", "vm-default-images-ubuntu").immediate();
    let import = |manifest: Manifest| manifest.http("https://example.org/a.img");
    let by_source = |name: &str| data_volume("vm-disk-disk").source_ref("cozy-public", name);
    let snapshot = founding()
        .with(mk_snapshot("cozy-public", "ubuntu", "vm-default-images-ubuntu"))
        .with(mk_snapshot_content("ubuntu-content", LINSTOR, "Block"))
        .with(mk_snapshot_class("linstor-snapshots", LINSTOR));
    let existing = founding().with(mk_claim(NAMESPACE, "vm-disk-disk"));
    let drifted = founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk").class("replicated"));
    vec![
        Line::new("DataVolume UPDATE", founding(), rendered().class("other").update_of(&rendered())),
        Line::new("VMDisk UPDATE, class and source unchanged", founding(), labelled(&disk())),
        Line::new("VMDisk UPDATE, class or source changed", drifted.clone(), disk().update_of(&disk().class("other"))),
        Line::new("VMDisk UPDATE, healing", drifted, disk().class("replicated").update_of(&disk())),
        Line::new("DataVolume, blank", founding(), rendered().source(json!({"blank": {}})).create()),
        Line::new("VMDisk, blank", founding(), vm_disk("disk").class("local").create()),
        Line::new(
            "DataVolume, prePopulated",
            founding(),
            rendered().annotation("cdi.kubevirt.io/storage.prePopulated", "").create(),
        ),
        Line::new("DataVolume, its claim exists", existing.clone(), rendered().create()),
        Line::new("VMDisk, its claim or DataVolume exists", existing, disk().create()),
        Line::new(
            "DataVolume, import into a class that binds at once",
            founding(),
            import(data_volume("disk")).class("replicated").create(),
        ),
        Line::new(
            "DataVolume, import into a class that waits",
            founding(),
            import(data_volume("disk")).class("local").create(),
        )
        .in_order(),
        Line::new(
            "VMDisk, import into a class that waits",
            founding(),
            import(vm_disk("disk")).class("local").create(),
        ),
        Line::new(
            "DataVolume, source missing",
            founding().without(Kind::PersistentVolumeClaim, "vm-default-images-ubuntu"),
            rendered().create(),
        ),
        Line::new("DataVolume, copy by override", founding().with(mk_cdi("copy")), rendered().create()),
        Line::new("VMDisk, copy by override", founding().with(mk_cdi("copy")), disk().create()),
        Line::new("DataVolume, csi-clone", founding(), rendered().create()).in_order(),
        Line::new("VMDisk, csi-clone", founding(), disk().create()).in_order(),
        Line::new("VMDisk, csi-clone into the image's own class", founding(), disk().class("replicated").create()),
        Line::new("DataVolume, csi-clone, class left out", default_class(founding()), left_out.clone().create()),
        Line::new("VMDisk, csi-clone, class left out", default_class(founding()), disk().class("").create()),
        Line::new(
            "DataVolume, csi-clone, by a DataSource",
            sourced_by(founding(), false),
            by_source("image").class("local").create(),
        ),
        Line::new(
            "DataVolume, csi-clone, by a DataSource that links",
            sourced_by(founding(), true),
            by_source("link").class("local").create(),
        ),
        Line::new("DataVolume, snapshot, no profile names a class", World::snapshotting(), rendered().create()),
        Line::new("VMDisk, snapshot, no profile names a class", World::snapshotting(), disk().create()),
        Line::new("DataVolume, snapshot, both profiles name it", named_snapshot_class(), rendered().create()),
        Line::new("VMDisk, snapshot, both profiles name it", named_snapshot_class(), disk().create()),
        Line::new("VMDisk, snapshot, the profiles name two", other_named_snapshot_class(), disk().create()),
        Line::new(
            "VMDisk, snapshot, the profiles name two, class left out",
            default_class(other_named_snapshot_class()),
            disk().class("").create(),
        )
        .in_order(),
        Line::new(
            "DataVolume, snapshot by a DataSource that links, the profiles name two, class left out",
            sourced_by(default_class(other_named_snapshot_class()), true),
            by_source("link").create(),
        )
        .in_order(),
        Line::new(
            "VirtualMachine, a template of a csi-clone",
            founding(),
            virtual_machine("vm", &[rendered()]).create(),
        ),
        Line::new(
            "VirtualMachine, two of the same image and class",
            founding(),
            virtual_machine("vm", &[rendered(), rendered().at(&["metadata", "name"], "second")]).create(),
        ),
        Line::new(
            "VirtualMachine, 16 of the same image and class",
            founding(),
            virtual_machine(
                "vm",
                &(0..16).map(|i| rendered().at(&["metadata", "name"], format!("d{i}"))).collect::<Vec<_>>(),
            )
            .create(),
        ),
        Line::new(
            "VirtualMachine, a template whose DataVolume exists",
            founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk")),
            virtual_machine("vm", &[rendered()]).create(),
        ),
        Line::new(
            "VirtualMachine UPDATE, templates unchanged",
            founding(),
            labelled(&virtual_machine("vm", &[rendered()])),
        ),
        Line::new("DataVolume of a snapshot", snapshot, rendered().snapshot("cozy-public", "ubuntu").create())
            .in_order(),
    ]
}

fn count(what: &str) -> [usize; 2] {
    let lines = lines();
    let line = lines.iter().find(|line| line.what == what).unwrap();
    line.lookups().map(|lookups| lookups.len())
}

#[test]
fn what_is_unchanged_or_blank_takes_no_lookup_and_a_blank_vm_disk_two() {
    assert_eq!(count("DataVolume UPDATE"), [0, 0]);
    assert_eq!(count("VMDisk UPDATE, class and source unchanged"), [0, 0]);
    assert_eq!(count("DataVolume, blank"), [0, 0]);
    assert_eq!(count("DataVolume, prePopulated"), [0, 0]);
    assert_eq!(count("VMDisk, blank"), [2, 2]);
}

#[test]
fn an_edit_that_is_refused_or_heals_takes_one_lookup() {
    assert_eq!(count("VMDisk UPDATE, class or source changed"), [1, 1]);
    assert_eq!(count("VMDisk UPDATE, healing"), [1, 1]);
}

#[test]
fn an_import_takes_lookups_only_while_first_consumer_is_on() {
    assert_eq!(count("DataVolume, import into a class that waits"), [3, 0]);
    assert_eq!(count("DataVolume, import into a class that binds at once"), [2, 0]);
    assert_eq!(count("VMDisk, import into a class that waits"), [4, 2]);
}

#[test]
fn a_csi_clone_takes_at_most_nine_lookups_for_a_data_volume_and_ten_for_a_vm_disk() {
    for what in ["csi-clone", "copy by override"] {
        assert!(count(&format!("DataVolume, {what}")).into_iter().all(|count| count <= 9), "{what}");
        assert!(count(&format!("VMDisk, {what}")).into_iter().all(|count| count <= 10), "{what}");
    }
}

#[test]
fn advice_never_takes_away_a_lookup_and_no_decision_takes_more_than_sixteen() {
    for line in lines() {
        let [on, off] = line.lookups().map(|lookups| lookups.len());
        let most = if line.what.starts_with("VirtualMachine, 16") { 150 } else { 16 };
        assert!(off <= on && on <= most, "{}: {on} and {off}", line.what);
    }
}

#[test]
fn a_list_is_always_preceded_by_a_get_of_the_same_kind() {
    for line in lines() {
        let calls = line.world.judge(&line.request).calls;
        for (index, list) in calls.iter().enumerate().filter(|(_, call)| call.name.is_empty()) {
            let probed = calls[..index].iter().any(|call| call.kind == list.kind && !call.name.is_empty());
            assert!(probed, "{}: {list}", line.what);
        }
    }
}

/// The most lookups that any of CDI's recorded cases takes, with all advice on and with all of it off.
fn most_of_the_vectors() -> [usize; 2] {
    let mut most = [0, 0];
    let [on, off] = [World::empty(), without_advice(World::empty())];
    for vector in cdi::vectors() {
        let mut object = vector.data_volume.clone();
        object["apiVersion"] = json!("cdi.kubevirt.io/v1beta1");
        object["kind"] = json!("DataVolume");
        let request = request("CREATE", &object, None).to_string();
        for (most, world) in most.iter_mut().zip([&on, &off]) {
            let judged = Judged::by(world.settings(), &Faulty::of(vector.cluster()), &request);
            *most = judged.calls.len().max(*most);
        }
    }
    most
}

#[test]
fn docs_lookups_md_says_what_is_measured() {
    let most = most_of_the_vectors();
    assert!(most.into_iter().all(|most| most <= 16), "a recorded case takes {most:?} lookups");
    let measured = measured(most);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lookups.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- measured -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of measured -->\n").unwrap();
    let expected = format!("{before}<!-- measured -->\n{measured}<!-- end of measured -->\n{after}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, expected).unwrap();
    } else {
        assert_eq!(text, expected, "docs/lookups.md is out of date: run with BLESS=1 and review the difference");
    }
}

fn measured(most: [usize; 2]) -> String {
    let mut text = String::from("| decision | all advice on | all advice off |\n| --- | ---: | ---: |\n");
    let lines = lines();
    for line in &lines {
        let [on, off] = line.lookups().map(|lookups| lookups.len());
        writeln!(text, "| {} | {on} | {off} |", line.what).unwrap();
    }
    writeln!(text, "| the most of CDI's recorded cases (`tests/vectors/cdi`) | {} | {} |", most[0], most[1]).unwrap();
    text.push_str("\n## In order\n\nWith all advice on; what is made with all advice off too is marked with `*`.\n");
    for line in lines.iter().filter(|line| line.in_order) {
        let [on, off] = line.lookups();
        writeln!(text, "\n### {}\n", line.what).unwrap();
        for (index, lookup) in on.iter().enumerate() {
            let mark = if off.contains(lookup) { " `*`" } else { "" };
            writeln!(text, "{}. {lookup}{mark}", index + 1).unwrap();
        }
    }
    text
}
