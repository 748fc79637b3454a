//! Cloning a snapshot, up to the choice of a strategy (`pkg/controller/datavolume/snapshot-clone-controller.go`).

use std::rc::Rc;

use super::claim_source::{content_type, wanted_size};
use super::populator::Maker;
use super::render::{self, Rendered};
use super::steps::{Context, Draft, Spec, Step};
use super::target::resolve_mode;
use super::{BLOCK, ErrorClass, FILESYSTEM, Fault, Stage, create, keys, size};
use crate::cluster::{StorageClass, VolumeSnapshot, VolumeSnapshotContent};
use crate::quantity::Quantity;
use crate::subject::{SpecForm, TargetSpec};

/// A snapshot that has passed CDI's checks.
pub(super) struct Checked {
    pub(super) snapshot: Rc<VolumeSnapshot>,
    /// Its class's name.
    pub(super) class: String,
    /// `status.restoreSize`, which may be zero.
    pub(super) restore_size: Quantity,
}

/// `validateSnapshotClone` and `IsSnapshotValidForClone`. A snapshot that is not ready yet passes.
pub(super) fn validate(context: Context<'_>, target: &TargetSpec, snapshot: Rc<VolumeSnapshot>) -> Step<Checked> {
    let fault = |class| Fault::new(Stage::Validate, class);
    let Some(status) = &snapshot.status else { return Err(fault(ErrorClass::SnapshotNoStatus).into()) };
    if status.has_error {
        return Err(fault(ErrorClass::SnapshotInError).into());
    }
    let Some(class) = snapshot.volume_snapshot_class_name.clone().filter(|name| !name.is_empty()) else {
        return Err(fault(ErrorClass::SnapshotNoClassName).into());
    };
    let zero = Quantity::from_bytes(0);
    let Some(restore_size) = status.restore_size.clone().filter(|size| *size >= zero) else {
        return Err(fault(ErrorClass::SnapshotNoRestoreSize).into());
    };
    let wanted = match (target.form, &target.request) {
        (SpecForm::Pvc, request) => request.clone(),
        (SpecForm::Storage, Some(request)) => Some(wanted_size(context, target, request)?),
        (SpecForm::Storage, None) => None,
    };
    let has_size = target.form == SpecForm::Pvc || wanted.is_some();
    if restore_size > zero {
        if has_size {
            size::compare(Stage::Validate, Some(&restore_size), wanted.as_ref())?;
        }
    } else if !has_size {
        return Err(fault(ErrorClass::SnapshotSizeUnknown).into());
    }
    Ok(Checked { snapshot, class, restore_size })
}

/// `detectCloneSize`. Since v1.66 the size grows by the overhead where a raw device becomes a file system.
pub(super) fn detect_size(context: Context<'_>, spec: &mut Spec, source: &Checked, maker: Maker) -> Step<()> {
    if spec.has_size() {
        return Ok(());
    }
    let mut request = source.restore_size.clone();
    if resolve_mode(spec.volume_mode.as_deref()) == FILESYSTEM && !render::is_before_1_66(context)? {
        let stage = if maker == Maker::Populator { Stage::Sync } else { Stage::LegacyInit };
        let content = content(context, &source.snapshot, stage)?;
        let from = content.source_volume_mode.as_deref();
        if from.or_else(|| source.snapshot.meta.annotation(keys::SOURCE_VOLUME_MODE)) == Some(BLOCK) {
            let bytes = source.restore_size.bytes();
            request = size::inflate(bytes, spec.volume_mode.as_deref(), spec.class.as_deref(), context.cluster)?;
        }
    }
    spec.request = Some(request);
    Ok(())
}

/// The content that the snapshot is bound to (`GetSnapshotContentFromSnapshot`).
pub(super) fn content(
    context: Context<'_>,
    snapshot: &VolumeSnapshot,
    stage: Stage,
) -> Step<Rc<VolumeSnapshotContent>> {
    let bound = snapshot.status.as_ref().and_then(|status| status.bound_volume_snapshot_content_name.as_deref());
    let Some(name) = bound else { return Err(Fault::new(stage, ErrorClass::SnapshotContentNotBound).into()) };
    let content = context.cluster.volume_snapshot_content(name)?.present();
    content.ok_or_else(|| Fault::new(stage, ErrorClass::SnapshotContentNotFound).about(name).into())
}

/// `initLegacyClone`: without a populator a temporary claim is restored from the snapshot, and copied.
pub(super) fn init_legacy(context: Context<'_>, draft: &Draft, rendered: &Rendered, source: &Checked) -> Step<()> {
    let stage = Stage::LegacyInit;
    let Some(snapshot_class) = context.cluster.volume_snapshot_class(&source.class)?.present() else {
        return Err(Fault::new(stage, ErrorClass::SnapshotClassNotFound).about(&source.class).into());
    };
    let Some(class) =
        class_of_driver(context, &snapshot_class.driver, draft.target_class.as_deref(), rendered.webhook)?
    else {
        return Err(Fault::new(stage, ErrorClass::NoClassForSnapshotDriver).about(&snapshot_class.driver).into());
    };
    let mut temporary = Spec { class: Some(class), ..rendered.spec.clone() };
    if source.restore_size > Quantity::from_bytes(0) {
        temporary.request = Some(source.restore_size.clone());
    }
    if rendered.webhook {
        // The label is copied to the temporary claim, so the webhook renders it first; the content type is not, unless
        // the DataVolume carries it as an annotation.
        let content_type = content_type(context.dv.annotation(keys::CONTENT_TYPE));
        render::modes(context, &mut Draft::default(), &mut temporary, content_type, stage, None)?;
    }
    create::validate(&temporary, stage)
}

/// The first class, by name, whose provisioner is `driver` (`getStorageClassNameForTempSourceClaim`,
/// `getStorageClassCorrespondingToSnapClass`). Unless it must be exactly that one, a class that is known already does.
pub(super) fn class_of_driver(
    context: Context<'_>,
    driver: &str,
    known: Option<&StorageClass>,
    exactly: bool,
) -> Step<Option<String>> {
    if let Some(class) = known
        && !exactly
        && class.provisioner == driver
    {
        return Ok(Some(class.meta.name.clone()));
    }
    let classes = context.cluster.storage_classes(None)?.present().unwrap_or_default();
    let names = classes.iter().filter(|class| class.provisioner == driver).map(|class| &class.meta.name);
    Ok(names.min().cloned())
}
