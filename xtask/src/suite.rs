//! `xtask bench proofs`: how much of a folder of programs `weave prove` decides, and whether it is
//! right.
//!
//! The head of each file gives the truth of each property (`expect NAME: holds`). Weave is a black
//! box here: its binary and its JSON. A verdict against the truth is wrong; *unknown* never is.

use crate::process::{self, Limits};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

/// Which files of a folder, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    All,
    /// The first, the third, ….
    Odd,
    Even,
}

pub struct Suite {
    pub weave: PathBuf,
    pub folder: PathBuf,
    pub half: Half,
    pub timeout: Duration,
}

/// A property, its truth and what weave says.
struct Row {
    file: String,
    property: String,
    truth: String,
    verdict: String,
    seconds: f64,
    why: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    decided: usize,
    undecided: usize,
    wrong: usize,
}

/// Beyond the time that weave gives itself.
const PATIENCE: u64 = 30;

impl Suite {
    /// Prints the table; true if nothing is wrong.
    pub fn run(&self) -> io::Result<bool> {
        let mut rows = Vec::new();
        println!("| file | property | truth | verdict | seconds |\n|---|---|---|---|---|");
        for file in self.files()? {
            for row in self.ask(&file)? {
                let Row { file, property, truth, verdict, seconds, why } = &row;
                println!("| {file} | {property} | {truth} | {verdict} | {seconds:.1} | {why}");
                rows.push(row);
            }
        }
        let Counts { decided, undecided, wrong } = counts(&rows);
        let share = 100.0 * decided as f64 / rows.len().max(1) as f64;
        println!(
            "\ndecided {decided} of {} ({share:.1} %), undecided {undecided}, WRONG {wrong}",
            rows.len()
        );
        Ok(wrong == 0)
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files: Vec<_> = fs::read_dir(&self.folder)?.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "spl" || e == "fts"));
        files.sort();
        let wanted = |at: usize| match self.half {
            Half::All => true,
            Half::Odd => at.is_multiple_of(2),
            Half::Even => !at.is_multiple_of(2),
        };
        Ok(files.into_iter().enumerate().filter(|(at, _)| wanted(*at)).map(|(_, file)| file).collect())
    }

    fn ask(&self, file: &Path) -> io::Result<Vec<Row>> {
        let name = name(file);
        let text = fs::read_to_string(file)?;
        let truths = if asks_the_same(&text) { expected(&text) } else { Vec::new() };
        let said = self.said(&["prove", "--solver", "embedded"], self.timeout, &name)?;
        let row = |(property, truth): (String, String)| {
            let (verdict, why) = verdict(&said.answer, &property, said.code);
            Row { file: name.clone(), property, truth, verdict, seconds: said.seconds, why }
        };
        Ok(truths.into_iter().map(row).collect())
    }

    fn said(&self, command: &[&str], time: Duration, name: &str) -> io::Result<Said> {
        let weave = self.weave.canonicalize()?;
        let limits = Limits { time: Duration::from_secs(time.as_secs() + PATIENCE), memory_mb: 8_000 };
        let time = format!("{}s", time.as_secs());
        let arguments = [command, &["--json", "--timeout", &time, name]].concat();
        let started = Instant::now();
        let done = process::run(&weave.to_string_lossy(), &arguments, &self.folder, limits)?;
        let seconds = started.elapsed().as_secs_f64();
        let last = done.stdout.lines().last().unwrap_or_default();
        let answer = serde_json::from_str(last).unwrap_or_default();
        Ok(Said { answer, code: done.code, seconds })
    }

    /// What `weave check` decides within a second, beside what `weave prove` says within three;
    /// true if they never contradict each other. A file is asked as a whole by both.
    pub fn beside_check(&self) -> io::Result<bool> {
        let (mut decided, mut missed, mut wrong) = (0, 0, 0);
        println!("| file | property | check | prove | seconds |\n|---|---|---|---|---|");
        for file in self.files()? {
            let (name, text) = (name(&file), fs::read_to_string(&file)?);
            if !asks_the_same(&text) {
                continue;
            }
            let check = self.said(&["check", "--keep-going"], CHECK, &name)?;
            let prove = self.said(&["prove", "--solver", "embedded"], PROVE, &name)?;
            for (property, first) in verdicts(&check.answer) {
                let (second, why) = verdict(&prove.answer, &property, prove.code);
                // What only one of them has a name for is not compared.
                if first == "unknown" || second == "none" {
                    continue;
                }
                decided += 1;
                missed += usize::from(second == "unknown");
                wrong += usize::from(second != "unknown" && second != first);
                if second != first {
                    println!("| {name} | {property} | {first} | {second} | {:.1} | {why}", prove.seconds);
                }
            }
        }
        println!("\ncheck decides {decided}; of them prove leaves {missed} open, CONTRADICTS {wrong}");
        Ok(wrong == 0)
    }
}

/// What `weave check` and `weave prove` may take beside each other.
const CHECK: Duration = Duration::from_secs(1);
const PROVE: Duration = Duration::from_secs(3);

/// An answer of weave.
struct Said {
    answer: Value,
    code: i32,
    seconds: f64,
}

fn name(file: &Path) -> String {
    file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The properties of an answer, with what is said of each.
fn verdicts(answer: &Value) -> Vec<(String, String)> {
    let all = answer["properties"].as_array().cloned().unwrap_or_default();
    let text = |found: &Value, key: &str| found[key].as_str().unwrap_or_default().to_string();
    all.iter().map(|found| (text(found, "name"), text(found, "verdict"))).collect()
}

/// What is said of a property, and why if it is unknown.
fn verdict(answer: &Value, property: &str, code: i32) -> (String, String) {
    let all = answer["properties"].as_array().cloned().unwrap_or_default();
    let Some(found) = all.iter().find(|p| p["name"] == *property) else {
        return ("none".to_string(), format!("exit code {code}"));
    };
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_string();
    (text("verdict"), text("reason"))
}

/// Whether the truths are about what is asked here: a file of the corpus may be meant for another
/// command with options that change the question.
fn asks_the_same(text: &str) -> bool {
    let run = text.lines().take(15).find_map(|line| line.split_once("run:"));
    let words = run.map(|(_, run)| run.split_whitespace().collect::<Vec<_>>()).unwrap_or_default();
    words.iter().all(|word| ["prove", "check", "--keep-going", "--auto"].contains(word))
}

/// The truths that the head of a file gives.
fn expected(text: &str) -> Vec<(String, String)> {
    let head = text.lines().take_while(|line| line.starts_with("//") || line.starts_with('%'));
    let one = |line: &str| {
        let (name, truth) = line.split_once("expect ")?.1.split_once(':')?;
        let truth = truth.split_whitespace().next()?.trim_end_matches([',', ';', '.']);
        Some((name.trim().to_string(), truth.to_string()))
    };
    head.filter_map(one).collect()
}

fn counts(rows: &[Row]) -> Counts {
    let mut counts = Counts::default();
    for row in rows {
        match &*row.verdict {
            verdict if verdict == row.truth && verdict != "unknown" => counts.decided += 1,
            "holds" | "violated" if row.truth != "unknown" => counts.wrong += 1,
            _ => counts.undecided += 1,
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_against_the_truth_is_wrong_and_unknown_is_undecided() {
        let row = |truth: &str, verdict: &str| Row {
            file: String::new(),
            property: String::new(),
            truth: truth.to_string(),
            verdict: verdict.to_string(),
            seconds: 0.0,
            why: String::new(),
        };
        let rows = [row("holds", "holds"), row("violated", "holds"), row("holds", "unknown")];
        assert_eq!(counts(&rows), Counts { decided: 1, undecided: 1, wrong: 1 });
    }

    #[test]
    fn an_answer_says_something_of_each_property() {
        let answer =
            r#"{"properties": [{"name": "p", "verdict": "holds"}, {"name": "q", "verdict": "unknown"}]}"#;
        let answer: Value = serde_json::from_str(answer).unwrap();
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(verdicts(&answer), [pair("p", "holds"), pair("q", "unknown")]);
        assert_eq!(verdict(&answer, "r", 2).0, "none");
    }

    #[test]
    fn options_change_the_question() {
        assert!(asks_the_same("// A loop.\n// run: prove\n") && asks_the_same("local x : int\n"));
        assert!(!asks_the_same("// A loop.\n// run: check --fairness weak\n"));
    }

    #[test]
    fn heads_give_the_truth() {
        let text = "// A loop.\n// expect ends: holds\n// expect low : violated, soon\nlocal x : int\n";
        let found = expected(text);
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(found, [pair("ends", "holds"), pair("low", "violated")]);
    }
}
