//! What could not be looked up.

use super::Words;
use crate::cluster::{Cause, Failure};
use crate::text::printable;

/// A lookup that could not be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupFailed(pub Failure);

impl LookupFailed {
    fn object(&self, limit: usize) -> String {
        let Failure { kind, namespace, name, .. } = &self.0;
        match (namespace.is_empty(), name.is_empty()) {
            (_, true) => format!("the {kind} objects"),
            (true, false) => format!("{kind} \"{}\"", printable(name, limit)),
            (false, false) => format!("{kind} {}/{}", printable(namespace, limit), printable(name, limit)),
        }
    }

    fn remedy(&self) -> &'static str {
        match self.0.cause {
            Cause::NotGranted => "add the kind to contextAwareResources of the policy",
            Cause::Forbidden => "grant the policy server's ServiceAccount get, list and watch",
            Cause::Unreachable => "try again once the API server answers",
            Cause::Unreadable | Cause::OtherObject | Cause::Unknown => "see the policy server's log",
        }
    }
}

impl Words for LookupFailed {
    fn short(&self, limit: usize) -> String {
        format!("could not read {}: {}; not checked. Admin: {}", self.object(limit), self.0.cause, self.remedy())
    }

    fn long(&self) -> String {
        format!(
            "Could not read {}: {}. Without it this request cannot be checked, and the policy is set to refuse what \
             it cannot check (onLookupFailure: reject). For the platform administrator: {}.",
            self.object(253),
            self.0.cause,
            self.remedy()
        )
    }
}
