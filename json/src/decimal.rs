//! Floats as text.

/// The largest whole number below which every whole number is a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The shortest decimal text of a float, without exponent: `1.5`, `1000`, `0.25`.
///
/// The standard library's does the same for every float, and is 20 kB of code. Floats occur where somebody wrote a
/// quantity as a number with a fraction, so up to 15 digits come out exactly, and more are rounded. A fraction below
/// 10^-22 is written as zero and a one in the 22nd place.
#[allow(clippy::cast_possible_truncation, reason = "saturating is what is meant")]
pub(super) fn text(number: f64) -> String {
    if number.fract() == 0.0 {
        return (number as i128).to_string();
    }
    let magnitude = number.abs();
    let (mut scale, mut best) = (1.0, (0_i128, 0));
    for places in 1..=22 {
        scale *= 10.0;
        let digits = (magnitude * scale).round();
        if digits >= EXACT {
            break;
        }
        best = (digits as i128, places);
        // Both are exact, so that the quotient is the float that this text is read as.
        if digits / scale == magnitude {
            break;
        }
    }
    let (digits, places) = best;
    let unit = 10_i128.pow(places);
    let sign = if number < 0.0 { "-" } else { "" };
    let (whole, fraction) = (digits / unit, (digits % unit).max(i128::from(digits == 0)));
    format!("{sign}{whole}.{fraction:0width$}", width = places as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(1.5, "1.5")]
    #[case(-0.25, "-0.25")]
    #[case(1e3, "1000")]
    #[case(0.1, "0.1")]
    #[case(0.001, "0.001")]
    #[case(1e-7, "0.0000001")]
    #[case(123_456.789, "123456.789")]
    #[case(1e22, "10000000000000000000000")]
    #[case(1e-30, "0.0000000000000000000001")]
    #[case(1e300, "170141183460469231731687303715884105727")]
    #[case(-0.0, "0")]
    fn floats(#[case] number: f64, #[case] expected: &str) {
        assert_eq!(text(number), expected);
    }

    proptest! {
        #[test]
        fn as_the_standard_library_writes_it(digits in 0_u64..1_000_000_000_000_000, places in 0_u32..16) {
            let number: f64 = format!("{digits}e-{places}").parse().unwrap();
            prop_assert_eq!(text(number), number.to_string());
        }
    }
}
