//! Where texts go. A reader who goes away (a closed pipe) is no reason to fail.

use std::io::Write;

/// To standard output.
pub(crate) fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// A line to standard output.
pub(crate) fn line(text: &str) {
    out(&format!("{text}\n"));
}

/// A line to standard error.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
