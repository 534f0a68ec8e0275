//! What the blocked processes of a system wait for, and who has it.
//!
//! A system has no locks: what holds a process up is a variable that its guard reads or a channel.
//! Who changed that last is who took it. If that was the process itself, or no process, those are
//! named that could still change it, by what stands ahead of them in their text.

use super::names::bare;
use crate::model::Model;
use crate::report::{Need, Tie};
use crate::values::{self, Change};
use logic::Term;
use std::collections::HashMap;
use system::evaluate::{Context, holds, open};
use system::{Expr, Operation, Pid, Place, Read, State};

/// Who changed each variable last, by its name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changed(HashMap<String, usize>);

impl Changed {
    /// An actor changes variables.
    pub(crate) fn note(&mut self, actor: usize, changes: &[Change]) {
        self.0.extend(changes.iter().map(|change| (change.name.clone(), actor)));
    }
}

/// An object that a process waits for, by its name and as it is found in the system.
#[derive(PartialEq)]
struct Wanted {
    name: String,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    /// A global variable.
    Global(usize),
    /// A variable of this process.
    Local(Pid, usize),
    /// A channel that is to be filled, or emptied.
    Channel((Option<Pid>, usize), Way),
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Send,
    Receive,
    Either,
}

/// What a process waits for; `alive` has the actor of each live process.
pub(crate) fn needs(model: &Model, state: &State, pid: Pid, alive: &[usize], changed: &Changed) -> Vec<Need> {
    let context = Context::of(&model.system, state, pid);
    let process = &state.processes[pid];
    let process_type = &model.system.process_types[process.process_type];
    let here = process_type.transitions.iter().filter(|t| t.pre == process.point);
    let mut wanted: Vec<Wanted> = Vec::new();
    for transition in here {
        let found = match holds(&context, &transition.guard) {
            Ok(false) => read_by(model, &context, &transition.guard),
            Ok(true) => {
                transition.command.iter().find_map(|o| of_operation(model, &context, o)).into_iter().collect()
            }
            Err(_) => Vec::new(),
        };
        for one in found {
            if !wanted.contains(&one) {
                wanted.push(one);
            }
        }
    }
    let values = values::variables(model, state, true);
    let value = |name: &str| values.iter().find(|v| v.name == name).map(|v| v.value.clone());
    let need = |one: Wanted| {
        let last = changed.0.get(&one.name).copied().filter(|actor| Some(actor) != alive.get(pid));
        let (actors, tie) = match last {
            Some(actor) => (vec![actor], Tie::Changed),
            None => (who_could(model, state, pid, one.what, alive), Tie::Could),
        };
        Need { value: value(&one.name), object: one.name, actors, tie, ..Need::default() }
    };
    wanted.into_iter().map(need).collect()
}

/// The variables and channels that a condition reads.
fn read_by(model: &Model, context: &Context<'_>, condition: &Expr) -> Vec<Wanted> {
    let mut found = Vec::new();
    condition.atoms(&mut |read| match read {
        Read::Place(place) => found.extend(of_place(model, context, place)),
        Read::Length(channel) | Read::Empty(channel) | Read::Full(channel) | Read::Poll { channel, .. } => {
            found.extend(of_channel(model, context, channel, Way::Either));
        }
        _ => {}
    });
    found
}

fn of_place(model: &Model, context: &Context<'_>, place: &Place) -> Option<Wanted> {
    use system::Root::{Global, Local};
    let name = values::of_place(model, context, place)?;
    match &place.root {
        Global(object) => Some(Wanted { name, what: What::Global(*object) }),
        Local(object) => Some(Wanted { name, what: What::Local(context.pid?, *object) }),
        _ => None,
    }
}

/// The channel that holds an operation up.
fn of_operation(model: &Model, context: &Context<'_>, operation: &Operation) -> Option<Wanted> {
    match operation {
        Operation::Send { channel, .. } => of_channel(model, context, channel, Way::Receive),
        Operation::Receive { channel, .. } => of_channel(model, context, channel, Way::Send),
        _ => None,
    }
}

fn of_channel(model: &Model, context: &Context<'_>, channel: &Expr, way: Way) -> Option<Wanted> {
    let found = open(context, channel).ok()?;
    let name = values::channel_name(model, context.state, (found.owner, found.object));
    Some(Wanted { name, what: What::Channel((found.owner, found.object), way) })
}

/// Processes other than this one that could change an object, by what is ahead of them.
fn who_could(model: &Model, state: &State, me: Pid, what: What, alive: &[usize]) -> Vec<usize> {
    let others = (0..state.processes.len()).filter(|pid| *pid != me);
    let could = others
        .filter(|pid| ahead(model, state, *pid).any(|operation| does(model, state, *pid, operation, what)));
    could.filter_map(|pid| alive.get(pid).copied()).collect()
}

/// The operations that a process may come to.
fn ahead<'a>(model: &'a Model, state: &State, pid: Pid) -> impl Iterator<Item = &'a Operation> {
    let process = &state.processes[pid];
    let process_type = &model.system.process_types[process.process_type];
    let mut reached = vec![false; process_type.points.len()];
    let mut work = vec![process.point];
    while let Some(point) = work.pop() {
        if let Some(new) = reached.get_mut(point).filter(|known| !**known) {
            *new = true;
            work.extend(process_type.transitions.iter().filter(|t| t.pre == point).map(|t| t.post));
        }
    }
    let there = process_type.transitions.iter().filter(move |t| reached.get(t.pre) == Some(&true));
    there.flat_map(|t| &t.command)
}

/// Whether an operation of a process changes an object.
fn does(model: &Model, state: &State, pid: Pid, operation: &Operation, what: What) -> bool {
    let context = Context::of(&model.system, state, pid);
    let is = |channel: &Expr, wanted: (Option<Pid>, usize)| {
        let known = matches!(bare(channel), Term::Atom(Read::Handle(_) | Read::Place(_)));
        known && open(&context, channel).is_ok_and(|found| (found.owner, found.object) == wanted)
    };
    match (what, operation) {
        (What::Global(object), operation) => {
            operation.writes().any(|place| place.root == system::Root::Global(object))
        }
        (What::Local(..), _) => false,
        (What::Channel(wanted, way), Operation::Send { channel, .. }) => {
            way != Way::Receive && is(channel, wanted)
        }
        (What::Channel(wanted, way), Operation::Receive { channel, mode, .. }) => {
            way != Way::Send && !mode.copy && is(channel, wanted)
        }
        _ => false,
    }
}
