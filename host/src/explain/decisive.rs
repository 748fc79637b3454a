//! Which object the answer hangs on. The decision is made elsewhere; this only points at where to look.

use vmdisk_policy::clone::{ErrorClass, FallbackReason, Origin, Outcome, Plan, Strategy, Wait};
use vmdisk_policy::cluster::Kind;
use vmdisk_policy::verdict::Verdict;

/// The kind of the object that decided, if one did.
pub(super) fn kind(verdict: &Verdict, plan: Option<&Plan>) -> Option<Kind> {
    if let Some((_, message)) = &verdict.refusal {
        // The reason words are the policy's interface; each names what it found wanting.
        if message.starts_with("[RemoteVolumeAccess]") {
            return Some(Kind::StorageClass);
        }
        if message.starts_with("[SnapshotClassMissing]") || message.starts_with("[SnapshotPlanFails]") {
            return Some(Kind::VolumeSnapshotClass);
        }
    }
    match &plan?.outcome {
        Outcome::Nothing => None,
        Outcome::Unknown(failure) => Some(failure.kind),
        Outcome::Waits(Wait::SourceMissing | Wait::SizeDetection) => Some(Kind::PersistentVolumeClaim),
        Outcome::Waits(Wait::SourceRefUnresolved) => Some(Kind::DataSource),
        Outcome::Waits(Wait::TargetWithoutStorageClass) => Some(Kind::StorageClass),
        Outcome::Clones { fallback_reason: Some(reason), .. } => Some(of_fallback(*reason)),
        Outcome::Clones { strategy: Strategy::Snapshot, fallback_reason: None, .. } => Some(Kind::VolumeSnapshotClass),
        Outcome::Clones { origin, .. } => of_origin(*origin),
        Outcome::Fails { fault, .. } => of_fault(fault.class),
    }
}

fn of_origin(origin: Origin) -> Option<Kind> {
    match origin {
        Origin::Override => Some(Kind::Cdi),
        Origin::Profile | Origin::Default => Some(Kind::StorageProfile),
        Origin::NoCsiDriver => Some(Kind::CsiDriver),
        Origin::SnapshotSource => Some(Kind::VolumeSnapshot),
        Origin::CloneTypeAnnotation | Origin::UsePopulatorAnnotation => None,
    }
}

fn of_fallback(reason: FallbackReason) -> Kind {
    match reason {
        FallbackReason::NoVolumeSnapshotClass => Kind::VolumeSnapshotClass,
        FallbackReason::IncompatibleProvisioners => Kind::PersistentVolume,
        FallbackReason::IncompatibleVolumeModes => Kind::StorageProfile,
        FallbackReason::NoVolumeExpansion => Kind::StorageClass,
        FallbackReason::NoProvisionerMatch => Kind::VolumeSnapshotContent,
    }
}

fn of_fault(class: ErrorClass) -> Option<Kind> {
    match class {
        ErrorClass::DataSourceEmpty => Some(Kind::DataSource),
        ErrorClass::NoStorageClassForRendering
        | ErrorClass::EmptyStorageClassName
        | ErrorClass::StorageClassNotFound
        | ErrorClass::InTreeProvisioner
        | ErrorClass::NoClassForSnapshotDriver
        | ErrorClass::NoClassForTempClaim => Some(Kind::StorageClass),
        ErrorClass::StorageProfileNotFound
        | ErrorClass::StorageProfileNoAccessModes
        | ErrorClass::StorageProfileNoMatchingAccessModes => Some(Kind::StorageProfile),
        ErrorClass::NoCDIConfig => Some(Kind::CdiConfig),
        ErrorClass::NoActiveCDI | ErrorClass::SeveralActiveCDI => Some(Kind::Cdi),
        ErrorClass::PVClaimRefMismatch => Some(Kind::PersistentVolume),
        ErrorClass::ContentTypeMismatch
        | ErrorClass::TargetSmallerThanSource
        | ErrorClass::SourceCapacityMissing
        | ErrorClass::InvalidClaimSize => Some(Kind::PersistentVolumeClaim),
        ErrorClass::SnapshotClassNotFound | ErrorClass::PlanNoSnapshotClass => Some(Kind::VolumeSnapshotClass),
        ErrorClass::SnapshotNoStatus
        | ErrorClass::SnapshotInError
        | ErrorClass::SnapshotNoClassName
        | ErrorClass::SnapshotNoRestoreSize
        | ErrorClass::SnapshotSizeUnknown
        | ErrorClass::SnapshotContentNotBound => Some(Kind::VolumeSnapshot),
        ErrorClass::SnapshotContentNotFound => Some(Kind::VolumeSnapshotContent),
        ErrorClass::ArchiveOnBlock
        | ErrorClass::SizeBelow1MiB
        | ErrorClass::NoStorageSection
        | ErrorClass::BadUsePopulatorAnnotation
        | ErrorClass::SizeRequestMissing
        | ErrorClass::Panic
        | ErrorClass::InvalidClaimNoAccessModes
        | ErrorClass::VolumeCloneSourceNotFound
        | ErrorClass::UnknownStrategy => None,
    }
}
