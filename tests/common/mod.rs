//! What tests of whole decisions are made of: cluster objects, requests, a lookup that can fail, and the answer as a
//! value that is compared as a whole.
//!
//! A test says what its cluster and its request have that others have not:
//!
//! ```ignore
//! World::founding()
//!     .with(mk_storage_class("local").linstor().parameter("allowRemoteVolumeAccess", "true"))
//!     .decides(&vm_disk("disk").image("ubuntu").class("local").create(), &accepted().strategy("csi-clone"));
//! ```
#![allow(dead_code, unused_imports, reason = "each test crate uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "the configuration exempts test functions, not their helpers")]

mod lookup;
mod objects;
mod requests;
mod world;

pub(crate) use lookup::{Call, Faulty};
pub(crate) use objects::*;
pub(crate) use requests::{Manifest, NAMESPACE, data_volume, delete, request, virtual_machine, vm_disk};
pub(crate) use world::{Decision, Judged, World, accepted, golden, malformed, refused};
