//! The recorded vectors: reading them, and the table of decided deviations. Shared by every test that runs them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use vmdisk_policy::cluster::{Kind, Object, Objects, read};
use vmdisk_policy::json::Json;
use vmdisk_policy::request::{JudgedKind, Operation, Request};
use vmdisk_policy::subject::DataVolume;

/// One case: a cluster, a DataVolume, and what CDI itself did with it.
pub(crate) struct Vector {
    /// Its stable name.
    pub(crate) id: String,
    /// The cluster before the DataVolume exists, as manifests.
    pub(crate) objects: Vec<Value>,
    /// The DataVolume as it is submitted.
    pub(crate) data_volume: Value,
    /// CDI's verdict.
    pub(crate) expected: Value,
}

impl Vector {
    /// The objects of that kind.
    pub(crate) fn of_kind<'v>(&'v self, kind: &'v str) -> impl Iterator<Item = &'v Value> {
        self.objects.iter().filter(move |object| object["kind"] == kind)
    }

    /// The DataVolume as the policy reads it out of a request.
    pub(crate) fn data_volume(&self) -> DataVolume {
        let text = self.data_volume.to_string();
        let object = Json::parse(text.as_bytes()).unwrap();
        let request = Request {
            kind: JudgedKind::DataVolume,
            operation: Operation::Create,
            name: self.data_volume["metadata"]["name"].as_str().unwrap(),
            namespace: self.data_volume["metadata"]["namespace"].as_str().unwrap(),
            object: &object,
            old_object: None,
        };
        DataVolume::parse(&request).unwrap()
    }

    /// The cluster as the policy looks it up.
    pub(crate) fn cluster(&self) -> Objects {
        self.objects.iter().map(object).collect()
    }

    /// The outcome, and for an error where it happens: a line of the table of agreement.
    pub(crate) fn outcome(&self) -> String {
        let part = |key: &str| self.expected[key].as_str().map(|word| format!(" {word}")).unwrap_or_default();
        let outcome = self.expected["outcome"].as_str().unwrap_or_default();
        let strategy = if outcome == "strategy" { part("strategy") } else { String::new() };
        format!("{outcome}{strategy}{}{}", part("stage"), part("waitReason"))
    }

    /// The decided deviation that this case falls under.
    pub(crate) fn deviation(&self) -> Option<&'static Deviation> {
        DEVIATIONS.iter().find(|deviation| (deviation.applies)(self))
    }
}

/// A manifest as an object of the cluster.
pub(crate) fn object(manifest: &Value) -> Object {
    let kind = manifest["kind"].as_str().unwrap();
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind).unwrap();
    let text = manifest.to_string();
    read::object(kind, &Json::parse(text.as_bytes()).unwrap()).unwrap()
}

/// A class of cases where the policy's answer may differ from CDI's.
pub(crate) struct Deviation {
    /// What the cases have in common.
    pub(crate) what: &'static str,
    /// Why the policy answers otherwise.
    pub(crate) reason: &'static str,
    applies: fn(&Vector) -> bool,
}

/// The decided deviations. A case that falls under none has to agree.
pub(crate) const DEVIATIONS: &[Deviation] = &[
    Deviation {
        what: "several CDI resources",
        reason: "only the one that setting cdiName names is read: a get instead of a list, and clusters have one",
        applies: |vector| vector.of_kind("CDI").count() > 1,
    },
    Deviation {
        what: "an Available PersistentVolume of a class name that no StorageClass has",
        reason: "PersistentVolumes are never listed: there may be thousands, and they are another tenant's data",
        applies: |vector| {
            let Some(class) = vector.data_volume.pointer("/spec/storage/storageClassName") else { return false };
            vector.of_kind("StorageClass").all(|object| object["metadata"]["name"] != *class)
                && vector.of_kind("PersistentVolume").any(|volume| {
                    volume["status"]["phase"] == "Available"
                        && volume["spec"]["storageClassName"].as_str().unwrap_or_default() == class
                })
        },
    },
];

/// All vectors.
pub(crate) fn vectors() -> Vec<Vector> {
    vectors_below(env!("CARGO_MANIFEST_DIR"))
}

/// All vectors, of every file in `tests/vectors/cdi` below `root`, the workspace's folder; of the file that `CDI_VECTORS`
/// names instead, where it is set.
pub(crate) fn vectors_below(root: impl AsRef<Path>) -> Vec<Vector> {
    let files = match std::env::var_os("CDI_VECTORS") {
        Some(file) => vec![PathBuf::from(file)],
        None => {
            let folder = root.as_ref().join("tests/vectors/cdi");
            let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            files
        }
    };
    let mut vectors = Vec::new();
    for file in files {
        for line in fs::read_to_string(file).unwrap().lines() {
            let mut case: Value = serde_json::from_str(line).unwrap();
            vectors.push(Vector {
                id: case["id"].as_str().unwrap().to_owned(),
                objects: case["objects"].as_array().unwrap().clone(),
                data_volume: case["dataVolume"].take(),
                expected: case["expected"].take(),
            });
        }
    }
    vectors
}
