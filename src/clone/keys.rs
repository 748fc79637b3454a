//! The annotations that CDI reads and writes (`pkg/controller/common/util.go`).

/// Which form the content of a claim has (`AnnContentType`).
pub const CONTENT_TYPE: &str = "cdi.kubevirt.io/storage.contentType";
/// The strategy of a clone; on a DataVolume it presets it (`AnnCloneType`).
pub const CLONE_TYPE: &str = "cdi.kubevirt.io/cloneType";
/// Whether CDI's populators make the clone (`AnnUsePopulator`).
pub const USE_POPULATOR: &str = "cdi.kubevirt.io/storage.usePopulator";
/// With any value: no comparison of sizes while choosing (`AnnPermissiveClone`).
pub const PERMISSIVE_CLONE: &str = "cdi.kubevirt.io/permissiveClone";
/// On a StorageProfile: the smallest claim that its class can make (`AnnMinimumSupportedPVCSize`).
pub const MINIMUM_SIZE: &str = "cdi.kubevirt.io/minimumSupportedPvcSize";
/// On a VolumeSnapshot: the mode of the volume that it was taken of (`AnnSourceVolumeMode`).
pub const SOURCE_VOLUME_MODE: &str = "cdi.kubevirt.io/storage.import.sourceVolumeMode";
/// On a source claim: the size of the image in it (`AnnVirtualImageSize`; the spelling is CDI's).
pub const VIRTUAL_SIZE: &str = "cdi.Kubervirt.io/virtualSize";
/// On a source claim: its capacity when [`VIRTUAL_SIZE`] was found out (`AnnSourceCapacity`; the spelling is CDI's).
pub const SOURCE_CAPACITY: &str = "cdi.Kubervirt.io/sourceCapacity";
/// Marks CDI's default class for virtual machines (`AnnDefaultVirtStorageClass`).
pub const DEFAULT_VIRT_CLASS: &str = "storageclass.kubevirt.io/is-default-virt-class";
/// Marks Kubernetes' default class (`AnnDefaultStorageClass`).
pub const DEFAULT_CLASS: &str = "storageclass.kubernetes.io/is-default-class";
/// Marks the default VolumeSnapshotClass of a driver (`AnnDefaultSnapshotClass`).
pub const DEFAULT_SNAPSHOT_CLASS: &str = "snapshot.storage.kubernetes.io/is-default-class";
