//! UPDATEs: whatever is written otherwise and means the same is accepted, without a lookup.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::cases;
use crate::common::*;

/// A DataVolume's spec.
fn spec() -> impl Strategy<Value = Value> {
    let source = select(vec![
        json!({"source": {"http": {"url": "https://example.org/a.img", "secretExtraHeaders": ["a", "b"]}}}),
        json!({"source": {"pvc": {"namespace": "cozy-public", "name": "vm-default-images-ubuntu"}}}),
        json!({"source": {"snapshot": {"namespace": "cozy-public", "name": "ubuntu"}}}),
        json!({"source": {"blank": {}}}),
        json!({"source": {"upload": {}}}),
        json!({"source": {"registry": {"url": "docker://example.org/a", "pullMethod": "node"}}}),
        json!({"source": {"vddk": {"url": "https://example.org", "uuid": "a"}}, "checkpoints": [{"current": "1"}]}),
        json!({"sourceRef": {"kind": "DataSource", "namespace": "cozy-public", "name": "ubuntu"}}),
        json!({}),
    ]);
    let size =
        select(vec![json!("10Gi"), json!("5368709120"), json!(5_368_709_120_u64), json!("1500M"), json!("1.5Gi")]);
    let form = select(vec!["storage", "pvc"]);
    let class = proptest::option::of(select(vec!["local", ""]));
    let preallocation = proptest::option::of(any::<bool>());
    (source, size, form, class, preallocation).prop_map(|(mut spec, size, form, class, preallocation)| {
        let mut target = json!({"resources": {"requests": {"storage": size}}, "accessModes": ["ReadWriteOnce"]});
        if let Some(class) = class {
            target["storageClassName"] = json!(class);
        }
        spec[form] = target;
        if let Some(preallocation) = preallocation {
            spec["preallocation"] = json!(preallocation);
        }
        spec
    })
}

/// Fields of `spec` that may be written in a way that equals their absence.
const EMPTY: &[(&[&str], &str)] = &[
    (&["contentType"], r#""""#),
    (&["priorityClassName"], r#""""#),
    (&["serviceAccountName"], r#""""#),
    (&["finalCheckpoint"], "false"),
    (&["preallocation"], "null"),
    (&["checkpoints"], "[]"),
    (&["checkpoints"], "null"),
    (&["source"], "null"),
    (&["sourceRef"], "null"),
    (&["pvc"], "null"),
    (&["storage"], "null"),
    (&["storage", "selector"], "null"),
    (&["storage", "volumeMode"], "null"),
    (&["storage", "storageClassName"], "null"),
    (&["storage", "volumeName"], r#""""#),
    (&["storage", "resources", "limits"], "{}"),
    (&["pvc", "dataSource"], "null"),
    (&["pvc", "volumeName"], r#""""#),
    (&["pvc", "resources", "limits"], "null"),
    (&["source", "http", "extraHeaders"], "[]"),
    (&["source", "http", "checksum"], r#""""#),
    (&["source", "http", "insecureSkipVerify"], "null"),
    (&["source", "registry", "secretRef"], "null"),
    (&["source", "vddk", "thumbprint"], r#""""#),
];

/// How a rewrite goes about it.
#[derive(Debug, Clone)]
struct Rewrite {
    /// Which of [`EMPTY`] are written where their parent is there and they are not.
    added: Vec<usize>,
    /// How far the keys of an object are rotated.
    turn: usize,
    /// Which notation a size gets.
    notation: usize,
}

fn rewrite() -> impl Strategy<Value = Rewrite> {
    let added = proptest::sample::subsequence((0..EMPTY.len()).collect::<Vec<_>>(), 0..EMPTY.len());
    (added, 0..4_usize, 0..5_usize).prop_map(|(added, turn, notation)| Rewrite { added, turn, notation })
}

impl Rewrite {
    /// The text of a value at a path, rewritten.
    fn write(&self, path: &mut Vec<String>, value: &Value) -> String {
        match value {
            Value::Object(object) => {
                let mut entries: Vec<(String, String)> = Vec::new();
                for (key, value) in object {
                    path.push(key.clone());
                    entries.push((key.clone(), self.write(path, value)));
                    path.pop();
                }
                for (place, text) in self.added.iter().map(|index| EMPTY[*index]) {
                    let (key, parents) = place.split_last().unwrap();
                    if parents == path.as_slice() && entries.iter().all(|(known, _)| known != key) {
                        entries.push(((*key).to_owned(), text.to_owned()));
                    }
                }
                let turn = self.turn % entries.len().max(1);
                entries.rotate_left(turn);
                let mut text = String::from("{");
                for (index, (key, value)) in entries.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(text, "{comma}{}: {value}", json!(key)).unwrap();
                }
                text + "}"
            }
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(Value::to_string).collect();
                format!("[{}]", items.join(", "))
            }
            value if path.last().is_some_and(|key| key == "storage") && !value.is_object() => self.size(value),
            value => value.to_string(),
        }
    }

    /// The same size in another notation.
    fn size(&self, value: &Value) -> String {
        let bytes: u64 = match value.as_str() {
            None => value.as_u64().unwrap(),
            Some("10Gi") => 10 << 30,
            Some("1500M") => 1_500_000_000,
            Some("1.5Gi") => 3 << 29,
            Some(text) => text.parse().unwrap(),
        };
        match self.notation {
            0 => value.to_string(),
            1 => bytes.to_string(),
            2 => format!("\"{bytes}\""),
            3 => format!("\"{bytes}.000\""),
            _ => format!("\"{}m\"", u128::from(bytes) * 1_000),
        }
    }
}

fn judge_update(of: &Manifest, old: &str, new: &str) -> Judged {
    let mut request = of.update_of(of);
    for (key, mark) in [("object", "NEW"), ("oldObject", "OLD")] {
        request[key]["spec"] = json!(mark);
    }
    let text = request.to_string().replace("\"NEW\"", new).replace("\"OLD\"", old);
    Judged::by(World::founding().settings(), &World::founding().lookup(), &text)
}

proptest! {
    #![proptest_config(cases(700))]

    #[test]
    fn a_data_volume_update_with_any_semantically_equal_rewrite_is_accepted_with_no_lookup(spec in spec(), one in rewrite(), other in rewrite()) {
        let (old, new) = (one.write(&mut Vec::new(), &spec), other.write(&mut Vec::new(), &spec));
        let judged = judge_update(&data_volume("disk"), &old, &new);
        prop_assert_eq!(judged.decision(), accepted(), "{} to {}", old, new);
        prop_assert_eq!(judged.calls, []);
    }

    #[test]
    fn a_data_volume_update_that_changes_a_value_is_refused_however_it_is_written(spec in spec(), one in rewrite(), other in rewrite()) {
        let mut changed = spec.clone();
        let form = if spec.get("pvc").is_some() { "pvc" } else { "storage" };
        changed[form]["accessModes"] = json!(["ReadWriteMany"]);
        let (old, new) = (one.write(&mut Vec::new(), &spec), other.write(&mut Vec::new(), &changed));
        let judged = judge_update(&data_volume("disk"), &old, &new);
        prop_assert_eq!(judged.decision(), refused(&["DataVolumeSpecChanged"]).of_update(), "{} to {}", old, new);
        prop_assert!(judged.message().contains(&format!("spec.{form}.accessModes[0]")), "{}", judged.message());
        prop_assert_eq!(judged.calls, []);
    }

    #[test]
    fn a_vm_disk_update_that_means_the_same_is_accepted_with_no_lookup(old in disk_spec(), which in 0..4_usize, more in 0..3_usize) {
        let (sources, class) = old;
        let spec = |source: &str, class: &str, storage: &str| {
            let fields: Vec<_> = [source, class, storage].into_iter().filter(|field| !field.is_empty()).collect();
            format!("{{{}}}", fields.join(", "))
        };
        let old = spec(sources[0], class[0], r#""storage": "10Gi""#);
        let storage = [r#""storage": "10Gi""#, r#""storage": "10240Mi""#, r#""storage": "20Gi", "optical": true"#][more];
        let new = spec(sources[which % sources.len()], class[which % class.len()], storage);
        let judged = judge_update(&vm_disk("disk"), &old, &new);
        prop_assert_eq!(judged.decision(), accepted(), "{} to {}", old, new);
        prop_assert_eq!(judged.calls, []);
    }
}

/// A VMDisk's source and class, each in texts that mean the same.
fn disk_spec() -> impl Strategy<Value = (&'static [&'static str], &'static [&'static str])> {
    let source = select(vec![
        &["", r#""source": null"#, r#""source": {}"#, r#""source": {"image": null, "http": null}"#][..],
        &[
            r#""source": {"image": {"name": "ubuntu"}}"#,
            r#""source": {"http": null, "image": {"name": "ubuntu"}}"#,
            r#""source": {"image": {"name": "ubuntu", "x": null}}"#,
        ][..],
        &[
            r#""source": {"http": {"url": "a", "certConfigMap": "b"}}"#,
            r#""source": {"http": {"certConfigMap": "b", "url": "a"}, "upload": null}"#,
        ][..],
    ]);
    let class = select(vec![
        &["", r#""storageClass": "replicated""#, r#""storageClass": null"#][..],
        &[r#""storageClass": "local""#][..],
        &[r#""storageClass": """#][..],
    ]);
    (source, class)
}
