//! The host against what was recorded on a real cluster. One test crate, so that wasmtime is linked once.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may")]

mod answers;
mod common;
mod policies;
mod sessions;
mod texts;
