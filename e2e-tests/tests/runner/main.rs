//! The runner itself, and properties of all cases. One test crate, so that wasmtime is linked once.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod format;
mod fuel;
mod repeat;
mod sessions;

use std::sync::LazyLock;

use vmdisk_e2e::{Case, CaseRequest, load_cases, load_module, run_case};
use vmdisk_host::{Evaluation, Policy};

static POLICY: LazyLock<Policy> = LazyLock::new(|| load_module().unwrap());

/// Calls `again` with every request of every case, and how it came out.
fn each(mut again: impl FnMut(&Case, &CaseRequest, &Evaluation)) {
    let cases = load_cases().unwrap();
    assert!(!cases.is_empty());
    for (_, case) in cases {
        let case = case.unwrap();
        for request in &case.requests {
            again(&case, request, &run_case(&POLICY, &case, request).unwrap());
        }
    }
}
