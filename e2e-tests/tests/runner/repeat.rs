//! Every case again: the same request meets the same answers in other ways, and must come out the same.

use std::sync::Arc;

use vmdisk_e2e::{module_path, run_case};
use vmdisk_host::{Cluster, Outcome, Policy, Replay, session};

use crate::{POLICY, each};

#[test]
fn a_recorded_session_gives_the_same_answer() {
    each(|case, request, first| {
        // What the host itself refuses is in no session.
        if first.calls.iter().any(|call| matches!(call.outcome, Outcome::NotGranted | Outcome::CapabilityDenied)) {
            return;
        }
        let text = session::write(&session::of_calls(&first.calls)).unwrap();
        let replay = Replay::new(session::read(&text).unwrap());
        let again = POLICY.validate_with(&request.request, &case.settings, Arc::new(replay.clone())).unwrap();
        assert_eq!(replay.mismatches(), Vec::<String>::new(), "{}", request.name);
        assert_eq!(replay.leftovers(), [], "{}", request.name);
        assert_eq!(again.response, first.response, "{}", request.name);
    });
}

#[test]
fn the_order_of_lists_does_not_matter() {
    each(|case, request, first| {
        for seed in 1..4 {
            let mut manifests = case.manifests.clone();
            manifests.shuffle_lists(seed);
            let cluster = Cluster::new(&manifests).unwrap();
            let again = POLICY.validate(&request.request, &case.settings, &cluster).unwrap();
            assert_eq!(again.response, first.response, "{} with seed {seed}", request.name);
        }
    });
}

#[test]
fn a_metered_module_gives_the_same_answer() {
    let metered = Policy::load_metered(module_path().unwrap()).unwrap();
    each(|case, request, first| {
        let again = run_case(&metered, case, request).unwrap();
        assert_eq!(again.response, first.response, "{}", request.name);
        assert!(again.fuel.is_some_and(|fuel| fuel > 0));
    });
}
