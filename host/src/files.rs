//! The files of a path: manifests and dumps are found and read in the same way.

use std::path::{Path, PathBuf};

/// A file or folder that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ReadError {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub source: std::io::Error,
}

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Visits a file or, for `-`, standard input; of a folder all `.yaml`, `.yml` and `.json` files below, in order.
pub(crate) fn each<E: From<ReadError>>(path: &Path, visit: &mut dyn FnMut(&Path) -> Result<(), E>) -> Result<(), E> {
    if path == Path::new(STANDARD_INPUT) || !path.is_dir() {
        return visit(path);
    }
    for path in below(path).map_err(|source| ReadError { path: path.to_owned(), source })? {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() || matches!(extension, Some("yaml" | "yml" | "json")) {
            each(&path, visit)?;
        }
    }
    Ok(())
}

fn below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The text of a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<String, ReadError> {
    let text = if path == Path::new(STANDARD_INPUT) {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(path)
    };
    text.map_err(|source| ReadError { path: path.to_owned(), source })
}

/// What a file is called in errors.
pub(crate) fn origin(path: &Path) -> String {
    if path == Path::new(STANDARD_INPUT) { "standard input".to_owned() } else { path.display().to_string() }
}
