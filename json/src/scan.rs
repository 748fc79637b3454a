//! Looking through text in chunks.
//!
//! In the module with SIMD instructions of 16 bytes, which every host that runs it has (wasmtime enables them by
//! default): a byte at a time takes some 15 instructions a byte, these take two or three.

/// How many bytes are looked at at once.
pub(crate) const CHUNK: usize = 16;

/// A bit for each byte of a chunk, the lowest for the first.
type Bits = u32;

/// How many bytes are looked at at once where nothing is read.
const WIDE: usize = 2 * CHUNK;

/// What may begin or end something in a JSON document, in two chunks.
struct Marks {
    quotes: Bits,
    /// Backslashes.
    escapes: Bits,
    /// `[` and `{`
    opening: Bits,
    /// `]` and `}`
    closing: Bits,
}

impl Marks {
    #[inline]
    #[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
    fn of(chunk: &[u8; WIDE]) -> Self {
        let both = |one: Bits, other: Bits| one | other << CHUNK;
        let (one, other) = match (chunk.first_chunk(), chunk.last_chunk()) {
            (Some(one), Some(other)) => (simd::marks(one), simd::marks(other)),
            _ => return Self { quotes: 0, escapes: 0, opening: 0, closing: 0 },
        };
        Self {
            quotes: both(one.quotes, other.quotes),
            escapes: both(one.escapes, other.escapes),
            opening: both(one.opening, other.opening),
            closing: both(one.closing, other.closing),
        }
    }
}

#[cfg(target_family = "wasm")]
mod simd {
    use std::arch::wasm32::{
        u8x16_all_true, u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u8x16_sub, u64x2, v128, v128_or,
    };

    use super::{Bits, CHUNK, Marks};

    #[target_feature(enable = "simd128")]
    fn load(chunk: &[u8; CHUNK]) -> v128 {
        let chunk = u128::from_le_bytes(*chunk);
        u64x2(chunk as u64, (chunk >> 64) as u64)
    }

    /// See [`super::is_special`].
    #[target_feature(enable = "simd128")]
    pub(super) fn special(chunk: &[u8; CHUNK]) -> Bits {
        let bytes = load(chunk);
        let quoted = v128_or(u8x16_eq(bytes, u8x16_splat(b'"')), u8x16_eq(bytes, u8x16_splat(b'\\')));
        u8x16_bitmask(v128_or(quoted, u8x16_lt(bytes, u8x16_splat(0x20)))).into()
    }

    /// The dots.
    #[target_feature(enable = "simd128")]
    pub(super) fn dots(chunk: &[u8; CHUNK]) -> Bits {
        u8x16_bitmask(u8x16_eq(load(chunk), u8x16_splat(b'.'))).into()
    }

    /// Whether all bytes can be seen.
    #[target_feature(enable = "simd128")]
    pub(super) fn printable(chunk: &[u8; CHUNK]) -> bool {
        u8x16_all_true(u8x16_lt(u8x16_sub(load(chunk), u8x16_splat(b' ')), u8x16_splat(b'~' - b' ' + 1)))
    }

    /// See [`Marks`].
    #[target_feature(enable = "simd128")]
    pub(super) fn marks(chunk: &[u8; CHUNK]) -> Marks {
        let bytes = load(chunk);
        let is = |bytes, byte| u8x16_bitmask(u8x16_eq(bytes, u8x16_splat(byte))).into();
        // `[` and `{`, and `]` and `}`, differ in one bit.
        let folded = v128_or(bytes, u8x16_splat(0x20));
        Marks {
            quotes: is(bytes, b'"'),
            escapes: is(bytes, b'\\'),
            opening: is(folded, b'{'),
            closing: is(folded, b'}'),
        }
    }
}

#[cfg(not(target_family = "wasm"))]
mod simd {
    use super::{Bits, CHUNK, Marks, is_special};

    pub(super) fn special(chunk: &[u8; CHUNK]) -> Bits {
        bits(chunk, is_special)
    }

    pub(super) fn dots(chunk: &[u8; CHUNK]) -> Bits {
        bits(chunk, |byte| byte == b'.')
    }

    pub(super) fn printable(chunk: &[u8; CHUNK]) -> bool {
        chunk.iter().all(|byte| matches!(byte, b' '..=b'~'))
    }

    pub(super) fn marks(chunk: &[u8; CHUNK]) -> Marks {
        Marks {
            quotes: bits(chunk, |byte| byte == b'"'),
            escapes: bits(chunk, |byte| byte == b'\\'),
            opening: bits(chunk, |byte| matches!(byte, b'[' | b'{')),
            closing: bits(chunk, |byte| matches!(byte, b']' | b'}')),
        }
    }

    fn bits(chunk: &[u8; CHUNK], is_set: impl Fn(u8) -> bool) -> Bits {
        chunk.iter().rev().fold(0, |bits, byte| bits << 1 | Bits::from(is_set(*byte)))
    }
}

/// Whether a byte does not mean itself in a JSON string: a quote, a backslash or a control character.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | ..0x20)
}

/// Where the first byte is, from `start` on, that does not mean itself in a JSON string. The length where there is
/// none.
#[inline]
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
pub(crate) fn plain(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<CHUNK>()) {
        let special = simd::special(chunk);
        if special != 0 {
            return at + special.trailing_zeros() as usize;
        }
        at += CHUNK;
    }
    // The end once more with what stands before it, which is looked at already: shifted out.
    match bytes.last_chunk::<CHUNK>() {
        Some(chunk) if at < bytes.len() => {
            let special = simd::special(chunk) >> (at + CHUNK - bytes.len());
            at + (special.trailing_zeros() as usize).min(bytes.len() - at)
        }
        _ => {
            while bytes.get(at).is_some_and(|byte| !is_special(*byte)) {
                at += 1;
            }
            at
        }
    }
}

/// Where the list or object ends that begins at `start`: after its last bracket. Strings are stepped over, brackets
/// are counted, and nothing else is looked at. `None` where it does not end.
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
pub(crate) fn end_of_nested(bytes: &[u8], start: usize) -> Option<usize> {
    // How many brackets are open, whether a chunk begins in a string (all ones, or zero), and with an escaped byte.
    let (mut depth, mut in_string, mut escaped) = (0, 0, 0);
    let mut at = start;
    loop {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let marks = match rest.first_chunk::<WIDE>() {
            Some(chunk) => Marks::of(chunk),
            None => {
                let mut chunk = [b' '; WIDE];
                chunk.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                Marks::of(&chunk)
            }
        };
        let mut quotes = marks.quotes;
        if marks.escapes | escaped != 0 {
            let without_meaning;
            (without_meaning, escaped) = escaped_by(marks.escapes, escaped);
            quotes &= !without_meaning;
        }
        // A byte is in a string if an odd number of quotes stand before it.
        let mut strings = quotes ^ (quotes << 1);
        strings ^= strings << 2;
        strings ^= strings << 4;
        strings ^= strings << 8;
        strings ^= strings << 16;
        strings ^= in_string;
        in_string = if strings >> (WIDE - 1) == 1 { Bits::MAX } else { 0 };
        let (opening, closing) = (marks.opening & !strings, marks.closing & !strings);
        if closing.count_ones() >= depth
            && let Some(end) = end_within(depth, opening, closing)
        {
            return Some(at + end);
        }
        depth = depth + opening.count_ones() - closing.count_ones();
        at += WIDE;
    }
}

/// The bytes that the backslashes `escapes`, and one that ended the chunk before, take the meaning from, and whether
/// the last backslash does so in the next chunk.
#[cold]
fn escaped_by(escapes: Bits, first: Bits) -> (Bits, Bits) {
    let mut result = u64::from(first);
    for at in 0..WIDE {
        if (u64::from(escapes) & !result) >> at & 1 == 1 {
            result |= 2 << at;
        }
    }
    (result as Bits, (result >> WIDE) as Bits)
}

/// Where the last of `depth` open brackets is closed, if it is in this chunk: the index behind it.
#[cold]
fn end_within(depth: u32, opening: Bits, closing: Bits) -> Option<usize> {
    let (mut rest, mut closed) = (closing, 0);
    while rest != 0 {
        let at = rest.trailing_zeros();
        closed += 1;
        let before = (1 << at) - 1;
        if depth + (opening & before).count_ones() == closed {
            return Some(at as usize + 1);
        }
        rest &= rest - 1;
    }
    None
}

/// Whether a text has nothing but ASCII characters that can be seen, and spaces.
#[must_use]
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
pub fn is_printable_ascii(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some((chunk, behind)) = rest.split_first_chunk::<CHUNK>() {
        if !simd::printable(chunk) {
            return false;
        }
        rest = behind;
    }
    // What is left, and some before it once more: chunks may overlap.
    match text.as_bytes().last_chunk::<CHUNK>() {
        Some(chunk) => simd::printable(chunk),
        None => rest.iter().all(|byte| matches!(byte, b' '..=b'~')),
    }
}

/// Where the first dot is.
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
pub(crate) fn dot(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<CHUNK>()) {
        let dots = simd::dots(chunk);
        if dots != 0 {
            return Some(at + dots.trailing_zeros() as usize);
        }
        at += CHUNK;
    }
    if let Some(chunk) = bytes.last_chunk::<CHUNK>() {
        let dots = simd::dots(chunk);
        let start = bytes.len() - CHUNK;
        return (dots != 0).then(|| start + dots.trailing_zeros() as usize);
    }
    bytes.iter().position(|byte| *byte == b'.')
}

/// Whether two texts are the same: what `==` says, without a call of the C library, which goes byte by byte.
#[inline]
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    while let (Some((a_chunk, a_rest)), Some((b_chunk, b_rest))) =
        (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        if u64::from_le_bytes(*a_chunk) != u64::from_le_bytes(*b_chunk) {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    // Up to seven bytes are left: with four or more, two words that overlap.
    match (a.first_chunk::<4>(), a.last_chunk::<4>(), b.first_chunk::<4>(), b.last_chunk::<4>()) {
        (Some(a_first), Some(a_last), Some(b_first), Some(b_last)) => a_first == b_first && a_last == b_last,
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

#[cfg(test)]
mod tests;
