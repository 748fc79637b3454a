//! Expectations rewritten as the module answers now, for a person to review the difference.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use vmdisk_host::Evaluation;

use crate::case::CaseRequest;
use crate::expected::{Actual, Expected};

/// Whether `BLESS=1` is set.
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Rewrites the file if it expects something else, or does not say how many calls there are: the values of its keys,
/// and the number of calls. Of texts that should or should not appear, those that still hold are kept. A comment at
/// the top of the file stays. Without a file, one with everything but texts is written.
///
/// # Errors
/// The file cannot be read or written.
pub fn bless(request: &CaseRequest, evaluation: &Evaluation) -> anyhow::Result<()> {
    let actual = Actual::of(evaluation);
    if let Some(expected) = &request.expected
        && expected.calls.is_none()
        && expected.differences(evaluation).is_empty()
    {
        return append(&request.expected_path, &format!("calls: {}\n", actual.calls.len()));
    }
    let blessed = match &request.expected {
        Some(expected) if expected.calls.is_some() && expected.differences(evaluation).is_empty() => return Ok(()),
        Some(expected) => update(expected, &actual),
        None => Expected {
            allowed: actual.allowed,
            code: actual.code,
            reasons: (!actual.allowed).then(|| actual.reasons.clone()),
            message: Vec::new(),
            not_message: Vec::new(),
            warnings: Some(actual.warning_reasons.clone()),
            warning_fragments: Vec::new(),
            not_warning: Vec::new(),
            audit: actual.audit.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect(),
            calls: Some(actual.calls.len()),
            call_list: None,
        },
    };
    let path = &request.expected_path;
    let old = if request.expected.is_some() { std::fs::read_to_string(path)? } else { String::new() };
    let comment: String = old.split_inclusive('\n').take_while(|line| line.starts_with('#')).collect();
    std::fs::write(path, comment + &write(&blessed)).with_context(|| path.display().to_string())
}

/// Adds a line, and leaves the rest as it is written.
fn append(path: &Path, line: &str) -> anyhow::Result<()> {
    let mut text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    std::fs::write(path, text + line).with_context(|| path.display().to_string())
}

fn update(expected: &Expected, actual: &Actual) -> Expected {
    let keep = |fragments: &[String], holds: &dyn Fn(&str) -> bool| -> Vec<String> {
        fragments.iter().filter(|fragment| holds(fragment)).cloned().collect()
    };
    Expected {
        allowed: actual.allowed,
        // A refusal that became an acceptance has neither any more.
        code: expected.code.and(actual.code),
        reasons: expected.reasons.as_ref().filter(|_| !actual.allowed).map(|_| actual.reasons.clone()),
        message: keep(&expected.message, &|fragment| actual.has_in_message(fragment)),
        not_message: keep(&expected.not_message, &|fragment| !actual.has_in_message(fragment)),
        warnings: expected.warnings.as_ref().map(|_| actual.warning_reasons.clone()),
        warning_fragments: keep(&expected.warning_fragments, &|fragment| actual.has_in_warnings(fragment)),
        not_warning: keep(&expected.not_warning, &|fragment| !actual.has_in_warnings(fragment)),
        audit: expected.audit.keys().map(|key| (key.clone(), actual.audit.get(key).cloned())).collect(),
        calls: Some(actual.calls.len()),
        call_list: expected.call_list.as_ref().map(|_| actual.calls.clone()),
    }
}

fn write(expected: &Expected) -> String {
    let mut text = format!("allowed: {}\n", expected.allowed);
    if let Some(code) = expected.code {
        let _ = writeln!(text, "code: {code}");
    }
    // Texts are left out where there are none; the other lists say something when they are empty.
    let lists = [
        ("reasons", expected.reasons.as_deref()),
        ("message", not_empty(&expected.message)),
        ("not-message", not_empty(&expected.not_message)),
        ("warnings", expected.warnings.as_deref()),
        ("warning-fragments", not_empty(&expected.warning_fragments)),
        ("not-warning", not_empty(&expected.not_warning)),
    ];
    for (key, values) in lists {
        if let Some(values) = values {
            let values: Vec<String> = values.iter().map(|value| scalar(value)).collect();
            let _ = writeln!(text, "{key}: [{}]", values.join(", "));
        }
    }
    if !expected.audit.is_empty() {
        text.push_str("audit:\n");
        for (key, value) in &expected.audit {
            let value = value.as_deref().map_or_else(|| "null".to_owned(), scalar);
            let _ = writeln!(text, "  {key}: {value}");
        }
    }
    if let Some(calls) = expected.calls {
        let _ = writeln!(text, "calls: {calls}");
    }
    if let Some(calls) = &expected.call_list {
        text.push_str("call-list:\n");
        for call in calls {
            let _ = writeln!(text, "  - {}", scalar(call));
        }
    }
    text
}

fn not_empty(values: &[String]) -> Option<&[String]> {
    (!values.is_empty()).then_some(values)
}

/// A text as YAML: as it is where that is safe inside brackets too, as a JSON string otherwise.
fn scalar(text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '.' | '_' | '/' | '-' | '(' | ')');
    let reserved = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let safe = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.chars().all(word)
        && !reserved.contains(&text.to_lowercase().as_str());
    if safe { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vmdisk_host::yaml;

    #[test]
    fn what_is_written_is_read_back() {
        let expected = Expected {
            allowed: false,
            code: Some(403),
            reasons: Some(vec!["RemoteVolumeAccess".to_owned()]),
            message: vec!["class `local`, not: \"this\"".to_owned(), "5Gi".to_owned(), "no".to_owned()],
            not_message: Vec::new(),
            warnings: Some(Vec::new()),
            warning_fragments: vec!["a [b] {c}".to_owned()],
            not_warning: vec!["#x".to_owned()],
            audit: [("clone-strategy".to_owned(), Some("csi-clone".to_owned())), ("reasons".to_owned(), None)].into(),
            calls: Some(2),
            call_list: Some(vec!["GET StorageClass local".to_owned(), "LIST VolumeSnapshotClass".to_owned()]),
        };
        let text = write(&expected);
        assert_eq!(yaml::single::<Expected>(&text, "test").unwrap(), expected, "{text}");
    }
}
