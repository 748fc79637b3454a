//! Field masks, as the host applies them.
//!
//! A path is a list of keys with dots between them, so that a key with a dot cannot be named; arrays are crossed.
//! `apiVersion`, `kind` and the whole `metadata` always stay. Of two paths of which one begins with the other only
//! the longer counts, and no path at all means everything.
//! See `callback_handler/kubernetes/field_mask.rs` of kubewarden/kubewarden-controller.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

#[derive(Default)]
struct Node(BTreeMap<String, Node>);

/// Takes away what the masks do not name.
pub fn apply(object: &mut Value, masks: Option<&BTreeSet<String>>) {
    let mut root = Node::default();
    for path in masks.into_iter().flatten() {
        path.split('.').fold(&mut root, |node, key| node.0.entry(key.to_owned()).or_default());
    }
    if root.0.is_empty() {
        return;
    }
    for always in ["apiVersion", "kind", "metadata"] {
        root.0.insert(always.to_owned(), Node::default());
    }
    prune(object, &root);
}

fn prune(value: &mut Value, node: &Node) {
    if node.0.is_empty() {
        return;
    }
    if let Some(map) = value.as_object_mut() {
        map.retain(|key, value| {
            node.0.get(key).is_some_and(|child| {
                prune(value, child);
                true
            })
        });
    } else if let Some(array) = value.as_array_mut() {
        array.iter_mut().for_each(|item| prune(item, node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn masked(masks: &[&str]) -> Value {
        let mut object = json!({
            "apiVersion": "v1", "kind": "X", "metadata": {"name": "x", "uid": "u"},
            "spec": {"a": 1, "b": 2}, "status": {"sets": [{"c": 1, "d": 2}, {"d": 3}], "x.y": 1}
        });
        let masks = masks.iter().map(|mask| (*mask).to_owned()).collect();
        apply(&mut object, Some(&masks));
        object
    }

    #[test]
    fn metadata_stays_and_arrays_are_crossed() {
        let head = |rest: Value| {
            let mut object = json!({"apiVersion": "v1", "kind": "X", "metadata": {"name": "x", "uid": "u"}});
            object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            object
        };
        assert_eq!(masked(&["spec.a"]), head(json!({"spec": {"a": 1}})));
        assert_eq!(masked(&["status.sets.c"]), head(json!({"status": {"sets": [{"c": 1}, {}]}})));
        assert_eq!(masked(&["status.x.y"]), head(json!({"status": {}})));
        assert_eq!(masked(&["metadata.name"]), head(json!({})));
        assert_eq!(masked(&[""]), head(json!({})));
        assert_eq!(masked(&["spec", "spec.b"]), head(json!({"spec": {"b": 2}})));
    }

    #[test]
    fn no_mask_means_everything() {
        let all = masked(&[]);
        assert_eq!(all.pointer("/status/x.y"), Some(&json!(1)));
    }
}
