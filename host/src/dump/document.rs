//! One document of a dump. A list is taken apart while it is read, and of each item only what the policy reads is
//! kept: the tree of a whole dump would be many times as large as its text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use vmdisk_policy::cluster::{Kind, Object, read};
use vmdisk_policy::json::Json;

/// A document.
pub(super) struct Document<'d> {
    /// Its keys but `items`; none where it is no object.
    pub(super) fields: Json<'d>,
    /// Its items, if it has a list of them.
    pub(super) items: Option<Vec<Item<'d>>>,
}

/// An object of a dump.
pub(super) enum Item<'d> {
    /// One that the policy may look up.
    Known { kind: Kind, namespace: String, name: String, object: Option<Object> },
    /// One of another kind.
    Other,
    /// The item of a list that carries its kind once for all.
    WithoutKind(Json<'d>),
    /// None at all: what is wrong with it.
    Wrong(String),
}

impl<'d> Item<'d> {
    /// What the policy reads of a document.
    pub(super) fn of(mut document: Json<'d>) -> Self {
        let Json::Object(_) = document else {
            return Self::Wrong("expected an object".to_owned());
        };
        let (api_version, kind_name) = (text(&document, "apiVersion"), text(&document, "kind"));
        if api_version.is_empty() || kind_name.is_empty() {
            return Self::WithoutKind(document);
        }
        let known = Kind::ALL.into_iter().find(|kind| kind.api_version() == api_version && kind.name() == kind_name);
        let Some(kind) = known else {
            return Self::Other;
        };
        place(kind, &mut document);
        for key in ["name", "namespace"] {
            // YAML reads `n`, `no` and `123` as something else, and so does kubectl.
            if document.string(&format!("metadata.{key}")).is_err() {
                return Self::Wrong(format!("metadata.{key} of a {kind} is no text: quote it"));
            }
        }
        let (namespace, name) = (text(&document, "metadata.namespace"), text(&document, "metadata.name"));
        if name.is_empty() {
            return Self::Wrong(format!("a {kind} needs metadata.name"));
        }
        Self::Known { kind, namespace, name, object: read::object(kind, &document).ok() }
    }

    /// The item of a list of that version and kind (such as `v1` and `Pod`).
    pub(super) fn with_kind(self, api_version: &str, kind: &str) -> Self {
        match self {
            Self::WithoutKind(Json::Object(mut entries)) => {
                for (key, value) in [("apiVersion", api_version), ("kind", kind)] {
                    entries.push((Cow::Borrowed(key), Json::String(Cow::Owned(value.to_owned()))));
                }
                Self::of(Json::Object(entries))
            }
            other => other,
        }
    }
}

/// Puts the object where `kubectl apply` would: one of a namespaced kind is in some namespace.
fn place(kind: Kind, document: &mut Json<'_>) {
    let Json::Object(entries) = document else { return };
    for (key, value) in entries {
        if let (true, Json::Object(metadata)) = (key == "metadata", value) {
            if !kind.namespaced() {
                metadata.retain(|(key, _)| key != "namespace");
            } else if !metadata.iter().any(|(key, value)| key == "namespace" && *value != Json::Null) {
                metadata.push((Cow::Borrowed("namespace"), Json::String(Cow::Borrowed("default"))));
            }
        }
    }
}

fn text(document: &Json<'_>, path: &str) -> String {
    document.string(path).ok().flatten().unwrap_or_default().to_owned()
}

impl<'d> Deserialize<'d> for Item<'d> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        Json::deserialize(deserializer).map(Self::of)
    }
}

/// The value of `items`: null is no list.
struct Items<'d>(Option<Vec<Item<'d>>>);

impl<'d> Deserialize<'d> for Items<'d> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<Vec<Item<'d>>>::deserialize(deserializer).map(Self)
    }
}

impl<'d> Deserialize<'d> for Document<'d> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        struct DocumentVisitor;
        impl<'d> Visitor<'d> for DocumentVisitor {
            type Value = Document<'d>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Document { fields: Json::Null, items: None })
            }
            fn visit_map<A: MapAccess<'d>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let (mut fields, mut items) = (Vec::new(), None);
                while let Some(key) = entries.next_key::<String>()? {
                    if key == "items" {
                        items = entries.next_value::<Items<'d>>()?.0;
                    } else {
                        fields.push((Cow::Owned(key), entries.next_value()?));
                    }
                }
                Ok(Document { fields: Json::Object(fields), items })
            }
            fn visit_seq<A: SeqAccess<'d>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                while entries.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                Ok(Document { fields: Json::Array(Vec::new()), items: None })
            }
            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(Document { fields: Json::Bool(false), items: None })
            }
        }
        deserializer.deserialize_any(DocumentVisitor)
    }
}
