//! Concrete runs before the judge: nothing is shown that it has not confirmed.

use crate::failure::Failure;
use certify::{Asked, Because, NoViolation, Rejection, replay, violates};
use logic::ltl::{Formula, Unary};
use shapes::answer::{Found, Kind, Outcome, Seen};
use shapes::concrete::{Concrete, State};
use space::{Ending, Run};
use structures::model::{Claim, Model};
use structures::reference::Meaning;
use structures::{formula, race};

/// Judges every run that is said to violate something. What cannot be judged is unknown.
pub(super) fn confirm(model: &Model, answer: &mut Found) -> Result<(), Failure> {
    // What Java does not order counts for data races alone.
    let mut strict = model.clone();
    race::without_weak(&mut strict);
    for answered in &mut answer.properties {
        let Seen::Run(witness) = &answered.seen else { continue };
        let model = if answered.kind == Kind::Race { model } else { &strict };
        match judged(model, answered, &witness.run) {
            Ok(()) => {}
            Err(NoViolation::Refused(Rejection { because: Because::Undefined(why), .. })) => {
                let reason = format!("a run that may violate it cannot be judged: {why}");
                answered.seen = Seen::Open { reason, candidate: None };
            }
            Err(why) => return Err(Failure::refused(why)),
        }
    }
    Ok(())
}

/// Whether a run violates a property.
pub fn judged(model: &Model, answered: &Outcome, run: &Run) -> Result<(), NoViolation> {
    let meaning = |letters: &[formula::Formula]| {
        Meaning::new(model, Concrete::new(&model.vocabulary), Vec::new(), letters)
    };
    let always = |f| system::Meaning::Always(Formula::unary(Unary::Always, f));
    let named = |p: &&structures::model::Property| p.name == answered.name;
    let claim = model.properties.iter().find(named).map(|p| &p.claim);
    let (letters, asked) = match (answered.kind, claim) {
        (Kind::Deadlock | Kind::Error, _) | (_, None) => {
            let shows = match run.ending {
                Ending::Deadlock | Ending::Blocked { .. } => answered.kind == Kind::Deadlock,
                Ending::Fault(_) => answered.kind == Kind::Error,
                _ => false,
            };
            replay(&meaning(&[]), run).map_err(NoViolation::Refused)?;
            return if shows { Ok(()) } else { Err(NoViolation::NoSuchEnding) };
        }
        (_, Some(Claim::Invariant(good))) => (vec![good.clone()], always(Formula::Atom(0))),
        (_, Some(Claim::Race { bad, .. })) => (vec![formula::not(bad.clone())], always(Formula::Atom(0))),
        (_, Some(Claim::Ltl { formula, letters })) => {
            (letters.clone(), system::Meaning::Always(formula.clone()))
        }
        (_, Some(Claim::Never { automaton, letters })) => {
            (letters.clone(), system::Meaning::Never(automaton.clone()))
        }
    };
    violates(&meaning(&letters), Asked { meaning: &asked, ends: true }, run)
}

/// The states of a run.
pub(super) fn states(model: &Model, run: &Run) -> Vec<State> {
    let meaning = Meaning::new(model, Concrete::new(&model.vocabulary), Vec::new(), &[]);
    let open = Run { ending: Ending::Open, ..run.clone() };
    replay(&meaning, &open).map(|replayed| replayed.states).unwrap_or_default()
}
