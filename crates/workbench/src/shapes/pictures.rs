//! Runs as pictures and as lines: concrete ones, and abstract ones that are candidate
//! counterexamples.

use super::{Reporter, heap};
use crate::report::Heap;
use shapes::answer::{self, Outcome};
use shapes::concrete::Concrete;
use shapes::picture::{self, Picture};
use structures::structure::Structure;

impl Reporter<'_> {
    pub(super) fn candidate(&self, answered: &Outcome) -> Option<Vec<String>> {
        let answer::Seen::Open { candidate: Some(candidate), .. } = &answered.seen else { return None };
        let mut lines = Vec::new();
        for (at, s) in candidate.states.iter().enumerate() {
            if candidate.loop_start == Some(at) {
                lines.push("again and again:".to_string());
            }
            lines.push(format!("  {}", picture::line(&self.model.vocabulary, s)));
            if let Some(action) = candidate.actions.get(at) {
                let name = action.map_or("everything stands still", |a| &self.model.actions[a].name);
                lines.push(format!("    {name}"));
            }
        }
        lines.extend(candidate.because.iter().map(|because| format!("1/2 is: {because}")));
        Some(lines)
    }

    /// The abstract states of a candidate, each with what led to it.
    pub(super) fn candidate_heaps(&self, answered: &Outcome) -> Vec<(String, Heap)> {
        let answer::Seen::Open { candidate: Some(candidate), .. } = &answered.seen else { return Vec::new() };
        let one = |(at, s): (usize, &Structure)| {
            (self.step_title(&candidate.actions, at), heap::heap(self.model, s, &heap::names(self.model, s)))
        };
        candidate.states.iter().enumerate().map(one).collect()
    }

    /// What led to the state of this number.
    fn step_title(&self, actions: &[Option<usize>], at: usize) -> String {
        match at.checked_sub(1).and_then(|at| actions.get(at)) {
            Some(Some(action)) => self.title(*action),
            Some(None) => "everything stands still".to_string(),
            None => "initial".to_string(),
        }
    }

    pub(super) fn picture(&self, answered: &Outcome) -> Option<(String, String)> {
        let vocabulary = &self.model.vocabulary;
        match &answered.seen {
            answer::Seen::Run(witness) => {
                let concrete = Concrete::new(vocabulary);
                let states = super::certified::states(self.model, &witness.run);
                let structures: Vec<_> = states.iter().map(|s| picture::structure(&concrete, s)).collect();
                let actions: Vec<Option<usize>> =
                    witness.run.steps.iter().map(|step| step.path.first().copied()).collect();
                Some(self.drawn(&structures, &actions))
            }
            answer::Seen::Open { candidate: Some(candidate), .. } => {
                Some(self.drawn(&candidate.states, &candidate.actions))
            }
            _ => None,
        }
    }

    /// Structures with the actions between them: DOT and SVG.
    fn drawn(&self, structures: &[Structure], actions: &[Option<usize>]) -> (String, String) {
        let one = |(at, structure)| Picture { title: self.step_title(actions, at), structure };
        let pictures: Vec<Picture<'_>> = structures.iter().enumerate().map(one).collect();
        (picture::dot(&self.model.vocabulary, &pictures), picture::svg(&self.model.vocabulary, &pictures))
    }

    /// A step with its line.
    fn title(&self, action: usize) -> String {
        let action = &self.model.actions[action];
        format!("line {}: {}", self.map.position(action.span).line, action.name)
    }
}
