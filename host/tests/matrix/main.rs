//! `vmdisk-check matrix` and `vmdisk-check explain`, as a person calls them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may")]

mod browser;
mod command;
mod common;
mod documented;
mod explained;
mod generated;
mod large;
mod missing;
mod secrets;
