//! Runs of transition systems as files: which initial state, and which of the next states at each step.
//!
//! The states that may follow are put in order, so a number names one; idling has none.

use super::{asked, story};
use crate::failure::Failure;
use crate::model::fingerprint;
use crate::prove::Source;
use crate::question::Define;
use crate::recording::{RecordedStep, Recording};
use crate::trace::{Ending, Trace};
use crate::values::Variable;
use system::fts::Fts;
use system::fts::step::{Given, State, initial, successors};

pub(super) fn record(
    source: &Source,
    given: &Given,
    defines: &[Define],
    states: &[State],
    ending: Ending,
) -> Recording {
    let first = initial(&source.fts, given).unwrap_or_default();
    let at = |state: Option<&State>| first.iter().position(|s| Some(s) == state).unwrap_or(0);
    let back = match ending {
        Ending::Lasso { loop_start } => states.get(loop_start),
        _ => None,
    };
    let pairs = states.iter().zip(states.iter().skip(1).chain(back));
    let step = |(from, to): (&State, &State)| {
        let number = followers(&source.fts, given, from).ok().and_then(|f| f.iter().position(|s| s == to));
        RecordedStep { path: number.into_iter().collect(), ..RecordedStep::default() }
    };
    Recording {
        file: source.file(),
        defines: defines.to_vec(),
        fingerprint: fingerprint(&source.map, defines),
        initial: at(states.first()),
        start: None,
        steps: pairs.map(step).collect(),
        ending,
    }
}

/// Takes a recorded run again: how it looks, and every state of it.
pub fn replay(source: &Source, recording: &Recording) -> Result<(Trace, Vec<Vec<Variable>>), Failure> {
    if fingerprint(&source.map, &recording.defines) != recording.fingerprint {
        return Err(Failure::Request(format!(
            "the trace was recorded on another version of {}: the text or a -D definition has changed",
            recording.file
        )));
    }
    let given = asked::given(source, &recording.defines)?;
    let fts = &source.fts;
    let damaged = |why: &str| Failure::Request(format!("the trace does not fit the program: {why}"));
    let first = initial(fts, &given).map_err(Failure::Request)?.into_iter().nth(recording.initial);
    let mut states = vec![first.ok_or_else(|| damaged("no such initial state"))?];
    for step in &recording.steps {
        let last = &states[states.len() - 1];
        let next = match step.path.first() {
            None => last.clone(),
            Some(at) => {
                let next = followers(fts, &given, last).map_err(Failure::Request)?;
                next.into_iter().nth(*at).ok_or_else(|| damaged("a step is not possible"))?
            }
        };
        states.push(next);
    }
    let shown = states.iter().map(|state| story::variables(fts, state)).collect();
    let loop_start = match recording.ending {
        Ending::Lasso { loop_start } => {
            let last = states.pop();
            if last.as_ref() != states.get(loop_start) && !states.is_empty() {
                return Err(damaged("the loop does not close"));
            }
            Some(loop_start)
        }
        _ => None,
    };
    Ok((story::trace(source, &given, &states, loop_start), shown))
}

/// The states that may follow one, in order; idling is not among them.
fn followers(fts: &Fts, given: &Given, state: &State) -> Result<Vec<State>, String> {
    let mut next: Vec<State> = successors(fts, given, state)?.into_iter().map(|(_, next)| next).collect();
    next.sort();
    next.dedup();
    Ok(next)
}
