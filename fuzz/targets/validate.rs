//! Payloads of `validate`, in a cluster that has everything.
#![no_main]

mod common;

use std::sync::LazyLock;

use serde_json::Value;

static OBJECTS: LazyLock<Vec<Value>> =
    LazyLock::new(|| common::world::World::new(&mut common::world::Choices(&[])).objects);

libfuzzer_sys::fuzz_target!(|payload: &[u8]| {
    let cluster = common::cluster(OBJECTS.iter());
    assert_eq!(common::answer(payload, &cluster), common::answer(payload, &cluster));
});
