//! Reading the settings so that everything that is wrong is told at once.

use std::fmt;

use super::{Action, OnLookupFailure, Rule, Settings, Text};
use crate::json::Json;
use crate::names;
use crate::quantity::Quantity;
use crate::text::printable;

/// One thing that is wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as a dotted path.
    pub path: String,
    /// What is allowed there.
    pub allowed: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.path, self.found, self.allowed)
    }
}

/// How many problems are told; a file with more is told their number.
const MAX_PROBLEMS: usize = 50;

pub(super) fn read(settings: Option<&Json<'_>>) -> Result<Settings, Vec<Problem>> {
    let mut result = Settings::default();
    let mut problems = Problems::default();
    let entries = match settings {
        None | Some(Json::Null) => return Ok(result),
        Some(Json::Object(entries)) => entries,
        Some(other) => {
            problems.wrong("settings", "a mapping", other);
            return Err(problems.0);
        }
    };
    for (key, value) in entries.iter().filter(|(_, value)| *value != Json::Null) {
        match key.as_ref() {
            "rules" => rules(value, &mut result, &mut problems),
            "onLookupFailure" => match value {
                Json::String(word) if word == "allow" => {
                    result.on_lookup_failure = OnLookupFailure::Allow;
                }
                Json::String(word) if word == "reject" => {
                    result.on_lookup_failure = OnLookupFailure::Reject;
                }
                other => problems.wrong("onLookupFailure", "allow, reject", other),
            },
            "linstorDrivers" => drivers(value, &mut result, &mut problems),
            "virtualMachines" => match value {
                Json::Bool(on) => result.virtual_machines = *on,
                other => problems.wrong("virtualMachines", "true, false", other),
            },
            "cdiName" => {
                problems.text(value, "cdiName", "the name of an object", &mut result.cdi_name, names::is_object_name);
            }
            "vmDisk" => vm_disk(value, &mut result, &mut problems),
            _ => problems.unknown("", key, "rules, onLookupFailure, linstorDrivers, virtualMachines, cdiName, vmDisk"),
        }
    }
    if problems.0.is_empty() { Ok(result) } else { Err(problems.0) }
}

fn rules(value: &Json<'_>, result: &mut Settings, problems: &mut Problems) {
    let Json::Object(entries) = value else {
        problems.wrong("rules", "a mapping of rule names to actions", value);
        return;
    };
    for (key, value) in entries.iter().filter(|(_, value)| *value != Json::Null) {
        let Some(rule) = Rule::ALL.into_iter().find(|rule| rule.name() == key) else {
            problems.unknown("rules.", key, &Rule::ALL.map(Rule::name).join(", "));
            continue;
        };
        let action = if let Json::String(word) = value { Action::from_word(word) } else { None };
        match action {
            Some(action) => *result = std::mem::take(result).with_action(rule, action),
            // YAML 1.1 reads a bare `off` as false. People write it, and there is only one thing it can mean.
            None if *value == Json::Bool(false) => {
                *result = std::mem::take(result).with_action(rule, Action::Off);
            }
            None => problems.wrong(&format!("rules.{}", rule.name()), Action::WORDS, value),
        }
    }
}

fn drivers(value: &Json<'_>, result: &mut Settings, problems: &mut Problems) {
    const ALLOWED: &str = "a list of CSI driver names";
    let Json::Array(items) = value else {
        problems.wrong("linstorDrivers", ALLOWED, value);
        return;
    };
    result.linstor_drivers.clear();
    for (index, item) in items.iter().enumerate() {
        match item {
            Json::String(name) if !name.is_empty() => {
                result.linstor_drivers.push(name.as_ref().to_owned().into());
            }
            other => problems.wrong(&format!("linstorDrivers[{index}]"), "the name of a CSI driver", other),
        }
    }
}

fn vm_disk(value: &Json<'_>, result: &mut Settings, problems: &mut Problems) {
    let Json::Object(entries) = value else {
        problems.wrong("vmDisk", "a mapping", value);
        return;
    };
    let vm_disk = &mut result.vm_disk;
    // An empty prefix is fine, and so is one that ends in a dash: it is valid if a name that follows it is.
    let prefix = |text: &str| names::is_object_name(&format!("{text}a"));
    for (key, value) in entries.iter().filter(|(_, value)| *value != Json::Null) {
        let path = format!("vmDisk.{key}");
        match key.as_ref() {
            "releasePrefix" => {
                problems.text(value, &path, "the beginning of a name", &mut vm_disk.release_prefix, prefix);
            }
            "imageNamespace" => problems.text(
                value,
                &path,
                "the name of a namespace",
                &mut vm_disk.image_namespace,
                names::is_namespace,
            ),
            "imagePrefix" => {
                problems.text(value, &path, "the beginning of a name", &mut vm_disk.image_prefix, prefix);
            }
            "defaultStorageClass" => problems.text(
                value,
                &path,
                "the name of a StorageClass, or empty for the cluster's default",
                &mut vm_disk.default_storage_class,
                |text| text.is_empty() || names::is_object_name(text),
            ),
            "defaultStorage" => {
                problems.text(value, &path, "a quantity such as 5Gi", &mut vm_disk.default_storage, |text| {
                    Quantity::parse(text).is_ok_and(|quantity| quantity.bytes() > 0)
                });
            }
            _ => problems.unknown(
                "vmDisk.",
                key,
                "releasePrefix, imageNamespace, imagePrefix, defaultStorageClass, defaultStorage",
            ),
        }
    }
}

#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn push(&mut self, path: &str, allowed: &str, found: String) {
        if self.0.len() < MAX_PROBLEMS {
            self.0.push(Problem { path: printable(path, 100).into_owned(), allowed: allowed.to_owned(), found });
        }
    }

    fn wrong(&mut self, path: &str, allowed: &str, found: &Json<'_>) {
        let found = match found {
            Json::String(text) => format!("found \"{}\"", printable(text, 100)),
            other => format!("found {}", other.type_name()),
        };
        self.push(path, allowed, found);
    }

    fn unknown(&mut self, prefix: &str, key: &str, allowed: &str) {
        self.push(&format!("{prefix}{key}"), allowed, "unknown key".to_owned());
    }

    fn text(&mut self, value: &Json<'_>, path: &str, allowed: &str, target: &mut Text, valid: impl Fn(&str) -> bool) {
        match value {
            Json::String(text) if valid(text) => *target = text.as_ref().to_owned().into(),
            other => self.wrong(path, allowed, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn parse(text: &str) -> Result<Settings, Vec<Problem>> {
        Settings::parse(Some(&Json::parse(text.as_bytes()).unwrap()))
    }

    #[rstest]
    #[case("null")]
    #[case("{}")]
    #[case(r#"{"rules":null,"onLookupFailure":null,"linstorDrivers":null,"cdiName":null,"vmDisk":null}"#)]
    #[case(r#"{"rules":{"shrink":null},"vmDisk":{}}"#)]
    fn empty_settings_are_the_defaults(#[case] text: &str) {
        assert_eq!(parse(text), Ok(Settings::default()));
    }

    #[test]
    fn a_rule_gets_its_action() {
        let settings = parse(r#"{"rules":{"shrink":"deny","immutability":"off","firstConsumer":false}}"#).unwrap();
        assert_eq!(settings.action(Rule::Shrink), Action::Deny);
        assert_eq!(settings.action(Rule::Immutability), Action::Off);
        assert_eq!(settings.action(Rule::FirstConsumer), Action::Off);
        assert_eq!(settings.action(Rule::SourceMissing), Action::Warn);
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let problems = parse(
            r#"{"rule":{},"rules":{"shrnk":"warn","shrink":"refuse"},"onLookupFailure":"maybe",
                "linstorDrivers":["", "x"],"cdiName":"a/b","vmDisk":{"imagePrefix":7,"defaultStorage":"5Gb","x":1}}"#,
        )
        .unwrap_err();
        let paths: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "rule",
                "rules.shrnk",
                "rules.shrink",
                "onLookupFailure",
                "linstorDrivers[0]",
                "cdiName",
                "vmDisk.imagePrefix",
                "vmDisk.defaultStorage",
                "vmDisk.x"
            ]
        );
        assert_eq!(problems[2].to_string(), "rules.shrink: found \"refuse\"; allowed: deny, warn, off");
    }

    #[test]
    fn settings_of_another_type_are_a_problem() {
        assert_eq!(parse("[]").unwrap_err()[0].to_string(), "settings: found a list; allowed: a mapping");
    }
}
