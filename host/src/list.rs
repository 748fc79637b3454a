//! Lists, as the host's watchers keep them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::kinds::ServedKind;
use crate::mask;

/// Whether an object passes a selector of labels: `key=value`, `key!=value`, `key`, `!key`, with commas between.
pub(crate) fn labels_match(object: &Value, selector: &str) -> bool {
    let label = |key: &str| {
        object.pointer("/metadata/labels").and_then(|labels| labels.get(key.trim())).and_then(Value::as_str)
    };
    selector.split(',').map(str::trim).filter(|term| !term.is_empty()).all(|term| {
        if let Some((key, value)) = term.split_once("!=") {
            label(key) != Some(value.trim())
        } else if let Some((key, value)) = term.split_once("==").or_else(|| term.split_once('=')) {
            label(key) == Some(value.trim())
        } else if let Some(key) = term.strip_prefix('!') {
            label(key).is_none()
        } else {
            label(term).is_some()
        }
    })
}

/// Whether an object passes a selector of fields, or none where the API server does not support the selector.
pub(crate) fn fields_match(object: &Value, selector: &str) -> Option<bool> {
    let mut all = true;
    for term in selector.split(',').map(str::trim).filter(|term| !term.is_empty()) {
        let (field, value) = term.split_once("==").or_else(|| term.split_once('='))?;
        let pointer = match field {
            "metadata.name" => "/metadata/name",
            "metadata.namespace" => "/metadata/namespace",
            _ => return None,
        };
        all &= object.pointer(pointer).and_then(Value::as_str) == Some(value);
    }
    Some(all)
}

/// The list as the host answers it: managed fields and the last applied configuration are left out, and so are
/// `apiVersion` and `kind` of items of built-in kinds.
pub(crate) fn list(kind: &ServedKind, items: Vec<Value>, masks: Option<&BTreeSet<String>>) -> Value {
    let items: Vec<Value> = items.into_iter().map(|object| item(kind, object, masks)).collect();
    json!({
        "apiVersion": kind.api_version,
        "kind": format!("{}List", kind.kind),
        "metadata": {},
        "items": items,
    })
}

fn item(kind: &ServedKind, mut object: Value, masks: Option<&BTreeSet<String>>) -> Value {
    mask::apply(&mut object, masks);
    if let Some(map) = object.as_object_mut() {
        if kind.built_in() {
            map.remove("apiVersion");
            map.remove("kind");
        }
        if let Some(metadata) = map.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.insert("managedFields".to_owned(), json!([]));
            let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
            if let Some(annotations) = annotations.as_object_mut() {
                annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
            }
        }
    }
    object
}

/// Puts the items into an order that depends on the seed only.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    // A xorshift generator; Fisher and Yates' walk from the end.
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for last in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state % (last as u64 + 1)).unwrap_or(0);
        items.swap(last, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors() {
        let object = json!({"metadata": {"name": "x", "labels": {"a": "1"}}});
        for (selector, matches) in [
            ("", true),
            ("a=1", true),
            ("a == 1", true),
            ("a=2", false),
            ("a!=1", false),
            ("a", true),
            ("!b,a=1", true),
            ("b", false),
        ] {
            assert_eq!(labels_match(&object, selector), matches, "{selector}");
        }
        assert_eq!(fields_match(&object, "metadata.name=x"), Some(true));
        assert_eq!(fields_match(&object, "metadata.name=y"), Some(false));
        assert_eq!(fields_match(&object, "spec.x=y"), None);
    }

    #[test]
    fn a_shuffle_keeps_everything_and_repeats() {
        let order = |seed| {
            let mut items: Vec<u8> = (0..8).collect();
            shuffle(&mut items, seed);
            items
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<u8>>());
    }
}
