//! `xtask bench programs`: searches of real programs: the paper's Figure 4, complete runs of
//! dynamic reduction, and how many runs a second ([`crate::rates`]).

use crate::{figure4, rates};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `weave run` said.
pub struct Measured {
    pub explored: u64,
    pub runs: u64,
    pub blocked: u64,
    pub seconds: f64,
}

/// A complete search of a program of the corpus.
pub fn measure(weave: &Path, program: &str, options: &[&str]) -> io::Result<Measured> {
    let output =
        Command::new(weave).args(["run", "--json", "--races", "list"]).args(options).arg(program).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last: Value = text.lines().next_back().and_then(|l| serde_json::from_str(l).ok()).unwrap_or_default();
    let number = |name: &str| last[name].as_u64().unwrap_or(0);
    match last["exhausted"].as_bool() {
        Some(true) => Ok(Measured {
            explored: number("explored"),
            runs: number("runs"),
            blocked: number("blocked_runs"),
            seconds: last["seconds"].as_f64().unwrap_or(0.0),
        }),
        _ => Err(io::Error::other(format!("weave run {options:?} {program}: {}", last["reason"]))),
    }
}

pub struct Bench {
    pub weave: PathBuf,
    /// Up to this many philosophers in Figure 4.
    pub most: usize,
    pub mcmini: Option<PathBuf>,
    pub svg: PathBuf,
    /// Only the rates.
    pub rates_only: bool,
}

impl Bench {
    /// Whether all counts came out as known, and the rates as promised.
    pub fn run(&self) -> io::Result<bool> {
        let mut good = rates::run(&self.weave, self.mcmini.as_deref())?;
        if !self.rates_only {
            good &= self.complete_runs()?;
            good &= figure4::run(&self.weave, self.most, &self.svg)?;
        }
        Ok(good)
    }

    /// Counts known from Nidhugg and GenMC, too long for the tests.
    fn complete_runs(&self) -> io::Result<bool> {
        let mut good = true;
        println!("\nprogram                       complete runs    known   cut   seconds");
        for (program, options, known) in [
            ("fibonacci.c", &["-D", "K=5"][..], 8953),
            ("fibonacci.c", &["-D", "K=5", "-D", "LOCKED"], 252),
            ("indexer.c", &["-D", "N=14"], 512),
            ("last_zero.c", &["-D", "N=8"], 704),
            ("readers.c", &["-D", "N=8"], 256),
            ("philosophers_sysv.c", &["-D", "N=6", "-D", "FIX"], 62),
        ] {
            let path = format!("models/programs/{program}");
            let m = measure(&self.weave, &path, options)?;
            let name = format!("{program} {}", options.join(" ").replace("-D ", "-D"));
            println!("{name:<30} {:>12} {known:>8} {:>5} {:>9.2}", m.runs, m.blocked, m.seconds);
            good &= m.runs == known && m.blocked == 0;
        }
        Ok(good)
    }
}
