//! What a request is about, in the words of CDI.

mod data_volume;

pub use data_volume::{ClaimSource, ContentType, DataVolume, SnapshotSource, Source, SpecForm, TargetSpec};
