//! What a case expects of the module's answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use vmdisk_host::Evaluation;

/// What a case expects. A key that is left out is not looked at; only `allowed` must be there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Expected {
    /// Whether the request is accepted.
    pub allowed: bool,
    /// The code of the refusal.
    pub code: Option<u16>,
    /// The words in brackets at the beginning of the message's lines, in order.
    pub reasons: Option<Vec<String>>,
    /// Texts that the message contains.
    #[serde(default)]
    pub message: Vec<String>,
    /// Texts that the message does not contain.
    #[serde(default)]
    pub not_message: Vec<String>,
    /// The words in brackets at the beginning of the warnings, in order.
    pub warnings: Option<Vec<String>>,
    /// Texts that some warning contains.
    #[serde(default)]
    pub warning_fragments: Vec<String>,
    /// Texts that no warning contains.
    #[serde(default)]
    pub not_warning: Vec<String>,
    /// Audit annotations; null means that there is none with this key.
    #[serde(default)]
    pub audit: BTreeMap<String, Option<String>>,
    /// The number of host calls.
    pub calls: Option<usize>,
    /// The host calls, in order: `GET Kind namespace/name`, `GET Kind name`, `LIST Kind`.
    pub call_list: Option<Vec<String>>,
}

/// The parts of an answer that expectations are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Actual {
    pub(crate) allowed: bool,
    pub(crate) code: Option<u16>,
    pub(crate) message: String,
    pub(crate) reasons: Vec<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) warning_reasons: Vec<String>,
    pub(crate) audit: BTreeMap<String, String>,
    pub(crate) calls: Vec<String>,
}

impl Actual {
    pub(crate) fn of(evaluation: &Evaluation) -> Self {
        let response = &evaluation.response;
        let message = response.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        let warnings = response.get("warnings").and_then(Value::as_array).into_iter().flatten();
        let warnings: Vec<String> = warnings.filter_map(Value::as_str).map(str::to_owned).collect();
        let audit = response.get("audit_annotations").and_then(Value::as_object).into_iter().flatten();
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Self {
            allowed: evaluation.accepted(),
            code: response.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok()),
            reasons: message.lines().filter_map(reason).collect(),
            message,
            warning_reasons: warnings.iter().map(|warning| reason(warning).unwrap_or_default()).collect(),
            warnings,
            audit: audit.map(|(key, value)| (key.clone(), text(value))).collect(),
            calls: evaluation.calls.iter().map(|call| call.request.to_string()).collect(),
        }
    }
}

/// The word in brackets at the beginning of a line.
fn reason(line: &str) -> Option<String> {
    let (word, _) = line.strip_prefix('[')?.split_once(']')?;
    word.chars().all(|c| c.is_ascii_alphanumeric()).then(|| word.to_owned())
}

impl Expected {
    /// In what the answer is not the expected one.
    #[must_use]
    pub fn differences(&self, evaluation: &Evaluation) -> Vec<String> {
        let actual = Actual::of(evaluation);
        let mut differences = Vec::new();
        let mut differ = |what: &str, expected: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
            differences.push(format!("{what}: expected {expected:?}, found {found:?}"));
        };
        if self.allowed != actual.allowed {
            differ("allowed", &self.allowed, &actual.allowed);
        }
        if self.code.is_some() && self.code != actual.code {
            differ("code", &self.code, &actual.code);
        }
        if self.reasons.as_ref().is_some_and(|reasons| *reasons != actual.reasons) {
            differ("reasons", &self.reasons, &actual.reasons);
        }
        if self.warnings.as_ref().is_some_and(|warnings| *warnings != actual.warning_reasons) {
            differ("warnings", &self.warnings, &actual.warnings);
        }
        for (key, expected) in &self.audit {
            let found = actual.audit.get(key);
            if found != expected.as_ref() {
                differ(&format!("audit annotation {key}"), expected, &found);
            }
        }
        if self.calls.is_some_and(|calls| calls != actual.calls.len()) {
            differ("calls", &self.calls, &actual.calls);
        }
        if self.call_list.as_ref().is_some_and(|calls| *calls != actual.calls) {
            differ("call-list", &self.call_list, &actual.calls);
        }
        for fragment in self.message.iter().filter(|fragment| !actual.has_in_message(fragment)) {
            differ("message", fragment, &actual.message);
        }
        for fragment in self.not_message.iter().filter(|fragment| actual.has_in_message(fragment)) {
            differ("not-message", fragment, &actual.message);
        }
        for fragment in self.warning_fragments.iter().filter(|fragment| !actual.has_in_warnings(fragment)) {
            differ("warning-fragments", fragment, &actual.warnings);
        }
        for fragment in self.not_warning.iter().filter(|fragment| actual.has_in_warnings(fragment)) {
            differ("not-warning", fragment, &actual.warnings);
        }
        differences
    }
}

impl Actual {
    pub(crate) fn has_in_message(&self, fragment: &str) -> bool {
        self.message.contains(fragment)
    }

    pub(crate) fn has_in_warnings(&self, fragment: &str) -> bool {
        self.warnings.iter().any(|warning| warning.contains(fragment))
    }
}
