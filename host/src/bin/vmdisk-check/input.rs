//! What `run` and `record` are given, and the evaluation of it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use vmdisk_host::request::admission_request;
use vmdisk_host::{Cluster, Evaluation, Policy};

use crate::dump::document;

/// Where the module is looked for.
const DEFAULT_POLICIES: [&str; 2] = ["policy.wasm", "target/wasm32-wasip1/release/vmdisk_policy.wasm"];

/// What is judged, and where.
#[derive(Args)]
pub(crate) struct Input {
    /// The request, as YAML or JSON: a manifest of a VMDisk, DataVolume or VirtualMachine (as if it were created), an
    /// AdmissionRequest or an AdmissionReview. `-` reads standard input.
    #[arg(short, long, value_name = "FILE")]
    request: PathBuf,

    /// The cluster: a file or folder of manifests, or `-`. Lists as kubectl prints them will do. A document
    /// `apiVersion: vmdisk-check/v1, kind: Cluster` may say what goes wrong in it (`forbidden: [StorageProfile]`).
    /// Without this option nothing exists.
    #[arg(short, long, value_name = "PATH")]
    cluster: Option<PathBuf>,

    /// The policy's settings, as YAML or JSON.
    #[arg(short, long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// The policy's module. By default ./policy.wasm, then what
    /// `cargo build --release --target wasm32-wasip1` makes.
    #[arg(short, long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl Input {
    /// The request that is judged, and what the module says.
    pub(crate) fn evaluate(&self) -> anyhow::Result<(Value, Evaluation)> {
        let stdin = Path::new("-");
        if self.request == stdin && self.cluster.as_deref() == Some(stdin) {
            bail!("request and cluster cannot both come from standard input");
        }
        let document: Value = document(&self.request)?;
        let request = admission_request(&document).with_context(|| self.request.display().to_string())?;
        let cluster = match &self.cluster {
            Some(path) => Cluster::load(path).context("the cluster")?,
            None => Cluster::default(),
        };
        let policy = self.policy()?;
        let settings = self.settings(&policy)?;
        let evaluation = policy.validate(&request, &settings, &cluster)?;
        if let Some(call) = evaluation.never_answered() {
            bail!("a policy server would wait for ever for the answer to {}", call.request);
        }
        Ok((request, evaluation))
    }

    fn settings(&self, policy: &Policy) -> anyhow::Result<Value> {
        let Some(path) = &self.settings else {
            return Ok(json!({}));
        };
        let settings: Value = document(path)?;
        let settings = if settings.is_null() { json!({}) } else { settings };
        let verdict = policy.validate_settings(&settings)?;
        if verdict.get("valid") != Some(&Value::Bool(true)) {
            let message = verdict.get("message").and_then(Value::as_str).unwrap_or("no reason given");
            bail!("{}: {message}", path.display());
        }
        Ok(settings)
    }

    fn policy(&self) -> anyhow::Result<Policy> {
        let path = match &self.policy {
            Some(path) => path.as_path(),
            None => DEFAULT_POLICIES.iter().map(Path::new).find(|path| path.exists()).with_context(|| {
                format!(
                    "no module at {}: build it with `cargo build --release --target wasm32-wasip1 -p vmdisk-policy`, \
                     or name one with --policy",
                    DEFAULT_POLICIES.join(" or ")
                )
            })?,
        };
        Ok(Policy::load(path)?)
    }
}
