//! A run that grows step by step, by choice, at random or after a recorded one; it can go back.
//!
//! Written once, over an [`Executor`]. Going back is executing the run again, up to there.

use crate::executor::{Executor, Offer, RunStatus};
use crate::failure::Failure;
use crate::observed::Word;
use crate::recording::Recording;
use crate::report::{Ending, Report};
use crate::values::Variable;
use logic::random::Random;
use space::{Start, Step};

/// What could have been chosen instead of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many steps were enabled.
    pub enabled: usize,
    /// Which of them was taken, counted from 0.
    pub taken: Option<usize>,
}

/// A run that is being made, step by step.
pub struct Session<'a> {
    executor: Box<dyn Executor + 'a>,
    steps: Vec<Step>,
    /// What the run is known to show at its end.
    ending: Option<Ending>,
}

impl<'a> Session<'a> {
    /// A run without steps, from the first initial state.
    pub fn new(mut executor: Box<dyn Executor + 'a>) -> Result<Session<'a>, Failure> {
        executor.restart(&Start::Number(0))?;
        Ok(Session { executor, steps: Vec::new(), ending: None })
    }

    /// Executes a recorded run again: each of its steps must be enabled, and it must end as
    /// recorded.
    pub fn replay(executor: Box<dyn Executor + 'a>, recording: &Recording) -> Result<Session<'a>, Failure> {
        recording.fits(&executor.origin().fingerprint)?;
        Session::execute(executor, recording)
    }

    /// The same for a run of the very description that the executor has.
    pub(crate) fn execute(executor: Box<dyn Executor + 'a>, run: &Recording) -> Result<Session<'a>, Failure> {
        let mut session = Session { executor, steps: Vec::new(), ending: None };
        session.walk(&run.start, &run.steps)?;
        if run.ending != Ending::Open {
            if !session.executor.shows(run.ending) {
                let message = format!("the run does not end as recorded, with {}", run.ending.name());
                return Err(Failure::Request(message));
            }
            session.ending = Some(run.ending);
        }
        Ok(session)
    }

    /// First takes the steps of a recorded run.
    pub fn guide(&mut self, recording: &Recording) -> Result<(), Failure> {
        recording.fits(&self.executor.origin().fingerprint)?;
        self.walk(&recording.start, &recording.steps)
    }

    /// Begins in another initial state, counted from 0; `false` if there is none.
    pub fn begin(&mut self, number: usize) -> Result<bool, Failure> {
        if number >= self.starts() {
            return Ok(false);
        }
        self.walk(&Start::Number(number), &[])?;
        Ok(true)
    }

    fn walk(&mut self, start: &Start, steps: &[Step]) -> Result<(), Failure> {
        self.executor.restart(start)?;
        self.ending = None;
        self.steps.clear();
        for (at, step) in steps.iter().enumerate() {
            self.executor.take(step).map_err(|failure| match failure {
                Failure::Request(why) => {
                    Failure::Request(format!("the run does not fit the model at step {}: {why}", at + 1))
                }
                other => other,
            })?;
            self.steps.push(step.clone());
        }
        Ok(())
    }

    /// How many initial states there are to choose from.
    pub fn starts(&self) -> usize {
        self.executor.starts()
    }

    /// How many steps were made.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// What is possible now.
    pub fn status(&self) -> RunStatus {
        self.executor.status()
    }

    /// The enabled steps.
    pub fn offers(&self) -> Vec<Offer> {
        self.executor.offers()
    }

    /// Takes the enabled step with this number, counted from 0; `false` if there is none.
    pub fn take(&mut self, number: usize) -> Result<bool, Failure> {
        match self.offers().into_iter().nth(number) {
            Some(offer) => self.step(offer.step).map(|()| true),
            None => Ok(false),
        }
    }

    fn step(&mut self, step: Step) -> Result<(), Failure> {
        self.executor.take(&step)?;
        self.ending = None;
        self.steps.push(step);
        Ok(())
    }

    /// Goes back to the state after `steps` steps; `false` if the run is not that long.
    pub fn back_to(&mut self, steps: usize) -> Result<bool, Failure> {
        if steps > self.steps.len() {
            return Ok(false);
        }
        if steps < self.steps.len() {
            let kept = self.steps[..steps].to_vec();
            let start = self.executor.start();
            self.walk(&start, &kept)?;
        }
        Ok(true)
    }

    /// Takes up to `steps` random steps; ends where something goes wrong.
    pub fn wander(
        &mut self,
        random: &mut Random,
        steps: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        for _ in 0..steps {
            let mut offers = self.offers();
            if offers.is_empty() || self.status() != RunStatus::Enabled || !go_on() {
                break;
            }
            let chosen = offers.swap_remove(random.below(offers.len()));
            self.step(chosen.step)?;
        }
        Ok(())
    }

    /// Every variable now.
    pub fn variables(&self) -> Vec<Variable> {
        self.executor.variables()
    }

    /// The formulas that can be followed along the run, by name and text.
    pub fn formulas(&self) -> Vec<(String, String)> {
        self.executor.formulas()
    }

    pub(crate) fn word(&self, formula: &str) -> Result<Option<Word>, Failure> {
        self.executor.word(formula)
    }

    pub(crate) fn shows(&self, ending: Ending) -> bool {
        self.executor.shows(ending)
    }

    /// What tells the state from every other; `None` if there is nothing to compare.
    pub(crate) fn identity(&self) -> Option<String> {
        self.executor.identity()
    }

    /// Every variable before the first step, and what could have been chosen at each. Executes the
    /// run again.
    pub fn choices(&mut self) -> Result<(Vec<Variable>, Vec<Choice>), Failure> {
        let (steps, ending) = (self.steps.clone(), self.ending);
        let start = self.executor.start();
        self.walk(&start, &[])?;
        let beginning = self.executor.variables();
        let mut choices = Vec::with_capacity(steps.len());
        for step in steps {
            let offers = self.executor.offers();
            let taken = offers.iter().position(|offer| offer.step == step);
            choices.push(Choice { enabled: offers.len(), taken });
            self.step(step)?;
        }
        self.ending = ending;
        Ok((beginning, choices))
    }

    /// The run so far.
    pub fn report(&self) -> Report {
        self.executor.report(self.ending)
    }

    /// The run so far, as it is written to a file.
    pub fn recording(&self) -> Recording {
        Recording {
            start: self.executor.start(),
            steps: self.steps.clone(),
            ending: self.report().ending,
            ..self.executor.origin()
        }
    }
}
