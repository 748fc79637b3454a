//! The runner itself, and properties of all cases. One test crate, so that wasmtime is linked once.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod format;
mod repeat;
