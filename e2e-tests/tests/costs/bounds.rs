//! What must hold whatever was recorded last.

use std::collections::BTreeMap;

use vmdisk_e2e::module_path;
use vmdisk_host::Request;

use crate::scenarios::{self, Cost, Scenario};

/// Most bytes of the module, before it is annotated.
const BUDGET: u64 = 450_000;

/// Most fuel that a request of 2 kB may burn that looks nothing up.
const MAX_WITHOUT_LOOKUPS: u64 = 60_000;

/// Most fuel that a request may burn with all its lookups.
const MAX_WITH_LOOKUPS: u64 = 300_000;

const MAX_FUEL: [(&str, u64); 7] = [
    ("another kind, 2 kB", MAX_WITHOUT_LOOKUPS),
    ("VMDisk update, nothing changed, 2 kB", MAX_WITHOUT_LOOKUPS),
    ("DataVolume update, nothing changed, 2 kB", MAX_WITHOUT_LOOKUPS),
    ("blank DataVolume, 2 kB", MAX_WITHOUT_LOOKUPS),
    ("clone within the class", MAX_WITH_LOOKUPS),
    ("refused VMDisk (case 1)", MAX_WITH_LOOKUPS),
    ("refused DataVolume (case 1)", MAX_WITH_LOOKUPS),
];

fn cost(name: &str) -> Cost {
    find(name).run().1
}

fn find(name: &str) -> Scenario {
    scenarios::all().into_iter().find(|scenario| scenario.name == name).expect("a scenario of that name")
}

#[test]
fn the_module_keeps_to_its_budget() {
    let size = std::fs::metadata(module_path().unwrap()).unwrap().len();
    println!("the module: {size} bytes of {BUDGET}");
    assert!(size <= BUDGET, "the module takes {size} bytes, more than {BUDGET}: see docs/size.md");
}

#[test]
fn fuel_stays_below_its_bounds() {
    let above: BTreeMap<&str, (u64, u64)> = MAX_FUEL
        .into_iter()
        .map(|(name, most)| (name, (cost(name).fuel, most)))
        .filter(|(_, (fuel, most))| fuel > most)
        .collect();
    assert!(above.is_empty(), "fuel and its bound: {above:?}");
}

#[test]
fn fuel_is_linear_in_the_bytes_received() {
    let (small, large) = (cost("blank DataVolume, 100 kB"), cost("blank DataVolume, 1 MB"));
    let per_byte = |cost: Cost| cost.fuel as f64 / cost.bytes as f64;
    let (small, large) = (per_byte(small), per_byte(large));
    assert!(large < small * 1.1, "{large} a byte of 1 MB, {small} a byte of 100 kB");
}

#[test]
fn fuel_does_not_depend_on_other_classes_where_one_is_named() {
    let named = find("class named, 10,000 classes");
    let (evaluation, cost) = named.run();
    assert!(!evaluation.calls.iter().any(|call| matches!(call.request, Request::ListAll(_))));
    assert_eq!(cost, Scenario { classes: 0, ..named }.run().1);
}

#[test]
fn a_class_more_costs_as_much_as_the_one_before() {
    let [some, many, most] = [10, 100, 10_000_u32].map(|count| {
        let grouped = if count == 10_000 { "10,000".to_owned() } else { count.to_string() };
        cost(&format!("class left out, {grouped} classes")).fuel
    });
    let (first, last) = ((many - some) / 90, (most - many) / 9_900);
    assert!(last < first * 3 / 2, "{first} for each of the first hundred classes, {last} for each of the last");
}

/// A host leaves the whole metadata in an answer, whatever the mask says: `docs/lookups.md`.
#[test]
fn field_masks_would_save_next_to_nothing_where_metadata_is_large() {
    let whole = find("refused VMDisk, all objects with 200 kB of managedFields");
    let masked = find("refused VMDisk, all objects with 200 kB of managedFields, field masks");
    let ((whole, whole_cost), (masked, masked_cost)) = (whole.run(), masked.run());
    assert_eq!(whole.response, masked.response);
    assert!(masked_cost.bytes < whole_cost.bytes, "something was masked");
    let saved = whole_cost.fuel.abs_diff(masked_cost.fuel);
    assert!(saved * 1_000 < whole_cost.fuel, "{saved} of {}", whole_cost.fuel);
}

#[test]
fn memory_stays_bounded() {
    for scenario in scenarios::all() {
        let (_, cost) = scenario.run();
        // 18 pages are the module's own: a stack of 1 MiB, data, and the allocator's first pages.
        let most = 20 + 6 * cost.bytes as u64 / 65_536;
        assert!(cost.pages <= most, "{}: {} pages for {} bytes", scenario.name, cost.pages, cost.bytes);
    }
}

/// What a tenant may bring about: an object may weigh more than a megabyte, and a VirtualMachine may name many.
#[test]
fn large_answers_do_not_add_up_in_memory() {
    let [one, many] = [1, 15].map(|count| scenarios::large_claims(count).run());
    for (evaluation, cost) in [&one, &many] {
        assert!(evaluation.accepted() && cost.bytes > 900_000, "{}", evaluation.response);
    }
    assert!(many.1.pages < one.1.pages + 16, "{} pages for one, {} for fifteen", one.1.pages, many.1.pages);
}
