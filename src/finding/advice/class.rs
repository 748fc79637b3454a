//! The class of the new disk: missing, left out, incomplete, or binding late.

use crate::finding::{Named, Reason, Words};
use crate::text::{name, printable};

/// A class that does not exist.
pub(in crate::finding) struct MissingClass<'c>(pub(in crate::finding) &'c str);

impl Words for MissingClass<'_> {
    fn short(&self, limit: usize) -> String {
        if self.0.is_empty() {
            return "storageClassName \"\" names no class: the disk stays Pending. Leave it out for the default class"
                .to_owned();
        }
        format!("StorageClass \"{}\" does not exist: the disk stays Pending. Check the name", printable(self.0, limit))
    }

    fn long(&self) -> String {
        if self.0.is_empty() {
            return "storageClassName \"\" names no class, so the disk would stay Pending. Leave storageClassName \
                    out for the cluster's default class, or name one."
                .to_owned();
        }
        format!(
            "StorageClass \"{}\" does not exist, so the disk would stay Pending. Check the name of the class.",
            name(self.0)
        )
    }
}

/// A StorageProfile that has no access modes although they are left to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoClaimProperties {
    /// The StorageProfile, named as its class.
    pub class: String,
    /// Whether it exists.
    pub exists: bool,
}

impl Words for NoClaimProperties {
    fn short(&self, limit: usize) -> String {
        let class = printable(&self.class, limit);
        if self.exists {
            format!(
                "StorageProfile \"{class}\" has no access modes, so CDI creates no volume. Set accessModes, or ask \
                 for claimPropertySets"
            )
        } else {
            format!(
                "StorageProfile \"{class}\" does not exist, so CDI creates no volume. Set accessModes and volumeMode"
            )
        }
    }

    fn long(&self) -> String {
        let class = name(&self.class);
        let what = if self.exists { "has no access modes" } else { "does not exist" };
        format!(
            "The DataVolume leaves accessModes to StorageProfile \"{class}\", which {what}: CDI would create no \
             volume. Set accessModes and volumeMode in the DataVolume, choose another class, or ask the platform \
             administrator to set claimPropertySets in StorageProfile \"{class}\"."
        )
    }
}

/// A class that is left to the cluster, which has several defaults or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultClass {
    /// The annotation that decides; with no default, the one that was looked for last.
    pub annotation: &'static str,
    /// The classes that carry it, CDI's pick first.
    pub candidates: Vec<String>,
}

impl DefaultClass {
    pub(in crate::finding) fn reason(&self) -> Reason {
        if self.candidates.is_empty() { Reason::NoDefaultClass } else { Reason::AmbiguousDefaultClass }
    }
}

impl Words for DefaultClass {
    fn short(&self, limit: usize) -> String {
        let Some(pick) = self.candidates.first() else {
            return "no class is named and none is the default: the disk stays Pending. Name a StorageClass".to_owned();
        };
        let others = self.candidates.len() - 1;
        format!(
            "no class is named and {} are the default: CDI takes the newest, \"{}\" (over {}{}). Name the class",
            self.candidates.len(),
            printable(pick, limit),
            self.candidates.get(1).map_or_else(String::new, |other| format!("\"{}\"", printable(other, limit))),
            if others > 1 { ", …" } else { "" }
        )
    }

    fn long(&self) -> String {
        let Some(pick) = self.candidates.first() else {
            return format!(
                "The request names no StorageClass, and no class is the default (annotation {}: \"true\"), so the \
                 disk would stay Pending. Name a StorageClass.",
                self.annotation
            );
        };
        let all: Vec<_> = self.candidates.iter().take(8).map(|class| format!("\"{}\"", name(class))).collect();
        format!(
            "The request names no StorageClass, and {} classes are the default (annotation {}: \"true\"): {}. CDI \
             would take the newest, \"{}\". Name the StorageClass.",
            self.candidates.len(),
            self.annotation,
            all.join(", "),
            name(pick)
        )
    }
}

/// A disk on a class that binds on first consumer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindsLater {
    /// The new DataVolume.
    pub disk: Named,
    /// The class.
    pub class: String,
    /// Whether the disk is a VMDisk, which has `bindImmediately`.
    pub is_vm_disk: bool,
}

pub(in crate::finding) struct Waits<'c>(pub(in crate::finding) &'c BindsLater);
pub(in crate::finding) struct Bound<'c>(pub(in crate::finding) &'c BindsLater);

impl Words for Waits<'_> {
    fn short(&self, limit: usize) -> String {
        format!(
            "{} stays empty until a pod uses it: StorageClass \"{}\" binds on first consumer. Normal if a VM starts \
             with it",
            self.0.disk.short(limit),
            printable(&self.0.class, limit)
        )
    }

    fn long(&self) -> String {
        format!(
            "{} would stay empty until a pod uses it, because StorageClass \"{}\" binds on first consumer. Start a \
             VM with it, or set the annotation cdi.kubevirt.io/storage.bind.immediate.requested to fill it at once.",
            self.0.disk.long(),
            name(&self.0.class)
        )
    }
}

impl Bound<'_> {
    fn remedy(&self) -> &'static str {
        if self.0.is_vm_disk {
            "Set bindImmediately: false"
        } else {
            "Drop annotation storage.bind.immediate.requested (VMDisk: bindImmediately: false)"
        }
    }
}

impl Words for Bound<'_> {
    fn short(&self, limit: usize) -> String {
        format!(
            "{} is bound at once, to the node where CDI's pod runs: \"{}\" has no remote access, VMs elsewhere \
             cannot use it. {}",
            self.0.disk.short(limit),
            printable(&self.0.class, limit),
            self.remedy()
        )
    }

    fn long(&self) -> String {
        format!(
            "{} would be bound at once, to whichever node CDI's pod runs on: StorageClass \"{}\" has no remote \
             volume access, so a VM on another node could not use the disk. {}, and the disk is made where its VM \
             starts.",
            self.0.disk.long(),
            name(&self.0.class),
            self.remedy()
        )
    }
}
