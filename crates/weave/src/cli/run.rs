//! `weave run`: what is asked about a program.

use super::{DefineArgs, OrderArgs, OutputArgs, QuestionArgs};
use crate::units::parse_duration;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use workbench::programs::Sampling;

/// Explore every interleaving of a real program
///
/// Executes the program again and again under a scheduler that decides which thread or process goes
/// on, until every interleaving of visible operations has been explored. A source file is compiled
/// first, with its memory accesses instrumented.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave run models/programs/philosophers_mutex.c
  weave run -D N=4 --reduction none --keep-going models/programs/philosophers_sysv.c
  weave run ./server -- --port 0         a program and its arguments
  weave run --estimate file.c            how large would the search be?
  weave run --sample pct:3,2000 file.c   too large to search: random runs
  weave run --trace bug.run file.c; weave replay bug.run")]
pub(crate) struct RunArgs {
    /// A program, or a C or C++ file; it may also stand after `--`, before its arguments
    #[arg(required_unless_present = "arguments")]
    pub(crate) program: Option<PathBuf>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<OsString>,
    #[command(flatten)]
    pub(crate) define: DefineArgs,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    #[command(flatten)]
    pub(crate) orders: OrderArgs,
    /// Flags for the compiler, separated by blanks
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) cflags: Option<String>,
    /// Cut runs after N transitions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) depth: u64,
    /// A thread diverges after this CPU time without a visible operation
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "2s")]
    pub(crate) divergence: Duration,
    /// A thread that cannot move in N successive states is a livelock
    #[arg(long, value_name = "N")]
    pub(crate) livelock: Option<usize>,
    /// Stop after N runs
    #[arg(long, value_name = "N")]
    pub(crate) max_runs: Option<u64>,
    /// Leave out runs with more than N preemptions
    #[arg(long, value_name = "N")]
    pub(crate) preemptions: Option<usize>,
    /// Random runs instead of a search: random:N, or pct:D,N for bugs of depth D
    #[arg(long, value_name = "HOW", value_parser = parse_sampling)]
    pub(crate) sample: Option<Sampling>,
    /// Only estimate how large the search would be (Knuth's method); --max-runs sets the number of
    /// runs
    #[arg(long, conflicts_with = "sample")]
    pub(crate) estimate: bool,
    /// An exit status other than 0 is a violation
    #[arg(long)]
    pub(crate) exit: bool,
    /// Sleeping orders nothing (free), or the thread that sleeps less comes first (ordered), as on
    /// an idle machine; no system guarantees that, so without a violation the verdict is unknown
    #[arg(long, value_name = "HOW", default_value = "free", value_parser = ["free", "ordered"])]
    pub(crate) time: String,
    /// Run the program even if it cannot be contained
    #[arg(long)]
    pub(crate) trust: bool,
    /// Assume that threads and processes do not communicate: through memory that code without
    /// instrumentation accesses (unseen-memory); through library functions that are not modelled
    /// (library-calls)
    #[arg(long, value_name = "WHAT", value_parser = ["unseen-memory", "library-calls"])]
    pub(crate) assume: Vec<String>,
    /// Execute a recorded run again instead of searching
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
    /// Stop every process of the failing run in gdb, at the failing step
    #[arg(long)]
    pub(crate) gdb: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl RunArgs {
    /// The program and what it gets: `weave run PROGRAM -- ARGUMENTS` or
    /// `weave run -- PROGRAM ARGUMENTS`.
    pub(crate) fn words(&self) -> (PathBuf, Vec<OsString>) {
        match (&self.program, self.arguments.split_first()) {
            (Some(program), _) => (program.clone(), self.arguments.clone()),
            (None, Some((program, arguments))) => (program.into(), arguments.to_vec()),
            (None, None) => (PathBuf::new(), Vec::new()),
        }
    }
}

/// Compile C and C++ files so that `weave run` sees their memory accesses
///
/// Calls the compiler ($CC, $CXX, or cc, c++) with the same arguments and those that `weave run`
/// needs. The program does not start without `weave run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weave cc -O1 -o server server.c pool.c -lm && weave run ./server
  make CC='weave cc'")]
pub(crate) struct CcArgs {
    /// Arguments of the compiler
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<OsString>,
}

fn parse_sampling(text: &str) -> Result<Sampling, String> {
    let wrong = || format!("`{text}` is neither random:N nor pct:D,N");
    let number = |t: &str| t.parse::<u64>().ok().filter(|n| *n > 0).ok_or_else(wrong);
    match text.split_once(':').ok_or_else(wrong)? {
        ("random", runs) => Ok(Sampling::Random { runs: number(runs)? }),
        ("pct", both) => {
            let (depth, runs) = both.split_once(',').ok_or_else(wrong)?;
            Ok(Sampling::Pct { depth: number(depth)?, runs: number(runs)? })
        }
        _ => Err(wrong()),
    }
}
