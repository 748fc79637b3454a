//! Looking through text in chunks.
//!
//! In the module with SIMD instructions of 16 bytes, which every host that runs it has (wasmtime enables them by
//! default): a byte at a time takes some 15 instructions a byte, these take two or three.

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// How many bytes are looked at at once.
pub(crate) const CHUNK: usize = 16;

/// A bit for each byte of a chunk, the lowest for the first.
type Bits = u32;

#[cfg(target_family = "wasm")]
mod simd {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u8x16_sub, u64x2, v128, v128_or};

    use super::{Bits, CHUNK};

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

    /// See [`super::is_mark`].
    #[target_feature(enable = "simd128")]
    pub(super) fn marks(chunk: &[u8; CHUNK]) -> Bits {
        let bytes = load(chunk);
        let brackets = u8x16_sub(v128_or(bytes, u8x16_splat(0x20)), u8x16_splat(b'{'));
        u8x16_bitmask(v128_or(u8x16_eq(bytes, u8x16_splat(b'"')), u8x16_lt(brackets, u8x16_splat(3)))).into()
    }
}

#[cfg(not(target_family = "wasm"))]
mod simd {
    use super::{Bits, CHUNK, is_mark, is_special};

    pub(super) fn special(chunk: &[u8; CHUNK]) -> Bits {
        bits(chunk, is_special)
    }

    pub(super) fn marks(chunk: &[u8; CHUNK]) -> Bits {
        bits(chunk, is_mark)
    }

    fn bits(chunk: &[u8; CHUNK], is_set: impl Fn(u8) -> bool) -> Bits {
        chunk.iter().rev().fold(0, |bits, byte| bits << 1 | Bits::from(is_set(*byte)))
    }
}

/// Whether a byte does not mean itself in a JSON string: a quote, a backslash or a control character.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | ..0x20)
}

/// Whether a byte may begin or end something in a JSON document: a quote, a bracket, a backslash. The bar is one of
/// them because that is an instruction less.
#[cfg(not(target_family = "wasm"))]
fn is_mark(byte: u8) -> bool {
    byte == b'"' || (byte | 0x20).wrapping_sub(b'{') < 3
}

/// Where the first byte is, from `start` on, that does not mean itself in a JSON string. The length where there is
/// none.
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
    while bytes.get(at).is_some_and(|byte| !is_special(*byte)) {
        at += 1;
    }
    at
}

/// Where the list or object ends that begins at `start`: after its last bracket. Strings are stepped over, brackets
/// are counted, and nothing else is looked at. `None` where it does not end.
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
pub(crate) fn end_of_nested(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, usize::MAX);
    let mut chunk_at = start;
    loop {
        let rest = bytes.get(chunk_at..).filter(|rest| !rest.is_empty())?;
        let mut marks = match rest.first_chunk::<CHUNK>() {
            Some(chunk) => simd::marks(chunk),
            None => {
                let mut chunk = [b' '; CHUNK];
                chunk.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                simd::marks(&chunk)
            }
        };
        while marks != 0 {
            let at = chunk_at + marks.trailing_zeros() as usize;
            marks &= marks - 1;
            if at == escaped {
                continue;
            }
            match bytes.get(at)? {
                b'"' => in_string = !in_string,
                b'\\' => escaped = at + 1,
                _ if in_string => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 1 => return Some(at + 1),
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        chunk_at += CHUNK;
    }
}

/// Where the first dot is.
pub(crate) fn dot(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk) ^ (ONES * u64::from(b'.'));
        let found = word.wrapping_sub(ONES) & !word & HIGH;
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?.iter().position(|byte| *byte == b'.')?;
    Some(at + rest)
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_byte_that_is_special(text in "[a-zé]{0,20}[\"\\\\\n\u{1f}]?[a-zé\"]{0,20}", start in 0_usize..5) {
            let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
            let expected = text.bytes().skip(start).position(|byte| special(&byte)).map_or(text.len().max(start), |at| at + start);
            prop_assert_eq!(plain(text.as_bytes(), start), expected);
        }

        #[test]
        fn the_first_dot(text in "[a-z/.]{0,30}") {
            prop_assert_eq!(dot(text.as_bytes()), text.find('.'));
        }

        #[test]
        fn the_same_is_equal(a in "[ab]{0,20}", b in "[ab]{0,20}") {
            prop_assert_eq!(same(&a, &b), a == b);
            prop_assert!(same(&a, &a.clone()));
        }
    }
}
