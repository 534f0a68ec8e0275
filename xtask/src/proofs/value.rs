//! What expressions of `fuzz-prove` are worth in a state: a value, or none. Nothing here is shared
//! with weave.
//!
//! Connectives are read in two ways. In the wide one `false /\ e` and `e /\ false` are false
//! whatever e is; in the lazy one, from left to right, `e /\ false` has no value if e has none, and
//! a quantifier has none if any of its cases has none. Where the two differ weave is not blamed.
//! `/` is exact where a real number is expected.

use super::model::*;
use super::number::{Fraction, Gone, Sure};

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Datum {
    Num(Fraction),
    Bool(bool),
    /// An array, a channel or a list.
    Many(Vec<Fraction>),
    /// Channels.
    Rows(Vec<Vec<Fraction>>),
    /// Nothing is known of it: behind a run-time error.
    None,
}

/// Values of the variables, then where each thread is; a replicated thread is two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub data: Vec<Datum>,
    pub places: Vec<usize>,
}

/// Where a term is evaluated: a state, perhaps the next one, the indices and the constant.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    pub system: &'a System,
    pub state: &'a State,
    pub next: Option<&'a State>,
    pub index: [i64; 4],
    pub constant: i64,
    /// Whether connectives are read from left to right.
    pub lazy: bool,
}

impl Here<'_> {
    fn kind(&self, v: Var) -> &Kind {
        &self.system.variables[v].kind
    }

    fn is_real(&self, e: &Num) -> bool {
        match e {
            Num::Var(v) | Num::Next(v) => *self.kind(*v) == Kind::Real,
            Num::Decimal(_) => true,
            Num::Negate(a) => self.is_real(a),
            Num::Binary(Op::Div | Op::Mod, ..) => false,
            Num::Binary(_, a, b) | Num::If(_, a, b) => self.is_real(a) || self.is_real(b),
            _ => false,
        }
    }

    /// The value of a number; `exact` where a real one is expected.
    pub fn num(&self, e: &Num, exact: bool) -> Sure<Fraction> {
        match e {
            Num::Lit(n) => Ok(Fraction::int(*n)),
            Num::Var(v) => number(self.state, *v),
            Num::Next(v) => number(self.next.ok_or(Gone::Lost)?, *v),
            Num::Index(n) => Ok(Fraction::int(self.index[*n])),
            Num::Constant => Ok(Fraction::int(self.constant)),
            Num::Negate(a) => Ok(self.num(a, exact)?.negate()),
            Num::If(c, a, b) => {
                let exact = exact || self.is_real(a) || self.is_real(b);
                self.num(if self.test(c, 3)? { a } else { b }, exact)
            }
            Num::Macro(a, b) => Fraction::int(*a).over(Fraction::int(*b), exact),
            Num::Decimal(n) => Fraction::int(*n).over(Fraction::int(100), true),
            Num::Binary(op, a, b) => self.binary(*op, a, b, exact),
            Num::Truth(t) => Ok(Fraction::int(i64::from(self.test(t, 3)?))),
            Num::Table(at) => {
                let place = Bounds(0, 2).place(self.num(at, false)?.whole()?).ok_or(Gone::Void)?;
                Ok(Fraction::int(self.system.table.ok_or(Gone::Lost)?[place]))
            }
            e => self.part(e),
        }
    }

    /// A number out of an array, a list or a channel.
    fn part(&self, e: &Num) -> Sure<Fraction> {
        match e {
            Num::Element(v, at) => {
                let place = self.place(*v, at)?;
                match &self.state.data[*v] {
                    Datum::Many(items) => items.get(place).copied().ok_or(Gone::Lost),
                    _ => Err(Gone::Void),
                }
            }
            Num::Length(channel) => Ok(Fraction::int(self.messages(channel)?.len() as i64)),
            Num::Count(l) => Ok(Fraction::int(self.seq(l)?.len() as i64)),
            Num::Head(l) => self.seq(l)?.first().copied().ok_or(Gone::Void),
            Num::Item(l, at) => {
                let (items, at) = (self.seq(l)?, self.num(at, false)?.whole()?);
                let place = Bounds(1, items.len() as i64).place(at).ok_or(Gone::Void)?;
                Ok(items[place])
            }
            _ => Err(Gone::Lost),
        }
    }

    fn binary(&self, op: Op, a: &Num, b: &Num, exact: bool) -> Sure<Fraction> {
        if let Op::Div | Op::Mod = op {
            let (quotient, rest) = self.num(a, false)?.euclid(self.num(b, false)?)?;
            return Ok(if op == Op::Div { quotient } else { rest });
        }
        let exact = exact || self.is_real(a) || self.is_real(b);
        let (x, y) = (self.num(a, exact)?, self.num(b, exact)?);
        match op {
            Op::Add => x.add(y),
            Op::Subtract => x.add(y.negate()),
            Op::Multiply => x.times(y),
            _ => x.over(y, exact),
        }
    }

    /// Where an element of an array lies, or a channel of an array of channels.
    pub fn place(&self, v: Var, at: &Num) -> Sure<usize> {
        let bounds = match self.kind(v) {
            Kind::Array(bounds, _) | Kind::Channels(bounds, ..) => *bounds,
            _ => return Err(Gone::Lost),
        };
        bounds.place(self.num(at, false)?.whole()?).ok_or(Gone::Void)
    }

    /// The messages in a channel.
    pub fn messages(&self, Chan(v, at): &Chan) -> Sure<&[Fraction]> {
        match (&self.state.data[*v], at) {
            (Datum::Many(items), None) => Ok(items),
            (Datum::Rows(rows), Some(at)) => Ok(&rows[self.place(*v, at)?]),
            (Datum::None, _) => Err(Gone::Void),
            _ => Err(Gone::Lost),
        }
    }

    pub fn seq(&self, l: &Seq) -> Sure<Vec<Fraction>> {
        Ok(match l {
            Seq::Nil => Vec::new(),
            Seq::Var(v) => match &self.state.data[*v] {
                Datum::Many(items) => items.clone(),
                _ => return Err(Gone::Void),
            },
            Seq::Cons(e, l) => [vec![self.num(e, false)?], self.seq(l)?].concat(),
            Seq::Append(l, e) => [self.seq(l)?, vec![self.num(e, false)?]].concat(),
            Seq::Tail(l) => self.seq(l)?.get(1..).ok_or(Gone::Void)?.to_vec(),
        })
    }

    /// Whether a test is true; `depth` says which index a quantifier binds.
    pub fn test(&self, t: &Test, depth: usize) -> Sure<bool> {
        let next = || self.next.ok_or(Gone::Lost);
        match t {
            Test::Lit(b) => Ok(*b),
            Test::Var(v) => truth(self.state, *v),
            Test::Next(v) => truth(next()?, *v),
            Test::Named(v, n) => Ok(number(self.state, *v)? == Fraction::int(*n as i64)),
            Test::NextNamed(v, n) => Ok(number(next()?, *v)? == Fraction::int(*n as i64)),
            Test::At(thread, location, at) => self.at(*thread, *location, at.as_deref()),
            Test::Not(a) => Ok(!self.test(a, depth)?),
            Test::Binary(op, a, b) => self.connect(*op, self.test(a, depth), self.test(b, depth)),
            Test::Compare(relation, a, b) => self.compare(*relation, a, b),
            Test::Arrays(alike, a, b) => Ok((self.whole(*a)? == self.whole(*b)?) == *alike),
            Test::Lists(alike, a, b) => Ok((self.seq(a)? == self.seq(b)?) == *alike),
            Test::Records(alike, a, b) => Ok((self.record(a)? == self.record(b)?) == *alike),
            Test::Quantified(all, Bounds(low, high), body) => {
                let cases = (*low..=*high).map(|i| {
                    let mut inner = *self;
                    inner.index[depth] = i;
                    inner.test(body, depth + 1)
                });
                self.quantify(*all, cases.collect())
            }
        }
    }

    fn compare(&self, relation: Relation, a: &Num, b: &Num) -> Sure<bool> {
        let exact = self.is_real(a) || self.is_real(b);
        let (a, b) = (self.num(a, exact)?, self.num(b, exact)?);
        Ok(match relation {
            Relation::Less => a.less(b),
            Relation::LessEqual => !b.less(a),
            Relation::Greater => b.less(a),
            Relation::GreaterEqual => !a.less(b),
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
        })
    }

    fn connect(&self, op: Connective, a: Sure<bool>, b: Sure<bool>) -> Sure<bool> {
        if a == Err(Gone::Lost) || b == Err(Gone::Lost) {
            return Err(Gone::Lost);
        }
        // Which value of one side decides alone.
        let (a, decides) = match op {
            Connective::Iff => return Ok(a? == b?),
            Connective::And => (a, false),
            Connective::Or => (a, true),
            Connective::Implies => (a.map(|a| !a), true),
        };
        match (a, b) {
            (Ok(a), _) if a == decides => Ok(decides),
            (Ok(_), b) => b,
            (_, Ok(b)) if b == decides && !self.lazy => Ok(decides),
            _ => Err(Gone::Void),
        }
    }

    fn quantify(&self, all: bool, cases: Vec<Sure<bool>>) -> Sure<bool> {
        let has = |case: Sure<bool>| cases.contains(&case);
        if has(Err(Gone::Lost)) {
            return Err(Gone::Lost);
        }
        match has(Err(Gone::Void)) {
            _ if has(Ok(!all)) && !(self.lazy && has(Err(Gone::Void))) => Ok(!all),
            true => Err(Gone::Void),
            false => Ok(all),
        }
    }

    /// Whether a thread is at a location.
    fn at(&self, thread: usize, location: usize, at: Option<&Num>) -> Sure<bool> {
        let replicas = i64::from(self.system.threads[thread].replicated);
        let which = match at {
            Some(at) => Bounds(0, replicas).place(self.num(at, false)?.whole()?).ok_or(Gone::Void)?,
            None => 0,
        };
        match self.state.places[first_place(self.system, thread) + which] {
            usize::MAX => Err(Gone::Void),
            place => Ok(place == location),
        }
    }

    fn whole(&self, v: Var) -> Sure<&Datum> {
        match &self.state.data[v] {
            Datum::None => Err(Gone::Void),
            datum => Ok(datum),
        }
    }

    fn record(&self, name: &str) -> Sure<Vec<&Datum>> {
        self.system.fields(name).into_iter().map(|v| self.whole(v)).collect()
    }
}

fn number(state: &State, v: Var) -> Sure<Fraction> {
    match &state.data[v] {
        Datum::Num(n) => Ok(*n),
        Datum::None => Err(Gone::Void),
        _ => Err(Gone::Lost),
    }
}

fn truth(state: &State, v: Var) -> Sure<bool> {
    match &state.data[v] {
        Datum::Bool(b) => Ok(*b),
        Datum::None => Err(Gone::Void),
        _ => Err(Gone::Lost),
    }
}

/// The number of the first place of a thread.
pub fn first_place(system: &System, thread: usize) -> usize {
    system.threads[..thread].iter().map(|t| 1 + usize::from(t.replicated)).sum()
}
