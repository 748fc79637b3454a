//! A dump of a cluster, as the policy's own code looks objects up in it.
//!
//! Other than a cluster, a dump may lack what was not asked for. A list does not show which kinds were asked for, so a
//! kind of which the dump holds nothing is *not in the dump*: a lookup of it fails and says nothing about existence.
//! [`Dump::have`], a list of that kind alone or a file named after the kind say that the kind is there whole. A
//! PersistentVolume that the dump does not hold is never absent: a claim named it, so there was one.

mod document;
mod error;
mod kind_name;
mod load;
mod missing;

use std::collections::BTreeMap;

use vmdisk_policy::cluster::{Answer, Cause, Kind, Lookup, Object};

use crate::faults::Faults;

pub use error::DumpError;
pub use kind_name::{UnknownKind, kind_named};
pub use missing::Missing;

/// A dump of a cluster.
#[derive(Debug, Default)]
pub struct Dump {
    /// By kind, namespace and name.
    kinds: BTreeMap<Kind, BTreeMap<String, BTreeMap<String, Entry>>>,
    /// Kinds of which the dump holds everything, even if that is nothing.
    whole: Vec<Kind>,
    /// What the dump says goes wrong in the cluster.
    faults: Faults,
}

/// An object of a dump.
#[derive(Debug)]
struct Entry {
    /// None: a field that the policy reads has the wrong type.
    object: Option<Object>,
    /// Which document of the dump it comes from.
    document: usize,
}

impl Dump {
    /// Says that the dump holds every object of these kinds.
    pub fn have(&mut self, kinds: impl IntoIterator<Item = Kind>) {
        self.whole.extend(kinds);
    }

    /// Namespace (empty for a cluster-scoped kind) and name of the objects of a kind, in order. Those that cannot be
    /// read are among them.
    pub fn names_of(&self, kind: Kind) -> impl Iterator<Item = (&str, &str)> {
        let namespaces = self.kinds.get(&kind).into_iter().flatten();
        namespaces.flat_map(|(namespace, names)| names.keys().map(|name| (namespace.as_str(), name.as_str())))
    }

    /// How many objects of a kind the dump holds.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.kinds.get(&kind).map_or(0, |namespaces| namespaces.values().map(BTreeMap::len).sum())
    }

    /// The kinds of which the dump holds nothing, and does not say that there is nothing.
    #[must_use]
    pub fn kinds_without_objects(&self) -> Vec<Kind> {
        let lacks = |kind: &Kind| !self.is_whole(*kind) && self.fault(*kind) != Some(Ok(Answer::NotServed));
        Kind::ALL.into_iter().filter(lacks).collect()
    }

    /// Whether what the dump does not hold does not exist.
    fn is_whole(&self, kind: Kind) -> bool {
        self.whole.contains(&kind) || self.kinds.contains_key(&kind)
    }

    fn entry(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Entry> {
        self.kinds.get(&kind)?.get(namespace)?.get(name)
    }

    /// What the dump says of the kind as a whole: it is not served, or it could not be read.
    fn fault(&self, kind: Kind) -> Option<Result<Answer<std::convert::Infallible>, Cause>> {
        let (api_version, name) = (kind.api_version(), kind.name());
        let named = |kinds: &[crate::KindRef]| kinds.iter().any(|named| named.matches(api_version, name));
        let faults = &self.faults;
        if !faults.serve(api_version, name) || named(&faults.removed) {
            return Some(Ok(Answer::NotServed));
        }
        if named(&faults.not_granted) {
            return Some(Err(Cause::NotGranted));
        }
        if named(&faults.forbidden) {
            return Some(Err(Cause::Forbidden));
        }
        faults.outage(api_version, name).map(|_| Err(Cause::Unreachable))
    }
}

impl Lookup for Dump {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        if let Some(fault) = self.fault(kind) {
            return fault.map(|answer| answer.map(|never| match never {}));
        }
        match self.entry(kind, namespace, name) {
            Some(Entry { object: Some(object), .. }) => Ok(Answer::Present(object.clone())),
            Some(Entry { object: None, .. }) => Err(Cause::Unreadable),
            // Only claims name volumes, so there was one when the claim was bound.
            None if kind == Kind::PersistentVolume || !self.is_whole(kind) => Err(Cause::Unknown),
            None => Ok(Answer::Absent),
        }
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        if let Some(fault) = self.fault(kind) {
            return fault.map(|answer| answer.map(|never| match never {}));
        }
        if !self.is_whole(kind) {
            return Err(Cause::Unknown);
        }
        let entries = self.kinds.get(&kind).into_iter().flat_map(BTreeMap::values).flat_map(BTreeMap::values);
        let objects: Option<Vec<Object>> = entries.map(|entry| entry.object.clone()).collect();
        objects.map(Answer::Present).ok_or(Cause::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: &str = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: ns}}";

    fn get(dump: &Dump, kind: Kind, namespace: &str, name: &str) -> Result<bool, Cause> {
        dump.get(kind, namespace, name).map(|answer| answer.is_present())
    }

    #[test]
    fn what_the_dump_does_not_hold_is_unknown_rather_than_absent() {
        let mut dump = Dump::parse(CLAIM, "test").unwrap();
        let claim = Kind::PersistentVolumeClaim;
        assert_eq!(get(&dump, claim, "ns", "a"), Ok(true));
        assert_eq!(get(&dump, claim, "other", "b"), Ok(false), "its kind is there");
        assert_eq!(get(&dump, Kind::Cdi, "", "cdi"), Err(Cause::Unknown), "nothing of its kind is");
        assert_eq!(dump.list(Kind::StorageClass), Err(Cause::Unknown));
        dump.have([Kind::Cdi, Kind::StorageClass, Kind::PersistentVolume]);
        assert_eq!(get(&dump, Kind::Cdi, "", "cdi"), Ok(false));
        assert_eq!(dump.list(Kind::StorageClass), Ok(Answer::Present(Vec::new())));
        assert_eq!(get(&dump, Kind::PersistentVolume, "", "pv"), Err(Cause::Unknown), "a claim named it");
    }

    #[test]
    fn an_object_that_cannot_be_read_spoils_its_lookup_and_the_list() {
        let classes = "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: [7]}\n---\n\
                       {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: b}, provisioner: x}\n";
        let dump = Dump::parse(classes, "test").unwrap();
        assert_eq!(get(&dump, Kind::StorageClass, "", "a"), Err(Cause::Unreadable));
        assert_eq!(get(&dump, Kind::StorageClass, "", "b"), Ok(true));
        assert_eq!(dump.list(Kind::StorageClass), Err(Cause::Unreadable));
        assert_eq!(dump.names_of(Kind::StorageClass).collect::<Vec<_>>(), [("", "a"), ("", "b")]);
    }

    #[test]
    fn what_goes_wrong_in_the_cluster_goes_wrong_here() {
        let text = "{apiVersion: vmdisk-check/v1, kind: Cluster, notServed: [CDI], forbidden: [StorageClass]}";
        let dump = Dump::parse(text, "test").unwrap();
        assert_eq!(dump.get(Kind::Cdi, "", "cdi"), Ok(Answer::NotServed));
        assert_eq!(dump.list(Kind::StorageClass), Err(Cause::Forbidden));
    }
}
