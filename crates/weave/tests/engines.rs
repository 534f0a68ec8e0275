//! No engine contradicts another: every file of the corpus is asked in every way that accepts it,
//! and *holds* and *violated* never meet for one property.
//!
//! Ways differ in engine, reduction, search order, store, number of threads and solver; whatever
//! changes the question (macros, fairness, formulas, `--races`) comes from the head of the file and
//! is the same in all of them. Small limits keep this short: *unknown* contradicts nothing.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Folder, installed, result, root, weave};

/// Options of the head that only say how to search: each way has its own.
const SEARCH: [&str; 14] = [
    "--search",
    "--reduction",
    "--persistent-sets",
    "--relation",
    "--proviso",
    "--store",
    "--swarm",
    "--engine",
    "--threads",
    "--max-states",
    "--max-runs",
    "--sample",
    "--join",
    "--timeout",
];

/// For `weave check` on Promela.
const MODELS: &[&str] = &[
    "",
    "--raw --reduction none",
    "--raw",
    "--reduction none",
    "--reduction none --search bfs",
    "--reduction none --store cache:200",
    "--reduction sleep",
    "--reduction sleep --store cache:200",
    "--store compact",
    "--reduction none --store bitstate:1M",
    "--swarm 3 --store bitstate:1M",
    "--reduction persistent",
    "--reduction persistent --proviso tmscc",
    "--reduction persistent+sleep --search bfs",
    "--reduction persistent+sleep --persistent-sets conflict",
    "--reduction persistent+sleep --persistent-sets overman --relation static",
    "--reduction persistent+sleep --proviso on",
    "--reduction persistent+sleep --proviso off",
    "--threads 1",
    "--threads 3",
];

/// For models as relations.
const RELATIONS: &[&str] = &[
    "check --keep-going --max-states 20000 --timeout 10s",
    "check --keep-going --engine symbolic --timeout 2s",
    "prove --timeout 1s --condition-timeout 200ms",
];

/// For `weave check` on SPL and transition systems.
const SYSTEMS: &[&str] = &[
    "check --engine explicit",
    "check --engine explicit --search bfs",
    "check --reduction persistent",
    "check --engine symbolic",
    "prove --rules-only",
    "prove --auto",
    "prove --solver embedded",
    "prove --solver z3",
    "prove --solver cvc5",
];

const SHAPES: &[&str] = &["--join relational", "--join partial", "--no-population-fairness --individuals 3"];

/// For `weave run`.
const PROGRAMS: &[&str] = &[
    "",
    "--threads 1",
    "--reduction none",
    "--reduction sleep",
    "--reduction persistent",
    "--reduction persistent+sleep",
    "--sample pct:3,20",
];

/// Who says what of each property.
type Said = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// A way to ask: what it is called, and the arguments.
type Way = (String, Vec<String>);

#[test]
fn models() {
    never_contradict("models/promela", &["pml"], |file, _| {
        let options = head_options(file, "check");
        let common = words("check --keep-going --max-states 1000 --timeout 20s");
        let ask = |way: &&str| [common.clone(), words(way), options.clone(), name(file)].concat();
        MODELS.iter().map(|way| (way.to_string(), ask(way))).collect()
    });
}

/// The engines of relations on models, beside the search.
#[test]
fn relations() {
    never_contradict("models/promela", &["pml"], |file, _| {
        let options = head_options(file, "check");
        // What the head defines is not what `prove` reads.
        let plain = options.is_empty();
        let ask = |way: &&str| [words(way), options.clone(), name(file)].concat();
        let ways = RELATIONS.iter().filter(|way| plain || way.starts_with("check"));
        ways.map(|way| (way.to_string(), ask(way))).collect()
    });
}

#[test]
fn systems() {
    never_contradict("models/spl", &["spl", "fts"], |file, _| {
        let solver = |way: &&&str| ["z3", "cvc5"].iter().all(|s| !way.contains(s) || installed(s));
        let ask = |way: &&str| {
            let (command, rest) = way.split_once(' ').unwrap_or((way, ""));
            let limits = if command == "check" {
                "--keep-going --max-states 600 --timeout 1s"
            } else {
                "--timeout 1s --condition-timeout 200ms"
            };
            [words(command), words(rest), words(limits), head_options(file, command), name(file)].concat()
        };
        // `prove` takes fairness from the file alone, and speaks of all inputs: with another
        // fairness, or with given inputs, the question is another.
        let other = |word: &String| word == "--fairness" || word == "-D";
        let differs = head_options(file, "check").iter().any(other);
        let alike = |way: &&&str| !differs || way.starts_with("check");
        SYSTEMS.iter().filter(solver).filter(alike).map(|way| (way.to_string(), ask(way))).collect()
    });
}

#[test]
fn shapes() {
    never_contradict("models/shapes", &["tvm", "java"], |file, _| {
        let options = head_options(file, "check");
        let common = words("check --keep-going --max-states 120 --timeout 1s");
        let ask = |way: &&str| [common.clone(), words(way), options.clone(), name(file)].concat();
        SHAPES.iter().map(|way| (way.to_string(), ask(way))).collect()
    });
}

/// A program is compiled once, and asked about as a binary.
#[test]
fn programs() {
    never_contradict("models/programs", &["c", "cpp"], |file, folder| {
        let (compiling, running) = compiler_options(head_options(file, "run"));
        let binary = folder.path("program");
        let made = [words("cc -g -O1 -w -o"), vec![binary.clone()], compiling.clone(), name(file)].concat();
        let made = weave(&made.iter().map(String::as_str).collect::<Vec<_>>());
        let common = |way: &str| {
            let limit = if way.contains("--sample") { "" } else { "--max-runs 30" };
            words(&format!("run --timeout 5s {limit} {way}"))
        };
        // What is no program at all is asked about as it is.
        let subject = if made.code == 0 { vec![binary.clone()] } else { name(file) };
        let ask = |way: &&str| [common(way), running.clone(), subject.clone()].concat();
        PROGRAMS.iter().map(|way| (way.to_string(), ask(way))).collect()
    });
}

/// Asks each file of a folder in all its ways.
fn never_contradict(folder: &str, extensions: &[&str], ways: impl Fn(&Path, &Folder) -> Vec<Way> + Sync) {
    let files = files(&root().join(folder), extensions);
    assert!(files.len() >= 40, "the corpus is missing");
    let next = AtomicUsize::new(0);
    let worker = || {
        let (mut wrong, mut decided) = (Vec::new(), 0);
        while let Some(file) = files.get(next.fetch_add(1, Ordering::SeqCst)) {
            let own = Folder::new(&format!("engines-{}", file.file_name().unwrap().to_string_lossy()));
            let said = said(ways(file, &own));
            decided += said.values().flat_map(BTreeMap::values).map(Vec::len).sum::<usize>();
            wrong.extend(contradictions(file, &said));
        }
        (wrong, decided)
    };
    let (wrong, decided): (Vec<_>, Vec<usize>) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|w| w.join().unwrap()).unzip()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let decided: usize = decided.iter().sum();
    assert!(decided >= 2 * files.len(), "too little is decided for a comparison: {decided}");
}

fn said(ways: Vec<Way>) -> Said {
    let mut said = Said::new();
    for (way, mut arguments) in ways {
        arguments.push("--json".to_owned());
        let answer = weave(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        // 2: this way does not accept the file.
        assert!(matches!(answer.code, 0..=3), "{arguments:?}: {answer:?}");
        if answer.code == 2 {
            continue;
        }
        for (property, verdict) in verdicts(&result(&answer)) {
            if verdict == "holds" || verdict == "violated" {
                said.entry(property).or_default().entry(verdict).or_default().push(way.clone());
            }
        }
    }
    said
}

/// Options for the compiler, and the others.
fn compiler_options(options: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (mut compiling, mut running) = (Vec::new(), Vec::new());
    let mut options = options.into_iter();
    while let Some(option) = options.next() {
        match option.as_str() {
            "-D" => compiling.extend(options.next().map(|macro_name| format!("-D{macro_name}"))),
            "--cflags" => compiling.extend(options.next()),
            _ if option.starts_with("-D") => compiling.push(option),
            _ => running.push(option),
        }
    }
    (compiling, running)
}

fn name(file: &Path) -> Vec<String> {
    vec![file.to_string_lossy().into_owned()]
}

/// The verdict on each property, or on all if there are none.
fn verdicts(result: &serde_json::Value) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
    match result["properties"].as_array() {
        Some(properties) => properties.iter().map(|p| (text(&p["name"]), text(&p["verdict"]))).collect(),
        None => vec![(String::new(), text(&result["verdict"]))],
    }
}

fn contradictions(file: &Path, said: &Said) -> Vec<String> {
    let both = said.iter().filter_map(|(property, verdicts)| {
        let (holds, violated) = (verdicts.get("holds")?, verdicts.get("violated")?);
        let file = file.display();
        Some(format!("{file}, {property}: holds with {holds:?}, violated with {violated:?}"))
    });
    both.collect()
}

/// The options of the line `run: COMMAND OPTIONS` in the head that belong to the question.
fn head_options(file: &Path, command: &str) -> Vec<String> {
    let head = support::head(file);
    let mut words = head.options(command).unwrap_or_default().into_iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word {
            _ if SEARCH.contains(&word) => {
                words.next();
            }
            "--keep-going" | "--raw" | "--auto" => {}
            _ => kept.push(word.to_owned()),
        }
    }
    kept
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        let extension = entry.extension().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            found.extend(files(&entry, extensions));
        } else if extensions.contains(&extension.as_str()) {
            found.push(entry);
        }
    }
    found.sort();
    found
}
