//! What workers do side by side: they take shares of a window, expand the states of each in order,
//! and look up what these lead to in a store that does not change meanwhile.

use super::share::{Expanded, Share, Wrong};
use crate::memo::{Known, Memo};
use crate::search::{Options, Search};
use crate::store::StateId;
use crate::store::coder::{Apart, Key};
use crate::store::lately::Lately;
use crate::store::packed::{Frozen, Packed, hash};
use crate::store::shapes::Room;
use space::{Edges, Label, Stepper};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A window, as all workers see it.
pub(super) struct Window<'a> {
    options: &'a Options,
    store: &'a Packed,
    states: Range<usize>,
    /// How many states a share has.
    size: usize,
    shares: &'a [Mutex<Share>],
    next: AtomicUsize,
    /// How many bytes more all shares and what workers know take than before.
    pub bytes: AtomicU64,
    candidates: AtomicUsize,
    most_candidates: usize,
    /// No more shares are needed.
    enough: AtomicBool,
    /// Nothing is needed any more.
    over: AtomicBool,
}

/// A worker, with what it knows and room for what it has at hand.
pub(super) struct Worker<'s, S> {
    pub stepper: &'s mut S,
    pub memo: Memo,
    /// Which keys this is about.
    generation: Option<u32>,
    edges: Edges,
    labels: Vec<Label>,
    apart: Apart,
    room: Room,
    /// What the state at hand leads to.
    edges_to: Vec<Key>,
    /// What the states of a batch lead to, without what came up lately, with hashes; unknown ones
    /// have the key 0.
    keys: Vec<Key>,
    hashes: Vec<u64>,
    /// Which of them are unknown, and where their bytes end in the share.
    unknown: Vec<(u32, usize)>,
    /// By state: how many edges it has, and how many of the keys are its.
    counts: Vec<(u32, u32)>,
    /// What it came upon lately is stored, or a candidate already, of a share before the one at
    /// work or at an earlier place in it.
    lately: Lately,
}

/// How many states are expanded before what they lead to is looked up.
const BATCH: usize = 16;

/// A window ends at about this many candidates, fewer in a small store.
const MOST_CANDIDATES: usize = 1 << 18;

impl<'a> Window<'a> {
    pub fn new(
        search: &'a Search<'a>,
        states: Range<usize>,
        size: usize,
        shares: &'a [Mutex<Share>],
    ) -> Self {
        Window {
            options: search.options,
            store: &search.store,
            states,
            size,
            shares,
            next: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            candidates: AtomicUsize::new(0),
            most_candidates: (search.store.len() / 8).clamp(1 << 14, MOST_CANDIDATES),
            enough: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    fn end(&self) {
        self.enough.store(true, Relaxed);
        self.over.store(true, Relaxed);
    }
}

impl<'s, S: Stepper> Worker<'s, S> {
    pub fn new(stepper: &'s mut S) -> Self {
        Worker {
            stepper,
            memo: Memo::default(),
            generation: None,
            edges: Edges::default(),
            labels: Vec::new(),
            apart: Apart::default(),
            room: Room::default(),
            edges_to: Vec::new(),
            keys: Vec::new(),
            hashes: Vec::new(),
            unknown: Vec::new(),
            counts: Vec::new(),
            lately: Lately::default(),
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        self.memo.memory_bytes() + self.lately.memory_bytes()
    }

    /// Takes shares until there are none, or no more are needed. `look` is called now and then and
    /// says whether everything is over.
    pub fn work(&mut self, window: &Window<'_>, look: &mut impl FnMut() -> bool) {
        let generation = Some(window.store.generation());
        if self.generation != generation {
            self.generation = generation;
            self.memo.forget();
            self.lately.reset(window.store.key(0));
        }
        while !window.enough.load(Relaxed) {
            let at = window.next.fetch_add(1, Relaxed);
            let Some(share) = window.shares.get(at) else { break };
            let mut share = share.lock().unwrap_or_else(PoisonError::into_inner);
            let before = self.memory_bytes() + share.memory_bytes();
            self.take(window, at, &mut share);
            let grown = (self.memory_bytes() + share.memory_bytes()).saturating_sub(before);
            window.bytes.fetch_add(grown, Relaxed);
            let candidates = share.candidates() + share.bytes.len() / size_of::<Key>();
            if window.candidates.fetch_add(candidates, Relaxed) + candidates > window.most_candidates {
                window.enough.store(true, Relaxed);
            }
            if look() {
                window.end();
            }
        }
    }

    fn take(&mut self, window: &Window<'_>, at: usize, share: &mut Share) {
        let mut next = window.states.start + at * window.size;
        share.begin(next);
        let end = (next + window.size).min(window.states.end);
        while next < end && !share.ends {
            let to = (next + BATCH).min(end);
            for number in next..to {
                share.ends = window.over.load(Relaxed);
                if share.ends || self.expand(window, number as StateId, share).is_break() {
                    share.ends = true;
                    window.enough.store(true, Relaxed);
                    break;
                }
            }
            self.look_up(window.store, share);
            next = to;
        }
    }

    /// Expands a state; breaks off if one worker alone would not go on behind it.
    fn expand(&mut self, window: &Window<'_>, number: StateId, share: &mut Share) -> ControlFlow<()> {
        let before = self.keys.len();
        self.edges.clear();
        self.labels.clear();
        self.edges_to.clear();
        let store = window.store;
        let key = store.key(number);
        let mut frozen = Frozen { store, room: &mut self.room };
        let (stepper, into) = (&mut *self.stepper, &mut self.edges_to);
        let flow = match self.memo.expand(&mut frozen, stepper, key, into, &mut self.labels) {
            Known::Edges => {
                for at in 0..self.edges_to.len() {
                    self.come_upon(store, self.edges_to[at]);
                }
                ControlFlow::Continue(())
            }
            Known::Whole | Known::Outgrown => self.expand_whole(window, number, share),
        };
        let edges = self.edges_to.len().max(self.edges.len());
        self.counts.push((edges as u32, (self.keys.len() - before) as u32));
        flow
    }

    /// A key that an edge leads to; it is looked up with the batch unless it came up lately.
    #[inline]
    fn come_upon(&mut self, store: &Packed, key: Key) {
        let hash = hash(key);
        if !self.lately.has(key, hash) {
            store.prefetch_line(hash);
            self.keys.push(key);
            self.hashes.push(hash);
        }
    }

    fn expand_whole(&mut self, window: &Window<'_>, number: StateId, share: &mut Share) -> ControlFlow<()> {
        let store = window.store;
        store.open(number, &mut self.apart);
        let rest = self.stepper.expand(&self.apart.bytes, &mut self.edges);
        let edges = std::mem::take(&mut self.edges);
        for state in edges.iter() {
            let mut frozen = Frozen { store, room: &mut self.room };
            if let Some(key) = frozen.key(&self.apart, state, self.stepper) {
                self.come_upon(store, key);
                continue;
            }
            share.bytes.extend_from_slice(state);
            self.unknown.push((self.keys.len() as u32, share.bytes.len()));
            self.keys.push(0);
            self.hashes.push(0);
        }
        self.edges = edges;
        share.cut |= self.edges.cut;
        let undefined = self.edges.undefined.take();
        let options = window.options;
        let is_wrong = undefined.is_some() || options.looks_for(rest, &self.edges.faults);
        let is_last = undefined.is_some() || is_wrong && !options.keep_going;
        if is_wrong {
            let faults = self.edges.faults.clone();
            share.wrong.push(Wrong { number, rest, faults, undefined });
        }
        if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Looks up what the states of a batch lead to. What is not stored goes to the share.
    fn look_up(&mut self, store: &Packed, share: &mut Share) {
        self.hashes.iter().for_each(|hash| store.prefetch_key(*hash));
        let mut unknown = self.unknown.drain(..).peekable();
        let mut at = 0;
        for (edges, count) in self.counts.drain(..) {
            let before = share.candidates();
            for k in at..at + count as usize {
                let (key, hash) = (self.keys[k], self.hashes[k]);
                if let Some((_, end)) = unknown.next_if(|(place, _)| *place as usize == k) {
                    share.push_unknown(end);
                } else if !store.has(key, hash) {
                    share.push(key, hash);
                }
            }
            at += count as usize;
            share.expanded.push(Expanded { edges, candidates: (share.candidates() - before) as u32 });
        }
        drop(unknown);
        self.keys.clear();
        self.hashes.clear();
    }
}
