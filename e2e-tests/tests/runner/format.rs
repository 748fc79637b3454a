//! What a case's folder may hold, and how expectations are rewritten.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vmdisk_e2e::{bless, load_case, problems};
use vmdisk_host::Evaluation;

const REQUEST: &str = "{apiVersion: v1, kind: X, metadata: {name: x}}";

/// A new folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn error(name: &str, files: &[(&str, &str)]) -> String {
    format!("{:#}", load_case(&folder(name, files)).unwrap_err())
}

fn answered(response: Value) -> Evaluation {
    Evaluation { response, calls: Vec::new(), logs: Vec::new(), fuel: None, memory: None }
}

#[test]
fn a_case_with_everything() {
    let class = |name| {
        format!("{{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {{name: {name}}}, provisioner: own}}")
    };
    let case = load_case(&folder(
        "whole",
        &[
            ("case.yaml", "about: All of it\nuses: [clusters/founding.yaml]\nremove: [StorageClass/replicated]\nmerge:\n- {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: other}, provisioner: merged}\n"),
            ("cluster/local.yaml", &class("local")),
            ("cluster-extra.yml", &class("other")),
            ("settings.yaml", "rules: {shrink: off}"),
            ("request-a.yaml", REQUEST),
            ("expected-a.yaml", "allowed: true"),
            ("request-b.json", r#"{"kind": "AdmissionReview", "request": {"uid": "u", "operation": "DELETE", "object": null}}"#),
            ("notes.md", "#"),
        ],
    ))
    .unwrap();
    let classes: Vec<(&str, &str)> = case
        .manifests
        .objects()
        .filter(|object| object["kind"] == "StorageClass")
        .map(|object| (object["metadata"]["name"].as_str().unwrap(), object["provisioner"].as_str().unwrap()))
        .collect();
    assert_eq!(classes, [("local", "own"), ("other", "merged")]);
    assert_eq!((case.about.as_str(), &case.settings), ("All of it", &json!({"rules": {"shrink": false}})));
    let [a, b] = case.requests.as_slice() else { unreachable!("two requests") };
    assert_eq!((a.name.as_str(), b.name.as_str()), ("whole::a", "whole::b"));
    assert!(a.expected.as_ref().unwrap().allowed && b.expected.is_none());
    assert_eq!(b.request, json!({"uid": "u", "operation": "DELETE"}));
}

#[test]
fn mistakes_are_told() {
    let request = ("request.yaml", REQUEST);
    for (name, files, expected) in [
        ("none", vec![("cluster.yaml", "")], "a case needs request.yaml"),
        ("stray", vec![request, ("expectd.yaml", "")], "expectd.yaml does not belong into a case"),
        ("orphan", vec![request, ("expected-x.yaml", "allowed: true")], "expected-x.yaml has no request"),
        ("twice", vec![request, ("request.json", "{}")], "request is there twice"),
        ("unknown", vec![request, ("expected.yaml", "allowed: true\nwarning: []")], "unknown field `warning`"),
        ("no-verdict", vec![request, ("expected.yaml", "code: 403")], "missing field `allowed`"),
        ("key", vec![request, ("case.yaml", "use: []")], "unknown field `use`"),
        ("used", vec![request, ("case.yaml", "uses: [clusters/none.yaml]")], "clusters/none.yaml: No such file"),
        ("removed", vec![request, ("case.yaml", "remove: [X/y]")], "remove: there is no X/y"),
    ] {
        let error = error(name, &files);
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn expectations_are_rewritten_where_they_do_not_hold() {
    let refusal = json!({"accepted": false, "code": 403, "message": "[Reason] of `a`: b", "warnings": ["[Other] c"],
        "audit_annotations": {"k": "v"}});
    let case = |files: &[(&str, &str)]| load_case(&folder("bless", files)).unwrap();
    let blessed = |text: &str| {
        let before = case(&[("request.yaml", REQUEST), ("expected.yaml", text)]);
        let request = before.requests.first().unwrap();
        bless(request, &answered(refusal.clone())).unwrap();
        std::fs::read_to_string(&request.expected_path).unwrap()
    };
    let old = "# why\nallowed: true\nmessage: ['`a`', gone]\nwarnings: []\naudit: {k: null, l: m}\n";
    let new = "# why\nallowed: false\nmessage: [\"`a`\"]\nwarnings: [Other]\naudit:\n  k: v\n  l: null\ncalls: 0\n";
    assert_eq!(blessed(old), new);
    // What holds is left as it is written.
    let holds = "allowed:   false\ncalls: 0 # none\n";
    assert_eq!(blessed(holds), holds);
    let without_calls = "allowed:   false # so be it\n";
    assert_eq!(blessed(without_calls), format!("{without_calls}calls: 0\n"));

    let fresh = case(&[("request.yaml", REQUEST)]);
    bless(fresh.requests.first().unwrap(), &answered(refusal.clone())).unwrap();
    let again = load_case(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("bless")).unwrap();
    let expected = again.requests.first().unwrap().expected.clone().unwrap();
    assert_eq!(problems(&expected, &answered(refusal)), Vec::<String>::new());
    assert_eq!(expected.reasons, Some(vec!["Reason".to_owned()]));
    let accepted = answered(json!({"accepted": true}));
    assert_eq!(problems(&expected, &accepted).len(), 5, "{:?}", problems(&expected, &accepted));
}
