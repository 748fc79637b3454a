//! Every answer that was recorded on a real cluster is the answer of this host to the same call.

use crate::common::{call, cluster, data, recorded};
use serde_json::Value;
use vmdisk_host::{Answers, Cluster, Outcome};

/// A cluster with the objects that the recordings found, and with these faults.
fn recorded_cluster(faults: &str) -> Cluster {
    let namespaces =
        ["cozy-public", "default", "kube-node-lease", "kube-public", "kube-system", "tenant-a", "tenant-b"];
    let namespaces =
        namespaces.map(|name| format!("---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}\n"));
    cluster(&format!(
        "
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: local}}
provisioner: linstor.csi.linbit.com
---
{{apiVersion: cdi.kubevirt.io/v1beta1, kind: StorageProfile, metadata: {{name: local}}}}
---
{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: vm-default-images-ubuntu, namespace: cozy-public}}}}
---
{{apiVersion: v1, kind: Secret, metadata: {{name: topsecret, namespace: cozy-public}}, data: {{a: Yg==}}}}
---
apiVersion: vmdisk-check/v1
kind: Cluster
spec: {faults}
{}",
        namespaces.concat()
    ))
}

/// What the SDK in the module makes of an answer.
fn seen(operation: &str, answer: Result<Value, String>) -> Result<Value, String> {
    answer.map_err(|text| format!("error invoking host capability kubernetes.{operation}: Host error: {text}"))
}

#[test]
fn all_recorded_texts() {
    let recordings: Value = serde_json::from_str(&data("errors.json")).unwrap();
    let recordings = recordings["cases"].as_array().unwrap();
    assert!(recordings.len() > 35);
    for recording in recordings {
        let case = recording["case"].as_str().unwrap();
        // As the administrator, and as a ServiceAccount that may read nothing.
        let may_read = recording["user"] == "cluster-admin";
        let cluster = AllGranted {
            cluster: recorded_cluster(if may_read { "{}" } else { "{forbidden: ['*']}" }),
            // These two were not among the kinds granted when the texts were recorded.
            not_granted: |api_version, kind| kind == "Secret" || api_version == "storage",
        };
        let (operation, payload) = recorded(&recording["call"]);
        let (answer, _) = call(cluster, operation, &payload);
        let expected = recording["text"].as_str().unwrap();
        match seen(operation, answer) {
            Ok(answer) => assert!(expected.starts_with("OK, "), "{case}: {answer}"),
            Err(text) => assert_eq!(text, expected, "{case}"),
        }
    }
}

/// The recordings asked for kinds that the policy never asks for.
struct AllGranted {
    cluster: Cluster,
    not_granted: fn(&str, &str) -> bool,
}

impl Answers for AllGranted {
    fn may_read(&self, api_version: &str, kind: &str) -> bool {
        !(self.not_granted)(api_version, kind)
    }

    fn answer(&self, request: &vmdisk_host::Request) -> vmdisk_host::Answer {
        self.cluster.answer(request)
    }
}

#[test]
fn names_that_leave_the_path() {
    let recordings: Value = serde_json::from_str(&data("names-that-leave-the-path.json")).unwrap();
    for recording in recordings.as_array().unwrap() {
        let get = serde_json::json!({
            "op": "get", "apiVersion": "v1", "kind": recording["kind asked"],
            "name": recording["name"], "namespace": recording["namespace"],
        });
        let (operation, payload) = recorded(&get);
        let (answer, _) = call(recorded_cluster("{}"), operation, &payload);
        let answer = seen(operation, answer).map_or_else(Value::String, |object| {
            serde_json::json!({
                "kind": object["kind"], "name": object["metadata"]["name"],
                "items": object["items"].as_array().map(Vec::len),
            })
        });
        assert_eq!(answer, recording["got"], "{get}");
    }
}

fn get(faults: &str, api_version: &str, kind: &str) -> (String, Outcome) {
    let get = serde_json::json!({"op": "get", "apiVersion": api_version, "kind": kind, "name": "x", "namespace": null});
    let (operation, payload) = recorded(&get);
    let (answer, call) = call(recorded_cluster(faults), operation, &payload);
    (answer.unwrap_err(), call.outcome)
}

#[test]
fn outages_are_no_absence() {
    let variants = [
        ("connect", "error finding resource cdi.kubevirt.io/v1beta1 / CDI: ServiceError: client error (Connect)"),
        ("connect-later", "ServiceError: client error (Connect)\n\nCaused by:\n    0: client error (Connect)"),
        ("unauthorized", "error finding resource cdi.kubevirt.io/v1beta1 / CDI: ApiError: Unauthorized: Unauthorized"),
        ("unavailable", "error finding resource cdi.kubevirt.io/v1beta1 / CDI: ApiError: service unavailable\n"),
    ];
    for (variant, expected) in variants {
        let faults = format!("{{unreachable: {{variant: {variant}, kinds: [CDI]}}}}");
        let (text, outcome) = get(&faults, "cdi.kubevirt.io/v1beta1", "CDI");
        assert!(text.starts_with(&format!("Callback evaluation failure: {expected}")), "{text}");
        assert_eq!(outcome, Outcome::Unreachable);
    }
}

#[test]
fn kinds_and_groups_that_are_not_served() {
    let (text, outcome) = get("{groupNotServed: [cdi.kubevirt.io/v1beta1]}", "cdi.kubevirt.io/v1beta1", "CDI");
    let expected = "Callback evaluation failure: error finding resource cdi.kubevirt.io/v1beta1 / CDI: ApiError: 404 page not found\n";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(outcome, Outcome::NotServed);

    let (text, _) = get("{notServed: [CDI]}", "cdi.kubevirt.io/v1beta1", "CDI");
    assert_eq!(text, "Callback evaluation failure: Cannot find resource cdi.kubevirt.io/v1beta1/CDI");

    let (text, outcome) = get("{removed: [CDI]}", "cdi.kubevirt.io/v1beta1", "CDI");
    assert!(text.starts_with("Callback evaluation failure: ApiError: 404 page not found\n: Failed"), "{text}");
    assert_eq!(outcome, Outcome::NotServed);
}

#[test]
fn grants_are_looked_at_before_anything_else() {
    let (text, outcome) = get("{deniedCapabilities: [kubernetes/get_resource]}", "v1", "Secret");
    let expected = "Policy has not been granted access to the 'kubernetes/get_resource' host capability. The violation has been reported.";
    assert_eq!((text.as_str(), outcome), (expected, Outcome::CapabilityDenied));

    let (text, outcome) = get("{notGranted: [CDI], unreachable: {kinds: ['*']}}", "cdi.kubevirt.io/v1beta1", "CDI");
    let expected = "Policy has not been granted access to Kubernetes cdi.kubevirt.io/v1beta1/CDI resources. The violation has been reported.";
    assert_eq!((text.as_str(), outcome), (expected, Outcome::NotGranted));
}

#[test]
fn a_list_that_nobody_may_make_is_never_answered() {
    let list = serde_json::json!({"op": "list", "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass"});
    for faults in ["{forbidden: [StorageClass]}", "{notListable: [StorageClass]}"] {
        let (operation, payload) = recorded(&list);
        let (answer, call) = call(recorded_cluster(faults), operation, &payload);
        assert!(answer.unwrap_err().starts_with("vmdisk-check: a real host never answers this list"));
        assert_eq!(call.outcome, Outcome::NeverAnswered);
    }
}
