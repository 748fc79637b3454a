//! What a VirtualMachine with many templates costs: measured, and written down in `docs/operations.md`.
//!
//! Fuel is about one unit per instruction of the module. It changes with every compiler and every change of the code,
//! so the document gives a limit that holds, not the number of the day. `BLESS=1` writes it anew.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use vmdisk_e2e::{blessing, load_case, module_path, package_folder};
use vmdisk_host::{Cluster, Policy};

const MARKS: [&str; 2] = ["<!-- measured: virtual machines -->\n", "<!-- end of measured -->\n"];

/// Fuel is written down in steps of this many million units, rounded up.
const STEP: u64 = 1_000_000;

/// Templates, host calls, and fuel in millions, rounded up.
fn measured() -> Vec<[u64; 3]> {
    let policy = Policy::load_metered(module_path().unwrap()).unwrap();
    let case = load_case(&package_folder().join("cases/vm-sixteen-templates")).unwrap();
    let cluster = Cluster::new(&case.manifests).unwrap();
    let of_case = case.requests.iter().find(|request| request.name.ends_with("::refused")).unwrap();
    let measure = |count: usize| {
        let mut request = of_case.request.clone();
        let templates = request.pointer_mut("/object/spec/dataVolumeTemplates").and_then(Value::as_array_mut).unwrap();
        templates.truncate(count);
        assert_eq!(templates.len(), count);
        let evaluation = policy.validate(&request, &case.settings, &cluster).unwrap();
        assert!(!evaluation.accepted());
        [count as u64, evaluation.calls.len() as u64, evaluation.fuel.unwrap().div_ceil(STEP)]
    };
    [1, 3, 16].map(measure).into()
}

fn table(rows: &[[u64; 3]]) -> String {
    let mut text = String::from("| templates | lookups | million instructions, at most |\n| ---: | ---: | ---: |\n");
    for [templates, calls, fuel] in rows {
        writeln!(text, "| {templates} | {calls} | {fuel} |").unwrap();
    }
    text
}

#[test]
fn a_virtual_machine_costs_no_more_than_docs_operations_md_says() {
    let measured = measured();
    let path = package_folder().join("../docs/operations.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (written, after) = rest.split_once(MARKS[1]).unwrap();
    if blessing() {
        fs::write(&path, format!("{before}{}{}{}{after}", MARKS[0], table(&measured), MARKS[1])).unwrap();
        return;
    }
    let rows: Vec<[u64; 3]> = written
        .lines()
        .skip(2)
        .map(|row| {
            let cells: Vec<u64> = row.trim_matches('|').split('|').map(|cell| cell.trim().parse().unwrap()).collect();
            cells.try_into().unwrap()
        })
        .collect();
    assert_eq!(written, table(&rows));
    for (written, measured) in rows.iter().zip(&measured) {
        let fits = written[..2] == measured[..2] && written[2] >= measured[2];
        assert!(fits, "{written:?} is written down, {measured:?} is measured: run with BLESS=1");
    }
    assert_eq!(rows.len(), measured.len());
}
