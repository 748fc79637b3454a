//! Two specs, with a NUL between them: equality has two sides, and what says the same is equal.
#![no_main]

use vmdisk_policy::json::Json;
use vmdisk_policy::spec_equality::{changed_paths, only_checkpoints_changed};

libfuzzer_sys::fuzz_target!(|texts: &[u8]| {
    let middle = texts.iter().position(|byte| *byte == 0).unwrap_or(texts.len());
    let (old, new) = texts.split_at(middle);
    let (Ok(old), Ok(new)) = (Json::parse(old), Json::parse(new.get(1..).unwrap_or_default())) else { return };
    assert_eq!(changed_paths(&old, &old), Vec::<String>::new());
    let changed = changed_paths(&old, &new);
    assert!(changed.len() <= 50);
    assert_eq!(changed.is_empty(), changed_paths(&new, &old).is_empty());
    assert_eq!(old.same_as(&new), new.same_as(&old));
    if old.same_as(&new) {
        assert_eq!(changed, Vec::<String>::new());
    }
    let _ = only_checkpoints_changed(&old, &new);
});
