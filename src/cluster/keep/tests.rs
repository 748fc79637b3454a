//! Tests of the masks.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::super::read;
use super::*;
use crate::json::Json;

/// Documents in which every field that some kind has is filled, and so are others.
const DOCUMENTS: [&str; 3] = [
    r#"{"apiVersion":"x","kind":"X","metadata":{"name":"n","namespace":"s","uid":"u","creationTimestamp":"t",
        "annotations":{"a":"b","cdi.kubevirt.io/storage.contentType":"kubevirt",
        "cdi.Kubervirt.io/virtualSize":"1","cdi.Kubervirt.io/sourceCapacity":"2Gi",
        "storageclass.kubernetes.io/is-default-class":"true","storageclass.kubevirt.io/is-default-virt-class":"true",
        "vm-disk.cozystack.io/source":"{}","vm-disk.cozystack.io/storage-class":"c",
        "snapshot.storage.kubernetes.io/is-default-class":"true",
        "cdi.kubevirt.io/minimumSupportedPvcSize":"4Gi",
        "cdi.kubevirt.io/storage.import.sourceVolumeMode":"Block"},
        "labels":{"l":"m"}},"provisioner":"p","parameters":{"k":"v"},"driver":"d",
        "allowVolumeExpansion":true,"volumeBindingMode":"WaitForFirstConsumer","other":[{}],
        "spec":{"storageClassName":"c","volumeMode":"m","volumeName":"v","resources":{"requests":{"storage":"1Gi"}},
        "claimRef":{"namespace":"cn","name":"cc"},"csi":{"driver":"cd","x":1},"driver":"sd","sourceVolumeMode":"sm",
        "source":{"pvc":{"namespace":"pn","name":"pp"},"persistentVolumeClaimName":"z"},
        "storage":{"storageClassName":"sc","y":1},"cloneStrategyOverride":"o","featureGates":["g"],
        "webhookPvcRendering":"w","volumeSnapshotClassName":"vc","accessModes":["RWO"]},
        "status":{"capacity":{"storage":"2Gi"},"claimPropertySets":[{"accessModes":["RWX"],"volumeMode":"Block"}],
        "cloneStrategy":"copy","snapshotClass":"sn","phase":"Failed","restartCount":3,
        "conditions":[{"type":"Running","status":"False","reason":"Error"}],"observedVersion":"1",
        "source":{"snapshot":{"name":"q"}},"filesystemOverhead":{"global":"0.1","storageClass":{"a":"0.2"}},
        "boundVolumeSnapshotContentName":"b","error":{},"restoreSize":"3Gi"}}"#,
    r#"{"kind":"X","metadata":{"name":"n"},"spec":{"pvc":{"storageClassName":"pc"},"source":{"blank":{}},
        "sourceRef":{"kind":"DataSource","name":"d"}},"status":{},"other":{}}"#,
    r#"{"kind":"X","spec":{"source":{"blank":{}},"other":{}}}"#,
];

#[test]
fn nothing_that_is_read_is_left_out() {
    for document in DOCUMENTS {
        for kind in Kind::ALL {
            let whole = Json::parse(document.as_bytes()).unwrap();
            let kept = Json::parse_keeping(document.as_bytes(), object(kind)).unwrap();
            assert_eq!(read::object(kind, &kept), read::object(kind, &whole), "{kind}");
            assert_eq!(kept.string("kind"), whole.string("kind"), "{kind}");
            assert_ne!(kept, whole, "{kind}");
        }
    }
}

/// What changes a document.
#[derive(Debug, Clone)]
enum Edit {
    /// Something takes the place of the value.
    Value(Value),
    /// The key is written otherwise.
    Key(&'static str),
    /// The value gets another one beside it, or in it.
    Beside(&'static str, Value),
}

/// Keys that are read of some kinds, at some places, and keys that never are.
const KEYS: [&str; 10] =
    ["metadata", "spec", "status", "name", "annotations", "managedFields", "source", "driver", "Kind", ""];

fn edit() -> impl Strategy<Value = Edit> {
    let value = select(vec![
        json!(7),
        json!(-1.5e300),
        json!(true),
        json!("10Gi"),
        json!([]),
        json!([{"name": 7}]),
        json!({}),
        json!({"name": [], "storage": null}),
        Value::Null,
    ]);
    prop_oneof![
        4 => value.clone().prop_map(Edit::Value),
        1 => select(&KEYS[..]).prop_map(Edit::Key),
        3 => (select(&KEYS[..]), value).prop_map(|(key, value)| Edit::Beside(key, value)),
    ]
}

/// Applies an edit to the value that is reached by taking, at each step, one of those below.
fn apply(value: &mut Value, steps: &[Index], edit: &Edit) {
    let Some((step, rest)) = steps.split_first() else {
        match (edit, value) {
            (Edit::Value(new), value) => *value = new.clone(),
            (Edit::Beside(key, new), Value::Object(entries)) => drop(entries.insert((*key).into(), new.clone())),
            (Edit::Beside(_, new), Value::Array(items)) => items.push(new.clone()),
            _ => {}
        }
        return;
    };
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let key = entries.keys().nth(step.index(entries.len())).unwrap().clone();
            if let (Edit::Key(new), []) = (edit, rest) {
                let value = entries.remove(&key).unwrap();
                entries.insert((*new).to_owned(), value);
            } else {
                apply(entries.get_mut(&key).unwrap(), rest, edit);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let index = step.index(items.len());
            apply(&mut items[index], rest, edit);
        }
        value => apply(value, &[], edit),
    }
}

/// A document in which something is missing, wrong, or more than it should be.
fn document() -> impl Strategy<Value = Value> {
    let edits = vec((vec(any::<Index>(), 0..5), edit()), 0..6);
    (select(&DOCUMENTS[..]), edits).prop_map(|(document, edits)| {
        let mut document: Value = serde_json::from_str(document).unwrap();
        for (steps, edit) in &edits {
            apply(&mut document, steps, edit);
        }
        document
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_object_that_is_read_through_its_mask_is_the_one_that_is_read_whole(document in document()) {
        let text = document.to_string();
        for kind in Kind::ALL {
            let whole = Json::parse(text.as_bytes()).unwrap();
            let kept = Json::parse_keeping(text.as_bytes(), object(kind)).unwrap();
            prop_assert_eq!(read::object(kind, &kept), read::object(kind, &whole), "{}", kind);
            prop_assert_eq!(kept.string("kind"), whole.string("kind"), "{}", kind);
        }
    }

    #[test]
    fn the_items_of_a_list_are_those_of_the_list_that_is_read_whole(items in vec(document(), 0..4), more in document()) {
        let text = json!({"metadata": more, "items": items}).to_string();
        for kind in [Kind::StorageClass, Kind::VolumeSnapshotClass] {
            let read = |keep| {
                let list = Json::parse_keeping(text.as_bytes(), keep).unwrap();
                let named = |item: &Json<'_>| item.string("kind").map(|kind| kind.map(str::to_owned));
                let items = list.list("items").unwrap();
                items.iter().map(|item| (read::object(kind, item), named(item))).collect::<Vec<_>>()
            };
            prop_assert_eq!(read(list(kind)), read(&Everything), "{}", kind);
        }
    }
}

/// A mask as it is with one key less, for each key at any depth, and the path of that key.
fn thinned(mask: &Keep) -> Vec<(String, Keep)> {
    let Only(keys) = mask else { return Vec::new() };
    let mut result = Vec::new();
    for (index, (key, below)) in keys.iter().enumerate() {
        let mut less = keys.to_vec();
        less.remove(index);
        result.push(((*key).to_owned(), Only(less.leak())));
        for (path, below) in thinned(below) {
            let mut less = keys.to_vec();
            less[index] = (key, below);
            result.push((format!("{key}.{path}"), Only(less.leak())));
        }
    }
    result
}

/// So the properties above would notice if a mask lacked a key, and nothing is kept for nobody.
#[test]
fn every_key_that_is_kept_is_read() {
    for kind in Kind::ALL {
        for (path, mask) in thinned(object(kind)) {
            let differs = DOCUMENTS.iter().any(|document| {
                let whole = Json::parse(document.as_bytes()).unwrap();
                let kept = Json::parse_keeping(document.as_bytes(), &mask).unwrap();
                read::object(kind, &kept) != read::object(kind, &whole) || kept.string("kind") != whole.string("kind")
            });
            assert!(differs, "{path} of {kind}");
        }
    }
}
