//! `weave doctor`: which optional tools this machine has. None of them is needed to check a model.

use crate::exit::Exit;
use crate::output::line;
use workbench::Failure;
use workbench::tools::tools;

pub(crate) fn run() -> Result<Exit, Failure> {
    line(&format!("weave {}: everything it needs is in this program.", env!("CARGO_PKG_VERSION")));
    line("Optional tools:");
    for tool in tools() {
        let found = tool.found.map_or_else(|| "not found".to_string(), |path| path.display().to_string());
        line(&format!("  {:5} {found:24} {}", tool.name, tool.purpose));
    }
    Ok(Exit::Good)
}
