//! Properties of all decisions, over generated clusters and requests.

mod edits;
mod generated;
mod hostile;
mod mask;
mod oracle;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use vmdisk_policy::cluster::{Cause, Object};
use vmdisk_policy::settings::{Action, OnLookupFailure, Rule, Settings};

use self::generated::{By, Case, case};
use crate::common::*;

/// So many cases, and always the same ones; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` take more of them and others.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0), failure_persistence: None, ..ProptestConfig::default() }
}

/// The decision without its texts, which name a size as it was written.
fn decision(world: &World, request: &Value) -> Decision {
    world.judge(request).decision()
}

proptest! {
    #![proptest_config(cases(5_000))]

    #[test]
    fn a_clone_rule_refuses_if_and_only_if_the_contract_says_so_and_no_decision_takes_more_than_sixteen_lookups(case in case()) {
        let judged = case.world().judge(&case.request());
        let decision = judged.decision();
        let found = oracle::found(&case);
        let has = |reasons: &[String], reason: &str| reasons.iter().any(|has| has == reason);

        let mut expected = Vec::new();
        if found.remote_volume_access && !case.is_own_disk() {
            expected.push("RemoteVolumeAccess");
        }
        if found.snapshot_class_missing && !case.is_own_disk() {
            expected.push("SnapshotClassMissing");
        }
        prop_assert_eq!(decision.refusals(), expected, "{:?}\n{:#?}", found, judged.verdict);
        let own = case.is_own_disk();
        // What is said of a snapshot is advice, of a rule of its own.
        if case.ask.by != By::Snapshot {
            prop_assert_eq!(has(decision.warnings(), "RemoteVolumeAccess"), own && found.remote_volume_access);
            prop_assert_eq!(has(decision.warnings(), "AmbiguousParameter"), found.ambiguous_parameter);
        }
        prop_assert!(!own || !found.snapshot_class_missing || has(decision.warnings(), "SnapshotPlanFails"));

        prop_assert!(judged.calls.len() <= 16, "{:?}", judged.lookups());
        for (index, call) in judged.calls.iter().enumerate() {
            prop_assert!(!judged.calls[..index].contains(call), "{call} twice");
        }
        for warning in &judged.verdict.warnings {
            prop_assert!(warning.len() <= 256, "{}", warning);
        }
        prop_assert!(!has(decision.warnings(), "LookupFailed"));
    }
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn an_existing_pvc_silences_the_clone_rules(mut case in case()) {
        case.claim_exists = true;
        let judged = case.world().judge(&case.request());
        prop_assert_eq!(judged.decision(), accepted());
        prop_assert!(judged.calls.len() <= 2, "{:?}", judged.lookups());
    }

    #[test]
    fn the_order_of_objects_never_matters(case in case(), keys in proptest::collection::vec(any::<u32>(), 32)) {
        let objects = case.world().objects().to_vec();
        let mut shuffled: Vec<(u32, Object)> = keys.into_iter().cycle().zip(objects.iter().cloned()).collect();
        shuffled.sort_by_key(|(key, _)| *key);
        let request = case.request().to_string();
        let judge = |objects: Vec<Object>| Judged::by(&Settings::default(), &Faulty::new(objects), &request);
        let (one, other) = (judge(objects), judge(shuffled.into_iter().map(|(_, object)| object).collect()));
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(one.calls, other.calls);
    }

    #[test]
    fn adding_an_unrelated_object_never_changes_a_verdict(case in case(), added in proptest::sample::subsequence(unrelated(), 1..6)) {
        let request = case.request();
        let world = case.world();
        let more = added.into_iter().fold(world.clone(), World::with);
        let (without, with) = (world.judge(&request), more.judge(&request));
        prop_assert_eq!(with.verdict, without.verdict);
        prop_assert_eq!(with.calls, without.calls);
    }

    #[test]
    fn a_template_of_a_virtual_machine_is_judged_as_its_data_volume(mut case in case()) {
        case.data_volume_exists = false;
        if case.is_vm_disk() {
            case.ask.by = By::GoldenClaim;
        }
        let template = case.manifest(case.ask.size.map_or(Value::Null, Value::from));
        let world = case.world();
        let (alone, declared) = (decision(&world, &template.create()), world.judge(&virtual_machine("vm", &[template]).create()));
        // That a VirtualMachine is its disk's first consumer is nothing to warn of.
        let warned: Vec<_> = alone.warnings().iter().filter(|reason| *reason != "WaitsForFirstConsumer").collect();
        let decision = declared.decision();
        prop_assert_eq!(decision.refusals(), alone.refusals());
        prop_assert_eq!(decision.warnings().iter().collect::<Vec<_>>(), warned);
        prop_assert!(declared.calls.len() <= 17, "{:?}", declared.lookups());
    }

    #[test]
    fn the_action_of_a_rule_decides_where_a_finding_is_told_and_not_whether(case in case()) {
        let all = |action| Rule::ALL.into_iter().fold(case.world(), |world, rule| world.action(rule, action));
        let request = case.request();
        let (denied, warned) = (all(Action::Deny).judge(&request), all(Action::Warn).judge(&request));
        prop_assert_eq!(&denied.calls, &warned.calls);
        prop_assert!(warned.verdict.refusal.is_none());
        let told = |decision: Decision| {
            let mut reasons = [decision.refusals(), decision.warnings()].concat();
            reasons.sort();
            reasons
        };
        prop_assert_eq!(told(denied.decision()), told(warned.decision()));
        // Only what concerns no rule is told of beside refusals.
        let decision = denied.decision();
        prop_assert!(decision.warnings().iter().all(|reason| reason == "AmbiguousParameter"), "{:?}", decision);
    }

    #[test]
    fn any_quantity_notation_of_the_same_bytes_gives_the_same_verdict(case in case(), bytes in sizes(), which in any::<Index>()) {
        let world = case.world();
        let notations = notations(bytes);
        let plain = decision(&world, &case.manifest(json!(bytes.to_string())).create());
        let other = &notations[which.index(notations.len())];
        prop_assert_eq!(decision(&world, &case.manifest(other.clone()).create()), plain, "{} for {} bytes", other, bytes);
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_failed_lookup_never_causes_a_refusal_that_the_fault_free_run_does_not_give(case in case(), cause in causes(), rejects: bool) {
        let on_lookup_failure = if rejects { OnLookupFailure::Reject } else { OnLookupFailure::Allow };
        let world = case.world().setting(|settings| settings.on_lookup_failure = on_lookup_failure);
        let request = case.request().to_string();
        let fault_free = Judged::by(world.settings(), &world.lookup(), &request);
        for index in 0..fault_free.calls.len() {
            let judged = Judged::by(world.settings(), &world.lookup().failing_at(index, cause), &request);
            let failed = &fault_free.calls[index];
            let decision = judged.decision();
            match decision.refusal_code() {
                None => {}
                Some(403) => {
                    for reason in decision.refusals() {
                        prop_assert!(fault_free.decision().refusals().contains(reason), "{reason} because of {failed}");
                    }
                }
                Some(500) => {
                    prop_assert!(rejects, "500 because of {failed}");
                    prop_assert_eq!(decision.refusals(), ["LookupFailed"]);
                }
                other => prop_assert!(false, "{other:?} because of {failed}"),
            }
            let told = decision.refusals().iter().chain(decision.warnings()).any(|reason| reason == "LookupFailed");
            // A refusal is never lost in silence.
            prop_assert!(told || decision.refusals() == fault_free.decision().refusals(), "silent about {failed}");
            prop_assert!(decision.warnings().iter().filter(|reason| *reason == "LookupFailed").count() <= 1);
            // What only advice needs does not change what is refused.
            if decision.refusal_code().is_none() && !told {
                prop_assert_eq!(&judged.verdict.annotations, &fault_free.verdict.annotations, "silent about {}", failed);
            }
        }
    }
}

fn causes() -> impl Strategy<Value = Cause> {
    proptest::sample::select(vec![
        Cause::NotGranted,
        Cause::Forbidden,
        Cause::Unreachable,
        Cause::Unreadable,
        Cause::OtherObject,
        Cause::Unknown,
    ])
}

/// Objects that no case asks for: of other names, and for the kinds that are listed of other drivers and without a mark.
fn unrelated() -> Vec<Object> {
    vec![
        mk_storage_class("unrelated").provisioner("unrelated.example.org").annotation(VIRT_DEFAULT, "false").into(),
        mk_storage_class("a-first").provisioner("unrelated.example.org").created("2030-01-01T00:00:00Z").into(),
        mk_profile("unrelated")
            .set(&["ReadWriteOnce"], "Filesystem")
            .strategy("csi-clone")
            .snapshot_class("gone")
            .into(),
        mk_snapshot_class("a-first", "unrelated.example.org").into(),
        mk_snapshot_class("unrelated", "unrelated.example.org")
            .annotation("snapshot.storage.kubernetes.io/is-default-class", "true")
            .into(),
        mk_csi_driver("unrelated.example.org").into(),
        mk_claim("tenant-other", "vm-disk-new").class("local").into(),
        mk_claim("tenant-other", "vm-default-images-source").class("local").into(),
        mk_claim(NAMESPACE, "unrelated").into(),
        mk_data_volume("tenant-other", "vm-disk-new").phase("Failed").into(),
        mk_volume("pv-unrelated").of_claim(NAMESPACE, "vm-disk-source").csi("unrelated.example.org").into(),
        mk_data_source("tenant-other", "source").names_claim(NAMESPACE, "unrelated").into(),
        mk_snapshot(NAMESPACE, "unrelated", "vm-disk-source").into(),
        mk_snapshot_content("unrelated", LINSTOR, "Block").into(),
    ]
}

/// Sizes around those of the sources, in bytes.
fn sizes() -> impl Strategy<Value = u64> {
    const GI: u64 = 1 << 30;
    prop_oneof![
        (1_u64..30).prop_map(|gi| gi * GI),
        (1_u64..30).prop_map(|g| g * 1_000_000_000),
        (0_u64..3).prop_map(|off| 5 * GI - 1 + off),
        Just(100 * GI),
        Just(1 << 20),
        Just((1 << 20) - 1),
    ]
}

/// The same number of bytes in all notations that can say it.
fn notations(bytes: u64) -> Vec<Value> {
    let mut result =
        vec![json!(bytes), json!(format!("+{bytes}")), json!(format!("{bytes}.0")), json!(format!("0{bytes}"))];
    result.push(json!(format!("{}m", u128::from(bytes) * 1_000)));
    result.push(json!(format!("{bytes}e0")));
    for (suffix, unit) in
        [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000), ("Ki", 1 << 10), ("Mi", 1 << 20), ("Gi", 1 << 30)]
    {
        if bytes.is_multiple_of(unit) {
            result.push(json!(format!("{}{suffix}", bytes / unit)));
        } else if (bytes * 8).is_multiple_of(unit) {
            // Eighths are exact in three decimals.
            result.push(json!(format!("{}.{:03}{suffix}", bytes / unit, bytes % unit * 1_000 / unit)));
        }
    }
    for (exponent, unit) in [(3, 1_000), (6, 1_000_000), (9, 1_000_000_000)] {
        if bytes.is_multiple_of(unit) {
            result.push(json!(format!("{}e{exponent}", bytes / unit)));
            result.push(json!(format!("{}E{exponent}", bytes / unit)));
        }
    }
    result
}

#[test]
fn the_generated_cases_reach_every_side_of_the_rules() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let strategy = case();
    let mut seen = [0; 6];
    for _ in 0..2_000 {
        let case: Case = strategy.new_tree(&mut runner).unwrap().current();
        let found = oracle::found(&case);
        let judged = case.world().judge(&case.request());
        let by_default = judged.message().contains("(the default, by annotation");
        for (count, holds) in seen.iter_mut().zip([
            found.remote_volume_access,
            found.snapshot_class_missing,
            found.ambiguous_parameter,
            found == oracle::Found::default(),
            by_default,
            judged.verdict.refusal.is_none() && !judged.verdict.warnings.is_empty(),
        ]) {
            *count += usize::from(holds);
        }
    }
    assert!(seen.iter().all(|count| *count >= 20), "{seen:?} of 2,000");
    println!("{seen:?}");
}
