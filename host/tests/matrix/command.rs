//! Formats, options and exit statuses.

use crate::common::{check, example, file, matrix, prints, stderr, texts};

#[test]
fn the_table_fits_into_100_columns_and_has_no_colours_in_a_pipe() {
    let cluster = example();
    let table = prints(&["matrix", "--cluster", cluster.to_str().unwrap()]);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    assert!(!table.contains('\u{1b}'));
    for expected in
        ["✗ refused:", "RemoteVolumeAccess", "✓ csi-clone", "the driver clones the volume", "(class left out)"]
    {
        assert!(table.contains(expected), "{expected}\n{table}");
    }
    assert!(table.contains("The dump holds none of: DataSource, VolumeSnapshotClass"), "{table}");
    let coloured = prints(&["matrix", "--color", "always", "--cluster", cluster.to_str().unwrap()]);
    assert!(coloured.contains("\u{1b}[31m"));
    let plain: String = {
        let mut rest = coloured.as_str();
        let mut plain = String::new();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        plain + rest
    };
    assert_eq!(plain, table, "colours change nothing else");
}

#[test]
fn many_classes_are_shown_in_several_tables() {
    let class = |number: usize| {
        format!(
            "{{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {{name: class-{number}}}, provisioner: x}}"
        )
    };
    let classes: Vec<String> = (0..12).map(class).collect();
    let claim = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: vm-default-images-a, \
                 namespace: cozy-public}, spec: {resources: {requests: {storage: 1Gi}}}}";
    let dump = file("many-classes.yaml", &format!("{}\n---\n{claim}\n", classes.join("\n---\n")));
    let table = prints(&["matrix", "--width", "80", "--cluster", dump.to_str().unwrap()]);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.matches("source (class, size)").count() > 3, "{table}");
    assert!((0..12).all(|number| table.contains(&format!("class-{number} "))), "{table}");
}

#[test]
fn markdown_is_a_table() {
    let markdown = prints(&["matrix", "--output-format", "markdown", "--cluster", example().to_str().unwrap()]);
    let lines: Vec<&str> = markdown.lines().collect();
    assert_eq!(lines[0], "| source | class | size | local | replicated | (class left out) |");
    assert_eq!(lines[1], "| --- | --- | --- | --- | --- | --- |");
    assert_eq!(
        lines[2],
        "| cozy-public/vm-default-images-ubuntu | replicated | 5Gi | ✗ refused: RemoteVolumeAccess | ✓ csi-clone | \
         ! fails: NoStorageClassForRendering (render) |"
    );
}

#[test]
fn json_has_the_documented_keys_and_every_step_once() {
    let matrix = matrix(&example(), &[]);
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&matrix), ["classes", "namespace", "notInDump", "rows", "schema", "steps", "summary"]);
    assert_eq!(matrix["schema"], "vmdisk-check/matrix/v1");
    let row = &matrix["rows"][0];
    assert_eq!(keys(row), ["cells", "class", "size", "source"]);
    let cell = &row["cells"][0];
    assert_eq!(keys(cell), ["class", "doubts", "missing", "outlook", "reason", "refusal", "steps", "text", "warnings"]);
    assert_eq!(keys(&matrix["steps"][0]), ["decides", "found", "object", "question", "so"]);
    let steps = matrix["steps"].as_array().unwrap();
    let different: std::collections::HashSet<String> = steps.iter().map(ToString::to_string).collect();
    assert_eq!(different.len(), steps.len());
    let decides = cell["steps"].as_array().unwrap().iter().map(|index| &steps[index.as_u64().unwrap() as usize]);
    let decides: Vec<&str> =
        decides.filter(|step| step["decides"] == true).map(|step| step["object"].as_str().unwrap()).collect();
    assert_eq!(decides, ["StorageClass local"]);
}

#[test]
fn size_namespace_source_and_settings_change_the_question() {
    let too_small = matrix(&example(), &["--size", "1Gi"]);
    assert_eq!(texts(&too_small, 0)[1], "fails: TargetSmallerThanSource (validate)");
    // In its own namespace a claim outside the image namespace is an own disk, which is only warned of.
    let cluster = std::fs::read_to_string(example()).unwrap().replace("cozy-public", "tenant-a");
    let cluster = file("own-disk.yaml", &cluster);
    let own = ["--namespace", "tenant-a", "--source", "tenant-a/vm-default-images-ubuntu"];
    assert_eq!(texts(&matrix(&cluster, &own), 0)[0], "csi-clone, but RemoteVolumeAccess");
    let settings = file("settings.yaml", "rules: {remoteVolumeAccess: \"off\"}\n");
    let off = matrix(&example(), &["--settings", settings.to_str().unwrap()]);
    assert_eq!(texts(&off, 0)[0], "csi-clone");
}

#[test]
fn the_exit_status_serves_ci() {
    let cluster = example();
    let cluster = cluster.to_str().unwrap();
    for (words, status) in [("refused,unknown", 1), ("fails", 1), ("unknown", 0), ("waits,copy,unknown", 0)] {
        let output = check(&["matrix", "--cluster", cluster, "--fail-on", words]);
        assert_eq!(output.status.code(), Some(status), "{words}");
        assert!(!output.stdout.is_empty(), "the report is written either way");
    }
    for (arguments, expected) in [
        (vec!["--fail-on", "bad"], "expected one of csi-clone, snapshot, copy, waits, fails, refused, unknown"),
        (vec!["--have", "secrets"], "no kind that the policy looks up is called `secrets`"),
        (vec!["--size", "much"], "--size much: expected a quantity such as 20Gi"),
        (vec!["--namespace", "A/b"], "no namespace can have this name"),
        (vec!["--source", "nowhere"], "expected NAMESPACE/NAME"),
    ] {
        let mut all = vec!["matrix", "--cluster", cluster];
        all.extend(arguments);
        let output = check(&all);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn broken_dumps_name_file_document_and_line() {
    let broken = file("broken-dump.yaml", "a: 1\n---\nb: [\n");
    let output = check(&["matrix", "--cluster", broken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("broken-dump.yaml: document 2, line 3"), "{}", stderr(&output));
    let settings = file("bad-settings.yaml", "rules: {noRule: deny}\n");
    let cluster = example();
    let output = check(&["matrix", "--cluster", cluster.to_str().unwrap(), "--settings", settings.to_str().unwrap()]);
    assert!(stderr(&output).contains("bad-settings.yaml:\n- rules.noRule"), "{}", stderr(&output));
}

#[test]
fn a_file_is_written_whole() {
    let path = file("written/matrix.html", "old");
    let cluster = example();
    prints(&["matrix", "-f", "html", "-o", path.to_str().unwrap(), "--cluster", cluster.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&path).unwrap().trim_end().ends_with("</html>"));
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing else stays: {left:?}");
}

#[test]
fn shells_complete_the_command() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(prints(&["completions", shell]).contains("fail-on"), "{shell}");
    }
    assert!(prints(&["matrix", "--help"]).contains("kubectl get storageclass,storageprofile,pvc,pv"));
}
