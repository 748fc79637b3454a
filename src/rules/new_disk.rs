//! A disk that is about to be created: is it new, and will it be filled?

use super::existing::{CLONE_RULES, Exists, claim_exists, vm_disk_exists};
use super::immutability::multiple_sources;
use super::{Rules, clone_advice, first_consumer};
use crate::clone::{CLONE_STRATEGY, Resolved, source};
use crate::cluster::Kind;
use crate::finding::{Detail, Named, UnknownSource};
use crate::json::WrongType;
use crate::request::Request;
use crate::settings::Rule;
use crate::subject::vm_disk::{VmDiskSource, release_name, render, storage_class};
use crate::subject::{DataVolume, Source};

/// Annotation of a DataVolume whose claim is filled by somebody else: CDI clones nothing
/// (`pkg/controller/common/util.go`, `AnnPrePopulated`). Only its presence counts.
const PRE_POPULATED: &str = "cdi.kubevirt.io/storage.prePopulated";

/// A disk that is about to be created.
pub(super) struct NewDisk<'d> {
    /// The DataVolume, or the one that the chart renders.
    pub(super) data_volume: &'d DataVolume,
    /// Whether the request is for a VMDisk.
    pub(super) is_vm_disk: bool,
    /// What messages call it.
    pub(super) named: Named,
}

/// Judges a CREATE of a DataVolume.
pub(crate) fn data_volume_create(rules: &mut Rules<'_>, request: &Request<'_, '_>) -> Result<(), WrongType> {
    let data_volume = DataVolume::parse(request)?;
    if !is_filled(rules, &data_volume, false) {
        return Ok(());
    }
    let exists = claim_exists(rules, request.namespace, request.name);
    let named = Named::new(Kind::DataVolume.name(), request.namespace, request.name);
    new_disk(rules, exists, &NewDisk { data_volume: &data_volume, is_vm_disk: false, named });
    Ok(())
}

/// Judges a CREATE of a VMDisk.
pub(crate) fn vm_disk_create(rules: &mut Rules<'_>, request: &Request<'_, '_>) -> Result<(), WrongType> {
    let settings = &rules.settings.vm_disk;
    let source = VmDiskSource::parse(request.object)?;
    let class = storage_class(request.object, settings)?;
    let rendered = render(request.object, request.namespace, request.name, &source, settings)?;
    let named = Named::new("VMDisk", request.namespace, request.name);
    if let VmDiskSource::Several(keys) = &source {
        rules.found(Rule::SingleSource, multiple_sources(&named, keys));
    }
    let release_name = release_name(request.name, settings);
    let exists = vm_disk_exists(rules, request, &release_name, class, &source);
    match (&exists, rendered.unknown_source) {
        (Exists::No, Some(key)) => {
            rules.found(Rule::UnknownSource, Detail::UnknownSource(UnknownSource { disk: named.clone(), key }));
        }
        (Exists::CannotTell(failure), Some(_)) => rules.failed(Rule::UnknownSource, failure.clone()),
        (Exists::Yes | Exists::No | Exists::CannotTell(_), _) => {}
    }
    if is_filled(rules, &rendered.data_volume, true) {
        new_disk(rules, exists, &NewDisk { data_volume: &rendered.data_volume, is_vm_disk: true, named });
    }
    Ok(())
}

/// Whether anything but the empty disk itself is to be judged. A request that neither clones nor imports needs no
/// lookup, and an import or upload needs them only for the advice on binding.
pub(super) fn is_filled(rules: &Rules<'_>, data_volume: &DataVolume, is_vm_disk: bool) -> bool {
    if data_volume.annotation(PRE_POPULATED).is_some() {
        return false;
    }
    match &data_volume.source {
        Source::Claim(_) | Source::Snapshot(_) | Source::DataSource { .. } => true,
        Source::Import | Source::Upload => {
            rules.settings.is_on(Rule::FirstConsumer) && first_consumer::may_matter(data_volume, is_vm_disk)
        }
        Source::Blank | Source::None => false,
    }
}

/// Judges a new disk that will be filled.
pub(super) fn new_disk(rules: &mut Rules<'_>, exists: Exists, disk: &NewDisk<'_>) {
    let clones = !matches!(disk.data_volume.source, Source::Import | Source::Upload);
    match exists {
        Exists::Yes => return,
        Exists::No => {}
        Exists::CannotTell(failure) => {
            if clones {
                rules.report.annotations.push((CLONE_STRATEGY, "unknown".to_owned()));
                for rule in CLONE_RULES {
                    rules.failed(rule, failure.clone());
                }
            } else {
                rules.failed(Rule::FirstConsumer, failure);
            }
            return;
        }
    }
    if !clones {
        first_consumer::import(rules, disk);
        return;
    }
    match source::resolve(disk.data_volume, rules.cluster) {
        Ok(Resolved::NotAClone) => {}
        Ok(resolved) => clone_advice::judge(rules, disk, resolved),
        Err(failure) => {
            rules.report.annotations.push((CLONE_STRATEGY, "unknown".to_owned()));
            for rule in [Rule::RemoteVolumeAccess, Rule::MissingSnapshotClass, Rule::SourceMissing] {
                rules.failed(rule, failure.clone());
            }
        }
    }
}
