//! What the steps of a plan hand to each other.

use std::rc::Rc;

use super::{ErrorClass, FallbackReason, Fault, Outcome, Stage, Strategy, TargetClaim, Wait};
use crate::cluster::{Cluster, Failure, StorageClass};
use crate::quantity::Quantity;
use crate::subject::DataVolume;

/// What every step may look at.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) dv: &'a DataVolume,
    pub(super) cluster: &'a Cluster<'a>,
    pub(super) cdi_name: &'a str,
}

/// What is known of the new disk so far. It stays in the plan when a later step ends it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) target: Option<TargetClaim>,
    pub(super) target_class: Option<Rc<StorageClass>>,
    pub(super) snapshot_class: Option<String>,
}

/// The claim that is being made: `PersistentVolumeClaimSpec` as far as CDI reads it.
#[derive(Debug, Clone, Default)]
pub(super) struct Spec {
    pub(super) class: Option<String>,
    pub(super) volume_mode: Option<String>,
    pub(super) access_modes: Vec<String>,
    pub(super) request: Option<Quantity>,
}

impl Spec {
    /// Whether a size above zero is asked for.
    pub(super) fn has_size(&self) -> bool {
        self.request.as_ref().is_some_and(|request| request.bytes() != 0)
    }

    /// The claim as the plan shows it.
    pub(super) fn claim(&self) -> TargetClaim {
        TargetClaim {
            storage_class_name: self.class.clone(),
            volume_mode: self.volume_mode.clone(),
            access_modes: self.access_modes.clone(),
            storage: self.request.as_ref().map(Quantity::bytes).filter(|bytes| *bytes != 0),
        }
    }
}

/// Why a plan ends before the clone could start.
#[derive(Debug)]
pub(super) enum Stop {
    /// A lookup could not be answered.
    Unknown(Failure),
    /// CDI waits.
    Waits(Wait),
    /// CDI fails. With stage `plan`: the strategy that failed, and why CDI had come to it.
    Fails(Box<(Fault, Option<Strategy>, Option<FallbackReason>)>),
}

/// A step's result.
pub(super) type Step<T> = Result<T, Stop>;

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Unknown(failure)
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fails(Box::new((fault, None, None)))
    }
}

impl From<Wait> for Stop {
    fn from(wait: Wait) -> Self {
        Self::Waits(wait)
    }
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Unknown(failure) => Self::Unknown(failure),
            Stop::Waits(wait) => Self::Waits(wait),
            Stop::Fails(fails) => {
                let (fault, strategy, fallback_reason) = *fails;
                Self::Fails { fault, strategy, fallback_reason }
            }
        }
    }
}

impl Fault {
    /// A fault that is about no particular object.
    pub(super) fn new(stage: Stage, class: ErrorClass) -> Self {
        Self { stage, class, object: None, source_size: None, target_size: None }
    }

    /// The same fault about that object.
    pub(super) fn about(self, object: &str) -> Self {
        Self { object: Some(object.to_owned()), ..self }
    }
}
