//! Tests of the generator of programs of calls, its shrinker and its judge.

use super::ask::Executed;
use super::compare::{Judgement, reality, searches};
use super::groups::{GROUPS, Tasks};
use super::{Call, Program, program, shrink::shrink};
use crate::outcomes::Found;
use crate::scratch::Scratch;
use std::collections::BTreeSet;
use std::process::Command;

/// All calls that threads, or processes, can make, in two tasks.
fn everything(processes: bool) -> Program {
    let other_tasks = if processes { Tasks::Threads } else { Tasks::Processes };
    let groups = GROUPS.iter().filter(|group| group.tasks != other_tasks);
    let calls: Vec<Call> =
        groups.flat_map(|group| group.calls.iter().map(move |text| Call { group, text, other: 1 })).collect();
    Program { seed: 0, processes, gated: !processes, tasks: vec![calls, Vec::new()] }
}

#[test]
fn every_call_compiles() {
    let scratch = Scratch::new("calls-test").unwrap();
    for (processes, define) in [(false, "-DNATIVE"), (true, "-DNATIVE"), (false, "-DX"), (true, "-DX")] {
        std::fs::write(scratch.path().join("p.c"), everything(processes).to_string()).unwrap();
        let options = ["-Wall", "-Wno-unused", "-Werror", "-fsyntax-only", define, "p.c"];
        let done = Command::new("gcc").args(options).current_dir(scratch.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn seeds_decide_and_cover_every_pair() {
    let mut pairs = BTreeSet::new();
    for seed in 0..2 * (GROUPS.len() * GROUPS.len()) as u64 {
        assert_eq!(program(seed, &[]), program(seed, &[]));
        if seed.is_multiple_of(2) {
            pairs.insert(super::pair(seed).map(|group| group.name));
        }
    }
    assert_eq!(pairs.len(), GROUPS.len() * GROUPS.len());
}

#[test]
fn a_task_is_joined_by_one_other_at_most() {
    let join = GROUPS.iter().find(|group| group.name == "join").unwrap();
    for seed in 0..200 {
        let program = program(seed, &[join]);
        for (task, calls) in program.tasks.iter().enumerate() {
            let joins = calls.iter().filter(|call| call.text.starts_with("join_"));
            joins.for_each(|call| assert_eq!(call.other, (task + 1) % program.tasks.len()));
        }
    }
}

#[test]
fn shrinking_keeps_names() {
    let group = GROUPS.iter().find(|group| group.name == "cancel").unwrap();
    let call = |other| Call { group, text: "pthread_cancel(S->thread[OTHER])", other };
    let tasks = vec![vec![call(2)], vec![call(0), call(2)], vec![call(1)]];
    let whole = Program { seed: 1, processes: false, gated: true, tasks };
    let persists = |program: &Program| program.tasks.last().is_some_and(|calls| !calls.is_empty());
    let small = shrink(&whole, 100, persists);
    assert_eq!(small.tasks, vec![vec![], vec![call(0)]]);
}

fn found(outcomes: &[&str], exhausted: bool) -> Found {
    let outcomes = outcomes.iter().map(|text| (*text).to_owned()).collect();
    Found { verdict: "violated".to_owned(), exhausted, outcomes, ..Found::default() }
}

#[test]
fn a_complete_search_lacks_nothing() {
    let contradicts = |judgement| matches!(judgement, Judgement::Contradiction(_));
    let (one, both) = (["a"].as_slice(), ["a", "b"].as_slice());
    assert_eq!(searches(&found(both, true), &found(one, false)), Judgement::Agreed);
    assert!(contradicts(searches(&found(one, true), &found(both, false))));
    assert!(contradicts(searches(&found(both, true), &found(one, true))));
    assert!(matches!(searches(&found(one, false), &found(both, false)), Judgement::Open(_)));
    let executed = Executed { outcomes: found(both, true).outcomes, ..Executed::default() };
    assert!(contradicts(reality(&found(one, true), &executed)));
    assert!(matches!(reality(&found(one, false), &executed), Judgement::Open(_)));
    let misused = Found { others: vec!["misuse: twice".to_owned()], ..found(one, true) };
    assert!(matches!(reality(&misused, &executed), Judgement::Open(_)));
    let hangs = Executed { hangs: true, ..Executed::default() };
    assert!(contradicts(reality(&found(one, true), &hangs)));
}
