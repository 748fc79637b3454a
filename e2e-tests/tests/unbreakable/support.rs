//! What the tests share: the module, its answers in parts, and the native decision on the same cluster.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use vmdisk_e2e::{load_module, violations};
use vmdisk_host::{Answers, Cluster, HostCall, Manifests, Policy, Run};
use vmdisk_policy::cluster::Objects;
use vmdisk_policy::json::Json;
use vmdisk_policy::judge::judge;
use vmdisk_policy::response;
use vmdisk_policy::settings::Settings;

use crate::cdi;

/// The module.
pub(crate) static POLICY: LazyLock<Policy> = LazyLock::new(|| load_module().unwrap());

/// The payload of a `validate` call.
pub(crate) fn payload(request: &Value, settings: &Value) -> Vec<u8> {
    json!({"request": request, "settings": settings}).to_string().into_bytes()
}

/// The cluster of these objects.
pub(crate) fn cluster(objects: &[Value]) -> Cluster {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    Cluster::new(&Manifests::parse(&list.to_string(), "objects").unwrap()).unwrap()
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answered {
    pub(crate) bytes: Vec<u8>,
    pub(crate) response: Value,
    pub(crate) calls: Vec<HostCall>,
    pub(crate) logs: Vec<Value>,
}

impl Answered {
    /// The module's answer, which must be one, and must have nothing that no answer may have.
    #[track_caller]
    pub(crate) fn of(payload: &[u8], answers: Arc<dyn Answers>, what: &str) -> Self {
        let run = POLICY.run("validate", payload, answers).unwrap_or_else(|error| panic!("{what}: {error}"));
        Self::read(run, what)
    }

    #[track_caller]
    pub(crate) fn read(run: Run, what: &str) -> Self {
        let response: Value = serde_json::from_slice(&run.answer).unwrap();
        let violations = violations(&response);
        assert!(violations.is_empty(), "{what}: {violations:?} in {response}");
        Self { response, bytes: run.answer, calls: run.calls, logs: run.logs }
    }

    pub(crate) fn code(&self) -> Option<u64> {
        self.response["code"].as_u64()
    }

    pub(crate) fn message(&self) -> &str {
        self.response["message"].as_str().unwrap_or_default()
    }

    pub(crate) fn warnings(&self) -> Vec<&str> {
        let list = self.response["warnings"].as_array();
        list.into_iter().flatten().map(|warning| warning.as_str().unwrap()).collect()
    }

    /// The words in brackets that begin the lines of the message.
    pub(crate) fn refusals(&self) -> Vec<&str> {
        self.message().lines().filter_map(word).collect()
    }

    /// What is told of lookups that failed, in warnings and message.
    pub(crate) fn failures(&self) -> Vec<&str> {
        let told = self.message().lines().chain(self.warnings());
        told.filter(|text| word(text) == Some("LookupFailed")).collect()
    }
}

fn word(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.split_once(']').map(|(word, _)| word)
}

/// The bytes that the native decision answers to a payload.
pub(crate) fn native(payload: &[u8], objects: &[Value]) -> Vec<u8> {
    let payload = Json::parse(payload).unwrap();
    let settings = Settings::parse(payload.key("settings")).unwrap();
    let objects: Objects = objects.iter().map(cdi::object).collect();
    let verdict = judge(payload.key("request").unwrap(), &settings, &objects);
    response::write(&verdict).into_bytes()
}

/// Does something with every item, on all processors.
pub(crate) fn each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
