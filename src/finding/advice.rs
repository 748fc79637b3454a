//! What will be slow, late or lost.

mod class;
mod outlook;
mod source;

pub use class::{BindsLater, DefaultClass, NoClaimProperties};
pub(super) use class::{Bound, MissingClass, Waits};
pub use outlook::{ClonePlanFails, Copied, TooSmall};
pub use source::{SourceFailed, SourceMissing, UnknownSource};
