//! The recorded lookups as sentences: what was asked, what was found, why it led on.

use vmdisk_policy::clone::Resolved;
use vmdisk_policy::cluster::{self, Answer, Kind};
use vmdisk_policy::settings::Settings;
use vmdisk_policy::text;

use super::purpose::{self, Purpose};
use super::{Assessment, Found, LookedUp, decisive, describe};

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
            Ok(Answer::Present(Found::One(object))) => (describe::object(object, self.settings), led_on.present),
            Ok(Answer::Present(Found::All(objects))) => (describe::list(objects), led_on.present),
            Ok(Answer::Absent) => ("it does not exist".to_owned(), led_on.absent),
            Ok(Answer::NotServed) => ("the cluster has no such kind".to_owned(), led_on.absent),
            Err(_) => ("not known".to_owned(), "What depends on it is not known either."),
        };
        Step { object, question, found, so, decisive: false }
    }

    /// Why it was looked up, and what follows.
    fn purpose(&self, lookup: &LookedUp) -> Purpose {
        let name = lookup.name.as_deref().unwrap_or_default();
        let own = self.assessment.data_volume.as_ref().is_some_and(|data_volume| {
            !name.is_empty() && data_volume.name == name && data_volume.namespace == lookup.namespace
        });
        let is_source = self.source == Some((lookup.namespace.as_str(), name));
        let is_target = self.target_class == Some(name);
        match lookup.kind {
            _ if name == cluster::PROBE => purpose::PROBE,
            Kind::PersistentVolumeClaim | Kind::DataVolume if own => purpose::EXISTS,
            Kind::PersistentVolumeClaim if is_source => purpose::SOURCE_CLAIM,
            Kind::PersistentVolumeClaim => purpose::SNAPSHOT_OF,
            Kind::DataVolume => purpose::SOURCE_IMPORT,
            Kind::DataSource => purpose::DATA_SOURCE,
            Kind::StorageClass if lookup.name.is_none() => purpose::DEFAULT,
            Kind::StorageClass if is_target => purpose::TARGET_CLASS,
            Kind::StorageClass => purpose::SOURCE_CLASS,
            Kind::StorageProfile if is_target => purpose::TARGET_PROFILE,
            Kind::StorageProfile => purpose::SOURCE_PROFILE,
            Kind::Cdi => purpose::CDI,
            Kind::CdiConfig => purpose::CDI_CONFIG,
            Kind::PersistentVolume => purpose::VOLUME,
            Kind::CsiDriver => purpose::DRIVER,
            Kind::VolumeSnapshotClass if lookup.name.is_none() => purpose::SNAPSHOT_CLASSES,
            Kind::VolumeSnapshotClass => purpose::SNAPSHOT_CLASS,
            Kind::VolumeSnapshot => purpose::SNAPSHOT,
            Kind::VolumeSnapshotContent => purpose::CONTENT,
        }
    }
}
