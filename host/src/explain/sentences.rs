//! The recorded lookups as sentences: what was asked, what was found, why it led on.

use vmdisk_policy::clone::Resolved;
use vmdisk_policy::clone::keys::{DEFAULT_CLASS, DEFAULT_SNAPSHOT_CLASS, DEFAULT_VIRT_CLASS};
use vmdisk_policy::cluster::{
    self, Answer, Claim, DataSourceSource, Kind, Object, ObjectRef, StorageClass, StorageProfile, VolumeSnapshot,
};
use vmdisk_policy::linstor::{self, Anywhere};
use vmdisk_policy::settings::Settings;
use vmdisk_policy::text::{self, printable};

use super::{Assessment, Found, LookedUp, decisive};

/// How much of a value that decided is printed.
const MAX_VALUE: usize = 100;
/// How many objects of a list are named.
const MAX_LISTED: usize = 6;

/// One step on the way to the answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step {
    /// What was looked up, such as `StorageClass local`.
    pub object: String,
    /// Why.
    pub question: &'static str,
    /// What was found.
    pub found: String,
    /// What follows.
    pub so: &'static str,
    /// Whether the answer hangs on this object.
    pub decisive: bool,
}

/// What the steps are about.
struct Subject<'a> {
    assessment: &'a Assessment,
    settings: &'a Settings,
    source: Option<(&'a str, &'a str)>,
    target_class: Option<&'a str>,
}

/// The steps of a decision.
pub(super) fn steps(assessment: &Assessment, settings: &Settings) -> Vec<Step> {
    let plan = assessment.plan.as_ref();
    let named = assessment.data_volume.as_ref().and_then(|data_volume| data_volume.target.as_ref());
    let subject = Subject {
        assessment,
        settings,
        source: plan.and_then(|plan| match &plan.source {
            Resolved::Claim(claim) => Some((claim.namespace.as_str(), claim.name.as_str())),
            Resolved::Snapshot(_) | Resolved::Unresolved { .. } | Resolved::NotAClone => None,
        }),
        target_class: plan
            .and_then(|plan| plan.target_class.as_ref())
            .map(|class| class.meta.name.as_str())
            .or_else(|| named.and_then(|target| target.storage_class_name.as_deref())),
    };
    let decisive = decisive::kind(&assessment.verdict, plan);
    let mut steps: Vec<Step> = assessment.lookups.iter().map(|lookup| subject.step(lookup)).collect();
    // Of several objects of the kind, the one of the target comes before the others.
    let of_kind = |(_, lookup): &(usize, &LookedUp)| Some(lookup.kind) == decisive;
    let candidates = || assessment.lookups.iter().enumerate().filter(of_kind);
    let of_target = |(_, lookup): &(usize, &LookedUp)| {
        lookup.name.as_deref() == subject.target_class || lookup.name.as_deref() == subject.source.map(|(_, name)| name)
    };
    let index = candidates().find(of_target).or_else(|| candidates().next_back()).map(|(index, _)| index);
    if let Some(step) = index.and_then(|index| steps.get_mut(index)) {
        step.decisive = true;
    }
    steps
}

impl Subject<'_> {
    fn step(&self, lookup: &LookedUp) -> Step {
        let object = match (&lookup.name, lookup.namespace.as_str()) {
            (None, _) => format!("all {} objects", lookup.kind),
            (Some(name), "") => format!("{} {}", lookup.kind, text::name(name)),
            (Some(name), namespace) => format!("{} {}/{}", lookup.kind, text::name(namespace), text::name(name)),
        };
        let (question, led_on) = self.purpose(lookup);
        let (found, so) = match &lookup.found {
            Ok(Answer::Present(Found::One(object))) => (self.describe(object), led_on.present),
            Ok(Answer::Present(Found::All(objects))) => (list(objects), led_on.present),
            Ok(Answer::Absent) => ("it does not exist".to_owned(), led_on.absent),
            Ok(Answer::NotServed) => ("the cluster has no such kind".to_owned(), led_on.absent),
            Err(_) => ("not known".to_owned(), "What depends on it is not known either."),
        };
        Step { object, question, found, so, decisive: false }
    }

    /// Why it was looked up, and what follows.
    fn purpose(&self, lookup: &LookedUp) -> (&'static str, LedOn) {
        let name = lookup.name.as_deref().unwrap_or_default();
        let own = self.assessment.data_volume.as_ref().is_some_and(|data_volume| {
            !name.is_empty() && data_volume.name == name && data_volume.namespace == lookup.namespace
        });
        let is_source = self.source == Some((lookup.namespace.as_str(), name));
        let is_target = self.target_class == Some(name);
        match lookup.kind {
            _ if name == cluster::PROBE => PROBE,
            Kind::PersistentVolumeClaim | Kind::DataVolume if own => EXISTS,
            Kind::PersistentVolumeClaim if is_source => SOURCE_CLAIM,
            Kind::PersistentVolumeClaim => SNAPSHOT_OF,
            Kind::DataVolume => SOURCE_IMPORT,
            Kind::DataSource => DATA_SOURCE,
            Kind::StorageClass if lookup.name.is_none() => DEFAULT,
            Kind::StorageClass if is_target => TARGET_CLASS,
            Kind::StorageClass => SOURCE_CLASS,
            Kind::StorageProfile if is_target => TARGET_PROFILE,
            Kind::StorageProfile => SOURCE_PROFILE,
            Kind::Cdi => CDI,
            Kind::CdiConfig => CDI_CONFIG,
            Kind::PersistentVolume => VOLUME,
            Kind::CsiDriver => DRIVER,
            Kind::VolumeSnapshotClass if lookup.name.is_none() => SNAPSHOT_CLASSES,
            Kind::VolumeSnapshotClass => SNAPSHOT_CLASS,
            Kind::VolumeSnapshot => SNAPSHOT,
            Kind::VolumeSnapshotContent => CONTENT,
        }
    }

    /// The fields that decide something: no others are ever printed.
    fn describe(&self, object: &Object) -> String {
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
            Object::StorageClass(class) => self.describe_class(class),
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

    fn describe_class(&self, class: &StorageClass) -> String {
        let expansion = if class.allow_volume_expansion { "allows expansion" } else { "allows no expansion" };
        let binding = if class.waits_for_first_consumer { "binds on first consumer" } else { "binds at once" };
        let mut found = format!("provisioner {}, {expansion}, {binding}", short(&class.provisioner));
        if self.settings.is_linstor(&class.provisioner) {
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
}

fn short(text: &str) -> String {
    printable(text, MAX_VALUE)
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
fn list(objects: &[Object]) -> String {
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
    let others = objects.iter().filter(|object| mark(object).is_none()).map(|object| text::name(&object.meta().name));
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

/// What follows from an answer.
struct LedOn {
    present: &'static str,
    absent: &'static str,
}

type Purpose = (&'static str, LedOn);

const fn purpose(question: &'static str, present: &'static str, absent: &'static str) -> Purpose {
    (question, LedOn { present, absent })
}

const PROBE: Purpose = purpose(
    "May objects of this kind be read at all? Nobody uses this name.",
    "They may, so they can be listed.",
    "They may, so they can be listed.",
);
const EXISTS: Purpose = purpose(
    "Does the disk exist already?",
    "Nothing will be cloned.",
    "The disk is new, so what becomes of it is worth asking.",
);
const SOURCE_CLAIM: Purpose = purpose(
    "What is cloned?",
    "Its volume, or else its class, tells the driver; its size and mode are compared with the disk's.",
    "CDI waits until it is there.",
);
const SNAPSHOT_OF: Purpose = purpose(
    "Which claim was the snapshot taken of?",
    "Its class tells where its replicas are allowed to be.",
    "There is nothing to compare the new class with.",
);
const SOURCE_IMPORT: Purpose = purpose(
    "Was the source imported well?",
    "A failed import would make a useless disk.",
    "The source was not imported by CDI, so there is no import that could have failed.",
);
const DATA_SOURCE: Purpose = purpose(
    "Which source does the DataSource stand for?",
    "That is what CDI clones.",
    "No controller of CDI's takes the disk until it is there.",
);
const DEFAULT: Purpose = purpose(
    "Which class is the default?",
    "The default for virtual machines comes before Kubernetes' own.",
    "There is no default class.",
);
const TARGET_CLASS: Purpose = purpose(
    "Where will the new disk be made?",
    "Its provisioner is the new disk's driver.",
    "CDI finds no class to make the disk in.",
);
const SOURCE_CLASS: Purpose = purpose(
    "Which class has the source?",
    "Its provisioner is the source's driver where the volume does not say.",
    "It tells no driver.",
);
const TARGET_PROFILE: Purpose = purpose(
    "How does CDI clone into the class, and with which modes?",
    "Its strategy counts unless the CDI resource overrides it.",
    "CDI asks for a snapshot by default, and knows no modes.",
);
const SOURCE_PROFILE: Purpose = purpose(
    "Which VolumeSnapshotClass has the source's class?",
    "CDI takes that class only if the target's profile names the same.",
    "It names none, so CDI looks for any of the driver.",
);
const CDI: Purpose = purpose(
    "Which strategy is set for the whole cluster?",
    "An override comes before every profile.",
    "Without it CDI chooses nothing.",
);
const CDI_CONFIG: Purpose = purpose(
    "How large does CDI make the claim, and does it wait for a consumer?",
    "A file system is made larger by the overhead.",
    "Without it CDI renders no claim.",
);
const VOLUME: Purpose = purpose(
    "Which driver has the source's volume?",
    "That driver counts if the volume belongs to the source.",
    "The source's class tells the driver then.",
);
const DRIVER: Purpose = purpose(
    "Do CDI's populators serve the driver?",
    "They do, so CDI chooses a strategy.",
    "They do not, so CDI can only copy.",
);
const SNAPSHOT_CLASSES: Purpose = purpose(
    "Which VolumeSnapshotClass serves the driver?",
    "The driver's default counts, else its first by name.",
    "None does.",
);
const SNAPSHOT_CLASS: Purpose = purpose(
    "Is there the VolumeSnapshotClass that the profile names?",
    "It serves if it is of the driver.",
    "CDI fails on a name without a class where both profiles agree on it.",
);
const SNAPSHOT: Purpose =
    purpose("What is cloned?", "Its content tells the driver and the mode.", "CDI waits until it is there.");
const CONTENT: Purpose = purpose(
    "Which driver and mode has the snapshot?",
    "The target class has to have the same driver, and the disk the same mode.",
    "CDI fails without it.",
);
