//! Making names and values fit to be printed.

use std::borrow::Cow;

use crate::json::is_printable_ascii;

/// Longest warning, in bytes: the API server cuts or drops longer ones.
pub const MAX_WARNING: usize = 256;

/// How much of a name a refusal prints: no valid name is longer.
pub const MAX_NAME: usize = 253;

/// `text` without control characters, and shortened in the middle to at most `max` characters.
///
/// A warning with a line break is dropped by the API server without a trace, so control characters are escaped;
/// so are the characters that change the direction of a line or that nobody sees, which could make a message read as
/// another one.
#[must_use]
pub fn printable(text: &str, max: usize) -> Cow<'_, str> {
    // What most names are: short, and nothing to escape.
    if text.len() <= max && is_printable_ascii(text) {
        return Cow::Borrowed(text);
    }
    // Nothing of a huge text but its ends is looked at.
    let (head, tail) = match text.char_indices().nth(max) {
        None => (text, ""),
        Some(_) => {
            let keep = max.saturating_sub(1);
            let front = keep - keep / 2;
            let cut = text.char_indices().nth(front).map_or(text.len(), |(at, _)| at);
            let back = text.char_indices().rev().nth((keep / 2).saturating_sub(1)).map_or(text.len(), |(at, _)| at);
            let back = if keep / 2 == 0 { text.len() } else { back };
            (text.get(..cut).unwrap_or(text), text.get(back..).unwrap_or_default())
        }
    };
    let mut result = String::with_capacity(head.len() + tail.len() + 3);
    push_escaped(&mut result, head);
    if !tail.is_empty() || head.len() < text.len() {
        result.push('…');
        push_escaped(&mut result, tail);
    }
    Cow::Owned(result)
}

fn push_escaped(result: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_control() || is_hidden(c) {
            result.extend(c.escape_default());
        } else {
            result.push(c);
        }
    }
}

/// Characters that take no place, or turn the text after them around.
fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

/// A name as a refusal prints it.
#[must_use]
pub fn name(text: &str) -> Cow<'_, str> {
    printable(text, MAX_NAME)
}

/// A warning of at most [`MAX_WARNING`] bytes: `write` is told how many characters it may spend on each name, and is
/// asked again with fewer until the text fits.
#[must_use]
pub fn fit(write: impl Fn(usize) -> String) -> String {
    for limit in [MAX_NAME, 100, 63, 48, 40, 32, 26, 20, 16, 12, 8] {
        let text = write(limit);
        if text.len() <= MAX_WARNING {
            return text;
        }
    }
    let text = write(8);
    let cut = (0..=MAX_WARNING - '…'.len_utf8()).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    format!("{}…", text.get(..cut).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("short", 10, "short")]
    #[case("exactly-10", 10, "exactly-10")]
    #[case("abcdefghij", 5, "ab…ij")]
    #[case("abcdefghij", 6, "abc…ij")]
    #[case("a\nb\tc\u{7f}", 20, "a\\nb\\tc\\u{7f}")]
    #[case("a\u{202e}b\u{200b}c\u{feff}", 40, "a\\u{202e}b\\u{200b}c\\u{feff}")]
    #[case("äöüßäöüß", 4, "äö…ß")]
    #[case("abc", 1, "…")]
    fn names_are_shortened_in_the_middle(#[case] text: &str, #[case] max: usize, #[case] expected: &str) {
        assert_eq!(printable(text, max), expected);
    }

    #[test]
    fn a_warning_fits_whatever_the_names() {
        for unit in ["a", "ä", "\n", "\u{1F600}"] {
            let long = unit.repeat(5_000);
            let text = fit(|limit| format!("{0} {0} {0} {1}", printable(&long, limit), "x".repeat(100)));
            assert!(text.len() <= MAX_WARNING, "{}", text.len());
        }
        let text = fit(|_| "ä".repeat(1_000));
        assert!(text.len() <= MAX_WARNING && text.ends_with('…'));
    }
}
