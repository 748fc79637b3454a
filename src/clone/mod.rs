//! How CDI will fill a new disk: the same steps, order and words as CDI v1.66.0's planner.

mod outcome;

pub use outcome::*;
