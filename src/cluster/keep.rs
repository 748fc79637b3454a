//! What is kept of a looked-up object while it is parsed: the fields that [`super::read`] reads.

use super::Kind;
use crate::json::Keep::{self, Everything, Only};

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

const KIND: (&str, Keep) = ("kind", Everything);
const METADATA: (&str, Keep) = (
    "metadata",
    Only(&[
        ("name", Everything),
        ("namespace", Everything),
        ("annotations", Everything),
        ("creationTimestamp", Everything),
    ]),
);

const STORAGE_CLASS: Keep = Only(&[
    KIND,
    METADATA,
    ("provisioner", Everything),
    ("parameters", Everything),
    ("allowVolumeExpansion", Everything),
    ("volumeBindingMode", Everything),
]);
const SNAPSHOT_CLASS: Keep = Only(&[KIND, METADATA, ("driver", Everything)]);

static CLAIM: Keep = Only(&[
    KIND,
    METADATA,
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
    Only(&[KIND, METADATA, ("spec", Only(&[("claimRef", Everything), ("csi", Only(&[("driver", Everything)]))]))]);
static CSI_DRIVER: Keep = Only(&[KIND, METADATA]);
static STORAGE_PROFILE: Keep = Only(&[
    KIND,
    METADATA,
    (
        "status",
        Only(&[("claimPropertySets", Everything), ("cloneStrategy", Everything), ("snapshotClass", Everything)]),
    ),
]);
static DATA_VOLUME: Keep = Only(&[
    KIND,
    METADATA,
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
    Only(&[KIND, METADATA, ("spec", Only(&[("source", Everything)])), ("status", Only(&[("source", Everything)]))]);
static CDI: Keep = Only(&[
    KIND,
    METADATA,
    ("spec", Only(&[("cloneStrategyOverride", Everything)])),
    ("status", Only(&[("observedVersion", Everything)])),
]);
static CDI_CONFIG: Keep = Only(&[
    KIND,
    METADATA,
    ("spec", Only(&[("featureGates", Everything), ("webhookPvcRendering", Everything)])),
    ("status", Only(&[("filesystemOverhead", Everything)])),
]);
static SNAPSHOT: Keep = Only(&[
    KIND,
    METADATA,
    ("spec", Only(&[("volumeSnapshotClassName", Everything), ("source", Everything)])),
    (
        "status",
        Only(&[("boundVolumeSnapshotContentName", Everything), ("error", Everything), ("restoreSize", Everything)]),
    ),
]);
static SNAPSHOT_CONTENT: Keep =
    Only(&[KIND, METADATA, ("spec", Only(&[("driver", Everything), ("sourceVolumeMode", Everything)]))]);

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::json::Json;

    /// Documents in which every field that some kind has is filled, and so are others.
    const DOCUMENTS: [&str; 2] = [
        r#"{"apiVersion":"x","kind":"X","metadata":{"name":"n","namespace":"s","uid":"u","annotations":{"a":"b"},
            "creationTimestamp":"t","labels":{"l":"m"}},"provisioner":"p","parameters":{"k":"v"},"driver":"d",
            "allowVolumeExpansion":true,"volumeBindingMode":"WaitForFirstConsumer","other":[{}],
            "spec":{"storageClassName":"c","volumeMode":"m","volumeName":"v","resources":{"requests":{"storage":"1Gi"}},
            "claimRef":{"namespace":"cn","name":"cc"},"csi":{"driver":"cd","x":1},"driver":"sd","sourceVolumeMode":"sm",
            "source":{"pvc":{"namespace":"pn","name":"pp"},"persistentVolumeClaimName":"z"},
            "storage":{"storageClassName":"sc","y":1},"cloneStrategyOverride":"o","featureGates":["g"],
            "webhookPvcRendering":"w","volumeSnapshotClassName":"vc","accessModes":["RWO"]},
            "status":{"capacity":{"storage":"2Gi"},"claimPropertySets":[{"accessModes":["RWX"],"volumeMode":"Block"}],
            "cloneStrategy":"copy","snapshotClass":"sn","phase":"Failed","restartCount":3,
            "conditions":[{"type":"Running","status":"False","reason":"Error"}],"observedVersion":"1",
            "source":{"snapshot":{"name":"q"}},"filesystemOverhead":{"global":"0.1","storageClass":{"a":"0.2"}},
            "boundVolumeSnapshotContentName":"b","error":{},"restoreSize":"3Gi"}}"#,
        r#"{"kind":"X","metadata":{"name":"n"},"spec":{"pvc":{"storageClassName":"pc"},"source":{"blank":{}},
            "sourceRef":{"kind":"DataSource","name":"d"}},"status":{},"other":{}}"#,
    ];

    #[test]
    fn nothing_that_is_read_is_left_out() {
        for document in DOCUMENTS {
            for kind in Kind::ALL {
                let whole = Json::parse(document.as_bytes()).unwrap();
                let kept = Json::parse_keeping(document.as_bytes(), object(kind)).unwrap();
                assert_eq!(read::object(kind, &kept), read::object(kind, &whole), "{kind}");
                assert_eq!(kept.string("kind"), whole.string("kind"), "{kind}");
                assert_ne!(kept, whole, "{kind}");
            }
        }
    }
}
