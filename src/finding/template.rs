//! Templates of a VirtualMachine's disks.

use super::{Named, Words};

/// A template that was changed although its DataVolume exists.
pub(super) struct ChangeIgnored<'c>(pub(super) &'c Named);

/// Templates that were not checked, because checking them all would take too long.
pub(super) struct NotChecked(pub(super) usize);

impl Words for ChangeIgnored<'_> {
    fn short(&self, limit: usize) -> String {
        format!("DataVolume {} exists already: the change of its template has no effect", self.0.short(limit))
    }

    fn long(&self) -> String {
        format!(
            "{} exists already, so this change of its template would have no effect. Undo the change; for another disk, \
             add a template of another name.",
            self.0.long()
        )
    }
}

impl Words for NotChecked {
    fn short(&self, _limit: usize) -> String {
        let templates = if self.0 == 1 { "disk template was" } else { "disk templates were" };
        format!(
            "{} {templates} not checked: the VirtualMachine has more than can be looked up in time. Watch its events.",
            self.0
        )
    }

    fn long(&self) -> String {
        self.short(0)
    }
}
