use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;

use super::*;

fn parse(text: &str) -> Result<Json<'_>, NotJson> {
    document(text.as_bytes(), &Keep::Everything)
}

/// The value as `serde_json` has it.
fn value(json: &Json<'_>) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => (*flag).into(),
        Json::Integer(number) => (*number).into(),
        Json::Decimal(number) => number.parse::<f64>().unwrap().into(),
        Json::String(text) => text.as_ref().into(),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(entries) => entries.iter().map(|(key, item)| (key.as_ref().to_owned(), value(item))).collect(),
    }
}

/// Floats that differ in the last bit are the same, as `serde_json` rounds twice, and so are the two zeros.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (x, y) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || x == y || (a.is_f64() && !b.is_i64() && (x - y).abs() <= x.abs() * 1e-15)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        (a, b) => a == b,
    }
}

fn check(text: &str) {
    match (parse(text), serde_json::from_str::<Value>(text)) {
        (Ok(ours), Ok(theirs)) => assert!(same(&value(&ours), &theirs), "{text}: {ours:?}, not {theirs}"),
        (Err(_), Err(_)) => {}
        // It reads floats, and this parser reads text.
        (Ok(_), Err(error)) if error.to_string().starts_with("number out of range") => {}
        (ours, theirs) => panic!("{text}: {ours:?}, not {theirs:?}"),
    }
    // What is taken whole can be stepped over, too.
    let skipped = format!("{{\"managedFields\":{text}}}");
    if parse(text).is_ok() {
        assert_eq!(parse(&skipped), Ok(Json::Object(Vec::new())), "{text}");
    }
}

#[rstest]
#[case("")]
#[case(" [ 1 , \"a\" , { } , [ ] , null , true , false ]\r\n\t")]
#[case("[1,]")]
#[case("[,1]")]
#[case("{\"a\":1,}")]
#[case("{\"a\" 1}")]
#[case("{1:1}")]
#[case("{} {}")]
#[case("nul")]
#[case("nulls")]
#[case("[truefalse]")]
#[case("[01, 1]")]
#[case("-")]
#[case("-0")]
#[case("[-0.0, 0e0, 1E+2, 1e-2, 0.5, -1.5e300]")]
#[case("1.")]
#[case(".5")]
#[case("1e")]
#[case("[9223372036854775807, -9223372036854775808, 18446744073709551615, 18446744073709551616]")]
#[case("\"unterminated")]
#[case("\"unterminated with an escape\\")]
#[case("\"\\u00e9\\ud83d\\ude00\\n\\/\\\"\"")]
#[case("\"\\ud83d\"")]
#[case("\"\\ud83d\\n\"")]
#[case("\"\\ude00\"")]
#[case("\"\\uD83D\\u0041\"")]
#[case("\"\\u12g4\"")]
#[case("\"\\x\"")]
#[case("\"a\u{1}\"")]
#[case("\"\u{7f}\u{80}é😀12345678é\"")]
fn a_document_is_read_as_serde_json_reads_it(#[case] text: &str) {
    check(text);
}

#[test]
fn a_number_may_be_as_large_as_it_likes() {
    for number in ["1e400", "-1E400", &"9".repeat(1000)] {
        assert_eq!(parse(number), Ok(Json::Decimal(number.into())));
    }
}

#[test]
fn the_depth_is_that_of_serde_json() {
    for depth in [126, 127, 128, 129, 100_000] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse(&text).is_ok(), serde_json::from_str::<Value>(&text).is_ok(), "{depth}");
    }
}

#[test]
fn what_is_skipped_is_as_deep_as_it_likes() {
    let text = format!("{{\"managedFields\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(parse(&text), Ok(Json::Object(Vec::new())));
    for broken in ["[", "{[}", "", "]", "\"", ",", "[\"a]", "\"\\\"", "\u{1}", "nul", "1.", "["] {
        assert!(parse(&format!("{{\"managedFields\":{broken}")).is_err(), "{broken}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_as_serde_json_reads_it(text in "[\\[\\]{}\",:\\\\u0-9a-fE.+\\- \nétrulsn]{0,40}") {
        check(&text);
    }

    #[test]
    fn any_text_that_resembles_json_is_read_as_serde_json_reads_it(
        text in "(\\[|\\]|\\{|\\}|\"a\":|\"long enough for a chunk\"|\"\\\\u00e9\"|,|1|-2.5e3|null|true| ){0,24}"
    ) {
        check(&text);
    }

    #[test]
    fn any_string_comes_through(text in any::<String>()) {
        check(&serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn any_number_comes_through(number in any::<f64>().prop_filter("JSON has no others", |n| n.is_finite())) {
        check(&serde_json::to_string(&number).unwrap());
    }
}
