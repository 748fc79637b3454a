//! What a get with an odd name or namespace reads.
//!
//! The host puts both into a URL as they are, so `cozy-public/secrets/topsecret?x=` as a namespace reads a Secret.
//! Compared with what a real API server answered in `tests/data/names-that-leave-the-path.json`.

use crate::kinds::ServedKind;

/// What a URL leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// No URL at all.
    InvalidUri,
    /// The API server answers: name invalid.
    NameInvalid(String),
    /// The API server answers: invalid key.
    KeyInvalid(String),
    /// An object, of this or another kind: namespace, plural, name.
    Object(Option<String>, String, String),
    /// All objects of a kind: namespace, plural.
    List(Option<String>, String),
    /// Nothing: 404.
    Nothing,
}

/// What a get of that kind, namespace and name leads to.
pub(crate) fn resolve(kind: &ServedKind, namespace: Option<&str>, name: &str) -> Target {
    let plural = &kind.plural;
    let namespace = if kind.namespaced { namespace } else { None };
    let url = namespace
        .map_or_else(|| format!("{plural}/{name}"), |namespace| format!("namespaces/{namespace}/{plural}/{name}"));
    if !url.chars().all(in_uri) {
        return Target::InvalidUri;
    }
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let path = decode(path);
    let segments: Vec<&str> = path.split('/').collect();
    let owned = |text: &str| text.to_owned();
    let in_path = |segment: &str| segment != "." && segment != "..";
    match segments.as_slice() {
        ["namespaces", ""] => Target::List(None, owned("namespaces")),
        ["namespaces", namespace, plural, name] if !in_path(namespace) => {
            Target::KeyInvalid(format!("/{plural}/{namespace}/{name}"))
        }
        ["namespaces", namespace, plural] | ["namespaces", namespace, plural, ""] => {
            Target::List(Some(owned(namespace)), owned(plural))
        }
        ["namespaces", _, _, name] | [_, name] if !in_path(name) => Target::NameInvalid(owned(name)),
        ["namespaces", namespace, plural, name] | ["namespaces", namespace, plural, name, "status"] => {
            Target::Object(Some(owned(namespace)), owned(plural), owned(name))
        }
        [plural] | [plural, ""] => Target::List(None, owned(plural)),
        [plural, name] | [plural, name, "status"] => Target::Object(None, owned(plural), owned(name)),
        _ => Target::Nothing,
    }
}

/// Whether the `http` crate takes the character in a path or query.
fn in_uri(c: char) -> bool {
    !(c.is_ascii_control() || matches!(c, ' ' | '<' | '>' | '`'))
}

/// The text with `%2f` and the like decoded.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
