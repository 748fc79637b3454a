//! A DataVolume manifest as the plan takes it.

use serde_json::Value;
use vmdisk_policy::quantity::Quantity;
use vmdisk_policy::subject::{ClaimSource, ContentType, DataVolume, SnapshotSource, Source, SpecForm, TargetSpec};

/// Reads a manifest.
pub(crate) fn parse(manifest: &Value) -> DataVolume {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let namespace = text(&manifest["metadata"]["namespace"]);
    let spec = &manifest["spec"];
    let own = |reference: &Value| {
        let own = text(&reference["namespace"]);
        (if own.is_empty() { namespace.clone() } else { own }, text(&reference["name"]))
    };
    let source = if spec["sourceRef"].is_object() {
        let (namespace, name) = own(&spec["sourceRef"]);
        Source::DataSource { namespace, name }
    } else if spec["source"]["pvc"].is_object() {
        let (namespace, name) = own(&spec["source"]["pvc"]);
        Source::Claim(ClaimSource { namespace, name })
    } else if spec["source"]["snapshot"].is_object() {
        let (namespace, name) = own(&spec["source"]["snapshot"]);
        Source::Snapshot(SnapshotSource { namespace, name })
    } else {
        Source::None
    };
    let target = [("pvc", SpecForm::Pvc), ("storage", SpecForm::Storage)].into_iter().find_map(|(key, form)| {
        let target = spec.get(key)?;
        Some(TargetSpec {
            form,
            storage_class_name: target["storageClassName"].as_str().map(str::to_owned),
            access_modes: target["accessModes"].as_array().into_iter().flatten().map(text).collect(),
            volume_mode: target["volumeMode"].as_str().filter(|mode| !mode.is_empty()).map(str::to_owned),
            request: match &target["resources"]["requests"]["storage"] {
                Value::String(text) => Some(Quantity::parse(text).unwrap()),
                Value::Number(number) => Some(Quantity::parse(&number.to_string()).unwrap()),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
            },
        })
    });
    let annotations = manifest["metadata"]["annotations"].as_object().into_iter().flatten();
    DataVolume {
        name: text(&manifest["metadata"]["name"]),
        annotations: annotations.map(|(key, value)| (key.clone(), text(value))).collect(),
        apply_storage_profile: manifest["metadata"]["labels"]["cdi.kubevirt.io/applyStorageProfile"] == "true",
        content_type: if spec["contentType"] == "archive" { ContentType::Archive } else { ContentType::Kubevirt },
        source,
        target,
        namespace,
        ..DataVolume::default()
    }
}
