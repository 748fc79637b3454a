//! "Answers": codes, texts, annotations, and what a lookup that fails does.

use rstest::rstest;
use serde_json::{Value, json};
use vmdisk_policy::cluster::{Cause, Kind, Object};
use vmdisk_policy::settings::{Action, Rule};

use crate::common::*;
use crate::founding::{both, both_are, disk, refused_csi_clone, rendered};

const CAUSES: [Cause; 6] =
    [Cause::NotGranted, Cause::Forbidden, Cause::Unreachable, Cause::Unreadable, Cause::OtherObject, Cause::Unknown];

// ---- Codes and texts

#[test]
fn a_refusal_uses_code_403_and_a_malformed_object_400() {
    both_are(&World::founding(), &refused_csi_clone().code(403));
    World::founding().decides(&disk().storage(json!([])).create(), &malformed().code(400));
}

#[test]
fn all_findings_of_a_request_are_reported_denials_first() {
    let world = World::founding()
        .with(mk_data_volume("cozy-public", "vm-default-images-ubuntu").phase("Failed"))
        .with(golden().request("100Gi"))
        .action(Rule::TargetTooSmall, Action::Deny);
    let expected = refused(&["RemoteVolumeAccess", "TargetTooSmall"])
        .warns(&["SourceFailed"])
        .fails("validate/TargetSmallerThanSource");
    both_are(&world, &expected);
}

#[test]
fn the_texts_escape_control_characters_that_come_from_names_and_values() {
    let evil = "a\nb\u{1b}[31m\u{202e}";
    let world = World::founding()
        .with(mk_storage_class("local").linstor().parameter("allowRemoteVolumeAccess", "false\nx\u{7}"));
    let requests = [
        both()[0].clone(),
        disk().image(evil).create(),
        disk().class(evil).create(),
        rendered().claim(evil, evil).create(),
    ];
    for request in requests {
        let judged = world.judge(&request);
        for text in judged.verdict.warnings.iter().map(String::as_str).chain([judged.message()]) {
            assert!(!text.contains(|c: char| c.is_control() || c == '\u{202e}'), "{text:?}");
        }
    }
}

#[test]
fn a_warning_is_at_most_256_bytes_with_the_longest_of_names() {
    let long = "a".repeat(253);
    let namespace = "n".repeat(63);
    let world = World::founding()
        .with(mk_claim(&namespace, &long).class("replicated").mode("Block").request("100Gi"))
        .with(mk_storage_class(&long).linstor())
        .with(mk_data_volume(&namespace, &long).phase("Failed"));
    for action in [Action::Warn, Action::Deny] {
        let world = Rule::ALL.into_iter().fold(world.clone(), |world, rule| world.action(rule, action));
        let judged = world.judge(&rendered().claim(&namespace, &long).class(&long).create());
        assert!(judged.verdict.refusal.is_some() || judged.verdict.warnings.len() > 1, "{:?}", judged.verdict);
        for warning in &judged.verdict.warnings {
            assert!(warning.len() <= 256, "{warning}");
        }
    }
}

#[test]
fn nothing_of_a_looked_up_object_but_names_classes_sizes_and_the_deciding_parameters_is_printed() {
    let secret = "hunter2";
    let world = World::founding()
        .with(golden().annotation("note", secret))
        .with(
            mk_storage_class("local")
                .linstor()
                .annotation("note", secret)
                .parameter("property/secret", secret)
                .parameter("allowRemoteVolumeAccess", "false"),
        )
        .with(mk_profile("local").set(&["ReadWriteOnce"], "Block").annotation("note", secret));
    for request in both() {
        let judged = world.judge(&request);
        assert!(!format!("{:?}", judged.verdict).contains(secret), "{:?}", judged.verdict);
    }
}

// ---- Audit annotations

#[test]
fn audit_annotations_are_on_every_judged_create_accepted_or_refused_and_not_on_update() {
    both_are(&World::founding(), &refused(&["RemoteVolumeAccess"]).strategy("csi-clone"));
    let judged = World::founding().judge(&disk().class("replicated").update_of(&disk()));
    assert_eq!(judged.verdict.annotations, []);
    let judged = World::founding().judge(&disk().storage("1Gi").update_of(&disk()));
    assert_eq!((judged.verdict.warnings.len(), judged.verdict.annotations.len()), (1, 0));
}

#[test]
fn clone_strategy_is_absent_when_nothing_is_cloned_and_reasons_when_there_are_none() {
    World::founding().decides(&vm_disk("disk").create(), &accepted());
    World::founding().decides(&disk().class("replicated").create(), &accepted().strategy("csi-clone"));
    let import = data_volume("disk").http("a").class("local").create();
    World::founding().decides(&import, &accepted().warns(&["WaitsForFirstConsumer"]));
}

#[test]
fn clone_strategy_is_unknown_when_a_lookup_it_needs_failed() {
    let world = World::founding().failing(Kind::CsiDriver, Cause::Forbidden);
    both_are(&world, &refused(&["RemoteVolumeAccess"]).warns(&["LookupFailed"]).strategy("unknown"));
}

// ---- Names that cannot exist

#[rstest]
#[case("cozy-public/secrets/topsecret?x=")]
#[case("#x")]
#[case("?limit=1")]
#[case("a/../b")]
#[case("Upper")]
#[case("-a")]
#[case("a b")]
#[case("é")]
fn a_name_or_namespace_that_is_not_dns_1123_never_reaches_a_lookup_and_counts_as_absent(#[case] name: &str) {
    let missing = accepted().warns(&["SourceMissing"]).strategy("waits");
    let class = accepted().warns(&["StorageClassMissing"]).fails("render/NoStorageClassForRendering");
    let world = World::founding();
    world.decides(&disk().image(name).create(), &missing);
    world.decides(&disk().disk(name).create(), &missing);
    world.decides(&disk().source(json!({"pvc": {"name": name}})).create(), &missing);
    world.decides(&rendered().claim(name, "vm-default-images-ubuntu").create(), &missing);
    world.decides(&rendered().claim("cozy-public", name).create(), &missing);
    world.decides(&rendered().source_ref(name, "x").create(), &missing);
    world.decides(&rendered().source_ref("cozy-public", name).create(), &missing);
    world.decides(&disk().class(name).create(), &class);
    world.decides(&rendered().class(name).create(), &class);
    // Nor out of an object that was looked up.
    let hostile = mk_data_source("cozy-public", "hostile").names_claim(name, name);
    world.clone().with(hostile).decides(&rendered().source_ref("cozy-public", "hostile").create(), &missing);
    let decision = world.with(golden().class(name).volume(name)).judge(&both()[0]).decision();
    assert_eq!(decision.refusals(), [] as [&str; 0]);
}

// ---- Lookups that fail

#[test]
fn a_lookup_that_fails_is_not_absence() {
    for cause in CAUSES {
        let world = World::founding().failing_at_name(Kind::PersistentVolumeClaim, "vm-default-images-ubuntu", cause);
        let expected = accepted().warns(&["LookupFailed"]).strategy("unknown");
        both_are(&world, &expected);
        let world = World::founding().failing(Kind::Cdi, cause);
        both_are(&world, &expected);
        let world = World::founding().failing(Kind::StorageClass, cause);
        both_are(&world, &expected);
    }
}

#[test]
fn allow_accepts_with_a_warning_that_names_kind_object_cause_and_remedy() {
    for (cause, words, remedy) in [
        (Cause::NotGranted, "not granted", "contextAwareResources"),
        (Cause::Forbidden, "forbidden", "ServiceAccount"),
        (Cause::Unreachable, "unreachable", "try again"),
        (Cause::Unreadable, "unreadable", "log"),
        (Cause::OtherObject, "another object", "log"),
        (Cause::Unknown, "unknown", "log"),
    ] {
        let world = World::founding().failing(Kind::StorageProfile, cause);
        for request in both() {
            let judged = world.decides(&request, &accepted().warns(&["LookupFailed"]).strategy("unknown"));
            for part in ["StorageProfile \"local\"", words, remedy] {
                assert!(judged.warning().contains(part), "{part} is missing in: {}", judged.warning());
            }
            assert_eq!(judged.verdict.failures.len(), 1, "and logs it");
        }
    }
}

#[test]
fn reject_refuses_with_code_500() {
    for cause in CAUSES {
        let world = World::founding().failing(Kind::StorageProfile, cause).rejecting();
        both_are(&world, &refused(&["LookupFailed"]).code(500).strategy("unknown"));
    }
}

#[test]
fn reject_concerns_the_lookups_that_a_deny_rule_needs() {
    let deny_nothing = |world: World| {
        Rule::ALL.into_iter().fold(world, |world, rule| match world.settings().action(rule) {
            Action::Deny => world.action(rule, Action::Warn),
            Action::Warn | Action::Off => world,
        })
    };
    let world = deny_nothing(World::founding().failing(Kind::StorageProfile, Cause::Forbidden).rejecting());
    both_are(&world, &accepted().warns(&["LookupFailed"]).strategy("unknown"));
}

#[rstest]
#[case::the_sources_data_volume(Kind::DataVolume, "vm-default-images-ubuntu", "csi-clone")]
#[case::cdi_config(Kind::CdiConfig, "config", "unknown")]
#[case::the_csi_driver(Kind::CsiDriver, LINSTOR, "unknown")]
fn a_failed_lookup_that_only_advice_or_the_annotations_need_never_refuses(
    #[case] kind: Kind,
    #[case] name: &str,
    #[case] strategy: &str,
) {
    // Into the image's own class: there is nothing to refuse.
    let requests = [disk().class("replicated").create(), rendered().class("replicated").create()];
    for request in requests {
        let world = World::founding().failing_at_name(kind, name, Cause::Unreachable).rejecting();
        world.decides(&request, &accepted().warns(&["LookupFailed"]).strategy(strategy));
    }
}

#[test]
fn and_adds_at_most_one_warning() {
    let world = World::founding()
        .failing(Kind::CdiConfig, Cause::Unreachable)
        .failing(Kind::CsiDriver, Cause::Unreachable)
        .failing_at_name(Kind::DataVolume, "vm-default-images-ubuntu", Cause::Unreachable);
    for request in [disk().class("replicated").create(), rendered().class("replicated").create()] {
        world.decides(&request, &accepted().warns(&["LookupFailed"]).strategy("unknown"));
    }
}

#[test]
fn a_refusal_that_stands_without_the_failed_lookup_stays_a_refusal() {
    let two = disk().source(json!({"image": {"name": "ubuntu"}, "upload": {}}));
    for world in [World::founding(), World::founding().rejecting()] {
        let unreadable = world.failing(Kind::DataVolume, Cause::Unreachable);
        unreadable.decides(&two.create(), &refused(&["MultipleSources"]).warns(&["LookupFailed"]));
    }
    for world in [World::founding(), World::founding().rejecting()] {
        let world = world.failing_at_name(Kind::DataVolume, "vm-default-images-ubuntu", Cause::Forbidden);
        both_are(&world, &refused(&["RemoteVolumeAccess"]).warns(&["LookupFailed"]).strategy("csi-clone"));
    }
}

#[test]
fn a_condition_that_is_known_not_to_hold_settles_the_matter_whatever_else_failed() {
    // The volume cannot be read, but the strategy is a copy whatever the driver.
    let world = World::founding().with(mk_cdi("copy")).failing(Kind::PersistentVolume, Cause::Forbidden).rejecting();
    both_are(&world, &accepted().warns(&["BoundToWorkerNode", "HostAssistedCopy"]).strategy("copy"));
}

#[test]
fn where_it_cannot_be_told_whether_the_disk_exists_already_no_clone_rule_refuses() {
    let expected = accepted().warns(&["LookupFailed"]).strategy("unknown");
    for cause in CAUSES {
        let claim = World::founding().failing_at_name(Kind::PersistentVolumeClaim, "vm-disk-disk", cause);
        both_are(&claim, &expected);
        both_are(&claim.rejecting(), &refused(&["LookupFailed"]).code(500).strategy("unknown"));
        let data_volume = World::founding().failing_at_name(Kind::DataVolume, "vm-disk-disk", cause);
        data_volume.decides(&disk().create(), &expected);
    }
}

#[test]
fn a_claim_that_exists_says_so_even_where_the_data_volume_cannot_be_read() {
    let world = World::founding().with(mk_claim(NAMESPACE, "vm-disk-disk")).failing_at_name(
        Kind::DataVolume,
        "vm-disk-disk",
        Cause::Forbidden,
    );
    world.decides(&disk().create(), &accepted().warns(&["LookupFailed"]));
}

#[test]
fn a_data_volume_that_exists_says_so_even_where_the_claim_cannot_be_read() {
    let world = World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk")).failing_at_name(
        Kind::PersistentVolumeClaim,
        "vm-disk-disk",
        Cause::Forbidden,
    );
    world.decides(&disk().create(), &accepted());
}

#[test]
fn an_edit_whose_data_volume_cannot_be_read_is_refused_as_usual_with_a_lookup_failed_warning() {
    let request = disk().class("replicated").update_of(&disk());
    for world in [World::founding(), World::founding().rejecting()] {
        let world = world.failing(Kind::DataVolume, Cause::Forbidden);
        world.decides(&request, &refused(&["StorageClassChanged"]).warns(&["LookupFailed"]).of_update());
    }
}

#[test]
fn an_import_whose_claim_cannot_be_read_is_only_warned_of() {
    let world = World::founding().failing(Kind::PersistentVolumeClaim, Cause::Forbidden).rejecting();
    let request = data_volume("disk").http("a").class("local").create();
    world.decides(&request, &accepted().warns(&["LookupFailed"]));
}

#[test]
fn an_answer_of_another_kind_or_name_counts_as_a_failed_lookup_and_is_not_printed() {
    let world = World::founding();
    let hunter = |name: &str| mk_claim("cozy-public", name).class("hunter2").mode("Block");
    let others: [Object; 4] = [
        mk_profile("vm-default-images-ubuntu").strategy("hunter2").into(),
        hunter("hunter2").into(),
        mk_claim("hunter2", "vm-default-images-ubuntu").class("hunter2").into(),
        mk_claim("", "vm-default-images-ubuntu").class("hunter2").into(),
    ];
    for other in others {
        for request in both() {
            let lookup = world.lookup().answering(Kind::PersistentVolumeClaim, other.clone());
            let judged = Judged::by(world.settings(), &lookup, &request.to_string());
            assert_eq!(judged.decision(), accepted().warns(&["LookupFailed"]).strategy("unknown"));
            assert!(judged.warning().contains("answer is another object"), "{}", judged.warning());
            assert!(!format!("{:?}", judged.verdict).contains("hunter2"), "{:?}", judged.verdict);
        }
    }
}

#[test]
fn a_list_with_an_object_of_another_kind_counts_as_a_failed_lookup() {
    let world = World::founding();
    let request = disk().class("").create().to_string();
    let lookup = world.lookup().answering(Kind::StorageClass, mk_profile("replicated"));
    let judged = Judged::by(world.settings(), &lookup, &request);
    assert_eq!(judged.decision(), accepted().warns(&["LookupFailed"]).strategy("unknown"));
}

#[test]
fn a_kind_that_is_not_served_is_absence() {
    let world = World::founding().not_served(Kind::DataVolume).not_served(Kind::StorageProfile);
    both_are(&world, &accepted().warns(&["NoClaimProperties"]).fails("render/StorageProfileNotFound"));
}

#[test]
fn without_a_source_nothing_is_cloned_whatever_fails() {
    let world = Kind::ALL.into_iter().fold(World::founding(), |world, kind| world.failing(kind, Cause::Unreachable));
    world.decides(&data_volume("disk").source(json!({"blank": {}})).create(), &accepted());
    world.decides(&data_volume("disk").source(Value::Null).create(), &accepted());
}
