//! Verdicts on thousands of random graphs, against trying everything.

use crate::expect;
use crate::judge::{any_by_matrix, any_by_sets};
use crate::random::{Chance, Shape, graph};
use crate::together::together;

/// Every mix of acceptance up to these numbers.
fn shapes(recurrent: usize, pairs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..=recurrent).flat_map(move |r| (0..=pairs).map(move |p| (r, p)))
}

#[test]
fn small_graphs_by_every_set_of_arrows() {
    let mut chance = Chance::new(1);
    let (mut found, mut tried) = (0, 0);
    for round in 0..250 {
        for (recurrent, pairs) in shapes(3, 3) {
            let states = 1 + chance.below(6);
            let edges = 1 + chance.below(11);
            let shape = Shape { states, edges, recurrent, pairs, first_mark: 0, rarity: 3 };
            let graph = graph(&mut chance, shape);
            let expected = any_by_sets(&graph);
            assert_eq!(expected, any_by_matrix(&graph), "the two definitions differ on {graph:?}");
            expect(&graph, expected, &format!("round {round}"));
            found += usize::from(expected);
            tried += 1;
        }
    }
    assert!(found * 5 > tried && found * 5 < tried * 4, "one-sided: {found} of {tried}");
}

#[test]
fn larger_graphs_by_matrix() {
    let mut chance = Chance::new(2);
    let (mut found, mut tried) = (0, 0);
    for round in 0..40 {
        for (recurrent, pairs) in shapes(3, 4) {
            let states = 8 + chance.below(30);
            let edges = states + chance.below(2 * states);
            // Marks beyond the first word now and then.
            let first_mark = [0, 62][round % 2];
            let rarity = 3 + chance.below(20);
            let shape = Shape { states, edges, recurrent, pairs, first_mark, rarity };
            let graph = graph(&mut chance, shape);
            let expected = any_by_matrix(&graph);
            expect(&graph, expected, &format!("round {round}"));
            found += usize::from(expected);
            tried += 1;
        }
    }
    assert!(found * 5 > tried && found * 5 < tried * 4, "one-sided: {found} of {tried}");
}

/// The acceptance for which there are the most ways to ask.
#[test]
fn one_mark_and_no_pairs() {
    let mut chance = Chance::new(3);
    let (mut found, mut tried) = (0, 0);
    for round in 0..3000 {
        let states = 2 + chance.below(14);
        let edges = states + chance.below(states);
        let rarity = 4 + chance.below(8);
        let shape = Shape { states, edges, recurrent: 1, pairs: 0, first_mark: 0, rarity };
        let graph = graph(&mut chance, shape);
        let expected = any_by_matrix(&graph);
        expect(&graph, expected, &format!("round {round}"));
        found += usize::from(expected);
        tried += 1;
    }
    assert!(found * 5 > tried && found * 5 < tried * 4, "one-sided: {found} of {tried}");
}

/// Components of hundreds of states, so that threads work in the same one at the same time.
#[test]
fn threads_in_one_component() {
    let mut chance = Chance::new(4);
    let (mut found, mut tried, mut shared) = (0, 0, 0);
    for round in 0..40 {
        for (recurrent, pairs) in [(1, 0), (3, 0), (0, 3), (2, 2)] {
            let states = 100 + chance.below(100);
            let edges = 2 * states + chance.below(states);
            let rarity = 20 + chance.below(edges);
            let shape = Shape { states, edges, recurrent, pairs, first_mark: 0, rarity };
            let graph = graph(&mut chance, shape);
            let expected = any_by_matrix(&graph);
            expect(&graph, expected, &format!("round {round}"));
            if !expected {
                let (outcome, expanded) = together(&graph, 3, round);
                shared += usize::from(expanded > outcome.states);
            }
            found += usize::from(expected);
            tried += 1;
        }
    }
    assert!(found * 5 > tried && found * 5 < tried * 4, "one-sided: {found} of {tried}");
    assert!(shared * 4 > tried - found, "threads hardly met: {shared} of {}", tried - found);
}
