//! States as plain values, and the initial state.

use crate::evaluate::{Context, evaluate};
use crate::fault::Fault;
use crate::model::{Initial, LocationId, Object, ObjectKind, Pid, ProcessTypeId, Root, System};
use logic::Sort;
use num_bigint::BigInt;
use num_traits::Zero;
use objects::variable::store;

/// The contents of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number or a handle.
    Int(BigInt),
    /// The elements of an array or the fields of a record.
    Parts(Vec<Value>),
    /// The messages in a channel, oldest first.
    Channel(Vec<Vec<BigInt>>),
}

/// A state, on plain values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// By [`crate::ObjectId`].
    pub globals: Vec<Value>,
    /// The live processes by number.
    pub processes: Vec<Process>,
    /// Who moved last; 0 before the first move.
    pub last: Pid,
    /// The process that alone may move, being inside an atomic sequence that can go on.
    pub control: Option<Pid>,
}

/// A live process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Of which it is an instance.
    pub process_type: ProcessTypeId,
    /// Its location.
    pub point: LocationId,
    /// Its own objects, by [`crate::ObjectId`].
    pub objects: Vec<Value>,
    /// A higher one goes first, if priorities are used at all.
    pub priority: u8,
}

impl Value {
    /// 0 in every part.
    pub fn zero(sort: &Sort) -> Value {
        match sort {
            Sort::Integer | Sort::Machine(_) | Sort::Channel => Value::Int(BigInt::zero()),
            Sort::Array(element, length) => Value::Parts(vec![Value::zero(element); *length]),
            Sort::Record(fields) => Value::Parts(fields.iter().map(|(_, s)| Value::zero(s)).collect()),
        }
    }

    /// A number.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }
}

impl State {
    /// The state before the first move. Globals see nothing but globals declared before them.
    pub fn initial(system: &System) -> Result<State, Fault> {
        let mut state = State { globals: Vec::new(), processes: Vec::new(), last: 0, control: None };
        for object in &system.globals {
            let value = initial_value(&Context::global(system, &state), object, &[])?;
            state.globals.push(value);
        }
        for creation in &system.initial {
            let context = Context::global(system, &state);
            let arguments =
                creation.arguments.iter().map(|a| evaluate(&context, a)).collect::<Result<Vec<_>, _>>()?;
            state.create(system, creation.process_type, &arguments, creation.priority)?;
        }
        Ok(state)
    }

    /// Adds a process and gives its number.
    pub fn create(
        &mut self,
        system: &System,
        process_type: ProcessTypeId,
        arguments: &[BigInt],
        priority: u8,
    ) -> Result<Pid, Fault> {
        let pid = self.processes.len();
        if pid >= crate::model::MAX_PROCESSES {
            return Err(Fault::TooManyProcesses);
        }
        let point = system.process_types[process_type].entry;
        self.processes.push(Process { process_type, point, objects: Vec::new(), priority });
        for object in &system.process_types[process_type].objects {
            let value = initial_value(&Context::of(system, self, pid), object, arguments)?;
            self.processes[pid].objects.push(value);
        }
        if self.channels(system).count() > 255 {
            return Err(Fault::TooManyChannels);
        }
        Ok(pid)
    }

    /// The channels that exist, in the order of their handles: owner and index.
    pub fn channels<'a>(&'a self, system: &'a System) -> impl Iterator<Item = (Option<Pid>, usize)> + 'a {
        let global = channel_indices(&system.globals).map(|i| (None, i));
        let local = self.processes.iter().enumerate().flat_map(|(pid, p)| {
            channel_indices(&system.process_types[p.process_type].objects).map(move |i| (Some(pid), i))
        });
        global.chain(local)
    }

    /// The channel with this handle.
    pub fn channel(&self, system: &System, handle: &BigInt) -> Option<(Option<Pid>, usize)> {
        let position = usize::try_from(handle).ok()?.checked_sub(1)?;
        self.channels(system).nth(position)
    }

    /// The handle of a channel object; `pid` is the process that asks.
    pub fn handle(&self, system: &System, pid: Option<Pid>, root: &Root) -> Option<usize> {
        let wanted = match root {
            Root::Global(object) => (None, *object),
            Root::Local(object) | Root::Remote { object, .. } => (Some(pid?), *object),
        };
        self.channels(system).position(|c| c == wanted).map(|p| p + 1)
    }

    /// Whether every process is at a valid end.
    pub fn is_valid_end(&self, system: &System) -> bool {
        self.processes.iter().all(|p| system.process_types[p.process_type].points[p.point].valid_end)
    }
}

fn channel_indices(objects: &[Object]) -> impl Iterator<Item = usize> + '_ {
    objects.iter().enumerate().filter(|(_, o)| o.is_channel()).map(|(i, _)| i)
}

fn initial_value(context: &Context<'_>, object: &Object, arguments: &[BigInt]) -> Result<Value, Fault> {
    match &object.kind {
        ObjectKind::Channel { .. } => Ok(Value::Channel(Vec::new())),
        ObjectKind::Variable { sort, initial } => begin(context, sort, initial, arguments),
    }
}

fn begin(
    context: &Context<'_>,
    sort: &Sort,
    initial: &Initial,
    arguments: &[BigInt],
) -> Result<Value, Fault> {
    Ok(match (initial, sort) {
        (Initial::Zero, _) => Value::zero(sort),
        (Initial::Term(term), _) => Value::Int(store(sort, evaluate(context, term)?)),
        (Initial::Argument(k), _) => Value::Int(store(sort, arguments.get(*k).cloned().unwrap_or_default())),
        (Initial::Each(one), Sort::Array(element, length)) => Value::Parts(
            (0..*length).map(|_| begin(context, element, one, arguments)).collect::<Result<_, _>>()?,
        ),
        (Initial::Parts(parts), _) => Value::Parts(
            parts
                .iter()
                .zip(component_sorts(sort))
                .map(|(part, sort)| begin(context, sort, part, arguments))
                .collect::<Result<_, _>>()?,
        ),
        (Initial::Each(_), _) => Value::zero(sort),
    })
}

fn component_sorts(sort: &Sort) -> Vec<&Sort> {
    match sort {
        Sort::Array(element, length) => vec![element.as_ref(); *length],
        Sort::Record(fields) => fields.iter().map(|(_, s)| s).collect(),
        Sort::Integer | Sort::Machine(_) | Sort::Channel => Vec::new(),
    }
}
