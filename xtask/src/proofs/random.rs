//! Random systems: each seed has its own mixture, so that every construct of the front end comes up.

use super::model::*;
use crate::generate::rng::Rng;

pub fn system(seed: u64) -> System {
    let mut maker =
        Maker { rng: Rng::new(seed ^ 0x5eed), system: System::default(), in_family: false, depth: 1 };
    maker.rng.next();
    maker.make();
    maker.system
}

struct Maker {
    rng: Rng,
    system: System,
    /// Whether there is an index.
    in_family: bool,
    /// Which index a quantifier binds: in programs the first is that of the process.
    depth: usize,
}

impl Maker {
    fn make(&mut self) {
        self.variables();
        if self.rng.chance(12) {
            let value = self.rng.between(0, 3);
            let relation =
                *self.rng.pick(&[Relation::Equal, Relation::LessEqual]).unwrap_or(&Relation::Equal);
            let test = Test::Compare(relation, Num::Lit(value), Num::Constant);
            self.system.constant = Some((test, value));
        }
        if self.rng.chance(45) {
            self.transitions();
        } else {
            self.threads();
        }
        (self.in_family, self.depth) = (false, 0);
        if self.rng.chance(20) {
            let test = self.assertion(2);
            self.system.axiom = Some(test);
        }
        if self.rng.chance(30) {
            self.functions();
        }
        for _ in 0..3 + self.rng.below(3) {
            let claim = self.claim();
            self.system.claims.push(claim);
        }
    }

    /// Axioms about functions of numbers in the state, which may contradict each other in some reachable state.
    fn functions(&mut self) {
        let integers = self.vars(|kind| matches!(kind, Kind::Range(..) | Kind::Int));
        let names: Vec<String> = integers.iter().map(|v| self.system.variables[*v].name.clone()).collect();
        for _ in 0..1 + self.rng.below(3) {
            let Some(x) = self.rng.pick(&names).cloned() else { return };
            let y = self.rng.pick(&names).cloned().unwrap_or_else(|| x.clone());
            let (a, b) = (self.rng.between(-1, 2), self.rng.between(-1, 3));
            let axiom = match self.rng.below(9) {
                0 => format!("[](f({x}) = {x})"),
                1 => format!("[]({x} > {a} --> f({x}) = {b})"),
                2 => format!("[](f({x}) >= {x} /\\ f({x}) <= {b})"),
                3 => format!("f({a}) = {b}"),
                4 => format!("Forall n:int. f(n) >= {a}"),
                5 => format!("Forall n:int. n > {a} --> f(n) = n + {b}"),
                6 => format!("[](g({x}, {y}) >= {x} /\\ g({x}, {y}) >= {y})"),
                7 => format!("[](g({x}, {y}) > g({y}, {x}))"),
                _ => format!("[](g({x}, {y}) <= {b})"),
            };
            self.system.functions.push(axiom);
        }
    }

    fn variables(&mut self) {
        let kinds = [
            (30, Kind::Range(0, 2)),
            (10, Kind::Range(-1, 1)),
            (8, Kind::Range(0, 5)),
            (18, Kind::Int),
            (12, Kind::Real),
            (12, Kind::Bool),
            (8, Kind::Named(3)),
            (8, Kind::Array(2, 0, 2)),
            (6, Kind::Channel(1, 0, 1)),
            (3, Kind::Channel(2, 0, 1)),
        ];
        for n in 0..2 + self.rng.below(2) {
            let kind = kinds[self.weighted(&kinds.iter().map(|k| k.0).collect::<Vec<_>>())].1.clone();
            let first = match &kind {
                Kind::Range(low, high) if self.rng.chance(75) => Some(self.rng.between(*low, *high)),
                Kind::Int if self.rng.chance(95) => Some(self.rng.between(-1, 1)),
                Kind::Real => Some(self.rng.between(-1, 1)),
                Kind::Bool if self.rng.chance(70) => Some(self.rng.between(0, 1)),
                Kind::Named(n) if self.rng.chance(70) => Some(self.rng.between(0, *n as i64 - 1)),
                Kind::Array(..) => Some(self.rng.between(0, 1)),
                _ => None,
            };
            let name = ["x", "y", "z"][n].to_string();
            self.system.variables.push(Variable { name, kind, first });
        }
    }

    fn weighted(&mut self, weights: &[usize]) -> usize {
        let all: Vec<(usize, usize)> = weights.iter().copied().enumerate().map(|(n, w)| (w, n)).collect();
        self.rng.weighted(&all).unwrap_or(0)
    }

    fn vars(&self, fits: impl Fn(&Kind) -> bool) -> Vec<Var> {
        (0..self.system.variables.len()).filter(|v| fits(&self.system.variables[*v].kind)).collect()
    }

    fn pick(&mut self, fits: impl Fn(&Kind) -> bool) -> Option<Var> {
        let all = self.vars(fits);
        self.rng.pick(&all).copied()
    }

    fn is_number(kind: &Kind) -> bool {
        matches!(kind, Kind::Range(..) | Kind::Int | Kind::Real)
    }

    fn is_whole(kind: &Kind) -> bool {
        matches!(kind, Kind::Range(..) | Kind::Int)
    }

    /// A number: an integer if `whole`.
    fn num(&mut self, depth: usize, whole: bool) -> Num {
        let fits: fn(&Kind) -> bool = if whole { Self::is_whole } else { Self::is_number };
        if depth == 0 || self.rng.chance(35) {
            return match self.rng.below(13) {
                0..=5 | 10..=12 => match self.pick(fits) {
                    Some(v) => Num::Var(v),
                    None => Num::Lit(self.rng.between(-2, 3)),
                },
                6 if self.in_family => Num::Index(0),
                6 | 7 => match self.pick(|k| matches!(k, Kind::Array(..) | Kind::Channel(..))) {
                    Some(v) if matches!(self.system.variables[v].kind, Kind::Array(..)) => {
                        let at =
                            if self.in_family { Num::Index(0) } else { Num::Lit(self.rng.between(0, 1)) };
                        Num::Element(v, Box::new(at))
                    }
                    Some(v) => Num::Length(v),
                    None => Num::Lit(self.rng.between(-2, 3)),
                },
                8 if self.system.constant.is_some() => Num::Constant,
                _ => Num::Lit(self.rng.between(-2, 3)),
            };
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
            _ if self.rng.chance(50) => return Num::Negate(Box::new(self.num(depth - 1, whole))),
            _ => {
                let (a, b) = *self.rng.pick(&[(1, 2), (1, 3), (-3, 2), (5, -2)]).unwrap_or(&(1, 2));
                return Num::Macro(a, b);
            }
        };
        let divides = matches!(op, Op::Over | Op::Div | Op::Mod);
        let a = self.num(depth - 1, whole || matches!(op, Op::Div | Op::Mod));
        let b = if divides {
            Num::Lit(*self.rng.pick(&[2, 3, -2, -3]).unwrap_or(&2))
        } else if op == Op::Multiply {
            Num::Lit(self.rng.between(-2, 2))
        } else {
            self.num(depth - 1, whole)
        };
        Num::Binary(op, Box::new(a), Box::new(b))
    }

    fn compare(&mut self, depth: usize, whole: bool) -> Test {
        let relations = [
            Relation::Less,
            Relation::LessEqual,
            Relation::Greater,
            Relation::GreaterEqual,
            Relation::Equal,
            Relation::NotEqual,
        ];
        let relation = *self.rng.pick(&relations).unwrap_or(&Relation::Less);
        Test::Compare(relation, self.num(depth, whole), self.num(depth, whole))
    }

    /// A test of the state; no locations.
    fn test(&mut self, depth: usize) -> Test {
        if depth > 0 && self.rng.chance(30) {
            let ops = [Connective::And, Connective::Or, Connective::Implies, Connective::Iff];
            let op = *self.rng.pick(&ops).unwrap_or(&Connective::And);
            return Test::Binary(op, Box::new(self.test(depth - 1)), Box::new(self.test(depth - 1)));
        }
        if self.rng.chance(3) {
            return Test::Lit(self.rng.chance(50));
        }
        if self.rng.chance(10) {
            return Test::Not(Box::new(self.test(depth.saturating_sub(1))));
        }
        let arrays = self.vars(|k| matches!(k, Kind::Array(..)));
        match (self.rng.below(10), self.pick(|k| matches!(k, Kind::Bool | Kind::Named(_)))) {
            (0..=3, Some(v)) => match self.system.variables[v].kind {
                Kind::Named(n) => Test::Named(v, self.rng.below(n)),
                _ => Test::Var(v),
            },
            (4, _) if !arrays.is_empty() && !self.in_family => {
                let element = Num::Element(arrays[0], Box::new(Num::Index(self.depth)));
                let body = Test::Compare(Relation::LessEqual, element, Num::Lit(self.rng.between(0, 2)));
                Test::Quantified(self.rng.chance(60), 2, Box::new(body))
            }
            _ => self.compare(1, false),
        }
    }

    /// A test that may speak of locations.
    fn assertion(&mut self, depth: usize) -> Test {
        let threads = self.system.threads.len();
        if threads > 0 && self.rng.chance(25) {
            let thread = self.rng.below(threads);
            let location = self.rng.below(self.system.threads[thread].body.len().min(2));
            let at = Test::At(thread, location);
            let at = if self.rng.chance(50) { Test::Not(Box::new(at)) } else { at };
            let op = *self.rng.pick(&[Connective::Or, Connective::Implies]).unwrap_or(&Connective::Or);
            return Test::Binary(op, Box::new(at), Box::new(self.test(depth.saturating_sub(1))));
        }
        if self.rng.chance(35) {
            // Bounds are what invariants are about.
            if let Some(v) = self.pick(Self::is_number) {
                let bound = Num::Lit(self.rng.between(-1, 5));
                let relation = *self
                    .rng
                    .pick(&[Relation::LessEqual, Relation::Less, Relation::GreaterEqual, Relation::NotEqual])
                    .unwrap_or(&Relation::Less);
                return Test::Compare(relation, Num::Var(v), bound);
            }
        }
        self.test(depth)
    }

    /// A value for a variable, mostly one that keeps it small.
    fn value(&mut self, v: Var) -> Value {
        let kind = self.system.variables[v].kind.clone();
        match kind {
            Kind::Bool => Value::Test(self.test(1)),
            Kind::Named(n) => Value::Named(self.rng.below(n)),
            Kind::Real => Value::Num(self.num(2, false)),
            Kind::Int if self.rng.chance(50) => Value::Num(self.num(2, true)),
            Kind::Range(low, high) | Kind::Array(_, low, high) | Kind::Channel(_, low, high) => {
                Value::Num(self.bounded(low, high))
            }
            _ => Value::Num(self.bounded(0, 3)),
        }
    }

    /// An integer between bounds: e mod k, moved.
    fn bounded(&mut self, low: i64, high: i64) -> Num {
        if self.rng.chance(30) {
            return Num::Lit(self.rng.between(low, high));
        }
        let inner = self.num(1, true);
        let rest = Num::Binary(Op::Mod, Box::new(inner), Box::new(Num::Lit(high - low + 1)));
        match low {
            0 => rest,
            _ => Num::Binary(Op::Add, Box::new(rest), Box::new(Num::Lit(low))),
        }
    }

    fn place(&mut self, v: Var) -> Place {
        match self.system.variables[v].kind {
            Kind::Array(..) if self.in_family => Place::Element(v, Num::Index(0)),
            Kind::Array(..) => Place::Element(v, Num::Lit(self.rng.between(0, 1))),
            _ => Place::Var(v),
        }
    }

    fn assignment(&mut self) -> Vec<(Place, Value)> {
        let mut targets = self.vars(|k| !matches!(k, Kind::Channel(..)));
        let mut pairs = Vec::new();
        for _ in 0..1 + usize::from(self.rng.chance(30)) {
            if targets.is_empty() {
                break;
            }
            let v = targets.remove(self.rng.below(targets.len()));
            let value = self.value(v);
            pairs.push((self.place(v), value));
        }
        pairs
    }

    fn transitions(&mut self) {
        self.system.variables.retain(|v| !matches!(v.kind, Kind::Channel(..)));
        if self.system.variables.is_empty() {
            let (name, kind) = ("x".to_string(), Kind::Range(0, 2));
            self.system.variables.push(Variable { name, kind, first: Some(0) });
        }
        for n in 0..1 + self.rng.below(3) {
            self.in_family = self.rng.chance(25);
            let cases = (0..1 + usize::from(self.rng.chance(30))).map(|_| self.case()).collect();
            let all = [Fairness::Unfair, Fairness::Just, Fairness::Compassionate];
            let fairness = all[self.rng.below(3)].clone();
            let family = self.in_family.then_some(2);
            self.system.transitions.push(Transition { name: format!("t{n}"), family, fairness, cases });
        }
    }

    fn case(&mut self) -> Case {
        let enable = self.rng.chance(60).then(|| self.test(1));
        if self.rng.chance(45)
            && let Some(relation) = self.relation()
        {
            return Case { enable, assign: Vec::new(), relation: Some(relation) };
        }
        Case { enable, assign: self.assignment(), relation: None }
    }

    /// A relation between old and new values; arrays and reals are left as they are.
    fn relation(&mut self) -> Option<Test> {
        let v = self.pick(|k| matches!(k, Kind::Range(..) | Kind::Int | Kind::Bool | Kind::Named(_)))?;
        let and = |a: Test, b: Test| Test::Binary(Connective::And, Box::new(a), Box::new(b));
        let compare = |r: Relation, a: Num, b: Num| Test::Compare(r, a, b);
        Some(match self.system.variables[v].kind {
            Kind::Bool => {
                let other = self.test(0);
                Test::Binary(Connective::Or, Box::new(Test::Next(v)), Box::new(other))
            }
            Kind::Named(n) => {
                let one = Test::NextNamed(v, self.rng.below(n));
                let other = Test::NextNamed(v, self.rng.below(n));
                Test::Binary(Connective::Or, Box::new(one), Box::new(other))
            }
            _ => {
                let low = self.rng.between(-2, 0);
                let at = |n: i64| Num::Binary(Op::Add, Box::new(Num::Var(v)), Box::new(Num::Lit(n)));
                let bounds = and(
                    compare(Relation::Less, at(low), Num::Next(v)),
                    compare(Relation::Less, Num::Next(v), at(low + 2 + self.rng.between(0, 1))),
                );
                if self.rng.chance(40) {
                    let extra = compare(Relation::NotEqual, Num::Next(v), self.num(1, true));
                    and(bounds, extra)
                } else {
                    bounds
                }
            }
        })
    }

    fn threads(&mut self) {
        for _ in 0..1 + self.rng.below(2) {
            let replicated = self.rng.chance(15);
            self.in_family = replicated;
            let length = 1 + self.rng.below(3);
            let body = self.body(length, 1);
            self.system.threads.push(Thread { body, forever: self.rng.chance(65), replicated });
        }
    }

    fn body(&mut self, length: usize, depth: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.rng.below(24) {
            0 if depth > 0 => {
                let condition = self.test(1);
                let then = self.body(1, 0);
                let otherwise = if self.rng.chance(50) { self.body(1, 0) } else { Vec::new() };
                Statement::If(condition, then, otherwise)
            }
            1 if depth > 0 => Statement::While(self.test(1), self.body(1, 0)),
            2 if depth > 0 => {
                let parts = (0..2).map(|_| (self.test(1), self.simple())).collect();
                Statement::Or(parts)
            }
            3..=7 => self.group(),
            8 => Statement::Noncritical,
            9 => Statement::Idle,
            10 => Statement::Critical,
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> Statement {
        let channel = self.pick(|k| matches!(k, Kind::Channel(..)));
        let whole = self.pick(Self::is_whole);
        let finite = self.pick(|k| matches!(k, Kind::Range(..) | Kind::Bool | Kind::Named(_)));
        match (self.rng.below(14), channel, whole, finite) {
            (0, ..) => Statement::Skip,
            (1 | 2, ..) => Statement::Await(self.test(1)),
            (3, _, _, Some(v)) => Statement::Choose(v),
            (4, _, _, Some(v)) => Statement::Produce(v),
            (5, _, Some(v), _) => Statement::Consume(v),
            (6, _, Some(v), _) => Statement::Request(v),
            (7, _, Some(v), _) => Statement::Release(v),
            (8 | 9, Some(c), ..) => Statement::Send(c, self.bounded(0, 1)),
            (10, Some(c), Some(v), _) => Statement::Receive(c, v),
            _ => match self.assignment() {
                pairs if pairs.is_empty() => Statement::Skip,
                pairs => Statement::Assign(pairs),
            },
        }
    }

    /// A grouped statement, often one that chooses and then looks at what it chose.
    fn group(&mut self) -> Statement {
        let mut body = Vec::new();
        if let Some(v) = self.pick(|k| matches!(k, Kind::Range(..) | Kind::Int | Kind::Bool | Kind::Named(_)))
            && self.rng.chance(60)
        {
            let produce = self.rng.chance(30);
            body.push(if produce { Statement::Produce(v) } else { Statement::Choose(v) });
            let other = self.pick(Self::is_whole);
            if let (true, Some(w)) = (Self::is_whole(&self.system.variables[v].kind), other) {
                let above = Num::Binary(Op::Add, Box::new(Num::Var(w)), Box::new(Num::Lit(2)));
                // The value before is gone if the two are one.
                let low = if v == w { Num::Lit(0) } else { Num::Var(w) };
                let high = if v == w { Num::Lit(2) } else { above };
                let bounds = Test::Binary(
                    Connective::And,
                    Box::new(Test::Compare(Relation::Greater, Num::Var(v), low)),
                    Box::new(Test::Compare(Relation::Less, Num::Var(v), high)),
                );
                body.push(Statement::Await(bounds));
            }
        }
        for _ in 0..1 + self.rng.below(2) {
            let s = match self.rng.below(4) {
                0 => {
                    let pairs = self.assignment();
                    let then = if pairs.is_empty() { Statement::Skip } else { Statement::Assign(pairs) };
                    Statement::If(self.test(1), vec![then], Vec::new())
                }
                1 => Statement::Await(self.test(1)),
                _ => match self.assignment() {
                    pairs if pairs.is_empty() => Statement::Skip,
                    pairs => Statement::Assign(pairs),
                },
            };
            body.push(s);
        }
        Statement::Group(body)
    }

    fn claim(&mut self) -> Claim {
        let d = 1;
        match self.rng.below(16) {
            0..=6 => Claim::Always(self.assertion(2)),
            7 => Claim::First(self.assertion(d)),
            8 | 9 => {
                let length = 2 + self.rng.below(2);
                Claim::Waits(self.assertion(d), (0..length).map(|_| self.assertion(d)).collect())
            }
            10 => Claim::Leads(self.assertion(d), self.assertion(d)),
            11 => Claim::Comes(self.assertion(d)),
            12 => Claim::Next(self.assertion(d), self.assertion(d)),
            _ => {
                let past = match self.rng.below(6) {
                    0 => Past::Once(self.assertion(d)),
                    1 => Past::Always(self.assertion(d)),
                    2 => Past::Before(self.assertion(d)),
                    3 => Past::WeakBefore(self.assertion(d)),
                    4 => Past::Since(self.assertion(d), self.assertion(d)),
                    _ => Past::BackTo(self.assertion(d), self.assertion(d)),
                };
                Claim::Past(self.assertion(d), past)
            }
        }
    }
}
