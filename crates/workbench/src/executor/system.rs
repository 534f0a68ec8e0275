//! Executes a system with the reference stepper and reports what happens.
//!
//! Each step must be one that the reference stepper offers. Beside each buffered channel goes a
//! queue of notes, so that a receive knows who sent its message and when.

use super::messages::{Seen, SeenKind, exchanges};
use super::{Executor, Offer, RunStatus, not_enabled};
use crate::failure::Failure;
use crate::model::Model;
use crate::observed::Word;
use crate::recording::Recording;
use crate::report::{Actor, Ending, Exchange, PASSES, Report, ReportStep, Statement, Waiting};
use crate::simulate::Session;
use crate::values::{Variable, changes, variables};
use crate::why::{Changed, course, failing, needs};
use space::{Reference as _, Run, Start, Step};
use std::collections::HashMap;
use system::property::is_observed;
use system::{Move, Pid, Property, Reference, State, Transition, TransitionId};

/// A channel by the actor that owns it and its index there.
type ChannelKey = (Option<usize>, usize);

pub(crate) struct SystemExecutor<'a> {
    model: &'a Model,
    /// The initial state and the state after each step. A fault that ends the run has no state
    /// after it.
    states: Vec<State>,
    /// The steps enabled now.
    offered: Vec<Move>,
    report: Report,
    /// The actor of each live process.
    alive: Vec<usize>,
    /// For each message in a buffer, who sent it at which step.
    notes: HashMap<ChannelKey, Vec<(usize, usize)>>,
    changed: Changed,
}

/// A run that was found, executed again: as it is written to a file, and as it is shown.
pub fn executed(model: &Model, run: &Run) -> Result<(Recording, Report), Failure> {
    let executor = SystemExecutor::new(model);
    let ending = match run.ending {
        space::Ending::Lasso { loop_start } => Ending::Lasso { loop_start },
        _ => Ending::Open,
    };
    let (start, steps) = (run.start.clone(), run.steps.clone());
    let recording = Recording { start, steps, ending, ..executor.origin() };
    let session = Session::execute(Box::new(executor), &recording);
    let session = session.map_err(|f| Failure::Internal(f.message()))?;
    let report = session.report();
    Ok((Recording { ending: report.ending, ..recording }, report))
}

/// The recorded run, if the model is the one it was recorded on.
pub fn recorded(model: &Model, recording: &Recording) -> Result<Run, Failure> {
    recording.fits(&model.fingerprint)?;
    Ok(Run::new(recording.steps.clone(), space::Ending::Open))
}

impl<'a> SystemExecutor<'a> {
    pub fn new(model: &'a Model) -> SystemExecutor<'a> {
        SystemExecutor {
            model,
            states: Vec::new(),
            offered: Vec::new(),
            report: Report::default(),
            alive: Vec::new(),
            notes: HashMap::new(),
            changed: Changed::default(),
        }
    }

    /// `None` after a fault that ends the run.
    fn state(&self) -> Option<&State> {
        self.states.get(self.report.steps.len())
    }

    fn look(&mut self) {
        let reference = Reference::new(&self.model.system);
        self.offered = self.state().map(|state| reference.moves(state)).unwrap_or_default();
    }

    /// Adds the processes that the state has and we have not.
    fn create(&mut self, state: &State) -> Vec<usize> {
        let mut created = Vec::new();
        for pid in self.alive.len()..state.processes.len() {
            let name = self.model.process_name(state.processes[pid].process_type).to_string();
            created.push(self.report.actors.len());
            self.alive.push(self.report.actors.len());
            self.report.actors.push(Actor { pid, name, process: None });
        }
        created
    }

    fn step(&mut self, before: &State, taken: &Move) -> ReportStep {
        let actor = self.actor(taken.step.actor);
        let statements = self.statements(before, &taken.step);
        let seen = exchanges(self.model, before, &taken.step);
        let exchanges = seen.into_iter().map(|s| self.note(s)).collect();
        let mut step = ReportStep { actor, statements, exchanges, ..ReportStep::default() };
        step.fault = taken.fault.map(|f| f.to_string());
        step.why = failing(self.model, before, taken);
        step.printed = taken.printed.clone();
        if let Some(after) = &taken.next {
            step.ended = self.alive.split_off(after.processes.len().min(self.alive.len()));
            step.created = self.create(after);
            step.changes = changes(self.model, before, after);
            step.atomic = after.control.is_some();
        }
        step
    }

    fn actor(&self, pid: Pid) -> usize {
        self.alive.get(pid).copied().unwrap_or(usize::MAX)
    }

    fn statements(&self, before: &State, step: &Step) -> Vec<Statement> {
        let partner = step.partner.iter().flat_map(|(pid, path)| path.iter().map(move |t| (*pid, *t)));
        let all = step.path.iter().map(|t| (step.actor, *t)).chain(partner);
        all.filter_map(|(pid, t)| self.statement(before, pid, t)).collect()
    }

    fn statement(&self, state: &State, pid: Pid, transition: TransitionId) -> Option<Statement> {
        let process_type = state.processes.get(pid)?.process_type;
        let transition = self.model.system.process_types[process_type].transitions.get(transition)?;
        let location = self.model.location(transition.span);
        let text = if self.only_passes(transition) { PASSES } else { &transition.text };
        Some(Statement { actor: self.actor(pid), text: text.to_string(), location, call: None })
    }

    /// Whether a step stands for no statement of the text: it leaves an `if`, a loop or a block.
    fn only_passes(&self, transition: &Transition) -> bool {
        let text = self.model.map.snippet(transition.span);
        let compound = ["if", "do", "{", "atomic", "d_step", "for", "select"];
        transition.text == "skip" && compound.iter().any(|word| text.starts_with(word))
    }

    /// Keeps the queue of notes of a channel and turns what was seen into an exchange.
    fn note(&mut self, seen: Seen) -> Exchange {
        let Seen { pid, partner, channel, name, message, kind } = seen;
        let me = self.actor(pid);
        let now = self.report.steps.len() + 1;
        let notes = self.notes.entry((channel.0.map(|p| self.alive[p]), channel.1)).or_default();
        match kind {
            SeenKind::Handshake => {
                let to = partner.map_or(me, |p| self.actor(p));
                Exchange::Handshake { from: me, to, channel: name, message }
            }
            SeenKind::Send { position } => {
                notes.insert(position.min(notes.len()), (me, now));
                Exchange::Send { from: me, channel: name, message }
            }
            SeenKind::Receive { position, copy } => {
                let sent = notes.get(position).copied();
                if !copy && position < notes.len() {
                    notes.remove(position);
                }
                Exchange::Receive { to: me, channel: name, message, copy, sent }
            }
        }
    }

    /// Properties of runs that are read off the variables of the model.
    fn followed(&self) -> impl Iterator<Item = &Property> {
        let stated = self.model.properties.iter().filter(|stated| stated.tracked.is_none());
        stated.filter_map(|stated| stated.property.as_ref().ok())
    }

    fn waiting(&self, state: &State, pid: Pid) -> Waiting {
        let process = &state.processes[pid];
        let process_type = &self.model.system.process_types[process.process_type];
        let here =
            (0..process_type.transitions.len()).filter(|t| process_type.transitions[*t].pre == process.point);
        let mut statements: Vec<Statement> = Vec::new();
        for statement in here.filter_map(|t| self.statement(state, pid, t)) {
            if !statements.contains(&statement) {
                statements.push(statement);
            }
        }
        let valid_end = process_type.points[process.point].valid_end;
        let needs = needs(self.model, state, pid, &self.alive, &self.changed);
        Waiting { actor: self.actor(pid), statements, holds: Vec::new(), valid_end, needs }
    }

    fn offer(&self, offered: &Move) -> Offer {
        let label = |pid: Pid| self.report.label(self.actor(pid));
        let step = &offered.step;
        let who = match &step.partner {
            Some((other, _)) => format!("{} -> {}", label(step.actor), label(*other)),
            None => label(step.actor),
        };
        Offer {
            step: step.clone(),
            who,
            statements: self.state().map(|state| self.statements(state, step)).unwrap_or_default(),
            changes: Vec::new(),
            fault: offered.fault.map(|f| f.to_string()),
        }
    }
}

impl Executor for SystemExecutor<'_> {
    fn origin(&self) -> Recording {
        Recording {
            file: self.model.file.clone(),
            defines: self.model.defines.clone(),
            fingerprint: self.model.fingerprint.clone(),
            ..Recording::default()
        }
    }

    fn restart(&mut self, start: &Start) -> Result<(), Failure> {
        if *start != Start::Number(0) {
            return Err(Failure::Request("the model has only one initial state".to_string()));
        }
        *self = SystemExecutor::new(self.model);
        match Reference::new(&self.model.system).initial() {
            Ok(initial) => {
                self.report.initial = variables(self.model, &initial, false);
                self.create(&initial);
                self.states.push(initial);
            }
            Err(fault) => {
                let step = ReportStep { fault: Some(fault.to_string()), ..ReportStep::default() };
                self.report.steps.push(step);
            }
        }
        self.look();
        Ok(())
    }

    fn offers(&self) -> Vec<Offer> {
        self.offered.iter().map(|m| self.offer(m)).collect()
    }

    fn take(&mut self, step: &Step) -> Result<(), Failure> {
        let found = self.offered.iter().position(|m| m.step == *step).ok_or_else(not_enabled)?;
        let taken = self.offered.swap_remove(found);
        let before = self.state().cloned().ok_or_else(not_enabled)?;
        let reported = self.step(&before, &taken);
        self.changed.note(reported.actor, &reported.changes);
        self.report.steps.push(reported);
        self.states.extend(taken.next);
        self.look();
        Ok(())
    }

    fn variables(&self) -> Vec<Variable> {
        self.state().map(|state| variables(self.model, state, true)).unwrap_or_default()
    }

    fn identity(&self) -> Option<String> {
        let reference = Reference::new(&self.model.system);
        self.state().map(|state| format!("{:?}", reference.canonical(state)))
    }

    fn formulas(&self) -> Vec<(String, String)> {
        let one = |p: &Property| (p.name.clone(), self.model.map.snippet(p.span).trim().to_string());
        self.followed().map(one).collect()
    }

    fn word(&self, formula: &str) -> Result<Option<Word>, Failure> {
        let Some(property) = self.followed().find(|p| p.name == formula) else { return Ok(None) };
        let observed = property.observed(&self.model.system);
        let undefined = |fault: system::Fault| {
            Failure::Request(format!("{formula} has no value in a state of this run: {fault}"))
        };
        let letter = |state: &State| match is_observed(state) {
            true => system::property::letter(&observed, state).map(Some).map_err(undefined),
            false => Ok(None),
        };
        let text = |at: usize| course::proposition(self.model, property, at);
        Ok(Some(Word {
            propositions: (0..property.propositions.len()).map(text).collect(),
            meaning: property.meaning.clone(),
            letters: self.states.iter().map(letter).collect::<Result<_, _>>()?,
        }))
    }

    fn status(&self) -> RunStatus {
        let failed = self.report.steps.last().is_some_and(|s| s.fault.is_some());
        match self.state() {
            _ if failed => RunStatus::Failed,
            _ if !self.offered.is_empty() => RunStatus::Enabled,
            Some(state) if !state.is_valid_end(&self.model.system) => RunStatus::Deadlock,
            _ => RunStatus::Terminated,
        }
    }

    fn shows(&self, ending: Ending) -> bool {
        match (ending, self.state()) {
            (Ending::Lasso { loop_start }, Some(_)) if loop_start == self.report.steps.len() => {
                self.offered.is_empty()
            }
            (Ending::Lasso { loop_start }, Some(last)) => {
                let same = |s| Reference::new(&self.model.system).canonical(s);
                self.states.get(loop_start).is_some_and(|first| same(first) == same(last))
            }
            _ => self.report(None).ending == ending,
        }
    }

    fn report(&self, ending: Option<Ending>) -> Report {
        let mut report = self.report.clone();
        report.ending = ending.unwrap_or(self.status().ending());
        if let Some(state) = self.state().filter(|_| self.status() != RunStatus::Failed) {
            report.waiting = (0..state.processes.len()).map(|pid| self.waiting(state, pid)).collect();
        }
        report
    }
}
