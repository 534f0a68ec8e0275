//! Standard input as a file. Its name is `-`; what it is stands in its content, unless the user
//! says it.
//!
//! It can be read once, so it is kept.

use crate::failure::Failure;
use crate::kind::Kind;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// The name that stands for standard input.
pub const NAME: &str = "-";

static KIND: OnceLock<Kind> = OnceLock::new();
static CONTENT: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();

/// Whether a file is standard input.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == NAME
}

/// Says what standard input is; the first word counts.
pub fn call(kind: Kind) {
    let _ = KIND.set(kind);
}

/// What standard input was called.
pub(crate) fn called() -> Option<Kind> {
    KIND.get().copied()
}

/// All of it, at most `most` bytes and one more.
pub(crate) fn content(most: u64) -> Result<&'static [u8], Failure> {
    let read = CONTENT.get_or_init(|| {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    });
    let fail = |message: &String| Failure::File { path: NAME.into(), message: message.clone() };
    read.as_deref().map_err(fail)
}
