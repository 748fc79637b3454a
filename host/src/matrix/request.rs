//! The request of a cell: the creation of a disk.

use serde_json::{Map, Value, json};

use super::RowSource;

/// The `AdmissionRequest` that creates a DataVolume as the Cozystack chart renders it.
///
/// It has no name yet, as one with `generateName`: so nothing of that name can exist.
#[must_use]
pub fn creation(source: &RowSource, class: Option<&str>, size: Option<&str>, namespace: &str) -> Value {
    let mut storage = Map::new();
    if let Some(size) = size {
        storage.insert("resources".to_owned(), json!({"requests": {"storage": size}}));
    }
    if let Some(class) = class {
        storage.insert("storageClassName".to_owned(), class.into());
    }
    let (key, cloned) = match source {
        RowSource::Claim { namespace, name } => ("source", json!({"pvc": {"namespace": namespace, "name": name}})),
        RowSource::DataSource { namespace, name } => {
            ("sourceRef", json!({"kind": "DataSource", "namespace": namespace, "name": name}))
        }
    };
    let spec = json!({"contentType": "kubevirt", key: cloned, "storage": storage});
    let kind = json!({"group": "cdi.kubevirt.io", "version": "v1beta1", "kind": "DataVolume"});
    let resource = json!({"group": "cdi.kubevirt.io", "version": "v1beta1", "resource": "datavolumes"});
    json!({
        "uid": "00000000-0000-4000-8000-000000000000",
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "namespace": namespace,
        "operation": "CREATE",
        "userInfo": {"username": "vmdisk-check"},
        "dryRun": true,
        "object": {
            "apiVersion": "cdi.kubevirt.io/v1beta1",
            "kind": "DataVolume",
            "metadata": {
                "generateName": "disk-",
                "namespace": namespace,
                "annotations": {"cdi.kubevirt.io/storage.bind.immediate.requested": "true"},
            },
            "spec": spec,
        },
    })
}
