//! The same model under SPIN: its raw full search, for a comparison side by side.
//!
//! `spin -o1 -o2 -o3 -a`, pan compiled with `-DSAFETY -DNOREDUCE -DNOCLAIM` and run with `-c0`: one
//! statement is one transition, nothing is merged, sliced or reduced, no claim restricts the runs,
//! and no error ends the search.

use crate::failure::Failure;
use crate::listener::Interrupt;
use crate::question::ModelRequest;
use crate::tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What SPIN said.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The search came to an end.
    Searched(Page),
    /// One of the tools refused the model or failed.
    Failed {
        /// The tool.
        tool: &'static str,
        /// What it said.
        message: String,
    },
    /// It took longer than allowed.
    Timeout,
}

/// Pan's page of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// States stored.
    pub states: u64,
    /// Transitions explored.
    pub transitions: u64,
    /// Transitions to known states.
    pub matched: u64,
    /// The depth reached.
    pub depth: u64,
    /// The kinds of error it met.
    pub deadlock: bool,
    /// Whether an assertion failed.
    pub assertion: bool,
    /// Whether a run-time error was met.
    pub runtime: bool,
    /// Neither cut at the depth limit nor out of memory.
    pub exhausted: bool,
    /// Of the search alone.
    pub seconds: f64,
}

/// Runs spin, gcc and pan on a model in a folder of their own.
pub fn search(request: &ModelRequest, time: Duration, interrupt: &Interrupt) -> Result<Outcome, Failure> {
    for tool in ["spin", "gcc"] {
        if tools::find(tool).is_none() {
            return Err(Failure::Request(format!(
                "`{tool}` is not installed; `weave doctor` lists the optional tools"
            )));
        }
    }
    let fail =
        |e: std::io::Error| Failure::File { path: request.file.clone(), message: crate::model::describe(&e) };
    let model = fs::canonicalize(&request.file).map_err(fail)?;
    let scratch = Scratch::new().map_err(fail)?;
    let chain = Chain { folder: &scratch.0, deadline: Instant::now() + time, interrupt };
    chain.search(&model, request).map_err(fail)
}

struct Chain<'a> {
    folder: &'a Path,
    deadline: Instant,
    interrupt: &'a Interrupt,
}

impl Chain<'_> {
    fn search(&self, model: &Path, request: &ModelRequest) -> std::io::Result<Outcome> {
        let defines = request.defines.iter().map(|d| format!("-D{}", d.text()));
        let spin: Vec<String> = defines.chain(["-o1", "-o2", "-o3", "-a"].map(String::from)).collect();
        let Some(generated) = self.run(Command::new("spin").args(spin).arg(model))? else {
            return Ok(Outcome::Timeout);
        };
        if !self.folder.join("pan.c").exists() {
            return Ok(failed("spin", &generated));
        }
        let flags =
            ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=8000", "-o", "pan", "pan.c"];
        let Some(compiled) = self.run(Command::new("gcc").args(flags))? else {
            return Ok(Outcome::Timeout);
        };
        if !self.folder.join("pan").exists() {
            return Ok(failed("gcc", &compiled));
        }
        let started = Instant::now();
        let pan = self.folder.join("pan");
        let Some(printed) = self.run(Command::new(pan).args(["-m1000000", "-n", "-c0"]))? else {
            return Ok(Outcome::Timeout);
        };
        let seconds = started.elapsed().as_secs_f64();
        Ok(match read_page(&printed) {
            Some(page) => Outcome::Searched(Page { seconds, ..page }),
            None => failed("pan", &printed),
        })
    }

    /// What a child printed; `None` if it was stopped.
    fn run(&self, command: &mut Command) -> std::io::Result<Option<String>> {
        let log = self.folder.join("log");
        let file = fs::File::create(&log)?;
        let mut child = command
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()?;
        while child.try_wait()?.is_none() {
            if Instant::now() >= self.deadline || self.interrupt.is_raised() {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Some(String::from_utf8_lossy(&fs::read(&log)?).into_owned()))
    }
}

fn failed(tool: &'static str, printed: &str) -> Outcome {
    let telling = printed.lines().find(|l| l.contains("rror")).or_else(|| printed.lines().next());
    Outcome::Failed { tool, message: telling.unwrap_or("no output").trim().to_string() }
}

/// Reads what pan printed; `None` if there is no page of numbers.
pub(crate) fn read_page(text: &str) -> Option<Page> {
    let states = number_before(text, "states, stored")?;
    let cut = ["max search depth too small", "Search not completed", "out of memory"];
    let errors: Vec<&str> =
        text.lines().filter_map(|l| l.strip_prefix("pan:")?.split_once(": ")).map(|e| e.1).collect();
    let deadlock = |e: &&str| e.starts_with("invalid end state");
    let assertion = |e: &&str| e.starts_with("assertion violated") && !e.contains("invalid array index");
    let harmless = |e: &&str| e.starts_with("wrote ") || e.starts_with("max search depth");
    Some(Page {
        states: states as u64,
        matched: number_before(text, "states, matched")? as u64,
        transitions: number_before(text, "transitions (=")? as u64,
        depth: number_after(text, "depth reached "),
        deadlock: errors.iter().any(&deadlock),
        assertion: errors.iter().any(&assertion),
        runtime: errors.iter().any(|e| !deadlock(e) && !assertion(e) && !harmless(e)),
        exhausted: !cut.iter().any(|mark| text.contains(mark)),
        seconds: 0.0,
    })
}

/// Pan prints counts with `%g`: large ones come as 1.252655e+06.
fn number_before(text: &str, mark: &str) -> Option<f64> {
    let before = text.lines().find_map(|line| line.split_once(mark))?.0;
    before.split_whitespace().next_back()?.parse().ok()
}

fn number_after(text: &str, mark: &str) -> u64 {
    let after = text.split_once(mark).map_or("", |(_, after)| after);
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// A folder that goes away with its owner.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        let base = std::env::temp_dir();
        for attempt in 0..1000 {
            let folder = base.join(format!("weave-{}-{attempt}", std::process::id()));
            match fs::create_dir(&folder) {
                Ok(()) => {
                    native::leftovers::add(&folder);
                    return Ok(Scratch(folder));
                }
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(std::io::Error::other("no free name for a temporary folder"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder left behind in the place for temporary things does no harm.
        let _ = fs::remove_dir_all(&self.0);
        native::leftovers::forget(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "pan:1: invalid end state (at depth 7)\npan: wrote m.trail\npan:2: assertion violated (x==1) (at depth 9)\n
State-vector 36 byte, depth reached 17, errors: 2
      160 states, stored
      281 states, matched
      441 transitions (= stored+matched)
      321 atomic steps\n";

    #[test]
    fn the_page_of_numbers_is_read() {
        let page = read_page(PAGE).unwrap();
        assert_eq!((page.states, page.matched, page.transitions, page.depth), (160, 281, 441, 17));
        assert_eq!((page.deadlock, page.assertion, page.runtime, page.exhausted), (true, true, false, true));
        assert_eq!(read_page("pan: error"), None);
        let large = PAGE.replace("      160 states", "1.252655e+06 states");
        assert_eq!(read_page(&large).map(|p| p.states), Some(1_252_655));
        assert!(!read_page(&format!("error: max search depth too small\n{PAGE}")).unwrap().exhausted);
    }
}
