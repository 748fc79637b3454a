//! The files as structs. An unknown key is an error: Kubewarden drops it in silence.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// `metadata.yml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Metadata {
    pub(crate) rules: Vec<Rule>,
    pub(crate) mutating: bool,
    pub(crate) execution_mode: String,
    pub(crate) policy_type: String,
    pub(crate) background_audit: bool,
    pub(crate) minimum_kubewarden_version: String,
    pub(crate) context_aware_resources: Vec<ContextAwareResource>,
    pub(crate) host_capabilities: Vec<String>,
    pub(crate) annotations: BTreeMap<String, String>,
}

impl Metadata {
    pub(crate) fn annotation(&self, key: &str) -> &str {
        self.annotations.get(key).unwrap_or_else(|| panic!("metadata.yml has no annotation {key}"))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Rule {
    pub(crate) api_groups: Vec<String>,
    pub(crate) api_versions: Vec<String>,
    pub(crate) resources: Vec<String>,
    pub(crate) operations: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ContextAwareResource {
    pub(crate) api_version: String,
    pub(crate) kind: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ObjectMeta {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) annotations: BTreeMap<String, String>,
}

/// A `ClusterAdmissionPolicy`
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Policy {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) metadata: ObjectMeta,
    pub(crate) spec: PolicySpec,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct PolicySpec {
    pub(crate) policy_server: String,
    pub(crate) module: String,
    pub(crate) mode: String,
    pub(crate) mutating: bool,
    pub(crate) side_effects: String,
    pub(crate) background_audit: bool,
    pub(crate) failure_policy: String,
    pub(crate) timeout_seconds: u32,
    pub(crate) rules: Vec<Rule>,
    pub(crate) match_conditions: Vec<MatchCondition>,
    pub(crate) context_aware_resources: Vec<ContextAwareResource>,
    pub(crate) settings: Value,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchCondition {
    pub(crate) name: String,
    pub(crate) expression: String,
}

/// A document of `deploy/rbac`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind")]
pub(crate) enum Rbac {
    #[serde(rename_all = "camelCase")]
    ClusterRole { api_version: String, metadata: ObjectMeta, rules: Vec<PolicyRule> },
    #[serde(rename_all = "camelCase")]
    ClusterRoleBinding { api_version: String, metadata: ObjectMeta, role_ref: RoleRef, subjects: Vec<Subject> },
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct PolicyRule {
    pub(crate) api_groups: Vec<String>,
    pub(crate) resources: Vec<String>,
    pub(crate) verbs: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct RoleRef {
    pub(crate) api_group: String,
    pub(crate) kind: String,
    pub(crate) name: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
}

/// A `kustomization.yaml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Kustomization {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) resources: Vec<String>,
    #[serde(default)]
    pub(crate) components: Vec<String>,
    #[serde(default)]
    pub(crate) patches: Vec<Patch>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Patch {
    pub(crate) target: PatchTarget,
    /// A YAML list of [`PatchOperation`].
    pub(crate) patch: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchTarget {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchOperation {
    pub(crate) op: String,
    pub(crate) path: String,
    pub(crate) value: Option<String>,
}

/// `questions-ui.yml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    pub(crate) questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    pub(crate) variable: String,
    pub(crate) group: String,
    pub(crate) label: String,
    pub(crate) description: String,
    pub(crate) r#type: String,
    pub(crate) options: Option<Vec<String>>,
    pub(crate) default: Value,
    pub(crate) required: bool,
}

/// `artifacthub-pkg.yml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Package {
    pub(crate) version: String,
    pub(crate) name: String,
    pub(crate) display_name: String,
    pub(crate) created_at: String,
    pub(crate) description: String,
    pub(crate) license: String,
    #[serde(rename = "homeURL")]
    pub(crate) home_url: String,
    pub(crate) containers_images: Vec<Image>,
    pub(crate) keywords: Vec<String>,
    pub(crate) links: Vec<Link>,
    pub(crate) install: String,
    pub(crate) maintainers: Vec<Maintainer>,
    pub(crate) provider: BTreeMap<String, String>,
    pub(crate) recommendations: Vec<BTreeMap<String, String>>,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) category: String,
    pub(crate) changes: Vec<Change>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) image: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) url: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Maintainer {
    pub(crate) name: String,
    pub(crate) email: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) kind: String,
    pub(crate) description: String,
}

/// `artifacthub-repo.yml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Repository {
    #[serde(rename = "repositoryID")]
    pub(crate) repository_id: Option<String>,
    pub(crate) owners: Vec<Maintainer>,
}
