//! Speed of `vmdisk-check matrix`: reading a dump, and asking the policy for every cell.
//!
//! `make bench`, or `cargo bench -p vmdisk-e2e --bench matrix`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark may panic, and criterion's macros write functions"
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use vmdisk_host::dump::Dump;
use vmdisk_host::matrix::{Matrix, Question, Word};
use vmdisk_policy::settings::Settings;

#[path = "../../host/tests/matrix/generated.rs"]
mod generated;

/// Golden images, classes, and claims with the images among them: a usual cluster, and the one of `large.rs` there.
const CLUSTERS: [(usize, usize, usize); 2] = [(20, 10, 200), (200, 50, 20_000)];

fn matrices(criterion: &mut Criterion) {
    let question =
        Question { sources: Vec::new(), size: None, namespace: "tenant-a".to_owned(), settings: Settings::default() };
    let mut group = criterion.benchmark_group("matrix");
    // The large cluster takes seconds a time.
    group.sample_size(10);
    for (images, classes, claims) in CLUSTERS {
        let text = generated::dump(images, classes, claims);
        let dump = Dump::parse(&text, "generated").expect("kubectl could have written it");
        let matrix = Matrix::of(&dump, &question, &mut |_, _| {});
        // One more column for "class left out". A cell that cannot be told would be done too soon.
        assert_eq!((matrix.rows.len(), matrix.classes.len()), (images, classes + 1));
        assert_eq!(matrix.count(Word::Unknown), 0);
        group.bench_function(format!("read a dump of {claims} claims"), |bencher| {
            bencher.iter(|| Dump::parse(black_box(&text), "generated"));
        });
        group.bench_function(format!("{images} images x {classes} classes of {claims} claims"), |bencher| {
            bencher.iter(|| Matrix::of(black_box(&dump), &question, &mut |_, _| {}));
        });
    }
    group.finish();
}

criterion_group!(benches, matrices);
criterion_main!(benches);
