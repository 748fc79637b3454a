//! What a rule found, as data. The sentences come last: see [`words`](self).

mod advice;
mod clone_refusal;
mod edit;
mod lookup_failed;
mod reason;
mod template;

pub use advice::{
    BindsLater, ClonePlanFails, Copied, DefaultClass, NoClaimProperties, SourceFailed, SourceMissing, TooSmall,
    UnknownSource,
};
pub use clone_refusal::{AmbiguousParameter, RemoteAccess, SnapshotClass, TargetClass};
pub(crate) use edit::class as class_words;
pub use edit::{Change, Healed, MultipleSources, Shrunk, SpecChanged};
pub use lookup_failed::LookupFailed;
pub use reason::Reason;

use crate::settings::Rule;
use crate::text;

/// One thing that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule whose action decides what it leads to. `None`: it only ever warns.
    pub rule: Option<Rule>,
    /// With a VirtualMachine: the template that it concerns.
    pub template: Option<String>,
    /// What was found.
    pub detail: Detail,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// `StorageClassChanged`
    StorageClassChanged(Change),
    /// `SourceChanged`
    SourceChanged(Change),
    /// `DriftHealed`
    DriftHealed(Healed),
    /// `DataVolumeSpecChanged`
    DataVolumeSpecChanged(SpecChanged),
    /// `MultipleSources`
    MultipleSources(MultipleSources),
    /// `RemoteVolumeAccess`
    RemoteVolumeAccess(RemoteAccess),
    /// `AmbiguousParameter`
    AmbiguousParameter(AmbiguousParameter),
    /// `SnapshotClassMissing`: of a golden image.
    SnapshotClassMissing(SnapshotClass),
    /// `SnapshotPlanFails`
    SnapshotPlanFails(SnapshotClass),
    /// `SourceMissing`
    SourceMissing(SourceMissing),
    /// `SourceFailed` and `SourceStuck`
    SourceFailed(SourceFailed),
    /// `UnknownSource`
    UnknownSource(UnknownSource),
    /// `TargetTooSmall`
    TargetTooSmall(TooSmall),
    /// `StorageClassMissing`: the class that does not exist.
    StorageClassMissing(String),
    /// `ClonePlanFails`
    ClonePlanFails(ClonePlanFails),
    /// `NoClaimProperties`
    NoClaimProperties(NoClaimProperties),
    /// `AmbiguousDefaultClass` and `NoDefaultClass`
    DefaultClass(DefaultClass),
    /// `HostAssistedCopy`
    HostAssistedCopy(Copied),
    /// `WaitsForFirstConsumer`
    WaitsForFirstConsumer(BindsLater),
    /// `BoundToWorkerNode`
    BoundToWorkerNode(BindsLater),
    /// `StorageShrunk`
    StorageShrunk(Shrunk),
    /// `TemplateChangeIgnored`
    TemplateChangeIgnored(Named),
    /// `TemplatesNotChecked`: how many.
    TemplatesNotChecked(usize),
    /// `LookupFailed`
    LookupFailed(LookupFailed),
}

/// The sentences of a finding.
trait Words {
    /// One fact, one cause and one way out, names cut to `limit` characters: without the reason word.
    fn short(&self, limit: usize) -> String;

    /// What is wrong, why it would not work, and what to do: without the reason word.
    fn long(&self) -> String;
}

impl Finding {
    /// The stable word for it.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match &self.detail {
            Detail::StorageClassChanged(_) => Reason::StorageClassChanged,
            Detail::SourceChanged(_) => Reason::SourceChanged,
            Detail::DriftHealed(_) => Reason::DriftHealed,
            Detail::DataVolumeSpecChanged(_) => Reason::DataVolumeSpecChanged,
            Detail::MultipleSources(_) => Reason::MultipleSources,
            Detail::RemoteVolumeAccess(_) => Reason::RemoteVolumeAccess,
            Detail::AmbiguousParameter(_) => Reason::AmbiguousParameter,
            Detail::SnapshotClassMissing(_) => Reason::SnapshotClassMissing,
            Detail::SnapshotPlanFails(_) => Reason::SnapshotPlanFails,
            Detail::SourceMissing(_) => Reason::SourceMissing,
            Detail::SourceFailed(source) => source.reason(),
            Detail::UnknownSource(_) => Reason::UnknownSource,
            Detail::TargetTooSmall(_) => Reason::TargetTooSmall,
            Detail::StorageClassMissing(_) => Reason::StorageClassMissing,
            Detail::ClonePlanFails(_) => Reason::ClonePlanFails,
            Detail::NoClaimProperties(_) => Reason::NoClaimProperties,
            Detail::DefaultClass(class) => class.reason(),
            Detail::HostAssistedCopy(_) => Reason::HostAssistedCopy,
            Detail::WaitsForFirstConsumer(_) => Reason::WaitsForFirstConsumer,
            Detail::BoundToWorkerNode(_) => Reason::BoundToWorkerNode,
            Detail::StorageShrunk(_) => Reason::StorageShrunk,
            Detail::TemplateChangeIgnored(_) => Reason::TemplateChangeIgnored,
            Detail::TemplatesNotChecked(_) => Reason::TemplatesNotChecked,
            Detail::LookupFailed(_) => Reason::LookupFailed,
        }
    }

    /// The paragraph of a refusal.
    #[must_use]
    pub fn refusal(&self) -> String {
        self.with_words(|words| format!("[{}] {}{}", self.reason(), self.place(253), words.long()))
    }

    /// The warning: at most [`text::MAX_WARNING`] bytes.
    #[must_use]
    pub fn warning(&self) -> String {
        self.with_words(|words| {
            text::fit(|limit| format!("[{}] {}{}", self.reason(), self.place(limit), words.short(limit)))
        })
    }

    /// With a VirtualMachine: its template, before the sentence.
    fn place(&self, limit: usize) -> String {
        let template = self.template.as_ref();
        template.map_or_else(String::new, |name| format!("template \"{}\": ", text::printable(name, limit)))
    }

    fn with_words(&self, write: impl Fn(&dyn Words) -> String) -> String {
        match &self.detail {
            Detail::StorageClassChanged(change) => write(&edit::ClassChange(change)),
            Detail::SourceChanged(change) => write(&edit::SourceChange(change)),
            Detail::DriftHealed(healed) => write(healed),
            Detail::DataVolumeSpecChanged(changed) => write(changed),
            Detail::MultipleSources(sources) => write(sources),
            Detail::RemoteVolumeAccess(access) => write(access),
            Detail::AmbiguousParameter(parameter) => write(parameter),
            Detail::SnapshotClassMissing(class) | Detail::SnapshotPlanFails(class) => write(class),
            Detail::SourceMissing(missing) => write(missing),
            Detail::SourceFailed(failed) => write(failed),
            Detail::UnknownSource(unknown) => write(unknown),
            Detail::TargetTooSmall(sizes) => write(sizes),
            Detail::StorageClassMissing(class) => write(&advice::MissingClass(class)),
            Detail::ClonePlanFails(fails) => write(fails),
            Detail::NoClaimProperties(missing) => write(missing),
            Detail::DefaultClass(class) => write(class),
            Detail::HostAssistedCopy(copied) => write(copied),
            Detail::WaitsForFirstConsumer(binds) => write(&advice::Waits(binds)),
            Detail::BoundToWorkerNode(binds) => write(&advice::Bound(binds)),
            Detail::StorageShrunk(shrunk) => write(shrunk),
            Detail::TemplateChangeIgnored(data_volume) => write(&template::ChangeIgnored(data_volume)),
            Detail::TemplatesNotChecked(count) => write(&template::NotChecked(*count)),
            Detail::LookupFailed(failed) => write(failed),
        }
    }
}

/// An object that a message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its kind.
    pub kind: &'static str,
    /// Its namespace; empty for a cluster-scoped object.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl Named {
    /// An object of that kind, namespace and name.
    #[must_use]
    pub fn new(kind: &'static str, namespace: &str, name: &str) -> Self {
        Self { kind, namespace: namespace.to_owned(), name: name.to_owned() }
    }

    /// `Kind namespace/name`
    fn long(&self) -> String {
        format!("{} {}", self.kind, self.short(253))
    }

    /// `namespace/name`, each cut to `limit` characters.
    fn short(&self, limit: usize) -> String {
        let name = text::printable(&self.name, limit);
        if self.namespace.is_empty() {
            format!("\"{name}\"")
        } else {
            format!("{}/{name}", text::printable(&self.namespace, limit))
        }
    }
}
