//! Data races: where none can be nothing is searched, and what Java does not order is tried last.

use super::{Found, Kind, Outcome, Request, Seen, Witness};
use crate::concrete::{Concrete, Step};
use space::Start;
use structures::model::{Claim, Model};
use structures::race;

/// Takes out the data races that no text can have; they hold.
pub(super) fn settled(model: &Model, asked: &mut Vec<(String, Kind)>) -> Vec<Outcome> {
    let never = |name: &str| {
        let claim = model.properties.iter().find(|p| p.name == name).map(|p| &p.claim);
        matches!(claim, Some(Claim::Race { field, .. }) if field.is_empty())
    };
    let (done, open) = std::mem::take(asked).into_iter().partition(|(name, _)| never(name));
    *asked = open;
    let holds = |(name, kind): (String, Kind)| Outcome::new(&name, kind, Seen::Nothing);
    let done: Vec<(String, Kind)> = done;
    done.into_iter().map(holds).collect()
}

/// What is left to ask: one data race is enough, unless all are listed.
pub(super) fn worth_asking(
    request: &Request,
    asked: &[(String, Kind)],
    early: &[Outcome],
) -> Vec<(String, Kind)> {
    let found = |p: &Outcome| p.kind == Kind::Race && matches!(p.seen, Seen::Run(_));
    let raced = !request.all_races && early.iter().any(found);
    let known = |name: &str| early.iter().any(|p| p.name == name);
    asked.iter().filter(|(name, kind)| *kind != Kind::Race || !raced || known(name)).cloned().collect()
}

/// The data races of which no run was found, if the model has actions that stand for orders that
/// are not guaranteed.
pub(super) fn to_ask_again(model: &Model, request: &Request, answers: &[Found]) -> Vec<(String, Kind)> {
    let raced = |p: &Outcome| p.kind == Kind::Race && matches!(p.seen, Seen::Run(_));
    let enough = !request.all_races && answers.iter().flat_map(|a| &a.properties).any(raced);
    let weak = model.actions.iter().any(|a| a.weak) && request.races && !enough;
    let all = answers.iter().flat_map(|a| &a.properties).filter(|_| weak);
    let open = all.filter(|p| p.kind == Kind::Race && !matches!(p.seen, Seen::Run(_)));
    open.map(|p| (p.name.clone(), p.kind)).collect()
}

/// The second answer counts: it is about more runs.
pub(super) fn replace(answers: &mut [Found], again: &mut Found) {
    for new in std::mem::take(&mut again.properties) {
        let old = answers.iter_mut().flat_map(|a| &mut a.properties).find(|p| p.name == new.name);
        if let Some(old) = old {
            *old = new;
        }
    }
}

/// A run to a state in which several variables are taken for one decides nothing.
pub(super) fn vague_is_unknown(model: &Model, answered: &mut Outcome) {
    let claim = model.properties.iter().find(|p| p.name == answered.name).map(|p| &p.claim);
    if let (Some(Claim::Race { field, vague: true, .. }), Seen::Run(_)) = (claim, &answered.seen) {
        let reason = format!("two threads may use {field} at the same time; which one is not modelled");
        answered.seen = Seen::Open { reason, candidate: None };
    }
}

/// Adds both accesses to a run that ends where they come next.
pub(super) fn complete(
    model: &Model,
    concrete: &Concrete<'_>,
    name: &str,
    mut witness: Witness,
) -> Option<Witness> {
    let field = model.properties.iter().find_map(|p| match &p.claim {
        Claim::Race { field, .. } if p.name == name => Some(field),
        _ => None,
    })?;
    let Start::Text(first) = &witness.run.start else { return None };
    let mut state = concrete.read(first)?;
    for step in &witness.run.steps {
        let step = Step::read(step)?;
        state = concrete.step(&state, &step, model.actions.get(step.action)?)?;
    }
    let accesses = race::both(model, concrete, &state, field)?;
    witness.run.steps.extend(accesses.iter().map(|(step, _)| space::Step::from(step)));
    Some(witness)
}
