//! Each simplification by itself keeps the words: on tableaux of formulas against the meaning of
//! the formulas, and on random automata against the automaton before.

use super::bdd::Manager;
use super::closure::Closure;
use super::components::{Components, prune, raise};
use super::degeneralize::{On, degeneralize};
use super::graph::{self, Graph};
use super::obligation::Weak;
use super::translate::NODES;
use super::{Automaton, Cube, Edge, Label, bisimulation, reduce, simulation, tableau, words};
use crate::ltl::random::{self, Random, Shape};
use crate::ltl::semantics::satisfies;
use crate::ltl::{Formula, Lasso};

type Pass = (&'static str, fn(Graph, &mut Manager) -> Graph);

const PASSES: [Pass; 13] = [
    ("nothing", |graph, _| graph),
    ("prune", |graph, _| prune(graph, On::Edges)),
    ("bisimulation", bisimulation::quotient),
    ("simulation", simulation::quotient),
    ("simulation, pruned", |graph, bdd| simulation::quotient(prune(graph, On::Edges), bdd)),
    ("simulation, raised", |mut graph, bdd| {
        raise(&mut graph, On::Edges);
        simulation::quotient(graph, bdd)
    }),
    ("reverse simulation", |graph, bdd| simulation::reverse_quotient(graph, On::Edges, bdd)),
    ("everything", |graph, bdd| reduce::reduce(graph, On::Edges, bdd)),
    ("one set on edges", |graph, _| degeneralize(&graph, On::Edges)),
    ("one set on states", |graph, _| degeneralize(&graph, On::States)),
    ("states, pruned", |graph, _| prune(degeneralize(&graph, On::States), On::States)),
    ("states, reversed", |graph, bdd| {
        simulation::reverse_quotient(degeneralize(&graph, On::States), On::States, bdd)
    }),
    ("states, everything", |graph, bdd| reduce::reduce(degeneralize(&graph, On::States), On::States, bdd)),
];

fn words(random: &mut Random, count: usize) -> Vec<Lasso<u64>> {
    (0..count).map(|_| random::lasso(random, 2, 3, 3)).collect()
}

#[test]
fn each_simplification_of_a_tableau_keeps_its_words() {
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, &Shape { propositions: 2, ..Shape::default() });
        let words = words(&mut random, 12);
        for (name, pass) in PASSES {
            let fails = |formula: &Formula<usize>, word: &Lasso<u64>| {
                apply(formula, pass).accepts(word) != satisfies(word, formula)
            };
            let automaton = apply(&formula, pass);
            if let Some(word) = words.iter().find(|word| automaton.accepts(word) != satisfies(word, &formula))
            {
                let (formula, word) = random::shrink(formula.clone(), word.clone(), fails);
                panic!("{name}, seed {seed}: {formula:?} on {word:?}: {:?}", apply(&formula, pass));
            }
        }
    }
}

fn apply(formula: &Formula<usize>, pass: fn(Graph, &mut Manager) -> Graph) -> Automaton {
    let bdd = &mut Manager::new(NODES);
    let (closure, id) = Closure::of(formula).unwrap();
    let graph = tableau::tableau(closure, id, bdd).unwrap();
    let graph = pass(graph, bdd);
    assert!(!bdd.full);
    graph::close(&graph, 2, bdd)
}

/// Any automaton: dead ends, edges without letters, unreachable states, up to three sets.
fn automaton(random: &mut Random) -> Automaton {
    let (size, sets) = (1 + random.below(6), random.below(4));
    let states = (0..size).map(|_| {
        let edges = (0..random.below(5)).map(|_| {
            let cubes = (0..1 + random.below(2)).map(|_| {
                let mentioned = random.below(4) as u64;
                let positive = random.below(4) as u64 & mentioned;
                Cube { positive, negative: mentioned & !positive }
            });
            let label = Label { cubes: cubes.collect() };
            Edge { label, to: random.below(size), sets: random.number() & random.number() & graph::all(sets) }
        });
        edges.collect()
    });
    let states = states.collect();
    Automaton { propositions: 2, sets, initial: random.below(size), states }
}

#[test]
fn each_simplification_of_a_random_automaton_keeps_its_words() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let automaton = automaton(&mut random);
        let words = words(&mut random, 12);
        let accepted: Vec<bool> = words.iter().map(|word| automaton.accepts(word)).collect();
        for (name, pass) in PASSES {
            let bdd = &mut Manager::new(NODES);
            let graph = pass(graph::open(&automaton, bdd), bdd);
            let after = graph::close(&graph, 2, bdd);
            for (word, &accepted) in words.iter().zip(&accepted) {
                assert_eq!(
                    after.accepts(word),
                    accepted,
                    "{name}, seed {seed}: {word:?}: {automaton:?}: {after:?}"
                );
            }
        }
    }
}

#[test]
fn what_is_on_states_stays_on_states() {
    for seed in 0..1000 {
        let bdd = &mut Manager::new(NODES);
        let graph = graph::open(&automaton(&mut Random::new(seed)), bdd);
        let graph = reduce::reduce(degeneralize(&graph, On::States), On::States, bdd);
        assert!(graph::close(&graph, 2, bdd).is_state_based(), "seed {seed}: {graph:?}");
    }
}

/// If the check says that a weak automaton is right, it is; and obligations by their syntax are
/// always right.
#[test]
fn weak_automata_of_obligations_have_the_words_of_the_formula() {
    let mut right = 0;
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, &Shape { propositions: 2, ..Shape::default() });
        let bdd = &mut Manager::new(NODES);
        let graph_of = |formula: &Formula<usize>, bdd: &mut Manager| {
            let (closure, id) = Closure::of(formula).unwrap();
            let class = closure.facts[id as usize].class;
            (reduce::reduce(tableau::tableau(closure, id, bdd).unwrap(), On::Edges, bdd), class)
        };
        let (graph, class) = graph_of(&formula, bdd);
        let (negation, _) = graph_of(&Formula::negation(formula.clone()), bdd);
        let weak = Weak::of(&graph, 1000, bdd).unwrap();
        let equal = weak.contains(&graph, bdd).unwrap() && weak.misses(&negation, bdd).unwrap();
        assert!(equal || !class.obligation, "seed {seed}: {formula:?}");
        if equal {
            right += 1;
            let closed = graph::close(&weak.0, 2, bdd);
            for word in words(&mut random, 12) {
                assert_eq!(
                    closed.accepts(&word),
                    satisfies(&word, &formula),
                    "seed {seed}: {word:?}: {formula:?}"
                );
            }
        }
    }
    assert!(right > 300, "{right}");
}

#[test]
fn a_product_has_the_words_of_both() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let (a, b) = (automaton(&mut random), automaton(&mut random));
        let bdd = &mut Manager::new(NODES);
        let product = words::product(&graph::open(&a, bdd), &graph::open(&b, bdd), bdd).unwrap();
        let found = words::lasso(&product, bdd);
        assert_eq!(
            found.is_some(),
            Components::of(&product.reachable()).accepting.contains(&true),
            "seed {seed}"
        );
        let product = graph::close(&product, 2, bdd);
        for word in words(&mut random, 12).into_iter().chain(found) {
            assert_eq!(product.accepts(&word), a.accepts(&word) && b.accepts(&word), "seed {seed}: {word:?}");
        }
    }
}
