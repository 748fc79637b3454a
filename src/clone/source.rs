//! Which claim or snapshot a DataVolume clones.

use super::{Resolved, Unresolved};
use crate::cluster::{Cluster, DataSourceSource, Failure, ObjectRef};
use crate::subject::{ClaimSource, DataVolume, SnapshotSource, Source};

/// What `dv` clones (`pkg/controller/datavolume/{controller-base,clone-controller-base}.go`,
/// `getDataVolumeOp` and `populateSourceIfSourceRef`).
///
/// [`Unresolved::StatusEmpty`] is CDI's error `DataSourceEmpty`; for the other reasons no controller takes the
/// DataVolume, and CDI waits.
///
/// # Errors
/// A DataSource could not be looked up.
pub fn resolve(dv: &DataVolume, cluster: &Cluster<'_>) -> Result<Resolved, Failure> {
    match &dv.source {
        Source::Claim(claim) => Ok(Resolved::Claim(ClaimSource {
            namespace: or_else(&claim.namespace, &dv.namespace),
            name: claim.name.clone(),
        })),
        Source::Snapshot(snapshot) => Ok(Resolved::Snapshot(SnapshotSource {
            namespace: or_else(&snapshot.namespace, &dv.namespace),
            name: snapshot.name.clone(),
        })),
        Source::DataSource { namespace, name } => {
            let namespace = or_else(namespace, &dv.namespace);
            // A source without a namespace lies in the DataVolume's, not in the DataSource's (`findSourcePvc`). Where
            // virt-controller puts the source into the DataVolume, it is the other way round (`kubevirt/kubevirt`,
            // `pkg/storage/types/dv.go`, `GetResolvedCloneSource`).
            let default_namespace = if dv.is_template { &namespace } else { &dv.namespace };
            Ok(match follow(&namespace, name, default_namespace, cluster)? {
                Ok(source) => source,
                Err(why) => Resolved::Unresolved { namespace, name: name.clone(), why },
            })
        }
        Source::Import | Source::Upload | Source::Blank | Source::None => Ok(Resolved::NotAClone),
    }
}

/// What the DataSource gives; `default_namespace` is that of a source that names none.
///
/// CDI follows one link to pick the controller (`ResolveDataSourceChain`), but takes the source itself from the
/// `status.source` of the DataSource that the DataVolume names, not from the one that it links to.
fn follow(
    namespace: &str,
    name: &str,
    default_namespace: &str,
    cluster: &Cluster<'_>,
) -> Result<Result<Resolved, Unresolved>, Failure> {
    let Some(first) = cluster.data_source(namespace, name)?.present() else {
        return Ok(Err(Unresolved::Missing));
    };
    let Some(link) = &first.spec_source.data_source else {
        return Ok(named(&first.spec_source, true, default_namespace).ok_or(Unresolved::Empty));
    };
    let link_namespace = or_else(&link.namespace, namespace);
    if link_namespace != namespace {
        return Ok(Err(Unresolved::OtherNamespace));
    }
    if link.name == name {
        return Ok(Err(Unresolved::ToItself));
    }
    let Some(second) = cluster.data_source(namespace, &link.name)?.present() else {
        return Ok(Err(Unresolved::LinkMissing));
    };
    let linked = &second.spec_source;
    if linked.data_source.is_some() {
        return Ok(Err(Unresolved::TooDeep));
    }
    if linked.pvc.is_none() && linked.snapshot.is_none() {
        return Ok(Err(Unresolved::Empty));
    }
    Ok(named(&first.status_source, linked.pvc.is_some(), default_namespace).ok_or(Unresolved::StatusEmpty))
}

/// The claim or snapshot that `source` names. Where it names both, the controller that took the DataVolume decides.
fn named(source: &DataSourceSource, claim_first: bool, default_namespace: &str) -> Option<Resolved> {
    let claim = |of: &ObjectRef| {
        let namespace = or_else(&of.namespace, default_namespace);
        Resolved::Claim(ClaimSource { namespace, name: of.name.clone() })
    };
    let snapshot = |of: &ObjectRef| {
        let namespace = or_else(&of.namespace, default_namespace);
        Resolved::Snapshot(SnapshotSource { namespace, name: of.name.clone() })
    };
    match (&source.pvc, &source.snapshot) {
        (Some(pvc), None) => Some(claim(pvc)),
        (Some(pvc), Some(_)) if claim_first => Some(claim(pvc)),
        (_, Some(of)) => Some(snapshot(of)),
        (None, None) => None,
    }
}

fn or_else(text: &str, default: &str) -> String {
    if text.is_empty() { default.to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::testing::{ask, disk};
    use crate::cluster::{DataSource, Meta, Objects};
    use rstest::rstest;

    fn of(name: &str) -> Option<ObjectRef> {
        Some(ObjectRef { namespace: "images".to_owned(), name: name.to_owned() })
    }

    fn pvc() -> DataSourceSource {
        DataSourceSource { pvc: of("claim"), ..DataSourceSource::default() }
    }

    fn link(namespace: &str, name: &str) -> DataSourceSource {
        let link = ObjectRef { namespace: namespace.to_owned(), name: name.to_owned() };
        DataSourceSource { data_source: Some(link), ..DataSourceSource::default() }
    }

    fn data_source(name: &str, spec_source: DataSourceSource, status_source: DataSourceSource) -> DataSource {
        DataSource { meta: Meta::new("images", name), spec_source, status_source }
    }

    fn resolved(first: Option<DataSource>, second: Option<DataSource>) -> Result<Resolved, Unresolved> {
        let source = Source::DataSource { namespace: "images".to_owned(), name: "first".to_owned() };
        let dv = DataVolume { source, ..disk(None) };
        let objects: Objects = first.into_iter().chain(second).map(Into::into).collect();
        match ask(&objects, |cluster| resolve(&dv, cluster)) {
            Ok(Resolved::Unresolved { why, .. }) => Err(why),
            Ok(other) => Ok(other),
            Err(failure) => panic!("{failure:?}"),
        }
    }

    #[rstest]
    #[case::it_does_not_exist(None, None, Unresolved::Missing)]
    #[case::it_names_nothing(Some(DataSourceSource::default()), None, Unresolved::Empty)]
    #[case::it_links_to_nothing(Some(link("", "second")), None, Unresolved::LinkMissing)]
    #[case::it_links_to_itself(Some(link("images", "first")), None, Unresolved::ToItself)]
    #[case::it_links_into_another_namespace(Some(link("other", "second")), Some(pvc()), Unresolved::OtherNamespace)]
    #[case::the_link_goes_on(Some(link("", "second")), Some(link("", "third")), Unresolved::TooDeep)]
    #[case::the_link_names_nothing(Some(link("", "second")), Some(DataSourceSource::default()), Unresolved::Empty)]
    #[case::the_status_is_not_filled_yet(Some(link("", "second")), Some(pvc()), Unresolved::StatusEmpty)]
    fn a_data_source_gives_no_source(
        #[case] first: Option<DataSourceSource>,
        #[case] second: Option<DataSourceSource>,
        #[case] why: Unresolved,
    ) {
        let first = first.map(|spec| data_source("first", spec, DataSourceSource::default()));
        let second = second.map(|spec| data_source("second", spec, DataSourceSource::default()));
        assert_eq!(resolved(first, second), Err(why));
    }

    #[test]
    fn without_a_link_the_spec_counts_and_the_status_does_not() {
        let stale = DataSourceSource { pvc: of("stale"), ..DataSourceSource::default() };
        let claim = ClaimSource { namespace: "images".to_owned(), name: "claim".to_owned() };
        assert_eq!(resolved(Some(data_source("first", pvc(), stale)), None), Ok(Resolved::Claim(claim)));
    }

    #[test]
    fn with_a_link_the_status_of_the_first_counts() {
        let first = data_source("first", link("", "second"), pvc());
        let other = DataSourceSource { pvc: of("other"), ..DataSourceSource::default() };
        let second = data_source("second", other, DataSourceSource::default());
        let claim = ClaimSource { namespace: "images".to_owned(), name: "claim".to_owned() };
        assert_eq!(resolved(Some(first), Some(second)), Ok(Resolved::Claim(claim)));
    }

    #[test]
    fn a_claim_is_preferred_over_a_snapshot_and_lies_in_the_disks_namespace_where_none_is_named() {
        let claim = ObjectRef { namespace: String::new(), name: "claim".to_owned() };
        let both = DataSourceSource { pvc: Some(claim), snapshot: of("snapshot"), data_source: None };
        let expected = ClaimSource { namespace: "tenant".to_owned(), name: "claim".to_owned() };
        let first = data_source("first", both, DataSourceSource::default());
        assert_eq!(resolved(Some(first), None), Ok(Resolved::Claim(expected)));
    }
}
