//! The claim that CDI makes for the new disk: its modes.

use super::profile::{self, Wanted};
use super::{BLOCK, FILESYSTEM};
use crate::cluster::{Cluster, Failure, StorageClass};
use crate::subject::{ContentType, DataVolume, SpecForm};

/// The volume mode of a new disk of `class`; `None` where nothing says it, because CDI will render no claim.
///
/// `spec.pvc` is taken as it is; `spec.storage` is completed from the StorageProfile where it names no mode. Unset in a
/// known place is `Filesystem`.
///
/// # Errors
/// The StorageProfile could not be looked up.
pub fn volume_mode(dv: &DataVolume, class: &StorageClass, cluster: &Cluster<'_>) -> Result<Option<String>, Failure> {
    let Some(target) = &dv.target else {
        return Ok(None);
    };
    let own = target.volume_mode.as_deref();
    if target.form == SpecForm::Pvc {
        return Ok(Some(resolve_mode(own).to_owned()));
    }
    if dv.content_type == ContentType::Archive {
        // CDI refuses a Block volume for an archive, and makes any other one Filesystem.
        return Ok((own != Some(BLOCK)).then(|| FILESYSTEM.to_owned()));
    }
    if own.is_some() {
        return Ok(Some(resolve_mode(own).to_owned()));
    }
    let wanted = Wanted { volume_mode: None, access_modes: &target.access_modes };
    let picked = profile::complete(&class.meta.name, wanted, cluster)?;
    Ok(picked.ok().map(|modes| resolve_mode(modes.volume_mode.as_deref()).to_owned()))
}

/// What a volume mode comes to: anything but `Block` is `Filesystem` (`pkg/util/util.go`, `ResolveVolumeMode`).
pub(crate) fn resolve_mode(mode: Option<&str>) -> &'static str {
    if mode == Some(BLOCK) { BLOCK } else { FILESYSTEM }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::testing::{ask, class, disk, set};
    use crate::cluster::{ClaimPropertySet, Meta, Objects, StorageProfile};
    use crate::subject::TargetSpec;
    use rstest::rstest;

    fn mode(target: TargetSpec, content_type: ContentType, sets: Option<Vec<ClaimPropertySet>>) -> Option<String> {
        let dv = DataVolume { content_type, target: Some(target), ..disk(None) };
        let objects: Objects = sets
            .map(|claim_property_sets| StorageProfile {
                meta: Meta::new("", "local"),
                claim_property_sets,
                ..StorageProfile::default()
            })
            .into_iter()
            .map(Into::into)
            .collect();
        ask(&objects, |cluster| volume_mode(&dv, &class("local", "driver"), cluster)).unwrap()
    }

    fn storage(own: Option<&str>, access_modes: &[&str]) -> TargetSpec {
        TargetSpec {
            volume_mode: own.map(str::to_owned),
            access_modes: access_modes.iter().map(|mode| (*mode).to_owned()).collect(),
            ..disk(None).target.unwrap()
        }
    }

    fn both() -> Option<Vec<ClaimPropertySet>> {
        Some(vec![set(&["ReadWriteMany"], Some("Block")), set(&["ReadWriteOnce"], Some("Filesystem"))])
    }

    #[rstest]
    #[case::its_own(storage(Some("Block"), &[]), None, Some("Block"))]
    #[case::the_first_set(storage(None, &[]), both(), Some("Block"))]
    #[case::the_first_set_that_shares_an_access_mode(storage(None, &["ReadWriteOnce"]), both(), Some("Filesystem"))]
    #[case::unset_where_no_set_shares_one(storage(None, &["ReadOnlyMany"]), both(), Some("Filesystem"))]
    #[case::unset_in_the_first_set(storage(None, &[]), Some(vec![set(&["ReadWriteOnce"], None)]), Some("Filesystem"))]
    #[case::unknown_without_a_set(storage(None, &[]), Some(Vec::new()), None)]
    #[case::unknown_where_the_first_set_has_no_access_modes(storage(None, &[]), Some(vec![set(&[], Some("Block"))]), None)]
    #[case::unknown_without_a_profile(storage(None, &["ReadWriteOnce"]), None, None)]
    fn the_mode_of_a_storage_target(
        #[case] target: TargetSpec,
        #[case] sets: Option<Vec<ClaimPropertySet>>,
        #[case] expected: Option<&str>,
    ) {
        assert_eq!(mode(target, ContentType::Kubevirt, sets).as_deref(), expected);
    }

    #[rstest]
    #[case::forced(None, Some("Filesystem"))]
    #[case::given(Some("Filesystem"), Some("Filesystem"))]
    #[case::impossible(Some("Block"), None)]
    fn an_archive_needs_a_file_system(#[case] own: Option<&str>, #[case] expected: Option<&str>) {
        assert_eq!(mode(storage(own, &[]), ContentType::Archive, both()).as_deref(), expected);
    }

    #[rstest]
    #[case::its_own(Some("Block"), "Block")]
    #[case::unset(None, "Filesystem")]
    fn a_verbatim_claim_needs_no_profile(#[case] own: Option<&str>, #[case] expected: &str) {
        let target = TargetSpec { form: SpecForm::Pvc, ..storage(own, &[]) };
        assert_eq!(mode(target, ContentType::Kubevirt, None).as_deref(), Some(expected));
    }
}
