//! Properties of runs: what is asked of a system beyond deadlocks, assertions and faults.
//!
//! A run is read as a word: one letter for each state that an observer sees, the set of
//! propositions that hold there. States inside atomic sequences and d_steps are not seen. A run
//! that ends stutters in its last state.

use crate::evaluate::{Context, holds};
use crate::fault::Fault;
use crate::model::{Expr, System};
use crate::reference::Reference;
use crate::state::State;
use logic::automata::Automaton;
use logic::ltl::Formula;
use source::Span;

/// How many bits a letter has.
pub const MAX_PROPOSITIONS: usize = 64;

/// A property of runs, over propositions about states.
#[derive(Clone, Debug)]
pub struct Property {
    /// By which reports refer to it.
    pub name: String,
    /// At most [`MAX_PROPOSITIONS`].
    pub propositions: Vec<Expr>,
    /// Where each proposition stands in the source, as far as it does.
    pub spans: Vec<Span>,
    /// Which words are allowed, one letter a state.
    pub meaning: Meaning,
    /// Whether runs that end count, stuttering in their last state.
    pub ends: bool,
    /// Where it stands.
    pub span: Span,
}

/// About words over the propositions of a property.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Every run satisfies the formula.
    Always(Formula<usize>),
    /// No run is accepted.
    Never(Automaton),
}

impl Property {
    /// That every run satisfies a formula about one proposition.
    pub fn about(name: &str, proposition: Expr, formula: Formula<usize>) -> Property {
        let (propositions, meaning) = (vec![proposition], Meaning::Always(formula));
        Property {
            name: name.to_string(),
            propositions,
            spans: Vec::new(),
            meaning,
            ends: true,
            span: Span::default(),
        }
    }

    /// The system with what the property reads of it.
    pub fn observed(&self, system: &System) -> System {
        System { propositions: self.propositions.clone(), ..system.clone() }
    }
}

/// Whether an observer sees the state: no process is inside an atomic sequence that can go on.
pub fn is_observed(state: &State) -> bool {
    state.control.is_none()
}

/// The propositions of the system that hold in the state, as bits.
pub fn letter(system: &System, state: &State) -> Result<u64, Fault> {
    let timeout = Reference::new(system).is_blocked(state);
    let context = Context { timeout, ..Context::global(system, state) };
    let mut letter = 0;
    for (bit, proposition) in system.propositions.iter().enumerate() {
        letter |= u64::from(holds(&context, proposition)?) << bit;
    }
    Ok(letter)
}
