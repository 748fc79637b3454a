//! Comparison with what was measured last.

use std::collections::BTreeMap;
use std::path::PathBuf;

use vmdisk_e2e::{blessing, module_path, package_folder};

use crate::scenarios::{self, Cost};

/// What `costs.json` holds.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Baseline {
    /// Bytes of the module, before it is annotated.
    size: u64,
    /// Scenarios by name.
    requests: BTreeMap<String, Cost>,
}

/// Whether `now` is within 2 % of `then`.
fn close(now: u64, then: u64) -> bool {
    now.abs_diff(then) * 50 <= then
}

fn path() -> PathBuf {
    package_folder().join("costs.json")
}

#[test]
fn costs_are_as_recorded() {
    let requests = scenarios::all().iter().map(|scenario| (scenario.name.to_owned(), scenario.run().1)).collect();
    let now = Baseline { size: std::fs::metadata(module_path().unwrap()).unwrap().len(), requests };
    println!("{:>9} bytes  the module", now.size);
    for (name, Cost { bytes, fuel, pages }) in &now.requests {
        println!("{fuel:>9} fuel, {pages:>4} pages, {bytes:>8} bytes  {name}");
    }
    if blessing() {
        std::fs::write(path(), serde_json::to_string_pretty(&now).unwrap() + "\n").unwrap();
        return;
    }
    let then: Baseline = serde_json::from_str(&std::fs::read_to_string(path()).unwrap()).unwrap();
    let mut problems = Vec::new();
    if !close(now.size, then.size) {
        problems.push(format!("the module: {} bytes, recorded are {}", now.size, then.size));
    }
    for (name, cost) in &now.requests {
        match then.requests.get(name) {
            None => problems.push(format!("{name}: not recorded")),
            Some(recorded) if !close(cost.fuel, recorded.fuel) => {
                problems.push(format!("{name}: {} fuel, recorded are {}", cost.fuel, recorded.fuel));
            }
            Some(recorded) if cost.pages != recorded.pages => {
                problems.push(format!("{name}: {} pages, recorded are {}", cost.pages, recorded.pages));
            }
            Some(_) => {}
        }
    }
    assert!(
        problems.is_empty(),
        "costs have changed:\n- {}\nIf that is meant: BLESS=1 cargo test -p vmdisk-e2e --test costs",
        problems.join("\n- ")
    );
}
