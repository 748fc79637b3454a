//! Go's way of reading annotation values.

use std::num::IntErrorKind;

/// Go's `strconv.ParseBool`: these twelve spellings and no other, untrimmed.
#[must_use]
pub fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

/// The value of Go's `strconv.ParseInt(text, 10, 64)` where its error is ignored: 0 for what is no number, the nearest
/// limit for a number that does not fit.
pub(super) fn parse_int_ignoring_errors(text: &str) -> i128 {
    match text.parse::<i64>() {
        Ok(number) => number.into(),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => i64::MAX.into(),
        Err(error) if *error.kind() == IntErrorKind::NegOverflow => i64::MIN.into(),
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("True", Some(true))]
    #[case("f", Some(false))]
    #[case("yes", None)]
    #[case(" true", None)]
    #[case("", None)]
    fn booleans(#[case] text: &str, #[case] value: Option<bool>) {
        assert_eq!(parse_bool(text), value);
    }

    #[rstest]
    #[case("8589934592", 8_589_934_592)]
    #[case("-1", -1)]
    #[case("1.5", 0)]
    #[case("", 0)]
    #[case("99999999999999999999", i64::MAX.into())]
    fn integers(#[case] text: &str, #[case] value: i128) {
        assert_eq!(parse_int_ignoring_errors(text), value);
    }
}
