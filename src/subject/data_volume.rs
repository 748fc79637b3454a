//! The DataVolume that is judged: one from a request, or the one that the chart would render for a VMDisk.

use crate::json::same;
use crate::quantity::Quantity;

/// A DataVolume, as far as a rule reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataVolume {
    /// `metadata.namespace`
    pub namespace: String,
    /// `metadata.name`; empty where the API server has yet to generate it.
    pub name: String,
    /// Those of `metadata.annotations` that are CDI's: `cdi.kubevirt.io/…`
    pub annotations: Vec<(String, String)>,
    /// Whether label `cdi.kubevirt.io/applyStorageProfile` is `"true"`.
    pub apply_storage_profile: bool,
    /// `spec.contentType`
    pub content_type: ContentType,
    /// `spec.sourceRef`, else `spec.source`.
    pub source: Source,
    /// `spec.storage` or `spec.pvc`. `None` where both are absent.
    pub target: Option<TargetSpec>,
    /// Whether a VirtualMachine or a DataImportCron made it, which waits for it to be used.
    pub bound_by_its_owner: bool,
    /// Whether it stands in a template of a VirtualMachine: then virt-controller resolves its `sourceRef`, not CDI.
    pub is_template: bool,
}

impl DataVolume {
    /// The value of an annotation.
    #[must_use]
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.iter().find(|(k, _)| same(k, key)).map(|(_, v)| v.as_str())
    }
}

/// `spec.contentType`: empty and unknown values count as kubevirt, as in CDI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ContentType {
    /// A disk image.
    #[default]
    Kubevirt,
    /// A tar archive.
    Archive,
}

/// Where the data comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Source {
    /// `source.pvc`
    Claim(ClaimSource),
    /// `source.snapshot`
    Snapshot(SnapshotSource),
    /// `sourceRef` to a DataSource.
    DataSource {
        /// Its namespace, the DataVolume's where it is absent or empty.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// Another source that brings data from outside (`http`, `registry`, `s3`, `vddk`, …).
    Import,
    /// `upload`
    Upload,
    /// `blank`
    Blank,
    /// None, or one that the policy does not know.
    #[default]
    None,
}

/// A claim that is cloned. The namespace is the DataVolume's where it is absent or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimSource {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// A snapshot that is cloned. The namespace is the DataVolume's where it is absent or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnapshotSource {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// Which of the two forms a target has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecForm {
    /// `spec.storage`: CDI completes it from the StorageProfile.
    Storage,
    /// `spec.pvc`: copied to the claim as it is.
    Pvc,
}

/// `spec.storage` or `spec.pvc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetSpec {
    /// Which of the two it is.
    pub form: SpecForm,
    /// `storageClassName`; `Some("")` is a name too.
    pub storage_class_name: Option<String>,
    /// `accessModes`
    pub access_modes: Vec<String>,
    /// `volumeMode`; empty counts as absent.
    pub volume_mode: Option<String>,
    /// `resources.requests.storage`
    pub request: Option<Quantity>,
}
