//! Formulas about runs of a model, asked of sets of states.
//!
//! A run of the relation may idle, and passes through states that no observer sees: only formulas
//! that do not count steps are asked. The steps together are treated fairly, so a run goes on as
//! long as it can; one that cannot rests in its last state, as a model's run does. Runs that end in
//! an error are left out, and make *holds* unknown.

use super::{Path, makes_room, with_room};
use crate::failure::{Failure, Open};
use crate::listener::ProgressListener;
use crate::model::{Claim, Model};
use crate::question::Question;
use crate::temporal::{Query, is_sensitive};
use crate::transition::symbolic::{asking, options, why};
use certify::NoViolation;
use compile::relational::{Broken, Relation};
use logic::fol::Term;
use logic::ltl::{Binary, Formula, Unary};
use space::{Ending, Run};
use std::cell::{Cell, RefCell};
use symbolic::Search;
use system::fts::Fairness;
use system::fts::step::Valuation;
use system::{Meaning, Property};

/// Who asks.
pub(super) struct Asked<'a, 'w> {
    pub(super) model: &'a Model,
    pub(super) request: &'a Question,
    pub(super) watcher: &'a RefCell<ProgressListener<'w>>,
}

/// A run that breaks a property, certified; why nothing is known, if it cannot be asked.
type Judged = Result<Option<Run>, Open>;

/// Looks for a run that breaks a property; `cut` says that runs may end in an error.
pub(super) fn judge(asked: &Asked<'_, '_>, claim: &Claim, cut: bool) -> Result<Judged, Failure> {
    let Asked { model, request, watcher } = asked;
    let stated = model.properties.iter().find(|stated| stated.claim == *claim);
    let Some(stated) = stated else {
        return Err(Failure::Internal(format!("no result was recorded for `{}`", claim.name)));
    };
    let property = match &stated.property {
        Ok(property) => property,
        Err(why) => return Ok(Err(Open(why.to_string()))),
    };
    let formula = match (unfit(&property.meaning, property.ends, request), &property.meaning) {
        (None, Meaning::Always(formula)) => formula,
        (why, _) => return Ok(Err(Open(why.unwrap_or(CLAIM).to_string()))),
    };
    let system = stated.tracked.as_ref().unwrap_or(&model.system);
    watcher.borrow().phase("checking a formula");
    let found = with_room(model, system, |relation, shape| {
        Ok(match search(asked, relation, property, formula) {
            Ok(Found::Beyond(path)) => {
                makes_room(relation, &path, shape);
                None
            }
            found => Some(found),
        })
    })?;
    let run = match found.and_then(|found| found) {
        Ok(Found::Run(run)) => run.map_err(Failure::refused)?,
        Ok(_) if !cut => return Ok(Ok(None)),
        Ok(_) => {
            let why = "runs that end with a run-time error say nothing of what would follow";
            return Ok(Err(Open(why.to_string())));
        }
        Err(open) => return Ok(Err(open)),
    };
    let query = Query { map: &model.map, system, property, request };
    match query.violated_by(&run) {
        Ok(()) => Ok(Ok(Some(run))),
        Err(why @ (NoViolation::Undefined(_) | NoViolation::LoopNotObserved)) => {
            Ok(Err(Open(format!("a run was found, but {why}"))))
        }
        Err(why) => Err(Failure::refused(why)),
    }
}

/// What the sets of states show.
enum Found {
    Nothing,
    /// A run that breaks the formula, or a path that is none.
    Run(Result<Run, Broken>),
    /// A path to where there is no room for a process.
    Beyond(Path),
}

/// Looks for a run that breaks a formula.
fn search(
    asked: &Asked<'_, '_>,
    relation: &Relation<'_>,
    property: &Property,
    formula: &Formula<usize>,
) -> Result<Found, Open> {
    let (fts, terms) = relation.observed(&property.propositions).map_err(|why| Open(why.to_string()))?;
    let (given, stopped) = (Valuation::new(), Cell::new(None));
    let ask = asking(asked.watcher, &stopped);
    let why = |no_answer| Open(why(&no_answer, stopped.get()));
    let options = options(asked.request, Fairness::Weak);
    let search = Search::new(&fts, &given, &[], &options, &ask).map_err(why)?;
    if let Some(path) = search.breaks(&Term::negation(relation.beyond()), &given).map_err(why)? {
        return Ok(Found::Beyond(path));
    }
    let atoms = formula.clone().map(&mut |at: usize| terms[at].clone());
    let wanted = Formula::binary(Binary::Implies, sound(relation), atoms);
    let path = search.violation(&wanted, &given).map_err(why)?;
    Ok(path.map_or(Found::Nothing, |path| Found::Run(relation.run(&path, Ending::Open))))
}

const CLAIM: &str = "the symbolic engine does not check never claims of models: leave out --engine";
const FAIR: &str =
    "the symbolic engine does not support fairness between the processes of a model: leave out --engine";
const ENDS: &str =
    "the symbolic engine does not distinguish runs that end from runs that go on: leave out --engine";
const COUNTS: &str =
    "the symbolic engine does not check formulas that count steps, with X: leave out --engine";

/// Why a property is not asked of sets of states.
fn unfit(meaning: &Meaning, ends: bool, request: &Question) -> Option<&'static str> {
    match meaning {
        Meaning::Never(_) => Some(CLAIM),
        _ if request.fairness.unwrap_or_default() != Fairness::None => Some(FAIR),
        _ if !ends => Some(ENDS),
        _ if is_sensitive(meaning) => Some(COUNTS),
        Meaning::Always(_) => None,
    }
}

/// That no fault happens.
fn sound(relation: &Relation<'_>) -> Formula<Term> {
    let wrong = Term::any([relation.assertion(), relation.runtime()]);
    Formula::unary(Unary::Always, Formula::Atom(Term::negation(wrong)))
}
