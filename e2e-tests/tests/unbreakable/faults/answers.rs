//! What a host may answer instead of the right thing.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use vmdisk_e2e::package_folder;
use vmdisk_host::{Answer, Answers, Cluster, HostCall, Outcome, Request, texts, texts::HostError};

/// What an answer amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// No such object: another cluster, about which nothing went wrong.
    Absent,
    /// No such kind: another cluster as well.
    NotServed,
    /// A source that the chart does not make, which is read as such.
    OddSource,
    /// Nothing that can be relied on, unless it is only about what nobody reads.
    Failed,
    /// Nothing went wrong.
    Right,
}

/// A wrong answer.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) what: String,
    pub(super) meaning: Meaning,
    pub(super) response: Result<Vec<u8>, HostError>,
}

impl Fault {
    fn error(what: impl Into<String>, meaning: Meaning, error: HostError) -> Self {
        Self { what: what.into(), meaning, response: Err(error) }
    }

    fn body(what: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self { what: what.into(), meaning: Meaning::Failed, response: Ok(body.into()) }
    }
}

/// A cluster whose answer to one of the calls is wrong.
pub(super) struct Faulty {
    cluster: Cluster,
    at: usize,
    response: Result<Vec<u8>, HostError>,
    asked: AtomicUsize,
}

impl Faulty {
    /// The call numbered `at`, counted from 0, is answered with the fault.
    pub(super) fn new(cluster: &Cluster, at: usize, fault: &Fault) -> Self {
        let response = fault.response.clone();
        Self { cluster: cluster.clone(), at, response, asked: AtomicUsize::new(0) }
    }
}

impl Answers for Faulty {
    // What the host itself would refuse to ask is asked here, so that every call counts.
    fn answer(&self, request: &Request) -> Answer {
        if self.asked.fetch_add(1, Ordering::Relaxed) == self.at {
            return Answer { response: self.response.clone(), outcome: Outcome::Verbatim };
        }
        let granted = request.kind().is_none_or(|(api_version, kind)| self.cluster.may_read(api_version, kind));
        let capability = format!("kubernetes/{}", request.operation());
        if !self.cluster.may_use(&capability) {
            return Answer::error(texts::capability_denied(&capability), Outcome::CapabilityDenied);
        }
        match request.kind() {
            Some((api_version, kind)) if !granted => {
                Answer::error(texts::not_granted(api_version, kind), Outcome::NotGranted)
            }
            _ => self.cluster.answer(request),
        }
    }
}

/// The texts that were recorded on a real cluster, each once, as the module's SDK gets them.
static RECORDED: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let mut faults: Vec<Fault> = Vec::new();
    for file in ["errors.json", "errors-backtrace.json"] {
        let path = package_folder().join("../tests/data").join(file);
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let (name, text) = (case["case"].as_str().unwrap(), case["text"].as_str().unwrap());
            if text.starts_with("OK, ") {
                continue;
            }
            let (_, text) = text.split_once("Host error: ").unwrap();
            let response = Err(HostError::Host(text.to_owned()));
            if faults.iter().all(|known| known.response != response) {
                faults.push(Fault { what: name.to_owned(), meaning: meaning(name), response });
            }
        }
    }
    faults
});

/// What a recorded text means, told by what was done to get it.
fn meaning(case: &str) -> Meaning {
    let no_object = ["absent", "name with slash", "name with ?", "name 300", "namespace with slash"];
    let no_kind = ["kind not in built-in", "kind not in core", "kind not in existing", "group "];
    let unknown_kinds = ["no rights: Nonexistent", "no rights: Thing"];
    let starts = |starts: &[&str]| starts.iter().any(|start| case.starts_with(start));
    if starts(&no_object) {
        Meaning::Absent
    } else if starts(&no_kind) || starts(&unknown_kinds) {
        Meaning::NotServed
    } else {
        Meaning::Failed
    }
}

/// The texts of a host about exactly this call.
fn texts_about(call: &Request) -> Vec<Fault> {
    let (api_version, kind) = call.kind().unwrap();
    let (name, namespace) = (call.name().unwrap_or("x"), call.namespace());
    let host = |text: &str| HostError::Host(text.to_owned());
    let absent = [("absent", texts::absent(api_version, kind, name, namespace))];
    let not_served = [
        ("kind not served", texts::kind_not_served(api_version, kind)),
        ("group not served", texts::group_not_served(api_version, kind)),
        ("CRD removed", texts::crd_removed()),
    ];
    let failed = [
        ("capability denied", texts::capability_denied(&format!("kubernetes/{}", call.operation()))),
        ("not granted", texts::not_granted(api_version, kind)),
        ("forbidden", texts::forbidden("system:x", "get", "things", "example.org", name, namespace)),
        ("connect", texts::connect(api_version, kind)),
        ("connect later", texts::connect_later()),
        ("unauthorized", texts::unauthorized(api_version, kind)),
        ("unavailable", texts::unavailable(api_version, kind)),
        ("service error", HostError::callback("ServiceError: buffer's worker closed unexpectedly")),
        ("deadline", HostError::callback("context deadline exceeded")),
        ("namespace missing", texts::namespace_missing(api_version, kind)),
        ("name missing", texts::name_missing()),
        ("invalid URI", texts::invalid_uri()),
        ("namespace empty", texts::namespace_empty()),
        ("name invalid", texts::name_invalid(name)),
        ("key invalid", texts::key_invalid(name)),
        ("replay at its end", host("the list of recorded responses is empty")),
        (
            "replay of another",
            host("Replay error: unexpected request. Was expecting KubernetesGetResource(GetResource)"),
        ),
        ("nothing", host("")),
    ];
    let of = |meaning| move |(what, error): (&str, HostError)| Fault::error(what, meaning, error);
    let absent = absent.into_iter().map(of(Meaning::Absent));
    let not_served = not_served.into_iter().map(of(Meaning::NotServed));
    absent.chain(not_served).chain(failed.into_iter().map(of(Meaning::Failed))).collect()
}

/// Everything that goes wrong with the answer to a call.
pub(super) fn of(call: &HostCall, earlier: &[HostCall]) -> Vec<Fault> {
    let mut faults = texts_about(&call.request);
    faults.extend(RECORDED.iter().cloned());
    faults.extend(bodies(call));
    if let Some(other) = earlier.iter().rev().find_map(|call| call.response.clone().ok()) {
        faults.push(Fault::body("the answer to an earlier call", other));
    }
    if let Some(right) = document(call) {
        faults.extend(nodes(&right).into_iter().flat_map(|pointer| with_wrong_types(&right, &pointer)));
    }
    faults
}

/// One fault of each kind, for what is too slow to be tried with all.
pub(super) fn few(call: &HostCall) -> Vec<Fault> {
    let all = texts_about(&call.request).into_iter().chain(bodies(call));
    let few = ["absent", "not granted", "forbidden", "connect", "nothing", "no JSON", "null", "another kind"];
    all.filter(|fault| few.contains(&fault.what.as_str())).collect()
}

/// The object or the list that the right answer holds. Some cases already get an odd one.
fn document(call: &HostCall) -> Option<Value> {
    let document: Value = serde_json::from_slice(call.response.as_ref().ok()?).ok()?;
    let list = document.get("items").is_some_and(Value::is_array);
    let object = document.pointer("/metadata/name").is_some_and(Value::is_string);
    (if call.request.name().is_some() { object && !list } else { list }).then_some(document)
}

/// The right answer, or an object of the name asked for where there is none.
fn object(call: &HostCall) -> Value {
    let (api_version, kind) = call.request.kind().unwrap();
    document(call).unwrap_or_else(|| match call.request.name() {
        Some(name) => json!({"apiVersion": api_version, "kind": kind,
            "metadata": {"name": name, "namespace": call.request.namespace()}}),
        None => json!({"apiVersion": api_version, "kind": format!("{kind}List"), "metadata": {}, "items": [
            {"metadata": {"name": "some"}}]}),
    })
}

fn bodies(call: &HostCall) -> Vec<Fault> {
    let right = object(call);
    let text = right.to_string();
    let with = |pointer: &str, value: Value| {
        let mut other = right.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        other.pointer_mut(parent).unwrap()[key] = value;
        other.to_string()
    };
    let mut faults = vec![
        Fault::body("empty", ""),
        Fault::body("no JSON", "upstream connect error"),
        Fault::body("no UTF-8", [b"{\"kind\":\"\xff\xfe\"}".as_slice(), text.as_bytes()].concat()),
        Fault::body("cut in half", &text.as_bytes()[..text.len() / 2]),
        Fault::body("cut at the end", &text.as_bytes()[..text.len() - 1]),
        Fault::body("more than one", format!("{text}{text}")),
        Fault::body("null", "null"),
        Fault::body("a list", format!("[{text}]")),
        Fault::body("an empty list", "[]"),
        Fault::body("an empty object", "{}"),
        Fault::body("a text", "\"x\""),
        Fault::body("a number", "7"),
        Fault::body("true", "true"),
        Fault::body("deep", "[".repeat(10_000)),
        Fault::body("deep in it", with("/metadata", Value::Null).replace("null", &"{\"a\":".repeat(10_000))),
        Fault::body("another kind", with("/kind", json!("Secret"))),
        Fault::body("a status", r#"{"apiVersion":"v1","kind":"Status","status":"Failure","code":403}"#),
    ];
    if call.request.name().is_some() {
        let list = json!({"apiVersion": "v1", "kind": "List", "items": [right]});
        faults.extend([
            Fault::body("no metadata", with("/metadata", Value::Null)),
            Fault::body("no name", with("/metadata/name", Value::Null)),
            Fault::body("another name", with("/metadata/name", json!("other"))),
            Fault::body("a list of it", list.to_string()),
        ]);
        if call.request.namespace().is_some() {
            faults.push(Fault::body("another namespace", with("/metadata/namespace", json!("other"))));
        }
    } else {
        for (what, items) in [
            ("no items", Value::Null),
            ("items no list", json!({})),
            ("an item null", json!([null])),
            ("an item a number", json!([7])),
            ("an item without metadata", json!([{}])),
            ("an item of another kind", json!([{"kind": "Secret", "metadata": {"name": "some"}}])),
        ] {
            faults.push(Fault::body(what, with("/items", items)));
        }
    }
    faults
}

/// The pointers to all nodes of a document but its root.
fn nodes(document: &Value) -> Vec<String> {
    fn walk(value: &Value, at: &str, found: &mut Vec<String>) {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(map) => map.iter().map(|(k, v)| (k.replace('~', "~0").replace('/', "~1"), v)).collect(),
            Value::Array(items) => items.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect(),
            _ => Vec::new(),
        };
        for (key, child) in children {
            let at = format!("{at}/{key}");
            found.push(at.clone());
            walk(child, &at, found);
        }
    }
    let mut found = Vec::new();
    walk(document, "", &mut found);
    found
}

fn with_wrong_types(right: &Value, pointer: &str) -> Vec<Fault> {
    let old = right.pointer(pointer).unwrap();
    // Another scalar, and something of another shape. A number would do for a quantity.
    let wrong = match old {
        Value::String(_) => [json!(true), json!({"a": "b"})],
        Value::Bool(_) | Value::Number(_) => [json!("x"), json!(["x"])],
        Value::Object(_) => [json!("x"), json!(["x"])],
        Value::Array(_) => [json!("x"), json!({"a": "b"})],
        Value::Null => return Vec::new(),
    };
    let fault = |value: Value| {
        let mut other = right.clone();
        let what = format!("{value} at {pointer}");
        *other.pointer_mut(pointer).unwrap() = value;
        let is_source = right["kind"] == "DataVolume" && pointer.starts_with("/spec/source");
        let meaning = if is_source { Meaning::OddSource } else { Meaning::Failed };
        Fault { meaning, ..Fault::body(what, other.to_string()) }
    };
    wrong.into_iter().map(fault).collect()
}

/// The right answer with megabytes that nobody reads, and megabytes that nobody can read.
pub(super) fn padded(call: &HostCall, bytes: usize) -> Vec<Fault> {
    let Some(mut right) = document(call) else { return Vec::new() };
    let mut faults = vec![Fault::body("megabytes of brackets", "[".repeat(bytes))];
    let text = right.to_string();
    let padding = " ".repeat(bytes);
    let mut right_fault = |what: &str, body: String| {
        faults.push(Fault { what: what.to_owned(), meaning: Meaning::Right, response: Ok(body.into_bytes()) });
    };
    right_fault("megabytes of spaces", format!("{padding}{text}{padding}"));
    right["padding"] = "x".repeat(bytes).into();
    right_fault("a text of megabytes", right.to_string());
    right["padding"] = vec![json!({"a": "b"}); bytes / 10].into();
    right_fault("a list of megabytes", right.to_string());
    faults
}
