//! Whether a run breaks a property: its word is read off the states that the reference stepper goes through, and held against the
//! definition of truth on words; the loop is held against the definition of fairness.
//!
//! A formula is judged by [`logic::ltl::semantics`], which knows no automata. A prefix breaks a formula if no word that begins
//! with it satisfies it: that is asked of the automaton of the formula, and of its truth on some such words besides.

use crate::replay::{Refusal, replay};
use logic::automata::{Automaton, translate};
use logic::ltl::{Formula, Lasso, semantics};
use space::{Ending, Fairness, Run};
use std::fmt;
use system::property::{is_observed, letter};
use system::{Fault, Meaning, Pid, Property, Reference, State, System};

/// Why a run does not break a property.
#[derive(Clone, Debug, PartialEq)]
pub enum NoViolation {
    Refused(Refusal),
    /// A proposition has no value in the state after so many steps.
    NoValue {
        step: usize,
        fault: Fault,
    },
    /// The run neither goes round nor is it a prefix.
    NoSuchEnding,
    /// The loop begins inside an atomic sequence.
    LoopNotObserved,
    /// Runs that end do not count for this property.
    EndsDoNotCount,
    /// The process is not treated fairly on the loop.
    Unfair(Pid),
    /// The word of the run satisfies the formula, or is not accepted by the claim.
    Satisfied,
    /// The formula has no automaton of a size that can be had.
    TooLarge,
}

/// Re-executes the run and checks that it breaks the property.
pub fn violates(
    system: &System,
    property: &Property,
    fairness: Fairness,
    run: &Run,
) -> Result<(), NoViolation> {
    let system = &property.observed(system);
    let replayed = replay(system, run).map_err(NoViolation::Refused)?;
    let states = &replayed.states;
    match run.ending {
        Ending::Prefix => broken_for_good(&property.meaning, &letters(system, states, 0)?),
        Ending::Lasso { loop_start } => {
            if !states.get(loop_start).is_some_and(is_observed) {
                return Err(NoViolation::LoopNotObserved);
            }
            let rests = loop_start == run.steps.len();
            if rests && !property.ends {
                return Err(NoViolation::EndsDoNotCount);
            }
            // The last state of a loop is its first again; resting is a loop of one state.
            let last = if rests { loop_start + 1 } else { states.len() - 1 };
            let stem = letters(system, &states[..loop_start], 0)?;
            let cycle = letters(system, &states[loop_start..last], loop_start)?;
            is_fair(system, fairness, &states[loop_start..last], run, loop_start)?;
            broken(&property.meaning, &Lasso { stem, cycle })
        }
        Ending::Fault(_) | Ending::Deadlock | Ending::Open => Err(NoViolation::NoSuchEnding),
    }
}

/// The letters of the states that are observed.
fn letters(system: &System, states: &[State], first: usize) -> Result<Vec<u64>, NoViolation> {
    let observed = states.iter().enumerate().filter(|(_, state)| is_observed(state));
    let value =
        |(i, state)| letter(system, state).map_err(|fault| NoViolation::NoValue { step: first + i, fault });
    observed.map(value).collect()
}

fn broken(meaning: &Meaning, word: &Lasso<u64>) -> Result<(), NoViolation> {
    let broken = match meaning {
        Meaning::Always(formula) => !semantics::satisfies(word, formula),
        Meaning::Never(automaton) => automaton.accepts(word),
    };
    if broken { Ok(()) } else { Err(NoViolation::Satisfied) }
}

/// Whether no word that begins with these letters satisfies the property.
fn broken_for_good(meaning: &Meaning, prefix: &[u64]) -> Result<(), NoViolation> {
    let Meaning::Always(formula) = meaning else { return Err(NoViolation::NoSuchEnding) };
    let automaton = translate(formula).map_err(|_| NoViolation::TooLarge)?;
    if can_go_on(&automaton, prefix) || some_word_satisfies(formula, prefix) {
        return Err(NoViolation::Satisfied);
    }
    Ok(())
}

/// Whether the automaton accepts some word that begins with these letters.
fn can_go_on(automaton: &Automaton, prefix: &[u64]) -> bool {
    let mut at = vec![automaton.initial];
    for letter in prefix {
        let edges = at.iter().flat_map(|state| &automaton.states[*state]);
        at = edges.filter(|edge| edge.label.holds(*letter)).map(|edge| edge.to).collect();
        at.sort_unstable();
        at.dedup();
    }
    at.into_iter().any(|initial| Automaton { initial, ..automaton.clone() }.witness().is_some())
}

/// Whether the formula is true of one of the words that go on with a letter of the prefix, or none or all propositions, for ever.
fn some_word_satisfies(formula: &Formula<usize>, prefix: &[u64]) -> bool {
    let mut ways: Vec<u64> = prefix.iter().copied().chain([0, u64::MAX]).collect();
    ways.sort_unstable();
    ways.dedup();
    let word = |letter: &u64| Lasso { stem: prefix.to_vec(), cycle: vec![*letter] };
    ways.iter().any(|letter| semantics::satisfies(&word(letter), formula))
}

/// Whether every process is treated fairly by the loop.
fn is_fair(
    system: &System,
    fairness: Fairness,
    states: &[State],
    run: &Run,
    loop_start: usize,
) -> Result<(), NoViolation> {
    if fairness == Fairness::None {
        return Ok(());
    }
    let moves = |pid: Pid| {
        let mut steps = run.steps[loop_start..].iter();
        steps.any(|s| s.actor == pid || s.partner.as_ref().is_some_and(|(p, _)| *p == pid))
    };
    let enabled: Vec<Vec<Pid>> =
        states.iter().filter(|s| is_observed(s)).map(|state| able(system, state)).collect();
    let processes = states.iter().map(|s| s.processes.len()).max().unwrap_or(0);
    let neglected = (0..processes).filter(|pid| !moves(*pid)).find(|pid| match fairness {
        Fairness::None => false,
        Fairness::Weak => enabled.iter().all(|able| able.contains(pid)),
        Fairness::Strong => enabled.iter().any(|able| able.contains(pid)),
    });
    neglected.map_or(Ok(()), |pid| Err(NoViolation::Unfair(pid)))
}

/// The processes that can take part in a move.
fn able(system: &System, state: &State) -> Vec<Pid> {
    let moves = Reference::new(system).moves(state);
    let parts = |m: &system::Move| [Some(m.step.actor), m.step.partner.as_ref().map(|(pid, _)| *pid)];
    moves.iter().flat_map(parts).flatten().collect()
}

impl fmt::Display for NoViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoViolation::Refused(refusal) => refusal.fmt(f),
            NoViolation::NoValue { step, fault } => {
                write!(f, "a proposition has no value after {step} steps: {fault}")
            }
            NoViolation::NoSuchEnding => write!(f, "the run is neither a loop nor a prefix"),
            NoViolation::LoopNotObserved => write!(f, "the loop begins inside an atomic sequence"),
            NoViolation::EndsDoNotCount => write!(f, "runs that end do not count for this property"),
            NoViolation::Unfair(pid) => write!(f, "the loop is not fair to process {pid}"),
            NoViolation::Satisfied => write!(f, "the run satisfies the property"),
            NoViolation::TooLarge => write!(f, "the formula is too large"),
        }
    }
}

impl std::error::Error for NoViolation {}
