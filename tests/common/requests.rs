//! Requests, as the API server writes them.

use serde_json::{Map, Value, json};

/// The namespace of the disks.
pub(crate) const NAMESPACE: &str = "tenant-root";

/// The manifest of a VMDisk or a DataVolume.
#[derive(Debug, Clone)]
pub(crate) struct Manifest {
    object: Value,
    is_vm_disk: bool,
}

/// A VMDisk of 10Gi without a source or a class.
pub(crate) fn vm_disk(name: &str) -> Manifest {
    let object = json!({
        "apiVersion": "apps.cozystack.io/v1alpha1",
        "kind": "VMDisk",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"storage": "10Gi"},
    });
    Manifest { object, is_vm_disk: true }
}

/// A DataVolume with a `spec.storage` of 10Gi, without a source or a class.
pub(crate) fn data_volume(name: &str) -> Manifest {
    let object = json!({
        "apiVersion": "cdi.kubevirt.io/v1beta1",
        "kind": "DataVolume",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"storage": {"resources": {"requests": {"storage": "10Gi"}}}},
    });
    Manifest { object, is_vm_disk: false }
}

/// A VirtualMachine that declares these DataVolumes as templates of its disks.
pub(crate) fn virtual_machine(name: &str, templates: &[Manifest]) -> Manifest {
    let templates: Vec<Value> = templates
        .iter()
        .map(|template| json!({"metadata": template.object["metadata"], "spec": template.object["spec"]}))
        .collect();
    let object = json!({
        "apiVersion": "kubevirt.io/v1",
        "kind": "VirtualMachine",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"dataVolumeTemplates": templates},
    });
    Manifest { object, is_vm_disk: false }
}

impl Manifest {
    /// Sets what stands at a path of keys; null removes it.
    pub(crate) fn at(mut self, path: &[&str], value: impl Into<Value>) -> Self {
        let (last, parents) = path.split_last().unwrap();
        let mut here = &mut self.object;
        for key in parents {
            here = here.as_object_mut().unwrap().entry(*key).or_insert_with(|| Value::Object(Map::new()));
        }
        let here = here.as_object_mut().unwrap();
        match value.into() {
            Value::Null => drop(here.remove(*last)),
            value => drop(here.insert((*last).to_owned(), value)),
        }
        self
    }

    /// Sets what stands at a path of keys, null included.
    pub(crate) fn at_null(self, path: &[&str]) -> Self {
        let mut result = self.at(path, "");
        let mut here = &mut result.object;
        for key in path {
            here = here.get_mut(*key).unwrap();
        }
        *here = Value::Null;
        result
    }

    /// `spec.source` as a whole.
    pub(crate) fn source(self, source: impl Into<Value>) -> Self {
        self.at(&["spec", "source"], source)
    }

    /// A VMDisk of a golden image.
    pub(crate) fn image(self, name: &str) -> Self {
        self.source(json!({"image": {"name": name}}))
    }

    /// A VMDisk cloned from another one.
    pub(crate) fn disk(self, name: &str) -> Self {
        self.source(json!({"disk": {"name": name}}))
    }

    /// A DataVolume cloned from a claim.
    pub(crate) fn claim(self, namespace: &str, name: &str) -> Self {
        self.source(json!({"pvc": {"namespace": namespace, "name": name}}))
    }

    /// A DataVolume cloned from a snapshot.
    pub(crate) fn snapshot(self, namespace: &str, name: &str) -> Self {
        self.source(json!({"snapshot": {"namespace": namespace, "name": name}}))
    }

    /// A DataVolume whose source a DataSource gives.
    pub(crate) fn source_ref(self, namespace: &str, name: &str) -> Self {
        self.at(&["spec", "sourceRef"], json!({"kind": "DataSource", "namespace": namespace, "name": name}))
    }

    /// An import by http.
    pub(crate) fn http(self, url: &str) -> Self {
        self.source(json!({"http": {"url": url}}))
    }

    /// The class, where the kind has it.
    pub(crate) fn class(self, name: &str) -> Self {
        if self.is_vm_disk {
            return self.at(&["spec", "storageClass"], name);
        }
        let form = self.form();
        self.at(&["spec", form, "storageClassName"], name)
    }

    /// The size, where the kind has it.
    pub(crate) fn storage(self, size: impl Into<Value>) -> Self {
        if self.is_vm_disk {
            return self.at(&["spec", "storage"], size);
        }
        let form = self.form();
        self.at(&["spec", form, "resources", "requests", "storage"], size)
    }

    pub(crate) fn mode(self, mode: &str) -> Self {
        let form = self.form();
        self.at(&["spec", form, "volumeMode"], mode)
    }

    pub(crate) fn access_modes(self, modes: &[&str]) -> Self {
        let form = self.form();
        self.at(&["spec", form, "accessModes"], modes.to_vec())
    }

    /// A DataVolume in the form `spec.pvc`, with everything that `spec.storage` said.
    pub(crate) fn pvc_form(mut self) -> Self {
        let body = self.object["spec"]["storage"].take();
        self.at(&["spec", "storage"], Value::Null).at(&["spec", "pvc"], body)
    }

    fn form(&self) -> &'static str {
        if self.object["spec"].get("pvc").is_some() { "pvc" } else { "storage" }
    }

    pub(crate) fn annotation(self, key: &str, value: &str) -> Self {
        self.at(&["metadata", "annotations", key], value)
    }

    /// The annotation that the chart sets unless `bindImmediately` is false.
    pub(crate) fn immediate(self) -> Self {
        self.annotation("cdi.kubevirt.io/storage.bind.immediate.requested", "true")
    }

    /// The object.
    pub(crate) fn object(&self) -> &Value {
        &self.object
    }

    /// The request that creates it.
    pub(crate) fn create(&self) -> Value {
        request("CREATE", &self.object, None)
    }

    /// The request that makes `self` of `old`.
    pub(crate) fn update_of(&self, old: &Manifest) -> Value {
        request("UPDATE", &self.object, Some(&old.object))
    }
}

/// The request that deletes an object.
pub(crate) fn delete(object: &Manifest) -> Value {
    let mut result = request("DELETE", &Value::Null, Some(&object.object));
    result["kind"] = request("CREATE", &object.object, None)["kind"].take();
    result
}

/// A request for an object.
pub(crate) fn request(operation: &str, object: &Value, old: Option<&Value>) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (group, version) =
        object["apiVersion"].as_str().and_then(|version| version.split_once('/')).unwrap_or_default();
    json!({
        "uid": "1299d386-525b-4032-98ae-1949f69f9cfc",
        "kind": {"group": group, "version": version, "kind": object["kind"]},
        "operation": operation,
        "name": text(&object["metadata"]["name"]),
        "namespace": text(&object["metadata"]["namespace"]),
        "object": object,
        "oldObject": old,
    })
}
