//! A JSON document as a borrowed tree, and typed access that names the path when a type is wrong.
//!
//! The module is instantiated for every request, so this is built for few allocations: strings without escapes
//! are borrowed from the payload, objects keep their keys in a vector, and what no rule reads is skipped while
//! parsing ([`Keep`]).

mod decimal;
mod keep;
mod order;
mod parse;
mod scan;
#[cfg(feature = "serde")]
mod serde;
pub mod write;

pub use keep::Keep;
pub use order::sorted;
pub use parse::NotJson;
pub use scan::{is_printable_ascii, same};

use std::borrow::Cow;

/// One JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that 64 bits hold.
    Integer(i64),
    /// A number with a fraction or an exponent, or one that no 64-bit integer holds, as it is written.
    Decimal(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Json<'a>>),
    /// An object. Where a key is given twice the last one counts, as in Go.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// A value has another type than its place requires.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: expected {expected}, found {found}")]
pub struct WrongType {
    /// Where the value stands, as a dotted path from the root of the object.
    pub path: String,
    /// What belongs there.
    pub expected: &'static str,
    /// What stands there.
    pub found: &'static str,
}

impl WrongType {
    /// A [`WrongType`] for what stands at `path`.
    #[must_use]
    pub fn new(path: &str, expected: &'static str, found: &Json<'_>) -> Self {
        Self { path: path.to_owned(), expected, found: found.type_name() }
    }

    /// The same error seen from an enclosing object: `prefix.` stands before the path.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.path = format!("{prefix}.{}", self.path);
        self
    }
}

impl<'a> Json<'a> {
    /// Parses a document.
    ///
    /// # Errors
    /// Text that is not JSON, or is nested deeper than 127 levels.
    pub fn parse(text: &'a [u8]) -> Result<Self, NotJson> {
        Self::parse_keeping(text, &Keep::Everything)
    }

    /// Parses a document, of which only a part is kept.
    ///
    /// # Errors
    /// Text that is not JSON, or is nested deeper than 127 levels. What is not kept is not looked at closely.
    pub fn parse_keeping(text: &'a [u8], keep: &Keep) -> Result<Self, NotJson> {
        parse::document(text, keep)
    }

    /// The JSON type of the value, as a person would say it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) | Self::Decimal(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// The value of `key`. `None` where this is no object, has no such key, or its value is null.
    #[must_use]
    pub fn key(&self, key: &str) -> Option<&Json<'a>> {
        let Self::Object(entries) = self else {
            return None;
        };
        let (_, value) = entries.iter().rev().find(|(k, _)| scan::same(k, key))?;
        if matches!(value, Self::Null) { None } else { Some(value) }
    }

    /// Whether this is an object with that key, whatever its value, null included.
    #[must_use]
    pub fn has_key(&self, key: &str) -> bool {
        matches!(self, Self::Object(entries) if entries.iter().any(|(k, _)| k == key))
    }

    /// The value at a dotted path (`spec.storage.accessModes`). Absent and null are one.
    ///
    /// # Errors
    /// Something on the way is not an object.
    pub fn at(&self, path: &str) -> Result<Option<&Json<'a>>, WrongType> {
        let mut here = self;
        let mut rest = path;
        loop {
            if !matches!(here, Self::Object(_)) {
                return if matches!(here, Self::Null) { Ok(None) } else { Err(not_an_object(here, path, rest)) };
            }
            let dot = scan::dot(rest.as_bytes());
            let step = dot.and_then(|dot| rest.get(..dot)).unwrap_or(rest);
            let Some(next) = here.key(step) else {
                return Ok(None);
            };
            here = next;
            match dot.and_then(|dot| rest.get(dot + 1..)) {
                None => return Ok(Some(here)),
                Some(below) => rest = below,
            }
        }
    }

    /// The string at `key`, which is one step and no path: cheaper than [`Self::string`].
    ///
    /// # Errors
    /// Another type stands there, or this is neither an object nor null.
    pub fn string_at(&self, key: &str) -> Result<Option<&str>, WrongType> {
        match (self, self.key(key)) {
            (_, Some(Self::String(text))) => Ok(Some(text)),
            (_, Some(other)) => Err(WrongType::new(key, "a string", other)),
            (Self::Object(_) | Self::Null, None) => Ok(None),
            (_, None) => Err(WrongType::new("object", "an object", self)),
        }
    }

    /// The string at `path`.
    ///
    /// # Errors
    /// Another type stands there, or on the way.
    pub fn string(&self, path: &str) -> Result<Option<&str>, WrongType> {
        match self.at(path)? {
            None => Ok(None),
            Some(Self::String(text)) => Ok(Some(text)),
            Some(other) => Err(WrongType::new(path, "a string", other)),
        }
    }

    /// The boolean at `path`.
    ///
    /// # Errors
    /// Another type stands there, or on the way.
    pub fn boolean(&self, path: &str) -> Result<Option<bool>, WrongType> {
        match self.at(path)? {
            None => Ok(None),
            Some(Self::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(WrongType::new(path, "a boolean", other)),
        }
    }

    /// The whole number at `path`.
    ///
    /// # Errors
    /// Another type stands there, or on the way.
    pub fn integer(&self, path: &str) -> Result<Option<i128>, WrongType> {
        match self.at(path)? {
            None => Ok(None),
            Some(Self::Integer(value)) => Ok(Some((*value).into())),
            Some(other) => Err(WrongType::new(path, "a whole number", other)),
        }
    }

    /// The items of the list at `path`; none where it is absent.
    ///
    /// # Errors
    /// Another type stands there, or on the way.
    pub fn list(&self, path: &str) -> Result<&[Json<'a>], WrongType> {
        match self.at(path)? {
            None => Ok(&[]),
            Some(Self::Array(items)) => Ok(items),
            Some(other) => Err(WrongType::new(path, "a list", other)),
        }
    }

    /// The entries of the object at `path`; none where it is absent.
    ///
    /// # Errors
    /// Another type stands there, or on the way.
    pub fn entries(&self, path: &str) -> Result<&[(Cow<'a, str>, Json<'a>)], WrongType> {
        match self.at(path)? {
            None => Ok(&[]),
            Some(Self::Object(entries)) => Ok(entries),
            Some(other) => Err(WrongType::new(path, "an object", other)),
        }
    }

    /// The strings of the list at `path`; none where it is absent.
    ///
    /// # Errors
    /// Another type stands there, in the list, or on the way.
    pub fn strings(&self, path: &str) -> Result<Vec<String>, WrongType> {
        self.list(path)?
            .iter()
            .enumerate()
            .map(|(index, item)| match item {
                Self::String(text) => Ok(text.as_ref().to_owned()),
                other => Err(WrongType::new(&format!("{path}[{index}]"), "a string", other)),
            })
            .collect()
    }

    /// The strings of this list, if it is a list of strings.
    #[must_use]
    pub fn strings_here(&self) -> Option<Vec<String>> {
        let Self::Array(items) = self else {
            return None;
        };
        items
            .iter()
            .map(|item| if let Self::String(text) = item { Some(text.as_ref().to_owned()) } else { None })
            .collect()
    }

    /// The string values of the object at `path`, which may be absent. Null values count as absent.
    ///
    /// # Errors
    /// Another type stands there, in the object, or on the way.
    pub fn string_map(&self, path: &str) -> Result<Vec<(&str, &str)>, WrongType> {
        let mut result = Vec::new();
        for (key, value) in self.entries(path)? {
            match value {
                Self::String(text) => result.push((key.as_ref(), text.as_ref())),
                Self::Null => {}
                other => return Err(WrongType::new(&format!("{path}.{key}"), "a string", other)),
            }
        }
        Ok(result)
    }

    /// The text of a quantity at `path`: Kubernetes takes a string or a number there.
    ///
    /// # Errors
    /// Another type stands there, or on the way.
    pub fn quantity_text(&self, path: &str) -> Result<Option<Cow<'_, str>>, WrongType> {
        let Some(here) = self.at(path)? else {
            return Ok(None);
        };
        here.quantity_here().map(Some).ok_or_else(|| WrongType::new(path, "a quantity such as 10Gi", here))
    }

    /// The text of this quantity, if it is one: see [`Self::quantity_text`].
    #[must_use]
    pub fn quantity_here(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::String(text) => Some(Cow::Borrowed(text)),
            Self::Integer(number) => Some(Cow::Owned(number.to_string())),
            Self::Decimal(number) => Some(Cow::Borrowed(number)),
            Self::Null | Self::Bool(_) | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// Whether two documents say the same: the order of keys does not count, null is absent, and `1` equals `1.0`.
    #[must_use]
    pub fn same_as(&self, other: &Json<'_>) -> bool {
        match (self, other) {
            (Self::Object(a), Json::Object(b)) => {
                // Mostly both were written by the same hand, in the same order.
                if a.len() == b.len() && a.iter().zip(b).all(|((a_key, _), (b_key, _))| a_key == b_key) {
                    return same_in_order(a, b);
                }
                let (a, b) = (by_key(a), by_key(b));
                a.len() == b.len() && a.iter().zip(&b).all(|((a_key, a), (b_key, b))| a_key == b_key && a.same_as(b))
            }
            (Self::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b)),
            (Self::Integer(a), Json::Decimal(b)) | (Self::Decimal(b), Json::Integer(a)) => {
                decimal::same(&a.to_string(), b)
            }
            (Self::Null, Json::Null) => true,
            (Self::Bool(a), Json::Bool(b)) => a == b,
            (Self::Integer(a), Json::Integer(b)) => a == b,
            (Self::Decimal(a), Json::Decimal(b)) => decimal::same(a, b),
            (Self::String(a), Json::String(b)) => a == b,
            _ => false,
        }
    }
}

/// The error for `here`, which is no object although `rest` of `path` leads on from it.
#[cold]
fn not_an_object(here: &Json<'_>, path: &str, rest: &str) -> WrongType {
    let place = path.strip_suffix(rest).unwrap_or(path).trim_end_matches('.');
    WrongType::new(if place.is_empty() { "object" } else { place }, "an object", here)
}

/// Whether entries with the same keys in the same order say the same. Each value is compared once: twice at each level
/// would be a time that doubles with the depth. Where a key is given twice the last one counts.
fn same_in_order(a: &[(Cow<'_, str>, Json<'_>)], b: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let given_again = |index: usize, key: &str| a.iter().skip(index + 1).any(|(later, _)| later == key);
    a.iter()
        .zip(b)
        .enumerate()
        .all(|(index, ((key, a_value), (_, b_value)))| a_value.same_as(b_value) || given_again(index, key))
}

/// The entries that count, by key: the last of each key, unless it is null.
#[must_use]
pub fn by_key<'t, 'a>(entries: &'t [(Cow<'a, str>, Json<'a>)]) -> Vec<(&'t str, &'t Json<'a>)> {
    // Of a key that is there twice the last one counts: reversed, a stable sort brings it to the front.
    let result: Vec<_> = entries.iter().rev().map(|(key, value)| (key.as_ref(), value)).collect();
    let mut result = sorted(result, &|(a, _), (b, _)| a < b);
    result.dedup_by(|(later, _), (kept, _)| later == kept);
    result.retain(|(_, value)| !matches!(value, Json::Null));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_type_is_named_with_its_path() {
        let document = Json::parse(br#"{"spec":{"source":7,"modes":["a",1]}}"#).unwrap();
        let error = document.string("spec.source.image").unwrap_err();
        assert_eq!(error.to_string(), "spec.source: expected an object, found a number");
        let error = document.strings("spec.modes").unwrap_err();
        assert_eq!(error.to_string(), "spec.modes[1]: expected a string, found a number");
    }

    #[test]
    fn null_is_absent_and_the_last_of_two_keys_counts() {
        let document = Json::parse(br#"{"a":null,"b":"x","b":"y"}"#).unwrap();
        assert_eq!(document.string("a"), Ok(None));
        assert_eq!(document.string("a.b"), Ok(None));
        assert_eq!(document.string("b"), Ok(Some("y")));
        assert!(document.has_key("a"));
    }

    #[test]
    fn managed_fields_are_not_kept() {
        let document = Json::parse(br#"{"metadata":{"managedFields":[{"f:x":{}}],"name":"n"}}"#).unwrap();
        assert_eq!(document.entries("metadata").unwrap().len(), 1);
    }

    #[test]
    fn a_difference_far_below_is_found_at_once() {
        let nested = |value: &str| format!("{}{value}{}", r#"{"a":"#.repeat(100), r#","b":1}"#.repeat(100));
        let (one, two) = (nested("1"), nested("2"));
        let (one, two) = (Json::parse(one.as_bytes()).unwrap(), Json::parse(two.as_bytes()).unwrap());
        assert!(!one.same_as(&two) && one.same_as(&one));
    }

    #[test]
    fn of_two_equal_keys_the_last_one_is_compared() {
        let same = |a: &str, b: &str| Json::parse(a.as_bytes()).unwrap().same_as(&Json::parse(b.as_bytes()).unwrap());
        assert!(same(r#"{"a":1,"a":2}"#, r#"{"a":3,"a":2}"#));
        assert!(!same(r#"{"a":1,"a":2}"#, r#"{"a":1,"a":3}"#));
        assert!(same(r#"{"a":1,"a":2}"#, r#"{"a":2}"#));
        assert!(!same(r#"{"a":null}"#, r#"{"a":1}"#));
    }

    #[test]
    fn depth_is_an_error_not_a_trap() {
        let deep = "[".repeat(10_000);
        assert!(Json::parse(deep.as_bytes()).is_err());
    }
}
