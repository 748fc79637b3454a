//! What the findings of a request come to.

use crate::cluster::Failure;
use crate::finding::{Detail, Finding, LookupFailed, Reason};
use crate::json::{WrongType, sorted};
use crate::rules::Report;
use crate::settings::{Action, OnLookupFailure, Settings};
use crate::text;

/// Code of a refusal. Not 409 or 422: Flux in force mode deletes and re-creates an object on those.
pub const REFUSED: u16 = 403;
/// Code of a refusal of a malformed object.
pub const MALFORMED: u16 = 400;
/// Code of a refusal because a lookup failed: the audit scanner counts it as an error, not as a violation.
pub const COULD_NOT_TELL: u16 = 500;

/// How many warnings one answer carries at most.
const MAX_WARNINGS: usize = 12;
/// How many failed lookups one answer tells of at most.
const MAX_FAILURES: usize = 3;

/// The answer to a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Code and message of a refusal; `None`: accepted.
    pub refusal: Option<(u16, String)>,
    /// Warnings, the most useful first.
    pub warnings: Vec<String>,
    /// Audit annotations, by key.
    pub annotations: Vec<(&'static str, String)>,
    /// Lookups that could not be answered, for the log.
    pub failures: Vec<Failure>,
}

impl Verdict {
    /// The request concerns nothing that is judged, or nothing was found.
    #[must_use]
    pub fn accept() -> Self {
        Self::default()
    }

    /// The object is malformed.
    #[must_use]
    pub fn malformed(error: &WrongType) -> Self {
        let message = format!(
            "[{}] {}: expected {}, found {}. Correct the field and try again.",
            Reason::InvalidRequest,
            text::printable(&error.path, 200),
            error.expected,
            error.found
        );
        Self { refusal: Some((MALFORMED, message)), ..Self::default() }
    }

    /// What a report comes to. Only a CREATE carries audit annotations.
    #[must_use]
    pub fn of(report: Report, settings: &Settings, is_create: bool) -> Self {
        let Report { mut findings, required, advisory, mut annotations } = report;
        let is_denied = |finding: &Finding| finding.rule.is_some_and(|rule| settings.action(rule) == Action::Deny);
        let rejects = settings.on_lookup_failure == OnLookupFailure::Reject
            && !required.is_empty()
            && !findings.iter().any(is_denied);
        let failed = |failure: &Failure| Finding {
            rule: None,
            template: None,
            detail: Detail::LookupFailed(LookupFailed(failure.clone())),
        };
        let mut refused: Vec<Finding> = Vec::new();
        if rejects {
            refused.extend(required.iter().take(MAX_FAILURES).map(failed));
        } else {
            findings.extend(required.iter().take(MAX_FAILURES).map(failed));
        }
        // What only advice needed is worth one warning, and none beside one of the same object.
        if let Some(failure) = advisory.first()
            && required.is_empty()
        {
            findings.push(failed(failure));
        }
        let findings = sorted(findings, &|a, b| a.reason() < b.reason());
        let (denied, warned): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_denied);
        refused.extend(denied);

        let mut reasons: Vec<&str> = Vec::new();
        for reason in refused.iter().chain(&warned).map(|finding| finding.reason().as_str()) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        if !is_create {
            annotations.clear();
        } else if !reasons.is_empty() {
            annotations.push(("reasons", reasons.join(",")));
        }
        let annotations = sorted(annotations, &|a, b| a < b);

        let warnings = told(&warned);
        let refusal = (!refused.is_empty()).then(|| {
            let code = if rejects { COULD_NOT_TELL } else { REFUSED };
            (code, refused.iter().map(Finding::refusal).collect::<Vec<_>>().join("\n"))
        });
        let mut failures = required;
        for failure in advisory {
            // One lookup may be needed by several rules, denying ones and others.
            if !failures.contains(&failure) {
                failures.push(failure);
            }
        }
        Self { refusal, warnings, annotations, failures }
    }
}

/// The warnings of these findings, in their order. Where there are too many, the first of each reason comes before
/// the others: of a VirtualMachine's disks all may be copied, and what could not be checked is to be told as well.
fn told(findings: &[Finding]) -> Vec<String> {
    let mut warnings: Vec<(Reason, String, bool)> = Vec::new();
    for finding in findings {
        let (reason, warning) = (finding.reason(), finding.warning());
        if !warnings.iter().any(|(_, known, _)| *known == warning) {
            let is_first = warnings.last().is_none_or(|(last, ..)| *last != reason);
            warnings.push((reason, warning, is_first));
        }
    }
    let mut others = MAX_WARNINGS.saturating_sub(warnings.iter().filter(|(.., is_first)| *is_first).count());
    warnings.retain(|(.., is_first)| {
        let is_told = *is_first || others > 0;
        others = others.saturating_sub(usize::from(!is_first));
        is_told
    });
    warnings.into_iter().map(|(_, warning, _)| warning).take(MAX_WARNINGS).collect()
}
