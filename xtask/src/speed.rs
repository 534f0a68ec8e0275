//! `xtask bench speed`: weave beside SPIN on models of 10^5 to 10^7 states, with the table of
//! `docs/performance.md`.
//!
//! A round runs each model once in every way: pan's full search, ours by one thread and
//! by two; pan's reduced
//! search and our default one; the whole chain of SPIN, from text to answer. Times are user and
//! system time together, but for threads, where the clock counts. What is shown is the median of
//! the rounds and how far they spread; there are as many as fit into the time. pan is
//! built with `gcc -O2`, with a hash table that fits
//! (`-w24`), because its users would choose one.

mod measure;
mod page;

use crate::process::ToolFailed;
use crate::table::{Model, Row};
use crate::weave::Weave;
use measure::{Cost, Figures, spend};
use serde_json::Value;
use std::time::{Duration, Instant};
use std::{fs, io, path::Path};

/// Models of our corpus, scaled, with what changes.
const OURS: [&str; 10] = [
    "filter_lock.pml with N=4",
    "bakery.pml with VISITS=16",
    "szymanski.pml",
    "lamport_fast_mutex.pml",
    "naimi_trehel.pml",
    "philosophers_asymmetric.pml with N=7",
    "sorting_network.pml with N=5",
    "two_phase_commit.pml with N=4",
    "go_back_n.pml with W=3",
    "burns.pml with N=4",
];

/// Public models, of SPIN's Examples.
const PUBLIC: [&str; 6] =
    ["cambridge.pml", "sort.pml", "dtp.pml", "hajek.pml", "LTL/pftp.pml", "Book_1991/p329.pml with LOSS 1"];

/// Models of the BEEM set in Promela, as the public repository utwente-fmt/spins has them in
/// `tests/beem/all`. The first six were looked at while the search was made faster, the others not.
const BEEM: [&str; 20] = [
    "adding.4.pm",
    "at.3.pm",
    "bopdp.3.pm",
    "bridge.1.pm",
    "brp.3.pm",
    "extinction.2.pm",
    "fischer.3.pm",
    "frogs.3.pm",
    "gear.2.pm",
    "iprotocol.3.pm",
    "krebs.2.pm",
    "lamport.5.pm",
    "lann.2.pm",
    "loyd.2.pm",
    "needham.3.pm",
    "phils.5.pm",
    "rether.3.pm",
    "sorter.3.pm",
    "szymanski.3.pm",
    "telephony.3.pm",
];

/// What is measured and where the table goes.
pub struct Bench<'a> {
    pub weave: &'a Weave,
    /// The Examples of the public SPIN repository.
    pub public: Option<&'a Path>,
    /// The folder of the BEEM models.
    pub beem: Option<&'a Path>,
    pub rounds: usize,
    /// Only models whose name has this in it.
    pub only: &'a str,
    pub page: &'a Path,
    /// Where the plot goes.
    pub picture: &'a Path,
    /// No round begins that would not end within this time.
    pub budget: Duration,
}

/// No command may take more seconds.
const COMMAND: u64 = 120;

/// One way to search a model, as a command line in its folder.
#[derive(Clone, Copy)]
enum Way {
    PanFull,
    OursFull,
    OursAlone,
    OursTogether,
    PanReduced,
    OursDefault,
    OursUnreduced,
    Spin,
}

impl Way {
    /// The tool said this instead of figures.
    fn silent(self, said: &str) -> ToolFailed {
        match self {
            Way::PanFull | Way::PanReduced | Way::Spin => ToolFailed::Spin(said.to_owned()),
            _ => ToolFailed::Weave(said.to_owned()),
        }
    }
}

const WAYS: [Way; 8] = [
    Way::PanFull,
    Way::OursFull,
    Way::OursAlone,
    Way::OursTogether,
    Way::PanReduced,
    Way::OursDefault,
    Way::OursUnreduced,
    Way::Spin,
];

/// A model that is measured.
struct Subject {
    model: Model,
    figures: Figures,
    /// Why it is not measured any more.
    failed: Option<String>,
}

impl Bench<'_> {
    /// Measures all models, a round of all of them after the other; true if all counts of the full
    /// searches agree and every model has figures. The page is written after each round, so that
    /// what is cut off has its table.
    pub fn run(&self) -> io::Result<bool> {
        let begun = Instant::now();
        let mut subjects = self.subjects()?;
        let mut last = Duration::ZERO;
        for round in 0..self.rounds {
            let left = self.budget.saturating_sub(begun.elapsed());
            if round > 0 && left < last {
                println!("{round} rounds: there is no time for another");
                break;
            }
            let started = Instant::now();
            for subject in subjects.iter_mut().filter(|subject| subject.failed.is_none()) {
                if round == 0 && begun.elapsed() > self.budget {
                    subject.failed = Some("there is no time for it".to_owned());
                    continue;
                }
                subject.failed = self.round(&subject.model, &mut subject.figures)?;
            }
            last = started.elapsed();
            let rows: Vec<&Figures> = measured(&subjects).collect();
            page::write(self.page, self.picture, &rows)?;
        }
        measured(&subjects).for_each(|figures| println!("{}", page::brief(figures)));
        for subject in &subjects {
            let why = subject.failed.iter();
            why.for_each(|why| println!("{}: {why}", subject.figures.model));
        }
        let good = |s: &Subject| s.failed.is_none() && s.figures.agree();
        Ok(subjects.iter().all(good))
    }

    /// The models wanted, with both pans that only search.
    fn subjects(&self) -> io::Result<Vec<Subject>> {
        let corpus = Path::new("models/promela");
        let ours = OURS.iter().map(|source| (corpus, *source));
        let public = self.public.iter().flat_map(|folder| PUBLIC.iter().map(|source| (*folder, *source)));
        let beem = self.beem.iter().flat_map(|folder| BEEM.iter().map(|source| (*folder, *source)));
        let wanted = ours.chain(public).chain(beem).filter(|(_, source)| source.contains(self.only));
        wanted.map(|(folder, source)| prepared(folder, source)).collect()
    }

    /// Runs every way once; what went wrong, if something did.
    fn round(&self, model: &Model, figures: &mut Figures) -> io::Result<Option<String>> {
        let mut costs = Vec::new();
        for way in WAYS {
            let command =
                format!("timeout -k 1 {COMMAND} bash -c {}", quoted(&self.command(way, &model.file)));
            let cost = spend(&command, model.folder.path())?;
            match reading(way, &cost) {
                Some((states, bytes)) => costs.push((way, cost, states, bytes)),
                None => return Ok(Some(way.silent(cost.said.trim()).to_string())),
            }
        }
        for (way, cost, states, bytes) in costs {
            figures.add(way as usize, &cost, states, bytes);
        }
        Ok(None)
    }

    fn command(&self, way: Way, file: &str) -> String {
        let ours = |options: &str| {
            format!("'{}' check --json --keep-going {options} {file}", self.weave.binary.display())
        };
        let pan = |name: &str| format!("./{name} -m1000000 -n -c0 -w24");
        match way {
            Way::PanFull => pan("full"),
            Way::PanReduced => pan("reduced"),
            Way::OursFull => ours("--raw --reduction none --threads 1"),
            Way::OursAlone => ours("--raw --reduction none --search bfs --threads 1"),
            Way::OursTogether => ours("--raw --reduction none --search bfs --threads 2"),
            Way::OursDefault => ours(""),
            Way::OursUnreduced => ours("--reduction none --search dfs"),
            Way::Spin => format!(
                "spin -a {file} >generated.txt && {} -o chain pan.c && {}",
                gcc("-DSAFETY -DNOCLAIM"),
                pan("chain")
            ),
        }
    }
}

/// Models with at least one whole round.
fn measured(subjects: &[Subject]) -> impl Iterator<Item = &Figures> {
    subjects.iter().map(|subject| &subject.figures).filter(|figures| !figures.ways.is_empty())
}

fn prepared(folder: &Path, source: &str) -> io::Result<Subject> {
    let row =
        Row { model: source.to_owned(), source: source.to_owned(), errors: 0, states: 0, transitions: 0 };
    let mut model = row.model(folder)?;
    if !model.file.ends_with(".pml") {
        let named = format!("{}.pml", model.file.trim_end_matches(".pm"));
        fs::rename(model.folder.path().join(&model.file), model.folder.path().join(&named))?;
        model.file = named;
    }
    let failed = build(model.folder.path(), &model.file)?.err().map(|why| why.to_string());
    Ok(Subject { model, figures: Figures::new(source), failed })
}

/// A word of a shell's.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn gcc(flags: &str) -> String {
    format!("gcc -O2 -w {flags} -DVECTORSZ=2048 -DMEMLIM=8000")
}

/// Builds both pans that only search.
fn build(at: &Path, file: &str) -> io::Result<Result<(), ToolFailed>> {
    let full =
        format!("spin -o1 -o2 -o3 -a {file} && {} -o full pan.c", gcc("-DSAFETY -DNOCLAIM -DNOREDUCE"));
    let reduced = format!("spin -a {file} && {} -o reduced pan.c", gcc("-DSAFETY -DNOCLAIM"));
    let cost = spend(&format!("{full} && {reduced}"), at)?;
    let built = ["full", "reduced"].iter().all(|name| fs::exists(at.join(name)).unwrap_or(false));
    Ok(if built { Ok(()) } else { Err(ToolFailed::Spin(cost.said.trim().to_owned())) })
}

/// States and bytes a state, from what was printed.
fn reading(way: Way, cost: &Cost) -> Option<(u64, f64)> {
    if matches!(way, Way::PanFull | Way::PanReduced | Way::Spin) {
        let line = cost.said.lines().find(|line| line.contains("states, stored"))?;
        let states = line.split_whitespace().next()?.parse::<f64>().ok()?;
        let memory = cost.said.lines().find(|line| line.contains("total actual memory usage"))?;
        let mega: f64 = memory.split_whitespace().next()?.parse().ok()?;
        return Some((states as u64, mega * 1024.0 * 1024.0 / states.max(1.0)));
    }
    let result = cost.said.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok())?;
    Some((result["states"].as_u64()?, result["bytes_per_state"].as_f64()?))
}
