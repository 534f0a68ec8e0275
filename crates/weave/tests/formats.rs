//! `--format sarif`, `junit` and `github`, and `weave test`: what other tools read is well-formed
//! and says what the JSON says.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Answer, Folder, result, weave, weave_in};

fn file(path: &str) -> String {
    support::root().join(path).to_string_lossy().into_owned()
}

/// Commands with every kind of answer: holds, violated, unknown, refused, of every way in.
fn commands(folder: &Folder) -> Vec<Vec<String>> {
    let wrong = folder.write("wrong & <odd> \"name\".pml", "active proctype P() { int x; x = cuont }\n");
    let words = |words: &[&str]| words.iter().map(|w| (*w).to_string()).collect::<Vec<String>>();
    vec![
        words(&["check", &file("models/promela/peterson.pml")]),
        words(&["check", &file("models/spl/flags_wrong.spl")]),
        words(&["check", &file("models/spl/bakery2.spl"), "--max-states", "500", "--property", "acc"]),
        words(&["check", &wrong]),
        words(&["check", "no such file.pml"]),
        words(&["prove", &file("models/spl/bakery2.spl")]),
        words(&["prove", &file("models/spl/mux_sem.spl"), "--max-states", "10"]),
        words(&["run", &file("models/programs/mutex_self_deadlock.c")]),
        words(&["run", &file("models/programs/race_counter.c")]),
        words(&["check", &file("models/promela/semaphore_weak.pml")]),
        words(&["check", &file("models/shapes/mutex_broken.tvm")]),
        words(&["check", &file("models/shapes/LockOrder.java")]),
        words(&["check", &file("models/promela/no_such_model.pml"), "--ltl", "[] p"]),
    ]
}

fn asked(words: &[String], format: &[&str]) -> Answer {
    let words: Vec<&str> = words.iter().map(String::as_str).chain(format.iter().copied()).collect();
    weave(&words)
}

/// A file in a crate that is downloaded for it alone (`schemas/Cargo.toml`).
fn in_crate(name: &str, path: &str) -> PathBuf {
    let manifest = support::root().join("crates/weave/tests/schemas/Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--locked", "--format-version", "1", "--manifest-path"]).arg(manifest);
    let output = command.output().unwrap();
    let about: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let packages = about["packages"].as_array().unwrap();
    let manifest = packages.iter().find(|p| p["name"] == name).unwrap()["manifest_path"].as_str().unwrap();
    Path::new(manifest).with_file_name(path)
}

/// The schema of SARIF 2.1.0 as OASIS gives it.
fn sarif_schema() -> &'static jsonschema::Validator {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let text = std::fs::read_to_string(in_crate("serde-sarif", "src/schema.json")).unwrap();
        let mut schema: Value = serde_json::from_str(&text).unwrap();
        // The pattern of two fields that we do not write is no regular expression to all.
        for of in ["run", "toolComponent"] {
            let language = schema.pointer_mut(&format!("/definitions/{of}/properties/language")).unwrap();
            language.as_object_mut().unwrap().remove("pattern");
        }
        assert_eq!(schema["properties"]["version"]["enum"][0], "2.1.0");
        jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
    })
}

/// The schema of JUnit's XML as Jenkins reads it.
fn junit_is_valid(text: &str) {
    static SCHEMA: OnceLock<PathBuf> = OnceLock::new();
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let schema = SCHEMA.get_or_init(|| in_crate("junit-report", "tests/JUnit.xsd"));
    let folder = Folder::new(&format!("xsd-{}", NEXT.fetch_add(1, Ordering::SeqCst)));
    let file = folder.write("junit.xml", text);
    let output = Command::new("xmllint").args(["--noout", "--schema"]).arg(schema).arg(&file).output();
    let output = output.expect("./test installs xmllint (Debian package libxml2-utils)");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

/// What the schema asks, and what SARIF 2.1.0 asks besides (sections 3.13, 3.14, 3.20, 3.27, 3.29,
/// 3.30).
fn sarif_is_valid(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let errors: Vec<String> =
        sarif_schema().iter_errors(&log).map(|e| format!("{e} at {}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().expect("runs") {
        assert!(run["tool"]["driver"]["name"].is_string());
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        let ids: Vec<&Value> = rules.iter().map(|r| &r["id"]).collect();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "ids are unique");
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        for result in run["results"].as_array().expect("results") {
            assert!(ids.contains(&&result["ruleId"]), "{result}");
            assert!(!result["message"]["text"].as_str().expect("a message").is_empty(), "{result}");
            let (kind, level) = (result["kind"].as_str().unwrap(), result["level"].as_str().unwrap());
            assert!(
                ["pass", "open", "fail"].contains(&kind) && ["none", "warning", "error"].contains(&level)
            );
            assert_eq!(kind == "fail", level != "none", "{result}");
            let flows = result["codeFlows"].as_array().into_iter().flatten();
            let steps = flows.flat_map(|f| f["threadFlows"].as_array().expect("thread flows"));
            let steps = steps.flat_map(|f| f["locations"].as_array().expect("locations"));
            let places = steps.map(|l| &l["location"]).chain(result["locations"].as_array().unwrap());
            places.for_each(place_is_valid);
        }
    }
    log
}

fn place_is_valid(place: &Value) {
    let physical = &place["physicalLocation"];
    let uri = physical["artifactLocation"]["uri"].as_str().expect("a reference");
    assert!(uri.bytes().all(|b| b.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&b)), "{uri}");
    for number in ["startLine", "startColumn"] {
        assert!(physical["region"][number].as_u64().is_some_and(|n| n >= 1), "{place}");
    }
}

#[test]
fn sarif_says_what_json_says() {
    let folder = Folder::new("sarif");
    for words in commands(&folder) {
        let (json, sarif) = (asked(&words, &["--json"]), asked(&words, &["--format", "sarif"]));
        assert_eq!(json.code, sarif.code, "{words:?}");
        let log = sarif_is_valid(&sarif.stdout);
        let said = result(&json);
        let results = log["runs"][0]["results"].as_array().unwrap();
        let count = |kind: &str| results.iter().filter(|r| r["kind"] == kind).count();
        let properties = said["properties"].as_array().map_or(&[][..], Vec::as_slice);
        let have = |verdict: &str| properties.iter().filter(|p| p["verdict"] == verdict).count();
        assert_eq!(count("pass"), have("holds"), "{words:?}");
        assert_eq!(count("open"), have("unknown"), "{words:?}");
        assert_eq!(count("fail") > 0, [1, 2].contains(&json.code), "{words:?}: {}", sarif.stdout);
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], json.code, "{words:?}");
    }
}

/// Tags are closed in order, texts and values have no signs that XML reserves.
fn xml_is_well_formed(text: &str) -> Vec<String> {
    junit_is_valid(text);
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let (mut open, mut seen): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for part in body.split('<').skip(1) {
        let (tag, rest) = part.split_once('>').expect("a tag");
        assert!(!rest.contains(['"', '>']) || rest.trim().is_empty(), "{part}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().unwrap().to_string();
        seen.push(name.clone());
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    for (at, _) in body.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#10;", "&#9;"];
        assert!(known.iter().any(|entity| body[at..].starts_with(entity)), "{}", &body[at..]);
    }
    assert!(open.is_empty(), "{open:?}");
    seen
}

#[test]
fn junit_says_what_json_says() {
    let folder = Folder::new("junit");
    for words in commands(&folder) {
        let (json, junit) = (asked(&words, &["--json"]), asked(&words, &["--format", "junit"]));
        assert_eq!(json.code, junit.code, "{words:?}");
        let seen = xml_is_well_formed(&junit.stdout);
        let count = |name: &str| seen.iter().filter(|n| *n == name).count();
        let said = result(&json);
        let properties = said["properties"].as_array().map_or(0, Vec::len);
        assert_eq!(count("testcase"), properties.max(1), "{words:?}: {}", junit.stdout);
        assert_eq!(count("failure") > 0, json.code == 1, "{words:?}");
        let unknown = said["properties"].as_array().into_iter().flatten().any(|p| p["verdict"] == "unknown");
        assert_eq!(count("error") > 0, unknown || json.code == 2, "{words:?}: {}", junit.stdout);
    }
}

#[test]
fn annotations_are_lines() {
    let folder = Folder::new("github");
    for words in commands(&folder) {
        let (json, github) = (asked(&words, &["--json"]), asked(&words, &["--format", "github"]));
        assert_eq!(json.code, github.code, "{words:?}");
        assert_eq!(github.stdout.is_empty(), json.code == 0, "{words:?}: {}", github.stdout);
        for line in github.stdout.lines() {
            assert!(line.starts_with("::error ") || line.starts_with("::warning "), "{line}");
            assert!(line.splitn(4, "::").count() >= 3 && line.contains("title="), "{line}");
        }
    }
}

#[test]
fn only_commands_with_a_verdict_have_these_formats() {
    let model = file("models/promela/peterson.pml");
    let refused = weave(&["simulate", &model, "--format", "github"]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert_eq!(weave(&["check", &model, "--format", "json", "--json"]).code, 2);
    assert_eq!(weave(&["check", &model, "--format", "json"]).code, 0);
}

const LIST: &str = "\
[defaults]
timeout = \"120s\"

[[test]]
files = [\"peter*.pml\"]

[[test]]
files = [\"flags_wrong.spl\"]
expect = { mux = \"violated\" }

[[test]]
files = [\"turn.spl\"]
";

fn root(folder: &Folder) -> PathBuf {
    folder.path("").into()
}

fn listed(name: &str, list: &str) -> Folder {
    let folder = Folder::new(name);
    for name in ["promela/peterson.pml", "spl/flags_wrong.spl", "spl/turn.spl"] {
        let text = std::fs::read_to_string(file(&format!("models/{name}"))).unwrap();
        folder.write(name.rsplit('/').next().unwrap(), &text);
    }
    folder.write("weave.toml", list);
    folder
}

#[test]
fn a_list_of_files_is_tested() {
    let folder = listed("list", LIST);
    let text = weave_in(&root(&folder), &["test"]);
    assert_eq!(text.code, 1, "{}{}", text.stdout, text.stderr);
    let lines: Vec<&str> = text.stdout.lines().collect();
    let row = |name: &str| lines.iter().find(|l| l.contains(name)).expect("a row");
    assert!(row("peterson.pml").contains("PASS") && row("flags_wrong.spl").contains("PASS"));
    assert!(row("turn.spl").ends_with("acc: violated, expected holds"), "{}", row("turn.spl"));
    assert!(lines.iter().any(|l| l.ends_with("3 tests: 2 passed, 1 failed")), "{}", text.stdout);
    assert!(lines.contains(&"reproduce: weave prove --timeout=120s turn.spl"), "{}", text.stdout);

    let json = weave_in(&root(&folder), &["test", "--format", "json"]);
    support::valid(&json);
    let totals = result(&json);
    assert_eq!((&totals["passed"], &totals["failed"]), (&2.into(), &1.into()));
    let junit = weave_in(&root(&folder), &["test", "--format", "junit"]);
    let seen = xml_is_well_formed(&junit.stdout);
    assert_eq!(seen.iter().filter(|n| *n == "testsuite").count(), 3);
    assert_eq!(seen.iter().filter(|n| *n == "failure").count(), 1, "{}", junit.stdout);
    let sarif = weave_in(&root(&folder), &["test", "--format", "sarif"]);
    assert_eq!(sarif_is_valid(&sarif.stdout)["runs"].as_array().unwrap().len(), 3);
    assert_eq!(weave_in(&root(&folder), &["test", "--only", "peterson"]).code, 0);
}

/// The schemas are no formality: a document that is wrong is refused by them.
#[test]
fn schemas_refuse_what_is_wrong() {
    let asked = weave(&["check", &file("models/promela/peterson.pml"), "--format", "sarif"]);
    let mut log = sarif_is_valid(&asked.stdout);
    log["runs"][0]["results"][0]["kind"] = "perhaps".into();
    assert!(!sarif_schema().is_valid(&log));
    let wrong = "<?xml version=\"1.0\"?>\n<testsuites><testcase/></testsuites>\n";
    assert!(std::panic::catch_unwind(|| junit_is_valid(wrong)).is_err());
}

/// Heads of files say what is expected of them; a part of the corpus by the list of the corpus.
#[test]
fn the_corpus_is_a_list() {
    let list = file("models/weave.toml");
    for (word, passed) in
        [("shapes/mutex", 4), ("promela/peterson", 5), ("spl/array", 6), ("programs/condition", 5)]
    {
        let answer = weave(&["test", &list, "--only", word, "--format", "json"]);
        let totals = result(&answer);
        assert_eq!(totals["passed"], totals["tests"], "{word}: {}", answer.stdout);
        assert!(totals["passed"].as_u64().unwrap() >= passed, "{word}: {totals}");
    }
    let folder = listed("heads", "[[test]]\nfiles = [\"*.pml\"]\nexpect = \"head\"\n");
    folder.write("wrong.pml", "/* expect: holds */\nactive proctype P() { assert(false) }\n");
    folder.write("refused.pml", "/* expect: rejected */\nactive proctype P() { x = 1 }\n");
    let answer = weave_in(&root(&folder), &["test"]);
    assert_eq!(answer.code, 1, "{}", answer.stdout);
    assert!(answer.stdout.contains("violated, expected holds"), "{}", answer.stdout);
    assert!(answer.stdout.contains("3 tests: 2 passed, 1 failed"), "{}", answer.stdout);
    folder.write("silent.pml", "active proctype P() { skip }\n");
    let silent = weave_in(&root(&folder), &["test"]);
    assert!(silent.code == 2 && silent.stderr.contains("expect: VERDICT"), "{}", silent.stderr);
}

/// What is not as expected fails in every format, also where it holds or is not there.
#[test]
fn a_missed_expectation_fails_everywhere() {
    for (expect, code) in [
        ("{ assertion = \"violated\" }", 1),
        ("{ none = \"violated\" }", 2),
        ("\"violated\"", 1),
        ("\"unknown\"", 1),
    ] {
        let list = format!("[[test]]\nfiles = [\"peterson.pml\"]\nexpect = {expect}\n");
        let folder = listed("missed", &list);
        let asked = |format: &str| weave_in(&root(&folder), &["test", "--format", format]);
        let (junit, sarif, github) = (asked("junit"), asked("sarif"), asked("github"));
        assert_eq!([junit.code, sarif.code, github.code], [code; 3], "{expect}");
        let seen = xml_is_well_formed(&junit.stdout);
        let failing = seen.iter().filter(|n| *n == "failure" || *n == "error").count();
        assert_eq!(failing, 1, "{expect}: {}", junit.stdout);
        let run = &sarif_is_valid(&sarif.stdout)["runs"][0];
        let fails = run["results"].as_array().unwrap().iter().filter(|r| r["kind"] == "fail").count();
        assert_eq!(fails, 1, "{expect}: {}", sarif.stdout);
        assert_eq!(github.stdout.matches("::error").count(), 1, "{expect}: {}", github.stdout);
    }
}

#[test]
fn a_list_that_is_wrong_is_refused() {
    for (list, says) in [
        ("[[test]]\nfile = [\"a.pml\"]\n", "line 2, column 1"),
        ("[[test]]\nfiles = [\"none*.pml\"]\n", "`none*.pml` matches no file"),
        ("[[test]]\nfiles = [\"turn.spl\"]\nexpect = \"maybe\"\n", "line 3"),
        ("", "lists no such test"),
        ("[[test", "line 1"),
    ] {
        let folder = listed("refused", list);
        let refused = weave_in(&root(&folder), &["test"]);
        assert_eq!(refused.code, 2, "{list}: {}", refused.stdout);
        assert!(refused.stderr.contains(says), "{list}: {}", refused.stderr);
    }
    let folder = listed("missing", "[[test]]\nfiles = [\"missing.pml\"]\n");
    assert_eq!(weave_in(&root(&folder), &["test"]).code, 2);
    let none = listed(
        "none",
        "[[test]]\nfiles = [\"turn.spl\"]\nexpect = { none = \"holds\", acc = \"violated\" }\n",
    );
    let answer = weave_in(&root(&none), &["test"]);
    assert!(answer.stdout.contains("none: there is no such property"), "{}", answer.stdout);
}
