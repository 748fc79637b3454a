//! The field masks that the policy would send if it sent any.

use std::collections::BTreeSet;

use vmdisk_host::{Answer, Answers, Cluster, Request};

/// A cluster whose gets are answered as if they had asked for the fields that the policy reads, and no more.
pub(crate) struct Masked(pub(crate) Cluster);

impl Answers for Masked {
    fn answer(&self, request: &Request) -> Answer {
        let mut request = request.clone();
        if let Request::Get(get) = &mut request {
            get.field_masks =
                Some(fields_of(&get.kind).iter().map(|field| (*field).to_owned()).collect::<BTreeSet<_>>());
        }
        self.0.answer(&request)
    }
}

/// What the policy reads of a kind beside its metadata (`src/cluster/keep.rs`), as field masks.
fn fields_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "PersistentVolumeClaim" => {
            &["spec.storageClassName", "spec.volumeMode", "spec.volumeName", "spec.resources", "status.capacity"]
        }
        "PersistentVolume" => &["spec.claimRef", "spec.csi.driver"],
        "StorageClass" => &["provisioner", "parameters", "allowVolumeExpansion", "volumeBindingMode"],
        // No mask at all would mean everything.
        "CSIDriver" => &["kind"],
        "StorageProfile" => &["status.claimPropertySets", "status.cloneStrategy", "status.snapshotClass"],
        "DataVolume" => &[
            "spec.source",
            "spec.sourceRef",
            "spec.storage.storageClassName",
            "spec.pvc.storageClassName",
            "status.phase",
            "status.restartCount",
            "status.conditions",
        ],
        "CDI" => &["spec.cloneStrategyOverride", "status.observedVersion"],
        "CDIConfig" => &["spec.featureGates", "spec.webhookPvcRendering", "status.filesystemOverhead"],
        other => panic!("no masks for {other}"),
    }
}
