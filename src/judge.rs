//! The whole decision: request, subject, findings, verdict.

use crate::cluster::{Cluster, Lookup};
use crate::json::{Json, WrongType};
use crate::request::{JudgedKind, Operation, Parsed, Request};
use crate::rules::{self, Rules};
use crate::settings::Settings;
use crate::verdict::Verdict;

/// Judges an admission request (`request` of the payload that a policy receives).
#[must_use]
pub fn judge(request: &Json<'_>, settings: &Settings, lookup: &dyn Lookup) -> Verdict {
    judge_in(&Cluster::new(lookup), request, settings)
}

/// The same in a cluster of which something may be known already.
#[must_use]
pub fn judge_in(cluster: &Cluster<'_>, request: &Json<'_>, settings: &Settings) -> Verdict {
    match Parsed::parse(request) {
        Ok(Parsed::NotJudged) => Verdict::accept(),
        Ok(Parsed::Judged(request)) => {
            report(&request, settings, cluster).unwrap_or_else(|error| Verdict::malformed(&error))
        }
        Err(error) => Verdict::malformed(&error),
    }
}

fn report(request: &Request<'_, '_>, settings: &Settings, cluster: &Cluster<'_>) -> Result<Verdict, WrongType> {
    let mut rules = Rules::new(settings, cluster);
    match (request.kind, request.operation) {
        (JudgedKind::VmDisk, Operation::Create) => rules::vm_disk_create(&mut rules, request)?,
        (JudgedKind::VmDisk, Operation::Update) => rules::vm_disk_update(&mut rules, request)?,
        (JudgedKind::DataVolume, Operation::Create) => {
            rules::data_volume_create(&mut rules, request)?;
        }
        (JudgedKind::DataVolume, Operation::Update) => {
            rules::data_volume_update(&mut rules, request)?;
        }
        (JudgedKind::VirtualMachine, _) if !settings.virtual_machines => {}
        (JudgedKind::VirtualMachine, _) => rules::virtual_machine(&mut rules, request)?,
        (JudgedKind::VmDisk | JudgedKind::DataVolume, Operation::Other) => {}
    }
    let is_create = request.operation == Operation::Create;
    Ok(Verdict::of(rules.report, settings, is_create))
}
