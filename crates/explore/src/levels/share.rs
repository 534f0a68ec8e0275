//! What workers do side by side: they take shares of a level, and expand the states of each in
//! order.

use super::Levels;
use crate::limits::Stop;
use crate::search::Options;
use crate::store::chunks::Chunks;
use crate::store::shared::{Before, SharedStore};
use crate::store::{Inserted, StateId, hash};
use space::{Edges, FaultAt, Rest, Stepper, Undefined};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

/// A level, as all workers see it.
pub(super) struct Level<'a> {
    options: &'a Options,
    store: &'a SharedStore,
    before: &'a Before,
    parents: &'a Chunks<AtomicU32>,
    /// The states by number; those from `first` on are the level.
    order: &'a [StateId],
    first: usize,
    /// How many states a share has.
    size: usize,
    /// The number of the state with which the next share begins.
    next: AtomicUsize,
    /// No more shares are needed.
    enough: AtomicBool,
    /// Nothing is needed any more.
    over: AtomicBool,
}

/// What the states of a share lead to.
#[derive(Default)]
pub(super) struct Share {
    pub expanded: Vec<Expanded>,
    /// States that some state of the share was the first to lead to, as far as was known then.
    pub found: Vec<StateId>,
    pub wrong: Vec<Wrong>,
    /// An edge was left out because of a bound.
    pub cut: bool,
    /// Some state found no room.
    pub overflowed: bool,
}

/// How many edges a state has, and how many states it has found.
pub(super) struct Expanded {
    pub edges: u32,
    pub found: u32,
}

/// What is wrong with a state.
pub(super) struct Wrong {
    pub number: usize,
    pub rest: Rest,
    pub faults: Vec<FaultAt>,
    pub undefined: Option<Undefined>,
}

/// Room for what a worker has at hand.
#[derive(Default)]
struct Hand {
    state: Vec<u8>,
    edges: Edges,
    hashes: Vec<u64>,
}

/// A state leads to one that is new in this level; whether no earlier one is known to.
pub(super) fn reach(parents: &Chunks<AtomicU32>, id: StateId, number: usize) -> bool {
    let mirrored = u32::MAX - number as u32;
    parents.get(id)[0].fetch_max(mirrored, Relaxed) < mirrored
}

/// The number of the first state that leads to one.
pub(super) fn first_to_reach(parents: &Chunks<AtomicU32>, id: StateId) -> usize {
    (u32::MAX - parents.get(id)[0].load(Relaxed)) as usize
}

impl<'a> Level<'a> {
    pub fn new(levels: &'a Levels<'a>, first: usize, workers: usize) -> Self {
        Level {
            options: levels.options,
            store: &levels.store,
            before: &levels.before,
            parents: &levels.parents,
            order: &levels.order,
            first,
            size: ((levels.order.len() - first) / (8 * workers)).clamp(32, 512),
            next: AtomicUsize::new(first),
            enough: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    /// Takes shares until there are none, or no more are needed. `look` receives how many states of
    /// the level were given out, and may end everything.
    pub fn work<S: Stepper>(
        &self,
        stepper: &mut S,
        look: &mut impl FnMut(u64) -> ControlFlow<Stop>,
    ) -> Vec<(usize, Share)> {
        let (mut shares, mut hand) = (Vec::new(), Hand::default());
        while !self.enough.load(Relaxed) {
            let at = self.next.fetch_add(self.size, Relaxed);
            if at >= self.order.len() {
                break;
            }
            let mut share = Share::default();
            for number in at..(at + self.size).min(self.order.len()) {
                if self.over.load(Relaxed) || self.expand(stepper, &mut hand, number, &mut share).is_break() {
                    self.enough.store(true, Relaxed);
                    break;
                }
            }
            shares.push((at, share));
            if look((at - self.first) as u64).is_break() {
                self.enough.store(true, Relaxed);
                self.over.store(true, Relaxed);
            }
        }
        shares
    }

    /// Expands a state; breaks off if one worker alone would not go on behind it.
    fn expand(
        &self,
        stepper: &mut impl Stepper,
        hand: &mut Hand,
        number: usize,
        share: &mut Share,
    ) -> ControlFlow<()> {
        hand.state.clear();
        self.store.copy(self.order[number], &mut hand.state);
        hand.edges.clear();
        let rest = stepper.expand(&hand.state, &mut hand.edges);
        self.admit(hand, number, share);
        share.cut |= hand.edges.cut;
        if self.options.limits.states.is_some_and(|limit| self.store.len() as u64 > limit) {
            self.enough.store(true, Relaxed);
        }
        let undefined = hand.edges.undefined.take();
        let is_wrong = undefined.is_some() || self.options.looks_for(rest, &hand.edges.faults);
        let is_last = undefined.is_some() || is_wrong && !self.options.keep_going || share.overflowed;
        if is_wrong {
            share.wrong.push(Wrong { number, rest, faults: hand.edges.faults.clone(), undefined });
        }
        if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Adds what a state leads to to the store, and to the share if it is new in this level.
    fn admit(&self, hand: &mut Hand, number: usize, share: &mut Share) {
        hand.hashes.clear();
        for state in hand.edges.iter() {
            let hash = hash(state);
            self.store.prefetch(hash);
            hand.hashes.push(hash);
        }
        let found = share.found.len();
        for (state, hash) in hand.edges.iter().zip(&hand.hashes) {
            match self.store.insert(state, *hash) {
                Inserted::Known(id) if self.before.has(id) => {}
                Inserted::New(id) | Inserted::Known(id) => {
                    if reach(self.parents, id, number) {
                        share.found.push(id);
                    }
                }
                Inserted::Full => share.overflowed = true,
            }
        }
        let found = (share.found.len() - found) as u32;
        share.expanded.push(Expanded { edges: hand.edges.len() as u32, found });
    }
}
