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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::testing::{annotated, ask, cdi, disk, profile};
    use crate::cluster::Objects;
    use rstest::rstest;

    #[rstest]
    #[case::the_override(Some("csi-clone"), Some("copy"), Strategy::CsiClone, Origin::Override)]
    #[case::the_targets_profile(None, Some("copy"), Strategy::Copy, Origin::Profile)]
    #[case::neither(None, None, Strategy::Snapshot, Origin::Default)]
    #[case::a_word_that_cdi_does_not_know(Some(""), None, Strategy::Unknown(String::new()), Origin::Override)]
    fn configuration_asks_for(
        #[case] clone_strategy_override: Option<&str>,
        #[case] of_profile: Option<&str>,
        #[case] strategy: Strategy,
        #[case] origin: Origin,
    ) {
        let objects = Objects::new().with(cdi(clone_strategy_override)).with(profile("local", of_profile, None));
        let asked = ask(&objects, |cluster| requested_strategy(&disk(None), "local", cluster, "cdi"));
        assert_eq!(asked, Ok(Some((strategy, origin))));
    }

    #[test]
    fn without_a_profile_it_is_a_snapshot() {
        let objects = Objects::new().with(cdi(None));
        let asked = ask(&objects, |cluster| requested_strategy(&disk(None), "local", cluster, "cdi"));
        assert_eq!(asked, Ok(Some((Strategy::Snapshot, Origin::Default))));
    }

    #[test]
    fn without_a_cdi_resource_nothing_is_asked_for() {
        let asked = ask(&Objects::new(), |cluster| requested_strategy(&disk(None), "local", cluster, "cdi"));
        assert_eq!(asked, Ok(None));
    }

    #[rstest]
    #[case::a_preset(keys::CLONE_TYPE, "snapshot", Strategy::Snapshot, Origin::CloneTypeAnnotation)]
    #[case::no_populator(keys::USE_POPULATOR, "F", Strategy::Copy, Origin::UsePopulatorAnnotation)]
    #[case::a_populator(keys::USE_POPULATOR, "t", Strategy::CsiClone, Origin::Override)]
    #[case::no_boolean(keys::USE_POPULATOR, "no", Strategy::CsiClone, Origin::Override)]
    fn annotations_come_before_configuration(
        #[case] key: &str,
        #[case] value: &str,
        #[case] strategy: Strategy,
        #[case] origin: Origin,
    ) {
        let objects = Objects::new().with(cdi(Some("csi-clone")));
        let dv = annotated(disk(None), key, value);
        let asked = ask(&objects, |cluster| requested_strategy(&dv, "local", cluster, "cdi"));
        assert_eq!(asked, Ok(Some((strategy, origin))));
    }
}
