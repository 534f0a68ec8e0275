//! A call: its command line, and the answer made of what the command wrote.
//!
//! Values stand behind `=`, so that none is taken for an option, and files are found in the folder
//! by `workbench::root` before their names are passed on.

use super::Options;
use super::runs::Runs;
use super::tools::{Asked, Check, Prove, Run, Simulate, Trace};
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use workbench::asking::{Bounds, Heard, ask};
use workbench::kind::{self, Kind};
use workbench::root::{CONFINED, Root};

/// The longest answer that is listened to; the client hears at most what the options say.
const LONGEST: u64 = 64 << 20;
/// A process ends by itself when its time is over; this is how much later it is helped.
const LATER: Duration = Duration::from_secs(5);
/// Parts of an answer that may be long, the first to be left out first.
const LONG: [&str; 6] = ["trace", "unreached", "state", "moves", "obligations", "violations"];

/// Where calls are answered.
pub(crate) struct Desk {
    options: Options,
    root: Root,
    runs: Runs,
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Called {
    text: String,
    data: Option<Value>,
    failed: bool,
}

impl Called {
    /// As the protocol has it.
    pub(crate) fn value(&self) -> Value {
        let mut value = json!({"content": [{"type": "text", "text": self.text}], "isError": self.failed});
        if let Some(data) = &self.data {
            value["structuredContent"] = data.clone();
        }
        value
    }

    fn failed(why: impl Into<String>) -> Called {
        Called { text: why.into(), data: None, failed: true }
    }
}

/// A command line, and whether it answers in lines of JSON.
struct Line {
    arguments: Vec<String>,
    json: bool,
    /// The name of the run that it may record.
    records: Option<String>,
}

impl Desk {
    pub(crate) fn open(options: Options) -> io::Result<Desk> {
        Ok(Desk { root: Root::new(&options.root)?, runs: Runs::new()?, options })
    }

    pub(crate) fn may_run(&self) -> bool {
        self.options.run
    }

    /// Answers a call.
    pub(crate) fn call(&self, asked: &Asked, stop: &dyn Fn() -> bool) -> Called {
        let line = match self.line(asked) {
            Ok(line) => line,
            Err(why) => return Called::failed(why),
        };
        let bounds = &self.options.bounds;
        let mut command = Command::new(&bounds.weave);
        let folders = std::env::join_paths([self.root.path(), self.runs.folder()]);
        command.args(&line.arguments).current_dir(self.root.path()).stdin(Stdio::null());
        command.env(CONFINED, folders.unwrap_or_default());
        match ask(&mut command, Bounds { time: bounds.time + LATER, bytes: LONGEST }, stop) {
            Err(why) => Called::failed(format!("weave cannot be started: {why}")),
            Ok(heard) if heard.cut => Called::failed("the answer is too long"),
            Ok(heard) if line.json => self.answer(&heard, line.records),
            Ok(heard) => Called {
                text: self.fitting(&heard.text),
                data: None,
                failed: !matches!(heard.code, Some(0 | 1 | 3)),
            },
        }
    }

    fn line(&self, asked: &Asked) -> Result<Line, String> {
        match asked {
            Asked::Check(check) => self.check(check),
            Asked::Prove(prove) => self.prove(prove),
            Asked::Run(run) => self.run(run),
            Asked::Simulate(simulate) => self.simulate(simulate),
            Asked::Trace(trace) => self.trace(trace),
            Asked::Explain(explain) => {
                let word = &explain.word;
                if word.is_empty() || word.starts_with('-') {
                    return Err("give a word or a code".to_string());
                }
                Ok(Line { arguments: vec!["explain".to_string(), word.clone()], json: false, records: None })
            }
        }
    }

    fn check(&self, check: &Check) -> Result<Line, String> {
        let mut options = each("property", &check.properties);
        options.extend(each("ltl", &check.ltl));
        options.extend(check.defines.iter().map(|define| format!("-D{define}")));
        options.extend(check.shortest.then(|| "--search=bfs".to_string()));
        options.extend(check.keep_going.then(|| "--keep-going".to_string()));
        Ok(self.recording("check", options, vec![self.file(&check.file)?]))
    }

    fn prove(&self, prove: &Prove) -> Result<Line, String> {
        let mut files = vec![self.file(&prove.file)?];
        if let Some(specification) = &prove.specification {
            files.push(self.file(specification)?);
        }
        let mut options = each("property", &prove.properties);
        options.extend(each("ltl", &prove.ltl));
        Ok(self.recording("prove", options, files))
    }

    fn run(&self, run: &Run) -> Result<Line, String> {
        self.executes()?;
        let mut words = vec![self.file(&run.file)?];
        if !run.arguments.is_empty() {
            words.push("--".to_string());
            words.extend(run.arguments.iter().cloned());
        }
        Ok(self.recording("run", Vec::new(), words))
    }

    fn simulate(&self, simulate: &Simulate) -> Result<Line, String> {
        let file = self.file(&simulate.file)?;
        if executable(&self.root.path().join(&file)) {
            self.executes()?;
        }
        let mut options = vec![format!("--seed={}", simulate.seed)];
        options.extend(simulate.steps.map(|steps| format!("--steps={steps}")));
        options.extend(simulate.defines.iter().map(|define| format!("-D{define}")));
        if let Some(name) = &simulate.run {
            options.push(format!("--guide={}", self.recorded(name)?));
        }
        Ok(self.recording("simulate", options, vec![file]))
    }

    fn trace(&self, trace: &Trace) -> Result<Line, String> {
        let mut arguments = vec!["replay".to_string()];
        arguments.extend(trace.step.map(|step| format!("--step={step}")));
        arguments.extend(self.limits());
        arguments.push(self.recorded(&trace.run)?);
        Ok(Line { arguments, json: false, records: None })
    }

    /// A command that answers in JSON and may record a run.
    fn recording(&self, command: &str, options: Vec<String>, words: Vec<String>) -> Line {
        let (name, path) = self.runs.begin();
        let mut arguments = vec![command.to_string(), "--json".to_string()];
        arguments.push(format!("--trace={}", path.to_string_lossy()));
        arguments.extend(self.limits());
        arguments.extend(options);
        arguments.extend(words);
        Line { arguments, json: true, records: Some(name) }
    }

    fn limits(&self) -> Vec<String> {
        let time = format!("--timeout={}ms", self.options.bounds.time.as_millis());
        std::iter::once(time).chain(self.options.bounds.limits.iter().cloned()).collect()
    }

    /// A file of the folder, as a command takes it: no option, and no program of the search path.
    fn file(&self, path: &str) -> Result<String, String> {
        let path = Path::new(path);
        let inside = path.strip_prefix(self.root.path()).unwrap_or(path).to_string_lossy();
        let inside = inside.strip_prefix("./").unwrap_or(&inside);
        self.root.find(inside).map_err(|why| format!("{inside}: {why}"))?;
        Ok(format!("./{inside}"))
    }

    fn recorded(&self, name: &str) -> Result<String, String> {
        let found = self.runs.find(name).ok_or_else(|| format!("there is no run `{name}`"))?;
        Ok(found.to_string_lossy().into_owned())
    }

    fn executes(&self) -> Result<(), String> {
        match self.options.run {
            true => Ok(()),
            false => Err("this server executes no programs; start it with --allow-run".to_string()),
        }
    }

    /// The answer made of lines of JSON: the last one, with what is wrong with the text.
    fn answer(&self, heard: &Heard, records: Option<String>) -> Called {
        let lines =
            heard.text.lines().filter_map(|line| serde_json::from_str::<Map<String, Value>>(line).ok());
        let (mut diagnostics, mut result) = (Vec::new(), None);
        for mut event in lines {
            match event.shift_remove("event").as_ref().and_then(Value::as_str) {
                Some("diagnostic") => diagnostics.push(Value::Object(event)),
                Some("result") => result = Some(event),
                _ => {}
            }
        }
        let Some(mut result) = result else {
            return Called::failed("weave was ended before it could answer");
        };
        if !diagnostics.is_empty() {
            result.insert("diagnostics".to_string(), diagnostics.into());
        }
        // The command line of the answer names folders of this machine.
        result.shift_remove("reproduce");
        if let Some(name) = records.and_then(|name| self.runs.keep(name)) {
            result.insert("run".to_string(), name.into());
        }
        let failed = !matches!(heard.code, Some(0 | 1 | 3));
        let (text, data) = self.shortened(result);
        Called { text, data, failed }
    }

    /// An answer of the size that is allowed: long parts are left out, and it says which. The
    /// client gets it twice, as text and as data.
    fn shortened(&self, mut result: Map<String, Value>) -> (String, Option<Value>) {
        let most = self.options.answer / 2;
        let mut left_out = Vec::new();
        for part in LONG.iter().chain(&["diagnostics", "properties"]) {
            if Value::Object(result.clone()).to_string().len() <= most {
                break;
            }
            if result.shift_remove(*part).is_some() {
                left_out.push(*part);
                result.insert("left_out".to_string(), json!(left_out));
            }
        }
        let data = Value::Object(result);
        let text = data.to_string();
        if text.len() <= most { (text, Some(data)) } else { (self.fitting(&text), None) }
    }

    /// A text of the size that is allowed.
    fn fitting(&self, text: &str) -> String {
        let most = self.options.answer;
        if text.len() <= most {
            return text.to_string();
        }
        let cut = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        format!("{}\n… {} more bytes are left out", &text[..cut], text.len() - cut)
    }
}

fn each(name: &str, values: &[String]) -> Vec<String> {
    values.iter().map(|value| format!("--{name}={value}")).collect()
}

/// Whether a run of a file executes it.
fn executable(path: &Path) -> bool {
    matches!(kind::of(path), Kind::C | Kind::Cpp | Kind::Program)
        || kind::language(path) == kind::Language::Program
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use workbench::asking::Scratch;

    fn desk(scratch: &Scratch, run: bool, answer: usize) -> Desk {
        std::fs::write(scratch.path().join("-a.pml"), "init { skip }").unwrap();
        std::fs::write(scratch.path().join("b.c"), "int main(void) { return 0; }").unwrap();
        let bounds = crate::Bounds {
            weave: PathBuf::from("/bin/false"),
            time: Duration::from_secs(9),
            limits: vec!["--max-memory=1G".to_string()],
        };
        Desk::open(Options { root: scratch.path().to_path_buf(), run, answer, bounds }).unwrap()
    }

    fn line(desk: &Desk, name: &str, arguments: Value) -> Result<Vec<String>, String> {
        let asked = super::super::tools::read(name, arguments).unwrap();
        desk.line(&asked).map(|line| line.arguments)
    }

    #[test]
    fn a_call_becomes_a_command_line() {
        let scratch = Scratch::new(&format!("weave-call-{}", std::process::id())).unwrap();
        let desk = desk(&scratch, false, 1000);
        let asked = json!({"file": "-a.pml", "properties": ["--x"], "defines": ["N=2"], "shortest": true});
        let made = line(&desk, "check", asked).unwrap();
        assert_eq!(made[..2], ["check", "--json"]);
        let rest =
            ["--timeout=9000ms", "--max-memory=1G", "--property=--x", "-DN=2", "--search=bfs", "./-a.pml"];
        assert_eq!(made[3..], rest);
        let whole = scratch.path().canonicalize().unwrap().join("-a.pml");
        assert_eq!(line(&desk, "prove", json!({"file": whole})).unwrap().last().unwrap(), "./-a.pml");
    }

    #[test]
    fn what_is_not_allowed_is_refused() {
        let scratch = Scratch::new(&format!("weave-refused-{}", std::process::id())).unwrap();
        let desk = desk(&scratch, false, 1000);
        for (name, arguments) in [
            ("check", json!({"file": "/etc/passwd"})),
            ("check", json!({"file": "../x.pml"})),
            ("prove", json!({"file": "-a.pml", "specification": "/etc/passwd"})),
            ("run", json!({"file": "b.c"})),
            ("simulate", json!({"file": "b.c"})),
            ("simulate", json!({"file": "-a.pml", "run": "/etc/passwd"})),
            ("trace", json!({"run": "run1"})),
            ("explain", json!({"word": "--help"})),
        ] {
            assert!(line(&desk, name, arguments.clone()).is_err(), "{name} {arguments}");
        }
    }

    #[test]
    fn an_answer_is_as_long_as_it_may_be() {
        let scratch = Scratch::new(&format!("weave-long-{}", std::process::id())).unwrap();
        let desk = desk(&scratch, false, 400);
        let long = "x".repeat(500);
        let text = format!("{}\n", json!({"event": "result", "verdict": "violated", "trace": long}));
        let heard = Heard { text, code: Some(1), cut: false };
        let called = desk.answer(&heard, None);
        assert_eq!(called.data.as_ref().unwrap()["left_out"], json!(["trace"]));
        assert!(called.value().to_string().len() < 500 && !called.failed);
        assert!(desk.fitting(&"ö".repeat(500)).len() < 500);
    }
}
