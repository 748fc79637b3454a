//! What holds whatever was recorded: the budget of the module's size, and that a class that is named costs the same
//! however many there are.

use crate::scenarios;

/// The most that the module may weigh before it is annotated, in bytes.
const BUDGET: u64 = 450_000;

#[test]
fn the_module_keeps_to_its_budget() {
    let size = std::fs::metadata(vmdisk_e2e::module_path().unwrap()).unwrap().len();
    println!("the module: {size} bytes of {BUDGET}");
    assert!(size <= BUDGET, "the module takes {size} bytes, more than {BUDGET}: see docs/size.md");
}

#[test]
fn a_named_class_costs_the_same_however_many_classes_there_are() {
    let all = scenarios::all();
    let fuel = |name| all.iter().find(|scenario| scenario.name == name).unwrap().run().1.fuel;
    assert_eq!(fuel("class named, 10,000 classes"), fuel("refused VMDisk (case 1)"));
}
