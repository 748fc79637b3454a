//! Builders for the tests of this module: the cluster is the table row.

use std::cell::RefCell;

use super::keys;
use crate::cluster::{
    Answer, Cause, Cdi, CdiConfig, Claim, ClaimPropertySet, Cluster, CsiDriver, Kind, Lookup, Meta, Object, Objects,
    StorageClass, StorageProfile, Volume, VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent,
    VolumeSnapshotStatus,
};
use crate::quantity::Quantity;
use crate::subject::{ClaimSource, DataVolume, SnapshotSource, Source, SpecForm, TargetSpec};

pub(super) const LINSTOR: &str = "linstor.csi.linbit.com";
pub(super) const CEPH: &str = "rbd.csi.ceph.com";

pub(super) fn size(text: &str) -> Option<Quantity> {
    Some(Quantity::parse(text).unwrap())
}

pub(super) fn meta(name: &str, annotations: &[(&str, &str)]) -> Meta {
    let annotations = annotations.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Meta { annotations, ..Meta::new("", name) }
}

/// A class that can expand.
pub(super) fn class(name: &str, driver: &str) -> StorageClass {
    StorageClass {
        meta: meta(name, &[]),
        provisioner: driver.to_owned(),
        allow_volume_expansion: true,
        ..StorageClass::default()
    }
}

/// A class that an annotation marks as the default one.
pub(super) fn default_class(name: &str, annotation: &str, created: &str) -> StorageClass {
    let meta = meta(name, &[(annotation, "true")]);
    StorageClass { meta, creation_timestamp: created.to_owned(), ..class(name, LINSTOR) }
}

/// A profile with the Block mode, and what it says of strategy and snapshot class.
pub(super) fn profile(name: &str, strategy: Option<&str>, snapshot_class: Option<&str>) -> StorageProfile {
    StorageProfile {
        meta: meta(name, &[]),
        claim_property_sets: vec![set(&["ReadWriteMany"], Some("Block"))],
        clone_strategy: strategy.map(str::to_owned),
        snapshot_class: snapshot_class.map(str::to_owned),
    }
}

pub(super) fn set(access_modes: &[&str], volume_mode: Option<&str>) -> ClaimPropertySet {
    ClaimPropertySet {
        access_modes: access_modes.iter().map(|mode| (*mode).to_owned()).collect(),
        volume_mode: volume_mode.map(str::to_owned),
    }
}

/// The golden image: a Bound Block claim of 5Gi in `replicated`.
pub(super) fn golden() -> Claim {
    Claim {
        meta: Meta::new("cozy-public", "golden"),
        storage_class_name: Some("replicated".to_owned()),
        volume_mode: Some("Block".to_owned()),
        volume_name: Some("pv-golden".to_owned()),
        request: size("5Gi"),
        capacity: size("5Gi"),
    }
}

/// A volume of that claim.
pub(super) fn volume(driver: Option<&str>, claim_ref: Option<(&str, &str)>) -> Volume {
    Volume {
        meta: meta("pv-golden", &[]),
        claim_ref: claim_ref.map(|(namespace, name)| (namespace.to_owned(), name.to_owned())),
        csi_driver: driver.map(str::to_owned),
    }
}

pub(super) fn snapshot_class(name: &str, driver: &str) -> VolumeSnapshotClass {
    VolumeSnapshotClass { meta: meta(name, &[]), driver: driver.to_owned() }
}

pub(super) fn default_snapshot_class(name: &str, driver: &str) -> VolumeSnapshotClass {
    VolumeSnapshotClass { meta: meta(name, &[(keys::DEFAULT_SNAPSHOT_CLASS, "true")]), driver: driver.to_owned() }
}

/// A snapshot of 5Gi with its content.
pub(super) fn snapshot(driver: &str, source_volume_mode: Option<&str>) -> [Object; 2] {
    let snapshot = VolumeSnapshot {
        meta: Meta::new("cozy-public", "golden-snapshot"),
        volume_snapshot_class_name: Some("snapshots".to_owned()),
        persistent_volume_claim_name: None,
        status: Some(VolumeSnapshotStatus {
            bound_volume_snapshot_content_name: Some("content".to_owned()),
            has_error: false,
            restore_size: size("5Gi"),
        }),
    };
    let content = VolumeSnapshotContent {
        meta: meta("content", &[]),
        driver: driver.to_owned(),
        source_volume_mode: source_volume_mode.map(str::to_owned),
    };
    [snapshot.into(), content.into()]
}

pub(super) fn cdi(clone_strategy_override: Option<&str>) -> Cdi {
    Cdi {
        meta: meta("cdi", &[]),
        clone_strategy_override: clone_strategy_override.map(str::to_owned),
        observed_version: Some("v1.66.0".to_owned()),
    }
}

pub(super) fn csi_driver(name: &str) -> CsiDriver {
    CsiDriver { meta: meta(name, &[]) }
}

pub(super) fn config() -> CdiConfig {
    CdiConfig { meta: meta("config", &[]), ..CdiConfig::default() }
}

/// CDI, the LINSTOR driver, classes `replicated` and `local` of it, and the golden image; no profile, no
/// VolumeSnapshotClass.
pub(super) fn cluster(clone_strategy_override: Option<&str>) -> Objects {
    Objects::new()
        .with(cdi(clone_strategy_override))
        .with(config())
        .with(csi_driver(LINSTOR))
        .with(class("replicated", LINSTOR))
        .with(class("local", LINSTOR))
        .with(golden())
        .with(volume(Some(LINSTOR), Some(("cozy-public", "golden"))))
}

/// A DataVolume of 10Gi that clones the golden image into that class.
pub(super) fn disk(class: Option<&str>) -> DataVolume {
    DataVolume {
        namespace: "tenant".to_owned(),
        name: "disk".to_owned(),
        source: Source::Claim(ClaimSource { namespace: "cozy-public".to_owned(), name: "golden".to_owned() }),
        target: Some(TargetSpec {
            form: SpecForm::Storage,
            storage_class_name: class.map(str::to_owned),
            access_modes: Vec::new(),
            volume_mode: None,
            request: size("10Gi"),
        }),
        ..DataVolume::default()
    }
}

/// The same with the snapshot as its source.
pub(super) fn disk_of_snapshot(class: Option<&str>) -> DataVolume {
    let namespace = "cozy-public".to_owned();
    DataVolume {
        source: Source::Snapshot(SnapshotSource { namespace, name: "golden-snapshot".to_owned() }),
        ..disk(class)
    }
}

pub(super) fn annotated(dv: DataVolume, key: &str, value: &str) -> DataVolume {
    DataVolume { annotations: vec![(key.to_owned(), value.to_owned())], ..dv }
}

/// What a function answers about a cluster.
pub(super) fn ask<T>(objects: &Objects, of: impl FnOnce(&Cluster<'_>) -> T) -> T {
    of(&Cluster::new(objects))
}

/// A cluster where one kind is answered otherwise, and where every question is written down.
pub(super) struct Watched {
    pub(super) objects: Objects,
    pub(super) otherwise: Option<(Kind, Result<Answer<Object>, Cause>)>,
    pub(super) asked: RefCell<Vec<String>>,
}

impl Watched {
    pub(super) fn new(objects: Objects) -> Self {
        Self { objects, otherwise: None, asked: RefCell::default() }
    }

    pub(super) fn not_served(objects: Objects, kind: Kind) -> Self {
        Self { otherwise: Some((kind, Ok(Answer::NotServed))), ..Self::new(objects) }
    }

    pub(super) fn failing(objects: Objects, kind: Kind) -> Self {
        Self { otherwise: Some((kind, Err(Cause::Forbidden))), ..Self::new(objects) }
    }
}

impl Lookup for Watched {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        self.asked.borrow_mut().push(format!("{kind} {name}"));
        match &self.otherwise {
            Some((other, answer)) if *other == kind => answer.clone(),
            Some(_) | None => self.objects.get(kind, namespace, name),
        }
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        self.asked.borrow_mut().push(format!("{kind} list"));
        self.objects.list(kind)
    }
}
