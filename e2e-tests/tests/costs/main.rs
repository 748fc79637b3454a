//! What the module costs: its size, what it is linked from, and the fuel and memory of typical and of hostile requests.
//!
//! Fuel counts executed instructions, so it is the same on every machine. `costs.json` has what was measured last;
//! more than 2 % above or below it fails, so that a change of costs is a decision: `BLESS=1` writes what is measured.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod baseline;
mod bounds;
mod crates;
mod masks;
mod scenarios;
