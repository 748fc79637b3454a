//! The answer as the host expects it.
//!
//! The SDK's `ValidationResponse` keeps the annotations in a hash map, whose order changes from run to run; this one
//! writes the same fields in a fixed order, so that the same request gets the same bytes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::verdict::Verdict;

/// See [`kubewarden_policy_sdk::response::ValidationResponse`].
#[derive(Serialize)]
pub struct Response<'v> {
    accepted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit_annotations: Option<BTreeMap<&'static str, &'v str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<&'v [String]>,
}

impl<'v> From<&'v Verdict> for Response<'v> {
    fn from(verdict: &'v Verdict) -> Self {
        let annotations: BTreeMap<_, _> =
            verdict.annotations.iter().map(|(key, value)| (*key, value.as_str())).collect();
        Self {
            accepted: verdict.refusal.is_none(),
            message: verdict.refusal.as_ref().map(|(_, message)| message.as_str()),
            code: verdict.refusal.as_ref().map(|(code, _)| *code),
            audit_annotations: (!annotations.is_empty()).then_some(annotations),
            warnings: (!verdict.warnings.is_empty()).then_some(&verdict.warnings),
        }
    }
}
