//! `weave run`: what is asked about a program.

use super::question::{ASKED, LIMITS, MODEL, MORE, PROGRAM, SEARCH};
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
#[command(after_help = MORE, after_long_help = "\
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
    /// Flags for the compiler, separated by blanks
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = MODEL)]
    pub(crate) cflags: Option<String>,
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// An exit status other than 0 is a violation
    #[arg(long, help_heading = ASKED)]
    pub(crate) exit: bool,
    /// A thread diverges after this CPU time without a visible operation
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "2s", help_heading = ASKED, hide_short_help = true)]
    pub(crate) divergence: Duration,
    /// A thread that cannot move in N successive states is a livelock [default: not looked for]
    #[arg(long, value_name = "N", help_heading = ASKED, hide_short_help = true)]
    pub(crate) livelock: Option<usize>,
    #[command(flatten)]
    pub(crate) orders: OrderArgs,
    /// Random runs instead of a search: random:N, or pct:D,N for bugs of depth D
    #[arg(long, value_name = "HOW", value_parser = parse_sampling, help_heading = SEARCH)]
    pub(crate) sample: Option<Sampling>,
    /// Only estimate how large the search would be (Knuth's method)
    ///
    /// --max-runs sets the number of runs [default: 400].
    #[arg(long, conflicts_with = "sample", help_heading = SEARCH)]
    pub(crate) estimate: bool,
    /// Sleeping orders nothing (free), or the thread that sleeps less comes first (ordered)
    ///
    /// Ordered as on an idle machine; no system guarantees that, so without a violation the verdict
    /// is unknown.
    #[arg(long, value_name = "HOW", default_value = "free", value_parser = ["free", "ordered"], help_heading = SEARCH, hide_short_help = true)]
    pub(crate) time: String,
    /// Cut runs after N transitions
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = LIMITS)]
    pub(crate) depth: u64,
    /// Stop after N runs [default: no limit]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub(crate) max_runs: Option<u64>,
    /// Leave out runs with more than N preemptions [default: none is left out]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub(crate) preemptions: Option<usize>,
    /// Run the program even if it cannot be contained
    #[arg(long, help_heading = PROGRAM)]
    pub(crate) trust: bool,
    /// Assume that threads and processes do not communicate in one of two ways
    ///
    /// Through memory that code without instrumentation accesses (unseen-memory); through library
    /// functions that are not modelled (library-calls).
    #[arg(long, value_name = "WHAT", value_parser = ["unseen-memory", "library-calls"], help_heading = PROGRAM)]
    pub(crate) assume: Vec<String>,
    /// Execute a recorded run again instead of searching
    #[arg(long, value_name = "FILE", help_heading = PROGRAM, hide_short_help = true)]
    pub(crate) replay: Option<PathBuf>,
    /// Stop every process of the failing run in gdb, at the failing step
    #[arg(long, help_heading = PROGRAM)]
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
