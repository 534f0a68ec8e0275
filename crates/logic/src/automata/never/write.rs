//! Automata as never claims.

use crate::automata::degeneralize::On;
use crate::automata::named::{Named, Style};
use crate::automata::{Automaton, Edge, Label, TooLarge, to_buchi};
use std::borrow::Cow;
use std::fmt::Write;

const STYLE: Style = Style { truth: "1", falsity: "0", and: " && ", or: ") || (" };

/// A never claim that accepts what the automaton accepts; it is brought to one set on states first.
pub fn write(named: &Named) -> Result<String, TooLarge> {
    let automaton = match &named.automaton {
        automaton if automaton.sets <= 1 && automaton.is_state_based() => Cow::Borrowed(automaton),
        automaton => Cow::Owned(to_buchi(automaton, On::States)?),
    };
    let mut text = String::from("never {\n");
    let order = std::iter::once(automaton.initial);
    for state in order.chain((0..automaton.states.len()).filter(|&state| state != automaton.initial)) {
        let _ = writeln!(text, "{}:", label(&automaton, state));
        match &automaton.states[state][..] {
            [] => text += "\tfalse;\n",
            _ if accepts_all(&automaton, state) => text += "\tskip\n",
            edges => {
                text += "\tdo\n";
                for edge in edges {
                    let condition = STYLE.label(&edge.label, &|p| name(named, p));
                    let _ = writeln!(text, "\t:: ({condition}) -> goto {}", label(&automaton, edge.to));
                }
                text += "\tod;\n";
            }
        }
    }
    Ok(text + "}\n")
}

fn accepting(automaton: &Automaton, state: usize) -> bool {
    automaton.sets == 0 || automaton.states[state].first().is_some_and(|edge| edge.sets != 0)
}

/// Does every word end well from here on?
fn accepts_all(automaton: &Automaton, state: usize) -> bool {
    let all = |edge: &Edge| edge.to == state && edge.label == Label::truth();
    // `skip` runs into the next label unless it is the last statement, so only the last state may
    // use it.
    let last = (0..automaton.states.len()).rfind(|&state| state != automaton.initial);
    last == Some(state) && accepting(automaton, state) && automaton.states[state].iter().all(all)
}

fn label(automaton: &Automaton, state: usize) -> String {
    let kind = if accepting(automaton, state) { "accept" } else { "T0" };
    match state {
        _ if state == automaton.initial => format!("{kind}_init"),
        _ if accepts_all(automaton, state) => "accept_all".to_owned(),
        _ => format!("{kind}_S{state}"),
    }
}

/// A name as an operand of `!`.
fn name(named: &Named, proposition: u32) -> String {
    match named.names.get(proposition as usize) {
        None => format!("p{proposition}"),
        Some(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => name.clone(),
        Some(name) => format!("({name})"),
    }
}
