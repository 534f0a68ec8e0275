//! `xtask bench programs`: searches of real programs: the paper's Figure 4, complete runs of dynamic reduction, and how many
//! runs a second, beside the bare floor and McMini.
//!
//! The floor is the same program without any control, forked as often: `bench/floor.c` is linked with it and calls its main function
//! once in each child, on one core, until all its processes are gone. What runs before and after is measured with it.

use crate::figure4;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What `weave run` said.
pub struct Measured {
    pub explored: u64,
    pub runs: u64,
    pub blocked: u64,
    pub seconds: f64,
}

/// A complete search of a program of the corpus.
pub fn measure(weave: &Path, program: &str, options: &[&str]) -> io::Result<Measured> {
    let output = Command::new(weave).args(["run", "--json"]).args(options).arg(program).output()?;
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
    /// Up to so many philosophers in Figure 4.
    pub most: usize,
    pub mcmini: Option<PathBuf>,
    pub svg: PathBuf,
    /// Only the rates.
    pub rates_only: bool,
}

impl Bench {
    /// Whether all counts came out as known, and the rates as promised.
    pub fn run(&self) -> io::Result<bool> {
        let mut good = self.rates()?;
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

    /// Runs a second, one core: ours, the floor's, McMini's.
    fn rates(&self) -> io::Result<bool> {
        let mut good = true;
        println!(
            "program                            ours  floor  of floor  McMini  times McMini  (runs a second)"
        );
        for (program, options, mcmini) in [
            ("philosophers_sysv.c", &["N=4"][..], false),
            ("philosophers_sysv.c", &["N=3"], false),
            ("philosophers_mutex.c", &["N=6"], true),
            ("philosophers_sem.c", &["N=6"], true),
            ("fibonacci.c", &["K=5", "LOCKED"], true),
        ] {
            let path = format!("models/programs/{program}");
            let ours = self.our_rate(&path, options)?;
            let floor = floor(&path, options)?;
            let theirs = match &self.mcmini {
                Some(binary) if mcmini => Some(mcmini_rate(binary, &path, options)?),
                _ => None,
            };
            let share = ours / floor.max(1e-9);
            let times = theirs.map(|t| ours / t.max(1e-9));
            let shown = |value: Option<f64>, digits: usize| {
                value.map_or("-".to_string(), |v| format!("{v:.digits$}"))
            };
            println!(
                "{:<32} {ours:>6.0} {floor:>6.0} {share:>9.2} {:>7} {:>13}",
                format!("{program} {}", options.join(" ")),
                shown(theirs, 0),
                shown(times, 1)
            );
            good &= share >= 0.6 && times.is_none_or(|t| t >= 4.0);
        }
        Ok(good)
    }

    /// A program compiled without instrumentation, as the others get it; the fixed variant, so that no run hangs.
    fn our_rate(&self, program: &str, options: &[&str]) -> io::Result<f64> {
        let binary = Scratch::new("ours")?;
        compile(&["-o".as_ref(), binary.0.as_os_str(), program.as_ref()], options, &[])?;
        let path = binary.0.to_string_lossy().into_owned();
        let output = Command::new(&self.weave)
            .args([
                "run",
                "--json",
                "--keep-going",
                "--threads",
                "1",
                "--reduction",
                "none",
                "--max-runs",
                "2000",
            ])
            .arg(&path)
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last: Value =
            text.lines().next_back().and_then(|l| serde_json::from_str(l).ok()).unwrap_or_default();
        let all = last["runs"].as_f64().unwrap_or(0.0) + last["blocked_runs"].as_f64().unwrap_or(0.0);
        Ok(all / last["seconds"].as_f64().unwrap_or(1.0).max(1e-9))
    }
}

/// A file that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> io::Result<Scratch> {
        Ok(Scratch(std::env::temp_dir().join(format!("weave-bench-{}-{name}", std::process::id()))))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn compile(words: &[&std::ffi::OsStr], defines: &[&str], more: &[&str]) -> io::Result<()> {
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-g", "-pthread", "-Icrates/native/preload", "-DFIX"]);
    cc.args(defines.iter().map(|d| format!("-D{d}"))).args(more).args(words);
    match cc.status()?.success() {
        true => Ok(()),
        false => Err(io::Error::other("cc refuses")),
    }
}

/// Runs a second of a program that nobody controls.
fn floor(program: &str, options: &[&str]) -> io::Result<f64> {
    let (object, binary) = (Scratch::new("floor.o")?, Scratch::new("floor")?);
    compile(
        &["-c".as_ref(), "-o".as_ref(), object.0.as_os_str(), program.as_ref()],
        options,
        &["-Dmain=program_main"],
    )?;
    compile(
        &["-o".as_ref(), binary.0.as_os_str(), "bench/floor.c".as_ref(), object.0.as_os_str()],
        &[],
        &[],
    )?;
    let output = Command::new("taskset").args(["-c", "0"]).arg(&binary.0).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(|_| io::Error::other(format!("the floor says `{}`", text.trim())))
}

/// Runs a second of McMini's own search, on one core as the others.
fn mcmini_rate(mcmini: &Path, program: &str, options: &[&str]) -> io::Result<f64> {
    let binary = Scratch::new("mcmini")?;
    compile(&["-o".as_ref(), binary.0.as_os_str(), program.as_ref()], options, &[])?;
    let begun = Instant::now();
    let output = Command::new("taskset")
        .args(["-c", "0", "timeout", "60"])
        .arg(mcmini)
        .arg("-q")
        .arg(&binary.0)
        .output()?;
    let seconds = begun.elapsed().as_secs_f64();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let traces = text.lines().find_map(|l| {
        let after = l.split_once("Number of traces:").or_else(|| l.split_once("traces:"))?.1;
        after.split_whitespace().next()?.parse::<f64>().ok()
    });
    traces.map(|n| n / seconds).ok_or_else(|| io::Error::other(format!("McMini: {}", text.trim())))
}
