//! The paragraph on disks whose class is left to the cluster.

use rstest::rstest;
use vmdisk_policy::cluster::StorageClass;
use vmdisk_policy::settings::{Action, Rule};

use crate::common::*;
use crate::founding::{disk, refused_csi_clone, rendered};

fn local() -> StorageClass {
    mk_storage_class("local").linstor().parameter("allowRemoteVolumeAccess", "false")
}

fn replicated() -> StorageClass {
    mk_storage_class("replicated").linstor().parameter("allowRemoteVolumeAccess", "true")
}

/// The disk with an empty class, and the DataVolume of it, which leaves the class out.
fn both() -> [serde_json::Value; 2] {
    let left_out = data_volume("vm-disk-disk").claim("cozy-public", "vm-default-images-ubuntu").immediate();
    [disk().class("").create(), left_out.create()]
}

#[track_caller]
fn both_are(world: &World, expected: &Decision) {
    for request in both() {
        world.decides(&request, expected);
    }
}

/// The DataVolume in the form `spec.pvc`.
fn pvc_form() -> serde_json::Value {
    let left_out = data_volume("vm-disk-disk").claim("cozy-public", "vm-default-images-ubuntu").immediate();
    left_out.pvc_form().access_modes(&["ReadWriteOnce"]).mode("Block").create()
}

#[test]
fn a_vm_disk_with_an_empty_class_and_a_data_volume_that_leaves_it_out_are_compared_as_the_class_that_cdi_would_pick() {
    for annotation in [VIRT_DEFAULT, KUBERNETES_DEFAULT] {
        let world = World::founding().with(local().annotation(annotation, "true"));
        for request in both() {
            let judged = world.decides(&request, &refused_csi_clone());
            let words = format!("StorageClass \"local\" (the default, by annotation {annotation})");
            assert!(judged.message().contains(&words), "{}", judged.message());
        }
        let world = World::founding().with(replicated().annotation(annotation, "true"));
        both_are(&world, &accepted().strategy("csi-clone"));
    }
}

#[test]
fn the_class_annotated_as_the_virtualization_default_comes_first() {
    let world = World::founding()
        .with(replicated().annotation(VIRT_DEFAULT, "true"))
        .with(local().annotation(KUBERNETES_DEFAULT, "true"));
    both_are(&world, &accepted().strategy("csi-clone"));
    let world = World::founding()
        .with(local().annotation(VIRT_DEFAULT, "true"))
        .with(replicated().annotation(KUBERNETES_DEFAULT, "true"));
    both_are(&world, &refused_csi_clone());
}

#[test]
fn otherwise_the_class_annotated_as_the_kubernetes_default() {
    both_are(&World::founding().with(local().annotation(KUBERNETES_DEFAULT, "true")), &refused_csi_clone());
}

#[rstest]
#[case("True")]
#[case("1")]
#[case("")]
#[case("false")]
fn only_the_literal_true_counts(#[case] value: &str) {
    for annotation in [VIRT_DEFAULT, KUBERNETES_DEFAULT] {
        let world = World::founding().with(local().annotation(annotation, value));
        let none = accepted().warns(&["NoDefaultClass"]);
        both_are(&world, &none.fails("render/NoStorageClassForRendering"));
    }
}

#[test]
fn for_spec_pvc_only_the_second_annotation_counts() {
    let world = World::founding()
        .with(replicated().annotation(VIRT_DEFAULT, "true"))
        .with(local().annotation(KUBERNETES_DEFAULT, "true"));
    world.decides(&pvc_form(), &refused_csi_clone());
    let world = World::founding()
        .with(local().annotation(VIRT_DEFAULT, "true"))
        .with(replicated().annotation(KUBERNETES_DEFAULT, "true"));
    world.decides(&pvc_form(), &accepted().strategy("csi-clone"));
    // The virtualization default alone is no default there: the claim stays without a class.
    let world = World::founding().with(local().annotation(VIRT_DEFAULT, "true"));
    world.decides(&pvc_form(), &accepted().warns(&["NoDefaultClass"]).strategy("copy"));
}

#[test]
fn a_data_volume_with_an_empty_class_name_names_a_class_that_does_not_exist() {
    let world = World::founding().with(local().annotation(KUBERNETES_DEFAULT, "true"));
    let request = rendered().class("").create();
    world.decides(&request, &accepted().warns(&["StorageClassMissing"]).fails("render/NoStorageClassForRendering"));
}

#[test]
fn when_several_classes_carry_the_annotation_that_decides_nothing_is_compared_and_advice_says_so() {
    for annotation in [VIRT_DEFAULT, KUBERNETES_DEFAULT] {
        let world = World::founding()
            .with(local().annotation(annotation, "true").created("2026-01-02T00:00:00Z"))
            .with(replicated().annotation(annotation, "true").created("2026-01-01T00:00:00Z"));
        for request in both() {
            let judged = world.decides(&request, &accepted().warns(&["AmbiguousDefaultClass"]).strategy("csi-clone"));
            assert!(judged.warning().contains("\"local\""), "CDI's pick: {}", judged.warning());
        }
        let silent = world.action(Rule::DefaultClass, Action::Off);
        both_are(&silent, &accepted().strategy("csi-clone"));
    }
}

#[test]
fn an_annotation_that_does_not_decide_may_be_there_several_times() {
    let world = World::founding()
        .with(local().annotation(VIRT_DEFAULT, "true").annotation(KUBERNETES_DEFAULT, "true"))
        .with(replicated().annotation(KUBERNETES_DEFAULT, "true"));
    both_are(&world, &refused_csi_clone());
    world.decides(&pvc_form(), &accepted().warns(&["AmbiguousDefaultClass"]).strategy("csi-clone"));
}

#[test]
fn the_missing_snapshot_class_is_not_compared_either_where_the_default_is_ambiguous() {
    let gone = |class: &str| mk_profile(class).set(&["ReadWriteOnce"], "Block").snapshot_class("gone");
    let world = World::snapshotting()
        .with(gone("local"))
        .with(gone("replicated"))
        .with(local().annotation(KUBERNETES_DEFAULT, "true"))
        .with(replicated().annotation(KUBERNETES_DEFAULT, "true"));
    both_are(&world, &accepted().warns(&["AmbiguousDefaultClass"]).fails("choose/SnapshotClassNotFound"));
}

#[test]
fn other_advice_then_stays_silent() {
    // Each would be worth a word in a class that somebody chose: a copy, a size, first consumers, no claim properties.
    let default = |class: StorageClass| class.annotation(KUBERNETES_DEFAULT, "true").created("2026-01-01T00:00:00Z");
    let base = World::founding().with(default(local().waiting())).with(default(replicated().waiting()));
    let worlds = [
        base.clone().with(mk_cdi("copy")),
        base.clone().with(golden().request("1Ti")),
        base.clone().with(mk_profile("local")),
        base.clone().with(golden().mode("Filesystem")),
        base,
    ];
    for world in worlds {
        for request in both() {
            assert_eq!(world.judge(&request).decision().warnings(), ["AmbiguousDefaultClass"]);
        }
    }
}

#[test]
fn no_class_with_the_annotation_is_said_and_nothing_else() {
    let none = accepted().warns(&["NoDefaultClass"]).fails("render/NoStorageClassForRendering");
    both_are(&World::founding(), &none);
}

#[test]
fn the_pick_among_several_is_the_newest_then_the_smallest_name() {
    let class = |name: &str, created: &str| {
        mk_storage_class(name).linstor().annotation(KUBERNETES_DEFAULT, "true").created(created)
    };
    let world = World::founding().with(class("c", "2026-01-01T00:00:00Z")).with(class("b", "2026-01-02T00:00:00Z"));
    let world = world.with(class("a", "2026-01-01T00:00:00Z")).with(class("z", "2026-01-02T00:00:00Z"));
    for request in both() {
        let judged = world.judge(&request);
        assert!(judged.warning().contains("CDI takes the newest, \"b\""), "{}", judged.warning());
    }
}
