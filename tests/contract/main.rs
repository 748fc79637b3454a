//! The contract as tests: each sentence of the rules' description is one test, whose name is the sentence, on whole
//! decisions of [`vmdisk_policy::judge::judge`]; then every rule with every action, and properties of all decisions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the configuration exempts test functions, not their helpers")]
#![allow(clippy::indexing_slicing, reason = "an index that is wrong should fail loudly")]

#[path = "../cdi/mod.rs"]
#[allow(dead_code, reason = "the table of deviations is of no use here")]
mod cdi;
#[path = "../common/mod.rs"]
mod common;

mod answers;
mod clone_of_nothing;
mod default_class;
mod existing_disk;
mod founding;
mod lookups;
mod matrix;
mod missing_snapshot_class;
mod properties;
mod recorded;
mod remote_volume_access;
mod virtual_machine;
mod vm_disk_in_effect;
