//! Generalized diagrams for what comes on all runs on which something else recurs, such as
//! `[]<>p --> <>q`: the stages of a response, and nodes where a premise is false.

use super::Derivation;
use super::cover::Writer;
use super::sketch::{Drawn, GOAL, Sketch, numbered, unordered};
use super::space::Space;
use super::stages::{Helps, stages};
use crate::rules::NotApplicable;
use crate::shape::{Recurrence, Shape, shape};
use crate::words::labelled;
use logic::fol::Term;
use std::collections::BTreeSet;
use system::fts::diagram::Kind;

impl Derivation<'_> {
    /// What comes on all runs on which something else recurs: a generalized diagram. A run may stay
    /// where a premise is false; those nodes are accepted alone.
    pub(super) fn recurring(&self, space: &Space<'_>, of: &Recurrence) -> Result<Sketch, NotApplicable> {
        let Some(Shape::Recurrence(said)) = shape(&self.property.formula) else {
            return Err(unordered());
        };
        let arrived = space.where_holds(&of.goal)?;
        let again = of.again.iter().map(|e| space.where_holds(e)).collect::<Result<Vec<_>, _>>()?;
        let pending = space.until(self.begins(space, of.from.as_ref())?.into_iter(), &arrived);
        let found = stages(space, &pending, &again).ok_or_else(unordered)?;
        let (mut sketch, nodes) = self.staged(space, Kind::Generalized, &found)?;
        let shown = |e: &Term| labelled(self.judge.fts, e).to_string();
        for (at, (_, by, _)) in nodes.iter().enumerate() {
            let premise = match by {
                Helps::Premise(which) => said.again.get(*which),
                Helps::Transition(_) => None,
            };
            if premise.is_some() {
                sketch.accept.insert(format!("accept {{{}}}", at + 1));
            }
            let label = premise.map_or("true".to_string(), |e| shown(&Term::negation(e.clone())));
            if let Some(drawn) = sketch.nodes.get_mut(&(at + 1)) {
                drawn.label = Some(label);
            }
        }
        let goal = shown(&said.goal);
        sketch.nodes.insert(GOAL, Drawn { assertion: goal.clone(), label: Some(goal), ..Drawn::default() });
        sketch.accept.insert(format!("accept containing {{{GOAL}}}"));
        let of = numbered(space, nodes.iter().map(|(states, ..)| *states));
        self.rest(space, &mut sketch, (of, &arrived), said.from.as_ref())?;
        (0..sketch.nodes.len()).for_each(|at| {
            sketch.edges.entry((at, at)).or_default();
        });
        Ok(sketch)
    }

    /// The node of all other states: after the goal, if it is asked for once; else where nothing is
    /// owed.
    fn rest(
        &self,
        space: &Space<'_>,
        sketch: &mut Sketch,
        (mut of, arrived): (Vec<usize>, &[bool]),
        from: Option<&Term>,
    ) -> Result<(), NotApplicable> {
        let rest = sketch.nodes.len();
        sketch.initial = space.initial.iter().map(|at| of[*at]).collect();
        let Some(from) = from else {
            let always = || "true".to_string();
            let drawn = Drawn { assertion: always(), label: Some(always()), ..Drawn::default() };
            sketch.nodes.insert(rest, drawn);
            sketch.edges.insert((GOAL, rest), BTreeSet::new());
            sketch.accept.insert(format!("accept containing {{{rest}}}"));
            return Ok(());
        };
        let free: Vec<usize> = (0..of.len()).filter(|at| of[*at] == GOAL && !arrived[*at]).collect();
        free.iter().for_each(|at| of[*at] = rest);
        if !free.is_empty() {
            let assertion = Writer::new(space, self.exact)?.text(free.iter().copied())?;
            let label = Some(Term::negation(labelled(self.judge.fts, from)).to_string());
            sketch.nodes.insert(rest, Drawn { assertion, label, ..Drawn::default() });
            sketch.accept.insert(format!("accept containing {{{rest}}}"));
        }
        sketch.initial = space.initial.iter().map(|at| of[*at]).collect();
        for (at, steps) in space.steps.iter().enumerate().filter(|(at, _)| [GOAL, rest].contains(&of[*at])) {
            steps.iter().for_each(|step| {
                sketch.edges.entry((of[at], of[step.to])).or_default();
            });
        }
        Ok(())
    }
}
