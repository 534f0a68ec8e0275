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
mod recurring;
mod safety;
mod sketch;
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
use sketch::{Drawn, GOAL, Ranked, Sketch, columns, flat, numbered, unordered};
use space::Space;
use stages::{Stage, stages};
use std::collections::{BTreeMap, BTreeSet};
use system::fts::Property;
use system::fts::diagram::Kind;

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
    /// Whether assertions keep out all other states that may exist. If not, they are shorter, and
    /// say less of states that are not reached.
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
            Some(Shape::Recurrence(of)) => self.recurring(&space, of)?,
            _ => {
                let message =
                    "the formula is none of [] p, p ==> q Awaits … Awaits r, p ==> <>q, <>q, []<>p --> <>q";
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
        let found = stages(space, &pending, &[]).ok_or_else(unordered)?;
        let ranked = found.iter().any(|stage| matches!(stage, Stage::Loop { .. }));
        let kind = if ranked { Kind::Rank } else { Kind::Chain };
        let (mut sketch, nodes) = self.staged(space, kind, &found)?;
        sketch.helped(space, &nodes);
        self.ends(&mut sketch);
        Ok(sketch)
    }

    /// Nodes for stages, with their ranks.
    fn staged<'s>(
        &self,
        space: &Space<'_>,
        kind: Kind,
        found: &'s [Stage],
    ) -> Result<(Sketch, Vec<Ranked<'s>>), NotApplicable> {
        let mut nodes = Vec::new();
        flat(found, &[], &self.numbers(), &mut nodes);
        let sets: Vec<BTreeSet<usize>> = nodes.iter().map(|(states, ..)| (*states).clone()).collect();
        let mut sketch = self.drawn(space, kind, &sets)?;
        if found.iter().any(|stage| matches!(stage, Stage::Loop { .. })) {
            let ranks = columns(nodes.iter().map(|(.., rank)| rank.clone()).collect());
            for (drawn, rank) in sketch.nodes.values_mut().zip(ranks) {
                drawn.rank = rank;
            }
        }
        Ok((sketch, nodes))
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
        let (nodes, edges) = (BTreeMap::new(), BTreeMap::new());
        let (accept, initial) = (BTreeSet::new(), BTreeSet::new());
        let mut sketch = Sketch { kind, nodes, edges, accept, initial };
        for (at, states) in sets.iter().enumerate() {
            if self.judge.is_over() {
                return Err(NotApplicable(crate::discharge::OUT_OF_TIME.to_string()));
            }
            let assertion = writer.text(states.iter().copied())?;
            sketch.nodes.insert(at + 1, Drawn { assertion, ..Drawn::default() });
        }
        let of = numbered(space, sets.iter());
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
            sketch.nodes.insert(GOAL, Drawn { assertion, ..Drawn::default() });
        }
    }
}
