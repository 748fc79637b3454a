//! CDI's own answers again, through the module: what the audit annotations say must be what CDI did.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vmdisk_host::request::admission_request;

use crate::cdi::{self, Vector};
use crate::support::{Answered, cluster, each, native, payload};

const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// More lookups would not fit into a second where each takes its 3 ms.
const MOST_CALLS: usize = 16;

/// What `CDI.md` expects of the annotations, by key; null: there is none.
fn expected(vector: &Vector) -> Value {
    let expected = &vector.expected;
    let part = |key: &str| expected[key].as_str().unwrap_or_default();
    let strategy = match part("outcome") {
        "strategy" => part("strategy"),
        "legacy-copy" => "copy",
        "wait" => "waits",
        "error" => "fails",
        other => panic!("{}: unknown outcome {other}", vector.id),
    };
    let error = (part("outcome") == "error").then(|| format!("{}/{}", part("stage"), part("errorClass")));
    json!({"clone-strategy": strategy, "clone-fallback-reason": expected["fallbackReason"], "clone-error": error})
}

/// The line of the table of agreement, and of the table of lookups.
#[derive(Default)]
struct Line {
    agree: usize,
    differ: usize,
    calls: Vec<usize>,
}

#[derive(Default)]
struct Tables {
    outcomes: BTreeMap<String, Line>,
    deviations: BTreeMap<&'static str, Line>,
    failures: Vec<String>,
}

#[test]
fn the_module_predicts_every_vector_except_for_the_decided_deviations() {
    let vectors = cdi::vectors_below(WORKSPACE);
    assert!(vectors.len() >= 1_500);
    let tables = Mutex::new(Tables::default());
    each(&vectors, |vector| {
        let payload = payload(&admission_request(&vector.data_volume).unwrap(), &Value::Null);
        let answered = Answered::of(&payload, Arc::new(cluster(&vector.objects)), &vector.id);
        let same = native(&payload, &vector.objects) == answered.bytes;
        assert!(same, "{}: the module and the native decision differ", vector.id);

        let annotations = &answered.response["audit_annotations"];
        let expected = expected(vector);
        let agrees = expected.as_object().unwrap().iter().all(|(key, value)| annotations[key] == *value);
        let mut tables = tables.lock().unwrap();
        let line = match vector.deviation() {
            Some(deviation) => tables.deviations.entry(deviation.what).or_default(),
            None => tables.outcomes.entry(vector.outcome()).or_default(),
        };
        *(if agrees { &mut line.agree } else { &mut line.differ }) += 1;
        line.calls.push(answered.calls.len());
        if !agrees && vector.deviation().is_none() {
            tables.failures.push(format!("{}: {annotations}, not {expected}", vector.id));
        }
    });

    let Tables { outcomes, deviations, failures } = tables.into_inner().unwrap();
    println!("{:<45} {:>6} {:>7} {:>13}", "outcome", "agree", "differ", "lookups");
    let named = |deviation: &cdi::Deviation| deviations.get_key_value(deviation.what);
    for (what, line) in outcomes.iter().map(|(what, line)| (what.as_str(), line)) {
        print(what, line);
    }
    println!("\ndecided deviations");
    for (what, line) in cdi::DEVIATIONS.iter().filter_map(named) {
        print(what, line);
    }
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), vectors.len(), failures.join("\n"));
    let most = outcomes.values().chain(deviations.values()).flat_map(|line| &line.calls).max();
    assert!(most.is_some_and(|most| *most <= MOST_CALLS), "{most:?} lookups");
}

fn print(what: &str, line: &Line) {
    let (fewest, most) = (line.calls.iter().min().unwrap(), line.calls.iter().max().unwrap());
    println!("{what:<45} {:>6} {:>7} {:>6} to {most:>3}", line.agree, line.differ, fewest);
}
