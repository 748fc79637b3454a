//! The clone rules, on one new disk.

use std::rc::Rc;

use super::new_disk::NewDisk;
use super::{Rules, missing_snapshot_class, outlook, remote_volume_access};
use crate::clone::storage_class::{self, DefaultAnnotation, TargetClass};
use crate::clone::{self, Outcome, Resolved, Unresolved};
use crate::cluster::{Claim, Cluster, Failure, Kind, StorageClass};
use crate::finding::{DefaultClass, Detail, Named, SourceFailed, SourceMissing};
use crate::settings::Rule;
use crate::subject::{DataVolume, Source};

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
                    target: target_class(rules, data_volume, probe.as_deref()),
                };
                let rule = if clone.golden { Rule::RemoteVolumeAccess } else { Rule::RemoteVolumeAccessOwnDisk };
                rules.ask(rule, |rules| remote_volume_access::find(rules, &clone));
                let rule = if clone.golden { Rule::MissingSnapshotClass } else { Rule::SnapshotPlan };
                rules.ask(rule, |rules| missing_snapshot_class::find(rules, &clone));
                target = Some(clone.target);
            }
            let named = Named::new(Kind::PersistentVolumeClaim.name(), &claim.namespace, &claim.name);
            rules.ask(Rule::SourceMissing, |_| found.map(|found| missing(found.is_none(), named, None)));
            // Where it does not exist, that is told already.
            if target.is_some() {
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
        None => target_class(rules, data_volume, probe.as_deref()),
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
    outlook::tell(rules, disk, &plan, &target);
}

fn target_class(rules: &Rules<'_>, data_volume: &DataVolume, probe: Option<&str>) -> Result<TargetClass, Failure> {
    storage_class::target_class(data_volume, rules.cluster, &rules.settings.cdi_name, probe)
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
