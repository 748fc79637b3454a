//! What several tests share.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The cluster of cozystack#2908, which the README shows.
pub(crate) fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/cluster.yaml")
}

/// A file for this test run.
pub(crate) fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

/// Calls the command.
pub(crate) fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vmdisk-check")).args(arguments).env_remove("COLUMNS").output().unwrap()
}

/// What a call that has to succeed prints.
pub(crate) fn prints(arguments: &[&str]) -> String {
    let output = check(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "progress is for terminals");
    String::from_utf8(output.stdout).unwrap()
}

/// What was said of a failure.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The matrix of a dump as JSON.
pub(crate) fn matrix(dump: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["matrix", "--output-format", "json", "--cluster", dump.to_str().unwrap()];
    all.extend(arguments);
    serde_json::from_str(&prints(&all)).unwrap()
}

/// The texts of the cells of a row.
pub(crate) fn texts(matrix: &Value, row: usize) -> Vec<&str> {
    let cells = matrix["rows"][row]["cells"].as_array().unwrap();
    cells.iter().map(|cell| cell["text"].as_str().unwrap()).collect()
}
