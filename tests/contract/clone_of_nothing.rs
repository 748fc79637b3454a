//! "Nothing will be cloned when", and what is judged at all.

use rstest::rstest;
use serde_json::{Value, json};
use vmdisk_policy::cluster::Kind;

use crate::common::*;
use crate::founding::{both, disk, refused_csi_clone, rendered};

#[rstest]
#[case("true")]
#[case("false")]
#[case("")]
#[case("vm-disk-disk")]
fn the_data_volume_carries_pre_populated_key_presence(#[case] value: &str) {
    let request = rendered().annotation("cdi.kubevirt.io/storage.prePopulated", value).create();
    let judged = World::founding().decides(&request, &accepted());
    assert_eq!(judged.lookups(), Vec::<String>::new());
}

#[test]
fn the_pvc_of_that_name_exists_already() {
    let world = World::founding().with(mk_claim(NAMESPACE, "vm-disk-disk"));
    for request in both() {
        world.decides(&request, &accepted());
    }
}

#[test]
fn a_pvc_of_that_name_in_another_namespace_is_another_one() {
    let world = World::founding().with(mk_claim("tenant-other", "vm-disk-disk"));
    for request in both() {
        world.decides(&request, &refused_csi_clone());
    }
}

#[test]
fn or_for_a_vm_disk_its_data_volume() {
    let world = World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk"));
    world.decides(&disk().create(), &accepted());
    // A DataVolume of that name is what the request itself creates; only its claim counts.
    world.decides(&rendered().create(), &refused_csi_clone());
}

#[test]
fn the_annotation_allow_claim_adoption_alone_exempts_nothing() {
    let request = rendered().annotation("cdi.kubevirt.io/allowClaimAdoption", "true").create();
    World::founding().decides(&request, &refused_csi_clone());
}

#[test]
fn the_pvc_must_exist() {
    let request = rendered().annotation("cdi.kubevirt.io/allowClaimAdoption", "true").create();
    World::founding().with(mk_claim(NAMESPACE, "vm-disk-disk")).decides(&request, &accepted());
}

#[test]
fn where_metadata_name_is_empty_the_requests_name_is_taken() {
    let generated =
        rendered().at(&["metadata", "name"], Value::Null).at(&["metadata", "generateName"], "vm-disk-").create();
    let mut named = generated.clone();
    named["name"] = json!("vm-disk-disk");
    let world = World::founding().with(mk_claim(NAMESPACE, "vm-disk-disk"));
    world.decides(&named, &accepted());
}

#[test]
fn where_that_is_empty_too_nothing_can_exist_yet_so_that_lookup_is_skipped() {
    let data_volume =
        rendered().at(&["metadata", "name"], Value::Null).at(&["metadata", "generateName"], "vm-disk-").create();
    let disk = disk().at(&["metadata", "name"], Value::Null).at(&["metadata", "generateName"], "disk-").create();
    for request in [data_volume, disk] {
        let judged = World::founding().decides(&request, &refused_csi_clone());
        assert!(judged.calls.iter().all(|call| call.namespace != NAMESPACE), "{:?}", judged.lookups());
    }
}

// ---- What is judged

#[test]
fn an_object_with_deletion_timestamp_is_accepted_without_a_lookup() {
    for manifest in [disk(), rendered()] {
        let leaving = manifest.clone().at(&["metadata", "deletionTimestamp"], "2026-01-01T00:00:00Z");
        for request in [leaving.create(), leaving.clone().class("other").update_of(&manifest)] {
            let judged = World::founding().decides(&request, &accepted());
            assert_eq!(judged.calls, []);
        }
    }
}

#[test]
fn delete_and_connect_are_accepted_without_a_lookup() {
    for manifest in [disk(), rendered()] {
        let mut connect = manifest.create();
        connect["operation"] = json!("CONNECT");
        for request in [delete(&manifest), connect] {
            let judged = World::founding().decides(&request, &accepted());
            assert_eq!(judged.calls, []);
        }
    }
}

#[rstest]
#[case("example.org/v1", "VMDisk")]
#[case("example.org/v1", "DataVolume")]
#[case("cdi.kubevirt.io/v1beta1", "VMDisk")]
#[case("apps.cozystack.io/v1alpha1", "DataVolume")]
#[case("v1", "PersistentVolumeClaim")]
fn any_other_kind_or_group_is_accepted_without_a_lookup(#[case] api_version: &str, #[case] kind: &str) {
    for manifest in [disk(), rendered()] {
        let request = manifest.at(&["apiVersion"], api_version).at(&["kind"], kind).create();
        let judged = World::founding().decides(&request, &accepted());
        assert_eq!(judged.calls, []);
    }
}

#[test]
fn dispatch_is_on_the_kind_never_on_the_resource() {
    for mut request in both() {
        request["resource"] = json!({"group": "", "version": "v1", "resource": "pods"});
        World::founding().decides(&request, &refused_csi_clone());
        request["kind"]["version"] = json!("v2");
        World::founding().decides(&request, &refused_csi_clone());
    }
}

#[test]
fn a_data_volume_create_that_neither_clones_nor_imports_makes_no_lookup() {
    for source in [json!({"blank": {}}), json!({}), json!({"new-source": {}}), Value::Null] {
        let judged =
            World::founding().decides(&data_volume("disk").source(source).class("local").create(), &accepted());
        assert_eq!(judged.calls, []);
    }
}

#[test]
fn a_vm_disk_create_always_reads_its_data_volume_and_pvc() {
    for manifest in [vm_disk("disk"), vm_disk("disk").source(json!({"upload": {}})), disk()] {
        let judged = World::founding().judge(&manifest.create());
        let expected =
            [format!("DataVolume {NAMESPACE}/vm-disk-disk"), format!("PersistentVolumeClaim {NAMESPACE}/vm-disk-disk")];
        assert_eq!(judged.lookups()[..2], expected);
    }
}

#[test]
fn a_blank_disk_is_never_advised_on() {
    let world = World::founding().with(mk_profile("local"));
    world.decides(&vm_disk("disk").class("local").create(), &accepted());
    world.decides(&vm_disk("disk").class("none-such").create(), &accepted());
    world.decides(&data_volume("disk").source(json!({"blank": {}})).class("none-such").create(), &accepted());
}

#[test]
fn the_clone_rules_never_run_on_update() {
    for manifest in [disk(), rendered()] {
        let labelled = manifest.clone().at(&["metadata", "labels", "a"], "b");
        let judged = World::founding().decides(&labelled.update_of(&manifest), &accepted());
        assert_eq!(judged.calls, []);
    }
}

#[test]
fn fields_that_no_rule_reads_are_never_looked_at() {
    // A bad quantity in an object does not block a change of its labels.
    for manifest in [disk(), rendered()] {
        let bad = manifest.storage(json!(["10Gi"]));
        let labelled = bad.clone().at(&["metadata", "labels", "a"], "b");
        World::founding().decides(&labelled.update_of(&bad), &accepted());
    }
}

#[rstest]
#[case(disk().at(&["spec", "storageClass"], 7), "spec.storageClass")]
#[case(disk().source("ubuntu"), "spec.source")]
#[case(disk().source(json!({"image": "ubuntu"})), "spec.source.image")]
#[case(disk().source(json!({"image": {"name": ["ubuntu"]}})), "spec.source.image.name")]
#[case(disk().storage("ten"), "spec.storage")]
#[case(rendered().source(json!({"pvc": {"name": 7}})), "spec.source.pvc.name")]
#[case(rendered().class("x").at(&["spec", "storage", "storageClassName"], json!({})), "spec.storage.storageClassName")]
#[case(rendered().storage("ten"), "spec.storage.resources.requests.storage")]
#[case(rendered().at(&["metadata", "annotations"], json!(["a"])), "metadata.annotations")]
fn a_field_that_a_rule_needs_has_the_wrong_type_it_is_refused_with_the_path_and_what_was_expected(
    #[case] manifest: Manifest,
    #[case] path: &str,
) {
    let judged = World::founding().decides(&manifest.create(), &malformed());
    assert!(judged.message().starts_with(&format!("[InvalidRequest] {path}: expected ")), "{}", judged.message());
}

#[test]
fn an_import_or_upload_reads_its_pvc_its_class_and_cdi_config() {
    let imports =
        [data_volume("disk").http("https://example.org/a.img"), data_volume("disk").source(json!({"upload": {}}))];
    for manifest in imports {
        let judged =
            World::founding().decides(&manifest.class("local").create(), &accepted().warns(&["WaitsForFirstConsumer"]));
        let expected =
            [format!("PersistentVolumeClaim {NAMESPACE}/disk"), "StorageClass local".into(), "CDIConfig config".into()];
        assert_eq!(judged.lookups(), expected);
    }
}

#[test]
fn and_only_while_first_consumer_is_on() {
    use vmdisk_policy::settings::{Action, Rule};
    let world = World::founding().action(Rule::FirstConsumer, Action::Off);
    let judged =
        world.decides(&data_volume("disk").http("https://example.org/a.img").class("local").create(), &accepted());
    assert_eq!(judged.calls, []);
    let judged = world.decides(&vm_disk("disk").http("https://example.org/a.img").class("local").create(), &accepted());
    assert_eq!(judged.calls.len(), 2);
}

#[test]
fn restores_whose_source_is_gone_are_accepted_in_silence() {
    let world = World::founding()
        .with(mk_claim(NAMESPACE, "vm-disk-disk"))
        .with(mk_data_volume(NAMESPACE, "vm-disk-disk"))
        .without(Kind::PersistentVolumeClaim, "vm-default-images-ubuntu")
        .without(Kind::StorageClass, "local");
    for request in both() {
        world.decides(&request, &accepted());
    }
}
