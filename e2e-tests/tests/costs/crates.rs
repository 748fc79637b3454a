//! What the module is linked from.

use std::collections::BTreeMap;
use std::process::Command;

use vmdisk_e2e::package_folder;

/// Name and version of every crate in the module, as cargo resolves them; what runs while it is compiled is not in it.
/// The module has been built, so everything is here and nothing is fetched.
fn crates() -> Vec<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--package", "vmdisk-policy", "--target", "wasm32-wasip1"])
        .args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"])
        .current_dir(package_folder())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut crates: Vec<(String, String)> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            (words.next().unwrap(), words.next().unwrap())
        })
        .collect();
    crates.sort();
    crates.dedup();
    crates
}

#[test]
fn no_crate_is_in_the_module_in_two_versions() {
    let crates = crates();
    assert!(crates.iter().any(|(name, _)| name == "saphyr-parser"), "{crates:?}");
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, version) in &crates {
        versions.entry(name).or_default().push(version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "{versions:?}: `cargo tree --duplicates` says who wants which");
}

#[test]
fn nothing_of_the_tools_is_in_the_module() {
    let crates = crates();
    let tools: Vec<_> = crates
        .iter()
        .filter(|(name, _)| {
            name.starts_with("wasmtime") || ["vmdisk-host", "clap", "proptest"].contains(&name.as_str())
        })
        .collect();
    assert!(tools.is_empty(), "{tools:?}");
}
