//! Options that several commands share, each defined once. For which files an option is stands in
//! `applies`.

use crate::formats::{FORMATS, Format};
use crate::units::{parse_duration, parse_size};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::time::Duration;
use workbench::kind::{INPUTS, Kind};
use workbench::shapes::Races;
use workbench::{Define, Failure, Limits, Question, REDUCTIONS, ReductionKind, Selection, input};

/// The heading of options that say where an answer goes and how it looks. They do not change it:
/// `reproduce:` leaves them out.
pub(crate) const OUTPUT: &str = "Output";

/// The other headings of `--help`.
pub(crate) const ASKED: &str = "What is asked";
pub(crate) const SEARCH: &str = "How it is searched";
pub(crate) const LIMITS: &str = "Limits";
pub(crate) const STATES: &str = "How states are kept";
pub(crate) const REDUCED: &str = "Partial-order reduction";
pub(crate) const SHAPES: &str = "For .tvm and .java files";
pub(crate) const PROGRAM: &str = "The program";
pub(crate) const PROOFS: &str = "How it is proved";
pub(crate) const FILES: &str = "Files that are written";
pub(crate) const MODEL: &str = "How the file is read";

/// Where `-h` says that there is more.
pub(crate) const MORE: &str = "All options, with examples: --help";

/// Reads one of these words as what it stands for.
pub(crate) fn one_of<T>(words: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync,
{
    let meaning = |read: String| words.iter().find(|(word, _)| *word == read).unwrap_or(&words[0]).1;
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word)).map(meaning)
}

/// What is asked, of whatever kind of file: `check`, `prove` and `run` have these.
#[derive(Debug, Args)]
#[command(next_help_heading = ASKED)]
pub(crate) struct QuestionArgs {
    /// What to check: a name in the file, or safety, deadlock, assertion or progress
    ///
    /// May be given several times. Default: everything in the file.
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Check this formula of temporal logic instead of what the file states
    ///
    /// May be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Do not stop at the first violation
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Seed of random choices [default: 0]
    ///
    /// A full search makes none.
    #[arg(long, value_name = "N", help_heading = SEARCH, hide_short_help = true)]
    pub(crate) seed: Option<u64>,
    /// Number of threads, at most 256 [default: all cores]
    ///
    /// Verdicts do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS), help_heading = SEARCH)]
    pub(crate) threads: Option<u32>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Write the first counterexample to a file, for `weave replay`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) trace: Option<PathBuf>,
}

/// Which orders of steps are looked at: of `check` and `run`.
#[derive(Debug, Args)]
#[command(next_help_heading = SEARCH)]
pub(crate) struct OrderArgs {
    /// Partial-order reduction [default: the strongest that is sound for what is asked]
    ///
    /// dpor is for programs, and their default.
    #[arg(long, value_name = "KIND", value_parser = one_of(&REDUCTIONS))]
    pub(crate) reduction: Option<ReductionKind>,
    /// .java, programs: what a data race is [default: error]
    ///
    /// error: a violation. list: races are only listed, and all orders of the racing accesses are
    /// explored.
    #[arg(long, value_name = "HOW", value_parser = one_of(&[("error", Races::Error), ("list", Races::List)]), hide_short_help = true)]
    pub(crate) races: Option<Races>,
    /// .java, programs: waits may end without a notification
    ///
    /// In programs at most N times in each thread [default without N: 1; without the option: 0].
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1", hide_short_help = true)]
    pub(crate) spurious_wakeups: Option<u32>,
}

/// `-D`.
#[derive(Debug, Args)]
#[command(next_help_heading = MODEL)]
pub(crate) struct DefineArgs {
    /// Define a macro; in .spl and .fts, the value of an input
    ///
    /// As `#define NAME VALUE` in the first line would; without a value, 1. A name that a model
    /// does not mention is refused.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub(crate) defines: Vec<Define>,
}

/// What standard input is.
#[derive(Debug, Args)]
#[command(next_help_heading = MODEL)]
pub(crate) struct InputArgs {
    /// The language of standard input, if FILE is `-` [default: recognized from the text]
    #[arg(long, value_name = "LANGUAGE", value_parser = one_of(&INPUTS), hide_short_help = true)]
    pub(crate) kind: Option<Kind>,
}

/// How much a search may use.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = LIMITS)]
pub(crate) struct LimitArgs {
    /// Stop after N states [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Search no deeper than N [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u64>,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
}

/// How much any command may use.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = LIMITS)]
pub(crate) struct BoundArgs {
    /// Stop when weave uses this much memory: 512M, 2G [default: no limit]
    ///
    /// For programs also the limit on the address space of each process [default: 4G].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<u64>,
    /// Stop after this time: 30s, 5m, 2h [default: no limit]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
}

/// How the answer looks.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct OutputArgs {
    /// Write one JSON object per line on standard output; the last has "event":"result"
    #[arg(long)]
    json: bool,
    /// How the answer is written [default: text]
    ///
    /// json is as --json. sarif, junit and github (annotations) are for check, prove and run.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&FORMATS), conflicts_with = "json")]
    format: Option<Format>,
    /// Print only the first line of the answer
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Show long runs and wide charts in full
    #[arg(long)]
    pub(crate) full: bool,
}

impl OutputArgs {
    /// The format that was asked for.
    pub(crate) fn format(self) -> Format {
        let usual = if self.json { Format::Json } else { Format::Text };
        self.format.unwrap_or(usual)
    }

    /// Whether lines of JSON are written; other formats are made of them.
    pub(crate) fn json(self) -> bool {
        self.format() != Format::Text
    }
}

impl QuestionArgs {
    /// What is asked, as far as these options say it.
    pub(crate) fn question(&self) -> Question {
        Question {
            selected: self.property.iter().map(|name| Selection::parse(name)).collect(),
            keep_going: self.keep_going,
            seed: self.seed.unwrap_or(0),
            threads: threads(self.threads),
            limits: self.limits.limits(),
            ..Question::default()
        }
    }
}

/// More would be no faster, and each begins with memory of its own.
const MOST_THREADS: i64 = 256;

/// As many as asked for, or as the machine has.
fn threads(asked: Option<u32>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(all, |n| n as usize).min(MOST_THREADS as usize)
}

impl LimitArgs {
    pub(crate) fn limits(self) -> Limits {
        Limits { states: self.max_states, depth: self.max_depth, ..self.bounds.into() }
    }
}

impl From<BoundArgs> for Limits {
    fn from(bounds: BoundArgs) -> Limits {
        Limits { memory: bounds.max_memory, time: bounds.timeout, ..Limits::default() }
    }
}

impl InputArgs {
    /// Notes what standard input is; of other files their names say it.
    pub(crate) fn note(&self, files: &[PathBuf]) -> Result<(), Failure> {
        let Some(kind) = self.kind else { return Ok(()) };
        if !files.iter().any(|file| input::is_standard(file)) {
            let message = "--kind is for standard input, the file `-`; other files say it by their names";
            return Err(Failure::Request(message.to_string()));
        }
        input::call(kind);
        Ok(())
    }
}

fn parse_define(text: &str) -> Result<Define, String> {
    Define::parse(text).ok_or_else(|| "write NAME or NAME=VALUE".to_string())
}
