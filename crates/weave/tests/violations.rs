//! A whole report for each kind of violation on each way in, as it is on the screen.
//!
//! The reports are in `violations`, one file for each name below. After a change: `UPDATE_EXPECT=1
//! cargo test -p everyweave --test violations`, and read each headline as one who was woken up by
//! it. Lines with times and numbers of the machine are left out.

mod support;

use expect_test::expect_file;
use std::path::Path;
use support::{root, weave_in};

/// Names of reports, each with its command.
type Reports = [(&'static str, &'static str)];

const MODELS: &Reports = &[
    ("model_deadlock", "check -D N=3 models/promela/philosophers_deadlock.pml"),
    ("model_assertion", "check models/promela/bank_transfer_race.pml"),
    ("model_runtime", "check models/promela/micro/micro_runtime_index.pml"),
    ("model_first_state", "check models/promela/micro/micro_initial_fault.pml"),
    ("model_lasso", "check --fairness weak --property access models/promela/semaphore_weak.pml"),
    ("model_formula", "check --ltl [](turn==0) models/promela/progress_labels.pml"),
    ("model_claim", "check --property unanswered models/promela/never_claim.pml"),
    ("model_acceptance", "check --property acceptance models/promela/accept_labels.pml"),
    ("model_progress", "check --property progress models/promela/progress_labels.pml"),
    ("model_trace", "check models/promela/trace_rendezvous_broken.pml"),
];

const PROGRAMS: &Reports = &[
    ("program_deadlock", "run models/programs/philosophers_mutex.c"),
    ("program_lost_signal", "run models/programs/condition_lost.c"),
    ("program_assertion", "run models/programs/file_counter.c"),
    ("program_race", "run models/programs/race_error.c"),
    ("program_crash", "run models/programs/crash.c"),
    ("program_misuse", "run models/programs/detached_join.c"),
    ("program_divergence", "run --divergence 300ms models/programs/divergence.c"),
    ("program_livelock", "run --reduction none --livelock 12 models/programs/livelock.c"),
    ("program_exit", "run --exit models/programs/exit_status.c"),
];

const PROOFS: &Reports = &[
    ("spl_invariant", "check models/spl/counter_race.spl"),
    ("spl_lasso", "check models/spl/test_and_set_starves.spl"),
    ("spl_runtime", "check models/spl/index_wrong.spl"),
    ("fts_invariant", "check --property low models/spl/array_choices.fts"),
    ("proof_invariant", "prove --threads 1 --solver embedded models/spl/chosen_leaks.spl"),
];

const SHAPES: &Reports = &[
    ("java_deadlock", "check --property deadlock models/shapes/PartialDeadlock.java"),
    ("java_wait", "check --property deadlock models/shapes/ThreadPoolBroken.java"),
    ("java_lock_cycle", "check --property lock-cycle models/shapes/LockOrder.java"),
    ("java_error", "check --property error models/shapes/BrokenStack.java"),
    ("java_region", "check --property critical models/shapes/MutexBroken.java"),
    ("java_race", "check --property race models/shapes/PetersonPlain.java"),
    ("tvm_deadlock", "check --property deadlock models/shapes/mutex_broken.tvm"),
    ("tvm_invariant", "check --property mutex models/shapes/mutex_broken.tvm"),
    ("tvm_error", "check --property error models/shapes/exceptions_uncaught.tvm"),
    ("tvm_lasso", "check models/shapes/mutex_one_starves.tvm"),
];

fn are_as_written(reports: &Reports) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/violations");
    for (name, command) in reports {
        let words: Vec<&str> = command.split(' ').collect();
        let answer = weave_in(&root(), &words);
        assert_eq!(answer.code, 1, "{command}: {answer:?}");
        let lines = answer.stdout.lines().filter(|line| !depends_on_machine(line));
        let shown: String = lines.map(|line| format!("{line}\n")).collect();
        expect_file![folder.join(format!("{name}.txt"))].assert_eq(&shown);
    }
}

/// Times, memory, how fast a program is executed, and what it prints with its folder.
fn depends_on_machine(line: &str) -> bool {
    let parts =
        [" states/s", " runs/s", "solver: ", " of the tree of runs", " explored, ", "| assertion failed: "];
    parts.iter().any(|part| line.contains(part))
}

#[test]
fn of_models() {
    are_as_written(MODELS);
}

#[test]
fn of_programs() {
    are_as_written(PROGRAMS);
}

#[test]
fn of_proofs() {
    are_as_written(PROOFS);
}

#[test]
fn of_shapes() {
    are_as_written(SHAPES);
}
