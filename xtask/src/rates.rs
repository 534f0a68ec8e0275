//! How many runs of a program a second: ours, beside the bare floor and McMini.
//!
//! The floor is the same program without any control, forked as often: `bench/floor.c` is linked
//! with it and calls its main function once in each child, on one core, until all its processes are
//! gone. What runs before and after is measured with it.
//!
//! Two comparisons. *One core each*: all three pinned to one core, and what is counted is the CPU
//! time of all their processes, so that others on the machine matter little. *As they come*: our
//! workers on all cores and McMini as it starts, by the clock. Each figure is the best of three,
//! taken in turns.

use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Program, macros, whether McMini runs it.
const ROWS: [(&str, &[&str], bool); 5] = [
    ("philosophers_sysv.c", &["N=4"], false),
    ("philosophers_sysv.c", &["N=3"], false),
    ("philosophers_mutex.c", &["N=6"], true),
    ("philosophers_sem.c", &["N=6"], true),
    ("fibonacci.c", &["K=6", "LOCKED"], true),
];

/// Runs a second: of CPU time, by the clock.
#[derive(Clone, Copy, Default)]
struct Rate {
    cpu: f64,
    clock: f64,
}

impl Rate {
    fn or_better(self, other: Rate) -> Rate {
        Rate { cpu: self.cpu.max(other.cpu), clock: self.clock.max(other.clock) }
    }
}

/// Whether the rates are as promised: 60 % of the floor, four times McMini's in both comparisons.
pub fn run(weave: &Path, mcmini: Option<&Path>) -> io::Result<bool> {
    println!(
        "runs a second         one core each, CPU time                              as they come, clock"
    );
    println!("program                      ours  floor  of floor  McMini   times    ours  McMini   times");
    let mut good = true;
    for (program, macros, runs_there) in ROWS {
        let subject = Subject::new(program, macros)?;
        let mut best: [Rate; 5] = Default::default();
        for _ in 0..3 {
            let mut taken = vec![subject.ours(weave, Some(1))?, subject.floor()?, subject.ours(weave, None)?];
            if let Some(mcmini) = mcmini.filter(|_| runs_there) {
                taken.push(subject.mcmini(mcmini, true)?);
                taken.push(subject.mcmini(mcmini, false)?);
            }
            best.iter_mut().zip(taken).for_each(|(best, new)| *best = best.or_better(new));
        }
        let [ours, floor, all, theirs, as_it_comes] = best;
        let share = ours.cpu / floor.cpu.max(1e-9);
        let times = [(ours.cpu, theirs.cpu), (all.clock, as_it_comes.clock)].map(|(a, b)| a / b.max(1e-9));
        let known = theirs.cpu > 0.0;
        let shown = |value: f64, digits: usize| match known {
            true => format!("{value:.digits$}"),
            false => "-".to_string(),
        };
        println!(
            "{:<26} {:>6.0} {:>6.0} {share:>9.2} {:>7} {:>7} {:>7.0} {:>7} {:>7}",
            format!("{program} {}", macros.join(" ")),
            ours.cpu,
            floor.cpu,
            shown(theirs.cpu, 0),
            shown(times[0], 1),
            all.clock,
            shown(as_it_comes.clock, 0),
            shown(times[1], 1),
        );
        good &= share >= 0.6 && (!known || times.iter().all(|t| *t >= 4.0));
    }
    Ok(good)
}

/// A program compiled without instrumentation, as the others get it; the fixed variant, so that no
/// run hangs. And the floor.
struct Subject {
    program: Scratch,
    floor: Scratch,
}

const RUNS: f64 = 2000.0;

impl Subject {
    fn new(program: &str, macros: &[&str]) -> io::Result<Subject> {
        let source = format!("models/programs/{program}");
        let (object, subject) = (
            Scratch::new("floor.o"),
            Subject { program: Scratch::new("program"), floor: Scratch::new("floor") },
        );
        compile(&["-o".as_ref(), subject.program.0.as_os_str(), source.as_ref()], macros)?;
        let renamed: Vec<&str> = macros.iter().copied().chain(["main=program_main"]).collect();
        compile(&["-c".as_ref(), "-o".as_ref(), object.0.as_os_str(), source.as_ref()], &renamed)?;
        compile(
            &["-o".as_ref(), subject.floor.0.as_os_str(), "bench/floor.c".as_ref(), object.0.as_os_str()],
            &[],
        )?;
        Ok(subject)
    }

    /// Without reduction, on this many cores or on all.
    fn ours(&self, weave: &Path, threads: Option<u32>) -> io::Result<Rate> {
        let mut words = vec![weave.to_string_lossy().into_owned()];
        words.extend(
            ["run", "--json", "--races", "list", "--keep-going", "--reduction", "none"].map(str::to_string),
        );
        words.extend(["--max-runs".to_string(), RUNS.to_string()]);
        words.extend(threads.map(|n| format!("--threads={n}")));
        words.push(self.program.0.to_string_lossy().into_owned());
        let spent = spend(&words)?;
        let last: Value =
            spent.said.lines().rev().find_map(|l| serde_json::from_str(l).ok()).unwrap_or_default();
        spent.rate(last["runs"].as_f64())
    }

    fn floor(&self) -> io::Result<Rate> {
        spend(&["taskset", "-c", "0", &self.floor.0.to_string_lossy()].map(str::to_string))?.rate(Some(RUNS))
    }

    /// McMini's own search.
    fn mcmini(&self, mcmini: &Path, one_core: bool) -> io::Result<Rate> {
        let pinned = ["taskset", "-c", "0"].map(str::to_string);
        let mut words = if one_core { pinned.to_vec() } else { Vec::new() };
        words.extend(["timeout".to_string(), "120".to_string(), mcmini.to_string_lossy().into_owned()]);
        words.extend(["-q".to_string(), self.program.0.to_string_lossy().into_owned()]);
        let spent = spend(&words)?;
        let traces = spent.said.lines().find_map(|l| {
            let after = l.split_once("Number of traces:").or_else(|| l.split_once("traces:"))?.1;
            after.split_whitespace().next()?.parse::<f64>().ok()
        });
        spent.rate(traces)
    }
}

/// What a command said, on both channels, and what it cost with all its children.
struct Spent {
    said: String,
    cpu: f64,
    clock: f64,
}

impl Spent {
    fn rate(&self, runs: Option<f64>) -> io::Result<Rate> {
        match runs {
            Some(runs) => Ok(Rate { cpu: runs / self.cpu.max(1e-9), clock: runs / self.clock.max(1e-9) }),
            None => Err(io::Error::other(format!("no number of runs in `{}`", self.said.trim()))),
        }
    }
}

/// CPU time is bash's.
fn spend(words: &[String]) -> io::Result<Spent> {
    const MARK: &str = "@cpu-seconds ";
    let script = format!("TIMEFORMAT='{MARK}%U %S'; time \"$@\"");
    let begun = Instant::now();
    let output = Command::new("bash").args(["-c", &script, "bash"]).args(words).output()?;
    let clock = begun.elapsed().as_secs_f64();
    let said =
        format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let cpu = said.rsplit_once(MARK).map_or("", |(_, numbers)| numbers);
    let cpu = cpu.split_whitespace().filter_map(|n| n.parse::<f64>().ok()).sum();
    Ok(Spent { said, cpu, clock })
}

/// A file that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("weave-bench-{}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn compile(words: &[&std::ffi::OsStr], defines: &[&str]) -> io::Result<()> {
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-g", "-pthread", "-Icrates/native/preload", "-DFIX"]);
    cc.args(defines.iter().map(|d| format!("-D{d}"))).args(words);
    match cc.status()?.success() {
        true => Ok(()),
        false => Err(io::Error::other("cc refuses")),
    }
}
