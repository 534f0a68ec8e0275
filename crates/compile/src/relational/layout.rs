//! The variables of the relation, and states as their values.
//!
//! Every scalar part of a state is an integer variable: elements of arrays, fields of records and
//! of the messages that a channel has room for, with the number of messages. A slot has a location
//! (0: the slot is empty, else the type and the location as one number) and the objects of
//! each type that may live there. What does not exist is 0, so that equal states have equal values.

use super::refuse::{NotRelational, Reason};
use super::shape::Shape;
use logic::Sort;
use logic::fol::{self, Symbol, Term, Value};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use system::fts::{Domain, Mode, Variable};
use system::walk::reads_last;
use system::{LocationId, Object, ObjectKind, Process, ProcessTypeId, State, System};

/// More scalar parts than this are no state.
const MAX_LEAVES: usize = 800;

/// Ranges of no more values than this are declared: sets of states have room for all of them at
/// once.
const FEW: usize = 48;

/// A scalar part of a state: a variable, by its number.
pub type Leaf = usize;

/// What an object is made of.
#[derive(Clone, Debug)]
pub enum Cell {
    Scalar(Leaf, Sort),
    Parts(Vec<Cell>),
    Channel(Channel),
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub capacity: usize,
    pub fields: Vec<Sort>,
    /// How many messages there are; none for a rendezvous channel.
    pub length: Option<Leaf>,
    /// By place in the queue, then by field.
    pub messages: Vec<Vec<Leaf>>,
}

pub struct Layout {
    pub variables: Vec<Variable>,
    numbers: HashMap<Arc<str>, Leaf>,
    ranges: Vec<Option<(BigInt, BigInt)>>,
    /// The value of a part that never changes.
    fixed: Vec<Option<Term>>,
    pub globals: Vec<Cell>,
    pub slots: Vec<Slot>,
    /// Who has control, +1; 0 is no process.
    pub control: Option<Leaf>,
    pub last: Option<Leaf>,
    pub fault: Leaf,
}

pub struct Slot {
    pub location: Leaf,
    /// By type: the number of its first location, and its objects.
    pub types: BTreeMap<ProcessTypeId, (usize, Vec<Cell>)>,
}

impl Slot {
    /// The number of a location.
    pub fn at(&self, process_type: ProcessTypeId, point: LocationId) -> usize {
        self.types[&process_type].0 + point
    }

    fn located(&self, number: usize) -> Option<(ProcessTypeId, LocationId)> {
        let before = self.types.iter().filter(|(_, (first, _))| *first <= number);
        let (process_type, (first, _)) = before.max_by_key(|(_, (first, _))| *first)?;
        Some((*process_type, number - first))
    }
}

impl Layout {
    pub fn new(system: &System, shape: &Shape) -> Result<Layout, NotRelational> {
        let mut layout = Layout {
            variables: Vec::new(),
            numbers: HashMap::new(),
            ranges: Vec::new(),
            fixed: Vec::new(),
            globals: Vec::new(),
            slots: Vec::new(),
            control: None,
            last: None,
            fault: 0,
        };
        layout.fault = layout.leaf("fault", Mode::Control, None)?;
        let keeps = system.scheduling.iter().flat_map(|d| &d.process_types).any(|t| t.keeps.contains(&true));
        if keeps {
            let most = BigInt::from(shape.slots.len());
            layout.control = Some(layout.leaf("control", Mode::Control, Some((BigInt::zero(), most)))?);
        }
        if reads_last(system) {
            layout.last = Some(layout.leaf("_last", Mode::Control, None)?);
        }
        for (number, types) in shape.slots.iter().enumerate() {
            let slot = layout.slot(system, number, types)?;
            layout.slots.push(slot);
        }
        for object in &system.globals {
            let cell = layout.object(&object.name, object)?;
            layout.globals.push(cell);
        }
        Ok(layout)
    }

    fn slot(
        &mut self,
        system: &System,
        number: usize,
        types: &std::collections::BTreeSet<ProcessTypeId>,
    ) -> Result<Slot, NotRelational> {
        let points: usize = types.iter().map(|t| system.process_types[*t].points.len()).sum();
        let range = Some((BigInt::zero(), BigInt::from(points)));
        let location = self.leaf(&format!("pc{number}"), Mode::Control, range)?;
        let mut slot = Slot { location, types: BTreeMap::new() };
        let mut first = 1;
        for process_type in types {
            let declared = &system.process_types[*process_type];
            let named = |o: &Object| format!("{}{number}.{}", declared.name.trim_matches(':'), o.name);
            let cells = declared.objects.iter().map(|o| self.object(&named(o), o));
            slot.types.insert(*process_type, (first, cells.collect::<Result<_, _>>()?));
            first += declared.points.len();
        }
        Ok(slot)
    }

    fn object(&mut self, name: &str, object: &Object) -> Result<Cell, NotRelational> {
        let made = match &object.kind {
            ObjectKind::Variable { sort, .. } => self.cell(name, sort),
            ObjectKind::Channel { capacity, fields } => self.channel(name, *capacity, fields),
        };
        made.map_err(|refusal| refusal.at(object.span))
    }

    fn cell(&mut self, name: &str, sort: &Sort) -> Result<Cell, NotRelational> {
        Ok(match sort {
            Sort::Integer | Sort::Machine(_) | Sort::Channel => {
                let range = sort.machine().map(|int| int.range());
                Cell::Scalar(self.leaf(name, Mode::Local, range)?, sort.clone())
            }
            Sort::Array(element, length) => {
                let part = |k: usize| self.cell(&format!("{name}[{k}]"), element);
                Cell::Parts((0..*length).map(part).collect::<Result<_, _>>()?)
            }
            Sort::Record(fields) => {
                let part = |(field, sort): &(String, Sort)| self.cell(&format!("{name}.{field}"), sort);
                Cell::Parts(fields.iter().map(part).collect::<Result<_, _>>()?)
            }
        })
    }

    fn channel(&mut self, name: &str, capacity: usize, fields: &[Sort]) -> Result<Cell, NotRelational> {
        let mut messages = Vec::new();
        for k in 0..capacity {
            let mut message = Vec::new();
            for (f, sort) in fields.iter().enumerate() {
                let range = sort.machine().map(|int| int.range());
                message.push(self.leaf(&format!("{name}<{k}>.{f}"), Mode::Local, range)?);
            }
            messages.push(message);
        }
        let most = Some((BigInt::zero(), BigInt::from(capacity)));
        let length = match capacity {
            0 => None,
            _ => Some(self.leaf(&format!("len({name})"), Mode::Local, most)?),
        };
        Ok(Cell::Channel(Channel { capacity, fields: fields.to_vec(), length, messages }))
    }

    fn leaf(
        &mut self,
        name: &str,
        mode: Mode,
        range: Option<(BigInt, BigInt)>,
    ) -> Result<Leaf, NotRelational> {
        let number = self.variables.len();
        if number >= MAX_LEAVES {
            return Err(NotRelational::new(Reason::Large("parts of a state")));
        }
        // Names of the source may meet: a number tells them apart.
        let taken = self.numbers.contains_key(name);
        let name = if taken { format!("{name}#{number}") } else { name.to_string() };
        let symbol = Symbol::constant(name, fol::Sort::Int);
        self.numbers.insert(symbol.name.clone(), number);
        let few = range.clone().filter(|(low, high)| high - low < BigInt::from(FEW)).map(between);
        self.variables.push(Variable { symbol, mode, range: few, span: source::Span::default() });
        self.ranges.push(range);
        self.fixed.push(None);
        Ok(number)
    }

    /// The variable of a part, or its value if that never changes.
    pub fn term(&self, leaf: Leaf) -> Term {
        self.fixed[leaf].clone().unwrap_or_else(|| self.variables[leaf].symbol.term())
    }

    /// Notes that some parts never change; whether that was not known of one.
    pub fn fix(&mut self, parts: impl Iterator<Item = (Leaf, Term)>) -> bool {
        let mut new = false;
        for (leaf, value) in parts {
            new |= self.fixed[leaf].is_none();
            self.fixed[leaf] = Some(value);
            self.variables[leaf].range = None;
        }
        new
    }

    pub fn leaf_of(&self, symbol: &Symbol) -> Option<Leaf> {
        self.numbers.get(&symbol.name).copied()
    }

    /// The values that a part may have, by its type.
    pub fn range(&self, symbol: &Symbol) -> Option<(BigInt, BigInt)> {
        self.ranges[self.leaf_of(symbol)?].clone()
    }

    /// Says of each variable which values it may have.
    pub fn bounded(&self) -> Vec<Variable> {
        let bounded = |(variable, range): (&Variable, &Option<(BigInt, BigInt)>)| Variable {
            range: range.clone().map(between),
            ..variable.clone()
        };
        self.variables.iter().zip(&self.ranges).map(bounded).collect()
    }

    /// A state as values of the variables; `None` if there is no room for its processes.
    pub fn encode(&self, state: &State) -> Option<Vec<Value>> {
        let mut values = vec![BigInt::zero(); self.variables.len()];
        for (cell, value) in self.globals.iter().zip(&state.globals) {
            put(cell, value, &mut values)?;
        }
        if state.processes.len() > self.slots.len() {
            return None;
        }
        for (slot, process) in self.slots.iter().zip(&state.processes) {
            let (_, cells) = slot.types.get(&process.process_type)?;
            values[slot.location] = BigInt::from(slot.at(process.process_type, process.point));
            for (cell, value) in cells.iter().zip(&process.objects) {
                put(cell, value, &mut values)?;
            }
        }
        if let Some(leaf) = self.control {
            values[leaf] = BigInt::from(state.control.map_or(0, |pid| pid + 1));
        }
        if let Some(leaf) = self.last {
            values[leaf] = BigInt::from(state.last);
        }
        Some(values.into_iter().map(Value::Int).collect())
    }

    /// The state that values stand for, and the number of its fault. Who moved last is 0 unless it
    /// counts.
    pub fn decode(&self, values: &[Value]) -> Option<(State, usize)> {
        let number = |leaf: Leaf| values.get(leaf)?.as_int();
        let small = |leaf: Leaf| number(leaf)?.to_usize();
        let mut processes = Vec::new();
        for slot in &self.slots {
            let location = small(slot.location)?;
            if location == 0 {
                break;
            }
            let (process_type, point) = slot.located(location)?;
            let cells = &slot.types[&process_type].1;
            let objects = cells.iter().map(|c| get(c, values)).collect::<Option<_>>()?;
            processes.push(Process { process_type, point, objects, priority: 1 });
        }
        let globals = self.globals.iter().map(|c| get(c, values)).collect::<Option<_>>()?;
        let control = match self.control {
            None => None,
            Some(leaf) => small(leaf)?.checked_sub(1),
        };
        let last = self.last.map_or(Some(0), small)?;
        Some((State { globals, processes, last, control }, small(self.fault)?))
    }
}

fn between((low, high): (BigInt, BigInt)) -> Domain {
    Domain::Range { low: Term::int(low), high: Term::int(high) }
}

fn put(cell: &Cell, value: &system::Value, values: &mut [BigInt]) -> Option<()> {
    match (cell, value) {
        (Cell::Scalar(leaf, _), system::Value::Int(n)) => values[*leaf] = n.clone(),
        (Cell::Parts(cells), system::Value::Parts(parts)) => {
            for (cell, part) in cells.iter().zip(parts) {
                put(cell, part, values)?;
            }
        }
        (Cell::Channel(channel), system::Value::Channel(messages)) => {
            if let Some(length) = channel.length {
                values[length] = BigInt::from(messages.len());
            }
            let fields = channel.messages.iter().zip(messages).flat_map(|(to, from)| to.iter().zip(from));
            fields.for_each(|(leaf, field)| values[*leaf] = field.clone());
        }
        _ => return None,
    }
    Some(())
}

fn get(cell: &Cell, values: &[Value]) -> Option<system::Value> {
    let number = |leaf: &Leaf| values.get(*leaf)?.as_int().cloned();
    Some(match cell {
        Cell::Scalar(leaf, _) => system::Value::Int(number(leaf)?),
        Cell::Parts(cells) => {
            system::Value::Parts(cells.iter().map(|c| get(c, values)).collect::<Option<_>>()?)
        }
        Cell::Channel(channel) => {
            let length = channel.length.map_or(Some(0), |leaf| number(&leaf)?.to_usize())?;
            let message = |m: &Vec<Leaf>| m.iter().map(number).collect::<Option<Vec<_>>>();
            let messages = channel.messages.iter().take(length).map(message);
            system::Value::Channel(messages.collect::<Option<_>>()?)
        }
    })
}
