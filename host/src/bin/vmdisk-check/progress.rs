//! A line on standard error that says how far the work is.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Work that is done sooner needs no word.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// The line. It is written to a terminal only, and gone when this is dropped.
pub(crate) struct Progress {
    on: bool,
    next: Instant,
    written: bool,
}

impl Progress {
    /// Nothing is said yet.
    pub(crate) fn new() -> Self {
        Self { on: std::io::stderr().is_terminal(), next: Instant::now() + PATIENCE, written: false }
    }

    /// Says what comes next, because it is known to take long.
    pub(crate) fn say_at_once(&mut self, text: &str) {
        self.next = Instant::now();
        self.say(text);
    }

    /// Says how far the work is, unless something was said a moment ago.
    pub(crate) fn say(&mut self, text: &str) {
        let now = Instant::now();
        if self.on && now >= self.next {
            self.next = now + INTERVAL;
            self.written = true;
            // A progress line that cannot be written is no reason to stop.
            let _ = write!(std::io::stderr(), "\r\u{1b}[K{text}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.written {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }
}
