//! The reason words are explained, and the texts that the documents quote are those of the code.

use std::collections::BTreeSet;

use vmdisk_policy::clone::{Origin, Strategy};
use vmdisk_policy::finding::{Detail, Finding, Named, Reason, RemoteAccess, TargetClass};
use vmdisk_policy::settings::Rule;

use crate::markdown::{codes, section, sections};
use crate::settings::defaults;
use crate::text;

#[test]
fn every_reason_has_a_section() {
    let reasons = text("docs/reasons.md");
    let headings: Vec<_> = sections(&reasons).iter().map(|section| section.heading).collect();
    let words: Vec<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(headings, words);
}

/// How the paragraphs of a reason begin.
const PARAGRAPHS: [&str; 5] = ["**See it.**", "**Tenant.**", "**Administrator.**", "**Setting.**", "**Afterwards.**"];

#[test]
fn every_section_answers_the_same_questions() {
    let reasons = text("docs/reasons.md");
    for section in sections(&reasons) {
        let found: Vec<_> = section
            .lines
            .iter()
            .filter_map(|line| PARAGRAPHS.into_iter().find(|start| line.starts_with(start)))
            .collect();
        assert_eq!(found, PARAGRAPHS, "{}", section.heading);
    }
}

#[test]
fn the_settings_of_a_reason_exist() {
    let known = defaults();
    let reasons = text("docs/reasons.md");
    let mut rules = BTreeSet::new();
    for section in sections(&reasons) {
        let line = section
            .lines
            .iter()
            .find(|line| line.starts_with("**Setting.**"))
            .unwrap_or_else(|| panic!("{}", section.heading));
        for code in codes(line) {
            let (setting, default) = code.split_once(": ").unwrap_or_else(|| panic!("{code}"));
            assert_eq!(
                known.get(setting).and_then(serde_json::Value::as_str),
                Some(default),
                "{}: {code}",
                section.heading
            );
            rules.insert(setting.to_owned());
        }
    }
    for rule in Rule::ALL {
        let setting = format!("rules.{}", rule.name());
        assert!(rules.contains(&setting), "{setting} leads to no reason");
    }
}

/// What the sample of `make run` is answered: examples/vmdisk.yaml in the cluster of examples/cluster.yaml.
fn sample() -> Finding {
    Finding {
        template: None,
        rule: Some(Rule::RemoteVolumeAccess),
        detail: Detail::RemoteVolumeAccess(RemoteAccess {
            source: Named::new("PersistentVolumeClaim", "cozy-public", "vm-default-images-ubuntu"),
            source_class: "replicated".to_owned(),
            target: TargetClass { name: "local".to_owned(), default_by: None },
            driver: "linstor.csi.linbit.com".to_owned(),
            strategy: Strategy::CsiClone,
            origin: Origin::Override,
            cdi_name: "cdi".to_owned(),
            parameter: Some(("linstor.csi.linbit.com/allowRemoteVolumeAccess".to_owned(), "false".to_owned())),
        }),
    }
}

#[test]
fn the_readme_quotes_the_real_message() {
    let readme = text("README.md");
    let blocks = section("README.md", &readme, "What it stops").blocks("text");
    let [message] = blocks.as_slice() else {
        panic!("{blocks:?}");
    };
    // Wrapped for the page.
    let message: Vec<_> = message.lines().collect();
    assert_eq!(message.join(" "), sample().refusal());
}
