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
            Self::Ten(exponent) => 10_i128.checked_pow(u32::try_from(exponent.checked_add(9)?).ok()?),
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
        Self { negative, whole, fraction, suffix }
    }
}

/// The leading digits, and what follows.
fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
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
        let Parts { negative, whole, fraction, suffix } = Parts::of(text);
        let scale = Scale::of_suffix(suffix).ok_or(NotAQuantity)?;
        if whole.is_empty() && fraction.is_empty() {
            // Go's fast path takes no digits for zero, its exact path refuses them.
            let fast = match scale {
                Scale::Ten(exponent) => exponent >= -9,
                Scale::Two(exponent) => exponent <= 40,
            };
            return if fast { Ok(Self { text: text.to_owned(), nanos: 0 }) } else { Err(NotAQuantity) };
        }
        let magnitude = match scale {
            Scale::Ten(exponent) => decimal(whole, fraction, exponent),
            Scale::Two(exponent) => binary(whole, fraction, exponent).min(MAX_BINARY),
        };
        Ok(Self { text: text.to_owned(), nanos: if negative { -magnitude } else { magnitude } })
    }

    /// A quantity of whole bytes.
    #[must_use]
    pub fn from_bytes(bytes: i128) -> Self {
        Self { text: bytes.to_string(), nanos: bytes.saturating_mul(NANO) }
    }

    /// The amount in bytes, a fraction rounded up (as `Quantity.Value()` does).
    #[must_use]
    pub fn bytes(&self) -> i128 {
        self.nanos.div_euclid(NANO) + i128::from(self.nanos.rem_euclid(NANO) != 0)
    }

    /// The amount in bytes where Go keeps it as an integer once the API server has written it in its shortest form
    /// (`Quantity.AsInt64`): a fraction of a byte it does not, nor what has a binary suffix and too many digits for the
    /// short way through `ParseQuantity`, which are `100Ti` and more.
    #[must_use]
    pub fn as_int64(&self) -> Option<i128> {
        let bytes = self.bytes();
        if Self::from_bytes(bytes) != *self {
            return None;
        }
        let (mut number, mut digits) = (bytes.unsigned_abs(), 1);
        if Parts::of(&self.text).suffix.ends_with('i') {
            while number != 0 && number % 1024 == 0 {
                number /= 1024;
                digits += 3;
            }
            digits += number.checked_ilog10().unwrap_or_default();
        }
        (digits < 15).then_some(bytes)
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
    let whole =
        whole.bytes().fold(0_i128, |value, digit| value.saturating_mul(10).saturating_add(i128::from(digit - b'0')));
    // Long multiplication from the last decimal: exact with any number of digits, and never above 10 units.
    let mut part = 0;
    let mut remainder = false;
    for digit in fraction.bytes().rev() {
        let next = i128::from(digit - b'0') * unit + part;
        part = next / 10;
        remainder |= next % 10 != 0;
    }
    whole.saturating_mul(unit).saturating_add(part + i128::from(remainder))
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
mod tests;
