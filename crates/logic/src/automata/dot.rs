//! Automata as pictures: Graphviz's DOT.

use super::named::{Named, Style};
use std::fmt::Write;

const STYLE: Style = Style { truth: "true", falsity: "false", and: " & ", or: " | " };

/// A directed graph. A filled dot on an edge, with its number if there are several sets, says that
/// the edge is in a set; if all edges out of a state are in the one set there is, the state has a
/// double border instead.
pub fn write(named: &Named) -> String {
    let automaton = &named.automaton;
    let on_states = automaton.sets <= 1 && automaton.is_state_based();
    let mut text = String::from("digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n");
    let _ = writeln!(text, "  start [shape=point, style=invis]\n  start -> {}", automaton.initial);
    for (state, edges) in automaton.states.iter().enumerate() {
        let accepting = automaton.sets == 0 || edges.first().is_some_and(|edge| edge.sets != 0);
        if on_states && accepting {
            let _ = writeln!(text, "  {state} [shape=doublecircle]");
        }
        for edge in edges {
            let mut label = STYLE.label(&edge.label, &|p| name(named, p));
            if !on_states {
                label += &marks(edge.sets, automaton.sets);
            }
            let _ = writeln!(text, "  {state} -> {} [label=\"{}\"]", edge.to, escape(&label));
        }
    }
    text + "}\n"
}

fn name(named: &Named, proposition: u32) -> String {
    named.names.get(proposition as usize).cloned().unwrap_or_else(|| format!("p{proposition}"))
}

fn marks(sets: u64, count: usize) -> String {
    let mark = |set: usize| if count == 1 { " ●".to_owned() } else { format!(" ●{set}") };
    (0..count).filter(|set| sets >> set & 1 == 1).map(mark).collect()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
