//! Options for `.tvm` and `.java` alone.

use super::question::SHAPES;
use super::{OUTPUT, one_of};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Default, Args)]
#[command(next_help_heading = SHAPES)]
pub(crate) struct ShapesArgs {
    /// Compare every abstract state with concrete runs of few individuals
    #[arg(long, hide_short_help = true)]
    pub(crate) cross_check: bool,
    /// Which abstract states are joined [default: relational for .tvm, partial for .java]
    ///
    /// For .java, partial applies only to what the exact search leaves open.
    #[arg(long, value_name = "KIND", value_parser = one_of(&[("relational", false), ("partial", true)]), hide_short_help = true)]
    pub(crate) join: Option<bool>,
    /// How many individuals summary nodes may stand for in concrete runs [default: 5]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) individuals: Option<usize>,
    /// .java: any thread may be interrupted where it waits, sleeps or joins
    #[arg(long, hide_short_help = true)]
    pub(crate) interrupts: bool,
    /// Keep abstract runs in which a name loses individuals endlessly and gains none
    #[arg(long, hide_short_help = true)]
    pub(crate) no_population_fairness: bool,
    /// .tvm, .java: write the counterexample as a picture, .dot or .svg
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) picture: Option<PathBuf>,
    /// .tvm, .java: write the graph of abstract states (the Kripke structure), .dot
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) kripke: Option<PathBuf>,
}
