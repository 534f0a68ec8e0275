//! Lists of calls, each with its line as a number; a program makes the one that it is asked for.

use explore::stateless::{Bounds, Limits, Reduction};
use native::compile::Built;
use native::execution::Options;
use native::explore::{Explored, Plan, explore};
use native::launch::Program;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The line of each use, and the function.
pub fn uses(list: &str) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(file(list)).unwrap();
    let uses = text
        .lines()
        .enumerate()
        .filter_map(|(at, line)| Some((at + 1, line.strip_prefix("USE(")?.split(',').next()?.to_string())));
    uses.collect()
}

pub fn run(built: &Built, number: usize) -> Explored {
    let plan = Plan {
        program: Program {
            path: built.program.clone(),
            arguments: vec![number.to_string().into(), built.program.parent().unwrap().into()],
            trust: true,
            memory: 4 << 30,
            input: None,
            built: true,
        },
        reduction: Reduction::Dpor,
        bounds: Bounds { limits: Limits { depth: Some(10_000), ..Limits::default() }, ..Bounds::default() },
        options: Options {
            exit_matters: false,
            races_matter: true,
            spurious: 0,
            ordered: false,
            divergence: Duration::from_secs(20),
        },
        threads: 1,
        sampling: None,
        seed: 1,
    };
    explore(&plan, &mut |_| true).unwrap_or_else(|trouble| panic!("{number}: {trouble}"))
}
