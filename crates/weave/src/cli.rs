//! The command line: every option with its help text, and the texts of `--help`.

use crate::commands::shapes::ShapesArgs;
use crate::units::{parse_duration, parse_size};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use std::time::Duration;
use workbench::ltl::{Syntax, Target};
use workbench::prove::Choice;
use workbench::{
    Define, Fairness, Limits, ModelRequest, Order, PersistentSets, ReductionKind, ReductionRequest, Relation,
};

#[derive(Debug, Parser)]
#[command(name = "weave", version, max_term_width = 100, args_override_self = true, after_help = AFTER)]
#[command(about = "Checks every interleaving of a concurrent system, or proves that none can go wrong.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Exit codes: 0 everything holds · 1 a violation · 2 the request is wrong · 3 inconclusive · 101 a bug in weave · 130 interrupted

Examples:
  weave check model.pml                 deadlocks, assertions, run-time errors, unreached code
  weave check --search bfs model.pml    the shortest counterexample
  weave simulate --interactive model.pml";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Simulate(SimulateArgs),
    Replay(ReplayArgs),
    Ltl(LtlArgs),
    Explain(ExplainArgs),
    /// Which optional tools this machine has
    Doctor,
    Completions(CompletionsArgs),
    DiffSpin(DiffSpinArgs),
    Run(Box<RunArgs>),
    Prove(ProveArgs),
}

/// The model and how it is read.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// The model: Promela (.pml), or .tvm and .java for any number of threads and objects
    pub(crate) file: PathBuf,
    /// Define a macro, as `#define NAME VALUE` in the first line would
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub(crate) defines: Vec<Define>,
}

/// How the answer looks.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputArgs {
    /// One JSON object a line on standard output; the last has "event":"result"
    #[arg(long)]
    pub(crate) json: bool,
    /// Only the first line of the answer
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Show long traces and wide charts whole
    #[arg(long)]
    pub(crate) full: bool,
}

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
    /// Depth-first, or breadth-first for shortest counterexamples
    #[arg(long, value_enum, default_value_t = Search::Dfs)]
    pub(crate) search: Search,
    /// One statement is one transition: no merging, slicing or dead-variable reset
    #[arg(long)]
    pub(crate) raw: bool,
    /// Do not stop at the first violation
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// What to check: safety, deadlock, assertion, progress or a name in the file (default: everything in the file)
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Partial-order reduction: none, sleep, persistent or persistent+sleep
    #[arg(long, value_name = "KIND", value_parser = ["none", "sleep", "persistent", "persistent+sleep"])]
    pub(crate) reduction: Option<String>,
    /// How persistent sets are computed: conflict, overman or stubborn (the default)
    #[arg(long, value_name = "KIND", value_parser = ["conflict", "overman", "stubborn"])]
    pub(crate) persistent_sets: Option<String>,
    /// What depends on what: static, or in each state (conditional, the default)
    #[arg(long, value_name = "KIND", value_parser = ["static", "conditional"])]
    pub(crate) relation: Option<String>,
    /// The proviso of reduced searches: where needed (auto, the default), on, or off (decides about deadlocks only)
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "on", "off"])]
    pub(crate) proviso: Option<String>,
    /// How states are stored; this version has only `exact`
    #[arg(long, value_name = "KIND")]
    pub(crate) store: Option<String>,
    /// Check this formula of temporal logic instead of what the file states; may be given several times
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Which infinite runs count: all, those fair to a process that can always move (weak), or can move again and again (strong)
    #[arg(long, value_enum, default_value_t = FairnessArg::None)]
    pub(crate) fairness: FairnessArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Seed of everything random; a full search has nothing random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Threads to search for loops with (default: all); the search for errors in states uses one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
    /// Write the (first) counterexample to a file, for `weave replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shapes: ShapesArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Explore every interleaving of a real program
///
/// Executes the program again and again under a scheduler that decides which thread or process goes on, until every interleaving
/// of visible operations was seen. A source file is compiled first, with its memory accesses instrumented.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave run models/programs/philosophers_mutex.c
  weave run -D N=4 --reduction none --keep-going models/programs/philosophers_sysv.c
  weave run ./server -- --port 0         a program and its arguments
  weave run --trace bug.run file.c; weave replay bug.run")]
pub(crate) struct RunArgs {
    /// A program, or a C or C++ file; it may also stand behind `--`, before its arguments
    #[arg(required_unless_present = "arguments")]
    pub(crate) program: Option<PathBuf>,
    /// What the program gets
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<std::ffi::OsString>,
    /// Define a macro, for a source file
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub(crate) defines: Vec<Define>,
    /// Flags for the compiler, separated by blanks
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) cflags: Option<String>,
    /// Which interleavings need not be seen
    #[arg(long, value_name = "KIND", default_value = "dpor",
        value_parser = ["none", "sleep", "persistent", "persistent+sleep", "dpor"])]
    pub(crate) reduction: String,
    /// Cut runs after so many transitions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) depth: usize,
    /// CPU time without a visible operation that is called divergence
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "2s")]
    pub(crate) divergence: Duration,
    /// A thread that cannot move in N successive states is a livelock
    #[arg(long, value_name = "N")]
    pub(crate) livelock: Option<usize>,
    /// Stop after so many runs
    #[arg(long, value_name = "N")]
    pub(crate) max_runs: Option<u64>,
    /// Stop after so long: 30s, 5m, 2h
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Do not stop at the first violation
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// An exit status other than 0 is a violation
    #[arg(long)]
    pub(crate) exit: bool,
    /// Data races are listed, or are violations
    #[arg(long, value_name = "HOW", default_value = "list", value_parser = ["list", "error"])]
    pub(crate) races: String,
    /// Address space of each process
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4G")]
    pub(crate) max_memory: u64,
    /// Run the program even if it cannot be contained
    #[arg(long)]
    pub(crate) trust: bool,
    /// Execute a recorded run again instead of searching
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
    /// Write the (first) failing run to a file, for `weave replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl CheckArgs {
    pub(crate) fn reduction(&self) -> ReductionRequest {
        ReductionRequest {
            kind: self.reduction.as_deref().map(|kind| match kind {
                "sleep" => ReductionKind::Sleep,
                "persistent" => ReductionKind::Persistent,
                "persistent+sleep" => ReductionKind::PersistentSleep,
                _ => ReductionKind::None,
            }),
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
                Some("on") => Some(true),
                Some("off") => Some(false),
                _ => None,
            },
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop after so many states
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Go no deeper than this
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u64>,
    /// Stop when the search uses so much memory: 512M, 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<u64>,
    /// Stop after so long: 30s, 5m, 2h
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
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
pub(crate) enum Search {
    Dfs,
    Bfs,
}

/// Prove properties of SPL programs and transition systems (.spl, .fts)
///
/// Runs the proofs in the file; a property without one is tried with generated invariants, the invariance rules and top-down
/// strengthening. What is not proved is unknown, never violated; a failed condition shows two states and the statement between.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave prove models/spl/bakery2.spl
  weave prove program.spl properties.spec                  a specification in a file of its own
  weave prove --ltl '[]~(l3 /\\ m3)' models/spl/bakery2.spl")]
pub(crate) struct ProveArgs {
    /// The program or transition system, and files with its specification
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Prove this formula instead of the properties in the file
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Prove only this property
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Use no proofs of the file
    #[arg(long)]
    pub(crate) auto: bool,
    /// Which solver to ask
    #[arg(long, value_enum, default_value_t = SolverArg::Any)]
    pub(crate) solver: SolverArg,
    /// Stop after so long: 30s, 5m, 2h
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Give up on a condition after so long
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) condition_timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverArg {
    Any,
    Embedded,
    Z3,
    Cvc5,
}

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

/// Say what a formula of temporal logic means, without a model
///
/// Whether it is valid or satisfiable, its class (safety, guarantee, obligation, recurrence, persistence, reactivity), whether it
/// counts steps, its automaton, a word that satisfies it and one that does not. The formula is in SPIN's syntax, in STeP's or in the
/// common one of letters; which of them is found out. Exit code 0 if all that is asked for by --is and --equivalent is so, 1 if
/// not, 3 if an automaton becomes too large.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave ltl '[] (request -> <> reply)'
  weave ltl 'G (p -> F q)' --is safety --is stutter-invariant
  weave ltl 'p W q' --equivalent 'G p | p U q'
  weave ltl '!(G F p -> G F q)' --to never")]
pub(crate) struct LtlArgs {
    /// The formula; atoms are any expressions
    pub(crate) formula: String,
    /// Does every word satisfy both formulas or neither?
    #[arg(long, value_name = "FORMULA")]
    pub(crate) equivalent: Option<String>,
    /// Is it of this kind? Decides the exit code; can be given several times
    #[arg(long = "is", value_enum, value_name = "KIND")]
    pub(crate) claims: Vec<Claim>,
    /// The syntax, if it is to be no other
    #[arg(long, value_enum)]
    pub(crate) syntax: Option<SyntaxName>,
    /// Write the formula in another syntax, or its automaton, and nothing else
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Format>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What a formula can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Claim {
    Valid,
    Satisfiable,
    Unsatisfiable,
    Safety,
    Guarantee,
    Obligation,
    Recurrence,
    Persistence,
    Liveness,
    StutterInvariant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SyntaxName {
    Spin,
    Step,
    Common,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Spin,
    Step,
    Common,
    /// Hanoi Omega-Automata, version 1
    Hoa,
    /// A never claim of the formula as it is: negate a property first
    Never,
    /// Graphviz
    Dot,
}

/// Explain a diagnostic code, such as E0301
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    pub(crate) code: String,
}

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example: weave completions bash > ~/.local/share/bash-completion/completions/weave")]
pub(crate) struct CompletionsArgs {
    #[arg(value_enum)]
    pub(crate) shell: Shell,
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

fn parse_define(text: &str) -> Result<Define, String> {
    Define::parse(text).ok_or_else(|| "write NAME or NAME=VALUE".to_string())
}

impl ModelArgs {
    pub(crate) fn request(&self) -> ModelRequest {
        ModelRequest { file: self.file.clone(), defines: self.defines.clone(), formulas: Vec::new() }
    }
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { states: self.max_states, depth: self.max_depth, memory: self.max_memory, time: self.timeout }
    }
}

impl SolverArg {
    pub(crate) fn choice(self) -> Choice {
        match self {
            SolverArg::Any => Choice::Any,
            SolverArg::Embedded => Choice::Embedded,
            SolverArg::Z3 => Choice::Z3,
            SolverArg::Cvc5 => Choice::Cvc5,
        }
    }
}

impl Search {
    pub(crate) fn order(self) -> Order {
        match self {
            Search::Dfs => Order::DepthFirst,
            Search::Bfs => Order::BreadthFirst,
        }
    }
}

impl Claim {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Claim::Valid => "valid",
            Claim::Satisfiable => "satisfiable",
            Claim::Unsatisfiable => "unsatisfiable",
            Claim::Safety => "safety",
            Claim::Guarantee => "guarantee",
            Claim::Obligation => "obligation",
            Claim::Recurrence => "recurrence",
            Claim::Persistence => "persistence",
            Claim::Liveness => "liveness",
            Claim::StutterInvariant => "stutter-invariant",
        }
    }
}

impl SyntaxName {
    pub(crate) fn syntax(self) -> Syntax {
        match self {
            SyntaxName::Spin => Syntax::Spin,
            SyntaxName::Step => Syntax::Step,
            SyntaxName::Common => Syntax::Common,
        }
    }
}

impl Format {
    pub(crate) fn target(self) -> Target {
        match self {
            Format::Spin => Target::Syntax(Syntax::Spin),
            Format::Step => Target::Syntax(Syntax::Step),
            Format::Common => Target::Syntax(Syntax::Common),
            Format::Hoa => Target::Hoa,
            Format::Never => Target::Never,
            Format::Dot => Target::Dot,
        }
    }
}

impl Command {
    /// Whether the answer is to be JSON.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Command::Check(args) => args.output.json,
            Command::Simulate(args) => args.output.json,
            Command::Replay(args) => args.output.json,
            Command::Ltl(args) => args.output.json,
            Command::Prove(args) => args.output.json,
            Command::DiffSpin(args) => args.json,
            Command::Run(args) => args.output.json,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
