//! `xtask fuzz-spin`: random programs, searched by SPIN and by weave; differences are confirmed,
//! shrunk and saved.

use crate::compare::{Verdict, compare};
use crate::generate::{self, features::Features};
use crate::program::Program;
use crate::seeds;
use crate::shrink::shrink;
use crate::spin::{Compiler, Outcome, Settings, cache::Cache, search_both_orders};
use crate::weave::Weave;
use std::{collections::BTreeMap, fs, io, path::PathBuf, sync::Mutex};

/// What to do.
pub struct Fuzz {
    pub seeds: std::ops::Range<u64>,
    pub features: Features,
    pub features_text: String,
    pub jobs: usize,
    /// Without it SPIN alone runs: the cache is filled and the programs are counted.
    pub weave: Option<Weave>,
    pub cache: Cache,
    pub out: Option<PathBuf>,
    /// Programs with more states are not compared.
    pub max_states: u64,
    /// Questions to ask while shrinking one difference; 0 saves it as it is.
    pub patience: usize,
}

/// How many programs ended how, and the seeds that differ.
#[derive(Debug, Default)]
pub struct Summary {
    pub counts: BTreeMap<String, u64>,
    pub different: Vec<u64>,
    pub states: Vec<u64>,
}

impl Fuzz {
    /// Runs every seed; prints differences as they are found.
    pub fn run(&self) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        seeds::each(self.seeds.clone(), self.jobs, |seed| self.work(seed, &summary))?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, seed: u64, summary: &Mutex<Summary>) -> io::Result<()> {
        let program = generate::program(seed, self.features);
        let outcome = self.cache.search(&program.to_string(), &Settings::small(Compiler::quickest()))?;
        let label = match self.judge(seed, &program, &outcome)? {
            Verdict::Agreed => "agreed".to_owned(),
            Verdict::NoOracle(reason) => reason.to_owned(),
            Verdict::Different(lines) => {
                let confirmed = self.difference(seed, &program, &outcome, &lines)?;
                if confirmed { "different".to_owned() } else { "pan contradicts itself".to_owned() }
            }
        };
        let mut summary = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if label == "different" {
            summary.different.push(seed);
        }
        if let Outcome::Searched(search) = &outcome {
            summary.states.push(search.stored);
        }
        *summary.counts.entry(label).or_default() += 1;
        Ok(())
    }

    fn judge(&self, seed: u64, program: &Program, outcome: &Outcome) -> io::Result<Verdict> {
        match (outcome, &self.weave) {
            (Outcome::Searched(search), _) if search.stored > self.max_states => {
                Ok(Verdict::NoOracle("too many states"))
            }
            (Outcome::Searched(_), Some(weave)) => {
                Ok(compare(outcome, &weave.search_text(&program.to_string())?))
            }
            (Outcome::Searched(search), None) if search.complete => Ok(Verdict::NoOracle("searched by SPIN")),
            (Outcome::Searched(search), None) => {
                println!("seed {seed} is cut short: {:?}", search.errors);
                Ok(Verdict::NoOracle("search cut short"))
            }
            (Outcome::Rejected(_, message), None) => {
                println!("seed {seed} is refused: {message}");
                Ok(Verdict::NoOracle("refused by SPIN"))
            }
            _ => Ok(compare(outcome, &crate::weave::Answer::Failed(String::new()))),
        }
    }

    /// Confirms a difference with pan compiled by gcc and in both orders, shrinks it, prints and
    /// saves it. False if pan does not stand by its numbers.
    fn difference(
        &self,
        seed: u64,
        program: &Program,
        outcome: &Outcome,
        lines: &[String],
    ) -> io::Result<bool> {
        // A smaller program with a bigger state space is no help and costs time.
        let most = match outcome {
            Outcome::Searched(search) => search.stored.max(50),
            _ => self.max_states,
        };
        if self.differences(program, Compiler::GccPlain, self.max_states)?.is_none() {
            println!("seed {seed}: pan contradicts itself\n");
            return Ok(false);
        }
        println!("seed {seed} differs: {}", lines.join("; "));
        let still = |candidate: &Program| match self.differences(candidate, Compiler::quickest(), most) {
            Ok(Some(found)) => subject(&found) == subject(lines),
            _ => false,
        };
        let small = shrink(program, self.patience, still);
        let lines = self.differences(&small, Compiler::GccPlain, most)?.unwrap_or_else(|| lines.to_vec());
        let text = self.saved_text(seed, &small, &lines);
        println!("{text}");
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder)?;
            fs::write(folder.join(format!("seed-{seed}.pml")), text)?;
        }
        Ok(true)
    }

    fn saved_text(&self, seed: u64, program: &Program, lines: &[String]) -> String {
        let features = match self.features_text.as_str() {
            "" => String::new(),
            text => format!(" --features={text}"),
        };
        let reproduce = format!("cargo xtask fuzz-spin --count 1 --seed {seed}{features} --weave PATH");
        let differences: String = lines.iter().map(|line| format!("// {line}\n")).collect();
        format!("// Found by: {reproduce}\n{differences}{program}")
    }

    /// How SPIN and weave differ on a program of at most this many states, without the cache.
    fn differences(
        &self,
        program: &Program,
        compiler: Compiler,
        most: u64,
    ) -> io::Result<Option<Vec<String>>> {
        let Some(weave) = &self.weave else {
            return Ok(None);
        };
        let text = program.to_string();
        let Some(outcome) = search_both_orders(&text, compiler)? else {
            return Ok(None);
        };
        if !matches!(&outcome, Outcome::Searched(search) if search.stored <= most) {
            return Ok(None);
        }
        Ok(match compare(&outcome, &weave.search_text(&text)?) {
            Verdict::Different(lines) => Some(lines),
            _ => None,
        })
    }
}

/// What a difference is about: shrinking must not slip from one to another.
fn subject(lines: &[String]) -> Option<&str> {
    lines.first()?.split(':').next()
}

impl Summary {
    pub fn print(&self) {
        let total: u64 = self.counts.values().sum();
        println!("{total} programs");
        for (label, count) in &self.counts {
            println!("  {count:6} {label}");
        }
        for (low, high) in
            [(0, 5), (5, 20), (20, 100), (100, 1000), (1000, 5000), (5000, 50_000), (50_000, u64::MAX)]
        {
            let count = self.states.iter().filter(|&&states| low <= states && states < high).count();
            println!("  {count:6} with {low} states or more");
        }
        if !self.different.is_empty() {
            println!("seeds that differ: {:?}", self.different);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::os::unix::fs::PermissionsExt;

    /// A weave that always gives the same answer.
    fn stand_in(folder: &Scratch, answer: &str) -> Weave {
        let binary = folder.path().join("weave");
        fs::write(&binary, format!("#!/bin/sh\necho '{answer}'\n")).unwrap();
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
        Weave::new(&binary)
    }

    fn fuzz(weave: Weave, out: &Scratch) -> Fuzz {
        Fuzz {
            seeds: 1..4,
            features: Features::default(),
            features_text: String::new(),
            jobs: 1,
            weave: Some(weave),
            cache: Cache::new(None),
            out: Some(out.path().to_owned()),
            max_states: 10_000,
            patience: 40,
        }
    }

    #[test]
    fn wrong_answers_are_found_shrunk_and_saved() {
        let folder = Scratch::new("stand-in").unwrap();
        let wrong = r#"{"event":"result","verdict":"holds","states":0,"transitions":0,"errors":{}}"#;
        let summary = fuzz(stand_in(&folder, wrong), &folder).run().unwrap();
        let seed = *summary.different.first().expect("zero states are always wrong");
        let saved = fs::read_to_string(folder.path().join(format!("seed-{seed}.pml"))).unwrap();
        assert!(saved.starts_with("// Found by: cargo xtask fuzz-spin --count 1 --seed"), "{saved}");
        assert!(saved.len() < generate::program(seed, Features::default()).to_string().len() + 300);
    }

    #[test]
    fn a_weave_that_says_nothing_differs() {
        let folder = Scratch::new("stand-in").unwrap();
        let summary = fuzz(stand_in(&folder, "hello"), &folder).run().unwrap();
        assert!(!summary.different.is_empty());
    }
}
