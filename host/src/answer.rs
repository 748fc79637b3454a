//! The seam between the module's calls and where their answers come from.

use crate::call::{Outcome, Request};
use crate::texts::HostError;

/// Where answers come from: a [`Cluster`](crate::Cluster), or a recorded session
/// ([`Replay`](crate::Replay)).
pub trait Answers: Send + Sync {
    /// Whether the policy may use a host capability such as `kubernetes/get_resource`.
    fn may_use(&self, _capability: &str) -> bool {
        true
    }

    /// Whether the policy may read this kind (`contextAwareResources`).
    fn may_read(&self, _api_version: &str, _kind: &str) -> bool {
        true
    }

    /// The answer to a call.
    fn answer(&self, request: &Request) -> Answer;
}

/// An answer to a host call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the module gets.
    pub response: Result<Vec<u8>, HostError>,
    /// What it amounts to.
    pub outcome: Outcome,
}

impl Answer {
    /// An answer with these bytes.
    #[must_use]
    pub fn ok(bytes: impl Into<Vec<u8>>, outcome: Outcome) -> Self {
        Self { response: Ok(bytes.into()), outcome }
    }

    /// An answer that is an error.
    #[must_use]
    pub fn error(error: HostError, outcome: Outcome) -> Self {
        Self { response: Err(error), outcome }
    }
}
