//! The dump and the settings that `matrix` and `explain` are given.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Deserialize as _;
use serde_json::Value;
use vmdisk_host::dump::{Dump, kind_named};
use vmdisk_host::yaml;
use vmdisk_policy::cluster::Kind;
use vmdisk_policy::json::Json;
use vmdisk_policy::settings::Settings;

use crate::progress::Progress;

/// A file of so many bytes takes a while.
const LARGE: u64 = 5_000_000;

/// A dump, and how to read it.
#[derive(Args)]
pub(crate) struct DumpInput {
    /// The cluster: a file or folder of what `kubectl get … -o yaml` (or json) printed, or `-` for standard input.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) cluster: PathBuf,

    /// Kinds of which the dump holds everything, even where that is nothing: `pv,volumesnapshotclass`, or `all`.
    /// Otherwise a kind of which it holds nothing is unknown, because a list does not show what was asked for. A file
    /// that is named after a kind (`pv.yaml`) and holds a list says the same.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    have: Vec<String>,

    /// The policy's settings, as YAML or JSON.
    #[arg(short, long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

impl DumpInput {
    /// The dump.
    pub(crate) fn dump(&self) -> anyhow::Result<Dump> {
        let mut have = Vec::new();
        for name in &self.have {
            match name.as_str() {
                "all" => have.extend(Kind::ALL),
                name => have.push(kind_named(name).context("--have")?),
            }
        }
        let mut progress = Progress::new();
        let loaded = Dump::load(&self.cluster, &mut |path| {
            let text = format!("reading {}", path.display());
            // Standard input may be of any size.
            let large = std::fs::metadata(path).map_or(true, |file| file.len() > LARGE);
            if large { progress.say_at_once(&text) } else { progress.say(&text) }
        });
        drop(progress);
        let mut dump = loaded.context("the cluster")?;
        dump.have(have);
        Ok(dump)
    }

    /// The settings.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let Some(path) = &self.settings else {
            return Ok(Settings::default());
        };
        let value = document(path)?;
        let settings = Json::deserialize(&value)?;
        Settings::parse(Some(&settings)).map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
            anyhow::anyhow!("{}:\n{}", path.display(), problems.join("\n"))
        })
    }

    /// Fails if the dump and this file would both come from standard input.
    pub(crate) fn not_both_from_stdin(&self, other: &Path) -> anyhow::Result<()> {
        if self.cluster == Path::new("-") && other == Path::new("-") {
            bail!("request and cluster cannot both come from standard input");
        }
        Ok(())
    }
}

/// The only document of a file, or of standard input for `-`.
pub(crate) fn document(path: &Path) -> anyhow::Result<Value> {
    let (text, origin) = if path == Path::new("-") {
        (std::io::read_to_string(std::io::stdin()).context("standard input")?, "standard input".to_owned())
    } else {
        let origin = path.display().to_string();
        (std::fs::read_to_string(path).with_context(|| origin.clone())?, origin)
    };
    Ok(yaml::single(&text, &origin)?)
}
