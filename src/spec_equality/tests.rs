use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::*;

fn changed(old: &Value, new: &Value) -> Vec<String> {
    let (old, new) = (old.to_string(), new.to_string());
    let (old, new) = (Json::parse(old.as_bytes()).unwrap(), Json::parse(new.as_bytes()).unwrap());
    let paths = changed_paths(&old, &new);
    assert_eq!(changed_paths(&new, &old), paths, "a comparison has no direction");
    assert!(changed_paths(&old, &old).is_empty() && changed_paths(&new, &new).is_empty());
    paths
}

/// A spec with something of every kind.
fn spec() -> Value {
    json!({
        "source": {"http": {
            "url": "https://example.com/i.img", "secretExtraHeaders": ["a", "b"], "insecureSkipVerify": false,
        }},
        "storage": {
            "accessModes": ["ReadWriteOnce", "ReadOnlyMany"],
            "resources": {"requests": {"storage": "10Gi"}, "limits": {"storage": "20Gi"}},
            "storageClassName": "local",
            "selector": {"matchLabels": {"a": "1"}, "matchExpressions": [
                {"key": "k", "operator": "In", "values": ["v"]},
            ]},
            "dataSource": {"apiGroup": "g", "kind": "k", "name": "n"},
        },
        "contentType": "kubevirt",
        "checkpoints": [{"previous": "", "current": "c1"}],
        "finalCheckpoint": true,
        "preallocation": true,
    })
}

#[rstest]
#[case::other_notation(json!({"storage": {"resources": {"requests": {"storage": "1Gi"}}}}), json!({"storage": {"resources": {"requests": {"storage": "1024Mi"}}}}))]
#[case::number(json!({"pvc": {"resources": {"requests": {"storage": 1024}}}}), json!({"pvc": {"resources": {"requests": {"storage": "1Ki"}}}}))]
#[case::unparsable_quantity(json!({"pvc": {"resources": {"requests": {"storage": "x"}}}}), json!({"pvc": {"resources": {"requests": {"storage": "x"}}}}))]
#[case::null(json!({"source": null, "unknown": null}), json!({}))]
#[case::no_spec(json!(null), json!({}))]
#[case::empty_list(json!({"storage": {"accessModes": []}, "checkpoints": []}), json!({"storage": {}}))]
#[case::empty_maps(json!({"storage": {"resources": {"requests": {}, "limits": null}}}), json!({"storage": {}}))]
#[case::empty_struct(json!({"storage": {"resources": {}}}), json!({"storage": {}}))]
#[case::match_labels(json!({"pvc": {"selector": {"matchLabels": {}}}}), json!({"pvc": {"selector": {}}}))]
#[case::plain_zero_values(json!({"contentType": "", "priorityClassName": "", "finalCheckpoint": false}), json!({}))]
#[case::zero_values_in_items(json!({"checkpoints": [{"current": "a", "previous": ""}]}), json!({"checkpoints": [{"current": "a"}]}))]
#[case::unknown(json!({"x": {"a": 1, "b": null}}), json!({"x": {"a": 1.0}}))]
#[case::odd_types(json!({"source": 7, "storage": "x", "checkpoints": {"a": null}}), json!({"source": 7, "storage": "x", "checkpoints": {}}))]
fn equal_in_effect(#[case] old: Value, #[case] new: Value) {
    assert!(changed(&old, &new).is_empty());
}

#[rstest]
#[case::pointer_to_struct(json!({"source": {"blank": {}}}), json!({"source": {"upload": {}}}), &["spec.source.blank", "spec.source.upload"])]
#[case::empty_source(json!({"source": {}}), json!({}), &["spec.source"])]
#[case::empty_storage(json!({"storage": {}}), json!({}), &["spec.storage"])]
#[case::pointer_to_text(json!({"storage": {"storageClassName": ""}}), json!({"storage": {}}), &["spec.storage.storageClassName"])]
#[case::pointer_to_flag(json!({"preallocation": false}), json!({}), &["spec.preallocation"])]
#[case::pointer_in_source(json!({"source": {"http": {"insecureSkipVerify": false}}}), json!({"source": {"http": {}}}), &["spec.source.http.insecureSkipVerify"])]
#[case::registry_text(json!({"source": {"registry": {"url": ""}}}), json!({"source": {"registry": {}}}), &["spec.source.registry.url"])]
#[case::selector(json!({"pvc": {"selector": {}}}), json!({"pvc": {}}), &["spec.pvc.selector"])]
#[case::zero_request(json!({"pvc": {"resources": {"requests": {"storage": "0"}}}}), json!({"pvc": {}}), &["spec.pvc.resources.requests.storage"])]
#[case::empty_label(json!({"pvc": {"selector": {"matchLabels": {"a.b/c": ""}}}}), json!({"pvc": {"selector": {}}}), &["spec.pvc.selector.matchLabels[a.b/c]"])]
#[case::order_of_lists(json!({"storage": {"accessModes": ["a", "b"]}}), json!({"storage": {"accessModes": ["b", "a"]}}), &["spec.storage.accessModes[0]", "spec.storage.accessModes[1]"])]
#[case::added_item(json!({"checkpoints": [{"current": "a"}]}), json!({"checkpoints": [{"current": "a"}, {"current": "b"}]}), &["spec.checkpoints[1]"])]
#[case::changed_item(json!({"checkpoints": [{"current": "a"}]}), json!({"checkpoints": [{"current": "b"}]}), &["spec.checkpoints[0].current"])]
#[case::several(json!({"source": {"http": {"url": "a"}}, "contentType": "x"}), json!({"source": {"http": {"url": "b"}}}), &["spec.contentType", "spec.source.http.url"])]
#[case::unknown_empty_list(json!({"x": []}), json!({}), &["spec.x"])]
#[case::unknown_deep(json!({"x": {"y": [1, {"z": ""}]}}), json!({"x": {"y": [1, {}]}}), &["spec.x.y[1].z"])]
#[case::another_type(json!({"source": "http"}), json!({"source": {"http": {}}}), &["spec.source"])]
#[case::scalar_for_struct(json!({"storage": {"resources": 7}}), json!({"storage": {}}), &["spec.storage.resources"])]
#[case::scalar_spec(json!("x"), json!({}), &["spec"])]
#[case::unparsable_quantity(json!({"pvc": {"resources": {"requests": {"storage": "1gi"}}}}), json!({"pvc": {"resources": {"requests": {"storage": "1Gi"}}}}), &["spec.pvc.resources.requests.storage"])]
fn differences_are_named(#[case] old: Value, #[case] new: Value, #[case] paths: &[&str]) {
    assert_eq!(changed(&old, &new), paths);
}

#[test]
fn the_last_of_two_keys_counts() {
    let twice = Json::parse(br#"{"contentType":"a","contentType":"b"}"#).unwrap();
    let last_null = Json::parse(br#"{"contentType":"a","contentType":null}"#).unwrap();
    let once = Json::parse(br#"{"contentType":"b"}"#).unwrap();
    assert!(changed_paths(&twice, &once).is_empty());
    assert_eq!(changed_paths(&last_null, &once), ["spec.contentType"]);
    assert!(changed_paths(&last_null, &Json::Null).is_empty());
}

#[test]
fn the_number_of_paths_is_bounded() {
    let many: Vec<u32> = (0..10_000).collect();
    assert_eq!(changed(&json!({"x": many}), &json!({"x": []})).len(), MAX_PATHS);
}

#[rstest]
#[case::next_stage(json!({"source": {"vddk": {}}, "checkpoints": [{"current": "a"}]}), json!({"source": {"vddk": {}}, "checkpoints": [{"current": "a"}, {"current": "b"}], "finalCheckpoint": true}), true)]
#[case::imageio(json!({"source": {"imageio": {"url": "u"}}}), json!({"source": {"imageio": {"url": "u"}}, "checkpoints": [{}]}), true)]
#[case::no_change(json!({"source": {"vddk": {}}, "checkpoints": [{}]}), json!({"source": {"vddk": {}}, "checkpoints": [{}]}), true)]
#[case::checkpoints_removed(json!({"source": {"vddk": {}}, "checkpoints": [{"current": "a"}]}), json!({"source": {"vddk": {}}}), false)]
#[case::only_final_without_checkpoints(json!({"source": {"vddk": {}}}), json!({"source": {"vddk": {}}, "finalCheckpoint": true}), false)]
#[case::other_source(json!({"source": {"http": {}}}), json!({"source": {"http": {}}, "checkpoints": [{}]}), false)]
#[case::no_source(json!({}), json!({"checkpoints": [{}]}), false)]
#[case::null_source(json!({}), json!({"source": {"vddk": null}, "checkpoints": [{}]}), false)]
#[case::something_else_too(json!({"source": {"vddk": {}}}), json!({"source": {"vddk": {"url": "u"}}, "checkpoints": [{}]}), false)]
#[case::checkpoints_elsewhere(json!({"source": {"vddk": {}}}), json!({"source": {"vddk": {"checkpoints": [{}]}}, "checkpoints": [{}]}), false)]
#[case::odd_types(json!(7), json!({"source": 7, "checkpoints": 7}), false)]
fn a_new_stage_of_a_multi_stage_import_is_admitted(#[case] old: Value, #[case] new: Value, #[case] admitted: bool) {
    let (old, new) = (old.to_string(), new.to_string());
    let (old, new) = (Json::parse(old.as_bytes()).unwrap(), Json::parse(new.as_bytes()).unwrap());
    assert_eq!(only_checkpoints_changed(&old, &new), admitted);
}

/// Writes a document with its keys turned round, nulls between them, and quantities in another notation.
fn rewrite(value: &Value, rotation: usize, out: &mut String) {
    match value {
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            if !entries.is_empty() {
                let middle = rotation % entries.len();
                entries.rotate_left(middle);
            }
            out.push_str("{\"absent\":null");
            for (key, value) in entries {
                out.push_str(&format!(",{}:", json!(key)));
                match value.as_str().and_then(|text| text.strip_suffix("Gi")) {
                    Some(gibibytes) => {
                        let mebibytes = gibibytes.parse::<u64>().unwrap() * 1024;
                        let same = [
                            format!("\"{mebibytes}Mi\""),
                            format!("{}", mebibytes << 20),
                            format!("\"{}.0e0\"", mebibytes << 20),
                        ];
                        out.push_str(&same[rotation % 3]);
                    }
                    None => rewrite(value, rotation, out),
                }
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                rewrite(item, rotation, out);
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

/// The paths of all leaves, and a document in which that leaf is another one.
fn with_one_leaf_changed(value: &Value, path: &str) -> Vec<(String, Value)> {
    match value {
        Value::Object(entries) => entries
            .iter()
            .flat_map(|(key, inner)| {
                with_one_leaf_changed(inner, &format!("{path}.{key}")).into_iter().map(move |(path, changed)| {
                    let mut copy: Map<_, _> = entries.clone();
                    copy.insert(key.clone(), changed);
                    (path, Value::Object(copy))
                })
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, inner)| {
                with_one_leaf_changed(inner, &format!("{path}[{index}]")).into_iter().map(move |(path, changed)| {
                    let mut copy = items.clone();
                    copy[index] = changed;
                    (path, Value::Array(copy))
                })
            })
            .collect(),
        Value::Bool(flag) => vec![(path.to_owned(), json!(!flag))],
        Value::String(text) if text.ends_with("Gi") => vec![(path.to_owned(), json!("11Gi"))],
        Value::String(text) => vec![(path.to_owned(), json!(format!("{text}x")))],
        Value::Null | Value::Number(_) => Vec::new(),
    }
}

#[test]
fn one_changed_leaf_is_found() {
    let leaves = with_one_leaf_changed(&spec(), "spec");
    assert_eq!(leaves.len(), 21);
    for (path, other) in leaves {
        assert_eq!(changed(&spec(), &other), [path]);
    }
}

proptest! {
    #[test]
    fn a_rewrite_that_means_the_same_is_equal(rotation in any::<usize>()) {
        let (mut rewritten, plain) = (String::new(), spec().to_string());
        rewrite(&spec(), rotation, &mut rewritten);
        let (old, new) = (Json::parse(plain.as_bytes()).unwrap(), Json::parse(rewritten.as_bytes()).unwrap());
        prop_assert_eq!(changed_paths(&old, &new), Vec::<String>::new(), "{}", rewritten);
    }
}
