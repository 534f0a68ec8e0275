//! The models that are compared: the corpus and seeded programs, as far as they are small.

use source::SourceMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use system::System;
use xtask::generate::features::Features;

/// A model with its name and text.
pub struct Subject {
    pub name: String,
    pub text: String,
    pub system: System,
}

struct Disk;

impl promela::Files for Disk {
    fn read(&self, path: &str) -> Result<String, promela::Unreadable> {
        std::fs::read_to_string(path).map_err(|error| promela::Unreadable(error.to_string()))
    }
}

/// The model of a text, if it is one.
pub fn subject(name: &str, text: &str) -> Option<Subject> {
    let mut map = SourceMap::new();
    let root = map.add(name, text);
    let (model, _) = promela::read(&mut map, root, &Disk, &[]);
    let system = promela::lower::lower(&model?, name);
    Some(Subject { name: name.to_string(), text: text.to_string(), system })
}

/// All models of the corpus that are accepted.
pub fn corpus() -> Vec<Subject> {
    let mut files = Vec::new();
    add_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela"), &mut files);
    files.sort();
    let read = |path: &PathBuf| subject(&path.to_string_lossy(), &std::fs::read_to_string(path).ok()?);
    files.iter().filter_map(read).collect()
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "pml") {
            files.push(path);
        }
    }
}

/// The programs of these seeds; `features` as the generator reads them.
pub fn generated(seeds: std::ops::Range<u64>, features: &str) -> Vec<Subject> {
    let features = Features::parse(features).unwrap();
    let text = |seed| xtask::generate::program(seed, features).to_string();
    seeds.filter_map(|seed| subject(&format!("seed {seed} {features:?}"), &text(seed))).collect()
}

/// Applies `judge` to all subjects on two threads: how many it had an answer for, and all
/// complaints.
pub fn judge_all(
    subjects: &[Subject],
    judge: impl Fn(&Subject) -> Option<Vec<String>> + Sync,
) -> (usize, Vec<String>) {
    let next = AtomicUsize::new(0);
    let worker = || {
        let (mut judged, mut complaints) = (0, Vec::new());
        while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::SeqCst)) {
            let Some(found) = judge(subject) else { continue };
            judged += 1;
            complaints.extend(found.into_iter().map(|c| format!("{}: {c}", subject.name)));
        }
        (judged, complaints)
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        let (mut judged, mut complaints) = (0, Vec::new());
        for worker in workers {
            let (count, found) = worker.join().unwrap();
            judged += count;
            complaints.extend(found);
        }
        (judged, complaints)
    })
}
