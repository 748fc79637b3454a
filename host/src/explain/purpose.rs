//! Why an object is looked up, and what follows from the answer.

/// What follows from an answer.
pub(super) struct LedOn {
    /// From the object.
    pub(super) present: &'static str,
    /// From its absence.
    pub(super) absent: &'static str,
}

/// Why something is looked up, and what follows.
pub(super) type Purpose = (&'static str, LedOn);

const fn purpose(question: &'static str, present: &'static str, absent: &'static str) -> Purpose {
    (question, LedOn { present, absent })
}

pub(super) const PROBE: Purpose = purpose(
    "May objects of this kind be read at all? Nobody uses this name.",
    "They may, so they can be listed.",
    "They may, so they can be listed.",
);
pub(super) const EXISTS: Purpose = purpose(
    "Does the disk exist already?",
    "Nothing will be cloned.",
    "The disk is new, so what becomes of it is worth asking.",
);
pub(super) const SOURCE_CLAIM: Purpose = purpose(
    "What is cloned?",
    "Its volume, or else its class, tells the driver; its size and mode are compared with the disk's.",
    "CDI waits until it is there.",
);
pub(super) const SNAPSHOT_OF: Purpose = purpose(
    "Which claim was the snapshot taken of?",
    "Its class tells where its replicas are allowed to be.",
    "There is nothing to compare the new class with.",
);
pub(super) const SOURCE_IMPORT: Purpose = purpose(
    "Was the source imported well?",
    "A failed import would make a useless disk.",
    "The source was not imported by CDI, so there is no import that could have failed.",
);
pub(super) const DATA_SOURCE: Purpose = purpose(
    "Which source does the DataSource stand for?",
    "That is what CDI clones.",
    "No controller of CDI's takes the disk until it is there.",
);
pub(super) const DEFAULT: Purpose = purpose(
    "Which class is the default?",
    "The default for virtual machines comes before Kubernetes' own.",
    "There is no default class.",
);
pub(super) const TARGET_CLASS: Purpose = purpose(
    "Where will the new disk be made?",
    "Its provisioner is the new disk's driver.",
    "CDI finds no class to make the disk in.",
);
pub(super) const SOURCE_CLASS: Purpose = purpose(
    "Which class has the source?",
    "Its provisioner is the source's driver where the volume does not say.",
    "It tells no driver.",
);
pub(super) const TARGET_PROFILE: Purpose = purpose(
    "How does CDI clone into the class, and with which modes?",
    "Its strategy counts unless the CDI resource overrides it.",
    "CDI asks for a snapshot by default, and knows no modes.",
);
pub(super) const SOURCE_PROFILE: Purpose = purpose(
    "Which VolumeSnapshotClass has the source's class?",
    "CDI takes that class only if the target's profile names the same.",
    "It names none, so CDI looks for any of the driver.",
);
pub(super) const CDI: Purpose = purpose(
    "Which strategy is set for the whole cluster?",
    "An override comes before every profile.",
    "Without it CDI chooses nothing.",
);
pub(super) const CDI_CONFIG: Purpose = purpose(
    "How large does CDI make the claim, and does it wait for a consumer?",
    "A file system is made larger by the overhead.",
    "Without it CDI renders no claim.",
);
pub(super) const VOLUME: Purpose = purpose(
    "Which driver has the source's volume?",
    "That driver counts if the volume belongs to the source.",
    "The source's class tells the driver then.",
);
pub(super) const DRIVER: Purpose = purpose(
    "Do CDI's populators serve the driver?",
    "They do, so CDI chooses a strategy.",
    "They do not, so CDI can only copy.",
);
pub(super) const SNAPSHOT_CLASSES: Purpose = purpose(
    "Which VolumeSnapshotClass serves the driver?",
    "The driver's default counts, else its first by name.",
    "None does.",
);
pub(super) const SNAPSHOT_CLASS: Purpose = purpose(
    "Is there the VolumeSnapshotClass that the profile names?",
    "It serves if it is of the driver.",
    "CDI fails on a name without a class where both profiles agree on it.",
);
pub(super) const SNAPSHOT: Purpose =
    purpose("What is cloned?", "Its content tells the driver and the mode.", "CDI waits until it is there.");
pub(super) const CONTENT: Purpose = purpose(
    "Which driver and mode has the snapshot?",
    "The target class has to have the same driver, and the disk the same mode.",
    "CDI fails without it.",
);
