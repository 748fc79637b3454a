//! The seam between the decision and the world: one trait, and the three answers that it keeps apart.

use super::{Kind, Object};

/// What a lookup found out. The third possibility, that it could not be told, is a [`Cause`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<T> {
    /// The object.
    Present(T),
    /// No such object.
    Absent,
    /// The cluster has no such kind (its CRD is not installed), hence no such object.
    NotServed,
}

impl<T> Answer<T> {
    /// The object, if there is one.
    #[must_use]
    pub fn present(self) -> Option<T> {
        match self {
            Self::Present(object) => Some(object),
            Self::Absent | Self::NotServed => None,
        }
    }

    /// Whether there is an object.
    #[must_use]
    pub fn is_present(&self) -> bool {
        matches!(self, Self::Present(_))
    }

    /// The same answer about something else.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        match self {
            Self::Present(object) => Answer::Present(f(object)),
            Self::Absent => Answer::Absent,
            Self::NotServed => Answer::NotServed,
        }
    }
}

/// Why a lookup could not be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Cause {
    /// The policy was not granted the kind or the host capability.
    #[error("not granted to the policy")]
    NotGranted,
    /// The policy server's ServiceAccount may not read it.
    #[error("forbidden to the policy server")]
    Forbidden,
    /// The API server did not answer, or refused to.
    #[error("API server unreachable")]
    Unreachable,
    /// The answer could not be read.
    #[error("answer unreadable")]
    Unreadable,
    /// The answer was another object than the one asked for.
    #[error("answer is another object")]
    OtherObject,
    /// Anything else.
    #[error("unknown error")]
    Unknown,
}

/// A lookup that could not be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind asked for.
    pub kind: Kind,
    /// The namespace asked for; empty for a cluster-scoped kind.
    pub namespace: String,
    /// The name asked for; empty where a list was.
    pub name: String,
    /// Why.
    pub cause: Cause,
}

/// Where objects come from. Names that reach an implementation are valid DNS-1123 names.
pub trait Lookup {
    /// The object of that kind and name. `namespace` is empty for a cluster-scoped kind.
    ///
    /// # Errors
    /// The object could not be read: that says nothing about whether it exists.
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause>;

    /// All objects of a cluster-scoped kind, in any order.
    ///
    /// # Errors
    /// They could not be read.
    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause>;
}
