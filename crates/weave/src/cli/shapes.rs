//! Options for `.tvm` and `.java` alone.

use super::{OUTPUT, one_of};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Default, Args)]
pub(crate) struct ShapesArgs {
    /// .tvm, .java: compare every abstract state with concrete runs of few individuals
    #[arg(long)]
    pub(crate) cross_check: bool,
    /// .tvm, .java: which abstract states are joined (default: relational for .tvm, partial for
    /// .java, where it applies only to what the exact search leaves open)
    #[arg(long, value_name = "KIND", value_parser = one_of(&[("relational", false), ("partial", true)]))]
    pub(crate) join: Option<bool>,
    /// .tvm, .java: how many individuals summary nodes may stand for in concrete runs (default 5)
    #[arg(long, value_name = "N")]
    pub(crate) individuals: Option<usize>,
    /// .java: any thread may be interrupted where it waits, sleeps or joins
    #[arg(long)]
    pub(crate) interrupts: bool,
    /// .tvm, .java: keep abstract runs in which a name loses individuals endlessly and gains none
    #[arg(long)]
    pub(crate) no_population_fairness: bool,
    /// .tvm, .java: write the counterexample as a picture, .dot or .svg
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) picture: Option<PathBuf>,
    /// .tvm, .java: write the graph of abstract states (the Kripke structure), .dot
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) kripke: Option<PathBuf>,
}
