//! `weave simulate` and `weave replay`: one run of a model.

use super::{ModelArgs, OutputArgs};
use clap::Args;
use std::path::PathBuf;

/// Run a model: at random, step by step, or after a recorded run
#[derive(Debug, Args)]
#[command(after_help = "\
Interactive commands, one a line:
  N      take move number N             b      one step back
  j N    jump to the state after step N r [N]  take N random steps
  s      show the state                 t, c   show the run so far: list, chart
  q      quit

Examples:
  weave simulate --seed 7 --steps 50 model.pml
  weave simulate --guide bug.trace --interactive model.pml")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Choose each move yourself
    #[arg(long, short)]
    pub(crate) interactive: bool,
    /// First take the steps of a recorded run
    #[arg(long, value_name = "TRACE")]
    pub(crate) guide: Option<PathBuf>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many random steps
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) steps: usize,
    /// Write the run to a file, for `weave replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Show a recorded run again
///
/// Takes the run again on its model, step by step, and shows it as a list and as a chart, or the state after one step. A model that
/// has changed since is refused.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A file written by --trace
    pub(crate) trace: PathBuf,
    /// The model, if it is not where it was when the run was recorded
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Show every variable after step N (0: the initial state)
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
