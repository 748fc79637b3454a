//! What holds for every answer, whatever the request.

use std::collections::BTreeSet;

use serde_json::Value;

/// The fields of the SDK's `ValidationResponse`.
const KEYS: [&str; 6] = ["accepted", "message", "code", "mutated_object", "audit_annotations", "warnings"];
/// Flux deletes and recreates an object, that is the disk, on one of these:
/// <https://github.com/fluxcd/flux2/issues/4392>
const RECREATING_CODES: [u64; 2] = [409, 422];
/// … or on one of these, in whatever case.
const RECREATING_TEXTS: [&str; 2] = ["is immutable", "immutable field"];
/// Longer warnings may be cut by the API server.
const MAX_WARNING: usize = 256;
/// Longest key of an audit annotation.
const MAX_KEY: usize = 63;

/// What is wrong with an answer that no answer may have.
#[must_use]
pub fn violations(response: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let Some(map) = response.as_object() else {
        return vec![format!("the response is no object: {response}")];
    };
    found.extend(map.keys().filter(|key| !KEYS.contains(&key.as_str())).map(|key| format!("unknown key `{key}`")));
    let field = |key| map.get(key).filter(|value| !value.is_null());
    if field("mutated_object").is_some() {
        found.push("the policy does not mutate".to_owned());
    }
    match map.get("accepted") {
        Some(Value::Bool(true)) => {
            // Nobody would see it.
            for key in ["message", "code"] {
                found.extend(field(key).map(|value| format!("{key} on an accepted request: {value}")));
            }
        }
        Some(Value::Bool(false)) => refusal(field("code"), field("message"), &mut found),
        other => found.push(format!("accepted is no boolean: {other:?}")),
    }
    if let Some(list) = field("warnings") {
        warnings(list, &mut found);
    }
    if let Some(annotations) = field("audit_annotations") {
        audit(annotations, &mut found);
    }
    found
}

fn refusal(code: Option<&Value>, message: Option<&Value>, found: &mut Vec<String>) {
    match code.and_then(Value::as_u64) {
        Some(code) if RECREATING_CODES.contains(&code) => found.push(format!("Flux recreates on code {code}")),
        Some(400..=599) => {}
        // The API server would make 400 of it.
        _ => found.push(format!("no status of a refusal: {code:?}")),
    }
    let message = message.and_then(Value::as_str).unwrap_or_default();
    if message.trim().is_empty() {
        found.push("a refusal without a message".to_owned());
    }
    let lower = message.to_lowercase();
    found.extend(
        RECREATING_TEXTS.iter().filter(|text| lower.contains(*text)).map(|text| format!("Flux recreates on `{text}`")),
    );
    if message.chars().any(|c| c != '\n' && !printable(c)) {
        found.push(format!("the message has control characters: {message:?}"));
    }
}

fn warnings(list: &Value, found: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    let Some(list) = list.as_array() else {
        found.push(format!("warnings are no list: {list}"));
        return;
    };
    for warning in list {
        let Some(text) = warning.as_str() else {
            found.push(format!("a warning is no text: {warning}"));
            continue;
        };
        if text.len() > MAX_WARNING {
            found.push(format!("a warning of {} bytes: {text}", text.len()));
        }
        if !text.chars().all(printable) {
            // The API server drops it without a trace.
            found.push(format!("a warning with control characters: {text:?}"));
        }
        let worded = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        if worded.is_none_or(|(word, rest)| word.is_empty() || rest.trim().is_empty()) {
            found.push(format!("a warning without a reason word: {text}"));
        }
        if !seen.insert(text) {
            found.push(format!("a warning twice: {text}"));
        }
    }
}

fn audit(annotations: &Value, found: &mut Vec<String>) {
    let Some(annotations) = annotations.as_object() else {
        found.push(format!("audit annotations are no object: {annotations}"));
        return;
    };
    for (key, value) in annotations {
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if key.is_empty() || key.len() > MAX_KEY || !key.chars().all(named) {
            found.push(format!("no key of an audit annotation: {key:?}"));
        }
        if !value.is_string() {
            found.push(format!("audit annotation {key} is no text: {value}"));
        }
    }
}

/// Neither a control character nor one that turns text around or hides.
fn printable(c: char) -> bool {
    let hidden = matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    !(c.is_control() || hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn good_answers() {
        let none: [String; 0] = [];
        assert_eq!(violations(&json!({"accepted": true, "message": null, "code": null, "warnings": null})), none);
        let refused = json!({"accepted": false, "code": 403, "message": "[A] b\n[C] d", "warnings": ["[E] f"],
            "audit_annotations": {"clone-strategy": "copy"}});
        assert_eq!(violations(&refused), none);
    }

    #[test]
    fn bad_answers() {
        let refused = |code: u16, message: &str| json!({"accepted": false, "code": code, "message": message});
        let warned = |warnings: &[&str]| json!({"accepted": true, "warnings": warnings});
        let long = format!("[A] {}", "x".repeat(256));
        for (response, violation) in [
            (json!([]), "the response is no object"),
            (json!({"accepted": true, "patch": 1}), "unknown key `patch`"),
            (json!({"accepted": true, "message": "lost"}), "message on an accepted request"),
            (json!({"accepted": "yes"}), "accepted is no boolean"),
            (refused(409, "x"), "Flux recreates on code 409"),
            (refused(200, "x"), "no status of a refusal"),
            (refused(403, ""), "a refusal without a message"),
            (refused(403, "spec Is Immutable"), "Flux recreates on `is immutable`"),
            (refused(403, "a\u{7}b"), "the message has control characters"),
            (warned(&["[A] b", "[A] b"]), "a warning twice"),
            (warned(&["[A] b\tc"]), "a warning with control characters"),
            (warned(&["b"]), "a warning without a reason word"),
            (warned(&[&long]), "a warning of 260 bytes"),
            (json!({"accepted": true, "audit_annotations": {"a/b": "c"}}), "no key of an audit annotation"),
        ] {
            let found = violations(&response);
            assert!(found.iter().any(|text| text.starts_with(violation)), "{response}: {found:?}");
        }
    }
}
