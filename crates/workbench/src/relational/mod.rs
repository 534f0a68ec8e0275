//! Promela models by the engines of relations: sets of states as decision diagrams, and proofs.
//!
//! The model is translated ([`compile::relational`]), exactly or not at all: what is refused is
//! *unknown*. What an engine finds on the relation is made a run of the model again and judged by
//! the model's own reference stepper before it is shown. The shape of the relation, which
//! processes it has room for, is learnt: where more would be needed it is made again.
//!
//! * `sets`: `weave check --engine symbolic`. `temporal`: formulas there. `prove`: `weave prove`.

mod prove;
mod sets;
mod temporal;

pub(crate) use prove::prove;
pub(crate) use sets::check;

use crate::answer::{Answer, Decided, Kind, Violation};
use crate::check::{kind_of, violation};
use crate::engine;
use crate::failure::{Failure, Open};
use crate::model::{Claim, Model};
use crate::verdict;
use compile::relational::{self, NotRelational, Relation, Shape};
use logic::fol::{Term, Value};
use space::Ending;
use system::System;

/// A relation is made so often with more room before that is given up.
const ROUNDS: usize = 12;

/// That processes are still without room.
const NO_ROOM: &str = "it is not known how many processes live at once";

/// A path of a relation.
type Path = space::Path<Vec<Value>>;

/// Asks about the relation of a system; again, with the room that `ask` has made in the shape, as
/// long as it gives nothing.
fn with_room<T>(
    model: &Model,
    system: &System,
    mut ask: impl FnMut(&Relation<'_>, &mut Shape) -> Result<Option<T>, Failure>,
) -> Result<Result<T, Open>, Failure> {
    let refused = |why: NotRelational| {
        let place = model.location(why.span).map(|at| format!(" (line {})", at.line)).unwrap_or_default();
        Open(format!("the model is not translated to a relation: {why}{place}; {}", why.help()))
    };
    let mut shape = match Shape::of(system) {
        Ok(shape) => shape,
        Err(why) => return Ok(Err(refused(why))),
    };
    for _ in 0..ROUNDS {
        let relation = match shape.clone().checked().and_then(|s| relational::of(system, &s)) {
            Ok(relation) => relation,
            Err(why) => return Ok(Err(refused(why))),
        };
        if let Some(found) = ask(&relation, &mut shape)? {
            return Ok(Ok(found));
        }
    }
    Ok(Err(Open(NO_ROOM.to_string())))
}

/// Makes room for what follows a path; whether there was none.
fn makes_room(relation: &Relation<'_>, path: &Path, shape: &mut Shape) -> bool {
    let before = shape.clone();
    relation.teach(path, shape);
    *shape != before
}

/// Nothing is known of anything, for a reason.
fn unknown(model: &Model, asked: &[Claim], reason: &str) -> Answer {
    let open = |c: &Claim| Decided::unknown(&c.name, c.kind, reason);
    let properties = asked.iter().map(open).collect();
    verdict::conclude(Answer { properties, warnings: model.warnings.clone(), ..Answer::default() })
}

/// What must never be, for a safety property to hold.
fn bad(relation: &Relation<'_>, kind: Kind) -> Option<Term> {
    match kind {
        Kind::Deadlock => Some(relation.deadlock.clone()),
        Kind::Assertion => Some(relation.assertion()),
        Kind::Runtime => Some(relation.runtime()),
        _ => None,
    }
}

/// A path to a bad state as a violation of the model, certified.
fn shown(model: &Model, relation: &Relation<'_>, path: &Path, claim: &Claim) -> Result<Violation, Failure> {
    let run = relation.run(path, Ending::Deadlock).map_err(Failure::refused)?;
    engine::certify(&model.system, &run)?;
    if kind_of(&run)? != claim.kind {
        return Err(Failure::refused(format!("it shows no violation of {}", claim.name)));
    }
    violation(model, claim.kind, &claim.name, &run, false)
}
