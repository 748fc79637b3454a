//! The audit annotations that say what the plan predicts, so that a cluster's audit log can be counted.

use super::{Outcome, Plan};

/// The strategy that CDI will use, or `waits`, `fails`, `unknown`.
pub const CLONE_STRATEGY: &str = "clone-strategy";
/// CDI's own reason for copying although another strategy was asked for.
pub const CLONE_FALLBACK_REASON: &str = "clone-fallback-reason";
/// Where and why CDI fails, as `STAGE/CLASS`.
pub const CLONE_ERROR: &str = "clone-error";

/// The annotations of a plan, as (key, value); none where nothing is cloned.
#[must_use]
pub fn annotations(plan: &Plan) -> Vec<(&'static str, String)> {
    let (word, reason, error) = match &plan.outcome {
        Outcome::Nothing => return Vec::new(),
        Outcome::Clones { strategy, fallback_reason, .. } => (strategy.as_str(), *fallback_reason, None),
        Outcome::Waits(_) => ("waits", None, None),
        Outcome::Fails { fault, fallback_reason, .. } => ("fails", *fallback_reason, Some(fault)),
        Outcome::Unknown(_) => ("unknown", None, None),
    };
    let mut result = vec![(CLONE_STRATEGY, word.to_owned())];
    if let Some(reason) = reason {
        result.push((CLONE_FALLBACK_REASON, reason.message().to_owned()));
    }
    if let Some(fault) = error {
        result.push((CLONE_ERROR, format!("{}/{}", fault.stage.as_str(), fault.class)));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clone::{ErrorClass, FallbackReason, Fault, Origin, Resolved, Stage, Strategy, Wait};
    use crate::cluster::{Cause, Failure, Kind};
    use rstest::rstest;

    fn failure() -> Failure {
        Failure { kind: Kind::Cdi, namespace: String::new(), name: "cdi".to_owned(), cause: Cause::Forbidden }
    }

    fn clones(strategy: Strategy, fallback_reason: Option<FallbackReason>) -> Outcome {
        Outcome::Clones { strategy, origin: Origin::Override, fallback_reason }
    }

    fn fails(class: ErrorClass) -> Outcome {
        Outcome::Fails { fault: Fault::new(Stage::Plan, class), strategy: None, fallback_reason: None }
    }

    #[rstest]
    #[case(Outcome::Nothing, &[])]
    #[case(clones(Strategy::CsiClone, None), &[("clone-strategy", "csi-clone")])]
    #[case(
        clones(Strategy::Copy, Some(FallbackReason::IncompatibleProvisioners)),
        &[("clone-strategy", "copy"), ("clone-fallback-reason", "Provisioners are incompatible")]
    )]
    #[case(Outcome::Waits(Wait::SourceMissing), &[("clone-strategy", "waits")])]
    #[case(Outcome::Unknown(failure()), &[("clone-strategy", "unknown")])]
    #[case(
        fails(ErrorClass::PlanNoSnapshotClass),
        &[("clone-strategy", "fails"), ("clone-error", "plan/PlanNoSnapshotClass")]
    )]
    fn every_outcome_has_its_words(#[case] outcome: Outcome, #[case] expected: &[(&str, &str)]) {
        let plan =
            Plan { source: Resolved::NotAClone, outcome, target: None, target_class: None, snapshot_class: None };
        let found = annotations(&plan);
        let found: Vec<(&str, &str)> = found.iter().map(|(key, value)| (*key, value.as_str())).collect();
        assert_eq!(found, expected);
    }
}
