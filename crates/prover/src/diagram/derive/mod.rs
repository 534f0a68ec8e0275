//! A diagram that proves a property, from a finite abstraction in which the property holds: the
//! reason of the proof, as a reader sees it.
//!
//! The abstraction decides; but *all states of the abstraction were searched* explains nothing.
//! Here its graph becomes few nodes: intervals for a wait-for formula, stages with helpful
//! transitions for a response, with ranks where some number must go down (`stages`), what is
//! reachable for an invariance. Nothing here is trusted. The text that comes out is read, proved
//! and certified as if a user had written it.

mod cover;
mod first;
mod safety;
mod space;
mod stages;

pub use first::first;

use crate::abstraction::Abstracted;
use crate::discharge::Judge;
use crate::rules::NotApplicable;
use crate::shape::{Shape, shape};
use crate::words::labelled;
use cover::Writer;
use logic::fol::Term;
use logic::ltl::Formula;
use space::Space;
use stages::{Stage, stages};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use system::fts::Property;
use system::fts::diagram::Kind;

/// The goal of a diagram has this name, and the other nodes are numbered from there.
const GOAL: usize = 0;

/// A diagram as text.
struct Sketch {
    kind: Kind,
    nodes: BTreeMap<usize, Drawn>,
    /// With the transitions that help.
    edges: BTreeMap<(usize, usize), BTreeSet<String>>,
}

struct Drawn {
    assertion: String,
    rank: Vec<String>,
}

/// What a diagram is made from.
pub struct Derivation<'a> {
    /// The solver, and the program.
    pub judge: &'a Judge<'a>,
    /// The abstraction.
    pub made: &'a Abstracted,
    /// The property of the program.
    pub property: &'a Property,
    /// The property, as one of the abstraction.
    pub formula: &'a Formula<Term>,
    /// Whether nodes are told apart from all states that may exist. If not, the assertions are
    /// shorter, and say less of states that are not reached.
    pub exact: bool,
}

impl Derivation<'_> {
    /// The text of a diagram with some name; `property` is what the text calls the property.
    pub fn text(&self, name: &str, property: &str) -> Result<String, NotApplicable> {
        if !self.property.rigid.is_empty() {
            let message = "no diagram is derived for a formula with quantified values";
            return Err(NotApplicable(message.to_string()));
        }
        let space = Space::of(self.judge, self.made)?;
        let found = shape(self.formula);
        let sketch = match &found {
            Some(Shape::Invariance(_)) => self.invariance(&space)?,
            Some(Shape::WaitFor(p, says)) => self.waiting(&space, Some(p), says)?,
            Some(Shape::Precedence(says)) => self.waiting(&space, None, says)?,
            Some(Shape::Response(p, goal)) => self.response(&space, Some(p), goal)?,
            Some(Shape::Guarantee(goal)) => self.response(&space, None, goal)?,
            _ => {
                let message = "the formula is none of [] p, p ==> q Awaits … Awaits r, p ==> <>q, <>q";
                return Err(NotApplicable(message.to_string()));
            }
        };
        Ok(sketch.text(name, property))
    }

    /// Where a formula begins to speak: where `p` holds, or in the initial states.
    fn begins(&self, space: &Space<'_>, p: Option<&Term>) -> Result<Vec<usize>, NotApplicable> {
        let Some(p) = p else { return Ok(space.initial.clone()) };
        let holds = space.where_holds(p)?;
        Ok((0..holds.len()).filter(|at| holds[*at]).collect())
    }

    fn invariance(&self, space: &Space<'_>) -> Result<Sketch, NotApplicable> {
        self.drawn(space, Kind::Invariance, &safety::invariance(space))
    }

    fn waiting(&self, space: &Space<'_>, p: Option<&Term>, says: &[Term]) -> Result<Sketch, NotApplicable> {
        let Some((goal, before)) = says.split_last() else {
            return Err(NotApplicable("the formula has no interval".to_string()));
        };
        let arrived = space.where_holds(goal)?;
        let before = before.iter().map(|e| space.where_holds(e)).collect::<Result<Vec<_>, _>>()?;
        let pending = space.until(self.begins(space, p)?.into_iter(), &arrived);
        let found = safety::intervals(space, &pending, &before, &arrived);
        let found =
            found.ok_or_else(|| NotApplicable("the abstraction has a path that fails".to_string()))?;
        let mut sketch = self.drawn(space, Kind::WaitFor, &found)?;
        self.ends(&mut sketch);
        Ok(sketch)
    }

    fn response(&self, space: &Space<'_>, p: Option<&Term>, goal: &Term) -> Result<Sketch, NotApplicable> {
        let arrived = space.where_holds(goal)?;
        let pending = space.until(self.begins(space, p)?.into_iter(), &arrived);
        let Some(found) = stages(space, &pending) else {
            let message = "no order of the transitions that help is found";
            return Err(NotApplicable(message.to_string()));
        };
        let mut nodes = Vec::new();
        flat(&found, &[], &self.numbers(), &mut nodes);
        let (sets, helpful): (Vec<BTreeSet<usize>>, Vec<usize>) =
            nodes.iter().map(|(states, by, _)| ((*states).clone(), *by)).unzip();
        let ranked = found.iter().any(|stage| matches!(stage, Stage::Loop { .. }));
        let kind = if ranked { Kind::Rank } else { Kind::Chain };
        let mut sketch = self.drawn(space, kind, &sets)?;
        sketch.helped(space, &sets, &helpful);
        if ranked {
            let ranks = columns(nodes.into_iter().map(|(.., rank)| rank).collect());
            for (drawn, rank) in sketch.nodes.values_mut().zip(ranks) {
                drawn.rank = rank;
            }
        }
        self.ends(&mut sketch);
        Ok(sketch)
    }

    /// The numbers that are watched.
    fn numbers(&self) -> Vec<String> {
        self.made.watched.iter().map(|w| w.rank.to_string()).collect()
    }

    /// Nodes of states, numbered from 1, and the edges between them and to the goal.
    fn drawn(
        &self,
        space: &Space<'_>,
        kind: Kind,
        sets: &[BTreeSet<usize>],
    ) -> Result<Sketch, NotApplicable> {
        let writer = Writer::new(space, self.exact)?;
        let mut sketch = Sketch { kind, nodes: BTreeMap::new(), edges: BTreeMap::new() };
        for (at, states) in sets.iter().enumerate() {
            if self.judge.is_over() {
                return Err(NotApplicable(crate::discharge::OUT_OF_TIME.to_string()));
            }
            let assertion = writer.text(states.iter().copied())?;
            sketch.nodes.insert(at + 1, Drawn { assertion, rank: Vec::new() });
        }
        let of = numbered(space, sets);
        let steps = sets.iter().flatten().flat_map(|at| space.steps[*at].iter().map(|s| (of[*at], of[s.to])));
        for (from, to) in steps.filter(|(from, to)| from != to) {
            sketch.edges.entry((from, to)).or_default();
        }
        Ok(sketch)
    }

    /// The node of the goal: as the property says it, not as the abstraction does.
    fn ends(&self, sketch: &mut Sketch) {
        let goal = match shape(&self.property.formula) {
            Some(Shape::WaitFor(_, says) | Shape::Precedence(says)) => says.last().cloned(),
            Some(Shape::Response(_, goal) | Shape::Guarantee(goal)) => Some(goal),
            _ => None,
        };
        let goal = goal.filter(|e| sketch.kind.has_helpful() || !e.is_false());
        if let Some(goal) = goal {
            let assertion = labelled(self.judge.fts, &goal).to_string();
            sketch.nodes.insert(GOAL, Drawn { assertion, rank: Vec::new() });
        }
    }
}

/// The node of each state; that of the goal for states in none.
fn numbered(space: &Space<'_>, sets: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut of = vec![GOAL; space.points.len()];
    for (at, states) in sets.iter().enumerate() {
        states.iter().for_each(|state| of[*state] = at + 1);
    }
    of
}

/// A state set, the transition that helps there, and its rank.
type Ranked<'a> = (&'a BTreeSet<usize>, usize, Vec<String>);

/// The nodes of some stages; a rank is the number of a stage, a number of the program, the number
/// of a stage within, and so on.
fn flat<'a>(all: &'a [Stage], before: &[String], numbers: &[String], found: &mut Vec<Ranked<'a>>) {
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
fn columns(mut ranks: Vec<Vec<String>>) -> Vec<Vec<String>> {
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
    fn helped(&mut self, space: &Space<'_>, sets: &[BTreeSet<usize>], helpful: &[usize]) {
        let of = numbered(space, sets);
        for (at, states) in sets.iter().enumerate() {
            for step in states.iter().flat_map(|state| &space.steps[*state]) {
                let edge = (at + 1, of[step.to]);
                if step.by == helpful[at] {
                    let name = space.made.fts.transitions[step.by].name.clone();
                    self.edges.entry(edge).or_default().insert(name);
                } else if edge.0 == edge.1 && step.lowers != 0 {
                    self.edges.entry(edge).or_default();
                }
            }
        }
    }

    fn text(&self, name: &str, property: &str) -> String {
        let mut text = format!("DIAGRAM {name} : {} proves {property} {{\n", self.kind.name());
        for (at, node) in self.nodes.iter().rev() {
            let rank = match (&node.rank[..], self.kind) {
                ([], _) => String::new(),
                (parts, _) => format!(" rank {}", parts.join(", ")),
            };
            let _ = writeln!(text, "  node {at} : {}{rank}", node.assertion);
        }
        if self.kind != Kind::Invariance && self.nodes.contains_key(&GOAL) {
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
        text.push_str("}\n");
        text
    }
}
