//! Why a run is a counterexample, in JSON: conditions with their values, what processes wait for,
//! formulas along the run, both sides of a race, objects. Each answer keeps to its schema.

mod support;

use serde_json::Value;
use support::{Folder, result, root, valid, weave, weave_with_input};

/// The answer about a file of the corpus.
fn answer(command: &str, file: &str, options: &[&str]) -> Value {
    let file = root().join("models").join(file).to_string_lossy().into_owned();
    let mut arguments = vec![command, "--json"];
    arguments.extend(options);
    arguments.push(&file);
    valid(&weave(&arguments)).pop().unwrap()
}

/// The texts and values of a condition and its parts, outermost first.
fn values(valued: &Value) -> Vec<String> {
    let own = format!("{} is {}", valued["text"].as_str().unwrap(), valued["value"].as_str().unwrap());
    let parts = valued["parts"].as_array().unwrap().iter().flat_map(values);
    std::iter::once(own).chain(parts).collect()
}

/// Who waits for what, and which processes have it, by their names.
fn needs(trace: &Value) -> Vec<String> {
    let name = |actor: &Value| trace["actors"][actor.as_u64().unwrap() as usize]["name"].as_str().unwrap();
    let need = |who: &Value, need: &Value| {
        let actors: Vec<&str> = need["actors"].as_array().unwrap().iter().map(name).collect();
        let (object, tie) = (need["object"].as_str().unwrap(), need["tie"].as_str().unwrap());
        format!("{} {object} {tie} {}", name(who), actors.join(" "))
    };
    let waiting = trace["waiting"].as_array().unwrap().iter();
    waiting.flat_map(|w| w["needs"].as_array().unwrap().iter().map(|n| need(&w["actor"], n))).collect()
}

fn last_step(trace: &Value) -> &Value {
    trace["steps"].as_array().unwrap().last().unwrap()
}

#[test]
fn an_assertion_has_the_parts_that_make_it_false() {
    let found = answer("check", "promela/needham_schroeder.pml", &[]);
    let why = values(&last_step(&found["trace"])["why"]);
    assert_eq!(why[0], "bob_answers != alice || alice_calls == bob is false");
    for part in ["bob_answers != alice is false", "bob_answers is alice", "alice_calls is eve"] {
        assert!(why.iter().any(|one| one == part), "{part}: {why:?}");
    }
}

/// Numbers, indices, fields, negations and conjunctions: only what decides.
#[test]
fn a_condition_is_told_as_far_as_it_decides() {
    let folder = Folder::new("why-condition");
    let text = "typedef R { byte f[3] }\nR r;\nbyte i = 2;\nbool done = true;\nactive proctype P() {\n  byte x = 7;\n  r.f[1] = 4;\n  assert(x > 3 && !done && r.f[i - 1] * 2 < x)\n}\n";
    let file = folder.write("condition.pml", text);
    let found = result(&weave(&["check", "--json", &file]));
    let why = values(&last_step(&found["trace"])["why"]);
    assert_eq!(why[1..], ["!done is false", "done is true"], "{why:?}");
    let changed = folder.write("changed.pml", &text.replace("!done", "done"));
    let found = result(&weave(&["check", "--json", &changed]));
    let why = values(&last_step(&found["trace"])["why"]);
    assert_eq!(why[1..], ["r.f[i - 1] * 2 < x is false", "r.f[i - 1] is 4", "x is 7"], "{why:?}");
}

#[test]
fn blocked_processes_say_whom_they_wait_for() {
    let found = answer("check", "promela/two_lock_deadlock.pml", &["--search", "bfs"]);
    assert_eq!(needs(&found["trace"]), ["Left b changed Right", "Right a changed Left"]);
    // What only the blocked process has changed, another could change, or none.
    let lost = answer("check", "promela/lost_wakeup.pml", &["--property", "deadlock"]);
    assert_eq!(needs(&lost["trace"]), ["Waiter asleep could "], "{lost:#}");
}

/// Two processes that each want to receive what the other would send later.
#[test]
fn who_waits_for_a_message_waits_for_its_senders() {
    let folder = Folder::new("why-channel");
    let text = "chan a = [1] of { byte }, b = [1] of { byte };\nactive proctype P() { a?_; b!1 }\nactive proctype Q() { b?_; a!1 }\n";
    let found = result(&weave(&["check", "--json", &folder.write("channel.pml", text)]));
    assert_eq!(needs(&found["trace"]), ["P a could Q", "Q b could P"]);
}

/// Both lock in turn: two steps of the one, then of the other.
#[test]
fn a_simulated_deadlock_says_it_too() {
    let model = support::model("two_lock_deadlock.pml");
    let choices = ["1", "2"].map(|first| {
        let said =
            weave_with_input(&["simulate", "--interactive", "--json", &model], &format!("{first}\n1\n"));
        valid(&said).pop().unwrap()
    });
    let waiting = choices.iter().map(|run| run["trace"]["waiting"].as_array().unwrap().len());
    assert_eq!(waiting.collect::<Vec<_>>(), [2, 2]);
    let recorded = Folder::new("why-simulated");
    let trace = recorded.path("deadlock.trace");
    assert_eq!(weave(&["check", "--search", "bfs", "--trace", &trace, &model]).code, 1);
    let said = weave_with_input(&["simulate", "--interactive", "--json", "--guide", &trace, &model], "");
    let run = valid(&said).pop().unwrap();
    assert_eq!(run["trace"]["ending"]["kind"], "deadlock", "{run:#}");
    assert_eq!(needs(&run["trace"]).len(), 2);
}

#[test]
fn threads_wait_for_who_holds_a_mutex() {
    let found = answer("run", "programs/philosophers_mutex.c", &[]);
    let needs = needs(&found["trace"]);
    let held = needs.iter().filter(|need| need.contains("forks") && need.contains(" holds thread"));
    assert_eq!(held.count(), 3, "{needs:?}");
    let waiting = found["trace"]["waiting"].as_array().unwrap();
    let mut all = waiting.iter().flat_map(|one| one["needs"].as_array().unwrap());
    assert!(
        all.any(|need| need["what"] == "end" && need["object"] == "thread 1"),
        "the first joins: {needs:?}"
    );
}

#[test]
fn processes_wait_for_who_took_a_semaphore() {
    let found = answer("run", "programs/philosophers_sysv.c", &[]);
    let needs = needs(&found["trace"]);
    assert_eq!(
        needs.iter().filter(|need| need.contains("semaphore") && need.contains(" changed ")).count(),
        2
    );
}

#[test]
fn a_formula_is_told_along_the_run() {
    let folder = Folder::new("why-formula");
    let text = "bool p;\nactive proctype P() { do :: p = true :: p = false od }\nltl settles { <> [] p }\n";
    let found = result(&weave(&["check", "--json", &folder.write("formula.pml", text)]));
    support::validate("weave-v1.schema.json", &found);
    let (steps, course) =
        (found["trace"]["steps"].as_array().unwrap().len(), &found["violations"][0]["course"]);
    let texts: Vec<&str> =
        course.as_array().unwrap().iter().map(|row| row["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["<> [] p", "[] p", "p"]);
    for row in course.as_array().unwrap() {
        assert_eq!(row["truth"].as_str().unwrap().len(), steps + 1);
    }
    assert!(course[0]["truth"].as_str().unwrap().bytes().all(|letter| letter == b'0'));
}

#[test]
fn an_invariant_of_spl_has_its_values_at_the_end() {
    let found = answer("check", "spl/counter_race.spl", &[]);
    let at_end = found["violations"][0]["at_end"].as_array().unwrap();
    assert!(!at_end.is_empty() && values(&at_end[0])[0].ends_with(" is false"), "{at_end:?}");
    assert!(values(&at_end[0]).len() > 1, "{at_end:?}");
    let element = answer("check", "spl/array_choices.fts", &["--property", "low"]);
    let at_end = &element["violations"][0]["at_end"][0];
    assert_eq!(values(at_end), ["a[2] <= 1 is false", "a[2] is 2"]);
}

#[test]
fn both_sides_of_a_race_are_data() {
    let found = answer("run", "programs/race_counter.c", &[]);
    let race = found["trace"]["race"].as_array().unwrap();
    assert_eq!(race.len(), 2);
    for side in race {
        assert_eq!((&side["object"], &side["stack"][0]["function"]), (&"count".into(), &"worker".into()));
        assert_eq!(side["stack"][0]["line"], 12);
    }
    let java = answer("check", "shapes/MutexBroken.java", &["--property", "race"]);
    let sides = java["trace"]["race"].as_array().map(Vec::len);
    assert_eq!(sides, Some(2), "{:#}", java["trace"]["ending"]);
}

#[test]
fn java_has_objects_in_every_state() {
    let found = answer("check", "shapes/BrokenStack.java", &["--property", "error"]);
    let trace = &found["trace"];
    let heaps = trace["heaps"].as_array().unwrap();
    assert_eq!(heaps.len(), trace["steps"].as_array().unwrap().len() + 1);
    let last = heaps.last().unwrap();
    assert!(last["nodes"].as_array().unwrap().iter().any(|node| node["thread"] == true));
    let mut edges = heaps.iter().flat_map(|heap| heap["edges"].as_array().unwrap());
    assert!(edges.any(|edge| edge["name"] == "top"), "{last:#}");
    let lock = answer("check", "shapes/LockOrder.java", &["--property", "lock-cycle"]);
    assert!(lock["trace"]["heaps"].as_array().unwrap().len() > 1);
}

/// Where only an abstract run is known, its states are told; a summary node may stand for several.
#[test]
fn a_candidate_has_abstract_states() {
    let found = answer("check", "shapes/mutex_created_unfair.tvm", &[]);
    let open = found["properties"].as_array().unwrap().iter().find(|p| p["verdict"] == "unknown").unwrap();
    let states = open["candidate"]["states"].as_array().unwrap();
    assert_eq!(states[0]["title"], "initial");
    let nodes = states.iter().flat_map(|state| state["heap"]["nodes"].as_array().unwrap());
    assert!(nodes.into_iter().any(|node| node["summary"] == true), "{states:?}");
}
