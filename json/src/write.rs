//! Writing JSON: what the host is asked, told and answered is small and flat.

use crate::scan;

/// Appends `text` as a JSON string.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    if scan::plain(text.as_bytes(), 0) == text.len() {
        out.push_str(text);
    } else {
        escaped(out, text);
    }
    out.push('"');
}

#[cold]
fn escaped(out: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let at = scan::plain(rest.as_bytes(), 0);
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut special = special.chars();
        match special.next() {
            None => break,
            Some(c @ ('"' | '\\')) => {
                out.push('\\');
                out.push(c);
            }
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(c) => {
                let code = u32::from(c);
                out.push_str("\\u00");
                out.extend([code >> 4, code & 15].into_iter().filter_map(|digit| char::from_digit(digit, 16)));
            }
        }
        rest = special.as_str();
    }
}

/// Appends `,"key":"text"`, or without the comma where the object has just begun.
pub fn field(out: &mut String, key: &str, text: &str) {
    self::key(out, key);
    string(out, text);
}

/// Appends `,"key":`, a key that needs no escapes, or without the comma where the object has just begun.
pub fn key(out: &mut String, key: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push('"');
    out.push_str(key);
    out.push_str("\":");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_string_is_read_as_what_was_written(text in any::<String>()) {
            let mut out = String::new();
            string(&mut out, &text);
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        for code in 0..0x20 {
            let text = char::from(code).to_string();
            let mut out = String::new();
            string(&mut out, &text);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }

    #[test]
    fn an_object_has_commas_between_its_fields() {
        let mut out = "{".to_owned();
        field(&mut out, "a", "x");
        field(&mut out, "b", "y\"");
        assert_eq!(out, r#"{"a":"x","b":"y\"""#);
    }
}
