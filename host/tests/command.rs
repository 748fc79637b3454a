//! `vmdisk-check`, as a person calls it. The modules answer always the same: only
//! what comes before and after an evaluation is tested here.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A module that answers this text to everything.
fn policy(name: &str, answer: &str) -> PathBuf {
    let (escaped, len) = (answer.replace('"', "\\22"), answer.len());
    file(
        name,
        &format!(
            r#"(module
              (import "wapc" "__guest_response" (func $respond (param i32 i32)))
              (memory (export "memory") 1)
              (data (i32.const 0) "{escaped}")
              (func (export "__guest_call") (param i32 i32) (result i32)
                (call $respond (i32.const 0) (i32.const {len})) (i32.const 1)))"#
        ),
    )
}

const DISK: &str = "{apiVersion: apps.cozystack.io/v1alpha1, kind: VMDisk, metadata: {name: ubuntu}}";

fn check(arguments: &[&str], paths: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vmdisk-check"));
    command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR"));
    for (option, path) in paths {
        command.arg(option).arg(path);
    }
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_exit_status_is_the_verdict() {
    let disk = file("disk.yaml", DISK);
    for (name, answer, status) in [
        ("accepts.wat", r#"{"accepted":true,"valid":true}"#, 0),
        ("refuses.wat", r#"{"accepted":false,"code":403,"message":"no","valid":true}"#, 1),
        ("fails.wat", "nonsense", 2),
    ] {
        let output = check(&["run"], &[("--request", &disk), ("--policy", &policy(name, answer))]);
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        // Words are for terminals.
        assert_eq!(output.stderr.is_empty(), status != 2);
        if status != 2 {
            let response: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(response, serde_json::from_str::<serde_json::Value>(answer).unwrap());
        }
    }
}

#[test]
fn what_cannot_be_judged_says_why() {
    let disk = file("good.yaml", DISK);
    let accepts = policy("accepts-all.wat", r#"{"accepted":true}"#);
    let broken = file("broken.yaml", "a: 1\n---\nb: [\n");
    let unknown = file("unknown.yaml", "{apiVersion: vmdisk-check/v1, kind: Cluster, forbidden: [StorageKlass]}");
    let nothing = file("nothing.yaml", "a: 1");
    let missing = Path::new("missing.yaml");
    let stdin = Path::new("-");
    for (paths, expected) in [
        (vec![("--request", broken.as_path())], "broken.yaml: document 2, line 3: unclosed bracket"),
        (vec![("--request", &nothing)], "nothing.yaml: neither an AdmissionReview"),
        (vec![("--request", missing)], "missing.yaml: No such file"),
        (vec![("--request", &disk), ("--cluster", &broken)], "the cluster: "),
        (vec![("--request", &disk), ("--cluster", &unknown)], "the cluster: no such kind: StorageKlass"),
        (vec![("--request", stdin), ("--cluster", stdin)], "cannot both come from standard input"),
        (vec![("--request", &disk), ("--settings", &nothing)], "nothing.yaml: no reason given"),
    ] {
        let mut paths = paths;
        paths.push(("--policy", &accepts));
        let output = check(&["run"], &paths);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{expected}: {}", stderr(&output));
    }
    let output = check(&["run"], &[("--request", &disk)]);
    assert!(stderr(&output).contains("no module at policy.wasm or target/"), "{}", stderr(&output));
}

#[test]
fn a_session_is_recorded() {
    let disk = file("recorded.yaml", DISK);
    let refuses = policy("refuses-all.wat", r#"{"accepted":false,"code":403,"message":"no"}"#);
    let (session, request) = (Path::new("session.yml"), Path::new("request.json"));
    let output = check(
        &["record"],
        &[("--request", &disk), ("--policy", &refuses), ("--output", session), ("--admission-request", request)],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let exchanges = vmdisk_host::session::read(&std::fs::read_to_string(folder.join(session)).unwrap()).unwrap();
    assert!(exchanges.is_empty());
    let request: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join(request)).unwrap()).unwrap();
    assert_eq!(request.pointer("/resource/resource").and_then(|resource| resource.as_str()), Some("vmdisks"));
}
