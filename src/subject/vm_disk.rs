//! A VMDisk in effect: what the Cozystack chart makes of it
//! (`cozystack/cozystack`, `packages/apps/vm-disk/templates/dv.yaml`).

use super::parse::quantity;
use super::{ClaimSource, DataVolume, Source, SpecForm, TargetSpec};
use crate::json::{Json, WrongType, sorted};
use crate::quantity::Quantity;
use crate::settings::VmDiskSettings;

/// Annotation that asks CDI to bind a claim at once, whatever its class says. Only its presence counts.
pub const IMMEDIATE_BINDING: &str = "cdi.kubevirt.io/storage.bind.immediate.requested";

/// How many source keys are told apart; more than one is refused anyway.
const MAX_SOURCES: usize = 8;

/// `spec.source` of a VMDisk in effect: keys whose value is null do not count.
#[derive(Debug, Clone)]
pub enum VmDiskSource<'r, 'a> {
    /// No source: an empty disk.
    Blank,
    /// One source: its key and its body.
    One(&'r str, &'r Json<'a>),
    /// More than one: their keys.
    Several(Vec<&'r str>),
}

impl<'r, 'a> VmDiskSource<'r, 'a> {
    /// Reads `spec.source`.
    ///
    /// # Errors
    /// It is not an object.
    pub fn parse(object: &'r Json<'a>) -> Result<Self, WrongType> {
        match object.at("spec.source")? {
            None => Ok(Self::Blank),
            Some(source @ Json::Object(_)) => Ok(Self::of(source)),
            Some(other) => Err(WrongType::new("spec.source", "an object", other)),
        }
    }

    /// The source that an object with source keys stands for. Anything but an object is no source.
    #[must_use]
    pub fn of(source: &'r Json<'a>) -> Self {
        let Json::Object(entries) = source else {
            return Self::Blank;
        };
        let mut given: Vec<(&'r str, &'r Json<'a>)> = Vec::new();
        for (key, value) in entries {
            // The last of two equal keys counts, as in Go.
            given.retain(|(known, _)| known != key);
            if *value != Json::Null {
                given.push((key, value));
            }
            if given.len() > MAX_SOURCES {
                break;
            }
        }
        match given.as_slice() {
            [] => Self::Blank,
            [(key, body)] => Self::One(key, body),
            several => {
                // Whoever wrote them in whatever order, the answer is the same.
                Self::Several(sorted(several.iter().map(|(key, _)| *key).collect(), &|a, b| a < b))
            }
        }
    }

    /// The string `name` of the body of `image`, `disk` or `pvc`.
    ///
    /// # Errors
    /// The body is not an object, or the name is not a string.
    pub fn name_in(key: &str, body: &'r Json<'a>) -> Result<&'r str, WrongType> {
        match body {
            Json::Object(_) => {
                Ok(body.string("name").map_err(|error| error.under(&format!("spec.source.{key}")))?.unwrap_or_default())
            }
            other => Err(WrongType::new(&format!("spec.source.{key}"), "an object", other)),
        }
    }
}

/// `spec.storageClass` in effect: absent and null mean the chart's default, empty means the cluster's.
///
/// # Errors
/// It is not a string.
pub fn storage_class<'r>(object: &'r Json<'_>, settings: &'r VmDiskSettings) -> Result<&'r str, WrongType> {
    Ok(object.string("spec.storageClass")?.unwrap_or(&settings.default_storage_class))
}

/// `spec.storage` in effect.
///
/// # Errors
/// It is not a quantity.
pub fn storage(object: &Json<'_>, settings: &VmDiskSettings) -> Result<Option<Quantity>, WrongType> {
    match quantity(object, "spec.storage")? {
        Some(quantity) => Ok(Some(quantity)),
        // The settings were checked when they were read.
        None => Ok(Quantity::parse(&settings.default_storage).ok()),
    }
}

/// A VMDisk as the DataVolume that the chart renders for it.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The DataVolume.
    pub data_volume: DataVolume,
    /// The source key, where the policy does not know it.
    pub unknown_source: Option<String>,
}

/// Renders a VMDisk of that namespace and name, with a source that is not several.
///
/// # Errors
/// A field that a rule needs has the wrong type.
pub fn render(
    object: &Json<'_>,
    namespace: &str,
    name: &str,
    source: &VmDiskSource<'_, '_>,
    settings: &VmDiskSettings,
) -> Result<Rendered, WrongType> {
    let mut unknown_source = None;
    let claim = |namespace: &str, prefix: &str, key: &str, body| -> Result<Source, WrongType> {
        let name = VmDiskSource::name_in(key, body)?;
        Ok(Source::Claim(ClaimSource { namespace: namespace.to_owned(), name: format!("{prefix}{name}") }))
    };
    let source = match source {
        VmDiskSource::Blank => Source::Blank,
        VmDiskSource::One("image", body) => claim(&settings.image_namespace, &settings.image_prefix, "image", body)?,
        VmDiskSource::One("disk", body) => claim(namespace, &settings.release_prefix, "disk", body)?,
        VmDiskSource::One("pvc", body) => claim(namespace, "", "pvc", body)?,
        VmDiskSource::One("http", _) => Source::Import,
        VmDiskSource::One("upload", _) => Source::Upload,
        VmDiskSource::One(key, _) => {
            unknown_source = Some((*key).to_owned());
            Source::None
        }
        VmDiskSource::Several(_) => Source::None,
    };
    let class = storage_class(object, settings)?;
    let mut annotations = Vec::new();
    if object.boolean("spec.bindImmediately")? != Some(false) {
        annotations.push((IMMEDIATE_BINDING.to_owned(), "true".to_owned()));
    }
    Ok(Rendered {
        data_volume: DataVolume {
            namespace: namespace.to_owned(),
            name: release_name(name, settings),
            annotations,
            source,
            target: Some(TargetSpec {
                form: SpecForm::Storage,
                storage_class_name: (!class.is_empty()).then(|| class.to_owned()),
                access_modes: Vec::new(),
                volume_mode: None,
                request: storage(object, settings)?,
            }),
            ..DataVolume::default()
        },
        unknown_source,
    })
}

/// The name of the DataVolume and the claim of a VMDisk; empty where the VMDisk has no name yet.
#[must_use]
pub fn release_name(name: &str, settings: &VmDiskSettings) -> String {
    if name.is_empty() { String::new() } else { format!("{}{name}", settings.release_prefix) }
}

/// A source as a message names it: by its kind and its image, disk or claim name. A URL is never printed, as it may
/// carry a signature.
#[must_use]
pub fn describe(source: &VmDiskSource<'_, '_>) -> String {
    match source {
        VmDiskSource::Blank => "no source".to_owned(),
        VmDiskSource::One(key @ ("image" | "disk" | "pvc"), body) => match VmDiskSource::name_in(key, body) {
            Ok(name) => format!("{key} {name}"),
            Err(_) => (*key).to_owned(),
        },
        VmDiskSource::One(key, _) => (*key).to_owned(),
        VmDiskSource::Several(keys) => keys.join(" and "),
    }
}

/// Whether two sources are the same in effect.
#[must_use]
pub fn same_source(a: &VmDiskSource<'_, '_>, b: &VmDiskSource<'_, '_>) -> bool {
    match (a, b) {
        (VmDiskSource::Blank, VmDiskSource::Blank) => true,
        (VmDiskSource::One(a_key, a), VmDiskSource::One(b_key, b)) => a_key == b_key && a.same_as(b),
        _ => false,
    }
}
