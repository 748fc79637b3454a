//! The plan: what CDI will do with a DataVolume.
//!
//! # Lookups, in order
//! Each is made only if the answer still depends on it, and once ([`Cluster`] remembers).
//!
//! 1. the DataSource, and the one that it links to ([`super::source`]);
//! 2. the source claim, where the class is left out: its class is the name that is asked for before the list of
//!    StorageClasses;
//! 3. CDIConfig; the CDI resource where its version matters; the target's class, or the list of classes; the target's
//!    StorageProfile (`render.rs`);
//! 4. the CSIDriver of the target class's provisioner (`populator.rs`);
//! 5. the source claim or VolumeSnapshot; for a snapshot without a target size its VolumeSnapshotContent
//!    (`claim_source.rs`, `snapshot_source.rs`); for a snapshot without populator its VolumeSnapshotClass and the list
//!    of StorageClasses;
//! 6. the StorageProfile, if it was not needed yet; the CDI resource; the source's PersistentVolume and class; for
//!    strategy `snapshot` the profile of the source's class, and the VolumeSnapshotClass that both profiles name or
//!    the list of classes (`choose.rs`);
//! 7. for strategy `snapshot` the VolumeSnapshotClass that the target's profile names; for the copy of a snapshot the
//!    list of StorageClasses.
//!
//! A csi-clone of a claim takes seven: claim, volume, class, profile, CSIDriver, CDI, CDIConfig.

use super::choose::{self, Choice};
use super::populator::{self, Maker};
use super::render;
use super::snapshot_source;
use super::steps::{Context, Draft, Step};
use super::{
    ErrorClass, Fault, Outcome, Plan, Resolved, Stage, Strategy, Unresolved, Wait, claim_source, create, keys, source,
};
use crate::cluster::Cluster;
use crate::subject::{ClaimSource, DataVolume, SnapshotSource, SpecForm, TargetSpec};

/// What CDI v1.66.0 will do with `dv`, once it exists (older versions where they differ). That the new disk's claim
/// does not exist yet is the caller's to know. `cdi_name` is the CDI resource that is taken for the active one.
#[must_use]
pub fn plan(dv: &DataVolume, cluster: &Cluster<'_>, cdi_name: &str) -> Plan {
    let context = Context { dv, cluster, cdi_name };
    let mut draft = Draft::default();
    let (source, outcome) = match source::resolve(dv, cluster) {
        Ok(source) => {
            let outcome = outcome(context, &mut draft, &source);
            (source, outcome)
        }
        Err(failure) => (Resolved::NotAClone, Outcome::Unknown(failure)),
    };
    let Draft { target, target_class, snapshot_class } = draft;
    Plan { source, outcome, target, target_class, snapshot_class }
}

fn outcome(context: Context<'_>, draft: &mut Draft, source: &Resolved) -> Outcome {
    let choice = match source {
        Resolved::NotAClone => return Outcome::Nothing,
        Resolved::Unresolved { name, why: Unresolved::StatusEmpty, .. } => {
            Err(Fault::new(Stage::Source, ErrorClass::DataSourceEmpty).about(name).into())
        }
        Resolved::Unresolved { .. } => Err(Wait::SourceRefUnresolved.into()),
        Resolved::Claim(of) => claim(context, draft, of),
        Resolved::Snapshot(of) => snapshot(context, draft, of),
    };
    match choice {
        Ok(Choice { strategy, origin, fallback_reason }) => Outcome::Clones { strategy, origin, fallback_reason },
        Err(stop) => stop.into(),
    }
}

/// `pkg/controller/datavolume/pvc-clone-controller.go`, `syncClone`, then the populator.
fn claim(context: Context<'_>, draft: &mut Draft, of: &ClaimSource) -> Step<Choice> {
    let cluster = context.cluster;
    let probe = match &context.dv.target {
        Some(TargetSpec { storage_class_name: None, .. }) => {
            let source = cluster.claim(&of.namespace, &of.name).ok().and_then(crate::cluster::Answer::present);
            source.and_then(|claim| claim.storage_class_name.clone())
        }
        Some(_) | None => None,
    };
    let mut rendered = render::render(context, draft, probe.as_deref())?;
    let maker = populator::maker(context, draft, &rendered.spec)?;
    let Some(source) = cluster.claim(&of.namespace, &of.name)?.present() else {
        return Err(Wait::SourceMissing.into());
    };
    let mut permissive = context.dv.annotation(keys::PERMISSIVE_CLONE).is_some();
    if let Some(target) = &context.dv.target {
        claim_source::validate(context, target, &source)?;
        if target.form == SpecForm::Storage {
            permissive |= claim_source::detect_size(context, &mut rendered.spec, &source)?;
        }
    }
    let spec = create::create(context, draft, rendered, maker)?;
    if let Maker::Legacy(origin) = maker {
        return Ok(Choice { strategy: Strategy::Copy, origin, fallback_reason: None });
    }
    let class = populator::ready(context, draft, &spec)?;
    let choice = match choose::preset(context) {
        Some(choice) => choice,
        None => choose::for_claim(context, &source, &spec, &class, permissive)?,
    };
    choose::plan_claim(context, draft, &choice, &class)?;
    Ok(choice)
}

/// `pkg/controller/datavolume/snapshot-clone-controller.go`, `syncSnapshotClone`, then the populator.
fn snapshot(context: Context<'_>, draft: &mut Draft, of: &SnapshotSource) -> Step<Choice> {
    let mut rendered = render::render(context, draft, None)?;
    let maker = populator::maker(context, draft, &rendered.spec)?;
    let Some(found) = context.cluster.volume_snapshot(&of.namespace, &of.name)?.present() else {
        return Err(Wait::SourceMissing.into());
    };
    let Some(target) = &context.dv.target else {
        return Err(Fault::new(Stage::Render, ErrorClass::NoStorageSection).into());
    };
    let source = snapshot_source::validate(context, target, found)?;
    if target.form == SpecForm::Storage {
        snapshot_source::detect_size(context, &mut rendered.spec, &source, maker)?;
    }
    if let Maker::Legacy(_) = maker {
        snapshot_source::init_legacy(context, draft, &rendered, &source)?;
    }
    let spec = create::create(context, draft, rendered, maker)?;
    if let Maker::Legacy(origin) = maker {
        return Ok(Choice { strategy: Strategy::Copy, origin, fallback_reason: None });
    }
    let class = populator::ready(context, draft, &spec)?;
    let choice = match choose::preset(context) {
        Some(choice) => choice,
        None => choose::for_snapshot(context, &source, &spec, &class)?,
    };
    choose::plan_snapshot(context, &choice, &source, &class)?;
    Ok(choice)
}
