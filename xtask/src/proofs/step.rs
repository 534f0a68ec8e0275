//! What the systems of `fuzz-prove` do, from the definitions: a grouped statement is its parts one
//! after the other in one step, a transition with a relation leads to every state that the relation
//! allows, who sends and who receives on a channel without places move together. Nothing here is
//! shared with weave.
//!
//! An expression without a value is a run-time error of the statement that evaluates it, and there
//! is no state behind it. A value outside of the range of its place is one too; the state with this
//! value is kept, since a program that leaves a range may be followed.
//!
//! It is not said whether a statement that waits (for a place in a channel, for a message, for the
//! other side) evaluates what it would send or where it would put a message. There, and where the
//! two readings of connectives differ, an error is doubtful, and weave is not blamed.

use super::control::{Act, Edge, edges};
use super::first::values;
use super::model::*;
use super::number::{Fraction, Gone, Sure};
use super::value::{Datum, Here, State, first_place};

/// A system ready to be executed for a value of the constant.
pub struct Machine<'a> {
    pub system: &'a System,
    pub constant: i64,
    pub(super) edges: Vec<Vec<Edge>>,
}

/// An edge of a thread with this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub thread: usize,
    pub edge: usize,
    pub index: i64,
}

#[derive(Clone, Debug)]
pub enum Which {
    Edge(Part),
    /// A sender and a receiver.
    Pair(Part, Part),
    /// One of these, alone.
    Alone(Part),
    /// A transition, with its index.
    Transition(usize, i64),
}

/// A fair thing.
#[derive(Clone, Debug)]
pub struct Mover {
    pub fairness: Fairness,
    pub which: Which,
}

/// What comes of a step.
#[derive(Debug, Default)]
pub struct After {
    pub states: Vec<State>,
    /// There are more states than these.
    pub more: bool,
    /// There is a run-time error.
    pub error: bool,
    /// There may be one.
    pub uncertain: bool,
}

impl After {
    fn states(states: Vec<State>) -> After {
        After { states, ..After::default() }
    }

    /// A state with a new value, and whether that is in its range.
    fn written((state, fits): (State, bool)) -> After {
        After { states: vec![state], error: !fits, ..After::default() }
    }

    pub fn add(&mut self, other: After) {
        self.states.extend(other.states);
        self.more |= other.more;
        self.error |= other.error;
        self.uncertain |= other.uncertain;
    }
}

/// An outcome of both readings.
pub(super) fn judged(wide: Sure<After>, lazy: Sure<After>) -> Sure<After> {
    match (wide, lazy) {
        (Err(Gone::Lost), _) | (_, Err(Gone::Lost)) => Err(Gone::Lost),
        (Err(Gone::Void), _) => Ok(After { error: true, ..After::default() }),
        (Ok(wide), Err(Gone::Void)) => Ok(After { uncertain: true, ..wide }),
        (Ok(wide), Ok(_)) => Ok(wide),
    }
}

impl<'a> Machine<'a> {
    pub fn new(system: &'a System, constant: i64) -> Machine<'a> {
        let edges = system.threads.iter().map(|t| edges(system, t)).collect();
        Machine { system, constant, edges }
    }

    pub fn movers(&self) -> Vec<Mover> {
        let mut all = Vec::new();
        for part in self.parts() {
            if self.communication(part).is_some() {
                all.push(Mover { fairness: Fairness::Unfair, which: Which::Alone(part) });
                self.pairs(part, &mut all);
            } else {
                let fairness = self.edge(part).fairness.clone();
                all.push(Mover { fairness, which: Which::Edge(part) });
            }
        }
        for (at, t) in self.system.transitions.iter().enumerate() {
            for index in 0..t.family.unwrap_or(1) as i64 {
                let which = Which::Transition(at, index);
                all.push(Mover { fairness: t.fairness.clone(), which });
            }
        }
        all
    }

    fn parts(&self) -> Vec<Part> {
        let mut all = Vec::new();
        for (thread, t) in self.system.threads.iter().enumerate() {
            for edge in 0..self.edges[thread].len() {
                for index in 0..=i64::from(t.replicated) {
                    all.push(Part { thread, edge, index });
                }
            }
        }
        all
    }

    pub(super) fn edge(&self, part: Part) -> &Edge {
        &self.edges[part.thread][part.edge]
    }

    pub(super) fn seat(&self, part: Part) -> usize {
        first_place(self.system, part.thread) + part.index as usize
    }

    /// The statement of an edge that moves together with another one.
    pub(super) fn communication(&self, part: Part) -> Option<&Statement> {
        let (Act::Do(s) | Act::When(_, s)) = &self.edge(part).act else { return None };
        match s {
            Statement::Send(c, _) | Statement::Receive(c, _) if self.system.is_synchronous(c) => Some(s),
            _ => None,
        }
    }

    /// A sender with all that may receive.
    fn pairs(&self, sender: Part, all: &mut Vec<Mover>) {
        let Some(Statement::Send(c, _)) = self.communication(sender) else { return };
        for receiver in self.parts() {
            let fits = match self.communication(receiver) {
                Some(Statement::Receive(d, _)) => c.0 == d.0,
                _ => false,
            };
            if fits && self.seat(sender) != self.seat(receiver) {
                let which = Which::Pair(sender, receiver);
                all.push(Mover { fairness: Fairness::Compassionate, which });
            }
        }
    }

    pub fn here<'s>(&'s self, state: &'s State) -> Here<'s> {
        let (system, constant) = (self.system, self.constant);
        Here { system, state, next: None, index: [0; 4], constant, lazy: false }
    }

    pub(super) fn at<'s>(&'s self, state: &'s State, index: i64, lazy: bool) -> Here<'s> {
        Here { index: [index, 0, 0, 0], lazy, ..self.here(state) }
    }

    pub fn steps(&self, mover: &Mover, state: &State) -> Sure<After> {
        let mut after = match &mover.which {
            Which::Edge(part) => self.thread_steps(*part, state)?,
            Which::Pair(sender, receiver) => self.pair_steps(*sender, *receiver, state)?,
            Which::Alone(part) => self.alone(*part, state),
            Which::Transition(at, index) => {
                let mut all = After::default();
                for case in &self.system.transitions[*at].cases {
                    let of = |lazy: bool| self.case_steps(case, self.at(state, *index, lazy));
                    all.add(judged(of(false), of(true))?);
                }
                all
            }
        };
        after.states.sort();
        after.states.dedup();
        Ok(after)
    }

    fn thread_steps(&self, part: Part, state: &State) -> Sure<After> {
        let (edge, seat) = (self.edge(part), self.seat(part));
        if state.places[seat] != edge.from {
            return Ok(After::default());
        }
        let test = |c: &Test, lazy: bool| self.at(state, part.index, lazy).test(c, 1);
        match &edge.act {
            Act::Branch(c, otherwise) => {
                let of = |lazy: bool| {
                    let to = if test(c, lazy)? { edge.to } else { *otherwise };
                    Ok(After::states(vec![moved(state.clone(), seat, to)]))
                };
                judged(of(false), of(true))
            }
            Act::When(c, s) => {
                let guarded = [Statement::Await(c.clone()), s.clone()];
                self.arriving(self.execute(&guarded, state, part.index)?, seat, edge.to)
            }
            Act::Do(s) => {
                let after = self.execute(std::slice::from_ref(s), state, part.index)?;
                self.arriving(after, seat, edge.to)
            }
        }
    }

    fn arriving(&self, mut after: After, seat: usize, to: usize) -> Sure<After> {
        after.states.iter_mut().for_each(|s| s.places[seat] = to);
        Ok(after)
    }

    /// Statements one after the other.
    fn execute(&self, all: &[Statement], state: &State, index: i64) -> Sure<After> {
        let mut result = After::states(vec![state.clone()]);
        for s in all {
            for state in std::mem::take(&mut result.states) {
                let after = match s {
                    Statement::Group(body) => self.execute(body, &state, index)?,
                    Statement::If(c, then, otherwise) => {
                        let branch = |lazy: bool| self.at(&state, index, lazy).test(c, 1);
                        self.chosen(branch, [then, otherwise], &state, index)?
                    }
                    s => {
                        let of = |lazy: bool| self.single(s, self.at(&state, index, lazy));
                        judged(of(false), of(true))?
                    }
                };
                result.add(after);
            }
        }
        Ok(result)
    }

    fn chosen(
        &self,
        branch: impl Fn(bool) -> Sure<bool>,
        [then, otherwise]: [&Vec<Statement>; 2],
        state: &State,
        index: i64,
    ) -> Sure<After> {
        match branch(false) {
            Err(Gone::Void) => Ok(After { error: true, ..After::default() }),
            Err(Gone::Lost) => Err(Gone::Lost),
            Ok(truth) => {
                let body = if truth { then } else { otherwise };
                let mut after = self.execute(body, state, index)?;
                after.uncertain |= branch(true).is_err();
                Ok(after)
            }
        }
    }

    fn single(&self, s: &Statement, here: Here) -> Sure<After> {
        let state = here.state;
        Ok(match s {
            Statement::Skip
            | Statement::Critical
            | Statement::Noncritical
            | Statement::Idle
            | Statement::Consume(_) => After::states(vec![state.clone()]),
            Statement::Assign(pairs) => After::written(here.assigned(pairs)?),
            Statement::Await(c) => {
                After::states(if here.test(c, 1)? { vec![state.clone()] } else { Vec::new() })
            }
            Statement::Choose(v) => self.chosen_value(*v, false, state),
            Statement::Produce(v) => self.chosen_value(*v, true, state),
            Statement::Request(place) => {
                let value = here.read(place)?;
                if !Fraction::int(0).less(value) {
                    return Ok(After::default());
                }
                After::written(here.written(place, value.add(Fraction::int(-1))?)?)
            }
            Statement::Release(place) => {
                After::written(here.written(place, here.read(place)?.add(Fraction::int(1))?)?)
            }
            Statement::Send(c, e) => self.send(c, e, here)?,
            Statement::Receive(c, place) => self.receive(c, place, here)?,
            Statement::Group(_) | Statement::If(..) => return Err(Gone::Lost),
            Statement::While(..) | Statement::Or(_) => return Err(Gone::Lost),
        })
    }

    /// Any value of a variable; not 0 if it is an integer that is produced.
    fn chosen_value(&self, v: Var, produced: bool, state: &State) -> After {
        let kind = &self.system.variables[v].kind;
        let (values, complete) = values(kind);
        let zero = Datum::Num(Fraction::int(0));
        let produced = produced && matches!(kind, Kind::Range(..) | Kind::Int);
        let kept = values.into_iter().filter(|d| !produced || *d != zero);
        let with = |d: Datum| {
            let mut next = state.clone();
            next.data[v] = d;
            next
        };
        After { states: kept.map(with).collect(), more: !complete, ..After::default() }
    }

    fn case_steps(&self, case: &Case, here: Here) -> Sure<After> {
        if let Some(c) = &case.enable
            && !here.test(c, 1)?
        {
            return Ok(After::default());
        }
        let (assigned, fits) = here.assigned(&case.assign)?;
        let Some(relation) = &case.relation else { return Ok(After::written((assigned, fits))) };
        let mut after = After { error: !fits, ..After::default() };
        for candidate in self.candidates(case, relation, assigned, &mut after.more) {
            match (Here { next: Some(&candidate), ..here }).test(relation, 1) {
                Ok(true) => after.states.push(candidate),
                Ok(false) => {}
                Err(Gone::Void) => after.uncertain = true,
                Err(Gone::Lost) => return Err(Gone::Lost),
            }
        }
        Ok(after)
    }

    /// States with all new values of the variables that a relation speaks of.
    fn candidates(&self, case: &Case, relation: &Test, from: State, more: &mut bool) -> Vec<State> {
        let mut free = Vec::new();
        primed(relation, &mut free);
        let is_assigned = |v: &Var| case.assign.iter().any(|(p, _)| matches!(p, Place::Var(w) if w == v));
        free.retain(|v| !is_assigned(v));
        let mut candidates = vec![from];
        for v in free {
            let (choices, complete) = values(&self.system.variables[v].kind);
            *more |= !complete;
            let each = |s: &State| {
                let with = |d: &Datum| {
                    let mut s = s.clone();
                    s.data[v] = d.clone();
                    s
                };
                choices.iter().map(with).collect::<Vec<_>>()
            };
            candidates = candidates.iter().flat_map(each).collect();
        }
        candidates
    }
}

pub(super) fn moved(mut state: State, place: usize, to: usize) -> State {
    state.places[place] = to;
    state
}

/// The variables whose new value a relation speaks of.
fn primed(t: &Test, found: &mut Vec<Var>) {
    match t {
        Test::Next(v) | Test::NextNamed(v, _) if !found.contains(v) => found.push(*v),
        Test::Not(a) | Test::Quantified(_, _, a) => primed(a, found),
        Test::Binary(_, a, b) => {
            primed(a, found);
            primed(b, found);
        }
        Test::Compare(_, a, b) => {
            primed_num(a, found);
            primed_num(b, found);
        }
        _ => {}
    }
}

fn primed_num(e: &Num, found: &mut Vec<Var>) {
    match e {
        Num::Next(v) if !found.contains(v) => found.push(*v),
        Num::Negate(a) | Num::Element(_, a) | Num::Table(a) => primed_num(a, found),
        Num::Binary(_, a, b) => {
            primed_num(a, found);
            primed_num(b, found);
        }
        Num::If(c, a, b) => {
            primed(c, found);
            primed_num(a, found);
            primed_num(b, found);
        }
        _ => {}
    }
}
