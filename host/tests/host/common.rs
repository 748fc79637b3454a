//! What several tests of the host share.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use vmdisk_host::{Answers, Cluster, HostCall, Manifests, Policy, PolicyError};

/// A module that passes each call on to the host.
pub(crate) static FORWARD: LazyLock<Policy> =
    LazyLock::new(|| Policy::from_bytes(&data("forward.wat").into_bytes()).unwrap());

/// A file of `tests/data`.
pub(crate) fn data(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

/// The cluster of these manifests.
pub(crate) fn cluster(manifests: &str) -> Cluster {
    Cluster::new(&Manifests::parse(manifests, "test").unwrap()).unwrap()
}

/// A call through a module, and what was recorded of it. The error is what `wapc-guest` would give to the SDK.
pub(crate) fn call(
    answers: impl Answers + 'static,
    operation: &str,
    payload: &Value,
) -> (Result<Value, String>, HostCall) {
    match FORWARD.evaluate(operation, payload.to_string().as_bytes(), Arc::new(answers)) {
        Ok(evaluation) => (Ok(evaluation.response), evaluation.calls[0].clone()),
        Err(PolicyError::Guest { text, calls, .. }) => {
            let text = text.strip_prefix("Guest call failure: ").unwrap_or(&text).to_owned();
            (Err(text), calls[0].clone())
        }
        Err(other) => panic!("{other}"),
    }
}

/// The recorded call `{op, apiVersion, …}` of a fixture: its operation, and its payload as the SDK makes it.
pub(crate) fn recorded(call: &Value) -> (&'static str, Value) {
    let masks = &call["fieldMasks"];
    match call["op"].as_str().unwrap() {
        "get" => (
            "get_resource",
            json!({
                "api_version": call["apiVersion"], "kind": call["kind"], "name": call["name"],
                "namespace": call["namespace"], "disable_cache": false, "field_masks": masks,
            }),
        ),
        "list" => (
            "list_resources_all",
            json!({
                "api_version": call["apiVersion"], "kind": call["kind"], "label_selector": null,
                "field_selector": call["fieldSelector"], "field_masks": masks,
            }),
        ),
        "listns" => (
            "list_resources_by_namespace",
            json!({
                "api_version": call["apiVersion"], "kind": call["kind"], "namespace": call["namespace"],
                "label_selector": null, "field_selector": null, "field_masks": masks,
            }),
        ),
        "can_i" => ("can_i", json!({"subject_access_review": call["canI"], "disable_cache": false})),
        other => panic!("{other}"),
    }
}
