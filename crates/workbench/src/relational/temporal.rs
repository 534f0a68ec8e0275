//! Formulas about runs of a model, asked of sets of states.
//!
//! A run of the relation may idle, and passes through states that no observer sees: only formulas
//! that do not count steps are asked. The steps together are treated fairly, so a run goes on as
//! long as it can; one that cannot rests in its last state, as a model's run does. Runs that end in
//! an error are left out, and make *holds* unknown.

use super::{ROUNDS, refusal};
use crate::failure::Failure;
use crate::model::{Claim, Model};
use crate::question::Question;
use crate::temporal::{Query, is_sensitive};
use crate::transition::symbolic::{asking, options, why};
use crate::watch::Watcher;
use certify::NoViolation;
use compile::relational::{self, Broken, Relation, Shape};
use logic::fol::Term;
use logic::ltl::{Binary, Formula, Unary};
use space::{Ending, Run};
use std::cell::{Cell, RefCell};
use symbolic::Search;
use system::fts::Fairness;
use system::fts::step::Given;
use system::{Meaning, Property, System};

/// Who asks.
pub(super) struct Asked<'a, 'w> {
    pub(super) model: &'a Model,
    pub(super) request: &'a Question,
    pub(super) watcher: &'a RefCell<Watcher<'w>>,
}

/// A run that breaks a property, certified; why nothing is known, if it cannot be asked.
type Judged = Result<Option<Run>, String>;

/// Looks for a run that breaks a property; `cut` says that runs may end in an error.
pub(super) fn judge(asked: &Asked<'_, '_>, claim: &Claim, cut: bool) -> Result<Judged, Failure> {
    let Asked { model, request, watcher } = asked;
    let stated = model.properties.iter().find(|stated| stated.claim == *claim);
    let Some(stated) = stated else {
        return Err(Failure::Internal(format!("nothing is known of `{}`", claim.name)));
    };
    let property = match &stated.property {
        Ok(property) => property,
        Err(why) => return Ok(Err(why.clone())),
    };
    let formula = match (unfit(&property.meaning, property.ends, request), &property.meaning) {
        (None, Meaning::Always(formula)) => formula,
        (why, _) => return Ok(Err(why.unwrap_or(CLAIM).to_string())),
    };
    let system = stated.tracked.as_ref().unwrap_or(&model.system);
    watcher.borrow().phase("checking a formula");
    let run = match search(asked, system, property, formula) {
        Ok(run) => run,
        Err(why) => return Ok(Err(why)),
    };
    let refused = |why: String| Failure::Internal(format!("a counterexample was refused: {why}"));
    let Some(run) = run else {
        let why = "runs that end with a run-time error say nothing of what would follow";
        return Ok(if cut { Err(why.to_string()) } else { Ok(None) });
    };
    let run = run.map_err(|why| refused(why.to_string()))?;
    let query = Query { map: &model.map, system, property, request };
    match query.violated_by(&run) {
        Ok(()) => Ok(Ok(Some(run))),
        Err(why @ (NoViolation::Undefined(_) | NoViolation::LoopNotObserved)) => {
            Ok(Err(format!("a run was found, but {why}")))
        }
        Err(why) => Err(refused(why.to_string())),
    }
}

/// A run that breaks a formula, if there is one, or a path that is none; why nothing is known.
fn search(
    asked: &Asked<'_, '_>,
    system: &System,
    property: &Property,
    formula: &Formula<usize>,
) -> Result<Option<Result<Run, Broken>>, String> {
    let mut run = None;
    with_room(asked, system, &mut |relation| {
        let (fts, terms) = relation.observed(&property.propositions).map_err(|why| why.to_string())?;
        let (given, stopped) = (Given::new(), Cell::new(None));
        let ask = asking(asked.watcher, &stopped);
        let why = |obstacle| why(&obstacle, stopped.get());
        let options = options(asked.request, Fairness::Weak);
        let search = Search::new(&fts, &given, &[], &options, &ask).map_err(why)?;
        let beyond = search.breaks(&Term::negation(relation.beyond()), &given).map_err(why)?;
        if beyond.is_some() {
            return Ok(beyond);
        }
        let atoms = formula.clone().map(&mut |at: usize| terms[at].clone());
        let wanted = Formula::binary(Binary::Implies, sound(relation), atoms);
        let path = search.violation(&wanted, &given).map_err(why)?;
        run = path.map(|path| relation.run(&path, Ending::Open));
        Ok(None)
    })?;
    Ok(run)
}

const CLAIM: &str = "the symbolic engine does not take never claims of models";

/// Why a property is not asked of sets of states.
fn unfit(meaning: &Meaning, ends: bool, request: &Question) -> Option<&'static str> {
    match meaning {
        Meaning::Never(_) => Some(CLAIM),
        _ if request.fairness.unwrap_or_default() != Fairness::None => {
            Some("the symbolic engine does not know fairness to the processes of a model")
        }
        _ if !ends => Some("the symbolic engine does not tell runs that end from runs that go on"),
        _ if is_sensitive(meaning) => Some("the symbolic engine does not take formulas that count steps"),
        Meaning::Always(_) => None,
    }
}

/// That no fault happens.
fn sound(relation: &Relation<'_>) -> Formula<Term> {
    let wrong = Term::any([relation.assertion(), relation.runtime()]);
    Formula::unary(Unary::Always, Formula::Atom(Term::negation(wrong)))
}

type Path = space::Path<Vec<logic::fol::Value>>;

/// Asks about the relation of a system, with more room as long as what is asked says that it is
/// needed.
fn with_room(
    asked: &Asked<'_, '_>,
    system: &System,
    ask: &mut dyn FnMut(&Relation<'_>) -> Result<Option<Path>, String>,
) -> Result<(), String> {
    let told = |why: relational::NotRelational| refusal(asked.model, &why);
    let mut shape = Shape::of(system).map_err(told)?;
    for _ in 0..ROUNDS {
        let relation = shape.clone().checked().and_then(|s| relational::of(system, &s)).map_err(told)?;
        match ask(&relation)? {
            None => return Ok(()),
            Some(path) => relation.teach(&path, &mut shape),
        }
    }
    Err(super::NO_ROOM.to_string())
}
