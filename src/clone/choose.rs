//! Choosing a strategy, and planning it (`pkg/controller/clone/planner.go`, `ChooseStrategy` and `Plan`).

use super::snapshot_class::{self, SnapshotClassAnswer};
use super::snapshot_source::{self, Checked};
use super::steps::{Context, Draft, Spec, Step, Stop};
use super::target::resolve_mode;
use super::{ErrorClass, FallbackReason, Fault, Origin, Stage, Strategy, driver, driver::Driver, keys, size, strategy};
use crate::cluster::{Claim, StorageClass};
use crate::quantity::Quantity;
use crate::subject::ContentType;

/// A strategy that was chosen.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) strategy: Strategy,
    pub(super) origin: Origin,
    pub(super) fallback_reason: Option<FallbackReason>,
}

impl Choice {
    fn of(strategy: Strategy, origin: Origin) -> Self {
        Self { strategy, origin, fallback_reason: None }
    }

    fn fallback(origin: Origin, reason: FallbackReason) -> Self {
        Self { strategy: Strategy::Copy, origin, fallback_reason: Some(reason) }
    }

    /// The outcome of failing to plan this choice.
    fn fails(&self, fault: Fault) -> Stop {
        Stop::Fails(Box::new((fault, Some(self.strategy.clone()), self.fallback_reason)))
    }
}

/// The strategy that the DataVolume's annotation `cloneType` presets. CDI saves its own choice there, so what it finds
/// is used unseen: no size, mode, driver or override is looked at (`clone-populator.go`, `getCloneStrategy`).
pub(super) fn preset(context: Context<'_>) -> Option<Choice> {
    let value = context.dv.annotation(keys::CLONE_TYPE)?;
    Some(Choice::of(Strategy::from(value), Origin::CloneTypeAnnotation))
}

/// `computeStrategyForSourcePVC`, in its order.
pub(super) fn for_claim(
    context: Context<'_>,
    source: &Claim,
    spec: &Spec,
    class: &StorageClass,
    permissive: bool,
) -> Step<Choice> {
    let fault = |class| Fault::new(Stage::Choose, class);
    let cluster = context.cluster;
    if !permissive {
        let request = match &spec.request {
            Some(request) => {
                let virt = context.dv.content_type == ContentType::Kubevirt;
                Some(size::effective(request.clone(), spec.class.as_deref(), virt, cluster)?)
            }
            None => None,
        };
        size::compare(Stage::Choose, source.request.as_ref(), request.as_ref())?;
    }
    let Some(cdi) = cluster.cdi(context.cdi_name)?.present() else { return Err(fault(ErrorClass::NoActiveCDI).into()) };
    let (strategy, origin) = strategy::configured(&cdi, &class.meta.name, cluster)?;
    let chosen = Choice::of(strategy, origin);
    if !matches!(chosen.strategy, Strategy::Snapshot | Strategy::CsiClone) {
        return Ok(chosen);
    }
    let driver = match driver::common_driver(source, class, cluster)? {
        Driver::Known(driver) => Some(driver),
        Driver::None => None,
        Driver::ClaimRefMismatch => return Err(fault(ErrorClass::PVClaimRefMismatch).into()),
    };
    if chosen.strategy == Strategy::Snapshot {
        let found = match &driver {
            Some(driver) => snapshot_class::for_clone(source, class, driver, cluster)?,
            None => SnapshotClassAnswer::None,
        };
        match found {
            SnapshotClassAnswer::Class(_) => {}
            SnapshotClassAnswer::None => return Ok(Choice::fallback(origin, FallbackReason::NoVolumeSnapshotClass)),
            SnapshotClassAnswer::Missing(name) => {
                return Err(fault(ErrorClass::SnapshotClassNotFound).about(&name).into());
            }
        }
    }
    // `validateAdvancedClonePVC`
    if driver.is_none() {
        return Ok(Choice::fallback(origin, FallbackReason::IncompatibleProvisioners));
    }
    if resolve_mode(source.volume_mode.as_deref()) != resolve_mode(spec.volume_mode.as_deref()) {
        return Ok(Choice::fallback(origin, FallbackReason::IncompatibleVolumeModes));
    }
    let (Some(capacity), Some(request)) = (&source.capacity, &spec.request) else {
        return Err(fault(ErrorClass::SourceCapacityMissing).into());
    };
    if !can_grow(capacity, request, class) {
        return Ok(Choice::fallback(origin, FallbackReason::NoVolumeExpansion));
    }
    Ok(chosen)
}

/// `computeStrategyForSourceSnapshot`: no configuration is consulted.
pub(super) fn for_snapshot(context: Context<'_>, source: &Checked, spec: &Spec, class: &StorageClass) -> Step<Choice> {
    let origin = Origin::SnapshotSource;
    let content = snapshot_source::content(context, &source.snapshot, Stage::Choose)?;
    if class.provisioner != content.driver {
        return Ok(Choice::fallback(origin, FallbackReason::NoProvisionerMatch));
    }
    if let Some(request) = &spec.request
        && !can_grow(&source.restore_size, request, class)
    {
        return Ok(Choice::fallback(origin, FallbackReason::NoVolumeExpansion));
    }
    // Unset is Filesystem here: the snapshot's annotation is not asked.
    if resolve_mode(content.source_volume_mode.as_deref()) != resolve_mode(spec.volume_mode.as_deref()) {
        return Ok(Choice::fallback(origin, FallbackReason::IncompatibleVolumeModes));
    }
    Ok(Choice::of(Strategy::Snapshot, origin))
}

/// Whether a volume of that capacity can become one of the requested size.
fn can_grow(capacity: &Quantity, request: &Quantity, class: &StorageClass) -> bool {
    capacity >= request || class.allow_volume_expansion
}

/// `Plan` for a claim: a copy and a csi-clone are always planned, a snapshot needs a VolumeSnapshotClass that suits the
/// target alone.
pub(super) fn plan_claim(context: Context<'_>, draft: &mut Draft, choice: &Choice, class: &StorageClass) -> Step<()> {
    let fault = |class| Fault::new(Stage::Plan, class);
    match &choice.strategy {
        Strategy::Copy | Strategy::CsiClone => Ok(()),
        Strategy::Unknown(_) => Err(choice.fails(fault(ErrorClass::UnknownStrategy))),
        Strategy::Snapshot => match snapshot_class::for_target(class, context.cluster)? {
            SnapshotClassAnswer::Class(name) => {
                draft.snapshot_class = Some(name);
                Ok(())
            }
            SnapshotClassAnswer::None => Err(choice.fails(fault(ErrorClass::PlanNoSnapshotClass))),
            SnapshotClassAnswer::Missing(name) => {
                Err(choice.fails(fault(ErrorClass::SnapshotClassNotFound).about(&name)))
            }
        },
    }
}

/// `Plan` for a snapshot: a copy needs a class of the snapshot's driver for a temporary claim.
pub(super) fn plan_snapshot(context: Context<'_>, choice: &Choice, source: &Checked, class: &StorageClass) -> Step<()> {
    let fails = |stop: Stop| match stop {
        Stop::Fails(fails) => choice.fails(fails.0),
        Stop::Unknown(_) | Stop::Waits(_) => stop,
    };
    match &choice.strategy {
        Strategy::Snapshot => Ok(()),
        Strategy::CsiClone | Strategy::Unknown(_) => {
            Err(choice.fails(Fault::new(Stage::Plan, ErrorClass::UnknownStrategy)))
        }
        Strategy::Copy => {
            let content = snapshot_source::content(context, &source.snapshot, Stage::Plan).map_err(fails)?;
            match snapshot_source::class_of_driver(context, &content.driver, Some(class), false)? {
                Some(_) => Ok(()),
                None => {
                    let fault = Fault::new(Stage::Plan, ErrorClass::NoClassForTempClaim);
                    Err(choice.fails(fault.about(&content.driver)))
                }
            }
        }
    }
}
