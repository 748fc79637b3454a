//! Cloning a claim, up to the choice of a strategy (`pkg/controller/datavolume/pvc-clone-controller.go`).

use super::steps::{Context, Spec, Step};
use super::target::resolve_mode;
use super::{BLOCK, ErrorClass, FILESYSTEM, Fault, Stage, Wait, go, keys, size};
use crate::cluster::Claim;
use crate::quantity::Quantity;
use crate::subject::{ContentType, SpecForm, TargetSpec};

/// `validateClone`: the content types must be the same, and where sizes can be compared already the target's must do.
pub(super) fn validate(context: Context<'_>, target: &TargetSpec, source: &Claim) -> Step<()> {
    if content_type(source.meta.annotation(keys::CONTENT_TYPE)) != context.dv.content_type {
        return Err(Fault::new(Stage::Validate, ErrorClass::ContentTypeMismatch).into());
    }
    match target.form {
        SpecForm::Pvc => size::compare(Stage::Validate, source.request.as_ref(), target.request.as_ref())?,
        SpecForm::Storage => {
            // A file system's usable size says too little here, so only raw devices are compared.
            if let Some(request) = &target.request
                && resolve_mode(source.volume_mode.as_deref()) == BLOCK
            {
                let wanted = wanted_size(context, target, request)?;
                size::compare(Stage::Validate, source.request.as_ref(), Some(&wanted))?;
            }
        }
    }
    Ok(())
}

/// The size that is asked for, raised to the class's minimum, without overhead.
pub(super) fn wanted_size(context: Context<'_>, target: &TargetSpec, request: &Quantity) -> Step<Quantity> {
    let virt = context.dv.content_type == ContentType::Kubevirt;
    Ok(size::effective(request.clone(), target.storage_class_name.as_deref(), virt, context.cluster)?)
}

/// `detectCloneSize`: the size of a target that names none, and whether sizes may be left uncompared later
/// (`permissiveClone`).
pub(super) fn detect_size(context: Context<'_>, spec: &mut Spec, source: &Claim) -> Step<bool> {
    let size_required = !spec.has_size();
    let source_is_filesystem = resolve_mode(source.volume_mode.as_deref()) == FILESYSTEM;
    // An explicit annotation only: the size-detection pod would crash on anything but an image.
    let source_is_image = source.meta.annotation(keys::CONTENT_TYPE) == Some("kubevirt");
    let target_is_block = spec.volume_mode.as_deref() == Some(BLOCK);
    let image_may_grow = target_is_block && source_is_filesystem && source_is_image;
    if !(size_required || image_may_grow) {
        return Ok(false);
    }
    let zero = Quantity::from_bytes(0);
    let capacity = source.capacity.as_ref().unwrap_or(&zero);
    // CDI takes what is no integer for zero.
    let detected = if source_is_filesystem && source_is_image {
        match recorded_size(source, capacity)? {
            Some(bytes) => bytes,
            None => return Err(pod_needed(context)?),
        }
    } else {
        capacity.as_int64().unwrap_or_default()
    };
    let detected_size = Quantity::from_bytes(detected);
    if !size_required {
        return Ok(spec.request.as_ref().is_some_and(|request| *request >= detected_size));
    }
    let size = size::inflate(detected, spec.volume_mode.as_deref(), spec.class.as_deref(), context.cluster)?;
    spec.request = Some(size);
    Ok(*capacity > detected_size)
}

/// `getSizeFromAnnotations`: the image's size that was found out before, if the capacity is still the same.
fn recorded_size(source: &Claim, capacity: &Quantity) -> Step<Option<i128>> {
    let Some(size) = source.meta.annotation(keys::VIRTUAL_SIZE) else { return Ok(None) };
    let Some(recorded) = source.meta.annotation(keys::SOURCE_CAPACITY) else { return Ok(None) };
    // CDI parses the recorded capacity with a function that panics.
    let recorded = Quantity::parse(recorded).map_err(|_| Fault::new(Stage::Sync, ErrorClass::Panic))?;
    Ok((recorded == *capacity).then(|| go::parse_int_ignoring_errors(size)))
}

/// `getSizeFromPod`: a pod has to find out the size. Without an active CDI its spec cannot be built, and CDI
/// dereferences the claim that does not exist yet.
fn pod_needed(context: Context<'_>) -> Step<super::steps::Stop> {
    let active = context.cluster.cdi(context.cdi_name)?.is_present();
    Ok(if active { Wait::SizeDetection.into() } else { Fault::new(Stage::Sync, ErrorClass::Panic).into() })
}

/// `pkg/controller/common/util.go`, `GetPVCContentType`: absent and unknown values count as kubevirt.
pub(super) fn content_type(annotation: Option<&str>) -> ContentType {
    if annotation == Some("archive") { ContentType::Archive } else { ContentType::Kubevirt }
}
