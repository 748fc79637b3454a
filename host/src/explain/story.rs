//! A decision as a short story.

use std::fmt::Write as _;

use vmdisk_policy::clone::{Outcome, Resolved};
use vmdisk_policy::settings::Settings;
use vmdisk_policy::subject::{DataVolume, Source};
use vmdisk_policy::text;

use super::{Assessment, commands};
use crate::dump::Dump;
use crate::matrix::Outlook;

/// The steps, the verdict, and the commands to check it in a live cluster.
#[must_use]
pub fn story(assessment: &Assessment, settings: &Settings, dump: &Dump) -> String {
    let mut story = String::new();
    if let Some(data_volume) = &assessment.data_volume {
        let _ = writeln!(story, "{}\n", asked(data_volume));
    }
    let steps = assessment.steps(settings);
    if steps.is_empty() {
        story.push_str("Nothing had to be looked up.\n");
    }
    for (number, (step, lookup)) in (1..).zip(steps.iter().zip(&assessment.lookups)) {
        let mark = if step.decisive { "   <- this decides" } else { "" };
        let _ = writeln!(story, "{number:>2}. {}{mark}", step.object);
        let _ = writeln!(story, "    {}", step.question);
        let found = match lookup.failure() {
            Some(failure) => format!("{}: {}", step.found, dump.missing(&failure).why),
            None => step.found.clone(),
        };
        let _ = writeln!(story, "    Found: {found}.");
        let _ = writeln!(story, "    {}", step.so);
    }
    story.push('\n');
    story.push_str(&verdict(assessment, settings, dump));
    let commands = commands(assessment);
    if !commands.is_empty() {
        story.push_str("\nTo check it in the cluster:\n");
        for command in commands {
            let _ = writeln!(story, "    {command}");
        }
    }
    story
}

/// What the request asks for.
fn asked(disk: &DataVolume) -> String {
    let source = match &disk.source {
        Source::Claim(of) => format!("from PersistentVolumeClaim {}", place(&of.namespace, &of.name)),
        Source::Snapshot(of) => format!("from VolumeSnapshot {}", place(&of.namespace, &of.name)),
        Source::DataSource { namespace, name } => format!("from DataSource {}", place(namespace, name)),
        Source::Import => "filled from outside the cluster".to_owned(),
        Source::Upload => "to be uploaded".to_owned(),
        Source::Blank | Source::None => "that is empty".to_owned(),
    };
    let target = disk.target.as_ref();
    let class = match target.and_then(|target| target.storage_class_name.as_deref()) {
        Some(class) => format!("in StorageClass \"{}\"", text::name(class)),
        None => "in the cluster's default StorageClass".to_owned(),
    };
    let size = target.and_then(|target| target.request.as_ref());
    let size = size.map_or_else(|| "of its source's size".to_owned(), |size| format!("of {}", text::name(size.text())));
    format!("Asked for: DataVolume {} {source}, {class}, {size}.", place(&disk.namespace, &disk.name))
}

fn place(namespace: &str, name: &str) -> String {
    let name = if name.is_empty() { "(not named yet)".into() } else { text::name(name) };
    if namespace.is_empty() { name.into_owned() } else { format!("{}/{name}", text::name(namespace)) }
}

/// The policy's answer, and CDI's part in it.
fn verdict(assessment: &Assessment, settings: &Settings, dump: &Dump) -> String {
    let mut story = match &assessment.verdict.refusal {
        Some((code, message)) => format!("Verdict: refused ({code})\n{}\n", indented(message)),
        None => "Verdict: accepted\n".to_owned(),
    };
    for warning in assessment.warnings() {
        let _ = writeln!(story, "    Warning: {warning}");
    }
    for failure in &assessment.verdict.failures {
        let _ = writeln!(story, "    Not known: {}", dump.missing(failure));
    }
    let Some(plan) = &assessment.plan else {
        return story;
    };
    if let Resolved::Claim(of) = &plan.source {
        let _ = writeln!(story, "Cloned is PersistentVolumeClaim {}.", place(&of.namespace, &of.name));
    }
    let outlook = Outlook::of_plan(plan, settings);
    let _ = match &plan.outcome {
        Outcome::Unknown(failure) => {
            writeln!(story, "What CDI would do is not known: {} is missing.", dump.missing(failure))
        }
        _ => writeln!(story, "What CDI would do: {outlook}."),
    };
    story
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
