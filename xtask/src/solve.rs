//! `xtask solve`: the embedded solver on a folder of conditions whose answers are known, and beside
//! z3 on random ones.
//!
//! Both runs are examples of the crate `solve`, built with optimisation; what they print is read
//! here.

use crate::scratch::Scratch;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// What came out of a folder of conditions.
#[derive(Debug, Default, PartialEq)]
pub struct Tally {
    pub right: usize,
    /// Unknown, with quantifiers and without.
    pub unknown: [usize; 2],
    /// Lines about answers that contradict what the file promises, or about files that cannot be
    /// read.
    pub wrong: Vec<String>,
    pub seconds: f64,
    pub slowest: f64,
}

/// True if nothing is wrong and nothing without quantifiers is unknown.
pub fn run(conditions: Option<&Path>, count: u64, seed: u64) -> io::Result<bool> {
    let mut good = true;
    if let Some(path) = conditions {
        let tally = if path.is_dir() { decide(path)? } else { unpacked(path)? };
        println!(
            "{}: {} right, {} unknown without quantifiers, {} with, {} wrong; {:.2} s, slowest {:.3} s",
            path.display(),
            tally.right,
            tally.unknown[1],
            tally.unknown[0],
            tally.wrong.len(),
            tally.seconds,
            tally.slowest
        );
        tally.wrong.iter().for_each(|line| println!("  {line}"));
        good = tally.wrong.is_empty() && tally.unknown[1] == 0;
    }
    let random = example("random").args([count.to_string(), seed.to_string()]).status()?;
    Ok(good && random.success())
}

fn example(name: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--package", "everyweave-solve", "--example", name, "--"]);
    command
}

/// The conditions in an archive, wherever in it they are.
fn unpacked(archive: &Path) -> io::Result<Tally> {
    let scratch = Scratch::new("conditions")?;
    let unpacking = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(scratch.path()).status()?;
    if !unpacking.success() {
        return Err(io::Error::other(format!("{} cannot be unpacked", archive.display())));
    }
    let inner = fs::read_dir(scratch.path())?.filter_map(Result::ok).map(|e| e.path()).find(|p| p.is_dir());
    decide(inner.as_deref().unwrap_or(scratch.path()))
}

fn decide(folder: &Path) -> io::Result<Tally> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "smt2"));
    files.sort();
    let output = example("smt").args(&files).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let mut tally = Tally::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let text = fs::read_to_string(line.split('\t').next().unwrap_or_default())?;
        tally.add(line, text.contains("(forall") || text.contains("(exists"));
    }
    Ok(tally)
}

impl Tally {
    /// A line of the example: file, what it promises, the answer, seconds.
    fn add(&mut self, line: &str, quantified: bool) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, promised, answer, seconds] = fields[..] else {
            self.wrong.push(line.to_owned());
            return;
        };
        let seconds = seconds.parse().unwrap_or(0.0);
        self.seconds += seconds;
        self.slowest = self.slowest.max(seconds);
        if answer.starts_with("unknown") {
            self.unknown[usize::from(!quantified)] += 1;
        } else if answer == promised {
            self.right += 1;
        } else {
            self.wrong.push(line.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted() {
        let mut tally = Tally::default();
        tally.add("a\tunsat\tunsat\t0.5", false);
        tally.add("b\tsat\tunknown: why\t0.25", false);
        tally.add("c\tsat\tunsat\t0.25", true);
        tally.add("d\t-\terror: no such sort\t0", true);
        assert_eq!((tally.right, tally.unknown, tally.wrong.len()), (1, [0, 1], 2));
        assert_eq!((tally.seconds, tally.slowest), (1.0, 0.5));
    }
}
