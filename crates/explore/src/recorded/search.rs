//! The search itself: a queue of states, batches that are expanded, and what they lead to taken in.

use super::batch::{self, Batch};
use super::{FaultIn, Keep, Pace, Recorded, Recording, Visitor};
use crate::limits::{Listener, Progress, Stop};
use crate::report::Report;
use crate::store::{Inserted, StateId};
use space::{Edges, FaultAt, Rest, Stepper};
use std::collections::VecDeque;
use std::ops::ControlFlow;

pub(super) struct Search<'a, V, W: ?Sized> {
    how: &'a Recording<'a>,
    visitor: &'a mut V,
    watch: &'a mut W,
    recorded: Recorded,
    queue: VecDeque<StateId>,
    /// Whether each state waits to be expanded.
    waits: Vec<bool>,
    /// Edges of the state that is taken in, and where they lead.
    targets: Vec<(usize, StateId)>,
}

impl<'a, V: Visitor, W: Listener + ?Sized> Search<'a, V, W> {
    pub fn new(how: &'a Recording<'a>, visitor: &'a mut V, watch: &'a mut W, recorded: Recorded) -> Self {
        Search {
            how,
            visitor,
            watch,
            recorded,
            queue: VecDeque::new(),
            waits: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Searches until everything is seen or something ends it.
    pub fn run<S: Stepper + Send>(mut self, workers: &mut [S]) -> Recorded {
        if let ControlFlow::Break(stop) = self.go(workers) {
            self.recorded.report.stopped = Some(stop);
        }
        self.recorded
    }

    /// States are expanded in the order in which they were found. With several workers, what a
    /// batch of states leads to is taken in while the next batch is being expanded; with joins a
    /// state that is expanded early may have to be expanded again, so there are few at a time.
    fn go<S: Stepper + Send>(&mut self, workers: &mut [S]) -> ControlFlow<Stop> {
        let Some(first) = workers.first_mut() else { return ControlFlow::Continue(()) };
        let mut initial = Edges { wants_fairness: false, ..Edges::default() };
        first.initial(&mut initial);
        self.take(None, &mut initial, Rest::Enabled)?;
        let Pace { batch, worth_sharing, .. } = self.how.pace;
        let (mut done, mut next) = (Batch::default(), Batch::default());
        while !(self.queue.is_empty() && done.is_empty()) {
            let shared = workers.len() > 1 && self.queue.len() >= worth_sharing;
            let size = match done.is_empty() {
                _ if shared && self.how.joins.is_none() => batch,
                true if shared => 2 * workers.len(),
                true => 1,
                false => 0,
            };
            next.fill(size, self.how.fairness, &mut self.queue, &self.recorded.states);
            next.expand(workers, |worker| self.take_all(worker, &done))?;
            std::mem::swap(&mut done, &mut next);
        }
        ControlFlow::Continue(())
    }

    /// Takes in what the states of a batch lead to.
    fn take_all(&mut self, worker: &mut impl Stepper, batch: &Batch) -> ControlFlow<Stop> {
        for (state, seen, expansion) in batch.iter() {
            let mut expansion = batch::held(expansion);
            // With joins an earlier one may have changed it.
            if self.how.joins.is_some() && self.recorded.states.get(state) != seen {
                expansion.expand(worker, self.recorded.states.get(state));
            }
            self.waits[state as usize] = false;
            let rest = expansion.rest;
            self.take(Some(state), &mut expansion.edges, rest)?;
            self.visitor.expanded(&self.recorded, state as usize, &expansion.edges)?;
            if (state as usize).is_multiple_of(self.how.pace.look) {
                self.look()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes in what a state leads to; without a state, where everything begins.
    fn take(&mut self, from: Option<StateId>, edges: &mut Edges, rest: Rest) -> ControlFlow<Stop> {
        if let Some(undefined) = edges.undefined.take() {
            self.recorded.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        if let (Some(from), Some(_)) = (from, edges.fatal()) {
            self.recorded.faulty = Some(from as usize);
            return ControlFlow::Break(Stop::Violation);
        }
        let keep = self.how.keep != Keep::States && self.how.joins.is_none() && from.is_some();
        self.targets.clear();
        for k in 0..edges.len() {
            if from.is_some() && !self.visitor.admits(edges, k) {
                edges.cut = true;
                continue;
            }
            self.recorded.report.transitions += 1;
            let to = self.enter(from, edges, k)?;
            match from {
                None => self.recorded.initial.push(to),
                Some(_) if keep => self.targets.push((k, to)),
                Some(_) => {}
            }
        }
        self.recorded.report.cut |= edges.cut;
        if keep {
            self.recorded.keep(self.how.keep, edges, rest, &self.targets);
        }
        self.note_faults(from, &edges.faults);
        ControlFlow::Continue(())
    }

    /// The number of the state that an edge leads to.
    fn enter(&mut self, from: Option<StateId>, edges: &Edges, k: usize) -> ControlFlow<Stop, StateId> {
        let recorded = &mut self.recorded;
        let room = self.how.limits.states.is_none_or(|limit| (recorded.len() as u64) < limit);
        let (inserted, grown) = recorded.states.insert(edges.get(k), self.how.joins, room);
        match inserted {
            None => ControlFlow::Break(Stop::States),
            Some(Inserted::Full) => ControlFlow::Break(Stop::Memory),
            Some(Inserted::Known(id)) => {
                if grown && !std::mem::replace(&mut self.waits[id as usize], true) {
                    self.queue.push_back(id);
                }
                ControlFlow::Continue(id)
            }
            Some(Inserted::New(id)) => {
                recorded.parents.push((from.unwrap_or(id), edges.labels[k]));
                let depth = from.map_or(0, |from| recorded.depths[from as usize] + 1);
                recorded.depths.push(depth);
                recorded.report.depth = recorded.report.depth.max(u64::from(depth));
                self.queue.push_back(id);
                self.waits.push(true);
                self.visitor.stored(edges, k);
                ControlFlow::Continue(id)
            }
        }
    }

    fn note_faults(&mut self, from: Option<StateId>, faults: &[FaultAt]) {
        for at in faults {
            if self.recorded.faults.iter().any(|known| known.at.fault == at.fault) {
                continue;
            }
            let initial = || self.recorded.initial.get(at.place as usize).copied();
            if let Some(state) = from.or_else(initial) {
                self.recorded.faults.push(FaultIn { state, initial: from.is_none(), at: *at });
            }
        }
    }

    fn look(&mut self) -> ControlFlow<Stop> {
        let Report { transitions, depth, .. } = self.recorded.report;
        let (states, memory_bytes) = (self.recorded.len() as u64, self.recorded.memory_bytes());
        let progress = Progress { states, transitions, depth, memory_bytes, cache: None };
        self.how.limits.show(&progress, self.watch)
    }
}
