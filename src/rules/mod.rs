//! The rules, and what they report.

mod clone_advice;
mod existing;
mod first_consumer;
mod immutability;
mod missing_snapshot_class;
mod new_disk;
mod outlook;
mod remote_volume_access;
mod virtual_machine;

pub(crate) use immutability::{data_volume_update, vm_disk_update};
pub(crate) use new_disk::{data_volume_create, vm_disk_create};
pub(crate) use virtual_machine::virtual_machine;

use crate::cluster::{Cluster, Failure};
use crate::finding::{Detail, Finding};
use crate::settings::{Action, Rule, Settings};

/// What the rules have found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings, in the order in which the rules were asked.
    pub findings: Vec<Finding>,
    /// Lookups that a denying rule needed and that could not be answered.
    pub required: Vec<Failure>,
    /// Lookups that only advice or an annotation needed and that could not be answered.
    pub advisory: Vec<Failure>,
    /// Audit annotations, without `reasons`.
    pub annotations: Vec<(&'static str, String)>,
}

/// One request's rules at work.
pub(crate) struct Rules<'r> {
    /// The settings.
    pub(crate) settings: &'r Settings,
    /// The cluster.
    pub(crate) cluster: &'r Cluster<'r>,
    /// What has been found so far.
    pub(crate) report: Report,
    /// With a VirtualMachine: the template that is being judged.
    template: Option<String>,
}

impl<'r> Rules<'r> {
    pub(crate) fn new(settings: &'r Settings, cluster: &'r Cluster<'r>) -> Self {
        Self { settings, cluster, report: Report::default(), template: None }
    }

    /// Asks a rule, if it is on, and keeps what it says.
    fn ask(&mut self, rule: Rule, found: impl FnOnce(&Self) -> Result<Option<Detail>, Failure>) {
        if !self.settings.is_on(rule) {
            return;
        }
        match found(self) {
            Ok(Some(detail)) => self.found(rule, detail),
            Ok(None) => {}
            Err(failure) => self.failed(rule, failure),
        }
    }

    /// Keeps a finding of a rule, if the rule is on.
    fn found(&mut self, rule: Rule, detail: Detail) {
        if self.settings.is_on(rule) {
            // With two spellings of a parameter nothing is known, so nothing is refused.
            let rule = if matches!(detail, Detail::AmbiguousParameter(_)) { None } else { Some(rule) };
            self.report.findings.push(Finding { rule, template: self.template.clone(), detail });
        }
    }

    /// Whether something of the kind was found of the disk that is being judged.
    fn found_here(&self, is_kind: impl Fn(&Detail) -> bool) -> bool {
        self.report.findings.iter().any(|finding| finding.template == self.template && is_kind(&finding.detail))
    }

    /// Keeps a lookup that a rule needed and that could not be answered.
    fn failed(&mut self, rule: Rule, failure: Failure) {
        let failures = match self.settings.action(rule) {
            Action::Deny => &mut self.report.required,
            Action::Warn => &mut self.report.advisory,
            Action::Off => return,
        };
        if !failures.contains(&failure) {
            failures.push(failure);
        }
    }
}
