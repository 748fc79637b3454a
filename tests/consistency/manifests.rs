//! The manifests fit the metadata and each other.

use vmdisk_policy::request::JudgedKind;

use crate::documents::{Kustomization, Metadata, PatchOperation, Policy};
use crate::{VERSION, parse, path, yaml};

const POLICIES: [(&str, &str); 2] =
    [("deploy/monitor/policy.yaml", "monitor"), ("deploy/protect/policy.yaml", "protect")];

#[test]
fn metadata_is_that_of_this_policy() {
    let metadata: Metadata = yaml("metadata.yml");
    assert_eq!(metadata.execution_mode, "kubewarden-wapc");
    assert_eq!(metadata.policy_type, "kubernetes");
    assert!(metadata.background_audit);
    assert!(!metadata.mutating);
    assert_eq!(metadata.minimum_kubewarden_version, "1.15.0");
    for rule in &metadata.rules {
        // Groups and resources of one entry are multiplied.
        assert_eq!((rule.api_groups.len(), rule.resources.len()), (1, 1));
        assert_eq!(rule.operations, ["CREATE", "UPDATE"]);
    }
    let keys: Vec<_> = metadata.annotations.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "io.artifacthub.displayName",
            "io.artifacthub.keywords",
            "io.artifacthub.resources",
            "io.kubewarden.policy.author",
            "io.kubewarden.policy.category",
            "io.kubewarden.policy.description",
            "io.kubewarden.policy.license",
            "io.kubewarden.policy.ociUrl",
            "io.kubewarden.policy.severity",
            "io.kubewarden.policy.source",
            "io.kubewarden.policy.title",
            "io.kubewarden.policy.url",
            "io.kubewarden.policy.version",
        ]
    );
    assert_eq!(metadata.annotation("io.kubewarden.policy.version"), VERSION);
    assert_eq!(metadata.annotation("io.kubewarden.policy.title"), env!("CARGO_PKG_NAME"));
    assert_eq!(metadata.annotation("io.kubewarden.policy.license"), env!("CARGO_PKG_LICENSE"));
}

#[test]
fn the_manifests_are_those_of_the_metadata() {
    let metadata: Metadata = yaml("metadata.yml");
    let oci_url = metadata.annotation("io.kubewarden.policy.ociUrl");
    for (name, mode) in POLICIES {
        let Policy { api_version, kind, metadata: object, spec } = yaml(name);
        assert_eq!(api_version, "policies.kubewarden.io/v1", "{name}");
        assert_eq!(kind, "ClusterAdmissionPolicy", "{name}");
        assert_eq!(object.name, metadata.annotation("io.kubewarden.policy.title"));
        for (key, value) in &object.annotations {
            assert_eq!(value, metadata.annotation(key), "{name}");
        }
        assert_eq!(spec.policy_server, "default", "{name}");
        assert_eq!(spec.module, format!("registry://{oci_url}:v{VERSION}"), "{name}");
        assert_eq!(spec.mode, mode, "{name}");
        assert_eq!(spec.mutating, metadata.mutating, "{name}");
        assert_eq!(spec.background_audit, metadata.background_audit, "{name}");
        assert_eq!(spec.side_effects, "None", "{name}");
        assert_eq!(spec.rules, metadata.rules, "{name}");
        // The policy server's own limit is two seconds; Kubernetes takes up to thirty.
        assert!((3..=30).contains(&spec.timeout_seconds), "{name}");
        assert!(["Fail", "Ignore"].contains(&&*spec.failure_policy), "{name}");
        assert_eq!(spec.settings, serde_json::json!({}), "{name}");
        for condition in &spec.match_conditions {
            assert!(
                condition.expression.starts_with(r#"request.operation != "UPDATE" ||"#),
                "{name}: {} reads oldObject on CREATE",
                condition.name
            );
        }
    }
}

#[test]
fn the_modes_differ_in_nothing_else() {
    let [monitor, mut protect] = POLICIES.map(|(name, _)| yaml::<Policy>(name));
    protect.spec.mode.clone_from(&monitor.spec.mode);
    assert_eq!(protect, monitor);
}

/// What is left out of each variant, in the order in which it is taken out.
const VARIANTS: [(&str, &[&str]); 4] = [
    ("", &[]),
    ("disks/", &["without-virtual-machines"]),
    ("kubevirt/", &["without-cozystack"]),
    ("kubevirt/disks/", &["without-virtual-machines", "without-cozystack"]),
];

#[test]
fn the_kustomizations_are_the_variants() {
    for (variant, left_out) in VARIANTS {
        for (_, mode) in POLICIES {
            let name = format!("deploy/{variant}{mode}");
            let kustomization: Kustomization = yaml(&format!("{name}/kustomization.yaml"));
            assert_eq!(kustomization.api_version, "kustomize.config.k8s.io/v1beta1");
            assert_eq!(kustomization.kind, "Kustomization");
            assert!(kustomization.patches.is_empty());
            let up = "../".repeat(name.matches('/').count());
            let resources = if variant.is_empty() {
                vec!["../rbac".to_owned(), "policy.yaml".to_owned()]
            } else {
                vec![format!("{up}{mode}")]
            };
            assert_eq!(kustomization.resources, resources, "{name}");
            let components: Vec<_> = left_out.iter().map(|component| format!("{up}{component}")).collect();
            assert_eq!(kustomization.components, components, "{name}");
        }
    }
    let rbac: Kustomization = yaml("deploy/rbac/kustomization.yaml");
    for file in &rbac.resources {
        assert!(path("deploy/rbac").join(file).is_file(), "{file}");
    }
}

/// A component takes the rule at that place out of the policy, and out of the role of the audit scanner.
fn takes_out(component: &str, place: usize, group: &str) {
    let component: Kustomization = yaml(&format!("deploy/{component}/kustomization.yaml"));
    assert_eq!(component.api_version, "kustomize.config.k8s.io/v1alpha1");
    assert_eq!(component.kind, "Component");
    assert!(component.resources.is_empty() && component.components.is_empty());
    let targets: Vec<_> = component
        .patches
        .iter()
        .map(|patch| {
            let target = &patch.target;
            (&*target.group, &*target.version, &*target.kind, &*target.name)
        })
        .collect();
    assert_eq!(
        targets,
        [
            ("policies.kubewarden.io", "v1", "ClusterAdmissionPolicy", "vmdisk-policy"),
            ("rbac.authorization.k8s.io", "v1", "ClusterRole", "vmdisk-policy-audit-scanner"),
        ]
    );
    for (patch, at) in component.patches.iter().zip(["/spec/rules", "/rules"]) {
        let operations: Vec<PatchOperation> = parse("the patch", &patch.patch);
        let operation = |op: &str, path: String, value: Option<&str>| PatchOperation {
            op: op.to_owned(),
            path,
            value: value.map(str::to_owned),
        };
        assert_eq!(
            operations,
            [
                operation("test", format!("{at}/{place}/apiGroups/0"), Some(group)),
                operation("remove", format!("{at}/{place}"), None),
            ]
        );
    }
    let metadata: Metadata = yaml("metadata.yml");
    assert_eq!(metadata.rules[place].api_groups, [group]);
}

#[test]
fn the_components_take_out_a_rule_each() {
    // From behind, so that the place of the other one stays: the variants name them in this order.
    takes_out("without-virtual-machines", 2, "kubevirt.io");
    takes_out("without-cozystack", 0, "apps.cozystack.io");
}

#[test]
fn what_is_judged_is_what_the_code_judges() {
    let metadata: Metadata = yaml("metadata.yml");
    let judged: Vec<_> = metadata.rules.iter().map(|rule| (&*rule.api_groups[0], &*rule.resources[0])).collect();
    let kinds: Vec<_> =
        JudgedKind::ALL.iter().map(|kind| (kind.group(), format!("{}s", kind.name().to_lowercase()))).collect();
    let kinds: Vec<_> = kinds.iter().map(|(group, resource)| (*group, &**resource)).collect();
    assert_eq!(judged, kinds);
    let names: Vec<_> = JudgedKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(metadata.annotation("io.artifacthub.resources"), names.join(", "));
}
