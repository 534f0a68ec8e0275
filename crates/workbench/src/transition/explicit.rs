//! State by state: `compile::relation` steps through packed states, `explore` keeps those that are
//! reachable and looks for a fair run that breaks a property.

use super::{CONSTRAINED, Checker, Found, Query, words};
use crate::answer::SearchNumbers;
use crate::failure::Open;
use crate::listener::ProgressListener;
use crate::question::Limits;
use crate::temporal::loops;
use compile::relation::{Asked, Assertion, Relation, unpacked};
use explore::emptiness::{Lasso, Outcome};
use explore::product::{Product, Unseen, inner};
use explore::recorded::{Finished, Keep, Recorded, Recording, number, record_as};
use logic::automata::{Automaton, translate};
use logic::fol::Term;
use logic::ltl::Formula;
use space::{Observer, Path};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use system::fts::Fts;
use system::fts::step::{State, Valuation};

/// Infinitely many states are looked at up to here, unless a limit is given.
pub(super) const STATES: u64 = 100_000;

/// Edges of no more states than this are kept.
const EDGES: u64 = 1_000_000;

pub(super) struct Explicit<'a, 'w> {
    question: &'a Query<'a>,
    watcher: &'a RefCell<ProgressListener<'w>>,
    recorded: Recorded,
}

impl<'a, 'w> Explicit<'a, 'w> {
    pub(super) fn new(question: &'a Query<'a>, watcher: &'a RefCell<ProgressListener<'w>>) -> Self {
        let relation = question.relation(question.given, &[]);
        let mut workers = vec![relation; question.request.threads.max(1)];
        let limits = question.limits(STATES);
        // Edges are kept for the properties, where there is room for them.
        let room = limits.memory.is_none() && limits.states.is_some_and(|states| states <= EDGES);
        let keep = if room { Keep::Edges } else { Keep::States };
        let how = Recording { limits, keep, fairness: room, ..Recording::default() };
        let recorded = record_as(&mut workers, &how, &mut (), &mut *watcher.borrow_mut());
        Explicit { question, watcher, recorded }
    }

    /// Looks for a run that an automaton accepts and that is fair, in what was recorded if all is
    /// there and has a value.
    fn accepted(
        &self,
        mut relation: Relation,
        automaton: &Automaton,
        unseen: &Arc<Unseen>,
    ) -> (Outcome, Option<Path<State>>) {
        let Query { source, request, .. } = self.question;
        let limits = self.question.limits(8 * STATES);
        let watcher = &mut *self.watcher.borrow_mut();
        let letters = || self.recorded.states().map(|state| relation.observe(state).ok()).collect();
        let complete = self.recorded.is_complete() && self.recorded.has_edges();
        if let Some(letters) = complete.then(letters).and_then(|all: Option<Vec<u64>>| all) {
            let finished = Finished { recorded: &self.recorded, letters: &letters, noted: None };
            let requirements = relation.requirements();
            let make = || Product::new(finished, automaton, requirements, true, Arc::clone(unseen));
            let outcome = loops::look(&make, limits, request.threads, watcher);
            let state = |packed: &[u8]| self.recorded.state(number(packed));
            let run = outcome.lasso.as_ref().map(|lasso| fair_run(&source.fts, lasso, state));
            return (outcome, run);
        }
        let make =
            || Product::new(relation.clone(), automaton, relation.requirements(), true, Arc::clone(unseen));
        let outcome = loops::look(&make, limits, request.threads, watcher);
        let run = outcome.lasso.as_ref().map(|lasso| fair_run(&source.fts, lasso, |packed| packed));
        (outcome, run)
    }

    /// What has no value in some state.
    fn undefined(&self) -> Option<String> {
        self.recorded.report.undefined.as_ref().map(ToString::to_string)
    }
}

impl Query<'_> {
    /// The system, with these propositions.
    pub(super) fn relation(&self, given: &Valuation, atoms: &[Term]) -> Relation {
        let asked = Asked { atoms, invariants: &self.invariants, fairness: self.fairness };
        Relation::new(&self.source.fts, given, &asked)
    }

    /// The limits of a search; as many states unless others are given.
    pub(super) fn limits(&self, states: u64) -> Limits {
        let limits = &self.request.limits;
        Limits { states: Some(limits.states.unwrap_or(states)), ..*limits }
    }
}

/// A formula over numbers, and what they stand for; none if there are too many.
pub(super) fn numbered(formula: Formula<Term>) -> Option<(Formula<usize>, Vec<Term>)> {
    Some(formula.numbered()).filter(|(_, atoms)| atoms.len() <= 64)
}

/// The states of the system on a lasso of the product; `packed` gives the one in a state of it.
fn fair_run<'a>(fts: &Fts, lasso: &'a Lasso, packed: impl Fn(&'a [u8]) -> &'a [u8]) -> Path<State> {
    let state = |(state, _): &'a (Vec<u8>, usize)| unpacked(fts, packed(inner(state)));
    let states = lasso.stem.iter().chain(&lasso.cycle).map(state).collect();
    Path { states, loop_start: Some(lasso.stem.len()) }
}

impl Checker for Explicit<'_, '_> {
    fn incomplete(&self) -> Option<String> {
        let report = &self.recorded.report;
        let stopped = || report.stopped.map(|stop| words(stop).to_string());
        let constrained = || report.cut.then(|| CONSTRAINED.to_string());
        self.undefined().or_else(stopped).or_else(constrained)
    }

    fn breaks(&self, assertion: &Term) -> Result<Option<Path<State>>, Open> {
        let Query { source, given, .. } = self.question;
        let mut asserted = Assertion::new(&source.fts, given, assertion);
        let mut open = false;
        for (at, state) in self.recorded.states().enumerate() {
            match asserted.holds(state) {
                Some(false) => {
                    let path = Path::to(self.recorded.path_to(at));
                    return Ok(Some(path.map(|state| unpacked(&source.fts, state))));
                }
                Some(true) => {}
                None => open = true,
            }
        }
        if open { Err(Open(format!("`{assertion}` is undefined"))) } else { Ok(None) }
    }

    fn violation(&self, formula: &Formula<Term>, given: &Valuation) -> Found {
        let open = |reason: &str| Found { open: Some(reason.to_string()), ..Found::default() };
        if let Some(undefined) = self.undefined() {
            return open(&undefined);
        }
        let automaton = numbered(Formula::negation(formula.clone()))
            .and_then(|(numbered, atoms)| Some((translate(&numbered).ok()?, atoms)));
        let Some((automaton, atoms)) = automaton else {
            return open("the automaton of the formula is too large");
        };
        let relation = self.question.relation(given, &atoms);
        let unseen = Arc::new(Unseen::default());
        let (outcome, path) = self.accepted(relation, &automaton, &unseen);
        let undefined = unseen.undefined.get().map(ToString::to_string);
        let stopped = outcome.stopped.map(|stop| words(stop).to_string());
        let constrained = unseen.cut.load(Ordering::Relaxed).then(|| CONSTRAINED.to_string());
        Found {
            path,
            open: undefined.or(stopped).or(constrained),
            product: Some((outcome.states, outcome.transitions)),
            reduction: None,
        }
    }

    fn numbers(&self) -> SearchNumbers {
        (&self.recorded.report).into()
    }

    fn recorded(&self) -> Option<&Recorded> {
        Some(&self.recorded).filter(|recorded| recorded.report.undefined.is_none())
    }
}
