//! Reading the small structs of [`super::objects`] out of documents.

use super::{
    Cdi, CdiConfig, Claim, ClaimPropertySet, CsiDriver, DataSource, DataSourceSource, ExistingDataVolume,
    FilesystemOverhead, Kind, Meta, Object, ObjectRef, RecordedSource, StorageClass, StorageProfile, Volume,
    VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent, VolumeSnapshotStatus, keep,
};
use crate::json::sorted;
use crate::json::{Json, WrongType};
use crate::quantity::Quantity;

/// The object of `kind` that `document` describes.
///
/// # Errors
/// A field that the policy reads has another type than the kind's API gives it.
pub fn object(kind: Kind, document: &Json<'_>) -> Result<Object, WrongType> {
    if !matches!(document, Json::Object(_)) {
        return Err(WrongType::new("object", "an object", document));
    }
    let meta = meta(kind, document)?;
    // Each path is walked from the root: it is cheaper to step into these two once.
    let (spec, status) = (|| section(document, "spec"), || section(document, "status"));
    Ok(match kind {
        Kind::PersistentVolumeClaim => claim(meta, spec()?, status()?)?.into(),
        Kind::PersistentVolume => volume(meta, spec()?)?.into(),
        Kind::StorageClass => storage_class(meta, document)?.into(),
        Kind::CsiDriver => CsiDriver { meta }.into(),
        Kind::StorageProfile => storage_profile(meta, status()?)?.into(),
        Kind::DataVolume => data_volume(meta, document, spec()?, status()?)?.into(),
        Kind::DataSource => data_source(meta, document)?.into(),
        Kind::Cdi => cdi(meta, spec()?, status()?)?.into(),
        Kind::CdiConfig => cdi_config(meta, spec()?, status()?)?.into(),
        Kind::VolumeSnapshotClass => {
            VolumeSnapshotClass { meta, driver: field(document, "driver")?.unwrap_or_default() }.into()
        }
        Kind::VolumeSnapshot => volume_snapshot(meta, spec()?, status()?)?.into(),
        Kind::VolumeSnapshotContent => VolumeSnapshotContent {
            meta,
            driver: field(spec()?, "driver")?.unwrap_or_default(),
            source_volume_mode: field(spec()?, "sourceVolumeMode")?,
        }
        .into(),
    })
}

fn meta(kind: Kind, document: &Json<'_>) -> Result<Meta, WrongType> {
    let metadata = section(document, "metadata")?;
    let read = keep::annotations(kind);
    let given = if read.is_empty() { &Json::Null } else { section(metadata, "annotations")? };
    let mut annotations = Vec::new();
    for (key, _) in read {
        if let Some(value) = given.string_at(key)? {
            annotations.push(((*key).to_owned(), value.to_owned()));
        }
    }
    Ok(Meta {
        name: field(metadata, "name")?.unwrap_or_default(),
        namespace: field(metadata, "namespace")?.unwrap_or_default(),
        annotations,
    })
}

/// The object below `key`; null where it is absent.
fn section<'d, 'a>(document: &'d Json<'a>, key: &str) -> Result<&'d Json<'a>, WrongType> {
    match document.key(key) {
        None => Ok(&Json::Null),
        Some(section @ Json::Object(_)) => Ok(section),
        Some(other) => Err(WrongType::new(key, "an object", other)),
    }
}

fn claim(meta: Meta, spec: &Json<'_>, status: &Json<'_>) -> Result<Claim, WrongType> {
    Ok(Claim {
        meta,
        storage_class_name: field(spec, "storageClassName")?,
        volume_mode: field(spec, "volumeMode")?,
        volume_name: filled(field(spec, "volumeName")?),
        request: quantity(spec, "resources.requests.storage")?,
        capacity: quantity(status, "capacity.storage")?,
    })
}

fn volume(meta: Meta, spec: &Json<'_>) -> Result<Volume, WrongType> {
    let claim_ref = match spec.at("claimRef")? {
        None => None,
        Some(_) => Some((
            text(spec, "claimRef.namespace")?.unwrap_or_default(),
            text(spec, "claimRef.name")?.unwrap_or_default(),
        )),
    };
    Ok(Volume { meta, claim_ref, csi_driver: text(spec, "csi.driver")? })
}

fn storage_class(meta: Meta, document: &Json<'_>) -> Result<StorageClass, WrongType> {
    Ok(StorageClass {
        meta,
        creation_timestamp: field(section(document, "metadata")?, "creationTimestamp")?.unwrap_or_default(),
        provisioner: field(document, "provisioner")?.unwrap_or_default(),
        parameters: owned(document.string_map("parameters")?),
        allow_volume_expansion: document.boolean("allowVolumeExpansion")?.unwrap_or_default(),
        waits_for_first_consumer: document.string_at("volumeBindingMode")? == Some("WaitForFirstConsumer"),
    })
}

fn storage_profile(meta: Meta, status: &Json<'_>) -> Result<StorageProfile, WrongType> {
    let claim_property_sets = status
        .list("claimPropertySets")?
        .iter()
        .map(|set| {
            Ok(ClaimPropertySet { access_modes: set.strings("accessModes")?, volume_mode: field(set, "volumeMode")? })
        })
        .collect::<Result<_, WrongType>>()
        .map_err(|error| error.under("claimPropertySets[]"))?;
    Ok(StorageProfile {
        meta,
        claim_property_sets,
        clone_strategy: field(status, "cloneStrategy")?,
        snapshot_class: field(status, "snapshotClass")?,
    })
}

fn data_volume(
    meta: Meta,
    document: &Json<'_>,
    spec: &Json<'_>,
    status: &Json<'_>,
) -> Result<ExistingDataVolume, WrongType> {
    let storage_class_name = match text(spec, "storage.storageClassName")? {
        Some(name) => Some(name),
        None => text(spec, "pvc.storageClassName")?,
    };
    let mut running_failed = false;
    for condition in status.list("conditions")? {
        if condition.string("type")? == Some("Running") {
            running_failed =
                condition.string("status")? == Some("False") && condition.string("reason")? == Some("Error");
        }
    }
    Ok(ExistingDataVolume {
        meta,
        source: recorded_source(document),
        storage_class_name,
        phase: field(status, "phase")?,
        restart_count: status.integer("restartCount")?.unwrap_or_default(),
        running_failed,
    })
}

/// What an existing DataVolume's spec says of its source. A body of an odd type is no failed lookup: the source
/// then has a shape that the chart does not make, and nothing is compared with it.
fn recorded_source(document: &Json<'_>) -> RecordedSource {
    let Some(spec) = document.key("spec") else {
        return RecordedSource::Other;
    };
    if spec.key("sourceRef").is_some() {
        return RecordedSource::Other;
    }
    let Some(Json::Object(entries)) = spec.key("source") else {
        return RecordedSource::Other;
    };
    let [(key, body @ Json::Object(fields))] = entries.as_slice() else {
        return RecordedSource::Other;
    };
    match key.as_ref() {
        "blank" if fields.is_empty() => RecordedSource::Blank,
        "upload" if fields.is_empty() => RecordedSource::Upload,
        "http" => {
            let mut result = Vec::new();
            for (key, value) in fields {
                let text = match value {
                    Json::String(text) => text.as_ref().to_owned(),
                    Json::Array(_) => value.strings_here().unwrap_or_default().join("\n"),
                    Json::Null => continue,
                    Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::Object(_) => {
                        return RecordedSource::Other;
                    }
                };
                if !RecordedSource::HTTP_KEYS.contains(&key.as_ref()) {
                    return RecordedSource::Other;
                }
                result.push((key.as_ref().to_owned(), text));
            }
            RecordedSource::Http(sorted(result, &|a, b| a < b))
        }
        "pvc" => match (body.string("namespace"), body.string("name")) {
            (Ok(namespace), Ok(Some(name))) => {
                RecordedSource::Claim { namespace: namespace.unwrap_or_default().to_owned(), name: name.to_owned() }
            }
            _ => RecordedSource::Other,
        },
        _ => RecordedSource::Other,
    }
}

fn data_source(meta: Meta, document: &Json<'_>) -> Result<DataSource, WrongType> {
    let source = |path: &str| -> Result<DataSourceSource, WrongType> {
        Ok(DataSourceSource {
            pvc: object_ref(document, &format!("{path}.pvc"))?,
            snapshot: object_ref(document, &format!("{path}.snapshot"))?,
            data_source: object_ref(document, &format!("{path}.dataSource"))?,
        })
    };
    Ok(DataSource { meta, spec_source: source("spec.source")?, status_source: source("status.source")? })
}

/// A reference with `namespace` and `name` at `path`, where there is one.
///
/// # Errors
/// It, or a field of it, has the wrong type.
pub fn object_ref(document: &Json<'_>, path: &str) -> Result<Option<ObjectRef>, WrongType> {
    let Some(reference) = document.at(path)? else {
        return Ok(None);
    };
    let in_reference = |key: &str| field(reference, key).map_err(|error| error.under(path));
    match reference {
        Json::Object(_) => Ok(Some(ObjectRef {
            namespace: in_reference("namespace")?.unwrap_or_default(),
            name: in_reference("name")?.unwrap_or_default(),
        })),
        other => Err(WrongType::new(path, "an object", other)),
    }
}

fn cdi(meta: Meta, spec: &Json<'_>, status: &Json<'_>) -> Result<Cdi, WrongType> {
    Ok(Cdi {
        meta,
        clone_strategy_override: field(spec, "cloneStrategyOverride")?,
        observed_version: field(status, "observedVersion")?,
    })
}

fn cdi_config(meta: Meta, spec: &Json<'_>, status: &Json<'_>) -> Result<CdiConfig, WrongType> {
    let filesystem_overhead = match status.at("filesystemOverhead")? {
        None => None,
        Some(_) => Some(FilesystemOverhead {
            global: text(status, "filesystemOverhead.global")?,
            storage_class: owned(status.string_map("filesystemOverhead.storageClass")?),
        }),
    };
    Ok(CdiConfig {
        meta,
        feature_gates: spec.strings("featureGates")?,
        webhook_pvc_rendering: field(spec, "webhookPvcRendering")?,
        filesystem_overhead,
    })
}

fn volume_snapshot(meta: Meta, spec: &Json<'_>, status: &Json<'_>) -> Result<VolumeSnapshot, WrongType> {
    let status = match status {
        Json::Null => None,
        _ => Some(VolumeSnapshotStatus {
            bound_volume_snapshot_content_name: field(status, "boundVolumeSnapshotContentName")?,
            has_error: status.at("error")?.is_some(),
            restore_size: quantity(status, "restoreSize")?,
        }),
    };
    Ok(VolumeSnapshot {
        meta,
        volume_snapshot_class_name: field(spec, "volumeSnapshotClassName")?,
        persistent_volume_claim_name: text(spec, "source.persistentVolumeClaimName")?,
        status,
    })
}

fn field(section: &Json<'_>, key: &str) -> Result<Option<String>, WrongType> {
    Ok(section.string_at(key)?.map(str::to_owned))
}

fn text(document: &Json<'_>, path: &str) -> Result<Option<String>, WrongType> {
    Ok(document.string(path)?.map(str::to_owned))
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

fn quantity(document: &Json<'_>, path: &str) -> Result<Option<Quantity>, WrongType> {
    let Some(text) = document.quantity_text(path)? else {
        return Ok(None);
    };
    match Quantity::parse(&text) {
        Ok(quantity) => Ok(Some(quantity)),
        Err(_) => Err(WrongType { path: path.to_owned(), expected: "a quantity such as 10Gi", found: "another text" }),
    }
}

fn owned(map: Vec<(&str, &str)>) -> Vec<(String, String)> {
    map.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}
