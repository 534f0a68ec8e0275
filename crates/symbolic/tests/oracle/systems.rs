//! Random little systems with booleans, ranges, enumerations, arrays, channels, choices,
//! parameters, and integers without bounds that stay small; and random formulas about them.

use crate::random::{Random, Shape, formula};
use logic::fol::{Binder, Op, Sort, Symbol, Term};
use logic::ltl::Formula;
use source::Span;
use system::fts::{Branch, Domain, Fairness, Fts, Mode, Parameter, Transition, Variable};

pub struct Maker {
    random: Random,
    variables: Vec<Variable>,
    parameter: Option<Symbol>,
    chosen: Option<Symbol>,
}

fn range(low: i64, high: i64) -> Domain {
    Domain::Range { low: Term::int(low), high: Term::int(high) }
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        Maker { random: Random::new(seed), variables: Vec::new(), parameter: None, chosen: None }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn variable(&mut self, at: usize) -> Variable {
        let colours = ["red", "green", "blue"];
        let (sort, range) = match self.below(7) {
            0 | 1 => (Sort::Bool, None),
            2 => (Sort::Int, Some(range(0, 2))),
            3 => (Sort::Int, None),
            4 => (Sort::enumeration("colour", &colours), None),
            5 => {
                let element = if self.below(2) == 0 { Sort::Bool } else { Sort::Int };
                let inner = (element == Sort::Int).then(|| Box::new(range(0, 1)));
                let domain = Domain::Array { low: Term::int(0), high: Term::int(1), element: inner };
                (Sort::array(Sort::Int, element), Some(domain))
            }
            _ => (Sort::sequence(Sort::Int), None),
        };
        let symbol = Symbol::constant(format!("v{at}"), sort);
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
        Fts { variables: self.variables.clone(), initial: Term::all(initial), transitions, ..Fts::default() }
    }

    fn beginning(&mut self, variable: &Variable) -> Option<Term> {
        let it = variable.symbol.term();
        let open = self.below(3) == 0;
        match &variable.symbol.sort {
            Sort::Bool if open => None,
            Sort::Bool => Some(if self.below(2) == 0 { it } else { Term::negation(it) }),
            Sort::Int if variable.range.is_some() && open => Some(Term::le(it, Term::int(1))),
            Sort::Int => Some(Term::eq(it, Term::int(self.below(3) as i64))),
            sort @ Sort::Data(_) if !open => Some(Term::eq(it, Term::construct(sort, self.below(3), []))),
            Sort::Sequence(element) => Some(Term::eq(it, Term::empty((**element).clone()))),
            Sort::Array(_, element) if !open => {
                let i = Symbol::constant("i", Sort::Int);
                let value = if **element == Sort::Bool { Term::truth(true) } else { Term::int(1) };
                let ends = Some((Term::int(0), Term::int(1)));
                let binder = Binder { symbol: i.clone(), range: ends };
                let body = Term::of(Op::Equal, [it.select(&i.term()), value]);
                Some(Term::every(vec![binder], body))
            }
            _ => None,
        }
    }

    fn transition(&mut self, at: usize) -> Transition {
        let mut parameters = Vec::new();
        if self.below(4) == 0 {
            let symbol = Symbol::constant("p", Sort::Int);
            self.parameter = Some(symbol.clone());
            parameters.push(Parameter { symbol, low: Term::int(0), high: Term::int(1) });
        }
        let branches = (0..1 + self.below(2)).map(|_| self.branch()).collect();
        self.parameter = None;
        let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][self.below(3)];
        let name = format!("t{at}");
        Transition { text: name.clone(), name, parameters, branches, fairness, span: Span::default() }
    }

    fn branch(&mut self) -> Branch {
        let mut guard = self.truth(2);
        let (mut chosen, mut choice) = (Vec::new(), Term::truth(true));
        if self.below(4) == 0 {
            let c = Symbol::constant("c", Sort::Int);
            let high = self.number(1);
            choice = Term::all([Term::le(Term::int(0), c.term()), Term::le(c.term(), high)]);
            chosen.push(c.clone());
            self.chosen = Some(c);
        }
        let mut updates: Vec<(Symbol, Term)> = Vec::new();
        for variable in self.variables.clone() {
            if self.below(2) == 0 {
                let (value, needs) = self.update(&variable);
                guard = Term::all([guard, needs]);
                updates.push((variable.symbol, value));
            }
        }
        self.chosen = None;
        Branch { guard, chosen, choice, updates }
    }

    /// A new value, and when it may be computed.
    fn update(&mut self, variable: &Variable) -> (Term, Term) {
        let it = variable.symbol.term();
        match &variable.symbol.sort {
            Sort::Bool => (self.truth(2), Term::truth(true)),
            Sort::Int => {
                let limit = 2 + self.below(4) as i64;
                (Term::of(Op::Mod, [self.number(2), Term::int(limit)]), Term::truth(true))
            }
            sort @ Sort::Data(_) => {
                let constant = |k| Term::construct(sort, k, []);
                let (a, b) = (self.below(3), self.below(3));
                (Term::ite(&self.truth(1), &constant(a), &constant(b)), Term::truth(true))
            }
            Sort::Array(_, element) => {
                let index = match self.below(3) {
                    0 => Term::int(self.below(2) as i64),
                    1 => self.parameter.clone().map_or(Term::int(0), |p| p.term()),
                    _ => Term::of(Op::Mod, [self.number(1), Term::int(2 + self.below(2) as i64)]),
                };
                let value = match **element {
                    Sort::Bool => self.truth(1),
                    _ => Term::of(Op::Mod, [self.number(1), Term::int(2)]),
                };
                (it.store(&index, &value), Term::truth(true))
            }
            _ => {
                let length = Term::of(Op::Length, [it.clone()]);
                if self.below(2) == 0 {
                    let item = Term::of(Op::Mod, [self.number(1), Term::int(2)]);
                    let room = Term::lt(length, Term::int(1 + self.below(2) as i64));
                    (Term::of(Op::Append, [it, item]), room)
                } else {
                    // Now and then it is forgotten that the channel may be empty.
                    let careless = self.below(12) == 0;
                    let needs = if careless { Term::truth(true) } else { Term::lt(Term::int(0), length) };
                    (Term::of(Op::Tail, [it]), needs)
                }
            }
        }
    }

    fn of_sort(&mut self, wanted: impl Fn(&Sort) -> bool) -> Option<Term> {
        let fitting: Vec<Term> =
            self.variables.iter().filter(|v| wanted(&v.symbol.sort)).map(|v| v.symbol.term()).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len())].clone()) }
    }

    pub fn truth(&mut self, depth: usize) -> Term {
        let choice = self.below(if depth == 0 { 4 } else { 10 });
        match choice {
            0 => self.of_sort(|s| *s == Sort::Bool).unwrap_or(Term::truth(true)),
            1 => {
                let Some(it) = self.of_sort(|s| s.is_enumeration()) else {
                    return Term::truth(self.below(3) > 0);
                };
                let sort = it.sort().clone();
                Term::eq(it, Term::construct(&sort, self.below(3), []))
            }
            2 => Term::eq(self.number(0), Term::int(self.below(3) as i64)),
            3 => {
                let Some(array) = self.of_sort(|s| *s == Sort::array(Sort::Int, Sort::Bool)) else {
                    return Term::lt(self.number(0), self.number(0));
                };
                array.select(&self.number(0))
            }
            4 => Term::negation(self.truth(depth - 1)),
            5 => Term::all([self.truth(depth - 1), self.truth(depth - 1)]),
            6 => Term::any([self.truth(depth - 1), self.truth(depth - 1)]),
            7 => Term::implication(self.truth(depth - 1), self.truth(depth - 1)),
            8 => Term::le(self.number(depth - 1), self.number(depth - 1)),
            _ => {
                let i = Symbol::constant("i", Sort::Int);
                let high = self.number(0);
                let body = Term::lt(i.term(), self.number(depth - 1));
                let binder = Binder { symbol: i, range: Some((Term::int(0), high)) };
                let exists = self.below(2) == 0;
                if exists { Term::some(vec![binder], body) } else { Term::every(vec![binder], body) }
            }
        }
    }

    pub fn number(&mut self, depth: usize) -> Term {
        match self.below(if depth == 0 { 5 } else { 9 }) {
            0 => Term::int(self.below(3) as i64),
            1 => self.of_sort(|s| *s == Sort::Int).unwrap_or(Term::int(1)),
            2 => match (self.chosen.clone(), self.parameter.clone()) {
                (Some(c), _) => c.term(),
                (None, Some(p)) => p.term(),
                _ => Term::int(0),
            },
            3 => match self.of_sort(|s| matches!(s, Sort::Sequence(_))) {
                Some(channel) => Term::of(Op::Length, [channel]),
                None => Term::int(1),
            },
            4 => match self.of_sort(|s| *s == Sort::array(Sort::Int, Sort::Int)) {
                Some(array) => array.select(&Term::int(self.below(3) as i64)),
                None => Term::int(2),
            },
            5 => self.number(depth - 1).plus(&self.number(depth - 1)),
            6 => self.number(depth - 1).minus(&self.number(depth - 1)),
            7 => Term::ite(&self.truth(depth - 1), &self.number(depth - 1), &self.number(depth - 1)),
            _ => {
                let channel = self.of_sort(|s| matches!(s, Sort::Sequence(_)));
                let Some(channel) = channel else { return self.number(depth - 1) };
                let some = Term::lt(Term::int(0), Term::of(Op::Length, [channel.clone()]));
                Term::ite(&some, &channel.head(), &Term::int(0))
            }
        }
    }

    /// A formula with future and past over assertions.
    pub fn formula(&mut self) -> Formula<Term> {
        let shape = Shape { size: 3 + self.below(9), propositions: 3, ..Shape::default() };
        let drawn = formula(&mut self.random, &shape);
        let atoms: Vec<Term> = (0..3).map(|_| self.truth(1)).collect();
        drawn.map(&mut |at: usize| atoms[at].clone())
    }
}
