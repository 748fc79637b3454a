//! Dumps that cannot be read.

use vmdisk_policy::cluster::Kind;

use crate::files::ReadError;
use crate::yaml::YamlError;

/// A dump that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The file or folder cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not YAML.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// A document, or an item of a list, is no Kubernetes object.
    #[error("{place}: {problem}")]
    NotAnObject {
        /// File, document and line; of a list, the item.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// Two documents describe the same object.
    #[error("{place}: {kind} {name} is there already (from {first})")]
    Twice {
        /// File, document and line of the second one.
        place: String,
        /// The kind.
        kind: Kind,
        /// The name, with the namespace if there is one.
        name: String,
        /// File, document and line of the first one.
        first: String,
    },
}
