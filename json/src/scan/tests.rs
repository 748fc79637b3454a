use proptest::prelude::*;

use super::*;

/// [`end_of_nested`], a byte at a time.
fn end_of_nested_by_byte(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

proptest! {
    #[test]
    fn the_end_of_what_is_nested(
        before in "[a-z]{0,40}",
        // Backslashes stand in strings only: what is no JSON need not be told.
        text in "[\\[{](\\[|\\]|\\{|\\}|,|a{1,30}|\"([a\\[\\]{}]|\\\\[\"\\\\n]){0,40}\"){0,40}(\"[a\\]]{0,9})?"
    ) {
        let end = end_of_nested_by_byte(text.as_bytes()).map(|end| before.len() + end);
        let whole = format!("{before}{text}");
        prop_assert_eq!(end_of_nested(whole.as_bytes(), before.len()), end);
    }

    #[test]
    fn the_first_byte_that_is_special(text in "[a-zé]{0,40}[\"\\\\\n\u{1f}]?[a-zé\"]{0,20}", start in 0_usize..50) {
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
        let expected = text.bytes().skip(start).position(|byte| special(&byte)).map_or(text.len().max(start), |at| at + start);
        prop_assert_eq!(plain(text.as_bytes(), start), expected);
    }

    #[test]
    fn what_can_be_printed(text in "([ -~]{0,40}|[a-z]{0,20}[\u{0}-\u{ff}][a-z]{0,20})") {
        prop_assert_eq!(is_printable_ascii(&text), text.bytes().all(|byte| matches!(byte, b' '..=b'~')));
    }

    #[test]
    fn the_first_dot(text in "[a-z/]{0,40}[a-z.]{0,40}") {
        prop_assert_eq!(dot(text.as_bytes()), text.find('.'));
    }

    #[test]
    fn the_same_is_equal(a in "[ab]{0,20}", b in "[ab]{0,20}") {
        prop_assert_eq!(same(&a, &b), a == b);
        prop_assert!(same(&a, &a.clone()));
    }
}
