//! How a clone will go: by copy, too small, or not at all.

use super::source::size;
use crate::clone::{ErrorClass, FallbackReason, Fault, Origin};
use crate::finding::clone_refusal::origin;
use crate::finding::{Named, Words};
use crate::quantity::Quantity;
use crate::text::{name, printable};

/// A clone that pods copy byte by byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// The claim or snapshot that is copied.
    pub source: Named,
    /// The class of the source, where it is another one and of the source's own driver, unlike the new disk's.
    pub better_class: Option<String>,
    /// The volume mode of the source, where it is known.
    pub source_mode: Option<String>,
    /// The class of the new disk.
    pub target: String,
    /// CDI's reason, where another strategy was asked for.
    pub fallback_reason: Option<FallbackReason>,
    /// Where the strategy that was asked for came from.
    pub origin: Origin,
    /// The name of the CDI resource.
    pub cdi_name: String,
}

impl Copied {
    fn cause(&self) -> String {
        match self.fallback_reason {
            Some(reason) => reason.message().to_owned(),
            None => match self.origin {
                Origin::NoCsiDriver => origin(self.origin, &self.cdi_name, &self.target),
                Origin::Override
                | Origin::Profile
                | Origin::Default
                | Origin::CloneTypeAnnotation
                | Origin::UsePopulatorAnnotation
                | Origin::SnapshotSource => {
                    format!("copy is {}", origin(self.origin, &self.cdi_name, &self.target))
                }
            },
        }
    }

    fn remedy(&self, limit: usize) -> String {
        match (self.fallback_reason, &self.better_class) {
            (Some(FallbackReason::IncompatibleProvisioners | FallbackReason::NoVolumeSnapshotClass), Some(class)) => {
                format!("StorageClass \"{}\" may clone at once", printable(class, limit))
            }
            (Some(FallbackReason::NoVolumeSnapshotClass), None) => {
                "A VolumeSnapshotClass of the class's driver would help".to_owned()
            }
            (Some(FallbackReason::IncompatibleProvisioners | FallbackReason::NoProvisionerMatch), _) => {
                "A StorageClass of the source's driver would help".to_owned()
            }
            (Some(FallbackReason::IncompatibleVolumeModes), _) => match &self.source_mode {
                Some(mode) => format!("volumeMode: {}, as the source has it, would help", printable(mode, 20)),
                None => "The volumeMode of the source would help".to_owned(),
            },
            (Some(FallbackReason::NoVolumeExpansion), _) => {
                "The source's size, or a class that allows expansion, would help".to_owned()
            }
            (None, _) => "It takes as long as the image is large".to_owned(),
        }
    }
}

impl Words for Copied {
    fn short(&self, limit: usize) -> String {
        format!(
            "{} is copied into \"{}\" by pods, slower than a clone: {}. {}",
            self.source.short(limit),
            printable(&self.target, limit),
            printable(&self.cause(), 120.max(limit)),
            self.remedy(limit)
        )
    }

    fn long(&self) -> String {
        format!(
            "{} would be copied into StorageClass \"{}\" by pods, which is slower than a clone: {}. {}.",
            self.source.long(),
            name(&self.target),
            self.cause(),
            self.remedy(253)
        )
    }
}

/// A disk that is smaller than its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooSmall {
    /// The claim or snapshot that is cloned.
    pub source: Named,
    /// What the source needs, if it is known.
    pub source_size: Option<Quantity>,
    /// What the disk asks for, if it is known.
    pub target_size: Option<Quantity>,
}

impl TooSmall {
    fn sizes(&self) -> (String, String) {
        let words = |quantity: &Option<Quantity>| quantity.as_ref().map_or_else(|| "no size".to_owned(), size);
        (words(&self.target_size), words(&self.source_size))
    }
}

impl Words for TooSmall {
    fn short(&self, limit: usize) -> String {
        let (target, source) = self.sizes();
        format!(
            "the disk asks for {target}, but its source {} has {source}: CDI refuses to clone. Ask for at least \
             {source}",
            self.source.short(limit)
        )
    }

    fn long(&self) -> String {
        let (target, source) = self.sizes();
        format!(
            "The disk asks for {target}, but its source {} has {source}: CDI would refuse to clone, and the disk \
             would stay Pending. Ask for at least {source}.",
            self.source.long()
        )
    }
}

/// A clone that CDI cannot carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClonePlanFails {
    /// The claim or snapshot that is cloned.
    pub source: Named,
    /// The class of the new disk, where it is known.
    pub target: Option<String>,
    /// Where and why.
    pub fault: Fault,
    /// The name of the CDI resource.
    pub cdi_name: String,
}

impl ClonePlanFails {
    /// The cause and the way out.
    fn words(&self, limit: usize) -> (String, String) {
        let class = self.target.as_ref().map_or_else(Default::default, |class| printable(class, limit));
        let cdi = printable(&self.cdi_name, limit);
        let (cause, remedy): (String, &str) = match self.fault.class {
            ErrorClass::ArchiveOnBlock => {
                ("contentType archive needs a Filesystem volume".into(), "Set volumeMode: Filesystem")
            }
            ErrorClass::NoCDIConfig => {
                ("CDIConfig \"config\" does not exist".into(), "Ask the administrator to check CDI")
            }
            ErrorClass::SizeBelow1MiB => ("the size is below 1Mi".into(), "Ask for at least 1Mi"),
            ErrorClass::NoStorageSection => {
                ("the DataVolume has neither spec.storage nor spec.pvc".into(), "Add spec.storage")
            }
            ErrorClass::BadUsePopulatorAnnotation => (
                "annotation cdi.kubevirt.io/storage.usePopulator is neither true nor false".into(),
                "Remove the annotation",
            ),
            ErrorClass::ContentTypeMismatch => {
                ("source and disk differ in contentType".into(), "Set the source's contentType")
            }
            ErrorClass::SizeRequestMissing => {
                ("spec.pvc asks for no size".into(), "Set spec.pvc.resources.requests.storage")
            }
            ErrorClass::SnapshotNoStatus => ("the snapshot has no status yet".into(), "Wait for the snapshot"),
            ErrorClass::SnapshotInError => ("the snapshot has failed".into(), "Take a new snapshot"),
            ErrorClass::SnapshotNoClassName => {
                ("the snapshot names no VolumeSnapshotClass".into(), "Take a new snapshot")
            }
            ErrorClass::SnapshotNoRestoreSize => {
                ("the snapshot has no restoreSize".into(), "Wait for the snapshot, or take a new one")
            }
            ErrorClass::SnapshotSizeUnknown => {
                ("neither the disk nor the snapshot has a size".into(), "Set resources.requests.storage")
            }
            ErrorClass::SnapshotContentNotBound => {
                ("the snapshot has no VolumeSnapshotContent yet".into(), "Wait for the snapshot")
            }
            ErrorClass::SnapshotContentNotFound => {
                ("the snapshot's VolumeSnapshotContent does not exist".into(), "Take a new snapshot")
            }
            ErrorClass::NoClassForSnapshotDriver | ErrorClass::NoClassForTempClaim => {
                ("no StorageClass has the snapshot's driver".into(), "Ask the administrator for one")
            }
            ErrorClass::InvalidClaimSize => {
                ("no size is given, and the source has none yet".into(), "Set resources.requests.storage")
            }
            ErrorClass::InvalidClaimNoAccessModes => ("no access mode is given".into(), "Set accessModes"),
            ErrorClass::VolumeCloneSourceNotFound => (
                "no size is given, and with label applyStorageProfile CDI finds none".into(),
                "Set resources.requests.storage",
            ),
            ErrorClass::EmptyStorageClassName => ("storageClassName is empty".into(), "Name a class or leave it out"),
            ErrorClass::InTreeProvisioner => {
                (format!("StorageClass \"{class}\" has an in-tree provisioner"), "Choose a class of a CSI driver")
            }
            ErrorClass::NoActiveCDI => {
                (format!("the CDI resource \"{cdi}\" does not exist"), "Ask the administrator to check CDI")
            }
            ErrorClass::SeveralActiveCDI => {
                ("there are several CDI resources".into(), "Ask the administrator to keep one")
            }
            ErrorClass::PVClaimRefMismatch => (
                "the source's PersistentVolume belongs to another claim".into(),
                "Ask the administrator to check its claimRef",
            ),
            ErrorClass::SourceCapacityMissing => {
                ("the source is not bound yet and has no capacity".into(), "Wait until the source is bound")
            }
            ErrorClass::UnknownStrategy => (
                "annotation cdi.kubevirt.io/cloneType names no strategy for this source".into(),
                "Remove the annotation",
            ),
            ErrorClass::StorageProfileNotFound => {
                (format!("StorageProfile \"{class}\" does not exist"), "Set accessModes and volumeMode")
            }
            ErrorClass::StorageProfileNoMatchingAccessModes => (
                format!("StorageProfile \"{class}\" has no access modes for the volumeMode asked for"),
                "Set accessModes, or leave volumeMode out",
            ),
            // Named by rules of their own; told here only where such a rule does not see them.
            ErrorClass::DataSourceEmpty
            | ErrorClass::NoStorageClassForRendering
            | ErrorClass::StorageProfileNoAccessModes
            | ErrorClass::TargetSmallerThanSource
            | ErrorClass::SnapshotClassNotFound
            | ErrorClass::StorageClassNotFound
            | ErrorClass::PlanNoSnapshotClass
            | ErrorClass::Panic => (
                format!("{} at step {}", self.fault.class, self.fault.stage.as_str()),
                "Ask the administrator to check CDI",
            ),
        };
        (cause, remedy.to_owned())
    }
}

impl Words for ClonePlanFails {
    fn short(&self, limit: usize) -> String {
        let (cause, remedy) = self.words(limit);
        let target =
            self.target.as_ref().map_or_else(String::new, |class| format!(" into \"{}\"", printable(class, limit)));
        format!("CDI cannot clone {}{target}: {cause}. {remedy}", self.source.short(limit))
    }

    fn long(&self) -> String {
        let (cause, remedy) = self.words(253);
        let target =
            self.target.as_ref().map_or_else(String::new, |class| format!(" into StorageClass \"{}\"", name(class)));
        format!("CDI cannot clone {}{target}: {cause}. The disk would stay Pending. {remedy}.", self.source.long())
    }
}
