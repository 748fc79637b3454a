//! Requests that are made to hurt: the module answers all of them, soon, and without much memory.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use vmdisk_e2e::{load_cases, load_module, module_path};
use vmdisk_host::request::admission_request;
use vmdisk_host::{Cluster, Policy, PolicyError, Run};

use crate::support::{Answered, payload};

/// The real limit is one to two seconds.
const SOON: Duration = Duration::from_secs(1);
/// What an instance has before it is asked anything, and what it may need for each byte it gets: a tree of two-letter
/// values is the worst.
const MEMORY: u64 = 2 << 20;
const MEMORY_PER_BYTE: u64 = 40;
const FUEL: u64 = 5_000_000;
const FUEL_PER_BYTE: u64 = 1_000;

static METERED: LazyLock<Policy> = LazyLock::new(|| Policy::load_metered(module_path().unwrap()).unwrap());
static PLAIN: LazyLock<Policy> = LazyLock::new(|| load_module().unwrap());
static FOUNDING: LazyLock<Cluster> = LazyLock::new(|| {
    let case = load_cases().unwrap().into_iter().find(|(name, _)| name == "01-cozystack-2908-vmdisk");
    Cluster::new(&case.unwrap().1.unwrap().manifests).unwrap()
});

fn validate(policy: &Policy, payload: &[u8]) -> Result<Run, PolicyError> {
    policy.run("validate", payload, Arc::new(FOUNDING.clone()))
}

/// What comes of a payload: an answer, or an error in the module's own words; never a trap, never late, and with fuel
/// and memory in proportion to the payload.
#[track_caller]
fn survives(what: &str, payload: &[u8]) -> Option<Answered> {
    let size = u64::try_from(payload.len()).unwrap();
    let metered = validate(&METERED, payload);
    // Others may keep the processor busy: the best of three counts.
    let taken = (0..3)
        .map(|_| {
            let begin = Instant::now();
            let run = validate(&PLAIN, payload);
            assert_eq!(run.map(|run| run.answer).ok(), metered.as_ref().ok().map(|run| run.answer.clone()));
            begin.elapsed()
        })
        .find(|taken| *taken < SOON);
    assert!(taken.is_some(), "{what}: takes more than {SOON:?}");
    match metered {
        Ok(run) => {
            let (fuel, memory) = (run.fuel.unwrap(), run.memory.unwrap());
            println!(
                "{what:<55} {size:>9} bytes {fuel:>11} fuel {:>6} KiB {:>4} ms",
                memory >> 10,
                taken.unwrap().as_millis()
            );
            assert!(fuel <= FUEL + FUEL_PER_BYTE * size, "{what}: {fuel} units of fuel for {size} bytes");
            assert!(memory <= MEMORY + MEMORY_PER_BYTE * size, "{what}: {memory} bytes of memory for {size} bytes");
            assert!(run.calls.len() <= 150, "{what}: {} calls", run.calls.len());
            Some(Answered::read(run, what))
        }
        Err(error) => {
            let text = error.to_string();
            let own_words = text.contains("not a JSON document") || text.contains("the payload holds no request");
            assert!(own_words || text.contains("The settings are not valid"), "{what}: {text}");
            None
        }
    }
}

fn data_volume() -> Value {
    json!({"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataVolume",
        "metadata": {"name": "disk", "namespace": "tenant-a"},
        "spec": {"source": {"pvc": {"namespace": "cozy-public", "name": "vm-default-images-ubuntu"}},
            "storage": {"storageClassName": "local", "resources": {"requests": {"storage": "10Gi"}}}}})
}

fn vm_disk() -> Value {
    json!({"apiVersion": "apps.cozystack.io/v1alpha1", "kind": "VMDisk",
        "metadata": {"name": "disk", "namespace": "tenant-a"},
        "spec": {"storage": "10Gi", "storageClass": "local", "source": {"image": {"name": "ubuntu"}}}})
}

fn machine(templates: &[Value]) -> Value {
    json!({"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": "vm", "namespace": "tenant-a"},
        "spec": {"dataVolumeTemplates": templates}})
}

fn created(object: &Value) -> Vec<u8> {
    payload(&admission_request(object).unwrap(), &Value::Null)
}

fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).unwrap()[key] = value;
    object
}

fn many<T>(count: usize, item: impl Fn(usize) -> T) -> Vec<T> {
    (0..count).map(item).collect()
}

fn map(count: usize, value: &Value) -> Value {
    many(count, |number| (format!("key-{number}"), value.clone())).into_iter().collect::<Map<_, _>>().into()
}

#[test]
fn objects_of_megabytes_are_answered_soon_and_without_much_memory() {
    let long = || Value::from("x".repeat(5 << 20));
    let odd = || Value::from("\u{202e}\n\u{0}ä".repeat(1 << 18));
    let strings = [
        ("/metadata/name", data_volume()),
        ("/metadata/namespace", data_volume()),
        ("/metadata/annotations", with(data_volume(), "/metadata/annotations", json!({}))),
        ("/spec/contentType", data_volume()),
        ("/spec/source/pvc/name", data_volume()),
        ("/spec/storage/storageClassName", data_volume()),
        ("/spec/storage/volumeMode", data_volume()),
        ("/spec/storage/resources/requests/storage", data_volume()),
        ("/spec/storageClass", vm_disk()),
        ("/spec/storage", vm_disk()),
        ("/spec/source/image/name", vm_disk()),
        ("/spec/unknown", vm_disk()),
    ];
    for (pointer, object) in strings {
        survives(&format!("5 MB at {pointer} of {}", object["kind"]), &created(&with(object.clone(), pointer, long())));
        survives(&format!("odd MB at {pointer} of {}", object["kind"]), &created(&with(object, pointer, odd())));
    }
    let claim = json!({"name": "vm-default-images-ubuntu", "namespace": "cozy-public"});
    for (what, object) in [
        ("access modes", with(data_volume(), "/spec/storage/accessModes", json!(many(10_000, |n| n.to_string())))),
        ("annotations", with(data_volume(), "/metadata/annotations", map(10_000, &json!("x")))),
        ("labels", with(data_volume(), "/metadata/labels", map(10_000, &json!("x")))),
        (
            "owners",
            with(
                data_volume(),
                "/metadata/ownerReferences",
                json!(many(10_000, |_| json!({"apiVersion": "v1", "kind": "Pod"}))),
            ),
        ),
        ("sources", with(data_volume(), "/spec/source", map(10_000, &claim))),
        ("numbers", with(data_volume(), "/spec/numbers", json!(many(1_000_000, |_| 7)))),
        ("sources of a VMDisk", with(vm_disk(), "/spec/source", map(10_000, &claim))),
        ("null sources of a VMDisk", with(vm_disk(), "/spec/source", map(100_000, &Value::Null))),
        (
            "templates",
            machine(&many(1_000, |number| with(data_volume(), "/metadata/name", format!("disk-{number}").into()))),
        ),
    ] {
        survives(&format!("many {what}"), &created(&object));
    }
}

#[test]
fn edits_of_megabytes_are_answered_soon() {
    let edit = |old: &Value, new: &Value| {
        let mut request = admission_request(new).unwrap();
        request["operation"] = "UPDATE".into();
        request["oldObject"] = old.clone();
        payload(&request, &Value::Null)
    };
    let large = |value: Value| with(data_volume(), "/spec/other", value);
    let lists = |last: &str| large(json!(many(50_000, |n| if n == 49_999 { last.to_owned() } else { n.to_string() })));
    survives("an edit of the last of many items", &edit(&lists("a"), &lists("b"))).unwrap();
    let all =
        survives("an edit of all of many keys", &edit(&large(map(50_000, &json!(1))), &large(map(50_000, &json!(2)))));
    assert_eq!(all.unwrap().refusals(), ["DataVolumeSpecChanged"]);
    survives("an edit of nothing in many keys", &edit(&large(map(50_000, &json!(1))), &large(map(50_000, &json!(1)))))
        .unwrap();
    let deep = |last: Value| large((0..80).fold(last, |inner, _| json!({"a": inner, "b": 1})));
    survives("an edit far below", &edit(&deep(json!(1)), &deep(json!(2)))).unwrap();
    let disk = |number: usize| with(vm_disk(), "/spec/source", map(number, &json!({"name": "x"})));
    survives("an edit of many sources", &edit(&disk(10_000), &disk(9_999))).unwrap();
    survives(
        "an edit of templates",
        &edit(&machine(&many(500, |_| data_volume())), &machine(&many(501, |_| data_volume()))),
    );
}

#[test]
fn texts_that_are_no_json_and_json_that_is_no_request_are_answered_without_a_trap() {
    let request = String::from_utf8(created(&data_volume())).unwrap();
    let value = |text: &str| request.replace("\"10Gi\"", text).into_bytes();
    for (what, payload) in [
        ("nothing", Vec::new()),
        ("no UTF-8", b"\xff\xfe{}".to_vec()),
        ("no UTF-8 in a text", value("\"\u{0}\"").iter().map(|byte| if *byte == 0 { 0xC3 } else { *byte }).collect()),
        ("brackets", "[".repeat(10_000).into_bytes()),
        ("braces", "{\"a\":".repeat(10_000).into_bytes()),
        ("depth 10,000 in the object", value(&format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)))),
        ("megabytes of depth", vec![b'['; 5 << 20]),
        ("a lone surrogate", value("\"\\ud800\"")),
        ("two surrogates in the wrong order", value("\"\\udc00\\ud800\"")),
        ("a control character", value("\"\u{1}\"")),
        ("NaN", value("NaN")),
        ("two documents", request.repeat(2).into_bytes()),
    ] {
        assert_eq!(survives(what, &payload), None, "{what}");
    }
    // A number is read as the text that it is, so it may be as large as a quantity in quotes.
    for (what, number) in [("1e400", "1e400"), ("400 digits", &"9".repeat(400)), ("2^20 digits", &"9".repeat(1 << 20))]
    {
        let bytes = |text: &str| survives(what, &value(text)).expect("it is answered").bytes;
        assert_eq!(bytes(number), bytes(&format!("\"{number}\"")), "{what}");
    }
    for cut in (0..request.len()).step_by(7) {
        assert_eq!(validate(&PLAIN, &request.as_bytes()[..cut]).map(|run| run.answer).ok(), None, "cut at {cut}");
    }
    for (what, text) in
        [("-0", "-0"), ("-0.0", "-0.0"), ("1e300", "1e300"), ("1e-300", "1e-300"), ("i64", "-9223372036854775808")]
    {
        survives(what, &value(text)).unwrap();
        survives(what, &value(&format!("\"{text}\""))).unwrap();
    }
    survives("a text of digits", &value(&format!("\"{}\"", "9".repeat(1 << 20)))).unwrap();
    survives("a long exponent", &value("\"1e9999999999999999999\"")).unwrap();
    survives("a long fraction", &value(&format!("\"0.{}1Ei\"", "0".repeat(1 << 20)))).unwrap();
    for scalar in ["null", "true", "false", "0", "-1.5", "\"x\"", "[]", "{}", "[[]]"] {
        survives("no request", scalar.as_bytes());
        let malformed = survives("a scalar request", format!("{{\"request\":{scalar}}}").as_bytes());
        assert!(malformed.is_none_or(|answered| answered.code() == Some(400) || scalar == "{}"), "{scalar}");
    }
}

#[test]
fn requests_without_what_they_need_are_malformed() {
    let of = |change: &dyn Fn(&mut Value)| {
        let mut request = admission_request(&data_volume()).unwrap();
        change(&mut request);
        survives("an odd request", &payload(&request, &Value::Null)).unwrap().code()
    };
    assert_eq!(of(&|_| {}), Some(403));
    for pointer in ["object", "operation"] {
        assert_eq!(of(&|request| request[pointer] = Value::Null), Some(400), "{pointer}");
    }
    for odd in [json!(7), json!("x"), json!([]), json!(true)] {
        for pointer in ["object", "operation", "kind", "name", "namespace", "subResource", "oldObject"] {
            let code = of(&|request| request[pointer] = odd.clone());
            let is_a_text = odd.is_string() && matches!(pointer, "name" | "namespace" | "subResource");
            let unread = matches!(pointer, "name" | "namespace");
            assert!(is_a_text || unread || code == Some(400), "{odd} at {pointer}: {code:?}");
        }
    }
    let update = |old: Value| {
        move |request: &mut Value| {
            request["operation"] = "UPDATE".into();
            request["oldObject"] = old.clone();
        }
    };
    assert_eq!(of(&update(Value::Null)), Some(400));
    assert_eq!(of(&update(json!([]))), Some(400));
    assert_eq!(of(&update(json!({}))), Some(403));
    for operation in ["create", "PATCH", "", "CREATE\n"] {
        assert_eq!(of(&|request| request["operation"] = operation.into()), Some(400), "{operation}");
    }
    for operation in ["DELETE", "CONNECT"] {
        assert_eq!(of(&|request| request["operation"] = operation.into()), None, "{operation}");
    }
}

#[test]
fn the_last_of_two_keys_counts() {
    let request = String::from_utf8(created(&data_volume())).unwrap();
    let twice = |first: &str, last: &str| {
        let text = format!("\"storageClassName\":{first},\"storageClassName\":{last}");
        let payload = request.replace("\"storageClassName\":\"local\"", &text);
        assert_ne!(payload, request);
        survives("two keys", payload.as_bytes()).unwrap().code()
    };
    assert_eq!(twice("\"replicated\"", "\"local\""), Some(403));
    assert_eq!(twice("\"local\"", "\"replicated\""), None);
    assert_eq!(twice("7", "\"local\""), Some(403));
    let many = vec!["\"storageClassName\":7"; 50_000].join(",");
    let payload = request.replace("\"storageClassName\":\"local\"", &format!("{many},\"storageClassName\":\"local\""));
    assert_eq!(survives("one key many times", payload.as_bytes()).unwrap().code(), Some(403));
}

#[test]
fn settings_that_are_made_to_hurt_are_answered() {
    let rules = map(1_000, &json!("deny"));
    let all = json!({"rules": rules, "linstorDrivers": many(1_000, |n| n), "cdiName": "x".repeat(1 << 20), "odd\n": 1});
    let answer = PLAIN.validate_settings(&all).unwrap();
    assert_eq!(answer["valid"], false);
    let message = answer["message"].as_str().unwrap();
    assert!(message.len() < 64 << 10 && !message.contains("odd\n"), "{} bytes", message.len());
    let drivers = json!({"linstorDrivers": many(10_000, |n| format!("driver-{n}"))});
    assert_eq!(PLAIN.validate_settings(&drivers).unwrap()["valid"], true);
    survives("many drivers", &payload(&admission_request(&data_volume()).unwrap(), &drivers)).unwrap();
    survives("bad settings", &payload(&admission_request(&data_volume()).unwrap(), &all));
    for scalar in ["true", "7", "\"x\"", "[]", "[[", "", "\u{1}"] {
        let run = PLAIN.run("validate_settings", scalar.as_bytes(), Arc::new(Cluster::default())).unwrap();
        let answer: Value = serde_json::from_slice(&run.answer).unwrap();
        assert_eq!(answer["valid"], false, "{scalar:?}: {answer}");
    }
}
