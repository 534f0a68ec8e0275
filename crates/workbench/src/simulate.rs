//! Simulation: a run that grows step by step, by choice, at random or after a guide; it can go back and jump.

use crate::failure::Failure;
use crate::follow::follow;
use crate::model::Model;
use crate::recording::Recording;
use crate::trace::{Statement, Trace};
use crate::values::{Variable, variables};
use logic::random::Random;
use space::{Ending, Run};
use system::{Move, Reference, State};

pub struct Session<'a> {
    model: &'a Model,
    initial: State,
    /// The moves taken, each with the state it led to.
    taken: Vec<Move>,
    /// The moves possible now.
    offered: Vec<Move>,
}

/// A possible move, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Who: `P[1]`, or `P[1] -> Q[2]` for a handshake.
    pub who: String,
    pub statements: Vec<Statement>,
    /// What goes wrong if it is taken.
    pub fault: Option<String>,
}

/// How a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Moves,
    Fault,
    End,
    Deadlock,
}

impl<'a> Session<'a> {
    pub fn new(model: &'a Model) -> Result<Session<'a>, Failure> {
        let initial = Reference::new(&model.system)
            .initial()
            .map_err(|fault| Failure::Request(format!("the model has no initial state: {fault}")))?;
        let mut session = Session { model, initial, taken: Vec::new(), offered: Vec::new() };
        session.look();
        Ok(session)
    }

    pub fn steps(&self) -> usize {
        self.taken.len()
    }

    pub fn standing(&self) -> Standing {
        let failed = self.taken.last().is_some_and(|m| m.fault.is_some());
        match self.state() {
            _ if failed => Standing::Fault,
            _ if !self.offered.is_empty() => Standing::Moves,
            Some(state) if !state.is_valid_end(&self.model.system) => Standing::Deadlock,
            _ => Standing::End,
        }
    }

    /// What can be done now.
    pub fn offers(&self) -> Vec<Offer> {
        self.offered.iter().map(|m| self.offer(m)).collect()
    }

    /// Takes the option with this number, counted from 0; `false` if there is none.
    pub fn take(&mut self, number: usize) -> bool {
        if number >= self.offered.len() {
            return false;
        }
        self.taken.push(self.offered.swap_remove(number));
        self.look();
        true
    }

    /// Goes back to the state after `steps` steps; `false` if the run is not that long.
    pub fn back_to(&mut self, steps: usize) -> bool {
        if steps > self.taken.len() {
            return false;
        }
        self.taken.truncate(steps);
        self.look();
        true
    }

    /// Takes up to `steps` random steps; ends at the first fault.
    pub fn wander(&mut self, random: &mut Random, steps: usize, go_on: &dyn Fn() -> bool) {
        for _ in 0..steps {
            if self.standing() != Standing::Moves || !go_on() {
                break;
            }
            self.take(random.below(self.offered.len()));
        }
    }

    /// Takes the steps of a recorded run.
    pub fn guide(&mut self, recording: &Recording) -> Result<(), Failure> {
        for step in recording.run(self.model)?.steps {
            let number = self.offered.iter().position(|m| m.step == step);
            let at = self.taken.len() + 1;
            let wrong = || Failure::Request(format!("the guide does not fit the model at step {at}"));
            self.take(number.ok_or_else(wrong)?);
        }
        Ok(())
    }

    /// Every variable now; empty after a fatal fault.
    pub fn variables(&self) -> Vec<Variable> {
        self.state().map(|state| variables(self.model, state, true)).unwrap_or_default()
    }

    pub fn trace(&self) -> Result<Trace, Failure> {
        follow(self.model, &self.run()).map_err(|m| Failure::Internal(m.to_string()))
    }

    pub fn recording(&self, trace: &Trace) -> Recording {
        Recording::new(self.model, &self.run(), trace.ending)
    }

    fn run(&self) -> Run {
        Run::new(self.taken.iter().map(|m| m.step.clone()).collect(), Ending::Open)
    }

    /// `None` after a fatal fault.
    fn state(&self) -> Option<&State> {
        self.taken.last().map_or(Some(&self.initial), |m| m.next.as_ref())
    }

    fn look(&mut self) {
        let reference = Reference::new(&self.model.system);
        self.offered = self.state().map(|state| reference.moves(state)).unwrap_or_default();
    }

    fn offer(&self, offered: &Move) -> Offer {
        let Some(state) = self.state() else {
            return Offer { who: String::new(), statements: Vec::new(), fault: None };
        };
        let system = &self.model.system;
        let label = |pid: usize| format!("{}[{pid}]", self.model.process_name(state.processes[pid].template));
        let step = &offered.step;
        let partner = step.partner.iter().flat_map(|(pid, path)| path.iter().map(move |t| (*pid, *t)));
        let all = step.path.iter().map(|t| (step.actor, *t)).chain(partner);
        let statement = |(pid, t): (usize, usize)| {
            let transition = &system.templates[state.processes[pid].template].transitions[t];
            Statement {
                actor: pid,
                text: transition.text.clone(),
                location: self.model.location(transition.span),
            }
        };
        let who = match &step.partner {
            Some((other, _)) => format!("{} -> {}", label(step.actor), label(*other)),
            None => label(step.actor),
        };
        Offer { who, statements: all.map(statement).collect(), fault: offered.fault.map(|f| f.to_string()) }
    }
}

/// The values of every variable after `steps` steps of a recorded run.
pub fn state_at(model: &Model, recording: &Recording, steps: usize) -> Result<Vec<Variable>, Failure> {
    let mut session = Session::new(model)?;
    session.guide(recording)?;
    if !session.back_to(steps) {
        return Err(Failure::Request(format!("the run has only {} steps", session.steps())));
    }
    Ok(session.variables())
}
