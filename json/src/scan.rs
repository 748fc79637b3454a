//! Looking through strings, eight bytes at a time.

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// Where the first byte is, from `start` on, that does not mean itself in a JSON string: a quote, a backslash or a
/// control character. The length where there is none.
pub(crate) fn plain(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        // A byte's highest bit is set where it is zero (`word - ONES & !word`): the usual trick. What is set above
        // the first such byte may be wrong, but only the first counts.
        let word = u64::from_le_bytes(*chunk);
        let (quote, backslash) = (word ^ (ONES * u64::from(b'"')), word ^ (ONES * u64::from(b'\\')));
        let found = ((quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word))
            & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if let b'"' | b'\\' | ..0x20 = byte {
            return at;
        }
        at += 1;
    }
    at
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
pub(crate) fn same(a: &str, b: &str) -> bool {
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
    a.iter().zip(b).all(|(a, b)| a == b)
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
