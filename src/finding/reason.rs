//! The reason words: stable identifiers that people search for and count.

use std::fmt;

macro_rules! reasons {
    ($($variant:ident)*) => {
        /// A reason word. `docs/reasons.md` has a section for each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "docs/reasons.md explains each")]
        pub enum Reason { $($variant,)* }

        impl Reason {
            /// Every reason, in the order in which findings are told.
            pub const ALL: &'static [Reason] = &[$(Self::$variant,)*];

            /// The word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant),)* }
            }
        }
    };
}

// What stops a disk for good comes first, then what delays it, then what only costs time; doubts come last.
reasons! {
    InvalidRequest
    MultipleSources
    StorageClassChanged
    SourceChanged
    DataVolumeSpecChanged
    RemoteVolumeAccess
    SnapshotClassMissing
    SnapshotPlanFails
    SourceMissing
    SourceFailed
    SourceStuck
    StorageClassMissing
    TargetTooSmall
    NoClaimProperties
    ClonePlanFails
    NoDefaultClass
    AmbiguousDefaultClass
    AmbiguousParameter
    BoundToWorkerNode
    WaitsForFirstConsumer
    HostAssistedCopy
    UnknownSource
    StorageShrunk
    TemplateChangeIgnored
    TemplatesNotChecked
    DriftHealed
    LookupFailed
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
