//! Reduced searches against full ones: each algorithm agrees with the full search on exactly what
//! it guarantees.
//!
//! * All see every deadlock state (Theorems 4.3, 5.2).
//! * Sleep sets alone see every state (Theorem 5.4).
//! * With the proviso, every fault happens at the same places and the same statements are executed
//!   (Theorem 6.13).

use crate::fast::{Said, reduced_search, search};
use crate::subjects::{Subject, corpus, generated, judge_all, subject};
use compile::simplify::Simplified;
use explore::{Keep, Limits, Options, Order, Patience, Proviso, Reduction};
use independence::{Algorithm, Method};
use objects::Dependency;

/// All reductions, named.
pub fn reductions() -> Vec<(String, Reduction)> {
    let sleep = Reduction { sleep: true, ..Reduction::NONE };
    let mut all = vec![("sleep".to_string(), sleep)];
    for algorithm in [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn] {
        for conditional in [false, true] {
            for sleep in [false, true] {
                for proviso in [Proviso::Terminal, Proviso::Off, Proviso::Stack] {
                    if sleep && proviso == Proviso::Terminal {
                        continue;
                    }
                    let uniform = sleep && proviso == Proviso::Stack;
                    let dependency = if uniform { Dependency::Uniform } else { Dependency::Conditional };
                    let method = Method { algorithm, conditional, dependency };
                    let name =
                        format!("{algorithm:?} conditional {conditional} sleep {sleep} proviso {proviso:?}");
                    all.push((name, Reduction { persistent: Some(method), sleep, proviso }));
                }
            }
        }
    }
    all
}

#[test]
fn reductions_keep_what_they_guarantee_on_the_corpus() {
    let (judged, complaints) = judge_all(&corpus(), |subject| complaints(subject, 5_000));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 150, "only {judged} models were compared");
}

#[test]
fn reductions_keep_what_they_guarantee_on_generated_programs() {
    // More in a long run: PROGRAMS=10000 SEED=1 cargo nextest run
    // -p everyweave-workbench --test sound -E 'test(generated)'
    let given = |name, usual| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (programs, seed): (u64, u64) = (given("PROGRAMS", 400), given("SEED", 5000));
    for (features, share) in [("", 10), ("+internals,+odd-labels", 3), ("+d_step-block,+out-of-bounds", 3)] {
        let count = programs * share / 16;
        let subjects = generated(seed..seed + count, features);
        let (judged, complaints) = judge_all(&subjects, |subject| complaints(subject, 1_500));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(judged * 2 >= count as usize, "only {judged} programs of {count} were compared ({features})");
    }
}

/// Section 8.4: where nearly every state is visited once, a hundredth of the states is room enough.
#[test]
fn a_cache_of_a_hundredth_is_enough_for_naimi_and_trehel() {
    let is_it = |s: &&Subject| s.name.contains("naimi_trehel_pairs");
    let subject = corpus().into_iter().find(|s| is_it(&s)).expect("the model is in the corpus");
    let (_, usual) = reductions().pop().expect("there are reductions");
    let simplified = Simplified::of(&subject.system);
    let run = |keep| {
        let options = Options { keep, ..up_to(100_000) };
        reduced_search(&subject.system, simplified.clone(), usual, options).map(|s| s.report)
    };
    let exact = run(Keep::All).expect("the search ends");
    // Little more than the stack, and far less than a hundredth of the 51,895 states that there
    // are.
    let room = exact.depth + 10;
    assert!(room < 51_895 / 100);
    let cached = run(Keep::AtMost(room as usize)).expect("the search ends");
    let account = cached.cache.expect("there is a cache");
    assert_eq!(account.stored + account.cleared, cached.states);
    assert!(account.most <= room, "{account:?}");
    assert!(
        cached.transitions * 10 <= exact.transitions * 13,
        "{} of {}",
        cached.transitions,
        exact.transitions
    );
    assert!((account.distinct / exact.states as f64 - 1.0).abs() < 0.05, "{account:?} of {}", exact.states);
}

/// Programs in which a reduction once lost something, or nearly, here or elsewhere.
#[test]
fn reductions_keep_what_is_easily_lost() {
    for (name, text) in TRAPS {
        let subject = subject(name, text).unwrap_or_else(|| panic!("{name} is refused"));
        assert_eq!(complaints(&subject, 100_000), Some(Vec::new()), "{name}");
    }
}

const TRAPS: &[(&str, &str)] = &[
    (
        "a false guard elsewhere that only its own process makes true",
        "bool f; byte n; active proctype A() { f = true; n = 1; f = false }
         active proctype B() { n++; atomic { !f -> f = true }; f = false; assert(n != 2) }",
    ),
    (
        "a false guard inside of an atomic sequence that the sequence makes true",
        "byte x, y; active proctype A() { skip; atomic { x = 1; x == 1 -> y = 1 } }
         active proctype B() { y == 0; y = y + 2; assert(y == 2) }",
    ),
    (
        "a false guard on the way that a process yet to be created makes true",
        "bool go; byte y; proctype P() { go = true } active proctype A() { skip; go; y = 1 }
         active proctype B() { y = 2; assert(y == 2) } init { run P() }",
    ),
    (
        "sends in the middle of a step, with room waited for and without",
        "chan q = [1] of { byte }; byte x; active proctype A() { atomic { nfull(q) -> x = 1; q!1; x = 2 } }
         active proctype B() { atomic { x = 3; q!2; x = 4 } } active proctype C() { q?_; assert(x != 3); q?_ }",
    ),
    (
        "two receives in a step, with one message waited for",
        "chan q = [2] of { byte }; byte x; active proctype A() { atomic { nempty(q) -> q?_; x = 1; q?_; x = 2 } }
         active proctype B() { q!1; q!2 } active proctype C() { x == 1; assert(false) }",
    ),
    ("SPIN's issue 78", "init { run f() } active proctype f() { assert(_pid == 1) }"),
    (
        "Example 6.1",
        "bit x, y; active proctype A() { do :: x = 1; x = 0 od } active proctype B() { y = 1; assert(false) }",
    ),
    (
        "a fault in the persistent set",
        "byte x, y, z; active proctype A() { x = 1 / z } active proctype B() { y = 1; assert(y == 0) }",
    ),
    (
        "a process that is yet to be created",
        "byte x; chan q = [1] of { byte }; proctype P(chan c) { c!1 }
         active proctype A() { q!2; assert(x == 0) } init { x = 1; run P(q); x = 0 }",
    ),
    (
        "an atomic sequence that may stop on its way",
        "byte x; chan q = [1] of { byte }; active proctype A() { atomic { x = 1; q?_; x = 2 } }
         active proctype B() { q!1 } active proctype C() { x == 1; assert(false) }",
    ),
    (
        "timeout and a process that moves first",
        "byte x; active proctype A() { do :: x < 2 -> x++ :: timeout -> break od; assert(x != 2) }
         active proctype B() { x == 2; x = 3 }",
    ),
];

/// Systems with no more states than this are searched with every algorithm.
const EVERY_WAY: u64 = 300;

fn up_to(states: u64) -> Options {
    let limits = Limits { states: Some(states), ..Limits::default() };
    Options { keep_going: true, limits, ..Options::default() }
}

pub fn complaints(subject: &Subject, limit: u64) -> Option<Vec<String>> {
    let system = &subject.system;
    let mut complaints = Vec::new();
    for (mode, simplified) in [("raw", Simplified::raw(system)), ("merged", Simplified::of(system))] {
        let full = search(system, simplified.clone(), Order::DepthFirst, limit)?;
        let usual = |(name, _): &(String, Reduction)| name.starts_with("Stubborn conditional true");
        let all = |_: &(String, Reduction)| full.report.states < EVERY_WAY;
        for (name, reduction) in reductions().into_iter().filter(|r| usual(r) || all(r)) {
            let plain = up_to(4 * limit);
            let mut ways = vec![plain];
            if full.report.states < EVERY_WAY {
                // All edges are too many: the search gives up on its way.
                let patience = Some(Patience { states: full.report.states / 16 + 1, share: 0 });
                ways.push(Options { patience, ..plain });
                if reduction.proviso != Proviso::Terminal {
                    ways.push(Options { keep: Keep::AtMost(full.report.states as usize / 4), ..plain });
                }
                if reduction.proviso != Proviso::Terminal && !reduction.sleep {
                    ways.push(Options { keep: Keep::Hashes, ..plain });
                    ways.push(Options { keep: Keep::Bits(1 << 20), shuffle: Some(7), ..plain });
                }
            }
            for options in ways {
                let name = format!("{mode} {name} {:?} {:?}", options.keep, options.patience);
                let Some(said) = reduced_search(system, simplified.clone(), reduction, options) else {
                    continue;
                };
                complaints.extend(said.refused.iter().map(|r| format!("{name} refused: {r}")));
                let lost = differences(&full, &said, reduction);
                complaints.extend(lost.into_iter().map(|d| format!("{name}: {d}")));
            }
        }
    }
    Some(complaints)
}

fn differences(full: &Said, said: &Said, reduction: Reduction) -> Vec<String> {
    let mut found = Vec::new();
    let (states, all) = (said.report.states, full.report.states);
    let cached = said.report.cache.is_some();
    if !cached && (states > all || reduction.persistent.is_none() && states != all) {
        found.push(format!("{states} states instead of {all}"));
    }
    if !cached && said.report.transitions > full.report.transitions && !reduction.sleep {
        found.push(format!("{} transitions, more than {}", said.report.transitions, full.report.transitions));
    }
    // With a cache the same state may count several times.
    let (dead, all_dead) = (said.report.deadlocks, full.report.deadlocks);
    if if cached { dead < all_dead } else { dead != all_dead } {
        found.push(format!("{dead} deadlocks instead of {all_dead}"));
    }
    let decides = reduction.proviso != Proviso::Off || reduction.persistent.is_none();
    if decides && said.places != full.places {
        found.push(format!("places {:?} instead of {:?}", said.places, full.places));
    }
    if !said.places.is_subset(&full.places) {
        found.push(format!("places {:?} more than {:?}", said.places, full.places));
    }
    if decides && said.executed != full.executed {
        let lost: Vec<_> = full.executed.difference(&said.executed).collect();
        found.push(format!("executed no more {lost:?}"));
    }
    found
}
