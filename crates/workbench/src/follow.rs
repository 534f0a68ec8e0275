//! Takes a run again with the reference stepper and tells what happens: the run as a [`Trace`].
//!
//! Each step must be one of the moves that the reference stepper offers; anything else is a [`Mismatch`]. Messages are
//! found by executing the operations of a step one by one; beside each buffered channel goes a queue of notes, so that
//! a receive knows who sent its message and when.

use crate::model::Model;
use crate::trace::{Actor, Ending, Exchange, Statement, Trace, TraceStep, Waiting};
use crate::values::{changes, channel_name, message, variables};
use num_bigint::BigInt;
use space::{Run, Step};
use std::collections::HashMap;
use std::fmt;
use system::evaluate::{Context, evaluate, find_message, open};
use system::execute::{Done, Effects, accept, execute};
use system::{Move, Operation, Pid, Reference, State, TransitionId};

/// A run that its model does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Counted from 1; 0 is the initial state.
    pub step: usize,
    pub message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the run does not fit the model at step {}: {}", self.step, self.message)
    }
}

/// Tells a run from its initial state to its end.
pub fn follow(model: &Model, run: &Run) -> Result<Trace, Mismatch> {
    let reference = Reference::new(&model.system);
    let Ok(initial) = reference.initial() else {
        return beginless(model, run);
    };
    let mut teller = Teller::new(model, &initial);
    let mut state = initial;
    for (i, step) in run.steps.iter().enumerate() {
        let wrong = |message: &str| Mismatch { step: i + 1, message: message.to_string() };
        let found = reference.moves(&state).into_iter().find(|m| m.step == *step);
        let taken = found.ok_or_else(|| wrong("no such move is possible here"))?;
        teller.tell(&state, &taken);
        match taken.next {
            Some(next) => state = next,
            None if i + 1 == run.steps.len() => break,
            None => return Err(wrong("the run goes on after an error that ends it")),
        }
    }
    Ok(teller.end(&reference, &state, run.ending))
}

/// A run of a system whose initial state cannot be computed.
fn beginless(model: &Model, run: &Run) -> Result<Trace, Mismatch> {
    let fault = Reference::new(&model.system).initial().err();
    if !run.steps.is_empty() {
        return Err(Mismatch { step: 0, message: "the model has no initial state".to_string() });
    }
    let step = TraceStep { fault: fault.map(|f| f.to_string()), ..TraceStep::default() };
    Ok(Trace { steps: vec![step], ending: Ending::Fault, ..Trace::default() })
}

/// A channel by the actor that owns it and its index there.
type ChannelKey = (Option<usize>, usize);

/// A message seen while a step is executed operation by operation.
struct Seen {
    pid: Pid,
    /// The receiver, in a handshake.
    partner: Option<Pid>,
    channel: (Option<Pid>, usize),
    name: String,
    message: String,
    kind: SeenKind,
}

enum SeenKind {
    Handshake,
    Send { position: usize },
    Receive { position: usize, copy: bool },
}

struct Teller<'a> {
    model: &'a Model,
    trace: Trace,
    /// The actor of each live process.
    alive: Vec<usize>,
    /// For each message in a buffer, who sent it at which step.
    notes: HashMap<ChannelKey, Vec<(usize, usize)>>,
}

impl<'a> Teller<'a> {
    fn new(model: &'a Model, initial: &State) -> Teller<'a> {
        let trace = Trace { initial: variables(model, initial, false), ..Trace::default() };
        let mut teller = Teller { model, trace, alive: Vec::new(), notes: HashMap::new() };
        teller.give_birth(initial);
        teller
    }

    /// Adds the processes that the state has and we have not.
    fn give_birth(&mut self, state: &State) -> Vec<usize> {
        let mut born = Vec::new();
        for pid in self.alive.len()..state.processes.len() {
            let name = self.model.process_name(state.processes[pid].template).to_string();
            born.push(self.trace.actors.len());
            self.alive.push(self.trace.actors.len());
            self.trace.actors.push(Actor { pid, name });
        }
        born
    }

    fn tell(&mut self, before: &State, taken: &Move) {
        let actor = self.actor(taken.step.actor);
        let statements = self.statements(before, &taken.step);
        let seen = exchanges(self.model, before, &taken.step);
        let exchanges = seen.into_iter().map(|s| self.note(s)).collect();
        let mut step = TraceStep { actor, statements, exchanges, ..TraceStep::default() };
        step.fault = taken.fault.map(|f| f.to_string());
        step.printed = taken.printed.clone();
        if let Some(after) = &taken.next {
            step.ended = self.alive.split_off(after.processes.len().min(self.alive.len()));
            step.born = self.give_birth(after);
            step.changes = changes(self.model, before, after);
            step.atomic = after.control.is_some();
        }
        self.trace.steps.push(step);
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
        let template = state.processes.get(pid)?.template;
        let transition = self.model.system.templates[template].transitions.get(transition)?;
        let location = self.model.location(transition.span);
        Some(Statement { actor: self.actor(pid), text: transition.text.clone(), location })
    }

    /// Keeps the queue of notes of a channel and turns what was seen into an exchange.
    fn note(&mut self, seen: Seen) -> Exchange {
        let Seen { pid, partner, channel, name, message, kind } = seen;
        let me = self.actor(pid);
        let now = self.trace.steps.len() + 1;
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

    fn end(mut self, reference: &Reference<'_>, state: &State, ending: space::Ending) -> Trace {
        let faulty = self.trace.steps.last().is_some_and(|s| s.fault.is_some());
        self.trace.ending = match ending {
            space::Ending::Lasso { loop_start } => Ending::Lasso { loop_start },
            _ if faulty => Ending::Fault,
            _ if !reference.moves(state).is_empty() => Ending::Open,
            _ if state.is_valid_end(&self.model.system) => Ending::End,
            _ => Ending::Deadlock,
        };
        if !faulty {
            self.trace.waiting = (0..state.processes.len()).map(|pid| self.waiting(state, pid)).collect();
        }
        self.trace
    }

    fn waiting(&self, state: &State, pid: Pid) -> Waiting {
        let process = &state.processes[pid];
        let template = &self.model.system.templates[process.template];
        let here = (0..template.transitions.len()).filter(|t| template.transitions[*t].pre == process.point);
        let mut statements: Vec<Statement> = Vec::new();
        for statement in here.filter_map(|t| self.statement(state, pid, t)) {
            if !statements.contains(&statement) {
                statements.push(statement);
            }
        }
        let valid_end = template.points[process.point].valid_end;
        Waiting { actor: self.actor(pid), statements, valid_end }
    }
}

/// The messages of a step, in order.
fn exchanges(model: &Model, before: &State, step: &Step) -> Vec<Seen> {
    let mut walk = Walk { model, state: before.clone(), seen: Vec::new() };
    for transition in &step.path {
        walk.transition(step.actor, *transition, step.partner.as_ref());
    }
    if let Some((pid, path)) = &step.partner {
        for transition in path.iter().skip(1) {
            walk.transition(*pid, *transition, None);
        }
    }
    walk.seen
}

/// Executes the operations of a step one by one, to see the messages on their way.
struct Walk<'a> {
    model: &'a Model,
    state: State,
    seen: Vec<Seen>,
}

impl Walk<'_> {
    fn transition(&mut self, pid: Pid, id: TransitionId, partner: Option<&(Pid, Vec<TransitionId>)>) {
        let model = self.model;
        let Some(template) = self.state.processes.get(pid).map(|p| p.template) else { return };
        let Some(transition) = model.system.templates[template].transitions.get(id) else { return };
        for operation in &transition.command {
            if let Some(seen) = self.look(pid, operation, partner.map(|(p, _)| *p)) {
                self.seen.push(seen);
            }
            let effects = &mut Effects::default();
            let done = execute(&model.system, &mut self.state, pid, false, operation, effects);
            if let (Ok(Done::Offers(offer)), Some((other, path))) = (done, partner) {
                self.hand(*other, path.first().copied(), &offer);
            }
        }
        if let Some(process) = self.state.processes.get_mut(pid) {
            process.point = transition.post;
        }
    }

    fn hand(&mut self, other: Pid, transition: Option<TransitionId>, offer: &system::execute::Offer) {
        let system = &self.model.system;
        let Some(process) = self.state.processes.get(other) else { return };
        let found = transition.and_then(|t| system.templates[process.template].transitions.get(t));
        let Some(transition) = found else { return };
        if let Some(operation) = transition.command.first()
            && accept(system, &mut self.state, other, operation, offer).is_ok()
        {
            self.state.processes[other].point = transition.post;
        }
    }

    fn look(&self, pid: Pid, operation: &Operation, partner: Option<Pid>) -> Option<Seen> {
        let context = Context::of(&self.model.system, &self.state, pid);
        match operation {
            Operation::Send { channel, message: terms, sorted } => {
                let open = open(&context, channel).ok()?;
                let fields =
                    terms.iter().map(|t| evaluate(&context, t)).collect::<Result<Vec<_>, _>>().ok()?;
                let fields: Vec<BigInt> =
                    open.fields.iter().zip(fields).map(|(s, v)| objects::variable::store(s, v)).collect();
                let after = |m: &Vec<BigInt>| *sorted && *m > fields;
                let position = open.messages.iter().position(after).unwrap_or(open.messages.len());
                let kind = if open.capacity == 0 { SeenKind::Handshake } else { SeenKind::Send { position } };
                Some(self.seen(pid, partner, (open.owner, open.object), &fields, kind))
            }
            Operation::Receive { channel, patterns, mode } => {
                let open = open(&context, channel).ok()?;
                let position = find_message(&context, &open, patterns, mode.anywhere).ok()??;
                let kind = SeenKind::Receive { position, copy: mode.copy };
                Some(self.seen(pid, None, (open.owner, open.object), open.messages.get(position)?, kind))
            }
            _ => None,
        }
    }

    fn seen(
        &self,
        pid: Pid,
        partner: Option<Pid>,
        channel: (Option<Pid>, usize),
        fields: &[BigInt],
        kind: SeenKind,
    ) -> Seen {
        let name = channel_name(self.model, &self.state, channel);
        let message = message(self.model, &self.state, channel, fields);
        Seen { pid, partner, channel, name, message, kind }
    }
}
