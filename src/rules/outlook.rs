//! What the plan says of a new disk: copied, too small, late, or not at all.

use std::rc::Rc;

use super::new_disk::NewDisk;
use super::{Rules, first_consumer, remote_volume_access};
use crate::clone::driver::{Driver, cdi_driver};
use crate::clone::storage_class::TargetClass;
use crate::clone::strategy::requested_strategy;
use crate::clone::target::resolve_mode;
use crate::clone::{ErrorClass, Fault, Origin, Outcome, Plan, Resolved, Stage, Strategy};
use crate::cluster::{Cluster, Kind, StorageClass};
use crate::finding::{ClonePlanFails, Copied, Detail, Named, NoClaimProperties, SnapshotClass, TooSmall};
use crate::names;
use crate::quantity::Quantity;
use crate::settings::Rule;
use crate::subject::{DataVolume, SpecForm};

/// What the plan says of a disk whose class is known.
pub(super) fn tell(rules: &mut Rules<'_>, disk: &NewDisk<'_>, plan: &Plan, target: &TargetClass) {
    let source = source_named(&plan.source);
    let class = target.class();
    let class_name = class.map(|class| class.meta.name.clone());
    // Beside what stops the clone for good, what it would otherwise have come to is no news.
    let plan_is_told = rules.found_here(|detail| {
        matches!(detail, Detail::RemoteVolumeAccess(_) | Detail::SnapshotClassMissing(_) | Detail::SnapshotPlanFails(_))
    });
    match &plan.outcome {
        Outcome::Clones { strategy, origin, fallback_reason } => {
            if *strategy == Strategy::Copy && !plan_is_told {
                rules.ask(Rule::HostAssistedCopy, |rules| {
                    Ok(Some(Detail::HostAssistedCopy(Copied {
                        source_mode: fallback_reason.and_then(|_| source_mode(rules, &plan.source)),
                        better_class: fallback_reason.and_then(|_| better_class(rules, &plan.source, class)),
                        source: source.clone(),
                        target: class_name.clone().unwrap_or_default(),
                        fallback_reason: *fallback_reason,
                        origin: *origin,
                        cdi_name: rules.settings.cdi_name.to_string(),
                    })))
                });
            }
            if let Some(class) = class {
                if *strategy == Strategy::Snapshot && matches!(plan.source, Resolved::Snapshot(_)) {
                    rules.ask(Rule::SnapshotSourceAccess, |rules| {
                        remote_volume_access::find_for_snapshot(rules, &source, class)
                    });
                }
                if !plan_is_told {
                    let pod_writes = *strategy == Strategy::Copy;
                    rules.ask(Rule::FirstConsumer, |rules| first_consumer::find(rules, disk, class, pod_writes));
                }
            }
        }
        Outcome::Fails { fault, .. } => fails(rules, disk, plan, fault, class, plan_is_told),
        Outcome::Waits(_) | Outcome::Unknown(_) | Outcome::Nothing => {}
    }
}

fn fails(
    rules: &mut Rules<'_>,
    disk: &NewDisk<'_>,
    plan: &Plan,
    fault: &Fault,
    class: Option<&Rc<StorageClass>>,
    plan_is_told: bool,
) {
    let source = source_named(&plan.source);
    let class_name = class.map(|class| class.meta.name.clone());
    match fault.class {
        ErrorClass::TargetSmallerThanSource => rules.found(
            Rule::TargetTooSmall,
            Detail::TargetTooSmall(TooSmall {
                source,
                source_size: fault.source_size.clone(),
                // As the person wrote it: CDI compares what it makes of it, with the file system's overhead.
                target_size: written_size(disk.data_volume).or_else(|| fault.target_size.clone()),
            }),
        ),
        // Told by sourceMissing.
        ErrorClass::DataSourceEmpty => {}
        ErrorClass::SnapshotClassNotFound | ErrorClass::PlanNoSnapshotClass => {
            // What both profiles name is the matter of missingSnapshotClass, even where that is off.
            if !(plan_is_told || fault.stage == Stage::Choose) {
                snapshot_plan_fails(rules, disk, plan, fault, class_name.unwrap_or_default());
            }
        }
        ErrorClass::StorageProfileNoAccessModes | ErrorClass::StorageProfileNotFound
            if leaves_access_modes(disk.data_volume) =>
        {
            let exists = fault.class != ErrorClass::StorageProfileNotFound;
            let class = class_name.unwrap_or_default();
            rules.found(Rule::NoClaimProperties, Detail::NoClaimProperties(NoClaimProperties { class, exists }));
        }
        ErrorClass::StorageProfileNoMatchingAccessModes if has_no_access_modes(rules.cluster, class) => {
            let class = class_name.unwrap_or_default();
            rules.found(Rule::NoClaimProperties, Detail::NoClaimProperties(NoClaimProperties { class, exists: true }));
        }
        _ if plan_is_told => {}
        _ => rules.found(
            Rule::ClonePlan,
            Detail::ClonePlanFails(ClonePlanFails {
                source,
                target: class_name,
                fault: fault.clone(),
                cdi_name: rules.settings.cdi_name.to_string(),
            }),
        ),
    }
}

/// The size that the DataVolume asks for, as it was written.
fn written_size(data_volume: &DataVolume) -> Option<Quantity> {
    data_volume.target.as_ref().and_then(|target| target.request.clone())
}

fn leaves_access_modes(data_volume: &DataVolume) -> bool {
    data_volume.target.as_ref().is_some_and(|target| target.form == SpecForm::Storage && target.access_modes.is_empty())
}

fn has_no_access_modes(cluster: &Cluster<'_>, class: Option<&Rc<StorageClass>>) -> bool {
    // The plan has read the profile, so this costs no lookup.
    let profile = class.and_then(|class| cluster.storage_profile(&class.meta.name).ok()?.present());
    profile.is_some_and(|profile| profile.claim_property_sets.iter().all(|set| set.access_modes.is_empty()))
}

fn snapshot_plan_fails(rules: &mut Rules<'_>, disk: &NewDisk<'_>, plan: &Plan, fault: &Fault, class: String) {
    // Everything that this reads has been read for the plan.
    let requested = requested_strategy(disk.data_volume, &class, rules.cluster, &rules.settings.cdi_name);
    let origin = requested.ok().flatten().map_or(Origin::Default, |(_, origin)| origin);
    let is_snapshot = matches!(plan.source, Resolved::Snapshot(_));
    let detail = SnapshotClass {
        source: source_named(&plan.source),
        named_by: if is_snapshot { Vec::new() } else { vec![class.clone()] },
        target: crate::finding::TargetClass { name: class, default_by: None },
        missing: (fault.class == ErrorClass::SnapshotClassNotFound).then(|| fault.object.clone().unwrap_or_default()),
        driver: None,
        origin,
        cdi_name: rules.settings.cdi_name.to_string(),
    };
    rules.found(Rule::SnapshotPlan, Detail::SnapshotPlanFails(detail));
}

fn source_named(source: &Resolved) -> Named {
    match source {
        Resolved::Claim(claim) => Named::new(Kind::PersistentVolumeClaim.name(), &claim.namespace, &claim.name),
        Resolved::Snapshot(snapshot) => Named::new(Kind::VolumeSnapshot.name(), &snapshot.namespace, &snapshot.name),
        Resolved::Unresolved { namespace, name, .. } => Named::new(Kind::DataSource.name(), namespace, name),
        Resolved::NotAClone => Named::new(Kind::PersistentVolumeClaim.name(), "", ""),
    }
}

/// The volume mode of a source claim. With a fallback reason the plan has read it.
fn source_mode(rules: &Rules<'_>, source: &Resolved) -> Option<String> {
    let Resolved::Claim(claim) = source else { return None };
    let claim = rules.cluster.claim(&claim.namespace, &claim.name).ok()?.present()?;
    Some(resolve_mode(claim.volume_mode.as_deref()).to_owned())
}

/// The class of a source claim, where a disk in it would have the source's driver, and one in `target` has not.
/// With a fallback reason the plan has read all of this.
fn better_class(rules: &Rules<'_>, source: &Resolved, target: Option<&Rc<StorageClass>>) -> Option<String> {
    let Resolved::Claim(claim) = source else { return None };
    let claim = rules.cluster.claim(&claim.namespace, &claim.name).ok()?.present()?;
    let Driver::Known(driver) = cdi_driver(&claim, rules.cluster).ok()? else { return None };
    if target.is_none_or(|target| target.provisioner == driver) {
        return None;
    }
    claim.storage_class_name.clone().filter(|class| names::is_object_name(class))
}
