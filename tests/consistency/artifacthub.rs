//! `artifacthub-pkg.yml` is what `kwctl scaffold artifacthub` makes of the metadata and the form.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use serde_json::json;

use crate::documents::{Image, Link, Maintainer, Metadata, Package, Repository, Rule};
use crate::{VERSION, parse, text, yaml};

#[test]
fn the_package_is_that_of_the_metadata() {
    let metadata: Metadata = yaml("metadata.yml");
    let package: Package = yaml("artifacthub-pkg.yml");
    let policy = |key: &str| metadata.annotation(&format!("io.kubewarden.policy.{key}"));
    let image = format!("{}:v{VERSION}", policy("ociUrl"));
    assert_eq!(package.version, VERSION);
    assert_eq!(package.name, policy("title"));
    assert_eq!(package.display_name, metadata.annotation("io.artifacthub.displayName"));
    serde_json::from_value::<Time>(json!(package.created_at)).expect("createdAt is a time");
    assert_eq!(package.description, policy("description"));
    assert_eq!(package.license, policy("license"));
    assert_eq!(package.home_url, policy("url"));
    assert_eq!(package.containers_images, [Image { name: "policy".to_owned(), image: image.clone() }]);
    let keywords: Vec<_> = metadata.annotation("io.artifacthub.keywords").split(',').map(str::trim).collect();
    assert_eq!(package.keywords, keywords);
    let source = policy("source");
    let link = |name: &str, url: String| Link { name: name.to_owned(), url };
    assert_eq!(
        package.links,
        [
            link("policy", format!("{source}/releases/download/v{VERSION}/policy.wasm")),
            link("source", source.to_owned()),
        ]
    );
    assert_eq!(
        package.install,
        format!(
            "The policy can be obtained using [kwctl](https://docs.kubewarden.io/howtos/install-kwctl):\n\
             ```console\nkwctl pull {image}\n```\n\
             Then, generate the policy manifest and tune it to your liking. For example:\n\
             ```console\nkwctl scaffold manifest -t ClusterAdmissionPolicy registry://{image}\n```\n"
        )
    );
    assert_eq!(package.maintainers, [author(&metadata)]);
    assert_eq!(package.provider, BTreeMap::from([("name".to_owned(), "kubewarden".to_owned())]));
    assert_eq!(
        package.recommendations,
        [BTreeMap::from([(
            "url".to_owned(),
            "https://artifacthub.io/packages/helm/kubewarden/kubewarden-controller".to_owned()
        )])]
    );
    assert_eq!(package.category, "storage");
    assert!(!package.changes.is_empty());
    for change in &package.changes {
        let kinds = ["added", "changed", "deprecated", "removed", "fixed", "security"];
        assert!(kinds.contains(&&*change.kind), "{change:?}");
        assert!(!change.description.is_empty());
    }
}

#[test]
fn the_annotations_are_those_of_the_metadata() {
    let metadata: Metadata = yaml("metadata.yml");
    let annotations = yaml::<Package>("artifacthub-pkg.yml").annotations;
    let keys: BTreeSet<_> = annotations.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        BTreeSet::from([
            "kubewarden/contextAwareResources",
            "kubewarden/mutation",
            "kubewarden/questions-ui",
            "kubewarden/resources",
            "kubewarden/rules",
        ])
    );
    assert_eq!(annotations["kubewarden/mutation"], metadata.mutating.to_string());
    assert_eq!(annotations["kubewarden/resources"], metadata.annotation("io.artifacthub.resources"));
    let rules: Vec<Rule> = parse("kubewarden/rules", &annotations["kubewarden/rules"]);
    assert_eq!(rules, metadata.rules);
    assert_eq!(annotations["kubewarden/questions-ui"], text("questions-ui.yml"));
}

#[test]
fn the_repository_belongs_to_the_author() {
    let metadata: Metadata = yaml("metadata.yml");
    let repository: Repository = yaml("artifacthub-repo.yml");
    assert_eq!(repository.owners, [author(&metadata)]);
    // Given when the repository is registered: a UUID from then on.
    assert!(repository.repository_id.is_none_or(|id| id.len() == 36));
}

/// `Name <address>`
fn author(metadata: &Metadata) -> Maintainer {
    let author = metadata.annotation("io.kubewarden.policy.author");
    let (name, email) =
        author.strip_suffix('>').and_then(|author| author.split_once(" <")).expect("kwctl takes a name and an address");
    Maintainer { name: name.to_owned(), email: email.to_owned() }
}
