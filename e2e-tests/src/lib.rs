//! File-driven end-to-end cases, run against the real module.
//!
//! A case is a folder of `e2e-tests/cases`: requests, the cluster they meet, and what must come out. Dropping a
//! folder in is all it takes; `README.md` beside this package says what goes into it. The tests in `tests/` walk
//! over all cases with [`load_cases`] and put each [`CaseRequest`] to the module with [`run_case`].

mod bless;
mod case;
mod expected;
mod invariants;
mod merge;
mod module;

pub use bless::{bless, blessing};
pub use case::{Case, CaseRequest, load_case, load_cases};
pub use expected::Expected;
pub use invariants::violations;
pub use module::{load_module, module_path, package_folder};

use vmdisk_host::{Cluster, Evaluation, Policy};

/// Puts a request of a case to the module.
///
/// # Errors
/// The case's settings or cluster are not valid, the module failed, or it waits for an answer that a real host would
/// never give.
pub fn run_case(policy: &Policy, case: &Case, request: &CaseRequest) -> anyhow::Result<Evaluation> {
    let cluster = Cluster::new(&case.manifests)?;
    let evaluation = policy.validate(&request.request, &case.settings, &cluster)?;
    if let Some(call) = evaluation.never_answered() {
        anyhow::bail!("a real host would never answer {}", call.request);
    }
    Ok(evaluation)
}

/// What is wrong with the module's answer: with what the case expects of it, and with what holds for every answer.
#[must_use]
pub fn problems(expected: &Expected, evaluation: &Evaluation) -> Vec<String> {
    let mut problems = expected.differences(evaluation);
    problems.extend(violations(&evaluation.response));
    problems
}
