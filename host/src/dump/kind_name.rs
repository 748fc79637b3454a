//! The kinds by the names that people and kubectl give them.

use vmdisk_policy::cluster::Kind;

use crate::kinds::plural;

/// A name of no kind that the policy looks up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no kind that the policy looks up is called `{0}`; it looks up {known}", known = known())]
pub struct UnknownKind(pub String);

/// The kind of that name: `PersistentVolume`, `persistentvolumes`, `pv`, `datavolumes.cdi.kubevirt.io`.
///
/// # Errors
/// There is none.
pub fn kind_named(name: &str) -> Result<Kind, UnknownKind> {
    let lower = name.trim().to_lowercase();
    let found = Kind::ALL.into_iter().find(|kind| {
        let group = kind.api_version().split_once('/').map_or("", |(group, _)| group);
        let bare = lower.strip_suffix(group).and_then(|rest| rest.strip_suffix('.')).unwrap_or(&lower);
        bare == kind.name().to_lowercase() || bare == plural(kind.name()) || Some(bare) == short(*kind)
    });
    found.ok_or_else(|| UnknownKind(name.to_owned()))
}

/// kubectl's short name.
fn short(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::PersistentVolumeClaim => Some("pvc"),
        Kind::PersistentVolume => Some("pv"),
        Kind::StorageClass => Some("sc"),
        Kind::DataVolume => Some("dv"),
        Kind::DataSource => Some("das"),
        Kind::VolumeSnapshot => Some("vs"),
        Kind::VolumeSnapshotClass => Some("vsclass"),
        Kind::VolumeSnapshotContent => Some("vsc"),
        Kind::CsiDriver | Kind::StorageProfile | Kind::Cdi | Kind::CdiConfig => None,
    }
}

fn known() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_all_their_names() {
        for (name, kind) in [
            ("PersistentVolume", Kind::PersistentVolume),
            ("pvc", Kind::PersistentVolumeClaim),
            ("storageclasses", Kind::StorageClass),
            ("storageclass.storage.k8s.io", Kind::StorageClass),
            ("datavolumes.cdi.kubevirt.io", Kind::DataVolume),
            (" CDI ", Kind::Cdi),
        ] {
            assert_eq!(kind_named(name), Ok(kind), "{name}");
        }
        let error = kind_named("secrets").unwrap_err().to_string();
        assert!(error.starts_with("no kind that the policy looks up is called `secrets`; it looks up Persistent"));
    }
}
