//! A first diagram for any formula, from its tableau (STeP tutorial, section 6.6): what a user
//! begins with.
//!
//! The nodes are the edges of the formula's automaton: what an edge reads is the assertion of the
//! node and its label, and the sets of the automaton become pairs of Streett's condition. So all
//! accepted paths satisfy the formula. Where a step may leave a node for none of its successors,
//! the assertion is strengthened by the weakest precondition of that step (section 6.3, for any
//! formula). Often that is not yet a proof: then the conditions that fail say what is missing.

use crate::condition::{Condition, Lemma, moves, wlpc};
use crate::discharge::Judge;
use crate::rules::NotApplicable;
use crate::words::labelled;
use logic::automata::{Automaton, Cube, Edge, Label, translate};
use logic::fol::Term;
use std::fmt::Write;
use system::fts::Property;

/// Larger diagrams are not drawn.
const NODES: usize = 40;
/// Rounds of strengthening.
const ROUNDS: usize = 4;
/// Assertions with more operators and symbols than this are left as they are.
const SIZE: usize = 60;

/// The nodes of a first diagram.
struct First<'a> {
    judge: &'a Judge<'a>,
    background: &'a [Lemma],
    automaton: Automaton,
    nodes: Vec<Node>,
}

struct Node {
    edge: Edge,
    label: Term,
    assertion: Term,
}

/// The text of a first diagram with some name; `stated` is what the text calls the property.
pub fn first(
    judge: &Judge<'_>,
    background: &[Lemma],
    property: &Property,
    (name, stated): (&str, &str),
) -> Result<String, NotApplicable> {
    if !property.rigid.is_empty() {
        let message = "no diagram is derived for a formula with quantified values";
        return Err(NotApplicable(message.to_string()));
    }
    let (numbered, atoms) = property.formula.clone().numbered();
    let automaton = translate(&numbered).map_err(|why| NotApplicable(why.to_string()))?;
    let mut first = First { judge, background, automaton, nodes: Vec::new() };
    for edge in first.automaton.states.iter().flatten() {
        if !first.nodes.iter().any(|n| n.edge == *edge) {
            let label = said(&edge.label, &atoms);
            first.nodes.push(Node { edge: edge.clone(), assertion: label.clone(), label });
        }
    }
    if first.nodes.len() > NODES {
        return Err(NotApplicable(format!("the tableau has more than {NODES} nodes")));
    }
    first.strengthen();
    Ok(first.text(name, stated))
}

/// What a label says, in the program's terms.
fn said(label: &Label, atoms: &[Term]) -> Term {
    let literals = |cube: &Cube| {
        let literal = |(at, atom): (usize, &Term)| match (cube.positive >> at & 1, cube.negative >> at & 1) {
            (1, _) => Some(atom.clone()),
            (_, 1) => Some(Term::negation(atom.clone())),
            _ => None,
        };
        Term::all(atoms.iter().enumerate().filter_map(literal).collect::<Vec<_>>())
    };
    Term::any(label.cubes.iter().map(literals).collect::<Vec<_>>())
}

impl First<'_> {
    /// The nodes that follow where the automaton is in some state.
    fn out_of(&self, state: usize) -> Vec<usize> {
        let edges = &self.automaton.states[state];
        (0..self.nodes.len()).filter(|at| edges.contains(&self.nodes[*at].edge)).collect()
    }

    /// Makes assertions stronger where a step leads to no successor.
    fn strengthen(&mut self) {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for at in 0..self.nodes.len() {
                for t in moves(self.judge.fts) {
                    let next = self.out_of(self.nodes[at].edge.to);
                    let after = Term::any(next.iter().map(|n| self.nodes[*n].assertion.clone()));
                    let here = self.nodes[at].assertion.clone();
                    let stays = Condition::triple(&here, &t, &after, self.background);
                    if self.judge.is_over() || self.judge.is_valid(&stays) {
                        continue;
                    }
                    let stronger = Term::all([here, wlpc(&t, &after)]);
                    if stronger.size() <= SIZE && stronger != self.nodes[at].assertion {
                        self.nodes[at].assertion = stronger;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn text(&self, name: &str, stated: &str) -> String {
        let shown = |e: &Term| labelled(self.judge.fts, e).to_string();
        let mut text = format!("DIAGRAM {name} : generalized proves {stated} {{\n");
        for (at, node) in self.nodes.iter().enumerate() {
            let (assertion, label) = (shown(&node.assertion), shown(&node.label));
            let _ = writeln!(text, "  node n{at} : {assertion} label {label}");
        }
        let listed = |all: Vec<usize>| all.iter().map(|n| format!("n{n}")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  initial {}", listed(self.out_of(self.automaton.initial)));
        for (at, node) in self.nodes.iter().enumerate() {
            let next = self.out_of(node.edge.to);
            if !next.is_empty() {
                let _ = writeln!(text, "  edge n{at} -> {}", listed(next));
            }
        }
        if self.automaton.sets == 0 {
            text.push_str("  accept containing {}\n");
        }
        for set in 0..self.automaton.sets {
            let within = (0..self.nodes.len()).filter(|at| self.nodes[*at].edge.sets >> set & 1 == 1);
            let arrows = within.flat_map(|at| {
                let next = self.out_of(self.nodes[at].edge.to);
                next.into_iter().map(move |to| format!("n{at} -> n{to}"))
            });
            let _ = writeln!(text, "  streett {{}} or {{{}}}", arrows.collect::<Vec<_>>().join(", "));
        }
        text.push_str("}\n");
        text
    }
}
