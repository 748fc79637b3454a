//! What a clone comes to, as a value.

use std::fmt;
use std::rc::Rc;

use crate::cluster::{Failure, StorageClass};
use crate::quantity::Quantity;
use crate::subject::{ClaimSource, SnapshotSource};

/// How CDI clones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strategy {
    /// `csi-clone`: the driver clones the volume.
    CsiClone,
    /// `snapshot`: the driver takes a snapshot and restores it.
    Snapshot,
    /// `copy`: pods copy the bytes (host-assisted).
    Copy,
    /// A value of the annotation `cdi.kubevirt.io/cloneType` that CDI does not know.
    Unknown(String),
}

impl Strategy {
    /// CDI's word for it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::CsiClone => "csi-clone",
            Self::Snapshot => "snapshot",
            Self::Copy => "copy",
            Self::Unknown(other) => other,
        }
    }
}

impl From<&str> for Strategy {
    fn from(word: &str) -> Self {
        match word {
            "csi-clone" => Self::CsiClone,
            "snapshot" => Self::Snapshot,
            "copy" => Self::Copy,
            other => Self::Unknown(other.to_owned()),
        }
    }
}

/// Where a strategy came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The CDI resource's `spec.cloneStrategyOverride`.
    Override,
    /// The StorageProfile of the target class.
    Profile,
    /// Neither says anything: CDI's default, `snapshot`.
    Default,
    /// Annotation `cdi.kubevirt.io/cloneType` on the DataVolume.
    CloneTypeAnnotation,
    /// Annotation `cdi.kubevirt.io/storage.usePopulator: "false"` on the DataVolume.
    UsePopulatorAnnotation,
    /// No populator: the class is not there, or no CSIDriver of its provisioner is.
    NoCsiDriver,
    /// A snapshot source: CDI consults no configuration.
    SnapshotSource,
}

/// CDI's reason for copying although another strategy was asked for (`pkg/controller/clone/planner.go`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FallbackReason {
    /// No VolumeSnapshotClass serves both claims.
    NoVolumeSnapshotClass,
    /// Source and target have different drivers.
    IncompatibleProvisioners,
    /// Source and target have different volume modes.
    IncompatibleVolumeModes,
    /// The target is larger and its class cannot expand.
    NoVolumeExpansion,
    /// The snapshot's driver is not the target class's provisioner.
    NoProvisionerMatch,
}

impl FallbackReason {
    /// CDI's own message.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::NoVolumeSnapshotClass => "No compatible volumesnapshotclass found",
            Self::IncompatibleProvisioners => "Provisioners are incompatible",
            Self::IncompatibleVolumeModes => "The volume modes of source and target are incompatible",
            Self::NoVolumeExpansion => "No volume expansion is possible",
            Self::NoProvisionerMatch => "The storageclass provisioner does not match the volumesnapshotcontent driver",
        }
    }
}

/// What CDI waits for without doing anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// The source claim or snapshot does not exist.
    SourceMissing,
    /// The DataSource is missing, empty, links to itself, too deep or across namespaces.
    SourceRefUnresolved,
    /// A pod has to find out the image's size first.
    SizeDetection,
    /// The target claim has no class and nothing gives it one.
    TargetWithoutStorageClass,
}

/// The step at which CDI fails, in the words of the recorded vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The DataSource gives no source.
    Source,
    /// No target claim can be rendered.
    Render,
    /// The annotation `usePopulator` is no boolean.
    UsePopulator,
    /// The DataVolume controller's own checks.
    Validate,
    /// Anything else before the target claim exists.
    Sync,
    /// Before the target claim of a snapshot source without populator exists.
    LegacyInit,
    /// The target claim is refused by the API server or CDI's webhook.
    Create,
    /// The populator refuses the target claim.
    Populate,
    /// Choosing a strategy fails.
    Choose,
    /// Planning the chosen strategy fails.
    Plan,
}

/// Why CDI fails, in the words of the recorded vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the vectors' own words, explained in docs/cdi-agreement.md")]
pub enum ErrorClass {
    DataSourceEmpty,
    NoStorageClassForRendering,
    StorageProfileNotFound,
    StorageProfileNoAccessModes,
    StorageProfileNoMatchingAccessModes,
    ArchiveOnBlock,
    NoCDIConfig,
    SizeBelow1MiB,
    NoStorageSection,
    BadUsePopulatorAnnotation,
    ContentTypeMismatch,
    SizeRequestMissing,
    TargetSmallerThanSource,
    SnapshotNoStatus,
    SnapshotInError,
    SnapshotNoClassName,
    SnapshotNoRestoreSize,
    SnapshotSizeUnknown,
    SnapshotContentNotBound,
    SnapshotContentNotFound,
    Panic,
    SnapshotClassNotFound,
    NoClassForSnapshotDriver,
    InvalidClaimSize,
    InvalidClaimNoAccessModes,
    VolumeCloneSourceNotFound,
    EmptyStorageClassName,
    StorageClassNotFound,
    InTreeProvisioner,
    NoActiveCDI,
    SeveralActiveCDI,
    PVClaimRefMismatch,
    SourceCapacityMissing,
    PlanNoSnapshotClass,
    NoClassForTempClaim,
    UnknownStrategy,
}

impl Stage {
    /// The vectors' word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Render => "render",
            Self::UsePopulator => "use-populator",
            Self::Validate => "validate",
            Self::Sync => "sync",
            Self::LegacyInit => "legacy-init",
            Self::Create => "create",
            Self::Populate => "populate",
            Self::Choose => "choose",
            Self::Plan => "plan",
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Why CDI will not carry the clone out, now or ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The step.
    pub stage: Stage,
    /// The reason.
    pub class: ErrorClass,
    /// The object that the reason is about (a VolumeSnapshotClass, a StorageProfile, …), where there is one.
    pub object: Option<String>,
    /// With a size error: what the source needs.
    pub source_size: Option<Quantity>,
    /// With a size error: what the target asks for.
    pub target_size: Option<Quantity>,
}

/// How the clone will be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The DataVolume clones nothing.
    Nothing,
    /// A strategy was chosen (or no populator is used, which is a copy) and planned.
    Clones {
        /// The strategy.
        strategy: Strategy,
        /// Where the strategy that was *asked for* came from.
        origin: Origin,
        /// CDI's reason, where it copies although another strategy was asked for.
        fallback_reason: Option<FallbackReason>,
    },
    /// CDI does nothing for now.
    Waits(Wait),
    /// CDI fails, over and over.
    Fails {
        /// Where and why.
        fault: Fault,
        /// The strategy whose planning failed, where the stage is `plan`.
        strategy: Option<Strategy>,
        /// CDI's reason, where it had fallen back to copying before planning failed.
        fallback_reason: Option<FallbackReason>,
    },
    /// A lookup that the answer needs could not be answered.
    Unknown(Failure),
}

/// The claim that CDI renders for the new disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetClaim {
    /// `storageClassName`
    pub storage_class_name: Option<String>,
    /// `volumeMode`; unset is `Filesystem`.
    pub volume_mode: Option<String>,
    /// `accessModes`, in order.
    pub access_modes: Vec<String>,
    /// `resources.requests.storage` in bytes; `None` is zero or absent.
    pub storage: Option<i128>,
}

/// What is cloned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// Nothing: an import, an upload, a blank disk.
    NotAClone,
    /// A claim.
    Claim(ClaimSource),
    /// A snapshot.
    Snapshot(SnapshotSource),
    /// The DataSource gives no source: CDI waits, or fails with `DataSourceEmpty`.
    Unresolved {
        /// Namespace of the DataSource that the DataVolume names.
        namespace: String,
        /// Name of the DataSource that the DataVolume names.
        name: String,
        /// Why.
        why: Unresolved,
    },
}

/// Why a DataSource gives no source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unresolved {
    /// It does not exist.
    Missing,
    /// It links to a DataSource that does not exist.
    LinkMissing,
    /// It names neither a claim nor a snapshot nor a DataSource.
    Empty,
    /// It links to itself.
    ToItself,
    /// It links to a DataSource that links on.
    TooDeep,
    /// It links to a DataSource in another namespace.
    OtherNamespace,
    /// Its link can be followed, but its `status.source` is not filled yet.
    StatusEmpty,
}

/// The prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What is cloned. `NotAClone` also where a lookup for it failed; the outcome then says so.
    pub source: Resolved,
    /// How.
    pub outcome: Outcome,
    /// The claim that CDI makes, as far as it was rendered.
    pub target: Option<TargetClaim>,
    /// The class of the target claim, where it exists and was looked up.
    pub target_class: Option<Rc<StorageClass>>,
    /// The VolumeSnapshotClass that planning uses, where the strategy is `snapshot`.
    pub snapshot_class: Option<String>,
}
