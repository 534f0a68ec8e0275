//! For which files an option is: one table. An option that means nothing for a file is refused,
//! never ignored.

use super::{Cli, Command};
use crate::formats::Format;
use crate::reproduce::{self, Given};
use clap::CommandFactory;
use workbench::kind::{self, Language};
use workbench::{Failure, input};

use Language::{Java, Program, Promela, Relation, Tvm};

/// The identifier of an option, the value that is meant if it is not any, and for what it is.
type Row = (&'static str, Option<&'static str>, &'static [Language]);

/// Options that are not here are for all files.
const TABLE: &[Row] = &[
    ("defines", None, &[Promela, Relation, Program]),
    ("property", None, &[Promela, Relation, Tvm, Java]),
    ("ltl", None, &[Promela, Relation, Tvm, Java]),
    ("search", Some("bfs"), &[Promela, Relation]),
    ("raw", None, &[Promela, Relation]),
    ("certify", None, &[Promela, Relation, Tvm, Java]),
    ("reduction", Some("none"), Language::ALL),
    ("reduction", Some("dpor"), &[Program]),
    ("reduction", Some("sleep"), &[Promela, Program]),
    ("reduction", None, &[Promela, Relation, Program]),
    ("persistent_sets", None, &[Promela]),
    ("relation", None, &[Promela]),
    ("proviso", None, &[Promela]),
    ("explain_reduction", None, &[Promela]),
    ("audit", None, &[Promela]),
    ("store", Some("exact"), Language::ALL),
    ("store", None, &[Promela]),
    ("checkpoint", None, &[Promela]),
    ("swarm", None, &[Promela]),
    ("fairness", None, &[Promela, Relation]),
    ("engine", Some("symbolic"), &[Promela, Relation]),
    ("invariant", None, &[Relation]),
    ("auto", None, &[Relation]),
    ("rules_only", None, &[Relation]),
    ("provers", None, &[Relation]),
    ("export", None, &[Relation]),
    ("diagram", None, &[Relation]),
    ("write_diagram", None, &[Relation]),
    ("basis", None, &[Relation]),
    ("refines", None, &[Relation]),
    ("write_abstraction", None, &[Relation]),
    ("pictures", None, &[Relation]),
    ("max_states", None, &[Promela, Relation, Tvm, Java]),
    ("max_depth", None, &[Promela]),
    ("cross_check", None, &[Tvm, Java]),
    ("join", None, &[Tvm, Java]),
    ("individuals", None, &[Tvm, Java]),
    ("picture", None, &[Tvm, Java]),
    ("kripke", None, &[Tvm, Java]),
    ("no_population_fairness", None, &[Tvm, Java]),
    ("interrupts", None, &[Java]),
    ("races", None, &[Java, Program]),
    ("spurious_wakeups", None, &[Java, Program]),
    ("cflags", None, &[Program]),
    ("arguments", None, &[Program]),
    ("trust", None, &[Program]),
];

/// The command line as people see it: options that mean nothing for any file of a command are not
/// listed.
pub(crate) fn command() -> clap::Command {
    let all = COMMANDS.iter().fold(Cli::command(), |all, (name, languages)| {
        all.mut_subcommand(name, |command| command.mut_args(|option| shown(option, languages)))
    });
    let all = all.mut_subcommand("prove", |command| command.mut_arg("max_depth", |option| option.hide(true)));
    ["lsp", "mcp"].iter().fold(all, |all, name| all.mut_subcommand(name, served))
}

/// Servers always limit a question.
fn served(command: clap::Command) -> clap::Command {
    let time = "Stop a question after this time: 30s, 5m [default: 60s]";
    let memory = "Stop a question that uses this much memory: 512M, 4G [default: 2G]";
    command
        .mut_arg("timeout", |option| option.help(time).long_help(time))
        .mut_arg("max_memory", |option| option.help(memory).long_help(memory))
}

/// For which files a command is.
const COMMANDS: [(&str, &[Language]); 3] =
    [("check", &[Promela, Relation, Tvm, Java]), ("prove", &[Promela, Relation]), ("run", &[Program])];

fn shown(option: clap::Arg, languages: &[Language]) -> clap::Arg {
    let rows = || TABLE.iter().filter(|(id, ..)| *id == option.get_id().as_str());
    let is_foreign = rows().all(|(.., of)| !languages.iter().any(|language| of.contains(language)));
    let hidden = rows().next().is_some() && is_foreign;
    if hidden { option.hide(true) } else { option }
}

/// Refuses a file that is for another command, and options that mean nothing for it.
pub(crate) fn admit(command: &Command) -> Result<(), Failure> {
    let judges = matches!(command, Command::Check(_) | Command::Prove(_) | Command::Run(_));
    if !judges && !matches!(command.format(), Format::Text | Format::Json) {
        let message = "--format sarif, junit and github are for check, prove and run: others give no verdict";
        return Err(Failure::Request(message.to_string()));
    }
    command.note_input()?;
    alone_on_input(command)?;
    let Some(files) = command.subject() else { return Ok(()) };
    files.iter().try_for_each(|file| kind::fits(command.name(), file))?;
    let language = match command {
        Command::Run(_) => Program,
        _ => files.first().map_or(Promela, |file| kind::language(file)),
    };
    let given = reproduce::given();
    if matches!(command, Command::Prove(_)) {
        given.iter().try_for_each(|given| refuse_of_proofs(given, language))?;
    }
    given.iter().try_for_each(|given| refuse(given, language))
}

/// Limits of searches that a proof has not.
fn refuse_of_proofs(given: &Given, language: Language) -> Result<(), Failure> {
    match (given.id.as_str(), language) {
        ("max_depth", _) | ("max_states", Promela) => {
            let message = "is for searches (weave check); give --timeout or --max-memory";
            Err(Failure::Request(format!("{} {message}", given.name)))
        }
        _ => Ok(()),
    }
}

/// Refuses to read a model from standard input where something else is read there, or by another
/// program.
fn alone_on_input(command: &Command) -> Result<(), Failure> {
    let refused = |message: &str| Err(Failure::Request(message.to_string()));
    match command {
        Command::Simulate(args) if args.interactive && input::is_standard(&args.model.file) => {
            refused("--interactive reads your choices from standard input: name a file for the model")
        }
        Command::DiffSpin(args) if input::is_standard(&args.model.file) => {
            refused("SPIN reads no standard input: name a file for the model")
        }
        _ => Ok(()),
    }
}

fn refuse(given: &Given, language: Language) -> Result<(), Failure> {
    let Some((_, value, of)) = row(given).filter(|(.., of)| !of.contains(&language)) else { return Ok(()) };
    let name = match value {
        Some(value) => format!("{} {value}", given.name),
        None => given.name.clone(),
    };
    let same = |other: &&Language| other.family() == language.family() && !of.contains(other);
    let these: Vec<Language> = Language::ALL.iter().filter(same).copied().collect();
    let help = match instead(given.id.as_str(), language) {
        "" => format!("it is for {}", Language::files(of)),
        help => help.to_string(),
    };
    Err(Failure::Request(format!("{name} is not for {}; {help}", Language::files(&these))))
}

fn row(given: &Given) -> Option<Row> {
    let meant = |(id, value, _): &&Row| {
        *id == given.id && value.is_none_or(|value| given.values.iter().any(|v| v == value))
    };
    TABLE.iter().find(meant).copied()
}

/// What to do instead.
fn instead(id: &str, language: Language) -> &'static str {
    match (id, language) {
        ("fairness", Java) => "write `//@ fair weak|strong THREAD` in the file",
        ("fairness", Tvm) => "write `fair` in the file",
        ("invariant", Java) => "write `//@ inv NAME: FORMULA` in the file",
        ("invariant", Tvm) => "write `invariant NAME = FORMULA` in the file",
        ("raw", Tvm | Java) => "--reduction none takes every step as one",
        ("search", Tvm | Java) => "their runs are the shortest anyway, where the answer says so",
        ("races" | "spurious_wakeups" | "interrupts", Tvm) => "their actions are atomic",
        ("max_depth", Relation) => "give --max-states, --max-memory or --timeout",
        ("max_depth", Program) => "--depth cuts long runs",
        ("max_states", Program) => "no state of a program can be kept; give --max-runs",
        ("ltl" | "property", Program) => {
            "write assertions into the program: assert, or weave_assert of weave.h"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(id: &str, value: &str, language: Language) -> Option<String> {
        let name = format!("--{id}").replace('_', "-");
        let given = Given { id: id.to_string(), name, values: vec![value.to_string()] };
        refuse(&given, language).err().map(|failure| failure.message())
    }

    #[test]
    fn every_row_is_about_an_option() {
        let commands = Cli::command();
        let known = |id: &str| {
            let all = commands.get_subcommands().flat_map(|command| command.get_arguments());
            all.into_iter().any(|argument| argument.get_id() == id)
        };
        TABLE.iter().for_each(|(id, ..)| assert!(known(id), "{id}"));
    }

    #[test]
    fn refusals_say_for_what_an_option_is() {
        let engine = refused("engine", "symbolic", Program).unwrap();
        assert_eq!(
            engine,
            "--engine symbolic is not for programs; it is for Promela models and .spl and .fts files"
        );
        assert_eq!(refused("engine", "symbolic", Promela), None);
        let races = refused("races", "list", Relation).unwrap();
        assert_eq!(races, "--races is not for .spl and .fts files; it is for .java files and programs");
        assert_eq!(
            refused("reduction", "dpor", Java).unwrap(),
            "--reduction dpor is not for .tvm and .java files; it is for programs"
        );
        assert_eq!(refused("reduction", "none", Tvm), None);
        assert_eq!(refused("engine", "explicit", Tvm), None);
        assert_eq!(refused("seed", "1", Program), None);
    }
}
