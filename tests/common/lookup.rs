//! A lookup that records what it is asked for and fails where it is told to.

use std::cell::RefCell;
use std::fmt;

use vmdisk_policy::cluster::{Answer, Cause, Kind, Lookup, Object, Objects};

/// One lookup. A list has no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) kind: Kind,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.namespace.as_str(), self.name.as_str()) {
            (_, "") => write!(f, "{} (list)", self.kind),
            ("", name) => write!(f, "{} {name}", self.kind),
            (namespace, name) => write!(f, "{} {namespace}/{name}", self.kind),
        }
    }
}

/// Which lookups do not get the answer that the cluster would give.
#[derive(Debug, Clone)]
enum Fault {
    /// Those of a kind, of one name where it is given.
    Of(Kind, Option<String>, Cause),
    /// The one at that place in the order of lookups.
    At(usize, Cause),
    /// Those of a kind that the cluster does not know.
    NotServed(Kind),
    /// Those of a kind, all of which are answered with the same object.
    Answered(Kind, Object),
}

/// A cluster that records every lookup, and some of whose lookups fail. It insists that only names that can exist
/// reach it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faulty {
    objects: Objects,
    faults: Vec<Fault>,
    calls: RefCell<Vec<Call>>,
}

impl Faulty {
    /// A cluster of these objects in which nothing fails yet.
    pub(crate) fn new(objects: impl IntoIterator<Item = Object>) -> Self {
        Self { objects: objects.into_iter().collect(), ..Self::default() }
    }

    /// That cluster, in which nothing fails yet.
    pub(crate) fn of(objects: Objects) -> Self {
        Self { objects, ..Self::default() }
    }

    /// Every lookup of the kind fails.
    pub(crate) fn failing(mut self, kind: Kind, cause: Cause) -> Self {
        self.faults.push(Fault::Of(kind, None, cause));
        self
    }

    /// The lookup of that name fails; with an empty name, the list.
    pub(crate) fn failing_at_name(mut self, kind: Kind, name: &str, cause: Cause) -> Self {
        self.faults.push(Fault::Of(kind, Some(name.to_owned()), cause));
        self
    }

    /// The lookup at that place in the order fails.
    pub(crate) fn failing_at(mut self, index: usize, cause: Cause) -> Self {
        self.faults.push(Fault::At(index, cause));
        self
    }

    /// The cluster does not know the kind.
    pub(crate) fn not_served(mut self, kind: Kind) -> Self {
        self.faults.push(Fault::NotServed(kind));
        self
    }

    /// Every lookup of the kind is answered with that object.
    pub(crate) fn answering(mut self, kind: Kind, object: impl Into<Object>) -> Self {
        self.faults.push(Fault::Answered(kind, object.into()));
        self
    }

    /// The lookups so far, in order.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.borrow().clone()
    }

    /// Records a lookup; what the cluster answers instead of the truth, where it does.
    fn asked(&self, kind: Kind, namespace: &str, name: &str) -> Option<Result<Answer<Object>, Cause>> {
        let mut calls = self.calls.borrow_mut();
        let index = calls.len();
        calls.push(Call { kind, namespace: namespace.to_owned(), name: name.to_owned() });
        self.faults.iter().find_map(|fault| match fault {
            Fault::Of(of, only, cause) if *of == kind && only.as_deref().is_none_or(|only| only == name) => {
                Some(Err(*cause))
            }
            Fault::At(at, cause) if *at == index => Some(Err(*cause)),
            Fault::NotServed(of) if *of == kind => Some(Ok(Answer::NotServed)),
            Fault::Answered(of, object) if *of == kind => Some(Ok(Answer::Present(object.clone()))),
            Fault::Of(..) | Fault::At(..) | Fault::NotServed(_) | Fault::Answered(..) => None,
        })
    }
}

impl Lookup for Faulty {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        assert!(is_dns_1123(name, 253, true), "the name {name:?} of a {kind} reached the lookup");
        if kind.namespaced() {
            assert!(is_dns_1123(namespace, 63, false), "the namespace {namespace:?} of a {kind} reached the lookup");
        } else {
            assert_eq!(namespace, "", "a {kind} lives in no namespace");
        }
        self.asked(kind, namespace, name).unwrap_or_else(|| self.objects.get(kind, namespace, name))
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        match self.asked(kind, "", "") {
            None => self.objects.list(kind),
            Some(answer) => answer.map(|answer| answer.map(|object| vec![object])),
        }
    }
}

/// Written apart from the policy's own check: lower case letters, digits and dashes, no dash at an end; a subdomain is
/// labels between dots.
fn is_dns_1123(text: &str, longest: usize, dots: bool) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= longest && if dots { text.split('.').all(label) } else { label(text) }
}
