//! A program step by step: who can go on and how, one choice at a time, and back again.
//!
//! The paper's interactive simulator. Going back is executing the program again, up to there.

use super::{ProgramRequest, RunRecording, Subject, options, refused, subject};
use crate::failure::Failure;
use crate::random::Random;
use native::execution::{Execution, Known, Options};
use native::operation::{Op, Outcome, Tid};
use native::report::Ending;
use native::scenario::{Recorded, Scene, Teller};
use native::search::{Semantics, World};

/// A way to go on.
#[derive(Clone, Debug)]
pub struct Offer {
    pub scene: Scene,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    Moves,
    Terminated,
    Failed(String),
}

/// A run in the making.
pub struct ProgramSession {
    request: ProgramRequest,
    subject: Subject,
    execution: Execution,
    teller: Teller,
    steps: Vec<Recorded>,
    scenes: Vec<Scene>,
    failure: Option<native::report::Failure>,
    /// Outputs before the first step.
    pub beginning: String,
}

impl ProgramSession {
    pub fn new(request: &ProgramRequest) -> Result<ProgramSession, Failure> {
        let subject = subject(request)?;
        // A race is no reason to stop, unless it is what a recorded run shows.
        let options = Options { races_matter: false, ..options(request) };
        let mut execution = Execution::new(&subject.program, options, Known::default(), 0)
            .map_err(|t| refused(request, &t))?;
        execution.tells_stacks = true;
        let teller = Teller::new(&subject.program.path, execution.machine.base());
        let mut session = ProgramSession {
            request: request.clone(),
            subject,
            execution,
            teller,
            steps: Vec::new(),
            scenes: Vec::new(),
            failure: None,
            beginning: String::new(),
        };
        session.restart(&[])?;
        Ok(session)
    }

    /// First takes the steps of a recorded run.
    pub fn guide(&mut self, recording: &RunRecording) -> Result<(), Failure> {
        self.execution.known = recording.known.clone();
        self.execution.options.races_matter = recording.kind == "race";
        self.restart(&recording.steps)
    }

    fn restart(&mut self, steps: &[Recorded]) -> Result<(), Failure> {
        // That somebody waits for any child is found out on the way.
        let begun = loop {
            match self.execution.restart() {
                Err(native::report::Trouble::Restart) => {}
                begun => break begun.map_err(|t| refused(&self.request, &t))?,
            }
        };
        self.failure = None;
        self.note_failure(begun.failure);
        (self.steps, self.scenes) = (Vec::new(), Vec::new());
        self.teller.forget();
        self.beginning = self.teller.output(&self.execution);
        for step in steps {
            if !self.step(step.who, step.outcome, Some(&step.operation))? {
                let what = format!("the program does not take step {} of the run", self.steps.len() + 1);
                return Err(Failure::Request(what));
            }
        }
        Ok(())
    }

    fn ways(&self) -> Vec<(Tid, Outcome, Op)> {
        let semantics = self.execution.semantics();
        let mut ways = Vec::new();
        for (who, op) in self.execution.pending() {
            ways.extend(semantics.outcomes(who, &op).into_iter().map(|outcome| (who, outcome, op.clone())));
        }
        ways
    }

    pub fn offers(&self) -> Vec<Offer> {
        if self.failure.as_ref().is_some_and(|f| f.fatal) {
            return Vec::new();
        }
        let scene = |(who, outcome, op): (Tid, Outcome, Op)| Offer {
            scene: self.teller.scene(&self.execution, who, &op, outcome, String::new()),
        };
        self.ways().into_iter().map(scene).collect()
    }

    /// Who cannot go on.
    pub fn waiting(&self) -> Vec<Scene> {
        let stuck = self.execution.stuck().into_iter();
        let blocked = stuck.filter(|(who, op)| self.execution.semantics().outcomes(*who, op).is_empty());
        blocked.map(|(who, op)| self.teller.scene(&self.execution, who, &op, 0, String::new())).collect()
    }

    /// Takes one of the offers; whether there is such a one.
    pub fn take(&mut self, number: usize) -> Result<bool, Failure> {
        if self.offers().len() <= number {
            return Ok(false);
        }
        let Some((who, outcome, _)) = self.ways().into_iter().nth(number) else { return Ok(false) };
        self.step(who, outcome, None)
    }

    fn step(&mut self, who: Tid, outcome: Outcome, named: Option<&str>) -> Result<bool, Failure> {
        let way = self.ways().into_iter().find(|(w, o, _)| (*w, *o) == (who, outcome));
        let Some((_, _, op)) = way.filter(|(_, _, op)| named.is_none_or(|n| n == op.name())) else {
            return Ok(false);
        };
        let progress = match self.execution.step(who, outcome) {
            Err(native::report::Trouble::Restart) => {
                let steps = self.steps.clone();
                self.restart(&steps)?;
                return self.step(who, outcome, named);
            }
            progress => progress.map_err(|t| refused(&self.request, &t))?,
        };
        self.note_failure(progress.failure);
        let output = self.teller.output(&self.execution);
        self.scenes.push(self.teller.scene(&self.execution, who, &op, outcome, output));
        self.steps.push(Recorded { who, outcome, operation: op.name().to_string() });
        Ok(true)
    }

    fn note_failure(&mut self, failure: Option<native::report::Failure>) {
        if let (None, Some(mut failure)) = (&self.failure, failure) {
            self.teller.explain(&self.execution, &mut failure);
            self.failure = Some(failure);
        }
    }

    /// Back to the state after so many steps.
    pub fn back_to(&mut self, steps: usize) -> Result<bool, Failure> {
        if steps > self.steps.len() {
            return Ok(false);
        }
        let kept = self.steps[..steps].to_vec();
        self.restart(&kept)?;
        Ok(true)
    }

    /// So many steps at random, or as many as there are.
    pub fn wander(
        &mut self,
        random: &mut Random,
        steps: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        for _ in 0..steps {
            let offers = self.offers().len();
            if offers == 0 || !go_on() {
                break;
            }
            self.take(random.below(offers))?;
        }
        Ok(())
    }

    pub fn standing(&self) -> Standing {
        if let Some(failure) = &self.failure {
            return Standing::Failed(format!("{}: {}", failure.kind.name(), failure.message));
        }
        if !self.ways().is_empty() {
            return Standing::Moves;
        }
        match self.execution.ending() {
            Ending::Deadlock(what) => Standing::Failed(format!("deadlock: {what}")),
            _ => Standing::Terminated,
        }
    }

    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// The run so far, as it is written to a file.
    pub fn recording(&self) -> RunRecording {
        let text =
            |words: &[std::ffi::OsString]| words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        let (kind, message) = match self.standing() {
            Standing::Failed(what) => {
                let (kind, message) = what.split_once(": ").unwrap_or((&what, ""));
                (kind.to_string(), message.to_string())
            }
            _ => ("none".to_string(), "nothing wrong".to_string()),
        };
        RunRecording {
            program: self.request.program.to_string_lossy().into_owned(),
            arguments: text(&self.request.arguments),
            defines: self.request.defines.clone(),
            flags: self.request.flags.clone(),
            spurious: self.request.spurious,
            ordered: self.request.ordered,
            input: Vec::new(),
            known: self.execution.known.clone(),
            steps: self.steps.clone(),
            kind,
            message,
        }
    }

    /// The program itself.
    pub fn program(&self) -> &std::path::Path {
        &self.subject.program.path
    }
}
