//! Clusters and requests: the answer is one, and the order of objects does not matter.
#![no_main]

mod common;

use common::world::{Choices, World};
use serde_json::json;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let world = World::new(&mut Choices(bytes));
    let payload = json!({"request": world.request, "settings": world.settings}).to_string();
    let answer = common::answer(payload.as_bytes(), &common::cluster(&world.objects));
    let reversed = common::answer(payload.as_bytes(), &common::cluster(world.objects.iter().rev()));
    assert!(answer.is_some());
    assert_eq!(answer, reversed);
});
