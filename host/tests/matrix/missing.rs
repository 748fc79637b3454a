//! What a dump does not hold is said as such.

use crate::common::{example, file, matrix, texts};

/// The example without the documents that contain a text.
fn without(name: &str, texts: &[&str]) -> std::path::PathBuf {
    let cluster = std::fs::read_to_string(example()).unwrap();
    let kept: Vec<&str> =
        cluster.split("\n---\n").filter(|document| !texts.iter().any(|text| document.contains(text))).collect();
    file(name, &kept.join("\n---\n"))
}

#[test]
fn a_dump_without_volumes_says_so_even_where_it_was_asked_for_them() {
    let dump = without("no-volumes.yaml", &["kind: PersistentVolume\n"]);
    let asked = matrix(&dump, &[]);
    let unknown =
        "unknown: PersistentVolume pvc-0f1c2a54-1111-4222-8333-444455556666 (no PersistentVolume is in the dump)";
    assert_eq!(texts(&asked, 0)[..2], [unknown, unknown]);
    assert!(asked["notInDump"].as_array().unwrap().contains(&"PersistentVolume".into()));
    assert_eq!(asked["rows"][0]["cells"][1]["missing"][0], unknown.strip_prefix("unknown: ").unwrap());
    let asked = matrix(&dump, &["--have", "pv"]);
    let unknown = "unknown: PersistentVolume pvc-0f1c2a54-1111-4222-8333-444455556666 (not in the dump)";
    assert_eq!(texts(&asked, 0)[..2], [unknown, unknown]);
}

#[test]
fn a_kind_is_absent_only_if_the_dump_was_asked_for_it() {
    let dump = without("no-driver.yaml", &["kind: CSIDriver"]);
    let unknown = "unknown: CSIDriver linstor.csi.linbit.com (no CSIDriver is in the dump)";
    assert_eq!(texts(&matrix(&dump, &[]), 0)[1], unknown);
    let copy = "copy: no CSIDriver of the class's provisioner";
    assert_eq!(texts(&matrix(&dump, &["--have", "csidriver"]), 0)[1], copy);
    // A file for each kind says the same.
    let cluster = std::fs::read_to_string(&dump).unwrap();
    file("a-file-for-each-kind/csidrivers.yaml", "{apiVersion: v1, kind: List, items: []}\n");
    let objects = file("a-file-for-each-kind/objects.yaml", &cluster);
    assert_eq!(texts(&matrix(objects.parent().unwrap(), &[]), 0)[1], copy);
    // A file that is empty, because kubectl was not allowed to look, says nothing.
    file("an-empty-file/csidrivers.yaml", "");
    let objects = file("an-empty-file/objects.yaml", &cluster);
    assert_eq!(texts(&matrix(objects.parent().unwrap(), &[]), 0)[1], unknown);
}

#[test]
fn a_refusal_that_cannot_be_ruled_out_is_unknown() {
    // CDI's plan fails before it would look at the volume, but the policy's refusal needs it.
    let dump = without("no-volumes-small.yaml", &["kind: PersistentVolume\n"]);
    let asked = matrix(&dump, &["--size", "1Gi"]);
    assert!(texts(&asked, 0)[0].starts_with("unknown: PersistentVolume "), "{:?}", texts(&asked, 0));
    assert_eq!(asked["rows"][0]["cells"][0]["refusal"], serde_json::Value::Null);
    assert_eq!(texts(&asked, 0)[1], "fails: TargetSmallerThanSource (validate)", "its own class is never refused");
}

#[test]
fn a_claim_that_is_not_there_is_waited_for_and_unknown_without_any_claims() {
    let source = ["--source", "tenant-a/vm-disk-gone"];
    assert_eq!(texts(&matrix(&example(), &source), 0)[0], "waits: the source claim does not exist");
    let dump = without("no-claims.yaml", &["kind: PersistentVolumeClaim"]);
    let asked = matrix(&dump, &source);
    let unknown = "unknown: PersistentVolumeClaim tenant-a/vm-disk-gone (no PersistentVolumeClaim is in the dump)";
    assert_eq!(texts(&asked, 0)[0], unknown);
}

#[test]
fn data_sources_are_rows() {
    let sources = "\n---\n{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataSource, metadata: {name: good, namespace: \
                   images}, spec: {source: {pvc: {namespace: cozy-public, name: vm-default-images-ubuntu}}}}\n---\n\
                   {apiVersion: cdi.kubevirt.io/v1beta1, kind: DataSource, metadata: {name: empty, namespace: images}}\n";
    let cluster = std::fs::read_to_string(example()).unwrap() + sources;
    let asked = matrix(&file("data-sources.yaml", &cluster), &[]);
    let names: Vec<&str> =
        asked["rows"].as_array().unwrap().iter().map(|row| row["source"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["vm-default-images-ubuntu", "empty", "good"]);
    assert_eq!(texts(&asked, 1)[0], "waits: the DataSource names no source");
    assert_eq!(texts(&asked, 2), texts(&asked, 0));
    assert_eq!(asked["rows"][2]["size"], "5Gi");
}

#[test]
fn a_class_that_cannot_be_read_is_a_column_of_its_own() {
    let class = "\n---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: odd}, provisioner: [7]}\n";
    let cluster = std::fs::read_to_string(example()).unwrap() + class;
    let asked = matrix(&file("odd-class.yaml", &cluster), &[]);
    assert_eq!(texts(&asked, 0)[1], "unknown: StorageClass odd (a field of it has the wrong type)");
    assert_eq!(texts(&asked, 0)[3], "unknown: the list of StorageClass objects (a field of it has the wrong type)");
}
