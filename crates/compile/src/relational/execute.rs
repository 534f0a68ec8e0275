//! What an operation does to a symbolic state: `system::execute`, once more, on terms.
//!
//! An execution forks where a handle may name several channels or a process may be created in
//! several slots; the conditions of the paths exclude each other. A path that is blocked is
//! dropped.

use super::layout::{Cell, Channel};
use super::read::{ChannelId, Context, Open, Worth, Wrong, outside};
use super::refuse::{NotRelational, Reason};
use logic::Sort;
use logic::fol::{Op, Term, wrapped};
use system::{Expr, Fault, Initial, Object, ObjectKind, Operation, Pattern, Place, ProcessTypeId, Root};

/// A symbolic state on the way through a step: reached if the condition holds where the step
/// begins.
#[derive(Clone, Debug)]
pub struct Path {
    pub when: Term,
    pub values: Vec<Term>,
    /// Whether an assertion failed on the way.
    pub failed: Term,
    pub offer: Option<Offer>,
}

/// One half of a handshake.
#[derive(Clone, Debug)]
pub struct Offer {
    pub channel: ChannelId,
    pub message: Vec<Term>,
}

/// What comes of an execution: paths that go on, and faults with their conditions.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    pub paths: Vec<Path>,
    pub faults: Vec<(Term, Wrong)>,
}

impl Path {
    pub fn new(values: Vec<Term>) -> Path {
        Path { when: Term::truth(true), values, failed: Term::truth(false), offer: None }
    }

    /// The path under a further condition; `None` if that is plainly never.
    pub fn under(&self, condition: Term) -> Option<Path> {
        let mut known = self.when.conjuncts();
        for conjunct in condition.conjuncts() {
            if conjunct.is_false() || known.iter().any(|k| excludes(k, &conjunct)) {
                return None;
            }
            if !known.contains(&conjunct) {
                known.push(conjunct);
            }
        }
        Some(Path { when: Term::all(known), ..self.clone() })
    }

    /// What a condition says beyond that the path is taken.
    pub fn beyond(&self, condition: &Term) -> Term {
        let known = self.when.conjuncts();
        Term::all(condition.conjuncts().into_iter().filter(|c| !known.contains(c)))
    }
}

/// Whether two conditions are plainly never true together.
fn excludes(a: &Term, b: &Term) -> bool {
    let denies = |a: &Term, b: &Term| *a.op() == Op::Not && a.arguments()[0] == *b;
    let value = |t: &Term| match (t.op(), t.arguments()) {
        (Op::Equal, [x, n]) if n.as_number().is_some() => Some((x.clone(), n.clone())),
        _ => None,
    };
    let differ = value(a).zip(value(b)).is_some_and(|((x, m), (y, n))| x == y && m != n);
    denies(a, b) || denies(b, a) || differ
}

impl Ways {
    /// Goes on where something has a value, and notes the faults where it has none.
    pub fn evaluated(&mut self, path: &Path, worth: &Worth) -> Option<Path> {
        let under = |when: &Term| Term::all([path.when.clone(), when.clone()]);
        let faults = worth.faults.iter().map(|(when, wrong)| (under(when), *wrong));
        self.faults.extend(faults.filter(|(when, _)| !when.is_false()));
        path.under(worth.when())
    }
}

/// A process that executes, and the context of everything it evaluates.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    pub context: Context<'a>,
    pub slot: usize,
    pub process_type: ProcessTypeId,
}

impl<'a> Actor<'a> {
    pub fn context<'b>(&self, values: &'b [Term]) -> Context<'b>
    where
        'a: 'b,
    {
        Context { values, who: Some((self.slot, self.process_type)), ..self.context }
    }

    /// Executes one operation.
    pub fn execute(&self, path: Path, operation: &Operation) -> Result<Ways, NotRelational> {
        let mut ways = Ways::default();
        match operation {
            Operation::Assign { target, value } => {
                let worth = self.context(&path.values).worth(value)?;
                if let Some(path) = ways.evaluated(&path, &worth) {
                    let assigned = self.assign(path, target, &worth.as_number(), &mut ways)?;
                    ways.paths.extend(assigned);
                }
            }
            Operation::Send { channel, message, sorted } => {
                self.send(&path, channel, (message, *sorted), &mut ways)?;
            }
            Operation::Receive { .. } => self.receive(&path, operation, &mut ways)?,
            Operation::Start { priority: Some(_), .. } | Operation::SetPriority { .. } => {
                return Err(NotRelational::new(Reason::Priorities));
            }
            Operation::Start { process_type, arguments, result, .. } => {
                self.start(&path, (*process_type, arguments), result.as_ref(), &mut ways)?;
            }
            Operation::Assert { condition } => {
                let worth = self.context(&path.values).worth(condition)?;
                let failed = Term::any([path.failed.clone(), Term::negation(worth.as_truth())]);
                let next = ways.evaluated(&path, &worth);
                ways.paths.extend(next.map(|path| Path { failed, ..path }));
            }
            Operation::Print { arguments, .. } => {
                let worth = self.context(&path.values).worth_all(arguments)?.0;
                let next = ways.evaluated(&path, &worth);
                ways.paths.extend(next);
            }
            Operation::Stop => ways.paths.extend(self.stop(&path)),
        }
        Ok(ways)
    }

    /// Takes the receiving half of a handshake, where it agrees with the offer.
    pub fn accept(&self, path: &Path, operation: &Operation, offer: &Offer) -> Result<Ways, NotRelational> {
        let mut ways = Ways::default();
        let Operation::Receive { channel, patterns, mode } = operation else { return Ok(ways) };
        let context = self.context(&path.values);
        // A timeout is never true while an offer waits.
        let context = Context { timeout: false, ..context };
        let (worth, open) = context.open(channel)?;
        let Some(path) = ways.evaluated(path, &worth) else { return Ok(ways) };
        let same = open.iter().find(|o| o.id == offer.channel).filter(|_| !mode.copy);
        let Some(open) = same else { return Ok(ways) };
        let Some(path) = path.under(open.when.clone()) else { return Ok(ways) };
        let (wanted, values) = context.wanted(open.channel.fields.len(), patterns)?;
        let Some(path) = ways.evaluated(&path, &wanted) else { return Ok(ways) };
        let agrees = |(wanted, field): (&Option<Term>, &Term)| Some(Term::same(wanted.as_ref()?, field));
        let agrees = Term::all(values.iter().zip(&offer.message).filter_map(agrees));
        let Some(path) = path.under(agrees) else { return Ok(ways) };
        let bound = self.bind(path, patterns, &offer.message, &mut ways)?;
        ways.paths.extend(bound);
        Ok(ways)
    }

    fn assign(
        &self,
        path: Path,
        place: &Place,
        value: &Term,
        ways: &mut Ways,
    ) -> Result<Option<Path>, NotRelational> {
        let context = self.context(&path.values);
        let cell = match place.root {
            Root::Global(object) => context.layout.globals.get(object),
            Root::Local(object) => context.own(object),
            Root::Remote { .. } => None,
        };
        let cell = cell.ok_or_else(|| NotRelational::new(Reason::NoScalar))?;
        let (worth, indices) = context.path(&place.path)?;
        let worth = worth.fails(&outside(cell, &indices), Wrong::Fault(Fault::IndexOutOfBounds));
        let mut values = path.values.clone();
        self.write(cell, &indices, (&Term::truth(true), value), &mut values)?;
        Ok(ways.evaluated(&path, &worth).map(|path| Path { values, ..path }))
    }

    /// Writes a value to the part of a cell that indices name, under a condition.
    fn write(
        &self,
        cell: &Cell,
        indices: &[Term],
        (when, value): (&Term, &Term),
        values: &mut [Term],
    ) -> Result<(), NotRelational> {
        match (cell, indices.split_first()) {
            (Cell::Scalar(leaf, sort), None) => {
                let stored = self.store(sort, value);
                values[*leaf] = Term::choice(when, &stored, &values[*leaf]);
                Ok(())
            }
            (Cell::Parts(cells), Some((index, rest))) => {
                for (k, part) in cells.iter().enumerate() {
                    let when = Term::all([when.clone(), Term::same(index, &Term::int(k))]);
                    if !when.is_false() {
                        self.write(part, rest, (&when, value), values)?;
                    }
                }
                Ok(())
            }
            _ => Err(NotRelational::new(Reason::NoScalar)),
        }
    }

    /// What remains of a value in a variable of a sort.
    fn store(&self, sort: &Sort, value: &Term) -> Term {
        let known = |s: &logic::fol::Symbol| self.context.layout.range(s);
        sort.machine().map_or_else(|| value.clone(), |int| wrapped(int, value, &known))
    }

    fn send(
        &self,
        path: &Path,
        handle: &Expr,
        (message, sorted): (&[Expr], bool),
        ways: &mut Ways,
    ) -> Result<(), NotRelational> {
        let context = self.context(&path.values);
        let (worth, open) = context.open(handle)?;
        let Some(path) = ways.evaluated(path, &worth) else { return Ok(()) };
        for Open { when, id, channel } in open {
            let context = self.context(&path.values);
            let room = Term::lt(context.length(channel), Term::int(channel.capacity));
            let room = if channel.capacity == 0 { Term::truth(true) } else { room };
            let Some(path) = path.under(Term::all([when, room])) else { continue };
            let (mut worth, values) = context.worth_all(message)?;
            if channel.fields.len() != message.len() {
                worth = Worth::number(Term::int(0));
                worth = worth.fails(&Term::truth(true), Wrong::Fault(Fault::WrongFields));
            }
            let Some(path) = ways.evaluated(&path, &worth) else { continue };
            let stored: Vec<Term> =
                channel.fields.iter().zip(&values).map(|(sort, v)| self.store(sort, v)).collect();
            ways.paths.push(match channel.capacity {
                0 => Path { offer: Some(Offer { channel: id, message: stored }), ..path },
                _ => queued(&context, &path, channel, (&stored, sorted)),
            });
        }
        Ok(())
    }

    fn receive(&self, path: &Path, operation: &Operation, ways: &mut Ways) -> Result<(), NotRelational> {
        let Operation::Receive { channel: handle, patterns, mode } = operation else { return Ok(()) };
        let context = self.context(&path.values);
        let (worth, open) = context.open(handle)?;
        let Some(path) = ways.evaluated(path, &worth) else { return Ok(()) };
        for Open { when, channel, .. } in open {
            let Some(path) = path.under(when) else { continue };
            if channel.capacity == 0 {
                let fault = (path.when, Wrong::Fault(Fault::PollsRendezvous));
                ways.faults.extend(mode.copy.then_some(fault));
                continue;
            }
            let (wanted, values) = context.wanted(channel.fields.len(), patterns)?;
            let Some(path) = ways.evaluated(&path, &wanted) else { continue };
            let found = context.positions(channel, &values, mode.anywhere);
            let Some(path) = path.under(Term::any(found.iter().cloned())) else { continue };
            let message = taken(&context, channel, &found);
            let Some(mut path) = self.bind(path, patterns, &message, ways)? else { continue };
            if !mode.copy {
                removed(&context, channel, &found, &mut path.values);
            }
            ways.paths.push(path);
        }
        Ok(())
    }

    /// Stores the fields of a message, left to right; a place may depend on a field stored before
    /// it.
    fn bind(
        &self,
        path: Path,
        patterns: &[Pattern],
        message: &[Term],
        ways: &mut Ways,
    ) -> Result<Option<Path>, NotRelational> {
        let mut path = path;
        for (pattern, value) in patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                match self.assign(path, place, value, ways)? {
                    None => return Ok(None),
                    Some(next) => path = next,
                }
            }
        }
        Ok(Some(path))
    }

    /// Creates a process behind the youngest one.
    fn start(
        &self,
        path: &Path,
        (process_type, arguments): (ProcessTypeId, &[Expr]),
        result: Option<&Place>,
        ways: &mut Ways,
    ) -> Result<(), NotRelational> {
        let (worth, arguments) = self.context(&path.values).worth_all(arguments)?;
        let Some(path) = ways.evaluated(path, &worth) else { return Ok(()) };
        let slots = self.context.layout.slots.len();
        for slot in self.slot + 1..=slots {
            let context = self.context(&path.values);
            let free =
                |k: usize| if k == slots { Term::truth(true) } else { Term::negation(context.lives(k)) };
            let Some(path) = path.under(Term::all([context.lives(slot - 1), free(slot)])) else { continue };
            if slot == slots || !context.layout.slots[slot].types.contains_key(&process_type) {
                ways.faults.push((path.when, Wrong::Beyond));
                continue;
            }
            let born = Actor { context: self.context, slot, process_type };
            let Some(path) = born.begin(path, &arguments, ways)? else { continue };
            let path = match result {
                Some(place) => self.assign(path, place, &Term::int(slot), ways)?,
                None => Some(path),
            };
            ways.paths.extend(path);
        }
        Ok(())
    }

    /// Gives the objects of a process their first values.
    fn begin(&self, path: Path, arguments: &[Term], ways: &mut Ways) -> Result<Option<Path>, NotRelational> {
        let declared = &self.context.system.process_types[self.process_type];
        let at = &self.context.layout.slots[self.slot];
        let mut path = path;
        path.values[at.location] = Term::int(at.at(self.process_type, declared.entry));
        for (object, cell) in declared.objects.iter().zip(&at.types[&self.process_type].1) {
            let Object { kind: ObjectKind::Variable { initial, .. }, .. } = object else { continue };
            match self.first(path, cell, (initial, arguments), ways)? {
                None => return Ok(None),
                Some(next) => path = next,
            }
        }
        Ok(Some(path))
    }

    fn first(
        &self,
        path: Path,
        cell: &Cell,
        (initial, arguments): (&Initial, &[Term]),
        ways: &mut Ways,
    ) -> Result<Option<Path>, NotRelational> {
        let mut path = path;
        match (initial, cell) {
            (Initial::Term(term), Cell::Scalar(..)) => {
                let worth = self.context(&path.values).worth(term)?;
                let Some(mut next) = ways.evaluated(&path, &worth) else { return Ok(None) };
                self.write(cell, &[], (&Term::truth(true), &worth.as_number()), &mut next.values)?;
                return Ok(Some(next));
            }
            (Initial::Argument(k), Cell::Scalar(..)) => {
                let value = arguments.get(*k).cloned().unwrap_or_else(|| Term::int(0));
                self.write(cell, &[], (&Term::truth(true), &value), &mut path.values)?;
            }
            (Initial::Each(one), Cell::Parts(cells)) => {
                for cell in cells {
                    let Some(next) = self.first(path, cell, (one, arguments), ways)? else { return Ok(None) };
                    path = next;
                }
            }
            (Initial::Parts(parts), Cell::Parts(cells)) => {
                for (one, cell) in parts.iter().zip(cells) {
                    let Some(next) = self.first(path, cell, (one, arguments), ways)? else { return Ok(None) };
                    path = next;
                }
            }
            (Initial::Zero | Initial::Each(_), _) => {}
            _ => return Err(NotRelational::new(Reason::NoScalar)),
        }
        Ok(Some(path))
    }

    /// Ends the process, if it is the youngest: what was its own is 0 again.
    fn stop(&self, path: &Path) -> Option<Path> {
        let context = self.context(&path.values);
        let younger = self.slot + 1 < context.layout.slots.len();
        let alone = if younger { Term::negation(context.lives(self.slot + 1)) } else { Term::truth(true) };
        let mut next = path.under(alone)?;
        let at = &context.layout.slots[self.slot];
        next.values[at.location] = Term::int(0);
        at.types[&self.process_type].1.iter().for_each(|cell| clear(cell, &mut next.values));
        Some(next)
    }
}

fn clear(cell: &Cell, values: &mut [Term]) {
    match cell {
        Cell::Scalar(leaf, _) => values[*leaf] = Term::int(0),
        Cell::Parts(cells) => cells.iter().for_each(|c| clear(c, values)),
        Cell::Channel(channel) => {
            let all = channel.length.iter().chain(channel.messages.iter().flatten());
            all.for_each(|leaf| values[*leaf] = Term::int(0));
        }
    }
}

/// A path with a message more, behind the last one or before the first that is greater.
fn queued(context: &Context<'_>, path: &Path, channel: &Channel, (message, sorted): (&[Term], bool)) -> Path {
    let mut path = path.clone();
    let length = context.length(channel);
    let old = |k: usize, f: usize| context.values[channel.messages[k][f]].clone();
    let greater = |k: usize| {
        let fields: Vec<Term> = (0..message.len()).map(|f| old(k, f)).collect();
        Term::all([Term::lt(Term::int(k), length.clone()), is_greater(&fields, message)])
    };
    // Whether the new message stands before the one that was in the place before this one.
    let mut shifted = Term::truth(false);
    for k in 0..channel.capacity {
        let end = Term::same(&length, &Term::int(k));
        let insert = if sorted { Term::any([end, greater(k)]) } else { end };
        for (f, value) in message.iter().enumerate() {
            let before = if k == 0 { Term::int(0) } else { old(k - 1, f) };
            let kept = Term::choice(&insert, value, &old(k, f));
            let moved = if sorted { Term::choice(&shifted, &before, &kept) } else { kept };
            path.values[channel.messages[k][f]] = moved;
        }
        // Behind the last message nothing moves any more.
        let more = Term::lt(Term::int(k), length.clone());
        shifted = Term::all([Term::any([shifted, insert]), more]);
    }
    if let Some(leaf) = channel.length {
        path.values[leaf] = Term::sum(&length, &Term::int(1));
    }
    path
}

/// Lexicographically.
fn is_greater(a: &[Term], b: &[Term]) -> Term {
    match (a.split_first(), b.split_first()) {
        (Some((x, a)), Some((y, b))) => {
            let later = Term::all([Term::same(x, y), is_greater(a, b)]);
            Term::any([Term::lt(y.clone(), x.clone()), later])
        }
        _ => Term::truth(false),
    }
}

/// The message in the place that was found.
fn taken(context: &Context<'_>, channel: &Channel, found: &[Term]) -> Vec<Term> {
    let field = |f: usize| {
        let value = |k: usize| context.values[channel.messages[k][f]].clone();
        let rest = (0..found.len() - 1).rev();
        rest.fold(value(found.len() - 1), |v, k| Term::choice(&found[k], &value(k), &v))
    };
    (0..channel.fields.len()).map(field).collect()
}

/// Takes the message out of the place that was found.
fn removed(context: &Context<'_>, channel: &Channel, found: &[Term], values: &mut [Term]) {
    let mut gone = Term::truth(false);
    for k in 0..channel.capacity {
        gone = Term::any([gone, found.get(k).cloned().unwrap_or_else(|| Term::truth(false))]);
        let shifts = if found.len() == 1 { Term::truth(true) } else { gone.clone() };
        for f in 0..channel.fields.len() {
            let next =
                channel.messages.get(k + 1).map_or_else(|| Term::int(0), |m| context.values[m[f]].clone());
            let leaf = channel.messages[k][f];
            values[leaf] = Term::choice(&shifts, &next, &context.values[leaf]);
        }
    }
    if let Some(leaf) = channel.length {
        values[leaf] = Term::difference(&context.length(channel), &Term::int(1));
    }
}
