//! `weave lsp` and `weave mcp`: for editors, and for programs that use tools.

use super::BoundArgs;
use crate::units::parse_size;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// How long a question may take, if nothing else is said.
const TIME: Duration = Duration::from_secs(60);
/// How much memory it may take.
const MEMORY: u64 = 2 << 30;

/// Serve an editor: diagnostics, names and checks of .pml, .spl, .fts and .tvm files
///
/// Speaks the Language Server Protocol on standard input and output; editors start it by
/// themselves. It reports what is wrong as you type, finds, explains and renames names, and checks
/// the property above which you click, in a process of its own.
#[derive(Debug, Args)]
#[command(after_help = "Example: vim.lsp.config('weave', { cmd = { 'weave', 'lsp' } })")]
pub(crate) struct LspArgs {
    /// What each check may use [default: 60s, 2G]
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
}

/// Serve a program that uses tools: check, prove, simulate, trace and explain, in one folder
///
/// Speaks the Model Context Protocol on standard input and output. Each call is a process with
/// limits on its time and memory. It sees the files under the folder, symbolic links followed, and
/// no others. Programs are executed only with --allow-run.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave mcp models                      checks and proofs of what is in this folder
  weave mcp --allow-run .               also `weave run`, which executes programs")]
pub(crate) struct McpArgs {
    /// The folder that can be seen
    #[arg(default_value = ".", value_name = "FOLDER")]
    pub(crate) root: PathBuf,
    /// Offer the tool run, which executes programs
    #[arg(long)]
    pub(crate) allow_run: bool,
    /// How long an answer may be
    #[arg(long, value_name = "SIZE", default_value = "64K", value_parser = parse_size)]
    pub(crate) max_answer: u64,
    /// What each call may use [default: 60s, 2G]
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
}

/// What was typed, or else what is usual, for a process that answers a question.
pub(crate) fn bounds(bounds: BoundArgs) -> (Duration, Vec<String>) {
    let memory = bounds.max_memory.unwrap_or(MEMORY);
    (bounds.timeout.unwrap_or(TIME), vec![format!("--max-memory={memory}")])
}
