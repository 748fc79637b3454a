//! What the policy looks up is what it is granted, everywhere.

use std::collections::BTreeSet;

use vmdisk_policy::cluster::{Kind, host};

use crate::documents::{ContextAwareResource, Metadata, Package, Policy, PolicyRule, Rbac};
use crate::markdown::{code, section};
use crate::{parse, text, yaml, yaml_documents};

/// What the code looks up.
pub(crate) fn looked_up() -> BTreeSet<ContextAwareResource> {
    Kind::ALL
        .into_iter()
        .map(|kind| ContextAwareResource { api_version: kind.api_version().to_owned(), kind: kind.name().to_owned() })
        .collect()
}

/// The list, which names nothing twice, as a set.
fn set(name: &str, list: Vec<ContextAwareResource>) -> BTreeSet<ContextAwareResource> {
    let count = list.len();
    let set: BTreeSet<_> = list.into_iter().collect();
    assert_eq!(set.len(), count, "{name} names a kind twice");
    set
}

/// The name of a kind in RBAC rules.
fn resource(kind: &str) -> String {
    let kind = kind.to_lowercase();
    let plural = if kind.ends_with('s') { "es" } else { "s" };
    format!("{kind}{plural}")
}

fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

#[test]
fn metadata_declares_what_is_looked_up() {
    let metadata: Metadata = yaml("metadata.yml");
    assert_eq!(set("metadata.yml", metadata.context_aware_resources), looked_up());
}

#[test]
fn metadata_declares_the_host_capabilities() {
    let metadata: Metadata = yaml("metadata.yml");
    let declared: BTreeSet<_> = metadata.host_capabilities.iter().map(String::as_str).collect();
    assert_eq!(declared.len(), metadata.host_capabilities.len());
    assert_eq!(declared, BTreeSet::from(host::CAPABILITIES));
}

#[test]
fn every_manifest_grants_what_is_looked_up() {
    for name in ["deploy/monitor/policy.yaml", "deploy/protect/policy.yaml"] {
        let policy: Policy = yaml(name);
        assert_eq!(set(name, policy.spec.context_aware_resources), looked_up(), "{name}");
    }
}

#[test]
fn artifact_hub_shows_what_is_looked_up() {
    let package: Package = yaml("artifacthub-pkg.yml");
    let name = "kubewarden/contextAwareResources";
    assert_eq!(set(name, parse(name, &package.annotations[name])), looked_up());
}

#[test]
fn the_cluster_role_allows_what_is_looked_up() {
    let mut allowed = BTreeSet::new();
    for rule in role("deploy/rbac/policy-server.yaml", "vmdisk-policy-reader") {
        // A get proves that a list is answered only where the three come together.
        assert_eq!(rule.verbs, ["get", "list", "watch"]);
        for group in &rule.api_groups {
            for resource in &rule.resources {
                assert!(allowed.insert((group.clone(), resource.clone())), "{resource} twice");
            }
        }
    }
    let needed: BTreeSet<_> =
        Kind::ALL.into_iter().map(|kind| (group(kind.api_version()).to_owned(), resource(kind.name()))).collect();
    assert_eq!(allowed, needed);
}

#[test]
fn the_audit_scanner_may_read_what_is_judged() {
    let metadata: Metadata = yaml("metadata.yml");
    let allowed: Vec<_> = role("deploy/rbac/audit-scanner.yaml", "vmdisk-policy-audit-scanner")
        .into_iter()
        .map(|rule| {
            assert_eq!(rule.verbs, ["get", "list", "watch"]);
            (rule.api_groups, rule.resources)
        })
        .collect();
    let judged: Vec<_> = metadata.rules.into_iter().map(|rule| (rule.api_groups, rule.resources)).collect();
    assert_eq!(allowed, judged);
}

/// The rules of the role in that file, once it is known to be bound to the file's ServiceAccount.
fn role(name: &str, role: &str) -> Vec<PolicyRule> {
    let account = if name.contains("audit-scanner") { "audit-scanner" } else { "policy-server" };
    let mut documents: Vec<Rbac> = yaml_documents(name);
    assert_eq!(documents.len(), 2, "{name}");
    let binding = documents.pop();
    let Some(Rbac::ClusterRoleBinding { api_version, metadata, role_ref, subjects }) = binding else {
        panic!("{name}: no binding");
    };
    assert_eq!(api_version, "rbac.authorization.k8s.io/v1");
    assert_eq!(metadata.name, role);
    assert_eq!(
        (&*role_ref.api_group, &*role_ref.kind, &*role_ref.name),
        ("rbac.authorization.k8s.io", "ClusterRole", role)
    );
    let [subject] = subjects.as_slice() else {
        panic!("{name}: {subjects:?}");
    };
    assert_eq!((&*subject.kind, &*subject.name, &*subject.namespace), ("ServiceAccount", account, "kubewarden"));
    let Some(Rbac::ClusterRole { api_version, metadata, rules }) = documents.pop() else {
        panic!("{name}: no role");
    };
    assert_eq!(api_version, "rbac.authorization.k8s.io/v1");
    assert_eq!(metadata.name, role);
    rules
}

#[test]
fn the_readme_lists_what_is_looked_up() {
    let readme = text("README.md");
    let rows = section("README.md", &readme, "Permissions").rows();
    let listed: Vec<_> = rows
        .iter()
        .map(|row| match row.as_slice() {
            [kind, api_version, _why] => {
                ContextAwareResource { api_version: code(api_version).to_owned(), kind: code(kind).to_owned() }
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(set("README.md", listed), looked_up());
}
