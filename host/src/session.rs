//! Sessions as `kwctl run --record-host-capabilities-interactions` writes them and `--replay-…` reads them.
//!
//! A YAML list of exchanges. Each request is a text that holds YAML again: a tag with the call's name, then its
//! fields. See `crates/kwctl/src/callback_handler/proxy.rs` of kubewarden/kubewarden-controller.

use serde::{Deserialize, Serialize};

use crate::call::{HostCall, Request};
use crate::texts::HostError;

/// A call and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What was asked.
    pub request: Request,
    /// What was answered.
    pub response: Response,
}

/// The answer to a recorded call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Response {
    /// JSON, as a text.
    Success {
        /// The text.
        payload: String,
    },
    /// An error, without `Callback evaluation failure: ` and without its causes.
    Error {
        /// The error.
        message: String,
    },
}

/// A session that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// It is not a session's YAML.
    #[error("not a session: {0}")]
    Read(String),
    /// An exchange's request is none of the four.
    #[error("exchange {number}: {cause}")]
    Request {
        /// Which exchange, from 1.
        number: usize,
        /// Why not.
        cause: String,
    },
    /// It cannot be written as YAML.
    #[error("cannot be written as YAML: {0}")]
    Write(String),
}

/// An exchange as the file has it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
enum Recorded {
    Exchange { request: String, response: Response },
}

/// The exchanges of a session file.
///
/// # Errors
/// It is none.
pub fn read(text: &str) -> Result<Vec<Exchange>, SessionError> {
    let recorded: Vec<Recorded> =
        serde_saphyr::from_str(text).map_err(|error| SessionError::Read(error.without_snippet().to_string()))?;
    let read = |(index, recorded): (usize, Recorded)| {
        let Recorded::Exchange { request, response } = recorded;
        let request = serde_saphyr::from_str(&request)
            .map_err(|error| SessionError::Request { number: index + 1, cause: error.without_snippet().to_string() })?;
        Ok(Exchange { request, response })
    };
    recorded.into_iter().enumerate().map(read).collect()
}

/// The session file of these exchanges.
///
/// # Errors
/// They cannot be written as YAML.
pub fn write(exchanges: &[Exchange]) -> Result<String, SessionError> {
    let mut recorded = Vec::new();
    for exchange in exchanges {
        let request = request_yaml(&exchange.request)?;
        recorded.push(Recorded::Exchange { request, response: exchange.response.clone() });
    }
    yaml(&recorded)
}

/// The exchanges that `kwctl` would have recorded of these calls: those that reached the part of the host which asks
/// the API server, and not the ones that the host itself refused.
#[must_use]
pub fn of_calls(calls: &[HostCall]) -> Vec<Exchange> {
    calls
        .iter()
        .filter_map(|call| {
            let response = match &call.response {
                Ok(bytes) => Response::Success { payload: String::from_utf8_lossy(bytes).into_owned() },
                Err(HostError::Callback { message, .. }) => Response::Error { message: message.clone() },
                Err(HostError::Host(_)) => return None,
            };
            Some(Exchange { request: call.request.clone(), response })
        })
        .collect()
}

fn request_yaml(request: &Request) -> Result<String, SessionError> {
    let (tag, fields) = match request {
        Request::Get(get) => ("KubernetesGetResource", yaml(get)?),
        Request::ListAll(list) => ("KubernetesListResourceAll", yaml(list)?),
        Request::ListNamespace(list) => ("KubernetesListResourceNamespace", yaml(list)?),
        Request::CanI(can_i) => ("KubernetesCanI", yaml(can_i)?),
        Request::Other(namespace, operation) => {
            return Err(SessionError::Write(format!("no session has calls of {namespace}/{operation}")));
        }
    };
    Ok(format!("!{tag}\n{fields}"))
}

fn yaml<T: Serialize>(value: &T) -> Result<String, SessionError> {
    // Long answers stay on one line, as kwctl writes them: nothing is to be folded.
    let options = serde_saphyr::ser_options! { folded_wrap_chars: usize::MAX };
    serde_saphyr::to_string_with_options(value, options).map_err(|error| SessionError::Write(error.to_string()))
}
