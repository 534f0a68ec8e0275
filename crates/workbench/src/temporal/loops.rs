//! Looks for a loop that is accepted and fair.

use explore::emptiness::{Graph, Outcome, emptiness, parallel_emptiness};
use explore::{Limits, Listener, Stop};

/// No more states than this are searched by one thread before all others join.
const ALONE: u64 = 100_000;

/// Alone as long as that is quick, so that small questions have the same answer every time; then
/// with all threads.
pub(crate) fn look<G: Graph>(
    make: &(impl Fn() -> G + Sync),
    limits: Limits,
    threads: usize,
    watch: &mut impl Listener,
) -> Outcome {
    let alone = match limits.states {
        _ if threads <= 1 => limits.states,
        Some(states) => Some(states.min(ALONE)),
        None => Some(ALONE),
    };
    let outcome = emptiness(&mut make(), Limits { states: alone, ..limits }, watch);
    if outcome.stopped != Some(Stop::States) || alone == limits.states {
        return outcome;
    }
    parallel_emptiness(make, threads, limits, watch)
}
