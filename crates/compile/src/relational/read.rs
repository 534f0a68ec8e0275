//! What a term of the system is worth in a symbolic state: `system::evaluate`, once more, on terms.

use super::layout::{Cell, Channel, Layout, Leaf};
use super::refuse::{NotRelational, Reason};
use logic::ArithmeticError;
use logic::fol::{Defined, Reads, Symbol, Term, defined};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use system::{Access, Expr, Fault, Pattern, Place, ProcessTypeId, Read, Root, System};

/// Why a step leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    Fault(Fault),
    /// There is no room for a process that is created.
    Beyond,
}

impl From<ArithmeticError> for Wrong {
    fn from(_: ArithmeticError) -> Wrong {
        Wrong::Fault(Fault::DivisionByZero)
    }
}

pub type Worth = Defined<Wrong>;

/// A channel object: of the system, or of a process of a type in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelId {
    pub owner: Option<(usize, ProcessTypeId)>,
    pub object: usize,
}

/// A channel that a handle may name, and when.
pub struct Open<'a> {
    pub when: Term,
    pub id: ChannelId,
    pub channel: &'a Channel,
}

/// Where a term is evaluated.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub system: &'a System,
    pub layout: &'a Layout,
    /// The value of each part of the state.
    pub values: &'a [Term],
    /// The executing process: slot and type.
    pub who: Option<(usize, ProcessTypeId)>,
    pub timeout: bool,
}

impl Reads<Read> for Context<'_> {
    type Fault = Wrong;
    type Unsupported = NotRelational;

    fn read(&mut self, read: &Read) -> Result<Worth, NotRelational> {
        self.worth_of(read)
    }

    fn range(&self, symbol: &Symbol) -> Option<(BigInt, BigInt)> {
        self.layout.range(symbol)
    }
}

impl<'a> Context<'a> {
    pub fn worth(&self, term: &Expr) -> Result<Worth, NotRelational> {
        defined(term, &mut self.clone())
    }

    /// Several terms, left to right; the faults of all are in the first part.
    pub fn worth_all(&self, terms: &[Expr]) -> Result<(Worth, Vec<Term>), NotRelational> {
        let (mut all, mut values) = (Worth::number(Term::int(0)), Vec::new());
        for term in terms {
            let one = self.worth(term)?;
            all = all.then(&Term::truth(true), &one.faults);
            values.push(one.as_number());
        }
        Ok((all, values))
    }

    fn worth_of(&self, read: &Read) -> Result<Worth, NotRelational> {
        let count = || (0..self.layout.slots.len()).map(|k| Term::bit(&self.lives(k)));
        Ok(match read {
            Read::Place(place) => self.place(place)?,
            Read::Handle(root) => Worth::number(self.handle_of(root)),
            Read::Myself => Worth::number(Term::int(self.who.map_or(0, |(slot, _)| slot))),
            Read::Instance(process_type) => {
                let last = Term::int(-1);
                let slots = (0..self.layout.slots.len()).rev();
                let oldest = |rest: Term, k: usize| {
                    Term::choice(&self.is_type(k, *process_type), &Term::int(k), &rest)
                };
                Worth::number(slots.fold(last, oldest))
            }
            Read::ProcessCount => Worth::number(count().fold(Term::int(0), |n, one| Term::sum(&n, &one))),
            Read::Last => match self.layout.last {
                Some(leaf) => Worth::number(self.values[leaf].clone()),
                // The model does not read it, so no step writes it.
                None => return Err(NotRelational::new(Reason::Last)),
            },
            Read::Timeout => Worth::truth(Term::truth(self.timeout)),
            Read::NonProgress => Worth::truth(Term::negation(self.somewhere(&|p| p.progress))),
            Read::Accepting => Worth::truth(self.somewhere(&|p| p.accept)),
            Read::Enabled(_) => return Err(NotRelational::new(Reason::Enabled)),
            Read::Priority(_) => return Err(NotRelational::new(Reason::Priorities)),
            Read::Location(process) => self.of_process(process, &|slot| self.point_number(slot))?,
            Read::At { process, process_type, point } => {
                self.of_process(process, &|slot| Term::bit(&self.is_at(slot, *process_type, *point)))?
            }
            Read::Length(_) | Read::Empty(_) | Read::Full(_) => self.of_length(read)?,
            Read::Poll { channel, patterns, anywhere } => self.poll(channel, patterns, *anywhere)?,
        })
    }

    /// Whether a process lives in a slot.
    pub fn lives(&self, slot: usize) -> Term {
        let location = &self.values[self.layout.slots[slot].location];
        Term::negation(Term::same(location, &Term::int(0)))
    }

    /// Whether the process in a slot is of a type.
    pub fn is_type(&self, slot: usize, process_type: ProcessTypeId) -> Term {
        let at = &self.layout.slots[slot];
        let Some((first, _)) = at.types.get(&process_type) else { return Term::truth(false) };
        if at.types.len() == 1 {
            return self.lives(slot);
        }
        let location = &self.values[at.location];
        let last = first + self.system.process_types[process_type].points.len() - 1;
        Term::all([
            Term::le(Term::int(*first), location.clone()),
            Term::le(location.clone(), Term::int(last)),
        ])
    }

    pub fn is_at(&self, slot: usize, process_type: ProcessTypeId, point: usize) -> Term {
        let at = &self.layout.slots[slot];
        if !at.types.contains_key(&process_type) {
            return Term::truth(false);
        }
        Term::same(&self.values[at.location], &Term::int(at.at(process_type, point)))
    }

    fn point_number(&self, slot: usize) -> Term {
        let location = &self.values[self.layout.slots[slot].location];
        let types = self.layout.slots[slot].types.iter();
        types.fold(Term::int(0), |rest, (process_type, (first, _))| {
            let point = Term::difference(location, &Term::int(*first));
            Term::choice(&self.is_type(slot, *process_type), &point, &rest)
        })
    }

    /// Whether some process is at a point of a kind.
    pub fn somewhere(&self, wanted: &dyn Fn(&system::Location) -> bool) -> Term {
        let mut found = Vec::new();
        for (slot, at) in self.layout.slots.iter().enumerate() {
            for process_type in at.types.keys() {
                let points = self.system.process_types[*process_type].points.iter().enumerate();
                let there = points.filter(|(_, p)| wanted(p));
                found.extend(there.map(|(point, _)| self.is_at(slot, *process_type, point)));
            }
        }
        Term::any(found)
    }

    /// A number of the process with a number, 0 if there is none.
    fn of_process(&self, process: &Expr, of: &dyn Fn(usize) -> Term) -> Result<Worth, NotRelational> {
        let number = self.worth(process)?;
        let pid = number.as_number();
        let value = (0..self.layout.slots.len()).fold(Term::int(0), |rest, slot| {
            let here = Term::all([Term::same(&pid, &Term::int(slot)), self.lives(slot)]);
            if here.is_false() { rest } else { Term::choice(&here, &of(slot), &rest) }
        });
        Ok(number.with(value))
    }

    fn place(&self, place: &Place) -> Result<Worth, NotRelational> {
        match &place.root {
            Root::Global(object) => self.part(&self.layout.globals[*object], &place.path, &Term::truth(true)),
            Root::Local(object) => match self.own(*object) {
                Some(cell) => self.part(cell, &place.path, &Term::truth(true)),
                None => Ok(Worth::number(Term::int(0))),
            },
            Root::Remote { process, process_type, object } => {
                let number = self.worth(process)?;
                let pid = number.as_number();
                let (mut all, mut value) = (number, Term::int(0));
                for slot in 0..self.layout.slots.len() {
                    let is = Term::same(&pid, &Term::int(slot));
                    let here = Term::all([is, self.is_type(slot, *process_type)]);
                    let cell =
                        self.layout.slots[slot].types.get(process_type).and_then(|(_, c)| c.get(*object));
                    let Some(cell) = cell.filter(|_| !here.is_false()) else { continue };
                    let part = self.part(cell, &place.path, &here)?;
                    all = all.then(&here, &part.faults);
                    value = Term::choice(&here, &part.as_number(), &value);
                }
                let path = self.path(&place.path)?.0;
                Ok(all.then(&Term::truth(true), &path.faults).with(value))
            }
        }
    }

    /// An object of the executing process.
    pub fn own(&self, object: usize) -> Option<&'a Cell> {
        let (slot, process_type) = self.who?;
        self.layout.slots[slot].types.get(&process_type)?.1.get(object)
    }

    /// A part of an object that exists where a condition holds.
    fn part(&self, cell: &Cell, path: &[Access], exists: &Term) -> Result<Worth, NotRelational> {
        let (worth, indices) = self.path(path)?;
        let outside = Term::all([exists.clone(), outside(cell, &indices)]);
        let value = self.select(cell, &indices);
        Ok(worth.fails(&outside, Wrong::Fault(Fault::IndexOutOfBounds)).with(value))
    }

    /// The indices of a path; what is negative is no index.
    pub fn path(&self, path: &[Access]) -> Result<(Worth, Vec<Term>), NotRelational> {
        let (mut all, mut indices) = (Worth::number(Term::int(0)), Vec::new());
        for access in path {
            let index = match access {
                Access::Field(field) => Term::int(*field),
                Access::Index(term) => {
                    let index = self.worth(term)?;
                    let negative = Term::lt(index.as_number(), Term::int(0));
                    let always = Term::truth(true);
                    all = all.then(&always, &index.faults);
                    all = all.fails(&negative, Wrong::Fault(Fault::IndexOutOfBounds));
                    index.as_number()
                }
            };
            indices.push(index);
        }
        Ok((all, indices))
    }

    /// The value of a part, for indices that are inside.
    fn select(&self, cell: &Cell, indices: &[Term]) -> Term {
        match (cell, indices.split_first()) {
            (Cell::Scalar(leaf, _), _) => self.values[*leaf].clone(),
            (Cell::Parts(cells), Some((index, rest))) => {
                if let Some(k) = index.as_number().and_then(ToPrimitive::to_usize) {
                    return cells.get(k).map_or_else(|| Term::int(0), |c| self.select(c, rest));
                }
                let mut parts = cells.iter().enumerate().rev().map(|(k, c)| (k, self.select(c, rest)));
                let last = parts.next().map_or_else(|| Term::int(0), |(_, value)| value);
                parts.fold(last, |value, (k, part)| {
                    Term::choice(&Term::same(index, &Term::int(k)), &part, &value)
                })
            }
            _ => Term::int(0),
        }
    }

    fn handle_of(&self, root: &Root) -> Term {
        let id = match root {
            Root::Global(object) => ChannelId { owner: None, object: *object },
            Root::Local(object) | Root::Remote { object, .. } => match self.who {
                Some(who) => ChannelId { owner: Some(who), object: *object },
                None => return Term::int(0),
            },
        };
        self.handle(id)
    }

    /// The position of a channel among those that exist, from 1.
    fn handle(&self, id: ChannelId) -> Term {
        let globals = channels(&self.layout.globals).count();
        let Some((slot, process_type)) = id.owner else {
            return Term::int(1 + channels(&self.layout.globals).take_while(|(o, _)| *o < id.object).count());
        };
        let own = self.layout.slots[slot].types.get(&process_type);
        let own = own.map_or(0, |(_, c)| channels(c).take_while(|(o, _)| *o < id.object).count());
        (0..slot).fold(Term::int(1 + globals + own), |sum, k| Term::sum(&sum, &self.channels_of(k)))
    }

    /// How many channels the process in a slot has.
    fn channels_of(&self, slot: usize) -> Term {
        let mut types = self.layout.slots[slot].types.iter();
        let count = |cells: &[Cell]| Term::int(channels(cells).count());
        let first = types.next().map_or_else(|| Term::int(0), |(_, (_, cells))| count(cells));
        types.fold(first, |rest, (process_type, (_, cells))| {
            Term::choice(&self.is_type(slot, *process_type), &count(cells), &rest)
        })
    }

    /// The channels that a handle may name; where it names none is a fault.
    pub fn open(&self, handle: &Expr) -> Result<(Worth, Vec<Open<'a>>), NotRelational> {
        let handle = self.worth(handle)?;
        let number = handle.as_number();
        let mut found = Vec::new();
        let mut add = |owner: Option<(usize, ProcessTypeId)>, cells: &'a [Cell]| {
            for (object, channel) in channels(cells) {
                let id = ChannelId { owner, object };
                let exists = owner.map_or_else(
                    || Term::truth(true),
                    |(slot, process_type)| self.is_type(slot, process_type),
                );
                let when = Term::all([exists, Term::same(&number, &self.handle(id))]);
                if !when.is_false() {
                    found.push(Open { when, id, channel });
                }
            }
        };
        add(None, &self.layout.globals);
        for (slot, at) in self.layout.slots.iter().enumerate() {
            at.types.iter().for_each(|(process_type, (_, cells))| add(Some((slot, *process_type)), cells));
        }
        let none = Term::negation(Term::any(found.iter().map(|o| o.when.clone())));
        Ok((handle.fails(&none, Wrong::Fault(Fault::NoChannel)), found))
    }

    fn of_length(&self, read: &Read) -> Result<Worth, NotRelational> {
        let (Read::Length(handle) | Read::Empty(handle) | Read::Full(handle)) = read else {
            return Ok(Worth::number(Term::int(0)));
        };
        let (worth, open) = self.open(handle)?;
        let of = |channel: &Channel| {
            let length = self.length(channel);
            match read {
                Read::Length(_) => length,
                Read::Empty(_) => Term::bit(&Term::same(&length, &Term::int(0))),
                _ if channel.capacity == 0 => Term::int(0),
                _ => Term::bit(&Term::le(Term::int(channel.capacity), length)),
            }
        };
        let value = open.iter().rev().fold(None, |rest: Option<Term>, o| {
            Some(rest.map_or_else(|| of(o.channel), |rest| Term::choice(&o.when, &of(o.channel), &rest)))
        });
        Ok(worth.with(value.unwrap_or_else(|| Term::int(0))))
    }

    pub fn length(&self, channel: &Channel) -> Term {
        channel.length.map_or_else(|| Term::int(0), |leaf| self.values[leaf].clone())
    }

    fn poll(&self, handle: &Expr, patterns: &[Pattern], anywhere: bool) -> Result<Worth, NotRelational> {
        let (mut all, open) = self.open(handle)?;
        let mut truth = Term::truth(false);
        for Open { when, channel, .. } in &open {
            let found = match channel.capacity {
                0 => {
                    let fault = Wrong::Fault(Fault::PollsRendezvous);
                    Worth::truth(Term::truth(false)).fails(&Term::truth(true), fault)
                }
                _ => {
                    let given = patterns.len().min(channel.fields.len());
                    let (wanted, values) = self.wanted(given, patterns)?;
                    let found = Term::any(self.positions(channel, &values, anywhere));
                    wanted.with_truth(found)
                }
            };
            all = all.then(when, &found.faults);
            truth = Term::any([truth, Term::all([when.clone(), found.as_truth()])]);
        }
        Ok(all.with_truth(truth))
    }

    /// For each field the value it must have, if any.
    pub fn wanted(
        &self,
        fields: usize,
        patterns: &[Pattern],
    ) -> Result<(Worth, Vec<Option<Term>>), NotRelational> {
        let (mut all, mut values) = (Worth::number(Term::int(0)), Vec::new());
        if fields != patterns.len() {
            return Ok((all.fails(&Term::truth(true), Wrong::Fault(Fault::WrongFields)), values));
        }
        for pattern in patterns {
            values.push(match pattern {
                Pattern::Match(term) => {
                    let one = self.worth(term)?;
                    all = all.then(&Term::truth(true), &one.faults);
                    Some(one.as_number())
                }
                Pattern::Bind(_) | Pattern::Ignore => None,
            });
        }
        Ok((all, values))
    }

    /// For each place of a queue: whether the first message that agrees is there.
    pub fn positions(&self, channel: &Channel, wanted: &[Option<Term>], anywhere: bool) -> Vec<Term> {
        let length = self.length(channel);
        let reach = if anywhere { channel.capacity } else { 1 };
        let (mut before, mut found) = (Term::truth(true), Vec::new());
        for (k, message) in channel.messages.iter().enumerate().take(reach) {
            let there = Term::lt(Term::int(k), length.clone());
            let here = Term::all([there, self.agrees(message, wanted)]);
            found.push(Term::all([before.clone(), here.clone()]));
            before = Term::all([before, Term::negation(here)]);
        }
        found
    }

    fn agrees(&self, message: &[Leaf], wanted: &[Option<Term>]) -> Term {
        let field =
            |(leaf, wanted): (&Leaf, &Option<Term>)| Some(Term::same(&self.values[*leaf], wanted.as_ref()?));
        Term::all(message.iter().zip(wanted).filter_map(field))
    }
}

/// The channels among objects.
fn channels(cells: &[Cell]) -> impl Iterator<Item = (usize, &Channel)> {
    cells.iter().enumerate().filter_map(|(object, cell)| match cell {
        Cell::Channel(channel) => Some((object, channel)),
        _ => None,
    })
}

/// Where indices are beyond the end of what they index.
pub fn outside(cell: &Cell, indices: &[Term]) -> Term {
    match (cell, indices.split_first()) {
        (Cell::Parts(cells), Some((index, rest))) => {
            let here = Term::le(Term::int(cells.len()), index.clone());
            let inner = cells.first().map_or_else(|| Term::truth(false), |_| inner(cells, index, rest));
            Term::any([here, inner])
        }
        _ => Term::truth(false),
    }
}

/// The parts of an array are alike, those of a record are not.
fn inner(cells: &[Cell], index: &Term, rest: &[Term]) -> Term {
    match index.as_number().and_then(ToPrimitive::to_usize) {
        Some(k) => cells.get(k).map_or_else(|| Term::truth(false), |c| outside(c, rest)),
        None => outside(&cells[0], rest),
    }
}
