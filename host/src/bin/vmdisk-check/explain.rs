//! `vmdisk-check explain`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde::Deserialize as _;
use vmdisk_host::explain::{assess, story};
use vmdisk_host::request::admission_request;
use vmdisk_policy::json::Json;

use crate::dump::{DumpInput, document};
use crate::output;

/// Tell step by step how a decision comes about: what is looked up, what is found, why it leads on.
///
/// It ends with the verdict, and with the commands that show the same in a live cluster.
///
///     vmdisk-check explain --request disk.yaml --cluster dump.yaml
///
/// `vmdisk-check matrix --help` shows how to save a cluster. What the dump does not hold is unknown, never absent.
///
/// Exit status: 0 the request is accepted, 1 it is refused, 2 it could not be judged.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Explain {
    /// The request, as YAML or JSON: a manifest of a VMDisk or DataVolume (as if it were created), an
    /// AdmissionRequest or an AdmissionReview. `-` reads standard input.
    #[arg(short, long, value_name = "FILE")]
    request: PathBuf,

    #[command(flatten)]
    input: DumpInput,
}

impl Explain {
    /// Judges and tells.
    pub(crate) fn execute(&self) -> anyhow::Result<ExitCode> {
        self.input.not_both_from_stdin(&self.request)?;
        let settings = self.input.settings()?;
        let request = admission_request(&document(&self.request)?);
        let request = request.with_context(|| self.request.display().to_string())?;
        let dump = self.input.dump()?;
        let request = Json::deserialize(&request)?;
        let assessment = assess(&request, &settings, &dump);
        output::write(&story(&assessment, &settings, &dump), None)?;
        Ok(if assessment.verdict.refusal.is_none() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}
