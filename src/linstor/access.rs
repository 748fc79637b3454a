//! The parameter `allowRemoteVolumeAccess` (`RemoteAccessPolicy.UnmarshalText` in `pkg/volume/remoteaccess.go`).
//!
//! A Go bool, or else YAML: a list of rules, each with an optional list of labels `fromSame`. The decoding follows
//! go-yaml v3 (`decode.go`) into `[]struct{ FromSame []string }`: nulls leave nothing behind, unknown keys are not
//! looked at, a key that is given twice is an error, `<<` merges, and aliases may not blow the document up.
//!
//! Differences to go-yaml that remain, all of them in values that no one would write:
//! - a list or mapping in brackets, within an item, whose further lines are not indented more than the item's keys
//!   (`- fromSame: [` with `]` below the dash), is broken YAML here, and so are `[a]#c` and text after the closing
//!   bracket of the document. All three then count as "not anywhere";
//! - the line breaks that only YAML 1.1 has (NEL, LS, PS) are no line breaks here;
//! - labels with an explicit tag are checked loosely (`!!int`, `!!float`) or not at all (`!!timestamp`, `!!binary`);
//! - documents of more than 50,000 nodes, 64 levels, 64 nested merges or very many keys are refused; go-yaml goes further.

use super::yaml::{self, Broken, Node, Scalar, Tag};

/// What the access parameter says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Nothing: the layer list decides.
    Unset,
    /// Every node may attach.
    Anywhere,
    /// Only some nodes may, or (an empty list) none.
    Restricted,
    /// The driver rejects it.
    Invalid,
}

impl Access {
    /// Reads the value.
    pub(super) fn parse(value: &str) -> Self {
        match value {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Self::Anywhere,
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Self::Restricted,
            _ => Self::of_rules(value).unwrap_or(Self::Invalid),
        }
    }

    fn of_rules(text: &str) -> Result<Self, Broken> {
        let nodes = yaml::first_document(text)?;
        if nodes.is_empty() {
            return Ok(Self::Unset);
        }
        Decoder { nodes: &nodes, decoded: 0, aliased: 0, compared: 0 }.rules()
    }
}

/// How deep aliases and merges may nest: a mapping that merges itself never ends.
const MAX_MERGES: u32 = 64;
/// How many pairs of keys may be compared in search of duplicates.
const MAX_COMPARED: usize = 2_000_000;

struct Decoder<'a> {
    nodes: &'a [Node<'a>],
    /// What go-yaml counts to notice excessive aliasing.
    decoded: u32,
    aliased: u32,
    compared: usize,
}

/// What a rule says, while its mapping and those merged into it are read.
#[derive(Default)]
struct Rule {
    has_labels: bool,
    /// `fromSame` was there; merged mappings do not override it.
    seen: bool,
}

impl<'a> Decoder<'a> {
    fn rules(&mut self) -> Result<Access, Broken> {
        match self.resolve(0, 0)? {
            (Node::Scalar(scalar), ..) if is_null(scalar) => Ok(Access::Unset),
            (Node::Sequence { end }, start, depth) => {
                let mut result = Access::Restricted;
                for item in self.children(start, *end) {
                    if self.rule(item, depth)? == Some(false) {
                        result = Access::Anywhere;
                    }
                }
                Ok(result)
            }
            (Node::Scalar(_) | Node::Mapping { .. } | Node::Alias { .. }, ..) => Err(Broken),
        }
    }

    /// Whether the rule has labels; `None` for a null, which is left out of the list.
    fn rule(&mut self, index: usize, depth: u32) -> Result<Option<bool>, Broken> {
        match self.resolve(index, depth)? {
            (Node::Scalar(scalar), ..) if is_null(scalar) => Ok(None),
            (Node::Mapping { end }, start, depth) => {
                let mut rule = Rule::default();
                self.fields(start, *end, depth, false, &mut rule)?;
                Ok(Some(rule.has_labels))
            }
            (Node::Scalar(_) | Node::Sequence { .. } | Node::Alias { .. }, ..) => Err(Broken),
        }
    }

    /// Reads the fields of a mapping into a rule; `merged` tells a mapping that a `<<` brought in.
    fn fields(&mut self, start: usize, end: usize, depth: u32, merged: bool, rule: &mut Rule) -> Result<(), Broken> {
        let entries = self.children(start, end);
        self.check_unique(&entries)?;
        let mut merge = None;
        for pair in entries.chunks_exact(2) {
            let [key, value] = *pair else { continue };
            if self.is_merge(key) {
                merge = Some(value);
                continue;
            }
            if self.text(key, depth)? != Some("fromSame") {
                continue;
            }
            match (rule.seen, merged) {
                (true, true) => continue,
                (true, false) => return Err(Broken), // twice, through an alias
                (false, _) => rule.seen = true,
            }
            rule.has_labels = self.has_labels(value, depth)?;
        }
        let Some(value) = merge else { return Ok(()) };
        if !merged {
            for pair in entries.chunks_exact(2) {
                if let [key, _] = *pair {
                    self.resolve(key, depth)?; // go-yaml decodes the keys once more, and counts that
                }
            }
        }
        if let Some(Node::Sequence { end }) = self.nodes.get(value) {
            for item in self.children(value, *end) {
                self.merge(item, depth, rule)?;
            }
            Ok(())
        } else {
            self.merge(value, depth, rule)
        }
    }

    fn merge(&mut self, index: usize, depth: u32, rule: &mut Rule) -> Result<(), Broken> {
        if depth >= MAX_MERGES {
            return Err(Broken);
        }
        match self.resolve(index, depth)? {
            (Node::Mapping { end }, start, depth) => self.fields(start, *end, depth + 1, true, rule),
            (Node::Scalar(_) | Node::Sequence { .. } | Node::Alias { .. }, ..) => Err(Broken),
        }
    }

    fn has_labels(&mut self, index: usize, depth: u32) -> Result<bool, Broken> {
        match self.resolve(index, depth)? {
            (Node::Scalar(scalar), ..) if is_null(scalar) => Ok(false),
            (Node::Sequence { end }, start, depth) => {
                let mut result = false;
                for item in self.children(start, *end) {
                    result |= self.text(item, depth)?.is_some();
                }
                Ok(result)
            }
            (Node::Scalar(_) | Node::Mapping { .. } | Node::Alias { .. }, ..) => Err(Broken),
        }
    }

    /// A scalar as Go's `string`; `None` for a null. Every other plain scalar is taken as it is written.
    fn text(&mut self, index: usize, depth: u32) -> Result<Option<&'a str>, Broken> {
        let (Node::Scalar(scalar), ..) = self.resolve(index, depth)? else { return Err(Broken) };
        if is_null(scalar) {
            return Ok(None);
        }
        let fits = match scalar.tag {
            Tag::Null => false,
            Tag::Bool => matches!(&*scalar.value, "true" | "True" | "TRUE" | "false" | "False" | "FALSE"),
            Tag::Number => {
                scalar.value.starts_with(['+', '-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
                    && scalar.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte))
            }
            Tag::Absent | Tag::Str | Tag::Merge | Tag::Other => true,
        };
        if fits { Ok(Some(&scalar.value)) } else { Err(Broken) }
    }

    /// The node that `index` stands for, where it is, and through how many aliases it was reached.
    fn resolve(&mut self, index: usize, depth: u32) -> Result<(&'a Node<'a>, usize, u32), Broken> {
        self.count(depth)?;
        match self.nodes.get(index) {
            Some(Node::Alias { target }) => {
                self.count(depth + 1)?;
                Ok((self.nodes.get(*target).ok_or(Broken)?, *target, depth + 1))
            }
            Some(node) => Ok((node, index, depth)),
            None => Err(Broken),
        }
    }

    /// go-yaml's guard against documents that are mostly aliases (`decoder.unmarshal`). It also bounds our work.
    fn count(&mut self, depth: u32) -> Result<(), Broken> {
        const LOW: f64 = 400_000.0;
        const HIGH: f64 = 4_000_000.0;
        self.decoded = self.decoded.saturating_add(1);
        self.aliased = self.aliased.saturating_add(u32::from(depth > 0));
        if self.aliased <= 100 || self.decoded <= 1000 {
            return Ok(());
        }
        let (decoded, aliased) = (f64::from(self.decoded), f64::from(self.aliased));
        let allowed = 0.99 - 0.89 * ((decoded - LOW) / (HIGH - LOW)).clamp(0.0, 1.0);
        if aliased / decoded > allowed { Err(Broken) } else { Ok(()) }
    }

    /// The indices of the children of a collection.
    fn children(&self, start: usize, end: usize) -> Vec<usize> {
        let mut result = Vec::new();
        let mut index = start + 1;
        while index < end {
            result.push(index);
            index = match self.nodes.get(index) {
                Some(Node::Sequence { end } | Node::Mapping { end }) => (*end).max(index + 1),
                Some(Node::Scalar(_) | Node::Alias { .. }) | None => index + 1,
            };
        }
        result
    }

    /// Fails where a key is there twice. Scalars are compared as written, whatever their tag, and so are two
    /// collections, which go-yaml cannot tell apart.
    fn check_unique(&mut self, entries: &[usize]) -> Result<(), Broken> {
        let keys: Vec<&Node<'_>> = entries.iter().step_by(2).filter_map(|key| self.nodes.get(*key)).collect();
        self.compared = self.compared.saturating_add(keys.len().saturating_mul(keys.len()));
        if self.compared > MAX_COMPARED {
            return Err(Broken);
        }
        let mut rest = keys.as_slice();
        while let Some((key, others)) = rest.split_first() {
            if others.iter().any(|other| same_key(key, other)) {
                return Err(Broken);
            }
            rest = others;
        }
        Ok(())
    }

    fn is_merge(&self, index: usize) -> bool {
        match self.nodes.get(index) {
            Some(Node::Scalar(Scalar { value, plain, tag })) => {
                value == "<<" && (*tag == Tag::Merge || *tag == Tag::Absent && *plain)
            }
            Some(Node::Sequence { .. } | Node::Mapping { .. } | Node::Alias { .. }) | None => false,
        }
    }
}

fn is_null(scalar: &Scalar<'_>) -> bool {
    matches!(&*scalar.value, "" | "~" | "null" | "Null" | "NULL")
        && (scalar.tag == Tag::Null || scalar.tag == Tag::Absent && scalar.plain)
}

fn same_key(a: &Node<'_>, b: &Node<'_>) -> bool {
    match (a, b) {
        (Node::Scalar(a), Node::Scalar(b)) => a.value == b.value,
        (Node::Alias { target: a }, Node::Alias { target: b }) => a == b,
        (Node::Sequence { .. }, Node::Sequence { .. }) | (Node::Mapping { .. }, Node::Mapping { .. }) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::a_rule_without_labels("- {}", Access::Anywhere)]
    #[case::one_of_several("- fromSame: [a]\n- fromSame: []", Access::Anywhere)]
    #[case::unknown_key("- fromsame: [a]", Access::Anywhere)]
    #[case::null_labels_are_dropped("- fromSame: [~, null]", Access::Anywhere)]
    #[case::null_rules_are_dropped("- ~\n-", Access::Restricted)]
    #[case::no_rules("[]", Access::Restricted)]
    #[case::yaml_1_1_words_are_labels("- fromSame: [yes, off, 0o7, 2020-01-01]", Access::Restricted)]
    #[case::quoted_null_is_a_label("- fromSame: ['null']", Access::Restricted)]
    #[case::indented_block(" - fromSame:\n   - a\n", Access::Restricted)]
    #[case::only_a_comment("# none", Access::Unset)]
    #[case::null("Null", Access::Unset)]
    #[case::tagged_null("!!null ''", Access::Unset)]
    #[case::second_document_is_not_read("- {}\n---\n[", Access::Anywhere)]
    #[case::scalar("yes", Access::Invalid)]
    #[case::quoted_empty("''", Access::Invalid)]
    #[case::mapping("fromSame: [a]", Access::Invalid)]
    #[case::scalar_labels("- fromSame: a", Access::Invalid)]
    #[case::key_twice("- {x: 1, x: 2}", Access::Invalid)]
    #[case::key_twice_through_an_alias("- {&k fromSame: [a], *k : [b]}", Access::Invalid)]
    #[case::collection_as_key("- {[]: 1}", Access::Invalid)]
    #[case::control_character("- {} # \u{1}", Access::Invalid)]
    #[case::merge("- <<: {fromSame: [z]}", Access::Restricted)]
    #[case::merge_does_not_override("- {fromSame: [], <<: {fromSame: [z]}}", Access::Anywhere)]
    #[case::first_of_merged_wins("- <<: [{fromSame: []}, {fromSame: [z]}]", Access::Anywhere)]
    #[case::merge_of_no_mapping("- <<: [a]", Access::Invalid)]
    #[case::quoted_merge_is_a_key("- '<<': {fromSame: [z]}", Access::Anywhere)]
    #[case::merging_itself("- &a {<<: *a}", Access::Invalid)]
    #[case::list_of_itself("&a [*a]", Access::Invalid)]
    fn rules_are_decoded_as_go_yaml_does(#[case] text: &str, #[case] expected: Access) {
        assert_eq!(Access::parse(text), expected);
    }

    #[test]
    fn huge_and_deep_documents_are_refused_quickly() {
        let labels = "a,".repeat(5000);
        let bomb = format!("- fromSame: &a [{labels}]\n{}", "- fromSame: *a\n".repeat(5000));
        let keys: String = (0..5000).map(|key| format!("k{key}: 1, ")).collect();
        let merges: String = (1..200).map(|level| format!("- &m{level} {{<<: *m{}}}\n", level - 1)).collect();
        for text in [
            bomb,
            format!("- {{{keys}}}"),
            format!("- &m0 {{}}\n{merges}"),
            "[".repeat(100_000),
            "- ".repeat(100_000),
            "? ".repeat(100_000),
            "[{},".repeat(50_000),
            format!("[{}]", "{},".repeat(100_000)),
        ] {
            assert_eq!(Access::parse(&text), Access::Invalid, "{text:.40}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[-a :,\\[\\]{}&*!|>'\"%@`#?~<\n\t]{0,40}") {
            let _ = Access::parse(&text);
        }

        #[test]
        fn any_text_that_resembles_rules_is_answered(
            text in "(- |-|fromSame|: |\\[|\\]|\\{|\\}|, |\n|  |&a |\\*a|<<|~|a|'|\"|# |---|\\.\\.\\.|!!str |\\? |\\||%){0,24}"
        ) {
            let _ = Access::parse(&text);
        }
    }
}
