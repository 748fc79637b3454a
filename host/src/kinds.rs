//! Which kinds a cluster serves.

use serde_json::Value;
use vmdisk_policy::cluster::Kind;

/// Group versions that every cluster serves, and that have kinds beside those of the policy.
const BUILT_IN: [&str; 3] = ["v1", "storage.k8s.io/v1", "apps/v1"];

/// A kind that a cluster serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedKind {
    /// `apiVersion`
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// Its name in URLs.
    pub plural: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
}

impl ServedKind {
    /// A kind whose plural is made as the API conventions make it.
    #[must_use]
    pub fn new(api_version: &str, kind: &str, namespaced: bool) -> Self {
        Self { api_version: api_version.to_owned(), kind: kind.to_owned(), plural: plural(kind), namespaced }
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        group(&self.api_version)
    }

    /// Whether the policy looks objects of this kind up, hence asks to be granted it.
    #[must_use]
    pub fn read_by_policy(&self) -> bool {
        Kind::ALL.iter().any(|kind| kind.api_version() == self.api_version && kind.name() == self.kind)
    }

    /// Whether Kubernetes itself brings the kind. Lists leave `apiVersion` and `kind` out of the items of those.
    #[must_use]
    pub fn built_in(&self) -> bool {
        let group = self.group();
        !group.contains('.') || (group.ends_with(".k8s.io") && group != "snapshot.storage.k8s.io")
    }
}

/// The group of an `apiVersion`; empty for the core group.
#[must_use]
pub(crate) fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The lower-case plural of a kind.
#[must_use]
pub(crate) fn plural(kind: &str) -> String {
    let lower = kind.to_lowercase();
    match lower.strip_suffix('y') {
        _ if lower.ends_with('s') => format!("{lower}es"),
        Some(stem) => format!("{stem}ies"),
        None => format!("{lower}s"),
    }
}

/// The kinds that a cluster serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds {
    kinds: Vec<ServedKind>,
}

/// Every kind that the policy reads, and the two that it judges.
impl Default for Kinds {
    fn default() -> Self {
        let mut kinds: Vec<_> =
            Kind::ALL.iter().map(|kind| ServedKind::new(kind.api_version(), kind.name(), kind.namespaced())).collect();
        kinds.push(ServedKind::new("v1", "Namespace", false));
        kinds.push(ServedKind::new("apps.cozystack.io/v1alpha1", "VMDisk", true));
        Self { kinds }
    }
}

impl Kinds {
    /// Also serves the kind of this manifest.
    pub fn add_kind_of(&mut self, object: &Value) {
        let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("/apiVersion"), text("/kind"));
        if self.find(api_version, kind).is_none() {
            let namespaced = !text("/metadata/namespace").is_empty();
            self.kinds.push(ServedKind::new(api_version, kind, namespaced));
        }
    }

    /// Serves only the kinds that pass.
    pub fn retain(&mut self, keep: impl Fn(&ServedKind) -> bool) {
        self.kinds.retain(keep);
    }

    /// The kind of that name.
    #[must_use]
    pub fn find(&self, api_version: &str, kind: &str) -> Option<&ServedKind> {
        self.kinds.iter().find(|served| served.api_version == api_version && served.kind == kind)
    }

    /// The kind with that name in URLs.
    #[must_use]
    pub fn by_plural(&self, api_version: &str, plural: &str) -> Option<&ServedKind> {
        self.kinds.iter().find(|served| served.api_version == api_version && served.plural == plural)
    }

    /// Whether any kind of that group version is served.
    #[must_use]
    pub fn serves(&self, api_version: &str) -> bool {
        BUILT_IN.contains(&api_version) || self.kinds.iter().any(|served| served.api_version == api_version)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &ServedKind> {
        self.kinds.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_of_the_kinds_that_the_policy_reads() {
        let plurals: Vec<_> = Kind::ALL.iter().map(|kind| plural(kind.name())).collect();
        let expected = [
            "persistentvolumeclaims",
            "persistentvolumes",
            "storageclasses",
            "csidrivers",
            "storageprofiles",
            "datavolumes",
            "datasources",
            "cdis",
            "cdiconfigs",
            "volumesnapshotclasses",
            "volumesnapshots",
            "volumesnapshotcontents",
        ];
        assert_eq!(plurals, expected);
    }

    #[test]
    fn snapshot_kinds_are_not_built_in() {
        let built_in = |api_version| ServedKind::new(api_version, "X", false).built_in();
        assert!(built_in("v1") && built_in("apps/v1") && built_in("storage.k8s.io/v1"));
        assert!(!built_in("snapshot.storage.k8s.io/v1") && !built_in("cdi.kubevirt.io/v1beta1"));
    }
}
