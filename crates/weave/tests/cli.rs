//! The command line from outside: exit codes, first lines, JSON against its schema, determinism,
//! interrupts, scripts.

mod support;

use serde_json::Value;
use std::time::Duration;
use support::{Folder, model, result, valid, weave, weave_with_input};

#[test]
fn a_model_that_holds() {
    let answer = weave(&["check", &model("peterson.pml")]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(
        answer.first_line().starts_with("HOLDS: no deadlock, no failed assertion, no run-time error in ")
    );
    assert_eq!(answer.last_line(), format!("reproduce: weave check {}", model("peterson.pml")));
    assert!(!answer.stdout.contains('\u{1b}'), "no colours without a terminal");
    assert!(answer.stderr.is_empty(), "no progress line without a terminal: {}", answer.stderr);
}

#[test]
fn a_model_with_a_deadlock() {
    let answer = weave(&["check", &model("two_lock_deadlock.pml")]);
    assert_eq!(answer.code, 1, "{answer:?}");
    let headline = answer.first_line();
    assert!(
        headline.starts_with("VIOLATED: deadlock: ") && headline.contains(" waits at line "),
        "{headline}"
    );
    for part in [
        "error[deadlock]",
        "blocked here",
        "The run (",
        "No step is enabled:",
        "The run as a chart",
        " end  X",
    ] {
        assert!(answer.stdout.contains(part), "`{part}` is missing in\n{}", answer.stdout);
    }
}

#[test]
fn the_attack_on_needham_and_schroeder_is_a_chart() {
    let answer = weave(&["check", &model("needham_schroeder.pml")]);
    assert_eq!(answer.code, 1);
    for part in ["net!m1,eve,alice,na", "net!m1,bob,alice,na", "net!m3,bob,nb,none", "--->  handshake"] {
        assert!(answer.stdout.contains(part), "`{part}` is missing in\n{}", answer.stdout);
    }
    assert!(answer.stdout.lines().all(|l| l.chars().count() <= 110), "{}", answer.stdout);
}

#[test]
fn quiet_is_one_line() {
    let answer = weave(&["check", "--quiet", &model("two_lock_deadlock.pml")]);
    assert_eq!((answer.code, answer.stdout.lines().count()), (1, 1));
}

#[test]
fn limits_end_in_unknown() {
    let bakery = model("bakery.pml");
    let answer = weave(&["check", "--max-states", "100", &bakery]);
    assert_eq!(answer.code, 3, "{answer:?}");
    assert_eq!(answer.first_line(), "UNKNOWN: limit of 100 states reached");
    let folder = Folder::new("timeout");
    let endless = folder.write("endless.pml", ENDLESS);
    let answer = weave(&["check", "--timeout", "200ms", "--json", &endless]);
    assert_eq!(answer.code, 3);
    assert_eq!(result(&answer)["reason"], "time limit of 0.2 s reached");
    let answer = weave(&["check", "--max-depth", "3", &bakery]);
    assert_eq!(answer.code, 3, "{answer:?}");
    let answer = weave(&["check", "--max-memory", "8M", "--json", &endless]);
    assert_eq!((answer.code, result(&answer)["verdict"].as_str()), (3, Some("unknown")));
}

#[test]
fn every_formula_has_its_own_verdict() {
    let answer = weave(&["check", "--json", &model("peterson_ltl.pml")]);
    assert_eq!(answer.code, 1, "{answer:?}");
    let result = result(&answer);
    let properties = result["properties"].as_array().unwrap();
    let verdict = |name: &str| properties.iter().find(|p| p["name"] == name).map(|p| p["verdict"].clone());
    assert_eq!(verdict("exclusion"), Some("holds".into()), "{result}");
    assert_eq!(verdict("always_in"), Some("violated".into()), "{result}");
    assert!(properties.iter().any(|p| p["kind"] == "deadlock" && p["verdict"] == "holds"));
    assert_eq!(result["violations"][0]["property"], "always_in");
    assert_eq!(weave(&["check", "--property", "safety", &model("peterson_ltl.pml")]).code, 0);
}

#[test]
fn wrong_requests_end_with_2_and_a_message() {
    let good = model("peterson.pml");
    let requests: [(&[&str], &str); 20] = [
        (&["check", "no_such_file.pml"], "no such file"),
        (&["check"], "<FILE>"),
        (&["check", "--search", "zigzag", &good], "zigzag"),
        (&["check", "--reduction", "some", &good], "persistent+sleep"),
        (&["check", "--reduction", "sleep", "--search", "bfs", &good], "depth-first"),
        (&["check", "--store", "tree", &good], "there is no store `tree`"),
        (&["check", "--store", "bitstate:large", &good], "512M"),
        (&["check", "--store", "compact", "--reduction", "sleep", &good], "sleep sets are kept with states"),
        (&["check", "--store", "compact", "--swarm", "2", &good], "--swarm is for --store bitstate"),
        (&["check", "--swarm", "2", "--search", "bfs", &good], "depth-first"),
        (&["check", "--store", "cache:few", &good], "does not say how many states"),
        (
            &["check", "--store", "cache:9", "--search", "bfs", &good],
            "--store and --swarm are for depth-first",
        ),
        (&["check", "--ltl", "[] p", &good], "p"),
        (&["check", "--property", "nonsense", &good], "no property `nonsense`"),
        (&["check", "-D", "3=4", &good], "NAME=VALUE"),
        (&["check", "--max-memory", "many", &good], "512M"),
        (&["run", "--", "./no_such_program", "-x"], "no_such_program"),
        (&["prove", "no_such_file.spl"], "no such file"),
        (&["replay", &good], "not a recorded run"),
        (&["explain", "E9999"], "no code `E9999`"),
    ];
    for (request, message) in requests {
        let answer = weave(request);
        assert_eq!(answer.code, 2, "{request:?} {answer:?}");
        assert!(answer.stderr.contains(message), "{request:?}: {}", answer.stderr);
        assert!(answer.stdout.is_empty(), "{request:?}");
    }
}

#[test]
fn a_rejected_model_shows_every_error_with_its_code() {
    let folder = Folder::new("rejected");
    let wrong = folder.write("wrong.pml", "init {\n  x = 1;\n  y = 2\n}\n");
    let answer = weave(&["check", &wrong]);
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("wrong.pml:2:3") && answer.stderr.contains("wrong.pml:3:3"),
        "{}",
        answer.stderr
    );
    let code = answer.stderr.split("error[").nth(1).and_then(|t| t.split(']').next()).unwrap().to_string();
    let explained = weave(&["explain", &code]);
    assert_eq!(explained.code, 0);
    assert!(explained.first_line().starts_with(&code));
    let json = weave(&["check", "--json", &wrong]);
    let lines = valid(&json);
    assert_eq!((json.code, lines.len()), (2, 3));
    assert_eq!(lines[0]["event"], "diagnostic");
    assert_eq!((&lines[2]["event"], &lines[2]["verdict"]), (&Value::from("result"), &Value::Null));
}

#[test]
fn json_keeps_to_its_schema() {
    let verdicts = [
        ("peterson.pml", "holds", 0),
        ("two_lock_deadlock.pml", "violated", 1),
        ("alternating_bit_broken.pml", "violated", 1),
        ("needham_schroeder.pml", "violated", 1),
        ("philosophers_waiter.pml", "holds", 0),
    ];
    for (name, verdict, code) in verdicts {
        let answer = weave(&["check", "--json", &model(name)]);
        let result = valid(&answer).pop().unwrap();
        assert_eq!((answer.code, result["verdict"].as_str()), (code, Some(verdict)), "{name}");
        assert_eq!(result["exit_code"], code);
        let sum = result["states"].as_u64().unwrap() + result["matched"].as_u64().unwrap();
        assert_eq!(result["transitions"].as_u64(), Some(sum), "{name}");
    }
    let limited = weave(&["check", "--json", "--max-states", "10", &model("bakery.pml")]);
    assert_eq!(valid(&limited).pop().unwrap()["verdict"], "unknown");
}

/// What is not violated is unknown, with an estimate of what was missed; a violation is certified.
#[test]
fn lossy_stores_decide_violations_alone() {
    for how in [&["--store", "compact"][..], &["--store", "bitstate:1M"], &["--swarm", "4"]] {
        let ask = |name: &str| {
            let file = model(name);
            let asked = [&["check", "--json", "--max-memory", "400M"], how, &[&file]].concat();
            let answer = weave(&asked);
            (answer.code, valid(&answer).pop().unwrap())
        };
        let (code, held) = ask("peterson.pml");
        assert_eq!((code, held["verdict"].as_str(), &held["exhausted"]), (3, Some("unknown"), &false.into()));
        assert!(held["reason"].as_str().unwrap().contains("taken for others"), "{held}");
        let losses = &held["losses"];
        assert!(losses["missed"].as_f64().unwrap() < 0.1, "{losses}");
        assert_eq!(losses["searches"], if how[0] == "--swarm" { 4 } else { 1 });
        let (code, broken) = ask("philosophers_deadlock.pml");
        assert_eq!((code, broken["verdict"].as_str()), (1, Some("violated")));
    }
    let exact = weave(&["check", "--json", &model("peterson.pml")]);
    assert_eq!(valid(&exact).pop().unwrap()["losses"], Value::Null);
}

#[test]
fn an_audit_finds_nothing_and_says_what_it_tried() {
    let answer = weave(&["check", "--audit=50", "--json", &model("philosophers_deadlock.pml")]);
    let result = valid(&answer).pop().unwrap();
    assert_eq!((answer.code, result["complaints"].as_array().map(Vec::len)), (0, Some(0)));
    let raw = &result["modes"][0];
    assert_eq!(
        (raw["mode"].as_str(), raw["states"].as_u64(), raw["sampled"].as_u64()),
        (Some("raw"), Some(160), Some(50))
    );
    assert!(raw["pairs"].as_u64() > Some(100) && raw["sets"].as_u64() > Some(20), "{raw}");
    let refused = weave(&["check", "--audit", &model("micro/micro_priority.pml")]);
    assert_eq!(refused.code, 0);
    assert!(
        refused.stdout.starts_with("AUDIT  nothing to audit: the model uses priorities"),
        "{}",
        refused.stdout
    );
}

#[test]
fn raw_counts_are_spins() {
    let answer = weave(&[
        "check",
        "--raw",
        "--reduction",
        "none",
        "--keep-going",
        "--json",
        &model("philosophers_deadlock.pml"),
    ]);
    let result = valid(&answer).pop().unwrap();
    let numbers = ["states", "transitions", "matched"].map(|key| result[key].as_u64().unwrap());
    assert_eq!(numbers, [160, 441, 281]);
    assert_eq!(result["exhausted"], true);
}

#[test]
fn definitions_change_the_model() {
    let states = |n: &str| {
        let define = format!("N={n}");
        let file = model("philosophers_asymmetric.pml");
        let answer = weave(&["check", "--json", "-D", &define, &file]);
        let result = result(&answer);
        assert_eq!(result["reproduce"], format!("weave check -D {define} {file}"));
        result["states"].as_u64().unwrap()
    };
    assert!(states("2") < states("3"));
}

#[test]
fn the_same_request_gives_the_same_answer() {
    let timeless = |text: &str| -> String {
        text.lines().filter(|l| !l.contains(" states/s")).map(|l| format!("{l}\n")).collect()
    };
    for name in ["needham_schroeder.pml", "bakery.pml", "two_phase_commit_crash.pml"] {
        let ask =
            || weave(&["check", "--threads", "1", "--seed", "5", "--keep-going", "--full", &model(name)]);
        assert_eq!(timeless(&ask().stdout), timeless(&ask().stdout), "{name}");
        let json = || {
            let mut result = result(&weave(&["check", "--threads", "1", "--json", &model(name)]));
            for key in ["seconds", "states_per_second", "memory_bytes", "bytes_per_state"] {
                result[key] = Value::Null;
            }
            result.to_string()
        };
        assert_eq!(json(), json(), "{name}");
    }
    let simulate =
        || weave(&["simulate", "--seed", "9", "--steps", "30", &model("alternating_bit.pml")]).stdout;
    assert_eq!(simulate(), simulate());
}

#[test]
fn a_trace_is_written_replayed_and_refused_when_the_model_changes() {
    let folder = Folder::new("trace");
    let text = std::fs::read_to_string(model("needham_schroeder.pml")).unwrap();
    let copy = folder.write("model.pml", &text);
    let trace = folder.path("bug.trace");
    assert_eq!(weave(&["check", "--quiet", "--trace", &trace, &copy]).code, 1);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
    support::validate("trace-v2.schema.json", &written);
    let replayed = weave(&["replay", &trace]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.first_line().ends_with("ends with: assertion violated"), "{}", replayed.stdout);
    assert!(replayed.stdout.contains("net!m3,bob,nb,none"));
    let state = weave(&["replay", "--step", "2", &trace]);
    assert!(state.stdout.contains("alice_calls "), "{}", state.stdout);
    assert_eq!(weave(&["replay", "--step", "999", &trace]).code, 2);
    assert_eq!(valid(&weave(&["replay", "--json", &trace])).len(), 1);
    let guided = weave(&["simulate", "--guide", &trace, "--steps", "0", &copy]);
    assert_eq!(guided.code, 1, "{guided:?}");
    folder.write("model.pml", &format!("{text}\n/* changed */\n"));
    let refused = weave(&["replay", &trace]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("recorded on another version"), "{}", refused.stderr);
}

#[test]
fn interactive_simulation_can_be_scripted() {
    let folder = Folder::new("interactive");
    let file =
        folder.write("two.pml", "byte x;\nactive [2] proctype P() {\n  x = x + 1;\n  assert(x == 1)\n}\n");
    let script = "1\ns\n2\nb\nj 0\n7\nfoo\nr 20\nt\nq\n";
    let answer = weave_with_input(&["simulate", "--interactive", &file], script);
    assert_eq!(answer.code, 0, "{answer:?}");
    let expected = "\
After step 0; choose a step (? for help):
   1  P[0]  line 3  x = x + 1
   2  P[1]  line 3  x = x + 1
      x 0 -> 1
After step 1; choose a step (? for help):
   1  P[0]  line 4  assert(x == 1)
   2  P[1]  line 3  x = x + 1
  x = 1
      x 1 -> 2
After step 2; choose a step (? for help):
   1  P[0]  line 4  assert(x == 1)   !! assertion violated
   2  P[1]  line 4  assert(x == 1)   !! assertion violated
      x 0 -> 1
After step 1; choose a step (? for help):
   1  P[0]  line 4  assert(x == 1)
   2  P[1]  line 3  x = x + 1
After step 0; choose a step (? for help):
   1  P[0]  line 3  x = x + 1
   2  P[1]  line 3  x = x + 1
There is no step 7.
I do not understand `foo`. Commands:
";
    assert!(answer.stdout.starts_with(expected), "{}", answer.stdout);
}

#[test]
fn a_random_simulation_that_goes_wrong_ends_with_1() {
    let folder = Folder::new("simulate");
    let file = folder
        .write("wrong.pml", "active proctype P() {\n  printf(\"hello %d\\n\", 3);\n  assert(false)\n}\n");
    let answer = weave(&["simulate", "--steps", "5", &file]);
    assert_eq!(answer.code, 1);
    assert!(answer.stdout.contains("prints \"hello 3\\n\""), "{}", answer.stdout);
    assert_eq!(valid(&weave(&["simulate", "--json", &file])).len(), 1);
}

#[test]
fn an_interrupt_ends_cleanly_with_the_numbers_so_far() {
    let folder = Folder::new("interrupt");
    let endless = folder.write("endless.pml", ENDLESS);
    let answer = support::interrupted(&["check", "--json", &endless], Duration::from_millis(500));
    assert_eq!(answer.code, 130, "{answer:?}");
    let result = valid(&answer).pop().unwrap();
    assert_eq!(
        (&result["interrupted"], &result["reason"]),
        (&Value::from(true), &Value::from("interrupted"))
    );
    assert!(result["states"].as_u64().unwrap() > 0);
    let failing = folder.write("failing.pml", &format!("{ENDLESS}active proctype Q() {{ assert(false) }}\n"));
    let answer = support::interrupted(&["check", "--keep-going", &failing], Duration::from_millis(500));
    assert_eq!(answer.code, 1, "a violation outlives an interrupt: {answer:?}");
}

#[test]
fn keep_going_finds_more_than_one() {
    let folder = Folder::new("keep");
    let text = "byte x;\nactive [2] proctype P() {\n  x = x + 1;\n  assert(x == 1);\n  assert(x != 2)\n}\n";
    let file = folder.write("several.pml", text);
    let result = result(&weave(&["check", "--keep-going", "--json", &file]));
    assert_eq!(result["exhausted"], true);
    assert!(result["violations"].as_array().unwrap().len() >= 2, "{result}");
    assert!(result["errors"]["assertion"].as_u64().unwrap() >= 2);
    let human = weave(&["check", "--keep-going", &file]);
    assert!(human.stdout.contains(" more violation"), "{}", human.stdout);
}

#[test]
fn unreached_code_is_listed_with_its_lines() {
    let folder = Folder::new("unreached");
    let file = folder.write(
        "dead.pml",
        "byte x;\nactive proctype P() {\n  if\n  :: x == 0 -> skip\n  :: x == 5 -> x = 7\n  fi\n}\n",
    );
    let answer = weave(&["check", &file]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.stdout.contains("unreached: ") && answer.stdout.contains("x = 7"), "{}", answer.stdout);
    let result = result(&weave(&["check", "--json", &file]));
    let unreached = result["unreached"].as_array().unwrap();
    assert!(unreached.iter().any(|u| u["location"]["line"] == 5 && u["statement"] == "x = 7"), "{result}");
}

#[test]
fn help_doctor_and_completions_work() {
    for request in
        [&["--help"][..], &["check", "--help"], &["simulate", "--help"], &["--version"], &["doctor"]]
    {
        assert_eq!(weave(request).code, 0, "{request:?}");
    }
    let help = weave(&["--help"]).stdout;
    assert!(["check", "run", "prove"].iter().all(|c| help.contains(&format!("\n  {c}"))), "{help}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = weave(&["completions", shell]);
        assert!(script.code == 0 && script.stdout.contains("keep-going"), "{shell}");
    }
    assert!(weave(&["explain", "deadlock"]).stdout.contains("invalid end state"));
}

#[test]
fn includes_are_found_beside_the_model() {
    let folder = Folder::new("include");
    folder.write("common.h", "byte shared = 3;\n");
    let file =
        folder.write("main.pml", "#include \"common.h\"\nactive proctype P() { assert(shared == 3) }\n");
    assert_eq!(weave(&["check", &file]).code, 0);
}

#[test]
fn a_false_channel_assertion_is_a_warning() {
    let broken = model("micro/micro_chan_exclusive_false.pml");
    let answer = weave(&["check", &broken]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.stderr.contains("warning[exclusive]: this `xs` is false"), "{}", answer.stderr);
    assert_eq!(valid(&weave(&["check", "--json", &broken])).len(), 2);
    let kept = weave(&["check", &model("micro/micro_chan_exclusive.pml")]);
    assert!(kept.code == 0 && kept.stderr.is_empty(), "{kept:?}");
}

#[test]
fn diff_spin_agrees_or_says_what_is_missing() {
    let answer = weave(&["diff-spin", &model("philosophers_deadlock.pml")]);
    let installed = support::installed("spin") && support::installed("gcc");
    if installed {
        assert_eq!(
            (answer.code, answer.first_line()),
            (0, "AGREE: same states, transitions and kinds of error")
        );
        let json = weave(&["diff-spin", "--json", &model("philosophers_deadlock.pml")]);
        assert_eq!(valid(&json).pop().unwrap()["spin"]["states"], 160);
    } else {
        assert_eq!(answer.code, 2);
        assert!(answer.stderr.contains("is not installed"), "{}", answer.stderr);
    }
}

/// More states than any machine holds.
const ENDLESS: &str = "active [6] proctype P() {\n  int x;\n  do\n  :: x >= 0 -> x++\n  od\n}\n";

/// Every path apart would be 2 to the 200.
#[test]
fn paths_that_meet_inside_atomic_are_followed_as_one_and_everything_is_reached() {
    let file = model("regress/atomic_paths_meet.pml");
    for arguments in [vec!["-D", "N=200"], vec![], vec!["--raw"]] {
        let answer = weave(&[&["check", "--json"], &arguments[..], &[&file]].concat());
        let result = result(&answer);
        assert_eq!((answer.code, result["verdict"].as_str()), (0, Some("holds")), "{result}");
        assert_eq!(result["unreached"].as_array().map(Vec::len), Some(0), "{result}");
    }
}

/// A word such as `deadlock` asks for a formula of that name, too; two of one name and kind are
/// refused.
#[test]
fn names_of_properties_do_not_hide_others() {
    let folder = Folder::new("names");
    let text = "byte x; active proctype A() { do :: x = 1 - x od; progress: skip }\n";
    let formulas = "ltl safety { [] (x == 0) }\nltl deadlock { [] (x == 0) }\nltl progress { [] (x < 5) }\n";
    let file = folder.write("names.pml", &format!("{text}{formulas}"));
    for word in ["safety", "deadlock", "progress"] {
        let answer = weave(&["check", "--json", "--property", word, &file]);
        assert_eq!(result(&answer)["verdict"], "violated", "{word}: {answer:?}");
    }
    let file = folder.write("formula.pml", &format!("{text}ltl formula {{ [] (x < 5) }}\n"));
    let answer = weave(&["check", "--ltl", "[] (x == 0)", &file]);
    assert!(answer.code == 2 && answer.stderr.contains("called `formula`"), "{answer:?}");
}

/// Code that no control path leads to is unreached; a model is never overwritten by a trace.
#[test]
fn detached_code_is_unreached_and_models_stay() {
    let folder = Folder::new("detached");
    let text = "byte x; active proctype P() { do :: x = 1 - x :: assert(x < 1) od; x = 3 }\n";
    let file = folder.write("detached.pml", text);
    let answer = result(&weave(&["check", "--json", "--property", "deadlock", &file]));
    assert_eq!(answer["unreached"][0]["statement"], "x = 3", "{answer}");
    let answer = weave(&["check", "--trace", &file, &file]);
    assert!(answer.code == 1 && answer.stderr.contains("left as it is"), "{answer:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}
