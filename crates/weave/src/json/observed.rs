//! Formulas along a run: events of `simulate --interactive --json`.

use crate::show::formula::automaton_json;
use serde_json::{Value, json};
use workbench::observed::{Observed, Side};

/// The formulas that can be followed.
pub(crate) fn formulas(all: &[(String, String)]) -> Value {
    let one = |(name, text): &(String, String)| json!({"name": name, "formula": text});
    json!({"event": "formulas", "formulas": all.iter().map(one).collect::<Vec<_>>()})
}

/// The automata of one of them; none if there is no such formula, or it has no value in a state.
pub(crate) fn automata(name: &str, found: Option<&Observed>, why: Option<&str>) -> Value {
    let Some(found) = found else {
        let reason = why.unwrap_or("there is no such formula, or it cannot be followed along a run");
        return json!({"event": "automata", "name": name, "reason": reason, "automata": null});
    };
    let letters = found.word.letters.iter();
    json!({
        "event": "automata",
        "name": name,
        "reason": null,
        "formula": found.formula,
        "propositions": found.word.propositions,
        "letters": letters.map(|letter| letter.map(|bits| letter_of(found, bits))).collect::<Vec<_>>(),
        "automata": found.sides.iter().map(side).collect::<Vec<_>>(),
    })
}

fn letter_of(found: &Observed, bits: u64) -> Vec<bool> {
    (0..found.word.propositions.len()).map(|at| bits >> at & 1 == 1).collect()
}

fn side(side: &Side) -> Value {
    json!({
        "of": side.of,
        "automaton": side.automaton.as_ref().ok().map(automaton_json),
        "reason": side.automaton.as_ref().err(),
        "accepts": side.accepts,
        "at": side.at,
        "taken": side.taken,
    })
}
