//! Edits that have no effect.

use super::{Named, Words};
use crate::quantity::Quantity;
use crate::text::{name, printable};

/// A field of a VMDisk that an edit changes, or that differs from what the existing disk was created with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The VMDisk.
    pub disk: Named,
    /// What it says, or was created with.
    pub from: String,
    /// What the request says.
    pub to: String,
    /// With a CREATE over an existing disk: its DataVolume.
    pub existing: Option<Named>,
}

pub(super) struct ClassChange<'c>(pub(super) &'c Change);
pub(super) struct SourceChange<'c>(pub(super) &'c Change);

/// A class as a message names it.
pub(crate) fn class(class: &str, limit: usize) -> String {
    if class.is_empty() { "the cluster's default".to_owned() } else { format!("\"{}\"", printable(class, limit)) }
}

impl Words for ClassChange<'_> {
    fn short(&self, limit: usize) -> String {
        let Change { disk, from, to, .. } = self.0;
        format!(
            "storageClass of {} is {} and cannot be changed after creation; {} has no effect",
            disk.short(limit),
            class(from, limit),
            class(to, limit)
        )
    }

    fn long(&self) -> String {
        let Change { disk, from, to, existing } = self.0;
        let (from, to) = (class(from, 253), class(to, 253));
        match existing {
            None => format!(
                "spec.storageClass of {} cannot be changed after creation: it is {from}, and the request says {to}. \
                 The volume exists and stays in its class, so the edit would have no effect. Set spec.storageClass \
                 back to {from}; for a disk in another class, create a new VMDisk.",
                disk.long()
            ),
            Some(existing) => format!(
                "{} asks for StorageClass {to}, but its {} exists already and was created with {from}. The class of \
                 a disk cannot be changed after creation, so the request would have no effect. Set \
                 spec.storageClass to {from}, or create the VMDisk under another name.",
                disk.long(),
                existing.long()
            ),
        }
    }
}

impl Words for SourceChange<'_> {
    fn short(&self, limit: usize) -> String {
        let Change { disk, from, to, .. } = self.0;
        format!(
            "source of {} is {} and cannot be changed after creation; {} has no effect",
            disk.short(limit),
            printable(from, limit),
            printable(to, limit)
        )
    }

    fn long(&self) -> String {
        let Change { disk, from, to, existing } = self.0;
        let (from, to) = (name(from), name(to));
        match existing {
            None => format!(
                "spec.source of {} cannot be changed after creation: it is {from}, and the request says {to}{}. \
                 The data was written when the disk was created, so the edit would have no effect. Undo the change \
                 of spec.source; for a disk with other data, create a new VMDisk.",
                disk.long(),
                if from == to { " with other values" } else { "" }
            ),
            Some(existing) => format!(
                "{} asks for {to}{}, but its {} exists already and was created from {from}. The source of a disk \
                 cannot be changed after creation, so the request would have no effect. Set spec.source to what the \
                 disk was created from, or create the VMDisk under another name.",
                disk.long(),
                if from == to { " with other values" } else { "" },
                existing.long()
            ),
        }
    }
}

/// An edit that brings a drifted VMDisk back to what its DataVolume says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Healed {
    /// The VMDisk.
    pub disk: Named,
    /// Its DataVolume.
    pub existing: Named,
    /// The fields that were brought back, each with its value as a message names it.
    pub fields: Vec<(&'static str, String)>,
}

impl Words for Healed {
    fn short(&self, limit: usize) -> String {
        let fields: Vec<_> =
            self.fields.iter().map(|(field, value)| format!("{field} ({})", printable(value, limit))).collect();
        format!(
            "{} of {} now says what DataVolume {} was created with; the volume stays as it is",
            fields.join(" and "),
            self.disk.short(limit),
            printable(&self.existing.name, limit)
        )
    }

    fn long(&self) -> String {
        self.short(253)
    }
}

/// A DataVolume whose spec was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecChanged {
    /// The DataVolume.
    pub data_volume: Named,
    /// The paths that differ.
    pub paths: Vec<String>,
}

/// How many changed paths a refusal names.
const MAX_PATHS: usize = 8;

impl SpecChanged {
    fn paths(&self, most: usize, limit: usize) -> String {
        let mut text = self.paths.iter().take(most).map(|path| printable(path, limit)).collect::<Vec<_>>().join(", ");
        if let Some(more) = self.paths.len().checked_sub(most).filter(|more| *more > 0) {
            text.push_str(&format!(" and {more} more"));
        }
        text
    }
}

impl Words for SpecChanged {
    fn short(&self, limit: usize) -> String {
        format!(
            "{} of DataVolume {} cannot be changed after creation; CDI ignores the edit",
            self.paths(1, limit),
            self.data_volume.short(limit)
        )
    }

    fn long(&self) -> String {
        format!(
            "The spec of {} cannot be changed after creation; this request changes {}. CDI reads the spec once, when \
             it fills the disk, so the edit would have no effect. Undo the change, or create a new DataVolume; to \
             make the disk larger, raise spec.resources.requests.storage of PersistentVolumeClaim {}.",
            self.data_volume.long(),
            self.paths(MAX_PATHS, 200),
            self.data_volume.short(253)
        )
    }
}

/// A VMDisk with more than one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MultipleSources {
    /// The VMDisk.
    pub disk: Named,
    /// The keys of its sources.
    pub keys: Vec<String>,
}

impl Words for MultipleSources {
    fn short(&self, limit: usize) -> String {
        let keys: Vec<_> = self.keys.iter().take(3).map(|key| printable(key, limit)).collect();
        format!("{} has more than one source ({}); keep one", self.disk.short(limit), keys.join(", "))
    }

    fn long(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(|key| printable(key, 63)).collect();
        format!(
            "{} has more than one source: {}. A disk is filled from one source only, so it would never be created. \
             Keep one of them below spec.source and remove the others.",
            self.disk.long(),
            keys.join(", ")
        )
    }
}

/// A VMDisk that asks for less storage than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The VMDisk.
    pub disk: Named,
    /// What it asked for.
    pub from: Quantity,
    /// What it asks for now.
    pub to: Quantity,
}

impl Words for Shrunk {
    fn short(&self, limit: usize) -> String {
        format!(
            "storage of {} goes from {} to {}, but volumes never shrink: the disk keeps its size",
            self.disk.short(limit),
            printable(self.from.text(), 40),
            printable(self.to.text(), 40)
        )
    }

    fn long(&self) -> String {
        format!(
            "spec.storage of {} goes from {} to {}, but a volume never shrinks, so the disk would keep its size. Set \
             spec.storage back to {}; for a smaller disk, create a new VMDisk.",
            self.disk.long(),
            printable(self.from.text(), 40),
            printable(self.to.text(), 40),
            printable(self.from.text(), 40)
        )
    }
}
