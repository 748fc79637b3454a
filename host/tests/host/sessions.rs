//! Sessions are read, replayed and written as kwctl does it.

use crate::common::{call, cluster, data};
use serde_json::{Value, json};
use vmdisk_host::session::{self, Exchange, Response};
use vmdisk_host::{HostCall, Outcome, Replay, Request};

/// Makes the call again that was recorded.
fn repeat(replay: &Replay, request: &Request) -> (Result<Value, String>, HostCall) {
    let payload = match request {
        Request::Get(get) => json!(get),
        Request::ListAll(list) => json!(list),
        Request::ListNamespace(list) => json!(list),
        Request::CanI(can_i) => json!(can_i),
        Request::Other(..) => panic!("not in a session"),
    };
    call(replay.clone(), request.operation(), &payload)
}

#[test]
fn recorded_sessions_are_replayed() {
    for file in ["session.yml", "session-forbidden.yml"] {
        let exchanges = session::read(&data(file)).unwrap();
        let replay = Replay::new(exchanges.clone());
        for exchange in &exchanges {
            let (answer, call) = repeat(&replay, &exchange.request);
            assert_eq!(call.outcome, Outcome::Replayed);
            match &exchange.response {
                Response::Success { payload } => {
                    assert_eq!(answer.unwrap(), serde_json::from_str::<Value>(payload).unwrap());
                }
                Response::Error { message } => {
                    assert_eq!(answer.unwrap_err(), format!("Callback evaluation failure: {message}"));
                }
            }
        }
        assert_eq!((replay.leftovers(), replay.mismatches()), (Vec::new(), Vec::new()), "{file}");
    }
}

#[test]
fn every_kind_of_call_is_written_and_read_back() {
    let exchanges = session::read(&data("session.yml")).unwrap();
    assert_eq!(exchanges.len(), 8);
    let text = session::write(&exchanges).unwrap();
    assert_eq!(session::read(&text).unwrap(), exchanges);
    // kwctl's YAML library takes an enum as a tag only.
    for tag in ["GetResource", "ListResourceAll", "ListResourceNamespace", "CanI"] {
        assert!(text.contains(&format!("    !Kubernetes{tag}\n")), "{text}");
    }
}

#[test]
fn whatever_does_not_fit_is_an_error() {
    let exchanges = session::read(&data("session.yml")).unwrap();
    let replay = Replay::new(exchanges[..2].iter().cloned());
    let (answer, _) = repeat(&replay, &exchanges[1].request);
    assert!(answer.unwrap_err().starts_with("Callback evaluation failure: Replay error: unexpected request. Was"));
    assert_eq!(replay.leftovers(), exchanges[1..2]);
    repeat(&replay, &exchanges[1].request).0.unwrap_err();
    let (answer, _) = repeat(&replay, &exchanges[0].request);
    assert_eq!(answer.unwrap_err(), "Callback evaluation failure: the list of recorded responses is empty");
    assert_eq!(replay.mismatches().len(), 2);
}

#[test]
fn masks_are_a_set() {
    let session = |masks| {
        format!(
            "- type: Exchange\n  request: |\n    !KubernetesListResourceAll\n    api_version: v1\n    kind: X\n    label_selector: null\n    field_selector: null\n    field_masks: {masks}\n  response: {{type: Error, message: nothing}}\n"
        )
    };
    assert_eq!(session::read(&session("[a, b]")).unwrap(), session::read(&session("[b, a]")).unwrap());
    assert_ne!(session::read(&session("[a, b]")).unwrap(), session::read(&session("null")).unwrap());
}

#[test]
fn no_session_at_all() {
    for text in
        ["{}", "- type: Exchange", "- {type: Exchange, request: '!Nothing', response: {type: Error, message: x}}"]
    {
        session::read(text).unwrap_err();
    }
}

/// What was recorded here is what kwctl would have recorded: causes and the host's own refusals are not in a session.
#[test]
fn calls_become_exchanges() {
    let get = |kind: &str, api_version: &str, name: &str| {
        json!({"api_version": api_version, "kind": kind, "name": name, "namespace": null, "disable_cache": true,
            "field_masks": ["spec"]})
    };
    let cluster = cluster(
        "{apiVersion: vmdisk-check/v1, kind: Cluster, forbidden: [StorageClass]}\n---\n\
         {apiVersion: cdi.kubevirt.io/v1beta1, kind: CDI, metadata: {name: cdi}, spec: {a: 1}, status: {}}",
    );
    let calls = [("CDI", "cdi.kubevirt.io/v1beta1"), ("StorageClass", "storage.k8s.io/v1"), ("Secret", "v1")]
        .map(|(kind, api_version)| call(cluster.clone(), "get_resource", &get(kind, api_version, "cdi")).1);
    let exchanges = session::of_calls(&calls);
    let responses: Vec<&Response> = exchanges.iter().map(|Exchange { response, .. }| response).collect();
    let [Response::Success { payload }, Response::Error { message }] = responses.as_slice() else {
        panic!("{responses:?}");
    };
    let object =
        json!({"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "CDI", "metadata": {"name": "cdi"}, "spec": {"a": 1}});
    assert_eq!(serde_json::from_str::<Value>(payload).unwrap(), object);
    assert!(message.starts_with("ApiError: storageclasses.storage.k8s.io \"cdi\" is forbidden: User"));
    assert!(!message.contains("Caused by"));
}
