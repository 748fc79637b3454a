use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn nanos(text: &str) -> i128 {
    Quantity::parse(text).unwrap_or_else(|_| panic!("{text} is a quantity")).nanos
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
    assert_eq!(nanos("9223372036854775808"), (i128::from(i64::MAX) + 1) * NANO);
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
#[case("0", Some(0))]
#[case("10Gi", Some(10 << 30))]
#[case("1.5Gi", Some(3 << 29))]
#[case("99Ti", Some(99 << 40))]
#[case("99999999999Ki", Some(99_999_999_999 << 10))]
#[case("100Ti", None)]
#[case("102400Gi", None)]
#[case("100000000001Ki", None)]
#[case("109951162777600", Some(100 << 40))]
#[case("100T", Some(100_000_000_000_000))]
#[case("1500m", None)]
fn an_integer_is_what_go_keeps_as_one(#[case] text: &str, #[case] expected: Option<i128>) {
    assert_eq!(Quantity::parse(text).unwrap().as_int64(), expected);
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
fn an_amount_is_shown_in_the_unit_of_another(#[case] this: &str, #[case] other: &str, #[case] shown: &str) {
    let (this, other) = (Quantity::parse(this).unwrap(), Quantity::parse(other).unwrap());
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
        format!("{}.{:010}Gi", mebibytes / 1024, u64::from(mebibytes % 1024) * 10_000_000_000 / 1024),
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
