//! The one place that calls the language, the engines and the certifier.

use crate::failure::Failure;
use crate::model::{self, Model};
use crate::request::{CheckRequest, Define, Order};
use crate::result::Kind;
use crate::watch::Watcher;
use crate::words;
use compile::Program;
use compile::simplify::Simplified;
use explore::{Limits, Options, Report};
use promela::Files;
use source::{CodeTable, Diagnostic, SourceMap};
use std::path::{Path, PathBuf};
use system::{Run, System};

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub report: Report,
    /// By template, then by transition: whether some run executes it.
    pub reached: Vec<Vec<bool>>,
}

/// Reads a model.
pub fn load(file: &str, text: String, defines: &[Define]) -> Result<Model, Failure> {
    let mut map = SourceMap::new();
    let root = map.add(file, text);
    let folder = Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default();
    let defines: Vec<_> = defines.iter().map(|d| promela::Define::parse(&d.text())).collect();
    let (read, diagnostics) = promela::read(&mut map, root, &Disk { folder }, &defines);
    let Some(read) = read else { return Err(Failure::Rejected { map, diagnostics }) };
    let system = promela::lower::lower(&read, file);
    Ok(Model {
        words: words::of(&read, &system),
        claims: words::claims(&read),
        system,
        map,
        warnings: diagnostics.into_iter().filter(|d: &Diagnostic| !d.is_error()).collect(),
        ..Model::default()
    })
}

/// Includes are looked for beside the model.
struct Disk {
    folder: PathBuf,
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        let read = model::read_text(&self.folder.join(path));
        read.map_err(|failure| match failure {
            Failure::File { message, .. } => message,
            other => other.message(),
        })
    }
}

/// The diagnostic codes of the language.
pub fn codes() -> CodeTable {
    promela::codes::CODES
}

/// Searches everything reachable; `wanted` are the kinds of violation looked for.
pub fn search(
    system: &System,
    request: &CheckRequest,
    wanted: &[Kind],
    watcher: &mut Watcher<'_>,
) -> Result<Found, Failure> {
    let simplified = if request.raw { Simplified::raw(system) } else { Simplified::of(system) };
    let refused = |e: compile::NotFinite| Failure::Request(format!("the model cannot be searched: {e}"));
    let mut program = Program::new(simplified).map_err(refused)?;
    let limits = request.limits;
    let options = Options {
        order: match request.order {
            Order::DepthFirst => explore::Order::DepthFirst,
            Order::BreadthFirst => explore::Order::BreadthFirst,
        },
        keep_going: request.keep_going,
        limits: Limits { states: limits.states, depth: limits.depth, memory: limits.memory },
        deadlocks: wanted.contains(&Kind::Deadlock),
        assertions: wanted.contains(&Kind::Assertion),
        faults: wanted.contains(&Kind::Runtime),
    };
    let report = explore::search(&mut program, &options, watcher);
    Ok(Found { report, reached: program.reached() })
}

/// Takes a run again, step by step, with the reference stepper.
pub fn certify(system: &System, run: &Run) -> Result<(), String> {
    certify::replay(system, run).map(|_| ()).map_err(|refusal| refusal.to_string())
}
