//! Whether two DataVolume specs say the same, as CDI compares them.
//!
//! CDI's webhook (`pkg/apiserver/webhooks/datavolume-validate.go`) decodes both into Go structs and asks
//! `apiequality.Semantic.DeepEqual`: what the structs cannot hold apart is equal. So `1Gi` is `1024Mi`, null and an
//! empty list are absent, and `""` is absent where the field is a `string` but not where it is a `*string`. The
//! field types are in [`schema`]; fields that are not there are compared as they stand, null being absent. A value
//! of another JSON type than its field's is no concern of this comparison: it differs from everything but its like.

mod schema;

use std::borrow::Cow;

use self::schema::{DATA_VOLUME_SPEC, Fields, Type};
use crate::json::{Json, by_key};
use crate::quantity::Quantity;

/// More changed paths than anyone reads.
const MAX_PATHS: usize = 50;

/// Where two `spec`s differ: dotted paths from `spec`, in the order of their keys, without values and at most 50.
/// Empty where they are equal.
#[must_use]
pub fn changed_paths(old: &Json<'_>, new: &Json<'_>) -> Vec<String> {
    changes(old, new, &[])
}

/// The update that CDI admits although the specs differ: a new stage of a multi-stage import. The new object has a
/// VDDK or ImageIO source and at least one checkpoint, and nothing but `checkpoints` and `finalCheckpoint` differs.
#[must_use]
pub fn only_checkpoints_changed(old: &Json<'_>, new: &Json<'_>) -> bool {
    let Some(source) = new.key("source") else { return false };
    let staged = matches!(new.key("checkpoints"), Some(Json::Array(checkpoints)) if !checkpoints.is_empty())
        && (source.key("vddk").is_some() || source.key("imageio").is_some());
    staged && changes(old, new, &["checkpoints", "finalCheckpoint"]).is_empty()
}

fn changes(old: &Json<'_>, new: &Json<'_>, ignored: &'static [&'static str]) -> Vec<String> {
    let mut comparison = Comparison { path: "spec".to_owned(), ignored, changed: Vec::new() };
    comparison.value(Type::Struct(DATA_VOLUME_SPEC), Some(old), Some(new));
    comparison.changed
}

struct Comparison {
    /// Where the comparison is.
    path: String,
    /// Fields of `spec` that are not compared.
    ignored: &'static [&'static str],
    changed: Vec<String>,
}

type Value<'a, 'j> = Option<&'a Json<'j>>;

impl Comparison {
    fn value(&mut self, kind: Type, old: Value<'_, '_>, new: Value<'_, '_>) {
        if self.changed.len() >= MAX_PATHS {
            return;
        }
        let (old, new) = (present(kind, old), present(kind, new));
        if old.is_none() && new.is_none() {
            return;
        }
        match kind {
            Type::Struct(fields) => {
                if let (Some(old), Some(new)) = (entries(old), entries(new)) {
                    return self.fields(fields, &old, &new);
                }
            }
            Type::StructPointer(fields) => {
                if let (Some(old @ Json::Object(_)), Some(new @ Json::Object(_))) = (old, new) {
                    return self.value(Type::Struct(fields), Some(old), Some(new));
                }
            }
            Type::Map(values) => {
                if let (Some(old), Some(new)) = (entries(old), entries(new)) {
                    return self.each_key(&old, &new, |comparison, _, old, new| comparison.item(*values, old, new));
                }
            }
            Type::List(items) => {
                if let (Some(old), Some(new)) = (list(old), list(new)) {
                    return self.list(*items, old, new);
                }
            }
            Type::Quantity => {
                if let (Some(old), Some(new)) = (quantity_text(old), quantity_text(new)) {
                    return self.changed_unless(same_quantity(&old, &new));
                }
            }
            Type::Plain | Type::Pointer | Type::Unknown => {}
        }
        self.as_it_stands(old, new);
    }

    /// Without knowledge of a type: null is absent, but nothing else is.
    fn as_it_stands(&mut self, old: Value<'_, '_>, new: Value<'_, '_>) {
        match (old, new) {
            (Some(Json::Object(_)), Some(Json::Object(_))) => {
                if let (Some(old), Some(new)) = (entries(old), entries(new)) {
                    self.fields(&[], &old, &new);
                }
            }
            (Some(Json::Array(old)), Some(Json::Array(new))) => self.list(Type::Unknown, old, new),
            (Some(old), Some(new)) => self.changed_unless(old.same_as(new)),
            (Some(_), None) | (None, Some(_)) => self.changed_unless(false),
            (None, None) => {}
        }
    }

    fn fields(&mut self, fields: Fields, old: &[Entry<'_, '_>], new: &[Entry<'_, '_>]) {
        self.each_key(old, new, |comparison, key, old, new| {
            if comparison.path.len() == "spec.".len() + key.len() && comparison.ignored.contains(&key) {
                return;
            }
            let kind = fields.iter().find(|(name, _)| *name == key).map_or(Type::Unknown, |(_, kind)| *kind);
            comparison.value(kind, old, new);
        });
    }

    fn list(&mut self, items: Type, old: &[Json<'_>], new: &[Json<'_>]) {
        let length = self.path.len();
        for index in 0..old.len().max(new.len()) {
            if self.changed.len() >= MAX_PATHS {
                return;
            }
            self.path.push_str(&format!("[{index}]"));
            self.item(items, old.get(index), new.get(index));
            self.path.truncate(length);
        }
    }

    /// An item of a list or map: being there is a difference by itself.
    fn item(&mut self, kind: Type, old: Value<'_, '_>, new: Value<'_, '_>) {
        if old.is_some() == new.is_some() {
            self.value(kind, old, new);
        } else {
            self.changed_unless(false);
        }
    }

    /// Visits the keys of two objects in order. Sorted lists are merged: a search for each key would make the work
    /// quadratic in what a tenant wrote.
    fn each_key(
        &mut self,
        mut old: &[Entry<'_, '_>],
        mut new: &[Entry<'_, '_>],
        visit: impl Fn(&mut Self, &str, Value<'_, '_>, Value<'_, '_>),
    ) {
        let length = self.path.len();
        while self.changed.len() < MAX_PATHS {
            let (key, before, after) = match (old, new) {
                ([], []) => return,
                ([(key, value), rest @ ..], [(other, _), ..]) if key < other => {
                    old = rest;
                    (*key, Some(*value), None)
                }
                ([(key, value), rest @ ..], []) => {
                    old = rest;
                    (*key, Some(*value), None)
                }
                ([(key, before), old_rest @ ..], [(other, after), new_rest @ ..]) if key == other => {
                    (old, new) = (old_rest, new_rest);
                    (*key, Some(*before), Some(*after))
                }
                (_, [(key, value), rest @ ..]) => {
                    new = rest;
                    (*key, None, Some(*value))
                }
            };
            if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
                self.path.push('.');
                self.path.push_str(key);
            } else {
                self.path.push('[');
                self.path.push_str(key);
                self.path.push(']');
            }
            visit(self, key, before, after);
            self.path.truncate(length);
        }
    }

    fn changed_unless(&mut self, equal: bool) {
        if !equal && self.changed.len() < MAX_PATHS {
            self.changed.push(self.path.clone());
        }
    }
}

type Entry<'a, 'j> = (&'a str, &'a Json<'j>);

/// The value, unless Go's type of the field cannot tell it from absence.
fn present<'a, 'j>(kind: Type, value: Value<'a, 'j>) -> Value<'a, 'j> {
    value.filter(|value| match (kind, value) {
        (_, Json::Null) => false,
        (Type::Plain, Json::String(text)) => !text.is_empty(),
        (Type::Plain, Json::Bool(flag)) => *flag,
        (Type::List(_), Json::Array(items)) => !items.is_empty(),
        (Type::Map(_) | Type::Struct(_), Json::Object(entries)) => !entries.is_empty(),
        _ => true,
    })
}

/// The entries of an object by key, null ones left out; none where it is absent.
fn entries<'a, 'j>(value: Value<'a, 'j>) -> Option<Vec<Entry<'a, 'j>>> {
    let object = match value {
        None => return Some(Vec::new()),
        Some(Json::Object(object)) => object,
        Some(Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::String(_) | Json::Array(_)) => {
            return None;
        }
    };
    Some(by_key(object))
}

fn list<'a, 'j>(value: Value<'a, 'j>) -> Option<&'a [Json<'j>]> {
    match value {
        None => Some(&[]),
        Some(Json::Array(items)) => Some(items),
        Some(Json::Null | Json::Bool(_) | Json::Integer(_) | Json::Decimal(_) | Json::String(_) | Json::Object(_)) => {
            None
        }
    }
}

/// The text of a quantity, which may be written as a number.
fn quantity_text<'a>(value: Value<'a, '_>) -> Option<Cow<'a, str>> {
    value?.quantity_here()
}

fn same_quantity(old: &str, new: &str) -> bool {
    let (old, new) = (old.trim(), new.trim());
    match (Quantity::parse(old), Quantity::parse(new)) {
        (Ok(old), Ok(new)) => old == new,
        _ => old == new,
    }
}

#[cfg(test)]
mod tests;
