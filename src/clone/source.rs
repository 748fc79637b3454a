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
            Ok(match follow(&namespace, name, &dv.namespace, cluster)? {
                Ok(source) => source,
                Err(why) => Resolved::Unresolved { namespace, name: name.clone(), why },
            })
        }
        Source::Import | Source::Upload | Source::Blank | Source::None => Ok(Resolved::NotAClone),
    }
}

/// What the DataSource gives, for a DataVolume in `dv_namespace`.
///
/// CDI follows one link to pick the controller (`ResolveDataSourceChain`), but takes the source itself from the
/// `status.source` of the DataSource that the DataVolume names, not from the one that it links to.
fn follow(
    namespace: &str,
    name: &str,
    dv_namespace: &str,
    cluster: &Cluster<'_>,
) -> Result<Result<Resolved, Unresolved>, Failure> {
    let Some(first) = cluster.data_source(namespace, name)?.present() else {
        return Ok(Err(Unresolved::Missing));
    };
    let Some(link) = &first.spec_source.data_source else {
        return Ok(named(&first.spec_source, true, dv_namespace).ok_or(Unresolved::Empty));
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
    Ok(named(&first.status_source, linked.pvc.is_some(), dv_namespace).ok_or(Unresolved::StatusEmpty))
}

/// The claim or snapshot that `source` names. Where it names both, the controller that took the DataVolume decides.
fn named(source: &DataSourceSource, claim_first: bool, dv_namespace: &str) -> Option<Resolved> {
    // A source without a namespace is looked for in the DataVolume's, not in the DataSource's (`findSourcePvc`).
    let claim = |of: &ObjectRef| {
        let namespace = or_else(&of.namespace, dv_namespace);
        Resolved::Claim(ClaimSource { namespace, name: of.name.clone() })
    };
    let snapshot = |of: &ObjectRef| {
        let namespace = or_else(&of.namespace, dv_namespace);
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
