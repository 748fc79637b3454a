//! The paragraphs on `remoteVolumeAccess`.

use rstest::rstest;
use vmdisk_policy::cluster::{Kind, StorageClass};
use vmdisk_policy::settings::{Action, Rule};

use crate::common::*;
use crate::founding::{both, both_are, both_into, disk, refused_csi_clone, refused_snapshot, rendered};

const NO_SNAPSHOT_CLASS: &str = "No compatible volumesnapshotclass found";
const OTHER_DRIVER: &str = "Provisioners are incompatible";
const OTHER_MODE: &str = "The volume modes of source and target are incompatible";

/// The target class with other parameters.
fn local_with(parameters: &[(&str, &str)]) -> StorageClass {
    let class = mk_storage_class("local").linstor().without_parameters();
    parameters.iter().fold(class, |class, (name, value)| class.parameter(name, value))
}

// ---- Refuse when all of these hold, each looked up

#[test]
fn refuse_when_all_of_these_hold() {
    for request in both() {
        let judged = World::founding().decides(&request, &refused_csi_clone());
        let message = judged.message();
        for part in [
            "cozy-public/vm-default-images-ubuntu",
            "StorageClass \"replicated\"",
            "StorageClass \"local\"",
            LINSTOR,
            "csi-clone",
            "cloneStrategyOverride of CDI \"cdi\"",
            "allowRemoteVolumeAccess: \"false\"",
            "Use StorageClass \"replicated\"",
            "cloneStrategyOverride: copy",
        ] {
            assert!(message.contains(part), "{part} is missing in: {message}");
        }
    }
}

#[test]
fn a_source_that_does_not_exist_is_not_compared() {
    let world = World::founding().without(Kind::PersistentVolumeClaim, "vm-default-images-ubuntu");
    both_are(&world, &accepted().warns(&["SourceMissing"]).strategy("waits"));
}

#[test]
fn without_the_cdi_resource_nothing_is_compared() {
    let world = World::founding().without(Kind::Cdi, "cdi");
    both_are(&world, &accepted().warns(&["ClonePlanFails"]).fails("choose/NoActiveCDI"));
    let world = World::founding().not_served(Kind::Cdi);
    both_are(&world, &accepted().warns(&["ClonePlanFails"]).fails("choose/NoActiveCDI"));
}

#[test]
fn a_target_class_that_does_not_exist_is_not_compared() {
    let world = World::founding().without(Kind::StorageClass, "local");
    both_are(&world, &accepted().warns(&["StorageClassMissing"]).fails("render/NoStorageClassForRendering"));
}

#[test]
fn a_source_that_is_no_claim_is_not_refused() {
    let world = World::snapshotting()
        .with(mk_snapshot("cozy-public", "ubuntu", "vm-default-images-ubuntu"))
        .with(mk_snapshot_content("ubuntu-content", LINSTOR, "Block"));
    let request = rendered().snapshot("cozy-public", "ubuntu").create();
    world.decides(&request, &accepted().warns(&["RemoteVolumeAccess"]).strategy("snapshot"));
}

// ---- CDI's choice

#[test]
fn the_choice_is_csi_clone() {
    both_are(&World::founding(), &refused_csi_clone());
}

#[test]
fn the_choice_is_snapshot_with_a_volume_snapshot_class_of_the_driver() {
    both_are(&World::snapshotting(), &refused_snapshot());
}

#[test]
fn the_choice_is_not_snapshot_without_a_volume_snapshot_class_of_the_driver() {
    let none = World::founding().with(mk_cdi("snapshot"));
    both_are(&none, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(NO_SNAPSHOT_CLASS));
    let other = none.with(mk_snapshot_class("ceph-snapshots", CEPH));
    both_are(&other, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(NO_SNAPSHOT_CLASS));
}

#[test]
fn a_cluster_that_knows_no_volume_snapshot_classes_copies() {
    let world = World::founding().with(mk_cdi("snapshot")).not_served(Kind::VolumeSnapshotClass);
    both_are(&world, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(NO_SNAPSHOT_CLASS));
}

#[test]
fn the_override_comes_before_the_target_profile() {
    let profile = |strategy| mk_profile("local").set(&["ReadWriteOnce"], "Block").strategy(strategy);
    both_are(&World::founding().with(profile("copy")), &refused_csi_clone());
    let world = World::founding().with(mk_cdi("copy")).with(profile("csi-clone"));
    both_are(&world, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy"));
}

#[test]
fn the_target_profile_comes_before_the_default() {
    let profile = |strategy| mk_profile("local").set(&["ReadWriteOnce"], "Block").strategy(strategy);
    both_are(&World::snapshotting().with(profile("csi-clone")), &refused_csi_clone());
    both_are(
        &World::snapshotting().with(profile("copy")),
        &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy"),
    );
}

#[test]
fn the_source_profile_plays_no_part_in_the_strategy() {
    let copies = mk_profile("replicated").set(&["ReadWriteMany"], "Block").strategy("copy");
    both_are(&World::snapshotting().with(copies), &refused_snapshot());
}

#[test]
fn the_default_is_snapshot() {
    for request in both() {
        let judged = World::snapshotting().decides(&request, &refused_snapshot());
        assert!(judged.message().contains("(strategy snapshot, CDI's default)"), "{}", judged.message());
    }
}

#[rstest]
#[case::both_name_one_of_the_driver(Some("linstor-snapshots"), Some("linstor-snapshots"), true)]
#[case::both_name_one_of_another_driver(Some("ceph-snapshots"), Some("ceph-snapshots"), false)]
#[case::only_the_source_names_one(Some("ceph-snapshots"), None, true)]
#[case::neither_names_one(None, None, true)]
fn the_snapshot_class_is_the_one_that_both_profiles_name_else_any_of_the_driver(
    #[case] source: Option<&str>,
    #[case] target: Option<&str>,
    #[case] is_refused: bool,
) {
    let named = |class: &str, name: Option<&str>| {
        let profile = mk_profile(class).set(&["ReadWriteOnce"], "Block");
        name.map_or(profile.clone(), |name| profile.snapshot_class(name))
    };
    let world = World::snapshotting()
        .with(mk_snapshot_class("ceph-snapshots", CEPH))
        .with(named("replicated", source))
        .with(named("local", target));
    let copies = accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(NO_SNAPSHOT_CLASS);
    both_are(&world, &if is_refused { refused_snapshot() } else { copies });
}

#[test]
fn a_class_that_only_the_target_profile_names_is_not_asked_of_the_choice() {
    // CDI chooses with any class of the driver, and fails with the named one only when it plans.
    let gone = mk_profile("local").set(&["ReadWriteOnce"], "Block").snapshot_class("gone");
    let world = World::snapshotting().with(gone);
    for request in both() {
        let judged = world.judge(&request);
        assert_eq!(judged.decision().refusals(), ["RemoteVolumeAccess"]);
        assert_eq!(judged.verdict.annotations[0], ("clone-error", "plan/SnapshotClassNotFound".to_owned()));
    }
}

#[rstest]
#[case::csi_clone("csi-clone", true)]
#[case::snapshot("snapshot", true)]
#[case::copy("copy", false)]
#[case::no_strategy("fast", false)]
fn a_preset_clone_type_is_the_choice_where_present(#[case] preset: &str, #[case] is_refused: bool) {
    for strategy_override in ["csi-clone", "copy", ""] {
        let world = World::snapshotting().with(mk_cdi(strategy_override));
        let request = rendered().annotation("cdi.kubevirt.io/cloneType", preset).create();
        let decision = world.judge(&request).decision();
        assert_eq!(decision.refusals() == ["RemoteVolumeAccess"], is_refused, "{decision:?}");
    }
}

#[rstest]
#[case("false", false)]
#[case("F", false)]
#[case("0", false)]
#[case("true", true)]
#[case("1", true)]
#[case::no_go_bool("no", true)]
#[case::empty("", true)]
fn use_populator_false_as_a_go_bool_makes_it_copy(#[case] value: &str, #[case] is_refused: bool) {
    for preset in [None, Some("csi-clone")] {
        let request = rendered().annotation("cdi.kubevirt.io/storage.usePopulator", value);
        let request =
            preset.map_or(request.clone(), |preset| request.annotation("cdi.kubevirt.io/cloneType", preset)).create();
        let decision = World::founding().judge(&request).decision();
        assert_eq!(decision.refusals() == ["RemoteVolumeAccess"], is_refused, "{decision:?}");
    }
}

// ---- One driver, LINSTOR's

#[test]
fn the_driver_of_the_source_is_that_of_its_volume_before_that_of_its_class() {
    let ceph = mk_storage_class("replicated").provisioner(CEPH).expanding(true);
    both_are(&World::founding().with(ceph), &refused_csi_clone());
}

#[test]
fn the_driver_of_an_unbound_source_is_the_provisioner_of_its_class() {
    let unbound = World::founding().with(golden().unbound()).without(Kind::PersistentVolume, "pv-golden");
    both_are(&unbound, &refused(&["RemoteVolumeAccess"]).fails("choose/SourceCapacityMissing"));
    let ceph = unbound.with(mk_storage_class("replicated").provisioner(CEPH).expanding(true));
    both_are(&ceph, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(OTHER_DRIVER));
}

#[test]
fn another_driver_of_the_source_is_not_refused() {
    let volume = mk_volume("pv-golden").of_claim("cozy-public", "vm-default-images-ubuntu").csi(CEPH);
    both_are(
        &World::founding().with(volume),
        &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(OTHER_DRIVER),
    );
}

#[test]
fn a_driver_that_is_not_linstor_is_not_refused() {
    let ceph = |name| mk_storage_class(name).provisioner(CEPH).expanding(true);
    let world = World::founding()
        .with(ceph("replicated"))
        .with(ceph("local").parameter("allowRemoteVolumeAccess", "false"))
        .with(mk_volume("pv-golden").of_claim("cozy-public", "vm-default-images-ubuntu").csi(CEPH))
        .with(mk_csi_driver(CEPH));
    both_are(&world, &accepted().strategy("csi-clone"));
    let world = world.setting(|settings| settings.linstor_drivers = vec![LINSTOR.into(), CEPH.into()]);
    both_are(&world, &refused_csi_clone());
}

#[rstest]
#[case::both_say_linstor(LINSTOR, LINSTOR, true)]
#[case::only_the_class_does(CEPH, LINSTOR, false)]
#[case::only_the_volume_does(LINSTOR, CEPH, false)]
fn where_the_volume_has_no_claim_ref_volume_and_class_must_both_say_so(
    #[case] volume: &str,
    #[case] class: &str,
    #[case] is_refused: bool,
) {
    let class = mk_storage_class("replicated").provisioner(class).expanding(true);
    let world = World::founding().with(mk_volume("pv-golden").csi(volume)).with(class);
    for request in both() {
        assert_eq!(world.judge(&request).decision().refusal_code().is_some(), is_refused);
    }
}

#[rstest]
#[case::both_say_linstor(LINSTOR, LINSTOR, true)]
#[case::only_the_class_does(CEPH, LINSTOR, false)]
#[case::only_the_volume_does(LINSTOR, CEPH, false)]
fn where_the_claim_ref_of_the_volume_does_not_match_both_must_say_so(
    #[case] volume: &str,
    #[case] class: &str,
    #[case] is_refused: bool,
) {
    let class = mk_storage_class("replicated").provisioner(class).expanding(true);
    let volume = mk_volume("pv-golden").of_claim("cozy-public", "another").csi(volume);
    let world = World::founding().with(volume).with(class);
    for request in both() {
        let decision = world.judge(&request).decision();
        assert_eq!(decision.refusal_code().is_some(), is_refused, "{decision:?}");
    }
}

#[test]
fn a_volume_without_csi_leaves_the_driver_to_the_class() {
    let volume = mk_volume("pv-golden").of_claim("cozy-public", "vm-default-images-ubuntu");
    both_are(&World::founding().with(volume), &refused_csi_clone());
}

#[test]
fn the_source_works_with_a_deleted_class_as_long_as_its_volume_gives_the_driver() {
    let world = World::founding().without(Kind::StorageClass, "replicated");
    both_are(&world, &refused_csi_clone());
}

// ---- The classes

#[test]
fn a_disk_in_the_golden_images_own_class_is_always_fine() {
    // As in cozystack#421: the class has no remote access, and the image is in it.
    let world = World::founding().with(golden().class("local"));
    both_are(&world, &accepted().strategy("csi-clone"));
}

#[test]
fn a_claim_that_names_no_class_is_not_compared() {
    let mut unnamed = golden();
    unnamed.storage_class_name = None;
    both_are(&World::founding().with(unnamed), &accepted().strategy("csi-clone"));
    both_are(&World::founding().with(golden().class("")), &accepted().strategy("csi-clone"));
}

// ---- The volume mode

#[test]
fn the_targets_volume_mode_equals_the_sources() {
    let world = World::founding().with(mk_profile("local").set(&["ReadWriteOnce"], "Filesystem"));
    both_are(&world, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(OTHER_MODE));
}

#[rstest]
#[case("", "")]
#[case("", "Filesystem")]
#[case("Filesystem", "")]
fn unset_means_filesystem_on_both_sides(#[case] source: &str, #[case] target: &str) {
    let world = World::founding().with(golden().mode(source)).with(mk_profile("local").set(&["ReadWriteOnce"], target));
    for request in both() {
        assert_eq!(world.judge(&request).decision().refusals(), ["RemoteVolumeAccess"]);
    }
}

#[test]
fn spec_pvc_has_its_own_mode() {
    let request = |mode: &str| {
        let request = rendered().pvc_form().access_modes(&["ReadWriteOnce"]);
        if mode.is_empty() { request } else { request.mode(mode) }.create()
    };
    let copies = accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(OTHER_MODE);
    for world in [World::founding(), World::founding().without(Kind::StorageProfile, "local")] {
        world.decides(&request("Block"), &refused_csi_clone());
        world.decides(&request("Filesystem"), &copies);
        world.decides(&request(""), &copies);
    }
}

#[test]
fn spec_storage_has_its_own_mode_first() {
    let world = World::founding().with(mk_profile("local").set(&["ReadWriteOnce"], "Filesystem"));
    let request = rendered().mode("Block").access_modes(&["ReadWriteOnce"]).create();
    world.decides(&request, &refused_csi_clone());
    let without = world.without(Kind::StorageProfile, "local");
    without.decides(&request, &refused_csi_clone());
}

#[test]
fn else_the_first_set_counts() {
    let first = mk_profile("local").set(&["ReadWriteOnce"], "Block").set(&["ReadWriteMany"], "Filesystem");
    both_are(&World::founding().with(first), &refused_csi_clone());
    let second = mk_profile("local").set(&["ReadWriteOnce"], "Filesystem").set(&["ReadWriteMany"], "Block");
    both_are(
        &World::founding().with(second),
        &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(OTHER_MODE),
    );
}

#[test]
fn where_access_modes_are_given_the_first_set_that_shares_one_counts() {
    let profile = mk_profile("local").set(&["ReadWriteOnce"], "Filesystem").set(&["ReadWriteMany"], "Block");
    let world = World::founding().with(profile);
    world.decides(&rendered().access_modes(&["ReadWriteMany"]).create(), &refused_csi_clone());
    let copies = accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).fallback(OTHER_MODE);
    world.decides(&rendered().access_modes(&["ReadWriteOnce", "ReadWriteMany"]).create(), &copies);
    // Shared with none: the mode stays unset, which is Filesystem.
    world.decides(&rendered().access_modes(&["ReadOnlyMany"]).create(), &copies);
}

#[test]
fn a_vm_disk_always_needs_the_targets_storage_profile_with_a_claim_property_set() {
    let missing = World::founding().without(Kind::StorageProfile, "local");
    both_are(&missing, &accepted().warns(&["NoClaimProperties"]).fails("render/StorageProfileNotFound"));
    let empty = World::founding().with(mk_profile("local"));
    both_are(&empty, &accepted().warns(&["NoClaimProperties"]).fails("render/StorageProfileNoAccessModes"));
}

#[test]
fn a_target_mode_that_is_not_known_is_not_compared() {
    let world = World::founding().without(Kind::StorageProfile, "local");
    let request = rendered().access_modes(&["ReadWriteOnce"]).create();
    assert_eq!(world.judge(&request).decision().refusal_code(), None);
}

// ---- Expansion

#[test]
fn a_class_without_volume_expansion_is_left_alone_in_silence_as_far_as_this_rule_goes() {
    let world = World::founding().with(local_with(&[("allowRemoteVolumeAccess", "false")]).expanding(false));
    let copies = accepted().warns(&["HostAssistedCopy"]).fallback("No volume expansion is possible");
    both_are(&world, &copies);
    for size in ["5Gi", "1Gi"] {
        let judged = world.judge(&disk().storage(size).create());
        assert!(!judged.decision().warnings().contains(&"RemoteVolumeAccess".to_owned()));
    }
}

// ---- Remote access

#[rstest]
#[case("true", false)]
#[case("1", false)]
#[case("t", false)]
#[case("T", false)]
#[case("TRUE", false)]
#[case("True", false)]
#[case("false", true)]
#[case("0", true)]
#[case("yes", true)]
#[case("tRUE", true)]
fn the_parameter_is_not_a_go_true_value(#[case] value: &str, #[case] is_refused: bool) {
    let world = World::founding().with(local_with(&[("allowRemoteVolumeAccess", value)]));
    both_are(&world, &if is_refused { refused_csi_clone() } else { accepted().strategy("csi-clone") });
}

#[rstest]
#[case("- fromSame: [zone]", true)]
#[case("- fromSame: [zone]\n- fromSame: [rack, row]", true)]
#[case("- {}", false)]
#[case("- fromSame: [zone]\n- {}", false)]
#[case("- fromSame: []", false)]
#[case("[]", true)]
fn no_rule_is_free_of_from_same_labels(#[case] value: &str, #[case] is_refused: bool) {
    let world = World::founding().with(local_with(&[("allowRemoteVolumeAccess", value)]));
    both_are(&world, &if is_refused { refused_csi_clone() } else { accepted().strategy("csi-clone") });
}

#[rstest]
#[case(&[("layerList", "storage")], true)]
#[case(&[("layerList", "luks storage")], true)]
#[case(&[("layerList", "drbd storage")], false)]
#[case(&[("layerList", "NVME storage")], false)]
#[case(&[], false)]
#[case(&[("allowRemoteVolumeAccess", ""), ("layerList", "storage")], true)]
#[case(&[("allowRemoteVolumeAccess", ""), ("layerList", "drbd storage")], false)]
#[case(&[("allowRemoteVolumeAccess", "false"), ("layerList", "drbd storage")], true)]
fn without_the_parameter_neither_drbd_nor_nvme_is_in_the_layer_list(
    #[case] parameters: &[(&str, &str)],
    #[case] is_refused: bool,
) {
    let world = World::founding().with(local_with(parameters));
    both_are(&world, &if is_refused { refused_csi_clone() } else { accepted().strategy("csi-clone") });
}

// ---- What plays no part

#[rstest]
#[case("1Gi", "validate/TargetSmallerThanSource")]
#[case("1Ki", "render/SizeBelow1MiB")]
fn sizes_play_no_part_in_this_refusal(#[case] size: &str, #[case] error: &str) {
    for request in [disk().storage(size).create(), rendered().storage(size).create()] {
        let judged = World::founding().judge(&request);
        assert_eq!(judged.decision().refusals(), ["RemoteVolumeAccess"]);
        assert_eq!(judged.verdict.annotations[0], ("clone-error", error.to_owned()));
    }
}

#[test]
fn capacity_plays_no_part_in_this_refusal() {
    let mut claim = golden();
    claim.capacity = None;
    both_are(&World::founding().with(claim), &refused(&["RemoteVolumeAccess"]).fails("choose/SourceCapacityMissing"));
}

#[test]
fn cdi_config_plays_no_part_in_this_refusal() {
    let world = World::founding().without(Kind::CdiConfig, "config");
    both_are(&world, &refused(&["RemoteVolumeAccess"]).fails("render/NoCDIConfig"));
}

#[test]
fn the_csi_driver_object_plays_no_part_in_this_refusal_as_a_linstor_driver_is_taken_to_be_served_by_populators() {
    let world = World::founding().without(Kind::CsiDriver, LINSTOR);
    both_are(&world, &refused(&["RemoteVolumeAccess"]).strategy("copy"));
}

#[test]
fn a_source_that_is_still_unbound_or_carries_no_capacity_yet_is_judged_all_the_same() {
    let mut bare = mk_claim("cozy-public", "vm-default-images-ubuntu").class("replicated").mode("Block");
    bare.volume_name = None;
    let world = World::founding()
        .with(bare)
        .without(Kind::PersistentVolume, "pv-golden")
        .without(Kind::CsiDriver, LINSTOR)
        .without(Kind::CdiConfig, "config");
    for request in both() {
        assert_eq!(world.judge(&request).decision().refusals(), ["RemoteVolumeAccess"]);
    }
}

#[test]
fn the_plan_may_say_waits_beside_a_refusal() {
    // A file system that holds an image whose size a pod has to find out.
    let world = World::founding()
        .with(golden().mode("Filesystem"))
        .with(mk_profile("local").set(&["ReadWriteOnce"], "Filesystem"));
    let request = rendered().at(&["spec", "storage", "resources"], serde_json::Value::Null).create();
    world.decides(&request, &refused(&["RemoteVolumeAccess"]).strategy("waits"));
}

// ---- Two spellings

#[test]
fn with_two_spellings_of_one_parameter_key_nothing_is_compared_with_a_warning() {
    for values in [["true", "false"], ["false", "true"], ["", "false"]] {
        let class = local_with(&[("allowRemoteVolumeAccess", values[0]), ("AllowRemoteVolumeAccess", values[1])]);
        let world = World::founding().with(class);
        for request in both() {
            let judged = world.decides(&request, &accepted().warns(&["AmbiguousParameter"]).strategy("csi-clone"));
            assert!(judged.warning().contains("StorageClass \"local\""), "{}", judged.warning());
        }
        let world = world.action(Rule::RemoteVolumeAccess, Action::Off);
        both_are(&world, &accepted().strategy("csi-clone"));
    }
}

#[test]
fn two_spellings_that_agree_are_one_answer_as_the_driver_gives_it_whichever_it_takes() {
    let class = local_with(&[("allowRemoteVolumeAccess", "false"), ("AllowRemoteVolumeAccess", "0")]);
    both_are(&World::founding().with(class), &refused_csi_clone());
    let class = local_with(&[("allowRemoteVolumeAccess", "true"), ("AllowRemoteVolumeAccess", "1")]);
    both_are(&World::founding().with(class), &accepted().strategy("csi-clone"));
}

// ---- Golden images and own disks

#[rstest]
#[case::in_the_image_namespace("cozy-public", "any")]
#[case::in_another_namespace("tenant-other", "any")]
fn a_shared_source_is_a_golden_image(#[case] namespace: &str, #[case] name: &str) {
    let mut claim = mk_claim(namespace, name).class("replicated").mode("Block").request("5Gi").capacity("5Gi");
    claim.volume_name = None;
    let request = rendered().claim(namespace, name).create();
    World::founding().with(claim).decides(&request, &refused_csi_clone());
}

#[test]
fn a_claim_in_the_image_namespace_is_golden_for_disks_in_that_namespace_too() {
    let requests = [disk(), rendered()];
    for request in requests.map(|disk| disk.at(&["metadata", "namespace"], "cozy-public").create()) {
        World::founding().decides(&request, &refused_csi_clone());
    }
}

#[test]
fn a_claim_that_a_data_source_gives_is_golden_even_in_the_disks_own_namespace() {
    let claim = mk_claim(NAMESPACE, "own").class("replicated").mode("Block").request("5Gi").capacity("5Gi");
    let world = World::founding().with(claim).with(mk_data_source(NAMESPACE, "ubuntu").names_claim(NAMESPACE, "own"));
    world.decides(
        &rendered().at(&["spec", "source"], serde_json::Value::Null).source_ref(NAMESPACE, "ubuntu").create(),
        &refused_csi_clone(),
    );
}

#[test]
fn an_own_disk_is_warned_of() {
    let claim = mk_claim(NAMESPACE, "vm-disk-other").class("replicated").mode("Block").request("5Gi").capacity("5Gi");
    let world = World::founding().with(claim);
    let expected = accepted().warns(&["RemoteVolumeAccess"]).strategy("csi-clone");
    for request in [
        disk().disk("other").create(),
        disk().source(serde_json::json!({"pvc": {"name": "vm-disk-other"}})).create(),
        rendered().claim(NAMESPACE, "vm-disk-other").create(),
        rendered().source(serde_json::json!({"pvc": {"name": "vm-disk-other"}})).create(),
    ] {
        world.decides(&request, &expected);
    }
    let world = world.action(Rule::RemoteVolumeAccessOwnDisk, Action::Deny);
    world.decides(&disk().disk("other").create(), &refused_csi_clone());
}

#[test]
fn a_class_with_remote_access_is_accepted_in_silence() {
    let world = World::founding().with(golden().class("local"));
    for request in both_into("replicated") {
        world.decides(&request, &accepted().strategy("csi-clone"));
    }
}
