//! Every setting of the code stands in the form, in the README and in the reference, with its default.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use vmdisk_policy::json::Json;
use vmdisk_policy::settings::{Action, OnLookupFailure, Problem, Rule, Settings};

use crate::documents::Form;
use crate::markdown::{code, section};
use crate::{parse, text, yaml};

fn read(settings: &Value) -> Result<Settings, Vec<Problem>> {
    let text = settings.to_string();
    Settings::parse(Some(&Json::parse(text.as_bytes()).unwrap()))
}

/// The keys that the code takes there: it names them when it is given another one.
fn known_keys(wrap: impl Fn(Value) -> Value) -> Option<Vec<String>> {
    let problems = read(&wrap(json!({"?": 1}))).unwrap_err();
    let [problem] = problems.as_slice() else {
        panic!("{problems:?}");
    };
    (problem.found == "unknown key").then(|| problem.allowed.split(", ").map(str::to_owned).collect())
}

fn word(action: Action) -> &'static str {
    match action {
        Action::Deny => "deny",
        Action::Warn => "warn",
        Action::Off => "off",
    }
}

/// Every setting that the code takes, by dotted path, with its default.
pub(crate) fn defaults() -> BTreeMap<String, Value> {
    let mut paths = Vec::new();
    for key in known_keys(|value| value).unwrap() {
        match known_keys(|value| json!({ &*key: value })) {
            Some(nested) => paths.extend(nested.iter().map(|nested| format!("{key}.{nested}"))),
            None => paths.push(key),
        }
    }
    let settings = Settings::default();
    let default = |path: &str| match path {
        "onLookupFailure" => match settings.on_lookup_failure {
            OnLookupFailure::Allow => json!("allow"),
            OnLookupFailure::Reject => json!("reject"),
        },
        "virtualMachines" => json!(settings.virtual_machines),
        "linstorDrivers" => json!(settings.linstor_drivers),
        "cdiName" => json!(settings.cdi_name),
        "vmDisk.releasePrefix" => json!(settings.vm_disk.release_prefix),
        "vmDisk.imageNamespace" => json!(settings.vm_disk.image_namespace),
        "vmDisk.imagePrefix" => json!(settings.vm_disk.image_prefix),
        "vmDisk.defaultStorageClass" => json!(settings.vm_disk.default_storage_class),
        "vmDisk.defaultStorage" => json!(settings.vm_disk.default_storage),
        rule => {
            let rule = Rule::ALL
                .into_iter()
                .find(|known| rule == format!("rules.{}", known.name()))
                .unwrap_or_else(|| panic!("{rule}: add its default to this test"));
            json!(word(settings.action(rule)))
        }
    };
    paths
        .into_iter()
        .map(|path| {
            let default = default(&path);
            (path, default)
        })
        .collect()
}

/// The settings of a list of dotted paths.
fn nested(flat: &BTreeMap<String, Value>) -> Value {
    let mut result = json!({});
    for (path, value) in flat {
        let mut place = &mut result;
        for key in path.split('.') {
            place = &mut place[key];
        }
        *place = value.clone();
    }
    result
}

/// The settings of a table whose first columns are setting and default.
fn table(name: &str, heading: &str) -> BTreeMap<String, Value> {
    let text = text(name);
    let mut settings = BTreeMap::new();
    for row in section(name, &text, heading).rows() {
        let [setting, default, ..] = row.as_slice() else {
            panic!("{name}: {row:?}");
        };
        let setting = code(setting).to_owned();
        let known = settings.insert(setting.clone(), parse(&setting, code(default)));
        assert_eq!(known, None, "{name} lists {setting} twice");
    }
    settings
}

#[test]
fn the_defaults_are_the_defaults() {
    let settings = read(&nested(&defaults())).unwrap();
    assert_eq!(settings, Settings::default());
    for rule in Rule::ALL {
        assert_eq!(settings.action(rule), rule.default_action());
    }
}

#[test]
fn the_form_asks_for_every_setting() {
    let form: Form = yaml("questions-ui.yml");
    let mut asked = BTreeMap::new();
    for question in form.questions {
        let name = question.variable;
        let is_array = question.default.is_array();
        let default = question.default;
        assert!(!question.label.is_empty() && !question.description.is_empty());
        assert!(["Edits", "Clones", "Sources", "Classes", "Settings", "Cozystack"].contains(&&*question.group));
        assert!(!question.required, "{name}: every setting is optional");
        match &*question.r#type {
            "enum" => {
                let options = question.options.unwrap();
                let default = default.as_str().unwrap();
                assert!(options.iter().any(|option| option == default), "{name}");
                for option in &options {
                    let one = BTreeMap::from([(name.clone(), json!(option))]);
                    read(&nested(&one)).unwrap_or_else(|problems| panic!("{problems:?}"));
                }
                let expected: &[&str] =
                    if name.starts_with("rules.") { &["deny", "warn", "off"] } else { &["allow", "reject"] };
                assert_eq!(options, expected, "{name}");
            }
            "array[" => assert!(is_array, "{name}"),
            "boolean" => assert!(default.is_boolean(), "{name}"),
            "string" => assert!(default.is_string(), "{name}"),
            other => panic!("{name}: type {other}"),
        }
        let known = asked.insert(name.clone(), default);
        assert_eq!(known, None, "{name} is asked for twice");
    }
    assert_eq!(asked, defaults());
}

#[test]
fn the_readme_lists_every_setting() {
    assert_eq!(table("README.md", "Settings"), defaults());
}

#[test]
fn the_reference_lists_every_setting() {
    let mut listed = table("docs/settings.md", "Rules");
    listed.extend(table("docs/settings.md", "Other settings"));
    assert_eq!(listed, defaults());
}

#[test]
fn the_examples_of_the_documents_are_valid() {
    let mut examples = 0;
    for (name, heading) in
        [("README.md", "Settings"), ("docs/settings.md", "All defaults"), ("docs/settings.md", "Examples")]
    {
        let text = text(name);
        for example in section(name, &text, heading).blocks("yaml") {
            examples += 1;
            let settings: Value = parse(name, &example);
            let settings = read(&settings).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            if heading == "All defaults" {
                assert_eq!(settings, Settings::default());
                assert_eq!(parse::<Value>(name, &example), nested(&defaults()));
            }
        }
    }
    assert!(examples >= 3, "{examples}");
}
