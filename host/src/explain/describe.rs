//! Objects in a few words.

use vmdisk_policy::clone::keys::{DEFAULT_CLASS, DEFAULT_SNAPSHOT_CLASS, DEFAULT_VIRT_CLASS};
use vmdisk_policy::cluster::{
    Claim, DataSourceSource, Kind, Object, ObjectRef, StorageClass, StorageProfile, VolumeSnapshot,
};
use vmdisk_policy::linstor::{self, Anywhere};
use vmdisk_policy::settings::Settings;
use vmdisk_policy::text::{self, printable};

/// How much of a value that decided is printed.
const MAX_VALUE: usize = 100;
/// How many objects of a list are named.
const MAX_LISTED: usize = 6;

/// The fields that decide something: no others are ever printed.
pub(super) fn object(object: &Object, settings: &Settings) -> String {
    match object {
        Object::PersistentVolumeClaim(claim) => describe_claim(claim),
        Object::PersistentVolume(volume) => {
            let driver = optional(volume.csi_driver.as_deref());
            let belongs = match &volume.claim_ref {
                Some((namespace, name)) => format!("{}/{}", text::name(namespace), text::name(name)),
                None => "no claim".to_owned(),
            };
            format!("CSI driver {driver}, belongs to {belongs}")
        }
        Object::StorageClass(class) => describe_class(class, settings),
        Object::CsiDriver(_) => "it exists".to_owned(),
        Object::StorageProfile(profile) => describe_profile(profile),
        Object::DataVolume(data_volume) => {
            format!("phase {}, {} restarts", optional(data_volume.phase.as_deref()), data_volume.restart_count)
        }
        Object::DataSource(source) => {
            let mut found = describe_source(&source.spec_source);
            if source.spec_source.data_source.is_some() {
                found.push_str(&format!("; resolved: {}", describe_source(&source.status_source)));
            }
            found
        }
        Object::Cdi(cdi) => {
            format!("cloneStrategyOverride {}", optional(cdi.clone_strategy_override.as_deref()))
        }
        Object::CdiConfig(config) => {
            let gates: Vec<String> = config.feature_gates.iter().map(|gate| short(gate)).collect();
            let global = config.filesystem_overhead.as_ref().and_then(|overhead| overhead.global.as_deref());
            let gates = if gates.is_empty() { "no feature gates".to_owned() } else { gates.join(", ") };
            format!("{gates}; file system overhead {}", optional(global))
        }
        Object::VolumeSnapshotClass(class) => format!("driver {}", short(&class.driver)),
        Object::VolumeSnapshot(snapshot) => describe_snapshot(snapshot),
        Object::VolumeSnapshotContent(content) => {
            let mode = content.source_volume_mode.as_deref();
            format!("driver {}, volume mode {}", short(&content.driver), optional(mode))
        }
    }
}

fn describe_class(class: &StorageClass, settings: &Settings) -> String {
    let expansion = if class.allow_volume_expansion { "allows expansion" } else { "allows no expansion" };
    let binding = if class.waits_for_first_consumer { "binds on first consumer" } else { "binds at once" };
    let mut found = format!("provisioner {}, {expansion}, {binding}", short(&class.provisioner));
    if settings.is_linstor(&class.provisioner) {
        let access = linstor::remote_access(&class.parameters);
        let anywhere = match access.anywhere {
            Anywhere::Yes => "every node may attach its volumes",
            Anywhere::No => "not every node may attach its volumes",
            Anywhere::CannotTell => "whether every node may attach its volumes cannot be told",
        };
        let because = match &access.decided_by {
            Some((key, value)) => format!("{}: \"{}\"", short(key), short(value)),
            None => "no parameter says otherwise".to_owned(),
        };
        found.push_str(&format!("; {anywhere} ({because})"));
    }
    found
}

fn short(text: &str) -> String {
    printable(text, MAX_VALUE).into_owned()
}

fn optional(value: Option<&str>) -> String {
    value.map_or_else(|| "not set".to_owned(), short)
}

fn describe_claim(claim: &Claim) -> String {
    let size = |size: &Option<vmdisk_policy::quantity::Quantity>| {
        size.as_ref().map_or_else(|| "nothing".to_owned(), |size| short(size.text()))
    };
    format!(
        "StorageClass {}, volume mode {}, asks for {}, has {}, volume {}",
        optional(claim.storage_class_name.as_deref()),
        optional(claim.volume_mode.as_deref()),
        size(&claim.request),
        size(&claim.capacity),
        optional(claim.volume_name.as_deref()),
    )
}

fn describe_profile(profile: &StorageProfile) -> String {
    let sets: Vec<String> = profile
        .claim_property_sets
        .iter()
        .map(|set| {
            let modes: Vec<String> = set.access_modes.iter().map(|mode| short(mode)).collect();
            format!("{} {}", optional(set.volume_mode.as_deref()), modes.join("+"))
        })
        .collect();
    format!(
        "cloneStrategy {}, snapshotClass {}, claim properties {}",
        optional(profile.clone_strategy.as_deref()),
        optional(profile.snapshot_class.as_deref()),
        if sets.is_empty() { "none".to_owned() } else { sets.join(" or ") },
    )
}

fn describe_source(source: &DataSourceSource) -> String {
    let named = |kind: Kind, of: &ObjectRef| {
        let slash = if of.namespace.is_empty() { "" } else { "/" };
        format!("{kind} {}{slash}{}", text::name(&of.namespace), text::name(&of.name))
    };
    let all = [
        source.pvc.as_ref().map(|of| named(Kind::PersistentVolumeClaim, of)),
        source.snapshot.as_ref().map(|of| named(Kind::VolumeSnapshot, of)),
        source.data_source.as_ref().map(|of| named(Kind::DataSource, of)),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    if all.is_empty() { "it names nothing".to_owned() } else { format!("it names {}", all.join(" and ")) }
}

fn describe_snapshot(snapshot: &VolumeSnapshot) -> String {
    let class = optional(snapshot.volume_snapshot_class_name.as_deref());
    let Some(status) = &snapshot.status else {
        return format!("VolumeSnapshotClass {class}, no status yet");
    };
    format!(
        "VolumeSnapshotClass {class}, restore size {}, content {}{}",
        status.restore_size.as_ref().map_or_else(|| "not set".to_owned(), |size| short(size.text())),
        optional(status.bound_volume_snapshot_content_name.as_deref()),
        if status.has_error { ", failed" } else { "" },
    )
}

/// A list: of classes those that are marked as default, and the first others.
pub(super) fn list(objects: &[Object]) -> String {
    let mark = |object: &Object| {
        let meta = object.meta();
        let marked = |key: &str| meta.annotation(key) == Some("true");
        let defaults = [
            marked(DEFAULT_VIRT_CLASS).then_some("default for virtual machines"),
            (marked(DEFAULT_CLASS) || marked(DEFAULT_SNAPSHOT_CLASS)).then_some("default"),
        ];
        let defaults: Vec<&str> = defaults.into_iter().flatten().collect();
        (!defaults.is_empty()).then(|| format!("{} ({})", text::name(&meta.name), defaults.join(", ")))
    };
    let marked: Vec<String> = objects.iter().filter_map(mark).collect();
    let others = objects
        .iter()
        .filter(|object| mark(object).is_none())
        .map(|object| text::name(&object.meta().name).into_owned());
    let mut named: Vec<String> = marked.into_iter().chain(others).collect();
    let left = named.len().saturating_sub(MAX_LISTED);
    named.truncate(MAX_LISTED);
    if left > 0 {
        named.push(format!("{left} more"));
    }
    let no_default = objects.iter().all(|object| object.kind() == Kind::StorageClass && mark(object).is_none());
    match (named.is_empty(), no_default) {
        (true, _) => "there are none".to_owned(),
        (false, true) => format!("none is marked as default of {}", named.join(", ")),
        (false, false) => named.join(", "),
    }
}
