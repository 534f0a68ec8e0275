//! Limits and signals in every phase: each input keeps one phase busy for long, and the answer
//! comes all the same.

mod support;

use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};
use support::{Folder, interrupted, model, result, root, valid, weave};

/// How long after its limit an answer may come on a machine that does other things, too.
const LATE: Duration = Duration::from_secs(20);

/// One process with many branches in one atomic sequence.
fn long_atomic(branches: usize) -> String {
    let branch = "  if :: x == 0 -> y = 0 :: else fi;\n";
    format!("byte x, y;\ninit {{ do :: atomic {{\n{}}} od }}\n", branch.repeat(branches))
}

/// Macros that double what the last one says.
fn macros(depth: usize) -> String {
    let doubled = (1..depth).map(|k| format!("#define M{k} M{} M{}\n", k - 1, k - 1));
    format!("byte x;\n#define M0 x++;\n{}init {{ M{} }}\n", doubled.collect::<String>(), depth - 1)
}

/// A formula whose automaton is large.
fn formula(untils: usize) -> String {
    let parts = (0..untils).map(|k| format!("([] <> p{k} -> [] <> q{k})"));
    parts.collect::<Vec<_>>().join(" && ")
}

fn inputs(folder: &Folder) -> Vec<Vec<String>> {
    let states = "byte a[200]; active [3] proctype P() { byte i; do :: i = (i + 1) % 200; a[i]++ od }";
    // Fermat's theorem for cubes: true, and neither a proof nor a search ends soon.
    let spl = [
        "local x, y, z: integer where x = 1 /\\ y = 1 /\\ z = 1",
        "P :: [ l0: loop forever do [ l1: x := x + 1 or l2: y := y + 1 or l3: z := z + 1 ] ]",
        "SPEC",
        "PROPERTY p: [](x*x*x + y*y*y != z*z*z)\n",
    ];
    let words = |words: &[&str], file: String| {
        words.iter().map(|w| w.to_string()).chain([file]).collect::<Vec<String>>()
    };
    vec![
        words(&["check"], folder.write("macros.pml", &macros(40))),
        words(&["check"], folder.write("atomic.pml", &long_atomic(30_000))),
        words(&["check"], folder.write("states.pml", states)),
        words(&["check", "--search", "bfs"], folder.write("breadth.pml", states)),
        words(&["check", "--audit=1000000", "--max-states", "100000000"], folder.write("audit.pml", states)),
        words(&["simulate", "--steps", "1000000000"], folder.write("simulate.pml", states)),
        words(&["ltl"], formula(7)),
        words(
            &["check", "--ltl", &formula(7)],
            folder.write(
                "ltl.pml",
                "bool p0,p1,p2,p3,p4,p5,p6,q0,q1,q2,q3,q4,q5,q6; active proctype P() { do :: p0 = !p0 od }",
            ),
        ),
        words(&["prove"], folder.write("proof.spl", &spl.join("\n"))),
    ]
}

fn seconds(text: &str) -> Duration {
    Duration::from_secs_f64(text.parse().unwrap())
}

#[test]
fn the_time_limit_holds_in_every_phase() {
    let folder = Folder::new("limits-time");
    for request in inputs(&folder) {
        let mut words: Vec<&str> = request.iter().map(String::as_str).collect();
        words.splice(1..1, ["--timeout", "1s", "--json"]);
        let begun = Instant::now();
        let answer = weave(&words);
        assert!(begun.elapsed() < seconds("1") + LATE, "{words:?} took {:?}", begun.elapsed());
        let last = valid(&answer).pop().unwrap();
        assert!(matches!(answer.code, 0 | 3), "{words:?} {answer:?}");
        assert_eq!(last["exit_code"], answer.code, "{words:?}");
    }
}

#[test]
fn memory_is_that_of_the_process() {
    let folder = Folder::new("limits-memory");
    for text in [long_atomic(30_000), macros(40)] {
        let file = folder.write("large.pml", &text);
        let answer = weave(&["check", "--json", "--max-memory", "100M", "--timeout", "60s", &file]);
        let last = valid(&answer).pop().unwrap();
        assert!(matches!(answer.code, 0 | 3), "{answer:?}");
        assert!(last["memory_bytes"].as_u64().unwrap() < 105 << 20, "{last}");
    }
}

#[test]
fn an_interrupt_is_heard_before_the_search() {
    let folder = Folder::new("limits-interrupt");
    let file = folder.write("macros.pml", &macros(40));
    let begun = Instant::now();
    let answer = interrupted(&["check", "--json", &file], Duration::from_millis(1500));
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    let last = valid(&answer).pop().unwrap();
    assert_eq!((answer.code, &last["verdict"]), (130, &Value::from("unknown")), "{answer:?}");
    assert_eq!(last["interrupted"], true);
    assert!(last["reason"].as_str().unwrap().starts_with("interrupted while reading"), "{last}");
}

#[test]
fn a_verdict_outlives_a_trace_that_cannot_be_written() {
    let bad = model("two_lock_deadlock.pml");
    for flags in [&["--json"][..], &[]] {
        let mut words = vec!["check", "--trace", "/nowhere/at/all/bug.trace"];
        words.extend(flags);
        words.push(&bad);
        let answer = weave(&words);
        assert_eq!(answer.code, 1, "{answer:?}");
        assert!(answer.stderr.contains("bug.trace: No such file"), "{}", answer.stderr);
        match flags.is_empty() {
            true => assert!(answer.first_line().starts_with("VIOLATED: deadlock"), "{answer:?}"),
            false => assert_eq!(valid(&answer).pop().unwrap()["verdict"], "violated"),
        }
    }
    let good = model("peterson.pml");
    let answer = weave(&["simulate", "--steps", "3", "--trace", "/nowhere/x", &good]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.first_line().starts_with("The run of 3 steps"), "{answer:?}");
}

#[test]
fn latin_1_is_read_and_places_are_right() {
    let folder = Folder::new("limits-latin");
    let path = folder.path("latin.pml");
    std::fs::write(&path, b"/* gr\xf6\xdfe */ byte x;\ninit { /* \xe4 */ assert(x == 1) }\n").unwrap();
    let answer = weave(&["check", "--json", &path]);
    assert_eq!(answer.code, 1, "{answer:?}");
    let place = &result(&answer)["violations"][0]["location"];
    assert_eq!((&place["line"], &place["column"]), (&Value::from(2), &Value::from(16)), "{place}");
}

#[test]
fn a_file_for_another_command_is_refused_with_that_command() {
    let folder = Folder::new("limits-kinds");
    let c = folder.write("x.c", "int main(void) { return 0; }");
    let bare = folder.write("bare", "#include <stdio.h>\nint main(void) { return 0; }\n");
    let empty = folder.write("empty.pml", "");
    let pml = model("peterson.pml");
    let spl = root().join("models/spl/bakery2.spl").to_string_lossy().into_owned();
    let java = folder.write("A.java", "class A { }");
    let program = env!("CARGO_BIN_EXE_weave");
    let here = folder.path("");
    let cases: [(&str, &str, &str); 11] = [
        ("check", &c, "this is C: `weave run "),
        ("check", &bare, "this is C: name it "),
        ("check", program, "this is a program: `weave run "),
        ("check", &here, "is a directory"),
        ("check", &empty, "this file is empty"),
        ("run", &pml, "this is a Promela model: `weave check "),
        ("run", &spl, "this is an SPL program: `weave check "),
        ("run", &java, "this is Java: `weave check "),
        ("prove", &java, "this is Java: `weave check "),
        ("prove", &c, "this is C: `weave run "),
        ("simulate", &here, "is a directory"),
    ];
    for (command, file, hint) in cases {
        let answer = weave(&[command, file]);
        assert_eq!(answer.code, 2, "{command} {file}: {answer:?}");
        assert!(answer.stderr.contains(hint), "{command} {file}: {}", answer.stderr);
    }
}

/// Deeply nested texts are read or refused, never the end of the process.
#[test]
fn nesting_is_no_danger() {
    let folder = Folder::new("limits-nested");
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(20_000), close.repeat(20_000))
    };
    let files = [
        folder.write("paren.pml", &format!("byte x; init {{ x = {} }}", deep("(", "1", ")"))),
        folder.write("block.pml", &format!("init {{ {} }}", deep("{ ", "skip", " }"))),
        folder.write("if.pml", &format!("init {{ {} }}", deep("if :: true -> ", "skip", " fi"))),
        folder.write("not.pml", &format!("byte x; init {{ x = {}1 }}", "!".repeat(20_000))),
        folder.write("A.java", &format!("class A {{ int f() {{ return {}; }} }}", deep("(", "1", ")"))),
        folder.write("a.tvm", &deep("(", "1", ")")),
    ];
    for file in &files {
        let answer = weave(&["check", "--timeout", "5s", file]);
        assert!(
            matches!(answer.code, 0..=3),
            "{file}: {} {}",
            answer.code,
            &answer.stderr[..answer.stderr.len().min(300)]
        );
    }
    for formula in
        [deep("(", "p", ")"), format!("{}p", "[] ".repeat(20_000)), format!("p{}", " && p".repeat(20_000))]
    {
        let answer = weave(&["ltl", "--timeout", "5s", &formula]);
        assert!(
            matches!(answer.code, 0..=3),
            "{} {}",
            answer.code,
            &answer.stderr[..answer.stderr.len().min(300)]
        );
    }
}

/// A pipe that is not read keeps neither the limit nor the exit code of the answer.
#[test]
fn a_reader_that_does_not_read_is_not_waited_for() {
    let folder = Folder::new("limits-pipe");
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success()));
    let file = folder.write("false.pml", "init { assert(false) }");
    let begun = Instant::now();
    let answer = weave(&["check", "--timeout", "1s", "--trace", &pipe, &file]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.first_line().starts_with("VIOLATED: assertion"), "{answer:?}");
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
}
