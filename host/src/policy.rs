//! A built module, and evaluations with it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use wapc::{WapcHost, WebAssemblyEngineProvider};
use wasmtime_provider::wasmtime::{Engine, Module};
use wasmtime_provider::{WasmtimeEngineProviderBuilder, WasmtimeEngineProviderPre};

use crate::answer::Answers;
use crate::call::{HostCall, Outcome};
use crate::callback::{self, Record, Recorder};
use crate::cluster::Cluster;
use crate::metered::{Meter, MeteredPre};

/// A policy that cannot be loaded, or that failed.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The module cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no waPC module that this host can run.
    #[error("not a module that can be run: {0}")]
    Module(String),
    /// The module trapped, or answered with an error. In a cluster, the user gets a status 500.
    #[error("{operation} failed: {text}")]
    Guest {
        /// What it was asked.
        operation: String,
        /// Its own words, or wasmtime's.
        text: String,
        /// The host calls before that.
        calls: Vec<HostCall>,
    },
    /// The module's answer is not JSON.
    #[error("{operation} answered what is not JSON: {source}")]
    Answer {
        /// What it was asked.
        operation: String,
        /// Why it is not.
        source: serde_json::Error,
    },
}

/// A module, compiled once. Every evaluation runs on a fresh instance, as on a policy server.
#[derive(Clone)]
pub struct Policy {
    engine: PolicyEngine,
}

#[derive(Clone)]
enum PolicyEngine {
    /// The very code that a policy server runs.
    Plain(Box<WasmtimeEngineProviderPre>),
    /// This crate's own, which counts.
    Metered(MeteredPre),
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy").finish_non_exhaustive()
    }
}

/// What came of an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The module's `ValidationResponse`.
    pub response: Value,
    /// Its host calls, in order. Logging is none.
    pub calls: Vec<HostCall>,
    /// What it logged, in order.
    pub logs: Vec<Value>,
    /// How much it executed, if the policy is metered: about a unit per instruction, initialisation included.
    pub fuel: Option<u64>,
    /// How large its memory became, in bytes, if the policy is metered.
    pub memory: Option<u64>,
}

/// What came of an evaluation, with the answer as the module wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The answer.
    pub answer: Vec<u8>,
    /// See [`Evaluation::calls`].
    pub calls: Vec<HostCall>,
    /// See [`Evaluation::logs`].
    pub logs: Vec<Value>,
    /// See [`Evaluation::fuel`].
    pub fuel: Option<u64>,
    /// How many bytes its memory had in the end, if the policy is metered. Memory never shrinks, so it is the most.
    pub memory: Option<u64>,
}

impl Evaluation {
    /// Whether the request is accepted.
    #[must_use]
    pub fn accepted(&self) -> bool {
        self.response.get("accepted") == Some(&Value::Bool(true))
    }

    /// The first call that a real host would never have answered, so that no user would have got this response.
    #[must_use]
    pub fn never_answered(&self) -> Option<&HostCall> {
        self.calls.iter().find(|call| call.outcome == Outcome::NeverAnswered)
    }
}

impl Policy {
    /// Loads and compiles a module from its file.
    ///
    /// # Errors
    /// The file cannot be read, or is no module.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, PolicyError> {
        Self::from_bytes(&read(path.as_ref())?)
    }

    /// The same for measurements: evaluations also say how much fuel they burn. Slower than [`Policy::load`].
    ///
    /// # Errors
    /// The file cannot be read, or is no module.
    pub fn load_metered(path: impl AsRef<Path>) -> Result<Self, PolicyError> {
        Self::metered_from_bytes(&read(path.as_ref())?)
    }

    /// Compiles a module: WebAssembly, or its text format.
    ///
    /// # Errors
    /// It is no module.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PolicyError> {
        let unusable = |error: &dyn fmt::Display| PolicyError::Module(error.to_string());
        // The default engine: no cache on disk, no limit of time or fuel.
        let engine = Engine::default();
        let module = Module::new(&engine, bytes).map_err(|error| unusable(&format!("{error:#}")))?;
        let builder = WasmtimeEngineProviderBuilder::new().engine(engine).module(module);
        let pre = builder.build_pre().map_err(|error| unusable(&error))?;
        Ok(Self { engine: PolicyEngine::Plain(Box::new(pre)) })
    }

    /// [`Policy::load_metered`] of a module in memory.
    ///
    /// # Errors
    /// It is no module.
    pub fn metered_from_bytes(bytes: &[u8]) -> Result<Self, PolicyError> {
        let pre = MeteredPre::new(bytes).map_err(|error| PolicyError::Module(format!("{error:#}")))?;
        Ok(Self { engine: PolicyEngine::Metered(pre) })
    }

    /// Asks the module to judge an `AdmissionRequest`.
    ///
    /// # Errors
    /// It trapped, answered with an error, or with something that is not JSON.
    pub fn validate(&self, request: &Value, settings: &Value, cluster: &Cluster) -> Result<Evaluation, PolicyError> {
        self.validate_with(request, settings, Arc::new(cluster.clone()))
    }

    /// The same with answers from anywhere, such as a recorded session.
    ///
    /// # Errors
    /// It trapped, answered with an error, or with something that is not JSON.
    pub fn validate_with(
        &self,
        request: &Value,
        settings: &Value,
        answers: Arc<dyn Answers>,
    ) -> Result<Evaluation, PolicyError> {
        let payload = json!({"request": request, "settings": settings}).to_string();
        self.evaluate("validate", payload.as_bytes(), answers)
    }

    /// Asks the module whether settings are valid.
    ///
    /// # Errors
    /// It trapped, answered with an error, or with something that is not JSON.
    pub fn validate_settings(&self, settings: &Value) -> Result<Value, PolicyError> {
        let payload = settings.to_string();
        let evaluation = self.evaluate("validate_settings", payload.as_bytes(), Arc::new(Cluster::default()))?;
        Ok(evaluation.response)
    }

    /// The version of Kubewarden's protocol that the module speaks.
    ///
    /// # Errors
    /// It trapped, answered with an error, or with something that is not JSON.
    pub fn protocol_version(&self) -> Result<Value, PolicyError> {
        Ok(self.evaluate("protocol_version", &[], Arc::new(Cluster::default()))?.response)
    }

    /// Calls any operation of a fresh instance.
    ///
    /// # Errors
    /// It trapped, answered with an error, or with something that is not JSON.
    pub fn evaluate(
        &self,
        operation: &str,
        payload: &[u8],
        answers: Arc<dyn Answers>,
    ) -> Result<Evaluation, PolicyError> {
        let run = self.run(operation, payload, answers)?;
        let response = serde_json::from_slice(&run.answer)
            .map_err(|source| PolicyError::Answer { operation: operation.to_owned(), source })?;
        Ok(Evaluation { response, calls: run.calls, logs: run.logs, fuel: run.fuel, memory: run.memory })
    }

    /// The same, with the answer as the module wrote it, letter for letter.
    ///
    /// # Errors
    /// It trapped, or answered with an error.
    pub fn run(&self, operation: &str, payload: &[u8], answers: Arc<dyn Answers>) -> Result<Run, PolicyError> {
        let recorder = Recorder::default();
        let meter = Arc::new(Meter::default());
        let answer = self.call(operation, payload, callback::new(answers, recorder.clone()), &meter);
        let Record { calls, logs } = recorder.take();
        let answer = match answer {
            Ok(answer) => answer,
            Err(text) => return Err(PolicyError::Guest { operation: operation.to_owned(), text, calls }),
        };
        let metered = matches!(self.engine, PolicyEngine::Metered(_));
        let read = |counter: &AtomicU64| metered.then(|| counter.load(Ordering::Relaxed));
        Ok(Run { answer, calls, logs, fuel: read(&meter.fuel), memory: read(&meter.memory) })
    }

    /// The bytes that a fresh instance of the module answers, or its own words or wasmtime's why not.
    fn call(
        &self,
        operation: &str,
        payload: &[u8],
        callback: Box<wapc::HostCallback>,
        meter: &Arc<Meter>,
    ) -> Result<Vec<u8>, String> {
        let provider: Box<dyn WebAssemblyEngineProvider> = match &self.engine {
            PolicyEngine::Plain(pre) => Box::new(pre.rehydrate(None).map_err(|error| error.to_string())?),
            PolicyEngine::Metered(pre) => Box::new(pre.provider(Arc::clone(meter))),
        };
        let host = WapcHost::new(provider, Some(callback)).map_err(|error| error.to_string())?;
        host.call(operation, payload).map_err(|error| error.to_string())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, PolicyError> {
    std::fs::read(path).map_err(|source| PolicyError::Read { path: path.to_owned(), source })
}
