//! Clones that can never work.

use super::{Named, Words};
use crate::clone::{Origin, Strategy};
use crate::text::{name, printable};

/// The class of the new disk, and how it came to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetClass {
    /// Its name.
    pub name: String,
    /// Where the request leaves the class out: the annotation that made this class the default.
    pub default_by: Option<&'static str>,
}

impl TargetClass {
    fn long(&self) -> String {
        match self.default_by {
            None => format!("StorageClass \"{}\"", name(&self.name)),
            Some(annotation) => {
                format!("StorageClass \"{}\" (the default, by annotation {annotation})", name(&self.name))
            }
        }
    }
}

/// Where a strategy came from, in words.
pub(super) fn origin(origin: Origin, cdi_name: &str, profile: &str) -> String {
    match origin {
        Origin::Override => format!("set by cloneStrategyOverride of CDI \"{}\"", name(cdi_name)),
        Origin::Profile => format!("set by StorageProfile \"{}\"", name(profile)),
        Origin::Default => "CDI's default".to_owned(),
        Origin::CloneTypeAnnotation => "set by annotation cdi.kubevirt.io/cloneType".to_owned(),
        Origin::UsePopulatorAnnotation => "set by annotation cdi.kubevirt.io/storage.usePopulator".to_owned(),
        Origin::NoCsiDriver => "there is no CSIDriver of the class's provisioner".to_owned(),
        Origin::SnapshotSource => "CDI's choice for a snapshot".to_owned(),
    }
}

/// What an administrator can do so that CDI copies instead.
fn copy_instead(from: Origin, cdi_name: &str) -> String {
    let first =
        if from == Origin::CloneTypeAnnotation { "remove the annotation cdi.kubevirt.io/cloneType and " } else { "" };
    format!("{first}ask the platform administrator to set cloneStrategyOverride: copy in CDI \"{}\"", name(cdi_name))
}

/// A clone within LINSTOR into a class whose volumes not every node may attach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteAccess {
    /// The claim or snapshot that is cloned.
    pub source: Named,
    /// The class of the source.
    pub source_class: String,
    /// The class of the new disk.
    pub target: TargetClass,
    /// The driver of both.
    pub driver: String,
    /// How CDI clones.
    pub strategy: Strategy,
    /// Where the strategy came from.
    pub origin: Origin,
    /// The name of the CDI resource.
    pub cdi_name: String,
    /// The parameter of the target class that decided.
    pub parameter: Option<(String, String)>,
}

impl RemoteAccess {
    fn parameter(&self, limit: usize) -> String {
        match &self.parameter {
            // The class says nothing: linstor-csi's own default then allows it, so this is not reached.
            None => "no parameter allows it".to_owned(),
            Some((key, value)) => {
                format!("{}: \"{}\"", printable(key, limit), printable(value, limit))
            }
        }
    }
}

impl Words for RemoteAccess {
    fn short(&self, limit: usize) -> String {
        let parameter = match &self.parameter {
            None => String::new(),
            Some((key, value)) => {
                let key = key.rsplit_once('/').map_or(key.as_str(), |(_, key)| key);
                format!(" ({}: \"{}\")", printable(key, limit), printable(value, limit.min(30)))
            }
        };
        format!(
            "clone of {} into \"{}\" will not bind: no remote volume access{parameter}. Use StorageClass \"{}\"",
            self.source.short(limit),
            printable(&self.target.name, limit),
            printable(&self.source_class, limit)
        )
    }

    fn long(&self) -> String {
        format!(
            "{} of StorageClass \"{source_class}\" cannot be cloned into {}. CDI leaves the clone to driver {} \
             (strategy {}, {}), which makes the new volume where the source's replicas are; but {target_class} has \
             no remote volume access ({}), so no other node can attach it, and the disk would stay Pending for \
             ever. Use StorageClass \"{source_class}\" for this disk, or {}.",
            self.source.long(),
            self.target.long(),
            name(&self.driver),
            self.strategy.as_str(),
            origin(self.origin, &self.cdi_name, &self.target.name),
            self.parameter(100),
            copy_instead(self.origin, &self.cdi_name),
            source_class = name(&self.source_class),
            target_class = format_args!("StorageClass \"{}\"", name(&self.target.name)),
        )
    }
}

/// A class with two spellings of the parameter that decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmbiguousParameter {
    /// The class.
    pub class: String,
    /// The parameter as it is spelt once.
    pub key: String,
}

impl Words for AmbiguousParameter {
    fn short(&self, limit: usize) -> String {
        format!(
            "StorageClass \"{}\" spells {} in two ways and LINSTOR takes either: nothing was checked. Keep one",
            printable(&self.class, limit),
            printable(&self.key, limit)
        )
    }

    fn long(&self) -> String {
        self.short(253)
    }
}

/// A VolumeSnapshotClass that CDI cannot plan with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotClass {
    /// The claim or snapshot that is cloned.
    pub source: Named,
    /// The class of the new disk.
    pub target: TargetClass,
    /// The VolumeSnapshotClass that is named and does not exist; `None` where none is named and none fits.
    pub missing: Option<String>,
    /// The StorageProfiles that name it, source first.
    pub named_by: Vec<String>,
    /// The driver.
    pub driver: Option<String>,
    /// Where the strategy came from.
    pub origin: Origin,
    /// The name of the CDI resource.
    pub cdi_name: String,
}

impl SnapshotClass {
    fn profiles(&self, limit: usize) -> String {
        let quoted = |profile: &String| format!("\"{}\"", printable(profile, limit));
        match self.named_by.as_slice() {
            [] => "the snapshot".to_owned(),
            [only] => format!("StorageProfile {}", quoted(only)),
            several => format!("StorageProfiles {}", several.iter().map(quoted).collect::<Vec<_>>().join(" and ")),
        }
    }
}

impl Words for SnapshotClass {
    fn short(&self, limit: usize) -> String {
        let source = self.source.short(limit);
        let target = printable(&self.target.name, limit);
        match &self.missing {
            Some(class) => format!(
                "clone of {source} into \"{target}\" fails: {} {} VolumeSnapshotClass \"{}\", which does not \
                 exist. Create it",
                self.profiles(limit),
                if self.named_by.len() > 1 { "name" } else { "names" },
                printable(class, limit)
            ),
            None => format!(
                "clone of {source} into \"{target}\" fails: no VolumeSnapshotClass serves the class. Create one of \
                 its driver"
            ),
        }
    }

    fn long(&self) -> String {
        let driver = self.driver.as_ref().map_or_else(String::new, |driver| format!(" of driver {}", name(driver)));
        let strategy = format!("strategy snapshot, {}", origin(self.origin, &self.cdi_name, &self.target.name));
        let source = self.source.long();
        let target = self.target.long();
        let copy = copy_instead(self.origin, &self.cdi_name);
        match &self.missing {
            Some(class) => {
                let class = name(class);
                let names = if self.named_by.len() > 1 { "name" } else { "names" };
                format!(
                    "{source} cannot be cloned into {target}: {} {names} VolumeSnapshotClass \"{class}\", which \
                     does not exist. CDI would clone by snapshot ({strategy}) and fail planning again and again \
                     instead of copying, and the disk would stay Pending for ever. Ask the platform administrator \
                     to create VolumeSnapshotClass \"{class}\"{driver} or to name an existing one in snapshotClass \
                     of {}; or {copy}.",
                    self.profiles(253),
                    self.profiles(253)
                )
            }
            None => format!(
                "{source} cannot be cloned into {target}: no VolumeSnapshotClass{driver} serves the class. CDI \
                 would clone by snapshot ({strategy}) and fail planning again and again, and the disk would stay \
                 Pending for ever. Ask the platform administrator to create a VolumeSnapshotClass{driver}; or {copy}."
            ),
        }
    }
}
