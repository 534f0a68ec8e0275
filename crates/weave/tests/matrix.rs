//! The matrix of languages and engines: every cell that exists answers what the heads of at least
//! three files expect, by the engine that was asked for; every cell that is absent refuses.
//!
//! Which cells there are is decided in ARCHITECTURE.md ("Languages and engines"); that engines
//! agree on the whole corpus is the business of `engines.rs`.

mod support;

use serde_json::Value;
use std::path::Path;
use support::{Folder, disappointment, result, root, weave};

/// Files of one language that an engine decides.
struct Cell {
    /// The command and its options.
    way: &'static str,
    files: &'static [&'static str],
    /// What the answer says of the engine: a field of the result, and its value.
    shows: (&'static str, &'static str),
}

const PROMELA: &[Cell] = &[
    Cell {
        way: "check --reduction none --search dfs",
        files: &["promela/peterson.pml", "promela/hyman.pml", "promela/needham_schroeder.pml"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check --reduction none --search bfs --threads 2",
        files: &["promela/szymanski.pml", "promela/hyman.pml", "promela/needham_schroeder_lowe.pml"],
        shows: ("reduction", "none"),
    },
    Cell {
        way: "check --reduction persistent+sleep",
        files: &["promela/peterson.pml", "promela/hyman.pml", "promela/needham_schroeder.pml"],
        shows: ("reduction", "persistent+sleep"),
    },
    Cell {
        way: "check --engine symbolic",
        files: &["promela/peterson.pml", "promela/hyman.pml", "promela/philosophers_deadlock.pml"],
        shows: ("engine", "symbolic"),
    },
    Cell {
        way: "prove",
        files: &["promela/peterson.pml", "promela/hyman.pml", "promela/philosophers_deadlock.pml"],
        shows: ("command", "prove"),
    },
    Cell {
        way: "check",
        files: &["promela/semaphore_weak.pml", "promela/semaphore_strong.pml", "promela/peterson_ltl.pml"],
        shows: ("engine", "explicit"),
    },
];

const SPL: &[Cell] = &[
    Cell {
        way: "check --engine explicit --threads 1",
        files: &["spl/peterson.spl", "spl/counter_race.spl", "spl/justice.fts"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check --engine explicit --threads 2",
        files: &["spl/dekker.spl", "spl/philosophers.spl", "spl/option.fts"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check --reduction persistent",
        files: &["spl/philosophers.spl", "spl/readers_writers.spl", "spl/teams.spl"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check --engine symbolic",
        files: &["spl/peterson.spl", "spl/philosophers.spl", "spl/justice.fts"],
        shows: ("engine", "symbolic"),
    },
    Cell {
        way: "prove",
        files: &["spl/bakery2.spl", "spl/ticket_n.spl", "spl/relation.fts"],
        shows: ("command", "prove"),
    },
    Cell {
        way: "check",
        files: &["spl/mux_sem_just.spl", "spl/mux_sem_check.spl", "spl/compassion.fts"],
        shows: ("engine", "explicit"),
    },
];

const SHAPES: &[Cell] = &[
    Cell {
        way: "check --threads 1",
        files: &["shapes/mutex.tvm", "shapes/readers_writers_broken.tvm", "shapes/two_lock_queue.tvm"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check --threads 2",
        files: &["shapes/mutex.tvm", "shapes/readers_writers_broken.tvm", "shapes/two_lock_queue.tvm"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check",
        files: &["shapes/Mutex.java", "shapes/LockOrder.java", "shapes/BufferNotify.java"],
        shows: ("reduction", "movers"),
    },
    Cell {
        way: "check",
        files: &["shapes/mutex_live.tvm", "shapes/mutex_never_taken.tvm", "shapes/mutex_one_starves.tvm"],
        shows: ("engine", "explicit"),
    },
    Cell {
        way: "check --cross-check",
        files: &["shapes/mutex.tvm", "shapes/buffer_notify_all.tvm", "shapes/Mutex.java"],
        shows: ("engine", "explicit"),
    },
];

const PROGRAMS: &[Cell] = &[
    Cell {
        way: "run --threads 2",
        files: &["programs/condition_lost.c", "programs/bounded_buffer.c", "programs/mutex_trylock.c"],
        shows: ("reduction", "dpor"),
    },
    Cell {
        way: "run --reduction persistent+sleep",
        files: &["programs/condition_lost.c", "programs/barrier.c", "programs/mutex_trylock.c"],
        shows: ("reduction", "persistent+sleep"),
    },
];

fn file(name: &str) -> String {
    root().join("models").join(name).to_string_lossy().into_owned()
}

/// The answer to a file in one way, with the options of its head.
fn ask(way: &str, name: &str) -> support::Answer {
    let (path, head) = (file(name), support::head(Path::new(&file(name))));
    let command = way.split_whitespace().next().unwrap();
    let given = head.options(command).unwrap_or_default();
    let mut arguments: Vec<&str> = way.split_whitespace().chain(["--json", "--keep-going"]).collect();
    arguments.retain(|word| command != "prove" || *word != "--keep-going");
    arguments.extend(given.iter().filter(|word| !arguments.contains(word)).copied().collect::<Vec<_>>());
    weave(&[&arguments[..], &[&path]].concat())
}

fn complaints(cell: &Cell) -> Vec<String> {
    let mut wrong = Vec::new();
    for name in cell.files {
        let (answer, head) = (ask(cell.way, name), support::head(Path::new(&file(name))));
        let expected = head.expected();
        let mut complain = |why: String| wrong.push(format!("weave {} {name}: {why}", cell.way));
        assert!(!expected.is_empty(), "{name} expects nothing");
        for (property, verdict) in expected {
            disappointment(&answer, property, verdict).into_iter().for_each(&mut complain);
        }
        let (field, value) = cell.shows;
        let shown = result(&answer)[field].clone();
        if shown != value {
            complain(format!("{field} is {shown}, not {value}"));
        }
    }
    wrong
}

fn every_cell(cells: &[Cell]) {
    assert!(cells.iter().all(|cell| cell.files.len() >= 3));
    let wrong: Vec<String> = cells.iter().flat_map(complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn models_are_decided_by_every_engine() {
    every_cell(PROMELA);
}

#[test]
fn transition_systems_are_decided_by_every_engine() {
    every_cell(SPL);
}

#[test]
fn structures_are_decided_by_every_engine() {
    every_cell(SHAPES);
}

#[test]
fn programs_are_decided_by_every_engine() {
    every_cell(PROGRAMS);
}

/// What holds in few states has a certificate, and what is violated a run that can be replayed.
#[test]
fn answers_are_certified() {
    let holds = ["promela/peterson.pml", "promela/needham_schroeder_lowe.pml", "promela/traffic_lights.pml"];
    let systems = ["spl/peterson.spl", "spl/mux_sem_check.spl", "spl/compassion.fts"];
    for name in holds.into_iter().chain(systems) {
        let answer = result(&ask("check", name));
        let all = answer["properties"].as_array().unwrap();
        let bare = all.iter().find(|p| p["certificate"]["kind"].is_null());
        assert!(!all.is_empty() && bare.is_none(), "{name}: {bare:?}");
    }
    let violated = [
        ["promela/hyman.pml", "promela/needham_schroeder.pml", "promela/philosophers_deadlock.pml"],
        ["spl/counter_race.spl", "spl/justice.fts", "spl/philosophers.spl"],
        ["shapes/buffer_notify.tvm", "shapes/MutexBroken.java", "shapes/LockOrder.java"],
        ["programs/condition_lost.c", "programs/mutex_self_deadlock.c", "programs/race_counter.c"],
    ];
    for name in violated.concat() {
        let folder = Folder::new(&format!("matrix-{}", name.replace(['/', '.'], "-")));
        let (trace, command) = (folder.path("run.trace"), command_of(name));
        let answer = ask(&format!("{command} --trace {trace}"), name);
        assert_eq!(answer.code, 1, "{name}: {answer:?}");
        assert_eq!(weave(&["replay", &trace]).code, 0, "{name}");
    }
}

fn command_of(name: &str) -> &'static str {
    if name.starts_with("programs/") { "run" } else { "check" }
}

/// Every language is simulated, at least three files of each.
#[test]
fn every_language_is_simulated() {
    let names = [
        ["promela/peterson.pml", "promela/hyman.pml", "promela/needham_schroeder.pml"],
        ["spl/peterson.spl", "spl/bakery2.spl", "spl/justice.fts"],
        ["shapes/mutex.tvm", "shapes/Mutex.java", "shapes/LockOrder.java"],
        ["programs/condition_lost.c", "programs/barrier.c", "programs/mutex_trylock.c"],
    ];
    for name in names.concat() {
        let path = file(name);
        let answer = weave(&["simulate", "--json", "--seed", "3", "--steps", "5", &path]);
        assert!(answer.code < 2, "{name}: {answer:?}");
        let steps = result(&answer)["trace"]["steps"].as_array().map(Vec::len);
        assert!(steps > Some(0), "{name}: {answer:?}");
    }
}

/// The same states by one thread and by two.
#[test]
fn threads_see_the_same_states() {
    let names = ["promela/szymanski.pml", "promela/needham_schroeder_lowe.pml", "promela/peterson.pml"];
    let systems = ["spl/dekker.spl", "spl/philosophers.spl", "spl/peterson.spl"];
    for name in names.into_iter().chain(systems) {
        let safety = if name.starts_with("promela") { "--reduction none --property safety" } else { "" };
        let numbers = |threads: &str| {
            let answer = result(&ask(&format!("check {safety} --threads {threads}"), name));
            [answer["states"].clone(), answer["transitions"].clone()]
        };
        let one = numbers("1");
        assert!(one.iter().all(Value::is_u64), "{name}: {one:?}");
        assert_eq!(one, numbers("2"), "{name}");
    }
}

/// Cells that are absent on purpose refuse; none guesses.
#[test]
fn absent_cells_refuse() {
    let ways: [&[&str]; 8] = [
        &["check", "--engine", "symbolic", "shapes/mutex.tvm"],
        &["check", "--engine", "symbolic", "shapes/Mutex.java"],
        &["prove", "shapes/mutex.tvm"],
        &["prove", "shapes/Mutex.java"],
        &["check", "--reduction", "persistent", "shapes/mutex.tvm"],
        &["check", "programs/barrier.c"],
        &["prove", "programs/barrier.c"],
        &["run", "--ltl", "[] p", "programs/barrier.c"],
    ];
    for way in ways {
        let (path, options) = (file(way[way.len() - 1]), &way[..way.len() - 1]);
        let answer = weave(&[options, &[&path]].concat());
        assert_eq!(answer.code, 2, "{way:?}: {answer:?}");
        assert!(!answer.stderr.is_empty(), "{way:?} says nothing");
    }
}
