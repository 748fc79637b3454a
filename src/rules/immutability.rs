//! A disk's class and source, and a DataVolume's spec, stay as they are.

use super::Rules;
use crate::cluster::{ExistingDataVolume, Kind};
use crate::finding::{Change, Detail, Finding, Healed, MultipleSources, Named, Shrunk, SpecChanged, class_words};
use crate::json::{Json, WrongType};
use crate::request::Request;
use crate::settings::Rule;
use crate::spec_equality;
use crate::subject::recorded;
use crate::subject::vm_disk::{VmDiskSource, describe, release_name, same_source, storage, storage_class};
use crate::text::MAX_NAME;

/// Judges an UPDATE of a DataVolume.
pub(crate) fn data_volume_update(rules: &mut Rules<'_>, request: &Request<'_, '_>) -> Result<(), WrongType> {
    let old = request.old_object.unwrap_or(&Json::Null);
    let old = old.key("spec").unwrap_or(&Json::Null);
    let new = request.object.key("spec").unwrap_or(&Json::Null);
    if !rules.settings.is_on(Rule::Immutability)
        || old.same_as(new)
        || spec_equality::only_checkpoints_changed(old, new)
    {
        return Ok(());
    }
    let paths = spec_equality::changed_paths(old, new);
    if !paths.is_empty() {
        let data_volume = Named::new(Kind::DataVolume.name(), request.namespace, request.name);
        rules.found(Rule::Immutability, Detail::DataVolumeSpecChanged(SpecChanged { data_volume, paths }));
    }
    Ok(())
}

/// Judges an UPDATE of a VMDisk.
pub(crate) fn vm_disk_update(rules: &mut Rules<'_>, request: &Request<'_, '_>) -> Result<(), WrongType> {
    let old = request.old_object.unwrap_or(&Json::Null);
    let new = request.object;
    let of_old = |error: WrongType| error.under("oldObject");
    // A field that the edit leaves alone is not looked at, whatever stands there.
    let untouched = |path: &str| match (old.at(path), new.at(path)) {
        (Ok(Some(old)), Ok(Some(new))) => old.same_as(new),
        (Ok(None), Ok(None)) => true,
        _ => false,
    };
    let mut changed = Changed::default();
    if !untouched("spec.storageClass") {
        let settings = &rules.settings.vm_disk;
        let (from, to) = (storage_class(old, settings).map_err(of_old)?, storage_class(new, settings)?);
        changed.class = (from != to).then_some((from, to));
    }
    if !untouched("spec.source") {
        let (from, to) = (VmDiskSource::parse(old).map_err(of_old)?, VmDiskSource::parse(new)?);
        changed.source = (!same_source(&from, &to)).then_some((from, to));
    }
    let disk = Named::new("VMDisk", request.namespace, request.name);
    if let Some((_, VmDiskSource::Several(keys))) = &changed.source {
        rules.found(Rule::SingleSource, multiple_sources(&disk, keys));
    }
    changes(rules, request, &disk, &changed);
    if rules.settings.is_on(Rule::Shrink) && !untouched("spec.storage") {
        let from = storage(old, &rules.settings.vm_disk).ok().flatten();
        let to = storage(new, &rules.settings.vm_disk)?;
        if let (Some(from), Some(to)) = (from, to)
            && to < from
        {
            rules.found(Rule::Shrink, Detail::StorageShrunk(Shrunk { disk, from, to }));
        }
    }
    Ok(())
}

/// What an edit of a VMDisk changes in effect: from, to.
#[derive(Default)]
struct Changed<'r, 'a> {
    class: Option<(&'r str, &'r str)>,
    source: Option<(VmDiskSource<'r, 'a>, VmDiskSource<'r, 'a>)>,
}

pub(super) fn multiple_sources(disk: &Named, keys: &[&str]) -> Detail {
    Detail::MultipleSources(MultipleSources {
        disk: disk.clone(),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
    })
}

/// Refuses what is changed, unless that brings a drifted VMDisk back to what its DataVolume says.
fn changes(rules: &mut Rules<'_>, request: &Request<'_, '_>, disk: &Named, changed: &Changed<'_, '_>) {
    if !rules.settings.is_on(Rule::Immutability) || (changed.class.is_none() && changed.source.is_none()) {
        return;
    }
    let existing_name = release_name(request.name, &rules.settings.vm_disk);
    match rules.cluster.data_volume(request.namespace, &existing_name) {
        Ok(answer) => {
            if let Some(existing) = answer.present()
                && heals(rules, request.namespace, changed, &existing)
            {
                let mut fields = Vec::new();
                fields.extend(changed.class.map(|(_, to)| ("storageClass", class_words(to, MAX_NAME))));
                fields.extend(changed.source.as_ref().map(|(_, to)| ("source", describe(to))));
                let existing = Named::new(Kind::DataVolume.name(), request.namespace, &existing_name);
                let detail = Detail::DriftHealed(Healed { disk: disk.clone(), existing, fields });
                rules.report.findings.push(Finding { rule: None, template: None, detail });
                return;
            }
        }
        // Without it the edit is judged as any other; that it could have been a healing is worth a warning.
        Err(failure) => rules.report.advisory.push(failure),
    }
    if let Some((from, to)) = changed.class {
        let change = Change { disk: disk.clone(), from: from.to_owned(), to: to.to_owned(), existing: None };
        rules.found(Rule::Immutability, Detail::StorageClassChanged(change));
    }
    if let Some((from, to)) = &changed.source {
        let change = Change { disk: disk.clone(), from: describe(from), to: describe(to), existing: None };
        rules.found(Rule::Immutability, Detail::SourceChanged(change));
    }
}

fn heals(rules: &Rules<'_>, namespace: &str, changed: &Changed<'_, '_>, existing: &ExistingDataVolume) -> bool {
    changed.class.is_none_or(|(_, to)| recorded::heals_class(to, existing))
        && changed
            .source
            .as_ref()
            .is_none_or(|(_, to)| recorded::heals_source(to, namespace, existing, &rules.settings.vm_disk))
}
