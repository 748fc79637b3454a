//! The disks that a VirtualMachine declares in `spec.dataVolumeTemplates`, judged as the DataVolumes that
//! virt-controller will make of them.

use super::Rules;
use super::existing::{Exists, template_exists};
use super::new_disk::{NewDisk, is_filled, new_disk};
use crate::cluster::Kind;
use crate::finding::{Detail, Finding, Named};
use crate::json::{Json, WrongType};
use crate::request::Request;
use crate::settings::Rule;
use crate::spec_equality;
use crate::subject::DataVolume;

const TEMPLATES: &str = "spec.dataVolumeTemplates";

/// How many lookups one VirtualMachine may cost. One takes about 2 ms of a limit of one second.
const MAX_LOOKUPS: usize = 150;
/// How many lookups one template costs at most: its DataVolume and all that a DataVolume takes.
const MAX_LOOKUPS_OF_TEMPLATE: usize = 17;

/// Judges a CREATE or an UPDATE of a VirtualMachine. Of an UPDATE only templates that are new or changed in effect.
pub(crate) fn virtual_machine(rules: &mut Rules<'_>, request: &Request<'_, '_>) -> Result<(), WrongType> {
    let old = request.old_object.and_then(|old| old.at(TEMPLATES).ok().flatten());
    let new = request.object.at(TEMPLATES);
    if let (Some(old), Ok(Some(new))) = (old, &new)
        && old.same_as(new)
    {
        return Ok(());
    }
    let templates = request.object.list(TEMPLATES)?;
    let mut annotations = Vec::new();
    for (index, template) in templates.iter().enumerate() {
        let within = |error: WrongType| error.under(&format!("{TEMPLATES}[{index}]"));
        let name = template.string("metadata.name").map_err(within)?.unwrap_or_default();
        let before = old.and_then(|old| named(old, name));
        if before.is_some_and(|before| is_unchanged(before, template)) {
            continue;
        }
        if rules.cluster.lookups() + MAX_LOOKUPS_OF_TEMPLATE > MAX_LOOKUPS {
            not_checked(rules, templates.len() - index);
            break;
        }
        rules.template = Some(name.to_owned());
        let data_volume = DataVolume::of_template(template, request.namespace, name).map_err(within)?;
        judge(rules, &data_volume, before.is_some());
        annotations.extend(rules.report.annotations.drain(..).map(|(key, value)| (key, format!("{name}={value}"))));
    }
    rules.template = None;
    rules.report.annotations = joined(annotations);
    Ok(())
}

/// What is not checked is told whatever the rules say, as a failed lookup is: silence would read as a good answer.
fn not_checked(rules: &mut Rules<'_>, count: usize) {
    let finding = Finding { rule: None, template: None, detail: Detail::TemplatesNotChecked(count) };
    rules.report.findings.push(finding);
}

fn judge(rules: &mut Rules<'_>, data_volume: &DataVolume, is_change: bool) {
    let is_filled = is_filled(rules, data_volume, false);
    let tells_change = is_change && rules.settings.is_on(Rule::VmTemplates);
    if !is_filled && !tells_change {
        return;
    }
    let named = Named::new(Kind::DataVolume.name(), &data_volume.namespace, &data_volume.name);
    let (data_volume_exists, exists) = template_exists(rules, &data_volume.namespace, &data_volume.name);
    if tells_change && data_volume_exists {
        rules.found(Rule::VmTemplates, Detail::TemplateChangeIgnored(named));
        return;
    }
    match exists {
        Exists::CannotTell(failure) if !is_filled => rules.failed(Rule::VmTemplates, failure),
        exists if is_filled => new_disk(rules, exists, &NewDisk { data_volume, is_vm_disk: false, named }),
        _ => {}
    }
}

/// The template of that name.
fn named<'t, 'a>(templates: &'t Json<'a>, name: &str) -> Option<&'t Json<'a>> {
    let Json::Array(templates) = templates else { return None };
    templates.iter().find(|template| template.string("metadata.name") == Ok(Some(name)))
}

/// Whether two templates make the same DataVolume.
fn is_unchanged(old: &Json<'_>, new: &Json<'_>) -> bool {
    let part = |template, key| Json::key(template, key).unwrap_or(&Json::Null);
    part(old, "metadata").same_as(part(new, "metadata"))
        && spec_equality::changed_paths(part(old, "spec"), part(new, "spec")).is_empty()
}

/// One annotation for each key: `template=value`, separated by commas.
fn joined(annotations: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
    let mut result: Vec<(&'static str, String)> = Vec::new();
    for (key, value) in annotations {
        match result.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => {
                values.push(',');
                values.push_str(&value);
            }
            None => result.push((key, value)),
        }
    }
    result
}
