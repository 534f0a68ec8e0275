//! What is explored from each state of a reduced system, decided once.
//!
//! A state is *whole* if all its steps are explored, *part* if only some are. No cycle of the
//! reduced system has only part states ([`Proviso::Cycles`]): part states stand in a [`Line`], each
//! in front of every part state that its steps lead to. A state that is not decided yet remembers
//! the last part state that leads to it, and will be put right behind that one, if it becomes part.
//! So the part states have no cycle, in whatever order one or several threads ask; asked
//! depth-first, this rejects no more than looking at the stack does.

use super::order::{FRONT, Line, Place};
use crate::report::FullExpansions;
use crate::store::{Inserted, StateId, Store, hash};

/// What must hold so that no transition is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proviso {
    /// Nothing; then only what is found counts.
    Off,
    /// From each part state some way leads to a whole one (for finite runs; Definition 6.2).
    Ways,
    /// On each cycle is a whole state (for infinite runs; section 7.3).
    Cycles,
}

/// Which of the successors of a state are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    All,
    /// Those whose bits are set.
    Some(u64),
}

#[derive(Clone, Copy)]
enum Decision {
    /// Not decided; the last part state that leads here.
    Open(Place),
    Whole,
    Part(Place, u64),
}

/// The states of a reduced system by number, and what is explored from each.
pub struct Choices {
    proviso: Proviso,
    store: Store,
    decisions: Vec<Decision>,
    line: Line,
    parts: u64,
    /// How many steps are explored from the states decided.
    explored: u64,
    /// How many states are decided.
    decided: usize,
    /// States that are whole for these reasons.
    pub full_expansions: FullExpansions,
    /// There was no number left for a state.
    full: bool,
}

impl Choices {
    pub fn new(proviso: Proviso) -> Self {
        let (store, decisions, line) = (Store::default(), Vec::new(), Line::default());
        Choices {
            proviso,
            store,
            decisions,
            line,
            parts: 0,
            explored: 0,
            decided: 0,
            full_expansions: FullExpansions::default(),
            full: false,
        }
    }

    pub fn state(&self, id: StateId) -> &[u8] {
        self.store.get(id)
    }

    /// Gives a state its number; `None` if there is none left.
    pub fn number(&mut self, state: &[u8]) -> Option<StateId> {
        match self.store.insert(state, hash(state)) {
            Inserted::Known(id) => Some(id),
            Inserted::New(id) => {
                self.decisions.push(Decision::Open(FRONT));
                Some(id)
            }
            Inserted::Full => {
                self.full = true;
                None
            }
        }
    }

    /// What was decided of a state.
    pub fn made(&self, id: StateId) -> Option<Choice> {
        match self.decisions[id as usize] {
            Decision::Open(_) => None,
            Decision::Whole => Some(Choice::All),
            Decision::Part(_, selected) => Some(Choice::Some(selected)),
        }
    }

    pub fn is_known(&self, state: &[u8]) -> bool {
        self.store.find(state, hash(state)).is_some()
    }

    /// Whether the state may be part with these successors.
    pub fn allows<'a>(&self, id: StateId, mut successors: impl Iterator<Item = &'a [u8]>) -> bool {
        let goes_on = |state: &[u8]| !self.closes(id, self.store.find(state, hash(state)));
        match self.proviso {
            Proviso::Off => true,
            Proviso::Ways => successors.any(goes_on),
            Proviso::Cycles => successors.all(goes_on),
        }
    }

    /// Decides about a state with this many steps, unless another thread was faster. It is part if
    /// that is still allowed.
    pub fn make<'a>(
        &mut self,
        id: StateId,
        (selected, steps): (u64, usize),
        successors: impl Iterator<Item = &'a [u8]> + Clone,
    ) -> Choice {
        if let Some(made) = self.made(id) {
            return made;
        }
        let decision = match self.decisions[id as usize] {
            Decision::Open(last) if self.allows(id, successors.clone()) => {
                let place = self.line.insert(last);
                self.lead(id, place, successors);
                self.parts += 1;
                self.explored += u64::from(selected.count_ones());
                self.decided += 1;
                Decision::Part(place, selected)
            }
            _ => return self.make_whole(id, steps),
        };
        self.decisions[id as usize] = decision;
        Choice::Some(selected)
    }

    /// All of a state's steps are explored, unless another thread has decided.
    pub fn make_whole(&mut self, id: StateId, steps: usize) -> Choice {
        if let Decision::Open(_) = self.decisions[id as usize] {
            self.decisions[id as usize] = Decision::Whole;
            self.explored += steps as u64;
            self.decided += 1;
        }
        self.made(id).unwrap_or(Choice::All)
    }

    /// How many states and steps the reduced system has, if all of it was explored: every state
    /// that has a number is decided.
    pub fn all(&self) -> Option<(u64, u64)> {
        let closed = !self.full && self.decided > 0 && self.decided == self.decisions.len();
        closed.then_some((self.decided as u64, self.explored))
    }

    /// How many states are part.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn memory_bytes(&self) -> u64 {
        let decisions = self.decisions.capacity() * size_of::<Decision>();
        self.store.memory_bytes() + decisions as u64 + self.line.memory_bytes()
    }

    /// Whether a step of a state, were that part, to another could close a cycle of part states.
    fn closes(&self, id: StateId, to: Option<StateId>) -> bool {
        let Some(to) = to else { return false };
        match (self.decisions[id as usize], self.decisions[to as usize]) {
            _ if id == to => true,
            (Decision::Open(last), Decision::Part(place, _)) => !self.line.is_before(last, place),
            _ => false,
        }
    }

    /// The state at `place` leads to others that are not decided: they will stand behind it. Where
    /// one way is enough, that to the first is it.
    fn lead<'a>(&mut self, id: StateId, place: Place, successors: impl Iterator<Item = &'a [u8]>) {
        for state in successors {
            let Some(to) = self.number(state) else { return };
            let closes = self.closes(id, Some(to));
            if let Decision::Open(last) = &mut self.decisions[to as usize]
                && self.line.is_before(*last, place)
            {
                *last = place;
            }
            if self.proviso == Proviso::Ways && !closes {
                return;
            }
        }
    }
}
