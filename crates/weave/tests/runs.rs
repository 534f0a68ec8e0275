//! One run of every kind of file: simulated, guided, recorded, replayed; recordings of version 1;
//! damaged ones.

mod support;

use serde_json::{Value, json};
use support::{Folder, result, root, valid, validate, weave, weave_with_input};

/// A file of each kind, and where it can be executed.
const KINDS: [&str; 6] = [
    "promela/alternating_bit.pml",
    "spl/counter_race.spl",
    "spl/justice.fts",
    "shapes/buffer_notify.tvm",
    "shapes/MutexBroken.java",
    "programs/philosophers_sysv.c",
];

fn model(name: &str) -> String {
    root().join("models").join(name).to_string_lossy().into_owned()
}

fn old(name: &str) -> String {
    let folder = root().join("crates/weave/tests/traces/v1");
    folder.join(name).to_string_lossy().into_owned()
}

fn json_of(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The steps of a run, without what a random choice is no part of.
fn steps(value: &Value) -> &Value {
    &value["trace"]["steps"]
}

#[test]
fn every_kind_is_simulated_recorded_replayed_and_followed() {
    for name in KINDS {
        let folder = Folder::new(&format!("runs-{}", name.replace(['/', '.'], "-")));
        let (file, trace) = (model(name), folder.path("run.trace"));
        let random = ["simulate", "--json", "--seed", "5", "--steps", "6", "--trace", &trace, &file];
        let first = weave(&random);
        assert!(first.code < 2, "{name}: {first:?}");
        let first = valid(&first).pop().unwrap();
        assert!(!steps(&first).as_array().unwrap().is_empty(), "{name}: {first}");
        assert_eq!(steps(&valid(&weave(&random)).pop().unwrap()), steps(&first), "{name}: the same seed");
        let written = json_of(&trace);
        validate("trace-v2.schema.json", &written);
        assert_eq!(written["steps"].as_array().unwrap().len(), steps(&first).as_array().unwrap().len());

        let again = weave(&["replay", "--json", &trace]);
        assert_eq!(again.code, 0, "{name}: {again:?}");
        let again = valid(&again).pop().unwrap();
        assert_eq!(again["trace"], first["trace"], "{name}");
        let state = weave(&["replay", "--step", "1", &trace]);
        assert_eq!(state.code, 0, "{name}: {state:?}");
        assert_eq!(weave(&["replay", "--step", "999", &trace]).code, 2, "{name}");

        let guided = weave(&["simulate", "--json", "--guide", &trace, "--steps", "0", &file]);
        assert_eq!(steps(&result(&guided)), steps(&first), "{name}");
        let chosen =
            weave_with_input(&["simulate", "--interactive", &file], "1\nw\ns\nt\nc\nb\ni 1\nj 9\nq\n");
        assert_eq!(chosen.code, 0, "{name}: {chosen:?}");
        for part in ["After step 0; choose a step", "After step 1", "there is no step 9"] {
            assert!(chosen.stdout.contains(part), "{name}: {part}\n{}", chosen.stdout);
        }
    }
}

#[test]
fn recordings_of_version_1_are_read() {
    for (name, first_line) in [
        ("lost_wakeup.trace", "The run of 5 steps ends in a deadlock"),
        ("needham_schroeder.trace", "The run of 23 steps ends with: assertion violated"),
        ("counter_race.trace", "The run of 4 steps could go on"),
        ("mux_sem_check.trace", "The run of 5 steps repeats from step 2 on"),
        ("justice.trace", "The run of 2 steps repeats from step 1 on"),
        ("buffer_notify.trace", "The run of 7 steps ends in a deadlock"),
        ("mutex_never_taken.trace", "The run of 6 steps repeats from step 3 on"),
        ("MutexBroken.trace", "The run of 14 steps could go on"),
        ("PetersonPlain.trace", "The run of 9 steps ends with a data race"),
        (
            "philosophers_sysv.trace",
            "The run of 2 steps ends with: deadlock: process 0 waits at line 21 for `semop set 1, 0-1`, \
             process 1 waits at line 21 for `semop set 1, 1-1`",
        ),
    ] {
        assert_eq!(json_of(&old(name))["version"], 1);
        let answer = weave(&["replay", &old(name)]);
        assert_eq!((answer.code, answer.first_line()), (0, first_line), "{answer:?}");
        let answer = weave(&["replay", "--json", &old(name)]);
        let shown = steps(valid(&answer).last().unwrap()).as_array().map(Vec::len);
        assert_eq!(shown, json_of(&old(name))["steps"].as_array().map(Vec::len), "{name}");
    }
}

/// Each file that was changed is refused with a reason, and never executed as something else.
#[test]
fn damaged_recordings_are_refused() {
    let folder = Folder::new("damaged");
    for name in
        ["lost_wakeup", "counter_race", "justice", "buffer_notify", "MutexBroken", "philosophers_sysv"]
    {
        let text = std::fs::read_to_string(old(&format!("{name}.trace"))).unwrap();
        let good: Value = serde_json::from_str(&text).unwrap();
        let file = good["model"]["file"].as_str().or(good["program"].as_str()).unwrap();
        let of = old(file);
        let try_it = |what: &str, text: &str| {
            let path = folder.write("bad.trace", text);
            let answer = weave(&["replay", "--model", &of, &path]);
            assert_eq!(answer.code, 2, "{name}, {what}: {answer:?}");
            assert!(answer.stderr.starts_with("weave: "), "{name}, {what}: {answer:?}");
        };
        try_it("cut off", &text[..text.len() / 2]);
        let edited = |what: &str, edit: &dyn Fn(&mut Value)| {
            let mut bad = good.clone();
            edit(&mut bad);
            try_it(what, &bad.to_string());
        };
        let program = good["program"].is_string();
        let (who, path) = if program { ("thread", "outcome") } else { ("process", "transitions") };
        let nonsense = if program { json!(12345) } else { json!([12345, 6, 7]) };
        edited("another version", &|v| v["version"] = json!(99));
        edited("another format", &|v| v["format"] = json!("itf"));
        edited("no steps", &|v| v["steps"] = json!("none"));
        edited("a step that is none", &|v| v["steps"][0] = json!({}));
        edited("a step that is not enabled", &|v| v["steps"][0][path] = nonsense.clone());
        edited("numbers that are none", &|v| v["steps"][0][who] = json!(-1));
        edited("another actor", &|v| v["steps"][0][who] = json!(u64::MAX));
        edited("large numbers", &|v| v["steps"][0][path] = json!([u64::MAX]));
        if !program {
            edited("another end", &|v| v["ending"] = json!({"kind": "lasso", "loop_start": 77}));
            edited("another text", &|v| v["model"]["fingerprint"] = json!("fnv1a64:0"));
            let answer =
                weave(&["replay", "--model", &model("promela/peterson.pml"), &old(&format!("{name}.trace"))]);
            assert_eq!(answer.code, 2, "{name}: {answer:?}");
        }
    }
}

#[test]
fn a_structure_that_is_none_of_the_model_is_refused() {
    let folder = Folder::new("structure");
    let mut bad = json_of(&old("buffer_notify.trace"));
    for start in ["", "x", "99", "2; at[nowhere](0)", "2; at[nowhere](7)", "1; a(0,0,0)"] {
        bad["start"] = json!(start);
        let path = folder.write("bad.trace", &bad.to_string());
        let answer = weave(&["replay", "--model", &old("buffer_notify.tvm"), &path]);
        assert_eq!(answer.code, 2, "{start}: {answer:?}");
    }
}

/// A state of the model is no beginning unless it is an initial one.
#[test]
fn a_run_begins_in_an_initial_state() {
    let folder = Folder::new("start");
    let file = folder.write("G.java", FLAG);
    let path = folder.path("g.trace");
    assert_eq!(weave(&["simulate", "--steps", "1", "--trace", &path, &file]).code, 0);
    let good = json_of(&path);
    let start = good["start"].as_str().unwrap();
    let replayed = |start: &str| {
        let mut recording = good.clone();
        recording["start"] = json!(start);
        let path = folder.write("bad.trace", &recording.to_string());
        weave(&["replay", "--model", &file, &path])
    };
    assert_eq!(replayed(start).code, 0);
    let (fewer, _) = start.rsplit_once("; ").unwrap();
    for start in [&format!("{start}; G.w()"), fewer] {
        let answer = replayed(start);
        assert_eq!(answer.code, 2, "{start}: {answer:?}");
        assert!(answer.stderr.contains("no such initial state"), "{start}: {answer:?}");
    }
}

/// Its assertion fails only if the field were true at the beginning.
const FLAG: &str = "class G {
  static volatile boolean w;
  public static void main(String[] a) { assert !w; }
}
";

#[test]
fn initial_states_are_chosen() {
    let file = model("shapes/mutex.tvm");
    let answer = weave_with_input(&["simulate", "--interactive", &file], "i 2\ni 999\nq\n");
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.stdout.contains(" initial states; i N begins in another"), "{}", answer.stdout);
    assert!(answer.stdout.contains("There are "), "{}", answer.stdout);
}
