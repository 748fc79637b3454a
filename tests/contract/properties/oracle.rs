//! Which clone rule refuses, straight from the contract and apart from the policy's code: the conditions of
//! `remoteVolumeAccess` by number, and CDI's choice, on plain data.

use super::generated::{By, CLASSES, Case, Class, Profile, Source};
use crate::common::LINSTOR;

/// What the two clone rules find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Found {
    pub(super) remote_volume_access: bool,
    pub(super) ambiguous_parameter: bool,
    pub(super) snapshot_class_missing: bool,
}

/// What CDI does about a VolumeSnapshotClass while it chooses.
#[derive(Debug, PartialEq, Eq)]
enum SnapshotClass {
    OfTheDriver,
    None,
    Missing,
}

/// What the rules find in a case.
pub(super) fn found(case: &Case) -> Found {
    let mut result = Found::default();
    // Nothing will be cloned when the disk exists already.
    if case.claim_exists || case.is_vm_disk() && case.data_volume_exists {
        return result;
    }
    // 1. The source is a claim, and it exists; the CDI resource exists; the target class exists.
    let (Some(source), Some(strategy_override)) = (&case.source, case.cdi) else { return result };
    if matches!(case.ask.by, By::MissingDataSource | By::Snapshot) {
        return result;
    }
    let Some(target) = target_class(case) else { return result };
    let strategy = strategy(case, strategy_override, target);
    if strategy != "csi-clone" && strategy != "snapshot" {
        return result;
    }
    // 3. One driver: the volume and CDI's own reading both say so.
    let by_volume = volume(case, source).and_then(|volume| volume.csi);
    if by_volume.is_some_and(|driver| driver != target.provisioner)
        || cdi_reading(case, source) != Some(target.provisioner)
    {
        return result;
    }
    let is_mismatch = volume(case, source).is_some_and(|volume| volume.matches == Some(false));
    // 2. With `snapshot` a VolumeSnapshotClass of the driver; where both profiles name one that does not exist, CDI
    // errors, unless it has stopped at the volume's claimRef already.
    if strategy == "snapshot" {
        match snapshot_class(case, source, target) {
            SnapshotClass::OfTheDriver => {}
            SnapshotClass::None => return result,
            SnapshotClass::Missing => {
                result.snapshot_class_missing = !is_mismatch;
                return result;
            }
        }
    }
    // 4. Another class. 5. One volume mode. 6. Expansion. 3. LINSTOR.
    let is_other_class = source.class.is_some_and(|class| !class.is_empty() && class != target.name);
    let source_mode = if source.mode.is_empty() { "Filesystem" } else { source.mode };
    if !is_other_class
        || target_mode(case, target) != Some(source_mode)
        || !target.expands
        || target.provisioner != LINSTOR
    {
        return result;
    }
    // 7. Remote access.
    result.remote_volume_access = target.access.anywhere == Some(false);
    result.ambiguous_parameter = target.access.anywhere.is_none();
    result
}

fn class<'c>(case: &'c Case, name: &str) -> Option<&'c Class> {
    case.classes.iter().find(|class| class.name == name)
}

fn profile<'c>(case: &'c Case, name: &str) -> Option<&'c Profile> {
    case.profiles.iter().find(|profile| profile.class == name)
}

/// The class that is named, or the one that CDI would pick unless several carry the annotation that decides.
fn target_class(case: &Case) -> Option<&Class> {
    let name = match (case.is_vm_disk(), case.ask.class) {
        // The chart's default, and the cluster's.
        (true, None) => Some("replicated"),
        (true, Some("")) => None,
        (_, name) => name,
    };
    if let Some(name) = name {
        return class(case, name);
    }
    let marked = |value: fn(&Class) -> &str| -> Vec<&Class> {
        case.classes.iter().filter(|class| value(class) == "true").collect()
    };
    let is_virt = case.is_vm_disk() || !case.ask.is_pvc_form && !case.ask.is_archive;
    let mut candidates = if is_virt { marked(|class| class.virt_default) } else { Vec::new() };
    if candidates.is_empty() {
        candidates = marked(|class| class.kubernetes_default);
    }
    match candidates.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Annotations on the DataVolume, else the override, else the target's profile, else `snapshot`.
fn strategy(case: &Case, strategy_override: Option<&'static str>, target: &Class) -> &'static str {
    if !case.is_vm_disk() {
        if matches!(case.ask.use_populator, Some("false" | "0")) {
            return "copy";
        }
        if let Some(preset) = case.ask.clone_type {
            return preset;
        }
    }
    let by_profile = profile(case, target.name).and_then(|profile| profile.strategy);
    strategy_override.or(by_profile).unwrap_or("snapshot")
}

/// The volume that the source names.
fn volume<'c>(case: &'c Case, source: &Source) -> Option<&'c super::generated::Pv> {
    case.pv.as_ref().filter(|_| source.is_bound)
}

/// The driver of a matching volume, else the provisioner of the class.
fn cdi_reading(case: &Case, source: &Source) -> Option<&'static str> {
    let volume = volume(case, source).filter(|volume| volume.matches == Some(true));
    let by_class = source.class.and_then(|name| class(case, name)).map(|class| class.provisioner);
    volume.and_then(|volume| volume.csi).or(by_class)
}

fn snapshot_class(case: &Case, source: &Source, target: &Class) -> SnapshotClass {
    // A source without a class counts as one of the Kubernetes default here; a deleted one has no preference.
    let source_class = match source.class {
        Some(name) => class(case, name),
        None => kubernetes_default(case),
    };
    let preferred = |name: &str| profile(case, name).and_then(|profile| profile.snapshot_class);
    let by_source = source_class.and_then(|class| preferred(class.name));
    let of_driver = |driver: &str| driver == target.provisioner;
    match (by_source, preferred(target.name)) {
        (Some(one), Some(same)) if one == same => match case.snapshot_classes.iter().find(|class| class.name == one) {
            None => SnapshotClass::Missing,
            Some(class) if of_driver(class.driver) => SnapshotClass::OfTheDriver,
            Some(_) => SnapshotClass::None,
        },
        _ if case.snapshot_classes.iter().any(|class| of_driver(class.driver)) => SnapshotClass::OfTheDriver,
        _ => SnapshotClass::None,
    }
}

/// The newest, then the smallest name.
fn kubernetes_default(case: &Case) -> Option<&Class> {
    let marked = case.classes.iter().filter(|class| class.kubernetes_default == "true");
    marked.max_by_key(|class| (class.created, std::cmp::Reverse(CLASSES.iter().position(|name| *name == class.name))))
}

/// The mode that CDI gives the target; `None` where it renders none.
fn target_mode(case: &Case, target: &Class) -> Option<&'static str> {
    let or_filesystem = |mode: &'static str| if mode.is_empty() { "Filesystem" } else { mode };
    let (own, access_modes): (_, &[&str]) =
        if case.is_vm_disk() { (None, &[]) } else { (case.ask.mode, case.ask.access_modes) };
    if !case.is_vm_disk() {
        if case.ask.is_pvc_form {
            return Some(own.unwrap_or("Filesystem"));
        }
        if case.ask.is_archive {
            return (own != Some("Block")).then_some("Filesystem");
        }
        if own.is_some() {
            return own;
        }
    }
    let sets = &profile(case, target.name)?.sets;
    if access_modes.is_empty() {
        let (modes, mode) = sets.first()?;
        return (!modes.is_empty()).then(|| or_filesystem(mode));
    }
    let shares = |modes: &[&str]| modes.iter().any(|mode| access_modes.contains(mode));
    Some(sets.iter().find(|(modes, _)| shares(modes)).map_or("Filesystem", |(_, mode)| or_filesystem(mode)))
}
