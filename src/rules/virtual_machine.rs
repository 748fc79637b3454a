//! The disks that a VirtualMachine declares in `spec.dataVolumeTemplates`, judged as the DataVolumes that
//! virt-controller will make of them.
//!
//! virt-controller makes a DataVolume of each template whose name belongs to none yet, and never looks at the
//! template again (`kubevirt/kubevirt`, `pkg/virt-controller/watch/vm/vm.go`, `handleDataVolumes`). With a claim of
//! that name the DataVolume adopts it and nothing is cloned: so do restored VirtualMachines and clones of them begin.

use super::Rules;
use super::existing::{Exists, claim_exists};
use super::new_disk::{NewDisk, is_filled, new_disk};
use crate::cluster::Kind;
use crate::finding::{Detail, Finding, Named};
use crate::json::{Json, WrongType, sorted};
use crate::request::Request;
use crate::settings::Rule;
use crate::spec_equality;
use crate::subject::DataVolume;
use crate::text;

const TEMPLATES: &str = "spec.dataVolumeTemplates";

/// How many lookups one VirtualMachine may cost. One takes about 2 ms of a limit of one second.
const MAX_LOOKUPS: usize = 150;
/// How many lookups one template costs at most: its DataVolume and all that a DataVolume takes.
const MAX_LOOKUPS_OF_TEMPLATE: usize = 17;

/// Annotation that virt-controller sets on every DataVolume that it makes, whatever the template says
/// (`pkg/storage/types/dv.go`, `GenerateDataVolumeFromTemplate`).
const ADOPTION: &str = "cdi.kubevirt.io/allowClaimAdoption";

/// A template that is to be judged.
struct Template {
    /// What virt-controller will make of it.
    data_volume: DataVolume,
    /// Whether the clone rules have something to judge.
    is_filled: bool,
    /// Whether it is to be told that a change has no effect.
    tells_change: bool,
}

/// Judges a CREATE or an UPDATE of a VirtualMachine. Of an UPDATE only templates that are new or changed in effect.
pub(crate) fn virtual_machine(rules: &mut Rules<'_>, request: &Request<'_, '_>) -> Result<(), WrongType> {
    let mut annotations = Vec::new();
    let mut not_checked = 0;
    for template in templates(rules, request)? {
        if rules.cluster.lookups() + MAX_LOOKUPS_OF_TEMPLATE > MAX_LOOKUPS {
            not_checked += 1;
            continue;
        }
        let name = &template.data_volume.name;
        rules.template = Some(name.clone());
        judge(rules, &template);
        let name = text::name(name);
        annotations.extend(rules.report.annotations.drain(..).map(|(key, value)| (key, format!("{name}={value}"))));
    }
    rules.template = None;
    rules.report.annotations = joined(annotations);
    if not_checked > 0 {
        // Told whatever the rules say, as a failed lookup is: silence would read as a good answer.
        let detail = Detail::TemplatesNotChecked(not_checked);
        rules.report.findings.push(Finding { rule: None, template: None, detail });
    }
    Ok(())
}

/// The templates that are to be judged, in their order.
fn templates(rules: &Rules<'_>, request: &Request<'_, '_>) -> Result<Vec<Template>, WrongType> {
    let before = request.old_object.and_then(|old| old.at(TEMPLATES).ok().flatten());
    if let (Some(before), Ok(Some(now))) = (before, request.object.at(TEMPLATES))
        && before.same_as(now)
    {
        return Ok(Vec::new());
    }
    let before = ByName::of(if let Some(Json::Array(before)) = before { before } else { &[] });
    let now = request.object.list(TEMPLATES)?;
    let first = ByName::of(now);
    let mut result = Vec::new();
    for (index, template) in now.iter().enumerate() {
        let place = format!("{TEMPLATES}[{index}]");
        if !matches!(template, Json::Object(_)) {
            return Err(WrongType::new(&place, "an object", template));
        }
        let within = |error: WrongType| error.under(&place);
        let name = name(template).map_err(within)?;
        // Of several templates of one name only the first becomes a DataVolume.
        if first.get(name).is_some_and(|first| !std::ptr::eq(first, template)) {
            continue;
        }
        let old = before.get(name);
        if old.is_some_and(|old| is_unchanged(old, template)) {
            continue;
        }
        let data_volume = DataVolume::of_template(template, request.namespace, name).map_err(within)?;
        let is_filled = is_filled(rules, &data_volume, false);
        let tells_change = old.is_some() && rules.settings.is_on(Rule::VmTemplates);
        if is_filled || tells_change {
            result.push(Template { data_volume, is_filled, tells_change });
        }
    }
    Ok(result)
}

/// The name of a template, which has to be there: virt-api refuses a template without one.
fn name<'t>(template: &'t Json<'_>) -> Result<&'t str, WrongType> {
    match template.string("metadata.name")? {
        Some(name) if !name.is_empty() => Ok(name),
        Some(_) => Err(WrongType { path: "metadata.name".to_owned(), expected: "a name", found: "an empty string" }),
        None => Err(WrongType { path: "metadata.name".to_owned(), expected: "a name", found: "nothing" }),
    }
}

/// Templates by their names; of several with one name, the first.
struct ByName<'t, 'a>(Vec<(&'t str, &'t Json<'a>)>);

impl<'t, 'a> ByName<'t, 'a> {
    fn of(templates: &'t [Json<'a>]) -> Self {
        let named = templates.iter().filter_map(|template| Some((template.string("metadata.name").ok()??, template)));
        Self(sorted(named.collect(), &|(a, _), (b, _)| a < b))
    }

    fn get(&self, name: &str) -> Option<&'t Json<'a>> {
        let at = self.0.partition_point(|(known, _)| *known < name);
        self.0.get(at).filter(|(known, _)| *known == name).map(|(_, template)| *template)
    }
}

/// Whether two templates make the same DataVolume: of the metadata, labels and annotations are passed on.
fn is_unchanged(old: &Json<'_>, new: &Json<'_>) -> bool {
    let spec = |template| Json::key(template, "spec").unwrap_or(&Json::Null);
    same_map(old, new, "metadata.labels")
        && same_map(old, new, "metadata.annotations")
        && spec_equality::changed_paths(spec(old), spec(new)).is_empty()
}

fn same_map(old: &Json<'_>, new: &Json<'_>, path: &str) -> bool {
    match (old.string_map(path), new.string_map(path)) {
        (Ok(old), Ok(new)) => {
            let counting = |map: Vec<(_, _)>| {
                sorted(map.into_iter().filter(|(key, _)| *key != ADOPTION).collect::<Vec<(&str, &str)>>(), &|a, b| {
                    a < b
                })
            };
            counting(old) == counting(new)
        }
        // Judging the template then tells of the wrong type.
        _ => false,
    }
}

fn judge(rules: &mut Rules<'_>, template: &Template) {
    let Template { data_volume, is_filled, tells_change } = template;
    let (namespace, name) = (&data_volume.namespace, &data_volume.name);
    let named = Named::new(Kind::DataVolume.name(), namespace, name);
    let failure = match rules.cluster.data_volume(namespace, name) {
        Ok(found) if found.is_present() => {
            if *tells_change {
                rules.found(Rule::VmTemplates, Detail::TemplateChangeIgnored(named));
            }
            return;
        }
        Ok(_) => None,
        Err(failure) => Some(failure),
    };
    if let (Some(failure), true) = (&failure, tells_change) {
        rules.failed(Rule::VmTemplates, failure.clone());
    }
    if !is_filled {
        return;
    }
    let exists = match (claim_exists(rules, namespace, name), failure) {
        (Exists::No, Some(failure)) => Exists::CannotTell(failure),
        (exists, _) => exists,
    };
    new_disk(rules, exists, &NewDisk { data_volume, is_vm_disk: false, named });
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
