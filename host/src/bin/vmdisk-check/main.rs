//! `vmdisk-check`: what would the policy say? Answers without a cluster, from manifests.

mod completions;
mod dump;
mod explain;
mod input;
mod matrix;
mod output;
mod progress;
mod record;
mod run;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Ask vmdisk-policy what it would say about a disk, without a cluster.
///
/// The policy looks up storage classes, claims and the like. Here they come from manifests, for example from
/// `kubectl get storageclass,storageprofile,cdi,cdiconfig,csidriver -o yaml > cluster.yaml`.
///
/// Exit status: 0 the request is accepted, 1 it is refused, 2 it could not be judged.
#[derive(Parser)]
#[command(name = "vmdisk-check", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Explain(explain::Explain),
    Matrix(matrix::MatrixCommand),
    Record(record::Record),
    Completions(completions::Completions),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(run) => run.execute(),
        Command::Explain(explain) => explain.execute(),
        Command::Matrix(matrix) => matrix.execute(),
        Command::Record(record) => record.execute(),
        Command::Completions(completions) => completions.execute(),
    };
    done.unwrap_or_else(|error| {
        eprintln!("vmdisk-check: {error:#}");
        ExitCode::from(2)
    })
}
