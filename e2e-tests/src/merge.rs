//! What a case changes of the clusters that it uses.

use anyhow::{Context as _, bail};
use serde_json::Value;
use vmdisk_host::{Identity, Manifests};

/// Takes the objects named `Kind/name` or `Kind/namespace/name` away.
pub(crate) fn remove(manifests: &mut Manifests, names: &[String]) -> anyhow::Result<()> {
    for name in names {
        let parts: Vec<&str> = name.split('/').collect();
        let (kind, namespace, object) = match parts.as_slice() {
            [kind, name] => (*kind, "", *name),
            [kind, namespace, name] => (*kind, *namespace, *name),
            _ => bail!("remove: `{name}` is neither Kind/name nor Kind/namespace/name"),
        };
        let meant = |candidate: &Value| {
            let identity = Identity::of(candidate);
            identity.kind == kind && identity.namespace == namespace && identity.name == object
        };
        if !manifests.objects().any(meant) {
            bail!("remove: there is no {name}");
        }
        manifests.retain(|candidate| !meant(candidate));
    }
    Ok(())
}

/// Merges each partial manifest onto the object of its `apiVersion`, kind, namespace and name.
pub(crate) fn merge(manifests: &mut Manifests, parts: &[Value]) -> anyhow::Result<()> {
    for part in parts {
        let identity = Identity::of(part);
        let object = manifests.objects_mut().find(|object| Identity::of(object) == identity);
        deep(object.with_context(|| format!("merge: there is no {identity} of {}", identity.api_version))?, part);
    }
    Ok(())
}

/// Objects are merged key by key, a null takes the key away; anything else takes the place of what was there.
fn deep(target: &mut Value, part: &Value) {
    let Some(part) = part.as_object() else {
        *target = part.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    let Some(target) = target.as_object_mut() else { return };
    for (key, value) in part {
        if value.is_null() {
            target.remove(key);
        } else {
            deep(target.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn manifests() -> Manifests {
        let text = "{apiVersion: v1, kind: A, metadata: {name: a}, spec: {b: 1, c: [1, 2], d: {e: 1}}}\n---\n\
                    {apiVersion: v1, kind: B, metadata: {name: a, namespace: space}}";
        Manifests::parse(text, "test").unwrap()
    }

    #[test]
    fn a_part_is_merged_and_null_takes_away() {
        let mut manifests = manifests();
        let part = json!({"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"},
            "spec": {"b": null, "c": [3], "d": {"f": {"g": null, "h": 1}}}});
        merge(&mut manifests, &[part]).unwrap();
        let expected = json!({"c": [3], "d": {"e": 1, "f": {"h": 1}}});
        assert_eq!(manifests.objects().next().unwrap()["spec"], expected);
    }

    #[test]
    fn what_is_not_there_is_told() {
        let part = json!({"apiVersion": "v2", "kind": "A", "metadata": {"name": "a"}});
        assert_eq!(merge(&mut manifests(), &[part]).unwrap_err().to_string(), "merge: there is no A a of v2");
        assert_eq!(remove(&mut manifests(), &["B/a".to_owned()]).unwrap_err().to_string(), "remove: there is no B/a");
    }

    #[test]
    fn objects_are_taken_away() {
        let mut manifests = manifests();
        remove(&mut manifests, &["B/space/a".to_owned()]).unwrap();
        assert_eq!(manifests.objects().count(), 1);
    }
}
