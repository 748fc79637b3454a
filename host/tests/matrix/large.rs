//! 200 images, 50 classes, 20,000 claims.

use std::time::{Duration, Instant};

use crate::common::{file, matrix};
use crate::generated::dump;

/// Seconds where nothing else runs; a machine that tests share with other work may take many times as long.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn a_large_dump_takes_seconds() {
    let path = file("large.yaml", &dump(200, 50, 20_000));
    let start = Instant::now();
    let matrix = matrix(&path, &[]);
    let taken = start.elapsed();
    assert!(taken < PATIENCE, "{taken:?}");
    assert_eq!(matrix["rows"].as_array().unwrap().len(), 200);
    let cells: u64 = matrix["summary"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(cells, 200 * 51);
    assert_eq!(matrix["summary"]["unknown"], 0, "{}", matrix["summary"]);
    // What many cells share is there once.
    assert!(matrix["steps"].as_array().unwrap().len() < 5_000);
    std::fs::remove_file(path).unwrap();
}
