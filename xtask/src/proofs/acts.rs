//! Random transitions and statements.

use super::model::*;
use super::random::{Maker, Risk};

fn is_choosable(kind: &Kind) -> bool {
    matches!(kind, Kind::Range(..) | Kind::Int | Kind::Bool | Kind::Named(_))
}

impl Maker {
    /// A value for a variable, mostly one that keeps it small.
    fn value(&mut self, v: Var) -> Value {
        let kind = self.system.variables[v].kind.clone();
        match kind {
            Kind::Bool => Value::Test(self.test(1)),
            Kind::Named(n) => Value::Named(self.rng.below(n)),
            Kind::Real => Value::Num(self.num(2, false)),
            Kind::Int if self.rng.chance(50) => Value::Num(self.num(2, true)),
            Kind::Range(low, high) | Kind::Array(_, Some((low, high))) => {
                // Now and then outside of the range.
                let beyond = i64::from(self.exceeds());
                Value::Num(self.bounded(low, high + beyond))
            }
            Kind::List => Value::List(self.seq(1)),
            _ => Value::Num(self.bounded(0, 3)),
        }
    }

    /// Whether a value may be outside of its range.
    fn exceeds(&mut self) -> bool {
        let percent = if self.risk == Risk::Range { 25 } else { 6 };
        self.dares(Risk::Range) && self.rng.chance(percent)
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
            Kind::Array(bounds, _) => Place::Element(v, self.index(bounds)),
            _ => Place::Var(v),
        }
    }

    fn assignment(&mut self) -> Vec<(Place, Value)> {
        if self.rng.chance(20)
            && let Some(pair) = self.of_whole_things()
        {
            return vec![pair];
        }
        let mut targets = self.vars(|k| !matches!(k, Kind::Channel(..) | Kind::Channels(..)));
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

    /// A whole array or record is assigned.
    fn of_whole_things(&mut self) -> Option<(Place, Value)> {
        let (records, swap) = (self.system.records(), self.rng.chance(50));
        if let [r, s] = &records[..] {
            let (r, s) = if swap { (s, r) } else { (r, s) };
            return Some((Place::Record(r.clone()), Value::Record(s.clone())));
        }
        let kind = |v: Var| &self.system.variables[v].kind;
        match self.vars(|k| matches!(k, Kind::Array(..)))[..] {
            [a, b] if !self.dares(Risk::Range) && kind(a) != kind(b) => None,
            [a, b] if swap => Some((Place::Var(b), Value::Array(a))),
            [a, b] => Some((Place::Var(a), Value::Array(b))),
            _ => None,
        }
    }

    pub(super) fn transitions(&mut self) {
        for n in 0..1 + self.rng.below(3) {
            self.in_family = self.rng.chance(25);
            let cases = (0..1 + usize::from(self.rng.chance(30))).map(|_| self.case()).collect();
            let all = [Fairness::Unfair, Fairness::Just, Fairness::Compassionate];
            let fairness = all[self.rng.below(3)].clone();
            let family = self.in_family.then_some(2);
            let name = format!("t{n}");
            self.system.transitions.push(Transition { name, family, fairness, cases });
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
        let mut all = self.vars(is_choosable);
        all.retain(|v| self.system.variables[*v].record.is_none());
        let v = self.rng.pick(&all).copied()?;
        let and = |a: Test, b: Test| Test::Binary(Connective::And, Box::new(a), Box::new(b));
        let compare = |r: Relation, a: Num, b: Num| Test::Compare(r, a, b);
        Some(match self.system.variables[v].kind {
            Kind::Named(n) if self.rng.chance(30) => Test::NextNamed(v, self.rng.below(n)),
            Kind::Range(..) if self.rng.chance(30) => {
                compare(Relation::Equal, Num::Next(v), self.num(1, true))
            }
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

    pub(super) fn threads(&mut self) {
        let is_synchronous =
            |k: &Kind| matches!(k, Kind::Channel(Capacity::None, ..) | Kind::Channels(_, Capacity::None, ..));
        // A process does not hand over to itself.
        let least = if self.vars(is_synchronous).is_empty() { 1 } else { 2 };
        for _ in 0..least + self.rng.below(3 - least) {
            let replicated = self.rng.chance(15);
            self.in_family = replicated;
            let length = 1 + self.rng.below(3);
            let body = self.body(length, 1);
            self.system.threads.push(Thread { body, forever: self.rng.chance(65), replicated });
        }
    }

    /// Some conditions of statements speak of where threads are.
    pub(super) fn labels_in_statements(&mut self) {
        let mut threads = self.system.threads.clone();
        for thread in &mut threads {
            (self.in_family, self.depth, self.in_claim) = (thread.replicated, 1, false);
            thread.body.iter_mut().for_each(|s| self.label_in(s));
        }
        self.system.threads = threads;
    }

    fn label_in(&mut self, s: &mut Statement) {
        match s {
            Statement::Await(test) => self.or_at_label(test),
            Statement::If(test, then, otherwise) => {
                self.or_at_label(test);
                then.iter_mut().chain(otherwise).for_each(|s| self.label_in(s));
            }
            Statement::While(test, body) => {
                self.or_at_label(test);
                body.iter_mut().for_each(|s| self.label_in(s));
            }
            Statement::Or(parts) => parts.iter_mut().for_each(|(test, s)| {
                self.or_at_label(test);
                self.label_in(s);
            }),
            Statement::Group(body) => body.iter_mut().for_each(|s| self.label_in(s)),
            _ => {}
        }
    }

    fn or_at_label(&mut self, test: &mut Test) {
        if self.rng.chance(40) {
            return;
        }
        let at = self.location();
        let ops = [Connective::And, Connective::Or, Connective::Implies, Connective::Iff];
        let op = ops[self.rng.below(4)];
        *test = Test::Binary(op, Box::new(at), Box::new(test.clone()));
    }

    fn body(&mut self, length: usize, depth: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if self.risk == Risk::Range
            && self.rng.chance(25)
            && let Some(v) = self.pick(Self::is_whole)
        {
            let release = self.rng.chance(75);
            return self.on_semaphore(v, release);
        }
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
        let is_channel = |k: &Kind| matches!(k, Kind::Channel(..) | Kind::Channels(..));
        let channel = self.pick(is_channel);
        let whole = self.pick(Self::is_whole);
        let finite = self.pick(|k| matches!(k, Kind::Range(..) | Kind::Bool | Kind::Named(_)));
        let list = self.pick(|k| *k == Kind::List);
        if let (Some(c), true) = (channel, self.rng.chance(40)) {
            return self.communication(c);
        }
        match (self.rng.below(14), whole, finite, list) {
            (0, ..) => Statement::Skip,
            (1 | 2, ..) => Statement::Await(self.test(1)),
            (3, _, Some(v), _) => Statement::Choose(v),
            (4, _, Some(v), _) => Statement::Produce(v),
            (5, Some(v), ..) => Statement::Consume(v),
            (6, Some(v), ..) => self.on_semaphore(v, false),
            (7, Some(v), ..) => self.on_semaphore(v, true),
            (8 | 9, .., Some(l)) => self.on_list(l),
            _ => self.assign(),
        }
    }

    fn assign(&mut self) -> Statement {
        match self.assignment() {
            pairs if pairs.is_empty() => Statement::Skip,
            pairs => Statement::Assign(pairs),
        }
    }

    /// Request or release of a variable or of an element of an array: either may leave its range.
    fn on_semaphore(&mut self, v: Var, release: bool) -> Statement {
        let arrays = self.vars(|k| matches!(k, Kind::Array(..)));
        let dares = self.dares(Risk::Range) && (self.risk == Risk::Range || self.rng.chance(40));
        let place = match self.rng.pick(&arrays).copied() {
            Some(a) if dares && self.rng.chance(50) => self.place(a),
            _ => Place::Var(v),
        };
        let statement = if release { Statement::Release(place) } else { Statement::Request(place) };
        let (relation, bound) = match self.system.variables[v].kind {
            Kind::Range(_, high) if release => (Relation::Less, high),
            Kind::Range(low, _) => (Relation::Greater, low),
            _ => return statement,
        };
        if dares {
            return statement;
        }
        let inside = Test::Compare(relation, Num::Var(v), Num::Lit(bound));
        Statement::Group(vec![Statement::Await(inside), statement])
    }

    /// Whether messages from 0 to 2 may go to a variable.
    fn takes_messages(&self, v: Var) -> bool {
        match self.system.variables[v].kind {
            Kind::Range(low, high) => (low <= 0 && high >= 2) || self.dares(Risk::Range),
            _ => true,
        }
    }

    fn communication(&mut self, c: Var) -> Statement {
        let channel = self.channel(c);
        if self.rng.chance(50) {
            let beyond = i64::from(self.exceeds());
            return Statement::Send(channel, self.bounded(0, 2 + beyond));
        }
        let arrays = self.vars(|k| matches!(k, Kind::Array(..)));
        let place = match (self.pick(Self::is_whole), arrays.first()) {
            (_, Some(&a)) if self.rng.chance(40) => self.place(a),
            (Some(v), _) if self.takes_messages(v) => Place::Var(v),
            _ => return Statement::Send(channel, self.bounded(0, 2)),
        };
        Statement::Receive(channel, place)
    }

    /// Lists that stay short, or are taken apart with or without care.
    fn on_list(&mut self, l: Var) -> Statement {
        let set_to = |seq: Seq| Statement::Assign(vec![(Place::Var(l), Value::List(seq))]);
        let (list, element) = (Box::new(Seq::Var(l)), Box::new(self.num(0, true)));
        let is_short = Test::Compare(Relation::Less, Num::Count(Seq::Var(l)), Num::Lit(2));
        let has_one = Test::Lists(false, Seq::Var(l), Seq::Nil);
        match self.rng.below(6) {
            0 | 1 => {
                let longer = match self.rng.chance(50) {
                    true => Seq::Cons(element, list),
                    false => Seq::Append(list, element),
                };
                Statement::Group(vec![Statement::Await(is_short), set_to(longer)])
            }
            2 | 3 => Statement::Group(vec![Statement::Await(has_one), set_to(Seq::Tail(list))]),
            4 if self.dares(Risk::List) => set_to(Seq::Tail(list)),
            _ => set_to(self.seq(1)),
        }
    }

    /// A grouped statement, often one that chooses and then looks at what it chose.
    fn group(&mut self) -> Statement {
        let mut body = Vec::new();
        if let Some(v) = self.pick(is_choosable)
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
                    let then = self.assign();
                    Statement::If(self.test(1), vec![then], Vec::new())
                }
                1 => Statement::Await(self.test(1)),
                _ => self.assign(),
            };
            body.push(s);
        }
        Statement::Group(body)
    }
}
