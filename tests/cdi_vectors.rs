//! CDI v1.66.0 is the oracle: every recorded case must come out as CDI itself decided it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a broken vector should fail loudly")]

mod cdi;

use std::collections::BTreeMap;

use cdi::Vector;
use serde_json::{Value, json};
use vmdisk_policy::clone::{FallbackReason, Origin, Outcome, Plan, Resolved, Strategy, Wait, annotations, plan};
use vmdisk_policy::cluster::Cluster;

/// The CDI resource that the vectors take for the active one.
const CDI_NAME: &str = "cdi";

#[test]
fn every_vector_agrees_except_for_the_decided_deviations() {
    let mut table: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut lookups: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut deviations: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut failures = Vec::new();
    let vectors = cdi::vectors();
    for vector in &vectors {
        let objects = vector.cluster();
        let cluster = Cluster::new(&objects);
        let plan = plan(&vector.data_volume(), &cluster, CDI_NAME);
        let differences = differences(&plan, vector);
        let agrees = differences.is_empty();

        let count = lookups.entry(word(&plan)).or_insert([usize::MAX, 0, 0]);
        let asked = cluster.lookups();
        *count = [count[0].min(asked), count[1].max(asked), count[2] + 1];
        let plain = vector.data_volume.pointer("/spec/sourceRef").is_none() && names_its_class(vector);
        if plain && word(&plan) == "csi-clone" {
            // The eighth is the class of a source whose volume is gone: it says the driver then.
            assert!(asked <= 8, "{}: a plain csi-clone takes {asked} lookups", vector.id);
        }

        if let Some(deviation) = vector.deviation() {
            deviations.entry(deviation.what).or_default()[usize::from(!agrees)] += 1;
            continue;
        }
        table.entry(vector.outcome()).or_default()[usize::from(!agrees)] += 1;
        if !agrees {
            failures.push(format!("{}: {}", vector.id, differences.join("; ")));
        }
    }

    println!("{:<45} {:>6} {:>7}", "outcome", "agree", "differ");
    for (outcome, [agree, differ]) in &table {
        println!("{outcome:<45} {agree:>6} {differ:>7}");
    }
    println!("\ndecided deviations");
    for deviation in cdi::DEVIATIONS {
        let [agree, differ] = deviations.get(deviation.what).copied().unwrap_or_default();
        println!("{}: {agree} agree all the same, {differ} differ ({})", deviation.what, deviation.reason);
    }
    println!("\n{:<45} {:>6} {:>7} {:>6}", "lookups", "fewest", "most", "cases");
    for (outcome, [fewest, most, cases]) in &lookups {
        println!("{outcome:<45} {fewest:>6} {most:>7} {cases:>6}");
    }
    assert!(failures.is_empty(), "{} of {} vectors differ:\n{}", failures.len(), vectors.len(), failures.join("\n"));
    for (outcome, [_, most, _]) in &lookups {
        // Sixteen, less the caller's own two: the new disk's claim and the source's DataVolume.
        assert!(*most <= 14, "{outcome} takes {most} lookups");
    }
}

fn names_its_class(vector: &Vector) -> bool {
    let class = |form: &str| vector.data_volume.pointer(&format!("/spec/{form}/storageClassName"));
    class("storage").or_else(|| class("pvc")).is_some()
}

/// The word of the audit annotation.
fn word(plan: &Plan) -> String {
    annotations(plan).first().map(|(_, word)| word.clone()).unwrap_or_default()
}

/// What the plan says, in the vectors' words, and only where the vectors say something else.
fn differences(plan: &Plan, vector: &Vector) -> Vec<String> {
    let expected = &vector.expected;
    let mut result = Vec::new();
    let mut compare = |what: &str, ours: Value, theirs: &Value| {
        if ours != *theirs {
            result.push(format!("{what} is {ours}, CDI's {theirs}"));
        }
    };
    let (outcome, strategy, fallback_reason) = match &plan.outcome {
        Outcome::Nothing => ("nothing", None, None),
        Outcome::Unknown(_) => ("unknown", None, None),
        Outcome::Waits(_) => ("wait", None, None),
        // A copy that no populator makes: the plan tells it by its origin.
        Outcome::Clones { origin: Origin::NoCsiDriver | Origin::UsePopulatorAnnotation, .. } => {
            ("legacy-copy", None, None)
        }
        Outcome::Clones { strategy, fallback_reason, .. } => ("strategy", Some(strategy), *fallback_reason),
        Outcome::Fails { strategy, fallback_reason, .. } => ("error", strategy.as_ref(), *fallback_reason),
    };
    compare("outcome", json!(outcome), &expected["outcome"]);
    compare("strategy", json!(strategy.map(Strategy::as_str)), &expected["strategy"]);
    compare("fallbackReason", json!(fallback_reason.map(FallbackReason::message)), &expected["fallbackReason"]);
    let fault = if let Outcome::Fails { fault, .. } = &plan.outcome { Some(fault) } else { None };
    compare("stage", json!(fault.map(|fault| fault.stage.as_str())), &expected["stage"]);
    compare("errorClass", json!(fault.map(|fault| fault.class.to_string())), &expected["errorClass"]);
    let wait = if let Outcome::Waits(wait) = &plan.outcome { Some(wait_reason(*wait)) } else { None };
    compare("waitReason", json!(wait), &expected["waitReason"]);
    let source = match &plan.source {
        Resolved::Claim(of) => {
            json!({"kind": "PersistentVolumeClaim", "namespace": of.namespace, "name": of.name})
        }
        Resolved::Snapshot(of) => json!({"kind": "VolumeSnapshot", "namespace": of.namespace, "name": of.name}),
        Resolved::NotAClone | Resolved::Unresolved { .. } => Value::Null,
    };
    compare("source", source, &expected["source"]);
    let target = plan.target.as_ref().map(|target| {
        json!({
            "storageClassName": target.storage_class_name,
            "volumeMode": target.volume_mode.as_deref().unwrap_or("Filesystem"),
            "accessModes": target.access_modes,
            "storage": target.storage.map(|bytes| bytes.to_string()),
        })
    });
    compare("target", json!(target), &expected["target"]);
    if expected["outcome"] == "strategy" && expected["strategy"] == "snapshot" && vector.id.starts_with("pvc-") {
        compare("snapshotClass", json!(plan.snapshot_class), &expected["snapshotClass"]);
    }
    result
}

fn wait_reason(wait: Wait) -> &'static str {
    match wait {
        Wait::SourceMissing => "source-missing",
        Wait::SourceRefUnresolved => "source-ref-unresolved",
        Wait::SizeDetection => "size-detection",
        Wait::TargetWithoutStorageClass => "target-without-storage-class",
    }
}
