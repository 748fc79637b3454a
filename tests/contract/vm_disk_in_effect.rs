//! "VMDisk in effect", and the rules on edits of VMDisks and DataVolumes.

use rstest::rstest;
use serde_json::{Value, json};
use vmdisk_policy::cluster::{Cause, Kind};

use crate::common::*;
use crate::founding::{disk, refused_csi_clone};

/// What an edit of a VMDisk comes to, where its DataVolume does not exist.
#[track_caller]
fn edit(old: &Manifest, new: &Manifest, expected: &Decision) -> Judged {
    World::founding().decides(&new.update_of(old), &expected.clone().of_update())
}

#[track_caller]
fn is_no_change(old: &Manifest, new: &Manifest) {
    assert_eq!(edit(old, new, &accepted()).calls, []);
    assert_eq!(edit(new, old, &accepted()).calls, []);
}

#[test]
fn the_chart_turns_a_vm_disk_into_a_data_volume_of_its_name_with_a_prefix_in_the_same_namespace() {
    let judged = World::founding().judge(&disk().create());
    assert_eq!(judged.lookups()[0], format!("DataVolume {NAMESPACE}/vm-disk-disk"));
}

#[test]
fn storage_class_absent_or_null_means_the_charts_default() {
    let absent = vm_disk("disk").image("ubuntu");
    let null = absent.clone().at_null(&["spec", "storageClass"]);
    for manifest in [&absent, &null] {
        let judged = World::founding().decides(&manifest.create(), &accepted().strategy("csi-clone"));
        assert!(judged.lookups().contains(&"StorageClass replicated".to_owned()));
    }
    is_no_change(&absent.clone().class("replicated"), &absent);
    is_no_change(&absent.clone().class("replicated"), &null);
}

#[test]
fn the_empty_string_means_the_clusters_default_class() {
    edit(&disk().class("replicated"), &disk().class(""), &refused(&["StorageClassChanged"]));
    is_no_change(&disk().class(""), &disk().class(""));
    let default = mk_storage_class("local").linstor().annotation(KUBERNETES_DEFAULT, "true");
    World::founding().with(default).decides(&disk().class("").create(), &refused_csi_clone());
}

#[rstest]
#[case(Value::Null)]
#[case(json!({}))]
#[case(json!({"image": null}))]
#[case(json!({"image": null, "http": null}))]
fn source_absent_null_or_empty_is_a_blank_disk_and_a_key_with_a_null_value_counts_as_absent(#[case] source: Value) {
    let blank = vm_disk("disk").source(source);
    let judged = World::founding().decides(&blank.create(), &accepted());
    assert_eq!(judged.calls.len(), 2);
    is_no_change(&vm_disk("disk"), &blank);
    is_no_change(&vm_disk("disk").at_null(&["spec", "source"]), &blank);
}

#[test]
fn a_null_key_beside_a_source_is_no_second_source() {
    let with_null = disk().source(json!({"image": {"name": "ubuntu"}, "http": null}));
    World::founding().decides(&with_null.create(), &refused_csi_clone());
    is_no_change(&disk(), &with_null);
}

#[test]
fn more_than_one_key_is_refused() {
    let two = vm_disk("disk").source(json!({"image": {"name": "ubuntu"}, "upload": {}}));
    let judged = World::founding().decides(&two.create(), &refused(&["MultipleSources"]));
    assert!(judged.message().contains("image, upload"), "{}", judged.message());
    assert_eq!(judged.calls.len(), 2);
}

#[test]
fn multiple_sources_are_refused_on_an_update_that_changes_the_source() {
    let two = disk().source(json!({"image": {"name": "ubuntu"}, "upload": {}}));
    edit(&disk(), &two, &refused(&["MultipleSources", "SourceChanged"]));
}

#[test]
fn multiple_sources_that_are_stored_already_do_not_block_another_edit() {
    let two = disk().source(json!({"image": {"name": "ubuntu"}, "upload": {}}));
    is_no_change(&two, &two.clone().storage("20Gi").at(&["metadata", "labels", "a"], "b").storage("10Gi"));
}

#[test]
fn an_unknown_single_key_passes_with_a_warning() {
    let unknown = vm_disk("disk").source(json!({"registry": {"url": "docker://example.org/a?token=secret"}}));
    let judged = World::founding().decides(&unknown.create(), &accepted().warns(&["UnknownSource"]));
    assert!(judged.warning().contains("\"registry\""), "{}", judged.warning());
    assert!(!judged.warning().contains("secret"), "{}", judged.warning());
}

#[test]
fn where_it_cannot_be_told_whether_the_disk_exists_the_unknown_source_is_not_passed_over_in_silence() {
    let unknown = vm_disk("disk").source(json!({"registry": {"url": "docker://example.org/a"}})).create();
    let world = World::founding().failing(Kind::PersistentVolumeClaim, Cause::Forbidden);
    world.decides(&unknown, &accepted().warns(&["LookupFailed"]));
}

#[rstest]
#[case(json!({"image": {"name": "ubuntu"}}), "cozy-public/vm-default-images-ubuntu")]
#[case(json!({"disk": {"name": "other"}}), "tenant-root/vm-disk-other")]
#[case(json!({"pvc": {"name": "other"}}), "tenant-root/other")]
fn image_disk_and_pvc_name_their_claims(#[case] source: Value, #[case] claim: &str) {
    let judged = World::founding().judge(&vm_disk("disk").source(source).create());
    assert!(judged.lookups().contains(&format!("PersistentVolumeClaim {claim}")), "{:?}", judged.lookups());
}

#[test]
fn storage_absent_means_5gi() {
    let absent = disk().class("replicated").at(&["spec", "storage"], Value::Null);
    World::founding().decides(&absent.create(), &accepted().strategy("csi-clone"));
    let large = World::founding().with(golden().request("6Gi"));
    let judged = large
        .decides(&absent.create(), &accepted().warns(&["TargetTooSmall"]).fails("validate/TargetSmallerThanSource"));
    assert!(judged.warning().contains("5Gi") && judged.warning().contains("6Gi"), "{}", judged.warning());
    is_no_change(&disk().storage("5Gi"), &disk().at(&["spec", "storage"], Value::Null));
    let shrunk = disk().at(&["spec", "storage"], Value::Null);
    edit(&disk(), &shrunk, &accepted().warns(&["StorageShrunk"]));
}

#[test]
fn bind_immediately_absent_means_true() {
    let copies = World::founding().with(mk_cdi("copy"));
    for manifest in
        [disk(), disk().at(&["spec", "bindImmediately"], true), disk().at_null(&["spec", "bindImmediately"])]
    {
        copies.decides(
            &manifest.create(),
            &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy"),
        );
    }
}

#[test]
fn a_vm_disk_whose_bind_immediately_is_explicitly_false_is_at_its_intended_rest() {
    let waits = disk().at(&["spec", "bindImmediately"], false);
    World::founding()
        .with(mk_cdi("copy"))
        .decides(&waits.create(), &accepted().warns(&["HostAssistedCopy"]).strategy("copy"));
    let import =
        vm_disk("disk").http("https://example.org/a.img").class("local").at(&["spec", "bindImmediately"], false);
    let judged = World::founding().decides(&import.create(), &accepted());
    assert_eq!(judged.calls.len(), 2);
}

#[test]
fn prefixes_namespace_and_defaults_are_settings() {
    let world = World::founding()
        .setting(|settings| {
            let vm_disk = &mut settings.vm_disk;
            vm_disk.release_prefix = "pool-".into();
            vm_disk.image_namespace = "images".into();
            vm_disk.image_prefix = "golden-".into();
            vm_disk.default_storage_class = "local".into();
            vm_disk.default_storage = "1Gi".into();
        })
        .with(mk_claim("images", "golden-ubuntu").class("replicated").mode("Block").request("2Gi").capacity("2Gi"));
    let manifest = vm_disk("disk").image("ubuntu").at(&["spec", "storage"], Value::Null);
    let judged = world.decides(
        &manifest.create(),
        &refused(&["RemoteVolumeAccess"]).warns(&["TargetTooSmall"]).fails("validate/TargetSmallerThanSource"),
    );
    assert_eq!(judged.lookups()[0], "DataVolume tenant-root/pool-disk");
    assert!(judged.lookups().contains(&"PersistentVolumeClaim images/golden-ubuntu".to_owned()));
}

#[test]
fn the_cdi_resources_name_is_a_setting() {
    let mut other = mk_cdi("copy");
    other.meta.name = "other".to_owned();
    let world = World::founding().with(other).setting(|settings| settings.cdi_name = "other".into());
    let copies = accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy");
    world.decides(&disk().create(), &copies);
}

// ---- Edits

#[rstest]
#[case::another_image(disk().image("debian"), "image debian")]
#[case::blank(disk().source(json!({})), "no source")]
#[case::a_disk(disk().disk("other"), "disk other")]
#[case::a_claim(disk().source(json!({"pvc": {"name": "other"}})), "pvc other")]
#[case::an_import(disk().http("https://example.org/?X-Signature=secret"), "http")]
#[case::an_upload(disk().source(json!({"upload": {}})), "upload")]
fn a_source_that_an_update_changes_is_refused_by_kind_and_name_and_never_by_url(
    #[case] new: Manifest,
    #[case] words: &str,
) {
    let judged = edit(&disk(), &new, &refused(&["SourceChanged"]));
    assert!(judged.message().contains("it is image ubuntu"), "{}", judged.message());
    assert!(judged.message().contains(&format!("the request says {words}")), "{}", judged.message());
    assert!(!judged.message().contains("example.org") && !judged.message().contains("secret"));
}

#[test]
fn a_changed_url_is_refused_without_printing_either() {
    let judged =
        edit(&disk().http("https://a.example/1"), &disk().http("https://b.example/2"), &refused(&["SourceChanged"]));
    assert!(!judged.message().contains("example"), "{}", judged.message());
}

#[test]
fn a_class_that_an_update_changes_is_refused() {
    let judged = edit(&disk().class("replicated"), &disk(), &refused(&["StorageClassChanged"]));
    assert!(judged.message().contains("\"replicated\"") && judged.message().contains("\"local\""));
    edit(&disk(), &disk().at(&["spec", "storageClass"], Value::Null), &refused(&["StorageClassChanged"]));
}

#[test]
fn all_changes_of_an_edit_are_reported() {
    let new = disk().class("replicated").image("debian").storage("1Gi");
    edit(&disk(), &new, &refused(&["StorageClassChanged", "SourceChanged"]).warns(&["StorageShrunk"]));
}

#[rstest]
#[case("10Gi", "5Gi", true)]
#[case("10Gi", "10Gi", false)]
#[case("10Gi", "10240Mi", false)]
#[case("10Gi", "10G", true)]
#[case("10Gi", "11Gi", false)]
fn claims_never_shrink(#[case] old: &str, #[case] new: &str, #[case] shrinks: bool) {
    let expected = if shrinks { accepted().warns(&["StorageShrunk"]) } else { accepted() };
    let judged = edit(&disk().storage(old), &disk().storage(new), &expected);
    assert_eq!(judged.calls, []);
}

// ---- Healing

/// A DataVolume of the disk that was made in class `replicated` from the image ubuntu.
fn drifted(recorded: bool) -> World {
    let existing = mk_data_volume(NAMESPACE, "vm-disk-disk")
        .of_claim("cozy-public", "vm-default-images-ubuntu")
        .class("replicated");
    let existing = if recorded {
        existing.recorded_class("replicated").recorded_source(r#"{"image":{"name":"ubuntu"}}"#)
    } else {
        existing
    };
    World::founding().with(existing)
}

#[rstest]
#[case(true)]
#[case(false)]
fn an_edit_that_brings_a_drifted_vm_disk_back_to_exactly_what_its_data_volume_says_is_accepted_with_a_warning(
    #[case] recorded: bool,
) {
    let healed = accepted().warns(&["DriftHealed"]).of_update();
    let world = drifted(recorded);
    let right = disk().class("replicated");
    for old in [disk(), right.clone().image("debian"), disk().source(json!({}))] {
        let judged = world.decides(&right.update_of(&old), &healed);
        assert_eq!(judged.lookups(), [format!("DataVolume {NAMESPACE}/vm-disk-disk")]);
    }
}

#[rstest]
#[case(true)]
#[case(false)]
fn every_changed_field_must_equal_it_and_a_partial_healing_is_refused(#[case] recorded: bool) {
    let world = drifted(recorded);
    let old = disk().image("debian");
    let class = disk().class("replicated");
    let both = refused(&["StorageClassChanged", "SourceChanged"]).of_update();
    world.decides(&class.clone().image("fedora").update_of(&old), &both);
    world.decides(&disk().class("third").update_of(&old), &both);
    world.decides(&disk().class("third").update_of(&disk()), &refused(&["StorageClassChanged"]).of_update());
}

#[test]
fn where_that_data_volume_does_not_exist_the_edit_is_refused_as_usual() {
    let refusal = refused(&["StorageClassChanged"]).of_update();
    World::founding().decides(&disk().class("replicated").update_of(&disk()), &refusal);
}

#[rstest]
#[case("vm-default-images-ubuntu", true)]
#[case("vm-image-ubuntu", true)]
#[case("ubuntu", false)]
#[case("vm-default-images-ubuntu2", false)]
fn for_healing_an_image_equals_exactly_its_claim_under_the_present_or_the_older_prefix(
    #[case] claim: &str,
    #[case] heals: bool,
) {
    let world = World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk").of_claim("cozy-public", claim));
    let expected = if heals { accepted().warns(&["DriftHealed"]) } else { refused(&["SourceChanged"]) };
    world.decides(&disk().update_of(&disk().image("debian")), &expected.of_update());
}

// ---- DataVolumes

#[test]
fn a_data_volume_whose_spec_differs_semantically_is_refused_and_the_changed_paths_are_named() {
    let old = data_volume("disk").http("https://a.example/?sig=1").class("local");
    let new = old.clone().http("https://a.example/?sig=2").storage("20Gi");
    let judged = World::founding().decides(&new.update_of(&old), &refused(&["DataVolumeSpecChanged"]).of_update());
    for path in ["spec.source.http.url", "spec.storage.resources.requests.storage"] {
        assert!(judged.message().contains(path), "{}", judged.message());
    }
    assert!(!judged.message().contains("a.example"), "{}", judged.message());
    assert_eq!(judged.calls, []);
}

#[test]
fn what_is_a_pointer_in_cdis_types_is_present_when_it_is_empty() {
    let spec = |source: Value| data_volume("disk").source(source);
    let differs = |old: &Manifest, new: &Manifest| {
        World::founding().decides(&new.update_of(old), &refused(&["DataVolumeSpecChanged"]).of_update());
    };
    differs(&spec(json!({"blank": {}})), &spec(json!({"upload": {}})));
    differs(&spec(json!({"blank": {}})), &spec(json!({})));
    differs(&spec(json!({"blank": {}})).class(""), &spec(json!({"blank": {}})));
    let preallocation = spec(json!({"blank": {}})).at(&["spec", "preallocation"], false);
    differs(&preallocation, &spec(json!({"blank": {}})));
}

#[rstest]
#[case::a_checkpoint_more(json!({"vddk": {"url": "a"}}), "a", json!([{"current": "1"}, {"previous": "1", "current": "2"}]), true)]
#[case::imageio(json!({"imageio": {"url": "a"}}), "a", json!([{"current": "1"}, {"previous": "1", "current": "2"}]), true)]
#[case::none_left(json!({"vddk": {"url": "a"}}), "a", json!([]), false)]
#[case::http(json!({"http": {"url": "a"}}), "a", json!([{"current": "2"}]), false)]
#[case::another_url(json!({"vddk": {"url": "a"}}), "b", json!([{"current": "2"}]), false)]
fn a_checkpoint_update_of_a_vddk_or_imageio_source_is_excepted(
    #[case] source: Value,
    #[case] url: &str,
    #[case] checkpoints: Value,
    #[case] is_accepted: bool,
) {
    let old = data_volume("disk").source(source.clone()).at(&["spec", "checkpoints"], json!([{"current": "1"}]));
    let kind = source.as_object().unwrap().keys().next().unwrap().clone();
    let new = old
        .clone()
        .at(&["spec", "source", &kind, "url"], url)
        .at(&["spec", "checkpoints"], checkpoints)
        .at(&["spec", "finalCheckpoint"], true);
    let expected = if is_accepted { accepted() } else { refused(&["DataVolumeSpecChanged"]) };
    World::founding().decides(&new.update_of(&old), &expected.of_update());
}
