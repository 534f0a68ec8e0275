//! Concrete runs as recordings, and back: the state it begins in as the facts that hold there, and of each step the action and who takes part.

use super::{Races, Read, Teller, read};
use crate::failure::Failure;
use crate::model::Model;
use crate::recording::{RecordedStep, Recording};
use crate::trace::{Ending, Trace};
use crate::values::Variable;
use shapes::answer::{Kind, Run};
use shapes::concrete::{Concrete, State, Step, tuples};
use shapes::java::Reading;
use std::path::Path;

/// What is needed to take a run again.
pub(super) fn recording(host: &Model, teller: &Teller<'_>, run: &Run, ending: Ending) -> Recording {
    let step = |step: &Step| RecordedStep {
        process: step.part.get(&0).copied().unwrap_or(0),
        path: [step.action]
            .into_iter()
            .chain(step.part.iter().flat_map(|(v, u)| [usize::from(*v), *u]))
            .collect(),
        partner: None,
    };
    Recording {
        file: host.file.clone(),
        fingerprint: host.fingerprint.clone(),
        initial: 0,
        start: run.states.first().map(|state| {
            let words = teller.reading.words().into_iter().map(str::to_string);
            words.chain([written(teller.model, state)]).collect::<Vec<_>>().join("; ")
        }),
        steps: run.steps.iter().map(step).collect(),
        ending,
        ..Recording::default()
    }
}

/// How many individuals, then everything that holds of them and is not derived.
fn written(model: &shapes::model::Model, state: &State) -> String {
    let concrete = Concrete::new(&model.vocabulary);
    let mut parts = vec![state.individuals.to_string()];
    for p in model.vocabulary.predicates.iter().filter(|p| p.definition.is_none() && !p.hidden) {
        for tuple in tuples(p.symbol, state.individuals) {
            if concrete.get(state, p.symbol, tuple) {
                let who: Vec<String> = tuple[..p.symbol.arity()].iter().map(usize::to_string).collect();
                parts.push(format!("{}({})", p.name, who.join(",")));
            }
        }
    }
    parts.join("; ")
}

/// The state that was written; `None` if it is none of the model.
fn parsed(model: &shapes::model::Model, text: &str) -> Option<State> {
    let concrete = Concrete::new(&model.vocabulary);
    let mut parts = text.split("; ");
    let individuals: usize = parts.next()?.parse().ok().filter(|n| *n <= 64)?;
    let mut state = concrete.empty(individuals);
    for part in parts {
        let (name, who) = part.strip_suffix(')')?.rsplit_once('(')?;
        let symbol = model.vocabulary.symbol(name)?;
        let who: Vec<usize> =
            who.split(',').filter(|w| !w.is_empty()).map(|w| w.parse().ok()).collect::<Option<_>>()?;
        if who.len() != symbol.arity() || who.iter().any(|u| *u >= individuals) {
            return None;
        }
        let tuple = [who.first().copied().unwrap_or(0), who.get(1).copied().unwrap_or(0)];
        concrete.set(&mut state, symbol, tuple, true);
    }
    concrete.derive(&mut state);
    Some(state)
}

/// A recorded run, taken again step by step in the two-valued semantics; and what holds after each step.
pub fn replay(recording: &Recording, file: &Path) -> Result<(Model, Trace, Vec<Vec<Variable>>), Failure> {
    let start = recording.start.as_deref().unwrap_or_default();
    let (reading, start) = Reading::parse(start);
    let Read { map, model, fingerprint, .. } = read(file, reading)?;
    if fingerprint != recording.fingerprint {
        let message = format!("the trace was recorded on another version of {}", recording.file);
        return Err(Failure::Request(message));
    }
    let damaged = || Failure::Request("the trace cannot be taken on this model".to_string());
    let run = taken(&model, recording, start).ok_or_else(damaged)?;
    let kind = match recording.ending {
        Ending::Deadlock => Kind::Deadlock,
        Ending::Fault => Kind::Error,
        Ending::Race => Kind::Race,
        _ => Kind::Invariant,
    };
    let name = file.to_string_lossy().into_owned();
    let host = Model { file: name, fingerprint, map: map.clone(), ..Model::default() };
    let teller = Teller { model: &model, map: &map, reduction: "none", races: Races::Error, reading };
    let names = teller.all_names(&run);
    let states = run.states.iter().map(|s| teller.facts(s, &names)).collect();
    let trace = teller.trace(&host, &run, kind);
    Ok((host, trace, states))
}

/// Takes the steps, and looks that the run ends as it is said to.
fn taken(model: &shapes::model::Model, recording: &Recording, start: &str) -> Option<Run> {
    let concrete = Concrete::new(&model.vocabulary);
    let mut run = Run::default();
    run.states.push(parsed(model, start)?);
    for recorded in &recording.steps {
        let (action, part) = recorded.path.split_first()?;
        let here = run.states.last()?;
        let part = part.chunks(2).map(|pair| match pair {
            [v, u] if *v < 64 && *u < here.individuals => Some((*v as u8, *u)),
            _ => None,
        });
        let step = Step { action: *action, part: part.collect::<Option<_>>()? };
        let next = concrete.step(here, &step, model.actions.get(*action)?)?;
        run.steps.push(step);
        run.states.push(next);
    }
    let last = run.states.last()?;
    let as_said = match recording.ending {
        Ending::Deadlock => {
            // Others may go on: a thread that may not rest cannot move.
            let restless = model.threads.iter().flat_map(|t| t.places.iter().filter(|p| !t.ends.contains(p)));
            let places: Vec<_> = restless.copied().collect();
            let waits = |u: &usize| places.iter().any(|p| concrete.get(last, *p, [*u, 0]));
            (0..last.individuals).filter(waits).any(|u| !concrete.can_move(last, &model.actions, u))
        }
        Ending::Fault => run.steps.last().is_some_and(|s| model.actions[s.action].error.is_some()),
        Ending::Race => shapes::race::ends_in_race(model, &concrete, &run.states, &run.steps),
        Ending::Lasso { loop_start } => run.states.get(loop_start) == Some(last),
        _ => true,
    };
    if let Ending::Lasso { loop_start } = recording.ending {
        run.loop_start = Some(loop_start);
    }
    as_said.then_some(run)
}
