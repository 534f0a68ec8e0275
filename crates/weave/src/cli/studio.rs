//! `weave studio`: the same in the browser.

use super::BoundArgs;
use clap::Args;
use std::path::PathBuf;

/// Open a folder or a file in the browser: check, see runs, step through them, choose other steps
///
/// Serves a page on this machine, to this machine alone, until you press Ctrl-C. The printed
/// address contains a key, and nothing is answered without it. The page sees the files under the
/// folder and nothing else. A program is executed only after you allow it there.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave studio                          the current folder
  weave studio models/promela
  weave studio model.pml                its folder, with this file open
  weave studio --tour                   four examples, with a few sentences at each step
  weave studio --port 7000 --no-open    behind `ssh -L 7000:127.0.0.1:7000 host`")]
pub(crate) struct StudioArgs {
    /// The folder, or a file in it
    #[arg(default_value = ".", value_name = "FOLDER|FILE", conflicts_with = "tour")]
    pub(crate) path: PathBuf,
    /// Begin with a tour of four examples, copies in a temporary folder
    #[arg(long)]
    pub(crate) tour: bool,
    /// The port on 127.0.0.1 [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Only print the address; do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// What each search may use
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
}
