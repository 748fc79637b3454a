//! Sources that are missing, broken or unknown.

use crate::clone::Unresolved;
use crate::finding::{Named, Reason, Words};
use crate::quantity::Quantity;
use crate::text::{name, printable};

/// A source that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMissing {
    /// The claim, snapshot or DataSource.
    pub source: Named,
    /// With a DataSource: why it gives no source.
    pub unresolved: Option<Unresolved>,
}

impl SourceMissing {
    fn cause(&self) -> &'static str {
        match self.unresolved {
            None | Some(Unresolved::Missing) => "does not exist",
            Some(Unresolved::LinkMissing) => "links to a DataSource that does not exist",
            Some(Unresolved::Empty) => "names neither a claim nor a snapshot",
            Some(Unresolved::ToItself) => "links to itself",
            Some(Unresolved::TooDeep) => "links to a DataSource that links on, and CDI follows one link only",
            Some(Unresolved::OtherNamespace) => "links to a DataSource in another namespace",
            Some(Unresolved::StatusEmpty) => "is not resolved yet (its status names no source)",
        }
    }

    /// Until when the disk waits and what to do, in short, and what to do.
    fn remedy(&self) -> (&'static str, &'static str) {
        match self.unresolved {
            None | Some(Unresolved::Missing | Unresolved::LinkMissing) => {
                ("it is there. Check the name", "Check the name of the source, or create it first.")
            }
            // The DataSource is there, and its name may well be right.
            Some(Unresolved::Empty | Unresolved::ToItself | Unresolved::TooDeep | Unresolved::OtherNamespace) => (
                "that is changed. Choose another source",
                "Choose another source, or ask whoever owns the DataSource to let it name a claim or a snapshot.",
            ),
            Some(Unresolved::StatusEmpty) => ("it is. Wait for it", "Create the disk once the status names a source."),
        }
    }
}

impl Words for SourceMissing {
    fn short(&self, limit: usize) -> String {
        format!(
            "{} {} {}: the disk stays Pending until {}",
            self.source.kind,
            self.source.short(limit),
            self.cause(),
            self.remedy().0
        )
    }

    fn long(&self) -> String {
        format!(
            "{} {}. CDI would wait for it, and the disk would stay Pending until then. {}",
            self.source.long(),
            self.cause(),
            self.remedy().1
        )
    }
}

/// A source whose own import has failed, or fails again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFailed {
    /// The DataVolume of the source.
    pub data_volume: Named,
    /// With an import that fails again and again: how often its pod was restarted.
    pub restarts: Option<i128>,
}

impl SourceFailed {
    pub(in crate::finding) fn reason(&self) -> Reason {
        if self.restarts.is_some() { Reason::SourceStuck } else { Reason::SourceFailed }
    }
}

impl Words for SourceFailed {
    fn short(&self, limit: usize) -> String {
        let source = self.data_volume.short(limit);
        match self.restarts {
            None => {
                format!("the import of source {source} has failed: the disk stays Pending. Have the source re-created")
            }
            Some(restarts) => format!(
                "the import of source {source} fails again and again ({restarts} restarts): the disk stays Pending \
                 until it runs. Check the source's URL"
            ),
        }
    }

    fn long(&self) -> String {
        let source = self.data_volume.long();
        match self.restarts {
            None => format!(
                "The source is not filled: {source} has failed. A clone of it would wait for ever. Choose another \
                 source, or ask whoever owns it to delete and re-create it."
            ),
            Some(restarts) => format!(
                "The source is not filled: the import of {source} fails again and again ({restarts} restarts). A \
                 clone of it would wait until the import runs. Choose another source, or ask whoever owns it to \
                 check where it is imported from."
            ),
        }
    }
}

/// A source of a VMDisk that the policy does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSource {
    /// The VMDisk.
    pub disk: Named,
    /// The key below `spec.source`.
    pub key: String,
}

impl Words for UnknownSource {
    fn short(&self, limit: usize) -> String {
        format!(
            "source \"{}\" of {} is not known to this policy and was not checked. Check its spelling",
            printable(&self.key, limit),
            self.disk.short(limit)
        )
    }

    fn long(&self) -> String {
        format!(
            "spec.source.{} of {} is not known: the policy knows image, http, upload, disk and pvc. Check the \
             spelling of the key.",
            name(&self.key),
            self.disk.long()
        )
    }
}

/// Prints a size in bytes, or as it was written.
pub(super) fn size(quantity: &Quantity) -> String {
    printable(quantity.text(), 40).into_owned()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::a_claim_that_does_not_exist(None, true)]
    #[case::a_data_source_that_does_not_exist(Some(Unresolved::Missing), true)]
    #[case::a_link_to_nothing(Some(Unresolved::LinkMissing), true)]
    #[case::a_link_into_another_namespace(Some(Unresolved::OtherNamespace), false)]
    #[case::a_link_to_itself(Some(Unresolved::ToItself), false)]
    #[case::a_link_that_goes_on(Some(Unresolved::TooDeep), false)]
    #[case::a_data_source_of_nothing(Some(Unresolved::Empty), false)]
    #[case::a_status_that_is_not_filled_yet(Some(Unresolved::StatusEmpty), false)]
    fn the_name_is_to_be_checked_where_it_may_be_wrong(#[case] unresolved: Option<Unresolved>, #[case] expected: bool) {
        let detail = SourceMissing { source: Named::new("DataSource", "images", "ubuntu"), unresolved };
        for text in [detail.short(40), detail.long()] {
            assert_eq!(text.contains("Check the name"), expected, "{text}");
        }
    }
}
