//! Re-executes a run: every step must be a move of the state it is taken in, and the end must be what the run claims.

use space::{Ending, Run, Start, Step};
use std::fmt;
use system::replay::{Astray, Replay, is_same};
use system::{Fault, Reference, State, System};

/// A run that holds what it claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The initial state and the state after each step; the last step of a run into a fatal fault has none.
    /// Empty if the fault is in the initial state itself.
    pub states: Vec<State>,
    /// What each step printed.
    pub printed: Vec<Vec<String>>,
}

/// A run that does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The step (0-based) it fails at; the number of steps if it fails at its end.
    pub step: usize,
    pub because: Because,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// The system has no initial state, and the run does not claim so.
    NoBeginning(Fault),
    /// The run begins in another initial state than the only one.
    NoSuchStart,
    /// The state has no such move; these it has.
    NoSuchMove { claimed: Step, moves: Vec<Step> },
    /// A fatal fault ended the run before this step.
    GoesOnAfter(Option<Fault>),
    /// The last step, or the initial state if there is none, does not have the fault.
    NoSuchFault { claimed: space::Fault, found: Option<Fault> },
    /// The run ends in a fatal fault and claims something else.
    EndsInFault(Option<Fault>),
    /// Somebody can move.
    NoDeadlock { moves: Vec<Step> },
    /// Nobody can move, but everybody is where they may rest.
    ValidEnd,
    /// The run rests in its last state, but somebody can move.
    NoRest { moves: Vec<Step> },
    /// The loop begins after the end of the run.
    EmptyLoop,
    /// The last state is not that before the step where the loop starts.
    LoopDoesNotClose,
}

/// Re-executes the run.
pub fn replay(system: &System, run: &Run) -> Result<Replayed, Refusal> {
    if run.start != Start::Number(0) {
        return Err(Refusal { step: 0, because: Because::NoSuchStart });
    }
    let followed = match Replay::follow(system, &run.steps) {
        Err(Astray::NoBeginning(fault))
            if run.steps.is_empty() && run.ending == Ending::Fault(fault.into()) =>
        {
            return Ok(Replayed { states: Vec::new(), printed: Vec::new() });
        }
        Err(astray) => return Err(refuse(system, run, astray)),
        Ok(followed) => followed,
    };
    check_ending(system, run, &followed).map_err(|because| Refusal { step: run.steps.len(), because })?;
    let states = followed.states().cloned().collect();
    let printed = followed.moves.into_iter().map(|m| m.printed).collect();
    Ok(Replayed { states, printed })
}

fn refuse(system: &System, run: &Run, astray: Astray) -> Refusal {
    match astray {
        Astray::NoBeginning(fault) => Refusal { step: 0, because: Because::NoBeginning(fault) },
        Astray::GoesOnAfter { step, fault } => Refusal { step, because: Because::GoesOnAfter(fault) },
        Astray::NoSuchMove { step } => {
            let before = Replay::follow(system, &run.steps[..step]).ok();
            let moves = before.as_ref().and_then(Replay::last).map(|state| steps_from(system, state));
            let claimed = run.steps[step].clone();
            Refusal { step, because: Because::NoSuchMove { claimed, moves: moves.unwrap_or_default() } }
        }
    }
}

fn steps_from(system: &System, state: &State) -> Vec<Step> {
    Reference::new(system).moves(state).into_iter().map(|m| m.step).collect()
}

fn check_ending(system: &System, run: &Run, followed: &Replay) -> Result<(), Because> {
    let fault = followed.moves.last().and_then(|m| m.fault);
    if let Ending::Fault(claimed) = run.ending {
        let holds = fault.map(space::Fault::from) == Some(claimed);
        return if holds { Ok(()) } else { Err(Because::NoSuchFault { claimed, found: fault }) };
    }
    let last = followed.last().ok_or(Because::EndsInFault(fault))?;
    match run.ending {
        Ending::Fault(_) | Ending::Open | Ending::Prefix => Ok(()),
        Ending::Deadlock => check_deadlock(system, last),
        Ending::Lasso { loop_start } if loop_start > run.steps.len() => Err(Because::EmptyLoop),
        Ending::Lasso { loop_start } if loop_start == run.steps.len() => {
            let moves = steps_from(system, last);
            if moves.is_empty() { Ok(()) } else { Err(Because::NoRest { moves }) }
        }
        Ending::Lasso { loop_start } => {
            let closes = followed.states().nth(loop_start).is_some_and(|first| is_same(system, first, last));
            if closes { Ok(()) } else { Err(Because::LoopDoesNotClose) }
        }
    }
}

fn check_deadlock(system: &System, last: &State) -> Result<(), Because> {
    let moves = steps_from(system, last);
    if !moves.is_empty() {
        return Err(Because::NoDeadlock { moves });
    }
    if last.is_valid_end(system) { Err(Because::ValidEnd) } else { Ok(()) }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = self.step + 1;
        let of = |fault: &Option<Fault>| fault.map_or("no fault".to_string(), |f| f.to_string());
        match &self.because {
            Because::NoBeginning(fault) => write!(f, "the system has no initial state: {fault}"),
            Because::NoSuchStart => write!(f, "there is no such initial state"),
            Because::NoSuchMove { claimed, moves } => write!(
                f,
                "step {step}: process {} cannot take transitions {:?} here; {} moves are possible",
                claimed.actor,
                claimed.path,
                moves.len()
            ),
            Because::GoesOnAfter(fault) => write!(f, "step {step}: the run had ended with {}", of(fault)),
            Because::NoSuchFault { claimed, found } => {
                let claimed = of(&Fault::of(*claimed));
                write!(f, "the run does not end with {claimed}, but with {}", of(found))
            }
            Because::EndsInFault(fault) => write!(f, "the run ends with {}", of(fault)),
            Because::NoDeadlock { moves } => write!(f, "no deadlock: {} moves are possible", moves.len()),
            Because::ValidEnd => write!(f, "no deadlock: all processes may rest where they are"),
            Because::NoRest { moves } => {
                write!(f, "the run cannot rest where it ends: {} moves are possible", moves.len())
            }
            Because::EmptyLoop => write!(f, "the loop has no step"),
            Because::LoopDoesNotClose => write!(f, "the loop does not come back to its first state"),
        }
    }
}

impl std::error::Error for Refusal {}
