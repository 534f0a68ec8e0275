//! Automata as HOA text.

use crate::automata::named::{Named, Style};
use std::fmt::Write;

const STYLE: Style = Style { truth: "t", falsity: "f", and: "&", or: " | " };

/// The automaton in the HOA format, version 1.
pub fn write(named: &Named) -> String {
    let automaton = &named.automaton;
    let on_states = automaton.is_state_based();
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "States: {}\nStart: {}", automaton.states.len(), automaton.initial);
    let names: String = (0..automaton.propositions).map(|p| format!(" {}", quote(&name(named, p)))).collect();
    let _ = writeln!(text, "AP: {}{names}", automaton.propositions);
    let _ = writeln!(text, "{}", acceptance(automaton.sets));
    let kind = if on_states { "state-acc" } else { "trans-acc" };
    let _ = writeln!(text, "properties: trans-labels explicit-labels {kind}\n--BODY--");
    for (state, edges) in automaton.states.iter().enumerate() {
        let sets = edges.first().map_or(0, |edge| edge.sets);
        let _ = writeln!(text, "State: {state}{}", marks(if on_states { sets } else { 0 }));
        for edge in edges {
            let label = STYLE.label(&edge.label, &|p| p.to_string());
            let _ = writeln!(text, "[{label}] {}{}", edge.to, marks(if on_states { 0 } else { edge.sets }));
        }
    }
    text + "--END--\n"
}

fn name(named: &Named, proposition: usize) -> String {
    named.names.get(proposition).cloned().unwrap_or_else(|| format!("p{proposition}"))
}

fn acceptance(sets: usize) -> String {
    let name = match sets {
        0 => "all".to_owned(),
        1 => "Buchi".to_owned(),
        _ => format!("generalized-Buchi {sets}"),
    };
    let all: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    let condition = if sets == 0 { "t".to_owned() } else { all.join("&") };
    format!("acc-name: {name}\nAcceptance: {sets} {condition}")
}

fn marks(sets: u64) -> String {
    let marks: Vec<String> = (0..64).filter(|set| sets >> set & 1 == 1).map(|set| set.to_string()).collect();
    if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
