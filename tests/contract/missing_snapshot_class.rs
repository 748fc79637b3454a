//! The paragraph on `missingSnapshotClass`.

use rstest::rstest;
use vmdisk_policy::cluster::{Kind, StorageProfile};
use vmdisk_policy::settings::{Action, Rule};

use crate::common::*;
use crate::founding::{both, both_are, both_into, rendered};

/// A profile that names a VolumeSnapshotClass; none where it is empty.
fn names(class: &str, snapshot_class: &str) -> StorageProfile {
    let profile = mk_profile(class).set(&["ReadWriteOnce"], "Block");
    if snapshot_class.is_empty() { profile } else { profile.snapshot_class(snapshot_class) }
}

/// Both profiles name `gone`; another class of the driver exists.
fn gone() -> World {
    World::snapshotting().with(names("replicated", "gone")).with(names("local", "gone"))
}

fn refused_missing() -> Decision {
    refused(&["SnapshotClassMissing"]).fails("choose/SnapshotClassNotFound")
}

#[test]
fn refuse_when_the_strategy_is_snapshot_and_both_profiles_name_the_same_class_which_does_not_exist() {
    for request in both() {
        let judged = gone().decides(&request, &refused_missing());
        for part in [
            "cozy-public/vm-default-images-ubuntu",
            "VolumeSnapshotClass \"gone\"",
            "StorageProfiles \"replicated\" and \"local\"",
            LINSTOR,
            "strategy snapshot, CDI's default",
            "cloneStrategyOverride: copy",
        ] {
            assert!(judged.message().contains(part), "{part} is missing in: {}", judged.message());
        }
    }
}

#[test]
fn cdi_then_errors_for_ever_instead_of_falling_back() {
    let judged = gone().judge(&both()[0]);
    assert!(judged.message().contains("fail planning again and again instead of copying"), "{}", judged.message());
}

#[rstest]
#[case::override_snapshot("snapshot", None, true)]
#[case::override_csi_clone("csi-clone", Some("snapshot"), false)]
#[case::override_copy("copy", Some("snapshot"), false)]
#[case::profile_snapshot("", Some("snapshot"), true)]
#[case::profile_copy("", Some("copy"), false)]
#[case::default("", None, true)]
fn the_strategy_is_snapshot_by_override_else_target_profile_else_default(
    #[case] strategy_override: &str,
    #[case] profile: Option<&str>,
    #[case] is_missing: bool,
) {
    let local = names("local", "gone");
    let local = profile.map_or(local.clone(), |strategy| local.strategy(strategy));
    let world = gone().with(mk_cdi(strategy_override)).with(local);
    for request in both() {
        let decision = world.judge(&request).decision();
        assert_eq!(decision.refusals() == ["SnapshotClassMissing"], is_missing, "{decision:?}");
    }
}

#[test]
fn a_preset_clone_type_counts_as_the_strategy() {
    let request = rendered().annotation("cdi.kubevirt.io/cloneType", "snapshot").create();
    let world = gone().with(mk_cdi("csi-clone"));
    world.decides(&request, &refused(&["SnapshotClassMissing"]).fails("plan/SnapshotClassNotFound"));
    let request = rendered().annotation("cdi.kubevirt.io/cloneType", "copy").create();
    gone().decides(&request, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy"));
}

#[test]
fn use_populator_false_makes_it_copy() {
    let request = rendered().annotation("cdi.kubevirt.io/storage.usePopulator", "false").create();
    gone().decides(&request, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy"));
}

#[rstest]
#[case("gone", "", false)]
#[case("", "gone", false)]
#[case("gone", "gone-too", false)]
#[case("gone", "gone", true)]
fn the_storage_profiles_of_the_sources_and_the_targets_class_name_the_same_class(
    #[case] source: &str,
    #[case] target: &str,
    #[case] is_missing: bool,
) {
    let world = World::snapshotting().with(names("replicated", source)).with(names("local", target));
    for request in both() {
        let decision = world.judge(&request).decision();
        assert_eq!(decision.refusals() == ["SnapshotClassMissing"], is_missing, "{decision:?}");
    }
}

#[test]
fn a_class_that_exists_is_not_missing() {
    both_are(
        &gone().with(mk_snapshot_class("gone", CEPH)),
        &accepted()
            .warns(&["BoundToWorkerNode", "HostAssistedCopy"])
            .fallback("No compatible volumesnapshotclass found"),
    );
    both_are(&gone().with(mk_snapshot_class("gone", LINSTOR)), &refused(&["RemoteVolumeAccess"]).strategy("snapshot"));
}

#[test]
fn the_sources_driver_is_the_target_classs_provisioner() {
    let ceph = mk_volume("pv-golden").of_claim("cozy-public", "vm-default-images-ubuntu").csi(CEPH);
    both_are(
        &gone().with(ceph),
        &accepted()
            .warns(&["BoundToWorkerNode", "HostAssistedCopy"])
            .fallback("No compatible volumesnapshotclass found"),
    );
    // CDI fails there for another reason, before it looks for the class.
    let others = mk_volume("pv-golden").of_claim("cozy-public", "another").csi(LINSTOR);
    both_are(&gone().with(others), &accepted().warns(&["ClonePlanFails"]).fails("choose/PVClaimRefMismatch"));
}

#[test]
fn whatever_the_driver() {
    let ceph = |name| mk_storage_class(name).provisioner(CEPH).expanding(true);
    let world = gone()
        .with(ceph("replicated"))
        .with(ceph("local"))
        .with(mk_csi_driver(CEPH))
        .with(mk_volume("pv-golden").of_claim("cozy-public", "vm-default-images-ubuntu").csi(CEPH));
    both_are(&world, &refused_missing());
}

#[test]
fn and_also_within_one_class() {
    for request in both_into("replicated") {
        let judged = gone().decides(&request, &refused_missing());
        assert!(judged.message().contains("StorageProfile \"replicated\" names"), "{}", judged.message());
    }
}

#[test]
fn the_source_claim_must_exist() {
    let world = gone().without(Kind::PersistentVolumeClaim, "vm-default-images-ubuntu");
    both_are(&world, &accepted().warns(&["SourceMissing"]).strategy("waits"));
}

#[test]
fn the_cdi_resource_must_exist() {
    let world = gone().without(Kind::Cdi, "cdi");
    both_are(&world, &accepted().warns(&["ClonePlanFails"]).fails("choose/NoActiveCDI"));
}

#[test]
fn the_target_class_must_exist() {
    let world = gone().without(Kind::StorageClass, "local");
    both_are(&world, &accepted().warns(&["StorageClassMissing"]).fails("render/NoStorageClassForRendering"));
}

#[test]
fn a_kind_that_is_not_served_is_not_a_missing_class() {
    let world = gone().not_served(Kind::VolumeSnapshotClass);
    both_are(
        &world,
        &accepted()
            .warns(&["BoundToWorkerNode", "HostAssistedCopy"])
            .fallback("No compatible volumesnapshotclass found"),
    );
}

#[test]
fn cdi_config_csi_driver_sizes_and_capacity_play_no_part_here_either() {
    let mut bare = golden().unbound();
    bare.request = None;
    let worlds = [
        gone().without(Kind::CdiConfig, "config"),
        gone().without(Kind::CsiDriver, LINSTOR),
        gone().with(bare),
        gone().with(golden().request("1Ti")),
    ];
    for world in worlds {
        for request in both() {
            assert_eq!(world.judge(&request).decision().refusals(), ["SnapshotClassMissing"]);
        }
    }
}

#[test]
fn volume_modes_play_no_part_as_cdi_compares_them_later() {
    let filesystem = mk_profile("local").set(&["ReadWriteOnce"], "Filesystem").snapshot_class("gone");
    both_are(&gone().with(filesystem), &refused_missing());
}

#[test]
fn for_an_own_disk_it_is_snapshot_plan_fails() {
    let claim = mk_claim(NAMESPACE, "vm-disk-other").class("replicated").mode("Block").request("5Gi").capacity("5Gi");
    let world = gone().with(claim);
    let request = rendered().claim(NAMESPACE, "vm-disk-other").create();
    world.decides(&request, &accepted().warns(&["SnapshotPlanFails"]).fails("choose/SnapshotClassNotFound"));
}

#[test]
fn in_any_other_way_a_failing_plan_is_snapshot_plan_fails() {
    // Only the target's profile names it: CDI chooses with another class of the driver, then fails to plan.
    let world = World::snapshotting().with(names("local", "gone"));
    let world = world.with(mk_storage_class("local").linstor().parameter("allowRemoteVolumeAccess", "true"));
    both_are(&world, &accepted().warns(&["SnapshotPlanFails"]).fails("plan/SnapshotClassNotFound"));
    let foreign = world.with(names("local", "ceph-snapshots")).with(mk_snapshot_class("ceph-snapshots", CEPH));
    both_are(&foreign, &accepted().warns(&["SnapshotPlanFails"]).fails("plan/PlanNoSnapshotClass"));
}

#[test]
fn where_the_rule_is_off_the_annotation_still_tells() {
    let world = gone().action(Rule::MissingSnapshotClass, Action::Off);
    both_are(&world, &accepted().fails("choose/SnapshotClassNotFound"));
}

#[test]
fn a_source_without_a_class_counts_as_one_of_the_kubernetes_default_here() {
    let mut unnamed = golden();
    unnamed.storage_class_name = None;
    let world = gone().with(unnamed);
    both_are(
        &world,
        &accepted()
            .strategy("fails")
            .annotated("clone-error", "plan/SnapshotClassNotFound")
            .warns(&["SnapshotPlanFails"]),
    );
    let default = mk_storage_class("replicated").linstor().annotation(KUBERNETES_DEFAULT, "true");
    both_are(&world.with(default), &refused_missing());
}
