//! The clone matrix says what the module says: every cell that is known, in every cluster of the cases.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Deserialize as _;
use serde_json::Value;
use vmdisk_e2e::{load_cases, load_module, package_folder};
use vmdisk_host::dump::Dump;
use vmdisk_host::matrix::{Cell, Matrix, Question, RowSource, Word, creation, refusal_reasons};
use vmdisk_host::{Cluster, Manifests, Policy};
use vmdisk_policy::cluster::Kind;
use vmdisk_policy::json::Json;
use vmdisk_policy::settings::Settings;

/// Asks both for every cell and returns how many were known.
fn compare(name: &str, manifests: &Manifests, settings: &Value, policy: &Policy) -> usize {
    let Ok(cluster) = Cluster::new(manifests) else { panic!("{name}") };
    let mut dump = Dump::of_manifests(manifests).unwrap();
    dump.have(Kind::ALL);
    let question = Question {
        sources: Vec::new(),
        size: None,
        namespace: "tenant-a".to_owned(),
        settings: Settings::parse(Some(&Json::deserialize(settings).unwrap())).unwrap(),
    };
    let matrix = Matrix::of(&dump, &question, &mut |_, _| {});
    let mut known = 0;
    for row in &matrix.rows {
        for (class, cell) in matrix.classes.iter().zip(&row.cells) {
            if cell.outlook.word == Word::Unknown {
                continue;
            }
            known += 1;
            let request = creation(&row.source, class.as_deref(), row.size.as_deref(), &question.namespace);
            let evaluation = policy.validate(&request, settings, &cluster).unwrap();
            let differences = differences(cell, &evaluation.response);
            assert!(differences.is_empty(), "{name}: {} into {class:?}: {differences}", row.source);
        }
    }
    known
}

fn differences(cell: &Cell, response: &Value) -> String {
    let message = response.get("message").and_then(Value::as_str);
    let annotation =
        |key: &str| response.pointer(&format!("/audit_annotations/{key}")).and_then(Value::as_str).unwrap_or_default();
    let warnings: Vec<&str> =
        response.get("warnings").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let outlook = match message {
        Some(message) => format!("refused: {}", refusal_reasons(message).join(", ")),
        None => match (annotation("clone-strategy"), annotation("clone-fallback-reason"), annotation("clone-error")) {
            ("copy", reason, _) if !reason.is_empty() => format!("copy: {reason}"),
            ("fails", _, error) => {
                let (stage, class) = error.split_once('/').unwrap_or_default();
                format!("fails: {class} ({stage})")
            }
            (word, ..) => word.to_owned(),
        },
    };
    let mine = match cell.outlook.word {
        // The module does not name the class, nor who set a copy, nor what is waited for.
        Word::Snapshot | Word::Waits => cell.outlook.word.to_string(),
        Word::Copy if outlook == "copy" => cell.outlook.word.to_string(),
        _ => cell.outlook.to_string(),
    };
    let mut differences = String::new();
    if mine != outlook || cell.refusal.as_deref() != message || cell.warnings != warnings {
        let _ = write!(differences, "{mine} {:?} {:?}, but {response:#}", cell.refusal, cell.warnings);
    }
    differences
}

#[test]
fn every_known_cell_is_what_the_module_says() {
    let policy = load_module().unwrap();
    let nothing = Value::Object(serde_json::Map::new());
    let example = Manifests::load(package_folder().join("../examples/cluster.yaml")).unwrap();
    let mut known = compare("examples/cluster.yaml", &example, &nothing, &policy);
    assert_eq!(known, 3);
    for entry in std::fs::read_dir(package_folder().join("clusters")).unwrap() {
        let path = entry.unwrap().path();
        known += compare(&path.display().to_string(), &Manifests::load(&path).unwrap(), &nothing, &policy);
    }
    // Cases that differ in the request only have the same cluster.
    let mut seen = BTreeSet::new();
    for (name, case) in load_cases().unwrap() {
        let case = case.unwrap();
        let faults = case.manifests.faults();
        // A dump holds objects, not what a host would say word for word or never.
        if !(faults.answers.is_empty() && faults.not_listable.is_empty() && faults.denied_capabilities.is_empty()) {
            continue;
        }
        let faults = format!("{faults:?}");
        let objects: Vec<String> = case.manifests.objects().map(ToString::to_string).collect();
        if seen.insert((objects, faults, case.settings.to_string())) {
            known += compare(&name, &case.manifests, &case.settings, &policy);
        }
    }
    println!("{known} cells");
    assert!(known > 100, "only {known} cells were compared");
}

#[test]
fn a_cell_asks_for_what_a_person_would() {
    let source = RowSource::Claim { namespace: "a".to_owned(), name: "b".to_owned() };
    let request = creation(&source, None, None, "tenant-a");
    assert_eq!(request.pointer("/object/spec/storage"), Some(&serde_json::json!({})));
    assert_eq!(request.pointer("/object/spec/source/pvc/name"), Some(&"b".into()));
    assert_eq!(request.pointer("/object/metadata/name"), None);
}
