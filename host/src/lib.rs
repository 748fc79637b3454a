//! A waPC host that answers a policy's host calls from Kubernetes manifests.
//!
//! ```text
//! manifests ──▶ Cluster ──┐
//!                         ├─ Answers ──▶ callback ◀── host calls ── module (a fresh instance each time)
//! session file ─▶ Replay ─┘                │                          ▲
//!                                          ▼                          │
//!                                   calls, logs ──▶ Evaluation ◀── Policy::validate(request, settings)
//! ```
//!
//! * [`Policy`] loads a built module and evaluates requests with it.
//! * [`Cluster`] is what the module may look up, and what goes wrong while it does: objects from [`Manifests`] and
//!   [`Faults`]. The errors that it answers are, letter for letter, those of Kubewarden's policy-evaluator
//!   ([`texts`]).
//! * [`Replay`] and [`session`] read and write the recorded sessions of `kwctl run`.
//! * [`request::admission_request`] turns what a person has at hand (a review, a request, a manifest) into the
//!   `AdmissionRequest` that the API server would send.
//! * [`dump`], [`explain`] and [`matrix`] need no module: they call the policy's decision code itself, on what kubectl
//!   saved of a cluster.

pub mod answer;
pub mod call;
mod callback;
mod cluster;
pub mod dump;
pub mod explain;
mod faults;
mod files;
mod kinds;
mod list;
mod manifests;
pub mod mask;
pub mod matrix;
mod metered;
mod path;
mod policy;
mod replay;
pub mod request;
pub mod session;
pub mod texts;
pub mod yaml;

pub use answer::{Answer, Answers};
pub use call::{HostCall, Outcome, Request};
pub use cluster::{Cluster, ClusterError};
pub use faults::{Faults, KindRef, Outage, OutageVariant, Verbatim, VerbatimAnswer};
pub use files::ReadError;
pub use kinds::{Kinds, ServedKind};
pub use manifests::{Identity, ManifestError, Manifests};
pub use policy::{Evaluation, Policy, PolicyError, Run};
pub use replay::Replay;
