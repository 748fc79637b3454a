//! What a request is about, in the words of CDI.

mod data_volume;
mod parse;
pub mod recorded;
pub mod vm_disk;

pub use data_volume::{ClaimSource, ContentType, DataVolume, SnapshotSource, Source, SpecForm, TargetSpec};
