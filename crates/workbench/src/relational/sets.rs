//! `weave check --engine symbolic` on a Promela model.

use super::temporal::{self, Asked};
use super::{NO_ROOM, bad, makes_room, shown, with_room};
use crate::answer::{Answer, Decided, Diagrams, Numbers, SearchNumbers, Verdict, Violation};
use crate::certificate::of_model;
use crate::check::violation;
use crate::failure::{Failure, Open};
use crate::listener::{Interrupt, Progress, ProgressListener};
use crate::model::{Claim, Model};
use crate::question::{Keep, Question};
use crate::reduction::ReductionKind;
use crate::transition::symbolic::{asking, numbers_of, options, why};
use crate::verdict;
use compile::relational::{Relation, Shape};
use logic::fol::Term;
use std::cell::{Cell, RefCell};
use symbolic::{NoAnswer, Search};
use system::fts::Fairness;
use system::fts::step::Valuation;

pub(crate) fn check(
    model: &Model,
    request: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    plain(request)?;
    let asked = verdict::asked(&model.claims, &request.selected)?;
    interrupt.board().properties = verdict::open(&asked);
    interrupt.board().map = model.map.clone();
    let watcher = RefCell::new(ProgressListener::new(request.limits.time, interrupt, tell));
    interrupt.phase("translating the model");
    let found = with_room(model, &model.system, |relation, shape| {
        interrupt.phase("searching");
        let sets = Sets { model, request, asked: &asked, watcher: &watcher, relation };
        let answer = sets.answer(shape)?;
        if answer.is_none() {
            interrupt.phase("translating the model");
        }
        Ok(answer)
    })?;
    let mut answer = found.unwrap_or_else(|open| unknown(model, &asked, &open.0));
    let searched = answer.searched().states;
    of_model(model, request, &mut answer.properties, searched, &watcher.borrow())?;
    Ok(answer)
}

/// Nothing is known of anything, for a reason.
fn unknown(model: &Model, asked: &[Claim], reason: &str) -> Answer {
    let mut answer = super::unknown(model, asked, reason);
    answer.numbers.search = Some(SearchNumbers::default());
    answer.numbers.diagrams = Some(Diagrams::default());
    answer
}

/// Refuses what only a search from state to state can do.
fn plain(request: &Question) -> Result<(), Failure> {
    let reduced = request.reduction.kind.is_some_and(|kind| kind != ReductionKind::None);
    if reduced
        || request.keep != Keep::All
        || request.disk.is_some()
        || request.swarm.is_some()
        || request.order.is_some()
    {
        let what = "--engine symbolic computes with sets of states: --reduction, --store and --search are not for it";
        return Err(Failure::Request(what.to_string()));
    }
    Ok(())
}

/// A model with its relation, and what is asked.
struct Sets<'a, 'w> {
    model: &'a Model,
    request: &'a Question,
    asked: &'a [Claim],
    watcher: &'a RefCell<ProgressListener<'w>>,
    relation: &'a Relation<'a>,
}

/// What is known so far.
#[derive(Default)]
struct Known {
    properties: Vec<Decided>,
    violations: Vec<Violation>,
}

impl Sets<'_, '_> {
    /// What the sets of states say; none if there was no room for a process, for which the shape
    /// has some then.
    fn answer(&self, shape: &mut Shape) -> Result<Option<Answer>, Failure> {
        let (given, stopped) = (Valuation::new(), Cell::new(None));
        let ask = asking(self.watcher, &stopped);
        let options = options(self.request, Fairness::None);
        let open = |cause: &NoAnswer| unknown(self.model, self.asked, &why(cause, stopped.get()));
        let search = match Search::new(&self.relation.fts, &given, &[], &options, &ask) {
            Ok(search) => search,
            Err(cause) => return Ok(Some(open(&cause))),
        };
        let never = |bad: Term| search.breaks(&Term::negation(bad), &given);
        match never(self.relation.beyond()) {
            Ok(None) => {}
            Ok(Some(path)) => {
                let more = makes_room(self.relation, &path, shape);
                return Ok((!more).then(|| unknown(self.model, self.asked, NO_ROOM)));
            }
            Err(cause) => return Ok(Some(open(&cause))),
        }
        let mut known = self.safety(&search, &given, &|cause| why(cause, stopped.get()))?;
        let numbers = numbers_of(&search);
        let diagrams = Diagrams { nodes: search.nodes() as u64, bits: search.bits() as u64 };
        let cut = never(self.relation.runtime()).map_or(true, |path| path.is_some());
        drop(search);
        self.note(&known);
        self.formulas(&mut known, cut)?;
        Ok(Some(self.concluded(known, numbers, diagrams)))
    }

    /// Deadlocks, assertions and run-time errors.
    fn safety(
        &self,
        search: &Search<'_>,
        given: &Valuation,
        why: &dyn Fn(&NoAnswer) -> String,
    ) -> Result<Known, Failure> {
        let mut known = Known::default();
        for claim in self.asked.iter().filter(|c| verdict::is_safety(c.kind)) {
            let bad = bad(self.relation, claim.kind);
            let found = bad.map(|bad| search.breaks(&Term::negation(bad), given)).transpose();
            let decided = match found {
                Err(cause) => Decided::unknown(&claim.name, claim.kind, &why(&cause)),
                Ok(None | Some(None)) => Decided::new(&claim.name, claim.kind, Verdict::Holds),
                Ok(Some(Some(path))) => {
                    known.violations.push(shown(self.model, self.relation, &path, claim)?);
                    Decided::new(&claim.name, claim.kind, Verdict::Violated)
                }
            };
            known.properties.push(decided);
        }
        if let Some(fault) = search.fault() {
            verdict::make_unknown(&mut known.properties, fault);
        }
        Ok(known)
    }

    /// What is known is not lost if the rest takes too long.
    fn note(&self, known: &Known) {
        let watcher = self.watcher.borrow();
        let mut board = watcher.job().board();
        known.properties.iter().for_each(|decided| board.note(decided));
        if board.violation.is_none() {
            board.violation = known.violations.first().cloned();
        }
    }

    /// Properties of whole runs; `cut` says that runs may end in an error.
    fn formulas(&self, known: &mut Known, cut: bool) -> Result<(), Failure> {
        for claim in self.asked.iter().filter(|c| !verdict::is_safety(c.kind)) {
            let asked = Asked { model: self.model, request: self.request, watcher: self.watcher };
            let judged = match (known.violations.is_empty(), self.request.keep_going) {
                (false, false) => Err(Open("the search stopped at the first violation".to_string())),
                _ => temporal::judge(&asked, claim, cut)?,
            };
            let decided = match judged {
                Err(open) => Decided::unknown(&claim.name, claim.kind, &open.0),
                Ok(None) => Decided::new(&claim.name, claim.kind, Verdict::Holds),
                Ok(Some(run)) => {
                    known.violations.push(violation(self.model, claim.kind, &claim.name, &run, false)?);
                    Decided::new(&claim.name, claim.kind, Verdict::Violated)
                }
            };
            known.properties.push(decided);
            self.note(known);
        }
        Ok(())
    }

    fn concluded(&self, known: Known, search: SearchNumbers, diagrams: Diagrams) -> Answer {
        let watcher = self.watcher.borrow();
        let numbers = Numbers {
            seconds: watcher.seconds(),
            search: Some(search),
            diagrams: Some(diagrams),
            ..Numbers::default()
        };
        verdict::conclude(Answer {
            numbers,
            errors: verdict::errors(&known.properties),
            exhausted: known.properties.iter().all(|p| p.verdict != Verdict::Unknown),
            interrupted: watcher.job().is_interrupted(),
            properties: known.properties,
            violations: known.violations,
            warnings: self.model.warnings.clone(),
            ..Answer::default()
        })
    }
}
