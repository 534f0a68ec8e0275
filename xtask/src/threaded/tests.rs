//! Programs whose outcomes are known from books, for the interpreter; and what the generator must
//! not do.

use super::clocks::Reading;
use super::explore::{explore, races};
use super::lower::Grain;
use super::*;

const X: Place = Place { object: 0, part: Part::Whole };
const Y: Place = Place { object: 1, part: Part::Whole };

fn store(place: Place, mode: Mode, number: u64) -> Stmt {
    Stmt::Store { place, mode, value: Value::Constant(number) }
}

fn load(place: Place, mode: Mode) -> Stmt {
    Stmt::Load { into: 0, mix: false, place, mode }
}

/// Two threads, created and joined by the first, which does nothing else.
fn two(first: Vec<Stmt>, second: Vec<Stmt>) -> Program {
    let number = Object { shape: Shape::Scalar(4), storage: Storage::Global };
    Program {
        objects: vec![number; 2],
        locks: vec![LockKind::Mutex; 2],
        semaphores: vec![0],
        conditions: 1,
        threads: vec![vec![Stmt::Spawn(1), Stmt::Spawn(2), Stmt::Join(1), Stmt::Join(2)], first, second],
        ..Program::default()
    }
}

fn outcomes(program: &Program) -> usize {
    explore(program, Grain::Coarse, 10_000).unwrap().outcomes.len()
}

fn races_in(program: &Program) -> [bool; 2] {
    [Reading::Least, Reading::Most].map(|reading| races(program, Grain::Coarse, reading, 10_000).unwrap())
}

const PLAIN: Mode = Mode::Plain;
const RELAXED: Mode = Mode::Atomic(Order::Relaxed);
const STRONG: Mode = Mode::Atomic(Order::SeqCst);

#[test]
fn one_thread_at_least_sees_the_other() {
    let program = two(vec![store(X, STRONG, 1), load(Y, STRONG)], vec![store(Y, STRONG, 1), load(X, STRONG)]);
    // Not both zero.
    assert_eq!((outcomes(&program), races_in(&program)), (3, [false; 2]));
}

#[test]
fn an_update_can_be_lost_and_a_locked_one_cannot() {
    let update = Stmt::Update { place: X, mode: PLAIN, function: Function::Add, value: Value::Constant(1) };
    let bare = two(vec![update.clone()], vec![update.clone()]);
    assert_eq!((outcomes(&bare), races_in(&bare)), (2, [true; 2]));
    let locked = || vec![Stmt::Locked { lock: 0, hold: Hold::Alone, body: vec![update.clone()] }];
    let program = two(locked(), locked());
    assert_eq!((outcomes(&program), races_in(&program)), (1, [false; 2]));
}

#[test]
fn a_relaxed_flag_orders_nothing_under_the_standard() {
    let message = |mode| {
        let look = Stmt::Look { place: Y, mode, value: 1, then: vec![load(X, PLAIN)], other: Vec::new() };
        two(vec![store(X, PLAIN, 5), store(Y, mode, 1)], vec![look])
    };
    assert_eq!(races_in(&message(STRONG)), [false; 2]);
    assert_eq!(races_in(&message(RELAXED)), [true, false]);
}

#[test]
fn locks_in_different_orders_deadlock() {
    let inside = |lock| Stmt::Locked { lock, hold: Hold::Alone, body: Vec::new() };
    let nested = |a, b| vec![Stmt::Locked { lock: a, hold: Hold::Alone, body: vec![inside(b)] }];
    assert!(explore(&two(nested(0, 1), nested(1, 0)), Grain::Coarse, 10_000).unwrap().deadlock);
    assert!(!explore(&two(nested(0, 1), nested(0, 1)), Grain::Coarse, 10_000).unwrap().deadlock);
}

#[test]
fn a_signal_before_the_wait_is_lost() {
    let wait = |again| Stmt::Condition { lock: 0, condition: 0, place: X, value: 1, again, body: Vec::new() };
    let signal = Stmt::Notify { condition: 0, all: false };
    let lost = two(vec![wait(false)], vec![signal.clone()]);
    let truth = explore(&lost, Grain::Coarse, 10_000).unwrap();
    assert!(truth.deadlock && truth.outcomes.len() == 1);
    let set = Stmt::Locked { lock: 0, hold: Hold::Alone, body: vec![store(X, PLAIN, 1)] };
    let kept = two(vec![wait(true)], vec![set, signal]);
    assert!(!explore(&kept, Grain::Coarse, 10_000).unwrap().deadlock);
    assert_eq!(races_in(&kept), [false; 2]);
}

#[test]
fn a_semaphore_orders_and_a_barrier_too() {
    let posted = two(vec![store(X, PLAIN, 1), Stmt::Post(0)], vec![Stmt::Wait(0), load(X, PLAIN)]);
    assert_eq!((outcomes(&posted), races_in(&posted)), (1, [false; 2]));
    let barrier = Stmt::Barrier(0);
    let met = two(vec![store(X, PLAIN, 1), barrier.clone()], vec![barrier, load(X, PLAIN)]);
    let met = Program { barriers: vec![2], ..met };
    assert_eq!((outcomes(&met), races_in(&met)), (1, [false; 2]));
}

#[test]
fn a_block_that_is_freed_by_one_and_read_by_another_races() {
    let put = Stmt::Put { cell: 0, mode: STRONG, value: Value::Constant(7) };
    let take = Stmt::Take { cell: 0, mode: STRONG, into: 0 };
    let peek = Stmt::Peek { cell: 0, mode: STRONG, into: 0 };
    let handed = Program { cells: 1, ..two(vec![put.clone()], vec![take.clone()]) };
    assert_eq!((outcomes(&handed), races_in(&handed)), (2, [false; 2]));
    let freed = Program { cells: 1, ..two(vec![put, take], vec![peek]) };
    assert_eq!(races_in(&freed), [true; 2]);
    assert!(explore(&freed, Grain::Coarse, 10_000).unwrap().undefined);
}

#[test]
fn a_copy_may_be_torn_only_byte_by_byte() {
    let wide = Value::Constant(0x0202);
    let half = Object { shape: Shape::Scalar(2), storage: Storage::Global };
    let write = Stmt::Store { place: X, mode: PLAIN, value: wide };
    let copy = Stmt::Move { to: 1, from: 0, bytes: 2 };
    let program = Program { objects: vec![half; 2], ..two(vec![write], vec![copy]) };
    assert_eq!(outcomes(&program), 2);
    assert_eq!(explore(&program, Grain::Fine, 10_000).unwrap().outcomes.len(), 3);
}

#[test]
fn a_seed_gives_one_program_and_cuts_are_finite() {
    for seed in 0..60 {
        let program = generate::program(seed, 8);
        assert_eq!(program, generate::program(seed, 8));
        let text = program.to_string();
        assert!(!text.contains("~&="), "{text}");
        let small = shrink::shrink(&program, 400, |smaller| smaller.threads.len() > 1);
        assert!(small.threads.len() == 2 && small.threads[1].is_empty(), "{small}");
    }
}

#[test]
fn what_is_not_used_is_not_declared() {
    let program = two(vec![load(Y, PLAIN)], Vec::new()).pruned();
    assert_eq!((program.objects.len(), program.locks.len(), program.conditions), (1, 0, 0));
    assert_eq!(program.threads[1], vec![load(X, PLAIN)]);
}

fn comparison(expected: u64) -> Stmt {
    let (desired, style) = (Value::Constant(2), Style::Atomic(Order::SeqCst));
    Stmt::Cas { into: 0, place: X, expected, desired, style }
}

#[test]
fn a_comparison_that_fails_writes_nothing() {
    let beside = |expected| two(vec![comparison(expected)], vec![load(X, PLAIN)]);
    assert_eq!(races_in(&beside(1)), [false; 2]);
    assert_eq!(races_in(&beside(0)), [true; 2]);
    let overwritten = two(vec![comparison(0)], vec![store(X, STRONG, 1), load(X, PLAIN)]);
    assert_eq!(races_in(&overwritten), [true; 2], "a store does not come behind what it overwrites");
}

#[test]
fn a_read_comes_behind_what_was_written_there_before() {
    let seen =
        Stmt::Look { place: Y, mode: RELAXED, value: 1, then: vec![load(X, STRONG)], other: Vec::new() };
    let reported = two(vec![store(X, PLAIN, 1), store(X, STRONG, 2), store(Y, RELAXED, 1)], vec![seen]);
    assert_eq!(races_in(&reported), [false; 2]);
}

#[test]
fn a_child_has_what_was_there_when_its_parent_forked() {
    let fork = Stmt::Fork { into: 0, places: [X, Y], lock: Some(0) };
    let found = two(vec![store(X, PLAIN, 1), store(Y, PLAIN, 1)], vec![fork.clone()]);
    assert_eq!((outcomes(&found), races_in(&found)), (3, [false; 2]));
    let held = vec![Stmt::Locked { lock: 0, hold: Hold::Alone, body: Vec::new() }];
    assert_eq!(outcomes(&two(held, vec![fork])), 2);
}

#[test]
fn who_exits_ends_all() {
    let exit = Stmt::Exit { at_once: true };
    assert_eq!(outcomes(&two(vec![store(X, STRONG, 1)], vec![exit.clone()])), 0);
    let look = Stmt::Look { place: X, mode: STRONG, value: 1, then: vec![exit], other: Vec::new() };
    assert_eq!(outcomes(&two(vec![store(X, STRONG, 1)], vec![look])), 1);
}
