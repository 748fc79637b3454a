//! The Go types behind a DataVolume's `spec`, as far as they decide what equals "absent".
//!
//! From CDI's `staging/src/kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1/types.go` and
//! `k8s.io/api/core/v1/types.go`.

/// How a field is declared in Go.
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    /// `string`, `bool`: the zero value equals absent.
    Plain,
    /// `*string`, `*bool`: the zero value differs from absent.
    Pointer,
    /// `resource.Quantity`.
    Quantity,
    /// A slice: empty equals absent, the order counts.
    List(&'static Type),
    /// A map: empty equals absent, but in it an empty value is a value.
    Map(&'static Type),
    /// A struct that is no pointer: `{}` equals absent.
    Struct(Fields),
    /// A pointer to a struct: `{}` differs from absent.
    StructPointer(Fields),
    /// Not in the table: compared as it stands.
    Unknown,
}

/// The fields of a struct by their JSON names.
pub(super) type Fields = &'static [(&'static str, Type)];

use Type::{List, Map, Plain, Pointer, Quantity, Struct, StructPointer};

/// `DataVolumeSpec`.
pub(super) const DATA_VOLUME_SPEC: Fields = &[
    ("source", StructPointer(SOURCE)),
    ("sourceRef", StructPointer(&[("kind", Plain), ("namespace", Pointer), ("name", Plain)])),
    ("pvc", StructPointer(CLAIM_SPEC)),
    ("storage", StructPointer(CLAIM_SPEC)),
    ("priorityClassName", Plain),
    ("serviceAccountName", Plain),
    ("contentType", Plain),
    ("checkpoints", List(&Struct(&[("previous", Plain), ("current", Plain)]))),
    ("finalCheckpoint", Plain),
    ("preallocation", Pointer),
];

/// `DataVolumeSource`.
const SOURCE: Fields = &[
    (
        "http",
        StructPointer(&[
            ("url", Plain),
            ("secretRef", Plain),
            ("certConfigMap", Plain),
            ("extraHeaders", List(&Plain)),
            ("secretExtraHeaders", List(&Plain)),
            ("checksum", Plain),
            ("insecureSkipVerify", Pointer),
        ]),
    ),
    ("s3", StructPointer(&[("url", Plain), ("secretRef", Plain), ("certConfigMap", Plain)])),
    ("gcs", StructPointer(&[("url", Plain), ("secretRef", Plain)])),
    (
        "registry",
        StructPointer(&[
            ("url", Pointer),
            ("imageStream", Pointer),
            ("pullMethod", Pointer),
            ("secretRef", Pointer),
            ("certConfigMap", Pointer),
            ("platform", StructPointer(&[("architecture", Plain)])),
        ]),
    ),
    ("pvc", StructPointer(NAMESPACED_NAME)),
    ("upload", StructPointer(&[])),
    ("blank", StructPointer(&[])),
    (
        "imageio",
        StructPointer(&[
            ("url", Plain),
            ("diskId", Plain),
            ("secretRef", Plain),
            ("certConfigMap", Plain),
            ("insecureSkipVerify", Pointer),
        ]),
    ),
    (
        "vddk",
        StructPointer(&[
            ("url", Plain),
            ("uuid", Plain),
            ("backingFile", Plain),
            ("thumbprint", Plain),
            ("secretRef", Plain),
            ("certConfigMap", Plain),
            ("initImageURL", Plain),
            ("extraArgs", Plain),
        ]),
    ),
    ("snapshot", StructPointer(NAMESPACED_NAME)),
];

const NAMESPACED_NAME: Fields = &[("namespace", Plain), ("name", Plain)];

/// `PersistentVolumeClaimSpec`; CDI's `StorageSpec` has the same fields of the same types, but for the last.
const CLAIM_SPEC: Fields = &[
    ("accessModes", List(&Plain)),
    (
        "selector",
        StructPointer(&[
            ("matchLabels", Map(&Plain)),
            ("matchExpressions", List(&Struct(&[("key", Plain), ("operator", Plain), ("values", List(&Plain))]))),
        ]),
    ),
    ("resources", Struct(&[("limits", Map(&Quantity)), ("requests", Map(&Quantity))])),
    ("volumeName", Plain),
    ("storageClassName", Pointer),
    ("volumeMode", Pointer),
    ("dataSource", StructPointer(&[("apiGroup", Pointer), ("kind", Plain), ("name", Plain)])),
    (
        "dataSourceRef",
        StructPointer(&[("apiGroup", Pointer), ("kind", Plain), ("name", Plain), ("namespace", Pointer)]),
    ),
    ("volumeAttributesClassName", Pointer),
];
