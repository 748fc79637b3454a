//! What linstor-csi 1.12.0 itself answered for a list of classes, against what the policy reads out of them.

#![allow(clippy::unwrap_used, reason = "the configuration exempts test functions, not their helpers")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use vmdisk_policy::linstor::{Anywhere, remote_access};

const VECTORS: &str = include_str!("vectors/linstor/given.jsonl");

/// What the policy must answer.
#[derive(Debug, PartialEq)]
enum Expected {
    Exactly(Anywhere),
    /// The driver takes one of several spellings at random: "cannot tell", or what restricts.
    Ambiguous,
}

#[test]
fn the_policy_reads_classes_as_linstor_csi_does() {
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut differences = String::new();
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let parameters = parameters(&vector["parameters"]);
        let answer = remote_access(&parameters).anywhere;
        let agrees = match expected(&vector, &parameters) {
            Expected::Exactly(expected) => answer == expected,
            Expected::Ambiguous => answer != Anywhere::Yes,
        };
        let (agreeing, all) = groups.entry(vector["group"].as_str().unwrap().to_owned()).or_default();
        *all += 1;
        *agreeing += usize::from(agrees);
        if !agrees {
            let expected = expected(&vector, &parameters);
            writeln!(differences, "{}: {answer:?} instead of {expected:?}: {parameters:?}", vector["id"]).unwrap();
        }
    }
    println!("{:<12} {:>8} {:>8}", "group", "agree", "of");
    for (group, (agreeing, all)) in &groups {
        println!("{group:<12} {agreeing:>8} {all:>8}");
    }
    assert!(differences.is_empty(), "\n{differences}");
}

fn parameters(parameters: &Value) -> Vec<(String, String)> {
    let entries = parameters.as_object().unwrap().iter();
    entries.map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned())).collect()
}

fn expected(vector: &Value, parameters: &[(String, String)]) -> Expected {
    if vector["ambiguous"] == true {
        return Expected::Ambiguous;
    }
    let expected = &vector["expected"];
    if expected["valid"] == true {
        let anywhere = expected["anywhere"].as_bool().unwrap();
        return Expected::Exactly(if anywhere { Anywhere::Yes } else { Anywhere::No });
    }
    let error = expected["error"].as_str().unwrap();
    if error.starts_with("yaml:") && !error.contains("map[string]int") || error.starts_with("unknown layer type") {
        return Expected::Exactly(Anywhere::No);
    }
    // Another parameter is at fault. These vectors name only valid access and layer values in words, so that what
    // they say can be told without the code under test; a fault that stands beside a bad one counts as theirs.
    let value = |name: &str| {
        let own = |key: &str| {
            let key = key.strip_prefix("linstor.csi.linbit.com/").or(key.strip_prefix('/')).unwrap_or(key);
            key.to_lowercase()
        };
        parameters.iter().find(|(key, _)| own(key) == name).map(|(_, value)| value.to_lowercase())
    };
    let anywhere = match value("allowremotevolumeaccess").as_deref() {
        Some("true" | "1" | "t") => true,
        None | Some("") => {
            value("layerlist").is_none_or(|list| list.split(' ').any(|layer| layer == "drbd" || layer == "nvme"))
        }
        Some(_) => false,
    };
    Expected::Exactly(if anywhere { Anywhere::Yes } else { Anywhere::No })
}
