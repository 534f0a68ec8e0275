//! State by state: states are made by `system::fts::step`, properties become automata, and `explore` looks for a fair run that breaks
//! one: justice is a mark that must recur (the transition is taken, or cannot be), compassion a pair of marks.

use super::product::Product;
use super::reach::{Reached, reach};
use super::{CONSTRAINED, Checker, Found, Question, words};
use crate::result::Numbers;
use crate::watch::Watcher;
use certify::fts::FairRun;
use explore::Stop;
use explore::emptiness::{Options, emptiness};
use logic::ltl::Formula;
use std::cell::RefCell;
use system::fts::Expr;
use system::fts::evaluate::holds;
use system::fts::step::{self, Given, State};

/// Infinitely many states are looked at up to here, unless a limit is given.
const STATES: u64 = 100_000;

pub(super) struct Explicit<'a, 'w> {
    question: &'a Question<'a>,
    watcher: &'a RefCell<Watcher<'w>>,
    reached: Reached,
}

impl<'a, 'w> Explicit<'a, 'w> {
    pub(super) fn new(question: &'a Question<'a>, watcher: &'a RefCell<Watcher<'w>>) -> Self {
        let limit = question.request.limits.states.unwrap_or(STATES);
        let reached = reach(question, limit, &mut watcher.borrow_mut());
        Explicit { question, watcher, reached }
    }
}

impl Checker for Explicit<'_, '_> {
    fn incomplete(&self) -> Option<String> {
        self.reached.why_incomplete()
    }

    fn breaks(&self, assertion: &Expr) -> Result<Option<Vec<State>>, String> {
        let Question { source, given, .. } = self.question;
        let mut open = false;
        for (at, state) in self.reached.states.iter().enumerate() {
            let within = step::In { fts: &source.fts, given, state, extra: Vec::new() };
            match holds(assertion, &within) {
                Some(false) => return Ok(Some(self.reached.way_to(at))),
                Some(true) => {}
                None => open = true,
            }
        }
        if open { Err(format!("`{assertion}` cannot be evaluated")) } else { Ok(None) }
    }

    fn violation(&self, formula: &Formula<Expr>, given: &Given) -> Found {
        let open = |reason: &str| Found { open: Some(reason.to_string()), ..Found::default() };
        if let Some(error) = &self.reached.error {
            return open(error);
        }
        let negated = Formula::negation(formula.clone());
        let Some(mut product) = Product::new(self.question, given, negated) else {
            return open("the automaton of the formula is too large");
        };
        let limit = self.question.request.limits.states.unwrap_or(STATES).saturating_mul(8);
        let limits = explore::Limits { states: Some(limit), ..explore::Limits::default() };
        let options = Options { limits, ..Options::default() };
        let outcome = emptiness(&mut product, &options, &mut *self.watcher.borrow_mut());
        if let Some(error) = product.error.take() {
            return open(&error);
        }
        let run = outcome.lasso.as_ref().map(|lasso| {
            let (stem, cycle) = product.states_of(lasso);
            let loop_start = stem.len();
            FairRun { states: stem.into_iter().chain(cycle).collect(), loop_start }
        });
        let stopped = outcome.stopped.or(product.cut.then_some(Stop::States));
        let constrained = product.constrained.then(|| CONSTRAINED.to_string());
        Found {
            run,
            open: stopped.map(|stop| words(stop).to_string()).or(constrained),
            product: Some((outcome.states, outcome.transitions)),
            ..Found::default()
        }
    }

    fn numbers(&self) -> Numbers {
        let reached = &self.reached;
        let states = reached.states.len() as u64;
        let transitions = reached.edges + reached.initial as u64;
        Numbers {
            states,
            transitions,
            matched: transitions.saturating_sub(states),
            depth: reached.depth,
            memory_bytes: reached.memory(),
            seconds: 0.0,
        }
    }
}
