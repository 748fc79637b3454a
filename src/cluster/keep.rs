//! What is kept of a looked-up object while it is parsed: the fields that [`super::read`] reads.

use super::Kind;
use crate::clone::keys;
use crate::json::Keep::{self, Everything, Only};
use crate::subject::recorded::{RECORDED_CLASS, RECORDED_SOURCE};

/// What is kept of an object of `kind`.
#[must_use]
pub(super) const fn object(kind: Kind) -> &'static Keep {
    match kind {
        Kind::PersistentVolumeClaim => &CLAIM,
        Kind::PersistentVolume => &VOLUME,
        Kind::StorageClass => &STORAGE_CLASS,
        Kind::CsiDriver => &CSI_DRIVER,
        Kind::StorageProfile => &STORAGE_PROFILE,
        Kind::DataVolume => &DATA_VOLUME,
        Kind::DataSource => &DATA_SOURCE,
        Kind::Cdi => &CDI,
        Kind::CdiConfig => &CDI_CONFIG,
        Kind::VolumeSnapshotClass => &SNAPSHOT_CLASS,
        Kind::VolumeSnapshot => &SNAPSHOT,
        Kind::VolumeSnapshotContent => &SNAPSHOT_CONTENT,
    }
}

/// What is kept of a list of objects of `kind`.
#[must_use]
pub(super) const fn list(kind: Kind) -> &'static Keep {
    match kind {
        Kind::StorageClass => &Only(&[("items", STORAGE_CLASS)]),
        Kind::VolumeSnapshotClass => &Only(&[("items", SNAPSHOT_CLASS)]),
        // Never listed.
        _ => &Everything,
    }
}

/// The annotations of a `kind` that the policy reads: a tenant may write any number of others.
pub(super) const fn annotations(kind: Kind) -> &'static [(&'static str, Keep)] {
    match kind {
        Kind::PersistentVolumeClaim => OF_CLAIM,
        Kind::StorageClass => OF_STORAGE_CLASS,
        Kind::StorageProfile => OF_STORAGE_PROFILE,
        Kind::DataVolume => OF_DATA_VOLUME,
        Kind::VolumeSnapshotClass => OF_SNAPSHOT_CLASS,
        Kind::VolumeSnapshot => OF_SNAPSHOT,
        Kind::PersistentVolume
        | Kind::CsiDriver
        | Kind::DataSource
        | Kind::Cdi
        | Kind::CdiConfig
        | Kind::VolumeSnapshotContent => &[],
    }
}

const OF_CLAIM: &[(&str, Keep)] =
    &[(keys::CONTENT_TYPE, Everything), (keys::VIRTUAL_SIZE, Everything), (keys::SOURCE_CAPACITY, Everything)];
const OF_STORAGE_CLASS: &[(&str, Keep)] = &[(keys::DEFAULT_VIRT_CLASS, Everything), (keys::DEFAULT_CLASS, Everything)];
const OF_STORAGE_PROFILE: &[(&str, Keep)] = &[(keys::MINIMUM_SIZE, Everything)];
const OF_DATA_VOLUME: &[(&str, Keep)] = &[(RECORDED_CLASS, Everything), (RECORDED_SOURCE, Everything)];
const OF_SNAPSHOT_CLASS: &[(&str, Keep)] = &[(keys::DEFAULT_SNAPSHOT_CLASS, Everything)];
const OF_SNAPSHOT: &[(&str, Keep)] = &[(keys::SOURCE_VOLUME_MODE, Everything)];

const KIND: (&str, Keep) = ("kind", Everything);

/// `metadata`: name and namespace, and these annotations and further fields.
macro_rules! metadata {
    () => {
        ("metadata", Only(&[("name", Everything), ("namespace", Everything)]))
    };
    ($annotations:expr $(, $field:literal)*) => {
        (
            "metadata",
            Only(&[
                ("name", Everything),
                ("namespace", Everything),
                ("annotations", Only($annotations)),
                $(($field, Everything),)*
            ]),
        )
    };
}

const STORAGE_CLASS: Keep = Only(&[
    KIND,
    metadata!(OF_STORAGE_CLASS, "creationTimestamp"),
    ("provisioner", Everything),
    ("parameters", Everything),
    ("allowVolumeExpansion", Everything),
    ("volumeBindingMode", Everything),
]);
const SNAPSHOT_CLASS: Keep = Only(&[KIND, metadata!(OF_SNAPSHOT_CLASS), ("driver", Everything)]);

static CLAIM: Keep = Only(&[
    KIND,
    metadata!(OF_CLAIM),
    (
        "spec",
        Only(&[
            ("storageClassName", Everything),
            ("volumeMode", Everything),
            ("volumeName", Everything),
            ("resources", Everything),
        ]),
    ),
    ("status", Only(&[("capacity", Everything)])),
]);
static VOLUME: Keep =
    Only(&[KIND, metadata!(), ("spec", Only(&[("claimRef", Everything), ("csi", Only(&[("driver", Everything)]))]))]);
static CSI_DRIVER: Keep = Only(&[KIND, metadata!()]);
static STORAGE_PROFILE: Keep = Only(&[
    KIND,
    metadata!(OF_STORAGE_PROFILE),
    (
        "status",
        Only(&[("claimPropertySets", Everything), ("cloneStrategy", Everything), ("snapshotClass", Everything)]),
    ),
]);
static DATA_VOLUME: Keep = Only(&[
    KIND,
    metadata!(OF_DATA_VOLUME),
    (
        "spec",
        Only(&[
            ("source", Everything),
            ("sourceRef", Everything),
            ("storage", Only(&[("storageClassName", Everything)])),
            ("pvc", Only(&[("storageClassName", Everything)])),
        ]),
    ),
    ("status", Only(&[("phase", Everything), ("restartCount", Everything), ("conditions", Everything)])),
]);
static DATA_SOURCE: Keep =
    Only(&[KIND, metadata!(), ("spec", Only(&[("source", Everything)])), ("status", Only(&[("source", Everything)]))]);
static CDI: Keep = Only(&[
    KIND,
    metadata!(),
    ("spec", Only(&[("cloneStrategyOverride", Everything)])),
    ("status", Only(&[("observedVersion", Everything)])),
]);
static CDI_CONFIG: Keep = Only(&[
    KIND,
    metadata!(),
    ("spec", Only(&[("featureGates", Everything), ("webhookPvcRendering", Everything)])),
    ("status", Only(&[("filesystemOverhead", Everything)])),
]);
static SNAPSHOT: Keep = Only(&[
    KIND,
    metadata!(OF_SNAPSHOT),
    ("spec", Only(&[("volumeSnapshotClassName", Everything), ("source", Everything)])),
    (
        "status",
        Only(&[("boundVolumeSnapshotContentName", Everything), ("error", Everything), ("restoreSize", Everything)]),
    ),
]);
static SNAPSHOT_CONTENT: Keep =
    Only(&[KIND, metadata!(), ("spec", Only(&[("driver", Everything), ("sourceVolumeMode", Everything)]))]);

#[cfg(test)]
mod tests;
