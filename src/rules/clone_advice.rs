//! The clone rules, on one new disk.

use std::rc::Rc;

use super::new_disk::NewDisk;
use super::{Rules, first_consumer, missing_snapshot_class, remote_volume_access};
use crate::clone::driver::{Driver, cdi_driver};
use crate::clone::storage_class::{self, DefaultAnnotation, TargetClass};
use crate::clone::strategy::requested_strategy;
use crate::clone::{self, ErrorClass, Fault, Origin, Outcome, Plan, Resolved, Stage, Strategy, Unresolved};
use crate::cluster::{Claim, Cluster, Failure, Kind, StorageClass};
use crate::finding::{
    ClonePlanFails, Copied, DefaultClass, Detail, Named, NoClaimProperties, SnapshotClass, SourceFailed, SourceMissing,
    TooSmall,
};
use crate::names;
use crate::quantity::Quantity;
use crate::settings::Rule;
use crate::subject::{DataVolume, Source, SpecForm};

/// A new disk that is cloned from a claim.
pub(super) struct CloneOfClaim<'c> {
    /// The new disk.
    pub(super) data_volume: &'c DataVolume,
    /// Whether the claim is a golden image rather than a disk of one's own.
    pub(super) golden: bool,
    claim: Result<Option<Rc<Claim>>, Failure>,
    target: Result<TargetClass, Failure>,
}

impl CloneOfClaim<'_> {
    /// The source claim, if it exists.
    pub(super) fn claim(&self) -> Result<Option<Rc<Claim>>, Failure> {
        self.claim.clone()
    }

    /// The class of the new disk, if it exists and no other one could be meant.
    pub(super) fn target_class(&self) -> Result<Option<Rc<StorageClass>>, Failure> {
        match &self.target {
            Ok(TargetClass::Default { candidates, .. }) if candidates.len() > 1 => Ok(None),
            Ok(target) => Ok(target.class().cloned()),
            Err(failure) => Err(failure.clone()),
        }
    }

    /// The annotation that made the target class the default, where the class was left out.
    pub(super) fn default_by(&self) -> Option<&'static str> {
        match &self.target {
            Ok(TargetClass::Default { annotation, .. }) => Some(annotation.key()),
            Ok(TargetClass::Named { .. } | TargetClass::NoDefault) | Err(_) => None,
        }
    }
}

/// Judges a new disk with a source that is cloned.
pub(super) fn judge(rules: &mut Rules<'_>, disk: &NewDisk<'_>, resolved: Resolved) {
    let data_volume = disk.data_volume;
    let mut probe = None;
    let mut target = None;
    match &resolved {
        Resolved::Claim(claim) => {
            let found = rules.cluster.claim(&claim.namespace, &claim.name).map(crate::cluster::Answer::present);
            if let Ok(Some(claim)) = &found {
                probe.clone_from(&claim.storage_class_name);
            }
            // A source that does not exist settles everything but the annotations.
            if !matches!(found, Ok(None)) {
                let clone = CloneOfClaim {
                    data_volume,
                    golden: is_golden(rules, disk, &claim.namespace),
                    claim: found.clone(),
                    target: storage_class::target_class(data_volume, rules.cluster, probe.as_deref()),
                };
                let rule = if clone.golden { Rule::RemoteVolumeAccess } else { Rule::RemoteVolumeAccessOwnDisk };
                rules.ask(rule, |rules| remote_volume_access::find(rules, &clone));
                let rule = if clone.golden { Rule::MissingSnapshotClass } else { Rule::SnapshotPlan };
                rules.ask(rule, |rules| missing_snapshot_class::find(rules, &clone));
                target = Some(clone.target);
            }
            let named = Named::new(Kind::PersistentVolumeClaim.name(), &claim.namespace, &claim.name);
            rules.ask(Rule::SourceMissing, |_| found.map(|found| missing(found.is_none(), named, None)));
            if probe.is_some() || target.is_some() {
                rules.ask(Rule::SourceFailed, |rules| source_failed(rules.cluster, &claim.namespace, &claim.name));
            }
        }
        Resolved::Snapshot(snapshot) => {
            let found = rules.cluster.volume_snapshot(&snapshot.namespace, &snapshot.name);
            let named = Named::new(Kind::VolumeSnapshot.name(), &snapshot.namespace, &snapshot.name);
            rules.ask(Rule::SourceMissing, |_| Ok(missing(!found?.is_present(), named, None)));
        }
        Resolved::Unresolved { namespace, name, why } => {
            let named = Named::new(Kind::DataSource.name(), namespace, name);
            rules.found(
                Rule::SourceMissing,
                Detail::SourceMissing(SourceMissing { source: named, unresolved: Some(*why) }),
            );
        }
        Resolved::NotAClone => return,
    }
    let plan = clone::plan(data_volume, rules.cluster, &rules.settings.cdi_name);
    rules.report.annotations.extend(clone::annotations(&plan));
    if let Outcome::Unknown(failure) = &plan.outcome {
        rules.report.advisory.push(failure.clone());
    }
    if !rules.settings.is_on(Rule::ClonePlan)
        && !rules.settings.is_on(Rule::DefaultClass)
        && !rules.settings.is_on(Rule::FirstConsumer)
        && matches!(plan.outcome, Outcome::Waits(_))
    {
        return;
    }
    let target = match target {
        Some(target) => target,
        None => storage_class::target_class(data_volume, rules.cluster, probe.as_deref()),
    };
    let target = match target {
        Ok(target) => target,
        Err(failure) => {
            for rule in [Rule::ClonePlan, Rule::DefaultClass] {
                rules.failed(rule, failure.clone());
            }
            return;
        }
    };
    // With no default class, or several, what follows would speak of a class that nobody chose.
    if let Some(detail) = default_class(&target, data_volume) {
        rules.found(Rule::DefaultClass, detail);
        return;
    }
    if let TargetClass::Named { name, class } = &target
        && !class.is_present()
        && data_volume.target.is_some()
    {
        rules.found(Rule::ClonePlan, Detail::StorageClassMissing(name.clone()));
        return;
    }
    outlook(rules, disk, &plan, &target);
}

/// A claim in the image namespace, in another namespace than the disk's, or behind a DataSource is a golden image.
fn is_golden(rules: &Rules<'_>, disk: &NewDisk<'_>, source_namespace: &str) -> bool {
    source_namespace == rules.settings.vm_disk.image_namespace
        || source_namespace != disk.data_volume.namespace
        || matches!(disk.data_volume.source, Source::DataSource { .. })
}

fn missing(is_missing: bool, source: Named, unresolved: Option<Unresolved>) -> Option<Detail> {
    is_missing.then_some(Detail::SourceMissing(SourceMissing { source, unresolved }))
}

/// How often an import's pod must have been restarted before it counts as stuck.
const STUCK_AFTER_RESTARTS: i128 = 3;

fn source_failed(cluster: &Cluster<'_>, namespace: &str, name: &str) -> Result<Option<Detail>, Failure> {
    let Some(found) = cluster.data_volume(namespace, name)?.present() else {
        return Ok(None);
    };
    let data_volume = Named::new(Kind::DataVolume.name(), namespace, name);
    let restarts = match found.phase.as_deref() {
        Some("Failed") => None,
        Some("Succeeded") => return Ok(None),
        _ if found.restart_count >= STUCK_AFTER_RESTARTS && found.running_failed => Some(found.restart_count),
        _ => return Ok(None),
    };
    Ok(Some(Detail::SourceFailed(SourceFailed { data_volume, restarts })))
}

/// What is to be said of a class that is left to the cluster.
pub(super) fn default_class(target: &TargetClass, data_volume: &DataVolume) -> Option<Detail> {
    let (annotation, candidates) = match target {
        TargetClass::Default { candidates, annotation, .. } if candidates.len() > 1 => (annotation, candidates.clone()),
        TargetClass::NoDefault => (&DefaultAnnotation::Kubernetes, Vec::new()),
        TargetClass::Default { .. } | TargetClass::Named { .. } => return None,
    };
    data_volume
        .target
        .is_some()
        .then(|| Detail::DefaultClass(DefaultClass { annotation: annotation.key(), candidates }))
}

/// What the plan says of a disk whose class is known.
fn outlook(rules: &mut Rules<'_>, disk: &NewDisk<'_>, plan: &Plan, target: &TargetClass) {
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
                        cdi_name: rules.settings.cdi_name.clone(),
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
                cdi_name: rules.settings.cdi_name.clone(),
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
        cdi_name: rules.settings.cdi_name.clone(),
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
    let mode = claim.volume_mode.as_deref().filter(|mode| !mode.is_empty());
    Some(mode.unwrap_or(clone::FILESYSTEM).to_owned())
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
