//! "Comparing a VMDisk with its existing DataVolume": a CREATE over a disk that exists.

use rstest::rstest;
use serde_json::{Value, json};
use vmdisk_policy::cluster::{ExistingDataVolume, RecordedSource};

use crate::common::*;
use crate::founding::disk;

fn existing() -> ExistingDataVolume {
    mk_data_volume(NAMESPACE, "vm-disk-disk")
}

fn http(fields: &[(&str, &str)]) -> RecordedSource {
    RecordedSource::Http(fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
}

#[track_caller]
fn over(existing: ExistingDataVolume, disk: &Manifest, expected: &Decision) -> Judged {
    World::founding().with(existing).decides(&disk.create(), expected)
}

fn class_changed() -> Decision {
    refused(&["StorageClassChanged"])
}

fn source_changed() -> Decision {
    refused(&["SourceChanged"])
}

#[rstest]
#[case("replicated", Some("other"), true)]
#[case("replicated", Some(""), true)]
#[case("", Some("replicated"), true)]
#[case("", Some(""), false)]
#[case("replicated", Some("replicated"), false)]
#[case("replicated", None, false)]
#[case("local", None, true)]
fn the_class_is_compared_against_the_annotation_key_presence_an_empty_value_is_a_record_too(
    #[case] recorded: &str,
    #[case] class: Option<&str>,
    #[case] is_refused: bool,
) {
    let disk = vm_disk("disk").image("ubuntu");
    let disk = class.map_or(disk.clone(), |class| disk.class(class));
    over(existing().recorded_class(recorded), &disk, &if is_refused { class_changed() } else { accepted() });
}

#[test]
fn without_the_annotation_the_class_is_not_compared_neither_with_the_spec_nor_with_the_pvc() {
    over(existing().class("replicated"), &disk().class("other"), &accepted());
    let world = World::founding().with(existing()).with(mk_claim(NAMESPACE, "vm-disk-disk").class("replicated"));
    world.decides(&disk().class("other").create(), &accepted());
}

#[rstest]
#[case(r#"{"image":{"name":"ubuntu"}}"#, json!({"image": {"name": "ubuntu"}}), false)]
#[case(r#"{"image":{"name":"ubuntu"}, "http": null}"#, json!({"image": {"name": "ubuntu"}}), false)]
#[case(r#"{"image":{"name":"ubuntu"}}"#, json!({"image": {"name": "debian"}}), true)]
#[case(r#"{"image":{"name":"ubuntu"}}"#, json!({}), true)]
#[case(r#"{}"#, json!({}), false)]
#[case(r#"null"#, json!({}), false)]
#[case(r#"{}"#, json!({"upload": {}}), true)]
#[case(r#"{"http":{"url":"a","secretExtraHeaders":["x"]}}"#, json!({"http": {"secretExtraHeaders": ["x"], "url": "a"}}), false)]
#[case(r#"{"http":{"url":"a","secretExtraHeaders":["x"]}}"#, json!({"http": {"url": "a"}}), true)]
#[case(r#"{"http":{"url":"a","other":"x"}}"#, json!({"http": {"url": "a", "other": "y"}}), true)]
fn the_source_is_compared_against_its_annotation_as_a_value_all_its_http_keys_included(
    #[case] recorded: &str,
    #[case] source: Value,
    #[case] is_refused: bool,
) {
    // The spec says something else: the annotation comes first.
    let existing = existing().of_claim(NAMESPACE, "vm-disk-other").recorded_source(recorded);
    over(existing, &vm_disk("disk").source(source), &if is_refused { source_changed() } else { accepted() });
}

#[rstest]
#[case::blank(RecordedSource::Blank, json!({}), false)]
#[case::blank_now_upload(RecordedSource::Blank, json!({"upload": {}}), true)]
#[case::upload(RecordedSource::Upload, json!({"upload": {}}), false)]
#[case::upload_now_blank(RecordedSource::Upload, json!({}), true)]
#[case::http(http(&[("url", "a")]), json!({"http": {"url": "a"}}), false)]
#[case::http_another_url(http(&[("url", "a")]), json!({"http": {"url": "b"}}), true)]
#[case::http_now_image(http(&[("url", "a")]), json!({"image": {"name": "ubuntu"}}), true)]
#[case::own_disk(
    RecordedSource::Claim { namespace: NAMESPACE.into(), name: "vm-disk-other".into() }, json!({"disk": {"name": "other"}}), false
)]
#[case::own_disk_without_namespace(
    RecordedSource::Claim { namespace: String::new(), name: "vm-disk-other".into() }, json!({"disk": {"name": "other"}}), false
)]
#[case::another_own_disk(
    RecordedSource::Claim { namespace: NAMESPACE.into(), name: "vm-disk-other".into() }, json!({"disk": {"name": "third"}}), true
)]
fn without_it_against_spec_source_where_that_has_the_shape_the_chart_makes(
    #[case] source: RecordedSource,
    #[case] asked: Value,
    #[case] is_refused: bool,
) {
    let disk = vm_disk("disk").source(asked);
    over(existing().source(source), &disk, &if is_refused { source_changed() } else { accepted() });
}

#[rstest]
#[case("vm-image-ubuntu", "debian")]
#[case("vm-image-ubuntu", "ubuntu")]
#[case("vm-default-images-ubuntu", "debian")]
#[case("anything", "debian")]
fn an_image_against_an_image_is_not_compared_there(#[case] claim: &str, #[case] image: &str) {
    over(existing().of_claim("cozy-public", claim), &disk().image(image), &accepted());
}

#[test]
fn an_image_against_anything_else_or_the_reverse_is_a_change() {
    let image = || existing().of_claim("cozy-public", "vm-image-ubuntu");
    for disk in [vm_disk("disk"), disk().disk("other"), disk().http("a"), disk().source(json!({"upload": {}}))] {
        over(image(), &disk, &source_changed());
    }
    for source in [RecordedSource::Blank, RecordedSource::Upload, http(&[("url", "a")])] {
        over(existing().source(source), &disk(), &source_changed());
    }
    over(existing().of_claim(NAMESPACE, "vm-disk-other"), &disk(), &source_changed());
}

#[test]
fn source_ref_a_claim_elsewhere_a_null_or_scalar_body_and_other_keys_are_left_alone() {
    for source in [
        RecordedSource::Other,
        RecordedSource::Claim { namespace: "tenant-other".into(), name: "any".into() },
        RecordedSource::Claim { namespace: NAMESPACE.into(), name: "any".into() },
    ] {
        for disk in [vm_disk("disk"), disk(), disk().disk("other"), disk().http("a")] {
            over(existing().source(source.clone()), &disk, &accepted());
        }
    }
}

#[test]
fn a_pvc_without_its_data_volume_says_nothing_about_either() {
    let claim = mk_claim(NAMESPACE, "vm-disk-disk").class("replicated");
    let claim = claim.annotation("vm-disk.cozystack.io/storage-class", "replicated");
    World::founding().with(claim).decides(&disk().create(), &accepted());
}

#[test]
fn a_create_over_a_disk_with_another_class_and_source_reports_both() {
    let existing = existing().recorded_class("replicated").recorded_source(r#"{"image":{"name":"debian"}}"#);
    let judged = over(existing, &disk(), &refused(&["StorageClassChanged", "SourceChanged"]));
    assert!(judged.message().contains("DataVolume tenant-root/vm-disk-disk exists already"), "{}", judged.message());
    assert_eq!(judged.calls.len(), 2);
}

#[test]
fn more_than_one_source_is_refused_over_an_existing_disk_too() {
    let two = disk().source(json!({"image": {"name": "ubuntu"}, "upload": {}}));
    let existing = existing().of_claim("cozy-public", "vm-image-ubuntu").recorded_class("local");
    over(existing, &two, &refused(&["MultipleSources"]));
}

#[test]
fn a_recorded_source_that_is_no_json_says_nothing() {
    for recorded in ["", "{", "image", "[]"] {
        over(existing().recorded_source(recorded), &disk(), &accepted());
    }
}
