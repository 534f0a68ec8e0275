//! Event traces: `trace` and `notrace` as properties of a system that keeps track of them.
//!
//! A trace names channels; every send to (receive from) a channel that it names in a send (receive)
//! is an event, and the trace moves with each. The place in the trace is a variable `_event` that
//! the statements of all processes carry along: behind each send and receive stands an assignment
//! of where the trace goes. A `trace` is broken when an event finds no match; a `notrace` when the
//! trace is matched to its end, and it is given up when an event finds no match. Constants and
//! `eval` in messages must match, all else does not matter, as in SPIN. A trace in which two events
//! could match at once is refused; that a run ends before the trace does is not taken for an error
//! (SPIN calls it an invalid end state).

use super::properties::Uncheckable;
use logic::{Binary, IntType, Sort, Term};
use std::collections::HashSet;
use system::{
    Expr, Initial, LocationId, Object, ObjectKind, Operation, Pattern, Place, ProcessRules, ProcessType,
    Property, Read, Root, System, Transition,
};

/// An event that a trace waits for: what it is, and where it leads.
#[derive(Clone)]
struct Event {
    sends: bool,
    channel: Expr,
    /// Fields that must have a value.
    fields: Vec<(usize, Expr)>,
    to: i64,
}

struct Trace<'a> {
    process_type: &'a ProcessType,
    rules: &'a ProcessRules,
    forbidden: bool,
}

/// The system that keeps track, and the property that the trace is never broken.
pub(crate) fn property(
    system: &System,
    process_type: &ProcessType,
    rules: &ProcessRules,
    forbidden: bool,
) -> Result<(System, Property), Uncheckable> {
    let trace = Trace { process_type, rules, forbidden };
    let points: Vec<Vec<Event>> =
        (0..process_type.points.len()).map(|p| trace.events(p)).collect::<Result<_, _>>()?;
    points.iter().try_for_each(|events| is_deterministic(events))?;
    let sorts = |e: &Event| field_sorts(system, &e.channel).ok_or(Uncheckable::LocalChannel);
    let sorts: Vec<Vec<Vec<Sort>>> =
        points.iter().map(|events| events.iter().map(sorts).collect()).collect::<Result<_, _>>()?;
    let mut system = system.clone();
    let event = Place::global(system.globals.len());
    let initial = Initial::Term(Term::Constant(trace.number(process_type.entry)));
    let sort = Sort::Machine(IntType::SHORT);
    system.globals.push(Object::variable("_event", sort, initial));
    let tracker = Tracker { trace: &trace, points: &points, sorts: &sorts, event: event.clone() };
    for id in 0..system.process_types.len() {
        let scratch = system.process_types[id].objects.len();
        let mut most = 0;
        for transition in &mut system.process_types[id].transitions {
            tracker.follow(transition, scratch, &mut most)?;
        }
        let field = |k| Object::variable(&format!("_field{k}"), Sort::Machine(IntType::INT), Initial::Zero);
        system.process_types[id].objects.extend((0..most).map(field));
    }
    let fine = Term::binary(Binary::NotEqual, event.read(), Term::Constant(trace.broken()));
    Ok((system, always(fine, process_type)))
}

fn always(term: Expr, process_type: &ProcessType) -> Property {
    use logic::ltl::{Formula, Unary};
    let always = Formula::unary(Unary::Always, Formula::Atom(0));
    Property { span: process_type.span, ..Property::about("trace", term, always) }
}

impl Trace<'_> {
    /// The value of `_event` at a point.
    fn number(&self, point: LocationId) -> i64 {
        let mut own = self.process_type.transitions.iter().filter(|t| t.pre == point);
        if own.any(|t| t.command.contains(&Operation::Stop)) { self.end() } else { point as i64 }
    }

    fn end(&self) -> i64 {
        self.process_type.points.len() as i64
    }

    /// No event has matched where one had to.
    fn lost(&self) -> i64 {
        self.end() + 1
    }

    fn broken(&self) -> i64 {
        if self.forbidden { self.end() } else { self.lost() }
    }

    /// The events that the trace waits for at a point, jumps followed.
    fn events(&self, point: LocationId) -> Result<Vec<Event>, Uncheckable> {
        let (mut events, mut open, mut seen) = (Vec::new(), vec![point], HashSet::from([point]));
        while let Some(at) = open.pop() {
            for choice in self.rules.points[at].tiers.iter().flat_map(|tier| &tier.choices) {
                let transition = &self.process_type.transitions[choice.transition];
                let unknown = || Uncheckable::NoEvent(transition.text.clone());
                if choice.otherwise || !transition.guard.is_true() {
                    return Err(unknown());
                }
                let to = self.number(transition.post);
                match &transition.command[..] {
                    [] if seen.insert(transition.post) => open.push(transition.post),
                    [] | [Operation::Stop] => {}
                    [operation] => events.push(event(operation, to).ok_or_else(unknown)?),
                    _ => return Err(unknown()),
                }
            }
        }
        Ok(events)
    }
}

fn event(operation: &Operation, to: i64) -> Option<Event> {
    match operation {
        Operation::Send { channel, message, .. } => {
            let constants = message.iter().enumerate().filter(|(_, m)| matches!(m, Term::Constant(_)));
            let fields = constants.map(|(i, m)| (i, m.clone())).collect();
            Some(Event { sends: true, channel: channel.clone(), fields, to })
        }
        Operation::Receive { channel, patterns, .. } => {
            let matched = |(i, p): (usize, &Pattern)| match p {
                Pattern::Match(value) => Some((i, value.clone())),
                Pattern::Bind(_) | Pattern::Ignore => None,
            };
            let fields = patterns.iter().enumerate().filter_map(matched).collect();
            Some(Event { sends: false, channel: channel.clone(), fields, to })
        }
        _ => None,
    }
}

/// Whether no two events can match at once.
fn is_deterministic(events: &[Event]) -> Result<(), Uncheckable> {
    let apart = |a: &Event, b: &Event| {
        let differ = |(i, x): &(usize, Expr)| {
            let other = b.fields.iter().find(|(j, _)| i == j).map(|(_, y)| y);
            matches!((x, other), (Term::Constant(x), Some(Term::Constant(y))) if x != y)
        };
        a.sends != b.sends || a.channel != b.channel || a.fields.iter().any(differ)
    };
    let pairs = events.iter().enumerate().flat_map(|(i, a)| events[..i].iter().map(move |b| (a, b)));
    match pairs.into_iter().all(|(a, b)| a.to == b.to || apart(a, b)) {
        true => Ok(()),
        false => Err(Uncheckable::Ambiguous),
    }
}

struct Tracker<'a> {
    trace: &'a Trace<'a>,
    /// By point of the trace.
    points: &'a [Vec<Event>],
    /// By point and event: what the fields of its channel hold.
    sorts: &'a [Vec<Vec<Sort>>],
    event: Place,
}

impl Tracker<'_> {
    /// Puts the moves of the trace behind the operations of a transition.
    fn follow(
        &self,
        transition: &mut Transition,
        scratch: usize,
        most: &mut usize,
    ) -> Result<(), Uncheckable> {
        let mut command = Vec::new();
        for mut operation in std::mem::take(&mut transition.command) {
            let moved = self.after(&mut operation, scratch, most);
            command.push(operation);
            command.extend(moved);
        }
        transition.command = command;
        Ok(())
    }

    /// What follows an operation: the trace moves, and fields that were kept for it are forgotten.
    fn after(&self, operation: &mut Operation, scratch: usize, most: &mut usize) -> Vec<Operation> {
        match operation {
            Operation::Send { channel, message, .. } if self.is_watched(true) => {
                vec![self.go(true, channel, message)]
            }
            Operation::Receive { channel, patterns, mode } if self.is_watched(false) && !mode.copy => {
                let kept = keep_fields(patterns, scratch);
                *most = (*most).max(kept.len());
                let message: Vec<Expr> = patterns.iter().map(value).collect();
                let forget = kept.into_iter().map(|target| Operation::Assign { target, value: Term::FALSE });
                std::iter::once(self.go(false, channel, &message)).chain(forget).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_watched(&self, sends: bool) -> bool {
        self.points.iter().flatten().any(|e| e.sends == sends)
    }

    /// The assignment of where the trace goes with a message on a channel.
    fn go(&self, sends: bool, channel: &Expr, message: &[Expr]) -> Operation {
        let here = self.event.clone().read();
        let mut next = Term::Constant(self.trace.lost());
        for (point, events) in self.points.iter().enumerate() {
            for (event, sorts) in events.iter().zip(&self.sorts[point]).filter(|(e, _)| e.sends == sends) {
                let at = Term::binary(Binary::Equal, here.clone(), Term::Constant(point as i64));
                let on = Term::binary(Binary::Equal, channel.clone(), event.channel.clone());
                let condition =
                    event.fields.iter().fold(both(at, on), |all, (i, wanted)| match message.get(*i) {
                        Some(value) => {
                            let stored = stored(value.clone(), sorts.get(*i));
                            both(all, Term::binary(Binary::Equal, stored, wanted.clone()))
                        }
                        None => all,
                    });
                next = Term::conditional(condition, Term::Constant(event.to), next);
            }
        }
        // A trace that is lost stays so, a forbidden one that is matched too; events on other
        // channels are none.
        let last = if self.trace.forbidden { self.trace.end() } else { self.trace.lost() };
        let over = Term::binary(Binary::GreaterEqual, here.clone(), Term::Constant(last));
        let mut channels: Vec<&Expr> = Vec::new();
        for event in self.points.iter().flatten().filter(|e| e.sends == sends) {
            if !channels.contains(&&event.channel) {
                channels.push(&event.channel);
            }
        }
        let named = |c: &&Expr| Term::binary(Binary::Equal, channel.clone(), (*c).clone());
        let elsewhere = channels.iter().map(named).reduce(|a, b| Term::binary(Binary::Or, a, b));
        let elsewhere = Term::unary(logic::Unary::Not, elsewhere.unwrap_or(Term::FALSE));
        let stays = Term::binary(Binary::Or, over, elsewhere);
        let value = Term::conditional(stays, here, next);
        Operation::Assign { target: self.event.clone(), value }
    }
}

/// What is stored of a value in a field.
fn stored(value: Expr, sort: Option<&Sort>) -> Expr {
    match sort.and_then(Sort::machine) {
        Some(int) => Term::wrap(int, value),
        None => value,
    }
}

/// The sorts of the fields of a global channel, or of the first in an array.
fn field_sorts(system: &System, channel: &Expr) -> Option<Vec<Sort>> {
    let Term::Atom(Read::Place(Place { root: Root::Global(variable), .. })) = channel else { return None };
    let ObjectKind::Variable { initial, .. } = &system.globals[*variable].kind else { return None };
    let first = match initial {
        Initial::Parts(parts) => parts.first()?,
        other => other,
    };
    let Initial::Term(Term::Atom(Read::Handle(Root::Global(object)))) = first else { return None };
    match &system.globals[*object].kind {
        ObjectKind::Channel { fields, .. } => Some(fields.clone()),
        ObjectKind::Variable { .. } => None,
    }
}

fn both(a: Expr, b: Expr) -> Expr {
    Term::binary(Binary::And, a, b)
}

/// Fields that go nowhere are kept in variables of their own; these.
fn keep_fields(patterns: &mut [Pattern], scratch: usize) -> Vec<Place> {
    let mut kept = Vec::new();
    for pattern in patterns.iter_mut().filter(|p| **p == Pattern::Ignore) {
        let place = Place::local(scratch + kept.len());
        *pattern = Pattern::Bind(place.clone());
        kept.push(place);
    }
    kept
}

/// The value of a field after the receive.
fn value(pattern: &Pattern) -> Expr {
    match pattern {
        Pattern::Bind(place) => place.clone().read(),
        Pattern::Match(value) => value.clone(),
        Pattern::Ignore => Term::FALSE,
    }
}
