//! Where the module is.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use vmdisk_host::Policy;

/// Names another module.
const VARIABLE: &str = "VMDISK_POLICY_WASM";
/// What cargo builds, from the workspace's root.
const BUILT: &str = "target/wasm32-wasip1/release/vmdisk_policy.wasm";

/// This package's folder, in which `cases` and `clusters` are.
#[must_use]
pub fn package_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The file of the module under test.
///
/// # Errors
/// It is not built.
pub fn module_path() -> anyhow::Result<PathBuf> {
    let path = std::env::var_os(VARIABLE).map_or_else(|| package_folder().join("..").join(BUILT), PathBuf::from);
    if !path.is_file() {
        bail!(
            "there is no module at {}: build it with `cargo build --release --target wasm32-wasip1 -p vmdisk-policy`, \
             or name one with {VARIABLE}",
            path.display()
        );
    }
    Ok(path)
}

/// The module under test.
///
/// # Errors
/// It is not built, or is none.
pub fn load_module() -> anyhow::Result<Policy> {
    let path = module_path()?;
    Policy::load(&path).with_context(|| path.display().to_string())
}
