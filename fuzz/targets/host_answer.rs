//! Objects as a host answers them. The first byte is the kind.
#![no_main]

use vmdisk_policy::cluster::{Kind, read};
use vmdisk_policy::json::Json;

libfuzzer_sys::fuzz_target!(|answer: &[u8]| {
    let Some((first, text)) = answer.split_first() else { return };
    let Some(kind) = Kind::ALL.get(usize::from(*first) % Kind::ALL.len()) else { return };
    let Ok(document) = Json::parse(text) else { return };
    if let Ok(object) = read::object(*kind, &document) {
        assert_eq!(object.kind(), *kind);
    }
});
