//! Every host call of every case goes wrong in every way.
//!
//! With an answer that means "no such object" or "no such kind" the cluster is another one, and all such answers are
//! alike. With any
//! other wrong answer either everything that a person sees is as it was (the answer decided nothing), or a
//! `LookupFailed` names the object; and nothing is refused that was not refused without the fault. Only a healing edit,
//! which needs the answer to be allowed at all, is then refused as any edit is; and with `onLookupFailure: reject` the
//! code is 500.

mod answers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use vmdisk_e2e::load_cases;
use vmdisk_host::{Cluster, HostCall};

use crate::support::{Answered, each, payload};
use answers::{Fault, Faulty, Meaning};

/// More calls than any request makes.
const NEVER: usize = usize::MAX;
/// One in so many faults is tried at each call, in turn, so that each is tried at every kind of call. All of them take
/// minutes: `FAULTS=all`.
const ONE_IN: usize = 8;

/// A request of a case, and what comes of it without a further fault.
struct Fine {
    name: String,
    cluster: Cluster,
    payload: Vec<u8>,
    rejects: bool,
    answered: Answered,
}

impl Fine {
    fn new(name: &str, cluster: &Cluster, request: &Value, settings: &Value) -> Self {
        let payload = payload(request, settings);
        let nothing = Fault { what: String::new(), meaning: Meaning::Right, response: Ok(Vec::new()) };
        let answered = Answered::of(&payload, Arc::new(Faulty::new(cluster, NEVER, &nothing)), name);
        let rejects = settings["onLookupFailure"] == "reject";
        Self { name: name.to_owned(), cluster: cluster.clone(), payload, rejects, answered }
    }

    fn with(&self, at: usize, fault: &Fault) -> Answered {
        let what = format!("{}: {} after {}", self.name, fault.what, self.answered.calls[at].request);
        Answered::of(&self.payload, Arc::new(Faulty::new(&self.cluster, at, fault)), &what)
    }
}

/// Every request of every case, with the case's settings changed.
fn all(change: impl Fn(&mut Value)) -> Vec<Fine> {
    let mut all = Vec::new();
    for (_, case) in load_cases().unwrap() {
        let case = case.unwrap();
        let cluster = Cluster::new(&case.manifests).unwrap();
        let mut settings = case.settings.clone();
        change(&mut settings);
        all.extend(case.requests.iter().map(|request| Fine::new(&request.name, &cluster, &request.request, &settings)));
    }
    all
}

/// Whether a text about a failed lookup names what was asked for. Before a list comes a get of some name, and what
/// fails is then the list.
fn names(text: &str, call: &HostCall) -> bool {
    let (_, kind) = call.request.kind().unwrap();
    let of_all = text.contains(&format!("the {kind} objects"));
    let name = match (call.request.namespace(), call.request.name()) {
        (_, None) => return of_all,
        (None, Some(name)) => format!("{kind} \"{name}\""),
        (Some(namespace), Some(name)) => format!("{kind} {namespace}/{name}"),
    };
    of_all || text.contains(&name)
}

/// What is wrong with an answer, given the one without the fault.
fn problems(fine: &Fine, at: usize, fault: &Fault, faulty: &Answered) -> Vec<String> {
    let right = &fine.answered;
    let call = &right.calls[at];
    let mut problems = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            problems.push(format!("{what}\n  now: {}\n  was: {}", faulty.response, right.response));
        }
    };
    let asked = |calls: &[HostCall]| calls.iter().take(at + 1).map(|call| call.request.clone()).collect::<Vec<_>>();
    must(asked(&faulty.calls) == asked(&right.calls), "the calls before the fault are others");
    // A VirtualMachine may take 150: the templates that are left over are then told of.
    must(faulty.calls.len() <= if fine.name.starts_with("vm-") { 150 } else { 20 }, "too many calls");
    if matches!(fault.meaning, Meaning::Absent | Meaning::NotServed | Meaning::OddSource) {
        let told = faulty.failures().into_iter().any(|text| names(text, call));
        must(!told || right.failures().iter().any(|text| names(text, call)), "an absence is told as a failed lookup");
        return problems;
    }
    let told: Vec<&str> = faulty.failures().into_iter().filter(|text| names(text, call)).collect();
    let same = faulty.response == right.response;
    match fault.meaning {
        Meaning::Right => must(same, "a right answer changed the decision"),
        // Advice tells of one failed lookup only.
        _ => must(same || !told.is_empty() || !right.failures().is_empty(), "nothing is told of the failed lookup"),
    }
    let logged = faulty.logs.iter().any(|event| event["message"] == "lookup failed");
    must(told.is_empty() || logged, "the failed lookup is not logged");
    let healed = right.warnings().iter().any(|text| text.starts_with("[DriftHealed]")) && !told.is_empty();
    let healing = |reason: &str| healed && matches!(reason, "StorageClassChanged" | "SourceChanged");
    match faulty.code() {
        None => {}
        Some(403) => {
            let known = |reason: &&str| right.refusals().contains(reason) || healing(reason);
            must(faulty.refusals().iter().all(known), "refused because of the fault");
        }
        Some(500) => must(fine.rejects && faulty.refusals().contains(&"LookupFailed"), "an error because of the fault"),
        Some(400) => must(right.code() == Some(400), "malformed because of the fault"),
        Some(_) => must(false, "an odd code"),
    }
    problems
}

/// The numbers, and what is wrong.
#[derive(Default)]
struct Matrix {
    calls: AtomicUsize,
    runs: AtomicUsize,
    told: AtomicUsize,
    problems: std::sync::Mutex<BTreeMap<String, Vec<String>>>,
}

impl Matrix {
    fn run(&self, fine: &Fine, at: usize, faults: &[Fault]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let mut absent: [Option<Answered>; 2] = [None, None];
        for fault in faults {
            let faulty = fine.with(at, fault);
            self.runs.fetch_add(1, Ordering::Relaxed);
            self.told.fetch_add(usize::from(!faulty.failures().is_empty()), Ordering::Relaxed);
            let mut found = problems(fine, at, fault, &faulty);
            if matches!(fault.meaning, Meaning::Absent | Meaning::NotServed) {
                let absent = &mut absent[usize::from(fault.meaning == Meaning::NotServed)];
                let first = absent.get_or_insert_with(|| faulty.clone());
                if first.response != faulty.response {
                    found.push(format!("another absence\n  now: {}\n  was: {}", faulty.response, first.response));
                }
            }
            if !found.is_empty() {
                let place = format!("{}: {}", fine.name, fine.answered.calls[at].request);
                let found = found.into_iter().map(|problem| format!("{}: {problem}", fault.what));
                self.problems.lock().unwrap().entry(place).or_default().extend(found);
            }
        }
    }

    fn report(self, what: &str, requests: usize) {
        let problems = self.problems.into_inner().unwrap();
        let wrong: usize = problems.values().map(Vec::len).sum();
        println!(
            "{what}: {requests} requests, {} host calls, {} runs; {} told of the failed lookup, {wrong} wrong, 0 traps",
            self.calls.into_inner(),
            self.runs.into_inner(),
            self.told.into_inner(),
        );
        let lines: Vec<String> = problems.into_iter().map(|(place, p)| format!("{place}\n{}", p.join("\n"))).collect();
        assert!(lines.is_empty(), "{wrong} wrong:\n{}", lines.join("\n\n"));
    }
}

fn matrix(what: &str, one_in: usize, requests: &[Fine], faults: impl Fn(&Fine, usize) -> Vec<Fault> + Sync) {
    let all = std::env::var_os("FAULTS").is_some_and(|value| value == "all");
    let one_in = if all { 1 } else { one_in };
    let matrix = Matrix::default();
    let places = requests.iter().flat_map(|fine| (0..fine.answered.calls.len()).map(move |at| (fine, at)));
    let places: Vec<_> = places.enumerate().collect();
    each(&places, |(turn, (fine, at))| {
        let faults = faults(fine, *at).into_iter().skip(turn % one_in).step_by(one_in);
        matrix.run(fine, *at, &faults.collect::<Vec<_>>());
    });
    matrix.report(what, requests.len());
}

#[test]
fn whatever_the_host_answers_nothing_else_is_refused_and_the_failed_lookup_is_named() {
    matrix("allow", ONE_IN, &all(|_| {}), |fine, at| answers::of(&fine.answered.calls[at], &fine.answered.calls[..at]));
}

#[test]
fn with_reject_a_failed_lookup_is_an_error_and_never_a_verdict() {
    let requests = all(|settings| settings["onLookupFailure"] = json!("reject"));
    matrix("reject", 2, &requests, |fine, at| answers::few(&fine.answered.calls[at]));
}

#[test]
fn ten_megabytes_of_padding_change_nothing() {
    let is_padded = |fine: &Fine| fine.name == "26d-default-class-compared::vmdisk";
    let requests: Vec<Fine> = all(|_| {}).into_iter().filter(is_padded).collect();
    assert_eq!(requests.len(), 1);
    matrix("padding", 2, &requests, |fine, at| answers::padded(&fine.answered.calls[at], 10 << 20));
}
