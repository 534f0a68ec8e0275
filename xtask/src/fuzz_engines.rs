//! `xtask fuzz-engines`: random programs, asked of every engine for models: the search from state
//! to state, sets of states (`--engine symbolic`) and proofs (`weave prove`). *Holds* and
//! *violated* must never meet for one property, and where nothing is hidden in atomic sequences and
//! nothing goes wrong, the search and the sets must have as many states. Differences are shrunk.

use crate::generate::{self, features::Features};
use crate::process::{self, Limits};
use crate::program::Program;
use crate::scratch::Scratch;
use crate::seeds;
use crate::shrink::shrink;
use crate::weave::Weave;
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{collections::BTreeMap, fs, io};

/// What to do.
pub struct FuzzEngines {
    pub seeds: Range<u64>,
    pub weave: Weave,
    pub jobs: usize,
    /// Programs with more states are not compared.
    pub max_states: u64,
    /// Seconds for each engine.
    pub time: u64,
    /// Questions to ask while shrinking a difference.
    pub patience: usize,
    /// A folder for shrunk programs.
    pub out: Option<PathBuf>,
}

/// Mixtures of constructs, one for each seed in turn.
const MIXTURES: [&str; 5] = [
    "",
    "-atomic,-d_step",
    "+d_step-block,+out-of-bounds,+escapes",
    "only,run,dynamic,buffered,rendezvous,atomic,timeout,odd-timeouts,assert,goto,remote,unless",
    "only,buffered,sorted,random,copy,poll,probes,arrays,atomic,d_step,assert,channel-arrays,channel-messages",
];

/// What came out.
#[derive(Debug, Default)]
pub struct Summary {
    pub counts: BTreeMap<String, u64>,
    pub wrong: Vec<u64>,
}

/// The engines of one program held against each other.
struct Compared {
    /// What is to be counted.
    labels: Vec<String>,
    wrong: Option<String>,
}

/// What one engine says.
enum Says {
    /// Property → verdict, and the number of states.
    Answer(BTreeMap<String, String>, u64),
    /// Neither an answer nor a refusal: our bug.
    Failed(String),
    /// The model is refused, or time is over.
    Nothing,
}

impl FuzzEngines {
    /// Asks about every seed; prints differences as they are found.
    pub fn run(&self) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        seeds::each(self.seeds.clone(), self.jobs, |seed| self.work(seed, &summary))?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, seed: u64, summary: &Mutex<Summary>) -> io::Result<()> {
        let mixture = MIXTURES[(seed % MIXTURES.len() as u64) as usize];
        let program = generate::program(seed, Features::parse(mixture).map_err(io::Error::other)?);
        let compared = self.compare(&program)?;
        if let Some(message) = &compared.wrong {
            self.report(seed, &program, message)?;
        }
        let mut summary = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        summary.wrong.extend(compared.wrong.map(|_| seed));
        for label in compared.labels {
            *summary.counts.entry(label).or_default() += 1;
        }
        Ok(())
    }

    fn compare(&self, program: &Program) -> io::Result<Compared> {
        let text = program.to_string();
        let states = self.max_states.to_string();
        let mut compared = Compared { labels: Vec::new(), wrong: None };
        let raw = ["check", "--raw", "--reduction", "none", "--keep-going", "--max-states", &states];
        let (searched, count) = match self.ask(&text, &raw)? {
            Says::Answer(verdicts, count) => (verdicts, count),
            Says::Failed(why) => return Ok(Compared { wrong: Some(format!("search: {why}")), ..compared }),
            Says::Nothing => {
                compared.labels.push("not searched".to_owned());
                return Ok(compared);
            }
        };
        let ways: [(&str, &[&str]); 2] =
            [("symbolic", &["check", "--engine", "symbolic", "--keep-going"]), ("prove", &["prove"])];
        for (name, way) in ways {
            match self.ask(&text, way)? {
                Says::Nothing => compared.labels.push(format!("{name}: no answer")),
                Says::Failed(why) => compared.wrong = Some(format!("{name}: {why}")),
                Says::Answer(verdicts, found) => {
                    compared.hold(name, &searched, &verdicts);
                    let exact = is_plain(&text) && all_hold(&searched) && all_hold(&verdicts);
                    if name == "symbolic" && exact {
                        compared.labels.push("symbolic: states counted".to_owned());
                        if found != count {
                            compared.wrong = Some(format!("the search has {count} states, the sets {found}"));
                        }
                    }
                }
            }
        }
        Ok(compared)
    }

    fn ask(&self, text: &str, way: &[&str]) -> io::Result<Says> {
        let scratch = Scratch::new("engines")?;
        fs::write(scratch.path().join("model.pml"), text)?;
        let time = format!("{}s", self.time);
        let arguments = [way, &["--json", "--timeout", &time, "model.pml"]].concat();
        let limits = Limits { time: self.weave.time, memory_mb: self.weave.memory_mb };
        let binary = self.weave.binary.to_string_lossy();
        let finished = process::run(&binary, &arguments, scratch.path(), limits)?;
        let last = finished.stdout.lines().next_back().unwrap_or("");
        let result = serde_json::from_str::<Value>(last).unwrap_or(Value::Null);
        Ok(match finished.code {
            _ if finished.timed_out() => Says::Nothing,
            0 | 1 | 3 => Says::Answer(verdicts(&result), result["states"].as_u64().unwrap_or(0)),
            2 => Says::Nothing,
            code => Says::Failed(format!("exit code {code}: {last} {}", finished.stderr)),
        })
    }

    fn report(&self, seed: u64, program: &Program, message: &str) -> io::Result<()> {
        println!("seed {seed}: {message}");
        let still = |candidate: &Program| self.compare(candidate).is_ok_and(|c| c.wrong.is_some());
        let small = shrink(program, self.patience, still);
        let now = self.compare(&small)?.wrong.unwrap_or_else(|| message.to_owned());
        let text =
            format!("// Found by: cargo xtask fuzz-engines --count 1 --seed {seed}\n// {now}\n{small}");
        println!("{text}");
        match &self.out {
            Some(folder) => save(folder, seed, &text),
            None => Ok(()),
        }
    }
}

impl Compared {
    /// Holds the verdicts of an engine against those of the search.
    fn hold(&mut self, name: &str, searched: &BTreeMap<String, String>, said: &BTreeMap<String, String>) {
        for (property, verdict) in said {
            let other = searched.get(property).map_or("unknown", String::as_str);
            let label = match (verdict.as_str(), other) {
                ("unknown", _) => "unknown",
                (_, "unknown") => "unknown to the search",
                (a, b) if a == b => a,
                _ => {
                    let message = format!("{property}: {verdict} by {name}, {other} by the search");
                    self.wrong = Some(message);
                    "contradicts"
                }
            };
            self.labels.push(format!("{name}: {label}"));
        }
    }
}

fn verdicts(result: &Value) -> BTreeMap<String, String> {
    let word = |p: &Value, key: &str| p[key].as_str().unwrap_or("").to_owned();
    let one = |p: &Value| (format!("{} {}", word(p, "kind"), word(p, "name")), word(p, "verdict"));
    result["properties"].as_array().into_iter().flatten().map(one).collect()
}

fn all_hold(verdicts: &BTreeMap<String, String>) -> bool {
    verdicts.values().all(|v| v == "holds")
}

/// Whether a search stores every state that a relation has.
fn is_plain(text: &str) -> bool {
    ["atomic", "d_step", "hidden"].iter().all(|word| !text.contains(word))
}

fn save(folder: &Path, seed: u64, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("seed-{seed}.pml")), text)
}

impl Summary {
    pub fn print(&self) {
        self.counts.iter().for_each(|(label, count)| println!("{count:6} {label}"));
        if !self.wrong.is_empty() {
            println!("seeds that are wrong: {:?}", self.wrong);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mixture_is_one() {
        MIXTURES.iter().for_each(|mixture| assert!(Features::parse(mixture).is_ok(), "{mixture}"));
    }

    #[test]
    fn holds_and_violated_never_meet() {
        let said = |verdict: &str| BTreeMap::from([("ltl p".to_owned(), verdict.to_owned())]);
        let wrong = |search: &str, other: &str| {
            let mut compared = Compared { labels: Vec::new(), wrong: None };
            compared.hold("symbolic", &said(search), &said(other));
            compared.wrong.is_some()
        };
        assert!(wrong("holds", "violated") && wrong("violated", "holds"));
        assert!(!wrong("holds", "unknown") && !wrong("unknown", "violated") && !wrong("holds", "holds"));
    }
}
