//! The target claim, as the API server takes it or refuses it.

use super::render::{self, Rendered};
use super::steps::{Context, Draft, Spec, Step};
use super::{ErrorClass, Fault, Stage, populator::Maker, storage_class};
use crate::quantity::Quantity;

/// The claim that comes into being: the API server's default class, then CDI's webhook
/// (`pkg/apiserver/webhooks/pvc-mutate.go`, `RenderPvc`), then the API server's validation.
pub(super) fn create(context: Context<'_>, draft: &mut Draft, rendered: Rendered, maker: Maker) -> Step<Spec> {
    let Rendered { mut spec, webhook } = rendered;
    // What the populator notes on the claim depends on a feature gate (`updatePVCForPopulation`).
    if maker == Maker::Populator && context.cluster.cdi_config()?.present().is_none() {
        return Err(Fault::new(Stage::Sync, ErrorClass::NoCDIConfig).into());
    }
    if spec.class.is_none() {
        let class = storage_class::with_kubernetes_default(None, context.cluster)?;
        spec.class = class.map(|class| class.meta.name.clone());
    }
    if webhook {
        render::modes(context, draft, &mut spec, context.dv.content_type, Stage::Create, None)?;
        match maker {
            // The size of a clone's claim is left alone, unless it is zero: then the webhook looks for the clone's
            // source object, which CDI creates after the claim.
            Maker::Populator if spec.has_size() => {}
            Maker::Populator => {
                return Err(Fault::new(Stage::Create, ErrorClass::VolumeCloneSourceNotFound).into());
            }
            Maker::Legacy(_) => render::volume_size(context, &mut spec, false, Stage::Create)?,
        }
    }
    validate(&spec, Stage::Create)?;
    draft.target = Some(spec.claim());
    Ok(spec)
}

/// What the API server asks of every claim (`k8s.io/kubernetes/pkg/apis/core/validation`,
/// `ValidatePersistentVolumeClaimSpec`).
pub(super) fn validate(spec: &Spec, stage: Stage) -> Step<()> {
    if spec.access_modes.is_empty() {
        return Err(Fault::new(stage, ErrorClass::InvalidClaimNoAccessModes).into());
    }
    if spec.request.as_ref().is_none_or(|request| *request <= Quantity::from_bytes(0)) {
        return Err(Fault::new(stage, ErrorClass::InvalidClaimSize).into());
    }
    Ok(())
}
