//! Properties of infinite runs: the product with the automaton of the bad runs, and whether a
//! property that holds says anything.

use super::states::{Asking, Shared};
use super::{Candidate, Kind, Outcome, Seen};
use crate::abstracted::{Edge, Infinite, Space, Wish, explore};
use crate::prepared::prepare;
use explore::recorded::{Finished, Lasso, accepted};
use logic::automata::translate;
use logic::ltl;
use space::Requirement;
use std::collections::HashSet;
use structures::model::{Claim, Model};
use structures::reference::requirements;

impl Asking<'_, '_> {
    pub(super) fn temporal(&mut self, name: String, kind: Kind) -> Outcome {
        let unknown = |reason: String| Seen::Open { reason, candidate: None };
        let mut answered = Outcome::new(&name, kind, unknown(String::new()));
        let claim = self.model.properties.iter().find(|p| p.name == name).map(|p| p.claim.clone());
        let (formula, bad, letters) = match claim {
            Some(Claim::Ltl { formula, letters }) => {
                match translate(&ltl::Formula::negation(formula.clone())) {
                    Ok(bad) => (Some(formula), bad, letters),
                    Err(reason) => {
                        answered.seen = unknown(reason.to_string());
                        return answered;
                    }
                }
            }
            Some(Claim::Never { automaton, letters }) => (None, automaton, letters),
            _ => return answered,
        };
        let prepared = prepare(self.model, &letters);
        let wish = Wish {
            edges: true,
            infinite: Some(Infinite::of(self.model)),
            workers: self.request.workers,
            limits: self.request.limits,
            ..Wish::default()
        };
        let space = explore(&prepared, &wish, &mut Shared(self.watch));
        if !space.is_complete() {
            answered.seen = unknown(Asking { space, prepared, ..*self }.incomplete());
            return answered;
        }
        let population = self.request.population_fairness.then(|| space.population(&prepared));
        let noted = population.unwrap_or_default();
        let finished = space.finished(&noted);
        let owed = finished.requirements(&requirements(self.model));
        let found = accepted(finished, &bad, &owed, &mut Shared(self.watch));
        (answered.states, answered.transitions) = (found.states, found.transitions);
        answered.fairness_used = !self.model.fairness.is_empty();
        answered.seen = match (found.stopped, found.lasso) {
            (Some(_), _) => unknown("the search of the product was stopped".to_string()),
            (None, None) => super::states::unless_beyond(self.model, &space.taken, Seen::Nothing),
            (None, Some(lasso)) => match self.concrete_lasso(&prepared, &bad, &letters) {
                (Some(run), _) => self.judge(run, kind),
                (None, tried) => {
                    let candidate = Some(Box::new(abstract_lasso(self.model, &space, &lasso)));
                    Seen::Open { reason: super::states::spurious(&tried), candidate }
                }
            },
        };
        if let (Seen::Nothing, Some(formula)) = (&answered.seen, &formula) {
            answered.vacuous = self.vacuity(finished, &owed, formula);
        }
        answered
    }

    /// Whether a stronger formula holds as well, so that this one says less than it seems to.
    fn vacuity(
        &self,
        finished: Finished<'_>,
        owed: &[Requirement],
        formula: &ltl::Formula<usize>,
    ) -> Option<String> {
        for (stronger, words) in strengthened(formula) {
            let Ok(bad) = translate(&ltl::Formula::negation(stronger)) else { continue };
            let found = accepted(finished, &bad, owed, &mut Shared(self.watch));
            if found.lasso.is_none() && found.stopped.is_none() {
                return Some(words);
            }
        }
        None
    }
}

fn abstract_lasso(model: &Model, space: &Space, lasso: &Lasso) -> Candidate {
    let steps = || lasso.stem.iter().chain(&lasso.cycle);
    let edges: Vec<Option<Edge>> = steps().map(|(s, edge)| edge.map(|e| space.edge(*s, e))).collect();
    let because = edges.iter().flatten().any(|e| !e.definite);
    Candidate {
        states: steps().map(|(s, _)| space.narrow(model, *s)).collect(),
        actions: edges.iter().map(|e| e.as_ref().map(|e| e.action)).collect(),
        loop_start: Some(lasso.stem.len()),
        because: because.then(|| "a precondition on the way".to_string()).into_iter().collect(),
    }
}

/// Stronger formulas, each with what it means that it holds too.
fn strengthened(formula: &ltl::Formula<usize>) -> Vec<(ltl::Formula<usize>, String)> {
    use ltl::{Binary, Formula as L, Unary};
    let mut found = Vec::new();
    match formula {
        L::Unary(Unary::Eventually, inner) => {
            found.push(((**inner).clone(), "it is true from the beginning".to_string()));
        }
        L::Binary(Binary::Until, _, right) => {
            found.push(((**right).clone(), "its right side is true from the beginning".to_string()));
        }
        L::Unary(Unary::Always, inner) => match &**inner {
            L::Binary(Binary::Implies, left, _) => {
                let never = L::unary(Unary::Always, L::negation((**left).clone()));
                found.push((never, "its condition is never true".to_string()));
            }
            L::Unary(Unary::Eventually, deep) => {
                let always = L::unary(Unary::Always, (**deep).clone());
                found.push((always, "it is always true, not only again and again".to_string()));
            }
            _ => {}
        },
        _ => {}
    }
    let mut atoms = HashSet::new();
    formula.atoms(&mut |a| {
        atoms.insert(*a);
    });
    let mut atoms: Vec<usize> = atoms.into_iter().collect();
    atoms.sort_unstable();
    for atom in atoms.iter().filter(|_| atoms.len() > 1) {
        let with = |value: bool| {
            let mut visited = formula.clone();
            replace(&mut visited, *atom, value);
            visited
        };
        let both = L::binary(Binary::And, with(true), with(false));
        found.push((both, format!("atom {} of it does not matter", atom + 1)));
    }
    found
}

fn replace(f: &mut ltl::Formula<usize>, atom: usize, value: bool) {
    match f {
        ltl::Formula::Atom(a) if *a == atom => *f = ltl::Formula::Constant(value),
        ltl::Formula::Constant(_) | ltl::Formula::Atom(_) => {}
        ltl::Formula::Unary(_, a) => replace(a, atom, value),
        ltl::Formula::Binary(_, a, b) => {
            replace(a, atom, value);
            replace(b, atom, value);
        }
    }
}
