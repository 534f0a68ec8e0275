//! `weave check` and `weave diff-spin`: what is asked about a model.

use super::{ModelArgs, OrderArgs, OutputArgs, QuestionArgs, ShapesArgs};
use crate::units::parse_duration;
use clap::{Args, ValueEnum};
use std::time::Duration;
use workbench::{Engine, Failure, Fairness, Order, PersistentSets, Proviso, ReductionRequest, Relation};

/// Check every interleaving of a model
///
/// Searches everything the model can do and answers HOLDS, VIOLATED or UNKNOWN. A violation comes with a run that shows it; each
/// such run is executed again by an independent checker before it is shown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave check models/promela/philosophers_deadlock.pml
  weave check --search bfs --trace bug.trace model.pml     shortest run, written to a file
  weave check -D N=5 --timeout 60s --max-memory 2G model.pml
  weave check --raw --keep-going --json model.pml          counts as SPIN's full search has them")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    #[command(flatten)]
    pub(crate) orders: OrderArgs,
    /// Depth-first (the default where the search is reduced), or breadth-first for shortest counterexamples, without reduction and
    /// with all threads
    #[arg(long, value_enum)]
    pub(crate) search: Option<Search>,
    /// One statement is one transition: no merging, slicing or dead-variable reset
    #[arg(long)]
    pub(crate) raw: bool,
    /// How persistent sets are computed: conflict, overman or stubborn (the default)
    #[arg(long, value_name = "KIND", value_parser = ["conflict", "overman", "stubborn"])]
    pub(crate) persistent_sets: Option<String>,
    /// What depends on what: static, or in each state (conditional, the default)
    #[arg(long, value_name = "KIND", value_parser = ["static", "conditional"])]
    pub(crate) relation: Option<String>,
    /// The proviso of reduced searches: where needed (auto, the default), on, off (decides about deadlocks only), or the one of
    /// terminal components (tmscc, for persistent sets alone)
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "on", "off", "tmscc"])]
    pub(crate) proviso: Option<String>,
    /// Instead of an answer, tell for one state why each step is taken or left out: the first state where something is left out
    /// (`first`, the default), the initial one (`start`), or the last one of a trace file
    #[arg(long, value_name = "WHERE", num_args = 0..=1, require_equals = true, default_missing_value = "first")]
    pub(crate) explain_reduction: Option<String>,
    /// Instead of an answer, hold every reduction against the full search, and execute both orders of steps that are called
    /// independent in N reached states (default 1,000); a difference is a bug in weave
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true)]
    pub(crate) audit: Option<Option<usize>>,
    /// How states are stored: all of them (exact, the default), or no more than N, the others forgotten (cache:N)
    #[arg(long, value_name = "KIND")]
    pub(crate) store: Option<String>,
    /// Which infinite runs count: all (none, the default), those fair to a process that can always move (weak), or can move again
    /// and again (strong); for .spl and .fts it weakens the fairness of the file
    #[arg(long, value_enum)]
    pub(crate) fairness: Option<FairnessArg>,
    /// How models, .spl and .fts files are searched: state by state, or with sets of states as decision diagrams
    #[arg(long, value_enum, default_value_t = EngineArg::Explicit)]
    pub(crate) engine: EngineArg,
    /// .spl, .fts: enter no state that breaks this property of the file or this assertion; may be given several times
    #[arg(long, value_name = "NAME|ASSERTION")]
    pub(crate) invariant: Vec<String>,
    #[command(flatten)]
    pub(crate) shapes: ShapesArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl CheckArgs {
    pub(crate) fn reduction(&self) -> ReductionRequest {
        ReductionRequest {
            kind: self.orders.kind(),
            sets: match self.persistent_sets.as_deref() {
                Some("conflict") => PersistentSets::Conflict,
                Some("overman") => PersistentSets::Overman,
                _ => PersistentSets::Stubborn,
            },
            relation: match self.relation.as_deref() {
                Some("static") => Relation::Static,
                _ => Relation::Conditional,
            },
            proviso: match self.proviso.as_deref() {
                Some("on") => Some(Proviso::Stack),
                Some("off") => Some(Proviso::Off),
                Some("tmscc") => Some(Proviso::Terminal),
                _ => None,
            },
        }
    }
}

/// Reads `cache:N`; `None` is every state.
pub(crate) fn cache(store: Option<&str>) -> Result<Option<usize>, Failure> {
    let Some(kind) = store.filter(|kind| *kind != "exact") else { return Ok(None) };
    let Some(room) = kind.strip_prefix("cache:") else {
        let message = format!("this version does not have stores `{kind}`; there are exact and cache:N");
        return Err(Failure::Request(message));
    };
    let room = room.replace('_', "").parse().ok().filter(|n| *n > 0);
    let refused = || Failure::Request(format!("`{kind}` does not say how many states; write cache:100000"));
    room.map(Some).ok_or_else(refused)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FairnessArg {
    None,
    Weak,
    Strong,
}

impl From<FairnessArg> for Fairness {
    fn from(fairness: FairnessArg) -> Fairness {
        match fairness {
            FairnessArg::None => Fairness::None,
            FairnessArg::Weak => Fairness::Weak,
            FairnessArg::Strong => Fairness::Strong,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    Explicit,
    Symbolic,
}

impl From<EngineArg> for Engine {
    fn from(engine: EngineArg) -> Engine {
        match engine {
            EngineArg::Explicit => Engine::Search,
            EngineArg::Symbolic => Engine::Symbolic,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Search {
    Dfs,
    Bfs,
}

impl Search {
    pub(crate) fn order(self) -> Order {
        match self {
            Search::Dfs => Order::DepthFirst,
            Search::Bfs => Order::BreadthFirst,
        }
    }
}

/// Compare with SPIN: counts and verdicts side by side
///
/// Runs SPIN's raw full search (spin -o1 -o2 -o3 -a, gcc, pan -c0; no reduction, no claims) and ours (--raw --keep-going
/// --property safety) on the same model. Exit code 0 if they agree, 1 if not, 3 if one of them has no complete answer.
#[derive(Debug, Args)]
pub(crate) struct DiffSpinArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Stop each tool after so long
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "10m")]
    pub(crate) timeout: Duration,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
