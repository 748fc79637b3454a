//! What is written down about the policy says what the code does: metadata, manifests, forms and documents.
//!
//! Every file is read as what it is, with unknown keys refused; nothing is searched for as text. The code comes first
//! in each comparison: it is what the others have to follow.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests; clippy.toml allows them in the tests themselves"
)]

mod artifacthub;
mod documents;
mod grants;
mod manifests;
mod markdown;
mod reasons;
mod settings;

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// The version that Cargo gives the policy.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The text of a file of the repository.
fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The only document of a YAML file.
fn yaml<T: DeserializeOwned>(name: &str) -> T {
    parse(name, &text(name))
}

/// Every document of a YAML file.
fn yaml_documents<T: DeserializeOwned>(name: &str) -> Vec<T> {
    serde_saphyr::from_multiple(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The YAML document `text`, which stands in `name`.
fn parse<T: DeserializeOwned>(name: &str, text: &str) -> T {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}
