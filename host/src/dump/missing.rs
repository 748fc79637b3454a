//! Why a lookup in a dump could not be answered, for people.

use std::fmt;

use vmdisk_policy::cluster::{Cause, Failure};
use vmdisk_policy::text;

use super::Dump;

/// Something that an answer needs and that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What, such as `PersistentVolume pvc-1`.
    pub what: String,
    /// Why it is not known.
    pub why: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.why)
    }
}

impl Dump {
    /// What a failed lookup lacked.
    #[must_use]
    pub fn missing(&self, failure: &Failure) -> Missing {
        let Failure { kind, namespace, name, cause } = failure;
        let what = match (namespace.as_str(), name.as_str()) {
            (_, "") => format!("the list of {kind} objects"),
            ("", name) => format!("{kind} {}", text::name(name)),
            (namespace, name) => format!("{kind} {}/{}", text::name(namespace), text::name(name)),
        };
        let why = match cause {
            Cause::Unknown if self.is_whole(*kind) => "not in the dump".to_owned(),
            Cause::Unknown => format!("no {kind} is in the dump"),
            Cause::Unreadable => "a field of it has the wrong type".to_owned(),
            Cause::NotGranted | Cause::Forbidden | Cause::Unreachable | Cause::OtherObject => cause.to_string(),
        };
        Missing { what, why }
    }
}
