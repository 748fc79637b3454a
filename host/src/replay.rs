//! A recorded session as the answers to a module's calls.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::answer::{Answer, Answers};
use crate::call::{Outcome, Request};
use crate::session::{Exchange, Response};
use crate::texts::HostError;

/// Replays a session as `kwctl` does: strictly in order, each call equal in all its fields to the recorded one.
/// Whatever does not fit is an error for the module and is remembered in [`Replay::mismatches`]; a test must also
/// look at [`Replay::leftovers`], which `kwctl` only logs.
#[derive(Debug, Clone, Default)]
pub struct Replay(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    exchanges: VecDeque<Exchange>,
    mismatches: Vec<String>,
}

impl Replay {
    /// A replay of these exchanges.
    #[must_use]
    pub fn new(exchanges: impl IntoIterator<Item = Exchange>) -> Self {
        let exchanges = exchanges.into_iter().collect();
        Self(Arc::new(Mutex::new(State { exchanges, mismatches: Vec::new() })))
    }

    /// The exchanges that no call has asked for.
    #[must_use]
    pub fn leftovers(&self) -> Vec<Exchange> {
        self.lock().exchanges.iter().cloned().collect()
    }

    /// The calls that were not the recorded ones.
    #[must_use]
    pub fn mismatches(&self) -> Vec<String> {
        self.lock().mismatches.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers for Replay {
    fn answer(&self, request: &Request) -> Answer {
        let mut state = self.lock();
        let mismatch = match state.exchanges.pop_front() {
            None => "the list of recorded responses is empty".to_owned(),
            Some(exchange) if exchange.request == *request => {
                let response = match exchange.response {
                    Response::Success { payload } => Ok(payload.into_bytes()),
                    Response::Error { message } => Err(HostError::callback(message)),
                };
                return Answer { response, outcome: Outcome::Replayed };
            }
            Some(exchange) => format!(
                "Replay error: unexpected request. Was expecting {:?}, got {request:?} instead",
                exchange.request
            ),
        };
        state.mismatches.push(mismatch.clone());
        Answer::error(HostError::callback(mismatch), Outcome::BadCall)
    }
}
