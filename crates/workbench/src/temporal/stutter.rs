//! Claims that evidently do not count steps.
//!
//! What a claim forbids is given by an automaton that cannot be negated cheaply, so its language is
//! not looked at, but its edges: if every step on a letter can be made in two, and every two steps
//! on a letter in one, with the same marks, then runs of the automaton can be stretched and shrunk
//! like words, and the language is stutter-invariant. Marks matter only within a strongly connected
//! component: a run changes components finitely often.

use logic::Components;
use logic::automata::Automaton;

/// Letters are tried one by one: no more propositions than this.
const PROPOSITIONS: usize = 8;

/// Whether repeating a letter evidently never matters.
pub(crate) fn is_evidently_invariant(automaton: &Automaton) -> bool {
    if automaton.propositions > PROPOSITIONS {
        return false;
    }
    let edge = |state: usize, edge: usize| automaton.states[state].get(edge).map(|e| e.to);
    let component = Components::new(automaton.states.len(), edge).of;
    let steps = |state: usize, letter: u64| -> Vec<(usize, u64)> {
        let edges = automaton.states[state].iter().filter(|e| e.label.holds(letter));
        edges.map(|e| (e.to, e.sets)).collect()
    };
    (0..automaton.states.len()).all(|state| {
        (0..1 << automaton.propositions).all(|letter| {
            let ones = steps(state, letter);
            let onward = |(via, a): &(usize, u64)| -> Vec<(usize, u64)> {
                steps(*via, letter).into_iter().map(|(to, b)| (to, a | b)).collect()
            };
            let twos: Vec<(usize, u64)> = ones.iter().flat_map(onward).collect();
            let covers = |(to, marks): &(usize, u64), others: &[(usize, u64)]| {
                others
                    .iter()
                    .any(|(o, more)| o == to && (component[state] != component[*to] || marks & !more == 0))
            };
            ones.iter().all(|one| covers(one, &twos)) && twos.iter().all(|two| covers(two, &ones))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::automata::{Cube, Edge, Label};

    fn label(positive: u64, negative: u64) -> Label {
        Label { cubes: vec![Cube { positive, negative }] }
    }

    fn automaton(states: Vec<Vec<(Label, usize, u64)>>) -> Automaton {
        let edges =
            |edges: Vec<_>| edges.into_iter().map(|(label, to, sets)| Edge { label, to, sets }).collect();
        Automaton { propositions: 1, sets: 1, initial: 0, states: states.into_iter().map(edges).collect() }
    }

    #[test]
    fn what_spin_makes_of_formulas_counts_no_steps() {
        let persists =
            automaton(vec![vec![(Label::truth(), 0, 0), (label(0, 1), 1, 0)], vec![(label(0, 1), 1, 1)]]);
        assert!(is_evidently_invariant(&persists));
        let ends =
            automaton(vec![vec![(Label::truth(), 0, 0), (label(1, 0), 1, 0)], vec![(Label::truth(), 1, 1)]]);
        assert!(is_evidently_invariant(&ends));
    }

    #[test]
    fn a_claim_that_waits_one_step_counts_steps() {
        let next = automaton(vec![
            vec![(Label::truth(), 1, 0)],
            vec![(label(1, 0), 2, 0)],
            vec![(Label::truth(), 2, 1)],
        ]);
        assert!(!is_evidently_invariant(&next));
        let every_other = automaton(vec![vec![(label(1, 0), 1, 1)], vec![(Label::truth(), 0, 0)]]);
        assert!(!is_evidently_invariant(&every_other));
    }
}
