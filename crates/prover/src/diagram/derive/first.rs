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
    /// The nodes that follow where the automaton is in a state.
    out_of: Vec<Vec<usize>>,
}

struct Node {
    label: Term,
    /// The state of the automaton that follows.
    to: usize,
    /// The sets of the automaton that it is in.
    sets: u64,
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
    let out_of = vec![Vec::new(); automaton.states.len()];
    let mut first = First { judge, background, automaton, nodes: Vec::new(), out_of };
    first.fill(&atoms);
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
        let mut all: Vec<Term> = Vec::new();
        for e in atoms.iter().enumerate().filter_map(literal) {
            if !all.contains(&e) {
                all.push(e);
            }
        }
        Term::all(all)
    };
    Term::any(label.cubes.iter().map(literals).collect::<Vec<_>>())
}

impl First<'_> {
    /// A node for each way that an edge of the automaton may be taken; none that no state allows.
    fn fill(&mut self, atoms: &[Term]) {
        for (state, edges) in self.automaton.states.iter().enumerate() {
            for Edge { label, to, sets } in edges {
                let label = said(label, atoms);
                let none = Condition::implication("", label.clone(), Term::truth(false), self.background);
                if self.judge.is_valid(&none) {
                    continue;
                }
                let same = |n: &Node| (&n.label, n.to, n.sets) == (&label, *to, *sets);
                let at = self.nodes.iter().position(same).unwrap_or(self.nodes.len());
                if at == self.nodes.len() {
                    self.nodes.push(Node { assertion: label.clone(), label, to: *to, sets: *sets });
                }
                if !self.out_of[state].contains(&at) {
                    self.out_of[state].push(at);
                }
            }
        }
    }

    /// The nodes that follow another.
    fn after(&self, node: usize) -> &[usize] {
        &self.out_of[self.nodes[node].to]
    }

    /// Makes assertions stronger where a step leads to no successor.
    fn strengthen(&mut self) {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for at in 0..self.nodes.len() {
                for t in moves(self.judge.fts) {
                    let next = self.after(at).iter().map(|n| self.nodes[*n].assertion.clone());
                    let after = Term::any(next.collect::<Vec<_>>());
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
        let listed = |all: &[usize]| all.iter().map(|n| format!("n{n}")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  initial {}", listed(&self.out_of[self.automaton.initial]));
        for at in (0..self.nodes.len()).filter(|at| !self.after(*at).is_empty()) {
            let _ = writeln!(text, "  edge n{at} -> {}", listed(self.after(at)));
        }
        if self.automaton.sets == 0 {
            text.push_str("  accept containing {}\n");
        }
        for set in 0..self.automaton.sets {
            let within = (0..self.nodes.len()).filter(|at| self.nodes[*at].sets >> set & 1 == 1);
            let arrows = within.flat_map(|at| self.after(at).iter().map(move |to| format!("n{at} -> n{to}")));
            let _ = writeln!(text, "  streett {{}} or {{{}}}", arrows.collect::<Vec<_>>().join(", "));
        }
        text.push_str("}\n");
        text
    }
}
