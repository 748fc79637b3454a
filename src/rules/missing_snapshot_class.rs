//! A clone by snapshot whose VolumeSnapshotClass both profiles name and which does not exist: CDI takes that for an
//! error and tries again for ever, where without a name it would have copied.

use super::Rules;
use super::clone_advice::CloneOfClaim;
use super::remote_volume_access::{known, same_driver, settle};
use crate::clone::Strategy;
use crate::clone::driver::{Driver, cdi_driver};
use crate::clone::snapshot_class::{SnapshotClassAnswer, for_clone};
use crate::clone::strategy::requested_strategy;
use crate::cluster::{Failure, Kind};
use crate::finding::{Detail, Named, SnapshotClass, TargetClass};

/// Whether planning the clone fails because the class does not exist.
///
/// # Errors
/// A lookup that decides could not be answered.
pub(super) fn find(rules: &Rules<'_>, clone: &CloneOfClaim<'_>) -> Result<Option<Detail>, Failure> {
    let Some(target) = clone.target_class()? else {
        return Ok(None);
    };
    let Some(claim) = clone.claim()? else {
        return Ok(None);
    };
    let requested = requested_strategy(clone.data_volume, &target.meta.name, rules.cluster, &rules.settings.cdi_name)?;
    let Some((Strategy::Snapshot, origin)) = requested else {
        return Ok(None);
    };
    let mut unknown = None;
    if known(same_driver(&claim, &target, rules.cluster), &mut unknown) == Some(false)
        // CDI fails there for another reason, before it looks for the class.
        || known(cdi_driver(&claim, rules.cluster), &mut unknown) == Some(Driver::ClaimRefMismatch)
    {
        return Ok(None);
    }
    let class = known(for_clone(&claim, &target, &target.provisioner, rules.cluster), &mut unknown);
    let missing = match class {
        Some(SnapshotClassAnswer::Missing(class)) => class,
        Some(SnapshotClassAnswer::Class(_) | SnapshotClassAnswer::None) => return Ok(None),
        None => return settle(unknown),
    };
    if unknown.is_some() {
        return settle(unknown);
    }
    let mut named_by: Vec<_> = claim.storage_class_name.iter().cloned().collect();
    if !named_by.contains(&target.meta.name) {
        named_by.push(target.meta.name.clone());
    }
    let detail = SnapshotClass {
        source: Named::new(Kind::PersistentVolumeClaim.name(), &claim.meta.namespace, &claim.meta.name),
        target: TargetClass { name: target.meta.name.clone(), default_by: clone.default_by() },
        missing: Some(missing),
        named_by,
        driver: Some(target.provisioner.clone()),
        origin,
        cdi_name: rules.settings.cdi_name.to_string(),
    };
    Ok(Some(if clone.golden { Detail::SnapshotClassMissing(detail) } else { Detail::SnapshotPlanFails(detail) }))
}
