//! `vmdisk-check completions`

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::{Cli, output};

/// Print a script that completes vmdisk-check in a shell.
///
///     source <(vmdisk-check completions bash)
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints.
    pub(crate) fn execute(&self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "vmdisk-check", &mut script);
        output::write(&String::from_utf8(script)?, None)?;
        Ok(ExitCode::SUCCESS)
    }
}
