//! The kubectl commands that show in a live cluster what a decision was made of.

use vmdisk_policy::cluster::{Kind, PROBE};
use vmdisk_policy::names;

use super::Assessment;
use crate::kinds::plural;

/// The commands, in the order in which the objects were looked up; the disk itself comes last.
#[must_use]
pub fn commands(assessment: &Assessment) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut add = |command: String| {
        if !commands.contains(&command) {
            commands.push(command);
        }
    };
    let disk = assessment.data_volume.as_ref();
    let own = |kind: Kind, namespace: &str, name: &str| {
        kind.namespaced() && disk.is_some_and(|disk| disk.namespace == namespace && disk.name == name)
    };
    for lookup in &assessment.lookups {
        match &lookup.name {
            None => add(format!("kubectl get {}", resource(lookup.kind))),
            // Asked for to see whether the kind may be read; there is nothing to look at.
            Some(name) if name == PROBE => {}
            Some(name) if own(lookup.kind, &lookup.namespace, name) => {}
            // Only names that can exist are looked up, so none needs quoting.
            Some(name) if lookup.namespace.is_empty() => {
                add(format!("kubectl get {} {name} -o yaml", resource(lookup.kind)));
            }
            Some(name) => {
                add(format!("kubectl get -n {} {} {name} -o yaml", lookup.namespace, resource(lookup.kind)));
            }
        }
    }
    if let Some(disk) = disk
        && names::is_object_name(&disk.name)
        && names::is_namespace(&disk.namespace)
    {
        let (namespace, name) = (&disk.namespace, &disk.name);
        add(format!("kubectl describe -n {namespace} {},pvc {name}", resource(Kind::DataVolume)));
        add(format!(
            "kubectl get -n {namespace} pvc {name} -o \
             'jsonpath={{.metadata.annotations.cdi\\.kubevirt\\.io/cloneType}}'"
        ));
    }
    commands
}

/// What kubectl calls the kind, with the group where other groups may have one of the same name.
fn resource(kind: Kind) -> String {
    match kind.api_version().split_once('/') {
        Some((group, _)) if !group.ends_with("storage.k8s.io") || group.starts_with("snapshot") => {
            format!("{}.{group}", plural(kind.name()))
        }
        Some(_) | None => plural(kind.name()),
    }
}
