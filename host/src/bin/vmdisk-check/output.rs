//! Reports, to standard output or to a file.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;

/// Writes a report. A file is there whole or not at all, also if the program is interrupted; a reader of standard output
/// that has seen enough (`head`) is no error.
pub(crate) fn write(report: &str, file: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = file else {
        let mut stdout = std::io::stdout().lock();
        return match stdout.write_all(report.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error).context("standard output"),
            Ok(()) | Err(_) => Ok(()),
        };
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let done = std::fs::write(&part, report).and_then(|()| std::fs::rename(&part, path));
    if done.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&part);
    }
    done.with_context(|| path.display().to_string())
}
