//! States that are expanded side by side, as they were when they were taken from the queue.

use super::States;
use crate::limits::Stop;
use crate::store::StateId;
use space::{Edges, Rest, Stepper};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(super) struct Batch {
    states: Vec<(StateId, Vec<u8>)>,
    /// At least one for each; kept to be filled again.
    expansions: Vec<Mutex<Expansion>>,
}

/// What one state leads to.
pub(super) struct Expansion {
    pub edges: Edges,
    pub rest: Rest,
}

impl Expansion {
    pub fn expand(&mut self, worker: &mut impl Stepper, state: &[u8]) {
        self.edges.clear();
        self.rest = worker.expand(state, &mut self.edges);
    }
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (StateId, &[u8], &Mutex<Expansion>)> {
        self.states.iter().zip(&self.expansions).map(|((id, state), expansion)| (*id, &state[..], expansion))
    }

    /// Takes the states that are next from the queue, as many as there are.
    pub fn fill(&mut self, size: usize, fairness: bool, queue: &mut VecDeque<StateId>, states: &States) {
        let size = size.min(queue.len());
        let new = || {
            let edges = Edges { wants_fairness: fairness, ..Edges::default() };
            Mutex::new(Expansion { edges, rest: Rest::Enabled })
        };
        self.states.resize_with(size, Default::default);
        self.expansions.resize_with(size.max(self.expansions.len()), new);
        for ((id, copy), next) in self.states.iter_mut().zip(queue.drain(..size)) {
            *id = next;
            copy.clear();
            copy.extend_from_slice(states.get(next));
        }
    }

    /// Expands all states. The first worker does something else before that, while the others
    /// begin.
    pub fn expand<S: Stepper + Send>(
        &self,
        workers: &mut [S],
        meanwhile: impl FnOnce(&mut S) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        let Some((first, rest)) = workers.split_first_mut() else { return ControlFlow::Continue(()) };
        let open = AtomicUsize::new(0);
        let work = |worker: &mut S| {
            loop {
                let at = open.fetch_add(1, Ordering::Relaxed);
                let Some((_, state)) = self.states.get(at) else { return };
                held(&self.expansions[at]).expand(worker, state);
            }
        };
        if self.states.len() <= 1 {
            meanwhile(first)?;
            work(first);
            return ControlFlow::Continue(());
        }
        std::thread::scope(|scope| {
            for worker in rest.iter_mut() {
                scope.spawn(|| work(worker));
            }
            let result = meanwhile(first);
            work(first);
            result
        })
    }
}

/// What a worker that has stopped did is not looked at any more, so a lock that it left behind does
/// no harm.
pub(super) fn held(expansion: &Mutex<Expansion>) -> MutexGuard<'_, Expansion> {
    expansion.lock().unwrap_or_else(PoisonError::into_inner)
}
