//! A program in a folder of its own: searched by `weave run` with a reduction, and executed
//! without control.

use super::Program;
use crate::outcomes::{self, Answer};
use crate::process::ToolFailed;
use crate::scratch::Scratch;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

pub struct Subject {
    scratch: Scratch,
    /// It has processes, which may be left over.
    forks: bool,
}

/// What real runs did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Executed {
    pub runs: usize,
    pub outcomes: BTreeSet<String>,
    /// A run was over neither soon nor late.
    pub hangs: bool,
    /// A run ended without an outcome: its exit code.
    pub failed: Option<i32>,
}

/// How much real execution there is.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    pub runs: usize,
    pub time: Duration,
    /// How long a run may take before it hangs, in seconds.
    pub patience: f64,
}

impl Subject {
    /// Compiles the program; an error message if that fails.
    pub fn new(program: &Program, weave: &Path) -> io::Result<Result<Subject, ToolFailed>> {
        let scratch = Scratch::new("calls")?;
        fs::write(scratch.path().join("p.c"), program.to_string())?;
        Ok(outcomes::compile(weave, scratch.path())?.map(|()| Subject { scratch, forks: program.forks() }))
    }

    pub fn ask(&self, weave: &Path, reduction: &str, seconds: u64) -> io::Result<Answer> {
        let timeout = format!("{seconds}s");
        let options = ["--races", "list", "--reduction", reduction, "--timeout", &timeout, "./p"];
        outcomes::ask(weave, self.scratch.path(), &options)
    }

    /// Executes it with random delays, until the time is up or a run hangs.
    pub fn execute(&self, effort: Effort) -> io::Result<Executed> {
        let folder = self.scratch.path();
        let compiler = ["-w", "-O1", "-g", "-DNATIVE", "-o", "native", "p.c", "-lpthread", "-lrt"];
        let compiled = Command::new("gcc").args(compiler).current_dir(folder).output()?;
        if !compiled.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&compiled.stderr).into_owned()));
        }
        let (begin, mut executed) = (Instant::now(), Executed::default());
        while executed.runs < effort.runs && begin.elapsed() < effort.time && !executed.hangs {
            executed.runs += 1;
            let status = self.run_once(executed.runs, effort.patience)?;
            let text = fs::read_to_string(folder.join("outcome"))?;
            match status.code() {
                Some(0) if !text.is_empty() => {
                    executed.outcomes.insert(text.trim_end().to_owned());
                }
                Some(124 | 137) => executed.hangs = true,
                other => executed.failed = Some(other.unwrap_or(-1)),
            }
        }
        Ok(executed)
    }

    /// What it prints goes into a file, since a process that is left over keeps a pipe open.
    fn run_once(&self, seed: usize, patience: f64) -> io::Result<ExitStatus> {
        let folder = self.scratch.path();
        let mut child = Command::new("timeout")
            .args(["--signal", "HUP", "--kill-after", "1", &patience.to_string(), "./native"])
            .env("SEED", seed.to_string())
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(fs::File::create(folder.join("outcome"))?)
            .stderr(Stdio::null())
            .spawn()?;
        let status = child.wait()?;
        if self.forks {
            // `timeout` has begun a group of processes; none may be left.
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
        }
        Ok(status)
    }
}
