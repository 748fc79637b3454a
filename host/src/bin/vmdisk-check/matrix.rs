//! `vmdisk-check matrix`

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use vmdisk_host::matrix::{Matrix, Question, RowSource, TableStyle, Word};
use vmdisk_policy::names;
use vmdisk_policy::quantity::Quantity;

use crate::dump::DumpInput;
use crate::output;
use crate::progress::Progress;

/// Show which image can be cloned into which class, how, and where it would hang.
///
/// Every cell is the answer of the policy's own code to a new disk. Save the cluster first, then ask:
///
///     kubectl get storageclass,storageprofile,pvc,pv,volumesnapshotclass,cdi,cdiconfig,csidriver,\
/// datavolume,datasource,volumesnapshot,volumesnapshotcontent -A -o yaml > dump.yaml
///     vmdisk-check matrix --cluster dump.yaml
///     vmdisk-check matrix --cluster dump.yaml --output-format html --output matrix.html
///
/// Cells:
///     csi-clone          the driver clones the volume
///     snapshot (class)   the driver takes a snapshot with that VolumeSnapshotClass and restores it
///     copy: reason       pods copy the data: slow, but it works
///     waits: reason      CDI does nothing until what is missing is there
///     fails: reason      CDI fails, over and over
///     refused: reason    the policy refuses the disk
///     unknown: what      the dump lacks what decides
///
/// What the dump does not hold is unknown, never absent. A list does not show which kinds were asked for: if the
/// cluster has no VolumeSnapshotClass at all, say `--have volumesnapshotclass`.
///
/// In CI, `--fail-on refused,fails` makes the exit status 1 if any cell is one of these.
///
/// Exit status: 0 done, 1 a cell of --fail-on, 2 the matrix could not be made.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct MatrixCommand {
    #[command(flatten)]
    input: DumpInput,

    /// The size of the new disks, such as 20Gi. By default each asks for as much as its source.
    #[arg(long, value_name = "QUANTITY")]
    size: Option<String>,

    /// The namespace of the new disks.
    #[arg(short, long, value_name = "NAMESPACE", default_value = "default")]
    namespace: String,

    /// A claim to clone from, instead of the golden images and DataSources. May be repeated.
    #[arg(long, value_name = "NAMESPACE/NAME")]
    source: Vec<String>,

    /// How the matrix is written.
    #[arg(short = 'f', long, value_enum, default_value_t = Format::Table)]
    output_format: Format,

    /// The file to write. By default standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// When the table has colours.
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,

    /// The width of the table, in characters. By default $COLUMNS, else 100.
    #[arg(long, value_name = "CHARACTERS")]
    width: Option<usize>,

    /// Exit with status 1 if any cell is one of these: refused, fails, waits, unknown, copy, …
    #[arg(long, value_name = "WORD", value_delimiter = ',', value_parser = word)]
    fail_on: Vec<Word>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal
    Table,
    /// For a wiki or a pull request
    Markdown,
    /// For programs; docs/vmdisk-check.md describes it
    Json,
    /// One page without network access
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

fn word(text: &str) -> Result<Word, String> {
    let known = || Word::ALL.map(Word::as_str).join(", ");
    Word::ALL.into_iter().find(|word| word.as_str() == text).ok_or_else(|| format!("expected one of {}", known()))
}

impl MatrixCommand {
    /// Asks and writes.
    pub(crate) fn execute(&self) -> anyhow::Result<ExitCode> {
        let question = self.question()?;
        let dump = self.input.dump()?;
        let mut progress = Progress::new();
        let matrix = Matrix::of(&dump, &question, &mut |done, total| progress.say(&format!("{done} of {total} cells")));
        drop(progress);
        let report = match self.output_format {
            Format::Table => matrix.to_table(self.style()),
            Format::Markdown => matrix.to_markdown(),
            Format::Json => format!("{:#}\n", matrix.to_json()),
            Format::Html => matrix.to_html("Clone matrix"),
        };
        output::write(&report, self.output.as_deref())?;
        let failed = self.fail_on.iter().any(|word| matrix.count(*word) > 0);
        Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn question(&self) -> anyhow::Result<Question> {
        if let Some(size) = &self.size {
            Quantity::parse(size).with_context(|| format!("--size {size}: expected a quantity such as 20Gi"))?;
        }
        if !names::is_namespace(&self.namespace) {
            bail!("--namespace {}: no namespace can have this name", self.namespace);
        }
        let sources = self.source.iter().map(|source| match source.split_once('/') {
            Some((namespace, name)) if names::is_namespace(namespace) && names::is_object_name(name) => {
                Ok(RowSource::Claim { namespace: namespace.to_owned(), name: name.to_owned() })
            }
            Some(_) | None => bail!("--source {source}: expected NAMESPACE/NAME of a claim"),
        });
        Ok(Question {
            sources: sources.collect::<Result<_, _>>()?,
            size: self.size.clone(),
            namespace: self.namespace.clone(),
            settings: self.input.settings()?,
        })
    }

    fn style(&self) -> TableStyle {
        let columns = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let colour = match self.color {
            Colour::Always => true,
            Colour::Never => false,
            // https://no-color.org: set and not empty.
            Colour::Auto => {
                self.output.is_none()
                    && std::io::stdout().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        TableStyle { width: self.width.or_else(columns).unwrap_or(100).max(40), colour }
    }
}
