//! A run of a fair transition system as plain data for people.

use super::replay;
use crate::prove::Source;
use crate::request::Define;
use crate::result::{Kind, Violation};
use crate::trace::{Actor, Ending, Statement, Trace, TraceStep};
use crate::values::{Change, Variable};
use logic::fol::Value;
use source::Span;
use system::fts::step::{Given, State, Taken, successors};
use system::fts::{Fts, Mode, Thread};

/// What is told of a run besides its states.
pub(crate) struct Story<'a> {
    pub(crate) kind: Kind,
    pub(crate) property: &'a str,
    pub(crate) loop_start: Option<usize>,
    pub(crate) span: Span,
}

impl Story<'_> {
    pub(crate) fn violation(
        &self,
        source: &Source,
        given: &Given,
        defines: &[Define],
        message: String,
        states: &[State],
    ) -> Violation {
        let trace = trace(source, given, states, self.loop_start);
        let recording = replay::record(source, given, defines, states, trace.ending);
        Violation {
            kind: self.kind,
            property: self.property.to_string(),
            message,
            location: source.location(self.span),
            recording,
            trace,
            shortest: self.kind == Kind::Runtime,
        }
    }
}

pub(super) fn trace(source: &Source, given: &Given, states: &[State], loop_start: Option<usize>) -> Trace {
    let fts = &source.fts;
    let mut trace = Trace { actors: Vec::new(), ..Trace::default() };
    if let Some(first) = states.first() {
        let shown = fts.variables.iter().zip(first).filter(|(v, _)| v.mode != Mode::Control);
        let variables = shown.map(|(v, value)| Variable {
            name: v.symbol.name.to_string(),
            value: text(control(fts, v), value),
        });
        trace.initial = variables.collect();
    }
    let back = loop_start.and_then(|at| states.get(at));
    let next = states.iter().skip(1).chain(back);
    for (from, to) in states.iter().zip(next) {
        let step = step(source, given, from, to, &mut trace.actors);
        trace.steps.push(step);
    }
    trace.ending = match loop_start {
        Some(loop_start) => Ending::Lasso { loop_start },
        None => Ending::Open,
    };
    if trace.actors.is_empty() {
        trace.actors.push(Actor { pid: 0, name: "system".to_string() });
    }
    trace
}

fn step(source: &Source, given: &Given, from: &State, to: &State, actors: &mut Vec<Actor>) -> TraceStep {
    let fts = &source.fts;
    let ways = successors(fts, given, from).unwrap_or_default();
    let taken = ways.into_iter().find(|(_, next)| next == to).map(|(taken, _)| taken);
    let actor = actor(fts, taken.as_ref(), actors);
    let statement = match &taken {
        Some(taken) => {
            let transition = &fts.transitions[taken.transition];
            let location = source.location(transition.span);
            Statement { actor, text: transition.text.clone(), location }
        }
        None => Statement { actor, text: "(idle)".to_string(), location: None },
    };
    let pairs = fts.variables.iter().zip(from.iter().zip(to));
    let changes = pairs.filter(|(_, (a, b))| a != b).map(|(v, (a, b))| {
        let text = |value: &Value| text(control(fts, v), value);
        Change { name: v.symbol.name.to_string(), before: text(a), after: text(b) }
    });
    TraceStep { actor, statements: vec![statement], changes: changes.collect(), ..TraceStep::default() }
}

/// Who moves: the thread whose control changes first, and which of its replicas.
fn actor(fts: &Fts, taken: Option<&Taken>, actors: &mut Vec<Actor>) -> usize {
    let transition = taken.and_then(|t| fts.transitions.get(t.transition));
    let moved = transition.and_then(|t| t.branches.first()?.updates.first().map(|(s, _)| s));
    let thread = moved.and_then(|s| fts.threads.iter().position(|t| t.control == *s));
    let name = |thread: &Thread| {
        if thread.process.is_empty() { thread.control.name.to_string() } else { thread.process.clone() }
    };
    let replica = taken.and_then(|t| t.parameters.first()).and_then(|n| usize::try_from(n).ok());
    let wanted = match thread {
        Some(at) => Actor { pid: replica.unwrap_or(at), name: name(&fts.threads[at]) },
        None => match actors.last() {
            // Idling is nobody's move.
            Some(last) => last.clone(),
            None => Actor { pid: 0, name: "system".to_string() },
        },
    };
    match actors.iter().position(|a| *a == wanted) {
        Some(at) => at,
        None => {
            actors.push(wanted);
            actors.len() - 1
        }
    }
}

/// The variables of a state, as the program calls them.
pub(super) fn variables(fts: &Fts, state: &State) -> Vec<Variable> {
    let shown = fts
        .variables
        .iter()
        .zip(state)
        .map(|(v, value)| Variable { name: v.symbol.name.to_string(), value: text(control(fts, v), value) });
    shown.collect()
}

/// The thread whose control a variable is.
fn control<'a>(fts: &'a Fts, variable: &system::fts::Variable) -> Option<&'a Thread> {
    fts.threads.iter().find(|t| t.control == variable.symbol)
}

/// A value as the program has it; where a thread is, by names of locations.
fn text(thread: Option<&Thread>, value: &Value) -> String {
    match (value, thread) {
        (Value::Int(n), Some(thread)) => {
            let location = usize::try_from(n).ok().and_then(|n| thread.locations.get(n));
            location.and_then(|l| l.labels.first()).cloned().unwrap_or_else(|| n.to_string())
        }
        (Value::Array(array), Some(_)) => {
            let entry = |(index, value): (&Value, &Value)| format!("{index}: {}", text(thread, value));
            let mut parts: Vec<String> = array.entries.iter().map(entry).collect();
            parts.push(format!("else {}", text(thread, &array.default)));
            format!("[{}]", parts.join(", "))
        }
        _ => value.to_string(),
    }
}
