//! The command line: every option with its help text, and the texts of `--help`.

mod applies;
mod check;
mod follow;
mod ltl;
mod mistyped;
mod prove;
mod question;
mod run;
mod servers;
mod shapes;
mod studio;
mod test;

pub(crate) use applies::{admit, command};
pub(crate) use check::{CheckArgs, DiffSpinArgs, disk, keep};
pub(crate) use follow::{ReplayArgs, SimulateArgs};
pub(crate) use ltl::{Claim, LtlArgs};
pub(crate) use mistyped::hinted;
pub(crate) use prove::ProveArgs;
pub(crate) use question::{
    BoundArgs, DefineArgs, InputArgs, OUTPUT, OrderArgs, OutputArgs, QuestionArgs, one_of,
};
pub(crate) use run::{CcArgs, RunArgs};
pub(crate) use servers::{LspArgs, McpArgs, bounds as served};
pub(crate) use shapes::ShapesArgs;
pub(crate) use studio::StudioArgs;
pub(crate) use test::TestArgs;

use crate::formats::Format;
use crate::style::{COLOURS, Colour};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use workbench::{Failure, Limits, ModelRequest};

#[derive(Debug, Parser)]
#[command(name = "weave", version, max_term_width = 100, args_override_self = true, after_help = AFTER)]
#[command(about = "Checks every interleaving of a concurrent system, or proves that none can go wrong.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours [default: auto, on a terminal unless NO_COLOR is set]
    #[arg(long, global = true, value_name = "WHEN", value_parser = one_of(&COLOURS), help_heading = OUTPUT)]
    pub(crate) color: Option<Colour>,
}

const AFTER: &str = "\
Exit codes: 0 everything holds · 1 a violation · 2 the request is wrong · 3 inconclusive ·
101 a bug in weave · 130 interrupted

Examples:
  weave check model.pml       a model: deadlocks, assertions, formulas
  weave check Buffer.java     a Java class: any number of threads
  weave run program.c         a C program: every interleaving of its threads
  weave prove program.spl     a program with infinitely many states
  weave studio .              the same in the browser";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Run(Box<RunArgs>),
    Prove(Box<ProveArgs>),
    Simulate(SimulateArgs),
    Replay(ReplayArgs),
    Studio(StudioArgs),
    Test(TestArgs),
    Ltl(LtlArgs),
    Explain(ExplainArgs),
    Doctor(DoctorArgs),
    Cc(CcArgs),
    DiffSpin(DiffSpinArgs),
    Lsp(LspArgs),
    Mcp(McpArgs),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Man(ManArgs),
    #[command(hide = true)]
    Names(NamesArgs),
}

/// The model and how it is read.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// The file: .pml, .spl, .fts, .tvm or .java; for simulate also a program; `-` for standard
    /// input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) define: DefineArgs,
}

/// Explain a word of an answer, such as deadlock or assumes, or a code, such as E0301
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The word or code; without one, all words are listed
    #[arg(value_name = "WORD")]
    pub(crate) code: Option<String>,
    /// Write one JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,
}

/// What this machine has that weave can use, and what each is for
///
/// A compiler for C and C++, a debugger, solvers, SPIN and Graphviz; namespaces that contain a
/// program that `weave run` executes, and large pages for searches of many states.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Write one JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,
}

/// Write the manual pages into a folder: weave.1, weave-check.1, and so on
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder; it is made if it is not there
    pub(crate) folder: PathBuf,
}

/// List the properties of a file, for the completion of --property
#[derive(Debug, Args)]
pub(crate) struct NamesArgs {
    /// The words of a command line; the file is the first of them that is one
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}

/// Print completions for a shell; bash, zsh and fish complete names of properties, too
#[derive(Debug, Args)]
#[command(after_help = "Example: weave completions bash > ~/.local/share/bash-completion/completions/weave")]
pub(crate) struct CompletionsArgs {
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

impl ModelArgs {
    pub(crate) fn request(&self) -> ModelRequest {
        ModelRequest { file: self.file.clone(), defines: self.define.defines.clone(), formulas: Vec::new() }
    }
}

impl Command {
    /// How much the whole command may use, whatever it is doing.
    pub(crate) fn limits(&self) -> Limits {
        match self {
            Command::Check(args) => args.question.limits.limits(),
            Command::Simulate(args) => args.bounds.into(),
            Command::Replay(args) => args.bounds.into(),
            Command::Ltl(args) => args.bounds.into(),
            Command::Prove(args) => args.question.limits.limits(),
            Command::Run(args) => args.question.limits.limits(),
            _ => Limits::default(),
        }
    }

    /// The files that the command is about, if it is about such.
    pub(crate) fn subject(&self) -> Option<Vec<PathBuf>> {
        match self {
            Command::Check(args) => Some(vec![args.model.file.clone()]),
            Command::Simulate(args) => Some(vec![args.model.file.clone()]),
            Command::Prove(args) => Some(args.files.clone()),
            Command::Run(args) if args.replay.is_none() => Some(vec![args.words().0]),
            _ => None,
        }
    }

    /// Notes what standard input is, if one of the files is that.
    pub(crate) fn note_input(&self) -> Result<(), Failure> {
        match self {
            Command::Check(args) => args.model.input.note(std::slice::from_ref(&args.model.file)),
            Command::Simulate(args) => args.model.input.note(std::slice::from_ref(&args.model.file)),
            Command::DiffSpin(args) => args.model.input.note(std::slice::from_ref(&args.model.file)),
            Command::Prove(args) => args.input.note(&args.files),
            _ => Ok(()),
        }
    }

    /// As it is typed.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Check(_) => "check",
            Command::Simulate(_) => "simulate",
            Command::Replay(_) => "replay",
            Command::Ltl(_) => "ltl",
            Command::Explain(_) => "explain",
            Command::Doctor(_) => "doctor",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
            Command::Names(_) => "names",
            Command::DiffSpin(_) => "diff-spin",
            Command::Run(_) => "run",
            Command::Cc(_) => "cc",
            Command::Prove(_) => "prove",
            Command::Test(_) => "test",
            Command::Studio(_) => "studio",
            Command::Lsp(_) => "lsp",
            Command::Mcp(_) => "mcp",
        }
    }

    /// In which format the answer is written.
    pub(crate) fn format(&self) -> Format {
        match self {
            Command::Check(args) => args.output.format(),
            Command::Simulate(args) => args.output.format(),
            Command::Replay(args) => args.output.format(),
            Command::Ltl(args) => args.output.format(),
            Command::Prove(args) => args.output.format(),
            Command::Run(args) => args.output.format(),
            Command::DiffSpin(args) if args.json => Format::Json,
            Command::Explain(args) if args.json => Format::Json,
            Command::Doctor(args) if args.json => Format::Json,
            // Its own lines; documents about all tests are made by itself.
            Command::Test(args) if args.format == Format::Json => Format::Json,
            _ => Format::Text,
        }
    }

    /// Whether the answer is made of lines of JSON.
    pub(crate) fn wants_json(&self) -> bool {
        self.format() != Format::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        command().debug_assert();
    }

    /// Every option stands under a heading, and what chooses among words says which is usual.
    #[test]
    fn options_are_grouped_and_say_their_defaults() {
        for judge in ["check", "prove", "run", "simulate", "replay"] {
            let mut all = command();
            all.build();
            let found = all.find_subcommand(judge).unwrap().clone();
            for option in found.get_arguments().filter(|a| !a.is_positional() && a.get_id() != "help") {
                let name = option.get_id();
                let few = ["simulate", "replay"].contains(&judge);
                assert!(few || option.get_help_heading().is_some(), "{judge} --{name} has no heading");
                let words = !option.get_possible_values().is_empty();
                let once = matches!(option.get_action(), clap::ArgAction::Set);
                let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                let said = help.contains("[default") || !option.get_default_values().is_empty();
                assert!(!(words && once) || said, "{judge} --{name} does not say its default");
                let first = help.lines().next().unwrap_or_default().chars().count();
                assert!(first <= 98, "{judge} --{name}: the first line has {first} columns");
            }
        }
    }

    #[test]
    fn options_that_mean_nothing_for_a_command_are_not_listed() {
        let mut all = command();
        let help = all.find_subcommand_mut("run").unwrap().render_long_help().to_string();
        for foreign in ["--ltl", "--property", "--max-states", "--max-depth"] {
            assert!(!help.contains(&format!("{foreign} ")), "{foreign}");
        }
    }
}
