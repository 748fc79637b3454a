//! Reading a DataVolume out of a request.

use crate::json::{Json, WrongType};
use crate::quantity::Quantity;
use crate::request::Request;
use crate::subject::{ClaimSource, ContentType, DataVolume, SnapshotSource, Source, SpecForm, TargetSpec};

/// Sources that bring data from outside the cluster
/// (`pkg/apis/core/v1beta1/types.go`, `DataVolumeSource`).
const IMPORTS: [&str; 6] = ["http", "s3", "gcs", "registry", "imageio", "vddk"];

impl DataVolume {
    /// Reads the DataVolume of a request.
    ///
    /// # Errors
    /// A field that a rule needs has the wrong type.
    pub fn parse(request: &Request<'_, '_>) -> Result<Self, WrongType> {
        let metadata = request.object.at("metadata")?.unwrap_or(&Json::Null);
        let bound_by_its_owner = bound_by_its_owner(metadata).map_err(|error| error.under("metadata"))?;
        Ok(Self { bound_by_its_owner, ..Self::read(request.object, request.namespace, request.name)? })
    }

    /// Reads the DataVolume that virt-controller makes of a template of a VirtualMachine in `namespace`
    /// (`kubevirt/kubevirt`, `pkg/virt-controller/watch/util/util.go`, `CreateDataVolumeManifest`, and
    /// `pkg/storage/types/dv.go`, `GenerateDataVolumeFromTemplate`): name, labels, annotations and spec are those of
    /// the template, the namespace and the owner are the VirtualMachine's. The annotation that allows the adoption of
    /// a claim, and the priority class, are set as well; no rule reads them.
    ///
    /// # Errors
    /// A field that a rule needs has the wrong type.
    pub fn of_template(template: &Json<'_>, namespace: &str, name: &str) -> Result<Self, WrongType> {
        Ok(Self { bound_by_its_owner: true, is_template: true, ..Self::read(template, namespace, name)? })
    }

    fn read(object: &Json<'_>, namespace: &str, name: &str) -> Result<Self, WrongType> {
        let spec = match object.at("spec")? {
            Some(spec @ Json::Object(_)) => spec,
            Some(other) => return Err(WrongType::new("spec", "an object", other)),
            None => &Json::Null,
        };
        let within = |error: WrongType| error.under("spec");
        let metadata = object.at("metadata")?.unwrap_or(&Json::Null);
        let in_metadata = |error: WrongType| error.under("metadata");
        let labels = metadata.string_map("labels").map_err(in_metadata)?;
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            annotations: annotations(&metadata.string_map("annotations").map_err(in_metadata)?),
            apply_storage_profile: labels.contains(&("cdi.kubevirt.io/applyStorageProfile", "true")),
            content_type: content_type(spec.string("contentType").map_err(within)?),
            source: source(spec, namespace).map_err(within)?,
            target: target(spec).map_err(within)?,
            bound_by_its_owner: false,
            is_template: false,
        })
    }
}

pub(super) fn owned(map: &[(&str, &str)]) -> Vec<(String, String)> {
    map.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// The annotations that CDI reads; the others are a tenant's, in any number.
fn annotations(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let of_cdi: Vec<_> = all.iter().filter(|(key, _)| key.starts_with("cdi.kubevirt.io/")).copied().collect();
    owned(&of_cdi)
}

fn content_type(word: Option<&str>) -> ContentType {
    if word == Some("archive") { ContentType::Archive } else { ContentType::Kubevirt }
}

/// Whether a controller waits for the disk to be used and says so itself: a VirtualMachine, or a DataImportCron
/// (which marks what it makes with a label, `pkg/controller/dataimportcron-controller.go`).
fn bound_by_its_owner(metadata: &Json<'_>) -> Result<bool, WrongType> {
    if metadata.string_map("labels")?.iter().any(|(key, _)| *key == "cdi.kubevirt.io/dataImportCron") {
        return Ok(true);
    }
    for owner in metadata.list("ownerReferences")? {
        let within = |error: WrongType| error.under("ownerReferences[]");
        let group = owner.string("apiVersion").map_err(within)?.and_then(|v| v.split_once('/')).map(|(group, _)| group);
        let kind = owner.string("kind").map_err(within)?;
        if matches!(
            (group, kind),
            (Some("kubevirt.io"), Some("VirtualMachine")) | (Some("cdi.kubevirt.io"), Some("DataImportCron"))
        ) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn source(spec: &Json<'_>, own_namespace: &str) -> Result<Source, WrongType> {
    let namespaced = |path: &str| -> Result<Option<(String, String)>, WrongType> {
        let Some(reference) = crate::cluster::read::object_ref(spec, path)? else {
            return Ok(None);
        };
        let namespace = if reference.namespace.is_empty() { own_namespace.to_owned() } else { reference.namespace };
        Ok(Some((namespace, reference.name)))
    };
    // CDI looks at sourceRef first (pkg/controller/datavolume/util.go).
    if let Some((namespace, name)) = namespaced("sourceRef")? {
        return Ok(match spec.string("sourceRef.kind")? {
            None | Some("DataSource") => Source::DataSource { namespace, name },
            Some(_) => Source::None,
        });
    }
    if let Some((namespace, name)) = namespaced("source.pvc")? {
        return Ok(Source::Claim(ClaimSource { namespace, name }));
    }
    if let Some((namespace, name)) = namespaced("source.snapshot")? {
        return Ok(Source::Snapshot(SnapshotSource { namespace, name }));
    }
    let entries = spec.entries("source")?;
    let given = |key: &str| entries.iter().any(|(k, value)| k == key && *value != Json::Null);
    Ok(if IMPORTS.into_iter().any(given) {
        Source::Import
    } else if given("upload") {
        Source::Upload
    } else if given("blank") {
        Source::Blank
    } else {
        Source::None
    })
}

fn target(spec: &Json<'_>) -> Result<Option<TargetSpec>, WrongType> {
    // With both CDI's webhook refuses the DataVolume; its controller would take spec.pvc.
    for (form, key) in [(SpecForm::Pvc, "pvc"), (SpecForm::Storage, "storage")] {
        match spec.at(key)? {
            None => {}
            Some(body @ Json::Object(_)) => {
                return target_spec(form, body).map(Some).map_err(|error| error.under(key));
            }
            Some(other) => return Err(WrongType::new(key, "an object", other)),
        }
    }
    Ok(None)
}

fn target_spec(form: SpecForm, body: &Json<'_>) -> Result<TargetSpec, WrongType> {
    Ok(TargetSpec {
        form,
        storage_class_name: body.string("storageClassName")?.map(str::to_owned),
        access_modes: body.strings("accessModes")?,
        volume_mode: body.string("volumeMode")?.filter(|mode| !mode.is_empty()).map(str::to_owned),
        request: quantity(body, "resources.requests.storage")?,
    })
}

/// The quantity at `path`.
pub(super) fn quantity(body: &Json<'_>, path: &str) -> Result<Option<Quantity>, WrongType> {
    let Some(text) = body.quantity_text(path)? else {
        return Ok(None);
    };
    Quantity::parse(&text).map(Some).map_err(|_| WrongType {
        path: path.to_owned(),
        expected: "a quantity such as 10Gi",
        found: "another text",
    })
}
