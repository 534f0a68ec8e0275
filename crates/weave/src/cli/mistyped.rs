//! What was probably meant where the command line cannot be read: a command that was left out
//! before a file, an option of which a part was typed or mistyped. The parser finds names that are
//! alike as a whole; its advice to pass an unknown option as a value is never meant here.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use source::nearest;
use std::path::Path;
use workbench::kind;

/// The refusal of the parser, with a better hint if there is one.
pub(crate) fn hinted(mut error: clap::Error, command: &clap::Command, words: &[String]) -> clap::Error {
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
                return error;
            };
            let hint = before_file(word);
            if let Some(hint) = hint {
                error.insert(ContextKind::Suggested, advice(hint));
            }
        }
        ErrorKind::UnknownArgument => {
            error.remove(ContextKind::Suggested);
            let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
            let known = error.get(ContextKind::SuggestedArg).is_some();
            if let Some(meant) = option(typed, command, words).filter(|_| !known) {
                error.insert(ContextKind::SuggestedArg, ContextValue::String(meant));
            }
        }
        _ => {}
    }
    error
}

fn advice(words: String) -> ContextValue {
    ContextValue::StyledStrs(vec![words.into()])
}

/// A file stands where the command should.
fn before_file(word: &str) -> Option<String> {
    let path = Path::new(word);
    let kind = path.exists().then(|| kind::of(path)).or_else(|| kind::by_name(path))?;
    let commands = kind.commands().iter().map(|command| format!("`weave {command} {word}`"));
    let commands = commands.collect::<Vec<_>>().join(" or ");
    (!commands.is_empty()).then(|| format!("this is {}: {commands}", kind.words()))
}

/// An option whose last words are what was typed, or nearly so: `--depht` is `--max-depth`.
fn option(typed: &str, command: &clap::Command, words: &[String]) -> Option<String> {
    let typed = typed.strip_prefix("--")?;
    let asked = words.iter().skip(1).find_map(|word| command.find_subcommand(word))?;
    let options = asked.get_arguments().filter(|option| !option.is_hide_set());
    let names: Vec<&str> = options.filter_map(clap::Arg::get_long).collect();
    let ends = |name: &'_ str| {
        let cuts = name.match_indices('-').map(|(at, _)| at + 1);
        std::iter::once(0).chain(cuts).collect::<Vec<usize>>()
    };
    let parts = names.iter().flat_map(|name| ends(name).into_iter().map(|at| &name[at..]));
    let near = nearest(typed, parts)?;
    let meant = names.iter().find(|name| ends(name).into_iter().any(|at| &name[at..] == near))?;
    Some(format!("--{meant}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> String {
        let mut command = crate::cli::command();
        command.build();
        let error = command.try_get_matches_from_mut(words).unwrap_err();
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        hinted(error, &command, &words).to_string()
    }

    #[test]
    fn a_part_of_an_option_is_enough() {
        let depth = said(&["weave", "check", "--depht", "3", "m.pml"]);
        assert!(depth.contains("'--max-depth'") && !depth.contains("as a value"), "{depth}");
        assert!(said(&["weave", "run", "--dept", "3", "m.c"]).contains("'--depth'"));
        let none = said(&["weave", "check", "--zzzzzz", "m.pml"]);
        assert!(!none.contains("similar") && !none.contains("as a value"), "{none}");
    }

    #[test]
    fn a_file_without_a_command_gets_one() {
        assert!(said(&["weave", "m.pml"]).contains("`weave check m.pml`"));
        assert!(said(&["weave", "m.c"]).contains("`weave run m.c`"));
        assert!(said(&["weave", "chekc", "m.pml"]).contains("'check'"));
    }
}
