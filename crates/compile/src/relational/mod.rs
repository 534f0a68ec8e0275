//! Systems as fair transition systems: [`of`] translates, exactly or not at all.
//!
//! A symbolic execution of the reference stepper (`system::reference`), at each location of
//! each process that there is room for: `shape` says for which, `layout` which variables a state
//! has. Every move becomes a branch, its condition the guard, the symbolic state the updates.
//! Control is given up where it cannot be used (`settle`) by substitution: whether a process can go
//! on *after* a step is what its own moves say, with the updates in the place of the variables.
//!
//! A fault leads to a state of its own: the variable `fault` has its number, all else stays, and
//! nothing follows. An assertion that fails does this besides the step itself. A process without
//! room leads to such a state too, [`BEYOND`]: who asks must see whether it is reachable.
//!
//! What is not translated is refused (`refuse`). `back` makes runs of the system from paths of the
//! relation; nothing is shown that the reference stepper of the system has not executed.

mod back;
mod execute;
mod layout;
mod observe;
mod read;
mod refuse;
mod shape;
mod step;

pub use back::Broken;
pub use observe::Unobservable;
pub use refuse::{NotRelational, Reason};
pub use shape::{MAX_SLOTS, Shape};

use layout::Layout;
use logic::fol::{Term, Value};
use num_traits::ToPrimitive;
use read::{Context, Wrong};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use step::{At, End, Outcome, Stepping, any};
use system::fts::{Branch, Fairness, Fts, Transition};
use system::walk::reads_of_system;
use system::{Fault, Read, Reference, State, System};

/// The fault of a state in which there is no room for a process that is created.
pub const BEYOND: usize = 99;

/// More branches than this are no relation.
const MAX_BRANCHES: usize = 20_000;

/// A system as a relation.
pub struct Relation<'a> {
    /// The system that was translated.
    pub system: &'a System,
    /// Its translation.
    pub fts: Fts,
    /// That no process can move and some process is not at a valid end.
    pub deadlock: Term,
    layout: Layout,
    /// The faults that some step leads to.
    faults: BTreeSet<usize>,
}

/// The system as a relation, with room for the processes of a shape.
pub fn of<'a>(system: &'a System, shape: &Shape) -> Result<Relation<'a>, NotRelational> {
    plain_priorities(system)?;
    let mut layout = Layout::new(system, shape)?;
    let reference = Reference::new(system);
    let fault = |fault: Fault| NotRelational::new(Reason::Initial(fault.to_string()));
    let first = reference.initial().map_err(fault)?;
    let first = layout.encode(&first).ok_or_else(|| NotRelational::new(Reason::NoScalar))?;
    // What no step changes is its first value; knowing it, fewer steps change others.
    loop {
        let (fts, deadlock) = made(system, &layout, &first)?;
        let updates = fts.transitions.iter().flat_map(|t| &t.branches).flat_map(|b| &b.updates);
        let changed: BTreeSet<usize> = updates.filter_map(|(s, _)| layout.leaf_of(s)).collect();
        let kept = first.iter().enumerate().filter(|(leaf, _)| !changed.contains(leaf));
        if !layout.fix(kept.map(|(leaf, value)| (leaf, value.term()))) {
            let faults = faults(&fts, &layout);
            return Ok(Relation { system, fts, deadlock, layout, faults });
        }
    }
}

/// The relation over the variables of a layout, and where no process can move.
fn made(system: &System, layout: &Layout, first: &[Value]) -> Result<(Fts, Term), NotRelational> {
    let builder = Builder { system, layout };
    let eager = builder.moves(false)?;
    let blocked = Term::negation(builder.enabled(&eager));
    let lazy = if reads_timeout(system) { later(&eager, builder.moves(true)?) } else { Vec::new() };
    let able = eager.iter().map(|(at, moves)| (*at, any(moves))).collect();
    let mut transitions = Vec::new();
    for (at, moves) in &eager {
        builder.transitions(*at, moves, (&Term::truth(true), &able), &mut transitions);
    }
    for (at, moves) in &lazy {
        builder.transitions(*at, moves, (&blocked, &able), &mut transitions);
    }
    let sound = Term::same(&layout.term(layout.fault), &Term::int(0));
    let deadlock = Term::all([sound, blocked, Term::negation(builder.enabled(&lazy)), builder.unfinished()]);
    let equal = |(v, value): (&system::fts::Variable, &Value)| Term::eq(v.symbol.term(), value.term());
    let fts = Fts {
        name: system.name.clone(),
        variables: layout.variables.clone(),
        initial: Term::all(layout.variables.iter().zip(first).map(equal)),
        transitions,
        ..Fts::default()
    };
    Ok((fts, deadlock))
}

/// The faults that branches lead to.
fn faults(fts: &Fts, layout: &Layout) -> BTreeSet<usize> {
    let updates = fts.transitions.iter().flat_map(|t| &t.branches).flat_map(|b| &b.updates);
    let of_fault = updates.filter(|(s, _)| layout.leaf_of(s) == Some(layout.fault));
    of_fault.filter_map(|(_, value)| value.as_number()?.to_usize()).collect()
}

/// Refuses what speaks of priorities.
fn plain_priorities(system: &System) -> Result<(), NotRelational> {
    let ranked = system.scheduling.as_ref().is_some_and(|d| d.priorities);
    if ranked || system.initial.iter().any(|creation| creation.priority != 1) {
        return Err(NotRelational::new(Reason::Priorities));
    }
    Ok(())
}

fn reads_timeout(system: &System) -> bool {
    let mut found = false;
    reads_of_system(system, &mut |read| found |= *read == Read::Timeout);
    found
}

type Moves = Vec<(At, Vec<Outcome>)>;

/// What a timeout adds: moves that are there without it need not be said again.
fn later(eager: &Moves, all: Moves) -> Moves {
    let same = |a: &Outcome, b: &Outcome| a.when == b.when && a.transition == b.transition;
    let mut new = Moves::new();
    for ((_, early), (at, late)) in eager.iter().zip(all) {
        let late = late.into_iter().filter(|m| !early.iter().any(|e| same(e, m)));
        new.push((at, late.collect()));
    }
    new
}

struct Builder<'a> {
    system: &'a System,
    layout: &'a Layout,
}

impl Builder<'_> {
    /// The moves of each process at each of its points.
    fn moves(&self, timeout: bool) -> Result<Moves, NotRelational> {
        let stepping = Stepping::new(self.system, self.layout, timeout);
        let (mut all, mut count) = (Vec::new(), 0);
        for (slot, types) in self.layout.slots.iter().enumerate() {
            for process_type in types.types.keys() {
                for point in 0..self.system.process_types[*process_type].points.len() {
                    let deterministic = self.system.scheduling.as_ref();
                    let inside = deterministic
                        .is_some_and(|d| d.process_types[*process_type].points[point].deterministic);
                    if inside {
                        continue;
                    }
                    let at = At { slot, process_type: *process_type, point };
                    let moves = stepping.moves_of(at)?;
                    count += moves.len();
                    if count > MAX_BRANCHES {
                        return Err(NotRelational::new(Reason::Large("steps")));
                    }
                    all.push((at, moves));
                }
            }
        }
        Ok(all)
    }

    fn context<'b>(&'b self, values: &'b [Term]) -> Context<'b> {
        Context { system: self.system, layout: self.layout, values, who: None, timeout: false }
    }

    /// Where a process is and may be looked at.
    fn turn(&self, at: At) -> Term {
        let slot = &self.layout.slots[at.slot];
        let here = Term::int(slot.at(at.process_type, at.point));
        let here = Term::same(&self.layout.term(slot.location), &here);
        let sound = Term::same(&self.layout.term(self.layout.fault), &Term::int(0));
        let control = self.layout.control.map(|leaf| {
            let control = self.layout.term(leaf);
            let is = |n: usize| Term::same(&control, &Term::int(n));
            Term::any([is(0), is(at.slot + 1)])
        });
        Term::all([here, sound].into_iter().chain(control))
    }

    /// Where some process can move.
    fn enabled(&self, moves: &Moves) -> Term {
        Term::any(moves.iter().map(|(at, moves)| Term::all([self.turn(*at), any(moves)])))
    }

    /// That some process is not at a valid end.
    fn unfinished(&self) -> Term {
        let values: Vec<Term> = (0..self.layout.variables.len()).map(|l| self.layout.term(l)).collect();
        self.context(&values).somewhere(&|point| !point.valid_end)
    }

    /// The moves of a process at a point as transitions, one for each of the system.
    fn transitions(
        &self,
        at: At,
        moves: &[Outcome],
        (when, able): (&Term, &BTreeMap<At, Term>),
        all: &mut Vec<Transition>,
    ) {
        let turn = Term::all([self.turn(at), when.clone()]);
        if turn.is_false() {
            return;
        }
        let process_type = &self.system.process_types[at.process_type];
        let mut by_transition: BTreeMap<Option<usize>, Vec<Branch>> = BTreeMap::new();
        for outcome in moves {
            let guard = Term::all([turn.clone(), outcome.when.clone()]);
            let branches = by_transition.entry(outcome.transition).or_default();
            self.branches(&guard, &outcome.end, able, branches);
        }
        for (transition, branches) in by_transition {
            let declared = transition.map(|t| &process_type.transitions[t]);
            let number = transition.map_or_else(String::new, |t| format!(".{t}"));
            all.push(Transition {
                name: format!("{}{}{number}", process_type.name.trim_matches(':'), at.slot),
                parameters: Vec::new(),
                branches,
                fairness: Fairness::None,
                text: declared.map_or_else(String::new, |t| t.text.clone()),
                span: declared.map_or_else(Span::default, |t| t.span),
            });
        }
    }

    fn branches(&self, guard: &Term, end: &End, able: &BTreeMap<At, Term>, to: &mut Vec<Branch>) {
        if guard.is_false() {
            return;
        }
        let fault = self.layout.variables[self.layout.fault].symbol.clone();
        match end {
            End::Wrong(wrong) => {
                to.push(Branch::new(guard.clone(), vec![(fault, Term::int(number(*wrong)))]));
            }
            End::State { values, failed, holder } => {
                let mut values = values.clone();
                if let (Some(leaf), Some(holder)) = (self.layout.control, holder) {
                    let able = able.get(holder).cloned().unwrap_or_else(|| Term::truth(false));
                    let able = able.substitute(&|s| self.layout.leaf_of(s).map(|l| values[l].clone()));
                    values[leaf] = Term::choice(&able, &values[leaf], &Term::int(0));
                }
                let changed = values.into_iter().enumerate().filter(|(l, v)| *v != self.layout.term(*l));
                let update = |(l, v): (usize, Term)| (self.layout.variables[l].symbol.clone(), v);
                to.push(Branch::new(guard.clone(), changed.map(update).collect()));
                if !failed.is_false() {
                    let assertion = Term::int(number(Wrong::Fault(Fault::Assertion)));
                    let guard = Term::all([guard.clone(), failed.clone()]);
                    to.push(Branch::new(guard, vec![(fault, assertion)]));
                }
            }
        }
    }
}

/// The number of a fault in a state: 1 is an assertion.
fn number(wrong: Wrong) -> usize {
    match wrong {
        Wrong::Beyond => BEYOND,
        Wrong::Fault(fault) => match space::Fault::from(fault) {
            space::Fault::Runtime(n) => 2 + usize::from(n),
            _ => 1,
        },
    }
}

fn fault_of(number: usize) -> Option<Fault> {
    match number {
        1 => Some(Fault::Assertion),
        n => Fault::of(space::Fault::Runtime(u16::try_from(n.checked_sub(2)?).ok()?)),
    }
}

impl Relation<'_> {
    /// The values of a state; none if there is no room for its processes.
    pub fn encode(&self, state: &State) -> Option<Vec<Value>> {
        self.layout.encode(state)
    }

    /// The state that values stand for, and its fault.
    pub fn decode(&self, values: &[Value]) -> Option<(State, usize)> {
        self.layout.decode(values)
    }

    fn fault_is(&self, wanted: impl Fn(usize) -> bool) -> Term {
        let fault = self.layout.term(self.layout.fault);
        let numbers = self.faults.iter().filter(|n| wanted(**n));
        Term::any(numbers.map(|n| Term::same(&fault, &Term::int(*n))))
    }

    /// That an assertion has failed.
    pub fn assertion(&self) -> Term {
        self.fault_is(|n| n == 1)
    }

    /// That an error of execution has happened.
    pub fn runtime(&self) -> Term {
        self.fault_is(|n| n != 1 && n != BEYOND)
    }

    /// That a process was created that there is no room for.
    pub fn beyond(&self) -> Term {
        self.fault_is(|n| n == BEYOND)
    }

    /// That an observer sees the state.
    pub fn seen(&self) -> Term {
        let free = |leaf| Term::same(&self.layout.term(leaf), &Term::int(0));
        self.layout.control.map_or_else(|| Term::truth(true), free)
    }

    /// The relation with the values that each variable may have by its type, for proofs.
    pub fn bounded(&self) -> Fts {
        Fts { variables: self.layout.bounded(), ..self.fts.clone() }
    }
}
