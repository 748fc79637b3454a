//! Clusters and requests out of bytes: whatever the bytes, they make some. The fuzz targets use this file too.

use serde_json::{Map, Value, json};

const LINSTOR: &str = "linstor.csi.linbit.com";
const CEPH: &str = "rbd.csi.ceph.com";
const CDI: &str = "cdi.kubevirt.io/v1beta1";
const SNAPSHOT: &str = "snapshot.storage.k8s.io/v1";

/// Bytes as choices. Once they are used up every choice is the first one.
pub(crate) struct Choices<'b>(pub(crate) &'b [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first)
    }

    fn pick<'o>(&mut self, options: &[&'o str]) -> &'o str {
        let index = self.byte() % options.len().max(1);
        options.get(index).copied().unwrap_or_default()
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.byte() % sides == sides - 1
    }

    /// Mostly the value; sometimes nothing, or something odd.
    fn mostly(&mut self, value: Value) -> Value {
        match self.byte() {
            0..=247 => value,
            248..=251 => Value::Null,
            _ => match self.byte() % 8 {
                0 => json!(""),
                1 => json!(7),
                2 => json!(["x"]),
                3 => json!({"x": {}}),
                4 => json!("a/../b?c#d"),
                5 => json!("\u{202e}\n\t"),
                6 => json!(true),
                _ => json!("x".repeat(300)),
            },
        }
    }

    fn text(&mut self, options: &[&str]) -> Value {
        let value = json!(self.pick(options));
        self.mostly(value)
    }

    fn maybe(&mut self, options: &[&str]) -> Value {
        if self.one_in(3) { Value::Null } else { self.text(options) }
    }
}

/// A cluster, settings, and a request.
pub(crate) struct World {
    pub(crate) objects: Vec<Value>,
    pub(crate) settings: Value,
    pub(crate) request: Value,
}

const CLASSES: [&str; 4] = ["local", "replicated", "rbd", "gone"];
const SIZES: [&str; 10] = ["10Gi", "5Gi", "1", "5368709120", "1e10", "5G", "0", "-1", "9999999999Ei", "1.5Gi"];
const MODES: [&str; 3] = ["Block", "Filesystem", ""];
const ACCESS: [&str; 4] = ["ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany", "x"];
const STRATEGIES: [&str; 4] = ["csi-clone", "snapshot", "copy", "x"];
const CLAIMS: [&str; 5] = ["vm-default-images-a", "vm-disk-a", "a", "vm-disk-disk", "gone"];
const SPACES: [&str; 3] = ["cozy-public", "tenant-a", "tenant-b"];
const ACCESS_POLICIES: [&str; 8] =
    ["false", "true", "- fromSame: [zone]", "[]", "- fromSame:\n  - a\n- {}", "{", "&a [*a]", "T"];

impl World {
    pub(crate) fn new(choices: &mut Choices<'_>) -> Self {
        let mut objects = classes(choices);
        objects.extend(claims(choices));
        objects.extend(snapshots_and_sources(choices));
        // A host gives out one object of a name.
        let mut seen: Vec<String> = Vec::new();
        objects.retain(|object| {
            let key = format!("{} {}", object["kind"], object["metadata"]);
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
        Self { objects, settings: settings(choices), request: request(choices) }
    }
}

fn classes(choices: &mut Choices<'_>) -> Vec<Value> {
    let mut objects = Vec::new();
    for name in CLASSES.iter().take(3) {
        if choices.one_in(12) {
            continue;
        }
        let mut annotations = Map::new();
        for key in ["storageclass.kubevirt.io/is-default-virt-class", "storageclass.kubernetes.io/is-default-class"] {
            if choices.one_in(3) {
                annotations.insert(key.to_owned(), choices.pick(&["true", "false"]).into());
            }
        }
        let driver = choices.pick(&[LINSTOR, LINSTOR, LINSTOR, CEPH, "kubernetes.io/none"]);
        let key = choices.pick(&["allowRemoteVolumeAccess", "layerList", "AllowRemoteVolumeAccess"]);
        let parameter = format!("{}{key}", choices.pick(&["linstor.csi.linbit.com/", ""]));
        let mut class = json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
            "metadata": {"name": name, "annotations": annotations,
                "creationTimestamp": choices.pick(&["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"])},
            "provisioner": driver,
            "allowVolumeExpansion": !choices.one_in(4),
            "volumeBindingMode": choices.text(&["Immediate", "WaitForFirstConsumer"]),
        });
        class["parameters"][parameter] = choices.pick(&ACCESS_POLICIES).into();
        class["parameters"]["allowRemoteVolumeAccess"] = choices.pick(&ACCESS_POLICIES).into();
        objects.push(class);
        let set = |choices: &mut Choices<'_>| {
            let modes: Vec<Value> = (0..choices.byte() % 3).map(|_| choices.pick(&ACCESS).into()).collect();
            json!({"accessModes": modes, "volumeMode": choices.maybe(&MODES)})
        };
        let sets: Vec<Value> = (0..=choices.byte() % 2).map(|_| set(choices)).collect();
        objects.push(json!({
            "apiVersion": CDI, "kind": "StorageProfile", "metadata": {"name": name, "annotations":
                {"cdi.kubevirt.io/minimumSupportedPvcSize": choices.pick(&SIZES)}},
            "status": {"claimPropertySets": sets, "cloneStrategy": choices.maybe(&STRATEGIES),
                "snapshotClass": choices.maybe(&["snap", "rbd-snap", "gone"])},
        }));
    }
    for driver in [LINSTOR, CEPH] {
        if !choices.one_in(8) {
            objects.push(json!({"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": driver}}));
        }
    }
    if !choices.one_in(8) {
        objects.push(json!({"apiVersion": CDI, "kind": "CDI", "metadata": {"name": "cdi"},
            "spec": {"cloneStrategyOverride": choices.maybe(&STRATEGIES)},
            "status": {"observedVersion": choices.maybe(&["v1.66.0", "v1.64.0", "v1", "main"])}}));
    }
    if !choices.one_in(8) {
        objects.push(json!({"apiVersion": CDI, "kind": "CDIConfig", "metadata": {"name": "config"},
            "spec": {"featureGates": [choices.pick(&["HonorWaitForFirstConsumer", "WebhookPvcRendering"])],
                "webhookPvcRendering": choices.maybe(&["Disabled"])},
            "status": {"filesystemOverhead": {"global": choices.maybe(&["0.06", "0", "x", "1e308"]),
                "storageClass": {"local": choices.pick(&["0.1", "", "nan"])}}}}));
    }
    objects
}

fn claims(choices: &mut Choices<'_>) -> Vec<Value> {
    let mut objects = Vec::new();
    for name in CLAIMS.iter().take(4) {
        let namespace = choices.pick(&SPACES);
        if choices.one_in(4) {
            continue;
        }
        objects.push(json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": namespace, "annotations": {
                "cdi.kubevirt.io/storage.contentType": choices.pick(&["kubevirt", "archive", ""]),
                "cdi.Kubervirt.io/virtualSize": choices.pick(&["5368709120", "x", ""]),
                "cdi.Kubervirt.io/sourceCapacity": choices.pick(&SIZES)}},
            "spec": {"storageClassName": choices.maybe(&CLASSES), "volumeMode": choices.maybe(&MODES),
                "volumeName": choices.maybe(&["pv", "gone"]),
                "resources": {"requests": {"storage": choices.maybe(&SIZES)}}},
            "status": {"capacity": {"storage": choices.maybe(&SIZES)}},
        }));
        if choices.one_in(2) {
            objects.push(json!({
                "apiVersion": CDI, "kind": "DataVolume", "metadata": {"name": name, "namespace": namespace,
                    "annotations": {"vm-disk.cozystack.io/storage-class": choices.pick(&CLASSES)}},
                "spec": {"source": {choices.pick(&["pvc", "http", "blank"]): choices.mostly(json!({"name": "a"}))}},
                "status": {"phase": choices.maybe(&["Succeeded", "Failed", "ImportInProgress"]),
                    "restartCount": choices.byte() % 6,
                    "conditions": [{"type": "Running", "status": "False", "reason": choices.pick(&["Error", "x"])}]},
            }));
        }
    }
    objects.push(json!({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv"},
        "spec": {"csi": {"driver": choices.maybe(&[LINSTOR, CEPH])},
            "claimRef": {"namespace": choices.pick(&SPACES), "name": choices.pick(&CLAIMS)}}}));
    objects
}

fn snapshots_and_sources(choices: &mut Choices<'_>) -> Vec<Value> {
    let mut objects = Vec::new();
    for name in ["snap", "rbd-snap"] {
        if !choices.one_in(4) {
            objects.push(json!({"apiVersion": SNAPSHOT, "kind": "VolumeSnapshotClass", "metadata": {"name": name,
                "annotations": {"snapshot.storage.kubernetes.io/is-default-class": choices.pick(&["true", "false"])}},
                "driver": choices.pick(&[LINSTOR, CEPH])}));
        }
    }
    objects.push(json!({
        "apiVersion": SNAPSHOT, "kind": "VolumeSnapshot",
        "metadata": {"name": "shot", "namespace": choices.pick(&SPACES)},
        "spec": {"volumeSnapshotClassName": choices.maybe(&["snap", "gone"]),
            "source": {"persistentVolumeClaimName": choices.maybe(&CLAIMS)}},
        "status": choices.mostly(json!({"boundVolumeSnapshotContentName": "content", "restoreSize": "5Gi"})),
    }));
    objects.push(json!({"apiVersion": SNAPSHOT, "kind": "VolumeSnapshotContent", "metadata": {"name": "content"},
        "spec": {"driver": choices.pick(&[LINSTOR, CEPH]), "sourceVolumeMode": choices.maybe(&MODES)}}));
    for (name, space) in [("one", "tenant-a"), ("two", "tenant-a")] {
        let source = source(choices);
        let status = if choices.one_in(3) { Value::Null } else { source.clone() };
        objects.push(json!({"apiVersion": CDI, "kind": "DataSource", "metadata": {"name": name, "namespace": space},
            "spec": {"source": source}, "status": {"source": status}}));
    }
    objects
}

/// A source of a DataVolume or a DataSource.
fn source(choices: &mut Choices<'_>) -> Value {
    let namespace = choices.maybe(&SPACES);
    match choices.byte() % 6 {
        0..=2 => json!({"pvc": {"namespace": namespace, "name": choices.text(&CLAIMS)}}),
        3 => json!({"snapshot": {"namespace": namespace, "name": choices.text(&["shot", "gone"])}}),
        4 => json!({"dataSource": {"namespace": namespace, "name": choices.text(&["one", "two"])}}),
        _ => json!({choices.pick(&["http", "blank", "upload", "x"]): choices.mostly(json!({}))}),
    }
}

fn data_volume(choices: &mut Choices<'_>) -> Value {
    let modes: Vec<Value> = (0..choices.byte() % 3).map(|_| choices.text(&ACCESS)).collect();
    let body = json!({
        "storageClassName": choices.maybe(&CLASSES), "volumeMode": choices.maybe(&MODES),
        "accessModes": choices.mostly(json!(modes)), "resources": {"requests": {"storage": choices.maybe(&SIZES)}},
    });
    let mut annotations = Map::new();
    for (key, values) in [
        ("cdi.kubevirt.io/cloneType", &STRATEGIES[..]),
        ("cdi.kubevirt.io/storage.usePopulator", &["true", "false", "x"]),
        ("cdi.kubevirt.io/storage.bind.immediate.requested", &["true"]),
        ("cdi.kubevirt.io/permissiveClone", &["false"]),
        ("cdi.kubevirt.io/storage.prePopulated", &["x"]),
    ] {
        if choices.one_in(8) {
            annotations.insert(key.to_owned(), choices.text(values));
        }
    }
    let mut spec = json!({"contentType": choices.maybe(&["kubevirt", "archive"])});
    spec[choices.pick(&["storage", "storage", "pvc"])] = body;
    if choices.one_in(4) {
        spec["sourceRef"] = json!({"kind": "DataSource", "namespace": choices.maybe(&SPACES),
            "name": choices.text(&["one", "two", "gone"])});
    } else {
        spec["source"] = source(choices);
    }
    json!({
        "apiVersion": CDI, "kind": "DataVolume",
        "metadata": {"name": choices.text(&["disk", "vm-disk-disk"]), "namespace": choices.text(&["tenant-a", "cozy-public"]),
            "annotations": annotations,
            "labels": {"cdi.kubevirt.io/applyStorageProfile": choices.pick(&["", "", "", "true"])}},
        "spec": spec,
    })
}

fn vm_disk(choices: &mut Choices<'_>) -> Value {
    let mut source = Map::new();
    for _ in 0..=usize::from(choices.one_in(6)) {
        let key = choices.pick(&["image", "disk", "pvc", "http", "upload", "x"]);
        let body = json!({"name": choices.text(&["a", "gone"])});
        source.insert(key.to_owned(), choices.mostly(body));
    }
    json!({
        "apiVersion": "apps.cozystack.io/v1alpha1", "kind": "VMDisk",
        "metadata": {"name": choices.text(&["disk", "a"]), "namespace": "tenant-a"},
        "spec": {"storage": choices.maybe(&SIZES), "storageClass": choices.maybe(&["local", "replicated", "", "rbd"]),
            "source": choices.mostly(source.into()), "bindImmediately": choices.maybe(&["x"]) != json!("x")},
    })
}

fn request(choices: &mut Choices<'_>) -> Value {
    let which = choices.byte() % 8;
    let object = |choices: &mut Choices<'_>| match which {
        0..=2 => data_volume(choices),
        7 => {
            let templates: Vec<Value> = (0..choices.byte() % 4).map(|_| data_volume(choices)).collect();
            json!({"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine",
                "metadata": {"name": "vm", "namespace": "tenant-a"}, "spec": {"dataVolumeTemplates": templates}})
        }
        _ => vm_disk(choices),
    };
    let new = object(choices);
    let group = new["apiVersion"].as_str().and_then(|version| version.split('/').next()).unwrap_or_default();
    let operation = choices.pick(&["CREATE", "CREATE", "CREATE", "UPDATE"]);
    let mut request = json!({"uid": "u", "kind": {"group": group, "version": "v1", "kind": new["kind"]},
        "operation": operation, "name": choices.text(&["disk"]), "namespace": "tenant-a", "object": new});
    if operation == "UPDATE" {
        request["oldObject"] = object(choices);
    }
    request
}

fn settings(choices: &mut Choices<'_>) -> Value {
    if !choices.one_in(3) {
        return Value::Null;
    }
    let actions = ["deny", "warn", "off"];
    json!({
        "rules": {"remoteVolumeAccessOwnDisk": choices.pick(&actions), "hostAssistedCopy": choices.pick(&actions),
            "immutability": choices.pick(&actions), "sourceMissing": choices.pick(&actions)},
        "onLookupFailure": choices.pick(&["allow", "reject"]),
        "virtualMachines": !choices.one_in(3),
    })
}
