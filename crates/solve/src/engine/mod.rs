//! The embedded engine: clause learning modulo theories, in Rust, always there.
//!
//! * `sat`: the search over clauses. `ground`, `encode`: what its literals mean.
//! * `congruence`: equality and functions. `simplex`, `omega`: linear arithmetic. `axioms`,
//!   `arrays`, `data`, `queues`, `bits`: the other theories, as lemmas and circuits.
//! * `complete`: how they are combined. `values`: the model. `normal`, `quantifiers`: quantified
//!   formulas.
//!
//! Valid means refuted: the assumptions with the negated goal have no model. Invalid comes with a
//! model that the evaluator has confirmed, which shares nothing with the search; otherwise the
//! answer is unknown.

mod arrays;
mod axioms;
mod bits;
mod branch;
mod complete;
mod congruence;
mod data;
mod encode;
mod ground;
mod heap;
mod linear;
mod normal;
mod omega;
mod product;
mod quantifiers;
mod queues;
mod rational;
pub mod sat;
mod simplex;
mod values;

use crate::answer::{self, Answer, Assumption, Options, Solver};
use crate::model::Model;
use complete::Budget;
use ground::Ground;
use logic::fol::{Op, Sort, Term, evaluate, is_ground};
use sat::{Lit, Outcome, Sat};

/// The engine that is always there.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    /// How deep checks of quantified formulas in models may nest.
    nesting: usize,
}

impl Default for Embedded {
    fn default() -> Embedded {
        Embedded { nesting: 2 }
    }
}

impl Solver for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        let Some((assumptions, goal)) = answer::taken_in(assumptions, goal) else {
            return Answer::unknown(answer::UNSORTED);
        };
        let Some(mut query) = Query::new(&assumptions, &goal, self.nesting, options) else {
            let reason = if options.is_cancelled() { CANCELLED } else { "a quantifier inside a term" };
            return Answer::unknown(reason);
        };
        let answer = query.run(options);
        match answer {
            Answer::Valid { core } if options.minimal_core => {
                Answer::Valid { core: query.minimal(core, options) }
            }
            Answer::Invalid { mut model } if query.confirms(&assumptions, &goal, &model) => {
                model.constants.retain(|symbol, _| !query.ground.skolem.made(symbol));
                model.confirmed = true;
                Answer::Invalid { model }
            }
            Answer::Invalid { .. } if options.is_cancelled() => Answer::unknown(CANCELLED),
            Answer::Invalid { .. } => {
                Answer::unknown("no model was found that fits arithmetic that is not linear")
            }
            other => other,
        }
    }
}

/// The reason of an answer that was not waited for.
const CANCELLED: &str = "out of time";

/// One question: each assumption behind a literal, the negated goal in front.
struct Query {
    sat: Sat,
    ground: Ground,
    selectors: Vec<Lit>,
    /// The negated goal and the assumptions, in normal form.
    formulas: Vec<Term>,
}

impl Query {
    fn new(assumptions: &[Assumption], goal: &Term, nesting: usize, options: &Options) -> Option<Query> {
        let limits = Budget {
            instances: options.instances,
            nesting,
            terms: 0,
            queues: complete::QUEUES,
            cancel: options.cancel.clone(),
        };
        let everything = assumptions.iter().map(|a| &a.formula).chain([goal]);
        let mut ground = Ground::new(limits, normal::Skolem::new(everything));
        let refuted = normal::normal(goal, false, &mut ground.skolem)?;
        ground.assert(&refuted);
        let mut formulas = vec![refuted];
        let mut selectors = Vec::new();
        for assumption in assumptions {
            if options.is_cancelled() {
                return None;
            }
            let formula = normal::normal(&assumption.formula, true, &mut ground.skolem)?;
            let selector = ground.fresh(true);
            ground.assert_if(selector, &formula);
            selectors.push(selector);
            formulas.push(formula);
        }
        Some(Query { sat: Sat::new(), ground, selectors, formulas })
    }

    fn run(&mut self, options: &Options) -> Answer {
        let selectors = self.selectors.clone();
        match self.solve(&selectors, options) {
            Outcome::Satisfiable => Answer::Invalid { model: Box::new(self.ground.model.clone()) },
            Outcome::Unknown(_) if options.is_cancelled() => Answer::unknown(CANCELLED),
            Outcome::Unknown(reason) => Answer::Unknown { reason },
            Outcome::Unsatisfiable(used) => {
                let core = (0..selectors.len()).filter(|at| used.contains(&selectors[*at])).collect();
                Answer::Valid { core }
            }
        }
    }

    fn solve(&mut self, selectors: &[Lit], options: &Options) -> Outcome {
        let start = self.sat.conflicts;
        let mut may_go_on = |conflicts: u64| conflicts - start < options.conflicts && !options.is_cancelled();
        self.sat.solve(selectors, &mut self.ground, &mut may_go_on)
    }

    /// Takes assumptions out of a core one after the other, as long as the rest is enough.
    fn minimal(&mut self, core: Vec<usize>, options: &Options) -> Vec<usize> {
        let mut core = core;
        let mut at = 0;
        while at < core.len() {
            let mut fewer = core.clone();
            fewer.remove(at);
            let selectors: Vec<Lit> = fewer.iter().map(|n| self.selectors[*n]).collect();
            match self.solve(&selectors, options) {
                Outcome::Unsatisfiable(used) => {
                    core = fewer.into_iter().filter(|n| used.contains(&self.selectors[*n])).collect();
                    at = at.min(core.len());
                }
                _ => at += 1,
            }
        }
        core
    }

    /// Evaluates assumptions and goal in the model. Where they have quantifiers, their normal forms
    /// are evaluated, in which a universal formula counts as true if the inner engine has found it
    /// to hold in this very model.
    fn confirms(&self, assumptions: &[Assumption], goal: &Term, model: &Model) -> bool {
        let is = |formula: &Term, wanted: bool| {
            !is_ground(formula) || evaluate(formula, model).is_some_and(|value| value.is_true() == wanted)
        };
        is(goal, false)
            && assumptions.iter().all(|a| is(&a.formula, true))
            && self.formulas.iter().all(|formula| self.holds(formula, model))
    }

    fn holds(&self, formula: &Term, model: &Model) -> bool {
        let mut parts = formula.arguments().iter();
        match formula.op() {
            _ if is_ground(formula) => evaluate(formula, model).is_some_and(|value| value.is_true()),
            Op::And => parts.all(|part| self.holds(part, model)),
            Op::Or => parts.any(|part| self.holds(part, model)),
            _ => self.ground.literals.get(formula).is_some_and(|l| self.ground.value(*l) == Some(true)),
        }
    }
}

impl Ground {
    /// Makes a formula true whenever the selector is.
    fn assert_if(&mut self, selector: Lit, formula: &Term) {
        debug_assert_eq!(*formula.sort(), Sort::Bool);
        match formula.op() {
            Op::And => formula.arguments().iter().for_each(|part| self.assert_if(selector, part)),
            Op::Or => {
                let parts: Vec<Lit> = formula.arguments().iter().map(|part| self.literal(part)).collect();
                self.clauses.push(parts.into_iter().chain([!selector]).collect());
            }
            _ => {
                let literal = self.literal(formula);
                self.clauses.push(vec![!selector, literal]);
            }
        }
    }
}
