//! A large dump, as kubectl writes it.

use std::fmt::Write as _;

/// A dump of so many golden images, classes and claims (the images included), each claim with its volume.
pub(crate) fn dump(images: usize, classes: usize, claims: usize) -> String {
    let mut dump = String::from(
        "apiVersion: v1\nitems:\n\
         - apiVersion: cdi.kubevirt.io/v1beta1\n  kind: CDI\n  metadata:\n    name: cdi\n\
         - apiVersion: cdi.kubevirt.io/v1beta1\n  kind: CDIConfig\n  metadata:\n    name: config\n\
         - apiVersion: storage.k8s.io/v1\n  kind: CSIDriver\n  metadata:\n    name: linstor.csi.linbit.com\n\
         - apiVersion: snapshot.storage.k8s.io/v1\n  kind: VolumeSnapshotClass\n  metadata:\n    name: snapshots\n  \
         driver: linstor.csi.linbit.com\n",
    );
    for class in 0..classes {
        let strategy = ["csi-clone", "snapshot", "copy"][class % 3];
        let _ = write!(
            dump,
            "- allowVolumeExpansion: true\n  apiVersion: storage.k8s.io/v1\n  kind: StorageClass\n  metadata:\n    \
             name: class-{class:02}\n  parameters:\n    linstor.csi.linbit.com/allowRemoteVolumeAccess: \"{}\"\n  \
             provisioner: linstor.csi.linbit.com\n\
             - apiVersion: cdi.kubevirt.io/v1beta1\n  kind: StorageProfile\n  metadata:\n    name: class-{class:02}\n  \
             status:\n    claimPropertySets:\n    - accessModes:\n      - ReadWriteMany\n      volumeMode: Block\n    \
             cloneStrategy: {strategy}\n",
            class % 2 == 0
        );
    }
    for claim in 0..claims {
        let (namespace, name) = if claim < images {
            ("cozy-public".to_owned(), format!("vm-default-images-{claim:03}"))
        } else {
            (format!("tenant-{:03}", claim % 300), format!("vm-disk-{claim:05}"))
        };
        let class = claim % classes.max(1);
        let _ = write!(
            dump,
            "- apiVersion: v1\n  kind: PersistentVolumeClaim\n  metadata:\n    annotations:\n      \
             cdi.kubevirt.io/storage.contentType: kubevirt\n      cdi.kubevirt.io/storage.pod.phase: Succeeded\n      \
             pv.kubernetes.io/bind-completed: \"yes\"\n      pv.kubernetes.io/bound-by-controller: \"yes\"\n    \
             finalizers:\n    - kubernetes.io/pvc-protection\n    labels:\n      app: containerized-data-importer\n      \
             app.kubernetes.io/component: storage\n    name: {name}\n    namespace: {namespace}\n    \
             ownerReferences:\n    - apiVersion: cdi.kubevirt.io/v1beta1\n      controller: true\n      kind: \
             DataVolume\n      name: {name}\n      uid: 00000000-0000-4000-8000-{claim:012}\n    uid: \
             00000000-0000-4000-8000-{claim:012}\n  spec:\n    accessModes:\n    - ReadWriteMany\n    resources:\n      \
             requests:\n        storage: 10Gi\n    storageClassName: class-{class:02}\n    volumeMode: Block\n    \
             volumeName: pvc-{claim:012}\n  status:\n    capacity:\n      storage: 10Gi\n    phase: Bound\n\
             - apiVersion: v1\n  kind: PersistentVolume\n  metadata:\n    name: pvc-{claim:012}\n  spec:\n    \
             capacity:\n      storage: 10Gi\n    claimRef:\n      kind: PersistentVolumeClaim\n      name: {name}\n      \
             namespace: {namespace}\n    csi:\n      driver: linstor.csi.linbit.com\n    volumeMode: Block\n",
        );
    }
    dump.push_str("kind: List\nmetadata:\n  resourceVersion: \"\"\n");
    dump
}
