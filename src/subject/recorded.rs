//! What an existing DataVolume says of the VMDisk that it was made for.
//!
//! The chart records class and source in annotations when it creates the DataVolume. Disks from before that, and
//! adopted ones, have none: for them only what the chart itself could have rendered is compared, and the rest is
//! left alone, so that no such disk is refused for what nobody recorded.

use super::vm_disk::{VmDiskSource, describe, same_source};
use crate::cluster::{ExistingDataVolume, RecordedSource};
use crate::json::Json;
use crate::settings::VmDiskSettings;

/// Annotation with the class that the disk was created with; an empty value is a record too.
pub const RECORDED_CLASS: &str = "vm-disk.cozystack.io/storage-class";
/// Annotation with the source that the disk was created with, as JSON.
pub const RECORDED_SOURCE: &str = "vm-disk.cozystack.io/source";

/// Prefix of the claims of golden images in older releases of the chart.
const LEGACY_IMAGE_PREFIX: &str = "vm-image-";

/// How a VMDisk compares with what its DataVolume records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// Equal, or nothing was recorded that could be compared.
    NoDifference,
    /// Another value was recorded: as a message names it.
    Differs(String),
}

/// Compares the effective class of a VMDisk: only with the annotation.
#[must_use]
pub fn compare_class(class: &str, existing: &ExistingDataVolume) -> Comparison {
    match existing.meta.annotation(RECORDED_CLASS) {
        Some(recorded) if recorded != class => Comparison::Differs(recorded.to_owned()),
        _ => Comparison::NoDifference,
    }
}

/// Compares the source of a VMDisk in `namespace`: with the annotation, else with a `spec.source` that has a shape
/// the chart makes.
#[must_use]
pub fn compare_source(
    source: &VmDiskSource<'_, '_>,
    namespace: &str,
    existing: &ExistingDataVolume,
    settings: &VmDiskSettings,
) -> Comparison {
    match annotated(existing) {
        Annotated::Source(recorded) => {
            let recorded = VmDiskSource::of(&recorded);
            return if same_source(source, &recorded) {
                Comparison::NoDifference
            } else {
                Comparison::Differs(describe(&recorded))
            };
        }
        Annotated::Unreadable => return Comparison::NoDifference,
        Annotated::Not => {}
    }
    let recorded = Chart::of(&existing.source, namespace, settings);
    let same = match (&recorded, source) {
        (Chart::Unknown, _) | (Chart::Image(_), VmDiskSource::One("image", _)) => true,
        (Chart::Image(_), _) => false,
        // A newer chart may render an unknown key as anything.
        (_, VmDiskSource::One(key, _)) if !KNOWN_KEYS.contains(key) => true,
        (recorded, source) => recorded.is(source, settings),
    };
    if same { Comparison::NoDifference } else { Comparison::Differs(recorded.describe(settings)) }
}

/// Whether an edit to `class` says what the DataVolume says: the annotation, else its own class.
#[must_use]
pub fn heals_class(class: &str, existing: &ExistingDataVolume) -> bool {
    let recorded = existing.meta.annotation(RECORDED_CLASS);
    recorded.or(existing.storage_class_name.as_deref()).unwrap_or_default() == class
}

/// Whether an edit to `source` says what the DataVolume says: the annotation, else its own source. An image then
/// equals exactly its claim under the present or the older prefix.
#[must_use]
pub fn heals_source(
    source: &VmDiskSource<'_, '_>,
    namespace: &str,
    existing: &ExistingDataVolume,
    settings: &VmDiskSettings,
) -> bool {
    match annotated(existing) {
        Annotated::Source(recorded) => same_source(source, &VmDiskSource::of(&recorded)),
        Annotated::Unreadable => false,
        Annotated::Not => Chart::of(&existing.source, namespace, settings).is(source, settings),
    }
}

/// What the annotation [`RECORDED_SOURCE`] says.
enum Annotated<'e> {
    /// The disk has none.
    Not,
    /// Nothing that anybody can have meant.
    Unreadable,
    /// The source, as `spec.source` of a VMDisk.
    Source(Json<'e>),
}

fn annotated(existing: &ExistingDataVolume) -> Annotated<'_> {
    match existing.meta.annotation(RECORDED_SOURCE).map(|text| Json::parse(text.as_bytes())) {
        None => Annotated::Not,
        Some(Ok(source @ (Json::Object(_) | Json::Null))) => Annotated::Source(source),
        Some(Ok(_) | Err(_)) => Annotated::Unreadable,
    }
}

const KNOWN_KEYS: [&str; 5] = ["image", "http", "upload", "disk", "pvc"];

/// A DataVolume's source as the chart made it.
enum Chart<'e> {
    Blank,
    Upload,
    Http(&'e [(String, String)]),
    /// A claim in the image namespace.
    Image(&'e str),
    /// A claim of a disk in the disk's own namespace.
    Disk(&'e str),
    /// Nothing that the chart makes.
    Unknown,
}

impl<'e> Chart<'e> {
    fn of(source: &'e RecordedSource, own_namespace: &str, settings: &VmDiskSettings) -> Self {
        match source {
            RecordedSource::Blank => Self::Blank,
            RecordedSource::Upload => Self::Upload,
            RecordedSource::Http(fields) => Self::Http(fields),
            RecordedSource::Claim { namespace, name } => {
                let namespace = if namespace.is_empty() { own_namespace } else { namespace };
                if namespace == own_namespace && name.starts_with(settings.release_prefix.as_ref()) {
                    Self::Disk(name)
                } else if namespace == settings.image_namespace {
                    Self::Image(name)
                } else {
                    Self::Unknown
                }
            }
            RecordedSource::Other => Self::Unknown,
        }
    }

    /// Whether the chart makes this of `source`.
    fn is(&self, source: &VmDiskSource<'_, '_>, settings: &VmDiskSettings) -> bool {
        let named = |key: &str, prefixes: &[&str], claim: &str| match source {
            VmDiskSource::One(k, body) if *k == key => VmDiskSource::name_in(k, body)
                .is_ok_and(|name| prefixes.iter().any(|prefix| claim.strip_prefix(prefix) == Some(name))),
            _ => false,
        };
        match self {
            Self::Blank => matches!(source, VmDiskSource::Blank),
            Self::Upload => matches!(source, VmDiskSource::One("upload", _)),
            Self::Http(fields) => match source {
                VmDiskSource::One("http", body) => http_fields(body).as_deref() == Some(fields),
                _ => false,
            },
            Self::Image(claim) => named("image", &[&settings.image_prefix, LEGACY_IMAGE_PREFIX], claim),
            Self::Disk(claim) => named("disk", &[&settings.release_prefix], claim) || named("pvc", &[""], claim),
            Self::Unknown => false,
        }
    }

    fn describe(&self, settings: &VmDiskSettings) -> String {
        let short = |prefixes: &[&str], claim: &str| {
            prefixes.iter().find_map(|prefix| claim.strip_prefix(prefix)).unwrap_or(claim).to_owned()
        };
        match self {
            Self::Blank => "no source".to_owned(),
            Self::Upload => "upload".to_owned(),
            Self::Http(_) => "http".to_owned(),
            Self::Image(claim) => format!("image {}", short(&[&settings.image_prefix, LEGACY_IMAGE_PREFIX], claim)),
            Self::Disk(claim) => format!("disk {}", short(&[&settings.release_prefix], claim)),
            Self::Unknown => "another source".to_owned(),
        }
    }
}

/// The fields of a VMDisk's `http` that the chart renders, in the form of [`RecordedSource::Http`].
fn http_fields(body: &Json<'_>) -> Option<Vec<(String, String)>> {
    let mut result = Vec::new();
    for key in RecordedSource::HTTP_KEYS {
        match body.key(key) {
            None => {}
            Some(Json::String(text)) => result.push((key.to_owned(), text.as_ref().to_owned())),
            Some(list @ Json::Array(_)) => {
                result.push((key.to_owned(), list.strings_here()?.join("\n")));
            }
            Some(_) => return None,
        }
    }
    Some(result)
}
