//! `weave simulate --interactive --json`: the interactive simulator for programs. The same lines go
//! in; after each, an event with the state and the steps that are enabled comes out, and at the end
//! the run. One line more is understood: `g N`, at most N of the states around this one.

use super::interactive::{self, Order, understand};
use crate::json;
use crate::output::event;
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
        if let Some(most) = input.trim().strip_prefix("g ").and_then(|most| most.parse().ok()) {
            graph(session, most, interrupt)?;
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

/// The states around the one where the run stands.
fn graph(session: &mut Session<'_>, most: usize, interrupt: &Interrupt) -> Result<(), Failure> {
    let found = session.neighbourhood(most, &|| !interrupt.is_raised())?;
    event(&format!("{}\n", json::graph(found.as_ref())));
    Ok(())
}

/// Where the run stands.
fn tell(session: &Session<'_>, refused: Option<&str>) {
    event(&format!("{}\n", json::standing(session, refused)));
}
