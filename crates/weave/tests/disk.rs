//! `--store disk:DIR`: the answer is that of a search in memory, also after kills, interrupts and
//! full disks; what cannot be gone on from is refused and left alone.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use support::{Answer, Folder, interrupted, model, result, spent, valid, weave};

/// Counters that go round, in states of more than 60 bytes.
fn counters(folder: &Folder, bound: u32) -> String {
    let text = format!(
        "byte c[64];\nactive [4] proctype P() {{ do :: c[15 * _pid] = (c[15 * _pid] + 1) % {bound} od }}\n"
    );
    folder.write("counters.pml", &text)
}

/// What a search in memory counts.
fn expected(file: &str) -> [Value; 4] {
    counts(&result(&weave(&["check", "--json", "--raw", "--search", "bfs", "--threads", "1", file])))
}

fn counts(result: &Value) -> [Value; 4] {
    ["verdict", "states", "transitions", "depth"].map(|key| result[key].clone())
}

fn words<'a>(store: &'a str, more: &[&'a str], file: &'a str) -> Vec<&'a str> {
    let mut words = vec!["check", "--json", "--raw", "--store", store, "--checkpoint", "20ms"];
    words.extend(more);
    words.push(file);
    words
}

fn store(folder: &Folder) -> String {
    format!("disk:{}", folder.path("states"))
}

fn start(words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weave"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills it when it has computed for a while; whether it had not ended before.
fn killed(words: &[&str], after: Duration) -> bool {
    let mut child = start(words);
    while spent(child.id()) < after && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(3));
    }
    let alive = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    alive
}

fn is_there(folder: &Folder) -> bool {
    Path::new(&folder.path("states")).exists()
}

/// As often as `WEAVE_KILLS` says, for a long run by hand.
#[test]
#[allow(clippy::print_stdout, reason = "long runs are counted")]
fn kills_change_nothing() {
    let folder = Folder::new("disk-kills");
    let (file, store) = (counters(&folder, 16), store(&folder));
    let expected = expected(&file);
    let wanted: u64 = std::env::var("WEAVE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let words = words(&store, &["--max-memory", "60M"], &file);
    let (mut kills, mut resumed, mut round) = (0, 0, 0);
    while kills < wanted {
        round += 1;
        // Up to a moment that is drawn, in steps that no period divides.
        let after = Duration::from_millis(20 + round * 97 % 431);
        if killed(&words, after) {
            kills += 1;
        }
        if round % 4 == 0 {
            let answer = weave(&words);
            let last = result(&answer);
            assert_eq!((answer.code, counts(&last)), (0, expected.clone()), "{answer:?}");
            resumed += u64::from(last["disk"]["resumed"].is_u64());
            assert!(!is_there(&folder), "after {kills} kills something is left behind");
        }
    }
    let answer = weave(&words);
    assert_eq!(counts(&result(&answer)), expected, "{answer:?}");
    assert!(!is_there(&folder) && resumed > 0, "{kills} kills, {resumed} went on");
    println!("{kills} kills in {round} rounds, {resumed} whole searches went on from a checkpoint");
}

#[test]
fn an_interrupt_and_a_limit_leave_a_checkpoint() {
    let folder = Folder::new("disk-interrupt");
    let (file, store) = (counters(&folder, 24), store(&folder));
    let expected = expected(&file);
    let plain = words(&store, &[], &file);
    let answer = interrupted(&plain, Duration::from_millis(250));
    let last = valid(&answer).pop().unwrap();
    assert_eq!((answer.code, &last["interrupted"]), (130, &Value::from(true)), "{answer:?}");
    assert_eq!(last["disk"]["checkpoint"], true, "{last}");
    // A machine may be fast or slow: two levels more than it has come to.
    let depth = last["depth"].as_u64().unwrap() + 2;
    let bound = depth.to_string();
    let limited = words(&store, &["--max-depth", &bound], &file);
    let last = valid(&weave(&limited)).pop().unwrap();
    assert_eq!((&last["verdict"], &last["depth"]), (&Value::from("unknown"), &Value::from(depth)));
    assert_eq!(last["disk"]["checkpoint"], true, "{last}");
    let last = valid(&weave(&plain)).pop().unwrap();
    assert_eq!(counts(&last), expected);
    assert!(last["disk"]["resumed"].as_u64().unwrap() > 0 && last["disk"]["checkpoint"] == false, "{last}");
    assert!(!is_there(&folder));
}

#[test]
fn the_screen_says_what_went_on_and_what_is_left() {
    let folder = Folder::new("disk-screen");
    let (file, store) = (counters(&folder, 12), store(&folder));
    let cut = weave(&["check", "--store", &store, "--max-states", "3000", &file]);
    assert_eq!(cut.code, 3, "{cut:?}");
    assert!(cut.stdout.contains("; there is a checkpoint in "), "{}", cut.stdout);
    let whole = weave(&["check", "--store", &store, &file]);
    assert!(whole.stdout.contains("; continued from a checkpoint of "), "{}", whole.stdout);
    assert!(!whole.stdout.contains("there is a checkpoint") && !is_there(&folder), "{}", whole.stdout);
}

/// In a shell in which files can have 400 blocks of 512 or 1,024 bytes.
#[test]
fn a_full_disk_is_a_limit() {
    let folder = Folder::new("disk-full");
    let (file, store) = (counters(&folder, 16), store(&folder));
    let expected = expected(&file);
    let plain = words(&store, &["--max-memory", "60M"], &file);
    let script = "trap '' XFSZ; ulimit -f 400; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_weave")]).args(&plain).stdin(Stdio::null());
    let output = command.output().unwrap();
    let answer = Answer {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    let last = valid(&answer).pop().unwrap();
    assert_eq!((answer.code, &last["reason"]), (3, &Value::from("no room left on the disk")), "{answer:?}");
    assert!(last["states"].as_u64().unwrap() > 0 && last["disk"]["checkpoint"] == true, "{last}");
    assert_eq!(counts(&result(&weave(&plain))), expected);
    assert!(!is_there(&folder));
}

/// Runs are as short as those of a breadth-first search in memory, and are replayed.
#[test]
fn violations_are_shown_and_shortest() {
    let folder = Folder::new("disk-violations");
    let store = store(&folder);
    let trace = folder.path("bug.trace");
    for name in ["philosophers_deadlock.pml", "hyman.pml", "bank_transfer_race.pml", "semaphore_weak.pml"] {
        let file = model(name);
        let safety = ["--json", "--property", "safety"];
        let of = |more: &[&str]| weave(&[&["check"], &safety[..], more, &[&file]].concat());
        let memory = result(&of(&["--search", "bfs"]));
        let disk = of(&["--store", &store, "--trace", &trace]);
        let last = valid(&disk).pop().unwrap();
        assert_eq!(
            (&last["verdict"], &last["disk"]["checkpoint"]),
            (&memory["verdict"], &Value::from(false))
        );
        assert!(!is_there(&folder), "{name}");
        if last["verdict"] == "violated" {
            let depth = |result: &Value| result["depth"].clone();
            assert_eq!(depth(&last), depth(&memory), "{name}");
            assert_eq!(last["violations"][0]["shortest"], memory["violations"][0]["shortest"], "{name}");
            assert_eq!(weave(&["replay", &trace]).code, 0, "{name}");
        }
    }
}

#[test]
fn what_cannot_be_asked_of_a_disk_is_refused() {
    let folder = Folder::new("disk-refused");
    let store = store(&folder);
    let (pml, ltl) = (model("peterson.pml"), model("peterson_ltl.pml"));
    let cases: [(&[&str], &str, &str); 10] = [
        (&["--store", &store], &ltl, "give --property safety"),
        (&["--store", &store, "--ltl", "[] (true)"], &pml, "properties of runs (formula)"),
        (&["--store", &store, "--reduction", "persistent"], &pml, "leave out --reduction"),
        (&["--store", &store, "--search", "dfs"], &pml, "leave out --search dfs"),
        (&["--store", &store, "--swarm", "3"], &pml, "--swarm is for --store bitstate, not for disk"),
        (&["--store", &store, "--engine", "symbolic"], &pml, "--store and --search are not for it"),
        (&["--store", &store, "--audit"], &pml, "--audit and --explain-reduction"),
        (&["--store", "disk"], &pml, "write disk:DIR"),
        (&["--checkpoint", "3s"], &pml, "--checkpoint is for --store disk:DIR"),
        (&["--store", "disc:x"], &pml, "write exact, disk:DIR, compact"),
    ];
    for (given, file, why) in cases {
        let answer = weave(&[&["check"], given, &[file]].concat());
        assert_eq!(answer.code, 2, "{given:?} {answer:?}");
        assert!(answer.stderr.contains(why), "{given:?}: {}", answer.stderr);
        assert!(!is_there(&folder), "{given:?}");
    }
}

/// Other models and options are refused, damage is found, and in either case nothing is changed.
#[test]
fn checkpoints_of_others_and_damaged_ones_are_left_alone() {
    let folder = Folder::new("disk-damaged");
    let (file, store) = (counters(&folder, 12), store(&folder));
    let expected = expected(&file);
    let cut = words(&store, &["--max-depth", "30"], &file);
    assert_eq!(weave(&cut).code, 3);
    let states = folder.path("states");
    let kept = copy(&states);
    let changed = folder.write("changed.pml", &fs::read_to_string(&file).unwrap().replace("15", "14"));
    let others = [words(&store, &["--keep-going"], &file), words(&store, &[], &changed)];
    for (other, why) in others.iter().zip(["with other options", "another model"]) {
        let answer = weave(other);
        assert_eq!(answer.code, 2, "{answer:?}");
        assert!(answer.stdout.contains(why) && answer.stdout.contains("begin anew"), "{answer:?}");
        assert_eq!(copy(&states), kept);
    }
    let plain = words(&store, &[], &file);
    let (mut refused, mut right) = (0, 0);
    for round in 0..24u64 {
        fs::create_dir_all(&states).unwrap();
        kept.iter().for_each(|(name, bytes)| fs::write(Path::new(&states).join(name), bytes).unwrap());
        let (name, bytes) = &kept[round as usize % kept.len()];
        let mut other = bytes.clone();
        let at = (round * 7919 + 13) as usize % other.len();
        other[at] ^= 1 << (round % 8);
        fs::write(Path::new(&states).join(name), &other).unwrap();
        let before = copy(&states);
        let answer = weave(&plain);
        match answer.code {
            2 => {
                refused += 1;
                assert!(answer.stdout.contains("the checkpoint is damaged"), "{answer:?}");
                assert_eq!(copy(&states), before);
            }
            _ => {
                right += 1;
                assert_eq!((answer.code, counts(&result(&answer))), (0, expected.clone()), "{answer:?}");
            }
        }
        let _ = fs::remove_dir_all(&states);
    }
    assert!(refused >= 20, "{refused} refused, {right} right");
}

fn copy(folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut all: Vec<_> = entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
    all.sort();
    all
}
