//! The story of a decision.

use std::path::Path;

use crate::common::{check, example, file, stderr};

fn story(request: &Path, cluster: &Path, status: i32) -> String {
    let output = check(&["explain", "--request", request.to_str().unwrap(), "--cluster", cluster.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn disk(name: &str, spec: &str) -> std::path::PathBuf {
    file(
        name,
        &format!(
            "{{apiVersion: cdi.kubevirt.io/v1beta1, kind: DataVolume, metadata: {{name: disk, namespace: tenant-a}}, \
             spec: {{{spec}}}}}"
        ),
    )
}

#[test]
fn a_refusal_is_told_step_by_step_and_can_be_checked() {
    let request = example().with_file_name("vmdisk.yaml");
    let story = story(&request, &example(), 1);
    let expected = [
        "Asked for: DataVolume tenant-a/vm-disk-ubuntu from PersistentVolumeClaim cozy-public/vm-default-images-ubuntu",
        " 1. DataVolume tenant-a/vm-disk-ubuntu\n    Does the disk exist already?\n    Found: it does not exist.",
        " 4. StorageClass local   <- this decides",
        "not every node may attach its volumes (linstor.csi.linbit.com/allowRemoteVolumeAccess: \"false\")",
        "cloneStrategyOverride csi-clone",
        "Verdict: refused (403)\n    [RemoteVolumeAccess] ",
        "What CDI would do: csi-clone.",
        "    kubectl get storageclasses local -o yaml\n",
        "    kubectl get -n cozy-public persistentvolumeclaims vm-default-images-ubuntu -o yaml\n",
    ];
    for expected in expected {
        assert!(story.contains(expected), "{expected}\n{story}");
    }
}

#[test]
fn a_disk_that_clones_nothing_needs_no_steps() {
    let blank = disk("blank.yaml", "source: {blank: {}}, storage: {resources: {requests: {storage: 1Gi}}}");
    let story = story(&blank, &example(), 0);
    assert!(story.contains("Nothing had to be looked up.") && story.contains("Verdict: accepted"), "{story}");
    assert!(!story.contains("What CDI would do"), "{story}");
}

#[test]
fn what_is_not_in_the_dump_is_named() {
    let source = "source: {pvc: {namespace: cozy-public, name: vm-default-images-ubuntu}}";
    let request = disk("snapshot.yaml", &format!("{source}, storage: {{storageClassName: replicated}}"));
    let cluster = std::fs::read_to_string(example()).unwrap().replace("{cloneStrategyOverride: csi-clone}", "{}");
    let story = story(&request, &file("by-snapshot.yaml", &cluster), 0);
    assert!(story.contains("Found: not known: no VolumeSnapshotClass is in the dump."), "{story}");
    assert!(story.contains("    Not known: the list of VolumeSnapshotClass objects (no "), "{story}");
    assert!(
        !story.contains("kubectl get volumesnapshotclasses.snapshot.storage.k8s.io vmdisk-policy-probe"),
        "{story}"
    );
    assert!(!story.contains("policy server's log"), "nobody has one here: {story}");
}

#[test]
fn an_existing_disk_is_told_as_such() {
    let claim = "\n---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk, namespace: tenant-a}}\n";
    let cluster = std::fs::read_to_string(example()).unwrap() + claim;
    let source = "source: {pvc: {namespace: cozy-public, name: vm-default-images-ubuntu}}";
    let request = disk("existing.yaml", &format!("{source}, storage: {{storageClassName: local}}"));
    let story = story(&request, &file("existing-cluster.yaml", &cluster), 0);
    assert!(story.contains("    Nothing will be cloned.\n"), "{story}");
}
