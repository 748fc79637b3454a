//! The audit annotations that say what the plan predicts, so that a cluster's audit log can be counted.

use super::{Outcome, Plan};

/// The strategy that CDI will use, or `waits`, `fails`, `unknown`.
pub const CLONE_STRATEGY: &str = "clone-strategy";
/// CDI's own reason for copying although another strategy was asked for.
pub const CLONE_FALLBACK_REASON: &str = "clone-fallback-reason";
/// Where and why CDI fails, as `STAGE/CLASS`.
pub const CLONE_ERROR: &str = "clone-error";

/// The annotations of a plan, as (key, value); none where nothing is cloned.
#[must_use]
pub fn annotations(plan: &Plan) -> Vec<(&'static str, String)> {
    let (word, reason, error) = match &plan.outcome {
        Outcome::Nothing => return Vec::new(),
        Outcome::Clones { strategy, fallback_reason, .. } => (strategy.as_str(), *fallback_reason, None),
        Outcome::Waits(_) => ("waits", None, None),
        Outcome::Fails { fault, fallback_reason, .. } => ("fails", *fallback_reason, Some(fault)),
        Outcome::Unknown(_) => ("unknown", None, None),
    };
    let mut result = vec![(CLONE_STRATEGY, word.to_owned())];
    if let Some(reason) = reason {
        result.push((CLONE_FALLBACK_REASON, reason.message().to_owned()));
    }
    if let Some(fault) = error {
        result.push((CLONE_ERROR, format!("{}/{}", fault.stage.as_str(), fault.class)));
    }
    result
}
