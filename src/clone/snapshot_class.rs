//! Which VolumeSnapshotClass takes the snapshot.

use super::{keys, storage_class};
use crate::cluster::{Answer, Claim, Cluster, Failure, StorageClass};

/// A VolumeSnapshotClass, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotClassAnswer {
    /// This one.
    Class(String),
    /// None serves: choosing falls back to copying, planning fails.
    None,
    /// The profiles agree on this one, and it does not exist: an error, over and over, not a reason to copy.
    Missing(String),
}

/// The class that CDI finds while *choosing*: it looks at the source and the target
/// (`pkg/controller/clone/common.go`, `GetCompatibleVolumeSnapshotClass`). `driver` is the one that both share.
///
/// The target's profile is read first, because without a name in it the source's cannot matter.
///
/// # Errors
/// A class or a profile could not be looked up.
pub fn for_clone(
    source: &Claim,
    target_class: &StorageClass,
    driver: &str,
    cluster: &Cluster<'_>,
) -> Result<SnapshotClassAnswer, Failure> {
    let Some(name) = preferred(&target_class.meta.name, cluster)? else {
        return any_of(driver, None, cluster);
    };
    if source_prefers(source, &name, target_class, cluster)? {
        by_name(name, driver, cluster)
    } else {
        // Planning will need the class that the target's profile names.
        any_of(driver, Some(&name), cluster)
    }
}

/// The class that CDI finds while *planning*: it looks at the target alone, so it may differ from the one that was
/// found while choosing (`pkg/controller/clone/planner.go`, `planSnapshotFromPVC`).
///
/// # Errors
/// A class or the profile could not be looked up.
pub fn for_target(target_class: &StorageClass, cluster: &Cluster<'_>) -> Result<SnapshotClassAnswer, Failure> {
    match preferred(&target_class.meta.name, cluster)? {
        Some(name) => by_name(name, &target_class.provisioner, cluster),
        None => any_of(&target_class.provisioner, None, cluster),
    }
}

/// The class that the StorageProfile of that StorageClass names.
fn preferred(storage_class: &str, cluster: &Cluster<'_>) -> Result<Option<String>, Failure> {
    Ok(cluster.storage_profile(storage_class)?.present().and_then(|profile| profile.snapshot_class.clone()))
}

/// Whether the source's profile names that class. A source that names no StorageClass counts as one of the default
/// class here, other than where its driver is asked for (`getSnapshotClassForClaim`).
fn source_prefers(
    source: &Claim,
    name: &str,
    target_class: &StorageClass,
    cluster: &Cluster<'_>,
) -> Result<bool, Failure> {
    let class = source.storage_class_name.as_deref();
    if class == Some(&target_class.meta.name) {
        return Ok(true);
    }
    let Some(class) = storage_class::with_kubernetes_default(class, cluster)? else {
        return Ok(false);
    };
    Ok(preferred(&class.meta.name, cluster)?.as_deref() == Some(name))
}

/// `pkg/controller/common/util.go`, `GetVolumeSnapshotClass`, with a name: no other class is tried.
///
/// Where the kind is not served CDI fails on the unknown kind; that there is then no class is a decision of the
/// policy's (such a cluster has no snapshots that could fail).
fn by_name(name: String, driver: &str, cluster: &Cluster<'_>) -> Result<SnapshotClassAnswer, Failure> {
    Ok(match cluster.volume_snapshot_class(&name)? {
        Answer::Present(class) if class.driver == driver => SnapshotClassAnswer::Class(name),
        Answer::Present(_) | Answer::NotServed => SnapshotClassAnswer::None,
        Answer::Absent => SnapshotClassAnswer::Missing(name),
    })
}

/// The same function without a name: the driver's default class, else its first by name.
fn any_of(driver: &str, probe: Option<&str>, cluster: &Cluster<'_>) -> Result<SnapshotClassAnswer, Failure> {
    let classes = cluster.volume_snapshot_classes(probe)?.present().unwrap_or_default();
    let mut of_driver: Vec<_> = classes.iter().filter(|class| class.driver == driver).collect();
    of_driver.sort_by(|a, b| a.meta.name.cmp(&b.meta.name));
    let default = of_driver.iter().find(|class| class.meta.annotation(keys::DEFAULT_SNAPSHOT_CLASS) == Some("true"));
    let class = default.or(of_driver.first());
    Ok(class.map_or(SnapshotClassAnswer::None, |class| SnapshotClassAnswer::Class(class.meta.name.clone())))
}
