//! VirtualMachines: the disks that they declare, judged as the DataVolumes that virt-controller makes of them.

use rstest::rstest;
use serde_json::{Value, json};
use vmdisk_policy::cluster::{Cause, Claim, Kind};
use vmdisk_policy::settings::{Action, Rule};

use crate::common::*;
use crate::founding::rendered;

#[test]
fn the_templates_of_a_virtual_machine_are_judged_as_data_volumes() {
    let fine = rendered().class("replicated").at(&["metadata", "name"], "fine");
    let vm = virtual_machine("vm", &[fine, rendered()]);
    let judged = World::founding()
        .decides(&vm.create(), &refused(&["RemoteVolumeAccess"]).strategy("fine=csi-clone,vm-disk-disk=csi-clone"));
    assert!(judged.message().contains("template \"vm-disk-disk\""), "{}", judged.message());
}

#[test]
fn a_template_that_an_update_leaves_alone_is_not_judged_again() {
    let vm = virtual_machine("vm", &[rendered()]);
    let running = vm.clone().at(&["spec", "runStrategy"], "Always");
    let judged = World::founding().decides(&running.update_of(&vm), &accepted());
    assert_eq!(judged.calls, []);
    let none = virtual_machine("vm", &[]);
    World::founding().decides(&vm.update_of(&none), &refused(&["RemoteVolumeAccess"]).of_update());
    World::founding().decides(&none.update_of(&vm), &accepted());
}

#[test]
fn virtual_machines_are_judged_only_while_the_setting_says_so() {
    let world = World::founding().setting(|settings| settings.virtual_machines = false);
    let judged = world.decides(&virtual_machine("vm", &[rendered()]).create(), &accepted());
    assert_eq!(judged.calls, []);
}

#[test]
fn a_changed_template_whose_data_volume_exists_is_template_change_ignored() {
    let world = World::founding().with(mk_data_volume(NAMESPACE, "vm-disk-disk"));
    let (old, new) = (virtual_machine("vm", &[rendered()]), virtual_machine("vm", &[rendered().storage("20Gi")]));
    world.decides(&new.update_of(&old), &accepted().warns(&["TemplateChangeIgnored"]).of_update());
}

#[test]
fn templates_beyond_the_cap_are_accepted_with_a_warning_whatever_the_rules_say() {
    let many: Vec<_> = (0..80)
        .map(|index| rendered().class("replicated").at(&["metadata", "name"], format!("disk-{index}")))
        .collect();
    let request = virtual_machine("vm", &many).create();
    for action in [Action::Deny, Action::Warn, Action::Off] {
        let judged = World::founding().action(Rule::VmTemplates, action).judge(&request);
        assert_eq!(judged.verdict.refusal, None);
        let warning = judged.warning();
        assert!(warning.starts_with("[TemplatesNotChecked] 1"), "{warning}");
        assert!(judged.calls.len() <= 150);
    }
}

/// The founding disk as a template of that name.
fn template(name: &str) -> Manifest {
    rendered().at(&["metadata", "name"], name)
}

/// That many templates of the golden image in its own class, which are all fine.
fn fine_templates(count: usize) -> Vec<Manifest> {
    (0..count).map(|index| template(&format!("disk-{index}")).class("replicated")).collect()
}

fn vm(templates: &[Manifest]) -> Manifest {
    virtual_machine("vm", templates)
}

/// Another golden image like the founding one.
fn image_of(name: &str, volume: &str) -> Claim {
    mk_claim("cozy-public", name).class("replicated").mode("Block").volume(volume).request("5Gi").capacity("5Gi")
}

const REFUSED: &[&str] = &["RemoteVolumeAccess"];

// ---- CREATE

#[test]
fn one_is_refused_one_is_copied_and_one_is_blank() {
    let world = World::founding().with(mk_storage_class("ceph").provisioner("rbd.csi.ceph.com"));
    let world = world.with(mk_csi_driver("rbd.csi.ceph.com")).with(mk_profile("ceph").set(&["ReadWriteMany"], "Block"));
    let blank = data_volume("data").source(json!({"blank": {}})).class("none-such");
    let request = vm(&[template("root"), template("copy").class("ceph"), blank]).create();
    let expected = refused(REFUSED)
        .warns(&["HostAssistedCopy"])
        .annotated("clone-strategy", "root=csi-clone,copy=copy")
        .annotated("clone-fallback-reason", "copy=Provisioners are incompatible");
    let judged = world.decides(&request, &expected);
    assert!(judged.message().starts_with("[RemoteVolumeAccess] template \"root\": "), "{}", judged.message());
    assert!(judged.warning().starts_with("[HostAssistedCopy] template \"copy\": "), "{}", judged.warning());
}

#[rstest]
#[case::its_data_volume(World::founding().with(mk_data_volume(NAMESPACE, "root")), 1)]
#[case::its_claim(World::founding().with(mk_claim(NAMESPACE, "root")), 2)]
#[case::its_claim_and_the_data_volume_cannot_be_read(
    World::founding().with(mk_claim(NAMESPACE, "root")).failing_at_name(Kind::DataVolume, "root", Cause::Forbidden), 2
)]
fn what_exists_exempts_its_template_alone(#[case] world: World, #[case] lookups: usize) {
    let judged = world.decides(&vm(&[template("root")]).create(), &accepted());
    assert_eq!(judged.calls.len(), lookups, "{:?}", judged.lookups());
    let judged = world.judge(&vm(&[template("root"), template("other")]).create());
    assert_eq!(judged.decision(), refused(REFUSED).strategy("other=csi-clone"));
}

#[test]
fn a_restored_machine_whose_sources_are_gone_is_accepted_in_silence() {
    let world = World::founding()
        .with(mk_claim(NAMESPACE, "restore-1-root"))
        .with(mk_claim(NAMESPACE, "restore-1-data"))
        .without(Kind::PersistentVolumeClaim, "vm-default-images-ubuntu")
        .without(Kind::StorageClass, "local");
    let judged = world.decides(&vm(&[template("restore-1-root"), template("restore-1-data")]).create(), &accepted());
    assert_eq!(judged.calls.len(), 4);
}

#[test]
fn a_template_is_that_of_its_machines_namespace_and_owner() {
    // A source without a namespace is the machine's; whatever the template says of its namespace and its owners.
    let own = mk_claim(NAMESPACE, "base").class("replicated").mode("Block").request("5Gi").capacity("5Gi");
    let own = own.volume("pv-golden");
    let disk = template("root")
        .source(json!({"pvc": {"name": "base"}}))
        .at(&["metadata", "namespace"], Value::Null)
        .at(&["metadata", "ownerReferences"], json!("nobody"));
    let world = World::founding().with(own);
    let world = world.with(mk_volume("pv-golden").of_claim(NAMESPACE, "base").csi(LINSTOR));
    let judged = world.judge(&vm(&[disk]).create());
    assert_eq!(judged.decision(), accepted().warns(REFUSED).strategy("root=csi-clone"));
    // It starts with the machine, which is nothing to warn of; a volume on the importer's node is.
    let import = data_volume("root").http("https://example.org/a.img").class("local");
    World::founding().decides(&vm(std::slice::from_ref(&import)).create(), &accepted());
    World::founding().decides(&vm(&[import.immediate()]).create(), &accepted().warns(&["BoundToWorkerNode"]));
}

#[test]
fn a_golden_image_by_a_data_source_lies_in_the_namespace_of_the_data_source() {
    let image = mk_data_source("cozy-public", "ubuntu").names_claim("", "vm-default-images-ubuntu");
    let world = World::founding().with(image);
    let disk = template("root").source(Value::Null).source_ref("cozy-public", "ubuntu");
    let judged = world.decides(&vm(std::slice::from_ref(&disk)).create(), &refused(REFUSED).strategy("root=csi-clone"));
    assert!(judged.message().contains("cozy-public/vm-default-images-ubuntu"), "{}", judged.message());
    // CDI itself looks for it in the namespace of the DataVolume.
    world.decides(&disk.create(), &accepted().warns(&["SourceMissing"]).strategy("waits"));
}

#[test]
fn of_several_templates_of_one_name_the_first_is_judged() {
    let [bad, good] = [template("root"), template("root").class("replicated")];
    let request = vm(&[good.clone(), bad.clone()]).create();
    World::founding().decides(&request, &accepted().strategy("root=csi-clone"));
    let request = vm(&[bad, good]).create();
    World::founding().decides(&request, &refused(REFUSED).strategy("root=csi-clone"));
}

#[rstest]
#[case(json!({"dataVolumeTemplates": "root"}), "spec.dataVolumeTemplates: expected a list, found a string")]
#[case(json!({"dataVolumeTemplates": ["root"]}), "spec.dataVolumeTemplates[0]: expected an object, found a string")]
#[case(json!({"dataVolumeTemplates": [{}]}), "spec.dataVolumeTemplates[0].metadata.name: expected a name, found nothing")]
#[case(
    json!({"dataVolumeTemplates": [{"metadata": {"name": ""}}]}),
    "spec.dataVolumeTemplates[0].metadata.name: expected a name, found an empty string"
)]
#[case(
    json!({"dataVolumeTemplates": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}, "spec": []}]}),
    "spec.dataVolumeTemplates[1].spec: expected an object, found a list"
)]
#[case(
    json!({"dataVolumeTemplates": [{"metadata": {"name": "a"}, "spec": {"source": {"pvc": {"name": 7}}}}]}),
    "spec.dataVolumeTemplates[0].spec.source.pvc.name: expected a string, found a number"
)]
#[case("none", "spec: expected an object, found a string")]
fn a_field_of_the_wrong_type_is_refused_with_its_path_before_any_lookup(
    #[case] spec: impl Into<Value>,
    #[case] text: &str,
) {
    let judged = World::founding().decides(&vm(&[]).at(&["spec"], spec).create(), &malformed());
    assert!(judged.message().starts_with(&format!("[InvalidRequest] {text}. ")), "{}", judged.message());
    assert_eq!(judged.calls, []);
}

#[test]
fn volumes_that_are_no_templates_take_no_lookup() {
    let spec = json!({
        "instancetype": {"name": "u1.medium"}, "preference": {"name": "ubuntu"}, "runStrategy": "Always",
        "template": {"spec": {"domain": {"devices": {}}, "volumes": [
            {"name": "root", "dataVolume": {"name": "vm-disk-root"}},
            {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
            {"name": "image", "containerDisk": {"image": "quay.io/containerdisks/fedora"}},
        ]}},
    });
    for spec in [spec, json!({"dataVolumeTemplates": []}), json!({"dataVolumeTemplates": null}), Value::Null] {
        let judged = World::founding().decides(&vm(&[]).at(&["spec"], spec).create(), &accepted());
        assert_eq!(judged.calls, []);
    }
}

// ---- how many lookups

#[test]
fn a_further_template_of_the_same_image_and_class_takes_at_most_four_lookups() {
    let lookups = |count| World::founding().judge(&vm(&fine_templates(count)).create()).calls.len();
    for count in [2, 3, 16] {
        assert!(lookups(count) <= lookups(1) + 4 * (count - 1), "{count}: {}", lookups(count));
    }
    assert_eq!([lookups(1), lookups(3), lookups(16)], [10, 14, 40]);
}

#[test]
fn a_template_of_another_image_takes_at_most_eight_lookups() {
    let mut world = World::snapshotting()
        .with(mk_data_source("cozy-public", "link").links_to("cozy-public", "debian"))
        .with(mk_data_source("cozy-public", "debian").names_claim("cozy-public", "vm-default-images-debian"));
    world = world.with(image_of("vm-default-images-debian", "pv-debian"));
    world = world.with(mk_volume("pv-debian").of_claim("cozy-public", "vm-default-images-debian").csi(LINSTOR));
    world = world.with(
        mk_data_source("cozy-public", "link")
            .links_to("cozy-public", "debian")
            .status_claim("cozy-public", "vm-default-images-debian"),
    );
    let first = fine_templates(1);
    let one = world.judge(&vm(&first).create()).calls.len();
    let others = [
        template("other").claim("cozy-public", "vm-default-images-debian"),
        template("other").source(Value::Null).source_ref("cozy-public", "debian"),
        template("other").source(Value::Null).source_ref("cozy-public", "link"),
    ];
    for other in others {
        let judged = world.judge(&vm(&[first[0].clone(), other.class("replicated")]).create());
        assert_eq!(judged.verdict.refusal, None);
        assert!(judged.calls.len() <= one + 8, "{:?}", judged.lookups());
    }
}

#[test]
fn sixteen_templates_of_sixteen_images_and_classes_are_all_checked() {
    let mut world = World::founding();
    let mut templates = Vec::new();
    for index in 0..16 {
        let (image, class) = (format!("image-{index}"), format!("class-{index}"));
        world = world
            .with(image_of(&image, &format!("pv-{index}")))
            .with(mk_volume(&format!("pv-{index}")).of_claim("cozy-public", &image).csi(LINSTOR))
            .with(mk_storage_class(&class).linstor().parameter("allowRemoteVolumeAccess", "false"))
            .with(mk_profile(&class).set(&["ReadWriteOnce"], "Block"));
        templates.push(template(&format!("disk-{index}")).claim("cozy-public", &image).class(&class));
    }
    let judged = world.judge(&vm(&templates).create());
    assert_eq!(judged.decision().refusals(), vec!["RemoteVolumeAccess"; 16]);
    assert_eq!(judged.verdict.warnings, Vec::<String>::new());
    assert!(judged.calls.len() <= 150, "{}", judged.calls.len());
}

#[test]
fn what_needs_no_lookup_does_not_count_as_unchecked() {
    let mut templates = fine_templates(70);
    let one = World::founding().judge(&vm(&templates).create());
    for index in 0..40 {
        templates.insert(index * 2, data_volume(&format!("blank-{index}")).source(json!({"blank": {}})));
    }
    let other = World::founding().judge(&vm(&templates).create());
    assert_eq!(one.warning(), other.warning());
    // Only blank ones: no lookup, and nothing is left out.
    let blank: Vec<_> = (0..500).map(|index| data_volume(&format!("b-{index}")).source(json!({"blank": {}}))).collect();
    assert_eq!(World::founding().decides(&vm(&blank).create(), &accepted()).calls, []);
}

#[test]
fn that_templates_were_not_checked_is_told_beside_any_number_of_warnings() {
    let many: Vec<_> = (0..100).map(|index| template(&format!("disk-{index}"))).collect();
    let judged = World::founding().with(mk_cdi("copy")).judge(&vm(&many).create());
    let decision = judged.decision();
    assert!(decision.warnings().len() <= 12);
    for reason in ["HostAssistedCopy", "TemplatesNotChecked"] {
        assert!(decision.warnings().iter().any(|word| word == reason), "{reason}: {:?}", decision.warnings());
    }
}

// ---- UPDATE

#[rstest]
#[case::started(vec![("runStrategy", json!("Always"))])]
#[case::started_the_old_way(vec![("running", json!(true))])]
#[case::another_instancetype(vec![("instancetype", json!({"name": "u1.large"}))])]
#[case::migrated_elsewhere(vec![("template", json!({"spec": {"nodeSelector": {"kubernetes.io/hostname": "b"}}}))])]
#[case::a_volume_plugged_in(vec![("template", json!({"spec": {"volumes": [{"name": "a", "dataVolume": {"name": "a"}}]}}))])]
fn an_update_that_leaves_the_templates_alone_takes_no_lookup(#[case] changes: Vec<(&str, Value)>) {
    let old = vm(&[template("root")]);
    let new = changes.into_iter().fold(old.clone(), |vm, (key, value)| vm.at(&["spec", key], value));
    assert_eq!(World::founding().decides(&new.update_of(&old), &accepted()).calls, []);
    let status = old.clone().at(&["status"], json!({"ready": true}));
    assert_eq!(World::founding().decides(&status.update_of(&old), &accepted()).calls, []);
}

#[test]
fn a_machine_on_its_way_out_is_let_go() {
    let old = vm(&[]);
    let new = vm(&[template("root")]).at(&["metadata", "deletionTimestamp"], "2026-01-01T00:00:00Z");
    assert_eq!(World::founding().decides(&new.update_of(&old), &accepted()).calls, []);
    assert_eq!(World::founding().decides(&delete(&vm(&[template("root")])), &accepted()).calls, []);
}

#[rstest]
#[case::another_notation(template("root").storage("10240Mi"))]
#[case::nulls(template("root").at_null(&["metadata", "creationTimestamp"]).at_null(&["spec", "sourceRef"]))]
#[case::empty_maps(template("root").at(&["metadata", "labels"], json!({})))]
#[case::the_annotation_that_is_always_set(template("root").annotation("cdi.kubevirt.io/allowClaimAdoption", "true"))]
#[case::no_more_than_kubernetes_adds(template("root").at(&["metadata", "generation"], 1).at(&["metadata", "uid"], "u"))]
fn a_template_that_is_the_same_in_effect_takes_no_lookup(#[case] new: Manifest) {
    // Another template changes, so that the list as a whole differs.
    let blank = |size: &str| data_volume("data").source(json!({"blank": {}})).storage(size);
    let request = vm(&[blank("2Gi"), new]).update_of(&vm(&[template("root"), blank("1Gi")]));
    let world = World::founding().action(Rule::VmTemplates, Action::Off);
    assert_eq!(world.decides(&request, &accepted()).calls, []);
}

#[test]
fn only_what_is_new_or_changed_is_judged() {
    let old = vm(&[template("root")]);
    let judged = World::founding()
        .decides(&vm(&[template("root"), template("second")]).update_of(&old), &refused(REFUSED).of_update());
    assert!(judged.message().contains("template \"second\""), "{}", judged.message());
    assert!(!judged.message().contains("template \"root\""), "{}", judged.message());
    let judged = World::founding().decides(&vm(&[template("root").class("replicated")]).update_of(&old), &accepted());
    assert!(!judged.calls.is_empty());
    // A restore in place names the disks anew, and their claims are there.
    let world = World::founding().with(mk_claim(NAMESPACE, "restore-1-root"));
    assert_eq!(world.decides(&vm(&[template("restore-1-root")]).update_of(&old), &accepted()).calls.len(), 2);
}

#[test]
fn a_change_of_a_template_whose_data_volume_exists_has_no_effect() {
    let world = World::founding().with(mk_data_volume(NAMESPACE, "root"));
    let old = vm(&[template("root")]);
    let changes = [
        template("root").storage("20Gi"),
        template("root").class("other"),
        template("root").source(json!({"blank": {}})),
        template("root").annotation("a", "b"),
    ];
    for new in changes {
        let request = vm(&[new]).update_of(&old);
        let judged = world.decides(&request, &accepted().warns(&["TemplateChangeIgnored"]).of_update());
        assert_eq!(judged.lookups(), [format!("DataVolume {NAMESPACE}/root")]);
        world
            .clone()
            .action(Rule::VmTemplates, Action::Deny)
            .decides(&request, &refused(&["TemplateChangeIgnored"]).of_update());
        world.clone().action(Rule::VmTemplates, Action::Off).decides(&request, &accepted());
    }
    // Not if only the claim exists: its DataVolume is still to come, and adopts it.
    let world = World::founding().with(mk_claim(NAMESPACE, "root"));
    world.decides(&vm(&[template("root").storage("20Gi")]).update_of(&old), &accepted());
}

#[test]
fn whether_a_changed_template_has_its_data_volume_is_a_lookup_that_the_rule_needs() {
    let world = World::founding().failing_at_name(Kind::DataVolume, "root", Cause::Forbidden);
    let request = vm(&[template("root").source(json!({"blank": {}}))]).update_of(&vm(&[template("root")]));
    world.decides(&request, &accepted().warns(&["LookupFailed"]).of_update());
    let world = world.action(Rule::VmTemplates, Action::Deny).rejecting();
    world.decides(&request, &refused(&["LookupFailed"]).code(500).of_update());
    world.action(Rule::VmTemplates, Action::Off).decides(&request, &accepted());
}

#[test]
fn where_it_cannot_be_told_whether_the_disk_exists_nothing_is_refused() {
    let world = World::founding().failing_at_name(Kind::DataVolume, "root", Cause::Forbidden);
    let request = vm(&[template("root")]).create();
    world.decides(&request, &accepted().warns(&["LookupFailed"]).strategy("root=unknown"));
    world.rejecting().decides(&request, &refused(&["LookupFailed"]).code(500).strategy("root=unknown"));
}

#[test]
fn names_that_cannot_exist_reach_no_lookup_and_are_escaped() {
    // `Faulty` insists that no such name reaches it.
    for name in ["Upper", "a/../b", "#x", "?limit=1", "a\nb"] {
        let judged = World::founding().judge(&vm(&[template(name)]).create());
        assert_eq!(judged.decision().refusals(), REFUSED, "{name}");
        assert!(!judged.message().contains('\n'), "{}", judged.message());
        assert!(judged.verdict.annotations.iter().all(|(_, value)| !value.contains('\n')));
    }
}
