//! The answer as the host expects it.

use crate::json::write;
use crate::verdict::Verdict;

/// The verdict as the host expects it: the fields of [`kubewarden_policy_sdk::response::ValidationResponse`] that a
/// policy fills that changes nothing. The SDK keeps the annotations in a hash map, whose order changes from run to run;
/// here the same request gets the same bytes.
#[must_use]
pub fn write(verdict: &Verdict) -> String {
    let mut out = String::with_capacity(2048);
    out.push_str(if verdict.refusal.is_none() { r#"{"accepted":true"# } else { r#"{"accepted":false"# });
    if let Some((code, message)) = &verdict.refusal {
        write::field(&mut out, "message", message);
        write::key(&mut out, "code");
        out.push_str(&code.to_string());
    }
    if !verdict.annotations.is_empty() {
        write::key(&mut out, "audit_annotations");
        out.push('{');
        for (index, (key, value)) in verdict.annotations.iter().enumerate() {
            // They are in order; of a key that is there twice the last value counts.
            if verdict.annotations.get(index + 1).is_none_or(|(next, _)| next != key) {
                write::field(&mut out, key, value);
            }
        }
        out.push('}');
    }
    if !verdict.warnings.is_empty() {
        write::key(&mut out, "warnings");
        for (index, warning) in verdict.warnings.iter().enumerate() {
            out.push(if index == 0 { '[' } else { ',' });
            write::string(&mut out, warning);
        }
        out.push(']');
    }
    out.push('}');
    out
}

#[cfg(test)]
mod tests {
    use kubewarden_policy_sdk::response::ValidationResponse;

    use super::*;

    #[test]
    fn the_host_understands_it() {
        let verdict = Verdict {
            refusal: Some((403, "no \"x\"\n".to_owned())),
            warnings: vec!["one".to_owned(), "two".to_owned()],
            annotations: vec![("a", "1".to_owned()), ("a", "2".to_owned()), ("b", "3".to_owned())],
            failures: Vec::new(),
        };
        let response: ValidationResponse = serde_json::from_str(&write(&verdict)).unwrap();
        assert!(!response.accepted);
        assert_eq!((response.code, response.message.as_deref()), (Some(403), Some("no \"x\"\n")));
        assert_eq!(response.warnings, Some(verdict.warnings));
        let annotations = response.audit_annotations.unwrap();
        assert_eq!((annotations.len(), annotations["a"].as_str(), annotations["b"].as_str()), (2, "2", "3"));
        assert!(response.mutated_object.is_none());
    }

    #[test]
    fn what_is_empty_is_left_out() {
        assert_eq!(write(&Verdict::accept()), r#"{"accepted":true}"#);
    }
}
