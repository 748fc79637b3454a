//! A clone within LINSTOR into a class whose volumes not every node may attach never binds.
//!
//! The clone stays where the replicas of its source are; without remote volume access no other node can attach it.
//! Each condition is looked up; one that is known not to hold settles the matter, whatever else could not be read.

use std::rc::Rc;

use super::Rules;
use super::clone_advice::CloneOfClaim;
use crate::clone::driver::{Driver, cdi_driver, volume_driver};
use crate::clone::snapshot_class::{SnapshotClassAnswer, for_clone};
use crate::clone::strategy::requested_strategy;
use crate::clone::target::{resolve_mode, volume_mode};
use crate::clone::{Origin, Strategy};
use crate::cluster::{Claim, Cluster, Failure, Kind, StorageClass};
use crate::finding::{AmbiguousParameter, Detail, Named, RemoteAccess, TargetClass};
use crate::linstor::{self, Anywhere};

/// Whether the clone can never bind.
///
/// # Errors
/// A lookup that decides could not be answered.
pub(super) fn find(rules: &Rules<'_>, clone: &CloneOfClaim<'_>) -> Result<Option<Detail>, Failure> {
    // 1. The source and the target class exist. Where the class is left to several defaults nothing is compared.
    let Some(target) = clone.target_class()? else {
        return Ok(None);
    };
    // 3., 6., 7. as far as the class alone decides.
    let Some(access) = restricted(rules, &target) else {
        return Ok(None);
    };
    let Some(claim) = clone.claim()? else {
        return Ok(None);
    };
    // 4. A disk in the source's own class is always fine.
    let Some(source_class) = other_class(&claim, &target) else {
        return Ok(None);
    };
    let mut unknown = None;
    // 2. CDI's choice; 1. the CDI resource exists.
    let requested = requested_strategy(clone.data_volume, &target.meta.name, rules.cluster, &rules.settings.cdi_name);
    let Some(choice) = known(requested, &mut unknown) else {
        return settle(unknown);
    };
    let Some((strategy, origin)) = choice else {
        return Ok(None);
    };
    if !matches!(strategy, Strategy::CsiClone | Strategy::Snapshot) {
        return Ok(None);
    }
    // 3. One driver.
    if known(same_driver(&claim, &target, rules.cluster), &mut unknown) == Some(false) {
        return Ok(None);
    }
    if strategy == Strategy::Snapshot {
        let class = known(for_clone(&claim, &target, &target.provisioner, rules.cluster), &mut unknown);
        if matches!(class, Some(SnapshotClassAnswer::None | SnapshotClassAnswer::Missing(_))) {
            return Ok(None);
        }
    }
    // 5. One volume mode.
    let source_mode = resolve_mode(claim.volume_mode.as_deref());
    if let Some(mode) = known(volume_mode(clone.data_volume, &target, rules.cluster), &mut unknown)
        && mode.as_deref() != Some(source_mode)
    {
        return Ok(None);
    }
    if let Some(failure) = unknown {
        return Err(failure);
    }
    let source = Named::new(Kind::PersistentVolumeClaim.name(), &claim.meta.namespace, &claim.meta.name);
    Ok(Some(told(rules, source, source_class, (&target, clone.default_by()), (strategy, origin), access)))
}

/// The same for a snapshot whose claim still exists; `origin` is [`Origin::SnapshotSource`].
///
/// # Errors
/// A lookup that decides could not be answered.
pub(super) fn find_for_snapshot(
    rules: &Rules<'_>,
    snapshot: &Named,
    target: &Rc<StorageClass>,
) -> Result<Option<Detail>, Failure> {
    let Some(access) = restricted(rules, target) else {
        return Ok(None);
    };
    let Some(found) = rules.cluster.volume_snapshot(&snapshot.namespace, &snapshot.name)?.present() else {
        return Ok(None);
    };
    let Some(claim_name) = &found.persistent_volume_claim_name else {
        return Ok(None);
    };
    let Some(claim) = rules.cluster.claim(&snapshot.namespace, claim_name)?.present() else {
        return Ok(None);
    };
    let Some(source_class) = other_class(&claim, target) else {
        return Ok(None);
    };
    let choice = (Strategy::Snapshot, Origin::SnapshotSource);
    Ok(Some(told(rules, snapshot.clone(), source_class, (target, None), choice, access)))
}

/// How far the class lets its volumes be attached, where it is one that the rule looks at: of LINSTOR, expandable, and
/// not known to let every node attach them.
fn restricted(rules: &Rules<'_>, target: &StorageClass) -> Option<linstor::RemoteAccess> {
    if !rules.settings.is_linstor(&target.provisioner) || !target.allow_volume_expansion {
        return None;
    }
    Some(linstor::remote_access(&target.parameters)).filter(|access| access.anywhere != Anywhere::Yes)
}

/// What is told once all conditions hold. `target` comes with the annotation that made it the default, if one did.
fn told(
    rules: &Rules<'_>,
    source: Named,
    source_class: &str,
    (target, default_by): (&StorageClass, Option<&'static str>),
    (strategy, origin): (Strategy, Origin),
    access: linstor::RemoteAccess,
) -> Detail {
    if access.anywhere == Anywhere::CannotTell {
        let key = access.decided_by.map(|(key, _)| key).unwrap_or_default();
        return Detail::AmbiguousParameter(AmbiguousParameter { class: target.meta.name.clone(), key });
    }
    Detail::RemoteVolumeAccess(RemoteAccess {
        source,
        source_class: source_class.to_owned(),
        target: TargetClass { name: target.meta.name.clone(), default_by },
        driver: target.provisioner.clone(),
        strategy,
        origin,
        cdi_name: rules.settings.cdi_name.to_string(),
        parameter: access.decided_by,
    })
}

/// The class of the claim, where it names another one than the target's. An empty name names none: a volume that was
/// made by hand has it.
fn other_class<'c>(claim: &'c Claim, target: &StorageClass) -> Option<&'c String> {
    claim.storage_class_name.as_ref().filter(|class| !class.is_empty() && **class != target.meta.name)
}

/// Whether the source's driver is the target class's provisioner.
///
/// Where the volume that the claim names and CDI's own reading differ (CDI does not look into a volume without a
/// `claimRef`, and gives up on one whose `claimRef` names another claim), both must say so.
///
/// # Errors
/// A lookup that decides could not be answered.
pub(super) fn same_driver(claim: &Claim, target: &StorageClass, cluster: &Cluster<'_>) -> Result<bool, Failure> {
    if volume_driver(claim, cluster)?.is_some_and(|driver| driver != target.provisioner) {
        return Ok(false);
    }
    match cdi_driver(claim, cluster)? {
        Driver::Known(driver) => Ok(driver == target.provisioner),
        Driver::None => Ok(false),
        Driver::ClaimRefMismatch => {
            let Some(class) = claim.storage_class_name.as_deref() else {
                return Ok(false);
            };
            let class = cluster.storage_class(class)?.present();
            Ok(class.is_some_and(|class| class.provisioner == target.provisioner))
        }
    }
}

/// The answer, or the first failure kept for later: another condition may settle the matter without it.
pub(super) fn known<T>(answer: Result<T, Failure>, unknown: &mut Option<Failure>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(failure) => {
            unknown.get_or_insert(failure);
            None
        }
    }
}

/// Nothing was found, unless something could not be told.
pub(super) fn settle(unknown: Option<Failure>) -> Result<Option<Detail>, Failure> {
    unknown.map_or(Ok(None), Err)
}
