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
mod tests;
