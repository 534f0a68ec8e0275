//! Breadth-first search by several workers, with the result of one alone.
//!
//! A level is all states of one depth, in the order in which one worker alone finds them. Workers
//! take shares of it, expand their states and add what they lead to to a common store, in any order
//! (`share`). For each new state the *first* state of the level that leads to it is kept: whichever
//! worker comes later, the smaller number wins. When the level is done the shares are taken in in
//! their order, and of each what it was the first to lead to: that is the next level, in order. So
//! states, transitions, depth, limits of states, violations and the runs to them do not depend on
//! the number of workers, nor on who was faster.
//!
//! Once there is a reason to stop, no more shares are given out. All before those that were are
//! done then, so that whatever one worker alone would have met first is among them.
//!
//! Costs: 8 bytes a state, besides the store.

mod share;

use crate::findings::Findings;
use crate::limits::{Listener, Progress, Stop};
use crate::report::Report;
use crate::search::{Options, Order, search};
use crate::store::chunks::Chunks;
use crate::store::shared::{Before, SharedStore};
use crate::store::{Inserted, StateId, hash};
use share::{Level, Share, Wrong, first_to_reach, reach};
use space::{Edges, Stepper};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU32;
use std::thread;

/// Explores everything reachable. Each worker is a copy of the same stepper; breadth-first search
/// uses them all.
pub fn parallel_search<S: Stepper + Send>(
    workers: &mut [S],
    options: &Options,
    watch: &mut impl Listener,
) -> Report {
    match workers {
        [] => Report::default(),
        [first, ..] if options.order == Order::DepthFirst => search(first, options, watch),
        [alone] => search(alone, options, watch),
        all => Levels::new(options).run(all, watch),
    }
}

struct Levels<'a> {
    options: &'a Options,
    findings: Findings<'a>,
    store: SharedStore,
    /// What the store had when the level began.
    before: Before,
    /// By state: the first that leads to it.
    parents: Chunks<AtomicU32>,
    /// The states by number: in the order in which one worker alone finds them.
    order: Vec<StateId>,
    next_look: u64,
}

/// Levels with fewer states are not worth sharing.
const WORTH_SHARING: usize = 512;

/// How many states are expanded between two looks at the watch.
const LOOK_EVERY: u64 = 1024;

impl<'a> Levels<'a> {
    fn new(options: &'a Options) -> Self {
        Levels {
            options,
            findings: Findings::new(options),
            store: SharedStore::default(),
            before: Before::default(),
            parents: Chunks::new(1),
            order: Vec::new(),
            next_look: 0,
        }
    }

    fn run<S: Stepper + Send>(mut self, workers: &mut [S], watch: &mut impl Listener) -> Report {
        let mut initial = Edges::default();
        workers[0].initial(&mut initial);
        if let Some(fault) = initial.fatal() {
            return self.findings.no_initial_state(fault.fault);
        }
        self.findings.report.cut = initial.cut;
        if let Some(undefined) = initial.undefined.take() {
            return self.findings.undefined(undefined);
        }
        initial.iter().for_each(|state| self.begin(state));
        if let ControlFlow::Break(stop) = self.descend(workers, watch) {
            self.findings.report.stopped = Some(stop);
        }
        let memory_bytes = self.memory_bytes();
        let mut report = self.findings.report;
        report.states = self.order.len() as u64;
        report.memory_bytes = memory_bytes;
        report.violations.iter_mut().for_each(|v| v.shortest = true);
        report
    }

    /// An initial state is its own parent.
    fn begin(&mut self, state: &[u8]) {
        self.findings.report.transitions += 1;
        if let Inserted::New(id) = self.store.insert(state, hash(state)) {
            reach(&self.parents, id, self.order.len());
            self.add(id);
        }
    }

    fn add(&mut self, id: StateId) {
        self.order.push(id);
        self.before.count(id);
    }

    /// Expands level after level.
    fn descend<S: Stepper + Send>(
        &mut self,
        workers: &mut [S],
        watch: &mut impl Listener,
    ) -> ControlFlow<Stop> {
        let mut first = 0;
        while first < self.order.len() {
            let depth = &mut self.findings.report.depth;
            *depth += u64::from(first > 0);
            if self.options.limits.depth.is_some_and(|limit| *depth >= limit) {
                return ControlFlow::Break(Stop::Depth);
            }
            let level = self.order.len();
            let (shares, stop) = self.expand(first, workers, watch);
            for (at, share) in shares {
                self.take_in(&mut workers[0], at, share)?;
            }
            if let Some(stop) = stop {
                return ControlFlow::Break(stop);
            }
            first = level;
        }
        ControlFlow::Continue(())
    }

    /// Shares out the level that begins with this number: what each share leads to, by the number
    /// of its first state; and why it was not done to the end, if so.
    fn expand<S: Stepper + Send>(
        &mut self,
        first: usize,
        workers: &mut [S],
        watch: &mut impl Listener,
    ) -> (Vec<(usize, Share)>, Option<Stop>) {
        let (mut next_look, mut stop) = (self.next_look, None);
        let level = Level::new(self, first, workers.len());
        let (main, others) = workers.split_at_mut(1);
        let mut look = |expanded: u64| {
            if first as u64 + expanded < next_look {
                return ControlFlow::Continue(());
            }
            next_look = first as u64 + expanded + LOOK_EVERY;
            let flow = self.look(watch);
            stop = flow.break_value();
            stop.map_or(ControlFlow::Continue(()), ControlFlow::Break)
        };
        let mut shares = if self.order.len() - first < WORTH_SHARING {
            level.work(&mut main[0], &mut look)
        } else {
            thread::scope(|scope| {
                let level = &level;
                let unwatched = |_| ControlFlow::Continue(());
                let spawn = |worker| scope.spawn(move || level.work(worker, &mut { unwatched }));
                let handles: Vec<_> = others.iter_mut().map(spawn).collect();
                let mut shares = level.work(&mut main[0], &mut look);
                for handle in handles {
                    shares.extend(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
                }
                shares
            })
        };
        shares.sort_unstable_by_key(|(at, _)| *at);
        self.next_look = next_look;
        (shares, stop)
    }

    /// Takes in what the states of a share lead to, as one worker alone would have met it.
    fn take_in(&mut self, stepper: &mut impl Stepper, first: usize, share: Share) -> ControlFlow<Stop> {
        self.findings.report.cut |= share.cut;
        let mut wrong = share.wrong.into_iter().peekable();
        let mut found = share.found.iter();
        for (number, expanded) in (first..).zip(&share.expanded) {
            self.findings.report.transitions += u64::from(expanded.edges);
            for id in found.by_ref().take(expanded.found as usize) {
                if first_to_reach(&self.parents, *id) == number {
                    self.add(*id);
                }
            }
            if let Some(wrong) = wrong.next_if(|wrong| wrong.number == number) {
                self.note(stepper, wrong)?;
            }
            if self.options.limits.states.is_some_and(|limit| self.order.len() as u64 > limit) {
                return ControlFlow::Break(Stop::States);
            }
        }
        if share.overflowed { ControlFlow::Break(Stop::Memory) } else { ControlFlow::Continue(()) }
    }

    fn note(&mut self, stepper: &mut impl Stepper, wrong: Wrong) -> ControlFlow<Stop> {
        if let Some(undefined) = wrong.undefined {
            self.findings.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        let Levels { findings, parents, order, store, .. } = self;
        findings.note(stepper, wrong.rest, &wrong.faults, || {
            let parent = |number: &usize| {
                let parent = first_to_reach(parents, order[*number]);
                (parent != *number).then_some(parent)
            };
            let mut path: Vec<Vec<u8>> = std::iter::successors(Some(wrong.number), parent)
                .map(|number| {
                    let mut state = Vec::new();
                    store.copy(order[number], &mut state);
                    state
                })
                .collect();
            path.reverse();
            path
        })
    }

    fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + self.parents.memory_bytes() + 4 * self.order.capacity() as u64
    }

    /// Holds the search against its limits and shows it to the watcher.
    fn look(&self, watch: &mut impl Listener) -> ControlFlow<Stop> {
        let Report { transitions, depth, .. } = self.findings.report;
        let (states, memory_bytes) = (self.store.len() as u64, self.memory_bytes());
        let progress = Progress { states, transitions, depth, memory_bytes, cache: None };
        self.options.limits.show(&progress, watch)
    }
}

#[cfg(test)]
mod tests;
