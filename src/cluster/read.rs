//! Reading the small structs of [`super::objects`] out of documents.

use super::{
    Cdi, CdiConfig, Claim, ClaimPropertySet, CsiDriver, DataSource, DataSourceSource, ExistingDataVolume,
    FilesystemOverhead, Kind, Meta, Object, ObjectRef, RecordedSource, StorageClass, StorageProfile, Volume,
    VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent, VolumeSnapshotStatus,
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
    let meta = meta(document)?;
    Ok(match kind {
        Kind::PersistentVolumeClaim => claim(meta, document)?.into(),
        Kind::PersistentVolume => volume(meta, document)?.into(),
        Kind::StorageClass => storage_class(meta, document)?.into(),
        Kind::CsiDriver => CsiDriver { meta }.into(),
        Kind::StorageProfile => storage_profile(meta, document)?.into(),
        Kind::DataVolume => data_volume(meta, document)?.into(),
        Kind::DataSource => data_source(meta, document)?.into(),
        Kind::Cdi => cdi(meta, document)?.into(),
        Kind::CdiConfig => cdi_config(meta, document)?.into(),
        Kind::VolumeSnapshotClass => {
            VolumeSnapshotClass { meta, driver: text(document, "driver")?.unwrap_or_default() }.into()
        }
        Kind::VolumeSnapshot => volume_snapshot(meta, document)?.into(),
        Kind::VolumeSnapshotContent => VolumeSnapshotContent {
            meta,
            driver: text(document, "spec.driver")?.unwrap_or_default(),
            source_volume_mode: text(document, "spec.sourceVolumeMode")?,
        }
        .into(),
    })
}

/// `metadata`.
///
/// # Errors
/// A field of it has the wrong type.
pub fn meta(document: &Json<'_>) -> Result<Meta, WrongType> {
    Ok(Meta {
        name: text(document, "metadata.name")?.unwrap_or_default(),
        namespace: text(document, "metadata.namespace")?.unwrap_or_default(),
        annotations: owned(document.string_map("metadata.annotations")?),
        creation_timestamp: text(document, "metadata.creationTimestamp")?.unwrap_or_default(),
    })
}

fn claim(meta: Meta, document: &Json<'_>) -> Result<Claim, WrongType> {
    Ok(Claim {
        meta,
        storage_class_name: text(document, "spec.storageClassName")?,
        volume_mode: text(document, "spec.volumeMode")?,
        volume_name: filled(text(document, "spec.volumeName")?),
        request: quantity(document, "spec.resources.requests.storage")?,
        capacity: quantity(document, "status.capacity.storage")?,
    })
}

fn volume(meta: Meta, document: &Json<'_>) -> Result<Volume, WrongType> {
    let claim_ref = match document.at("spec.claimRef")? {
        None => None,
        Some(_) => Some((
            text(document, "spec.claimRef.namespace")?.unwrap_or_default(),
            text(document, "spec.claimRef.name")?.unwrap_or_default(),
        )),
    };
    Ok(Volume { meta, claim_ref, csi_driver: text(document, "spec.csi.driver")? })
}

fn storage_class(meta: Meta, document: &Json<'_>) -> Result<StorageClass, WrongType> {
    Ok(StorageClass {
        meta,
        provisioner: text(document, "provisioner")?.unwrap_or_default(),
        parameters: owned(document.string_map("parameters")?),
        allow_volume_expansion: document.boolean("allowVolumeExpansion")?.unwrap_or_default(),
        waits_for_first_consumer: document.string("volumeBindingMode")? == Some("WaitForFirstConsumer"),
    })
}

fn storage_profile(meta: Meta, document: &Json<'_>) -> Result<StorageProfile, WrongType> {
    let claim_property_sets = document
        .list("status.claimPropertySets")?
        .iter()
        .map(|set| {
            Ok(ClaimPropertySet { access_modes: set.strings("accessModes")?, volume_mode: text(set, "volumeMode")? })
        })
        .collect::<Result<_, WrongType>>()
        .map_err(|error| error.under("status.claimPropertySets[]"))?;
    Ok(StorageProfile {
        meta,
        claim_property_sets,
        clone_strategy: text(document, "status.cloneStrategy")?,
        snapshot_class: text(document, "status.snapshotClass")?,
    })
}

fn data_volume(meta: Meta, document: &Json<'_>) -> Result<ExistingDataVolume, WrongType> {
    let storage_class_name = match text(document, "spec.storage.storageClassName")? {
        Some(name) => Some(name),
        None => text(document, "spec.pvc.storageClassName")?,
    };
    let mut running_failed = false;
    for condition in document.list("status.conditions")? {
        if condition.string("type")? == Some("Running") {
            running_failed =
                condition.string("status")? == Some("False") && condition.string("reason")? == Some("Error");
        }
    }
    Ok(ExistingDataVolume {
        meta,
        source: recorded_source(document),
        storage_class_name,
        phase: text(document, "status.phase")?,
        restart_count: document.integer("status.restartCount")?.unwrap_or_default(),
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
            const CHART_KEYS: [&str; 3] = ["certConfigMap", "secretExtraHeaders", "url"];
            let mut result = Vec::new();
            for (key, value) in fields {
                let text = match value {
                    Json::String(text) => text.as_ref().to_owned(),
                    Json::Array(_) => value.strings_here().unwrap_or_default().join("\n"),
                    Json::Null => continue,
                    Json::Bool(_) | Json::Integer(_) | Json::Float(_) | Json::Object(_) => {
                        return RecordedSource::Other;
                    }
                };
                if !CHART_KEYS.contains(&key.as_ref()) {
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
    let field = |key: &str| text(reference, key).map_err(|error| error.under(path));
    match reference {
        Json::Object(_) => Ok(Some(ObjectRef {
            namespace: field("namespace")?.unwrap_or_default(),
            name: field("name")?.unwrap_or_default(),
        })),
        other => Err(WrongType::new(path, "an object", other)),
    }
}

fn cdi(meta: Meta, document: &Json<'_>) -> Result<Cdi, WrongType> {
    Ok(Cdi {
        meta,
        clone_strategy_override: text(document, "spec.cloneStrategyOverride")?,
        observed_version: text(document, "status.observedVersion")?,
    })
}

fn cdi_config(meta: Meta, document: &Json<'_>) -> Result<CdiConfig, WrongType> {
    let filesystem_overhead = match document.at("status.filesystemOverhead")? {
        None => None,
        Some(_) => Some(FilesystemOverhead {
            global: text(document, "status.filesystemOverhead.global")?,
            storage_class: owned(document.string_map("status.filesystemOverhead.storageClass")?),
        }),
    };
    Ok(CdiConfig {
        meta,
        feature_gates: document.strings("spec.featureGates")?,
        webhook_pvc_rendering: text(document, "spec.webhookPvcRendering")?,
        filesystem_overhead,
    })
}

fn volume_snapshot(meta: Meta, document: &Json<'_>) -> Result<VolumeSnapshot, WrongType> {
    let status = match document.at("status")? {
        None => None,
        Some(_) => Some(VolumeSnapshotStatus {
            bound_volume_snapshot_content_name: text(document, "status.boundVolumeSnapshotContentName")?,
            has_error: document.at("status.error")?.is_some(),
            restore_size: quantity(document, "status.restoreSize")?,
        }),
    };
    Ok(VolumeSnapshot {
        meta,
        volume_snapshot_class_name: text(document, "spec.volumeSnapshotClassName")?,
        persistent_volume_claim_name: text(document, "spec.source.persistentVolumeClaimName")?,
        status,
    })
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
