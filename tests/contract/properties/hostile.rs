//! Names that no object can have, in every field of a request and of a cluster. The lookup itself insists that none
//! reaches it.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use vmdisk_policy::cluster::{Object, ObjectRef};
use vmdisk_policy::settings::{Action, Rule, Settings};

use super::cases;
use crate::common::*;

fn hostile() -> impl Strategy<Value = String> {
    let known = select(vec![
        "cozy-public/secrets/topsecret?x=".to_owned(),
        "#x".to_owned(),
        "?limit=1".to_owned(),
        "a/../b".to_owned(),
        "..%2f..%2fsecrets".to_owned(),
        "Upper".to_owned(),
        "a".repeat(300),
        ".".to_owned(),
        "-".to_owned(),
        "a\n\u{1b}[31m\u{202e}".to_owned(),
        "\u{0}".to_owned(),
        String::new(),
    ]);
    prop_oneof![3 => known, 2 => any::<String>(), 1 => "[a-z0-9./-]{0,12}"]
}

fn optional() -> impl Strategy<Value = Option<String>> {
    proptest::option::weighted(0.8, hostile())
}

fn object_ref() -> impl Strategy<Value = Option<ObjectRef>> {
    proptest::option::of((hostile(), hostile()).prop_map(|(namespace, name)| ObjectRef { namespace, name }))
}

/// The founding cluster, in which every field that names another object names something hostile.
fn cluster() -> impl Strategy<Value = Vec<Object>> {
    let claims = (optional(), optional(), hostile());
    let others = (optional(), optional(), hostile(), optional(), optional());
    let sources = (object_ref(), object_ref(), object_ref(), object_ref());
    (claims, others, sources).prop_map(|(claims, others, sources)| {
        let mut claim = golden();
        (claim.storage_class_name, claim.volume_name) = (claims.0, claims.1);
        let mut profile = mk_profile("local").set(&["ReadWriteOnce"], "Block");
        (profile.snapshot_class, profile.clone_strategy) = (others.0, others.1);
        let mut snapshot = mk_snapshot("cozy-public", "ubuntu", &claims.2);
        snapshot.volume_snapshot_class_name = others.3;
        if let Some(status) = &mut snapshot.status {
            status.bound_volume_snapshot_content_name = others.4;
        }
        let mut data_source = mk_data_source("cozy-public", "image");
        (data_source.spec_source.pvc, data_source.spec_source.data_source) = (sources.0, sources.1);
        (data_source.spec_source.snapshot, data_source.status_source.pvc) = (sources.2, sources.3);
        let local = mk_storage_class("local").linstor().parameter("allowRemoteVolumeAccess", &others.2);
        World::founding()
            .with(claim)
            .with(profile)
            .with(snapshot)
            .with(data_source)
            .with(local.annotation(KUBERNETES_DEFAULT, "true").provisioner(&others.2))
            .with(mk_cdi(""))
            .objects()
            .to_vec()
    })
}

/// A request in which every field that names something may be hostile.
fn request() -> impl Strategy<Value = String> {
    let names = (hostile(), hostile(), hostile(), hostile(), hostile());
    (names, 0..12_usize, any::<bool>()).prop_map(|((a, b, c, d, e), shape, update)| {
        let manifest = match shape {
            0 => vm_disk(&c).image(&a),
            1 => vm_disk(&c).disk(&a).class(&d),
            2 => vm_disk("disk").source(json!({"pvc": {"name": a}})).class(&d),
            3 => vm_disk("disk").source(json!({a.clone(): {"name": b}})).class(&d),
            4 => data_volume(&c).claim(&a, &b).class(&d),
            5 => data_volume("disk").source_ref(&a, &b).class(&d),
            6 => data_volume("disk").snapshot(&a, &b).class(&d),
            7 => data_volume("disk").source_ref("cozy-public", "image"),
            8 => data_volume("disk").snapshot("cozy-public", "ubuntu").class("local"),
            9 => data_volume("disk").claim("cozy-public", "vm-default-images-ubuntu").class("local"),
            10 => data_volume("disk").claim("cozy-public", "vm-default-images-ubuntu"),
            _ => data_volume(&c).http(&a).class(&d),
        };
        let hostile = if shape % 2 == 0 { manifest } else { manifest.at(&["metadata", "namespace"], e) };
        let hostile = hostile.annotation("cdi.kubevirt.io/cloneType", &b);
        if update { hostile.update_of(&vm_disk("disk").class(&a)) } else { hostile.create() }.to_string()
    })
}

/// Any JSON value of a type that may be wrong where it stands.
pub(super) fn wrong() -> impl Strategy<Value = Value> {
    select(vec![
        json!(7),
        json!(-1.5e300),
        json!(true),
        json!("text"),
        json!(""),
        json!([]),
        json!(["a", 1]),
        json!([{}]),
        json!({}),
        json!({"name": 7}),
        json!({"": null}),
        Value::Null,
    ])
}

/// Puts `wrong` in the place of the value that is reached by taking, at each step, one of those below.
pub(super) fn misplace(value: &mut Value, steps: &[Index], wrong: Value) {
    let below: Vec<&mut Value> = match value {
        Value::Object(entries) => entries.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    match steps.split_first() {
        Some((step, rest)) if !below.is_empty() => {
            let place = step.index(below.len());
            misplace(below.into_iter().nth(place).unwrap(), rest, wrong);
        }
        _ => *value = wrong,
    }
}

/// Requests that have everything in them.
fn full() -> impl Strategy<Value = Value> {
    let owner = json!([{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "name": "vm"}]);
    let data_volume = |manifest: Manifest| {
        let manifest = manifest.class("local").mode("Block").access_modes(&["ReadWriteOnce"]).immediate();
        let manifest = manifest.at(&["metadata", "labels", "cdi.kubevirt.io/applyStorageProfile"], "true");
        manifest.at(&["metadata", "ownerReferences"], owner.clone()).at(&["spec", "contentType"], "kubevirt")
    };
    let disk = vm_disk("disk").class("local").at(&["spec", "bindImmediately"], true);
    let claim = data_volume(data_volume_named().claim("cozy-public", "vm-default-images-ubuntu"));
    select(vec![
        disk.clone().image("ubuntu").create(),
        disk.clone().disk("other").create(),
        disk.clone().http("https://example.org").create(),
        disk.clone().image("ubuntu").update_of(&disk.clone().image("debian").storage("20Gi")),
        claim.create(),
        claim.clone().pvc_form().create(),
        claim.clone().storage("20Gi").update_of(&claim),
        data_volume(data_volume_named().source_ref("cozy-public", "image")).create(),
        data_volume(data_volume_named().snapshot("cozy-public", "ubuntu")).create(),
        data_volume(data_volume_named().http("https://example.org")).create(),
    ])
}

fn data_volume_named() -> Manifest {
    data_volume("vm-disk-disk")
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn a_wrong_type_anywhere_is_refused_with_its_path_or_not_looked_at_and_never_a_trap(
        mut request in full(), steps in proptest::collection::vec(any::<Index>(), 1..7), wrong in wrong(),
    ) {
        misplace(&mut request, &steps, wrong);
        let world = World::snapshotting().with(mk_snapshot("cozy-public", "ubuntu", "vm-default-images-ubuntu"));
        let judged = world.judge(&request);
        match judged.decision().refusal_code() {
            None | Some(403) => {}
            Some(400) => {
                prop_assert!(judged.message().starts_with("[InvalidRequest] "), "{}", judged.message());
                prop_assert!(judged.message().contains(": expected "), "{}", judged.message());
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn hostile_names_in_any_field_never_reach_a_lookup_nor_a_text(objects in cluster(), request in request(), deny: bool) {
        let settings = Rule::ALL.into_iter().fold(Settings::default(), |settings, rule| {
            settings.with_action(rule, if deny { Action::Deny } else { Action::Warn })
        });
        let judged = Judged::by(&settings, &Faulty::new(objects), &request);
        let texts = judged.verdict.warnings.iter().map(String::as_str).chain(judged.message().lines());
        for text in texts {
            prop_assert!(!text.contains(|c: char| c.is_control() || c == '\u{202e}'), "{:?}", text);
            let lower = text.to_lowercase();
            prop_assert!(text.len() < 20_000 && lower.len() < 40_000, "{}", text.len());
        }
        prop_assert!(judged.verdict.warnings.iter().all(|warning| warning.len() <= 256));
        prop_assert!(judged.calls.len() <= 16, "{:?}", judged.lookups());
    }
}
