//! A cluster that is a list of objects: for unit tests and tools.

use super::{Answer, Cause, Kind, Lookup, Object};

/// A cluster that is a list of objects. Every kind is served and readable.
#[derive(Debug, Clone, Default)]
pub struct Objects {
    objects: Vec<Object>,
}

impl Objects {
    /// The cluster with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The cluster with one more object.
    #[must_use]
    pub fn with(mut self, object: impl Into<Object>) -> Self {
        self.objects.push(object.into());
        self
    }
}

impl FromIterator<Object> for Objects {
    fn from_iter<I: IntoIterator<Item = Object>>(objects: I) -> Self {
        Self { objects: objects.into_iter().collect() }
    }
}

impl Lookup for Objects {
    fn get(&self, kind: Kind, namespace: &str, name: &str) -> Result<Answer<Object>, Cause> {
        let found = self
            .objects
            .iter()
            .find(|object| object.kind() == kind && object.meta().name == name && object.meta().namespace == namespace);
        Ok(found.map_or(Answer::Absent, |object| Answer::Present(object.clone())))
    }

    fn list(&self, kind: Kind) -> Result<Answer<Vec<Object>>, Cause> {
        Ok(Answer::Present(self.objects.iter().filter(|object| object.kind() == kind).cloned().collect()))
    }
}
