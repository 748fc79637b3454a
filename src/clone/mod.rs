//! How CDI will fill a new disk: the same steps, order and words as CDI v1.66.0's planner.

pub mod driver;
pub mod go;
pub mod keys;
mod outcome;
mod profile;
pub mod snapshot_class;
pub mod source;
pub mod storage_class;
pub mod strategy;
pub mod target;

pub use outcome::*;

/// The volume mode of a raw device.
pub const BLOCK: &str = "Block";
/// The volume mode of a mounted file system, and the one that an unset mode stands for.
pub const FILESYSTEM: &str = "Filesystem";
/// stub
pub fn plan(_dv: &crate::subject::DataVolume, _cluster: &crate::cluster::Cluster<'_>, _cdi: &str) -> Plan {
    unimplemented!()
}
/// stub
pub fn annotations(_plan: &Plan) -> Vec<(&'static str, String)> {
    vec![]
}
