//! Models under the engines of relations: `weave check --engine symbolic` and `weave prove`.

mod support;

use support::{Folder, model, result, weave};

/// A violation that sets of states or a proof found is a run of the model: it is recorded and
/// replayed.
#[test]
fn violations_are_runs_of_the_model() {
    let folder = Folder::new("relational-runs");
    let ways: [(&[&str], &str); 4] = [
        (&["check", "--engine", "symbolic"], "hyman.pml"),
        (&["check", "--engine", "symbolic"], "philosophers_deadlock.pml"),
        (&["check", "--engine", "symbolic"], "alternating_bit_ltl.pml"),
        (&["prove", "--property", "assertion"], "hyman.pml"),
    ];
    for (way, file) in ways {
        let (trace, file) = (folder.path("run.trace"), model(file));
        let answer = weave(&[way, &["--trace", &trace, &file]].concat());
        assert_eq!(answer.code, 1, "{way:?} {file}: {answer:?}");
        let reported = weave(&[way, &["--json", &file]].concat());
        assert_eq!((reported.code, support::valid(&reported).is_empty()), (1, false), "{way:?} {file}");
        let replayed = weave(&["replay", &trace]);
        assert_eq!(replayed.code, 0, "{way:?} {file}: {replayed:?}");
    }
}

/// What has no exact translation is unknown, with the line.
#[test]
fn refusals_are_unknown() {
    let folder = Folder::new("relational-refused");
    let enabled = folder.write("e.pml", "byte x;\nactive proctype P() {\n  enabled(0) -> x = 1\n}\n");
    let ranked = folder.write("p.pml", "active proctype P() priority 2 { skip }\n");
    let cases =
        [(&enabled, "enabled() is not translated (line 3)"), (&ranked, "priorities are not translated")];
    for (file, why) in cases {
        for way in [&["check", "--engine", "symbolic"][..], &["prove"]] {
            let answer = weave(&[way, &["--json", file]].concat());
            assert_eq!(answer.code, 3, "{way:?}: {answer:?}");
            assert_eq!(support::valid(&answer).len(), 1);
            let reason = result(&answer)["reason"].as_str().unwrap_or("").to_owned();
            assert!(reason.contains(why), "{way:?}: {reason}");
        }
    }
}

/// Fairness, never claims and formulas that count steps are not asked of sets of states, nor
/// proved: the answer is unknown, names what is not supported, and says what does it.
#[test]
fn properties_that_a_relation_does_not_have_are_unknown() {
    let folder = Folder::new("relational-properties");
    let counts = folder.write("x.pml", "byte x;\nactive proctype P() { x = 1 }\nltl p { X (x == 1) }\n");
    let live = folder.write("l.pml", "byte x;\nactive proctype P() { x = 1 }\nltl p { <> (x == 1) }\n");
    let never = model("never_claim.pml");
    let symbolic = ["check", "--engine", "symbolic"];
    let cases: [(&[&str], &str, &str); 5] = [
        (&symbolic, &never, "never claims of models: leave out --engine"),
        (&["check", "--engine", "symbolic", "--fairness", "weak"], &live, "fairness between the processes"),
        (&symbolic, &counts, "formulas that count steps, with X: leave out --engine"),
        (&["prove"], &never, "only safety and formulas [] p are proved of models: use weave check"),
        (&["prove"], &live, "only safety and formulas [] p are proved of models: use weave check"),
    ];
    for (way, file, why) in cases {
        let answer = result(&weave(&[way, &["--keep-going", "--json", file]].concat()));
        let properties = answer["properties"].as_array().unwrap();
        let unknown = |p: &serde_json::Value| {
            p["verdict"] == "unknown" && p["reason"].as_str().is_some_and(|reason| reason.contains(why))
        };
        assert!(properties.iter().any(unknown), "{way:?} {file}: {answer}");
    }
}

/// Options that mean nothing there, and files that are no part of a model, are refused.
#[test]
fn what_means_nothing_is_refused() {
    let file = model("peterson.pml");
    let cases: [&[&str]; 3] = [
        &["check", "--engine", "symbolic", "--reduction", "sleep", &file],
        &["check", "--engine", "symbolic", "--search", "bfs", &file],
        &["prove", &file, &file],
    ];
    for arguments in cases {
        let answer = weave(arguments);
        assert_eq!(answer.code, 2, "{arguments:?}: {answer:?}");
    }
}

/// A formula is asked where an observer looks: not inside atomic sequences.
#[test]
fn formulas_do_not_see_inside_atomic_sequences() {
    let folder = Folder::new("relational-atomic");
    let text = "byte x; active proctype P() { do :: atomic { x = 1; x = 0 } od }
                ltl quiet { [] (x == 0) } ltl loud { <> (x == 1) }";
    let file = folder.write("a.pml", text);
    for way in [&["check"][..], &["check", "--engine", "symbolic"]] {
        let answer = result(&weave(&[way, &["--keep-going", "--json", &file]].concat()));
        let verdict = |name: &str| {
            let all = answer["properties"].as_array().unwrap();
            all.iter().find(|p| p["name"] == name).unwrap()["verdict"].as_str().unwrap().to_owned()
        };
        let said = (verdict("quiet"), verdict("loud"));
        assert_eq!(said, ("holds".to_owned(), "violated".to_owned()), "{way:?}: {answer}");
    }
    let answer = result(&weave(&["prove", "--property", "quiet", "--json", &file]));
    assert_eq!(answer["verdict"], "holds", "{answer}");
}
