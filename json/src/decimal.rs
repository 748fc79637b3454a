//! Numbers that are no 64-bit integers, as they are written.

/// Whether two JSON numbers are the same number, however they are written: `1e3` and `1000.0`.
///
/// Exact, in any length. Reading them as floats would take 19 kB of code and tables, and would find two long numbers
/// the same that are not.
pub(super) fn same(a: &str, b: &str) -> bool {
    a == b || Normal::of(a) == Normal::of(b)
}

/// A number in its only form: digits that neither begin nor end with a zero, times a power of ten. Zero has no digits.
#[derive(PartialEq, Eq)]
struct Normal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Normal {
    fn of(number: &str) -> Self {
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        // An exponent that 64 bits do not hold: nothing that is written out comes near it.
        let largest = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let exponent = exponent.parse().unwrap_or(largest).clamp(i64::MIN / 2, i64::MAX / 2);
        let magnitude = mantissa.strip_prefix('-').unwrap_or(mantissa);
        let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
        let digits = [whole, fraction].concat();
        let digits = digits.trim_start_matches('0');
        let kept = digits.trim_end_matches('0');
        if kept.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: 0 };
        }
        let exponent = exponent - fraction.len() as i64 + (digits.len() - kept.len()) as i64;
        Self { negative: mantissa.starts_with('-'), digits: kept.to_owned(), exponent }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1", "1.0", true)]
    #[case("1000", "1e3", true)]
    #[case("1000.0", "1E+3", true)]
    #[case("-0.25", "-25e-2", true)]
    #[case("0.1", "1e-1", true)]
    #[case("-0", "0", true)]
    #[case("0e5", "-0.0", true)]
    #[case("10.5", "10.50", true)]
    #[case("12345678901234567890123", "12345678901234567890123.0", true)]
    #[case("12345678901234567890123", "12345678901234567890124", false)]
    #[case("1", "-1", false)]
    #[case("1e3", "1e4", false)]
    #[case("101", "11", false)]
    #[case("1e99999999999999999999", "1e-99999999999999999999", false)]
    #[case("1e99999999999999999999", "1", false)]
    fn numbers(#[case] a: &str, #[case] b: &str, #[case] expected: bool) {
        assert_eq!(same(a, b), expected);
        assert_eq!(same(b, a), expected);
    }

    proptest! {
        #[test]
        fn a_number_is_the_same_in_another_form(digits in any::<i64>(), places in 0_u32..12) {
            let (whole, zeros) = (digits.to_string(), "0".repeat(places as usize));
            let (shifted, fraction, larger) =
                (format!("{whole}{zeros}e-{places}"), format!("{whole}.{zeros}"), format!("{whole}e{places}"));
            prop_assert!(same(&whole, &shifted) && same(&fraction, &whole));
            prop_assert_eq!(same(&larger, &whole), places == 0 || digits == 0);
        }

        #[test]
        fn floats_that_differ_differ(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite());
            let (a_text, b_text, exponential) = (a.to_string(), b.to_string(), format!("{a:e}"));
            prop_assert_eq!(same(&a_text, &b_text), a == b);
            prop_assert!(same(&a_text, &exponential));
        }
    }
}
