//! A concrete run as a trace: who moves, at which line, and what changes.

use super::Teller;
use crate::model::Model;
use crate::trace::{Actor, Ending, Statement, Trace, TraceStep, Waiting};
use crate::values::{Change, Variable};
use shapes::answer::{self, Run};
use shapes::concrete::{Concrete, State, tuples};

impl Teller<'_> {
    /// A name for each individual: its thread and a number, or the first predicate that holds of it.
    pub(super) fn names(&self, state: &State) -> Vec<String> {
        let concrete = Concrete::new(&self.model.vocabulary);
        let of = |u: usize| {
            let at = |t: &&shapes::model::Thread| t.places.iter().any(|p| concrete.get(state, *p, [u, 0]));
            let thread = self.model.threads.iter().find(at).map(|t| t.name.clone());
            let holds = |p: &&shapes::vocabulary::Predicate| {
                p.symbol.arity() == 1 && !p.hidden && concrete.get(state, p.symbol, [u, 0])
            };
            // The class of a Java object, or the first thing that holds of it.
            let held: Vec<&str> =
                self.model.vocabulary.predicates.iter().filter(holds).map(|p| p.name.as_str()).collect();
            let class = held.iter().find_map(|name| name.strip_prefix("is[")?.strip_suffix(']'));
            let first = || class.or(held.first().copied()).map(str::to_string);
            thread.or_else(first).unwrap_or_else(|| "object".to_string())
        };
        (0..state.individuals).map(|u| format!("{}[{u}]", of(u))).collect()
    }

    /// Names for everybody that there is at some time.
    pub(super) fn all_names(&self, run: &Run) -> Vec<String> {
        let widest = run.states.iter().max_by_key(|s| s.individuals).cloned().unwrap_or_default();
        let mut names = run.states.first().map(|s| self.names(s)).unwrap_or_default();
        let later = self.names(&widest);
        names.extend(later.into_iter().skip(names.len()));
        names
    }

    pub(super) fn trace(&self, host: &Model, run: &Run, kind: answer::Kind) -> Trace {
        let names = self.all_names(run);
        let bare = |u: usize| names[u].split('[').next().unwrap_or("").to_string();
        let actors = (0..names.len()).map(|u| Actor { pid: u, name: bare(u) }).collect();
        let mut trace = Trace { actors, ..Trace::default() };
        trace.initial = run.states.first().map(|s| self.facts(s, &names)).unwrap_or_default();
        for (at, step) in run.steps.iter().enumerate() {
            let action = &self.model.actions[step.action];
            let actor = step.part.get(&0).copied().unwrap_or(0);
            let statement =
                Statement { actor, text: action.name.clone(), location: host.location(action.span) };
            let changes = self.changes(&run.states[at], &run.states[at + 1], &names);
            let born = (run.states[at].individuals..run.states[at + 1].individuals).collect();
            let fault = action.error.clone();
            trace.steps.push(TraceStep {
                actor,
                statements: vec![statement],
                changes,
                born,
                fault,
                ..TraceStep::default()
            });
        }
        trace.ending = match (kind, run.loop_start) {
            (answer::Kind::Deadlock, _) => Ending::Deadlock,
            (answer::Kind::Error, _) => Ending::Fault,
            (answer::Kind::Race, _) => Ending::Race,
            (_, Some(loop_start)) => Ending::Lasso { loop_start },
            _ => Ending::Open,
        };
        if kind == answer::Kind::Deadlock {
            trace.waiting = run.states.last().map(|s| self.waiting(host, s)).unwrap_or_default();
        }
        trace
    }

    /// Every thread that cannot move at the end, and what it could go on with.
    fn waiting(&self, host: &Model, state: &State) -> Vec<Waiting> {
        let concrete = Concrete::new(&self.model.vocabulary);
        let mut all = Vec::new();
        let stands = |u: &usize| !concrete.can_move(state, &self.model.actions, *u);
        for u in (0..state.individuals).filter(stands) {
            for thread in &self.model.threads {
                let Some(place) = thread.places.iter().find(|p| concrete.get(state, **p, [u, 0])) else {
                    continue;
                };
                let next = self.model.actions.iter().filter(|a| a.from == Some(*place) && !a.idle);
                let statements = next
                    .map(|a| Statement { actor: u, text: a.name.clone(), location: host.location(a.span) })
                    .collect();
                all.push(Waiting { actor: u, statements, valid_end: thread.ends.contains(place) });
            }
        }
        all
    }

    /// What holds at the beginning.
    pub(super) fn facts(&self, state: &State, names: &[String]) -> Vec<Variable> {
        let concrete = Concrete::new(&self.model.vocabulary);
        let core = self.model.vocabulary.predicates.iter().filter(|p| !p.hidden && p.definition.is_none());
        core.flat_map(|p| tuples(p.symbol, state.individuals).into_iter().map(move |t| (p, t)))
            .filter(|(p, tuple)| concrete.get(state, p.symbol, *tuple))
            .map(|(p, tuple)| Variable { name: told(p, tuple, names), value: "1".to_string() })
            .collect()
    }

    fn changes(&self, before: &State, after: &State, names: &[String]) -> Vec<Change> {
        let concrete = Concrete::new(&self.model.vocabulary);
        let core = self.model.vocabulary.predicates.iter().filter(|p| !p.hidden && p.definition.is_none());
        let mut all = Vec::new();
        for p in core {
            for tuple in tuples(p.symbol, after.individuals) {
                let known = tuple[..p.symbol.arity()].iter().all(|u| *u < before.individuals);
                let old = known && concrete.get(before, p.symbol, tuple);
                let new = concrete.get(after, p.symbol, tuple);
                if old != new {
                    let (before, after) = (u8::from(old).to_string(), u8::from(new).to_string());
                    all.push(Change { name: told(p, tuple, names), before, after });
                }
            }
        }
        all
    }
}

fn told(p: &shapes::vocabulary::Predicate, tuple: [usize; 2], names: &[String]) -> String {
    let arguments: Vec<&str> = tuple[..p.symbol.arity()].iter().map(|u| names[*u].as_str()).collect();
    if arguments.is_empty() { p.name.clone() } else { format!("{}({})", p.name, arguments.join(", ")) }
}
