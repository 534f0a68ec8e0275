//! Random little systems with booleans, ranges, enumerations, arrays, channels, choices, parameters, and integers without bounds that stay
//! small; and random formulas about them.

use logic::ltl::Formula;
use logic::ltl::random::{Random, Shape, formula};
use source::Span;
use std::sync::Arc;
use system::fts::{
    Binder, Branch, Domain, Expr, Fairness, Fts, Mode, Op, Parameter, Sort, Symbol, Transition, Variable,
};

pub struct Maker {
    random: Random,
    variables: Vec<Variable>,
    parameter: Option<Symbol>,
    chosen: Option<Symbol>,
}

fn range(low: i64, high: i64) -> Domain {
    Domain::Range { low: Expr::int(low), high: Expr::int(high) }
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        Maker { random: Random::new(seed), variables: Vec::new(), parameter: None, chosen: None }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn variable(&mut self, at: usize) -> Variable {
        let colours: Arc<[Arc<str>]> = ["red", "green", "blue"].map(Arc::from).into();
        let (sort, range) = match self.below(7) {
            0 | 1 => (Sort::Bool, None),
            2 => (Sort::Int, Some(range(0, 2))),
            3 => (Sort::Int, None),
            4 => (Sort::Enumeration("colour".into(), colours), None),
            5 => {
                let element = if self.below(2) == 0 { Sort::Bool } else { Sort::Int };
                let inner = (element == Sort::Int).then(|| Box::new(range(0, 1)));
                let domain = Domain::Array { low: Expr::int(0), high: Expr::int(1), element: inner };
                (Sort::Array(Box::new(element)), Some(domain))
            }
            _ => (Sort::Sequence(Box::new(Sort::Int)), None),
        };
        let symbol = Symbol::new(format!("v{at}"), sort);
        Variable { symbol, mode: Mode::Local, range, span: Span::default() }
    }

    pub fn system(&mut self) -> Fts {
        for at in 0..1 + self.below(3) {
            let variable = self.variable(at);
            self.variables.push(variable);
        }
        let transitions = (0..1 + self.below(4)).map(|at| self.transition(at)).collect();
        let mut initial = Vec::new();
        for variable in self.variables.clone() {
            initial.extend(self.beginning(&variable));
        }
        Fts { variables: self.variables.clone(), initial: Expr::and(initial), transitions, ..Fts::default() }
    }

    fn beginning(&mut self, variable: &Variable) -> Option<Expr> {
        let it = variable.symbol.expr();
        let open = self.below(3) == 0;
        match &variable.symbol.sort {
            Sort::Bool if open => None,
            Sort::Bool => Some(if self.below(2) == 0 { it } else { Expr::negation(it) }),
            Sort::Int if variable.range.is_some() && open => Some(Expr::le(it, Expr::int(1))),
            Sort::Int => Some(Expr::eq(it, Expr::int(self.below(3) as i64))),
            sort @ Sort::Enumeration(..) if !open => {
                Some(Expr::eq(it, Expr::Constant(sort.clone(), self.below(3))))
            }
            Sort::Sequence(element) => Some(Expr::eq(it, Expr::Empty((**element).clone()))),
            Sort::Array(element) if !open => {
                let i = Symbol::new("i", Sort::Int);
                let value = if **element == Sort::Bool { Expr::TRUE } else { Expr::int(1) };
                let ends = Some(Box::new((Expr::int(0), Expr::int(1))));
                let binder = Binder { symbol: i.clone(), range: ends };
                let body = Expr::Apply(Op::Equal, vec![Expr::select(it, i.expr()), value]);
                Some(Expr::forall(vec![binder], body))
            }
            _ => None,
        }
    }

    fn transition(&mut self, at: usize) -> Transition {
        let mut parameters = Vec::new();
        if self.below(4) == 0 {
            let symbol = Symbol::new("p", Sort::Int);
            self.parameter = Some(symbol.clone());
            parameters.push(Parameter { symbol, low: Expr::int(0), high: Expr::int(1) });
        }
        let branches = (0..1 + self.below(2)).map(|_| self.branch()).collect();
        self.parameter = None;
        let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][self.below(3)];
        let name = format!("t{at}");
        Transition { text: name.clone(), name, parameters, branches, fairness, span: Span::default() }
    }

    fn branch(&mut self) -> Branch {
        let mut guard = self.truth(2);
        let (mut chosen, mut choice) = (Vec::new(), Expr::TRUE);
        if self.below(4) == 0 {
            let c = Symbol::new("c", Sort::Int);
            let high = self.number(1);
            choice = Expr::and([Expr::le(Expr::int(0), c.expr()), Expr::le(c.expr(), high)]);
            chosen.push(c.clone());
            self.chosen = Some(c);
        }
        let mut updates: Vec<(Symbol, Expr)> = Vec::new();
        for variable in self.variables.clone() {
            if self.below(2) == 0 {
                let (value, needs) = self.update(&variable);
                guard = Expr::and([guard, needs]);
                updates.push((variable.symbol, value));
            }
        }
        self.chosen = None;
        Branch { guard, chosen, choice, updates }
    }

    /// A new value, and when it may be computed.
    fn update(&mut self, variable: &Variable) -> (Expr, Expr) {
        let it = variable.symbol.expr();
        match &variable.symbol.sort {
            Sort::Bool => (self.truth(2), Expr::TRUE),
            Sort::Int => {
                let limit = 2 + self.below(4) as i64;
                (Expr::Apply(Op::Modulo, vec![self.number(2), Expr::int(limit)]), Expr::TRUE)
            }
            sort @ Sort::Enumeration(..) => {
                let constant = |k| Expr::Constant(sort.clone(), k);
                let (a, b) = (self.below(3), self.below(3));
                (Expr::ite(self.truth(1), constant(a), constant(b)), Expr::TRUE)
            }
            Sort::Array(element) => {
                let index = match self.below(3) {
                    0 => Expr::int(self.below(2) as i64),
                    1 => self.parameter.clone().map_or(Expr::int(0), |p| p.expr()),
                    _ => Expr::Apply(Op::Modulo, vec![self.number(1), Expr::int(2 + self.below(2) as i64)]),
                };
                let value = match **element {
                    Sort::Bool => self.truth(1),
                    _ => Expr::Apply(Op::Modulo, vec![self.number(1), Expr::int(2)]),
                };
                (Expr::store(it, index, value), Expr::TRUE)
            }
            _ => {
                let length = Expr::Apply(Op::Length, vec![it.clone()]);
                if self.below(2) == 0 {
                    let item = Expr::Apply(Op::Modulo, vec![self.number(1), Expr::int(2)]);
                    let room = Expr::lt(length, Expr::int(1 + self.below(2) as i64));
                    (Expr::Apply(Op::Append, vec![it, item]), room)
                } else {
                    // Now and then it is forgotten that the channel may be empty.
                    let careless = self.below(12) == 0;
                    let needs = if careless { Expr::TRUE } else { Expr::lt(Expr::int(0), length) };
                    (Expr::Apply(Op::Rest, vec![it]), needs)
                }
            }
        }
    }

    fn of_sort(&mut self, wanted: impl Fn(&Sort) -> bool) -> Option<Expr> {
        let fitting: Vec<Expr> =
            self.variables.iter().filter(|v| wanted(&v.symbol.sort)).map(|v| v.symbol.expr()).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len())].clone()) }
    }

    pub fn truth(&mut self, depth: usize) -> Expr {
        let choice = self.below(if depth == 0 { 4 } else { 10 });
        match choice {
            0 => self.of_sort(|s| *s == Sort::Bool).unwrap_or(Expr::TRUE),
            1 => {
                let Some(it) = self.of_sort(|s| matches!(s, Sort::Enumeration(..))) else {
                    return Expr::Bool(self.below(3) > 0);
                };
                let sort = it.sort();
                Expr::eq(it, Expr::Constant(sort, self.below(3)))
            }
            2 => Expr::eq(self.number(0), Expr::int(self.below(3) as i64)),
            3 => {
                let Some(array) = self.of_sort(|s| *s == Sort::Array(Box::new(Sort::Bool))) else {
                    return Expr::lt(self.number(0), self.number(0));
                };
                Expr::select(array, self.number(0))
            }
            4 => Expr::negation(self.truth(depth - 1)),
            5 => Expr::and([self.truth(depth - 1), self.truth(depth - 1)]),
            6 => Expr::or([self.truth(depth - 1), self.truth(depth - 1)]),
            7 => Expr::implies(self.truth(depth - 1), self.truth(depth - 1)),
            8 => Expr::le(self.number(depth - 1), self.number(depth - 1)),
            _ => {
                let i = Symbol::new("i", Sort::Int);
                let high = self.number(0);
                let body = Expr::lt(i.expr(), self.number(depth - 1));
                let binder = Binder { symbol: i, range: Some(Box::new((Expr::int(0), high))) };
                let exists = self.below(2) == 0;
                if exists { Expr::exists(vec![binder], body) } else { Expr::forall(vec![binder], body) }
            }
        }
    }

    pub fn number(&mut self, depth: usize) -> Expr {
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => Expr::int(self.below(3) as i64),
            1 => self.of_sort(|s| *s == Sort::Int).unwrap_or(Expr::int(1)),
            2 => match (self.chosen.clone(), self.parameter.clone()) {
                (Some(c), _) => c.expr(),
                (None, Some(p)) => p.expr(),
                _ => Expr::int(0),
            },
            3 => match self.of_sort(|s| matches!(s, Sort::Sequence(_))) {
                Some(channel) => Expr::Apply(Op::Length, vec![channel]),
                None => Expr::int(1),
            },
            4 => match self.of_sort(|s| *s == Sort::Array(Box::new(Sort::Int))) {
                Some(array) => Expr::select(array, Expr::int(self.below(3) as i64)),
                None => Expr::int(2),
            },
            5 => Expr::sum(self.number(depth - 1), self.number(depth - 1)),
            6 => Expr::difference(self.number(depth - 1), self.number(depth - 1)),
            7 => Expr::ite(self.truth(depth - 1), self.number(depth - 1), self.number(depth - 1)),
            _ => {
                let channel = self.of_sort(|s| matches!(s, Sort::Sequence(_)));
                let Some(channel) = channel else { return self.number(depth - 1) };
                let some = Expr::lt(Expr::int(0), Expr::Apply(Op::Length, vec![channel.clone()]));
                Expr::ite(some, Expr::Apply(Op::First, vec![channel]), Expr::int(0))
            }
        }
    }

    /// A formula with future and past over assertions.
    pub fn formula(&mut self) -> Formula<Expr> {
        let shape = Shape { size: 3 + self.below(9), propositions: 3, ..Shape::default() };
        let drawn = formula(&mut self.random, &shape);
        let atoms: Vec<Expr> = (0..3).map(|_| self.truth(1)).collect();
        drawn.map(&mut |at: usize| atoms[at].clone())
    }
}
