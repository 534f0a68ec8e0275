//! Compiles programs of the corpus and explores them.

#![allow(dead_code, reason = "each test file uses a part")]

use explore::stateless::sample::Sampling;
use explore::stateless::{Bounds, Limits, Reduction};
use native::compile::build;
use native::execution::Options;
use native::explore::{Explored, Plan, explore};
use native::launch::Program;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct Case {
    pub source: PathBuf,
    pub flags: Vec<String>,
    pub reduction: Reduction,
    pub bounds: Bounds,
    pub threads: usize,
    pub sampling: Option<Sampling>,
}

pub fn case(source: &str, flags: &[&str]) -> Case {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/programs");
    Case {
        source: root.join(source),
        flags: flags.iter().map(|f| f.to_string()).collect(),
        reduction: Reduction::Dpor,
        bounds: Bounds {
            limits: Limits { depth: Some(10_000), ..Limits::default() },
            keep_going: true,
            ..Bounds::default()
        },
        threads: 1,
        sampling: None,
    }
}

impl Case {
    pub fn explore(&self) -> Explored {
        let built = build(&self.source, &self.flags).unwrap().unwrap();
        let plan = Plan {
            program: Program {
                path: built.program.clone(),
                arguments: Vec::new(),
                trust: true,
                memory: 4 << 30,
                input: None,
                built: true,
            },
            reduction: self.reduction,
            bounds: self.bounds,
            options: Options {
                exit_matters: false,
                races_matter: false,
                spurious: 0,
                ordered: false,
                divergence: Duration::from_secs(5),
            },
            threads: self.threads,
            sampling: self.sampling,
            seed: 1,
        };
        explore(&plan, &mut |_| true).unwrap_or_else(|trouble| panic!("{}: {trouble}", self.source.display()))
    }
}
