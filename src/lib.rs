//! A Kubewarden policy that stops a virtual machine disk from being created in a way that can never work, or
//! edited in a way that has no effect.
//!
//! ```text
//! request ──▶ subject ──▶ rules ──▶ findings ──▶ verdict ──▶ response
//!                           │
//!                           ├─ clone: the same steps, order and words as CDI's planner
//!                           └─ linstor: the same reading of a class as linstor-csi's
//!                                  │
//!                               cluster: lookups, each made once, behind one trait
//! ```
//!
//! [`judge::judge`] is the whole decision, a pure function of request, settings and cluster. The module
//! ([`guest`]) gives it the waPC host as the cluster; tests and tools give it a list of objects.

pub mod clone;
pub mod cluster;
pub mod finding;
pub mod guest;
pub mod judge;
pub mod linstor;
pub mod names;
pub mod quantity;
pub mod request;
pub mod response;
pub mod rules;
pub mod settings;
pub mod spec_equality;
pub mod subject;
pub mod text;
pub mod verdict;

/// Documents, and typed access to them.
pub use vmdisk_json as json;
