//! What the systems of `fuzz-prove` do, from the definitions: numbers are fractions, division of integers is Euclidean, `/` is exact where a
//! real number is expected, a grouped statement is its parts one after the other in one step, a transition with a relation leads to
//! every state that the relation allows. Nothing here is shared with weave.

use super::model::*;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fraction(i128, i128);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Datum {
    Num(Fraction),
    Bool(bool),
    Many(Vec<Fraction>),
}

/// Values of the variables, then where each thread is; a replicated thread is two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub data: Vec<Datum>,
    pub places: Vec<usize>,
}

/// No value: a number too large, an index outside. The system is not judged then.
#[derive(Debug)]
pub struct Lost;

type Sure<T> = Result<T, Lost>;

/// Integers that are chosen without bounds are tried up to here.
const WINDOW: i64 = 6;

impl Fraction {
    pub fn int(n: i64) -> Fraction {
        Fraction(n as i128, 1)
    }

    fn new(n: i128, d: i128) -> Sure<Fraction> {
        let (mut a, mut b) = (n.unsigned_abs(), d.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let g = a.max(1) as i128 * d.signum();
        if d == 0 || n.abs() > 1 << 60 || d.abs() > 1 << 60 {
            return Err(Lost);
        }
        Ok(Fraction(n / g, d / g))
    }

    fn whole(self) -> Sure<i128> {
        if self.1 == 1 { Ok(self.0) } else { Err(Lost) }
    }

    fn less(self, other: Fraction) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}

/// The remainder is never negative, and less than the divisor without its sign.
fn euclid(a: i128, b: i128) -> Sure<(i128, i128)> {
    (0..b.abs()).find(|r| (a - r) % b == 0).map(|r| ((a - r) / b, r)).ok_or(Lost)
}

/// Where a term is evaluated: a state, perhaps the next one, the indices and the constant.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    pub system: &'a System,
    pub state: &'a State,
    pub next: Option<&'a State>,
    pub index: [i64; 3],
    pub constant: i64,
}

impl Here<'_> {
    fn is_real(&self, e: &Num) -> bool {
        match e {
            Num::Var(v) | Num::Next(v) => self.system.variables[*v].kind == Kind::Real,
            Num::Negate(a) => self.is_real(a),
            Num::Binary(Op::Div | Op::Mod, ..) => false,
            Num::Binary(_, a, b) | Num::If(_, a, b) => self.is_real(a) || self.is_real(b),
            _ => false,
        }
    }

    /// The value of a number; `exact` where a real one is expected.
    pub fn num(&self, e: &Num, exact: bool) -> Sure<Fraction> {
        let of = |state: &State, v: Var| match &state.data[v] {
            Datum::Num(n) => Ok(*n),
            _ => Err(Lost),
        };
        match e {
            Num::Lit(n) => Ok(Fraction::int(*n)),
            Num::Var(v) => of(self.state, *v),
            Num::Next(v) => of(self.next.ok_or(Lost)?, *v),
            Num::Index(n) => Ok(Fraction::int(self.index[*n])),
            Num::Constant => Ok(Fraction::int(self.constant)),
            Num::Length(v) => match &self.state.data[*v] {
                Datum::Many(items) => Ok(Fraction::int(items.len() as i64)),
                _ => Err(Lost),
            },
            Num::Element(v, at) => {
                let at = usize::try_from(self.num(at, false)?.whole()?).map_err(|_| Lost)?;
                match &self.state.data[*v] {
                    Datum::Many(items) => items.get(at).copied().ok_or(Lost),
                    _ => Err(Lost),
                }
            }
            Num::Negate(a) => {
                let Fraction(n, d) = self.num(a, exact)?;
                Fraction::new(-n, d)
            }
            Num::If(c, a, b) => {
                let exact = exact || self.is_real(a) || self.is_real(b);
                self.num(if self.test(c, 3)? { a } else { b }, exact)
            }
            Num::Macro(a, b) => quotient(Fraction::int(*a), Fraction::int(*b), exact),
            Num::Binary(op @ (Op::Div | Op::Mod), a, b) => {
                let (a, b) = (self.num(a, false)?.whole()?, self.num(b, false)?.whole()?);
                let (quotient, rest) = euclid(a, b)?;
                Fraction::new(if *op == Op::Div { quotient } else { rest }, 1)
            }
            Num::Binary(op, a, b) => {
                let exact = exact || self.is_real(a) || self.is_real(b);
                let (x, y) = (self.num(a, exact)?, self.num(b, exact)?);
                match op {
                    Op::Add => Fraction::new(x.0 * y.1 + y.0 * x.1, x.1 * y.1),
                    Op::Subtract => Fraction::new(x.0 * y.1 - y.0 * x.1, x.1 * y.1),
                    Op::Multiply => Fraction::new(x.0 * y.0, x.1 * y.1),
                    _ => quotient(x, y, exact),
                }
            }
        }
    }

    /// Whether a test is true; `depth` says which index a quantifier binds.
    pub fn test(&self, t: &Test, depth: usize) -> Sure<bool> {
        let of = |state: &State, v: Var| match &state.data[v] {
            Datum::Bool(b) => Ok(*b),
            _ => Err(Lost),
        };
        let is = |state: &State, v: Var, n: usize| state.data[v] == Datum::Num(Fraction::int(n as i64));
        Ok(match t {
            Test::Lit(b) => *b,
            Test::Var(v) => of(self.state, *v)?,
            Test::Next(v) => of(self.next.ok_or(Lost)?, *v)?,
            Test::Named(v, n) => is(self.state, *v, *n),
            Test::NextNamed(v, n) => is(self.next.ok_or(Lost)?, *v, *n),
            Test::At(thread, location) => self.state.places[first_place(self.system, *thread)] == *location,
            Test::Not(a) => !self.test(a, depth)?,
            Test::Binary(op, a, b) => {
                let (a, b) = (self.test(a, depth)?, self.test(b, depth)?);
                match op {
                    Connective::And => a && b,
                    Connective::Or => a || b,
                    Connective::Implies => !a || b,
                    Connective::Iff => a == b,
                }
            }
            Test::Compare(relation, a, b) => {
                let exact = self.is_real(a) || self.is_real(b);
                let (a, b) = (self.num(a, exact)?, self.num(b, exact)?);
                match relation {
                    Relation::Less => a.less(b),
                    Relation::LessEqual => !b.less(a),
                    Relation::Greater => b.less(a),
                    Relation::GreaterEqual => !a.less(b),
                    Relation::Equal => a == b,
                    Relation::NotEqual => a != b,
                }
            }
            Test::Quantified(all, n, body) => {
                let mut result = *all;
                for i in 0..*n as i64 {
                    let mut inner = *self;
                    inner.index[depth] = i;
                    let truth = inner.test(body, depth + 1)?;
                    result = if *all { result && truth } else { result || truth };
                }
                result
            }
        })
    }

    fn datum(&self, place: &Place, value: &Value) -> Sure<Datum> {
        let (Place::Var(v) | Place::Element(v, _)) = place;
        Ok(match value {
            Value::Num(e) => Datum::Num(self.num(e, self.system.variables[*v].kind == Kind::Real)?),
            Value::Test(t) => Datum::Bool(self.test(t, 1)?),
            Value::Named(n) => Datum::Num(Fraction::int(*n as i64)),
        })
    }

    /// All assignments at once.
    fn assigned(&self, pairs: &[(Place, Value)]) -> Sure<State> {
        let mut next = self.state.clone();
        for (place, value) in pairs {
            let datum = self.datum(place, value)?;
            match (place, datum) {
                (Place::Var(v), datum) => next.data[*v] = datum,
                (Place::Element(v, at), Datum::Num(n)) => {
                    let at = usize::try_from(self.num(at, false)?.whole()?).map_err(|_| Lost)?;
                    let Datum::Many(items) = &mut next.data[*v] else { return Err(Lost) };
                    *items.get_mut(at).ok_or(Lost)? = n;
                }
                _ => return Err(Lost),
            }
        }
        Ok(next)
    }
}

fn quotient(a: Fraction, b: Fraction, exact: bool) -> Sure<Fraction> {
    if exact {
        return Fraction::new(a.0 * b.1, a.1 * b.0);
    }
    Fraction::new(euclid(a.whole()?, b.whole()?)?.0, 1)
}

/// The number of the first place of a thread.
fn first_place(system: &System, thread: usize) -> usize {
    system.threads[..thread].iter().map(|t| 1 + usize::from(t.replicated)).sum()
}

/// The values that may be chosen for a variable, and whether these are all.
fn values(kind: &Kind) -> (Vec<Datum>, bool) {
    let ints = |low: i64, high: i64| (low..=high).map(|n| Datum::Num(Fraction::int(n))).collect();
    match kind {
        Kind::Range(low, high) => (ints(*low, *high), true),
        Kind::Named(n) => (ints(0, *n as i64 - 1), true),
        Kind::Bool => (vec![Datum::Bool(false), Datum::Bool(true)], true),
        _ => (ints(-WINDOW, WINDOW), false),
    }
}

/// An edge of a thread: a statement, or a test with two ways out.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    from: usize,
    act: Act,
    to: usize,
    fairness: Fairness,
}

#[derive(Clone, Debug)]
enum Act {
    Do(Statement),
    /// Where it leads if the test is false.
    Branch(Test, usize),
    When(Test, Statement),
}

/// A system ready to be executed for a value of the constant.
pub struct Machine<'a> {
    pub system: &'a System,
    pub constant: i64,
    edges: Vec<Vec<Edge>>,
}

/// A fair thing: an edge of a thread, or a transition of a family.
#[derive(Clone, Debug)]
pub struct Mover {
    pub fairness: Fairness,
    which: (usize, usize),
    index: i64,
}

/// The states a mover leads to, and whether these are all.
pub struct Next {
    pub states: Vec<State>,
    pub complete: bool,
}

impl<'a> Machine<'a> {
    pub fn new(system: &'a System, constant: i64) -> Machine<'a> {
        Machine { system, constant, edges: system.threads.iter().map(edges).collect() }
    }

    pub fn initial(&self) -> (Vec<State>, bool) {
        let (mut all, mut complete) = (vec![Vec::new()], true);
        for variable in &self.system.variables {
            let first = |n: i64| Datum::Num(Fraction::int(n));
            let choices = match (&variable.kind, variable.first) {
                (Kind::Channel(..), _) => vec![Datum::Many(Vec::new())],
                (Kind::Bool, Some(n)) => vec![Datum::Bool(n != 0)],
                (Kind::Array(n, ..), first) => vec![Datum::Many(vec![Fraction::int(first.unwrap_or(0)); *n])],
                (_, Some(n)) => vec![first(n)],
                (kind, None) => {
                    let (values, all) = values(kind);
                    complete &= all;
                    values
                }
            };
            let longer = |d: &Vec<Datum>| {
                choices.iter().map(|c| [&d[..], std::slice::from_ref(c)].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let places: usize = self.system.threads.iter().map(|t| 1 + usize::from(t.replicated)).sum();
        (all.into_iter().map(|data| State { data, places: vec![0; places] }).collect(), complete)
    }

    pub fn movers(&self) -> Vec<Mover> {
        let mut all = Vec::new();
        for (at, thread) in self.system.threads.iter().enumerate() {
            for (n, edge) in self.edges[at].iter().enumerate() {
                for index in 0..=i64::from(thread.replicated) {
                    all.push(Mover { fairness: edge.fairness.clone(), which: (at, n), index });
                }
            }
        }
        for (at, t) in self.system.transitions.iter().enumerate() {
            for index in 0..t.family.unwrap_or(1) as i64 {
                all.push(Mover { fairness: t.fairness.clone(), which: (at, 0), index });
            }
        }
        all
    }

    pub fn here<'s>(&'s self, state: &'s State) -> Here<'s> {
        Here { system: self.system, state, next: None, index: [0; 3], constant: self.constant }
    }

    pub fn steps(&self, mover: &Mover, state: &State) -> Sure<Next> {
        let mut next = Next { states: Vec::new(), complete: true };
        if self.system.is_program() {
            self.thread_steps(mover, state, &mut next)?;
        } else {
            for case in &self.system.transitions[mover.which.0].cases {
                self.case_steps(case, mover.index, state, &mut next)?;
            }
        }
        next.states.sort();
        next.states.dedup();
        Ok(next)
    }

    fn thread_steps(&self, mover: &Mover, state: &State, next: &mut Next) -> Sure<()> {
        let (thread, edge) = mover.which;
        let edge = &self.edges[thread][edge];
        let place = first_place(self.system, thread) + mover.index as usize;
        if state.places[place] != edge.from {
            return Ok(());
        }
        let mut here = self.here(state);
        here.index[0] = mover.index;
        let mut arrive = |mut state: State, at: usize| {
            state.places[place] = at;
            next.states.push(state);
        };
        match &edge.act {
            Act::Branch(c, otherwise) => {
                arrive(state.clone(), if here.test(c, 1)? { edge.to } else { *otherwise });
            }
            Act::When(c, _) if !here.test(c, 1)? => {}
            Act::Do(s) | Act::When(_, s) => {
                let (states, complete) = self.execute(std::slice::from_ref(s), state, mover.index)?;
                next.complete &= complete;
                states.into_iter().for_each(|s| next.states.push(moved(s, place, edge.to)));
            }
        }
        Ok(())
    }

    /// Statements one after the other.
    fn execute(&self, all: &[Statement], state: &State, index: i64) -> Sure<(Vec<State>, bool)> {
        let (mut states, mut complete) = (vec![state.clone()], true);
        for s in all {
            let mut after = Vec::new();
            for state in &states {
                let (more, whole) = self.single(s, state, index)?;
                after.extend(more);
                complete &= whole;
            }
            states = after;
        }
        Ok((states, complete))
    }

    fn single(&self, s: &Statement, state: &State, index: i64) -> Sure<(Vec<State>, bool)> {
        let mut here = self.here(state);
        here.index[0] = index;
        let kind = |v: &Var| &self.system.variables[*v].kind;
        let with = |v: Var, datum: Datum| {
            let mut next = state.clone();
            next.data[v] = datum;
            next
        };
        let number = |v: &Var| here.num(&Num::Var(*v), false);
        let zero = Datum::Num(Fraction::int(0));
        Ok(match s {
            Statement::Skip
            | Statement::Critical
            | Statement::Noncritical
            | Statement::Idle
            | Statement::Consume(_) => (vec![state.clone()], true),
            Statement::Assign(pairs) => (vec![here.assigned(pairs)?], true),
            Statement::Await(c) => (if here.test(c, 1)? { vec![state.clone()] } else { Vec::new() }, true),
            Statement::Choose(v) | Statement::Produce(v) => {
                let (values, complete) = values(kind(v));
                let produced =
                    matches!(s, Statement::Produce(_)) && matches!(kind(v), Kind::Range(..) | Kind::Int);
                let kept = values.into_iter().filter(|d| !produced || *d != zero);
                (kept.map(|d| with(*v, d)).collect(), complete)
            }
            Statement::Request(v) => {
                let Fraction(n, d) = number(v)?;
                let less = Datum::Num(Fraction::new(n - d, d)?);
                (if n > 0 { vec![with(*v, less)] } else { Vec::new() }, true)
            }
            Statement::Release(v) => {
                let Fraction(n, d) = number(v)?;
                (vec![with(*v, Datum::Num(Fraction::new(n + d, d)?))], true)
            }
            Statement::Send(c, e) => {
                let Datum::Many(items) = &state.data[*c] else { return Err(Lost) };
                let Kind::Channel(size, ..) = kind(c) else { return Err(Lost) };
                if items.len() >= *size {
                    return Ok((Vec::new(), true));
                }
                let longer = [&items[..], &[here.num(e, false)?]].concat();
                (vec![with(*c, Datum::Many(longer))], true)
            }
            Statement::Receive(c, v) => {
                let Datum::Many(items) = &state.data[*c] else { return Err(Lost) };
                let Some((first, rest)) = items.split_first() else { return Ok((Vec::new(), true)) };
                let mut next = with(*c, Datum::Many(rest.to_vec()));
                next.data[*v] = Datum::Num(*first);
                (vec![next], true)
            }
            Statement::If(c, then, otherwise) => {
                self.execute(if here.test(c, 1)? { then } else { otherwise }, state, index)?
            }
            Statement::Group(body) => self.execute(body, state, index)?,
            Statement::While(..) | Statement::Or(_) => return Err(Lost),
        })
    }

    fn case_steps(&self, case: &Case, index: i64, state: &State, next: &mut Next) -> Sure<()> {
        let mut here = self.here(state);
        here.index[0] = index;
        if let Some(c) = &case.enable
            && !here.test(c, 1)?
        {
            return Ok(());
        }
        let assigned = here.assigned(&case.assign)?;
        let Some(relation) = &case.relation else {
            next.states.push(assigned);
            return Ok(());
        };
        let mut free = Vec::new();
        primed(relation, &mut free);
        free.retain(|v| !case.assign.iter().any(|(p, _)| matches!(p, Place::Var(w) if w == v)));
        let mut candidates = vec![assigned];
        for v in free {
            let (choices, complete) = values(&self.system.variables[v].kind);
            next.complete &= complete;
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
        for candidate in candidates {
            let allowed = Here { next: Some(&candidate), ..here }.test(relation, 1)?;
            if allowed {
                next.states.push(candidate);
            }
        }
        Ok(())
    }
}

fn moved(mut state: State, place: usize, to: usize) -> State {
    state.places[place] = to;
    state
}

/// The variables whose new value a relation speaks of.
fn primed(t: &Test, found: &mut Vec<Var>) {
    let mut add = |v: Var| {
        if !found.contains(&v) {
            found.push(v);
        }
    };
    match t {
        Test::Next(v) | Test::NextNamed(v, _) => add(*v),
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
        Num::Negate(a) => primed_num(a, found),
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

/// The edges of a thread. Locations are numbered as their labels are; the end has the highest number.
fn edges(thread: &Thread) -> Vec<Edge> {
    let end = count(&thread.body);
    let mut all = Vec::new();
    let after = if thread.forever { 0 } else { end };
    sequence(&thread.body, 0, after, &mut all);
    all
}

fn count(body: &[Statement]) -> usize {
    let inside = |s: &Statement| match s {
        Statement::If(_, a, b) => count(a) + count(b),
        Statement::While(_, a) => count(a),
        _ => 0,
    };
    body.iter().map(|s| 1 + inside(s)).sum()
}

fn sequence(body: &[Statement], first: usize, after: usize, all: &mut Vec<Edge>) {
    let mut at = first;
    for (n, s) in body.iter().enumerate() {
        let behind = at + count(std::slice::from_ref(s));
        let next = if n + 1 == body.len() { after } else { behind };
        edge(s, at, next, all);
        at = behind;
    }
}

fn edge(s: &Statement, at: usize, next: usize, all: &mut Vec<Edge>) {
    let start = |body: &[Statement], first: usize| if body.is_empty() { next } else { first };
    match s {
        Statement::If(c, then, otherwise) => {
            let (yes, no) = (at + 1, at + 1 + count(then));
            let act = Act::Branch(c.clone(), start(otherwise, no));
            all.push(Edge { from: at, act, to: start(then, yes), fairness: Fairness::Just });
            sequence(then, yes, next, all);
            sequence(otherwise, no, next, all);
        }
        Statement::While(c, body) => {
            let act = Act::Branch(c.clone(), next);
            let to = if body.is_empty() { at } else { at + 1 };
            all.push(Edge { from: at, act, to, fairness: Fairness::Just });
            sequence(body, at + 1, at, all);
        }
        Statement::Or(parts) => {
            for (c, s) in parts {
                let act = Act::When(c.clone(), s.clone());
                all.push(Edge { from: at, act, to: next, fairness: fairness(s) });
            }
        }
        s => all.push(Edge { from: at, act: Act::Do(s.clone()), to: next, fairness: fairness(s) }),
    }
}

fn fairness(s: &Statement) -> Fairness {
    match s {
        Statement::Noncritical | Statement::Idle => Fairness::Unfair,
        Statement::Request(_) | Statement::Send(..) | Statement::Receive(..) => Fairness::Compassionate,
        Statement::Group(body) => {
            body.iter().map(fairness).max().unwrap_or(Fairness::Just).max(Fairness::Just)
        }
        Statement::If(_, a, b) => {
            a.iter().chain(b).map(fairness).max().unwrap_or(Fairness::Just).max(Fairness::Just)
        }
        _ => Fairness::Just,
    }
}
