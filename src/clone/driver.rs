//! Which CSI driver a claim's volume belongs to.

use crate::cluster::{Claim, Cluster, Failure, StorageClass};

/// CDI's reading of a claim's driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// This one.
    Known(String),
    /// Neither the volume nor the class says.
    None,
    /// The volume's `claimRef` names another claim: CDI takes that for an error, not for a reason to copy.
    ClaimRefMismatch,
}

/// The driver of a claim, as CDI reads it: of its volume, else the provisioner of its class
/// (`pkg/controller/clone/common.go`, `GetDriverFromVolume` and `GetCommonDriver`).
///
/// The volume counts only if it has a `claimRef`; the class only if it is named, a default one does not count.
///
/// # Errors
/// The volume or the class could not be looked up.
pub fn cdi_driver(claim: &Claim, cluster: &Cluster<'_>) -> Result<Driver, Failure> {
    if let Some(name) = &claim.volume_name
        && let Some(volume) = cluster.volume(name)?.present()
        && let Some((namespace, name)) = &volume.claim_ref
    {
        // The UID is not compared, and the claimRef comes before a look at `csi`.
        if *namespace != claim.meta.namespace || *name != claim.meta.name {
            return Ok(Driver::ClaimRefMismatch);
        }
        if let Some(driver) = &volume.csi_driver {
            return Ok(Driver::Known(driver.clone()));
        }
    }
    let Some(class) = claim.storage_class_name.as_deref().filter(|name| !name.is_empty()) else {
        return Ok(Driver::None);
    };
    let class = cluster.storage_class(class)?.present();
    Ok(class.map_or(Driver::None, |class| Driver::Known(class.provisioner.clone())))
}

/// `spec.csi.driver` of the volume that the claim names, whatever that volume's `claimRef` says.
///
/// # Errors
/// The volume could not be looked up.
pub fn volume_driver(claim: &Claim, cluster: &Cluster<'_>) -> Result<Option<String>, Failure> {
    let Some(name) = &claim.volume_name else {
        return Ok(None);
    };
    Ok(cluster.volume(name)?.present().and_then(|volume| volume.csi_driver.clone()))
}

/// The driver that an existing source and a new disk of `target_class` share. The new disk has no volume yet, so the
/// class's provisioner is its driver (`GetCommonDriver`).
pub(super) fn common_driver(
    source: &Claim,
    target_class: &StorageClass,
    cluster: &Cluster<'_>,
) -> Result<Driver, Failure> {
    Ok(match cdi_driver(source, cluster)? {
        Driver::Known(driver) if driver != target_class.provisioner => Driver::None,
        driver @ (Driver::Known(_) | Driver::None | Driver::ClaimRefMismatch) => driver,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::testing::{CEPH, LINSTOR, ask, class, golden, volume};
    use crate::cluster::{Objects, Volume};
    use rstest::rstest;

    const OWN: Option<(&str, &str)> = Some(("cozy-public", "golden"));

    #[rstest]
    #[case::its_volume_before_its_class(Some(volume(Some(CEPH), OWN)), Driver::Known(CEPH.to_owned()))]
    #[case::its_class_without_a_volume(None, Driver::Known(LINSTOR.to_owned()))]
    #[case::its_class_without_a_claim_ref(Some(volume(Some(CEPH), None)), Driver::Known(LINSTOR.to_owned()))]
    #[case::its_class_for_a_volume_that_is_no_csi_volume(Some(volume(None, OWN)), Driver::Known(LINSTOR.to_owned()))]
    #[case::a_claim_ref_to_another_namespace(
        Some(volume(Some(CEPH), Some(("other", "golden")))),
        Driver::ClaimRefMismatch
    )]
    #[case::a_claim_ref_to_another_claim_even_without_csi(
        Some(volume(None, Some(("cozy-public", "other")))),
        Driver::ClaimRefMismatch
    )]
    fn the_driver_of_a_claim(#[case] volume: Option<Volume>, #[case] expected: Driver) {
        let objects: Objects =
            volume.map(Into::into).into_iter().chain([class("replicated", LINSTOR).into()]).collect();
        assert_eq!(ask(&objects, |cluster| cdi_driver(&golden(), cluster)), Ok(expected));
    }

    #[rstest]
    #[case::names_none(None)]
    #[case::names_the_empty_one(Some(""))]
    #[case::names_one_that_is_gone(Some("gone"))]
    fn there_is_none_without_a_volume_where_the_claim(#[case] class: Option<&str>) {
        let claim = Claim { storage_class_name: class.map(str::to_owned), ..golden() };
        assert_eq!(ask(&Objects::new(), |cluster| cdi_driver(&claim, cluster)), Ok(Driver::None));
    }

    #[test]
    fn the_volumes_own_word_does_not_depend_on_its_claim_ref() {
        let objects = Objects::new().with(volume(Some(CEPH), Some(("other", "other"))));
        assert_eq!(ask(&objects, |cluster| volume_driver(&golden(), cluster)), Ok(Some(CEPH.to_owned())));
    }
}
