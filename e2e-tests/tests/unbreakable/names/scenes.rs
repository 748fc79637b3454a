//! The fields that hold a name.

use serde_json::{Value, json};
use vmdisk_host::request::admission_request;

const LINSTOR: &str = "linstor.csi.linbit.com";

/// A request, what it meets, and the places in either that hold a name.
pub(super) struct Scene {
    pub(super) what: &'static str,
    pub(super) request: Value,
    pub(super) settings: Value,
    pub(super) objects: Vec<Value>,
    /// Pointers into the request; into the settings behind `settings`; into an object behind its kind and name.
    pub(super) places: &'static [&'static str],
    /// Places whose name is compared, but never asked for.
    pub(super) compared: &'static [&'static str],
}

fn data_volume(spec: &Value) -> Value {
    json!({"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataVolume",
        "metadata": {"name": "disk", "namespace": "tenant-a"}, "spec": spec})
}

fn storage() -> Value {
    json!({"storageClassName": "local", "resources": {"requests": {"storage": "10Gi"}}})
}

fn vm_disk(source: &Value) -> Value {
    json!({"apiVersion": "apps.cozystack.io/v1alpha1", "kind": "VMDisk",
        "metadata": {"name": "disk", "namespace": "tenant-a"},
        "spec": {"storage": "10Gi", "storageClass": "local", "source": source}})
}

/// The cluster of cozystack#2908, with a snapshot and DataSources.
fn objects() -> Vec<Value> {
    let cdi = "cdi.kubevirt.io/v1beta1";
    let snapshot = "snapshot.storage.k8s.io/v1";
    let class = |name: &str| {
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name,
            "creationTimestamp": "2026-01-01T00:00:00Z"}, "provisioner": LINSTOR, "allowVolumeExpansion": true,
            "parameters": {"linstor.csi.linbit.com/allowRemoteVolumeAccess": "false"}})
    };
    let profile = |name: &str| {
        json!({"apiVersion": cdi, "kind": "StorageProfile", "metadata": {"name": name}, "status": {
            "claimPropertySets": [{"accessModes": ["ReadWriteOnce"], "volumeMode": "Block"}], "snapshotClass": "snap"}})
    };
    let claim = |namespace: &str, name: &str| {
        json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": namespace},
            "spec": {"storageClassName": "replicated", "volumeMode": "Block", "volumeName": "pv",
                "resources": {"requests": {"storage": "5Gi"}}}, "status": {"capacity": {"storage": "5Gi"}}})
    };
    let data_source = |name: &str, source: Value| {
        json!({"apiVersion": cdi, "kind": "DataSource", "metadata": {"name": name, "namespace": "tenant-a"},
            "spec": {"source": source}, "status": {"source": source}})
    };
    vec![
        class("local"),
        class("replicated"),
        profile("local"),
        profile("replicated"),
        claim("cozy-public", "vm-default-images-ubuntu"),
        claim("tenant-a", "vm-disk-own"),
        claim("tenant-a", "origin"),
        json!({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv"},
            "spec": {"csi": {"driver": LINSTOR}}}),
        json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": LINSTOR}}),
        json!({"apiVersion": cdi, "kind": "CDI", "metadata": {"name": "cdi"}}),
        json!({"apiVersion": cdi, "kind": "CDIConfig", "metadata": {"name": "config"}, "status": {}}),
        json!({"apiVersion": snapshot, "kind": "VolumeSnapshotClass", "metadata": {"name": "snap"}, "driver": LINSTOR}),
        json!({"apiVersion": snapshot, "kind": "VolumeSnapshot", "metadata": {"name": "shot", "namespace": "tenant-a"},
            "spec": {"volumeSnapshotClassName": "snap", "source": {"persistentVolumeClaimName": "origin"}},
            "status": {"boundVolumeSnapshotContentName": "content", "restoreSize": "5Gi"}}),
        json!({"apiVersion": snapshot, "kind": "VolumeSnapshotContent", "metadata": {"name": "content"},
            "spec": {"driver": LINSTOR, "sourceVolumeMode": "Block"}}),
        data_source("claim", json!({"pvc": {"name": "vm-disk-own", "namespace": "tenant-a"}})),
        data_source("shot", json!({"snapshot": {"name": "shot", "namespace": "tenant-a"}})),
        data_source("link", json!({"dataSource": {"name": "claim", "namespace": "tenant-a"}})),
    ]
}

/// Every request, with every field of it and of what it meets that holds a name.
pub(super) fn scenes() -> Vec<Scene> {
    let created = |what, manifest: &Value, places, compared| Scene {
        what,
        request: admission_request(manifest).unwrap(),
        settings: json!({}),
        objects: objects(),
        places,
        compared,
    };
    let clone = |namespace: &str, name: &str| json!({"pvc": {"namespace": namespace, "name": name}});
    let golden =
        data_volume(&json!({"source": clone("cozy-public", "vm-default-images-ubuntu"), "storage": storage()}));
    let default = json!({"storageclass.kubernetes.io/is-default-class": "true"});
    let mut scenes = vec![
        created(
            "a DataVolume from a claim",
            &golden,
            &[
                "/object/spec/source/pvc/name",
                "/object/spec/source/pvc/namespace",
                "/object/spec/storage/storageClassName",
                "/object/metadata/name",
                "/object/metadata/namespace",
                "settings/cdiName",
                "PersistentVolumeClaim vm-default-images-ubuntu/spec/volumeName",
                "StorageClass local/provisioner",
                "StorageProfile local/status/snapshotClass",
            ],
            &[
                "/name",
                "/namespace",
                "PersistentVolumeClaim vm-default-images-ubuntu/metadata/name",
                "PersistentVolumeClaim vm-default-images-ubuntu/metadata/namespace",
                "PersistentVolume pv/spec/csi/driver",
                "VolumeSnapshotClass snap/driver",
                "VolumeSnapshotClass snap/metadata/name",
                "StorageProfile replicated/status/snapshotClass",
            ],
        ),
        created(
            "a DataVolume with spec.pvc",
            &data_volume(&json!({"source": clone("", "vm-disk-own"), "pvc": {"storageClassName": "local",
                "accessModes": ["ReadWriteOnce"], "volumeMode": "Block", "resources": {"requests": {"storage": "5Gi"}}}})),
            &["/object/spec/pvc/storageClassName", "/object/spec/source/pvc/name"],
            &["/object/spec/pvc/volumeMode", "/object/spec/pvc/accessModes/0"],
        ),
        created(
            "a DataVolume from a snapshot",
            &data_volume(
                &json!({"source": {"snapshot": {"namespace": "tenant-a", "name": "shot"}}, "storage": storage()}),
            ),
            &[
                "/object/spec/source/snapshot/name",
                "/object/spec/source/snapshot/namespace",
                "VolumeSnapshot shot/status/boundVolumeSnapshotContentName",
                "VolumeSnapshot shot/spec/source/persistentVolumeClaimName",
            ],
            &["VolumeSnapshotContent content/spec/driver", "VolumeSnapshotContent content/spec/sourceVolumeMode"],
        ),
        created(
            "a DataVolume from a DataSource",
            &data_volume(&json!({"sourceRef": {"kind": "DataSource", "name": "claim"}, "storage": storage()})),
            &[
                "/object/spec/sourceRef/name",
                "DataSource claim/spec/source/pvc/name",
                "DataSource claim/spec/source/pvc/namespace",
            ],
            &["/object/spec/sourceRef/kind", "DataSource claim/status/source/pvc/name"],
        ),
        created(
            "a DataVolume from a DataSource elsewhere",
            &data_volume(&json!({"sourceRef": {"kind": "DataSource", "namespace": "tenant-a", "name": "shot"},
                "storage": storage()})),
            &[
                "/object/spec/sourceRef/namespace",
                "DataSource shot/spec/source/snapshot/name",
                "DataSource shot/spec/source/snapshot/namespace",
            ],
            &[],
        ),
        created(
            "a DataVolume from a DataSource that links to another",
            &data_volume(&json!({"sourceRef": {"kind": "DataSource", "name": "link"}, "storage": storage()})),
            &["DataSource link/spec/source/dataSource/name"],
            &["DataSource link/spec/source/dataSource/namespace", "DataSource link/status/source/dataSource/name"],
        ),
        created(
            "a VMDisk from an image",
            &vm_disk(&json!({"image": {"name": "ubuntu"}})),
            &[
                "/object/spec/source/image/name",
                "/object/spec/storageClass",
                "/object/metadata/name",
                "/object/metadata/namespace",
                "settings/vmDisk/releasePrefix",
                "settings/vmDisk/imageNamespace",
                "settings/vmDisk/imagePrefix",
            ],
            &[],
        ),
        created(
            "a VMDisk from a disk",
            &vm_disk(&json!({"disk": {"name": "own"}})),
            &["/object/spec/source/disk/name"],
            &[],
        ),
        created(
            "a VMDisk from a claim",
            &vm_disk(&json!({"pvc": {"name": "origin"}})),
            &["/object/spec/source/pvc/name"],
            &[],
        ),
    ];
    let spec = json!({"dataVolumeTemplates": [{"metadata": {"name": "disk"}, "spec": golden["spec"]}]});
    let machine = json!({"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine",
        "metadata": {"name": "vm", "namespace": "tenant-a"}, "spec": spec});
    let first = "/object/spec/dataVolumeTemplates/0";
    assert!(machine.pointer(first.strip_prefix("/object").unwrap()).is_some());
    scenes.push(created(
        "a VirtualMachine",
        &machine,
        &[
            "/object/metadata/namespace",
            "/object/spec/dataVolumeTemplates/0/metadata/name",
            "/object/spec/dataVolumeTemplates/0/spec/source/pvc/name",
            "/object/spec/dataVolumeTemplates/0/spec/source/pvc/namespace",
            "/object/spec/dataVolumeTemplates/0/spec/storage/storageClassName",
        ],
        &["/object/metadata/name"],
    ));

    // Names that the object does not say are the request's.
    let mut nameless = created("a nameless DataVolume", &golden, &["/name", "/namespace"], &[]);
    nameless.request["object"]["metadata"] = json!({"generateName": "disk-"});
    scenes.push(nameless);
    // The class is left out: listed names are asked for.
    let mut left_out = golden.clone();
    left_out["spec"]["storage"]["storageClassName"] = Value::Null;
    let places =
        &["StorageClass local/metadata/name", "PersistentVolumeClaim vm-default-images-ubuntu/spec/storageClassName"];
    let mut listed = created("a DataVolume without a class", &left_out, places, &[]);
    listed.objects[0]["metadata"]["annotations"] = default;
    scenes.push(listed);
    let source_class = &["PersistentVolumeClaim vm-default-images-ubuntu/spec/storageClassName"];
    let mut classless = created("a claim whose volume is not known", &golden, source_class, &[]);
    classless.objects.retain(|object| object["kind"] != "PersistentVolume");
    scenes.push(classless);
    // An edit reads the DataVolume.
    let new = vm_disk(&json!({"disk": {"name": "other"}}));
    let mut edit = created(
        "an edit of a VMDisk",
        &new,
        &["/object/metadata/name", "/object/metadata/namespace"],
        &["/object/spec/source/disk/name", "/oldObject/spec/source/disk/name", "/oldObject/spec/storageClass"],
    );
    edit.request["operation"] = "UPDATE".into();
    edit.request["oldObject"] = vm_disk(&json!({"disk": {"name": "own"}}));
    scenes.push(edit);
    let default_class = &["settings/vmDisk/defaultStorageClass"];
    let mut plain =
        created("a VMDisk without a class", &vm_disk(&json!({"image": {"name": "ubuntu"}})), default_class, &[]);
    plain.request["object"]["spec"]["storageClass"] = Value::Null;
    scenes.push(plain);
    scenes
}
