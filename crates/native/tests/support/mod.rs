//! Compiles programs of the corpus and explores them.

#![allow(dead_code, reason = "each test file uses a part")]

use native::execution::Options;
use native::explore::{Explored, Plan, explore};
use native::launch::Program;
use native::search::{Bounds, Reduction};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

pub struct Case {
    pub source: PathBuf,
    pub flags: Vec<String>,
    pub reduction: Reduction,
    pub bounds: Bounds,
}

pub fn case(source: &str, flags: &[&str]) -> Case {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/programs");
    Case {
        source: root.join(source),
        flags: flags.iter().map(|f| f.to_string()).collect(),
        reduction: Reduction::Dpor,
        bounds: Bounds { depth: Some(10_000), runs: None, keep_going: true, livelock: None },
    }
}

impl Case {
    pub fn explore(&self) -> Explored {
        let program = Compiled::new(&self.source, &self.flags);
        let plan = Plan {
            program: Program {
                path: program.0.clone(),
                arguments: Vec::new(),
                trust: true,
                memory: 4 << 30,
            },
            reduction: self.reduction,
            bounds: self.bounds,
            options: Options { exit_matters: false, divergence: Duration::from_secs(5) },
        };
        explore(&plan, &mut |_| true).unwrap_or_else(|trouble| panic!("{}: {trouble}", self.source.display()))
    }
}

/// A compiled program, removed at the end.
pub struct Compiled(pub PathBuf);

impl Compiled {
    pub fn new(source: &Path, flags: &[String]) -> Compiled {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("weave-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst));
        let path = std::env::temp_dir().join(name);
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("preload");
        let done = Command::new("cc")
            .args(["-g", "-O1", "-pthread", "-I"])
            .arg(header)
            .args(flags)
            .arg("-o")
            .arg(&path)
            .arg(source)
            .status()
            .unwrap();
        assert!(done.success(), "{}", source.display());
        Compiled(path)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
