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
pub(super) fn resolve_mode(mode: Option<&str>) -> &'static str {
    if mode == Some(BLOCK) { BLOCK } else { FILESYSTEM }
}
