//! Every program of the corpus says what is expected of it; `weave run` must answer so.
//!
//! `expect: VERDICT`, and `run: run OPTIONS`. `reason: WORD` names how the reason begins,
//! `assumes: WORDS` how an assumption does, `input: TEXT` what is read. A program that is expected
//! to hold must have been seen completely.

mod support;

use std::path::{Path, PathBuf};
use support::{result, valid, weave, weave_with_input};

fn corpus() -> Vec<PathBuf> {
    let mut folders = vec![support::root().join("models/programs")];
    let mut programs = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            match entry.extension() {
                _ if entry.is_dir() => folders.push(entry),
                Some(extension) if extension == "c" || extension == "cpp" => programs.push(entry),
                _ => {}
            }
        }
    }
    programs.sort();
    programs
}

#[test]
fn every_program_is_answered_as_expected() {
    let programs = corpus();
    assert!(programs.len() >= 60, "the corpus is missing");
    support::without_complaint(&programs, |program| Vec::from_iter(complaint(program)));
}

fn complaint(program: &Path) -> Option<String> {
    let head = support::head(program);
    let Some(expected) = head.get("expect") else {
        return Some("no `expect` line among the first 15".to_string());
    };
    let Some(options) = head.options("run") else { return Some("no `run: run` line".to_string()) };
    let file = program.to_string_lossy();
    let mut arguments = vec!["run", "--json", "--timeout", "900s"];
    arguments.extend(options);
    arguments.push(&file);
    let answer = weave_with_input(&arguments, head.get("input").unwrap_or_default());
    if expected == "rejected" {
        return (answer.code != 2).then(|| format!("rejection expected, ended with {}", answer.code));
    }
    if !matches!(answer.code, 0 | 1 | 3) {
        return Some(format!("ended with {}: {answer:?}", answer.code));
    }
    valid(&answer);
    let result = result(&answer);
    if result["verdict"] != expected {
        return Some(format!("{expected} expected, {} found: {}", result["verdict"], result["reason"]));
    }
    let assumes = |words: &str| {
        let mut all = result["assumes"].as_array().into_iter().flatten();
        all.any(|a| a.as_str().is_some_and(|a| a.starts_with(words)))
    };
    if let Some(words) = head.get("assumes").filter(|words| !assumes(words)) {
        return Some(format!("`{words}` is not assumed: {}", result["assumes"]));
    }
    let begins = |word: &str| result["reason"].as_str().is_some_and(|r| r.starts_with(word));
    head.get("reason")
        .filter(|word| !begins(word))
        .map(|word| format!("{word} expected: {}", result["reason"]))
}

/// Functions of the C library access memory as the program itself would.
#[test]
fn functions_of_the_c_library_race() {
    let program = support::root().join("models/programs/race_strings.c");
    let program = program.to_string_lossy();
    let variants =
        ["WRITE_SPRINTF", "WRITE_MEMSET", "WRITE_STRNCPY", "READ_STRCMP", "READ_MEMCMP", "READ_STRDUP"];
    for variant in variants {
        let answer = weave(&["run", "--json", "--races", "list", "-D", variant, &program]);
        assert_eq!(result(&answer)["verdict"], "violated", "{variant}: {answer:?}");
        let answer = weave(&["run", "--json", "-D", variant, &program]);
        assert_eq!(result(&answer)["violations"][0]["kind"], "race", "{variant}: {answer:?}");
    }
}

#[test]
fn a_failing_run_is_recorded_and_executed_again() {
    let folder = support::Folder::new("run-replay");
    let record = folder.path("bug.run");
    let program = support::root().join("models/programs/philosophers_sysv.c");
    let answer = weave(&["run", "--trace", &record, &program.to_string_lossy()]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.first_line().starts_with("VIOLATED: deadlock"), "{answer:?}");
    let again = weave(&["replay", &record]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.first_line().contains("deadlock"), "{again:?}");
    let again = weave(&["replay", "--json", &record]);
    assert_eq!(valid(&again)[0]["trace"]["ending"]["kind"], "deadlock");
}

/// What becomes visible only by a run is no step of it when it is executed again.
#[test]
fn the_first_run_of_a_search_is_executed_again() {
    let folder = support::Folder::new("run-first");
    for name in ["group_before_session", "group_joined", "position_before_write", "priority_before_nice"] {
        let record = folder.path(&format!("{name}.run"));
        let program = support::root().join(format!("models/programs/{name}.c"));
        let answer = weave(&["run", "--trace", &record, &program.to_string_lossy()]);
        assert_eq!(answer.code, 1, "{answer:?}");
        let again = weave(&["replay", &record]);
        assert!(again.first_line().contains("ends with: assertion"), "{name}: {again:?}");
    }
}

/// A run that fails once does not end the search; it is recorded.
#[test]
fn what_fails_only_once_is_recorded() {
    let folder = support::Folder::new("run-once");
    let record = folder.path("once.run");
    let program = support::root().join("models/programs/fails_once.c");
    let answer = weave(&["run", "--json", "--trace", &record, &program.to_string_lossy()]);
    let reported = result(&answer);
    assert_eq!(
        (&reported["verdict"], &reported["exhausted"]),
        (&"unknown".into(), &true.into()),
        "{answer:?}"
    );
    assert_eq!(reported["runs"], 2, "the search went on: {answer:?}");
    let again = weave(&["replay", &record]);
    assert!(again.first_line().ends_with("nothing wrong"), "{again:?}");
}

#[test]
fn what_cannot_be_controlled_is_refused() {
    let folder = support::Folder::new("run-refused");
    let source = folder.write("static.c", "int main(void) { return 0; }\n");
    let program = folder.path("static");
    let built = std::process::Command::new("cc").args(["-static", "-o", &program, &source]).status().unwrap();
    assert!(built.success());
    let answer = weave(&["run", &program]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.stderr.contains("static"), "{answer:?}");
    assert_eq!(weave(&["run", &folder.path("missing")]).code, 2);
    let wrong = folder.write("wrong.c", "int main(void) { return x; }\n");
    assert_eq!(weave(&["run", &wrong]).code, 2);
}

/// The robots of the corpus: found within two minutes, reported in at most 40 transitions, and
/// stopped in gdb.
#[test]
fn the_robots_diverge_and_are_seen_in_gdb() {
    let folder = support::Folder::new("run-robots");
    let record = folder.path("robots.run");
    let program = support::root().join("models/programs/robots/robots.c");
    let program = program.to_string_lossy();
    let options = ["--divergence", "1s", "--timeout", "1800s", "--sample", "pct:3,2000", "--trace", &record];
    let answer = weave(&[&["run", "--json"], &options[..], &[&program]].concat());
    let result = result(&answer);
    assert_eq!(result["verdict"], "violated", "{answer:?}");
    assert!(result["reason"].as_str().unwrap().starts_with("divergence"), "{answer:?}");
    let steps = result["trace"]["steps"].as_array().unwrap();
    assert!(steps.len() <= 40, "{} steps", steps.len());
    let again = weave_with_input(&["replay", "--gdb", &record], "backtrace\ninfo inferiors\nquit\n");
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.stdout.contains("find_free"), "{again:?}");
    // The table of gdb: a number, the process, `(native)`.
    let inferior = |l: &&str| {
        l.trim_start_matches(['*', ' ']).starts_with(|c: char| c.is_ascii_digit()) && l.contains("(native)")
    };
    assert_eq!(again.stdout.lines().filter(inferior).count(), 6, "{again:?}");
}

#[test]
fn a_program_is_simulated_step_by_step() {
    let program = support::root().join("models/programs/philosophers_sysv.c");
    let program = program.to_string_lossy();
    // Both take their left fork.
    let answer = weave_with_input(&["simulate", "--interactive", &program], "1\n2\nw\nb\nt\nq\n");
    assert_eq!(answer.code, 0, "{answer:?}");
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert!(lines[0].starts_with("After step 0"), "{answer:?}");
    let dead = lines.iter().position(|l| l.contains("After step 2: deadlock")).expect("a deadlock");
    assert!(lines[dead + 1..].iter().any(|l| l.contains("After step 1;")), "it can go back: {answer:?}");
    assert!(answer.stdout.contains("in change < line "), "{answer:?}");
    let random = weave(&["simulate", "--seed", "3", "-D", "FIX", &program]);
    assert_eq!(random.code, 0, "{random:?}");
    assert!(random.first_line().ends_with("ends with nothing wrong"), "{random:?}");
    assert_eq!(random.stdout, weave(&["simulate", "--seed", "3", "-D", "FIX", &program]).stdout);
}

#[test]
fn a_simulated_program_is_told_as_json() {
    let program = support::root().join("models/programs/philosophers_sysv.c");
    let program = program.to_string_lossy();
    let answer = weave(&["simulate", "--json", "--seed", "3", "--steps", "1", &program]);
    assert_eq!(answer.code, 0, "{answer:?}");
    let reported = result(&answer);
    support::validate("weave-v1.schema.json", &reported);
    assert_eq!(reported["command"], "simulate-run");
    assert_eq!(reported["trace"]["steps"].as_array().map(Vec::len), Some(1), "{reported}");
    assert!(
        reported["trace"]["ending"].is_null() && !reported["moves"].as_array().unwrap().is_empty(),
        "{reported}"
    );
    // Somewhere both take their left fork.
    let ends =
        (0..20).map(|seed| result(&weave(&["simulate", "--json", "--seed", &seed.to_string(), &program])));
    let dead = ends.into_iter().find(|reported| reported["exit_code"] == 1).expect("a deadlock");
    assert_eq!(dead["trace"]["ending"]["kind"], "deadlock", "{dead}");
    assert!(dead["moves"].as_array().unwrap().is_empty(), "{dead}");
}

#[test]
fn both_accesses_of_a_race_have_callers() {
    let program = support::root().join("models/programs/race_callers.c");
    let reported = result(&weave(&["run", "--json", &program.to_string_lossy()]));
    let races = reported["races"].as_array().expect("races").iter().filter_map(|r| r.as_str());
    let both = |r: &str| r.contains("in add <") && r.contains("in withdraw") && r.contains("in deposit");
    assert!(races.clone().any(both), "{reported}");
}

/// A race is a run with both accesses as steps, and is seen again.
#[test]
fn a_race_is_a_run() {
    let folder = support::Folder::new("run-race");
    let record = folder.path("race.run");
    let program = support::root().join("models/programs/race_error.c");
    let program = program.to_string_lossy();
    let reported = result(&weave(&["run", "--json", "--trace", &record, &program]));
    let message = reported["violations"][0]["message"].as_str().expect("a message");
    for part in ["`count` is written by thread 1 (line 12)", "while thread 2 reads it (line 12)"] {
        assert!(message.contains(part), "{message}");
    }
    let again = weave(&["replay", "--json", &record]);
    let trace = &valid(&again)[0]["trace"];
    assert_eq!(trace["ending"], reported["trace"]["ending"], "{again:?}");
    let steps = trace["steps"].as_array().expect("steps");
    for thread in [1, 2] {
        let access = |s: &&serde_json::Value| s["thread"] == thread && s["object"] == "count";
        let step = steps.iter().find(access).expect("its access is a step");
        assert_eq!(step["stack"][0]["function"], "worker", "{step}");
    }
}

/// A race counts, whatever else goes wrong in its run, and is seen again.
#[test]
fn a_race_counts_beside_another_failure() {
    let program = support::root().join("models/programs/race_then_divergence.c");
    let reported = result(&weave(&["run", "--json", &program.to_string_lossy()]));
    let properties = reported["properties"].as_array().expect("properties");
    for name in ["divergence", "race"] {
        let property = properties.iter().find(|p| p["name"] == name).expect("a property");
        assert_eq!(property["verdict"], "violated", "{reported}");
    }
    assert_eq!(reported["violations"].as_array().map(Vec::len), Some(2), "{reported}");
}

/// With `--races list` all orders of what races are explored, and the first line says that
/// something races.
#[test]
fn races_that_are_listed_are_on_the_first_line() {
    let program = support::root().join("models/programs/race_harmless.c");
    let answer = weave(&["run", "--races", "list", &program.to_string_lossy()]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.first_line().starts_with("HOLDS, with 1 data race listed: "), "{answer:?}");
}

/// Two failures of one place in a run are two violations.
#[test]
fn failures_with_other_words_are_others() {
    let program = support::root().join("models/programs/fail_two_ways.c");
    for reduction in ["none", "sleep", "persistent+sleep", "dpor"] {
        let options = ["run", "--json", "--keep-going", "--reduction", reduction];
        let answer = result(&weave(&[&options[..], &[&program.to_string_lossy()]].concat()));
        let violations = answer["violations"].as_array().unwrap();
        let said =
            |word: &str| violations.iter().any(|v| v["message"].as_str().is_some_and(|m| m.contains(word)));
        assert!(said("\"zero\"") && said("\"one\""), "{reduction}: {answer}");
    }
}

/// Every search finds what plain accesses can do, whatever it leaves out, and with volatile or
/// without.
#[test]
fn reductions_agree_about_plain_memory() {
    let folder = support::Folder::new("run-plain");
    for name in ["plain_two_writes", "plain_read_then_write", "plain_check_then_act", "plain_and_atomic"] {
        let source = support::root().join(format!("models/programs/{name}.c"));
        let text = std::fs::read_to_string(source).unwrap();
        for (kind, text) in [("plain", text.replace("VOLATILE int", "int")), ("volatile", text)] {
            let program = folder.write(&format!("{name}_{kind}.c"), &text);
            for reduction in ["none", "sleep", "persistent", "persistent+sleep", "dpor"] {
                let options = ["run", "--json", "--races", "list", "--reduction", reduction];
                let answer = result(&weave(&[&options[..], &[&program]].concat()));
                assert_eq!(
                    answer["violations"][0]["kind"], "assertion",
                    "{name} {kind} {reduction}: {answer}"
                );
            }
        }
    }
}

#[test]
fn tossed_values_and_output_are_seen_when_simulated() {
    let folder = support::Folder::new("simulate-toss");
    let source = folder.write(
        "toss.c",
        "#include <stdio.h>\n#include <pthread.h>\n#include <weave.h>\n\
         static void *f(void *x) { printf(\"tossed %d\\n\", weave_toss(2)); fflush(stdout); return x; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n",
    );
    for value in 0..3 {
        let choice = format!("{}\nq\n", value + 1);
        let answer = weave_with_input(&["simulate", "--interactive", &source], &choice);
        assert!(answer.stdout.contains(&format!("tossed {value}")), "{answer:?}");
    }
}

#[test]
fn samples_estimates_and_bounds_never_prove() {
    let fixed = support::root().join("models/programs/philosophers_mutex.c");
    let fixed = fixed.to_string_lossy();
    for options in [
        &["--sample", "random:40"][..],
        &["--sample", "pct:3,400"],
        &["--estimate", "--max-runs", "60"],
        &["--preemptions", "0", "--reduction", "none"],
    ] {
        let with = |more: &[&str]| {
            let all = [&["run", "--json"], options, more, &["-D", "N=2", &fixed]].concat();
            result(&weave(&all))
        };
        let answer = with(&["-D", "FIX"]);
        assert_eq!(answer["verdict"], "unknown", "{options:?}: {answer}");
        assert_eq!(answer["estimate"].is_object(), options[0] == "--estimate", "{answer}");
        if options[0] != "--preemptions" {
            assert_eq!(with(&["--keep-going"])["verdict"], "violated", "{options:?}");
        }
    }
    assert_eq!(weave(&["run", "--sample", "pct:0,1", &fixed]).code, 2);
    assert_eq!(weave(&["run", "--sample", "some", &fixed]).code, 2);
}

#[test]
fn what_weave_cc_makes_is_instrumented() {
    let folder = support::Folder::new("run-cc");
    let one = folder.write("one.c", "int counter; void *add(void *x) { counter++; return x; }\n");
    let two = folder.write(
        "two.c",
        "#include <pthread.h>\nvoid *add(void *);\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); return 0; }\n",
    );
    let program = folder.path("both");
    let made = weave(&["cc", "-O1", "-o", &program, &one, &two]);
    assert_eq!(made.code, 0, "{made:?}");
    let answer = result(&weave(&["run", "--json", &program]));
    assert_eq!((&answer["verdict"], &answer["violations"][0]["kind"]), (&"violated".into(), &"race".into()));
    let answer = result(&weave(&["run", "--json", "--races", "list", &program]));
    assert_eq!(answer["verdict"], "holds", "{answer}");
    assert!(answer["races"][0].as_str().unwrap().contains("one.c:1"), "{answer}");
    // As `make CC="weave cc"` calls it.
    let itself = env!("CARGO_BIN_EXE_weave");
    let mut made = std::process::Command::new(itself);
    made.args(["cc", "-o", &program, &one, &two]).env("CC", format!("{itself} cc"));
    assert!(made.status().unwrap().success());
    assert_eq!(
        weave(&["cc", "-o", &program, &folder.write("bad.c", "int main(void) { return x; }\n")]).code,
        2
    );
}
