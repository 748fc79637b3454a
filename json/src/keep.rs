//! What of a document is kept while parsing.

use crate::scan;

/// Keys that are skipped wherever they stand: large, on every object, read by no rule.
const SKIPPED: [&str; 2] = ["managedFields", "kubectl.kubernetes.io/last-applied-configuration"];

/// What of a value is kept while parsing. The rest is stepped over, which is many times cheaper.
#[derive(Debug, Clone, Copy)]
pub enum Keep {
    /// All but two bulky parts of Kubernetes metadata.
    Everything,
    /// Of an object these keys, and of their values what stands beside them. Of a list: of each of its items. Other
    /// values are kept as they are.
    Only(&'static [(&'static str, Keep)]),
}

impl Keep {
    /// What is kept of the value of `key`; `None`: nothing.
    pub(super) fn below(&self, key: &str) -> Option<&Keep> {
        match self {
            Self::Everything => {
                if SKIPPED.iter().any(|skipped| scan::same(skipped, key)) {
                    None
                } else {
                    Some(self)
                }
            }
            Self::Only(keys) => keys.iter().find(|(kept, _)| scan::same(kept, key)).map(|(_, keep)| keep),
        }
    }

    /// For how many entries an object is made room at once: growing costs more than parsing them.
    pub(super) fn usual_entries(&self) -> usize {
        match self {
            Self::Everything => 4,
            Self::Only(keys) => keys.len(),
        }
    }
}
