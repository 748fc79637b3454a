//! Manifests from files, folders and standard input.

use std::fmt;
use std::path::Path;

use serde_json::{Map, Value};

use crate::faults::Faults;
use crate::files::{self, ReadError};
use crate::yaml::{self, Document, YamlError};

/// `apiVersion` of the document that describes what goes wrong.
pub(crate) const CONTROL_API_VERSION: &str = "vmdisk-check/v1";
/// Its kind.
pub(crate) const CONTROL_KIND: &str = "Cluster";

/// Manifests that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file or folder cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not YAML.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A document is no Kubernetes object.
    #[error("{place}: {problem}")]
    NotAnObject {
        /// File, document and line.
        place: String,
        /// What is missing.
        problem: String,
    },
    /// Two documents describe the same object.
    #[error("{place}: {identity} is there already (from {first})")]
    Twice {
        /// File, document and line of the second one.
        place: String,
        /// Which object.
        identity: Box<Identity>,
        /// File, document and line of the first one.
        first: String,
    },
}

/// What makes an object the same object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// `apiVersion`
    pub api_version: String,
    /// `kind`
    pub kind: String,
    /// `metadata.namespace`; empty where there is none.
    pub namespace: String,
    /// `metadata.name`
    pub name: String,
}

impl Identity {
    /// The identity of a manifest.
    #[must_use]
    pub fn of(object: &Value) -> Self {
        let text = |pointer| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            api_version: text("/apiVersion"),
            kind: text("/kind"),
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name, .. } = self;
        let slash = if namespace.is_empty() { "" } else { "/" };
        write!(f, "{kind} {namespace}{slash}{name}")
    }
}

#[derive(Debug, Clone)]
struct Entry {
    place: String,
    object: Value,
}

/// Objects, and a description of what goes wrong.
#[derive(Debug, Clone, Default)]
pub struct Manifests {
    entries: Vec<Entry>,
    faults: Faults,
}

impl Manifests {
    /// No manifests.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The manifests of a file, of all `.yaml`, `.yml` and `.json` files below a folder, or, for `-`, of standard
    /// input.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ManifestError> {
        let mut manifests = Self::new();
        files::each(path.as_ref(), &mut |path| manifests.add_text(&files::read(path)?, &files::origin(path)))?;
        Ok(manifests)
    }

    /// The manifests of a text. `origin` names it in errors.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn parse(text: &str, origin: &str) -> Result<Self, ManifestError> {
        let mut manifests = Self::new();
        manifests.add_text(text, origin)?;
        Ok(manifests)
    }

    /// The objects, in the order found.
    pub fn objects(&self) -> impl Iterator<Item = &Value> {
        self.entries.iter().map(|entry| &entry.object)
    }

    /// The objects, to be changed.
    pub fn objects_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.entries.iter_mut().map(|entry| &mut entry.object)
    }

    /// What goes wrong.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Lists of these objects come in an order that depends on this seed.
    pub fn shuffle_lists(&mut self, seed: u64) {
        self.faults.shuffle = Some(seed);
    }

    /// Adds to what goes wrong.
    pub fn add_faults(&mut self, faults: Faults) {
        self.faults.extend(faults);
    }

    /// Takes away the objects that do not pass.
    pub fn retain(&mut self, keep: impl Fn(&Value) -> bool) {
        self.entries.retain(|entry| keep(&entry.object));
    }

    /// Adds other manifests. Where both describe an object, theirs counts.
    pub fn replace_with(&mut self, other: Self) {
        for entry in other.entries {
            let identity = Identity::of(&entry.object);
            self.entries.retain(|mine| Identity::of(&mine.object) != identity);
            self.entries.push(entry);
        }
        self.faults.extend(other.faults);
    }

    fn add_text(&mut self, text: &str, origin: &str) -> Result<(), ManifestError> {
        for Document { number, line, value } in yaml::documents(text, origin)? {
            self.add_document(value, &format!("{origin}: document {number}, line {line}"))?;
        }
        Ok(())
    }

    fn add_document(&mut self, mut value: Value, place: &str) -> Result<(), ManifestError> {
        let not_an_object = |problem: String| ManifestError::NotAnObject { place: place.to_owned(), problem };
        let Some(map) = value.as_object_mut() else {
            return Err(not_an_object("expected an object".to_owned()));
        };
        let text = |map: &Map<String, Value>, key| map.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (api_version, kind) = (text(map, "apiVersion"), text(map, "kind"));
        if api_version.is_empty() || kind.is_empty() {
            return Err(not_an_object("an object needs apiVersion and kind".to_owned()));
        }
        if api_version == CONTROL_API_VERSION {
            if kind != CONTROL_KIND {
                return Err(not_an_object(format!("{CONTROL_API_VERSION} has the kind {CONTROL_KIND} only")));
            }
            let faults = control(map).map_err(|error| not_an_object(error.to_string()))?;
            self.faults.extend(faults);
            return Ok(());
        }
        if let (Some(item_kind), Some(Value::Array(items))) = (kind.strip_suffix("List"), map.get_mut("items")) {
            for mut item in std::mem::take(items) {
                // The items of a list of built-in kinds carry neither.
                if let (Some(item), false) = (item.as_object_mut(), item_kind.is_empty()) {
                    item.entry("apiVersion").or_insert_with(|| api_version.clone().into());
                    item.entry("kind").or_insert_with(|| item_kind.into());
                }
                self.add_document(item, place)?;
            }
            return Ok(());
        }
        self.add_object(value, place)
    }

    fn add_object(&mut self, object: Value, place: &str) -> Result<(), ManifestError> {
        let identity = Identity::of(&object);
        let not_an_object = |problem| ManifestError::NotAnObject { place: place.to_owned(), problem };
        for key in ["name", "namespace"] {
            // YAML reads `n`, `no` and `123` as something else, and so does kubectl.
            if object.pointer(&format!("/metadata/{key}")).is_some_and(|value| !value.is_string()) {
                return Err(not_an_object(format!("metadata.{key} of {} is no text: quote it", identity.kind)));
            }
        }
        if identity.name.is_empty() {
            return Err(not_an_object(format!("{} needs metadata.name", identity.kind)));
        }
        if let Some(first) = self.entries.iter().find(|entry| Identity::of(&entry.object) == identity) {
            let first = first.place.clone();
            return Err(ManifestError::Twice { place: place.to_owned(), identity: Box::new(identity), first });
        }
        self.entries.push(Entry { place: place.to_owned(), object });
        Ok(())
    }
}

/// The description of what goes wrong, which stands in `spec` or beside `kind`.
pub(crate) fn control(map: &mut Map<String, Value>) -> Result<Faults, serde_json::Error> {
    let mut map = std::mem::take(map);
    for key in ["apiVersion", "kind", "metadata"] {
        map.remove(key);
    }
    let spec = if map.len() == 1 { map.remove("spec") } else { None };
    serde_json::from_value(spec.unwrap_or(Value::Object(map)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identities(text: &str) -> Vec<String> {
        let manifests = Manifests::parse(text, "test").unwrap();
        manifests.objects().map(|object| Identity::of(object).to_string()).collect()
    }

    fn error(text: &str) -> String {
        Manifests::parse(text, "test").unwrap_err().to_string()
    }

    #[test]
    fn lists_are_taken_apart() {
        let text = "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {name: a}}]}\n---\n\
                    {apiVersion: v1, kind: BList, items: [{metadata: {name: b, namespace: ns}}, {metadata: {name: c}}]}\n";
        assert_eq!(identities(text), ["A a", "B ns/b", "B c"]);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert_eq!(error("- a"), "test: document 1, line 1: expected an object");
        assert_eq!(error("a: 1\n---\nb: 2"), "test: document 1, line 1: an object needs apiVersion and kind");
        assert_eq!(error("{apiVersion: v1, kind: A}"), "test: document 1, line 1: A needs metadata.name");
        let number = "{apiVersion: v1, kind: A, metadata: {name: 1}}";
        assert_eq!(error(number), "test: document 1, line 1: metadata.name of A is no text: quote it");
        let twice =
            "---\n{apiVersion: v1, kind: A, metadata: {name: a}}\n---\n{apiVersion: v1, kind: A, metadata: {name: a}}";
        assert_eq!(error(twice), "test: document 2, line 3: A a is there already (from test: document 1, line 1)");
        let control = "{apiVersion: vmdisk-check/v1, kind: Cluster, notServd: []}";
        assert!(error(control).starts_with("test: document 1, line 1: unknown field `notServd`"));
    }

    #[test]
    fn the_description_stands_in_spec_or_outside() {
        for text in ["notServed: [CDI]", "spec: {notServed: [CDI]}"] {
            let text = format!("apiVersion: vmdisk-check/v1\nkind: Cluster\n{text}\n");
            assert_eq!(Manifests::parse(&text, "test").unwrap().faults().not_served.len(), 1);
        }
    }
}
