//! The objects of a system as reduction sees them: for each a list of the operations that a process
//! may perform on it, and which of these are related.
//!
//! A set of operations on one object is a bit mask over that list, so the question whether an
//! operation is related to anything a process may ever do with the object is one `and`. Besides the
//! objects of the library there are some for what a system has besides: how many processes live,
//! local variables that others read, locations that others ask about, and the world, on which
//! a step has a hold that nothing static can bound.

use crate::rows::{Rows, RowsId};
use logic::Sort;
use num_bigint::BigInt;
use objects::channel::{self, UNBOUNDED};
use objects::variable;
use objects::{self, Dependency, Operation as On, array};
use std::collections::HashMap;
use system::*;

/// Operations on one object, a bit for each.
pub type Mask = u64;

/// Stands for every operation beyond the first 63 on an object.
const OVERFLOW: u8 = 63;

/// An object of the dependency relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A global variable.
    Variable(ObjectId),
    /// A global channel.
    Channel(ObjectId),
    /// All local channels whose handles are given away.
    Escaped,
    /// A local variable of a process type that others read.
    Remote(ProcessTypeId, ObjectId),
    /// A location that others ask about.
    Location(ProcessTypeId, LocationId),
    /// Which processes live.
    Creations,
    /// Everything else that steps may depend on, as one object.
    World,
}

/// What is done with an object of the dependency relation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// An operation on a variable or channel.
    On(On),
    /// The same in the middle of a step, on a channel: where it is impossible the step stops before
    /// it, and is enabled all the same.
    Tried(On),
    /// Several operations in one step, one after another, with a change among them: against the
    /// rule of section 2.1.
    Several,
    /// Creates a process.
    Start,
    /// Ends a process.
    Stop,
    /// Asks which processes live.
    Count,
    /// Asks whether some process is at the point.
    At,
    /// Comes to the point or leaves it.
    Move,
    /// Reads a variable of another process.
    RemoteRead,
    /// Changes a variable of its own that others read.
    OwnChange,
    /// Waits for room in a channel: defined only where there is some.
    Room,
    /// Waits for a message: defined only where there is one.
    Message,
    /// What every step does to the world.
    Touch,
    /// A step of which nothing is known.
    Wild,
}

impl Op {
    /// What it may be on a channel: itself, and if it is only tried also the question whether it is
    /// possible. The union of two valid relations is valid, and weakly uniform if both are.
    fn faces(&self) -> impl Iterator<Item = channel::Operation> {
        use channel::Operation::*;
        let (operation, is_tried) = match self {
            Op::On(On::Channel(operation)) => (Some(*operation), false),
            Op::Tried(On::Channel(operation)) => (Some(*operation), true),
            _ => (None, false),
        };
        let question = operation.filter(|_| is_tried).map(|operation| match operation {
            Send | SortedSend => Full,
            Receive => Empty,
            MatchingReceive | CopyingReceive => Poll,
            RandomReceive | RandomCopy => RandomPoll,
            asked => asked,
        });
        operation.into_iter().chain(question)
    }

    /// The operations whose rows stand for it in a relation: it is related to something only if all
    /// of them are. To wait for room depends on no more than the test Full, and on no more than a
    /// send, which is defined in the same states; to wait for a message on no more than Empty, and
    /// than a receive that copies. In the weakly uniform table only send and copy are taken, which
    /// are the finer there, since what two tables have in common need not be weakly uniform.
    fn bounds(&self, by: Dependency) -> &[Op] {
        use channel::Operation::{CopyingReceive, Empty, Full, Send};
        const ROOM: [Op; 2] = [Op::On(On::Channel(Send)), Op::On(On::Channel(Full))];
        const MESSAGE: [Op; 2] = [Op::On(On::Channel(CopyingReceive)), Op::On(On::Channel(Empty))];
        match (self, by) {
            (Op::Room, Dependency::Uniform) => &ROOM[..1],
            (Op::Room, _) => &ROOM,
            (Op::Message, Dependency::Uniform) => &MESSAGE[..1],
            (Op::Message, _) => &MESSAGE,
            (op, _) => std::slice::from_ref(op),
        }
    }

    /// Whether it may change its object.
    pub(super) fn changes(&self) -> bool {
        match self {
            Op::On(operation) | Op::Tried(operation) => {
                let target = crate::footprint::Target::AnyChannel;
                crate::footprint::Use { target, operation: operation.clone() }.changes()
            }
            Op::Several | Op::Start | Op::Stop | Op::Move | Op::OwnChange | Op::Wild => true,
            Op::Count | Op::At | Op::RemoteRead | Op::Room | Op::Message | Op::Touch => false,
        }
    }
}

/// A question about two operations on one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Definition 4.6.
    CanBeDependent,
    /// Definition 4.13.
    DoNotAccord,
    /// Definition 4.26, in a state.
    Interferes,
    /// Definition 3.18, in a state.
    Dependent,
}

/// What a state tells of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The state says nothing of it.
    Nothing,
    /// The number of messages.
    Length(usize),
    /// The value of a variable or of the part that the operation is on.
    Value(i64),
}

#[derive(Clone)]
struct Entry {
    key: Key,
    operations: Vec<Op>,
    /// Which of them may change the object.
    changers: Mask,
    capacity: usize,
    sort: Option<Sort>,
    /// Answers already given.
    memory: Memory,
}

/// The operations related to one: as a mask, as rows, and the rows of those that change the object.
#[derive(Clone, Copy)]
pub struct Related {
    /// The operations, one bit each.
    pub mask: Mask,
    /// The operations as rows.
    pub all: RowsId,
    /// The rows of those that change the object.
    pub changing: RowsId,
}

/// What is asked about an operation.
#[derive(Clone, Copy)]
struct Asked {
    operation: u8,
    question: Question,
    by: Dependency,
}

/// Answers already given; forgotten when an operation is added.
#[derive(Clone, Default)]
struct Memory {
    /// Those that depend on no state, and those for channels by their shape: a place for each, see
    /// `Entry::place`.
    places: Vec<Option<Related>>,
    /// Those for variables: by operation and small value, a place for each.
    small: Vec<Option<Related>>,
    /// By operation and value.
    valued: HashMap<(u8, Question, i64), Related>,
}

/// Values below this are small.
const SMALL: usize = 32;

/// All that the tables of channels look at: none, one, room for one, full; and whether the
/// operation asked about is possible, if that is known. As a number.
const SHAPES: usize = 16 * 3;

fn shape(n: usize, capacity: usize, possible: Option<bool>) -> usize {
    let last = n < capacity && capacity - n == 1;
    let bits = [n == 0, n == 1, last, n >= capacity];
    let number = bits.iter().fold(0, |number, bit| number * 2 + usize::from(*bit));
    number * 3 + possible.map_or(2, usize::from)
}

/// All objects that steps depend on each other by, with their operations.
#[derive(Clone, Default)]
pub struct Objects {
    entries: Vec<Entry>,
    numbers: HashMap<Key, u16>,
    /// The sets of rows met so far.
    pub rows: Rows,
    /// How many operations there are: with each more, answers may change.
    pub operations: usize,
}

impl Objects {
    /// The object of a number.
    pub fn key(&self, object: u16) -> Key {
        self.entries[object as usize].key
    }

    /// An operation on an object, by its number.
    pub fn operation(&self, object: u16, operation: u8) -> Option<&Op> {
        self.entries[object as usize].operations.get(operation as usize)
    }

    /// The number of an object.
    pub fn object(&mut self, system: &System, key: Key) -> u16 {
        let Objects { entries, numbers, .. } = self;
        *numbers.entry(key).or_insert_with(|| {
            entries.push(Entry::new(system, key));
            (entries.len() - 1) as u16
        })
    }

    /// The number of an object, if it is known.
    pub fn number(&self, key: Key) -> Option<u16> {
        self.numbers.get(&key).copied()
    }

    /// The number of an operation on an object.
    pub fn intern(&mut self, object: u16, operation: &Op) -> u8 {
        let entry = &mut self.entries[object as usize];
        if let Some(known) = entry.operations.iter().position(|o| o == operation) {
            return known as u8;
        }
        entry.memory = Memory::default();
        self.operations += 1;
        if entry.operations.len() >= OVERFLOW as usize {
            return OVERFLOW;
        }
        entry.operations.push(operation.clone());
        let number = entry.operations.len() - 1;
        entry.changers |= Mask::from(operation.changes()) << number;
        number as u8
    }

    /// The bit of an operation, if any process performs it.
    pub fn bit(&self, object: u16, operation: &Op) -> Mask {
        let known = self.entries[object as usize].operations.iter().position(|o| o == operation);
        known.map_or(0, |k| 1 << k)
    }

    /// The operations that may change an object.
    pub fn changers(&self, object: u16) -> Mask {
        self.entries[object as usize].changers
    }

    /// The operations that stand in the relation to this one. `possible` says whether it can be
    /// performed, if that is known.
    pub fn related(
        &mut self,
        (object, operation): (u16, u8),
        (question, by): (Question, Dependency),
        sight: Sight,
        possible: Option<bool>,
    ) -> Related {
        let Objects { entries, rows, .. } = self;
        let entry = &mut entries[object as usize];
        let changers = entry.changers;
        let mut keep = |mask: Mask| Related {
            mask,
            all: rows.number(vec![(object, mask)]),
            changing: rows.number(vec![(object, mask & changers)]),
        };
        if operation == OVERFLOW {
            return keep(Mask::MAX);
        }
        let stateful = matches!(question, Question::Interferes | Question::Dependent);
        let asked = Asked { operation, question, by };
        match (&entry.operations[operation as usize], sight) {
            (
                Op::On(On::Channel(_)) | Op::Tried(On::Channel(_)) | Op::Room | Op::Message,
                Sight::Length(n),
            ) if stateful => entry.by_shape(asked, n, possible, keep),
            (Op::On(On::Variable(_) | On::Part(_)), Sight::Value(value))
                if stateful && by == Dependency::Conditional =>
            {
                entry.by_value(asked, value, keep)
            }
            _ => entry.by_text(asked, keep),
        }
    }
}

impl Entry {
    fn new(system: &System, key: Key) -> Entry {
        let kind = match key {
            Key::Variable(o) | Key::Channel(o) => Some(&system.globals[o].kind),
            _ => None,
        };
        let (capacity, sort) = match kind {
            Some(ObjectKind::Channel { capacity, .. }) => (*capacity, None),
            Some(ObjectKind::Variable { sort, .. }) => (UNBOUNDED, Some(sort.clone())),
            None => (UNBOUNDED, None),
        };
        Entry {
            key,
            operations: Vec::new(),
            changers: 1 << OVERFLOW,
            capacity,
            sort,
            memory: Memory::default(),
        }
    }

    /// Where the answer is remembered.
    fn place(&mut self, asked: Asked, shape: usize) -> usize {
        let Asked { operation, question, by } = asked;
        let asked = (operation as usize * 4 + question as usize) * 3 + by as usize;
        let place = asked * (SHAPES + 1) + shape;
        if self.memory.places.is_empty() {
            self.memory.places.resize(self.operations.len() * 12 * (SHAPES + 1), None);
        }
        place
    }

    fn mask(&self, related: impl Fn(&Op) -> bool) -> Mask {
        let bits = self.operations.iter().enumerate().filter(|(_, o)| related(o));
        bits.fold(1 << OVERFLOW, |mask, (k, _)| mask | 1 << k)
    }

    fn by_text(&mut self, asked: Asked, keep: impl FnOnce(Mask) -> Related) -> Related {
        let place = self.place(asked, SHAPES);
        if let Some(known) = self.memory.places[place] {
            return known;
        }
        let own = self.operations[asked.operation as usize].bounds(asked.by);
        let mask = self.mask(|other| {
            all_meet(own, other.bounds(asked.by), |a, b| match asked.question {
                Question::DoNotAccord => do_not_accord(asked.by, a, b),
                _ => can_be_dependent(a, b),
            })
        });
        *self.memory.places[place].insert(keep(mask))
    }

    fn by_shape(
        &mut self,
        asked: Asked,
        n: usize,
        possible: Option<bool>,
        keep: impl FnOnce(Mask) -> Related,
    ) -> Related {
        let Asked { operation, question, by } = asked;
        let capacity = self.capacity;
        let place = self.place(asked, shape(n, capacity, possible));
        if let Some(known) = self.memory.places[place] {
            return known;
        }
        let rows = possible.map_or(vec![false, true], |p| vec![p]);
        let meet = |own: &Op, other: &Op| {
            if own.faces().next().is_none() || other.faces().next().is_none() {
                return can_be_dependent(own, other);
            }
            let mut views = rows.iter().flat_map(|row| [(*row, false), (*row, true)]);
            views.any(|(row, column)| {
                let view = channel::View { n, capacity, row, column };
                meet_in_any(own, other, |a, b| match question {
                    Question::Interferes => channel::interferes(by, a, b, view),
                    _ => channel::dependent(by, a, b, view),
                })
            })
        };
        let own = self.operations[operation as usize].bounds(by);
        let mask = self.mask(|other| all_meet(own, other.bounds(by), meet));
        *self.memory.places[place].insert(keep(mask))
    }

    fn by_value(&mut self, asked: Asked, value: i64, keep: impl FnOnce(Mask) -> Related) -> Related {
        let Asked { operation, question, .. } = asked;
        let Some(small) = usize::try_from(value).ok().filter(|v| *v < SMALL) else {
            return self.by_large_value(asked, value, keep);
        };
        if self.memory.small.is_empty() {
            self.memory.small.resize(self.operations.len() * 4 * SMALL, None);
        }
        let place = (operation as usize * 4 + question as usize) * SMALL + small;
        if let Some(known) = self.memory.small[place] {
            return known;
        }
        let mask = self.meeting(operation, question, value);
        *self.memory.small[place].insert(keep(mask))
    }

    fn by_large_value(&mut self, asked: Asked, value: i64, keep: impl FnOnce(Mask) -> Related) -> Related {
        let key = (asked.operation, asked.question, value);
        if let Some(known) = self.memory.valued.get(&key) {
            return *known;
        }
        let known = keep(self.meeting(asked.operation, asked.question, value));
        // Values may be many; what is kept is only to save time.
        if self.memory.valued.len() > 4096 {
            self.memory.valued.clear();
        }
        self.memory.valued.insert(key, known);
        known
    }

    fn meeting(&self, operation: u8, question: Question, value: i64) -> Mask {
        let own = &self.operations[operation as usize];
        let value = BigInt::from(value);
        self.mask(|other| self.meets(own, other, question, &value))
    }

    fn meets(&self, own: &Op, other: &Op, question: Question, value: &BigInt) -> bool {
        let by = Dependency::Conditional;
        match (own, other, self.sort.as_ref().and_then(|s| part_sort(s, own))) {
            (Op::On(On::Variable(a)), Op::On(On::Variable(b)), Some(sort)) => {
                let at = variable::View { value, sort };
                match question {
                    Question::Interferes => variable::interferes(by, *a, *b, at),
                    _ => variable::dependent(by, *a, *b, at),
                }
            }
            (Op::On(On::Part(a)), Op::On(On::Part(b)), Some(sort)) => {
                let at = Some(variable::View { value, sort });
                match question {
                    Question::Interferes => array::interferes(by, a, b, at),
                    _ => array::dependent(by, a, b, at),
                }
            }
            _ => can_be_dependent(own, other),
        }
    }
}

/// The sort of what an operation is on.
fn part_sort<'a>(sort: &'a Sort, operation: &Op) -> Option<&'a Sort> {
    let Op::On(On::Part(part)) = operation else { return Some(sort) };
    part.path.iter().try_fold(sort, |sort, step| match sort {
        Sort::Array(element, _) => Some(element.as_ref()),
        Sort::Record(fields) => fields.get((*step)?).map(|(_, s)| s),
        _ => None,
    })
}

/// Definition 4.6 for what systems have besides the objects of the library, too.
pub(super) fn can_be_dependent(a: &Op, b: &Op) -> bool {
    use Op::*;
    match (a, b) {
        // Half a handshake is no object's business: possible partners are asked for apart.
        (On(objects::Operation::Half(_)), _) | (_, On(objects::Operation::Half(_))) => false,
        (On(a) | Tried(a), On(b) | Tried(b)) => objects::can_be_dependent(a, b),
        (Several, _) | (_, Several) => true,
        (Start, Start | Stop | Count) | (Stop | Count, Start) => true,
        (Stop, Stop | Count) | (Count, Stop) => true,
        (At, Move) | (Move, At) => true,
        (RemoteRead, OwnChange) | (OwnChange, RemoteRead) => true,
        (Wild, _) | (_, Wild) => true,
        _ => false,
    }
}

fn do_not_accord(by: Dependency, a: &Op, b: &Op) -> bool {
    match (a, b) {
        // Only the youngest process can end.
        (Op::Stop, Op::Stop) => false,
        _ if a.faces().next().is_some() && b.faces().next().is_some() => {
            meet_in_any(a, b, |a, b| channel::do_not_accord(by, a, b))
        }
        _ => can_be_dependent(a, b),
    }
}

/// Whether all that bounds the one meets all that bounds the other.
fn all_meet(a: &[Op], b: &[Op], meet: impl Fn(&Op, &Op) -> bool) -> bool {
    a.iter().all(|x| b.iter().all(|y| meet(x, y)))
}

/// Whether any of what the one may be on a channel meets any of what the other may be.
fn meet_in_any(a: &Op, b: &Op, meet: impl Fn(channel::Operation, channel::Operation) -> bool) -> bool {
    a.faces().any(|x| b.faces().any(|y| meet(x, y)))
}
