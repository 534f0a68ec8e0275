//! The command line as it was typed, and the `reproduce:` line made of it: the command that gives
//! the same answer again.
//!
//! Every argument that was given, in the order in which it was given, except where the answer goes
//! and how it looks; files last.

use crate::cli::OUTPUT;
use crate::shell::quote;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use std::sync::OnceLock;

static LINE: OnceLock<(clap::Command, ArgMatches)> = OnceLock::new();

/// Notes the command line of this process.
pub(crate) fn note(cli: clap::Command, matches: ArgMatches) {
    let _ = LINE.set((cli, matches));
}

/// An option that was given.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) id: String,
    /// As it is typed.
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// What was given on the command line of this process.
pub(crate) fn given() -> Vec<Given> {
    let Some((cli, matches)) = LINE.get() else { return Vec::new() };
    let Some((_, command, matches)) = subcommand(cli, matches) else { return Vec::new() };
    let all = command.get_arguments().filter(|argument| is_given(argument, matches));
    let given = |argument: &Arg| Given {
        id: argument.get_id().to_string(),
        name: name(argument),
        values: occurrences(argument, matches).into_iter().filter_map(|(_, value)| value).collect(),
    };
    all.map(given).collect()
}

/// The command that this process was started with.
pub(crate) fn command() -> String {
    LINE.get().map(|(cli, matches)| line(cli, matches)).unwrap_or_default()
}

fn subcommand<'a>(
    cli: &'a clap::Command,
    matches: &'a ArgMatches,
) -> Option<(&'a str, &'a clap::Command, &'a ArgMatches)> {
    let (name, matches) = matches.subcommand()?;
    Some((name, cli.find_subcommand(name)?, matches))
}

fn line(cli: &clap::Command, matches: &ArgMatches) -> String {
    let Some((name, command, matches)) = subcommand(cli, matches) else { return "weave".to_string() };
    let counts = |argument: &&Arg| is_given(argument, matches) && argument.get_help_heading() != Some(OUTPUT);
    let (mut options, mut files, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for argument in command.get_arguments().filter(counts) {
        let occurrences = occurrences(argument, matches);
        match (argument.is_positional(), argument.is_last_set()) {
            (false, _) => options.extend(occurrences.into_iter().map(|(at, v)| (at, option(argument, v)))),
            (true, false) => files.extend(occurrences.into_iter().filter_map(|(_, value)| value)),
            (true, true) => behind.extend(occurrences.into_iter().filter_map(|(_, value)| value)),
        }
    }
    options.sort_by_key(|(at, _)| *at);
    let has_last = command.get_arguments().any(Arg::is_last_set);
    let mut words = vec!["weave".to_string(), name.to_string()];
    words.extend(options.into_iter().map(|(_, words)| words));
    words.extend(positional(&files, has_last));
    if !behind.is_empty() {
        words.push("--".to_string());
        words.extend(behind.iter().map(|word| quote(word)));
    }
    words.join(" ")
}

/// A word that looks like an option is written so that it does not.
fn positional(files: &[String], has_last: bool) -> Vec<String> {
    let dashed = files.iter().any(|file| file.starts_with('-') && file != "-");
    match (dashed, has_last) {
        (true, true) => files.iter().map(|file| quote(&format!("./{file}"))).collect(),
        (true, false) => std::iter::once("--".to_string()).chain(files.iter().map(|f| quote(f))).collect(),
        (false, _) => files.iter().map(|file| quote(file)).collect(),
    }
}

fn is_given(argument: &Arg, matches: &ArgMatches) -> bool {
    let id = argument.get_id().as_str();
    matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Where on the line an argument stands, each time, with its value if it has one.
fn occurrences(argument: &Arg, matches: &ArgMatches) -> Vec<(usize, Option<String>)> {
    let id = argument.get_id().as_str();
    let places: Vec<usize> = matches.indices_of(id).into_iter().flatten().collect();
    if !matches!(argument.get_action(), ArgAction::Set | ArgAction::Append) {
        return vec![(places.first().copied().unwrap_or(0), None)];
    }
    let values = matches.get_raw(id).into_iter().flatten();
    let values: Vec<Option<String>> = values.map(|v| Some(v.to_string_lossy().into_owned())).collect();
    let values = if values.is_empty() { vec![None] } else { values };
    let at = |k: usize| places.get(k).or(places.last()).copied().unwrap_or(0);
    values.into_iter().enumerate().map(|(k, value)| (at(k), value)).collect()
}

fn name(argument: &Arg) -> String {
    match (argument.get_long(), argument.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => argument.get_id().to_string(),
    }
}

fn option(argument: &Arg, value: Option<String>) -> String {
    let name = name(argument);
    match value {
        None => name,
        Some(value) if argument.is_require_equals_set() || value.starts_with('-') => {
            format!("{name}={}", quote(&value))
        }
        Some(value) => format!("{name} {}", quote(&value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn reproduced(words: &str) -> String {
        let mut cli = Cli::command();
        cli.build();
        let words = std::iter::once("weave").chain(words.split_whitespace());
        let matches = cli.clone().try_get_matches_from(words).unwrap();
        line(&cli, &matches)
    }

    #[test]
    fn the_line_says_again_what_was_typed_and_where_nothing_goes() {
        let cases = [
            ("check a.pml", "weave check a.pml"),
            ("check a.pml --json -q --trace t", "weave check a.pml"),
            (
                "check a.pml --raw -D N=3 --ltl p --property=q -DM",
                "weave check --raw -D N=3 --ltl p --property q -D M a.pml",
            ),
            ("check --seed 1 --seed 2 a.pml", "weave check --seed 2 a.pml"),
            ("check --audit a.pml", "weave check --audit a.pml"),
            ("check --audit=7 a.pml", "weave check --audit=7 a.pml"),
            ("check --explain-reduction a.pml", "weave check --explain-reduction=first a.pml"),
            ("check --timeout 5m --max-memory 2G a.spl", "weave check --timeout 5m --max-memory 2G a.spl"),
            ("check --ltl=-p a.pml", "weave check --ltl=-p a.pml"),
            ("check -- -a.pml", "weave check -- -a.pml"),
            ("check - --kind spl --color never", "weave check --kind spl -"),
            ("prove a.spl b.spec --auto", "weave prove --auto a.spl b.spec"),
            ("run a.c --spurious-wakeups -- -x 1", "weave run --spurious-wakeups=1 a.c -- -x 1"),
            ("run -- ./p 1", "weave run -- ./p 1"),
            ("run --cflags -O2 ./p", "weave run --cflags=-O2 ./p"),
            ("simulate --seed 7 a.pml", "weave simulate --seed 7 a.pml"),
        ];
        for (typed, again) in cases {
            assert_eq!(reproduced(typed), again, "{typed}");
        }
    }
}
