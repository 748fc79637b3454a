//! Cluster objects, in the policy's own structs.

use vmdisk_policy::cluster::{
    Cdi, CdiConfig, Claim, ClaimPropertySet, CsiDriver, DataSource, ExistingDataVolume, FilesystemOverhead, Meta,
    ObjectRef, RecordedSource, StorageClass, StorageProfile, Volume, VolumeSnapshot, VolumeSnapshotClass,
    VolumeSnapshotContent, VolumeSnapshotStatus,
};
use vmdisk_policy::quantity::Quantity;

pub(crate) const LINSTOR: &str = "linstor.csi.linbit.com";
pub(crate) const CEPH: &str = "rbd.csi.ceph.com";
pub(crate) const VIRT_DEFAULT: &str = "storageclass.kubevirt.io/is-default-virt-class";
pub(crate) const KUBERNETES_DEFAULT: &str = "storageclass.kubernetes.io/is-default-class";

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn size(text: &str) -> Option<Quantity> {
    Some(Quantity::parse(text).unwrap())
}

/// Anything with annotations.
pub(crate) trait Annotated: Sized {
    fn meta_mut(&mut self) -> &mut Meta;

    fn annotation(mut self, key: &str, value: &str) -> Self {
        self.meta_mut().annotations.push((key.to_owned(), value.to_owned()));
        self
    }
}

macro_rules! annotated {
    ($($of:ident)*) => {
        $(impl Annotated for $of {
            fn meta_mut(&mut self) -> &mut Meta {
                &mut self.meta
            }
        })*
    };
}
annotated! { Claim StorageClass StorageProfile ExistingDataVolume VolumeSnapshot VolumeSnapshotClass }

/// A class of no driver in particular that waits for nobody and cannot grow.
pub(crate) fn mk_storage_class(name: &str) -> StorageClass {
    StorageClass { meta: Meta::new("", name), provisioner: "other.csi.example.org".to_owned(), ..Default::default() }
}

pub(crate) trait StorageClassExt {
    /// A LINSTOR class as the platform makes them: without DRBD, without remote access, able to grow.
    fn linstor(self) -> Self;
    fn provisioner(self, driver: &str) -> Self;
    /// A driver parameter of LINSTOR's; replaces one of the same spelling.
    fn parameter(self, name: &str, value: &str) -> Self;
    fn without_parameters(self) -> Self;
    fn expanding(self, expands: bool) -> Self;
    fn waiting(self) -> Self;
    fn created(self, timestamp: &str) -> Self;
}

impl StorageClassExt for StorageClass {
    fn linstor(self) -> Self {
        self.provisioner(LINSTOR).expanding(true).parameter("layerList", "storage").parameter("autoPlace", "1")
    }

    fn provisioner(mut self, driver: &str) -> Self {
        driver.clone_into(&mut self.provisioner);
        self
    }

    fn parameter(mut self, name: &str, value: &str) -> Self {
        let key = format!("linstor.csi.linbit.com/{name}");
        self.parameters.retain(|(known, _)| *known != key);
        self.parameters.push((key, value.to_owned()));
        self
    }

    fn without_parameters(mut self) -> Self {
        self.parameters.clear();
        self
    }

    fn expanding(mut self, expands: bool) -> Self {
        self.allow_volume_expansion = expands;
        self
    }

    fn waiting(mut self) -> Self {
        self.waits_for_first_consumer = true;
        self
    }

    fn created(mut self, timestamp: &str) -> Self {
        timestamp.clone_into(&mut self.creation_timestamp);
        self
    }
}

/// A profile with nothing in its status.
pub(crate) fn mk_profile(class: &str) -> StorageProfile {
    StorageProfile { meta: Meta::new("", class), ..Default::default() }
}

pub(crate) trait StorageProfileExt {
    /// One more claim property set; no mode where it is empty.
    fn set(self, access_modes: &[&str], volume_mode: &str) -> Self;
    fn strategy(self, strategy: &str) -> Self;
    fn snapshot_class(self, name: &str) -> Self;
}

impl StorageProfileExt for StorageProfile {
    fn set(mut self, access_modes: &[&str], volume_mode: &str) -> Self {
        self.claim_property_sets.push(ClaimPropertySet {
            access_modes: access_modes.iter().map(|mode| (*mode).to_owned()).collect(),
            volume_mode: some(volume_mode).filter(|mode| !mode.is_empty()),
        });
        self
    }

    fn strategy(mut self, strategy: &str) -> Self {
        self.clone_strategy = some(strategy);
        self
    }

    fn snapshot_class(mut self, name: &str) -> Self {
        self.snapshot_class = some(name);
        self
    }
}

/// A claim with a name and nothing else: no class, mode, volume, request or capacity.
pub(crate) fn mk_claim(namespace: &str, name: &str) -> Claim {
    Claim { meta: Meta::new(namespace, name), ..Default::default() }
}

pub(crate) trait ClaimExt {
    fn class(self, name: &str) -> Self;
    fn mode(self, mode: &str) -> Self;
    fn volume(self, name: &str) -> Self;
    fn unbound(self) -> Self;
    fn request(self, text: &str) -> Self;
    fn capacity(self, text: &str) -> Self;
}

impl ClaimExt for Claim {
    fn class(mut self, name: &str) -> Self {
        self.storage_class_name = some(name);
        self
    }

    fn mode(mut self, mode: &str) -> Self {
        self.volume_mode = some(mode).filter(|mode| !mode.is_empty());
        self
    }

    fn volume(mut self, name: &str) -> Self {
        self.volume_name = some(name);
        self
    }

    fn unbound(mut self) -> Self {
        (self.volume_name, self.capacity) = (None, None);
        self
    }

    fn request(mut self, text: &str) -> Self {
        self.request = size(text);
        self
    }

    fn capacity(mut self, text: &str) -> Self {
        self.capacity = size(text);
        self
    }
}

/// A volume without `claimRef` and `csi`.
pub(crate) fn mk_volume(name: &str) -> Volume {
    Volume { meta: Meta::new("", name), ..Default::default() }
}

pub(crate) trait VolumeExt {
    fn of_claim(self, namespace: &str, name: &str) -> Self;
    fn csi(self, driver: &str) -> Self;
}

impl VolumeExt for Volume {
    fn of_claim(mut self, namespace: &str, name: &str) -> Self {
        self.claim_ref = Some((namespace.to_owned(), name.to_owned()));
        self
    }

    fn csi(mut self, driver: &str) -> Self {
        self.csi_driver = some(driver);
        self
    }
}

pub(crate) fn mk_csi_driver(name: &str) -> CsiDriver {
    CsiDriver { meta: Meta::new("", name) }
}

pub(crate) fn mk_snapshot_class(name: &str, driver: &str) -> VolumeSnapshotClass {
    VolumeSnapshotClass { meta: Meta::new("", name), driver: driver.to_owned() }
}

/// The CDI resource `cdi`, with an override where one is given.
pub(crate) fn mk_cdi(strategy_override: &str) -> Cdi {
    Cdi {
        meta: Meta::new("", "cdi"),
        clone_strategy_override: some(strategy_override).filter(|word| !word.is_empty()),
        observed_version: some("v1.66.0"),
    }
}

/// The CDIConfig of a cluster that honours first consumers.
pub(crate) fn mk_cdi_config() -> CdiConfig {
    CdiConfig {
        meta: Meta::new("", "config"),
        feature_gates: vec!["HonorWaitForFirstConsumer".to_owned()],
        webhook_pvc_rendering: None,
        filesystem_overhead: Some(FilesystemOverhead { global: some("0.06"), storage_class: Vec::new() }),
    }
}

/// A DataVolume that exists, of a source that the chart does not make.
pub(crate) fn mk_data_volume(namespace: &str, name: &str) -> ExistingDataVolume {
    ExistingDataVolume { meta: Meta::new(namespace, name), ..Default::default() }
}

pub(crate) trait ExistingDataVolumeExt {
    fn source(self, source: RecordedSource) -> Self;
    fn of_claim(self, namespace: &str, name: &str) -> Self;
    fn class(self, name: &str) -> Self;
    fn phase(self, phase: &str) -> Self;
    fn restarts(self, count: i128, running_failed: bool) -> Self;
    /// The annotation in which the chart records the class.
    fn recorded_class(self, class: &str) -> Self;
    /// The annotation in which the chart records the source.
    fn recorded_source(self, json: &str) -> Self;
}

impl ExistingDataVolumeExt for ExistingDataVolume {
    fn source(mut self, source: RecordedSource) -> Self {
        self.source = source;
        self
    }

    fn of_claim(self, namespace: &str, name: &str) -> Self {
        self.source(RecordedSource::Claim { namespace: namespace.to_owned(), name: name.to_owned() })
    }

    fn class(mut self, name: &str) -> Self {
        self.storage_class_name = some(name);
        self
    }

    fn phase(mut self, phase: &str) -> Self {
        self.phase = some(phase);
        self
    }

    fn restarts(mut self, count: i128, running_failed: bool) -> Self {
        (self.restart_count, self.running_failed) = (count, running_failed);
        self
    }

    fn recorded_class(self, class: &str) -> Self {
        self.annotation("vm-disk.cozystack.io/storage-class", class)
    }

    fn recorded_source(self, json: &str) -> Self {
        self.annotation("vm-disk.cozystack.io/source", json)
    }
}

pub(crate) fn mk_data_source(namespace: &str, name: &str) -> DataSource {
    DataSource { meta: Meta::new(namespace, name), ..Default::default() }
}

fn object_ref(namespace: &str, name: &str) -> Option<ObjectRef> {
    Some(ObjectRef { namespace: namespace.to_owned(), name: name.to_owned() })
}

pub(crate) trait DataSourceExt {
    fn names_claim(self, namespace: &str, name: &str) -> Self;
    fn links_to(self, namespace: &str, name: &str) -> Self;
    fn status_claim(self, namespace: &str, name: &str) -> Self;
}

impl DataSourceExt for DataSource {
    fn names_claim(mut self, namespace: &str, name: &str) -> Self {
        self.spec_source.pvc = object_ref(namespace, name);
        self
    }

    fn links_to(mut self, namespace: &str, name: &str) -> Self {
        self.spec_source.data_source = object_ref(namespace, name);
        self
    }

    fn status_claim(mut self, namespace: &str, name: &str) -> Self {
        self.status_source.pvc = object_ref(namespace, name);
        self
    }
}

/// A snapshot of `claim`, bound to content `name-content`.
pub(crate) fn mk_snapshot(namespace: &str, name: &str, claim: &str) -> VolumeSnapshot {
    VolumeSnapshot {
        meta: Meta::new(namespace, name),
        volume_snapshot_class_name: some("linstor-snapshots"),
        persistent_volume_claim_name: some(claim),
        status: Some(VolumeSnapshotStatus {
            bound_volume_snapshot_content_name: Some(format!("{name}-content")),
            has_error: false,
            restore_size: size("5Gi"),
        }),
    }
}

pub(crate) fn mk_snapshot_content(name: &str, driver: &str, mode: &str) -> VolumeSnapshotContent {
    VolumeSnapshotContent {
        meta: Meta::new("", name),
        driver: driver.to_owned(),
        source_volume_mode: some(mode).filter(|mode| !mode.is_empty()),
    }
}
