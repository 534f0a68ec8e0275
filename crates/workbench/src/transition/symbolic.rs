//! Sets of states at once: the crate `symbolic`, as the other engine of `weave check`, also for
//! models.

use super::explicit::numbered;
use super::{CONSTRAINED, Checker, Found, Query, words};
use crate::answer::{Answer, Diagrams, SearchNumbers};
use crate::failure::{Failure, Open};
use crate::listener::ProgressListener;
use crate::question::Question;
use explore::{Listener, Stop};
use logic::fol::Term;
use logic::ltl::Formula;
use num_bigint::BigUint;
use space::Path;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use symbolic::{NoAnswer, Options, Search};
use system::fts::Fairness;
use system::fts::step::{State, Valuation};

/// A node, with what finds it again and remembers results.
const BYTES_PER_NODE: u64 = 32;

/// Asks `then` about the system after the search for its reachable states.
pub(super) fn with(
    question: &Query<'_>,
    watcher: &RefCell<ProgressListener<'_>>,
    then: &mut dyn FnMut(&dyn Checker) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let stopped = Cell::new(None);
    let ask = asking(watcher, &stopped);
    let options = options(question.request, question.fairness);
    let search = Search::new(&question.source.fts, question.given, &question.invariants, &options, &ask);
    then(&Symbolic { question, search, stopped: &stopped })
}

/// Asks whether to go on with this many nodes; notes why not.
pub(crate) fn asking<'a>(
    watcher: &'a RefCell<ProgressListener<'_>>,
    stopped: &'a Cell<Option<Stop>>,
) -> impl Fn(usize) -> bool + 'a {
    |nodes: usize| {
        let memory_bytes = nodes as u64 * BYTES_PER_NODE;
        let progress = explore::Progress { memory_bytes, ..explore::Progress::default() };
        match watcher.borrow_mut().look(&progress) {
            ControlFlow::Continue(()) => true,
            ControlFlow::Break(stop) => {
                stopped.set(Some(stop));
                false
            }
        }
    }
}

pub(crate) fn options(request: &Question, fairness: Fairness) -> Options {
    let mut options = Options { fairness, ..Options::default() };
    if let Some(bytes) = request.limits.memory {
        options.nodes = usize::try_from(bytes / BYTES_PER_NODE).unwrap_or(usize::MAX).clamp(1 << 12, 1 << 30);
    }
    options
}

/// Why the sets of states say nothing.
pub(crate) fn why(cause: &NoAnswer, stopped: Option<Stop>) -> String {
    match (cause, stopped) {
        (NoAnswer::Stopped, Some(stop)) => words(stop).to_string(),
        (NoAnswer::Nodes, _) => format!("{cause}; --max-memory allows more"),
        _ => cause.to_string(),
    }
}

pub(crate) fn numbers_of(search: &Search<'_>) -> SearchNumbers {
    let number = |n: BigUint| u64::try_from(n).unwrap_or(u64::MAX);
    let states = number(search.states());
    let steps = search.steps().map_or(0, |steps| number(steps + search.initial()));
    SearchNumbers {
        states,
        transitions: steps,
        memory_bytes: search.nodes() as u64 * BYTES_PER_NODE,
        ..SearchNumbers::default()
    }
}

struct Symbolic<'a> {
    question: &'a Query<'a>,
    search: Result<Search<'a>, NoAnswer>,
    stopped: &'a Cell<Option<Stop>>,
}

impl Symbolic<'_> {
    fn why(&self, cause: &NoAnswer) -> String {
        why(cause, self.stopped.get())
    }
}

impl Checker for Symbolic<'_> {
    fn incomplete(&self) -> Option<String> {
        match &self.search {
            Err(cause) => Some(self.why(cause)),
            Ok(search) => {
                let constrained = search.is_constrained().then(|| CONSTRAINED.to_string());
                search.fault().map(str::to_string).or(constrained)
            }
        }
    }

    fn breaks(&self, assertion: &Term) -> Result<Option<Path<State>>, Open> {
        let search = self.search.as_ref().map_err(|cause| Open(self.why(cause)))?;
        search.breaks(assertion, self.question.given).map_err(|cause| Open(self.why(&cause)))
    }

    fn violation(&self, formula: &Formula<Term>, given: &Valuation) -> Found {
        let open = |cause: &NoAnswer| Found { open: Some(self.why(cause)), ..Found::default() };
        let search = match &self.search {
            Ok(search) => search,
            Err(cause) => return open(cause),
        };
        if numbered(formula.clone()).is_none() {
            let reason = "the formula has more than 64 propositions: its runs could not be judged";
            return Found { open: Some(reason.to_string()), ..Found::default() };
        }
        match search.violation(formula, given) {
            Err(cause) => open(&cause),
            Ok(None) => Found { open: self.incomplete(), ..Found::default() },
            Ok(path) => Found { path, ..Found::default() },
        }
    }

    fn numbers(&self) -> SearchNumbers {
        self.search.as_ref().map_or_else(|_| SearchNumbers::default(), numbers_of)
    }

    fn diagrams(&self) -> Option<Diagrams> {
        let (nodes, bits) = self.search.as_ref().map_or((0, 0), |s| (s.nodes(), s.bits()));
        Some(Diagrams { nodes: nodes as u64, bits: bits as u64 })
    }
}
