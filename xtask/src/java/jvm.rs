//! One JVM that compiles and runs all programs of a job: `harness/` is its side.

use super::explore::Move;
use crate::process::ToolFailed;
use crate::scratch::Scratch;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{collections::BTreeSet, fs};

const SOURCES: [(&str, &str); 3] = [
    ("Gate.java", include_str!("harness/Gate.java")),
    ("Run.java", include_str!("harness/Run.java")),
    ("Harness.java", include_str!("harness/Harness.java")),
];

pub struct Jvm {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: Scratch,
    programs: u64,
}

/// Events that are no exceptions.
const OURS: [&str; 3] = ["assertion", "derailed", "waiting"];

/// A run on the JVM: how it ended, and what was seen on the way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    pub outcome: String,
    pub events: BTreeSet<String>,
}

impl Seen {
    pub fn blocked(&self) -> bool {
        !self.endless() && !self.outcome.ends_with("blocked=0")
    }

    pub fn endless(&self) -> bool {
        self.outcome == "endless"
    }

    /// Some thread waits while another runs without an end.
    pub fn waiting(&self) -> bool {
        self.endless() && self.events.contains("waiting")
    }

    pub fn assertion(&self) -> bool {
        self.events.contains("assertion")
    }

    pub fn uncaught(&self) -> bool {
        self.events.iter().any(|event| !OURS.contains(&event.as_str()))
    }
}

/// A program that the JVM can run.
pub struct Loaded {
    name: String,
    folder: String,
}

impl Jvm {
    /// Compiles the harness and starts it.
    pub fn start() -> io::Result<Jvm> {
        let folder = Scratch::new("jvm")?;
        let mut compile = Command::new("javac");
        compile.arg("-d").arg(folder.path());
        for (name, text) in SOURCES {
            let file = folder.path().join(name);
            fs::write(&file, text)?;
            compile.arg(file);
        }
        if !compile.status()?.success() {
            return Err(io::Error::other("javac does not compile the harness"));
        }
        let mut child = Command::new("java")
            .args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-Xss512k", "-cp"])
            .arg(folder.path())
            .arg("Harness")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| io::Error::other("java has no pipes"))?;
        Ok(Jvm { child, requests, answers: BufReader::new(answers), folder, programs: 0 })
    }

    fn ask(&mut self, request: &str) -> io::Result<Vec<String>> {
        writeln!(self.requests, "{request}")?;
        self.requests.flush()?;
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                return Err(io::Error::other(format!("java ended at `{request}`")));
            }
            match line.trim_end() {
                "end" => return Ok(lines),
                line => lines.push(line.to_owned()),
            }
        }
    }

    /// Compiles a program; an error is what javac says.
    pub fn load(&mut self, name: &str, text: &str) -> io::Result<Result<Loaded, ToolFailed>> {
        self.programs += 1;
        let folder = self.folder.path().join(format!("p{}", self.programs));
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{name}.java"));
        fs::write(&file, text)?;
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let said = self.ask(&format!("compile {} {}", shown(&file), shown(&folder)))?;
        let loaded = Loaded { name: name.to_owned(), folder: shown(&folder) };
        Ok(if said.is_empty() { Ok(loaded) } else { Err(ToolFailed::Compiler(said.join("\n"))) })
    }

    /// Runs with delays at random gates. Threads that do not move for `quiet` milliseconds are
    /// blocked.
    pub fn random(
        &mut self,
        program: &Loaded,
        runs: usize,
        seed: u64,
        quiet: u64,
    ) -> io::Result<BTreeSet<Seen>> {
        let request = format!("random {} {} {runs} {seed} {quiet}", program.name, program.folder);
        Ok(self.ask(&request)?.iter().filter_map(|line| seen(line)).collect())
    }

    /// One run through the gates of the moves, in their order.
    pub fn force(&mut self, program: &Loaded, moves: &[Move]) -> io::Result<Option<Seen>> {
        let gated = moves.iter().filter_map(|m| Some(format!("{}:{}", m.thread, m.gate?)));
        let steps = gated.collect::<Vec<_>>().join(",");
        let said = self.ask(&format!("force {} {} {steps}", program.name, program.folder))?;
        Ok(said.iter().find_map(|line| seen(line)))
    }
}

fn seen(line: &str) -> Option<Seen> {
    let (outcome, events) = line.strip_prefix("run ")?.split_once(" |")?;
    let events = events.split_whitespace().map(str::to_owned).collect();
    Some(Seen { outcome: outcome.to_owned(), events })
}

impl Drop for Jvm {
    fn drop(&mut self) {
        // Threads that wait forever are no reason to wait for the JVM.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
