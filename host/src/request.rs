//! From what a person has at hand to what the API server would send.

use serde_json::{Map, Value, json};

use crate::kinds::{Kinds, ServedKind};

/// Letters of generated names, as the API server takes them.
const ALPHANUMERICS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// A document that no request can be made of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Not an object at all.
    #[error("expected an AdmissionReview, an AdmissionRequest or a manifest, found no object")]
    NotAnObject,
    /// A review without request.
    #[error("the AdmissionReview has no request")]
    NoRequest,
    /// Nothing of what is known.
    #[error(
        "neither an AdmissionReview, nor an AdmissionRequest (no operation), nor a manifest (no apiVersion or kind)"
    )]
    Unknown,
    /// A request that kwctl cannot read.
    #[error("kwctl takes no request with this {field}")]
    NotForKwctl {
        /// The field.
        field: &'static str,
    },
    /// A manifest that the API server would not take.
    #[error("{kind} needs metadata.name or metadata.generateName")]
    NoName {
        /// Its kind.
        kind: String,
    },
}

/// The `AdmissionRequest` that a policy server hands to its policies: of an `AdmissionReview`, of an
/// `AdmissionRequest`, or of a manifest (as its creation). Optional fields that are null are left out.
///
/// # Errors
/// The document is none of these.
pub fn admission_request(document: &Value) -> Result<Value, RequestError> {
    let map = document.as_object().ok_or(RequestError::NotAnObject)?;
    if map.get("kind").and_then(Value::as_str) == Some("AdmissionReview") {
        let request = map.get("request").and_then(Value::as_object).ok_or(RequestError::NoRequest)?;
        return Ok(without_nulls(request));
    }
    if map.contains_key("operation") && !map.contains_key("apiVersion") {
        return Ok(without_nulls(map));
    }
    created(document)
}

/// The request with everything that kwctl insists on (`crates/policy-evaluator/src/admission_request.rs` of
/// kubewarden/kubewarden-controller): hand-written requests often leave out what no policy reads.
///
/// # Errors
/// A field that is there has another type than kwctl takes.
pub fn for_kwctl(request: &Value) -> Result<Value, RequestError> {
    let mut request = request.as_object().cloned().ok_or(RequestError::NotAnObject)?;
    let hash = hash(Value::Object(request.clone()).to_string().as_bytes());
    request.entry("uid").or_insert_with(|| uid(hash).into());
    request.entry("userInfo").or_insert_with(|| json!({}));
    for (field, name) in [("kind", "kind"), ("resource", "resource")] {
        let entry = request.entry(field).or_insert_with(|| json!({}));
        let Some(entry) = entry.as_object_mut() else { return Err(RequestError::NotForKwctl { field }) };
        for part in ["group", "version", name] {
            if !entry.entry(part).or_insert_with(|| "".into()).is_string() {
                return Err(RequestError::NotForKwctl { field });
            }
        }
    }
    let text = |field| request.get(field).is_some_and(Value::is_string);
    for field in ["uid", "operation"] {
        if !text(field) {
            return Err(RequestError::NotForKwctl { field });
        }
    }
    for field in ["name", "namespace", "subResource"] {
        if request.contains_key(field) && !text(field) {
            return Err(RequestError::NotForKwctl { field });
        }
    }
    Ok(Value::Object(request))
}

/// Optional fields of the request that are null reach no policy.
fn without_nulls(request: &Map<String, Value>) -> Value {
    Value::Object(request.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), v.clone())).collect())
}

/// The request that creates this manifest.
fn created(manifest: &Value) -> Result<Value, RequestError> {
    let text = |pointer| manifest.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("/apiVersion"), text("/kind"));
    if api_version.is_empty() || kind.is_empty() {
        return Err(RequestError::Unknown);
    }
    let served = Kinds::default();
    let served = served.find(api_version, kind).cloned();
    let served = served.unwrap_or_else(|| ServedKind::new(api_version, kind, true));
    let seed = hash(manifest.to_string().as_bytes());
    let name = match (text("/metadata/name"), text("/metadata/generateName")) {
        ("", "") => return Err(RequestError::NoName { kind: kind.to_owned() }),
        ("", prefix) => format!("{prefix}{}", generated(seed)),
        (name, _) => name.to_owned(),
    };
    let namespace = served.namespaced.then(|| match text("/metadata/namespace") {
        "" => "default",
        namespace => namespace,
    });

    let mut object = manifest.clone();
    if let Some(metadata) = object.pointer_mut("/metadata").and_then(Value::as_object_mut) {
        metadata.insert("name".to_owned(), name.clone().into());
        if let Some(namespace) = namespace {
            metadata.insert("namespace".to_owned(), namespace.into());
        }
        metadata.entry("uid").or_insert_with(|| uid(seed).into());
        metadata.entry("creationTimestamp").or_insert_with(|| "2026-01-01T00:00:00Z".into());
        metadata.entry("generation").or_insert_with(|| 1.into());
    }
    let group = served.group();
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let gvk = json!({"group": group, "version": version, "kind": kind});
    let gvr = json!({"group": group, "version": version, "resource": served.plural});
    let mut request = json!({
        "uid": uid(seed ^ u128::MAX),
        "kind": gvk,
        "resource": gvr,
        "requestKind": gvk,
        "requestResource": gvr,
        "name": name,
        "operation": "CREATE",
        "userInfo": {"username": "kubernetes-admin", "groups": ["system:masters", "system:authenticated"]},
        "object": object,
        "dryRun": false,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"},
    });
    if let (Some(namespace), Some(request)) = (namespace, request.as_object_mut()) {
        request.insert("namespace".to_owned(), namespace.into());
    }
    Ok(request)
}

/// The same manifest always makes the same request, so that answers can be compared: FNV-1a, 128 bits.
fn hash(bytes: &[u8]) -> u128 {
    let step =
        |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B);
    bytes.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, step)
}

/// The five characters that the API server appends to `generateName`.
fn generated(mut seed: u128) -> String {
    let letters = ALPHANUMERICS.len() as u128;
    (0..5)
        .map(|_| {
            let index = usize::try_from(seed % letters).unwrap_or(0);
            seed /= letters;
            char::from(ALPHANUMERICS.get(index).copied().unwrap_or(b'x'))
        })
        .collect()
}

/// The seed as a version 4 UUID.
fn uid(seed: u128) -> String {
    let bits = (seed & !(0xF << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let part = |from, to| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_or_a_request_is_taken_as_it_is_without_nulls() {
        let request =
            json!({"uid": "u", "operation": "CREATE", "kind": {"kind": "X"}, "object": {}, "oldObject": null});
        let expected = json!({"uid": "u", "operation": "CREATE", "kind": {"kind": "X"}, "object": {}});
        assert_eq!(admission_request(&request).unwrap(), expected);
        let review = json!({"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request});
        assert_eq!(admission_request(&review).unwrap(), expected);
    }

    #[test]
    fn kwctl_gets_what_it_insists_on() {
        let request = json!({"operation": "UPDATE", "kind": {"group": "g", "kind": "X"}, "object": 7});
        let complete = for_kwctl(&request).unwrap();
        assert_eq!(complete["uid"].as_str().map(str::len), Some(36));
        assert_eq!(complete["kind"], json!({"group": "g", "version": "", "kind": "X"}));
        assert_eq!(complete["resource"], json!({"group": "", "version": "", "resource": ""}));
        assert_eq!((&complete["userInfo"], &complete["object"]), (&json!({}), &json!(7)));
        assert_eq!(for_kwctl(&complete).unwrap(), complete);
        for (field, request) in
            [("kind", json!({"kind": 7})), ("operation", json!({})), ("name", json!({"operation": "x", "name": 7}))]
        {
            assert_eq!(for_kwctl(&request), Err(RequestError::NotForKwctl { field }));
        }
    }

    #[test]
    fn a_manifest_is_created() {
        let manifest = json!({
            "apiVersion": "apps.cozystack.io/v1alpha1", "kind": "VMDisk", "metadata": {"name": "ubuntu"},
            "spec": {"storage": "20Gi"}
        });
        let request = admission_request(&manifest).unwrap();
        let at = |pointer| request.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        assert_eq!(at("/operation"), "CREATE");
        assert_eq!(
            (at("/kind/group"), at("/kind/version"), at("/kind/kind")),
            ("apps.cozystack.io", "v1alpha1", "VMDisk")
        );
        assert_eq!((at("/resource/resource"), at("/namespace"), at("/name")), ("vmdisks", "default", "ubuntu"));
        assert_eq!(at("/object/metadata/namespace"), "default");
        assert_eq!(at("/object/spec/storage"), "20Gi");
        assert_eq!(at("/object/metadata/uid").len(), 36);
        assert_eq!(admission_request(&manifest).unwrap(), request);
    }

    #[test]
    fn a_name_is_generated_and_a_cluster_kind_has_no_namespace() {
        let manifest = json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"generateName": "local-"}
        });
        let request = admission_request(&manifest).unwrap();
        let name = request.pointer("/name").and_then(Value::as_str).unwrap();
        assert_eq!((name.len(), name.starts_with("local-")), (11, true));
        assert_eq!(request.pointer("/object/metadata/name").and_then(Value::as_str), Some(name));
        assert_eq!(request.pointer("/namespace"), None);
        assert_eq!(request.pointer("/resource/resource"), Some(&json!("storageclasses")));
    }

    #[test]
    fn what_no_request_can_be_made_of() {
        assert_eq!(admission_request(&json!([])), Err(RequestError::NotAnObject));
        assert_eq!(admission_request(&json!({"a": 1})), Err(RequestError::Unknown));
        assert_eq!(admission_request(&json!({"kind": "AdmissionReview"})), Err(RequestError::NoRequest));
        let nameless = json!({"apiVersion": "v1", "kind": "X"});
        assert_eq!(admission_request(&nameless), Err(RequestError::NoName { kind: "X".to_owned() }));
    }
}
