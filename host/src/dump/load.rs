//! Dumps from files, folders and standard input.

use std::path::Path;

use serde::Deserialize as _;
use serde_json::Value;
use vmdisk_policy::cluster::{Kind, Object};
use vmdisk_policy::json::Json;

use super::document::{Document, Item};
use super::{Dump, DumpError, Entry, kind_named};
use crate::files;
use crate::manifests::{CONTROL_API_VERSION, CONTROL_KIND, Manifests};
use crate::yaml;

impl Dump {
    /// The dump of a file, of all `.yaml`, `.yml` and `.json` files below a folder, or, for `-`, of standard input.
    /// `progress` is told each file before it is read.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn load(path: impl AsRef<Path>, progress: &mut dyn FnMut(&Path)) -> Result<Self, DumpError> {
        let mut loader = Loader::default();
        loader.add_path(path.as_ref(), progress)?;
        Ok(loader.dump)
    }

    /// The dump of a text. `origin` names it in errors.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn parse(text: &str, origin: &str) -> Result<Self, DumpError> {
        let mut loader = Loader::default();
        loader.add_text(text, origin, None)?;
        Ok(loader.dump)
    }

    /// The dump of manifests, with what goes wrong in their cluster.
    ///
    /// # Errors
    /// One of them is no object that could be in a cluster.
    pub fn of_manifests(manifests: &Manifests) -> Result<Self, DumpError> {
        let mut loader = Loader::default();
        for (number, object) in (1..).zip(manifests.objects()) {
            loader.places.push(format!("manifest {number}"));
            let json = Json::deserialize(object).map_err(|error| loader.wrong(None, &error.to_string()))?;
            loader.add_item(Item::of(json), None)?;
        }
        loader.dump.faults = manifests.faults().clone();
        Ok(loader.dump)
    }
}

#[derive(Default)]
struct Loader {
    dump: Dump,
    /// File, document and line of each document.
    places: Vec<String>,
}

impl Loader {
    fn add_path(&mut self, path: &Path, progress: &mut dyn FnMut(&Path)) -> Result<(), DumpError> {
        files::each(path, &mut |path| {
            let origin = files::origin(path);
            progress(Path::new(&origin));
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            self.add_text(&files::read(path)?, &origin, stem.and_then(|stem| kind_named(stem).ok()))
        })
    }

    /// `named`: the kind after which the file is named.
    fn add_text(&mut self, text: &str, origin: &str, named: Option<Kind>) -> Result<(), DumpError> {
        let mut first_error = Ok(());
        yaml::each(text, origin, |number, line, document: Document<'_>| {
            if first_error.is_ok() {
                self.places.push(format!("{origin}: document {number}, line {line}"));
                first_error = self.add_document(document, named);
            }
        })?;
        first_error
    }

    fn add_document(&mut self, document: Document<'_>, named: Option<Kind>) -> Result<(), DumpError> {
        let Document { fields, items } = document;
        let text = |key: &str| fields.string(key).ok().flatten().unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        if fields == Json::Null {
            return Ok(());
        }
        if !matches!(fields, Json::Object(_)) {
            return Err(self.wrong(None, "expected an object"));
        }
        if api_version.is_empty() || kind.is_empty() {
            return Err(self.wrong(None, "an object needs apiVersion and kind"));
        }
        if api_version == CONTROL_API_VERSION {
            return self.add_control(kind, &fields);
        }
        let (Some(item_kind), Some(items)) = (kind.strip_suffix("List"), items) else {
            return self.add_item(Item::of(fields), None);
        };
        // kubectl writes a list even where there is nothing; it writes no text at all where it may not look.
        let typed = Kind::ALL.into_iter().find(|kind| kind.api_version() == api_version && kind.name() == item_kind);
        self.dump.have(typed.or(named));
        for (number, item) in (1..).zip(items) {
            self.add_item(item.with_kind(api_version, item_kind), Some(number))?;
        }
        Ok(())
    }

    fn add_item(&mut self, item: Item<'_>, number: Option<usize>) -> Result<(), DumpError> {
        match item {
            Item::Other => Ok(()),
            Item::WithoutKind(_) => Err(self.wrong(number, "an object needs apiVersion and kind")),
            Item::Wrong(problem) => Err(self.wrong(number, &problem)),
            Item::Known { kind, namespace, name, object } => self.add_object(kind, namespace, name, object),
        }
    }

    fn add_object(
        &mut self,
        kind: Kind,
        namespace: String,
        name: String,
        object: Option<Object>,
    ) -> Result<(), DumpError> {
        if let Some(first) = self.dump.entry(kind, &namespace, &name) {
            let slash = if namespace.is_empty() { "" } else { "/" };
            let place = |document: usize| self.places.get(document).cloned().unwrap_or_default();
            return Err(DumpError::Twice {
                place: place(self.places.len() - 1),
                kind,
                name: format!("{namespace}{slash}{name}"),
                first: place(first.document),
            });
        }
        let entry = Entry { object, document: self.places.len() - 1 };
        self.dump.kinds.entry(kind).or_default().entry(namespace).or_default().insert(name, entry);
        Ok(())
    }

    /// What goes wrong in the cluster.
    fn add_control(&mut self, kind: &str, fields: &Json<'_>) -> Result<(), DumpError> {
        if kind != CONTROL_KIND {
            return Err(self.wrong(None, &format!("{CONTROL_API_VERSION} has the kind {CONTROL_KIND} only")));
        }
        let Value::Object(mut map) = as_value(fields) else {
            return Err(self.wrong(None, "expected an object"));
        };
        let faults = crate::manifests::control(&mut map).map_err(|error| self.wrong(None, &error.to_string()))?;
        self.dump.faults.extend(faults);
        Ok(())
    }

    fn wrong(&self, item: Option<usize>, problem: &str) -> DumpError {
        let place = self.places.last().cloned().unwrap_or_default();
        let place = item.map_or_else(|| place.clone(), |number| format!("{place}, item {number}"));
        DumpError::NotAnObject { place, problem: problem.to_owned() }
    }
}

/// A small document as another library's tree.
fn as_value(json: &Json<'_>) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => (*value).into(),
        Json::Integer(value) => Value::from(*value),
        Json::Decimal(value) => serde_json::from_str(value).unwrap_or(Value::Null),
        Json::String(text) => text.as_ref().into(),
        Json::Array(items) => items.iter().map(as_value).collect(),
        Json::Object(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (key.to_string(), as_value(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vmdisk_policy::cluster::{Answer, Lookup as _};

    fn error(text: &str) -> String {
        Dump::parse(text, "test").unwrap_err().to_string()
    }

    #[test]
    fn lists_are_taken_apart_and_other_kinds_left_out() {
        let text = "apiVersion: v1\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n\
                    - {apiVersion: cdi.kubevirt.io/v1beta1, kind: CDI, metadata: {name: cdi}}\nkind: List\n---\n\
                    {apiVersion: v1, items: [{metadata: {name: a}}], kind: PersistentVolumeClaimList}\n---\n\
                    {apiVersion: storage.k8s.io/v1, kind: StorageClassList, items: []}\n";
        let dump = Dump::parse(text, "test").unwrap();
        assert_eq!(dump.count(Kind::Cdi), 1);
        let claim = dump.get(Kind::PersistentVolumeClaim, "default", "a");
        assert!(matches!(claim, Ok(Answer::Present(_))), "without a namespace it is in `default`");
        assert_eq!(dump.list(Kind::StorageClass), Ok(Answer::Present(Vec::new())), "an empty list of the kind");
        assert_eq!(dump.get(Kind::PersistentVolumeClaim, "elsewhere", "a"), Ok(Answer::Absent));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert_eq!(error("- a"), "test: document 1, line 1: expected an object");
        assert_eq!(error("a: 1\n---\nb: 2"), "test: document 1, line 1: an object needs apiVersion and kind");
        let list = "kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: PersistentVolume, metadata: {}}\n";
        assert_eq!(error(list), "test: document 1, line 1, item 1: a PersistentVolume needs metadata.name");
        let number = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: 1}}";
        let expected = "test: document 1, line 1: metadata.name of a PersistentVolume is no text: quote it";
        assert_eq!(error(number), expected);
        let claim = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}}";
        assert_eq!(
            error(&format!("{claim}\n---\n{claim}")),
            "test: document 2, line 2: PersistentVolumeClaim b/a is there already (from test: document 1, line 1)"
        );
        assert_eq!(error("a: 1\n---\nb: [1,\nc: 2\n"), "test: document 2, line 3: unclosed bracket '['");
    }
}
