//! A run as it is written to a file: enough to take it again, and to refuse a model that has changed.

use crate::failure::Failure;
use crate::follow::follow;
use crate::model::Model;
use crate::question::Define;
use crate::trace::{Ending, Trace};
use space::{Run, Step};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The model, as the user named it.
    pub file: String,
    pub defines: Vec<Define>,
    pub fingerprint: String,
    /// Which initial state, where there are several.
    pub initial: usize,
    /// The state it begins in, where the model has several.
    pub start: Option<String>,
    pub steps: Vec<RecordedStep>,
    pub ending: Ending,
}

/// One move: a process with the transitions it took, and the receiver of a handshake with its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedStep {
    pub process: usize,
    pub path: Vec<usize>,
    pub partner: Option<(usize, Vec<usize>)>,
}

impl Recording {
    pub fn new(model: &Model, run: &Run, ending: Ending) -> Recording {
        let step =
            |s: &Step| RecordedStep { process: s.actor, path: s.path.clone(), partner: s.partner.clone() };
        Recording {
            file: model.file.clone(),
            defines: model.defines.clone(),
            fingerprint: model.fingerprint.clone(),
            initial: 0,
            start: None,
            steps: run.steps.iter().map(step).collect(),
            ending,
        }
    }

    /// The run, if the model is the one it was recorded on.
    pub fn run(&self, model: &Model) -> Result<Run, Failure> {
        if model.fingerprint != self.fingerprint {
            return Err(Failure::Request(format!(
                "the trace was recorded on another version of {}: the text, an included file or a -D definition has changed",
                self.file
            )));
        }
        let step =
            |s: &RecordedStep| Step { actor: s.process, path: s.path.clone(), partner: s.partner.clone() };
        let ending = match self.ending {
            Ending::Lasso { loop_start } => space::Ending::Lasso { loop_start },
            _ => space::Ending::Open,
        };
        Ok(Run::new(self.steps.iter().map(step).collect(), ending))
    }

    /// Takes the run again on its model.
    pub fn replay(&self, model: &Model) -> Result<Trace, Failure> {
        let trace = follow(model, &self.run(model)?).map_err(|m| Failure::Request(m.to_string()))?;
        if trace.ending != self.ending && self.ending != Ending::Open {
            let message =
                format!("the run ends otherwise than recorded ({:?}, not {:?})", trace.ending, self.ending);
            return Err(Failure::Request(message));
        }
        Ok(trace)
    }
}
