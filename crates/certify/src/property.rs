//! Whether a run breaks a property: its word is read off the states that the reference goes
//! through, and held against the definition of truth on words; the loop is held against the
//! definition of fairness. Written once, over any [`Reference`].
//!
//! A formula is judged by [`logic::ltl::semantics`], which knows no automata. A prefix breaks a
//! formula if no word that begins with it satisfies it: that is asked of the automaton of the
//! formula, and of its truth on some such words besides. Where the run may idle after its last
//! state, what the formula says about finite runs ([`safety_part`]) is read on the word that
//! repeats the last letter first.

use crate::replay::{Because, Rejection, replay, through};
use crate::safety::safety_part;
use logic::automata::{Automaton, translate};
use logic::ltl::{Formula, Lasso, semantics};
use space::{Ending, Fairness, Move, Path, Reference, Rest, Run, Undefined};
use std::collections::BTreeSet;
use system::Meaning;

/// Why a run does not break a property.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoViolation {
    /// The run cannot be executed.
    #[error(transparent)]
    Refused(Rejection),
    /// A proposition, or what fairness asks for, has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// The run neither goes round nor is it a prefix.
    #[error("the run is neither a loop nor a prefix")]
    NoSuchEnding,
    /// The loop begins inside an atomic sequence.
    #[error("the loop begins inside an atomic sequence")]
    LoopNotObserved,
    /// Runs that end do not count for this property.
    #[error("runs that end do not count for this property")]
    EndsDoNotCount,
    /// The loop asks for this requirement and does not meet it.
    #[error("the loop is not fair to {0}")]
    Unfair(String),
    /// The word of the run satisfies the formula, or is not accepted by the claim.
    #[error("the run satisfies the property")]
    Satisfied,
    /// The formula has no automaton of a size that can be had.
    #[error("the formula is too large")]
    TooLarge,
}

impl NoViolation {
    /// Whether the judge cannot compute what it would have to: no answer, rather than another one.
    pub fn is_undefined(&self) -> bool {
        let undefined = |r: &Rejection| matches!(r.because, Because::Undefined(_));
        matches!(self, NoViolation::Undefined(_)) || matches!(self, NoViolation::Refused(r) if undefined(r))
    }
}

/// What is asked of runs: its meaning, and whether runs that end count.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The formula or automaton that says which runs are allowed.
    pub meaning: &'a Meaning,
    /// Whether a run that ends counts, idling in its last state.
    pub ends: bool,
}

/// Re-executes the run and checks that it breaks the property.
pub fn violates<R: Reference>(r: &R, asked: Asked<'_>, run: &Run) -> Result<(), NoViolation> {
    let replayed = replay(r, run).map_err(NoViolation::Refused)?;
    let states = &replayed.states;
    match run.ending {
        Ending::Prefix => prefix_breaks(r, asked.meaning, states),
        Ending::Lasso { loop_start } => {
            if !states.get(loop_start).is_some_and(|state| r.observed(state)) {
                return Err(NoViolation::LoopNotObserved);
            }
            let rests = loop_start == run.steps.len();
            if rests && !asked.ends {
                return Err(NoViolation::EndsDoNotCount);
            }
            // The last state of a loop is its first again; idling is a loop of one state.
            let last = if rests { loop_start + 1 } else { states.len() - 1 };
            let cycle = &states[loop_start..last];
            is_fair(r, cycle, &replayed.moves[loop_start..])?;
            let (stem, cycle) = (letters(r, &states[..loop_start])?, letters(r, cycle)?);
            broken(asked.meaning, &Lasso { stem, cycle })
        }
        Ending::Fault(_) | Ending::Deadlock | Ending::Blocked { .. } | Ending::Open => {
            Err(NoViolation::NoSuchEnding)
        }
    }
}

/// The run through these states, if it breaks the property.
pub fn confirms<R: Reference>(r: &R, asked: Asked<'_>, path: &Path<R::State>) -> Result<Run, NoViolation> {
    let run = through(r, path).map_err(NoViolation::Refused)?;
    violates(r, asked, &run).map(|()| run)
}

/// The letters of the states that are observed.
fn letters<R: Reference>(r: &R, states: &[R::State]) -> Result<Vec<u64>, Undefined> {
    states.iter().filter(|state| r.observed(state)).map(|state| r.letter(state)).collect()
}

/// Whether the word breaks the property.
fn broken(meaning: &Meaning, word: &Lasso<u64>) -> Result<(), NoViolation> {
    let broken = match meaning {
        Meaning::Always(formula) => !semantics::satisfies(word, formula),
        Meaning::Never(automaton) => automaton.accepts(word),
    };
    if broken { Ok(()) } else { Err(NoViolation::Satisfied) }
}

/// Whether the property is broken whatever comes after these states.
fn prefix_breaks<R: Reference>(r: &R, meaning: &Meaning, states: &[R::State]) -> Result<(), NoViolation> {
    let Meaning::Always(formula) = meaning else { return Err(NoViolation::NoSuchEnding) };
    let prefix = letters(r, states)?;
    let idles = states.last().map(|last| r.rest(last)).transpose()? == Some(Rest::MayRest);
    if idles && breaks_safety(formula, &prefix) { Ok(()) } else { broken_for_good(formula, &prefix) }
}

/// Whether no word that begins with these letters satisfies the formula.
fn broken_for_good(formula: &Formula<usize>, prefix: &[u64]) -> Result<(), NoViolation> {
    let automaton = translate(formula).map_err(|_| NoViolation::TooLarge)?;
    if can_go_on(&automaton, prefix) || some_word_satisfies(formula, prefix) {
        return Err(NoViolation::Satisfied);
    }
    Ok(())
}

/// Whether the run that idles after its last letter breaks what the formula says about finite runs.
/// That run need not be fair; but a safety formula that is false of it is false because of finitely
/// many states of it, and every finite run goes on to a fair one.
fn breaks_safety(formula: &Formula<usize>, prefix: &[u64]) -> bool {
    let (Some(part), Some((last, stem))) = (safety_part(formula), prefix.split_last()) else {
        return false;
    };
    let word = Lasso { stem: stem.to_vec(), cycle: vec![*last] };
    !semantics::satisfies(&word, &part)
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

/// Whether the formula is true of one of the words that go on with one letter: one of the prefix,
/// or none or all propositions.
fn some_word_satisfies(formula: &Formula<usize>, prefix: &[u64]) -> bool {
    let mut ways: Vec<u64> = prefix.iter().copied().chain([0, u64::MAX]).collect();
    ways.sort_unstable();
    ways.dedup();
    let word = |letter: &u64| Lasso { stem: prefix.to_vec(), cycle: vec![*letter] };
    ways.iter().any(|letter| semantics::satisfies(&word(letter), formula))
}

/// Whether a loop meets every requirement that it asks for: weak ones that each of its states asks
/// for, strong ones that some state asks for. The moves lead from each state to the next; idling is
/// none.
fn is_fair<R: Reference>(
    r: &R,
    cycle: &[R::State],
    moves: &[Option<Move<R::State>>],
) -> Result<(), NoViolation> {
    let requirements = r.requirements()?;
    if requirements.is_empty() {
        return Ok(());
    }
    let mut met = BTreeSet::new();
    for (from, one) in cycle.iter().zip(moves).filter_map(|(from, m)| Some((from, m.as_ref()?))) {
        met.extend(r.meets(from, one)?);
    }
    let observed = cycle.iter().filter(|state| r.observed(state));
    let asked: Vec<Vec<usize>> = observed.map(|state| r.asks(state)).collect::<Result<_, _>>()?;
    for (number, requirement) in requirements.iter().enumerate().filter(|(n, _)| !met.contains(n)) {
        let demanded = match requirement.strength {
            Fairness::None => false,
            Fairness::Weak => asked.iter().all(|asks| asks.contains(&number)),
            Fairness::Strong => asked.iter().any(|asks| asks.contains(&number)),
        };
        if demanded {
            return Err(NoViolation::Unfair(requirement.name.clone()));
        }
    }
    Ok(())
}
