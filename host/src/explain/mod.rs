//! A decision of the policy with everything that it looked up, told step by step.
//!
//! Nothing is decided here: [`assess`] calls the policy's own [`judge`] and [`plan`](vmdisk_policy::clone::plan), and
//! the steps are sentences about the recorded answers.

mod commands;
mod decisive;
mod describe;
mod purpose;
mod record;
mod sentences;
mod story;

use vmdisk_policy::clone::{self, Plan};
use vmdisk_policy::cluster::{Cause, Cluster, Lookup};
use vmdisk_policy::json::Json;
use vmdisk_policy::judge::judge;
use vmdisk_policy::request::{JudgedKind, Operation, Parsed, Request};
use vmdisk_policy::settings::Settings;
use vmdisk_policy::subject::DataVolume;
use vmdisk_policy::subject::vm_disk::{VmDiskSource, release_name, render};
use vmdisk_policy::verdict::Verdict;

pub use commands::commands;
pub use record::{Found, LookedUp, Recorder};
pub use sentences::Step;
pub use story::story;

/// A decision, and how it came about.
#[derive(Debug)]
pub struct Assessment {
    /// What the policy answers.
    pub verdict: Verdict,
    /// What CDI will do; `None` where nothing will be cloned, or an existing disk is edited.
    pub plan: Option<Plan>,
    /// The disk's DataVolume, or the one that the chart would make of it.
    pub data_volume: Option<DataVolume>,
    /// What was looked up, in order.
    pub lookups: Vec<LookedUp>,
}

/// Puts a request to the policy's own code.
#[must_use]
pub fn assess(request: &Json<'_>, settings: &Settings, lookup: &dyn Lookup) -> Assessment {
    let recorder = Recorder::new(lookup);
    let verdict = judge(request, settings, &recorder);
    let lookups = recorder.into_lookups();
    let data_volume = match Parsed::parse(request) {
        Ok(Parsed::Judged(request)) if request.operation == Operation::Create => data_volume(&request, settings),
        Ok(Parsed::Judged(_) | Parsed::NotJudged) | Err(_) => None,
    };
    // The annotation is there exactly where something is cloned into a new disk.
    let clones = verdict.annotations.iter().any(|(key, _)| *key == clone::CLONE_STRATEGY);
    let plan = data_volume
        .as_ref()
        .filter(|_| clones)
        .map(|data_volume| clone::plan(data_volume, &Cluster::new(lookup), &settings.cdi_name));
    Assessment { verdict, plan, data_volume, lookups }
}

impl Assessment {
    /// The policy's warnings, without those that speak of a server's failed lookup where the dump lacks something: what
    /// it lacks is told with the dump's own words.
    #[must_use]
    pub fn warnings(&self) -> Vec<&str> {
        let of_the_dump = self.verdict.failures.iter().any(|failure| failure.cause == Cause::Unknown);
        let told = |warning: &&String| !(of_the_dump && warning.starts_with("[LookupFailed]"));
        self.verdict.warnings.iter().filter(told).map(String::as_str).collect()
    }

    /// The steps that led to the answer, in order.
    #[must_use]
    pub fn steps(&self, settings: &Settings) -> Vec<Step> {
        sentences::steps(self, settings)
    }
}

/// The DataVolume of a request; of a VMDisk the one that the chart makes.
fn data_volume(request: &Request<'_, '_>, settings: &Settings) -> Option<DataVolume> {
    match request.kind {
        JudgedKind::DataVolume => DataVolume::parse(request).ok(),
        JudgedKind::VmDisk => {
            let source = VmDiskSource::parse(request.object).ok()?;
            let rendered = render(request.object, request.namespace, request.name, &source, &settings.vm_disk).ok()?;
            let name = release_name(request.name, &settings.vm_disk);
            Some(DataVolume { name, ..rendered.data_volume })
        }
        JudgedKind::VirtualMachine => None,
    }
}
