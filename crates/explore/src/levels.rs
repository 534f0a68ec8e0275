//! Breadth-first search by several workers, with the result of one alone.
//!
//! The states of a level are taken in *windows*. While a window is expanded the store only reads:
//! 1. Workers take *shares* of the window in turn, expand their states and look up what these lead
//!    to. What is not stored is a *candidate* (`worker.rs`, `share.rs`).
//! 2. Parts of states that have no number yet get one; only here is the dictionary changed.
//! 3. Each worker takes some of the hashes and finds, of candidates with the same key, the first in
//!    the order of their parents and edges (`first.rs`). These are the new states.
//! 4. One worker appends their keys, in that order, and notes who found them; the others add their
//!    numbers to the table, each to pieces of it that no other writes.
//!
//! So states have the numbers and parents that one worker alone gives them, wherever windows and
//! shares begin, and whichever thread was faster: states, transitions, depth, violations and runs
//! are the same. In each phase a place that one thread writes is read or written by no other, and
//! threads meet between phases; there is no lock that two of them wait for.
//!
//! If keys must be widened (step 2), the window is done again. Once there is a reason to stop, no
//! more shares are given out. All before those that were are done then, so that whatever one worker
//! alone would have met first is among them.

mod first;
mod share;
mod worker;

use crate::limits::{Listener, Progress, Stop};
use crate::report::Report;
use crate::search::{Options, Order, Search, Team, run, search};
use crate::store::StateId;
use crate::store::lines::Part;
use first::First;
use share::{Share, Wrong};
use space::Stepper;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use worker::{Window, Worker};

/// Explores everything reachable. Each worker is a copy of the same stepper; breadth-first search
/// uses them all.
pub fn parallel_search<S: Stepper + Send>(
    workers: &mut [S],
    options: &Options,
    watch: &mut impl Listener,
) -> Report {
    parallel_search_by(workers, options, &Sharing::default(), watch)
}

/// The same, with windows of other sizes.
pub fn parallel_search_by<S: Stepper + Send>(
    workers: &mut [S],
    options: &Options,
    sharing: &Sharing,
    watch: &mut impl Listener,
) -> Report {
    match workers {
        [] => Report::default(),
        [first, ..] if options.order == Order::DepthFirst => search(first, options, watch),
        [alone] => search(alone, options, watch),
        all => run(&mut Crew::new(all, *sharing), options, watch),
    }
}

/// How states are shared out. No result depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Fewer states of a level are not worth sharing.
    pub worth: usize,
    /// A window has at most this many states.
    pub longest: usize,
}

impl Default for Sharing {
    fn default() -> Self {
        Sharing { worth: 1 << 11, longest: 1 << 16 }
    }
}

/// A window has at most one state for this many stored ones, if that is worth sharing.
const STORED_FOR_ONE: usize = 8;

/// Candidates by the upper bits of their hashes; also pieces of the table.
const PARTS: usize = 32;

struct Crew<'s, S> {
    workers: Vec<Worker<'s, S>>,
    /// Room for the shares of a window.
    shares: Vec<Mutex<Share>>,
    /// By worker: room to find the first of its candidates.
    firsts: Vec<First>,
    sharing: Sharing,
}

impl<'s, S: Stepper + Send> Crew<'s, S> {
    fn new(steppers: &'s mut [S], sharing: Sharing) -> Self {
        let firsts = steppers.iter().map(|_| First::default()).collect();
        let workers = steppers.iter_mut().map(Worker::new).collect();
        Crew { workers, shares: Vec::new(), firsts, sharing }
    }

    fn memory_bytes(&mut self) -> u64 {
        let shares: u64 = self.shares.iter_mut().map(|share| mine(share).memory_bytes()).sum();
        let workers: u64 = self.workers.iter().map(Worker::memory_bytes).sum();
        shares + workers + self.firsts.iter().map(First::memory_bytes).sum::<u64>()
    }

    /// Workers expand the states with these numbers, or the first of them; why no more, if that is
    /// the end.
    fn expand(
        &mut self,
        search: &mut Search<'_>,
        states: Range<usize>,
        watch: &mut impl Listener,
    ) -> Option<Stop> {
        let size = (states.len() / (16 * self.workers.len())).clamp(8, 512);
        let count = states.len().div_ceil(size);
        if self.shares.len() < count {
            self.shares.resize_with(count, Mutex::default);
        }
        self.shares.iter_mut().for_each(|share| mine(share).clear());
        let progress = search.progress();
        let window = Window::new(search, states, size, &self.shares[..count]);
        let mut stop = None;
        let (lead, others) = self.workers.split_at_mut(1);
        let look = &mut || {
            let memory_bytes = progress.memory_bytes + window.bytes.load(Relaxed);
            let flow = search.options.limits.show(&Progress { memory_bytes, ..progress }, watch);
            stop = flow.break_value();
            stop.is_some()
        };
        thread::scope(|scope| {
            let window = &window;
            for worker in others {
                scope.spawn(move || worker.work(window, &mut || false));
            }
            lead[0].work(window, look);
        });
        stop
    }

    /// The shares that were expanded, in order, up to one that was not to its end.
    fn done(&mut self) -> usize {
        let is_last = |share: &mut Mutex<Share>| mine(share).ends || mine(share).expanded.is_empty();
        match self.shares.iter_mut().position(is_last) {
            None => self.shares.len(),
            Some(last) => last + usize::from(!mine(&mut self.shares[last]).expanded.is_empty()),
        }
    }

    /// Finds the first of candidates with the same key.
    fn find_first(&mut self, done: usize) {
        let next = &AtomicUsize::new(0);
        let shares: Vec<&Share> = self.shares[..done].iter_mut().map(|share| &*mine(share)).collect();
        let work = |first: &mut First| {
            for part in from_counter(next, PARTS) {
                first.mark(&shares, part);
            }
        };
        let (lead, others) = self.firsts.split_at_mut(1);
        thread::scope(|scope| {
            others.iter_mut().for_each(|first| drop(scope.spawn(|| work(first))));
            work(&mut lead[0]);
        });
    }

    /// Gives new states their numbers, up to the state at which the search ends, if it does; how
    /// many are new, and why it ends.
    fn number(&mut self, search: &Search<'_>, done: &mut usize) -> (usize, Option<Stop>) {
        let before = search.store.len();
        let limit = search.options.limits.states.map_or(usize::MAX, |limit| limit as usize);
        let mut next = before;
        for k in 0..*done {
            let share = mine(&mut self.shares[k]);
            let is_over = share.end_at(limit.saturating_sub(next));
            next = share.number(next);
            if is_over {
                *done = k + 1;
                return (next - before, Some(Stop::States));
            }
        }
        (next - before, None)
    }

    /// Appends the keys of new states and adds their numbers to the table.
    fn store(&mut self, search: &mut Search<'_>, done: usize, new: usize) {
        let threads = self.workers.len();
        search.store.make_room(new, threads);
        let shares: Vec<&Share> = self.shares[..done].iter_mut().map(|share| &*mine(share)).collect();
        let left = Mutex::new(Vec::new());
        let (mut tail, parts) = search.store.tail(new, PARTS);
        let parts: Vec<Mutex<Part<'_>>> = parts.into_iter().map(Mutex::new).collect();
        let next = &AtomicUsize::new(0);
        let work = || {
            for part in from_counter(next, PARTS) {
                let mut piece = parts[part].lock().unwrap_or_else(PoisonError::into_inner);
                let none = share::add(&shares, part, &mut piece);
                left.lock().unwrap_or_else(PoisonError::into_inner).extend(none);
            }
        };
        let work = &work;
        let (findings, parents) = (&mut search.findings, &mut search.parents);
        thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            for share in &shares {
                findings.report.cut |= share.cut;
                findings.report.transitions += share.append(&mut tail, parents);
            }
            work();
        });
        let left: Vec<(u64, StateId)> = left.into_inner().unwrap_or_else(PoisonError::into_inner);
        left.into_iter().for_each(|(hash, number)| search.store.put(hash, number));
    }

    /// Notes what is wrong with states, in order.
    fn note(&mut self, search: &mut Search<'_>, done: usize) -> ControlFlow<Stop> {
        for k in 0..done {
            for wrong in std::mem::take(&mut mine(&mut self.shares[k]).wrong) {
                self.note_one(search, wrong)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn note_one(&mut self, search: &mut Search<'_>, wrong: Wrong) -> ControlFlow<Stop> {
        if let Some(undefined) = wrong.undefined {
            search.findings.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        let Search { findings, parents, store, .. } = search;
        let path = || parents.path_to(wrong.number).into_iter().map(|id| store.get(id)).collect::<Vec<_>>();
        findings.note(self.workers[0].stepper, wrong.rest, &wrong.faults, path)
    }
}

impl<S: Stepper + Send> Team for Crew<'_, S> {
    type Stepper = S;

    fn lead(&mut self) -> &mut S {
        self.workers[0].stepper
    }

    fn window(
        &mut self,
        search: &mut Search<'_>,
        states: Range<usize>,
        watch: &mut impl Listener,
    ) -> Option<ControlFlow<Stop, usize>> {
        let Sharing { worth, longest } = self.sharing;
        if states.len() < worth {
            return None;
        }
        let most = (search.store.len() / STORED_FOR_ONE).min(longest).max(worth);
        let states = states.start..states.end.min(states.start + most);
        Some(self.take(search, states, watch))
    }
}

impl<S: Stepper + Send> Crew<'_, S> {
    /// Takes a window; the number of the next state.
    fn take(
        &mut self,
        search: &mut Search<'_>,
        states: Range<usize>,
        watch: &mut impl Listener,
    ) -> ControlFlow<Stop, usize> {
        let first = states.start;
        std::mem::swap(&mut search.memo, &mut self.workers[0].memo);
        let stopped = self.expand(search, states, watch);
        std::mem::swap(&mut search.memo, &mut self.workers[0].memo);
        let mut done = self.done();
        let stepper = &*self.workers[0].stepper;
        let mut have_keys = true;
        for share in &mut self.shares[..done] {
            have_keys &= mine(share).intern(&mut search.store, stepper);
        }
        if !have_keys {
            search.widen();
            return stopped.map_or(ControlFlow::Continue(first), ControlFlow::Break);
        }
        self.find_first(done);
        let (new, limit) = self.number(search, &mut done);
        if search.store.len() + new >= StateId::MAX as usize {
            return ControlFlow::Break(Stop::Memory);
        }
        self.store(search, done, new);
        search.beside = self.memory_bytes();
        self.note(search, done)?;
        if let Some(stop) = limit.or(stopped) {
            return ControlFlow::Break(stop);
        }
        let expanded = self.shares[..done].iter_mut().map(|share| mine(share).expanded.len());
        ControlFlow::Continue(first + expanded.sum::<usize>())
    }
}

/// What no other thread uses now.
fn mine<T>(shared: &mut Mutex<T>) -> &mut T {
    shared.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Numbers below a bound, each given to one of those who share the counter.
fn from_counter(next: &AtomicUsize, bound: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || Some(next.fetch_add(1, Relaxed)).filter(|k| *k < bound))
}

#[cfg(test)]
mod tests;
