//! Every rule with every action, on a request that the rule has something to say of, all other rules off.
//!
//! `deny`: 403 with the reason word, a text that names the objects, and no word that makes Flux delete and re-create.
//! `warn`: accepted with a warning that fits. `off`: nothing, and no lookup that only this rule needs.

use rstest::rstest;
use serde_json::{Value, json};
use vmdisk_policy::cluster::{Kind, StorageClass};
use vmdisk_policy::settings::{Action, Rule};

use crate::common::*;
use crate::founding::{disk, rendered};

fn own_disk() -> World {
    let claim = mk_claim(NAMESPACE, "vm-disk-other").class("replicated").mode("Block").request("5Gi").capacity("5Gi");
    World::snapshotting().with(claim)
}

/// Both profiles name a VolumeSnapshotClass that does not exist.
fn gone(world: World) -> World {
    let gone = |class: &str| mk_profile(class).set(&["ReadWriteOnce"], "Block").snapshot_class("gone");
    world.with(gone("local")).with(gone("replicated"))
}

fn with_image(phase: &str, restarts: i128) -> World {
    let existing = mk_data_volume("cozy-public", "vm-default-images-ubuntu").phase(phase).restarts(restarts, true);
    World::founding().with(existing)
}

fn default_classes() -> World {
    let default = |class: StorageClass| class.annotation(KUBERNETES_DEFAULT, "true");
    World::founding()
        .with(default(mk_storage_class("local").linstor()))
        .with(default(mk_storage_class("replicated").linstor()))
}

fn snapshot() -> World {
    World::snapshotting()
        .with(mk_snapshot("cozy-public", "ubuntu", "vm-default-images-ubuntu"))
        .with(mk_snapshot_content("ubuntu-content", LINSTOR, "Block"))
}

/// A request that a rule has something to say of.
struct Trigger {
    rule: Rule,
    reason: &'static str,
    world: World,
    request: Value,
    /// What the refusal names.
    names: &'static [&'static str],
    /// The lookups that nothing but this rule needs.
    own_lookups: &'static [&'static str],
}

const IMAGE: &str = "cozy-public/vm-default-images-ubuntu";

#[rstest]
#[case::storage_class_changed(Trigger {
    rule: Rule::Immutability,
    reason: "StorageClassChanged",
    world: World::founding(),
    request: disk().class("replicated").update_of(&disk()),
    names: &["VMDisk tenant-root/disk", "\"local\"", "\"replicated\""],
    own_lookups: &["DataVolume tenant-root/vm-disk-disk"],
})]
#[case::storage_class_changed_over_an_existing_disk(Trigger {
    rule: Rule::Immutability,
    reason: "StorageClassChanged",
    world: World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk").recorded_class("replicated")),
    request: disk().create(),
    names: &["VMDisk tenant-root/disk", "DataVolume tenant-root/vm-disk-disk", "\"local\"", "\"replicated\""],
    own_lookups: &[],
})]
#[case::source_changed(Trigger {
    rule: Rule::Immutability,
    reason: "SourceChanged",
    world: World::founding(),
    request: disk().image("debian").update_of(&disk()),
    names: &["VMDisk tenant-root/disk", "image ubuntu", "image debian"],
    own_lookups: &["DataVolume tenant-root/vm-disk-disk"],
})]
#[case::source_changed_over_an_existing_disk(Trigger {
    rule: Rule::Immutability,
    reason: "SourceChanged",
    world: World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk").recorded_source("{}")),
    request: disk().create(),
    names: &["VMDisk tenant-root/disk", "DataVolume tenant-root/vm-disk-disk", "image ubuntu", "no source"],
    own_lookups: &[],
})]
#[case::data_volume_spec_changed(Trigger {
    rule: Rule::Immutability,
    reason: "DataVolumeSpecChanged",
    world: World::founding(),
    request: rendered().class("replicated").update_of(&rendered()),
    names: &["DataVolume tenant-root/vm-disk-disk", "spec.storage.storageClassName"],
    own_lookups: &[],
})]
#[case::multiple_sources(Trigger {
    rule: Rule::SingleSource,
    reason: "MultipleSources",
    world: World::founding(),
    request: disk().source(json!({"image": {"name": "ubuntu"}, "upload": {}})).create(),
    names: &["VMDisk tenant-root/disk", "image", "upload"],
    own_lookups: &[],
})]
#[case::remote_volume_access(Trigger {
    rule: Rule::RemoteVolumeAccess,
    reason: "RemoteVolumeAccess",
    world: World::founding(),
    request: disk().create(),
    names: &[IMAGE, "\"replicated\"", "\"local\"", LINSTOR],
    own_lookups: &[],
})]
#[case::remote_volume_access_where_the_plan_ends_early(Trigger {
    rule: Rule::RemoteVolumeAccess,
    reason: "RemoteVolumeAccess",
    world: World::founding().without(Kind::CdiConfig, "config"),
    request: disk().create(),
    names: &[IMAGE, "\"replicated\"", "\"local\"", LINSTOR],
    own_lookups: &["CDI cdi", "PersistentVolume pv-golden", "StorageProfile local"],
})]
#[case::remote_volume_access_own_disk(Trigger {
    rule: Rule::RemoteVolumeAccessOwnDisk,
    reason: "RemoteVolumeAccess",
    world: own_disk().with(mk_cdi("csi-clone")),
    request: disk().disk("other").create(),
    names: &["tenant-root/vm-disk-other", "\"replicated\"", "\"local\"", LINSTOR],
    own_lookups: &[],
})]
#[case::missing_snapshot_class(Trigger {
    rule: Rule::MissingSnapshotClass,
    reason: "SnapshotClassMissing",
    world: gone(World::snapshotting()),
    request: disk().create(),
    names: &[IMAGE, "\"gone\"", "\"replicated\" and \"local\"", LINSTOR],
    own_lookups: &[],
})]
#[case::snapshot_plan_of_an_own_disk(Trigger {
    rule: Rule::SnapshotPlan,
    reason: "SnapshotPlanFails",
    world: gone(own_disk()),
    request: disk().disk("other").create(),
    names: &["tenant-root/vm-disk-other", "\"gone\"", "\"replicated\" and \"local\""],
    own_lookups: &[],
})]
#[case::snapshot_plan(Trigger {
    rule: Rule::SnapshotPlan,
    reason: "SnapshotPlanFails",
    world: World::snapshotting().with(mk_profile("local").set(&["ReadWriteOnce"], "Block").snapshot_class("gone")),
    request: disk().create(),
    names: &[IMAGE, "\"gone\"", "\"local\""],
    own_lookups: &[],
})]
#[case::host_assisted_copy(Trigger {
    rule: Rule::HostAssistedCopy,
    reason: "HostAssistedCopy",
    world: World::founding().with(mk_cdi("copy")),
    request: disk().create(),
    names: &[IMAGE, "\"local\"", "cloneStrategyOverride of CDI \"cdi\""],
    own_lookups: &[],
})]
#[case::host_assisted_copy_of_another_driver(Trigger {
    rule: Rule::HostAssistedCopy,
    reason: "HostAssistedCopy",
    world: World::founding().with(mk_storage_class("local").provisioner(CEPH)).with(mk_csi_driver(CEPH)),
    request: rendered().create(),
    names: &[IMAGE, "\"local\"", "Provisioners are incompatible"],
    own_lookups: &[],
})]
#[case::source_missing(Trigger {
    rule: Rule::SourceMissing,
    reason: "SourceMissing",
    world: World::founding(),
    request: disk().image("none").create(),
    names: &["PersistentVolumeClaim cozy-public/vm-default-images-none"],
    own_lookups: &[],
})]
#[case::source_missing_snapshot(Trigger {
    rule: Rule::SourceMissing,
    reason: "SourceMissing",
    world: World::founding(),
    request: rendered().snapshot("cozy-public", "none").create(),
    names: &["VolumeSnapshot cozy-public/none"],
    own_lookups: &[],
})]
#[case::source_missing_data_source(Trigger {
    rule: Rule::SourceMissing,
    reason: "SourceMissing",
    world: World::founding(),
    request: rendered().source_ref("cozy-public", "none").create(),
    names: &["DataSource cozy-public/none"],
    own_lookups: &[],
})]
#[case::source_failed(Trigger {
    rule: Rule::SourceFailed,
    reason: "SourceFailed",
    world: with_image("Failed", 0),
    request: disk().create(),
    names: &["DataVolume cozy-public/vm-default-images-ubuntu"],
    own_lookups: &["DataVolume cozy-public/vm-default-images-ubuntu"],
})]
#[case::source_stuck(Trigger {
    rule: Rule::SourceFailed,
    reason: "SourceStuck",
    world: with_image("ImportInProgress", 3),
    request: rendered().create(),
    names: &["DataVolume cozy-public/vm-default-images-ubuntu", "3 restarts"],
    own_lookups: &["DataVolume cozy-public/vm-default-images-ubuntu"],
})]
#[case::unknown_source(Trigger {
    rule: Rule::UnknownSource,
    reason: "UnknownSource",
    world: World::founding(),
    request: disk().source(json!({"tape": {"name": "a"}})).create(),
    names: &["VMDisk tenant-root/disk", "tape"],
    own_lookups: &[],
})]
#[case::target_too_small(Trigger {
    rule: Rule::TargetTooSmall,
    reason: "TargetTooSmall",
    world: World::founding(),
    request: disk().storage("1Gi").create(),
    names: &[IMAGE, "1Gi", "5Gi"],
    own_lookups: &[],
})]
#[case::storage_class_missing(Trigger {
    rule: Rule::ClonePlan,
    reason: "StorageClassMissing",
    world: World::founding(),
    request: disk().class("none").create(),
    names: &["StorageClass \"none\""],
    own_lookups: &[],
})]
#[case::clone_plan_fails(Trigger {
    rule: Rule::ClonePlan,
    reason: "ClonePlanFails",
    world: World::founding().without(Kind::Cdi, "cdi"),
    request: disk().create(),
    names: &[IMAGE, "\"local\"", "\"cdi\""],
    own_lookups: &[],
})]
#[case::no_claim_properties(Trigger {
    rule: Rule::NoClaimProperties,
    reason: "NoClaimProperties",
    world: World::founding().with(mk_profile("local")),
    request: disk().create(),
    names: &["StorageProfile \"local\""],
    own_lookups: &[],
})]
#[case::ambiguous_default_class(Trigger {
    rule: Rule::DefaultClass,
    reason: "AmbiguousDefaultClass",
    world: default_classes(),
    request: disk().class("").create(),
    names: &["\"local\", \"replicated\"", KUBERNETES_DEFAULT],
    own_lookups: &[],
})]
#[case::no_default_class(Trigger {
    rule: Rule::DefaultClass,
    reason: "NoDefaultClass",
    world: World::founding(),
    request: disk().class("").create(),
    names: &[KUBERNETES_DEFAULT],
    own_lookups: &[],
})]
#[case::waits_for_first_consumer(Trigger {
    rule: Rule::FirstConsumer,
    reason: "WaitsForFirstConsumer",
    world: World::founding(),
    request: data_volume("disk").http("https://example.org/?secret").class("local").create(),
    names: &["DataVolume tenant-root/disk", "\"local\""],
    own_lookups: &["PersistentVolumeClaim tenant-root/disk", "StorageClass local", "CDIConfig config"],
})]
#[case::bound_to_worker_node(Trigger {
    rule: Rule::FirstConsumer,
    reason: "BoundToWorkerNode",
    world: World::founding(),
    request: disk().http("https://example.org/?secret").create(),
    names: &["VMDisk tenant-root/disk", "\"local\"", "bindImmediately: false"],
    own_lookups: &["StorageClass local", "CDIConfig config"],
})]
#[case::bound_to_worker_node_by_a_copy(Trigger {
    rule: Rule::FirstConsumer,
    reason: "BoundToWorkerNode",
    world: World::founding().with(mk_cdi("copy")),
    request: rendered().create(),
    names: &["DataVolume tenant-root/vm-disk-disk", "\"local\""],
    own_lookups: &[],
})]
#[case::snapshot_source_access(Trigger {
    rule: Rule::SnapshotSourceAccess,
    reason: "RemoteVolumeAccess",
    world: snapshot(),
    request: rendered().snapshot("cozy-public", "ubuntu").create(),
    names: &["VolumeSnapshot cozy-public/ubuntu", "\"replicated\"", "\"local\"", LINSTOR],
    own_lookups: &["PersistentVolumeClaim cozy-public/vm-default-images-ubuntu"],
})]
#[case::template_change_ignored(Trigger {
    rule: Rule::VmTemplates,
    reason: "TemplateChangeIgnored",
    world: World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk")),
    request: virtual_machine("vm", &[rendered().class("other")]).update_of(&virtual_machine("vm", &[rendered()])),
    names: &["template \"vm-disk-disk\"", "DataVolume tenant-root/vm-disk-disk"],
    own_lookups: &[],
})]
#[case::shrink(Trigger {
    rule: Rule::Shrink,
    reason: "StorageShrunk",
    world: World::founding(),
    request: disk().storage("5Gi").update_of(&disk()),
    names: &["VMDisk tenant-root/disk", "10Gi", "5Gi"],
    own_lookups: &[],
})]
fn every_rule_does_as_its_action_says(#[case] trigger: Trigger) {
    let Trigger { rule, reason, world, request, names, own_lookups } = trigger;
    let world = Rule::ALL.into_iter().fold(world, |world, rule| world.action(rule, Action::Off));
    let judged = |action| world.clone().action(rule, action).judge(&request);

    let denied = judged(Action::Deny);
    assert_eq!(denied.decision().refusal_code(), Some(403), "{denied:#?}");
    assert_eq!((denied.decision().refusals(), denied.decision().warnings()), (&[reason.to_owned()][..], &[][..]));
    let message = denied.message();
    assert!(message.starts_with(&format!("[{reason}] ")), "{message}");
    for name in names {
        assert!(message.contains(name), "{name} is missing in: {message}");
    }
    assert_flux_leaves_it_alone(message);
    assert!(!message.contains("example.org"), "a URL is printed: {message}");

    let warned = judged(Action::Warn);
    assert_eq!(warned.verdict.refusal, None);
    assert!(warned.warning().starts_with(&format!("[{reason}] ")), "{}", warned.warning());
    assert!(warned.warning().len() <= 256, "{}", warned.warning());
    assert!(!warned.warning().contains("example.org"), "a URL is printed: {}", warned.warning());
    assert_eq!(warned.verdict.annotations, denied.verdict.annotations);
    assert_eq!(warned.calls, denied.calls);

    let off = judged(Action::Off);
    assert_eq!((&off.verdict.refusal, off.verdict.warnings.as_slice()), (&None, &[][..]));
    let own: Vec<_> = warned.lookups().into_iter().filter(|lookup| !off.lookups().contains(lookup)).collect();
    assert_eq!(own, own_lookups);
    assert_eq!(off.calls.len(), warned.calls.len() - own.len(), "{:?}", off.lookups());
    let mut annotations = warned.verdict.annotations;
    annotations.retain(|(key, _)| *key != "reasons");
    assert_eq!(off.verdict.annotations, annotations);
}

/// Flux in force mode deletes and re-creates an object on such a text.
#[track_caller]
fn assert_flux_leaves_it_alone(message: &str) {
    let lower = message.to_lowercase();
    for words in ["is immutable", "immutable field", "field is immutable"] {
        assert!(!lower.contains(words), "{words}: {message}");
    }
}

#[test]
fn with_every_rule_on_deny_all_findings_are_refusals_and_flux_leaves_them_alone() {
    let world = Rule::ALL.into_iter().fold(World::founding(), |world, rule| world.action(rule, Action::Deny));
    let world = world
        .with(golden().request("100Gi"))
        .with(mk_data_volume("cozy-public", "vm-default-images-ubuntu").phase("Failed"));
    let judged = world.decides(
        &disk().create(),
        &refused(&["RemoteVolumeAccess", "SourceFailed", "TargetTooSmall"]).fails("validate/TargetSmallerThanSource"),
    );
    assert_flux_leaves_it_alone(judged.message());
}

#[test]
fn with_every_rule_off_nothing_is_said_and_the_prediction_is_still_annotated() {
    let world = Rule::ALL.into_iter().fold(World::founding(), |world, rule| world.action(rule, Action::Off));
    for request in [disk().create(), rendered().create()] {
        world.decides(&request, &accepted().strategy("csi-clone"));
    }
    world.decides(&disk().class("replicated").update_of(&disk()), &accepted());
}
