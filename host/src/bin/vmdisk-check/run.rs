//! `vmdisk-check run`

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Args;
use serde_json::Value;
use vmdisk_host::Evaluation;

use crate::input::Input;
use crate::trace;

/// Judge a request against the manifests of a cluster.
///
/// The policy's response is printed as JSON on standard output; on a terminal, standard error gets it in words.
///
///     vmdisk-check run --request disk.yaml --cluster manifests/ --trace
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Run {
    #[command(flatten)]
    input: Input,

    /// Print every lookup that the policy made, in order, and how it was answered, on standard error.
    #[arg(short, long)]
    trace: bool,
}

impl Run {
    /// Judges and prints.
    pub(crate) fn execute(&self) -> anyhow::Result<ExitCode> {
        let (_, evaluation) = self.input.evaluate()?;
        if self.trace {
            trace::print(&evaluation);
        }
        println!("{:#}", evaluation.response);
        if std::io::stderr().is_terminal() {
            eprint!("{}", in_words(&evaluation));
        }
        Ok(if evaluation.accepted() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// The response as a few lines for a person.
fn in_words(evaluation: &Evaluation) -> String {
    let response = &evaluation.response;
    let mut text = if evaluation.accepted() {
        "accepted\n".to_owned()
    } else {
        let code = response.get("code").filter(|code| !code.is_null());
        let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
        let message = response.get("message").and_then(Value::as_str).unwrap_or("without a message");
        format!("refused{code}: {message}\n")
    };
    for warning in response.get("warnings").and_then(Value::as_array).into_iter().flatten() {
        text.push_str(&format!("warning: {}\n", warning.as_str().unwrap_or_default()));
    }
    text
}
