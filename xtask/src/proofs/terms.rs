//! Random terms and tests. What may have no value comes in two forms, alone and behind a test that
//! it has one.

use super::control::count;
use super::model::*;
use super::random::{Maker, Risk};

fn lit(n: i64) -> Num {
    Num::Lit(n)
}

fn and(a: Test, b: Test) -> Test {
    Test::Binary(Connective::And, Box::new(a), Box::new(b))
}

impl Maker {
    /// A number: an integer if `whole`.
    pub(super) fn num(&mut self, depth: usize, whole: bool) -> Num {
        if depth == 0 || self.rng.chance(35) {
            return self.atom(whole);
        }
        let op = match self.rng.below(12) {
            0..=2 => Op::Add,
            3 | 4 => Op::Subtract,
            5 => Op::Multiply,
            6 | 7 => Op::Over,
            8 => Op::Div,
            9 => Op::Mod,
            10 => {
                let condition = self.compare(0, whole);
                let (a, b) = (self.num(depth - 1, whole), self.num(depth - 1, whole));
                return Num::If(Box::new(condition), Box::new(a), Box::new(b));
            }
            _ if !whole && self.rng.chance(40) => {
                return Num::Decimal([25, 50, 75, 150, -125][self.rng.below(5)]);
            }
            _ if self.rng.chance(50) => return Num::Negate(Box::new(self.num(depth - 1, whole))),
            _ => {
                let all = [(1, 2), (1, 3), (-3, 2), (5, -2)];
                let (a, b) = all[self.rng.below(4)];
                return Num::Macro(a, b);
            }
        };
        let a = self.num(depth - 1, whole || matches!(op, Op::Div | Op::Mod));
        let b = match op {
            Op::Over | Op::Div | Op::Mod => self.divisor(),
            Op::Multiply => lit(self.rng.between(-2, 2)),
            _ => self.num(depth - 1, whole),
        };
        Num::Binary(op, Box::new(a), Box::new(b))
    }

    /// Mostly not zero.
    fn divisor(&mut self) -> Num {
        match (self.rng.below(8), self.pick(Self::is_whole)) {
            (0 | 1, Some(v)) if self.dares(Risk::Divisor) => Num::Var(v),
            _ => lit([2, 3, -2, -3][self.rng.below(4)]),
        }
    }

    fn atom(&mut self, whole: bool) -> Num {
        let fits: fn(&Kind) -> bool = if whole { Self::is_whole } else { Self::is_number };
        match self.rng.below(15) {
            0..=5 | 10 | 11 => match self.pick(fits) {
                Some(v) => Num::Var(v),
                None => lit(self.rng.between(-2, 3)),
            },
            6 if self.in_family => Num::Index(0),
            6 | 7 | 12 | 13 => self.part(),
            8 if self.system.constant.is_some() => Num::Constant,
            8 | 9 if self.system.table.is_some() => Num::Table(Box::new(self.simple_index(0, 2))),
            9 if self.in_claim && !self.system.threads.is_empty() => {
                let at = self.location();
                Num::Truth(Box::new(at))
            }
            _ => lit(self.rng.between(-2, 3)),
        }
    }

    /// Something out of an array, a channel or a list.
    fn part(&mut self) -> Num {
        let is_many =
            |k: &Kind| matches!(k, Kind::Array(..) | Kind::Channel(..) | Kind::Channels(..) | Kind::List);
        let Some(v) = self.pick(is_many) else { return lit(self.rng.between(-2, 3)) };
        match self.system.variables[v].kind {
            Kind::Array(bounds, _) => Num::Element(v, Box::new(self.index(bounds))),
            Kind::List => self.of_list(),
            _ => {
                let channel = self.channel(v);
                // What is handed over is never stored.
                match self.system.is_synchronous(&channel) {
                    true => lit(self.rng.between(-2, 3)),
                    false => Num::Length(Box::new(channel)),
                }
            }
        }
    }

    pub(super) fn channel(&mut self, v: Var) -> Chan {
        match self.system.variables[v].kind {
            Kind::Channels(bounds, ..) => Chan(v, Some(self.index(bounds))),
            _ => Chan(v, None),
        }
    }

    /// An index, perhaps outside of the bounds.
    pub(super) fn index(&mut self, bounds: Bounds) -> Num {
        if self.in_family && self.rng.chance(60) {
            let moved = !self.dares(Risk::Index) || self.rng.chance(80);
            return match bounds.0 {
                1 if moved => Num::Binary(Op::Add, Box::new(Num::Index(0)), Box::new(lit(1))),
                _ => Num::Index(0),
            };
        }
        self.simple_index(bounds.0, bounds.1)
    }

    fn simple_index(&mut self, low: i64, high: i64) -> Num {
        let Some(v) = self.pick(Self::is_whole) else { return lit(self.rng.between(low, high)) };
        let offset = |op: Op, e: Num, n: i64| Num::Binary(op, Box::new(e), Box::new(lit(n)));
        let rest = offset(Op::Mod, Num::Var(v), high - low + 1);
        let remainder = if low == 0 { rest } else { offset(Op::Add, rest, low) };
        match self.rng.below(10) {
            0..=2 => lit(self.rng.between(low, high)),
            _ if !self.dares(Risk::Index) => remainder,
            3..=5 => Num::Var(v),
            6 => offset(Op::Add, Num::Var(v), 1),
            7 => offset(Op::Subtract, Num::Var(v), 1),
            _ => remainder,
        }
    }

    fn of_list(&mut self) -> Num {
        let l = self.seq(1);
        match self.rng.below(5) {
            _ if !self.dares(Risk::List) => Num::Count(l),
            0 | 1 => Num::Count(l),
            2 | 3 => Num::Head(l),
            _ => {
                let at = self.simple_index(1, 2);
                Num::Item(l, Box::new(at))
            }
        }
    }

    /// A list; one that is not written as `nil`, which has a type only beside another list.
    pub(super) fn seq(&mut self, depth: usize) -> Seq {
        let l = self.pick(|k| *k == Kind::List).map_or(Seq::Nil, Seq::Var);
        if depth == 0 {
            return l;
        }
        match self.rng.below(7) {
            0 => Seq::Cons(Box::new(self.num(0, true)), Box::new(Seq::Nil)),
            1 => Seq::Cons(Box::new(self.num(0, true)), Box::new(self.seq(depth - 1))),
            2 => Seq::Append(Box::new(self.seq(depth - 1)), Box::new(self.num(0, true))),
            3 if self.dares(Risk::List) => Seq::Tail(Box::new(self.seq(depth - 1))),
            _ => l,
        }
    }

    fn relation_sign(&mut self) -> Relation {
        let all = [
            Relation::Less,
            Relation::LessEqual,
            Relation::Greater,
            Relation::GreaterEqual,
            Relation::Equal,
            Relation::NotEqual,
        ];
        all[self.rng.below(all.len())]
    }

    pub(super) fn compare(&mut self, depth: usize, whole: bool) -> Test {
        let relation = self.relation_sign();
        Test::Compare(relation, self.num(depth, whole), self.num(depth, whole))
    }

    /// A test of the state; no locations.
    pub(super) fn test(&mut self, depth: usize) -> Test {
        if depth > 0 && self.rng.chance(30) {
            let ops = [Connective::And, Connective::Or, Connective::Implies, Connective::Iff];
            let op = ops[self.rng.below(4)];
            let (a, b) = (self.test(depth - 1), self.test(depth - 1));
            return Test::Binary(op, Box::new(a), Box::new(b));
        }
        if self.rng.chance(3) {
            return Test::Lit(self.rng.chance(50));
        }
        if self.rng.chance(10) {
            return Test::Not(Box::new(self.test(depth.saturating_sub(1))));
        }
        match (self.rng.below(10), self.pick(|k| matches!(k, Kind::Bool | Kind::Named(_)))) {
            (0..=3, Some(v)) => match self.system.variables[v].kind {
                Kind::Named(n) => Test::Named(v, self.rng.below(n)),
                _ => Test::Var(v),
            },
            (4 | 5, _) => self.of_whole(),
            (6, _) => self.guarded(),
            _ => self.compare(1, false),
        }
    }

    /// A test of whole arrays, lists or records.
    fn of_whole(&mut self) -> Test {
        let arrays = self.vars(|k| matches!(k, Kind::Array(..)));
        let bounds = |maker: &Maker, v: Var| match maker.system.variables[v].kind {
            Kind::Array(bounds, _) => bounds,
            _ => Bounds(0, 0),
        };
        let records = self.system.records();
        let alike = self.rng.chance(60);
        match arrays[..] {
            [a, b] if bounds(self, a) == bounds(self, b) && self.rng.chance(50) => Test::Arrays(alike, a, b),
            [a, ..] if self.depth < 2 => self.of_elements(a, bounds(self, a)),
            _ if records.len() == 2 => Test::Records(alike, records[0].clone(), records[1].clone()),
            _ if self.pick(|k| *k == Kind::List).is_some() => {
                let other = if self.rng.chance(50) { Seq::Nil } else { self.seq(1) };
                Test::Lists(alike, self.seq(0), other)
            }
            _ => self.compare(1, false),
        }
    }

    /// All elements of an array, or some; now and then beyond its end.
    fn of_elements(&mut self, v: Var, bounds: Bounds) -> Test {
        let element = Num::Element(v, Box::new(Num::Index(self.depth)));
        let body = Test::Compare(self.relation_sign(), element, lit(self.rng.between(0, 2)));
        let beyond = i64::from(self.dares(Risk::Index) && self.rng.chance(10));
        let bounds = Bounds(bounds.0, bounds.1 + beyond);
        Test::Quantified(self.rng.chance(60), bounds, Box::new(body))
    }

    /// A test of something behind one that it has a value.
    fn guarded(&mut self) -> Test {
        let relation = self.relation_sign();
        let other = lit(self.rng.between(-1, 2));
        let is_part = |k: &Kind| matches!(k, Kind::Array(..) | Kind::List);
        let (guard, part) = match (self.pick(is_part), self.pick(Self::is_whole)) {
            (Some(v), i) => match (&self.system.variables[v].kind, i) {
                (Kind::Array(Bounds(low, high), _), Some(i)) => {
                    let low = Test::Compare(Relation::LessEqual, lit(*low), Num::Var(i));
                    let high = Test::Compare(Relation::LessEqual, Num::Var(i), lit(*high));
                    (and(low, high), Num::Element(v, Box::new(Num::Var(i))))
                }
                (Kind::List, _) => (Test::Lists(false, Seq::Var(v), Seq::Nil), Num::Head(Seq::Var(v))),
                _ => return self.compare(1, false),
            },
            (None, Some(i)) => {
                let divides = Num::Binary(Op::Div, Box::new(lit(4)), Box::new(Num::Var(i)));
                (Test::Compare(Relation::NotEqual, Num::Var(i), lit(0)), divides)
            }
            _ => return self.compare(1, false),
        };
        let op = if self.rng.chance(50) { Connective::And } else { Connective::Implies };
        Test::Binary(op, Box::new(guard), Box::new(Test::Compare(relation, part, other)))
    }

    /// Whether a thread is at one of its first two locations, or at its end.
    pub(super) fn location(&mut self) -> Test {
        let thread = self.rng.below(self.system.threads.len());
        let Thread { body, replicated, forever } = &self.system.threads[thread];
        let (length, replicated) = (body.len().min(2), *replicated);
        let end = (!forever).then(|| count(body));
        let location = match end.filter(|_| self.rng.chance(25)) {
            Some(end) => end,
            None => self.rng.below(length),
        };
        let at = replicated.then(|| Box::new(self.index(Bounds(0, 1))));
        Test::At(thread, location, at)
    }

    /// A test that may speak of locations.
    pub(super) fn assertion(&mut self, depth: usize) -> Test {
        if !self.system.threads.is_empty() && self.rng.chance(25) {
            let at = self.location();
            let at = if self.rng.chance(50) { Test::Not(Box::new(at)) } else { at };
            let ops = [Connective::Or, Connective::Implies];
            let op = ops[self.rng.below(2)];
            let test = self.test(depth.saturating_sub(1));
            return Test::Binary(op, Box::new(at), Box::new(test));
        }
        if self.rng.chance(35) {
            // Bounds are what invariants are about.
            if let Some(v) = self.pick(Self::is_number) {
                let bound = lit(self.rng.between(-1, 5));
                let all = [Relation::LessEqual, Relation::Less, Relation::GreaterEqual, Relation::NotEqual];
                return Test::Compare(all[self.rng.below(4)], Num::Var(v), bound);
            }
        }
        self.test(depth)
    }
}
