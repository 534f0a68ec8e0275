//! The same numbers as the engines give them, every run they show certified on the way.

use crate::slow::Place;
use compile::Program;
use compile::simplify::Simplified;
use explore::{Limits, NoListener, Options, Order, Reduction, Report};
use independence::selective::Selective;
use space::{Ending, Run};
use std::collections::BTreeSet;
use system::{Fault, ProcessTypeId, Reference, System, TransitionId};

/// What a search says.
#[derive(Debug)]
pub struct Said {
    pub report: Report,
    pub deadlock: bool,
    pub places: BTreeSet<Place>,
    pub executed: BTreeSet<(ProcessTypeId, TransitionId)>,
    /// Runs that the certifier refuses.
    pub refused: Vec<String>,
}

/// Searches a simplified system to the end, if it has no more than `limit` states.
pub fn search(system: &System, simplified: Simplified, order: Order, limit: u64) -> Option<Said> {
    let mut program = Program::new(simplified).ok()?;
    let limits = Limits { states: Some(limit), ..Limits::default() };
    let options = Options { order, keep_going: true, limits, ..Options::default() };
    let report = explore::search(&mut program, &options, &mut NoListener);
    said(system, &program, report)
}

/// The same with a reduction, if the system allows one.
pub fn reduced_search(
    system: &System,
    simplified: Simplified,
    reduction: Reduction,
    options: Options,
) -> Option<Said> {
    let mut program = Program::new(simplified).ok()?;
    program.prepare().ok()?;
    let report = explore::selective_search(&mut program, &options, reduction, &mut NoListener);
    said(system, &program, report)
}

fn said(system: &System, program: &Program, report: Report) -> Option<Said> {
    if report.stopped.is_some() {
        return None;
    }
    let mut said = Said {
        deadlock: report.deadlocks > 0,
        places: BTreeSet::new(),
        executed: executed(program),
        refused: Vec::new(),
        report,
    };
    for violation in &said.report.violations {
        match certify(system, &violation.run) {
            Ok(place) => said.places.extend(place),
            Err(refusal) => said.refused.push(refusal),
        }
    }
    Some(said)
}

fn executed(program: &Program) -> BTreeSet<(ProcessTypeId, TransitionId)> {
    let reached = program.reached();
    let all = reached.iter().enumerate();
    let all = all.flat_map(|(id, marks)| marks.iter().enumerate().map(move |(t, mark)| ((id, t), *mark)));
    all.filter(|(_, mark)| *mark).map(|(at, _)| at).collect()
}

/// The place of the fault that a run shows; none for a deadlock.
fn certify(system: &System, run: &Run) -> Result<Option<Place>, String> {
    // A d_step that never ends is reported without its whole loop; `workbench` completes it. Its
    // beginning must be right.
    let diverges = run.ending == Ending::Fault(Fault::StepDiverges.into());
    let reported = match run.steps.split_last() {
        Some((_, before)) if diverges => Run::new(before.to_vec(), Ending::Open),
        _ => run.clone(),
    };
    let replayed = certify::replay(&Reference::new(system), &reported)
        .map_err(|refusal| format!("{refusal} in {run:?}"))?;
    let (Ending::Fault(fault), Some(step)) = (run.ending, run.steps.last()) else { return Ok(None) };
    let Some(fault) = Fault::of(fault) else { return Err(format!("no fault of a step: {run:?}")) };
    let before = &replayed.states[run.steps.len() - 1];
    let (pid, path) = step.partner.as_ref().map_or((step.actor, &step.path), |(pid, path)| (*pid, path));
    let transition = path.last().copied().filter(|_| !diverges);
    Ok(Some((fault, before.processes[pid].process_type, transition)))
}
