//! The value of a term in a state.

use crate::fault::Fault;
use crate::model::{Access, Expr, ObjectKind, Pattern, Pid, Place, Read, Root, System};
use crate::reference::can_move;
use crate::state::{State, Value};
use logic::{ArithmeticError, Binary, Sort, Term, apply_binary, apply_unary};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use objects::channel;

/// Where a term is evaluated.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The description.
    pub system: &'a System,
    /// Read, never changed.
    pub state: &'a State,
    /// The executing process, if any.
    pub pid: Option<Pid>,
    /// Whether `timeout` is true.
    pub timeout: bool,
    /// How many `enabled()` are being evaluated one inside the other.
    pub nesting: usize,
}

impl<'a> Context<'a> {
    /// As properties see a state: no process executes.
    pub fn global(system: &'a System, state: &'a State) -> Self {
        Context { system, state, pid: None, timeout: false, nesting: 0 }
    }

    /// As the process of this number sees a state.
    pub fn of(system: &'a System, state: &'a State, pid: Pid) -> Self {
        Context { pid: Some(pid), ..Context::global(system, state) }
    }
}

/// The value of a term, exact; a machine type is an explicit `Wrap`.
pub fn evaluate(context: &Context<'_>, term: &Expr) -> Result<BigInt, Fault> {
    match term {
        Term::Constant(c) => Ok(BigInt::from(*c)),
        Term::Atom(read) => evaluate_read(context, read),
        Term::Unary(op, a) => Ok(apply_unary(*op, &evaluate(context, a)?)),
        Term::Wrap(int, a) => Ok(int.wrap(&evaluate(context, a)?)),
        Term::Conditional(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            evaluate(context, if holds(context, condition)? { then } else { otherwise })
        }
        Term::Binary(op, a, b) => evaluate_binary(context, *op, a, b),
    }
}

/// Whether a condition is true: any number but 0 is.
pub fn holds(context: &Context<'_>, term: &Expr) -> Result<bool, Fault> {
    Ok(!evaluate(context, term)?.is_zero())
}

fn evaluate_binary(context: &Context<'_>, op: Binary, a: &Expr, b: &Expr) -> Result<BigInt, Fault> {
    let left = evaluate(context, a)?;
    match op {
        Binary::And if left.is_zero() => return Ok(BigInt::from(0)),
        Binary::Or if !left.is_zero() => return Ok(BigInt::from(1)),
        _ => {}
    }
    let right = evaluate(context, b)?;
    apply_binary(op, &left, &right).map_err(|e| match e {
        ArithmeticError::DivisionByZero | ArithmeticError::BadShift => Fault::DivisionByZero,
    })
}

fn evaluate_read(context: &Context<'_>, read: &Read) -> Result<BigInt, Fault> {
    let Context { system, state, .. } = *context;
    let truth = |b: bool| BigInt::from(u8::from(b));
    Ok(match read {
        Read::Place(place) => match read_place(context, place)? {
            Some(Value::Int(value)) => value,
            _ => BigInt::zero(),
        },
        Read::Handle(root) => BigInt::from(state.handle(system, context.pid, root).unwrap_or(0)),
        Read::Myself => BigInt::from(context.pid.unwrap_or(0)),
        Read::Instance(process_type) => {
            let oldest = state.processes.iter().position(|p| p.process_type == *process_type);
            oldest.map_or(BigInt::from(-1), BigInt::from)
        }
        Read::ProcessCount => BigInt::from(state.processes.len()),
        Read::Last => BigInt::from(state.last),
        Read::Timeout => truth(context.timeout),
        Read::NonProgress => truth(
            !state.processes.iter().any(|p| system.process_types[p.process_type].points[p.point].progress),
        ),
        Read::Accepting => {
            truth(state.processes.iter().any(|p| system.process_types[p.process_type].points[p.point].accept))
        }
        Read::Enabled(process) => match find_process(context, process)? {
            Some(pid) => truth(can_move(context, pid)?),
            None => truth(false),
        },
        Read::Location(process) => {
            BigInt::from(find_process(context, process)?.map_or(0, |p| state.processes[p].point))
        }
        Read::At { process, process_type, point } => {
            truth(find_process(context, process)?.is_some_and(|p| {
                state.processes[p].process_type == *process_type && state.processes[p].point == *point
            }))
        }
        Read::Priority(process) => {
            BigInt::from(find_process(context, process)?.map_or(0, |p| state.processes[p].priority))
        }
        Read::Length(channel) => BigInt::from(open(context, channel)?.messages.len()),
        Read::Empty(channel) => truth(open(context, channel)?.messages.is_empty()),
        Read::Full(channel) => {
            let channel = open(context, channel)?;
            truth(channel.capacity > 0 && channel.messages.len() >= channel.capacity)
        }
        Read::Poll { channel, patterns, anywhere } => {
            let open = open(context, channel)?;
            if open.capacity == 0 {
                return Err(Fault::PollsRendezvous);
            }
            let given = patterns.len().min(open.fields.len());
            let open = OpenChannel { fields: &open.fields[..given], ..open };
            truth(find_message(context, &open, patterns, *anywhere)?.is_some())
        }
    })
}

fn find_process(context: &Context<'_>, process: &Expr) -> Result<Option<Pid>, Fault> {
    let number = evaluate(context, process)?;
    Ok(number.to_usize().filter(|p| *p < context.state.processes.len()))
}

/// A channel found by its handle.
pub struct OpenChannel<'a> {
    /// The process it belongs to; none for a global channel.
    pub owner: Option<Pid>,
    /// The index of the object in its owner.
    pub object: usize,
    /// Messages it can hold; 0 for a rendezvous.
    pub capacity: usize,
    /// The sorts of a message.
    pub fields: &'a [Sort],
    /// What it holds, oldest first.
    pub messages: &'a [channel::Message],
}

/// The channel that a handle refers to; a fault if it refers to none.
pub fn open<'a>(context: &Context<'a>, handle: &Expr) -> Result<OpenChannel<'a>, Fault> {
    let handle = evaluate(context, handle)?;
    let (owner, object) = context.state.channel(context.system, &handle).ok_or(Fault::NoChannel)?;
    let (declared, value) = match owner {
        None => (&context.system.globals[object], &context.state.globals[object]),
        Some(pid) => {
            let process = &context.state.processes[pid];
            (&context.system.process_types[process.process_type].objects[object], &process.objects[object])
        }
    };
    match (&declared.kind, value) {
        (ObjectKind::Channel { capacity, fields }, Value::Channel(messages)) => {
            Ok(OpenChannel { owner, object, capacity: *capacity, fields, messages })
        }
        _ => Err(Fault::NoChannel),
    }
}

/// The position of the first message that the patterns match.
pub fn find_message(
    context: &Context<'_>,
    open: &OpenChannel<'_>,
    patterns: &[Pattern],
    anywhere: bool,
) -> Result<Option<usize>, Fault> {
    let wanted = matched_fields(context, open.fields, patterns)?;
    Ok(channel::find(open.messages, anywhere, |m| channel::agrees(&wanted, m)))
}

/// For each field the value it must have, if any.
pub(crate) fn matched_fields(
    context: &Context<'_>,
    fields: &[Sort],
    patterns: &[Pattern],
) -> Result<Vec<Option<BigInt>>, Fault> {
    if fields.len() != patterns.len() {
        return Err(Fault::WrongFields);
    }
    patterns
        .iter()
        .map(|pattern| match pattern {
            Pattern::Match(term) => evaluate(context, term).map(Some),
            Pattern::Bind(_) | Pattern::Ignore => Ok(None),
        })
        .collect()
}

/// The value of a place; `None` if it belongs to a process that does not exist.
fn read_place(context: &Context<'_>, place: &Place) -> Result<Option<Value>, Fault> {
    let state = context.state;
    let root = match &place.root {
        Root::Global(object) => state.globals.get(*object),
        Root::Local(object) => context.pid.and_then(|p| state.processes[p].objects.get(*object)),
        Root::Remote { process, process_type, object } => find_process(context, process)?
            .map(|p| &state.processes[p])
            .filter(|p| p.process_type == *process_type)
            .and_then(|p| p.objects.get(*object)),
    };
    let path = resolve(context, &place.path)?;
    let Some(mut value) = root else { return Ok(None) };
    for index in path {
        let Value::Parts(parts) = value else {
            return Ok(None);
        };
        value = parts.get(index).ok_or(Fault::IndexOutOfBounds)?;
    }
    Ok(Some(value.clone()))
}

/// The path of a place as plain indices.
pub fn resolve(context: &Context<'_>, path: &[Access]) -> Result<Vec<usize>, Fault> {
    path.iter()
        .map(|access| match access {
            Access::Field(field) => Ok(*field),
            Access::Index(term) => evaluate(context, term)?.to_usize().ok_or(Fault::IndexOutOfBounds),
        })
        .collect()
}
