//! Many searches that each know only some bits of the states they have left, and that differ.
//!
//! After Holzmann, Joshi, Groce, *Swarm verification techniques* (2011): where a space is far
//! larger than memory, one bitstate search sees the same small part of it however long it runs.
//! Searches with other hashes, other orders of steps and other depths see other parts. The first
//! one is the plain search; of the others each takes steps in an order of its own, and every third
//! goes no deeper than a bound drawn for it.
//!
//! Searches share nothing but the wish to end. Each thread takes the next one from a counter and
//! searches with a table of its own; the thread that called watches clock and memory. What a swarm
//! finds depends on its seed alone, as long as it runs to its end; if it ends with the first
//! violation, on which search was faster, too.

use crate::limits::{Limits, Listener, Progress, Stop};
use crate::reduction::{Reduction, selective_search};
use crate::report::Report;
use crate::search::Options;
use crate::store::Keep;
use crate::store::lossy::Losses;
use core::time::Duration;
use independence::selective::Selective;
use logic::random::Random;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};

/// What is asked of a swarm.
#[derive(Clone, Copy, Debug)]
pub struct Swarm {
    /// How many searches there are.
    pub searches: u64,
    /// Of all that is drawn.
    pub seed: u64,
}

/// How often the caller's thread looks at clock and memory.
const LOOK: Duration = Duration::from_millis(20);

/// Bounds of depth are drawn between two to the power of these.
const DEPTHS: (u32, u32) = (6, 16);

/// Searches again and again, with as many threads as there are copies of the stepper.
pub fn swarm<S: Selective + Send>(
    workers: &mut [S],
    options: &Options,
    (reduction, swarm): (Reduction, Swarm),
    watch: &mut impl Listener,
) -> Report {
    let threads = workers.len().min(swarm.searches as usize).max(1);
    let shared = Shared::default();
    let (sender, receiver) = mpsc::channel();
    let mut reports = Vec::new();
    let mut stopped = None;
    std::thread::scope(|scope| {
        for stepper in workers.iter_mut().take(threads) {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move || {
                while let Some(number) = shared.next(swarm.searches) {
                    let options = member(options, swarm, number, threads as u64);
                    let report = selective_search(stepper, &options, reduction, &mut Told::new(shared));
                    if report.stopped == Some(Stop::Violation) {
                        shared.over.store(true, Relaxed);
                    }
                    // The receiver lives as long as this scope.
                    let _ = sender.send((number, report));
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(report) => reports.push(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let ControlFlow::Break(stop) = watch.look(&shared.progress(threads as u64)) {
                stopped.get_or_insert(stop);
                shared.over.store(true, Relaxed);
            }
        }
    });
    reports.sort_by_key(|(number, _)| *number);
    let reports: Vec<Report> = reports.into_iter().map(|(_, report)| report).collect();
    united(reports, stopped, (options, threads as u64))
}

/// The options of one search of the swarm.
fn member(options: &Options, swarm: Swarm, number: u64, threads: u64) -> Options {
    let share = |bytes: u64| bytes / threads;
    let keep = match options.keep {
        Keep::Bits(bytes) => Keep::Bits(share(bytes)),
        other => other,
    };
    let memory = options.limits.memory.map(share);
    let mut random = Random::new(swarm.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let shuffle = (number > 0).then(|| random.number().max(1));
    let (low, high) = DEPTHS;
    let drawn = (number % 3 == 2).then(|| 1u64 << (low as usize + random.below((high - low) as usize)));
    let depth = [options.limits.depth, drawn].into_iter().flatten().min();
    let limits = Limits { memory, depth, ..options.limits };
    Options { keep, shuffle, limits, ..*options }
}

/// One report of many.
fn united(reports: Vec<Report>, stopped: Option<Stop>, (options, threads): (&Options, u64)) -> Report {
    let mut all = Report::default();
    let ran = reports.len() as u64;
    let violated = reports.iter().any(|r| r.stopped == Some(Stop::Violation));
    // A bound of depth that was drawn is no limit of the caller's.
    let limit = |stop: &Stop| *stop != Stop::Depth || options.limits.depth.is_some();
    let early = reports.iter().filter_map(|r| r.stopped).find(|stop| limit(stop));
    all.stopped = if violated { Some(Stop::Violation) } else { stopped.or(early) };
    let whole = reports.iter().filter(|r| r.stopped.is_none()).filter_map(|r| r.losses);
    let best = whole.min_by(|a, b| a.missed.unwrap_or(f64::MAX).total_cmp(&b.missed.unwrap_or(f64::MAX)));
    all.losses = Some(Losses { searches: ran, ..best.unwrap_or_default() });
    for report in reports {
        all.states += report.states;
        all.transitions += report.transitions;
        all.depth = all.depth.max(report.depth);
        all.memory_bytes = all.memory_bytes.max(report.memory_bytes * threads);
        all.deadlocks = all.deadlocks.max(report.deadlocks);
        all.assertions = all.assertions.max(report.assertions);
        all.faults = all.faults.max(report.faults);
        all.cut |= report.cut;
        all.undefined = all.undefined.or(report.undefined);
        all.full_expansions = all.full_expansions.and(&report.full_expansions);
        if report.violations.len() > all.violations.len() {
            all.violations = report.violations;
        }
    }
    all
}

/// What searches have in common.
#[derive(Default)]
struct Shared {
    next: AtomicU64,
    over: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    depth: AtomicU64,
    /// The most that a search has used.
    memory: AtomicU64,
}

impl Shared {
    /// The number of a search that no thread has begun.
    fn next(&self, searches: u64) -> Option<u64> {
        let next = || self.next.fetch_add(1, Relaxed);
        (!self.over.load(Relaxed)).then(next).filter(|number| *number < searches)
    }

    fn progress(&self, threads: u64) -> Progress {
        Progress {
            states: self.states.load(Relaxed),
            transitions: self.transitions.load(Relaxed),
            depth: self.depth.load(Relaxed),
            memory_bytes: self.memory.load(Relaxed) * threads,
            cache: None,
        }
    }
}

/// Tells the others how far one search is.
struct Told<'s> {
    shared: &'s Shared,
    states: u64,
    transitions: u64,
}

impl<'s> Told<'s> {
    fn new(shared: &'s Shared) -> Self {
        Told { shared, states: 0, transitions: 0 }
    }
}

impl Listener for Told<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<Stop> {
        let shared = self.shared;
        shared.states.fetch_add(progress.states - self.states, Relaxed);
        shared.transitions.fetch_add(progress.transitions - self.transitions, Relaxed);
        (self.states, self.transitions) = (progress.states, progress.transitions);
        shared.depth.fetch_max(progress.depth, Relaxed);
        shared.memory.fetch_max(progress.memory_bytes, Relaxed);
        if shared.over.load(Relaxed) {
            ControlFlow::Break(Stop::Interrupt)
        } else {
            ControlFlow::Continue(())
        }
    }
}
