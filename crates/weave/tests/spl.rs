//! Every SPL program and transition system of the corpus says what is expected of it, by
//! `weave check` or `weave prove`.
//!
//! `run: COMMAND OPTIONS` says how it is asked, `expect NAME: VERDICT` what is expected of a
//! property, `expect: VERDICT` of all.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use support::{result, uncertified, valid, weave};

fn programs() -> Vec<PathBuf> {
    let folder = support::root().join("models/spl");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn every_program_is_answered_as_expected() {
    let programs = programs();
    assert!(programs.len() >= 40, "the corpus is missing");
    support::without_complaint(&programs, complaints);
}

fn complaints(program: &Path) -> Vec<String> {
    let head = support::head(program);
    let Some(run) = head.get("run") else {
        return vec!["no `run` line".to_string()];
    };
    let file = program.to_string_lossy();
    let mut arguments: Vec<&str> = run.split_whitespace().collect();
    arguments.extend(["--json", "--timeout", "900s", &file]);
    let answer = weave(&arguments);
    let expected = head.expected();
    if expected.is_empty() {
        return vec!["no `expect` line".to_string()];
    }
    if expected == [("", "rejected")] {
        return if answer.code == 2 { Vec::new() } else { vec![format!("ended with {}", answer.code)] };
    }
    valid(&answer);
    let result = result(&answer);
    let again = || support::result(&weave(&[&arguments[..], &["--certify"]].concat()));
    // The conditions of proofs are generated again whatever is asked; those of type checks are
    // listed one by one.
    let searched = arguments[0] == "check" && !arguments.contains(&"symbolic");
    let certified = if searched { uncertified(&result, again) } else { unconfirmed(&result) };
    let disappointed = |(name, verdict): &(&str, &str)| disappointment(&result, name, verdict);
    expected.iter().filter_map(disappointed).chain(certified).collect()
}

/// A proved property without a certificate.
fn unconfirmed(result: &Value) -> Option<String> {
    let bare = |p: &&Value| {
        p["verdict"] == "holds" && p["kind"] != "runtime" && p["certificate"]["kind"].as_str().is_none()
    };
    let found =
        result["properties"].as_array()?.iter().find(bare).filter(|_| result["engine"] != "symbolic")?;
    Some(format!("{} is proved and not confirmed", found["name"]))
}

fn disappointment(result: &Value, name: &str, expected: &str) -> Option<String> {
    let empty = Vec::new();
    let properties = result["properties"].as_array().unwrap_or(&empty);
    let found = match name {
        "" => &result["verdict"],
        name => properties.iter().find(|p| p["name"] == name).map_or(&Value::Null, |p| &p["verdict"]),
    };
    let reason = &result["reason"];
    (found != expected).then(|| format!("{name}: {expected} expected, {found} found ({reason})"))
}

#[test]
fn counts_are_those_of_the_tutorial() {
    for (name, states, steps) in [("bakery_abstract.spl", 22, 38), ("mux_sem_check.spl", 12, 20)] {
        let file = support::root().join("models/spl").join(name).to_string_lossy().into_owned();
        let result = result(&weave(&["check", "--json", "--property", "mux", &file]));
        assert_eq!(result["states"], states, "{name}");
        // The initial state is counted among transitions.
        assert_eq!(result["transitions"], steps + 1, "{name}");
        if name == "bakery_abstract.spl" {
            assert_eq!(result["depth"], 6);
        }
    }
}

#[test]
fn a_failed_condition_shows_two_states() {
    let file = support::root().join("models/spl/token_n.spl").to_string_lossy().into_owned();
    let answer = weave(&["prove", "--engine", "rules", "--ltl", "[] Forall i:[1..N]. ~l2[i]", &file]);
    assert_eq!(answer.code, 3, "{answer:?}");
    assert!(answer.first_line().starts_with("UNKNOWN"));
    for part in ["    from  N = ", " │ ", "    to    "] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
    assert!(answer.last_line().starts_with("reproduce: weave prove "));
}

/// A counter that grows comes back to no state, and yet a run without end is shown.
#[test]
fn a_loop_that_grows_is_a_violation() {
    let file = support::root().join("bench/proofs/updown_counter.fts").to_string_lossy().into_owned();
    let answer = weave(&["prove", "--solver", "embedded", "--property", "returns", &file]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.first_line().contains("can be repeated forever"), "{}", answer.stdout);
}

/// Found by the property-directed search, replayed, shown as a run.
#[test]
fn what_is_false_is_shown_as_a_run() {
    let file = support::root().join("models/spl/bakery2.spl").to_string_lossy().into_owned();
    let answer = weave(&["prove", "--ltl", "l2 ==> ~m3 Awaits l3", &file]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.first_line().starts_with("VIOLATED"));
    assert!(answer.stdout.contains("m3"), "{}", answer.stdout);
    let answer = weave(&["prove", "--json", "--ltl", "[](y1 <= 2)", &file]);
    valid(&answer);
    assert_eq!(result(&answer)["trace"]["steps"].as_array().map(Vec::len), Some(9));
}

#[test]
fn inputs_that_no_program_allows_prove_nothing() {
    let file = support::root().join("models/spl/token_ring.spl").to_string_lossy().into_owned();
    for inputs in [&["-D", "N=0"][..], &[]] {
        let answer = weave(&[&["check", "--json"], inputs, &[&file]].concat());
        assert_eq!((answer.code, &result(&answer)["verdict"]), (3, &Value::from("unknown")), "{answer:?}");
    }
}

/// The arguments that a program of the corpus is checked with; none if it is proved or rejected.
fn check_arguments(program: &Path) -> Option<Vec<String>> {
    let head = support::head(program);
    let words: Vec<String> = head.get("run")?.split_whitespace().map(str::to_string).collect();
    let rejected = head.expected() == [("", "rejected")];
    (words.first()? == "check" && !rejected).then_some(words)
}

/// What is reported of each property.
fn verdicts(result: &Value) -> Vec<(Value, Value)> {
    let properties = result["properties"].as_array().unwrap();
    properties.iter().map(|p| (p["name"].clone(), p["verdict"].clone())).collect()
}

#[test]
fn both_engines_answer_the_same() {
    let (mut compared, mut open) = (0, 0);
    for program in programs() {
        let Some(mut arguments) = check_arguments(&program) else { continue };
        let file = program.to_string_lossy().into_owned();
        arguments.extend(["--keep-going", "--timeout", "900s", "--json", &file].map(str::to_string));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let explicit = result(&weave(&arguments));
        let answer = weave(&[&arguments[..], &["--engine", "symbolic"]].concat());
        valid(&answer);
        let symbolic = result(&answer);
        assert_eq!(symbolic["engine"], "symbolic");
        assert_eq!(verdicts(&explicit), verdicts(&symbolic), "{file}: {}", symbolic["reason"]);
        if explicit["verdict"] == "unknown" {
            open += 1;
            continue;
        }
        assert_eq!(explicit["exhausted"], symbolic["exhausted"], "{file}");
        // Both stop where something has no value, but not at the same state.
        if explicit["exhausted"] == false {
            continue;
        }
        for number in ["states", "transitions", "matched"] {
            assert_eq!(explicit[number], symbolic[number], "{file}: {number}");
        }
        assert!(symbolic["nodes"].as_u64() > Some(0) && symbolic["bits"].as_u64() > Some(0), "{file}");
        compared += 1;
    }
    assert!(compared >= 25 && open >= 1, "{compared} compared, {open} open");
}

fn spl(name: &str) -> String {
    support::root().join("models/spl").join(name).to_string_lossy().into_owned()
}

#[test]
fn the_abstract_bakery_is_as_in_the_tutorial() {
    let (abstracted, lazy) = (spl("bakery_abstract.spl"), spl("bakery_abstract_lazy.spl"));
    let cases = [
        ("[]~(l3 /\\ m3)", &abstracted, 0),
        ("l2 ==> ~m3 Awaits m3 Awaits ~m3 Awaits l3", &abstracted, 0),
        ("l1 ==> <>l3", &abstracted, 0),
        ("l0 ==> <>l3", &abstracted, 1),
        ("l2 ==> ~m3 Awaits l3", &abstracted, 1),
        ("l1 ==> ~m3 Awaits m3 Awaits ~m3 Awaits l3", &abstracted, 1),
        ("l1 ==> <>l3", &lazy, 1),
    ];
    for engine in ["explicit", "symbolic"] {
        for (formula, file, code) in cases {
            let answer = weave(&["check", "--json", "--engine", engine, "--ltl", formula, file]);
            assert_eq!(answer.code, code, "{engine} {formula}: {answer:?}");
            let result = result(&answer);
            assert_eq!((&result["states"], &result["transitions"]), (&22.into(), &39.into()), "{engine}");
        }
    }
}

/// The visits of figures 11 and 13: with a number of visits there are finitely many states.
#[test]
fn visits_end_unless_the_other_stays() {
    let (eager, lazy) = (spl("bakery_vis.spl"), spl("bakery_lazy.spl"));
    for engine in ["explicit", "symbolic"] {
        for (formula, file, code) in
            [("<>(n = 0)", &eager, 0), ("<>(n = 0)", &lazy, 1), ("[]<>~m3 --> <>(n = 0)", &lazy, 0)]
        {
            let answer = weave(&["check", "--engine", engine, "-D", "n=2", "--ltl", formula, file]);
            assert_eq!(answer.code, code, "{engine} {formula}: {answer:?}");
        }
    }
}

/// States hold whole numbers, so fractions are left to the prover.
#[test]
fn fractions_are_computed_state_by_state() {
    let file = std::env::temp_dir().join(format!("weave-fraction-{}.spl", std::process::id()));
    std::fs::write(&file, "local x : real where x = 1\nl0: x := x / 2; l1: skip\nPROPERTY p : [](x > 0)\n")
        .unwrap();
    let name = file.to_string_lossy();
    for (engine, code) in [("explicit", 0), ("symbolic", 3)] {
        let answer = weave(&["check", "--engine", engine, &name]);
        assert_eq!(answer.code, code, "{engine}: {answer:?}");
    }
    assert_eq!(weave(&["prove", &name]).code, 0);
    std::fs::remove_file(file).unwrap();
}

/// A proof takes no longer than the limit.
/// The operators of a formula are those of any syntax, its atoms the program's.
#[test]
fn formulas_are_read_in_every_syntax() {
    let file = spl("mux_sem_check.spl");
    let asked = |formula: &str| {
        let answer = weave(&["check", "--json", "--ltl", formula, &file]);
        valid(&answer);
        let result = result(&answer);
        (result["verdict"].clone(), result["properties"][0]["states"].clone())
    };
    for same in [
        ["l1 ==> <>l2", "[](l1 -> <>l2)", "G (l1 -> F l2)"],
        ["[]<>(l2 \\/ r = 1)", "[]<>(l2 || r = 1)", "G F (l2 | r = 1)"],
        ["~(l2 /\\ m2) Awaits l1", "!(l2 && m2) W l1", "!(l2 & m2) W l1"],
    ] {
        let [step, spin, common] = same.map(asked);
        assert_eq!(step, spin, "{same:?}");
        assert_eq!(step, common, "{same:?}");
        assert!(step.0 == "holds" || step.0 == "violated", "{same:?}: {}", step.0);
    }
    assert_eq!(weave(&["check", "--ltl", "G (l1 -> nothing)", &file]).code, 2);
}

#[test]
fn proofs_end_in_time() {
    let started = std::time::Instant::now();
    let asked = ["prove", "--solver", "embedded", "--auto", "--rules-only", "--timeout", "2s"];
    let answer = weave(&[&asked[..], &[&spl("philosophers.spl")]].concat());
    assert_eq!(answer.code, 3, "{answer:?}");
    assert!(started.elapsed().as_secs() < 600, "{:?}", started.elapsed());
}

#[test]
fn fairness_can_be_weakened() {
    let file = spl("mux_sem_check.spl");
    for engine in ["explicit", "symbolic"] {
        for (fairness, code) in [("strong", 0), ("weak", 1), ("none", 1)] {
            let options = ["--engine", engine, "--fairness", fairness, "--property", "acc"];
            let answer = weave(&[&["check"], &options[..], &[&file]].concat());
            assert_eq!(answer.code, code, "{engine} {fairness}: {answer:?}");
        }
        let answer = weave(&["check", "--engine", engine, "--property", "mux", "--fairness", "none", &file]);
        assert_eq!(answer.code, 0);
    }
}

#[test]
fn invariants_constrain_the_search() {
    let (infinite, finite) = (spl("bakery2.spl"), spl("bakery_abstract.spl"));
    for engine in ["explicit", "symbolic"] {
        let check = |invariant: &str, formula: &str, file: &str| {
            let options =
                ["check", "--json", "--engine", engine, "--invariant", invariant, "--ltl", formula, file];
            let answer = weave(&options);
            (answer.code, result(&answer)["states"].as_u64())
        };
        // Nothing is lost by an invariant that is one.
        assert_eq!(check("mux", "l1 ==> <>l3", &finite), (0, Some(22)), "{engine}");
        // By one that is none, runs are lost: violations are real, and nothing holds.
        let (code, states) = check("y1 <= 3 /\\ y2 <= 3", "l2 ==> ~m3 Awaits l3", &infinite);
        assert!(code == 1 && states < Some(200), "{engine}: {code} {states:?}");
        assert_eq!(check("y1 <= 3 /\\ y2 <= 3", "[]~(l3 /\\ m3)", &infinite).0, 3, "{engine}");
        assert_eq!(check("b1", "[](l0 --> b1)", &finite).0, 3, "{engine}");
    }
    let answer = weave(&["check", "--invariant", "<>b1", &finite]);
    assert_eq!(answer.code, 2, "{answer:?}");
}

#[test]
fn runs_are_written_and_replayed() {
    let folder = std::env::temp_dir().join(format!("weave-spl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (engine, name, arguments) in [
        ("explicit", "counter_race.spl", &[][..]),
        ("symbolic", "counter_race.spl", &[]),
        ("explicit", "index_wrong.spl", &[]),
        ("symbolic", "index_wrong.spl", &[]),
        ("symbolic", "mux_sem_check.spl", &["--fairness", "weak"]),
    ] {
        let trace = folder.join("run.trace").to_string_lossy().into_owned();
        let file = spl(name);
        let found = weave(
            &[&["check", "--json", "--engine", engine, "--trace", &trace], arguments, &[&file]].concat(),
        );
        assert_eq!(found.code, 1, "{name}: {found:?}");
        let again = weave(&["replay", "--json", &trace]);
        assert_eq!(again.code, 0, "{name}: {again:?}");
        assert_eq!(result(&again)["trace"], result(&found)["trace"], "{name}");
        let state = result(&weave(&["replay", "--json", "--step", "1", &trace]))["state"].clone();
        assert!(
            state.as_object().is_some_and(|s| s.keys().any(|name| name.ends_with(":at"))),
            "{name}: {state}"
        );
        // Another program is refused.
        let other = weave(&["replay", "--model", &spl("turn.spl"), &trace]);
        assert_eq!(other.code, 2, "{other:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn infinitely_many_values_end_in_unknown() {
    let file = spl("unbounded.spl");
    let answer = weave(&["check", "--engine", "symbolic", "--timeout", "900s", &file]);
    assert_eq!(answer.code, 3, "{answer:?}");
    assert!(answer.first_line().contains("more than 256 values"), "{answer:?}");
}
