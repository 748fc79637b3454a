//! Nothing of a dump gets into a report but names, classes, sizes and the deciding parameters.

use crate::common::{check, example, file};

/// Begins every secret.
const TOKEN: &str = "hunter2";

#[test]
fn no_format_prints_a_secret_of_the_dump() {
    let annotations = format!(
        "  annotations:\n    token: {TOKEN}-annotation\n    kubectl.kubernetes.io/last-applied-configuration: \
         '{{\"url\":\"https://{TOKEN}\"}}'\n    cdi.kubevirt.io/storage.import.endpoint: https://u:{TOKEN}@example.org\n"
    );
    let cluster = std::fs::read_to_string(example()).unwrap();
    let cluster = cluster
        .replace("  name: local\n", &format!("  name: local\n{annotations}"))
        .replace(
            "  name: vm-default-images-ubuntu\n  namespace: cozy-public\n  annotations:\n",
            &format!("  name: vm-default-images-ubuntu\n  namespace: cozy-public\n{annotations}"),
        )
        .replace("https://cloud-images.example.org/ubuntu.img", &format!("https://example.org/i?sig={TOKEN}-url"))
        .replace("storagePool: data", &format!("storagePool: {TOKEN}-pool"))
        .replace(
            "csi: {driver: linstor.csi.linbit.com,",
            &format!("csi: {{driver: linstor.csi.linbit.com, volumeAttributes: {{key: {TOKEN}-attribute}},"),
        );
    let secret = format!(
        "{cluster}\n---\n{{apiVersion: v1, kind: Secret, metadata: {{name: {TOKEN}-name, namespace: cozy-public}}, \
         stringData: {{password: {TOKEN}-password}}}}\n"
    );
    assert!(secret.matches(TOKEN).count() > 8, "the replacements above were made");
    let dump = file("secrets.yaml", &secret);
    let request = file(
        "secret-disk.yaml",
        "{apiVersion: apps.cozystack.io/v1alpha1, kind: VMDisk, metadata: {name: x, namespace: a}, spec: {source: \
         {image: {name: ubuntu}}, storageClass: local, storage: 10Gi}}",
    );
    let dump = dump.to_str().unwrap();
    let mut reports = vec![check(&["explain", "--cluster", dump, "--request", request.to_str().unwrap()])];
    for format in ["table", "markdown", "json", "html"] {
        reports.push(check(&["matrix", "--cluster", dump, "--output-format", format]));
    }
    for report in reports {
        let text = String::from_utf8_lossy(&report.stdout) + String::from_utf8_lossy(&report.stderr);
        assert!(text.contains("RemoteVolumeAccess"), "{text}");
        assert!(!text.contains(TOKEN), "{text}");
    }
}

#[test]
fn a_dump_that_is_wrong_is_named_and_not_quoted() {
    for broken in [
        format!("{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: [{TOKEN}]}}}}"),
        format!("kind: List\napiVersion: v1\nitems:\n- {{kind: PersistentVolume, data: {TOKEN}}}\n"),
        format!("a: 1\nb: [{TOKEN}\nc: 2\n"),
        format!("a: &x {TOKEN}\n\tb: *y\n"),
    ] {
        let dump = file("wrong.yaml", &broken);
        let output = check(&["matrix", "--cluster", dump.to_str().unwrap()]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("wrong.yaml: document 1, line") && !text.contains(TOKEN), "{text}");
    }
}
