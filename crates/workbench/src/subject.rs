//! What is asked about: a file of any kind, read by the reader for it; and the one way to ask.

use crate::answer::{Answer, Verdict};
use crate::check::check;
use crate::executor::Executor;
use crate::executor::program::ProgramExecutor;
use crate::executor::relation::RelationExecutor;
use crate::executor::structures::StructuresExecutor;
use crate::executor::system::SystemExecutor;
use crate::failure::Failure;
use crate::kind::{self, Language};
use crate::listener::{Interrupt, Progress};
use crate::model::Model;
use crate::programs::{self, ProgramRequest};
use crate::prove::{self, Source};
use crate::question::{Define, Engine, ModelRequest, Question, Selection};
use crate::recording::Recording;
use crate::relational;
use crate::shapes::{self, Reading};
use crate::transition::{self, asked};
use source::SourceMap;
use space::Start;
use std::path::PathBuf;

/// Which files are read, and how.
#[derive(Clone, Debug, Default)]
pub struct SubjectRequest {
    /// One file; of transition systems also files with their specification.
    pub files: Vec<PathBuf>,
    /// The definitions they are read with.
    pub defines: Vec<Define>,
    /// Formulas that the file does not have, to be read as if they stood in it. They are asked
    /// about instead of what it states.
    pub formulas: Vec<String>,
    /// How Java is read.
    pub reading: Reading,
    /// The file is, or becomes, a program that is started like this.
    pub program: Option<ProgramRequest>,
}

impl SubjectRequest {
    /// The file of a recorded run, or the one where it is now, read and started as it was.
    pub fn recorded(recording: &Recording, file: PathBuf) -> SubjectRequest {
        let program = recording.program.as_ref().map(|launch| ProgramRequest {
            program: file.clone(),
            arguments: launch.arguments.iter().map(Into::into).collect(),
            defines: recording.defines.clone(),
            flags: launch.flags.clone(),
            ..ProgramRequest::default()
        });
        let defines = recording.defines.clone();
        SubjectRequest { files: vec![file], defines, program, ..SubjectRequest::default() }.after(recording)
    }

    /// What a recorded run says about how it is executed: how Java is read, which waits of a
    /// program end by themselves.
    pub fn after(mut self, recording: &Recording) -> SubjectRequest {
        if let Start::Text(text) = &recording.start {
            self.reading = Reading::parse(text).0;
        }
        if let (Some(program), Some(launch)) = (&mut self.program, &recording.program) {
            (program.spurious, program.ordered) = (launch.spurious, launch.ordered);
        }
        self
    }
}

/// What can be asked of every Promela model.
const SAFETY: [&str; 4] = ["safety", "deadlock", "assertion", "progress"];

/// What a file is, once read.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it describes.
    pub body: Body,
    /// The names of the formulas that were added.
    formulas: Vec<String>,
    /// Where places are looked up.
    pub map: SourceMap,
}

/// What a file describes, by the kind of file.
#[derive(Clone, Debug)]
pub enum Body {
    /// Promela.
    System(Box<Model>),
    /// SPL programs and fair transition systems.
    Relation(Box<Source>),
    /// `.tvm`, `.java`.
    Structures(Box<shapes::Read>),
    /// A program, or the source of one.
    Program(Box<ProgramRequest>),
}

impl Subject {
    /// Reads files by the kind of the first one.
    pub fn read(request: &SubjectRequest) -> Result<Subject, Failure> {
        let SubjectRequest { files, defines, formulas, reading, program } = request;
        if let Some(program) = program {
            return Ok(Subject::of(Body::Program(Box::new(program.clone())), SourceMap::new()));
        }
        let file = files.first().cloned().unwrap_or_default();
        match kind::language(&file) {
            Language::Relation => {
                let mut source = Source::read(files, formulas)?;
                source.defines = defines.clone();
                let map = source.map.clone();
                Ok(Subject::of(Body::Relation(Box::new(source)), map))
            }
            Language::Tvm | Language::Java => {
                let read = shapes::read_with(&file, *reading, formulas)?;
                let map = read.map.clone();
                Ok(Subject::of(Body::Structures(Box::new(read)), map))
            }
            Language::Promela | Language::Program => {
                if files.len() > 1 {
                    return Err(Failure::Request(
                        "a model is one file: its properties stand in it".to_string(),
                    ));
                }
                let names = (0..formulas.len()).map(ModelRequest::formula_name).collect();
                let request = ModelRequest { file, defines: defines.clone(), formulas: formulas.clone() };
                let model = Model::read(&request)?;
                let map = model.map.clone();
                Ok(Subject { formulas: names, ..Subject::of(Body::System(Box::new(model)), map) })
            }
        }
    }

    /// What `--property` may name of it.
    pub fn property_names(&self) -> Vec<String> {
        match &self.body {
            Body::System(model) => {
                let stated = model.claims.iter().map(|claim| claim.name.clone());
                stated.chain(SAFETY.iter().map(ToString::to_string)).collect()
            }
            Body::Relation(source) => source.fts.properties.iter().map(|p| p.name.clone()).collect(),
            Body::Structures(read) => read.model.properties.iter().map(|p| p.name.to_string()).collect(),
            Body::Program(_) => Vec::new(),
        }
    }

    /// Executes runs of it, step by step; those of a program as the recorded run was executed, if
    /// one is given.
    pub fn executor(&self, guide: Option<&Recording>) -> Result<Box<dyn Executor + '_>, Failure> {
        Ok(match &self.body {
            Body::System(model) => Box::new(SystemExecutor::new(model)),
            Body::Relation(source) => {
                let given = asked::given(source, &source.defines)?;
                Box::new(RelationExecutor::new(source, given, &source.defines)?)
            }
            Body::Structures(read) => {
                Box::new(StructuresExecutor::new(&read.model, &read.map, read.origin(), read.reading))
            }
            Body::Program(request) => Box::new(ProgramExecutor::open(request, guide)?),
        })
    }

    fn of(body: Body, map: SourceMap) -> Subject {
        Subject { body, formulas: Vec::new(), map }
    }
}

/// Answers a question about a subject.
pub fn answer(
    subject: &Subject,
    question: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    let mut answer = decided(subject, question, interrupt, tell)?;
    match answer.verdict {
        Verdict::Holds => answer.interrupted = false,
        Verdict::Unknown => answer.interrupted |= interrupt.is_interrupted(),
        Verdict::Violated => {}
    }
    Ok(answer)
}

/// The answer of the engine for it.
fn decided(
    subject: &Subject,
    question: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    match &subject.body {
        Body::System(model) => {
            let mut question = question.clone();
            question.selected.extend(subject.formulas.iter().cloned().map(Selection::Named));
            match question.engine {
                Engine::Search => check(model, &question, interrupt, tell),
                Engine::Symbolic => relational::check(model, &question, interrupt, tell),
                Engine::Prove => relational::prove(model, &question, interrupt),
            }
        }
        Body::Relation(source) if question.engine == Engine::Prove => {
            prove::prove(source, question, interrupt)
        }
        Body::Relation(source) => transition::check(source, question, interrupt, tell),
        Body::Structures(read) => shapes::check(read, question, interrupt, tell),
        Body::Program(request) => programs::check(request, question, interrupt, tell),
    }
}
