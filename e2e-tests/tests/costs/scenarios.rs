//! The requests that are measured.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use vmdisk_e2e::{load_case, module_path, package_folder};
use vmdisk_host::{Answer, Answers, Cluster, Evaluation, Manifests, Outcome, Policy, Request};

use crate::masks::Masked;

/// What a request took.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Cost {
    /// Bytes of the request, and of everything that was looked up for it.
    pub(crate) bytes: usize,
    /// Executed instructions.
    pub(crate) fuel: u64,
    /// Peak of the module's memory, in pages of 64 kiB.
    pub(crate) pages: u64,
}

/// A request that is measured.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) request: Value,
    pub(crate) manifests: Manifests,
    /// How many StorageClasses there are beside those.
    pub(crate) classes: usize,
    /// Whether gets are answered as if they had asked for nothing but what is read.
    pub(crate) masked: bool,
}

static METERED: LazyLock<Policy> = LazyLock::new(|| Policy::load_metered(module_path().unwrap()).unwrap());

impl Scenario {
    fn of_case(name: &'static str, folder: &str, request: &str) -> Self {
        let case = load_case(&package_folder().join("cases").join(folder)).unwrap();
        let full_name = if request.is_empty() { folder.to_owned() } else { format!("{folder}::{request}") };
        let found = case.requests.iter().find(|request| request.name == full_name).unwrap();
        Self { name, request: found.request.clone(), manifests: case.manifests, classes: 0, masked: false }
    }

    fn without_cluster(name: &'static str, request: Value) -> Self {
        Self { name, request, manifests: Manifests::new(), classes: 0, masked: false }
    }

    /// Puts it to the module.
    pub(crate) fn run(&self) -> (Evaluation, Cost) {
        let cluster = Cluster::new(&self.manifests).unwrap();
        let answers: Arc<dyn Answers> =
            if self.masked { Arc::new(Masked(cluster)) } else { Arc::new(ManyClasses::new(cluster, self.classes)) };
        let evaluation = METERED.validate_with(&self.request, &json!({}), answers).unwrap();
        let looked_up: usize = evaluation.calls.iter().map(|call| call.response.as_ref().map_or(0, Vec::len)).sum();
        let cost = Cost {
            bytes: self.request.to_string().len() + looked_up,
            fuel: evaluation.fuel.unwrap(),
            pages: evaluation.memory.unwrap() / 65_536,
        };
        (evaluation, cost)
    }
}

const REFUSED_VM_DISK: &str = "01-cozystack-2908-vmdisk";
const REFUSED_DATA_VOLUME: &str = "01-cozystack-2908-datavolume";

/// Everything that is measured.
pub(crate) fn all() -> Vec<Scenario> {
    vec![
        Scenario::without_cluster("another kind, 2 kB", other_kind()),
        Scenario::without_cluster("VMDisk update, nothing changed, 2 kB", update(REFUSED_VM_DISK, 2_000)),
        Scenario::without_cluster("DataVolume update, nothing changed, 2 kB", update(REFUSED_DATA_VOLUME, 2_000)),
        Scenario::without_cluster("blank DataVolume, 2 kB", blank_data_volume(2_000)),
        blank_vm_disk(),
        Scenario::of_case("clone within the class", "08-cozystack-421-same-class", ""),
        Scenario::of_case("refused VMDisk (case 1)", REFUSED_VM_DISK, ""),
        Scenario::of_case("refused DataVolume (case 1)", REFUSED_DATA_VOLUME, ""),
        Scenario::of_case("refused snapshot clone (case 12)", "12a-cdi-2898-linstor", "into-local"),
        managed_fields("refused VMDisk, all objects with 200 kB of managedFields"),
        Scenario {
            masked: true,
            ..managed_fields("refused VMDisk, all objects with 200 kB of managedFields, field masks")
        },
        class_left_out("class left out, 10 classes", 10),
        class_left_out("class left out, 100 classes", 100),
        class_left_out("class left out, 10,000 classes", 10_000),
        class_named("class named, 10,000 classes", 10_000),
        Scenario::without_cluster("blank DataVolume, 100 kB", large_data_volume(100_000)),
        Scenario::without_cluster("blank DataVolume, 1 MB", large_data_volume(1_000_000)),
    ]
}

/// A request of an end-to-end case.
fn request_of(case: &str) -> Value {
    Scenario::of_case("", case, "").request
}

/// `request` with managedFields that bring it to about `bytes`.
fn padded(mut request: Value, bytes: usize) -> Value {
    let missing = bytes.saturating_sub(request.to_string().len());
    request["object"]["metadata"]["managedFields"] = fields_of(missing);
    request
}

/// managedFields of about that many bytes.
fn fields_of(bytes: usize) -> Value {
    let mut fields = serde_json::Map::new();
    for index in 0..bytes.saturating_sub(170).div_ceil(29) {
        fields.insert(format!("f:field-number-{index:06}"), json!({}));
    }
    json!([{
        "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": fields}, "manager": "kubectl-client-side-apply",
        "operation": "Update", "time": "2026-01-01T00:00:00Z"
    }])
}

fn other_kind() -> Value {
    padded(
        json!({
            "uid": "00000000-0000-4000-8000-000000000000", "operation": "CREATE", "name": "web", "namespace": "tenant-a",
            "kind": {"group": "", "version": "v1", "kind": "Pod"},
            "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}
        }),
        2_000,
    )
}

fn update(case: &str, bytes: usize) -> Value {
    let mut request = request_of(case);
    request["operation"] = "UPDATE".into();
    request["oldObject"] = request["object"].clone();
    request["object"]["metadata"]["labels"] = json!({"app.kubernetes.io/managed-by": "Helm"});
    padded(request, bytes)
}

fn blank_data_volume(bytes: usize) -> Value {
    let mut request = request_of(REFUSED_DATA_VOLUME);
    request["object"]["spec"]["source"] = json!({"blank": {}});
    padded(request, bytes)
}

/// Its DataVolume and its claim are looked up.
fn blank_vm_disk() -> Scenario {
    let mut scenario = Scenario::of_case("blank VMDisk", REFUSED_VM_DISK, "");
    scenario.request["object"]["spec"]["source"] = json!({});
    scenario
}

/// What a tenant may write: an object of many annotations, none of which is skipped for its name.
fn large_data_volume(bytes: usize) -> Value {
    let mut request = blank_data_volume(0);
    let value = "v".repeat(64);
    let annotations: serde_json::Map<_, _> =
        (0..bytes / 94).map(|index| (format!("example.com/note-{index:08}"), value.as_str().into())).collect();
    request["object"]["metadata"]["annotations"] = annotations.into();
    request
}

/// Case 1 where every object, looked up or not, drags 200 kB of managedFields along.
fn managed_fields(name: &'static str) -> Scenario {
    let mut scenario = Scenario::of_case(name, REFUSED_VM_DISK, "");
    scenario.request["object"]["metadata"]["managedFields"] = fields_of(200_000);
    for object in scenario.manifests.objects_mut() {
        object["metadata"]["managedFields"] = fields_of(200_000);
    }
    scenario
}

/// A VirtualMachine with that many disks, each cloned from a claim of its own with a megabyte of managedFields.
pub(crate) fn large_claims(count: usize) -> Scenario {
    let mut scenario = Scenario::of_case("large claims", REFUSED_DATA_VOLUME, "");
    let spec = |source: &str| {
        json!({
            "source": {"pvc": {"namespace": "tenant-root", "name": source}},
            "storage": {"storageClassName": "replicated", "resources": {"requests": {"storage": "5Gi"}}}
        })
    };
    let mut templates = Vec::new();
    let mut claims = Vec::new();
    for index in 0..count {
        let source = format!("source-{index}");
        templates.push(json!({"metadata": {"name": format!("disk-{index}")}, "spec": spec(&source)}));
        claims.push(json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim",
            "metadata": {"namespace": "tenant-root", "name": source, "managedFields": fields_of(1_000_000)},
            "spec": {"storageClassName": "replicated", "volumeMode": "Block", "resources": {"requests": {"storage": "5Gi"}}}
        }));
    }
    scenario.request = json!({
        "uid": "00000000-0000-4000-8000-000000000000", "operation": "CREATE", "name": "vm", "namespace": "tenant-root",
        "kind": {"group": "kubevirt.io", "version": "v1", "kind": "VirtualMachine"},
        "object": {
            "apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine",
            "metadata": {"name": "vm", "namespace": "tenant-root"}, "spec": {"dataVolumeTemplates": templates}
        }
    });
    let list = json!({"apiVersion": "v1", "kind": "List", "items": claims}).to_string();
    scenario.manifests.replace_with(Manifests::parse(&list, "claims").unwrap());
    scenario
}

/// A cluster with that many more StorageClasses.
struct ManyClasses {
    cluster: Cluster,
    list: String,
}

impl ManyClasses {
    fn new(cluster: Cluster, count: usize) -> Self {
        // In an order that is not theirs: 7919 is a prime, so every class comes once.
        let mut items: Vec<Value> = (0..count).map(|index| class(index * 7919 % count)).collect();
        items.extend(cluster.objects().iter().filter(|object| object["kind"] == "StorageClass").cloned());
        let list = json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClassList", "metadata": {"resourceVersion": "1"}, "items": items
        });
        Self { cluster, list: list.to_string() }
    }
}

impl Answers for ManyClasses {
    fn answer(&self, request: &Request) -> Answer {
        match request {
            Request::ListAll(list) if list.kind == "StorageClass" => {
                Answer::ok(self.list.as_bytes(), Outcome::Verbatim)
            }
            Request::Get(_)
            | Request::ListAll(_)
            | Request::ListNamespace(_)
            | Request::CanI(_)
            | Request::Other(..) => self.cluster.answer(request),
        }
    }
}

fn class(index: usize) -> Value {
    json!({
        "kind": "StorageClass", "apiVersion": "storage.k8s.io/v1",
        "metadata": {"name": format!("class-{index:05}"), "uid": "00000000-0000-4000-8000-000000000000"},
        "provisioner": "linstor.csi.linbit.com", "allowVolumeExpansion": true, "volumeBindingMode": "Immediate",
        "parameters": {"linstor.csi.linbit.com/storagePool": "data", "linstor.csi.linbit.com/autoPlace": "2"}
    })
}

/// `local` is the default class, so that the refusal is the one of case 1.
fn class_left_out(name: &'static str, count: usize) -> Scenario {
    Scenario { classes: count, ..Scenario::of_case(name, "26d-default-class-compared", "vmdisk") }
}

fn class_named(name: &'static str, count: usize) -> Scenario {
    Scenario { classes: count, ..Scenario::of_case(name, REFUSED_VM_DISK, "") }
}
