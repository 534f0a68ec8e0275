//! Re-executes a run: every step must be a move of the state it is taken in, and the end must be
//! what the run claims. Written once, over any [`Reference`].

use space::{Ending, Fault, Move, Path, Reference, Rest, Run, Start, Step, Undefined};
use std::collections::HashSet;
use std::fmt;

/// A run that holds what it claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed<S> {
    /// The initial state and the state after each step; the last step of a run into a fatal fault
    /// has none. Empty if the fault is in the initial state itself.
    pub states: Vec<S>,
    /// The move that each step is; idling is none.
    pub moves: Vec<Option<Move<S>>>,
}

/// A run that does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The step (0-based) it fails at; the number of steps if it fails at its end.
    pub step: usize,
    /// What the reference says there instead.
    pub because: Because,
}

/// Why a run cannot be executed.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// There is no initial state, and the run does not claim so.
    NoInitialState(Fault),
    /// There is no initial state of this number.
    NoSuchStart,
    /// The state has no such move; these it has.
    NoSuchMove {
        /// That of the run.
        claimed: Step,
        /// Those of the state.
        moves: Vec<Step>,
    },
    /// No step leads to the state that comes next.
    NoStepTo,
    /// A fatal fault ended the run before this step.
    GoesOnAfter(Option<Fault>),
    /// The last step, or the initial state if there is none, does not have the fault.
    NoSuchFault {
        /// That of the run.
        claimed: Fault,
        /// That of the step; none if it succeeds.
        found: Option<Fault>,
    },
    /// The run ends in a fatal fault and claims something else.
    EndsInFault(Option<Fault>),
    /// Some step is enabled.
    NoDeadlock {
        /// The enabled steps.
        moves: Vec<Step>,
    },
    /// The actor moves in some state that follows.
    NotBlocked,
    /// No step is enabled, but the run may end here.
    ValidEnd,
    /// The run idles in its last state, but some step is enabled.
    NoRest {
        /// The enabled steps.
        moves: Vec<Step>,
    },
    /// The loop begins after the end of the run.
    EmptyLoop,
    /// The last state is not that before the step where the loop starts.
    LoopDoesNotClose,
    /// What is needed to execute the run has no value.
    Undefined(Undefined),
}

impl From<Undefined> for Because {
    fn from(why: Undefined) -> Because {
        Because::Undefined(why)
    }
}

/// Re-executes the run.
pub fn replay<R: Reference>(r: &R, run: &Run) -> Result<Replayed<R::State>, Rejection> {
    let at = |step: usize| move |because: Because| Rejection { step, because };
    if let Some(fault) = r.no_initial() {
        let claimed = run.steps.is_empty() && run.ending == Ending::Fault(fault);
        let nothing = Replayed { states: Vec::new(), moves: Vec::new() };
        return if claimed { Ok(nothing) } else { Err(at(0)(Because::NoInitialState(fault))) };
    }
    let mut replayed = Replayed { states: vec![start(r, &run.start).map_err(at(0))?], moves: Vec::new() };
    for (number, step) in run.steps.iter().enumerate() {
        take(r, &mut replayed, step).map_err(at(number))?;
    }
    check_ending(r, run, &replayed).map_err(at(run.steps.len()))?;
    Ok(replayed)
}

/// The run through these states: the first step that leads to each, or idling.
pub fn through<R: Reference>(r: &R, path: &Path<R::State>) -> Result<Run, Rejection> {
    let at = |step: usize| move |because: Because| Rejection { step, because };
    let first = path.states.first().ok_or(Because::NoSuchStart).map_err(at(0))?;
    let initial = r.initial().map_err(|why| at(0)(why.into()))?;
    let number = initial.iter().position(|state| state == first);
    let start = Start::Number(number.ok_or(Because::NoSuchStart).map_err(at(0))?);
    let back = path.loop_start.map(|at| path.states.get(at).ok_or(Because::EmptyLoop));
    let back = back.transpose().map_err(at(path.states.len()))?;
    let next = path.states.iter().skip(1).chain(back);
    let pairs = path.states.iter().zip(next).enumerate();
    let steps = pairs.map(|(number, (from, to))| step_to(r, from, to).map_err(at(number)));
    let ending = path.loop_start.map_or(Ending::Prefix, |loop_start| Ending::Lasso { loop_start });
    Ok(Run { start, steps: steps.collect::<Result<_, _>>()?, ending })
}

fn step_to<R: Reference>(r: &R, from: &R::State, to: &R::State) -> Result<Step, Because> {
    let mut moves = r.moves(from)?.into_iter();
    match moves.find(|m| m.next.as_ref() == Some(to)) {
        Some(found) => Ok(found.step),
        None if from == to && r.rest(from)? == Rest::MayRest => Ok(Step::IDLE),
        None => Err(Because::NoStepTo),
    }
}

impl<S> Replayed<S> {
    fn fault(&self) -> Option<Fault> {
        self.moves.last()?.as_ref()?.fault
    }

    /// The state the run ends in, unless it ends in a fatal fault.
    fn last(&self) -> Option<&S> {
        self.states.last().filter(|_| self.states.len() > self.moves.len())
    }
}

fn start<R: Reference>(r: &R, start: &Start) -> Result<R::State, Because> {
    let state = match start {
        Start::Number(number) => r.initial()?.into_iter().nth(*number),
        Start::Text(text) => {
            let state = r.read(text).ok_or(Because::NoSuchStart)?;
            r.is_initial(&state)?.then_some(state)
        }
    };
    state.ok_or(Because::NoSuchStart)
}

/// Takes a step from the last state. A step of no transition is idling, where the run may stay.
fn take<R: Reference>(r: &R, replayed: &mut Replayed<R::State>, step: &Step) -> Result<(), Because> {
    let from = replayed.last().ok_or(Because::GoesOnAfter(replayed.fault()))?.clone();
    if step.path.is_empty() && step.partner.is_none() && r.rest(&from)? == Rest::MayRest {
        replayed.states.push(from);
        replayed.moves.push(None);
        return Ok(());
    }
    let moves = r.moves(&from)?;
    let Some(taken) = moves.iter().find(|m| m.step == *step) else {
        let moves = moves.into_iter().map(|m| m.step).collect();
        return Err(Because::NoSuchMove { claimed: step.clone(), moves });
    };
    replayed.states.extend(taken.next.clone());
    replayed.moves.push(Some(taken.clone()));
    Ok(())
}

fn check_ending<R: Reference>(r: &R, run: &Run, replayed: &Replayed<R::State>) -> Result<(), Because> {
    let found = replayed.fault();
    if let Ending::Fault(claimed) = run.ending {
        return if found == Some(claimed) { Ok(()) } else { Err(Because::NoSuchFault { claimed, found }) };
    }
    let last = replayed.last().ok_or(Because::EndsInFault(found))?;
    match run.ending {
        Ending::Fault(_) | Ending::Open | Ending::Prefix => Ok(()),
        Ending::Deadlock => check_deadlock(r, last),
        Ending::Blocked { actor } => check_blocked(r, last, actor),
        Ending::Lasso { loop_start } if loop_start > run.steps.len() => Err(Because::EmptyLoop),
        Ending::Lasso { loop_start } if loop_start == run.steps.len() => {
            let moves = if r.rest(last)? == Rest::MayRest { Vec::new() } else { steps(r, last)? };
            if moves.is_empty() { Ok(()) } else { Err(Because::NoRest { moves }) }
        }
        Ending::Lasso { loop_start } => {
            let closes = r.canonical(&replayed.states[loop_start]) == r.canonical(last);
            if closes { Ok(()) } else { Err(Because::LoopDoesNotClose) }
        }
    }
}

fn check_deadlock<R: Reference>(r: &R, last: &R::State) -> Result<(), Because> {
    match r.rest(last)? {
        Rest::Deadlock => Ok(()),
        Rest::Terminated => Err(Because::ValidEnd),
        Rest::Enabled | Rest::MayRest => Err(Because::NoDeadlock { moves: steps(r, last)? }),
    }
}

/// No more states than this are looked at to see that an actor never moves again.
const FOLLOWING: usize = 20_000;

/// Looks at everything that may follow.
fn check_blocked<R: Reference>(r: &R, last: &R::State, actor: usize) -> Result<(), Because> {
    if !r.waits(last, actor)? {
        return Err(Because::ValidEnd);
    }
    let (mut seen, mut work) = (HashSet::from([last.clone()]), vec![last.clone()]);
    while let Some(state) = work.pop() {
        let moves = r.moves(&state)?;
        if moves.iter().any(|m| m.step.actor == actor) {
            return Err(Because::NotBlocked);
        }
        let next = moves.into_iter().filter_map(|m| m.next);
        work.extend(next.filter(|state| seen.insert(state.clone())));
        if seen.len() > FOLLOWING {
            let why = format!("more than {FOLLOWING} states follow, and an actor may move in one of them");
            return Err(Because::Undefined(Undefined(why)));
        }
    }
    Ok(())
}

fn steps<R: Reference>(r: &R, state: &R::State) -> Result<Vec<Step>, Undefined> {
    Ok(r.moves(state)?.into_iter().map(|m| m.step).collect())
}

fn words(fault: Fault) -> &'static str {
    match fault {
        Fault::Assertion => "an assertion that fails",
        Fault::Runtime(_) => "a run-time error",
        Fault::Error(_) => "an error",
        Fault::Invariant(_) => "a violated invariant",
        Fault::Property => "a violated property",
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = self.step + 1;
        let of = |fault: &Option<Fault>| fault.map_or("no fault", words);
        match &self.because {
            Because::NoInitialState(fault) => write!(f, "there is no initial state: {}", words(*fault)),
            Because::NoSuchStart => write!(f, "there is no such initial state"),
            Because::NoSuchMove { claimed, moves } => write!(
                f,
                "step {step}: process {} cannot take transitions {:?} here; {} steps are enabled",
                claimed.actor,
                claimed.path,
                moves.len()
            ),
            Because::NoStepTo => write!(f, "step {step}: none leads to the state that comes next"),
            Because::GoesOnAfter(fault) => write!(f, "step {step}: the run had ended with {}", of(fault)),
            Because::NoSuchFault { claimed, found } => {
                write!(f, "the run does not end with {}, but with {}", words(*claimed), of(found))
            }
            Because::EndsInFault(fault) => write!(f, "the run ends with {}", of(fault)),
            Because::NoDeadlock { moves } => write!(f, "no deadlock: {} steps are enabled", moves.len()),
            Because::NotBlocked => write!(f, "the actor that is said to be blocked can move again"),
            Because::ValidEnd => write!(f, "no deadlock: the run may end here"),
            Because::NoRest { moves } => {
                write!(f, "the run cannot idle where it ends: {} steps are enabled", moves.len())
            }
            Because::EmptyLoop => write!(f, "the loop has no step"),
            Because::LoopDoesNotClose => write!(f, "the loop does not come back to its first state"),
            Because::Undefined(why) => write!(f, "the run cannot be executed: {why}"),
        }
    }
}

impl std::error::Error for Rejection {}
