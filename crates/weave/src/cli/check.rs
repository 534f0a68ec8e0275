//! `weave check` and `weave diff-spin`: what is asked about a model.

use super::question::{ASKED, MORE, REDUCED, SEARCH, STATES};
use super::{ModelArgs, OrderArgs, OutputArgs, QuestionArgs, ShapesArgs, one_of};
use crate::units::{parse_duration, parse_size};
use clap::Args;
use std::time::Duration;
use workbench::{
    DiskStore, Engine, Failure, Fairness, Keep, Order, PersistentSets, Proviso, ReductionRequest, Relation,
};

const SETS: [(&str, PersistentSets); 3] = [
    ("conflict", PersistentSets::Conflict),
    ("overman", PersistentSets::Overman),
    ("stubborn", PersistentSets::Stubborn),
];

/// None is where it is needed.
type When = Option<Proviso>;

const PROVISOS: [(&str, When); 4] = [
    ("auto", None),
    ("on", Some(Proviso::Stack)),
    ("off", Some(Proviso::Off)),
    ("tmscc", Some(Proviso::Terminal)),
];

const FAIRNESS: [(&str, Fairness); 3] =
    [("none", Fairness::None), ("weak", Fairness::Weak), ("strong", Fairness::Strong)];

const ENGINES: [(&str, Engine); 2] = [("explicit", Engine::Search), ("symbolic", Engine::Symbolic)];

/// Check every interleaving of a model
///
/// Explores every behaviour of the model and answers HOLDS, VIOLATED or UNKNOWN. A violation comes
/// with a run that shows it; an independent checker executes each run again before it is shown.
#[derive(Debug, Args)]
#[command(after_help = MORE, after_long_help = "\
Examples:
  weave check models/promela/philosophers_deadlock.pml
  weave check --search bfs --trace bug.trace model.pml     shortest run, written to a file
  weave check -D N=5 --timeout 60s --max-memory 2G model.pml
  weave check --raw --reduction none --keep-going model.pml   counts as SPIN's full search does
  generate | weave check -                                 a model from standard input")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Which infinite runs count [default: none, that is, all of them]
    ///
    /// weak: those fair to a process that is always enabled. strong: also to one that is enabled
    /// again and again. For .spl and .fts it weakens the fairness of the file.
    #[arg(long, value_parser = one_of(&FAIRNESS), help_heading = ASKED)]
    pub(crate) fairness: Option<Fairness>,
    /// .spl, .fts: enter no state that violates this property of the file or this assertion
    ///
    /// May be given several times.
    #[arg(long, value_name = "NAME|ASSERTION", help_heading = ASKED, hide_short_help = true)]
    pub(crate) invariant: Vec<String>,
    #[command(flatten)]
    pub(crate) orders: OrderArgs,
    /// Depth-first, or breadth-first for the shortest counterexample [default: dfs]
    ///
    /// dfs is reduced; bfs is not, and uses all threads.
    #[arg(long, value_parser = one_of(&[("dfs", Order::DepthFirst), ("bfs", Order::BreadthFirst)]), help_heading = SEARCH)]
    pub(crate) search: Option<Order>,
    /// One statement is one transition: no merging, slicing or dead-variable reset
    #[arg(long, help_heading = SEARCH)]
    pub(crate) raw: bool,
    /// State by state, or with sets of states as decision diagrams: for models, .spl and .fts
    #[arg(long, value_parser = one_of(&ENGINES), default_value = "explicit", help_heading = SEARCH)]
    pub(crate) engine: Engine,
    /// Certify what holds even if there are many states
    ///
    /// An independent checker visits all of them with the reference semantics alone, up to 200,000
    /// (without this option, up to 1,000).
    #[arg(long, help_heading = SEARCH, hide_short_help = true)]
    pub(crate) certify: bool,
    /// How states are stored [default: exact]
    ///
    /// All of them (exact); all of them in files of a folder (disk:DIR); at most N, forgetting
    /// others (cache:N); 64 bits of a hash of each (compact); three bits of each in a table of SIZE
    /// (bitstate:SIZE; bitstate alone is 256M, or three quarters of --max-memory). With compact and
    /// bitstate states may be taken for others: what is not violated is unknown, and the answer
    /// says about how many states were missed. With disk:DIR the search is breadth-first, without
    /// reduction; the same command goes on where an earlier one was stopped or killed.
    #[arg(long, value_name = "KIND", help_heading = STATES)]
    pub(crate) store: Option<String>,
    /// How often --store disk:DIR writes a checkpoint [default: every 5s]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = STATES, hide_short_help = true)]
    pub(crate) checkpoint: Option<Duration>,
    /// Search N times with --store bitstate, each time in another way
    ///
    /// With other hashes, another order of steps and other bounds of depth: for spaces far beyond
    /// memory.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = STATES, hide_short_help = true)]
    pub(crate) swarm: Option<u64>,
    /// How persistent sets are computed [default: stubborn]
    #[arg(long, value_name = "KIND", value_parser = one_of(&SETS), help_heading = REDUCED, hide_short_help = true)]
    pub(crate) persistent_sets: Option<PersistentSets>,
    /// The dependency relation: static, or computed in each state [default: conditional]
    #[arg(long, value_name = "KIND", value_parser = one_of(&[("static", Relation::Static), ("conditional", Relation::Conditional)]), help_heading = REDUCED, hide_short_help = true)]
    pub(crate) relation: Option<Relation>,
    /// Where a reduced search may not postpone steps endlessly [default: auto]
    ///
    /// Where that is needed (auto), everywhere (on), nowhere (off: decides only deadlocks), or by
    /// terminal components (tmscc, only for --reduction persistent).
    #[arg(long, value_name = "WHEN", value_parser = one_of(&PROVISOS), help_heading = REDUCED, hide_short_help = true)]
    pub(crate) proviso: Option<When>,
    /// Instead of an answer, explain for one state why each step is taken or left out
    ///
    /// The first state where something is left out (first) [default without WHERE], the initial one
    /// (start), or the last one of a trace file. graph: all states of a model that has at most 500.
    #[arg(long, value_name = "WHERE", num_args = 0..=1, require_equals = true, default_missing_value = "first", help_heading = REDUCED, hide_short_help = true)]
    pub(crate) explain_reduction: Option<String>,
    /// Instead of an answer, compare every reduction with the full search
    ///
    /// Executes both orders of steps that are called independent in N reached states [default
    /// without N: 1,000]; a difference is a bug in weave.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, help_heading = REDUCED, hide_short_help = true)]
    pub(crate) audit: Option<Option<usize>>,
    #[command(flatten)]
    pub(crate) shapes: ShapesArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl CheckArgs {
    pub(crate) fn reduction(&self) -> ReductionRequest {
        ReductionRequest {
            kind: self.orders.reduction,
            sets: self.persistent_sets.unwrap_or(PersistentSets::Stubborn),
            relation: self.relation.unwrap_or(Relation::Conditional),
            proviso: self.proviso.flatten(),
        }
    }
}

/// The table of a bitstate search, if neither its size nor a limit of memory is given.
const TABLE: u64 = 256 << 20;

/// How often a checkpoint is written.
const CHECKPOINT: Duration = Duration::from_secs(5);

/// Where `--store` asks for states to be kept on disk, if it does.
pub(crate) fn disk(args: &CheckArgs) -> Result<Option<DiskStore>, Failure> {
    let refused = |message: &str| Err(Failure::Request(message.to_string()));
    let Some(("disk", given)) = args.store.as_deref().map(kind_of_store) else {
        return match args.checkpoint {
            None => Ok(None),
            Some(_) => refused("--checkpoint is for --store disk:DIR"),
        };
    };
    if args.audit.is_some() || args.explain_reduction.is_some() {
        return refused("--store disk is for answers: --audit and --explain-reduction keep states in memory");
    }
    match given {
        None | Some("") => {
            refused("`disk` does not say where; write disk:DIR, a folder that is empty or not there yet")
        }
        Some(folder) => {
            let every = args.checkpoint.unwrap_or(CHECKPOINT);
            Ok(Some(DiskStore { folder: folder.into(), every }))
        }
    }
}

fn kind_of_store(store: &str) -> (&str, Option<&str>) {
    store.split_once(':').map_or((store, None), |(kind, given)| (kind, Some(given)))
}

/// What `--store` and `--swarm` ask to be kept of states.
pub(crate) fn keep(args: &CheckArgs) -> Result<Keep, Failure> {
    let refused = |message: String| Err(Failure::Request(message));
    let table = args.question.limits.bounds.max_memory.map_or(TABLE, |limit| limit / 4 * 3);
    let (kind, given) = match args.store.as_deref() {
        None if args.swarm.is_some() => return Ok(Keep::Bits(table)),
        None => return Ok(Keep::All),
        Some(store) => kind_of_store(store),
    };
    if args.swarm.is_some() && kind != "bitstate" {
        return refused(format!("--swarm is for --store bitstate, not for {kind}"));
    }
    match (kind, given) {
        ("exact", None) | ("disk", _) => Ok(Keep::All),
        ("compact", None) => Ok(Keep::Hashes),
        ("bitstate", None) => Ok(Keep::Bits(table)),
        ("bitstate", Some(size)) => parse_size(size).map(Keep::Bits).map_err(Failure::Request),
        ("cache", room) => {
            let room = room.and_then(|room| room.replace('_', "").parse().ok()).filter(|n| *n > 0);
            let message = format!("`{kind}` does not say how many states; write cache:100000");
            room.map(Keep::AtMost).ok_or(Failure::Request(message))
        }
        _ => refused(format!(
            "there is no store `{kind}`; write exact, disk:DIR, compact, bitstate:SIZE or cache:N"
        )),
    }
}

/// Compare with SPIN: counts and verdicts side by side
///
/// Runs SPIN's raw full search (spin -o1 -o2 -o3 -a, gcc, pan -c0; no reduction, no claims) and
/// ours (--raw --reduction none --keep-going --property safety) on the same model. Exit code 0 if
/// they agree, 1 if not, 3 if one of them has no complete answer.
#[derive(Debug, Args)]
pub(crate) struct DiffSpinArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Stop each tool after this time
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "10m")]
    pub(crate) timeout: Duration,
    /// Write one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
