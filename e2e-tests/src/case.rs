//! A case as its folder describes it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use vmdisk_host::request::admission_request;
use vmdisk_host::{Manifests, yaml};

use crate::expected::Expected;
use crate::merge;
use crate::module::package_folder;

/// A case: a cluster, and requests that meet it.
#[derive(Debug, Clone)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// What it is about, in a line.
    pub about: String,
    /// Where it comes from.
    pub links: Vec<String>,
    /// The policy's settings.
    pub settings: Value,
    /// The cluster.
    pub manifests: Manifests,
    /// The requests, by name.
    pub requests: Vec<CaseRequest>,
}

/// A request of a case, and what must come of it.
#[derive(Debug, Clone)]
pub struct CaseRequest {
    /// The case's name, and the request's where there are several.
    pub name: String,
    /// The `AdmissionRequest`.
    pub request: Value,
    /// What must come of it. None until it is blessed for the first time.
    pub expected: Option<Expected>,
    /// Where that is written.
    pub expected_path: PathBuf,
}

/// `case.yaml`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Description {
    about: String,
    links: Vec<String>,
    /// Manifests to begin with, from this package's folder.
    uses: Vec<PathBuf>,
    /// Objects to take away from those: `Kind/name` or `Kind/namespace/name`.
    remove: Vec<String>,
    /// Partial manifests to merge onto those.
    merge: Vec<Value>,
}

/// All cases of this package: the path of each, and the case or why it cannot be loaded.
///
/// # Errors
/// The folder of cases cannot be read.
pub fn load_cases() -> anyhow::Result<Vec<(String, anyhow::Result<Case>)>> {
    let root = package_folder().join("cases");
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(&root).with_context(|| root.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders.into_iter().map(|folder| (name_of(&folder), load_case(&folder))).collect())
}

/// The case of a folder.
///
/// # Errors
/// A file of it cannot be read, is not what it should be, or does not belong there.
pub fn load_case(folder: &Path) -> anyhow::Result<Case> {
    let files = Files::of(folder)?;
    let description: Description = files.read("case")?.unwrap_or_default();
    let mut manifests = Manifests::new();
    for used in &description.uses {
        manifests.replace_with(Manifests::load(package_folder().join(used)).context("uses")?);
    }
    merge::remove(&mut manifests, &description.remove)?;
    for own in ["cluster", "cluster-extra"] {
        if let Some(path) = files.path(own) {
            manifests.replace_with(Manifests::load(path)?);
        }
    }
    merge::merge(&mut manifests, &description.merge)?;
    let settings = files.read("settings")?.unwrap_or(Value::Null);
    let name = name_of(folder);
    Ok(Case {
        requests: requests(&files, &name)?,
        about: description.about,
        links: description.links,
        settings: if settings.is_null() { json!({}) } else { settings },
        manifests,
        name,
    })
}

fn requests(files: &Files, case: &str) -> anyhow::Result<Vec<CaseRequest>> {
    let mut requests = Vec::new();
    for (stem, path) in &files.0 {
        let Some(suffix) = stem.strip_prefix("request") else { continue };
        let document: Value = read(path)?;
        let request = admission_request(&document).with_context(|| path.display().to_string())?;
        let expected_stem = format!("expected{suffix}");
        let expected_path = files.path(&expected_stem).cloned();
        requests.push(CaseRequest {
            name: suffix.strip_prefix('-').map_or_else(|| case.to_owned(), |suffix| format!("{case}::{suffix}")),
            request,
            expected: files.read(&expected_stem)?,
            expected_path: expected_path.unwrap_or_else(|| path.with_file_name(format!("{expected_stem}.yaml"))),
        });
    }
    if requests.is_empty() {
        bail!("a case needs request.yaml, or several request-NAME.yaml");
    }
    for (stem, path) in &files.0 {
        let orphan =
            stem.strip_prefix("expected").is_some_and(|suffix| files.path(&format!("request{suffix}")).is_none());
        if orphan {
            bail!("{} has no request", path.display());
        }
    }
    Ok(requests)
}

/// The files of a folder by name without extension.
struct Files(Vec<(String, PathBuf)>);

impl Files {
    fn of(folder: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let known = match extension {
                "yaml" | "yml" | "json" => {
                    let numbered = |prefix: &str| stem == prefix || stem.starts_with(&format!("{prefix}-"));
                    matches!(stem.as_str(), "case" | "cluster" | "cluster-extra" | "settings")
                        || numbered("request")
                        || numbered("expected")
                }
                "md" => continue,
                _ => stem == "cluster" && path.is_dir(),
            };
            if !known {
                bail!("{} does not belong into a case", path.display());
            }
            if files.iter().any(|(other, _)| *other == stem) {
                bail!("{} is there twice, with different extensions", path.with_extension("").display());
            }
            files.push((stem, path));
        }
        files.sort();
        Ok(Self(files))
    }

    fn path(&self, stem: &str) -> Option<&PathBuf> {
        self.0.iter().find(|(other, _)| other == stem).map(|(_, path)| path)
    }

    fn read<T: DeserializeOwned>(&self, stem: &str) -> anyhow::Result<Option<T>> {
        self.path(stem).map(|path| read(path)).transpose()
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let origin = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| origin.clone())?;
    Ok(yaml::single(&text, &origin)?)
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
