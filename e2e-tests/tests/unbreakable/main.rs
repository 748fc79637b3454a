//! The module under attack: it never traps, never refuses because something else failed, and always says the same.
//! One test crate, so that wasmtime is linked once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may")]
#![allow(clippy::duplicate_mod, reason = "the fuzz targets have their worlds from here")]

mod agreement;
#[path = "../../../tests/cdi/mod.rs"]
#[allow(dead_code, reason = "the tests of the native decision use all of it")]
mod cdi;
mod determinism;
mod faults;
#[path = "../../../fuzz/targets/common.rs"]
#[allow(unreachable_pub, reason = "it is here so that the fuzz targets keep compiling")]
mod fuzz;
mod hostile;
mod names;
#[allow(dead_code, reason = "benchmarks and fuzz targets use all of it")]
mod readable;
mod seeds;
mod support;
mod vectors;
mod world;
