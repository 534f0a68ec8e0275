//! The messages of a step of a system, found by executing its operations one by one.

use crate::model::Model;
use crate::values::{channel_name, message};
use num_bigint::BigInt;
use space::Step;
use system::evaluate::{Context, evaluate, find_message, open};
use system::execute::{Done, Effects, Executing, accept, execute};
use system::{Operation, Pid, State, TransitionId};

/// A message seen while a step is executed operation by operation.
pub(super) struct Seen {
    pub(super) pid: Pid,
    /// The receiver, in a handshake.
    pub(super) partner: Option<Pid>,
    pub(super) channel: (Option<Pid>, usize),
    pub(super) name: String,
    pub(super) message: String,
    pub(super) kind: SeenKind,
}

pub(super) enum SeenKind {
    Handshake,
    Send { position: usize },
    Receive { position: usize, copy: bool },
}

/// The messages of a step, in order.
pub(super) fn exchanges(model: &Model, before: &State, step: &Step) -> Vec<Seen> {
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
        let Some(process_type) = self.state.processes.get(pid).map(|p| p.process_type) else { return };
        let Some(transition) = model.system.process_types[process_type].transitions.get(id) else { return };
        for operation in &transition.command {
            if let Some(seen) = self.look(pid, operation, partner.map(|(p, _)| *p)) {
                self.seen.push(seen);
            }
            let effects = &mut Effects::default();
            let who = Executing { system: &model.system, pid, timeout: false, nesting: 0 };
            let done = execute(who, &mut self.state, operation, effects);
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
        let who = Executing { system, pid: other, timeout: false, nesting: 0 };
        let Some(process) = self.state.processes.get(other) else { return };
        let found = transition.and_then(|t| system.process_types[process.process_type].transitions.get(t));
        let Some(transition) = found else { return };
        if let Some(operation) = transition.command.first()
            && accept(who, &mut self.state, operation, offer).is_ok()
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
                Some(self.seen((pid, partner), (open.owner, open.object), &fields, kind))
            }
            Operation::Receive { channel, patterns, mode } => {
                let open = open(&context, channel).ok()?;
                let position = find_message(&context, &open, patterns, mode.anywhere).ok()??;
                let kind = SeenKind::Receive { position, copy: mode.copy };
                Some(self.seen((pid, None), (open.owner, open.object), open.messages.get(position)?, kind))
            }
            _ => None,
        }
    }

    fn seen(
        &self,
        (pid, partner): (Pid, Option<Pid>),
        channel: (Option<Pid>, usize),
        fields: &[BigInt],
        kind: SeenKind,
    ) -> Seen {
        let name = channel_name(self.model, &self.state, channel);
        let message = message(self.model, &self.state, channel, fields);
        Seen { pid, partner, channel, name, message, kind }
    }
}
