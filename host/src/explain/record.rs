//! A lookup that remembers what was asked and answered.

use std::cell::RefCell;

use vmdisk_policy::cluster::{Answer, Cause, Failure, Kind, Lookup, Object};

/// One lookup and its answer.
#[derive(Debug, Clone)]
pub struct LookedUp {
    /// The kind.
    pub kind: Kind,
    /// The namespace; empty for a cluster-scoped kind.
    pub namespace: String,
    /// The name; `None`: a list of all.
    pub name: Option<String>,
    /// What was found.
    pub found: Result<Answer<Found>, Cause>,
}

/// What a lookup found.
#[derive(Debug, Clone)]
pub enum Found {
    /// The object.
    One(Object),
    /// All of a kind.
    All(Vec<Object>),
}

impl LookedUp {
    /// The failure, if it was one.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        let cause = *self.found.as_ref().err()?;
        let name = self.name.clone().unwrap_or_default();
        Some(Failure { kind: self.kind, namespace: self.namespace.clone(), name, cause })
    }

    /// The object, if one was asked for and is there.
    #[must_use]
    pub fn object(&self) -> Option<&Object> {
        match &self.found {
            Ok(Answer::Present(Found::One(object))) => Some(object),
            Ok(Answer::Present(Found::All(_)) | Answer::Absent | Answer::NotServed) | Err(_) => None,
        }
    }
}

/// A lookup that remembers what was asked of another one.
pub struct Recorder<'l> {
    lookup: &'l dyn Lookup,
    made: RefCell<Vec<LookedUp>>,
}

impl<'l> Recorder<'l> {
    /// Remembers what is asked of `lookup`.
    #[must_use]
    pub fn new(lookup: &'l dyn Lookup) -> Self {
        Self { lookup, made: RefCell::default() }
    }

    /// What was asked, in order.
    #[must_use]
    pub fn into_lookups(self) -> Vec<LookedUp> {
        self.made.into_inner()
    }
}

impl Lookup for Recorder<'_> {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        let answer = self.lookup.get(kind, namespace, name);
        let found = answer.clone().map(|answer| answer.map(Found::One));
        let (namespace, name) = (namespace.to_owned(), Some(name.to_owned()));
        self.made.borrow_mut().push(LookedUp { kind, namespace, name, found });
        answer
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        let answer = self.lookup.list(kind);
        let found = answer.clone().map(|answer| answer.map(Found::All));
        self.made.borrow_mut().push(LookedUp { kind, namespace: String::new(), name: None, found });
        answer
    }
}
