//! What the policy asks of the cluster.
//!
//! [`Lookup`] is the seam: the waPC host in the module ([`host`]), a list of objects in tests and tools
//! ([`Objects`]). [`Cluster`] is what the decision sees: typed, asked once for each object however many rules
//! need it, never asked for a name that cannot exist, and never answered with another object than the one asked for.

pub mod host;
pub mod host_error;
mod keep;
mod kind;
mod lookup;
mod memo;
mod objects;
mod objects_lookup;
pub mod read;

pub use kind::Kind;
pub use lookup::{Answer, Cause, Failure, Lookup};
pub use memo::{Cluster, PROBE};
pub use objects::{
    Cdi, CdiConfig, Claim, ClaimPropertySet, CsiDriver, DataSource, DataSourceSource, ExistingDataVolume,
    FilesystemOverhead, Meta, Object, ObjectRef, RecordedSource, Resource, StorageClass, StorageProfile, Volume,
    VolumeSnapshot, VolumeSnapshotClass, VolumeSnapshotContent, VolumeSnapshotStatus,
};
pub use objects_lookup::Objects;
