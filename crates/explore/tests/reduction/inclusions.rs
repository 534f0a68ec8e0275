//! On random systems: every set any algorithm returns is persistent by Definition 4.1; Theorems
//! 4.20, 4.21 and 4.28 hold per starting transition; every pair called independent is; and reduced
//! searches reach what they must.

use crate::definitions::{independent, persistence};
use crate::examples::Example;
use crate::random::system;
use crate::slow::Slow;
use explore::reduction::persistent::{AtHand, Sets, members};
use explore::{Keep, Limits, NoListener, Options, Patience, Proviso, Reduction, selective_search};
use independence::selective::Selective;
use independence::{Algorithm, Method, Set, node};
use objects::Dependency;
use space::Label;
use std::collections::{BTreeSet, HashSet};
use system::{LocationId, ProcessTypeId, State};

const SYSTEMS: u64 = 2000;
/// How many of them are searched in every way.
const SEARCHED: u64 = 250;
/// States looked at in each system.
const SOME: usize = 12;

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn];

fn methods() -> impl Iterator<Item = Method> {
    let relations = [Dependency::Conditional, Dependency::Uniform];
    ALGORITHMS.into_iter().flat_map(move |algorithm| {
        [false, true].into_iter().flat_map(move |conditional| {
            relations.map(|dependency| Method { algorithm, conditional, dependency })
        })
    })
}

fn reachable(example: &Example) -> Vec<State> {
    let stepper = Slow::new(&example.system, &example.state);
    let mut seen: HashSet<State> = HashSet::from([example.state.clone()]);
    let mut found = vec![example.state.clone()];
    let mut next = 0;
    while next < found.len() && found.len() < 400 {
        for (_, state) in stepper.moves(&found[next]) {
            if seen.insert(state.clone()) {
                found.push(state);
            }
        }
        next += 1;
    }
    found
}

/// The labels of the choices in a set.
fn labels(stepper: &Slow<'_>, state: &State, set: Set) -> Vec<Label> {
    let inside = |label: &Label| {
        stepper.nodes().iter().enumerate().any(|(k, n)| *n == node(*label) && set >> k & 1 == 1)
    };
    stepper.moves(state).into_iter().map(|(l, _)| l).filter(inside).collect()
}

#[test]
fn every_set_is_persistent_and_every_independent_pair_is() {
    let (mut sets, mut proper, mut pairs) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let example = system(seed);
        let mut stepper = Slow::new(&example.system, &example.state);
        for state in reachable(&example).iter().take(SOME) {
            assert!(stepper.stand_at(state));
            let enabled = stepper.enabled();
            let mut tried: BTreeSet<Set> = BTreeSet::new();
            for method in methods() {
                for start in members(enabled) {
                    let set = Sets::default().around(&mut AtHand(&mut stepper, method), start);
                    assert!(set >> start & 1 == 1 || set == enabled);
                    if tried.insert(set) {
                        let labels = labels(&stepper, state, set);
                        let persistent = persistence(&stepper, state, &labels);
                        assert_eq!(persistent, Ok(()), "seed {seed} {method:?} {state:?} {labels:?}");
                        sets += 1;
                        proper += usize::from(set != enabled);
                    }
                }
            }
            let moves = stepper.moves(state);
            for (k, (a, _)) in moves.iter().enumerate() {
                for (b, _) in &moves[..k] {
                    for by in [Dependency::Conditional, Dependency::Uniform, Dependency::Constant] {
                        if stepper.independent(*a, *b, by) {
                            assert!(
                                independent(&stepper, state, *a, *b),
                                "seed {seed} {a:?} {b:?} {state:?}"
                            );
                            assert!(stepper.independent(*b, *a, by), "seed {seed} {a:?} {b:?}: one way only");
                            pairs += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(proper > 1000 && pairs > 1000, "{sets} sets, {proper} of them proper, {pairs} pairs");
}

#[test]
fn the_inclusions_of_chapter_4_hold() {
    for seed in 0..SYSTEMS {
        let example = system(seed);
        let mut stepper = Slow::new(&example.system, &example.state);
        for state in reachable(&example).iter().take(SOME) {
            assert!(stepper.stand_at(state));
            let enabled = stepper.enabled();
            for start in members(enabled) {
                for conditional in [false, true] {
                    let method =
                        |algorithm| Method { algorithm, conditional, dependency: Dependency::Conditional };
                    let mut sets = Sets::default();
                    let one = sets.closure(&mut AtHand(&mut stepper, method(Algorithm::Conflict)), start);
                    let two =
                        sets.closure(&mut AtHand(&mut stepper, method(Algorithm::Overman)), start).unwrap();
                    if let Some(one) = one {
                        assert_eq!(two & enabled & !one, 0, "Theorem 4.20, seed {seed}");
                    }
                    let three = sets.within(&mut AtHand(&mut stepper, method(Algorithm::Stubborn)), two);
                    assert!(three.is_some_and(|s| s >> start & 1 == 1), "Theorem 4.21, seed {seed}");
                }
                let stubborn = |conditional| Method {
                    algorithm: Algorithm::Stubborn,
                    conditional,
                    dependency: Dependency::Conditional,
                };
                let three =
                    Sets::default().closure(&mut AtHand(&mut stepper, stubborn(false)), start).unwrap();
                let four = Sets::default().within(&mut AtHand(&mut stepper, stubborn(true)), three);
                assert!(four.is_some_and(|s| s >> start & 1 == 1), "Theorem 4.28, seed {seed}");
            }
        }
    }
}

/// Deadlock states and local states (Theorems 4.3, 5.2, 5.4, 6.14), seen by the states that are
/// really visited.
#[test]
fn reduced_searches_reach_what_they_must() {
    let (mut cached, mut hashed) = (0, 0);
    for seed in 0..SEARCHED {
        let example = system(seed);
        let all = reachable(&example);
        if all.len() >= 120 {
            continue;
        }
        let (dead, local) = seen(&example, all.iter());
        for reduction in reductions() {
            let cacheable = seed % 4 == 0 && reduction.proviso != Proviso::Terminal;
            let small = cacheable.then_some(Keep::AtMost(all.len() / 3));
            // In a table as large as this no state is taken for another.
            let lossy = !reduction.sleep && reduction.proviso != Proviso::Terminal;
            let bits = [Keep::Hashes, Keep::Bits(1 << 20)].into_iter().filter(|_| lossy && seed % 8 == 2);
            for keep in [Keep::All].into_iter().chain(small).chain(bits) {
                let case = format!("seed {seed} {reduction:?} {keep:?}");
                let mut stepper = Slow::new(&example.system, &example.state);
                // A cache that is far too small makes a search long.
                let limits = Limits { states: Some(1_000), ..Limits::default() };
                // Some searches give up on their way.
                let states = all.len() as u64 / 16 + 1;
                let patience = (seed % 4 == 1).then_some(Patience { states, share: 0 });
                let shuffle = keep.is_lossy().then_some(seed);
                let plain = Options { keep_going: true, limits, patience, ..Options::default() };
                let options = Options { keep, shuffle, ..plain };
                let report = selective_search(&mut stepper, &options, reduction, &mut NoListener);
                if keep != Keep::All && report.stopped.is_some() {
                    continue;
                }
                cached += u32::from(matches!(keep, Keep::AtMost(_)));
                hashed += u32::from(keep.is_lossy());
                let visited: Vec<&State> = stepper.visited.iter().map(|k| &stepper.states[*k]).collect();
                if !matches!(keep, Keep::AtMost(_)) {
                    assert_eq!(report.states, visited.len() as u64, "{case}");
                }
                if reduction.persistent.is_none() {
                    assert_eq!(visited.len(), all.len(), "{case}");
                }
                let (dead_seen, local_seen) = seen(&example, visited.into_iter());
                assert_eq!(dead_seen, dead, "deadlocks, {case}");
                if reduction.proviso != Proviso::Off || reduction.persistent.is_none() {
                    assert_eq!(local_seen, local, "local states, {case}");
                }
            }
        }
    }
    assert!(hashed > 200, "only {hashed} searches with hashes");
    assert!(cached > 500, "only {cached} searches with a cache came to an end");
}

fn reductions() -> Vec<Reduction> {
    let mut reductions = vec![Reduction::NONE, Reduction { sleep: true, ..Reduction::NONE }];
    for method in methods() {
        for sleep in [false, true] {
            for proviso in [Proviso::Off, Proviso::Stack, Proviso::Terminal] {
                let fits = match proviso {
                    Proviso::Off => true,
                    Proviso::Stack => !sleep || method.dependency == Dependency::Uniform,
                    Proviso::Terminal => !sleep,
                };
                if fits {
                    reductions.push(Reduction { persistent: Some(method), sleep, proviso });
                }
            }
        }
    }
    reductions
}

type Seen = (HashSet<State>, BTreeSet<(ProcessTypeId, LocationId)>);

fn seen<'a>(example: &Example, states: impl Iterator<Item = &'a State>) -> Seen {
    let stepper = Slow::new(&example.system, &example.state);
    let (mut dead, mut local) = Seen::default();
    for state in states {
        local.extend(state.processes.iter().map(|p| (p.process_type, p.point)));
        if stepper.moves(state).is_empty() {
            dead.insert(state.clone());
        }
    }
    (dead, local)
}
