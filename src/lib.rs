//! A Kubewarden policy that stops a virtual machine disk from being created in a way that can never work, or
//! edited in a way that has no effect.

pub mod clone;
pub mod cluster;
pub mod json;
pub mod linstor;
pub mod names;
pub mod quantity;
pub mod subject;
