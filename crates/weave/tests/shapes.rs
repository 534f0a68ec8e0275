//! `weave check` on `.tvm` from outside: verdicts, exit codes, refusals. The whole corpus is
//! answered in the tests of `shapes`.

mod support;

use support::{result, root, valid, weave};

fn check(model: &str, options: &[&str]) -> support::Answer {
    let file = root().join("models/shapes").join(model).to_string_lossy().into_owned();
    let mut arguments = vec!["check"];
    arguments.extend(options);
    arguments.push(&file);
    weave(&arguments)
}

#[test]
fn holds_is_for_every_number_of_threads() {
    let answer = check("mutex.tvm", &["--json", "--cross-check"]);
    let found = result(&answer);
    assert_eq!((answer.code, &found["verdict"], &found["states"]), (0, &"holds".into(), &41.into()));
    assert!(!found["assumes"].as_array().unwrap().is_empty());
}

#[test]
fn a_violation_is_a_concrete_run() {
    let answer = check("buffer_notify.tvm", &["--json"]);
    let found = result(&answer);
    assert_eq!((answer.code, &found["verdict"]), (1, &"violated".into()));
    assert_eq!(found["trace"]["steps"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_violated_constraint_is_refused() {
    let answer = check("mutex_refused.tvm", &[]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("E0920") && answer.stderr.contains("held_by"), "{}", answer.stderr);
}

/// `item(k) := 1` is about every individual, not about the new one.
#[test]
fn a_name_that_hides_an_individual_is_refused() {
    let folder = support::Folder::new("shapes-hidden");
    let model = |update: &str| {
        let action = format!("action mk {{ new k  {update} }}\n");
        let rest = "thread w when isthread { l1: mk -> l2  end l2 }\ninitial { node t: isthread, at[l1] }\n";
        folder.write("hidden.tvm", &format!("predicate isthread(t)\npredicate item(x)\n{action}{rest}"))
    };
    for hiding in ["item(k) := 1", "retain k: item(k)", "new k", "item(self) := 1"] {
        let answer = weave(&["check", &model(hiding)]);
        assert_eq!(answer.code, 2, "{hiding}");
        assert!(answer.stderr.contains("E0924"), "{hiding}: {}", answer.stderr);
    }
    assert_eq!(weave(&["check", &model("item(v) := item(v) | v == k")]).code, 0);
}

#[test]
fn json_of_violations_keeps_to_its_schema() {
    let spl = root().join("models/spl/counter_race.spl").to_string_lossy().into_owned();
    let answers = [
        check("LockOrder.java", &["--json", "--property", "lock-cycle"]),
        check("PetersonPlain.java", &["--json", "--property", "critical"]),
        check("mutex_broken.tvm", &["--json"]),
        weave(&["check", "--json", &spl]),
    ];
    for answer in answers {
        let found = valid(&answer).pop().unwrap();
        assert_eq!((answer.code, &found["verdict"]), (1, &"violated".into()), "{found}");
        assert!(!found["trace"]["steps"].as_array().unwrap().is_empty());
    }
}

#[test]
fn data_races_are_violations_or_listed() {
    let found = result(&check("PetersonPlain.java", &["--json", "--property", "critical"]));
    let race = found["properties"].as_array().unwrap().iter().find(|p| p["kind"] == "race").unwrap();
    assert_eq!((&race["name"], &race["verdict"]), (&"race".into(), &"violated".into()));
    assert_eq!(found["trace"]["ending"]["kind"], "race");
    let listed = check("PetersonPlain.java", &["--races", "list", "--property", "critical"]);
    assert!(listed.stdout.starts_with("HOLDS, with 3 data races listed: "), "{}", listed.stdout);
    assert_eq!(listed.code, 0);
    let atomic = check("mutex.tvm", &["--races", "list"]);
    assert_eq!(atomic.code, 2);
}

#[test]
fn a_race_is_replayed() {
    let folder = support::Folder::new("race");
    let trace = folder.path("race.json");
    let options = ["--property", "critical", "--trace", trace.as_str()];
    assert_eq!(check("PetersonPlain.java", &options).code, 1);
    let again = weave(&["replay", &trace]);
    assert!(again.stdout.contains("ends with a data race"), "{}", again.stdout);
}

#[test]
fn what_ends_waits_is_said() {
    let found = result(&check("SpuriousWakeup.java", &["--json"]));
    let assumes = found["assumes"].to_string();
    assert!(assumes.contains("--spurious-wakeups") && assumes.contains("--interrupts"), "{assumes}");
    assert_eq!(check("SpuriousWakeup.java", &["--spurious-wakeups"]).code, 1);
}

/// What is written besides, and naming the default, changes no answer.
#[test]
fn output_options_change_no_answer() {
    let folder = support::Folder::new("output");
    let program = "class T extends Thread { public void run() { Main.v = true; } }
class Main { static volatile boolean v; static Object o;
    public static void main(String[] a) throws Exception { new T().start(); } }";
    let (file, drawn) = (folder.write("Main.java", program), folder.path("space.dot"));
    let options: [&[&str]; 5] =
        [&[], &["--join", "partial"], &["--join", "relational"], &["--cross-check"], &["--kripke", &drawn]];
    for options in options {
        let answer = weave(&[&["check", "--json"], options, &[file.as_str()]].concat());
        assert_eq!(result(&answer)["verdict"], "holds", "{options:?}");
    }
    let dot = std::fs::read_to_string(drawn).unwrap();
    assert!(dot.contains("->"), "{dot}");
}

#[test]
fn options_without_a_meaning_are_refused() {
    let options = ["--audit", "--explain-reduction", "--engine=symbolic", "--raw", "--search=bfs"];
    let more = ["--invariant=x", "--fairness=weak", "--proviso=off", "--relation=static"];
    for option in options.into_iter().chain(more) {
        for model in ["Mutex.java", "mutex.tvm"] {
            let answer = check(model, &[option]);
            assert_eq!(answer.code, 2, "{option}: {}", answer.stdout);
            assert!(answer.stderr.contains("is not for .tvm and .java files"), "{}", answer.stderr);
        }
    }
    let listed = check("PetersonPlain.java", &["--races", "list", "--property", "race"]);
    assert_eq!(listed.code, 2, "{}", listed.stdout);
}

/// Fields have the names in formulas that they have in the text.
#[test]
fn fields_have_names_in_formulas() {
    let folder = support::Folder::new("names");
    let program = "class Main { static volatile boolean v;
    //@ inv never: !Main.v
    public static void main(String[] a) { v = true; } }";
    let file = folder.write("Main.java", program);
    let found = result(&weave(&["check", "--json", "--property", "never", &file]));
    assert_eq!(found["verdict"], "violated");
    let found = result(&weave(&["check", "--json", "--ltl", "F \"Main.v\"", &file]));
    assert_eq!(found["verdict"], "holds", "{found}");
}

#[test]
fn an_any_without_effect_is_refused() {
    let folder = support::Folder::new("any");
    let program = "class Main { static boolean v; public static void main(String[] a) {
    //@ any
    while (v) { } } }";
    let answer = weave(&["check", &folder.write("Main.java", program)]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("changes nothing"), "{}", answer.stderr);
}

/// `--ltl` takes the operators of SPIN, of STeP and the common letters, with the same meaning.
#[test]
fn formulas_of_three_syntaxes() {
    let file = root().join("models/shapes/mutex_live.tvm").to_string_lossy().into_owned();
    let atom = "\"exists t. at[l2](t)\"";
    let again = [format!("[]<> !{atom}"), format!("[]<> ~{atom}"), format!("G F !{atom}")];
    let never = [format!("[] !{atom}"), format!("[] ~{atom}"), format!("G !{atom}")];
    for (formulas, verdict) in [(again, "holds"), (never, "violated")] {
        for formula in formulas {
            let answer = weave(&["check", "--json", "--ltl", &formula, &file]);
            assert_eq!(result(&answer)["verdict"], verdict, "{formula}: {answer:?}");
        }
    }
}
