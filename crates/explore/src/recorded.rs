//! A breadth-first search that keeps what it saw: every state, in the order in which it was found, and who found it first.
//!
//! States are expanded in batches, side by side if there are several workers; what they lead to is taken in in the order of the
//! states. So the states, their numbers and the runs to them do not depend on how many workers there are.

use crate::limits::{Limits, Progress, Stop, Watch};
use crate::report::Report;
use crate::store::{Inserted, StateId, Store, hash};
use space::{Edges, Stepper};
use std::ops::ControlFlow;

/// The states of a search that has ended.
pub struct Recorded {
    store: Store,
    /// Who found each state; an initial one itself.
    parents: Vec<StateId>,
    depths: Vec<u32>,
    limits: Limits,
    /// How many states are initial; they are the first.
    pub initial: usize,
    /// A state with a fault: the search ended there.
    pub faulty: Option<usize>,
    pub report: Report,
}

/// As many states are expanded at a time, if there are several workers.
const BATCH: usize = 512;
/// Fewer states than this are not worth sharing.
const WORTH_SHARING: usize = 64;

/// Searches everything reachable. Each worker is a copy of the same stepper.
pub fn record<S: Stepper + Send>(workers: &mut [S], limits: Limits, watch: &mut impl Watch) -> Recorded {
    let mut recorded = Recorded {
        store: Store::small(),
        parents: Vec::new(),
        depths: Vec::new(),
        limits,
        initial: 0,
        faulty: None,
        report: Report::default(),
    };
    if let ControlFlow::Break(stop) = recorded.run(workers, watch) {
        recorded.report.stopped = Some(stop);
    }
    recorded.report.states = recorded.store.len() as u64;
    recorded.report.memory_bytes = recorded.memory_bytes();
    recorded
}

impl Recorded {
    pub fn len(&self) -> usize {
        self.store.len()
    }

    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// The packed states, in the order in which they were found.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.store.len()).map(|id| self.store.get(id as StateId))
    }

    /// The states on a shortest path to one, itself last.
    pub fn path_to(&self, state: usize) -> Vec<&[u8]> {
        let parent = |id: &StateId| Some(self.parents[*id as usize]).filter(|parent| parent != id);
        let path = std::iter::successors(Some(state as StateId), parent);
        let mut path: Vec<&[u8]> = path.map(|id| self.store.get(id)).collect();
        path.reverse();
        path
    }

    fn run<S: Stepper + Send>(&mut self, workers: &mut [S], watch: &mut impl Watch) -> ControlFlow<Stop> {
        let Some(first) = workers.first_mut() else { return ControlFlow::Continue(()) };
        let mut initial = Edges::default();
        first.initial(&mut initial);
        let taken = self.take(None, &mut initial);
        self.initial = self.store.len();
        taken?;
        let mut batch: Vec<Edges> = Vec::new();
        let mut at = 0;
        while at < self.store.len() {
            let waiting = self.store.len() - at;
            let shared = workers.len() > 1 && waiting >= WORTH_SHARING;
            let size = if shared { waiting.min(BATCH) } else { 1 };
            batch.resize_with(size.max(batch.len()), Edges::default);
            self.expand(workers, at, &mut batch[..size]);
            for (k, edges) in batch[..size].iter_mut().enumerate() {
                self.take(Some((at + k) as StateId), edges)?;
            }
            at += size;
            if size > 1 || at % 64 == 0 {
                self.look(watch)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Expands the states from `at` on, as many as there is room for.
    fn expand<S: Stepper + Send>(&self, workers: &mut [S], at: usize, batch: &mut [Edges]) {
        let share = batch.len().div_ceil(workers.len().max(1));
        let work = |worker: &mut S, at: usize, part: &mut [Edges]| {
            for (k, edges) in part.iter_mut().enumerate() {
                edges.clear();
                worker.expand(self.store.get((at + k) as StateId), edges);
            }
        };
        if let ([first, ..], [_]) = (&mut *workers, &*batch) {
            return work(first, at, batch);
        }
        std::thread::scope(|scope| {
            for (n, (worker, part)) in workers.iter_mut().zip(batch.chunks_mut(share)).enumerate() {
                scope.spawn(move || work(worker, at + n * share, part));
            }
        });
    }

    /// Takes in what a state leads to; without a state, where everything begins.
    fn take(&mut self, from: Option<StateId>, edges: &mut Edges) -> ControlFlow<Stop> {
        self.report.cut |= edges.cut;
        if let Some(undefined) = edges.undefined.take() {
            self.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        if let (Some(from), false) = (from, edges.faults.is_empty()) {
            self.faulty = Some(from as usize);
            return ControlFlow::Break(Stop::Violation);
        }
        let full = |states: usize| self.limits.states.is_some_and(|limit| states as u64 >= limit);
        for state in edges.iter() {
            let hash = hash(state);
            self.report.transitions += 1;
            if full(self.store.len()) && self.store.find(state, hash).is_none() {
                return ControlFlow::Break(Stop::States);
            }
            match self.store.insert(state, hash) {
                Inserted::Known(_) => {}
                Inserted::Full => return ControlFlow::Break(Stop::Memory),
                Inserted::New(id) => {
                    let depth = from.map_or(0, |from| self.depths[from as usize] + 1);
                    self.parents.push(from.unwrap_or(id));
                    self.depths.push(depth);
                    self.report.depth = self.report.depth.max(u64::from(depth));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + 4 * (self.parents.capacity() + self.depths.capacity()) as u64
    }

    fn look(&self, watch: &mut impl Watch) -> ControlFlow<Stop> {
        let memory_bytes = self.memory_bytes();
        if self.limits.memory.is_some_and(|limit| memory_bytes > limit) {
            return ControlFlow::Break(Stop::Memory);
        }
        watch.look(&Progress {
            states: self.store.len() as u64,
            transitions: self.report.transitions,
            depth: self.report.depth,
            memory_bytes,
            cache: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use space::{Fault, Label, Rest, Step, Undefined, Which};

    /// Numbers below 1000: each leads to its double and to its successor.
    struct Numbers;

    impl Stepper for Numbers {
        fn initial(&mut self, out: &mut Edges) {
            out.push(&1u32.to_le_bytes(), Label(0));
        }

        fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
            let n = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
            out.undefined = (n == 999).then(|| Undefined("no thousand".to_string()));
            for next in [2 * n, n + 1].into_iter().filter(|next| *next < 1000) {
                out.push(&next.to_le_bytes(), Label(0));
            }
            Rest::Enabled
        }

        fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
            None
        }

        fn describe(&self, _: Fault) -> String {
            String::new()
        }
    }

    fn all(workers: usize, limits: Limits) -> Recorded {
        let mut workers: Vec<Numbers> = (0..workers).map(|_| Numbers).collect();
        record(&mut workers, limits, &mut Unwatched)
    }

    #[test]
    fn many_workers_see_what_one_sees() {
        let one = all(1, Limits::default());
        assert_eq!(one.len(), 999);
        assert_eq!(one.report.stopped, Some(Stop::Undefined));
        for workers in [2, 3, 8] {
            let many = all(workers, Limits::default());
            assert!(many.states().eq(one.states()));
            assert_eq!(many.parents, one.parents);
            assert_eq!(many.report.transitions, one.report.transitions);
            assert_eq!(many.report.depth, one.report.depth);
        }
        let path: Vec<u8> = one.path_to(6).iter().map(|state| state[0]).collect();
        assert_eq!(one.path_to(6).len(), path.len());
        assert!(path.windows(2).all(|w| w[1] == 2 * w[0] || w[1] == w[0] + 1), "{path:?}");
    }

    #[test]
    fn a_limit_of_states_is_exact() {
        let some = all(3, Limits { states: Some(100), ..Limits::default() });
        assert_eq!((some.len(), some.report.stopped), (100, Some(Stop::States)));
    }
}
