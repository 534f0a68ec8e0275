//! Runs the binary and reads its answers.

#![allow(dead_code, reason = "each test file uses a part")]

#[path = "../../../../models/head.rs"]
pub mod head;

use head::Head;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Debug)]
pub struct Answer {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    pub fn first_line(&self) -> &str {
        self.stdout.lines().next().unwrap_or("")
    }

    pub fn last_line(&self) -> &str {
        self.stdout.lines().next_back().unwrap_or("")
    }

    fn of(output: Output) -> Answer {
        Answer {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A model of our corpus, as named from the root of the project.
pub fn model(name: &str) -> String {
    root().join("models/promela").join(name).to_string_lossy().into_owned()
}

/// Every model of the corpus, in order.
pub fn corpus() -> Vec<PathBuf> {
    let mut folders = vec![root().join("models/promela")];
    let mut models = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            match entry.extension() {
                _ if entry.is_dir() => folders.push(entry),
                Some(extension) if extension == "pml" => models.push(entry),
                _ => {}
            }
        }
    }
    models.sort();
    models
}

/// What the head of a corpus file says.
pub fn head(file: &Path) -> Head {
    Head::of(&std::fs::read_to_string(file).unwrap())
}

/// Looks at every file, two at a time; no file may give rise to a complaint.
pub fn without_complaint(files: &[PathBuf], complaints: impl Fn(&Path) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut wrong = Vec::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::SeqCst)) {
            wrong.extend(complaints(file).into_iter().map(|c| format!("{}: {c}", file.display())));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn start(arguments: &[&str], input: Stdio) -> Child {
    start_in(Path::new("."), arguments, input)
}

fn start_in(folder: &Path, arguments: &[&str], input: Stdio) -> Child {
    Command::new(env!("CARGO_BIN_EXE_weave"))
        .args(arguments)
        .current_dir(folder)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub fn weave(arguments: &[&str]) -> Answer {
    Answer::of(start(arguments, Stdio::null()).wait_with_output().unwrap())
}

/// In a working folder, which programs see wherever it lies.
pub fn weave_in(folder: &Path, arguments: &[&str]) -> Answer {
    Answer::of(start_in(folder, arguments, Stdio::null()).wait_with_output().unwrap())
}

pub fn weave_with_input(arguments: &[&str], input: &str) -> Answer {
    let mut child = start(arguments, Stdio::piped());
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Answer::of(child.wait_with_output().unwrap())
}

/// Processor time of a process and of what it has awaited.
pub fn spent(pid: u32) -> Duration {
    let about = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = about.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    Duration::from_millis(10 * fields.filter_map(|f| f.parse::<u64>().ok()).sum::<u64>())
}

/// Sends an interrupt when it has computed for a while, however long that takes here.
pub fn interrupted(arguments: &[&str], after: Duration) -> Answer {
    let mut child = start(arguments, Stdio::null());
    while spent(child.id()) < after && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    Answer::of(child.wait_with_output().unwrap())
}

/// Every line of JSON output, each checked against the schema.
pub fn valid(answer: &Answer) -> Vec<Value> {
    let lines: Vec<Value> = answer.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    lines.iter().for_each(|line| validate("weave-v1.schema.json", line));
    assert_eq!(lines.last().map(|l| &l["event"]), Some(&Value::from("result")), "{answer:?}");
    lines
}

pub fn validate(schema: &str, value: &Value) {
    let text = std::fs::read_to_string(root().join("docs/schema").join(schema)).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{} at {}", e, e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}\n{value:#}");
}

/// The result, without a look at the schema.
pub fn result(answer: &Answer) -> Value {
    let last = serde_json::from_str(answer.last_line());
    last.unwrap_or_else(|e| panic!("{e}: {answer:?}"))
}

/// Why an answer is not what the head of the file expects of a property, or of all.
pub fn disappointment(answer: &Answer, name: &str, expected: &str) -> Option<String> {
    if expected == "rejected" {
        return (answer.code != 2).then(|| format!("rejection expected, ended with {}", answer.code));
    }
    if answer.code == 2 || answer.code == 101 {
        return Some(format!("{expected} expected: {}", result(answer)["reason"]));
    }
    let found = found(&result(answer), name);
    (found != expected).then(|| format!("{name}: {expected} expected, {found} found"))
}

/// The verdict on a property, or on all.
fn found(result: &Value, name: &str) -> String {
    const SAFETY: [&str; 3] = ["deadlock", "assertion", "runtime"];
    let empty = Vec::new();
    let properties = result["properties"].as_array().unwrap_or(&empty);
    let safety = |p: &&Value| SAFETY.iter().any(|kind| p["kind"] == *kind);
    let worst = |properties: Vec<&Value>| {
        let has = |verdict: &str| properties.iter().any(|p| p["verdict"] == verdict);
        ["violated", "unknown", "holds"].into_iter().find(|v| has(v)).unwrap_or("missing").to_string()
    };
    match name {
        "" => result["verdict"].as_str().unwrap_or("missing").to_string(),
        "safety" => worst(properties.iter().filter(safety).collect()),
        name => match properties.iter().find(|p| p["name"] == name) {
            Some(p) => p["verdict"].as_str().unwrap_or("missing").to_string(),
            None => "missing".to_string(),
        },
    }
}

pub fn installed(tool: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(tool).is_file())
}

/// A folder of its own for each test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("weave-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Few states, as a search counts them: what holds in no more is certified unasked.
const FEW: u64 = 1_000;

/// A property that holds in few states, without a certificate even if one is asked for. Beside a
/// property that is violated, or with many states inside atomic sequences, it must be asked for.
pub fn uncertified(result: &Value, again: impl Fn() -> Value) -> Option<String> {
    bare(result)?;
    let again = again();
    if again["verdict"] != result["verdict"] {
        return Some(format!("with --certify {} and without {}", again["verdict"], result["verdict"]));
    }
    bare(&again)
}

fn bare(result: &Value) -> Option<String> {
    let few = |states: &Value| states.as_u64().is_none_or(|n| n <= FEW);
    if result["exhausted"] == false || !few(&result["states"]) {
        return None;
    }
    let kinds = ["closed", "levels", "conditions", "embedded"];
    let bare = |p: &&Value| {
        p["verdict"] == "holds" && few(&p["states"]) && !kinds.iter().any(|k| p["certificate"]["kind"] == *k)
    };
    let found = result["properties"].as_array()?.iter().find(bare)?;
    Some(format!("{} holds and is not certified: {}", found["name"], found["certificate"]))
}
