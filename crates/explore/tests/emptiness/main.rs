//! Emptiness against definitions that share no code with it.

mod examples;
mod explicit;
mod judge;
mod large;
mod limits;
mod random;
mod together;
mod verdicts;

use crate::explicit::Explicit;
use explore::emptiness::{Outcome, emptiness};
use explore::{Limits, NoListener};

/// Every way to ask, with its name.
fn every_way(graph: &Explicit) -> Vec<(String, Outcome)> {
    let alone = emptiness(&mut graph.clone(), Limits::default(), &mut NoListener);
    let together =
        |threads| (format!("{threads} threads"), together::together(graph, threads, threads as u64).0);
    vec![("alone".to_string(), alone), together(2), together(4)]
}

/// Asks every way, holds the answers against `expected`, and has each lasso judged.
fn expect(graph: &Explicit, expected: bool, what: &str) {
    for (way, outcome) in every_way(graph) {
        let found = outcome.lasso.is_some();
        assert_eq!(found, expected, "{what}, {way}: {graph:?}");
        assert_eq!(outcome.stopped, None, "{what}, {way}");
        if let Some(lasso) = &outcome.lasso
            && let Err(why) = judge::judge(graph, lasso)
        {
            panic!("{what}, {way}: {why}: {lasso:?} of {graph:?}");
        }
    }
}
