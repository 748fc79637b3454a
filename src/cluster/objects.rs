//! The fields that the policy reads of each kind, and nothing else of them.
//!
//! Optional fields are `Option` where the API tells absent from empty; a list or map that may be absent is empty.
//! How each is read out of a document stands in [`super::read`].

use std::rc::Rc;

use super::Kind;
use crate::json::same;
use crate::quantity::Quantity;

/// `metadata` of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// `name`
    pub name: String,
    /// `namespace`; empty for a cluster-scoped object.
    pub namespace: String,
    /// `annotations`, of which only those are read that the policy asks for.
    pub annotations: Vec<(String, String)>,
}

impl Meta {
    /// The metadata of an object of that name and namespace (empty for a cluster-scoped one).
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { name: name.to_owned(), namespace: namespace.to_owned(), ..Self::default() }
    }

    /// The value of an annotation.
    #[must_use]
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.iter().find(|(k, _)| same(k, key)).map(|(_, v)| v.as_str())
    }
}

/// A `StorageClass`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StorageClass {
    /// `metadata`
    pub meta: Meta,
    /// `metadata.creationTimestamp` as written (RFC 3339 in UTC to the second, so that text order is time order).
    pub creation_timestamp: String,
    /// `provisioner`
    pub provisioner: String,
    /// `parameters`, keys as written, in the order received.
    pub parameters: Vec<(String, String)>,
    /// `allowVolumeExpansion`, absent being false.
    pub allow_volume_expansion: bool,
    /// Whether `volumeBindingMode` is `WaitForFirstConsumer`.
    pub waits_for_first_consumer: bool,
}

/// One entry of a StorageProfile's `status.claimPropertySets`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimPropertySet {
    /// `accessModes`
    pub access_modes: Vec<String>,
    /// `volumeMode`
    pub volume_mode: Option<String>,
}

/// CDI's `StorageProfile`: what CDI knows of the StorageClass of the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StorageProfile {
    /// `metadata`
    pub meta: Meta,
    /// `status.claimPropertySets`
    pub claim_property_sets: Vec<ClaimPropertySet>,
    /// `status.cloneStrategy`
    pub clone_strategy: Option<String>,
    /// `status.snapshotClass`
    pub snapshot_class: Option<String>,
}

/// A `PersistentVolumeClaim`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim {
    /// `metadata`
    pub meta: Meta,
    /// `spec.storageClassName`
    pub storage_class_name: Option<String>,
    /// `spec.volumeMode`
    pub volume_mode: Option<String>,
    /// `spec.volumeName`; empty counts as absent, as in CDI.
    pub volume_name: Option<String>,
    /// `spec.resources.requests.storage`
    pub request: Option<Quantity>,
    /// `status.capacity.storage`
    pub capacity: Option<Quantity>,
}

/// A `PersistentVolume`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Volume {
    /// `metadata`
    pub meta: Meta,
    /// `spec.claimRef` as (namespace, name).
    pub claim_ref: Option<(String, String)>,
    /// `spec.csi.driver`
    pub csi_driver: Option<String>,
}

/// A `CSIDriver`. Only its existence counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CsiDriver {
    /// `metadata`
    pub meta: Meta,
}

/// A `VolumeSnapshotClass`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VolumeSnapshotClass {
    /// `metadata`
    pub meta: Meta,
    /// `driver`
    pub driver: String,
}

/// The `CDI` resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cdi {
    /// `metadata`
    pub meta: Meta,
    /// `spec.cloneStrategyOverride`
    pub clone_strategy_override: Option<String>,
    /// `status.observedVersion`
    pub observed_version: Option<String>,
}

/// The `CDIConfig` resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CdiConfig {
    /// `metadata`
    pub meta: Meta,
    /// `spec.featureGates`
    pub feature_gates: Vec<String>,
    /// `spec.webhookPvcRendering`
    pub webhook_pvc_rendering: Option<String>,
    /// `status.filesystemOverhead`, where it is present.
    pub filesystem_overhead: Option<FilesystemOverhead>,
}

/// `status.filesystemOverhead` of the CDIConfig: fractions as decimal text, such as `0.06`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesystemOverhead {
    /// `global`
    pub global: Option<String>,
    /// `storageClass`, by class name.
    pub storage_class: Vec<(String, String)>,
}

/// A `DataVolume` that exists already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExistingDataVolume {
    /// `metadata`
    pub meta: Meta,
    /// What `spec.source` and `spec.sourceRef` say.
    pub source: RecordedSource,
    /// `spec.storage.storageClassName`, else `spec.pvc.storageClassName`.
    pub storage_class_name: Option<String>,
    /// `status.phase`
    pub phase: Option<String>,
    /// `status.restartCount`
    pub restart_count: i128,
    /// Whether condition `Running` is `False` for reason `Error`.
    pub running_failed: bool,
}

/// The source that an existing DataVolume's spec records, as far as it has a shape that the VMDisk chart makes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecordedSource {
    /// `blank: {}`
    Blank,
    /// `upload: {}`
    Upload,
    /// `http` with none but the chart's keys, as (key, value) in the order of the keys.
    Http(Vec<(String, String)>),
    /// `pvc`
    Claim {
        /// `namespace`; empty where it is absent.
        namespace: String,
        /// `name`
        name: String,
    },
    /// Anything else: `sourceRef`, other keys, a null or scalar body, no source at all.
    #[default]
    Other,
}

impl RecordedSource {
    /// The keys of `http` that the chart renders.
    pub const HTTP_KEYS: [&str; 3] = ["certConfigMap", "secretExtraHeaders", "url"];
}

/// A reference to an object of a known kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectRef {
    /// `namespace`; empty where it is absent.
    pub namespace: String,
    /// `name`
    pub name: String,
}

/// What a DataSource's `spec.source` or `status.source` names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataSourceSource {
    /// `pvc`
    pub pvc: Option<ObjectRef>,
    /// `snapshot`
    pub snapshot: Option<ObjectRef>,
    /// `dataSource`
    pub data_source: Option<ObjectRef>,
}

/// CDI's `DataSource`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataSource {
    /// `metadata`
    pub meta: Meta,
    /// `spec.source`
    pub spec_source: DataSourceSource,
    /// `status.source`
    pub status_source: DataSourceSource,
}

/// A `VolumeSnapshot`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VolumeSnapshot {
    /// `metadata`
    pub meta: Meta,
    /// `spec.volumeSnapshotClassName`
    pub volume_snapshot_class_name: Option<String>,
    /// `spec.source.persistentVolumeClaimName`
    pub persistent_volume_claim_name: Option<String>,
    /// `status`, where it is present.
    pub status: Option<VolumeSnapshotStatus>,
}

/// `status` of a `VolumeSnapshot`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VolumeSnapshotStatus {
    /// `boundVolumeSnapshotContentName`
    pub bound_volume_snapshot_content_name: Option<String>,
    /// Whether `error` is present.
    pub has_error: bool,
    /// `restoreSize`
    pub restore_size: Option<Quantity>,
}

/// A `VolumeSnapshotContent`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VolumeSnapshotContent {
    /// `metadata`
    pub meta: Meta,
    /// `spec.driver`
    pub driver: String,
    /// `spec.sourceVolumeMode`
    pub source_volume_mode: Option<String>,
}

/// A looked-up object of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// See [`Claim`].
    PersistentVolumeClaim(Rc<Claim>),
    /// See [`Volume`].
    PersistentVolume(Rc<Volume>),
    /// See [`StorageClass`].
    StorageClass(Rc<StorageClass>),
    /// See [`CsiDriver`].
    CsiDriver(Rc<CsiDriver>),
    /// See [`StorageProfile`].
    StorageProfile(Rc<StorageProfile>),
    /// See [`ExistingDataVolume`].
    DataVolume(Rc<ExistingDataVolume>),
    /// See [`DataSource`].
    DataSource(Rc<DataSource>),
    /// See [`Cdi`].
    Cdi(Rc<Cdi>),
    /// See [`CdiConfig`].
    CdiConfig(Rc<CdiConfig>),
    /// See [`VolumeSnapshotClass`].
    VolumeSnapshotClass(Rc<VolumeSnapshotClass>),
    /// See [`VolumeSnapshot`].
    VolumeSnapshot(Rc<VolumeSnapshot>),
    /// See [`VolumeSnapshotContent`].
    VolumeSnapshotContent(Rc<VolumeSnapshotContent>),
}

/// A struct of this module that stands for one [`Kind`].
pub trait Resource: Sized {
    /// The kind it stands for.
    const KIND: Kind;
    /// The object as this struct, if it is of this kind.
    fn of(object: &Object) -> Option<Rc<Self>>;
    /// The struct as an object.
    fn into_object(self) -> Object;
}

macro_rules! kinds {
    ($($variant:ident => $resource:ident),* $(,)?) => {
        impl Object {
            /// The kind of the object.
            #[must_use]
            pub fn kind(&self) -> Kind {
                match self { $(Self::$variant(_) => Kind::$variant,)* }
            }
            /// The metadata of the object.
            #[must_use]
            pub fn meta(&self) -> &Meta {
                match self { $(Self::$variant(inner) => &inner.meta,)* }
            }
        }
        $(
            impl Resource for $resource {
                const KIND: Kind = Kind::$variant;
                fn of(object: &Object) -> Option<Rc<Self>> {
                    if let Object::$variant(inner) = object { Some(Rc::clone(inner)) } else { None }
                }
                fn into_object(self) -> Object {
                    Object::$variant(Rc::new(self))
                }
            }
            impl From<$resource> for Object {
                fn from(resource: $resource) -> Self {
                    resource.into_object()
                }
            }
        )*
    };
}

kinds! {
    PersistentVolumeClaim => Claim,
    PersistentVolume => Volume,
    StorageClass => StorageClass,
    CsiDriver => CsiDriver,
    StorageProfile => StorageProfile,
    DataVolume => ExistingDataVolume,
    DataSource => DataSource,
    Cdi => Cdi,
    CdiConfig => CdiConfig,
    VolumeSnapshotClass => VolumeSnapshotClass,
    VolumeSnapshot => VolumeSnapshot,
    VolumeSnapshotContent => VolumeSnapshotContent,
}
