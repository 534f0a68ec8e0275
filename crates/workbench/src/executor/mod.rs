//! One run of a file of any kind, step by step: a reference with names.
//!
//! Replay, simulation and the interactive loop are written once, over [`Executor`] (see [`crate::simulate`]). It has an
//! implementation for each description: [`system`] (Promela), [`relation`] (SPL and FTS), [`structures`] (`.tvm` and
//! `.java`, in the two-valued semantics), [`program`].

mod messages;
pub mod program;
pub mod relation;
pub mod structures;
pub mod system;

use crate::failure::Failure;
use crate::model::Model;
use crate::programs::{ProgramRequest, is_program};
use crate::prove::Source;
use crate::recording::Recording;
use crate::report::{Ending, Report, Statement};
use crate::request::{Define, ModelRequest};
use crate::shapes;
use crate::transition::asked;
use crate::values::{Change, Variable};
use ::system::fts::step::Given;
use space::{Start, Step};
use std::ffi::OsString;
use std::path::PathBuf;

/// An enabled step, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub step: Step,
    /// Who: `P[1]`, or `P[1] -> Q[2]` for a handshake.
    pub who: String,
    pub statements: Vec<Statement>,
    /// What tells it from other steps with the same statements.
    pub changes: Vec<Change>,
    /// What goes wrong if it is taken.
    pub fault: Option<String>,
}

/// What is possible at the end of the run so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Enabled,
    /// Nothing is enabled, and the run may end here.
    Terminated,
    Deadlock,
    Failed,
}

pub trait Executor {
    /// The file and its text, as recordings name them: a recording without steps.
    fn origin(&self) -> Recording;

    /// How many initial states there are to choose from.
    fn starts(&self) -> usize {
        1
    }

    /// Begins a new run.
    fn restart(&mut self, start: &Start) -> Result<(), Failure>;

    /// Where the run began, as it is written down.
    fn start(&self) -> Start {
        Start::Number(0)
    }

    /// The enabled steps, always in the same order.
    fn offers(&self) -> Vec<Offer>;

    /// Takes a step; refused if it is not enabled.
    fn take(&mut self, step: &Step) -> Result<(), Failure>;

    /// Every variable now.
    fn variables(&self) -> Vec<Variable>;

    fn standing(&self) -> Standing;

    /// Whether the run so far shows this at its end.
    fn shows(&self, ending: Ending) -> bool;

    /// The run so far. Its ending is the one given, which it shows, or what its last state says.
    fn report(&self, ending: Option<Ending>) -> Report;
}

/// A step that is not enabled.
fn not_enabled() -> Failure {
    Failure::Request("no such step is enabled here".to_string())
}

/// A file that was read to execute it.
pub enum Opened {
    System(Box<Model>),
    Relation { source: Box<Source>, given: Given, defines: Vec<Define> },
    Program { request: Box<ProgramRequest>, guide: Option<Recording> },
    Structures { read: Box<shapes::Read>, file: String, reading: shapes::Reading },
}

/// Which file is executed, and how.
#[derive(Clone, Debug, Default)]
pub struct OpenRequest {
    pub file: PathBuf,
    pub defines: Vec<Define>,
    /// The recorded run that will be executed.
    pub guide: Option<Recording>,
    /// How a program is compiled and started.
    pub arguments: Vec<OsString>,
    pub flags: Vec<String>,
    pub trust: bool,
}

impl Opened {
    pub fn read(request: &OpenRequest) -> Result<Opened, Failure> {
        let OpenRequest { file, defines, guide, .. } = request;
        if crate::prove::is_ours(file) {
            let source = Source::read(std::slice::from_ref(file), &[])?;
            let given = asked::given(&source, defines)?;
            return Ok(Opened::Relation { source: Box::new(source), given, defines: defines.clone() });
        }
        if shapes::is_ours(file) {
            if !defines.is_empty() {
                return Err(Failure::Request("-D is not for .tvm and .java files".to_string()));
            }
            // How Java was read is written before the first state.
            let reading = match guide.as_ref().map(|g| &g.start) {
                Some(Start::Text(text)) => shapes::Reading::parse(text).0,
                _ => shapes::Reading::default(),
            };
            let read = Box::new(shapes::read(file, reading)?);
            return Ok(Opened::Structures { read, file: file.to_string_lossy().into_owned(), reading });
        }
        if is_program(file) {
            let program = Box::new(request.program());
            return Ok(Opened::Program { request: program, guide: guide.clone() });
        }
        let (file, defines) = (file.clone(), defines.clone());
        let model = Model::read(&ModelRequest { file, defines, formulas: Vec::new() })?;
        Ok(Opened::System(Box::new(model)))
    }

    pub fn executor(&self) -> Result<Box<dyn Executor + '_>, Failure> {
        Ok(match self {
            Opened::System(model) => Box::new(system::SystemExecutor::new(model)),
            Opened::Relation { source, given, defines } => {
                Box::new(relation::RelationExecutor::new(source, given.clone(), defines)?)
            }
            Opened::Program { request, guide } => {
                Box::new(program::ProgramExecutor::open(request, guide.as_ref())?)
            }
            Opened::Structures { read, file, reading } => {
                let (file, fingerprint) = (file.clone(), read.fingerprint.clone());
                let origin = Recording { file, fingerprint, ..Recording::default() };
                Box::new(structures::StructuresExecutor::new(&read.model, &read.map, origin, *reading))
            }
        })
    }
}

impl OpenRequest {
    /// A run is executed on a program as it was started then.
    pub fn program(&self) -> ProgramRequest {
        let launch = self.guide.as_ref().and_then(|g| g.program.clone()).unwrap_or_default();
        ProgramRequest {
            program: self.file.clone(),
            arguments: self.arguments.clone(),
            defines: self.defines.clone(),
            flags: self.flags.clone(),
            trust: self.trust,
            spurious: launch.spurious,
            ordered: launch.ordered,
            ..ProgramRequest::default()
        }
    }

    /// The file of a recorded run, or the one where it is now, started as it was.
    pub fn recorded(recording: &Recording, file: PathBuf) -> OpenRequest {
        let launch = recording.program.clone().unwrap_or_default();
        OpenRequest {
            file,
            defines: recording.defines.clone(),
            guide: Some(recording.clone()),
            arguments: launch.arguments.iter().map(Into::into).collect(),
            flags: launch.flags,
            trust: false,
        }
    }
}
