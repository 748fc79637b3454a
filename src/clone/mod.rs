//! How CDI will fill a new disk: the same steps, order and words as CDI v1.66.0's planner.
//!
//! [`plan()`] goes through CDI's steps and says how they end. The functions that it is made of are public where a rule
//! needs one of them alone.

mod annotations;
mod choose;
mod claim_source;
mod create;
pub mod driver;
pub mod go;
pub mod keys;
mod outcome;
mod plan;
#[cfg(test)]
mod plan_tests;
mod populator;
mod profile;
mod render;
mod size;
pub mod snapshot_class;
mod snapshot_source;
pub mod source;
mod steps;
pub mod storage_class;
pub mod strategy;
pub mod target;
#[cfg(test)]
mod testing;

pub use annotations::{CLONE_ERROR, CLONE_FALLBACK_REASON, CLONE_STRATEGY, annotations};
pub use outcome::*;
pub use plan::plan;

/// The volume mode of a raw device.
pub const BLOCK: &str = "Block";
/// The volume mode of a mounted file system, and the one that an unset mode stands for.
pub const FILESYSTEM: &str = "Filesystem";
