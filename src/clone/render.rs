//! The claim as the DataVolume controller, or CDI's webhook for claims, renders it.

use super::profile::{self, Wanted};
use super::steps::{Context, Draft, Spec, Step};
use super::{BLOCK, ErrorClass, FILESYSTEM, Fault, Stage, size, storage_class};
use crate::cluster::Failure;
use crate::quantity::Quantity;
use crate::subject::{ContentType, SpecForm};

/// A rendered claim.
pub(super) struct Rendered {
    pub(super) spec: Spec,
    /// Whether CDI's webhook will complete the claim when it is created.
    pub(super) webhook: bool,
}

/// What the DataVolume controller renders (`pkg/controller/datavolume/util.go`, `renderPvcSpec`).
///
/// `spec.pvc` is copied. `spec.storage` is completed, unless the label `applyStorageProfile` leaves that to the webhook.
pub(super) fn render(context: Context<'_>, draft: &mut Draft, probe: Option<&str>) -> Step<Rendered> {
    let Some(target) = &context.dv.target else {
        return Err(Fault::new(Stage::Render, ErrorClass::NoStorageSection).into());
    };
    let mut spec = Spec {
        class: target.storage_class_name.clone(),
        volume_mode: target.volume_mode.clone(),
        access_modes: target.access_modes.clone(),
        request: target.request.clone(),
    };
    let webhook = match target.form {
        SpecForm::Pvc => context.dv.apply_storage_profile && webhook_renders(context)?,
        SpecForm::Storage => {
            if context.cluster.cdi_config()?.present().is_none() {
                return Err(Fault::new(Stage::Render, ErrorClass::NoCDIConfig).into());
            }
            let webhook = context.dv.apply_storage_profile && webhook_renders(context)?;
            if !webhook {
                modes(context, draft, &mut spec, context.dv.content_type, Stage::Render, probe)?;
                volume_size(context, &mut spec, true, Stage::Render)?;
            }
            webhook
        }
    };
    draft.target = Some(spec.claim());
    Ok(Rendered { spec, webhook })
}

/// Class and modes (`renderPvcSpecVolumeModeAndAccessModesAndStorageClass`).
///
/// Where no class is found, CDI takes the modes of an *Available* PersistentVolume of exactly that class name. Volumes
/// are not listed here: the plan says what happens without one.
pub(super) fn modes(
    context: Context<'_>,
    draft: &mut Draft,
    spec: &mut Spec,
    content_type: ContentType,
    stage: Stage,
    probe: Option<&str>,
) -> Step<()> {
    if content_type == ContentType::Archive {
        if spec.volume_mode.as_deref() == Some(BLOCK) {
            return Err(Fault::new(stage, ErrorClass::ArchiveOnBlock).into());
        }
        spec.volume_mode = Some(FILESYSTEM.to_owned());
    }
    let virt = content_type == ContentType::Kubevirt;
    let found = storage_class::lookup(spec.class.as_deref(), virt, context.cluster, probe)?;
    let Some(class) = found.class() else {
        if spec.access_modes.is_empty() {
            let fault = Fault::new(stage, ErrorClass::NoStorageClassForRendering);
            return Err(Fault { object: spec.class.clone(), ..fault }.into());
        }
        return Ok(());
    };
    let name = class.meta.name.as_str();
    draft.target_class = Some(class.clone());
    let wanted = Wanted { volume_mode: spec.volume_mode.as_deref(), access_modes: &spec.access_modes };
    let completed = profile::complete(name, wanted, context.cluster)?;
    let completed = completed.map_err(|class| Fault::new(stage, class).about(name))?;
    spec.class = Some(name.to_owned());
    spec.volume_mode = completed.volume_mode;
    spec.access_modes = completed.access_modes;
    Ok(())
}

/// The size (`renderPvcSpecVolumeSize`). A clone may leave it out: that is zero for now.
pub(super) fn volume_size(context: Context<'_>, spec: &mut Spec, is_clone: bool, stage: Stage) -> Step<()> {
    let Some(request) = &spec.request else {
        if !is_clone {
            return Err(Fault::new(stage, ErrorClass::SizeRequestMissing).into());
        }
        spec.request = Some(Quantity::from_bytes(0));
        return Ok(());
    };
    if request.bytes() < size::MIB {
        let fault = Fault::new(stage, ErrorClass::SizeBelow1MiB);
        return Err(Fault { target_size: Some(request.clone()), ..fault }.into());
    }
    let cluster = context.cluster;
    let mut size = size::inflate(request.bytes(), spec.volume_mode.as_deref(), spec.class.as_deref(), cluster)?;
    if let Some(class) = &spec.class {
        size = size::at_least_minimum(size, class, cluster)?;
    }
    spec.request = Some(size);
    Ok(())
}

/// Whether CDI's webhook renders labelled claims: since v1.66 unless CDIConfig disables it
/// (`pkg/controller/common/util.go`, `IsWebhookPvcRenderingEnabled`), before that only with a feature gate
/// (`pkg/feature-gates`). The version is looked up only where the two differ. Without a CDIConfig the operator does not
/// install the webhook (`pkg/operator/controller/callbacks.go`, `reconcilePvcMutatingWebhook`).
pub(super) fn webhook_renders(context: Context<'_>) -> Result<bool, Failure> {
    let Some(config) = context.cluster.cdi_config()?.present() else { return Ok(false) };
    let now = config.webhook_pvc_rendering.as_deref() != Some("Disabled");
    let before = config.feature_gates.iter().any(|gate| gate == "WebhookPvcRendering");
    if now == before {
        return Ok(now);
    }
    Ok(if is_before_1_66(context)? { before } else { now })
}

/// Whether the CDI that is installed is older than v1.66. Without a version that can be read it is taken for the
/// version that this plan mirrors.
pub(super) fn is_before_1_66(context: Context<'_>) -> Result<bool, Failure> {
    let cdi = context.cluster.cdi(context.cdi_name)?.present();
    let version = cdi.as_ref().and_then(|cdi| cdi.observed_version.as_deref()).unwrap_or_default();
    Ok(major_and_minor(version).is_some_and(|version| version < (1, 66)))
}

fn major_and_minor(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.strip_prefix('v').unwrap_or(version).split(['.', '-', '+']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("v1.66.0", Some((1, 66)))]
    #[case("1.65.0", Some((1, 65)))]
    #[case("v1.66.0-rc1", Some((1, 66)))]
    #[case("v2", None)]
    #[case("", None)]
    #[case("latest", None)]
    fn versions(#[case] text: &str, #[case] version: Option<(u32, u32)>) {
        assert_eq!(major_and_minor(text), version);
    }
}
