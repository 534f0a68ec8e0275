//! A path of steps, executed: either a run with values, or predicates that tell why there is none.

use super::{GaveUp, Search};
use logic::fol::{Term, Value, evaluate};
use solve::Model;
use space::Path;
use system::fts::Fts;
use system::fts::step::{In, State, Valuation};

/// A path that breaks a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// Rigid symbols, and what the property speaks of.
    pub given: Valuation,
    /// Its states, the first one initial.
    pub path: Path<State>,
    /// The transition of its last step.
    pub last: Option<usize>,
}

/// Preconditions with more operators and symbols than this are not followed any further: a product
/// in a loop doubles them each time.
const LARGE: usize = 2_000_000;

impl Search<'_> {
    /// Takes some steps from an initial state to a bad one. If that is impossible, the comparisons
    /// that its preconditions are made of become predicates: then every cube on the way tells
    /// whether the rest of it can be gone.
    pub(super) fn execute(&mut self, path: &[usize]) -> Result<Option<Counterexample>, GaveUp> {
        let steps: Vec<_> = path.iter().enumerate().map(|(n, at)| self.steps[*at].apart(n)).collect();
        let mut precondition = self.bad.clone();
        let mut preconditions = vec![precondition.clone()];
        for step in steps.iter().rev() {
            precondition = Term::all([step.guard.clone(), step.after(&precondition)]);
            if precondition.size() > LARGE {
                return Err(GaveUp("a precondition becomes too large".to_string()));
            }
            preconditions.push(precondition.clone());
        }
        let initial = self.judge.fts.initial.clone();
        if let Ok(model) = self.consistent(&[initial, precondition])? {
            let run = self.run_of(&model, &steps);
            return run
                .map(Some)
                .ok_or_else(|| GaveUp("a run that violates it has no values to show".to_string()));
        }
        if !path.is_empty() {
            self.refine(&preconditions, &steps)?;
        }
        Ok(None)
    }

    fn refine(&mut self, preconditions: &[Term], steps: &[super::Step]) -> Result<(), GaveUp> {
        let chosen = |name: &str| steps.iter().flat_map(|s| &s.chosen).any(|c| &*c.name == name);
        let new: usize = preconditions.iter().map(|e| self.predicates.add_atoms(e, &chosen)).sum();
        if new == 0 {
            return Err(GaveUp("no further predicate excludes a spurious path".to_string()));
        }
        if self.predicates.all.len() > self.effort.predicates {
            return Err(GaveUp("too many predicates".to_string()));
        }
        Ok(())
    }

    fn run_of(&self, model: &Model, steps: &[super::Step]) -> Option<Counterexample> {
        let fts = self.judge.fts;
        let given = model.constants.iter().filter(|(s, _)| fts.variable(&s.name).is_none());
        let mut given: Valuation = given.map(|(s, v)| (s.name.clone(), v.clone())).collect();
        for rigid in fts.rigid.iter().filter(|r| r.arguments.is_empty()) {
            given.entry(rigid.name.clone()).or_insert_with(|| Value::default_of(&rigid.result));
        }
        let first = fts.variables.iter().map(|v| model.constant(&v.symbol)).collect();
        let mut states: Vec<State> = vec![first];
        for step in steps {
            let next = {
                let within = In { fts, given: &given, state: states.last()?, extra: Vec::new() };
                updated(fts, step, &within)?
            };
            states.push(next);
        }
        Some(Counterexample { given, path: Path::to(states), last: steps.last().map(|s| s.transition) })
    }
}

fn updated(fts: &Fts, step: &super::Step, within: &In<'_>) -> Option<State> {
    let mut next = within.state.to_vec();
    for (symbol, e) in &step.updates {
        let at = fts.variables.iter().position(|v| v.symbol.name == symbol.name)?;
        next[at] = evaluate(e, within)?;
    }
    Some(next)
}
