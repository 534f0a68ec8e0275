//! `xtask soak`: every generator of random subjects in turn, with fresh seeds, until the time is
//! up; a table at the end.
//!
//! Each turn is a process of its own: a command of xtask, or a test of a crate that takes its seed
//! from the environment. What a turn that found something said, with what it shrank, goes into a
//! file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, io};

/// What to do.
pub struct Soak {
    pub time: Duration,
    pub seed: u64,
    pub weave: PathBuf,
    pub jobs: usize,
    pub out: PathBuf,
    /// Only generators with this in their names.
    pub only: Option<String>,
}

/// A generator: how it is called, and how many subjects a turn has.
#[derive(Debug, Clone, Copy)]
struct Generator {
    name: &'static str,
    count: u64,
    call: Call,
}

#[derive(Debug, Clone, Copy)]
enum Call {
    /// A command of xtask with `--seed` and `--count`, and these options.
    Xtask(&'static str, &'static [Given]),
    /// A test of the package `everyweave-…`, with the names of the variables for the seed and the
    /// count.
    Test {
        package: &'static str,
        test: &'static str,
        only: &'static str,
        seed: &'static str,
        count: &'static str,
    },
}

/// An option of a command.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Given {
    Weave,
    Jobs,
    Out,
}

const fn test(
    name: &'static str,
    count: u64,
    (package, test): (&'static str, &'static str),
    only: &'static str,
    [seed, number]: [&'static str; 2],
) -> Generator {
    Generator { name, count, call: Call::Test { package, test, only, seed, count: number } }
}

const fn xtask(name: &'static str, count: u64, given: &'static [Given]) -> Generator {
    Generator { name, count, call: Call::Xtask(name, given) }
}

const NATIVE: [&str; 2] = ["SEED", "PROGRAMS"];

/// All of them. A turn takes about a minute.
const GENERATORS: &[Generator] = &[
    xtask("fuzz-programs", 100, &[Given::Weave, Given::Jobs, Given::Out]),
    xtask("fuzz-calls", 50, &[Given::Weave, Given::Jobs, Given::Out]),
    xtask("fuzz-java", 40, &[Given::Weave, Given::Out]),
    xtask("fuzz-prove", 60, &[Given::Weave, Given::Jobs]),
    xtask("fuzz-spin", 150, &[Given::Weave, Given::Jobs, Given::Out]),
    xtask("fuzz-ltl", 80, &[Given::Weave]),
    xtask("fuzz-reduction", 100, &[Given::Weave, Given::Jobs, Given::Out]),
    xtask("fuzz-engines", 20, &[Given::Weave, Given::Jobs, Given::Out]),
    xtask("solve", 400, &[]),
    test("native real", 200, ("native", "real"), "", NATIVE),
    test("native families", 200, ("native", "families"), "", NATIVE),
    test("native cancelled", 100, ("native", "cancelled"), "", NATIVE),
    test("native ready", 100, ("native", "ready"), "", NATIVE),
    test("native files", 200, ("native", "files"), "", NATIVE),
    test("explore stateless", 2000, ("explore", "stateless"), "", NATIVE),
    test("shapes random", 60, ("shapes", "random"), "concrete_run", ["FIRST", "MODELS"]),
    test("shapes java_random", 40, ("shapes", "java_random"), "random_programs", ["FIRST", "PROGRAMS"]),
    test("workbench proofs", 12, ("workbench", "proofs"), "", ["WEAVE_SEED", "WEAVE_PROGRAMS"]),
    test("workbench reductions", 400, ("workbench", "sound"), "generated", NATIVE),
];

/// What a generator did so far.
#[derive(Debug, Clone, Default, PartialEq)]
struct Row {
    turns: u64,
    programs: u64,
    comparisons: u64,
    contradictions: u64,
    /// Why it cannot be called.
    absent: Option<String>,
}

/// The table of a soak run: it can be printed at any moment.
#[derive(Debug, Default)]
pub struct Table {
    rows: Mutex<Vec<(&'static str, Row)>>,
}

impl Table {
    pub fn print(&self) {
        let rows = self.rows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        println!(
            "\n{:24} {:>6} {:>9} {:>12} {:>15}",
            "generator", "turns", "programs", "comparisons", "contradictions"
        );
        for (name, row) in rows.iter() {
            match &row.absent {
                Some(why) => println!("{name:24} {why}"),
                None => println!(
                    "{name:24} {:>6} {:>9} {:>12} {:>15}",
                    row.turns, row.programs, row.comparisons, row.contradictions
                ),
            }
        }
    }

    pub fn contradictions(&self) -> u64 {
        let rows = self.rows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        rows.iter().map(|(_, row)| row.contradictions).sum()
    }

    fn add(&self, name: &'static str, turn: &Row) {
        let mut rows = self.rows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let at = rows.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            rows.push((name, Row::default()));
            rows.len() - 1
        });
        let row = &mut rows[at].1;
        row.turns += turn.turns;
        row.programs += turn.programs;
        row.comparisons += turn.comparisons;
        row.contradictions += turn.contradictions;
        row.absent.clone_from(&turn.absent);
    }

    fn absent(&self, name: &str) -> bool {
        let rows = self.rows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        rows.iter().any(|(known, row)| *known == name && row.absent.is_some())
    }
}

impl Soak {
    /// Takes turns until the time is up.
    pub fn run(&self, table: &Table) -> io::Result<()> {
        fs::create_dir_all(&self.out)?;
        let begin = Instant::now();
        let wanted = |name: &str| self.only.as_ref().is_none_or(|part| name.contains(part.as_str()));
        for round in 0.. {
            let mut any = false;
            for generator in GENERATORS.iter().filter(|generator| wanted(generator.name)) {
                if begin.elapsed() >= self.time {
                    return Ok(());
                }
                if !table.absent(generator.name) {
                    any = true;
                    let seed = self.seed.wrapping_add(round * 1_000_003);
                    table.add(generator.name, &self.turn(generator, seed)?);
                }
            }
            if !any {
                return Err(io::Error::other("there is no such generator"));
            }
        }
        Ok(())
    }

    fn turn(&self, generator: &Generator, seed: u64) -> io::Result<Row> {
        let begin = Instant::now();
        let output = self.command(generator, seed)?.output()?;
        let row = read(generator, &output);
        let (name, seconds) = (generator.name, begin.elapsed().as_secs());
        println!(
            "{name}, seed {seed}: {} programs, {} contradictions, {seconds} s",
            row.programs, row.contradictions
        );
        if row.contradictions > 0 {
            self.save(name, seed, &output)?;
        }
        Ok(row)
    }

    fn command(&self, generator: &Generator, seed: u64) -> io::Result<Command> {
        let (seed, count) = (seed.to_string(), generator.count.to_string());
        Ok(match generator.call {
            Call::Xtask(name, given) => {
                let mut command = Command::new(std::env::current_exe()?);
                command.args([name, "--seed", &seed, "--count", &count]);
                for option in given {
                    match option {
                        Given::Weave => command.arg("--weave").arg(&self.weave),
                        Given::Jobs => command.args(["--jobs", &self.jobs.to_string()]),
                        Given::Out => command.arg("--out").arg(&self.out),
                    };
                }
                command
            }
            Call::Test { package, test, only, seed: seed_name, count: count_name } => {
                let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
                let mut command = Command::new(cargo);
                let package = format!("everyweave-{package}");
                command.args(["test", "--quiet", "--package", &package, "--test", test, "--", only]);
                command.env(seed_name, seed).env(count_name, count);
                command
            }
        })
    }

    fn save(&self, name: &str, seed: u64, output: &Output) -> io::Result<()> {
        let file = self.out.join(format!("{}_{seed}.log", name.replace(' ', "_")));
        println!("  {}", Path::new(&file).display());
        fs::write(file, [output.stdout.as_slice(), output.stderr.as_slice()].concat())
    }
}

/// What a turn came to. Exit code 1 (101 for tests) says that something contradicts.
fn read(generator: &Generator, output: &Output) -> Row {
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if complaint.contains("unrecognized subcommand") {
        return Row { absent: Some("is not there".to_owned()), ..Row::default() };
    }
    let comparisons = before(&said, " comparisons").unwrap_or(generator.count);
    let seeds = said.lines().rev().find(|line| line.starts_with("seeds that "));
    let listed = seeds.map_or(1, |line| line.split(',').count() as u64);
    Row {
        turns: 1,
        programs: before(&said, " programs,").unwrap_or(generator.count),
        comparisons,
        contradictions: if output.status.success() { 0 } else { listed },
        absent: None,
    }
}

/// The number before a word, in the last line that has both.
fn before(text: &str, word: &str) -> Option<u64> {
    text.lines().rev().find_map(|line| {
        line.split(word).next().filter(|_| line.contains(word))?.split(' ').next_back()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        let text = "12 programs, 30 comparisons, 1 programs contradict\n     9 agreed";
        assert_eq!((before(text, " comparisons"), before(text, " programs,")), (Some(30), Some(12)));
        assert_eq!(before("no such word", " comparisons"), None);
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<&str> = GENERATORS.iter().map(|generator| generator.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GENERATORS.len());
    }

    #[test]
    fn a_generator_that_is_not_there_is_called_once() {
        let table = Table::default();
        table.add("fuzz-x", &Row { absent: Some("is not there".to_owned()), ..Row::default() });
        assert!(table.absent("fuzz-x") && table.contradictions() == 0);
        table.add("fuzz-y", &Row { turns: 1, contradictions: 2, ..Row::default() });
        assert!(!table.absent("fuzz-y") && table.contradictions() == 2);
    }
}
