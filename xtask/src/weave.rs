//! weave's answer to the question SPIN was asked, read from the last line of its JSON.

use crate::process::{self, Limits};
use crate::scratch::Scratch;
use crate::spin::report::Kind;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The binary and what it may use.
#[derive(Debug, Clone)]
pub struct Weave {
    pub binary: PathBuf,
    pub time: Duration,
    pub memory_mb: u64,
}

/// How a run of weave ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Searched(Search),
    /// Exit code 2: the model was refused.
    Rejected(String),
    /// Neither a result nor a refusal: our bug, or out of its limits.
    Failed(String),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Search {
    pub verdict: String,
    pub states: u64,
    pub transitions: u64,
    /// Kind → distinct violating states; kinds with none are left out.
    pub errors: BTreeMap<String, u64>,
    pub exhausted: bool,
    pub seconds: f64,
    pub user_seconds: f64,
    pub bytes_per_state: f64,
}

/// Builds weave as its users have it; where it is then.
pub fn build() -> io::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let done = std::process::Command::new(cargo)
        .args(["build", "--release", "--quiet", "--bin", "weave"])
        .status()?;
    if !done.success() {
        return Err(io::Error::other("weave could not be built"));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    Ok(target.join("release/weave"))
}

impl Search {
    pub fn errors_of(&self, kind: Kind) -> u64 {
        self.errors.get(kind.name()).copied().unwrap_or(0)
    }

    pub fn kinds(&self) -> Vec<Kind> {
        Kind::ALL.into_iter().filter(|&kind| self.errors_of(kind) > 0).collect()
    }
}

impl Weave {
    pub fn new(binary: &Path) -> Weave {
        let binary = binary.canonicalize().unwrap_or_else(|_| binary.to_owned());
        Weave { binary, time: Duration::from_secs(60), memory_mb: 4000 }
    }

    pub fn search_text(&self, model: &str) -> io::Result<Answer> {
        let scratch = Scratch::new("weave")?;
        fs::write(scratch.path().join("model.pml"), model)?;
        self.search_in(scratch.path(), "model.pml", &[])
    }

    /// Searches `model`, a file in `directory`, as SPIN's raw full search does.
    pub fn search_in(&self, directory: &Path, model: &str, options: &[&str]) -> io::Result<Answer> {
        self.asked(directory, model, &["--raw", "--reduction", "none", "--search", "dfs"], options)
    }

    /// The same breadth-first, by this many threads.
    pub fn levels_in(&self, directory: &Path, model: &str, threads: usize) -> io::Result<Answer> {
        let threads = threads.to_string();
        self.asked(directory, model, &["--raw", "--search", "bfs"], &["--threads", &threads])
    }

    /// Searches `model` with statements merged and with a reduction that `options` name.
    pub fn reduced_search_in(&self, directory: &Path, model: &str, options: &[&str]) -> io::Result<Answer> {
        self.asked(directory, model, &[], options)
    }

    fn asked(&self, directory: &Path, model: &str, usual: &[&str], options: &[&str]) -> io::Result<Answer> {
        let mut arguments = vec!["check", "--keep-going", "--json"];
        arguments.extend(usual);
        arguments.extend(options);
        arguments.push(model);
        let limits = Limits { time: self.time, memory_mb: self.memory_mb };
        let finished = process::run(&self.binary.to_string_lossy(), &arguments, directory, limits)?;
        let last = finished.stdout.lines().next_back().unwrap_or("");
        let result = serde_json::from_str::<Value>(last).ok().filter(|value| value["event"] == "result");
        Ok(match (result, finished.code) {
            (Some(value), 0 | 1 | 3) => Answer::Searched(search(&value, finished.user_seconds)),
            (_, 2) => Answer::Rejected(first_lines(&finished.stdout, &finished.stderr)),
            _ if finished.timed_out() => Answer::Failed("time-out".to_owned()),
            (_, code) => {
                Answer::Failed(format!("exit {code}: {}", first_lines(&finished.stderr, &finished.stdout)))
            }
        })
    }
}

fn search(value: &Value, user_seconds: f64) -> Search {
    let number = |key: &str| value[key].as_u64().unwrap_or(0);
    let errors = value["errors"].as_object().cloned().unwrap_or_default();
    let counted = errors.into_iter().map(|(kind, count)| (kind, count.as_u64().unwrap_or(0)));
    Search {
        verdict: value["verdict"].as_str().unwrap_or("").to_owned(),
        states: number("states"),
        transitions: number("transitions"),
        errors: counted.filter(|(_, count)| *count > 0).collect(),
        exhausted: value["exhausted"].as_bool().unwrap_or(false),
        seconds: value["seconds"].as_f64().unwrap_or(0.0),
        user_seconds,
        bytes_per_state: value["bytes_per_state"].as_f64().unwrap_or(0.0),
    }
}

fn first_lines(first: &str, second: &str) -> String {
    let lines = first.lines().chain(second.lines()).filter(|line| !line.trim().is_empty());
    lines.take(4).collect::<Vec<_>>().join(" | ")
}
