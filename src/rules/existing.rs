//! Whether the disk of a CREATE exists already, and if so, whether the request fits it.

use super::Rules;
use crate::cluster::{ExistingDataVolume, Failure, Kind};
use crate::finding::{Change, Detail, Named};
use crate::request::Request;
use crate::settings::Rule;
use crate::subject::recorded::{self, Comparison};
use crate::subject::vm_disk::{VmDiskSource, describe};

/// Whether a disk exists already.
pub(super) enum Exists {
    /// Its claim or its DataVolume does: nothing will be cloned.
    Yes,
    /// Neither does.
    No,
    /// It could not be told: no clone rule may refuse.
    CannotTell(Failure),
}

/// Rules that may refuse a new disk, and so need to know whether it is new.
pub(super) const CLONE_RULES: [Rule; 14] = [
    Rule::RemoteVolumeAccess,
    Rule::RemoteVolumeAccessOwnDisk,
    Rule::MissingSnapshotClass,
    Rule::SnapshotPlan,
    Rule::HostAssistedCopy,
    Rule::SourceMissing,
    Rule::SourceFailed,
    Rule::UnknownSource,
    Rule::TargetTooSmall,
    Rule::ClonePlan,
    Rule::NoClaimProperties,
    Rule::DefaultClass,
    Rule::FirstConsumer,
    Rule::SnapshotSourceAccess,
];

/// Whether the claim of a new DataVolume exists already. With no name yet, none can.
pub(super) fn claim_exists(rules: &Rules<'_>, namespace: &str, name: &str) -> Exists {
    if name.is_empty() {
        return Exists::No;
    }
    match rules.cluster.claim(namespace, name) {
        Ok(answer) if answer.is_present() => Exists::Yes,
        Ok(_) => Exists::No,
        Err(failure) => Exists::CannotTell(failure),
    }
}

/// Whether the DataVolume or the claim of a new VMDisk exists already; if its DataVolume does, whether the request
/// fits it. Both are always read, the DataVolume first.
pub(super) fn vm_disk_exists(
    rules: &mut Rules<'_>,
    request: &Request<'_, '_>,
    release_name: &str,
    class: &str,
    source: &VmDiskSource<'_, '_>,
) -> Exists {
    if release_name.is_empty() {
        return Exists::No;
    }
    let data_volume = rules.cluster.data_volume(request.namespace, release_name);
    let claim = claim_exists(rules, request.namespace, release_name);
    match data_volume {
        Ok(answer) => match answer.present() {
            Some(existing) => {
                edit_of_existing(rules, request, class, source, &existing);
                Exists::Yes
            }
            None => claim,
        },
        Err(failure) => {
            rules.failed(Rule::Immutability, failure.clone());
            match claim {
                Exists::Yes => Exists::Yes,
                Exists::No | Exists::CannotTell(_) => Exists::CannotTell(failure),
            }
        }
    }
}

fn edit_of_existing(
    rules: &mut Rules<'_>,
    request: &Request<'_, '_>,
    class: &str,
    source: &VmDiskSource<'_, '_>,
    existing: &ExistingDataVolume,
) {
    let change = |from: String, to: String| Change {
        disk: Named::new("VMDisk", request.namespace, request.name),
        from,
        to,
        existing: Some(Named::new(Kind::DataVolume.name(), request.namespace, &existing.meta.name)),
    };
    if let Comparison::Differs(recorded) = recorded::compare_class(class, existing) {
        rules.found(Rule::Immutability, Detail::StorageClassChanged(change(recorded, class.to_owned())));
    }
    // With several sources there is none to compare; that is refused for itself.
    if matches!(source, VmDiskSource::Several(_)) {
        return;
    }
    let settings = &rules.settings.vm_disk;
    if let Comparison::Differs(recorded) = recorded::compare_source(source, request.namespace, existing, settings) {
        rules.found(Rule::Immutability, Detail::SourceChanged(change(recorded, describe(source))));
    }
}
