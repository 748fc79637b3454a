//! The kinds of object that the policy looks up.

use std::fmt;

use k8s_openapi::Resource;
use k8s_openapi::api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use k8s_openapi::api::storage::v1::{CSIDriver, StorageClass};

/// A kind of object that the policy looks up. `metadata.yml` declares the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `v1/PersistentVolumeClaim`
    PersistentVolumeClaim,
    /// `v1/PersistentVolume`
    PersistentVolume,
    /// `storage.k8s.io/v1/StorageClass`
    StorageClass,
    /// `storage.k8s.io/v1/CSIDriver`
    CsiDriver,
    /// `cdi.kubevirt.io/v1beta1/StorageProfile`
    StorageProfile,
    /// `cdi.kubevirt.io/v1beta1/DataVolume`
    DataVolume,
    /// `cdi.kubevirt.io/v1beta1/DataSource`
    DataSource,
    /// `cdi.kubevirt.io/v1beta1/CDI`
    Cdi,
    /// `cdi.kubevirt.io/v1beta1/CDIConfig`
    CdiConfig,
    /// `snapshot.storage.k8s.io/v1/VolumeSnapshotClass`
    VolumeSnapshotClass,
    /// `snapshot.storage.k8s.io/v1/VolumeSnapshot`
    VolumeSnapshot,
    /// `snapshot.storage.k8s.io/v1/VolumeSnapshotContent`
    VolumeSnapshotContent,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 12] = [
        Self::PersistentVolumeClaim,
        Self::PersistentVolume,
        Self::StorageClass,
        Self::CsiDriver,
        Self::StorageProfile,
        Self::DataVolume,
        Self::DataSource,
        Self::Cdi,
        Self::CdiConfig,
        Self::VolumeSnapshotClass,
        Self::VolumeSnapshot,
        Self::VolumeSnapshotContent,
    ];

    /// The `apiVersion` that the policy asks for.
    #[must_use]
    pub const fn api_version(self) -> &'static str {
        match self {
            Self::PersistentVolumeClaim => PersistentVolumeClaim::API_VERSION,
            Self::PersistentVolume => PersistentVolume::API_VERSION,
            Self::StorageClass => StorageClass::API_VERSION,
            Self::CsiDriver => CSIDriver::API_VERSION,
            Self::StorageProfile | Self::DataVolume | Self::DataSource | Self::Cdi | Self::CdiConfig => {
                "cdi.kubevirt.io/v1beta1"
            }
            Self::VolumeSnapshotClass | Self::VolumeSnapshot | Self::VolumeSnapshotContent => {
                "snapshot.storage.k8s.io/v1"
            }
        }
    }

    /// The `kind`, as manifests spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PersistentVolumeClaim => PersistentVolumeClaim::KIND,
            Self::PersistentVolume => PersistentVolume::KIND,
            Self::StorageClass => StorageClass::KIND,
            Self::CsiDriver => CSIDriver::KIND,
            Self::StorageProfile => "StorageProfile",
            Self::DataVolume => "DataVolume",
            Self::DataSource => "DataSource",
            Self::Cdi => "CDI",
            Self::CdiConfig => "CDIConfig",
            Self::VolumeSnapshotClass => "VolumeSnapshotClass",
            Self::VolumeSnapshot => "VolumeSnapshot",
            Self::VolumeSnapshotContent => "VolumeSnapshotContent",
        }
    }

    /// Whether objects of this kind live in a namespace.
    #[must_use]
    pub const fn namespaced(self) -> bool {
        matches!(self, Self::PersistentVolumeClaim | Self::DataVolume | Self::DataSource | Self::VolumeSnapshot)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
