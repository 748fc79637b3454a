//! What waPC calls when the module calls the host.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::answer::{Answer, Answers};
use crate::call::{HostCall, Outcome, Request};
use crate::texts::{self, HostError};

/// What happened during an evaluation.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) calls: Vec<HostCall>,
    pub(crate) logs: Vec<Value>,
}

/// A record that the callback writes and the evaluation reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Record>>);

impl Recorder {
    fn lock(&self) -> MutexGuard<'_, Record> {
        // Whoever panicked while it held the lock had only pushed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self) -> Record {
        std::mem::take(&mut self.lock())
    }
}

/// The function that waPC calls when the module calls the host.
pub(crate) fn new(answers: Arc<dyn Answers>, recorder: Recorder) -> Box<wapc::HostCallback> {
    Box::new(move |_, binding, namespace, operation, payload| {
        let result = host_call(answers.as_ref(), &recorder, binding, namespace, operation, payload);
        result.map_err(|error| Box::new(error) as Box<dyn Error + Send + Sync>)
    })
}

/// In the order of `runtimes/callback.rs` of policy-evaluator: binding, capability, operation, payload, kind.
fn host_call(
    answers: &dyn Answers,
    recorder: &Recorder,
    binding: &str,
    namespace: &str,
    operation: &str,
    payload: &[u8],
) -> Result<Vec<u8>, HostError> {
    if binding != "kubewarden" {
        return Err(HostError::Host(format!("unknown binding: {binding}")));
    }
    if namespace == "tracing" {
        return log(recorder, operation, payload);
    }
    let request = read(namespace, operation, payload);
    let capability = format!("{namespace}/{operation}");
    let answer = if !answers.may_use(&capability) {
        Answer::error(texts::capability_denied(&capability), Outcome::CapabilityDenied)
    } else {
        match &request {
            Err(error) => Answer::error(error.clone(), Outcome::BadCall),
            Ok(request) => match request.kind() {
                Some((api_version, kind)) if !answers.may_read(api_version, kind) => {
                    Answer::error(texts::not_granted(api_version, kind), Outcome::NotGranted)
                }
                Some(_) | None => answers.answer(request),
            },
        }
    };
    let request = request.unwrap_or_else(|_| Request::Other(namespace.to_owned(), operation.to_owned()));
    let response = answer.response.clone();
    recorder.lock().calls.push(HostCall { request, outcome: answer.outcome, response: answer.response });
    response
}

fn read(namespace: &str, operation: &str, payload: &[u8]) -> Result<Request, HostError> {
    let bad = |error: serde_json::Error| HostError::Host(error.to_string());
    match (namespace, operation) {
        ("kubernetes", "get_resource") => serde_json::from_slice(payload).map(Request::Get).map_err(bad),
        ("kubernetes", "list_resources_all") => serde_json::from_slice(payload).map(Request::ListAll).map_err(bad),
        ("kubernetes", "list_resources_by_namespace") => {
            serde_json::from_slice(payload).map(Request::ListNamespace).map_err(bad)
        }
        ("kubernetes", "can_i") => serde_json::from_slice(payload).map(Request::CanI).map_err(bad),
        ("kubernetes", _) => Err(HostError::Host(format!("unknown operation: {operation}"))),
        _ => Err(HostError::Host(format!("unknown namespace: {namespace}"))),
    }
}

/// Logging is granted to every policy, and no host call in the sense of a policy's budget.
fn log(recorder: &Recorder, operation: &str, payload: &[u8]) -> Result<Vec<u8>, HostError> {
    if operation != "log" {
        return Err(HostError::Host(format!("unknown operation: {operation}")));
    }
    let event = serde_json::from_slice(payload)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(payload).into_owned()));
    recorder.lock().logs.push(event);
    Ok(Vec::new())
}
