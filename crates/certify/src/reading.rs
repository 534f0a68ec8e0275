//! The runs of a description that an automaton reads, as plain edges: the reference's moves, and
//! the automaton beside them.
//!
//! The automaton reads the letter of each observed state when the run leaves it, or when the run
//! idles there. In a state that is not observed it waits.

use logic::automata::{Automaton, Edge as Reads};
use space::{Fairness, Move, Reference, Requirement, Rest, Undefined};

/// A state of the description, and one of the automaton.
pub type Node<S> = (S, usize);

/// An edge of the product, and what it counts for.
#[derive(Clone, Debug)]
pub struct Edge<S> {
    /// The target.
    pub to: Node<S>,
    /// Whether the automaton reads a letter: the description's state is observed.
    pub reads: bool,
    /// The acceptance sets of the automaton, as bits.
    pub sets: u64,
    /// The requirements that the state asks for, and those that the step meets.
    pub asks: Vec<usize>,
    /// The requirements that the step meets.
    pub meets: Vec<usize>,
}

/// The product of a description with an automaton, by the reference of the description.
pub struct Reading<'a, R> {
    /// What a step of the description means.
    pub reference: &'a R,
    /// Of the runs that are forbidden.
    pub automaton: &'a Automaton,
    /// Whether runs that end count, idling in their last state.
    pub ends: bool,
    /// The fairness requirements of the description; edges refer to them by index.
    pub requirements: Vec<Requirement>,
}

/// A step of the description: its target and the requirements that it meets.
type Taken<S> = (S, Vec<usize>);

impl<'a, R: Reference> Reading<'a, R> {
    /// The product with all fairness requirements of the description.
    pub fn new(reference: &'a R, automaton: &'a Automaton, ends: bool) -> Result<Self, Undefined> {
        Ok(Reading { reference, automaton, ends, requirements: reference.requirements()? })
    }

    /// The initial states, each with the initial state of the automaton.
    pub fn initial(&self) -> Result<Vec<Node<R::State>>, Undefined> {
        let begins = |state: R::State| (self.reference.canonical(&state), self.automaton.initial);
        Ok(self.reference.initial()?.into_iter().map(begins).collect())
    }

    /// The edges out of a node. A fault that ends a run leaves open what would follow.
    pub fn edges(&self, (state, at): &Node<R::State>) -> Result<Vec<Edge<R::State>>, Undefined> {
        let r = self.reference;
        let observed = r.observed(state);
        let taken = self.taken(state, observed)?;
        if !observed {
            let on = |(to, meets)| Edge { to: (to, *at), reads: false, sets: 0, asks: Vec::new(), meets };
            return Ok(taken.into_iter().map(on).collect());
        }
        let asks = if self.is_fair() { r.asks(state)? } else { Vec::new() };
        let letter = r.letter(state)?;
        let enabled = self.automaton.states[*at].iter().filter(|read| read.label.holds(letter));
        let both = |read: &Reads, (to, meets): &Taken<R::State>| Edge {
            to: (to.clone(), read.to),
            reads: true,
            sets: read.sets,
            asks: asks.clone(),
            meets: meets.clone(),
        };
        Ok(enabled.flat_map(|read| taken.iter().map(move |step| both(read, step))).collect())
    }

    /// The steps out of a state, and idling.
    fn taken(&self, state: &R::State, observed: bool) -> Result<Vec<Taken<R::State>>, Undefined> {
        let r = self.reference;
        let mut taken = Vec::new();
        for m in r.moves(state)? {
            taken.push((self.target(&m)?, if self.is_fair() { r.meets(state, &m)? } else { Vec::new() }));
        }
        let idles = match r.rest(state)? {
            Rest::Enabled => false,
            Rest::MayRest => true,
            Rest::Terminated | Rest::Deadlock => self.ends,
        };
        if idles && !observed {
            return Err(Undefined("a run ends where it is not observed".to_string()));
        }
        taken.extend(idles.then(|| (r.canonical(state), Vec::new())));
        Ok(taken)
    }

    fn target(&self, m: &Move<R::State>) -> Result<R::State, Undefined> {
        let fatal = || Undefined("a run ends with a fault".to_string());
        m.next.as_ref().map(|next| self.reference.canonical(next)).ok_or_else(fatal)
    }

    fn is_fair(&self) -> bool {
        self.requirements.iter().any(|r| r.strength != Fairness::None)
    }
}
