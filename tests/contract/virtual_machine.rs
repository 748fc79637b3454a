//! VirtualMachines: the disks that they declare, judged as the DataVolumes that virt-controller makes of them.

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
        assert!(warning.starts_with("[TemplatesNotChecked] the last 1"), "{warning}");
        assert!(judged.calls.len() <= 150);
    }
}
