//! Speed of the decision itself, natively: what a policy server would take without WebAssembly.
//!
//! `make bench`, or `cargo bench -p vmdisk-e2e`. For numbers that can be compared between machines see `tests/costs`.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark may panic, and criterion's macros write functions")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use vmdisk_e2e::{load_case, package_folder};
use vmdisk_policy::json::Json;
use vmdisk_policy::judge::judge;
use vmdisk_policy::settings::Settings;

#[path = "../tests/unbreakable/readable.rs"]
mod readable;

/// Name of the measurement, folder of the case, and name of its request.
const CASES: [(&str, &str, &str); 4] = [
    ("edits that mean nothing", "04-cozystack-2985-edits-that-mean-nothing", "labels"),
    ("clone within the class", "08-cozystack-421-same-class", ""),
    ("refused VMDisk", "01-cozystack-2908-vmdisk", ""),
    ("refused snapshot clone", "12a-cdi-2898-linstor", "into-local"),
];

fn decisions(criterion: &mut Criterion) {
    let settings = Settings::default();
    for (name, folder, request) in CASES {
        let case = load_case(&package_folder().join("cases").join(folder)).expect("the case can be loaded");
        let objects = readable::cluster(case.manifests.objects());
        let request = case.requests.iter().find(|of_case| of_case.name.ends_with(request)).expect("it has the request");
        let text = request.request.to_string();
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                let request = Json::parse(black_box(text.as_bytes())).expect("it is JSON");
                judge(&request, &settings, &objects)
            });
        });
    }
}

criterion_group!(benches, decisions);
criterion_main!(benches);
