//! The module decides as the native decision does, on clusters and requests out of random bytes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::readable;
use crate::support::{Answered, cluster, each, native, payload};
use crate::world::{Choices, World};

/// How many worlds there are; `WORLDS` in the environment makes it more, as `make fuzz` does.
const WORLDS: u64 = 1_500;
/// Enough for every choice of a world.
const BYTES: usize = 400;

/// Bytes that depend on the seed: splitmix64.
pub(crate) fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    (0..BYTES / 8).flat_map(|_| next().to_le_bytes()).collect()
}

/// Whether the native cluster can hold the objects: it has no answer that cannot be read.
fn is_readable(world: &World) -> bool {
    world.objects.iter().all(|object| readable::object(object).is_some())
}

#[test]
fn the_module_answers_the_bytes_of_the_native_decision() {
    let worlds = std::env::var("WORLDS").map_or(WORLDS, |worlds| worlds.parse().expect("WORLDS is a number"));
    let seeds: Vec<u64> = (0..worlds).collect();
    let outcomes: Mutex<BTreeMap<String, usize>> = Mutex::default();
    each(&seeds, |seed| {
        let world = World::new(&mut Choices(&bytes(*seed)));
        let payload = payload(&world.request, &world.settings);
        let answered = Answered::of(&payload, Arc::new(cluster(&world.objects)), &format!("world {seed}"));
        assert!(answered.calls.len() <= 20 + 17 * 4, "world {seed}: {} calls", answered.calls.len());
        let mut outcome = vec![answered.code().map_or("accepted".to_owned(), |code| code.to_string())];
        let strategy = answered.response["audit_annotations"]["clone-strategy"].as_str();
        outcome.extend(strategy.filter(|strategy| !strategy.contains('=')).map(str::to_owned));
        if is_readable(&world) {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let native = native(&payload, &world.objects);
            assert_eq!(text(&answered.bytes), text(&native), "world {seed}: {}", world.request);
        } else {
            outcome.push("(with unreadable objects)".to_owned());
        }
        *outcomes.lock().unwrap().entry(outcome.join(" ")).or_default() += 1;
    });
    let outcomes = outcomes.into_inner().unwrap();
    for (outcome, count) in &outcomes {
        println!("{outcome:<40} {count:>6}");
    }
    // The bytes reach every kind of answer.
    for outcome in ["accepted", "accepted copy", "accepted fails", "accepted waits", "400", "403"] {
        assert!(outcomes.get(outcome).is_some_and(|count| *count >= 2), "{outcome}: {outcomes:?}");
    }
}

#[test]
fn the_fuzz_targets_judge_as_the_native_decision_does() {
    for seed in 0..200 {
        let world = World::new(&mut Choices(&bytes(seed)));
        let payload = payload(&world.request, &world.settings);
        let answer = crate::fuzz::answer(&payload, &crate::fuzz::cluster(&world.objects));
        assert!(answer.is_some(), "world {seed}");
        if is_readable(&world) {
            assert_eq!(answer, Some(native(&payload, &world.objects)), "world {seed}");
        }
    }
}
