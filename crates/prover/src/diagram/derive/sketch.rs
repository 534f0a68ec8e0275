//! A diagram as text: nodes, edges, ranks, acceptance.

use super::space::Space;
use super::stages::{Helps, Stage};
use crate::rules::NotApplicable;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use system::fts::diagram::Kind;

/// The goal of a diagram has this name, and the other nodes are numbered from there.
pub(super) const GOAL: usize = 0;

/// A diagram as text.
pub(super) struct Sketch {
    pub(super) kind: Kind,
    pub(super) nodes: BTreeMap<usize, Drawn>,
    /// With the transitions that help.
    pub(super) edges: BTreeMap<(usize, usize), BTreeSet<String>>,
    /// What a generalized diagram accepts: sets of nodes.
    pub(super) accept: BTreeSet<String>,
    /// Where runs begin, in a generalized diagram.
    pub(super) initial: BTreeSet<usize>,
}

#[derive(Default)]
pub(super) struct Drawn {
    pub(super) assertion: String,
    pub(super) rank: Vec<String>,
    /// What it says about the property.
    pub(super) label: Option<String>,
}

/// The node of each state; that of the goal for states in none.
pub(super) fn numbered<'s>(space: &Space<'_>, sets: impl Iterator<Item = &'s BTreeSet<usize>>) -> Vec<usize> {
    let mut of = vec![GOAL; space.points.len()];
    for (at, states) in sets.enumerate() {
        states.iter().for_each(|state| of[*state] = at + 1);
    }
    of
}

/// A state set, what helps there, and its rank.
pub(super) type Ranked<'a> = (&'a BTreeSet<usize>, Helps, Vec<String>);

pub(super) fn unordered() -> NotApplicable {
    NotApplicable("no order of the transitions that help is found".to_string())
}

/// The nodes of some stages; a rank is the number of a stage, a number of the program, the number
/// of a stage within, and so on.
pub(super) fn flat<'a>(all: &'a [Stage], before: &[String], numbers: &[String], found: &mut Vec<Ranked<'a>>) {
    for (at, stage) in all.iter().enumerate() {
        let here = || before.iter().cloned().chain([(at + 1).to_string()]);
        match stage {
            Stage::Node { states, by } => found.push((states, *by, here().collect())),
            Stage::Loop { number, inner } => {
                let within: Vec<String> = here().chain([numbers[*number].clone()]).collect();
                flat(inner, &within, numbers, found);
            }
        }
    }
}

/// Ranks of one length, without parts that are the same number everywhere.
pub(super) fn columns(mut ranks: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let length = ranks.iter().map(Vec::len).max().unwrap_or(0);
    ranks.iter_mut().for_each(|rank| rank.resize(length, "0".to_string()));
    let differs = |at: &usize| {
        let is_number = ranks[0][*at].bytes().all(|b| b.is_ascii_digit());
        !is_number || ranks.iter().any(|rank| rank[*at] != ranks[0][*at])
    };
    let kept: Vec<usize> = (0..length).filter(differs).collect();
    ranks.iter().map(|rank| kept.iter().map(|at| rank[*at].clone()).collect()).collect()
}

impl Sketch {
    /// The transitions that help, on the edges that they lead along; a step that makes a number
    /// smaller may lead to the node that it comes from.
    pub(super) fn helped(&mut self, space: &Space<'_>, nodes: &[Ranked<'_>]) {
        let of = numbered(space, nodes.iter().map(|(states, ..)| *states));
        for (at, (states, helps, _)) in nodes.iter().enumerate() {
            for step in states.iter().flat_map(|state| &space.steps[*state]) {
                let edge = (at + 1, of[step.to]);
                if Helps::Transition(step.by) == *helps {
                    let name = space.made.fts.transitions[step.by].name.clone();
                    self.edges.entry(edge).or_default().insert(name);
                } else if edge.0 == edge.1 && step.lowers != 0 {
                    self.edges.entry(edge).or_default();
                }
            }
        }
    }

    pub(super) fn text(&self, name: &str, property: &str) -> String {
        let mut text = format!("DIAGRAM {name} : {} proves {property} {{\n", self.kind.name());
        for (at, node) in self.nodes.iter().rev() {
            let rank = match (&node.rank[..], self.kind) {
                ([], _) => String::new(),
                (parts, _) => format!(" rank {}", parts.join(", ")),
            };
            let label = node.label.as_ref().map(|label| format!(" label {label}")).unwrap_or_default();
            let _ = writeln!(text, "  node {at} : {}{rank}{label}", node.assertion);
        }
        let ends = !matches!(self.kind, Kind::Invariance | Kind::Generalized);
        if ends && self.nodes.contains_key(&GOAL) {
            let _ = writeln!(text, "  terminal {GOAL}");
        }
        // Edges from one node by the same transitions stand in one line.
        let mut lines: BTreeMap<(usize, &BTreeSet<String>), Vec<String>> = BTreeMap::new();
        for ((from, to), by) in self.edges.iter().rev() {
            lines.entry((*from, by)).or_default().push(to.to_string());
        }
        for ((from, by), to) in lines.iter().rev() {
            let by: Vec<&str> = by.iter().map(String::as_str).collect();
            let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
            let _ = writeln!(text, "  edge {from} -> {}{by}", to.join(", "));
        }
        if !self.initial.is_empty() {
            let initial: Vec<String> = self.initial.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "  initial {}", initial.join(", "));
        }
        self.accept.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        text.push_str("}\n");
        text
    }
}
