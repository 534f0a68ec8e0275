//! `weave simulate` and `weave replay`: one run of a model or a program.

use super::question::{MORE, PROGRAM};
use super::{BoundArgs, ModelArgs, OUTPUT, OutputArgs};
use clap::Args;
use std::path::PathBuf;

/// Execute one run of a model or a program: at random, step by step, or after a recorded run
#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = "\
Interactive commands, one per line:
  N      take step number N             b      one step back
  j N    back to the state after step N r [N]  take N random steps
  s      show the state                 t, c   show the run so far: list, chart
  w      show blocked processes         i N    begin in initial state N
  q      quit

Examples:
  weave simulate --seed 7 --steps 50 model.pml
  weave simulate --guide bug.trace --interactive model.pml
  weave simulate --interactive program.spl
  weave simulate --seed 3 Program.java                     from a concrete initial structure
  weave simulate --interactive program.c                   choose threads and outcomes")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Choose each step yourself
    #[arg(long, short)]
    pub(crate) interactive: bool,
    /// First take the steps of a recorded run
    #[arg(long, value_name = "TRACE")]
    pub(crate) guide: Option<PathBuf>,
    /// Flags for the compiler, for the source of a program, separated by blanks
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = PROGRAM)]
    pub(crate) cflags: Option<String>,
    /// Arguments of a program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<std::ffi::OsString>,
    /// Run a program even if it cannot be contained
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) trust: bool,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many random steps
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) steps: usize,
    /// Write the run to a file, for `weave replay`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Show a recorded run again
///
/// Executes the run again on its model, step by step, and shows it as a list and as a chart, or the
/// state after one step. A model that has changed since is refused.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A file written by --trace
    pub(crate) trace: PathBuf,
    /// The model, if it is not where it was when the run was recorded
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Show every variable after step N (0: the initial state)
    ///
    /// For a program, show the run only up to step N.
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,
    /// Stop every process of a program's run in gdb, after the last step
    #[arg(long)]
    pub(crate) gdb: bool,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
