//! What becomes of a disk, in one word and a reason.

use std::fmt;

use vmdisk_policy::clone::{Origin, Outcome, Plan, Resolved, Strategy, Unresolved, Wait};
use vmdisk_policy::settings::Settings;
use vmdisk_policy::text;
use vmdisk_policy::verdict::{COULD_NOT_TELL, Verdict};

use crate::dump::Dump;
use crate::explain::Assessment;

/// What becomes of a disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    /// The word for it.
    pub word: Word,
    /// The VolumeSnapshotClass of a snapshot, or the reason. Empty where there is none.
    pub reason: String,
}

/// The word for what becomes of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// The driver clones the volume.
    CsiClone,
    /// The driver takes a snapshot and restores it.
    Snapshot,
    /// Pods copy the bytes.
    Copy,
    /// CDI does nothing until something changes.
    Waits,
    /// CDI fails, over and over.
    Fails,
    /// The policy refuses the disk.
    Refused,
    /// The dump does not tell.
    Unknown,
}

impl Word {
    /// All of them, best first.
    pub const ALL: [Self; 7] =
        [Self::CsiClone, Self::Snapshot, Self::Copy, Self::Waits, Self::Fails, Self::Refused, Self::Unknown];

    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CsiClone => "csi-clone",
            Self::Snapshot => "snapshot",
            Self::Copy => "copy",
            Self::Waits => "waits",
            Self::Fails => "fails",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }

    /// A sign that says the same without colour.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::CsiClone => '✓',
            Self::Snapshot => '◉',
            Self::Copy => '≈',
            Self::Waits => '…',
            Self::Fails => '!',
            Self::Refused => '✗',
            Self::Unknown => '?',
        }
    }

    /// What it means.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::CsiClone => "the driver clones the volume",
            Self::Snapshot => "the driver takes a snapshot and restores it",
            Self::Copy => "pods copy the data: slow, but it works",
            Self::Waits => "CDI does nothing until what is missing is there",
            Self::Fails => "CDI fails, over and over",
            Self::Refused => "the policy refuses the disk",
            Self::Unknown => "the dump does not tell",
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `csi-clone`, `snapshot (class)`, `copy: reason`
impl fmt::Display for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.word, self.reason.as_str()) {
            (word, "") => write!(f, "{word}"),
            (Word::Snapshot, class) => write!(f, "{} ({class})", Word::Snapshot),
            (word, reason) => write!(f, "{word}: {reason}"),
        }
    }
}

impl Outlook {
    fn new(word: Word, reason: impl Into<String>) -> Self {
        Self { word, reason: reason.into() }
    }

    /// What an assessment comes to: a refusal, else the plan. The settings have to say
    /// `onLookupFailure: reject`, or else a refusal that could not be ruled out would pass for an acceptance.
    #[must_use]
    pub fn of(assessment: &Assessment, settings: &Settings, dump: &Dump) -> Self {
        let Assessment { verdict, plan, .. } = assessment;
        match (&verdict.refusal, plan) {
            (Some((COULD_NOT_TELL, _)), _) => {
                let missing = verdict.failures.first().map(|failure| dump.missing(failure).to_string());
                Self::new(Word::Unknown, missing.unwrap_or_default())
            }
            (Some((_, message)), _) => Self::new(Word::Refused, refusal_reasons(message).join(", ")),
            (None, Some(Plan { outcome: Outcome::Unknown(failure), .. })) => {
                Self::new(Word::Unknown, dump.missing(failure).to_string())
            }
            (None, Some(plan)) => Self::of_plan(plan, settings),
            (None, None) => Self::new(Word::Unknown, "nothing is cloned"),
        }
    }

    /// What a plan comes to, whatever the policy says of it.
    #[must_use]
    pub fn of_plan(plan: &Plan, settings: &Settings) -> Self {
        match &plan.outcome {
            Outcome::Clones { strategy: Strategy::CsiClone, .. } => Self::new(Word::CsiClone, ""),
            Outcome::Clones { strategy: Strategy::Snapshot, .. } => {
                Self::new(Word::Snapshot, plan.snapshot_class.as_deref().map(text::name).unwrap_or_default())
            }
            Outcome::Clones { fallback_reason: Some(reason), .. } => Self::new(Word::Copy, reason.message()),
            Outcome::Clones { origin, .. } => Self::new(Word::Copy, copy_by(*origin, settings)),
            Outcome::Waits(wait) => Self::new(Word::Waits, waits_for(*wait, &plan.source)),
            Outcome::Fails { fault, .. } => {
                Self::new(Word::Fails, format!("{} ({})", fault.class, fault.stage.as_str()))
            }
            Outcome::Unknown(failure) => Self::new(Word::Unknown, failure.kind.name()),
            Outcome::Nothing => Self::new(Word::Unknown, "nothing is cloned"),
        }
    }
}

/// The reason words that begin the lines of a refusal.
#[must_use]
pub fn refusal_reasons(message: &str) -> Vec<&str> {
    message.lines().filter_map(|line| line.strip_prefix('[')?.split_once(']').map(|(word, _)| word)).collect()
}

/// The reason words of an answer's warnings.
#[must_use]
pub fn warning_reasons(verdict: &Verdict) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for warning in &verdict.warnings {
        for word in refusal_reasons(warning) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

fn copy_by(origin: Origin, settings: &Settings) -> String {
    match origin {
        Origin::Override => {
            format!("set by cloneStrategyOverride of CDI {}", text::name(&settings.cdi_name))
        }
        Origin::Profile => "set by the StorageProfile".to_owned(),
        Origin::NoCsiDriver => "no CSIDriver of the class's provisioner".to_owned(),
        Origin::CloneTypeAnnotation => "set by annotation cloneType".to_owned(),
        Origin::UsePopulatorAnnotation => "set by annotation usePopulator".to_owned(),
        Origin::Default | Origin::SnapshotSource => "CDI's default".to_owned(),
    }
}

fn waits_for(wait: Wait, source: &Resolved) -> &'static str {
    match (wait, source) {
        (Wait::SourceMissing, Resolved::Snapshot(_)) => "the VolumeSnapshot does not exist",
        (Wait::SourceMissing, _) => "the source claim does not exist",
        (Wait::SourceRefUnresolved, Resolved::Unresolved { why, .. }) => unresolved(*why),
        (Wait::SourceRefUnresolved, _) => "the DataSource gives no source",
        (Wait::SizeDetection, _) => "a pod has to find out the image's size first",
        (Wait::TargetWithoutStorageClass, _) => "no class is named and none is the default",
    }
}

fn unresolved(why: Unresolved) -> &'static str {
    match why {
        Unresolved::Missing => "the DataSource does not exist",
        Unresolved::LinkMissing => "the DataSource links to one that does not exist",
        Unresolved::Empty => "the DataSource names no source",
        Unresolved::ToItself => "the DataSource links to itself",
        Unresolved::TooDeep => "the DataSource links to one that links on",
        Unresolved::OtherNamespace => "the DataSource links to another namespace",
        Unresolved::StatusEmpty => "the DataSource is not resolved yet",
    }
}
