//! Whole plans: the situations that people ran into, the lookups they take, and what a failed one does to them.

use rstest::rstest;

use super::testing::{
    CEPH, LINSTOR, Watched, annotated, ask, cdi, class, cluster, config, csi_driver, disk, disk_of_snapshot, golden,
    profile, size, snapshot, snapshot_class, volume,
};
use super::{ErrorClass, FallbackReason, Origin, Outcome, Plan, Stage, Strategy, Wait, keys, plan};
use crate::cluster::{Cdi, CdiConfig, Claim, Cluster, FilesystemOverhead, Kind, Meta, Objects, StorageClass};
use crate::subject::{ClaimSource, DataVolume, Source, TargetSpec};

fn planned(objects: &Objects, dv: &DataVolume) -> Plan {
    ask(objects, |cluster| plan(dv, cluster, "cdi"))
}

fn outcome(objects: &Objects, dv: &DataVolume) -> Outcome {
    planned(objects, dv).outcome
}

fn clones(strategy: Strategy, origin: Origin) -> Outcome {
    Outcome::Clones { strategy, origin, fallback_reason: None }
}

fn falls_back(origin: Origin, reason: FallbackReason) -> Outcome {
    Outcome::Clones { strategy: Strategy::Copy, origin, fallback_reason: Some(reason) }
}

fn fault(outcome: Outcome) -> Option<(Stage, ErrorClass)> {
    if let Outcome::Fails { fault, .. } = outcome { Some((fault.stage, fault.class)) } else { None }
}

/// The founding cluster with these profiles (strategy and snapshot class of both) and VolumeSnapshotClass `snaps`.
fn with_profiles(strategy: Option<&str>, of_source: Option<&str>, of_target: Option<&str>) -> Objects {
    cluster(None)
        .with(profile("replicated", strategy, of_source))
        .with(profile("local", strategy, of_target))
        .with(snapshot_class("snaps", LINSTOR))
}

/// The cluster of <https://github.com/cozystack/cozystack/issues/2908>.
fn cozystack_2908() -> Objects {
    cluster(Some("csi-clone")).with(profile("local", None, None))
}

#[test]
fn cozystack_2908_a_csi_clone_is_made_whatever_the_class_allows() {
    let plan = planned(&cozystack_2908(), &disk(Some("local")));
    assert_eq!(plan.outcome, clones(Strategy::CsiClone, Origin::Override));
    let target = plan.target.unwrap();
    assert_eq!(target.storage_class_name.as_deref(), Some("local"));
    assert_eq!(target.storage, Some(10 << 30));
    assert_eq!(plan.target_class.unwrap().meta.name, "local");
}

#[rstest]
#[case::both_profiles_name_a_class_that_is_there(Some("snaps"), Some("snaps"), None)]
#[case::neither_names_one(None, None, None)]
#[case::both_name_one_that_is_gone(Some("gone"), Some("gone"), Some((Stage::Choose, ErrorClass::SnapshotClassNotFound)))]
#[case::only_the_target_names_one_that_is_gone(None, Some("gone"), Some((Stage::Plan, ErrorClass::SnapshotClassNotFound)))]
#[case::only_the_source_names_one_that_is_gone(Some("gone"), None, None)]
fn cdi_2898_snapshots_where(
    #[case] of_source: Option<&str>,
    #[case] of_target: Option<&str>,
    #[case] error: Option<(Stage, ErrorClass)>,
) {
    let plan = planned(&with_profiles(Some("snapshot"), of_source, of_target), &disk(Some("local")));
    match error {
        None => {
            assert_eq!(plan.outcome, clones(Strategy::Snapshot, Origin::Profile));
            assert_eq!(plan.snapshot_class.as_deref(), Some("snaps"));
        }
        Some(_) => assert_eq!(fault(plan.outcome), error),
    }
}

#[test]
fn a_stale_name_in_the_profiles_does_not_matter_to_a_copy() {
    let objects = with_profiles(Some("copy"), Some("gone"), Some("gone"));
    assert_eq!(outcome(&objects, &disk(Some("local"))), clones(Strategy::Copy, Origin::Profile));
}

#[test]
fn without_a_snapshot_class_cdi_copies() {
    let objects = cluster(None).with(profile("local", None, None));
    let expected = falls_back(Origin::Default, FallbackReason::NoVolumeSnapshotClass);
    assert_eq!(outcome(&objects, &disk(Some("local"))), expected);
}

#[test]
fn another_driver_reads_differently_under_each_strategy() {
    let ceph = |strategy| {
        cluster(Some(strategy)).with(class("ceph", CEPH)).with(csi_driver(CEPH)).with(profile("ceph", None, None))
    };
    let of = |strategy| outcome(&ceph(strategy), &disk(Some("ceph")));
    assert_eq!(of("csi-clone"), falls_back(Origin::Override, FallbackReason::IncompatibleProvisioners));
    assert_eq!(of("snapshot"), falls_back(Origin::Override, FallbackReason::NoVolumeSnapshotClass));
}

/// <https://github.com/harvester/harvester/pull/7640>
#[rstest]
#[case::larger("20Gi", falls_back(Origin::Override, FallbackReason::NoVolumeExpansion))]
#[case::as_large("10Gi", clones(Strategy::CsiClone, Origin::Override))]
fn harvester_7640_a_class_that_cannot_expand_clones_into_a_size_that_is(
    #[case] request: &str,
    #[case] expected: Outcome,
) {
    let objects = Objects::new()
        .with(cdi(Some("csi-clone")))
        .with(config())
        .with(csi_driver(LINSTOR))
        .with(StorageClass { allow_volume_expansion: false, ..class("replicated", LINSTOR) })
        .with(profile("replicated", None, None))
        .with(Claim { request: size("10Gi"), capacity: size("10Gi"), ..golden() });
    let dv = disk(Some("replicated"));
    let target = dv.target.clone().map(|target| TargetSpec { request: size(request), ..target });
    assert_eq!(outcome(&objects, &DataVolume { target, ..dv }), expected);
}

#[test]
fn an_unbound_source_is_an_error_after_driver_and_modes() {
    let objects = Objects::new()
        .with(cdi(Some("csi-clone")))
        .with(config())
        .with(csi_driver(LINSTOR))
        .with(class("replicated", LINSTOR))
        .with(profile("replicated", None, None))
        .with(Claim { volume_name: None, capacity: None, ..golden() });
    let error = Some((Stage::Choose, ErrorClass::SourceCapacityMissing));
    assert_eq!(fault(outcome(&objects, &disk(Some("replicated")))), error);
}

#[test]
fn a_volume_of_another_claim_is_an_error() {
    let objects = Objects::new()
        .with(profile("local", None, None))
        .with(volume(Some(LINSTOR), Some(("other", "other"))))
        .with(cdi(Some("csi-clone")))
        .with(config())
        .with(csi_driver(LINSTOR))
        .with(class("local", LINSTOR))
        .with(golden());
    let error = Some((Stage::Choose, ErrorClass::PVClaimRefMismatch));
    assert_eq!(fault(outcome(&objects, &disk(Some("local")))), error);
}

#[rstest]
#[case::a_preset(keys::CLONE_TYPE, "copy", clones(Strategy::Copy, Origin::CloneTypeAnnotation))]
#[case::no_populator(keys::USE_POPULATOR, "false", clones(Strategy::Copy, Origin::UsePopulatorAnnotation))]
fn annotations_make_it_a_copy(#[case] key: &str, #[case] value: &str, #[case] expected: Outcome) {
    assert_eq!(outcome(&cozystack_2908(), &annotated(disk(Some("local")), key, value)), expected);
}

#[test]
fn without_a_csi_driver_it_is_a_copy() {
    let objects = Objects::new().with(config()).with(class("local", LINSTOR)).with(golden());
    let objects = objects.with(profile("local", None, None));
    assert_eq!(outcome(&objects, &disk(Some("local"))), clones(Strategy::Copy, Origin::NoCsiDriver));
}

#[test]
fn cdi_waits_for_a_source_that_does_not_exist() {
    let objects = Objects::new().with(config()).with(class("local", LINSTOR)).with(profile("local", None, None));
    assert_eq!(outcome(&objects, &disk(Some("local"))), Outcome::Waits(Wait::SourceMissing));
}

#[test]
fn nothing_is_looked_up_for_a_disk_that_clones_nothing() {
    let lookup = Watched::new(Objects::new());
    let dv = DataVolume { source: Source::Blank, ..disk(None) };
    assert_eq!(plan(&dv, &Cluster::new(&lookup), "cdi").outcome, Outcome::Nothing);
    assert!(lookup.asked.borrow().is_empty());
}

#[test]
fn the_lookups_of_a_csi_clone_are_a_contract() {
    let lookup = Watched::new(cozystack_2908());
    let _ = plan(&disk(Some("local")), &Cluster::new(&lookup), "cdi");
    let expected = [
        "CDIConfig config",
        "StorageClass local",
        "StorageProfile local",
        "CSIDriver linstor.csi.linbit.com",
        "PersistentVolumeClaim golden",
        "CDI cdi",
        "PersistentVolume pv-golden",
    ];
    assert_eq!(*lookup.asked.borrow(), expected);
}

#[rstest]
#[case::its_class(Kind::StorageClass)]
#[case::its_profile(Kind::StorageProfile)]
#[case::cdi(Kind::Cdi)]
#[case::the_config(Kind::CdiConfig)]
#[case::the_driver(Kind::CsiDriver)]
#[case::the_source(Kind::PersistentVolumeClaim)]
#[case::the_sources_volume(Kind::PersistentVolume)]
fn a_lookup_that_fails_is_not_taken_for_an_answer(#[case] kind: Kind) {
    let lookup = Watched::failing(cozystack_2908(), kind);
    let Outcome::Unknown(failure) = plan(&disk(Some("local")), &Cluster::new(&lookup), "cdi").outcome else {
        panic!("{:?}", lookup.asked.borrow())
    };
    assert_eq!(failure.kind, kind);
}

#[test]
fn a_failure_that_the_answer_does_not_need_does_no_harm() {
    let lookup = Watched::failing(cozystack_2908(), Kind::VolumeSnapshotClass);
    let outcome = plan(&disk(Some("local")), &Cluster::new(&lookup), "cdi").outcome;
    assert_eq!(outcome, clones(Strategy::CsiClone, Origin::Override));
}

/// The differences between v1.66 and the versions before it.
mod versions {
    use super::*;

    fn cluster_of(version: &str, config: CdiConfig) -> Objects {
        Objects::new()
            .with(Cdi { observed_version: Some(version.to_owned()), ..cdi(None) })
            .with(config)
            .with(csi_driver(LINSTOR))
            .with(class("local", LINSTOR))
            .with(golden())
    }

    fn overhead() -> CdiConfig {
        let global = Some("0.06".to_owned());
        CdiConfig { filesystem_overhead: Some(FilesystemOverhead { global, storage_class: Vec::new() }), ..config() }
    }

    #[rstest]
    #[case::before_it_the_controller_renders("v1.65.0", &[], None, Stage::Render)]
    #[case::unless_the_feature_gate_is_set("v1.65.0", &["WebhookPvcRendering"], None, Stage::Create)]
    #[case::since_then_the_webhook_does("v1.66.0", &[], None, Stage::Create)]
    #[case::unless_it_is_disabled("v1.66.0", &["WebhookPvcRendering"], Some("Disabled"), Stage::Render)]
    fn a_labelled_claim_without_a_profile(
        #[case] version: &str,
        #[case] gates: &[&str],
        #[case] rendering: Option<&str>,
        #[case] stage: Stage,
    ) {
        let config = CdiConfig {
            feature_gates: gates.iter().map(|gate| (*gate).to_owned()).collect(),
            webhook_pvc_rendering: rendering.map(str::to_owned),
            ..config()
        };
        let dv = DataVolume { apply_storage_profile: true, ..disk(Some("local")) };
        let error = Some((stage, ErrorClass::StorageProfileNotFound));
        assert_eq!(fault(outcome(&cluster_of(version, config), &dv)), error);
    }

    #[rstest]
    #[case::is_taken_as_it_is_before_it("1.65.0", 5 << 30)]
    #[case::grows_by_the_overhead_since_then("1.66.0", 5_690_831_668)]
    fn the_size_of_a_block_snapshot(#[case] version: &str, #[case] expected: i128) {
        let [snapshot, content] = snapshot(LINSTOR, Some("Block"));
        let objects = cluster_of(version, overhead()).with(snapshot).with(content);
        let dv = disk_of_snapshot(Some("local"));
        let target = dv.target.clone().map(|target| TargetSpec {
            request: None,
            volume_mode: Some("Filesystem".to_owned()),
            access_modes: vec!["ReadWriteOnce".to_owned()],
            ..target
        });
        let plan = planned(&objects, &DataVolume { target, ..dv });
        assert_eq!(plan.target.unwrap().storage, Some(expected));
        let expected = falls_back(Origin::SnapshotSource, FallbackReason::IncompatibleVolumeModes);
        assert_eq!(plan.outcome, expected);
    }
}

#[rstest]
#[case::that_go_keeps_as_an_integer("99Ti", None)]
#[case::that_it_does_not("100Ti", Some((Stage::Create, ErrorClass::InvalidClaimSize)))]
fn without_a_size_the_capacity_of_the_source_counts(
    #[case] capacity: &str,
    #[case] error: Option<(Stage, ErrorClass)>,
) {
    let name = "large";
    let meta = Meta::new("tenant", name);
    let source = Claim { meta, volume_name: None, request: size(capacity), capacity: size(capacity), ..golden() };
    let objects = cluster(Some("csi-clone")).with(source).with(profile("local", None, None));
    let source = Source::Claim(ClaimSource { namespace: String::new(), name: name.to_owned() });
    let dv = DataVolume { source, ..disk(Some("local")) };
    let target = dv.target.clone().map(|target| TargetSpec { request: None, ..target });
    assert_eq!(fault(outcome(&objects, &DataVolume { target, ..dv })), error);
}
