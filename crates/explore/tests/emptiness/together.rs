//! Graphs that make threads meet: all begin at once, and each gives way now and then.

use crate::explicit::Explicit;
use crate::random::Chance;
use explore::emptiness::{Acceptance, Graph, MarkedEdges, Outcome, parallel_emptiness};
use explore::{Limits, NoListener};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

struct Together<'a> {
    graph: &'a Explicit,
    barrier: &'a Barrier,
    begun: bool,
    chance: Chance,
    expanded: &'a AtomicU64,
}

impl Graph for Together<'_> {
    fn acceptance(&self) -> &Acceptance {
        &self.graph.acceptance
    }

    fn initial(&mut self, out: &mut MarkedEdges) {
        self.graph.clone().initial(out);
        if !std::mem::replace(&mut self.begun, true) {
            self.barrier.wait();
        }
    }

    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges) {
        self.graph.clone().edges(state, out);
        self.expanded.fetch_add(1, Ordering::Relaxed);
        match self.chance.below(16) {
            0 => thread::yield_now(),
            1..4 => (0..self.chance.below(300)).for_each(|_| std::hint::spin_loop()),
            _ => {}
        }
    }
}

/// Asks with threads that begin together. Also tells how often states were expanded.
pub fn together(graph: &Explicit, threads: usize, seed: u64) -> (Outcome, u64) {
    let barrier = Barrier::new(threads);
    let (expanded, seeds) = (AtomicU64::new(0), AtomicU64::new(seed));
    let make = || {
        let chance = Chance::new(seeds.fetch_add(1_000_003, Ordering::Relaxed));
        Together { graph, barrier: &barrier, begun: false, chance, expanded: &expanded }
    };
    let outcome = parallel_emptiness(make, threads, Limits::default(), &mut NoListener);
    (outcome, expanded.into_inner())
}
