//! What holds of a model, certified: one closed set for all that is seen in states and steps, and
//! levels for each property of runs.

use super::Certifier;
use crate::answer::{Certificate, Decided, Kind, Verdict};
use crate::failure::Failure;
use crate::listener::ProgressListener;
use crate::model::Model;
use crate::question::Question;
use certify::Forbidden;
use system::Reference;

/// Certifies the properties that hold; a search saw this many states.
pub(crate) fn of_model(
    model: &Model,
    request: &Question,
    properties: &mut [Decided],
    searched: u64,
    watcher: &ProgressListener<'_>,
) -> Result<(), Failure> {
    if properties.iter().any(|p| p.verdict != Verdict::Holds) && !request.certify {
        return Ok(());
    }
    watcher.phase("certifying");
    let certifier = Certifier { asked: request.certify, watcher };
    let holding = || properties.iter().filter(|p| p.verdict == Verdict::Holds);
    let forbidden = holding().fold(Forbidden::default(), |all, p| forbid(all, p.kind));
    let mut closed = None;
    if forbidden != Forbidden::default() && !certifier.is_beyond(searched) {
        closed = certifier.shown(certifier.closed(&Reference::new(&model.system), forbidden)?);
    }
    for property in properties.iter_mut().filter(|p| p.verdict == Verdict::Holds) {
        property.certificate = match is_seen_in_steps(property.kind) {
            true => closed.clone(),
            false => of_runs(model, request, property, &certifier)?,
        };
    }
    Ok(())
}

fn is_seen_in_steps(kind: Kind) -> bool {
    forbid(Forbidden::default(), kind) != Forbidden::default()
}

fn forbid(all: Forbidden, kind: Kind) -> Forbidden {
    match kind {
        Kind::Deadlock => Forbidden { deadlocks: true, ..all },
        Kind::Assertion => Forbidden { assertions: true, ..all },
        Kind::Runtime => Forbidden { faults: true, ..all },
        _ => all,
    }
}

fn of_runs(
    model: &Model,
    request: &Question,
    property: &Decided,
    certifier: &Certifier<'_, '_>,
) -> Result<Option<Certificate>, Failure> {
    let is_it = |stated: &&crate::model::Stated| {
        stated.claim.name == property.name && stated.claim.kind == property.kind
    };
    let Some(stated) = model.properties.iter().find(is_it) else { return Ok(None) };
    let Ok(asked) = &stated.property else { return Ok(None) };
    if property.product.is_some_and(|(states, _)| certifier.is_beyond(states)) {
        return Ok(None);
    }
    let observed = asked.observed(stated.tracked.as_ref().unwrap_or(&model.system));
    let reference = Reference::fair(&observed, request.fairness.unwrap_or_default());
    Ok(certifier.shown(certifier.empty(&reference, &asked.meaning, asked.ends)?))
}
