//! Which strategy is asked for, before anything is compared.

use super::{Origin, Strategy, go, keys};
use crate::cluster::{Cdi, Cluster, Failure};
use crate::subject::DataVolume;

/// The strategy that is asked for when a claim is cloned, and where that is said: `usePopulator` false as a Go bool
/// (which leaves only a copy), the DataVolume's `cloneType`, the CDI resource, the target's StorageProfile, else
/// `snapshot`. `None` where the CDI resource does not exist: then CDI chooses nothing.
///
/// # Errors
/// The CDI resource, or the StorageProfile, could not be looked up.
pub fn requested_strategy(
    dv: &DataVolume,
    target_class_name: &str,
    cluster: &Cluster<'_>,
    cdi_name: &str,
) -> Result<Option<(Strategy, Origin)>, Failure> {
    let Some(cdi) = cluster.cdi(cdi_name)?.present() else {
        return Ok(None);
    };
    if dv.annotation(keys::USE_POPULATOR).and_then(go::parse_bool) == Some(false) {
        return Ok(Some((Strategy::Copy, Origin::UsePopulatorAnnotation)));
    }
    if let Some(preset) = dv.annotation(keys::CLONE_TYPE) {
        return Ok(Some((Strategy::from(preset), Origin::CloneTypeAnnotation)));
    }
    configured(&cdi, target_class_name, cluster).map(Some)
}

/// What the CDI resource and the target's StorageProfile ask for. The source's profile plays no part
/// (`pkg/controller/clone/planner.go`, `computeStrategyForSourcePVC`).
pub(super) fn configured(
    cdi: &Cdi,
    target_class_name: &str,
    cluster: &Cluster<'_>,
) -> Result<(Strategy, Origin), Failure> {
    if let Some(strategy) = &cdi.clone_strategy_override {
        return Ok((Strategy::from(strategy.as_str()), Origin::Override));
    }
    let profile = cluster.storage_profile(target_class_name)?.present();
    Ok(match profile.as_ref().and_then(|profile| profile.clone_strategy.as_deref()) {
        Some(strategy) => (Strategy::from(strategy), Origin::Profile),
        None => (Strategy::Snapshot, Origin::Default),
    })
}
