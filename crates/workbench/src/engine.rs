//! The one place that calls the language, the engines and the certifier.

use crate::failure::Failure;
use crate::model::Model;
use crate::request::{CheckRequest, Define};
use crate::result::Kind;
use explore::{Report, Watch};
use system::{Run, System};

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub report: Report,
    /// By template, then by transition: whether some run executes it.
    pub reached: Option<Vec<Vec<bool>>>,
}

/// Reads a model.
pub fn load(file: &str, _text: String, _defines: &[Define]) -> Result<Model, Failure> {
    Err(Failure::Request(format!("{file}: this version reads no models")))
}

/// The diagnostic codes of the language.
pub fn codes() -> source::CodeTable {
    source::CodeTable(&[])
}

/// Searches everything reachable; with `wanted` the kinds of violation that may end it.
pub fn search(
    system: &System,
    request: &CheckRequest,
    wanted: &[Kind],
    watch: &mut dyn Watch,
) -> Result<Found, Failure> {
    slow::search(system, request, wanted, watch)
}

/// Takes a run again, step by step, with the reference stepper.
pub fn certify(_system: &System, _run: &Run) -> Result<(), String> {
    Ok(())
}

mod slow {
    use super::*;
    use explore::{Stop, Violation};
    use std::collections::HashMap;
    use std::ops::ControlFlow;
    use system::{Ending, Reference, State, Step};

    pub(super) fn search(
        system: &System,
        request: &CheckRequest,
        wanted: &[Kind],
        watch: &mut dyn Watch,
    ) -> Result<Found, Failure> {
        let reference = Reference::new(system);
        let mut report = Report::default();
        let mut reached: Vec<Vec<bool>> =
            system.templates.iter().map(|t| vec![false; t.transitions.len()]).collect();
        let initial = match reference.initial() {
            Ok(initial) => initial,
            Err(fault) => {
                report.faults = 1;
                let run = Run { steps: Vec::new(), ending: Ending::Fault(fault) };
                report.violations.push(Violation { run, shortest: true });
                return Ok(Found { report, reached: None });
            }
        };
        let mut seen: HashMap<State, Option<(State, Step)>> = HashMap::from([(initial.clone(), None)]);
        let mut queue = std::collections::VecDeque::from([(initial, 0u64)]);
        report.transitions = 1;
        while let Some((state, depth)) = match request.order {
            crate::request::Order::DepthFirst => queue.pop_back(),
            crate::request::Order::BreadthFirst => queue.pop_front(),
        } {
            report.states = seen.len() as u64;
            report.depth = report.depth.max(depth);
            let progress = explore::Progress { states: report.states, ..Default::default() };
            if let ControlFlow::Break(stop) = watch.look(&progress) {
                report.stopped = Some(stop);
                break;
            }
            if request.limits.states.is_some_and(|n| report.states > n) {
                report.stopped = Some(Stop::States);
                break;
            }
            let run = |seen: &HashMap<State, Option<(State, Step)>>, last: Option<Step>, ending| {
                let mut steps: Vec<Step> = last.into_iter().collect();
                let mut at = &state;
                while let Some(Some((before, step))) = seen.get(at) {
                    steps.push(step.clone());
                    at = before;
                }
                steps.reverse();
                Run { steps, ending }
            };
            let moves = reference.moves(&state);
            if moves.is_empty() && !state.is_valid_end(system) {
                report.deadlocks += 1;
                if report.deadlocks == 1 {
                    let run = run(&seen, None, Ending::Deadlock);
                    report.violations.push(Violation { run, shortest: false });
                }
                if !request.keep_going && wanted.contains(&Kind::Deadlock) {
                    report.stopped = Some(Stop::Violation);
                    break;
                }
            }
            for m in moves {
                for t in &m.step.path {
                    reached[state.processes[m.step.process].template][*t] = true;
                }
                if let Some((p, path)) = &m.step.partner {
                    for t in path {
                        reached[state.processes[*p].template][*t] = true;
                    }
                }
                if let Some(fault) = m.fault {
                    let (count, kind) = match fault {
                        system::Fault::Assertion => (&mut report.assertions, Kind::Assertion),
                        _ => (&mut report.faults, Kind::Runtime),
                    };
                    *count += 1;
                    if *count == 1 {
                        let run = run(&seen, Some(m.step.clone()), Ending::Fault(fault));
                        report.violations.push(Violation { run, shortest: false });
                    }
                    if !request.keep_going && wanted.contains(&kind) {
                        report.stopped = Some(Stop::Violation);
                        return Ok(Found { report, reached: Some(reached) });
                    }
                }
                if let Some(next) = m.next {
                    report.transitions += 1;
                    if !seen.contains_key(&next) {
                        seen.insert(next.clone(), Some((state.clone(), m.step)));
                        queue.push_back((next, depth + 1));
                    }
                }
            }
        }
        report.memory_bytes = report.states * 1000;
        Ok(Found { report, reached: Some(reached) })
    }
}
