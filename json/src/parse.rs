//! The parser.
//!
//! `serde_json` would do, at twice the instructions and four times the code, most of it for errors and types that
//! nothing here has (measured in `docs/size.md`). It is what this parser is tested against: the same documents are
//! taken, and read as the same values.

use std::borrow::Cow;

use super::{Json, Keep, scan};

/// How deep a document may be nested, as in `serde_json`.
const MAX_DEPTH: u32 = 127;

/// The text is not JSON, or is nested deeper than 127 levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not JSON from byte {at} on")]
pub struct NotJson {
    /// Where the first byte is that does not fit.
    pub at: usize,
}

/// Parses a whole document.
pub(super) fn document<'a>(text: &'a [u8], keep: &Keep) -> Result<Json<'a>, NotJson> {
    let text = simdutf8::compat::from_utf8(text).map_err(|error| NotJson { at: error.valid_up_to() })?;
    let mut parser = Parser { text, at: 0, depth: 0 };
    let value = parser.value(keep)?;
    parser.peek();
    if parser.at < text.len() { Err(parser.wrong()) } else { Ok(value) }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn wrong(&self) -> NotJson {
        NotJson { at: self.at }
    }

    /// The next byte; zero at the end, which nothing that is looked for can be.
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// The next byte that is not white space; zero at the end.
    #[inline]
    fn peek(&mut self) -> u8 {
        // The host sends compact JSON.
        let byte = self.byte();
        if byte > b' ' { byte } else { self.peek_past_white_space() }
    }

    #[cold]
    #[inline(never)]
    fn peek_past_white_space(&mut self) -> u8 {
        while let b' ' | b'\n' | b'\t' | b'\r' = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// Steps over that byte and white space before it.
    fn expect(&mut self, byte: u8) -> Result<(), NotJson> {
        if self.peek() != byte {
            return Err(self.wrong());
        }
        self.at += 1;
        Ok(())
    }

    /// The text from `start` to here.
    fn since(&self, start: usize) -> Result<&'a str, NotJson> {
        self.text.get(start..self.at).ok_or(self.wrong())
    }

    fn value(&mut self, keep: &Keep) -> Result<Json<'a>, NotJson> {
        match self.peek() {
            b'"' => Ok(Json::String(self.string()?)),
            b'{' => self.nested(|parser| parser.object(keep)),
            b'[' => self.nested(|parser| parser.array(keep)),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.wrong()),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Json<'a>, NotJson>) -> Result<Json<'a>, NotJson> {
        if self.depth == MAX_DEPTH {
            return Err(self.wrong());
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self, keep: &Keep) -> Result<Json<'a>, NotJson> {
        if self.peek() == b'}' {
            self.at += 1;
            return Ok(Json::Object(Vec::new()));
        }
        let mut entries = Vec::with_capacity(keep.usual_entries());
        loop {
            let key = self.key()?;
            match keep.below(&key) {
                Some(keep) => entries.push((key, self.value(keep)?)),
                None => self.skip()?,
            }
            if !self.goes_on(b'}')? {
                return Ok(Json::Object(entries));
            }
        }
    }

    /// A key and its colon.
    #[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
    fn key(&mut self) -> Result<Cow<'a, str>, NotJson> {
        // What the host sends, a key of an object of Kubernetes: no escapes, no white space.
        if let Some(key) = self.plain_until(b"\":") {
            return Ok(Cow::Borrowed(key));
        }
        if self.peek() != b'"' {
            return Err(self.wrong());
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// Steps over a string that begins here, if it has no escapes and `end` is how it ends.
    #[inline]
    #[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
    fn plain_until<const N: usize>(&mut self, end: &[u8; N]) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let stop = scan::plain(bytes, start);
        if self.byte() != b'"' || bytes.get(stop..)?.first_chunk() != Some(end) {
            return None;
        }
        self.at = stop + N;
        self.text.get(start..stop)
    }

    fn array(&mut self, keep: &Keep) -> Result<Json<'a>, NotJson> {
        let mut items = Vec::new();
        if self.peek() == b']' {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(keep)?);
            if !self.goes_on(b']')? {
                return Ok(Json::Array(items));
            }
        }
    }

    /// Steps over a comma or `end`, and says whether it was the comma.
    fn goes_on(&mut self, end: u8) -> Result<bool, NotJson> {
        let next = self.peek();
        if next != b',' && next != end {
            return Err(self.wrong());
        }
        self.at += 1;
        Ok(next == b',')
    }

    fn word(&mut self, word: &str, value: Json<'a>) -> Result<Json<'a>, NotJson> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.wrong());
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Json<'a>, NotJson> {
        let start = self.at;
        self.at += usize::from(self.byte() == b'-');
        match self.byte() {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        let mut whole = true;
        if self.byte() == b'.' {
            whole = false;
            self.at += 1;
            self.digits()?;
        }
        if let b'e' | b'E' = self.byte() {
            whole = false;
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), b'+' | b'-'));
            self.digits()?;
        }
        let text = self.since(start)?;
        Ok(match text.parse() {
            Ok(number) if whole => Json::Integer(number),
            // With a fraction or an exponent, or more than 64 bits.
            _ => Json::Decimal(Cow::Borrowed(text)),
        })
    }

    /// Steps over at least one digit.
    fn digits(&mut self) -> Result<(), NotJson> {
        let start = self.at;
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong()) } else { Ok(()) }
    }

    /// The string that begins here, borrowed if it has no escapes.
    #[inline]
    #[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
    fn string(&mut self) -> Result<Cow<'a, str>, NotJson> {
        match self.plain_until(b"\"") {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.string_with_escapes().map(Cow::Owned),
        }
    }

    #[cold]
    #[inline(never)]
    fn string_with_escapes(&mut self) -> Result<String, NotJson> {
        self.at += 1;
        let mut result = String::new();
        loop {
            let start = self.at;
            let next = self.plain();
            result.push_str(self.since(start)?);
            match next {
                b'"' => {
                    self.at += 1;
                    return Ok(result);
                }
                b'\\' => result.push(self.escape()?),
                _ => return Err(self.wrong()),
            }
        }
    }

    /// Steps over what means itself in a string, up to a quote, backslash or control character.
    fn plain(&mut self) -> u8 {
        self.at = scan::plain(self.text.as_bytes(), self.at);
        self.byte()
    }

    fn escape(&mut self) -> Result<char, NotJson> {
        self.at += 1;
        let escaped = match self.byte() {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.wrong()),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// What follows `\`: `uXXXX`, or two of them for a pair of surrogates.
    fn unicode(&mut self) -> Result<char, NotJson> {
        let mut code = self.hexadecimal()?;
        if let 0xD800..=0xDBFF = code {
            if self.byte() != b'\\' {
                return Err(self.wrong());
            }
            self.at += 1;
            let low = self.hexadecimal()?;
            if !(0xDC00..=0xDFFF).contains(&low) {
                return Err(self.wrong());
            }
            code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        char::from_u32(code).ok_or(self.wrong())
    }

    /// `uXXXX`
    fn hexadecimal(&mut self) -> Result<u32, NotJson> {
        if self.byte() != b'u' {
            return Err(self.wrong());
        }
        let mut code = 0;
        for _ in 0..4 {
            self.at += 1;
            let digit = char::from(self.byte()).to_digit(16).ok_or(self.wrong())?;
            code = code * 16 + digit;
        }
        self.at += 1;
        Ok(code)
    }

    /// Steps over a value that nobody reads. Of what is inside it only strings and the balance of brackets are checked:
    /// it may be hundreds of kilobytes, from a host that only sends JSON.
    fn skip(&mut self) -> Result<(), NotJson> {
        match self.peek() {
            b'{' | b'[' => {
                self.at = scan::end_of_nested(self.text.as_bytes(), self.at).ok_or(self.wrong())?;
                Ok(())
            }
            b'"' => {
                self.at += 1;
                self.skip_string()
            }
            _ => self.value(&Keep::Everything).map(drop),
        }
    }

    /// Steps over the rest of a string.
    fn skip_string(&mut self) -> Result<(), NotJson> {
        while self.plain() == b'\\' {
            self.at += 2;
        }
        if self.byte() != b'"' {
            return Err(self.wrong());
        }
        self.at += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
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
}
