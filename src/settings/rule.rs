//! The rules by name, and what a rule's findings lead to.

/// What is done with a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Refuse the request.
    Deny,
    /// Accept it with a warning.
    Warn,
    /// Do not look.
    Off,
}

macro_rules! rules {
    ($($variant:ident $name:literal $default:ident $doc:literal;)*) => {
        /// A rule, as the settings name it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule { $(#[doc = $doc] $variant,)* }

        impl Rule {
            /// Every rule, in the order of the documentation.
            pub const ALL: [Rule; [$($name),*].len()] = [$(Self::$variant,)*];

            /// The key below `rules` in the settings.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What is done where the settings say nothing.
            #[must_use]
            pub const fn default_action(self) -> Action {
                match self { $(Self::$variant => Action::$default,)* }
            }
        }
    };
}

rules! {
    Immutability "immutability" Deny "A disk's class and source, and a DataVolume's spec, stay as they are.";
    SingleSource "singleSource" Deny "A VMDisk has one source.";
    RemoteVolumeAccess "remoteVolumeAccess" Deny "A golden image is not cloned into a LINSTOR class without remote volume access.";
    RemoteVolumeAccessOwnDisk "remoteVolumeAccessOwnDisk" Warn "The same for a disk of one's own.";
    MissingSnapshotClass "missingSnapshotClass" Deny "The VolumeSnapshotClass that both profiles name exists.";
    SnapshotPlan "snapshotPlan" Warn "CDI can plan with the VolumeSnapshotClass.";
    HostAssistedCopy "hostAssistedCopy" Warn "CDI copies through pods.";
    SourceMissing "sourceMissing" Warn "The source exists.";
    SourceFailed "sourceFailed" Warn "The source was imported.";
    UnknownSource "unknownSource" Warn "The VMDisk's source is known.";
    TargetTooSmall "targetTooSmall" Warn "The disk is as large as its source.";
    ClonePlan "clonePlan" Warn "CDI can carry the clone out.";
    NoClaimProperties "noClaimProperties" Warn "The StorageProfile has the access modes that are left to it.";
    DefaultClass "defaultClass" Warn "One class is the default.";
    FirstConsumer "firstConsumer" Warn "The disk is bound when and where it is wanted.";
    SnapshotSourceAccess "snapshotSourceAccess" Warn "As remoteVolumeAccess, for a snapshot.";
    Shrink "shrink" Warn "A disk does not get smaller.";
    VmTemplates "vmTemplates" Warn "A template of a VirtualMachine is not changed once its DataVolume exists.";
}

impl Action {
    /// The words that the settings take.
    pub const WORDS: &str = "deny, warn, off";

    /// The action of that word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "deny" => Some(Self::Deny),
            "warn" => Some(Self::Warn),
            "off" => Some(Self::Off),
            _ => None,
        }
    }
}
