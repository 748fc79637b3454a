//! The calls of an evaluation, one a line.

use vmdisk_host::Evaluation;

/// Prints them on standard error.
pub(crate) fn print(evaluation: &Evaluation) {
    for (number, call) in (1..).zip(&evaluation.calls) {
        let cache = if call.request.disable_cache() == Some(true) { " (uncached)" } else { "" };
        eprintln!("{number:>3}  {}{cache}: {}", call.request, call.outcome);
    }
    for log in &evaluation.logs {
        eprintln!("log  {log}");
    }
}
