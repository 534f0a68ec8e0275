//! A small translator to run beside others: `ltl2never [--hoa] FORMULA…` prints a never claim, or
//! with `--hoa` the generalized automaton, for each formula. Formulas are in SPIN's syntax. Exit
//! code 2: a formula was refused.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use logic::automata::{Named, On, buchi, hoa, never, translate};
use logic::ltl::syntax::{Reading, Syntax, read};
use source::Span;
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (flags, formulas): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with("--"));
    for formula in formulas {
        match output(&formula, flags.contains(&"--hoa".to_owned())) {
            Ok(text) => print!("{text}"),
            Err(error) => {
                eprintln!("{formula}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

fn output(text: &str, generalized: bool) -> Result<String, Box<dyn Error>> {
    let mut names: Vec<String> = Vec::new();
    let number = |name: &str, _| {
        let known = names.iter().position(|known| known == name);
        Ok(known.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        }))
    };
    let (formula, _) = read(text, Span::default(), Reading::Only(Syntax::Spin), number)
        .map_err(|problems| problems.first().map_or(String::new(), |problem| problem.message.clone()))?;
    Ok(match generalized {
        true => hoa::write(&Named { automaton: translate(&formula)?, names }),
        false => never::write(&Named { automaton: buchi(&formula, On::States)?, names })?,
    })
}
