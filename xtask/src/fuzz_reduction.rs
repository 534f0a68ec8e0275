//! `xtask fuzz-reduction`: random programs on which weave audits itself: every reduction against
//! the full search, both orders of steps called independent, sets called persistent
//! (`weave check --audit`). Complaints are shrunk and saved.
//!
//! No SPIN is involved, so the programs may have what pan gets wrong; each seed has one of several
//! mixtures of constructs.

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
pub struct FuzzReduction {
    pub seeds: Range<u64>,
    pub weave: Weave,
    pub jobs: usize,
    /// States in which claims are tried.
    pub sample: usize,
    /// Programs with more states are not compared.
    pub max_states: u64,
    /// Questions to ask while shrinking a complaint.
    pub patience: usize,
    /// A folder for shrunk programs.
    pub out: Option<PathBuf>,
}

/// Mixtures of constructs in which reductions go wrong, one for each seed in turn.
const MIXTURES: [&str; 7] = [
    "",
    "+odd-labels,+d_step-block,+out-of-bounds",
    "+false-exclusive,+escapes,+odd-timeouts",
    "+escapes,-records,-mtypes,-wide,-printf,-inlines,-macros",
    "only,run,dynamic,population,buffered,rendezvous,atomic,timeout,odd-timeouts,assert,goto,remote",
    "only,buffered,sorted,random,copy,poll,probes,arrays,atomic,d_step,unless,assert,channel-arrays,channel-messages,escapes",
    "only,buffered,rendezvous,copy,poll,probes,atomic,assert,channel-messages,aliases",
];

/// What came out.
#[derive(Debug, Default)]
pub struct Summary {
    pub counts: BTreeMap<String, u64>,
    /// Sums over all programs of what was tried.
    pub tried: BTreeMap<&'static str, u64>,
    pub wrong: Vec<u64>,
}

/// What weave says of itself on one program.
enum Says {
    Clean(Value),
    /// Nothing to audit, and why.
    Nothing(String),
    Wrong(String),
}

impl FuzzReduction {
    /// Audits every seed; prints complaints as they are found.
    pub fn run(&self) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        seeds::each(self.seeds.clone(), self.jobs, |seed| self.work(seed, &summary))?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, seed: u64, summary: &Mutex<Summary>) -> io::Result<()> {
        let program = generate::program(seed, features(seed)?);
        let says = self.ask(&program)?;
        if let Says::Wrong(message) = &says {
            self.report(seed, &program, message)?;
        }
        let mut summary = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        summary.note(seed, &says);
        Ok(())
    }

    fn ask(&self, program: &Program) -> io::Result<Says> {
        let scratch = Scratch::new("audit")?;
        fs::write(scratch.path().join("model.pml"), program.to_string())?;
        let (sample, states) = (format!("--audit={}", self.sample), self.max_states.to_string());
        let arguments = ["check", &sample, "--json", "--max-states", &states, "model.pml"];
        let limits = Limits { time: self.weave.time, memory_mb: self.weave.memory_mb };
        let binary = self.weave.binary.to_string_lossy();
        let finished = process::run(&binary, &arguments, scratch.path(), limits)?;
        let last = finished.stdout.lines().next_back().unwrap_or("");
        let result = serde_json::from_str::<Value>(last).unwrap_or(Value::Null);
        let nothing = |why: &str| Ok(Says::Nothing(why.to_owned()));
        match finished.code {
            _ if finished.timed_out() => nothing("time limit"),
            2 => nothing("refused by weave"),
            0 if result["refused"].is_string() => {
                nothing(&format!("no reduction: {}", result["refused"].as_str().unwrap_or("")))
            }
            0 if result["modes"][0]["states"].is_null() => nothing("too many states"),
            0 => Ok(Says::Clean(result)),
            code => Ok(Says::Wrong(match result["complaints"][0]["message"].as_str() {
                Some(message) => message.to_owned(),
                None => format!("exit code {code}: {last} {}", finished.stderr),
            })),
        }
    }

    fn report(&self, seed: u64, program: &Program, message: &str) -> io::Result<()> {
        println!("seed {seed}: {message}");
        let still = |candidate: &Program| matches!(self.ask(candidate), Ok(Says::Wrong(_)));
        let small = shrink(program, self.patience, still);
        let now = match self.ask(&small)? {
            Says::Wrong(message) => message,
            _ => message.to_owned(),
        };
        let text =
            format!("// Found by: cargo xtask fuzz-reduction --count 1 --seed {seed}\n// {now}\n{small}");
        println!("{text}");
        match &self.out {
            Some(folder) => save(folder, seed, &text),
            None => Ok(()),
        }
    }
}

fn save(folder: &Path, seed: u64, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("seed-{seed}.pml")), text)
}

/// The constructs of a seed.
fn features(seed: u64) -> io::Result<Features> {
    Features::parse(MIXTURES[(seed % MIXTURES.len() as u64) as usize]).map_err(io::Error::other)
}

impl Summary {
    fn note(&mut self, seed: u64, says: &Says) {
        let label = match says {
            Says::Clean(result) => {
                for mode in result["modes"].as_array().into_iter().flatten() {
                    for key in ["states", "reductions", "locals", "sampled", "pairs", "sets", "triples"] {
                        *self.tried.entry(key).or_default() += mode[key].as_u64().unwrap_or(0);
                    }
                }
                "nothing is wrong"
            }
            Says::Nothing(why) => why,
            Says::Wrong(_) => {
                self.wrong.push(seed);
                "wrong"
            }
        };
        *self.counts.entry(label.to_owned()).or_default() += 1;
    }

    pub fn print(&self) {
        self.counts.iter().for_each(|(label, count)| println!("{count:6} {label}"));
        let tried: Vec<String> = self.tried.iter().map(|(what, count)| format!("{count} {what}")).collect();
        println!("tried: {}", tried.join(", "));
        if !self.wrong.is_empty() {
            println!("seeds that are wrong: {:?}", self.wrong);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mixture_is_read() {
        assert!((0..MIXTURES.len() as u64).all(|seed| features(seed).is_ok()));
    }
}
