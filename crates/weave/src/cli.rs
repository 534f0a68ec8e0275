//! The command line: every option with its help text, and the texts of `--help`.

mod applies;
mod check;
mod follow;
mod ltl;
mod prove;
mod question;
mod run;
mod servers;
mod shapes;
mod studio;
mod test;

pub(crate) use applies::admit;
pub(crate) use check::{CheckArgs, DiffSpinArgs, disk, keep};
pub(crate) use follow::{ReplayArgs, SimulateArgs};
pub(crate) use ltl::{Claim, LtlArgs};
pub(crate) use prove::ProveArgs;
pub(crate) use question::{BoundArgs, DefineArgs, OUTPUT, OrderArgs, OutputArgs, QuestionArgs, one_of};
pub(crate) use run::{CcArgs, RunArgs};
pub(crate) use servers::{LspArgs, McpArgs, bounds as served};
pub(crate) use shapes::ShapesArgs;
pub(crate) use studio::StudioArgs;
pub(crate) use test::TestArgs;

use crate::formats::Format;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;
use workbench::{Limits, ModelRequest};

#[derive(Debug, Parser)]
#[command(name = "weave", version, max_term_width = 100, args_override_self = true, after_help = AFTER)]
#[command(about = "Checks every interleaving of a concurrent system, or proves that none can go wrong.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Exit codes: 0 everything holds · 1 a violation · 2 the request is wrong · 3 inconclusive ·
101 a bug in weave · 130 interrupted

Examples:
  weave check model.pml                 deadlocks, assertions, run-time errors, unreached code
  weave check --search bfs model.pml    the shortest counterexample
  weave simulate --interactive model.pml
  weave run program.c                   every interleaving of a real program
  weave studio models                   the same in the browser";

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
    Cc(CcArgs),
    Prove(Box<ProveArgs>),
    Test(TestArgs),
    Studio(StudioArgs),
    Lsp(LspArgs),
    Mcp(McpArgs),
}

/// The model and how it is read.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// The model: Promela (.pml); check and simulate also take .spl, .fts, .tvm and .java files,
    /// simulate also programs
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) define: DefineArgs,
}

/// Explain a word of an answer, such as deadlock or assumes, or a code, such as E0301
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The word or code; without one, all words are listed
    #[arg(value_name = "WORD")]
    pub(crate) code: Option<String>,
}

/// Print completions for a shell
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

    /// As it is typed.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Check(_) => "check",
            Command::Simulate(_) => "simulate",
            Command::Replay(_) => "replay",
            Command::Ltl(_) => "ltl",
            Command::Explain(_) => "explain",
            Command::Doctor => "doctor",
            Command::Completions(_) => "completions",
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
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }
}
