//! Automata against the meaning of formulas on lasso words, which shares no code with them.
//!
//! A failure prints the seed and the smallest formula and word that shrinking found.

#[path = "support/random.rs"]
mod random;

use logic::automata::{
    Automaton, Monitor, On, TooLarge, buchi, closure_monitor, intersects, is_liveness, is_safety, monitor,
    translate,
};
use logic::ltl::semantics::satisfies;
use logic::ltl::{Binary, Formula, Lasso, Unary};
use random::{Random, Shape};
use std::collections::HashSet;

/// Membership by the definition: some node of the product with the word comes back to itself
/// through all sets.
fn member(automaton: &Automaton, word: &Lasso<u64>) -> bool {
    type Node = (usize, usize);
    let length = word.stem.len() + word.cycle.len();
    let steps = |(state, at): Node| {
        let next = if at + 1 == length { word.stem.len() } else { at + 1 };
        let edges = automaton.states[state].iter().filter(move |edge| edge.label.holds(*word.at(at)));
        edges.map(move |edge| ((edge.to, next), edge.sets))
    };
    let all = (0..automaton.sets).fold(0, |bits, set| bits | 1u64 << set);
    let walk = |start: Vec<(Node, u64)>| {
        let mut seen: HashSet<(Node, u64)> = start.iter().copied().collect();
        let mut stack = start;
        while let Some((node, sets)) = stack.pop() {
            for (to, more) in steps(node) {
                if seen.insert((to, sets | more)) {
                    stack.push((to, sets | more));
                }
            }
        }
        seen
    };
    let reachable: HashSet<Node> =
        walk(vec![((automaton.initial, 0), 0)]).into_iter().map(|(n, _)| n).collect();
    reachable.into_iter().any(|node| walk(steps(node).collect()).contains(&(node, all)))
}

fn accepts(formula: &Formula<usize>, word: &Lasso<u64>) -> bool {
    translate(formula).expect("a small formula").accepts(word)
}

/// All lassos over two propositions with these longest stem and cycle.
fn all_lassos(stem: u32, cycle: u32) -> Vec<Lasso<u64>> {
    let words = |length: u32| {
        (0..4u64.pow(length)).map(move |n| (0..length).map(|i| n >> (2 * i) & 3).collect::<Vec<_>>())
    };
    let stems: Vec<_> = (0..=stem).flat_map(words).collect();
    let cycles: Vec<_> = (1..=cycle).flat_map(words).collect();
    stems.iter().flat_map(|s| cycles.iter().map(|c| Lasso::new(s.clone(), c.clone()))).collect()
}

#[test]
fn membership_is_truth_on_random_formulas_and_words() {
    for seed in 0..5000 {
        let mut random = Random::new(seed);
        let shape = if seed % 2 == 0 { Shape::default() } else { Shape::future() };
        let formula = random::formula(&mut random, &shape);
        let automaton = translate(&formula).expect("a small formula");
        for _ in 0..4 {
            let word = random::lasso(&mut random, 3, 4, 4);
            assert_eq!(automaton.accepts(&word), member(&automaton, &word), "two definitions, seed {seed}");
            if automaton.accepts(&word) != satisfies(&word, &formula) {
                let (formula, word) = random::shrink(formula, word, |f, w| accepts(f, w) != satisfies(w, f));
                panic!("seed {seed}: {formula:?} on {word:?}: {:?}", translate(&formula));
            }
        }
    }
}

#[test]
fn a_formula_and_its_negation_share_no_word_and_cover_all() {
    let lassos = all_lassos(1, 2);
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, &Shape { propositions: 2, ..Shape::default() });
        let negation = Formula::negation(formula.clone());
        let (a, b) = (translate(&formula).expect("small"), translate(&negation).expect("small"));
        let shared = intersects(&a, &b).expect("small");
        assert_eq!(shared, None, "seed {seed}: {formula:?}");
        for word in &lassos {
            let (in_a, in_b) = (a.accepts(word), b.accepts(word));
            assert!(in_a != in_b, "seed {seed}: {word:?} is in {in_a}, {in_b}: {formula:?}");
        }
    }
}

#[test]
fn a_witness_is_accepted_and_satisfies_the_formula() {
    let mut satisfiable = 0;
    for seed in 0..1000 {
        let formula = random::formula(&mut Random::new(seed), &Shape::default());
        let automaton = translate(&formula).expect("small");
        if let Some(word) = automaton.witness() {
            assert!(
                member(&automaton, &word) && satisfies(&word, &formula),
                "seed {seed}: {word:?}: {formula:?}"
            );
            satisfiable += 1;
        }
    }
    assert!(satisfiable > 500, "{satisfiable}");
}

#[test]
fn one_set_on_edges_or_states_is_the_same_language() {
    let lassos = all_lassos(1, 2);
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, &Shape { propositions: 2, ..Shape::default() });
        let wrong = |f: &Formula<usize>, word: &Lasso<u64>| {
            [On::Edges, On::States]
                .into_iter()
                .find(|&on| buchi(f, on).expect("small").accepts(word) != satisfies(word, f))
        };
        for on in [On::Edges, On::States] {
            let automaton = buchi(&formula, on).expect("small");
            assert!(automaton.sets <= 1);
            let marks = |edges: &Vec<logic::automata::Edge>| edges.windows(2).all(|w| w[0].sets == w[1].sets);
            assert!(on == On::Edges || automaton.states.iter().all(marks), "seed {seed}: {automaton:?}");
            if let Some(word) = lassos.iter().find(|w| automaton.accepts(w) != satisfies(w, &formula)) {
                let (formula, word) = random::shrink(formula, word.clone(), |f, w| wrong(f, w).is_some());
                panic!("seed {seed}: {formula:?} on {word:?}: {automaton:?}");
            }
        }
    }
}

/// Is the word in the safety closure, by the definition: can every prefix be continued? Prefixes of
/// a lasso repeat with the states that a deterministic automaton can be in, so as many as this are
/// enough for small formulas.
fn refutes(monitor: &Monitor, word: &Lasso<u64>) -> Option<usize> {
    let mut state = monitor.initial;
    let rounds = word.stem.len() + word.cycle.len() * (monitor.states.len() + 1);
    for position in 0..=rounds {
        if Some(state) == monitor.sink {
            return Some(position);
        }
        state = monitor.next(state, *word.at(position));
    }
    None
}

#[test]
fn monitors_find_every_violation_and_only_violations() {
    let (mut safety, mut violations) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, &Shape { propositions: 2, size: 9, ..Shape::default() });
        let any = closure_monitor(&formula).expect("small");
        let exact = monitor(&formula).expect("small");
        assert_eq!(exact.is_some(), is_safety(&formula).expect("small"));
        assert_eq!(any.sink.is_none(), is_liveness(&formula).expect("small"));
        safety += exact.is_some() as u32;
        for _ in 0..20 {
            let word = random::lasso(&mut random, 2, 3, 3);
            let found = refutes(&any, &word);
            if let Some(length) = found {
                violations += 1;
                // No word with this prefix satisfies the formula.
                let prefix: Vec<u64> = (0..length).map(|i| *word.at(i)).collect();
                for _ in 0..10 {
                    let mut other = random::lasso(&mut random, 2, 2, 3);
                    other.stem.splice(0..0, prefix.iter().copied());
                    assert!(!satisfies(&other, &formula), "seed {seed}: {other:?} satisfies {formula:?}");
                }
            }
            if exact.is_some() {
                assert_eq!(found.is_none(), satisfies(&word, &formula), "seed {seed}: {word:?}: {formula:?}");
            }
        }
        // A violating word without a bad prefix shows that the formula is no safety property: all
        // short words are tried.
        let unseen = |word: &Lasso<u64>| !satisfies(word, &formula) && refutes(&any, word).is_none();
        assert!(exact.is_none() || !all_lassos(1, 1).iter().any(unseen), "seed {seed}");
    }
    assert!(safety > 300 && violations > 3000, "{safety} {violations}");
}

#[test]
fn monitors_are_complete_deterministic_and_minimal() {
    for seed in 0..300 {
        let formula = random::formula(&mut Random::new(seed), &Shape { propositions: 2, ..Shape::default() });
        let monitor = closure_monitor(&formula).expect("small");
        for (state, edges) in monitor.states.iter().enumerate() {
            for letter in 0..4 {
                assert_eq!(edges.iter().filter(|(label, _)| label.holds(letter)).count(), 1, "seed {seed}");
                assert!(Some(state) != monitor.sink || monitor.next(state, letter) == state, "seed {seed}");
            }
        }
        // Two states of a minimal automaton are distinguished by a word shorter than the number of
        // states.
        let told_apart = |p: usize, q: usize| {
            let mut pairs = vec![(p, q)];
            let mut seen = HashSet::new();
            while let Some(pair @ (p, q)) = pairs.pop() {
                if (Some(p) == monitor.sink) != (Some(q) == monitor.sink) {
                    return true;
                }
                if seen.insert(pair) {
                    pairs.extend((0..4).map(|letter| (monitor.next(p, letter), monitor.next(q, letter))));
                }
            }
            false
        };
        let count = monitor.states.len();
        assert!((0..count).all(|p| (0..p).all(|q| told_apart(p, q))), "seed {seed}: {monitor:?}");
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let eventually = |p: usize| Formula::unary(Unary::Eventually, Formula::Atom(p));
    let all = |f: fn(Formula<usize>, Formula<usize>) -> Formula<usize>, parts: Vec<Formula<usize>>| {
        parts.into_iter().reduce(f).expect("some parts")
    };
    let and = |a, b| Formula::binary(Binary::And, a, b);
    assert_eq!(translate(&eventually(64)), Err(TooLarge::Propositions));
    assert_eq!(translate(&all(and, (0..16).map(eventually).collect())), Err(TooLarge::States));
    let past = |f, i: usize| {
        Formula::unary(Unary::Previous, Formula::binary(Binary::Since, Formula::Atom(i % 3), f))
    };
    let often = Formula::binary(Binary::Entails, Formula::Atom(3), (0..65).fold(Formula::Atom(0), past));
    assert_eq!(translate(&often), Err(TooLarge::Past));
}
