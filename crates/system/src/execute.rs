//! What an operation does to a state.

use crate::evaluate::{Context, OpenChannel, evaluate, find_message, holds, matched_fields, open, resolve};
use crate::fault::Fault;
use crate::model::{ObjectKind, Operation, Pattern, Pid, Place, ProcessTypeId, Root, System};
use crate::printing::print;
use crate::state::{State, Value};
use logic::Sort;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use objects::channel;
use objects::variable::store;

/// What comes of trying an operation.
#[derive(Debug, PartialEq)]
pub enum Done {
    /// It was executed.
    Yes,
    /// Not possible in this state.
    Blocked,
    /// A send on a rendezvous channel: possible only together with a receive.
    Offers(Offer),
}

/// One half of a handshake.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The channel, by owner and index.
    pub channel: (Option<Pid>, usize),
    /// The values of its fields.
    pub message: Vec<BigInt>,
}

/// What an execution leaves besides the state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Whether an assertion was false; the run goes on.
    pub failed_assertion: bool,
    /// What `printf` wrote, in order.
    pub printed: Vec<String>,
}

/// A process that executes.
#[derive(Clone, Copy)]
pub struct Executing<'a> {
    /// The description.
    pub system: &'a System,
    /// The number of the process.
    pub pid: Pid,
    /// Whether nothing but a timeout is left.
    pub timeout: bool,
    /// How many `enabled()` are being evaluated around this execution.
    pub nesting: usize,
}

impl<'a> Executing<'a> {
    /// How it sees a state.
    fn context(self, state: &'a State) -> Context<'a> {
        let Executing { system, pid, timeout, nesting } = self;
        Context { timeout, nesting, ..Context::of(system, state, pid) }
    }
}

/// Executes one operation.
pub fn execute(
    who: Executing<'_>,
    state: &mut State,
    operation: &Operation,
    effects: &mut Effects,
) -> Result<Done, Fault> {
    let before = state.clone();
    let Executing { system, pid, .. } = who;
    let context = who.context(&before);
    match operation {
        Operation::Assign { target, value } => {
            let value = evaluate(&context, value)?;
            assign(&context, state, target, value)?;
        }
        Operation::Send { channel, message, sorted } => {
            let open = open(&context, channel)?;
            if open.capacity > 0 && open.messages.len() >= open.capacity {
                return Ok(Done::Blocked);
            }
            let message = build(&context, open.fields, message)?;
            if open.capacity == 0 {
                return Ok(Done::Offers(Offer { channel: (open.owner, open.object), message }));
            }
            match channel::send(open.messages, open.capacity, message, *sorted) {
                None => return Ok(Done::Blocked),
                Some(after) => put(state, &open, after),
            }
        }
        Operation::Receive { channel, patterns, mode } => {
            let open = open(&context, channel)?;
            if open.capacity == 0 {
                return if mode.copy { Err(Fault::PollsRendezvous) } else { Ok(Done::Blocked) };
            }
            let Some(position) = find_message(&context, &open, patterns, mode.anywhere)? else {
                return Ok(Done::Blocked);
            };
            let mut rest = open.messages.to_vec();
            let message = rest.remove(position);
            bind(&context, state, patterns, &message)?;
            if !mode.copy {
                put(state, &open, rest);
            }
        }
        Operation::Start { process_type, arguments, priority, result } => {
            let arguments = evaluate_all(&context, arguments)?;
            let priority = priority.as_ref().map(|p| evaluate(&context, p)).transpose()?;
            let born = state.create(system, *process_type, &arguments, as_priority(priority)?)?;
            if let Some(place) = result {
                let so_far = state.clone();
                assign(&Context { state: &so_far, ..context }, state, place, BigInt::from(born))?;
            }
        }
        Operation::SetPriority { process, priority } => {
            let process = evaluate(&context, process)?.to_usize();
            let priority = as_priority(Some(evaluate(&context, priority)?))?;
            if let Some(p) = process.and_then(|p| state.processes.get_mut(p)) {
                p.priority = priority;
            }
        }
        Operation::Assert { condition } => {
            effects.failed_assertion |= !holds(&context, condition)?;
        }
        Operation::Print { format, arguments } => {
            let arguments = evaluate_all(&context, arguments)?;
            effects.printed.push(print(system, format, &arguments));
        }
        Operation::Stop => {
            if pid + 1 != state.processes.len() {
                return Ok(Done::Blocked);
            }
            state.processes.pop();
        }
    }
    Ok(Done::Yes)
}

/// Takes the receiving half of a handshake; `false` if the operation does not match the offer.
pub fn accept(
    who: Executing<'_>,
    state: &mut State,
    operation: &Operation,
    offer: &Offer,
) -> Result<bool, Fault> {
    let Operation::Receive { channel, patterns, mode } = operation else {
        return Ok(false);
    };
    let before = state.clone();
    let context = who.context(&before);
    let open = open(&context, channel)?;
    if mode.copy || (open.owner, open.object) != offer.channel {
        return Ok(false);
    }
    if !channel::agrees(&matched_fields(&context, open.fields, patterns)?, &offer.message) {
        return Ok(false);
    }
    bind(&context, state, patterns, &offer.message)?;
    Ok(true)
}

/// Whether the value of an `enabled()` decides if the operation is enabled, and not only what it
/// does: the channel that it is about, and what a receive matches.
pub fn decides(who: Executing<'_>, state: &State, operation: &Operation) -> bool {
    match operation {
        Operation::Receive { .. } => true,
        Operation::Send { channel, .. } => open(&who.context(state), channel).is_err(),
        _ => false,
    }
}

fn evaluate_all(context: &Context<'_>, terms: &[crate::model::Expr]) -> Result<Vec<BigInt>, Fault> {
    terms.iter().map(|t| evaluate(context, t)).collect()
}

fn as_priority(value: Option<BigInt>) -> Result<u8, Fault> {
    match value {
        None => Ok(1),
        Some(v) => v.to_u8().filter(|p| *p > 0).ok_or(Fault::BadPriority),
    }
}

fn build(context: &Context<'_>, fields: &[Sort], terms: &[crate::model::Expr]) -> Result<Vec<BigInt>, Fault> {
    if fields.len() != terms.len() {
        return Err(Fault::WrongFields);
    }
    let values = evaluate_all(context, terms)?;
    Ok(fields.iter().zip(values).map(|(sort, value)| store(sort, value)).collect())
}

fn put(state: &mut State, open: &OpenChannel<'_>, messages: Vec<channel::Message>) {
    let objects = match open.owner {
        None => &mut state.globals,
        Some(pid) => &mut state.processes[pid].objects,
    };
    objects[open.object] = Value::Channel(messages);
}

/// Stores the fields of a message, left to right; a place may depend on a field stored before it.
fn bind(
    context: &Context<'_>,
    state: &mut State,
    patterns: &[Pattern],
    message: &[BigInt],
) -> Result<(), Fault> {
    for (pattern, value) in patterns.iter().zip(message) {
        if let Pattern::Bind(place) = pattern {
            let so_far = state.clone();
            assign(&Context { state: &so_far, ..*context }, state, place, value.clone())?;
        }
    }
    Ok(())
}

fn assign(context: &Context<'_>, state: &mut State, place: &Place, value: BigInt) -> Result<(), Fault> {
    let path = resolve(context, &place.path)?;
    let pid = context.pid.unwrap_or(0);
    let (object, slot) = match place.root {
        Root::Global(o) => (&context.system.globals[o], &mut state.globals[o]),
        Root::Local(o) | Root::Remote { object: o, .. } => {
            let process = &mut state.processes[pid];
            (&local_objects(context.system, process.process_type)[o], &mut process.objects[o])
        }
    };
    let ObjectKind::Variable { sort, .. } = &object.kind else {
        return Err(Fault::NoChannel);
    };
    write(sort, slot, &path, value)
}

fn local_objects(system: &System, process_type: ProcessTypeId) -> &[crate::model::Object] {
    &system.process_types[process_type].objects
}

fn write(sort: &Sort, slot: &mut Value, path: &[usize], value: BigInt) -> Result<(), Fault> {
    match (path.split_first(), slot) {
        (None, slot) => {
            *slot = Value::Int(store(sort, value));
            Ok(())
        }
        (Some((first, rest)), Value::Parts(parts)) => {
            let part_sort = match sort {
                Sort::Array(element, _) => element.as_ref(),
                Sort::Record(fields) => &fields.get(*first).ok_or(Fault::IndexOutOfBounds)?.1,
                Sort::Integer | Sort::Machine(_) | Sort::Channel => return Err(Fault::IndexOutOfBounds),
            };
            write(part_sort, parts.get_mut(*first).ok_or(Fault::IndexOutOfBounds)?, rest, value)
        }
        (Some(_), _) => Err(Fault::IndexOutOfBounds),
    }
}
