//! Emptiness: is there an infinite path that is accepted, and fair?
//!
//! * [`graph`]: what is searched: states in bytes, edges with marks, and which marks make an
//!   infinite path count.
//! * `couvreur`: strongly connected components on the fly, generalized Büchi acceptance reported
//!   early. `refine`: Streett acceptance inside a component.
//! * `parallel`: components by several threads, which meet in `sets`.
//! * `component`: a part of the graph written down. `cycle`: a short cycle that counts in it.
//!   `stem`: the way there. `lasso`: both, in states and edges.
//! * `near`: a lasso near the initial states.
//! * `marks`: sets of marks against an acceptance. `space`: states by number. `meter`: limits held
//!   against what is used.

mod component;
mod couvreur;
mod cycle;
pub mod graph;
mod lasso;
mod marks;
mod meter;
mod near;
mod parallel;
mod refine;
mod sets;
mod space;
mod stem;

pub use graph::{Acceptance, Graph, Lasso, MarkedEdges, Outcome, Pair};
pub use near::near;

use crate::limits::{Limits, Listener};

/// Looks for an infinite path that counts. Without a lasso and without a stop there is none.
pub fn emptiness(graph: &mut impl Graph, limits: Limits, watch: &mut impl Listener) -> Outcome {
    couvreur::search(graph, limits, watch)
}

/// The same by this many threads, each with a graph of its own. The same verdict; the lasso may be
/// another.
pub fn parallel_emptiness<G: Graph>(
    make: impl Fn() -> G + Sync,
    threads: usize,
    limits: Limits,
    watch: &mut impl Listener,
) -> Outcome {
    if threads <= 1 {
        return emptiness(&mut make(), limits, watch);
    }
    parallel::search(make, threads, limits, watch)
}
