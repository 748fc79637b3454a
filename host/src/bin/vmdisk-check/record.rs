//! `vmdisk-check record`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use vmdisk_host::request::for_kwctl;
use vmdisk_host::session;

use crate::input::Input;

/// Write the lookups of a request as a session file, which kwctl replays.
///
///     vmdisk-check record --request disk.yaml --cluster manifests/ \
///         --output session.yml --admission-request request.json
///     kwctl run --request-path request.json --allow-context-aware \
///         --replay-host-capabilities-interactions session.yml annotated-policy.wasm
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Record {
    #[command(flatten)]
    input: Input,

    /// The session file to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Also write the AdmissionRequest that was judged, which kwctl takes as its --request-path.
    #[arg(short, long, value_name = "FILE")]
    admission_request: Option<PathBuf>,
}

impl Record {
    /// Judges and writes.
    pub(crate) fn execute(&self) -> anyhow::Result<ExitCode> {
        let (request, evaluation) = self.input.evaluate()?;
        let exchanges = session::of_calls(&evaluation.calls);
        let refused = evaluation.calls.len() - exchanges.len();
        if refused > 0 {
            // A replay grants everything, so these calls would shift all that follow.
            anyhow::bail!("{refused} of the calls were refused by the host itself: no session can hold those");
        }
        std::fs::write(&self.output, session::write(&exchanges)?).with_context(|| self.output.display().to_string())?;
        if let Some(path) = &self.admission_request {
            let request = for_kwctl(&request)?;
            std::fs::write(path, format!("{request:#}\n")).with_context(|| path.display().to_string())?;
        }
        println!("{:#}", evaluation.response);
        Ok(ExitCode::SUCCESS)
    }
}
