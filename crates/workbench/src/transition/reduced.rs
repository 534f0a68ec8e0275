//! State by state with fewer steps: safety properties of a transition system under partial-order
//! reduction.
//!
//! Each property has a search of its own, because each sees other steps: persistent sets over the
//! footprints of transitions (`compile::relation`), visibility, and the proviso for finite runs, as
//! for models. That is right for a safety property that does not count steps. Whatever else is
//! asked, and whatever cannot be reduced, is asked of the search of all states. Fairness is about
//! infinite runs: it does not matter to a safety property.

use super::explicit::{Explicit, STATES, numbered};
use super::{Checker, Found, Query, words};
use crate::answer::{ReductionUsed, SearchNumbers};
use crate::failure::Open;
use crate::listener::ProgressListener;
use compile::relation::unpacked;
use explore::monitored::{Monitored, inner};
use explore::recorded::record;
use explore::reduction::reduced::{Proviso, Reduced, ReductionListener, Shared};
use independence::selective::Selective;
use logic::automata::{Monitor, monitor};
use logic::fol::Term;
use logic::ltl::classify::Language;
use logic::ltl::{Formula, Unary};
use objects::Dependency;
use space::Path;
use std::cell::{OnceCell, RefCell};
use system::fts::step::{State, Valuation};

pub(super) struct Fewer<'a, 'w> {
    question: &'a Query<'a>,
    watcher: &'a RefCell<ProgressListener<'w>>,
    /// The search of all states, if something needs it.
    whole: OnceCell<Explicit<'a, 'w>>,
    seen: RefCell<Seen>,
    /// All type checks hold.
    checked: bool,
}

/// What the searches have seen so far.
#[derive(Default)]
struct Seen {
    numbers: SearchNumbers,
    /// Why one of them is not complete.
    open: Option<String>,
    used: Option<ReductionUsed>,
}

/// A safety property that does not count steps, and the values that it speaks of.
struct Safety<'a> {
    monitor: Monitor,
    atoms: Vec<Term>,
    given: &'a Valuation,
}

impl<'a, 'w> Fewer<'a, 'w> {
    pub(super) fn new(question: &'a Query<'a>, watcher: &'a RefCell<ProgressListener<'w>>) -> Self {
        let (whole, seen) = (OnceCell::new(), RefCell::default());
        let mut fewer = Fewer { question, watcher, whole, seen, checked: false };
        let checks = &question.source.fts.type_checks;
        if checks.len() > 1 {
            let all = Term::all(checks.iter().map(|check| check.everywhere()));
            fewer.checked = matches!(fewer.breaks(&all), Ok(None));
        }
        fewer
    }

    fn whole(&self) -> &Explicit<'a, 'w> {
        self.whole.get_or_init(|| Explicit::new(self.question, self.watcher))
    }

    /// Looks for a finite run that breaks a property; `None` if the system is not reduced.
    fn search(&self, property: &Safety<'_>) -> Option<Found> {
        let mut relation = self.question.relation(property.given, &property.atoms);
        relation.prepare().ok()?;
        let method = self.question.request.reduction.method(Dependency::Conditional);
        let choices = Shared::new(Proviso::Ways);
        let reduced = Reduced::new(relation, method, choices.clone());
        let mut watched = [Monitored::new(reduced, &property.monitor)];
        let limits = self.question.limits(STATES);
        let mut watcher = self.watcher.borrow_mut();
        let mut watch =
            ReductionListener { watch: &mut *watcher, choices: choices.clone(), memory: limits.memory };
        let recorded = record(&mut watched, limits, &mut watch);
        let [watched] = watched;
        let fts = &self.question.source.fts;
        let state = |state: &[u8]| unpacked(fts, &choices.state(inner(state)));
        let path = recorded.faulty.map(|at| Path::to(recorded.path_to(at)).map(state));
        let stopped = recorded.report.stopped.filter(|_| path.is_none()).map(|stop| words(stop).to_string());
        let undefined = watched.undefined.map(|undefined| undefined.to_string());
        let open = undefined.or(stopped).filter(|_| path.is_none());
        let numbers = SearchNumbers::from(&recorded.report);
        let used = ReductionUsed {
            name: "persistent".to_string(),
            proviso: true,
            off: choices.full_expansions(),
            ..ReductionUsed::default()
        };
        self.note(numbers, open.as_ref(), &used);
        let product = Some((numbers.states, numbers.transitions));
        Some(Found { path, open, product, reduction: Some(used) })
    }

    fn note(&self, new: SearchNumbers, open: Option<&String>, used: &ReductionUsed) {
        let mut seen = self.seen.borrow_mut();
        seen.numbers = plus(seen.numbers, new);
        seen.open = seen.open.take().or(open.cloned());
        seen.used = seen.used.take().map(|before| before.and(used.clone())).or(Some(used.clone()));
    }
}

/// What two searches took together, one after the other.
fn plus(a: SearchNumbers, b: SearchNumbers) -> SearchNumbers {
    SearchNumbers {
        states: a.states + b.states,
        transitions: a.transitions + b.transitions,
        depth: a.depth.max(b.depth),
        memory_bytes: a.memory_bytes.max(b.memory_bytes),
    }
}

/// A formula as a safety property that does not count steps; `None` if it is none.
fn safety<'a>(formula: &Formula<Term>, given: &'a Valuation) -> Option<Safety<'a>> {
    let (numbered, atoms) = numbered(formula.clone())?;
    let monitor = monitor(&numbered).ok()??;
    monitor.sink?;
    let stutters = Language::of(&numbered).ok()?.is_stutter_invariant().ok()?;
    stutters.then_some(Safety { monitor, atoms, given })
}

impl Checker for Fewer<'_, '_> {
    fn incomplete(&self) -> Option<String> {
        let open = self.seen.borrow().open.clone();
        open.or_else(|| self.whole.get()?.incomplete())
    }

    fn breaks(&self, assertion: &Term) -> Result<Option<Path<State>>, Open> {
        let mut checks = self.question.source.fts.type_checks.iter();
        if self.checked && checks.any(|check| check.everywhere() == *assertion) {
            return Ok(None);
        }
        let always = Formula::unary(Unary::Always, Formula::Atom(assertion.clone()));
        let property = safety(&always, self.question.given);
        match property.and_then(|property| self.search(&property)) {
            Some(Found { open: Some(open), .. }) => Err(Open(open)),
            Some(Found { path, .. }) => Ok(path),
            None => match self.whole().breaks(assertion)? {
                None => self.whole().incomplete().map_or(Ok(None), |open| Err(Open(open))),
                path => Ok(path),
            },
        }
    }

    fn violation(&self, formula: &Formula<Term>, given: &Valuation) -> Found {
        let reduced = safety(formula, given).and_then(|property| self.search(&property));
        reduced.unwrap_or_else(|| self.whole().violation(formula, given))
    }

    fn numbers(&self) -> SearchNumbers {
        let whole = self.whole.get().map(Explicit::numbers).unwrap_or_default();
        plus(self.seen.borrow().numbers, whole)
    }

    fn reduction(&self) -> ReductionUsed {
        let used = self.seen.borrow().used.clone().unwrap_or_default();
        if self.whole.get().is_some() { used.and(ReductionUsed::default()) } else { used }
    }
}
