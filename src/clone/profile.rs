//! What a StorageProfile fills in.

use super::ErrorClass;
use crate::cluster::{Cluster, Failure};

/// The modes that a claim names itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) volume_mode: Option<&'a str>,
    pub(super) access_modes: &'a [String],
}

/// The modes that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Modes {
    pub(super) volume_mode: Option<String>,
    pub(super) access_modes: Vec<String>,
}

/// Completes the modes of a claim from the StorageProfile of its class; the profile is not read where nothing is
/// missing (`pkg/controller/datavolume/util.go`, `getDefaultVolumeAndAccessMode`, `getDefaultAccessModes`,
/// `getDefaultVolumeMode`). The inner error is CDI's.
pub(super) fn complete(
    class: &str,
    wanted: Wanted<'_>,
    cluster: &Cluster<'_>,
) -> Result<Result<Modes, ErrorClass>, Failure> {
    let own_modes = |volume_mode: Option<String>| Modes { volume_mode, access_modes: wanted.access_modes.to_vec() };
    if let Some(mode) = wanted.volume_mode
        && !wanted.access_modes.is_empty()
    {
        return Ok(Ok(own_modes(Some(mode.to_owned()))));
    }
    let Some(profile) = cluster.storage_profile(class)?.present() else {
        return Ok(Err(ErrorClass::StorageProfileNotFound));
    };
    let sets = &profile.claim_property_sets;
    Ok(match wanted.volume_mode {
        // Only the first set counts; all its access modes are taken.
        None if wanted.access_modes.is_empty() => match sets.first().filter(|set| !set.access_modes.is_empty()) {
            Some(set) => Ok(Modes { volume_mode: set.volume_mode.clone(), access_modes: set.access_modes.clone() }),
            None => Err(ErrorClass::StorageProfileNoAccessModes),
        },
        // A set without a volume mode matches no mode, not even Filesystem.
        Some(mode) => {
            let set = sets.iter().find(|set| set.volume_mode.as_deref() == Some(mode) && !set.access_modes.is_empty());
            match set {
                Some(set) => Ok(Modes { volume_mode: Some(mode.to_owned()), access_modes: set.access_modes.clone() }),
                None => Err(ErrorClass::StorageProfileNoMatchingAccessModes),
            }
        }
        // No match is no error: the mode then stays unset.
        None => {
            let set = sets.iter().find(|set| set.access_modes.iter().any(|mode| wanted.access_modes.contains(mode)));
            Ok(own_modes(set.and_then(|set| set.volume_mode.clone())))
        }
    })
}
