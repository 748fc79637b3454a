//! How linstor-csi 1.12.0 reads a StorageClass's parameters.

/// Whether every node may attach a volume of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteAccess {
    /// The answer.
    pub anywhere: Anywhere,
    /// The parameter that decided, as written in the class (key and value); `None` where the absence of both did.
    pub decided_by: Option<(String, String)>,
}

/// See [`RemoteAccess`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anywhere {
    /// Every node may attach the volume.
    Yes,
    /// Only some nodes may, or no volume of the class can be created at all.
    No,
    /// Two spellings of one key: the driver takes either, at random.
    CannotTell,
}

/// Reads the parameters of a class.
#[must_use]
pub fn remote_access(parameters: &[(String, String)]) -> RemoteAccess {
    let _ = parameters;
    RemoteAccess {
        anywhere: Anywhere::CannotTell,
        decided_by: None,
    } // to be written
}
