//! The module under attack: it never traps, never refuses because something else failed, and always says the same.
//! One test crate, so that wasmtime is linked once.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may")]

mod agreement;
#[path = "../../../tests/cdi/mod.rs"]
#[allow(dead_code, reason = "the tests of the native decision use all of it")]
mod cdi;
mod determinism;
mod faults;
mod hostile;
mod names;
mod seeds;
mod support;
mod vectors;
mod world;
