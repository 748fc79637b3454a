//! Quantities: two of them compare the same from both sides, and a suffix of nothing changes nothing.
#![no_main]

use vmdisk_policy::quantity::Quantity;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (one, two) = text.split_once(' ').unwrap_or((text, "1"));
    let (Ok(one), Ok(two)) = (Quantity::parse(one), Quantity::parse(two)) else { return };
    assert_eq!(one.cmp(&two), two.cmp(&one).reverse());
    assert_eq!(one == two, one.cmp(&two).is_eq());
    assert_eq!(Quantity::from_bytes(one.bytes()).bytes(), one.bytes());
    let _ = one.display_like(&two);
});
