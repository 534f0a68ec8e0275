//! `weave simulate --interactive --json`: the interactive simulator for programs. The same lines go
//! in; after each, an event with the state and the steps that are enabled comes out, and at the end
//! the run. Lines more are understood: `g N`, at most N of the states around this one, and `g N 0.2
//! 1` with those to which the steps out of the states at the ends of these paths lead; `a`, the
//! formulas of the file, and `a NAME`, the automata of one of them along the run, or `a NAME K`, if
//! the run closes to a loop that begins after K steps.

use super::interactive::{self, Order, understand};
use crate::json;
use crate::output::event;
use serde_json::Value;
use std::io::BufRead;
use workbench::random::Random;
use workbench::{Failure, Interrupt, Session};

pub(super) fn run(
    session: &mut Session<'_>,
    random: &mut Random,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    tell(session, None);
    interrupt.phase(super::AT_PROMPT);
    for input in std::io::stdin().lock().lines() {
        let Ok(input) = input else { break };
        interrupt.phase("simulating");
        if interrupt.is_raised() {
            break;
        }
        let words: Vec<&str> = input.split_whitespace().collect();
        if show_only(session, &words, interrupt)? {
            interrupt.phase(super::AT_PROMPT);
            continue;
        }
        let refused = match understand(&input) {
            Some(Order::Quit) => break,
            Some(order) => match interactive::move_on(session, random, interrupt, order)? {
                Some(false) => Some(interactive::nothing_there(session, order)),
                Some(true) | None => None,
            },
            None => Some(format!("I do not understand `{}`.", input.trim())),
        };
        tell(session, refused.as_deref());
        interrupt.phase(super::AT_PROMPT);
    }
    interrupt.phase("simulating");
    Ok(())
}

/// Orders of programs alone, which leave the run as it is; false if it is none of them.
fn show_only(session: &mut Session<'_>, words: &[&str], interrupt: &Interrupt) -> Result<bool, Failure> {
    let shown = match words {
        ["g", most, paths @ ..] => match (most.parse(), paths.iter().map(|p| path(p)).collect()) {
            (Ok(most), Some(paths)) => graph(session, most, paths, interrupt)?,
            _ => return Ok(false),
        },
        ["a"] => json::observed::formulas(&session.formulas()),
        ["a", name] => automata(session, name, None)?,
        ["a", name, start] => match start.parse() {
            Ok(start) => automata(session, name, Some(start))?,
            Err(_) => return Ok(false),
        },
        _ => return Ok(false),
    };
    event(&format!("{shown}\n"));
    Ok(true)
}

/// The numbers of steps, from 0.
fn path(word: &str) -> Option<Vec<usize>> {
    word.split('.').map(|number| number.parse().ok()).collect()
}

/// The states around the one where the run stands.
fn graph(
    session: &mut Session<'_>,
    most: usize,
    paths: Vec<Vec<usize>>,
    interrupt: &Interrupt,
) -> Result<Value, Failure> {
    let found = session.neighbourhood(most, &paths, &|| !interrupt.is_raised())?;
    Ok(json::graph(found.as_ref()))
}

/// A formula along the run. One that has no value there is no end of the dialogue.
fn automata(session: &Session<'_>, name: &str, loop_start: Option<usize>) -> Result<Value, Failure> {
    match session.observed(name, loop_start) {
        Ok(found) => Ok(json::observed::automata(name, found.as_ref(), None)),
        Err(Failure::Request(why)) => Ok(json::observed::automata(name, None, Some(&why))),
        Err(other) => Err(other),
    }
}

/// Where the run stands.
fn tell(session: &Session<'_>, refused: Option<&str>) {
    event(&format!("{}\n", json::standing(session, refused)));
}
