//! The command line of Everyweave. `main` reads as the pipeline: arguments → command → answer →
//! exit code; `oversee` holds it to its limits.

mod cli;
mod commands;
mod exit;
mod formats;
mod interrupt;
mod json;
mod output;
mod oversee;
mod panics;
mod reproduce;
mod shell;
mod show;
mod style;
mod trace_file;
mod units;
mod written;

use clap::FromArgMatches;
use cli::{Cli, Command};
use exit::Exit;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use workbench::Failure;

fn main() -> ExitCode {
    let command = Arc::new(parsed());
    let exit = output::settle(oversee::oversee(&command, guarded));
    ExitCode::from(exit.code())
}

/// The command, and what was typed noted.
fn parsed() -> Command {
    let words: Vec<OsString> = std::env::args_os().collect();
    let mut cli = cli::command().color(style::of_words(words.iter().map(OsString::as_os_str)));
    let typed: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let matches = cli
        .try_get_matches_from_mut(words)
        .unwrap_or_else(|error| output::refuse(&cli::hinted(error, &cli, &typed)));
    let parsed =
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| output::refuse(&error.format(&mut cli)));
    style::ask(parsed.color);
    reproduce::note(cli, matches);
    output::translate(&parsed.command);
    parsed.command
}

/// The work itself; failures and panics are reported.
fn guarded(command: &Command) -> Exit {
    let json = command.wants_json();
    panics::guarded(json, || run(command).unwrap_or_else(|failure| show::failure(&failure, json)))
}

fn run(command: &Command) -> Result<Exit, Failure> {
    cli::admit(command)?;
    match command {
        Command::Check(args) => commands::check::run(args),
        Command::Simulate(args) => commands::simulate::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Ltl(args) => commands::ltl::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Doctor(args) => commands::doctor::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
        Command::Names(args) => commands::names::run(args),
        Command::DiffSpin(args) => commands::diff_spin::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Cc(args) => commands::cc::run(args),
        Command::Prove(args) => commands::prove::run(args),
        Command::Test(args) => commands::test::run(args),
        Command::Studio(args) => commands::studio::run(args),
        Command::Lsp(args) => commands::servers::lsp(args),
        Command::Mcp(args) => commands::servers::mcp(args),
    }
}
