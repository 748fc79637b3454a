//! When and where a disk is bound whose class binds on first consumer.

use super::Rules;
use super::new_disk::NewDisk;
use crate::clone::storage_class;
use crate::cluster::{Failure, StorageClass};
use crate::finding::{BindsLater, Detail};
use crate::linstor::{self, Anywhere};
use crate::settings::Rule;
use crate::subject::DataVolume;
use crate::subject::vm_disk::IMMEDIATE_BINDING;

/// The feature gate without which CDI binds every claim at once
/// (`pkg/feature-gates/feature-gates.go`, `HonorWaitForFirstConsumer`).
const HONOR_GATE: &str = "HonorWaitForFirstConsumer";

/// Whether this rule can have anything to say of the disk, whatever its class.
pub(super) fn may_matter(data_volume: &DataVolume, is_vm_disk: bool) -> bool {
    data_volume.annotation(IMMEDIATE_BINDING).is_some() || may_wait(data_volume, is_vm_disk)
}

/// Whether waiting is worth a word: a VMDisk waits only if it was asked to, and a VirtualMachine or a
/// DataImportCron knows what it waits for.
fn may_wait(data_volume: &DataVolume, is_vm_disk: bool) -> bool {
    data_volume.annotation(IMMEDIATE_BINDING).is_none() && !is_vm_disk && !data_volume.bound_by_its_owner
}

/// What is to be said of a disk of that class. `pod_writes`: a pod of CDI's fills it, so it is bound where that ran.
///
/// # Errors
/// The CDIConfig could not be read.
pub(super) fn find(
    rules: &Rules<'_>,
    disk: &NewDisk<'_>,
    class: &StorageClass,
    pod_writes: bool,
) -> Result<Option<Detail>, Failure> {
    if !class.waits_for_first_consumer {
        return Ok(None);
    }
    let binds = || BindsLater { disk: disk.named.clone(), class: class.meta.name.clone(), is_vm_disk: disk.is_vm_disk };
    let detail = if may_wait(disk.data_volume, disk.is_vm_disk) {
        Detail::WaitsForFirstConsumer(binds())
    } else if disk.data_volume.annotation(IMMEDIATE_BINDING).is_some()
        && pod_writes
        && rules.settings.is_linstor(&class.provisioner)
        && linstor::remote_access(&class.parameters).anywhere == Anywhere::No
    {
        Detail::BoundToWorkerNode(binds())
    } else {
        return Ok(None);
    };
    let config = rules.cluster.cdi_config()?.present();
    let honored = config.is_some_and(|config| config.feature_gates.iter().any(|gate| gate == HONOR_GATE));
    Ok(honored.then_some(detail))
}

/// Advises on an import or an upload.
pub(super) fn import(rules: &mut Rules<'_>, disk: &NewDisk<'_>) {
    let target = match storage_class::target_class(disk.data_volume, rules.cluster, &rules.settings.cdi_name, None) {
        Ok(target) => target,
        Err(failure) => return rules.failed(Rule::FirstConsumer, failure),
    };
    if let Some(detail) = super::clone_advice::default_class(&target, disk.data_volume) {
        return rules.found(Rule::DefaultClass, detail);
    }
    if let Some(class) = target.class() {
        rules.ask(Rule::FirstConsumer, |rules| find(rules, disk, class, true));
    }
}
