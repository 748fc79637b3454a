//! Which VolumeSnapshotClass takes the snapshot.

use super::{keys, storage_class};
use crate::cluster::{Answer, Claim, Cluster, Failure, StorageClass};
use crate::json::sorted;

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
    let of_driver: Vec<_> = classes.iter().filter(|class| class.driver == driver).collect();
    let of_driver = sorted(of_driver, &|a, b| a.meta.name < b.meta.name);
    let default = of_driver.iter().find(|class| class.meta.annotation(keys::DEFAULT_SNAPSHOT_CLASS) == Some("true"));
    let class = default.or(of_driver.first());
    Ok(class.map_or(SnapshotClassAnswer::None, |class| SnapshotClassAnswer::Class(class.meta.name.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::testing::{
        CEPH, LINSTOR, Watched, ask, class, default_snapshot_class, golden, profile, snapshot_class,
    };
    use crate::cluster::{Kind, Objects};
    use rstest::rstest;

    /// Classes `a` and `b` of LINSTOR, `b` its default; `ceph` of another driver; profiles that name what is given.
    fn cluster(of_source: Option<&str>, of_target: Option<&str>) -> Objects {
        Objects::new()
            .with(class("replicated", LINSTOR))
            .with(profile("replicated", None, of_source))
            .with(profile("local", None, of_target))
            .with(snapshot_class("a", LINSTOR))
            .with(default_snapshot_class("b", LINSTOR))
            .with(default_snapshot_class("ceph", CEPH))
    }

    fn named(name: &str) -> SnapshotClassAnswer {
        SnapshotClassAnswer::Class(name.to_owned())
    }

    fn missing(name: &str) -> SnapshotClassAnswer {
        SnapshotClassAnswer::Missing(name.to_owned())
    }

    #[rstest]
    #[case::both_name_it(Some("a"), Some("a"), named("a"), named("a"))]
    #[case::both_name_one_that_is_gone(Some("gone"), Some("gone"), missing("gone"), missing("gone"))]
    #[case::both_name_one_of_another_driver(
        Some("ceph"),
        Some("ceph"),
        SnapshotClassAnswer::None,
        SnapshotClassAnswer::None
    )]
    #[case::only_the_target_names_one_that_is_gone(None, Some("gone"), named("b"), missing("gone"))]
    #[case::only_the_source_names_one_that_is_gone(Some("gone"), None, named("b"), named("b"))]
    #[case::they_name_different_ones(Some("b"), Some("a"), named("b"), named("a"))]
    #[case::neither_names_one(None, None, named("b"), named("b"))]
    fn choosing_looks_at_both_profiles_and_planning_at_the_targets(
        #[case] of_source: Option<&str>,
        #[case] of_target: Option<&str>,
        #[case] choosing: SnapshotClassAnswer,
        #[case] planning: SnapshotClassAnswer,
    ) {
        let (objects, local) = (cluster(of_source, of_target), class("local", LINSTOR));
        assert_eq!(ask(&objects, |cluster| for_clone(&golden(), &local, LINSTOR, cluster)), Ok(choosing));
        assert_eq!(ask(&objects, |cluster| for_target(&local, cluster)), Ok(planning));
    }

    #[test]
    fn a_source_of_a_class_that_is_gone_names_none() {
        let objects = cluster(Some("a"), Some("a"));
        let source = Claim { storage_class_name: Some("gone".to_owned()), ..golden() };
        let found = ask(&objects, |cluster| for_clone(&source, &class("local", LINSTOR), LINSTOR, cluster));
        assert_eq!(found, Ok(named("b")));
    }

    #[test]
    fn without_a_default_the_first_by_name_serves() {
        let objects = Objects::new().with(snapshot_class("z", LINSTOR)).with(snapshot_class("y", LINSTOR));
        assert_eq!(ask(&objects, |cluster| for_target(&class("local", LINSTOR), cluster)), Ok(named("y")));
    }

    #[rstest]
    #[case::with_a_name(Some("a"))]
    #[case::without_a_name(None)]
    fn a_cluster_without_the_kind_has_no_class(#[case] name: Option<&str>) {
        let lookup = Watched::not_served(cluster(name, name), Kind::VolumeSnapshotClass);
        let found = for_clone(&golden(), &class("local", LINSTOR), LINSTOR, &Cluster::new(&lookup));
        assert_eq!(found, Ok(SnapshotClassAnswer::None));
        assert!(!lookup.asked.borrow().contains(&"VolumeSnapshotClass list".to_owned()));
    }

    #[test]
    fn the_classes_are_listed_only_where_the_profiles_name_none_in_common() {
        let lookup = Watched::new(cluster(Some("a"), Some("a")));
        for_clone(&golden(), &class("local", LINSTOR), LINSTOR, &Cluster::new(&lookup)).unwrap();
        assert!(!lookup.asked.borrow().contains(&"VolumeSnapshotClass list".to_owned()));
        let lookup = Watched::new(cluster(Some("b"), Some("a")));
        for_clone(&golden(), &class("local", LINSTOR), LINSTOR, &Cluster::new(&lookup)).unwrap();
        let asked = lookup.asked.borrow();
        // A get comes first, of the class that planning needs.
        assert_eq!(asked[asked.len() - 2..], ["VolumeSnapshotClass a", "VolumeSnapshotClass list"]);
    }
}
