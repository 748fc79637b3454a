//! The first YAML document of a text, as a flat list of nodes.
//!
//! The parser is `saphyr-parser`: pure Rust, streaming (a broken second document is never read), and the smallest of
//! those that are kept up. In a release module at opt-level `z` / `s` / `3` it adds 46 / 76 / 92 kB, against 80 / 119 /
//! 135 for `granit-parser`, 97 / 122 / 149 for `saphyr`, 104 / 141 / 162 for `yaml-rust2` and 103 / 111 / 140 for
//! `serde_yaml`.
//!
//! Flat, so that nothing recurses while reading, and aliases are not expanded. Bounded in nodes and depth. Depth and
//! size beyond the bounds count as broken YAML.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle};

/// More than any class has: a rule with three labels is seven nodes.
const MAX_NODES: usize = 50_000;
/// Rules need four levels; deeper ones can only stand under keys that nobody reads.
const MAX_DEPTH: usize = 64;

/// The text is not YAML, or beyond the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

/// One node. Its children follow it.
#[derive(Debug)]
pub(super) enum Node<'a> {
    Scalar(Scalar<'a>),
    /// A list; `end` is the index after its last descendant.
    Sequence {
        end: usize,
    },
    /// A mapping: keys and values in turn; `end` as above.
    Mapping {
        end: usize,
    },
    /// Stands for the node at that index.
    Alias {
        target: usize,
    },
}

#[derive(Debug)]
pub(super) struct Scalar<'a> {
    pub(super) value: Cow<'a, str>,
    /// Written without quotes and not as a block.
    pub(super) plain: bool,
    pub(super) tag: Tag,
}

/// An explicit tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// None, or the non-specific `!`.
    Absent,
    Str,
    Null,
    Bool,
    /// `!!int` or `!!float`.
    Number,
    Merge,
    Other,
}

/// The nodes of the first document; none where the text has no document.
pub(super) fn first_document(text: &str) -> Result<Vec<Node<'_>>, Broken> {
    if !text.chars().all(allowed) {
        return Err(Broken);
    }
    let mut nodes: Vec<Node<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut anchors: Vec<(usize, usize)> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|_| Broken)?;
        let here = nodes.len();
        if here >= MAX_NODES || open.len() > MAX_DEPTH {
            return Err(Broken);
        }
        let anchor = match event {
            Event::Scalar(value, style, anchor, tag) => {
                let tag = tag.map_or(Tag::Absent, |tag| Tag::of(&tag.handle, &tag.suffix));
                nodes.push(Node::Scalar(Scalar { value, plain: style == ScalarStyle::Plain, tag }));
                anchor
            }
            Event::SequenceStart(anchor, _) => {
                // A block list has no opening character.
                let in_block = span.start.index() == span.end.index();
                if in_block && follows_empty_key(&nodes, &open) {
                    return Err(Broken);
                }
                open.push(here);
                nodes.push(Node::Sequence { end: here });
                anchor
            }
            Event::MappingStart(anchor, _) => {
                open.push(here);
                nodes.push(Node::Mapping { end: here });
                anchor
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(Node::Sequence { end } | Node::Mapping { end }) =
                    open.pop().and_then(|start| nodes.get_mut(start))
                {
                    *end = here;
                }
                0
            }
            Event::Alias(id) => {
                let target = anchors.iter().rev().find(|(anchor, _)| *anchor == id).ok_or(Broken)?.1;
                nodes.push(Node::Alias { target });
                0
            }
            Event::DocumentEnd => break,
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::Nothing => 0,
        };
        if anchor != 0 {
            anchors.push((anchor, here));
        }
    }
    Ok(nodes)
}

/// Whether the last node is a key without text. The library takes a block list on the line of such a key (`: - a`),
/// which it refuses after any other key, as go-yaml always does.
fn follows_empty_key(nodes: &[Node<'_>], open: &[usize]) -> bool {
    let in_mapping = open.last().and_then(|parent| nodes.get(*parent));
    matches!(in_mapping, Some(Node::Mapping { .. }))
        && matches!(nodes.last(), Some(Node::Scalar(Scalar { value, plain: true, .. })) if value.is_empty())
}

/// The characters that go-yaml's reader lets through (`readerc.go`).
fn allowed(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

impl Tag {
    fn of(handle: &str, suffix: &str) -> Self {
        const CORE: &str = "tag:yaml.org,2002:";
        if handle.is_empty() && suffix == "!" || handle == "!" && suffix.is_empty() {
            return Self::Absent;
        }
        let core = if handle == CORE || handle == "!!" { Some(suffix) } else { suffix.strip_prefix(CORE) };
        match core {
            Some("str") => Self::Str,
            Some("null") => Self::Null,
            Some("bool") => Self::Bool,
            Some("int" | "float") => Self::Number,
            Some("merge") => Self::Merge,
            _ => Self::Other,
        }
    }
}
