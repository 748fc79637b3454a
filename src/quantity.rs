//! Kubernetes quantities (`10Gi`, `5e9`, `1.5Gi`), as `k8s.io/apimachinery/pkg/api/resource` parses them
//! (`quantity.go`, `suffix.go`).
//!
//! Written here because no crate fits: `kube_quantity` 0.9 is tied to another `k8s-openapi` than the SDK's and
//! computes in `rust_decimal`, whose 96-bit mantissa is not exact over a quantity's range.
//!
//! What is particular about the grammar, all of it as in Go:
//! - `5.`, `.5` and `+5` are numbers; a lone sign, dot or suffix (`Ki`) is zero;
//! - more than nine decimals are rounded away from zero: who asks for something gets something;
//! - only binary suffixes are capped, at 2^63-1; a decimal amount may be larger. Amounts that do not fit this
//!   type (above 10^29 bytes) saturate;
//! - `E` is a suffix, `E3` an exponent, `Ei` a suffix again.

use std::cmp::Ordering;

/// An amount of storage: exact, and with the text that the person wrote.
#[derive(Debug, Clone)]
pub struct Quantity {
    text: String,
    /// Billionths of a byte: the smallest unit a quantity can have. Saturates.
    nanos: i128,
}

/// The text is not a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a quantity")]
pub struct NotAQuantity;

/// Billionths in one.
const NANO: i128 = 1_000_000_000;

/// The cap of amounts with a binary suffix.
const MAX_BINARY: i128 = (i64::MAX as i128) * NANO;

/// What the suffix multiplies the number with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// A power of ten.
    Ten(i32),
    /// A power of two, not negative.
    Two(u32),
}

impl Scale {
    /// `suffixHandler.interpret` in `suffix.go`.
    fn of_suffix(suffix: &str) -> Option<Self> {
        Some(match suffix {
            "n" => Self::Ten(-9),
            "u" => Self::Ten(-6),
            "m" => Self::Ten(-3),
            "" => Self::Ten(0),
            "k" => Self::Ten(3),
            "M" => Self::Ten(6),
            "G" => Self::Ten(9),
            "T" => Self::Ten(12),
            "P" => Self::Ten(15),
            "E" => Self::Ten(18),
            "Ki" => Self::Two(10),
            "Mi" => Self::Two(20),
            "Gi" => Self::Two(30),
            "Ti" => Self::Two(40),
            "Pi" => Self::Two(50),
            "Ei" => Self::Two(60),
            _ => {
                let exponent = suffix.strip_prefix(['e', 'E'])?;
                // Go parses 64 bits and keeps the lower 32.
                Self::Ten(exponent.parse::<i64>().ok()? as i32)
            }
        })
    }

    /// One of this unit in billionths, where that is a whole number that fits.
    fn nanos(self) -> Option<i128> {
        match self {
            Self::Ten(exponent) => {
                10_i128.checked_pow(u32::try_from(exponent.checked_add(9)?).ok()?)
            }
            Self::Two(exponent) => Some((1 << exponent) * NANO),
        }
    }
}

/// A quantity's text in its parts.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, rest) = split_digits(unsigned);
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), split_digits);
        Self {
            negative,
            whole,
            fraction,
            suffix,
        }
    }
}

/// The leading digits, and what follows.
fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

impl Quantity {
    /// Parses a quantity.
    ///
    /// # Errors
    /// The text is not a quantity.
    pub fn parse(text: &str) -> Result<Self, NotAQuantity> {
        if text.is_empty() {
            return Err(NotAQuantity);
        }
        let Parts {
            negative,
            whole,
            fraction,
            suffix,
        } = Parts::of(text);
        let scale = Scale::of_suffix(suffix).ok_or(NotAQuantity)?;
        if whole.is_empty() && fraction.is_empty() {
            // Go's fast path takes no digits for zero, its exact path refuses them.
            let fast = match scale {
                Scale::Ten(exponent) => exponent >= -9,
                Scale::Two(exponent) => exponent <= 40,
            };
            return if fast {
                Ok(Self {
                    text: text.to_owned(),
                    nanos: 0,
                })
            } else {
                Err(NotAQuantity)
            };
        }
        let magnitude = match scale {
            Scale::Ten(exponent) => decimal(whole, fraction, exponent),
            Scale::Two(exponent) => binary(whole, fraction, exponent).min(MAX_BINARY),
        };
        Ok(Self {
            text: text.to_owned(),
            nanos: if negative { -magnitude } else { magnitude },
        })
    }

    /// A quantity of whole bytes.
    #[must_use]
    pub fn from_bytes(bytes: i128) -> Self {
        Self {
            text: bytes.to_string(),
            nanos: bytes.saturating_mul(NANO),
        }
    }

    /// The amount in bytes, a fraction rounded up (as `Quantity.Value()` does).
    #[must_use]
    pub fn bytes(&self) -> i128 {
        self.nanos.div_euclid(NANO) + i128::from(self.nanos.rem_euclid(NANO) != 0)
    }

    /// The text that the person wrote.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// This amount in the suffix that `other` is written in, so that two sizes can be compared at a glance:
    /// `10737418240` beside `5Gi` is `10Gi`. As written where two decimals cannot say it exactly.
    #[must_use]
    pub fn display_like(&self, other: &Self) -> String {
        let suffix = Parts::of(&other.text).suffix;
        self.in_unit(suffix).unwrap_or_else(|| self.text.clone())
    }

    fn in_unit(&self, suffix: &str) -> Option<String> {
        let unit = Scale::of_suffix(suffix)?.nanos()?;
        let hundredfold = self.nanos.checked_mul(100)?;
        if self.nanos < 0 || hundredfold % unit != 0 {
            return None;
        }
        let hundredths = hundredfold / unit;
        let (whole, fraction) = (hundredths / 100, hundredths % 100);
        Some(match fraction {
            0 => format!("{whole}{suffix}"),
            _ if fraction % 10 == 0 => format!("{whole}.{}{suffix}", fraction / 10),
            _ => format!("{whole}.{fraction:02}{suffix}"),
        })
    }
}

/// `whole.fraction` times ten to the `exponent`, in billionths, rounded up.
fn decimal(whole: &str, fraction: &str, exponent: i32) -> i128 {
    let shift = i64::from(exponent) + 9 - i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let digits = whole.len() + fraction.len();
    // A negative shift drops digits; what is dropped rounds up.
    let dropped = usize::try_from(shift.min(0).unsigned_abs()).unwrap_or(usize::MAX);
    let kept = digits.saturating_sub(dropped);
    let mut value: i128 = 0;
    let mut remainder = false;
    for (index, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let digit = i128::from(digit - b'0');
        if index < kept {
            value = value.saturating_mul(10).saturating_add(digit);
        } else {
            remainder |= digit != 0;
        }
    }
    for _ in 0..shift.max(0) {
        if value == 0 || value == i128::MAX {
            break;
        }
        value = value.saturating_mul(10);
    }
    value.saturating_add(i128::from(remainder))
}

/// `whole.fraction` times two to the `exponent`, in billionths, rounded up.
fn binary(whole: &str, fraction: &str, exponent: u32) -> i128 {
    let unit = (1_i128 << exponent) * NANO;
    let whole = whole.bytes().fold(0_i128, |value, digit| {
        value
            .saturating_mul(10)
            .saturating_add(i128::from(digit - b'0'))
    });
    // Long multiplication from the last decimal: exact with any number of digits, and never above 10 units.
    let mut part = 0;
    let mut remainder = false;
    for digit in fraction.bytes().rev() {
        let next = i128::from(digit - b'0') * unit + part;
        part = next / 10;
        remainder |= next % 10 != 0;
    }
    whole
        .saturating_mul(unit)
        .saturating_add(part + i128::from(remainder))
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn nanos(text: &str) -> i128 {
        Quantity::parse(text)
            .unwrap_or_else(|_| panic!("{text} is a quantity"))
            .nanos
    }

    #[rstest]
    #[case("0", 0)]
    #[case("5n", 5)]
    #[case("4u", 4_000)]
    #[case("3m", 3_000_000)]
    #[case("9", 9 * NANO)]
    #[case("8k", 8_000 * NANO)]
    #[case("7M", 7_000_000 * NANO)]
    #[case("6G", 6_000_000_000 * NANO)]
    #[case("5T", 5_000_000_000_000 * NANO)]
    #[case("2P", 2_000_000_000_000_000 * NANO)]
    #[case("12E", 12_000_000_000_000_000_000 * NANO)]
    #[case("8Ki", (8 << 10) * NANO)]
    #[case("7Mi", (7 << 20) * NANO)]
    #[case("6Gi", (6 << 30) * NANO)]
    #[case("5Ti", (5 << 40) * NANO)]
    #[case("4Pi", (4 << 50) * NANO)]
    #[case("3Ei", (3 << 60) * NANO)]
    fn every_suffix_has_its_unit(#[case] text: &str, #[case] expected: i128) {
        assert_eq!(nanos(text), expected);
    }

    #[rstest]
    #[case("1e3", "1k")]
    #[case("1E-3", "1m")]
    #[case("1.3E+6", "1300k")]
    #[case("1.5e9", "1500M")]
    #[case("1e4294967299", "1k")] // the exponent wraps at 32 bits
    fn an_exponent_is_a_power_of_ten(#[case] text: &str, #[case] same: &str) {
        assert_eq!(nanos(text), nanos(same));
    }

    #[rstest]
    #[case("+5Gi", "5Gi")]
    #[case("005Gi", "5Gi")]
    #[case("5.Gi", "5Gi")]
    #[case(".5Gi", "512Mi")]
    #[case("0.5Gi", "512Mi")]
    #[case("1.50Gi", "1536Mi")]
    #[case(".", "0")]
    #[case("-", "0")]
    #[case("Ki", "0")]
    #[case("m", "0")]
    #[case("0Ei", "0")]
    #[case("100.035Ki", "102435840m")]
    fn odd_spellings_are_read(#[case] text: &str, #[case] same: &str) {
        assert_eq!(nanos(text), nanos(same));
    }

    #[rstest]
    #[case("3.001n", 4)]
    #[case("1.1E-9", 2)]
    #[case("0.0000000001", 1)]
    #[case("0.9n", 1)]
    #[case("0.00000012345", 124)]
    #[case("0.00000012354", 124)]
    #[case("0.000000000001Ki", 2)]
    #[case("1e-100", 1)]
    #[case("0e-100", 0)]
    #[case("-0.1n", -1)]
    fn less_than_a_billionth_rounds_away_from_zero(#[case] text: &str, #[case] expected: i128) {
        assert_eq!(nanos(text), expected);
    }

    #[test]
    fn binary_amounts_are_capped_and_decimal_ones_saturate() {
        assert_eq!(nanos("9Ei"), MAX_BINARY);
        assert_eq!(nanos("-9Ei"), -MAX_BINARY);
        assert_eq!(nanos(&format!("{}Ki", "9".repeat(1000))), MAX_BINARY);
        assert_eq!(
            nanos("9223372036854775808"),
            (i128::from(i64::MAX) + 1) * NANO
        );
        assert_eq!(nanos("1e2147483647"), i128::MAX);
        assert_eq!(nanos(&"9".repeat(1000)), i128::MAX);
        assert_eq!(nanos("1e-2147483648"), 1);
    }

    #[rstest]
    #[case("")]
    #[case(" 1Gi")]
    #[case("1Gi ")]
    #[case("1 Gi")]
    #[case("1gi")]
    #[case("1GB")]
    #[case("1K")]
    #[case("1e")]
    #[case("1e+")]
    #[case("1e1.5")]
    #[case("1e99999999999999999999")]
    #[case("1.2.3")]
    #[case("--1")]
    #[case("1-2")]
    #[case("1,5Gi")]
    #[case("ten")]
    #[case("１Gi")]
    #[case("Ei")]
    #[case("e-10")]
    fn other_texts_are_no_quantities(#[case] text: &str) {
        assert_eq!(Quantity::parse(text), Err(NotAQuantity));
    }

    #[rstest]
    #[case("1.5", 2)]
    #[case("1m", 1)]
    #[case("-1500m", -1)]
    #[case("1.5Ki", 1536)]
    fn bytes_round_up(#[case] text: &str, #[case] expected: i128) {
        assert_eq!(Quantity::parse(text).unwrap().bytes(), expected);
    }

    #[rstest]
    #[case("10737418240", "5Gi", "10Gi")]
    #[case("10Gi", "5120Mi", "10240Mi")]
    #[case("5632Mi", "5Gi", "5.5Gi")]
    #[case("5376Mi", "5Gi", "5.25Gi")]
    #[case("1025Mi", "5Gi", "1025Mi")] // would need more decimals
    #[case("10Gi", "5e9", "10Gi")]
    #[case("5G", "3e9", "5e9")]
    #[case("1Gi", "1e-12", "1Gi")]
    fn an_amount_is_shown_in_the_unit_of_another(
        #[case] this: &str,
        #[case] other: &str,
        #[case] shown: &str,
    ) {
        let (this, other) = (
            Quantity::parse(this).unwrap(),
            Quantity::parse(other).unwrap(),
        );
        assert_eq!(this.display_like(&other), shown);
    }

    /// Spellings of a number of mebibytes.
    fn spellings(mebibytes: u32) -> Vec<String> {
        let bytes = u64::from(mebibytes) << 20;
        vec![
            bytes.to_string(),
            format!("+{bytes}."),
            format!("{bytes}000m"),
            format!("{bytes}e0"),
            format!("{bytes}00E-2"),
            format!("{}.{:09}G", bytes / 1_000_000_000, bytes % 1_000_000_000),
            format!("0{}Ki", bytes >> 10),
            format!("{mebibytes}.000Mi"),
            format!(
                "{}.{:010}Gi",
                mebibytes / 1024,
                u64::from(mebibytes % 1024) * 10_000_000_000 / 1024
            ),
        ]
    }

    proptest! {
        #[test]
        fn notations_of_one_amount_are_equal(mebibytes in any::<u32>()) {
            let expected = Quantity::from_bytes(i128::from(mebibytes) << 20);
            for text in spellings(mebibytes) {
                let quantity = Quantity::parse(&text).unwrap();
                prop_assert_eq!(&quantity, &expected, "{}", text);
                prop_assert_eq!(quantity.bytes(), expected.bytes(), "{}", text);
                prop_assert_eq!(quantity.text(), text);
            }
        }

        #[test]
        fn any_text_is_answered(text in "[-+]?[0-9.]{0,40}[eEinumkKMGTP]{0,3}[-+]?[0-9]{0,20}") {
            if let Ok(quantity) = Quantity::parse(&text) {
                let _ = (quantity.bytes(), quantity.display_like(&quantity));
            }
        }
    }
}
