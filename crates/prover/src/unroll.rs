//! Copies of a system's state and the steps between them: what k-induction and bounded model
//! checking ask about (Biere, Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*).
//!
//! Copy 0 of a variable is the variable; copy n of `x` is `x@n`. Variables that no step changes
//! have one value in all copies. A step from one copy to another is one way to take one transition:
//! a truth value for each way says whether it is taken, and exactly one is. All that a way binds,
//! parameters and chosen values, has names of its own in each step. No program has such names.
//!
//! Idling is a step only where it is listed. Where a variable with few values stays as it is, that
//! is said of each of its values too: the solver then sees control by propagation alone.

use crate::pdr::Counterexample;
use crate::pdr::steps::{Step, ways};
use logic::fol::{Binder, Op, Sort, Symbol, Term, Value, evaluate, holds};
use num_traits::ToPrimitive;
use solve::Model;
use space::Path;
use std::sync::Arc;
use system::fts::step::{In, State, Valuation};
use system::fts::{Domain, Fts, Mode};

/// Variables with more values than this are numbers like any other.
const FEW: i64 = 24;

/// A system with copies of its state.
pub(crate) struct Unrolling<'a> {
    pub(crate) fts: &'a Fts,
    pub(crate) ways: Vec<Step>,
    /// The variables that some step changes.
    pub(crate) changed: Vec<Symbol>,
    /// Those of them that have few values, with the least and the greatest.
    few: Vec<(Symbol, i64, i64)>,
}

impl<'a> Unrolling<'a> {
    /// The steps of a system, with parameters as values that a step binds where their number is not
    /// known.
    pub(crate) fn new(fts: &'a Fts) -> Unrolling<'a> {
        Unrolling::of(fts, ways(fts))
    }

    pub(crate) fn of(fts: &'a Fts, ways: Vec<Step>) -> Unrolling<'a> {
        let variables = fts.variables.iter().map(|v| v.symbol.clone());
        let changed = variables.filter(|s| ways.iter().any(|w| w.changes(&s.name))).collect::<Vec<_>>();
        let few = changed.iter().filter_map(|s| few(fts, s)).collect();
        Unrolling { fts, ways, changed, few }
    }

    /// A variable of a copy.
    fn copy(&self, symbol: &Symbol, copy: usize) -> Option<Term> {
        let copied = copy > 0 && self.changed.iter().any(|c| c == symbol);
        copied.then(|| Symbol::constant(format!("{}@{copy}", symbol.name), symbol.sort.clone()).term())
    }

    /// An assertion about a copy.
    pub(crate) fn at(&self, e: &Term, copy: usize) -> Term {
        if copy == 0 { e.clone() } else { e.substitute(&|s| self.copy(s, copy)) }
    }

    /// That a way is taken from a copy.
    pub(crate) fn taken(&self, way: usize, copy: usize) -> Term {
        Symbol::constant(format!("step@{copy}!{way}"), Sort::Bool).term()
    }

    /// A term of a way that is taken from a copy: all that it binds has names of its own.
    fn bound(&self, way: usize, e: &Term, copy: usize) -> Term {
        let chosen = &self.ways[way].chosen;
        e.substitute(&|s| match chosen.contains(s) {
            true => Some(own(s, way, copy).term()),
            false => self.copy(s, copy),
        })
    }

    /// When a way can be taken from a copy.
    pub(crate) fn enabled(&self, way: usize, copy: usize) -> Term {
        let step = &self.ways[way];
        let binders = step.chosen.iter().cloned().map(Binder::free).collect();
        self.at(&Term::some(binders, step.guard.clone()), copy)
    }

    /// That a step leads from one copy to another, by one of some ways; with `idle`, or by none.
    pub(crate) fn step(&self, from: usize, to: usize, possible: &[usize], idle: bool) -> Vec<Term> {
        let mut all = Vec::new();
        let taken = |way: &usize| self.taken(*way, from);
        if !idle {
            all.push(Term::any(possible.iter().map(taken)));
        }
        for (n, way) in possible.iter().enumerate() {
            let others =
                possible[..n].iter().map(|other| Term::or([taken(way), taken(other)].map(Term::negation)));
            all.extend(others);
            all.extend(self.effect(*way, from, to).into_iter().map(|e| Term::implication(taken(way), e)));
        }
        for symbol in &self.changed {
            let changes = possible.iter().filter(|way| self.ways[**way].changes(&symbol.name)).map(taken);
            let changes = Term::any(changes);
            let kept = self.kept(symbol, from, to).into_iter();
            all.extend(kept.map(|kept| Term::any([changes.clone(), kept])));
        }
        all
    }

    /// The guard of a way, and the values that it gives.
    fn effect(&self, way: usize, from: usize, to: usize) -> Vec<Term> {
        let step = &self.ways[way];
        let mut all = self.bound(way, &step.guard, from).conjuncts();
        for (symbol, value) in &step.updates {
            let after = self.at(&symbol.term(), to);
            all.push(Term::eq(after, self.bound(way, value, from)));
        }
        all
    }

    fn kept(&self, symbol: &Symbol, from: usize, to: usize) -> Vec<Term> {
        let (before, after) = (self.at(&symbol.term(), from), self.at(&symbol.term(), to));
        let mut all = vec![Term::eq(after.clone(), before.clone())];
        if let Some((_, low, high)) = self.few.iter().find(|(s, ..)| s == symbol) {
            let is = |e: &Term, value: i64| Term::eq(e.clone(), Term::int(value));
            all.extend((*low..=*high).map(|value| Term::eq(is(&after, value), is(&before, value))));
        }
        all
    }

    /// That two copies differ.
    pub(crate) fn differ(&self, a: usize, b: usize) -> Term {
        Term::any(
            self.changed
                .iter()
                .map(|s| Term::negation(Term::eq(self.at(&s.term(), a), self.at(&s.term(), b)))),
        )
    }

    /// That two copies are the same state.
    pub(crate) fn same(&self, a: usize, b: usize) -> Vec<Term> {
        self.changed.iter().map(|s| Term::eq(self.at(&s.term(), a), self.at(&s.term(), b))).collect()
    }

    /// Whether all that changes are truth values, numbers and enumerations: then that states differ
    /// is cheap to say.
    pub(crate) fn is_scalar(&self) -> bool {
        let scalar = |sort: &Sort| match sort {
            Sort::Bool | Sort::Int | Sort::Real => true,
            sort => sort.datatype().is_some_and(|d| d.constructors.iter().all(|c| c.fields.is_empty())),
        };
        let formulas = self.ways.iter().flat_map(|w| w.updates.iter().map(|(_, e)| e).chain([&w.guard]));
        self.changed.iter().all(|s| scalar(&s.sort)) && formulas.into_iter().all(logic::fol::is_ground)
    }

    /// The run through some copies that a model has: its first state from the model, the others by
    /// the steps that are taken.
    pub(crate) fn run(&self, model: &Model, copies: &[usize]) -> Option<Counterexample> {
        let fts = self.fts;
        let value = |s: &Symbol| evaluate(&self.at(&s.term(), *copies.first()?), model);
        let mut given = self.given(model);
        let first: Option<State> = fts.variables.iter().map(|v| value(&v.symbol)).collect();
        let mut states = vec![first?];
        let (mut last, mut chosen) = (None, Vec::new());
        for copy in &copies[..copies.len() - 1] {
            let way = (0..self.ways.len()).find(|way| holds(&self.taken(*way, *copy), model) == Some(true));
            let state = states.last()?;
            let next = match way {
                None => state.clone(),
                Some(way) => self.next(model, (way, *copy), (&given, state), &mut chosen)?,
            };
            last = way.map(|way| self.ways[way].transition);
            states.push(next);
        }
        crate::small::add_choices(&mut given, chosen);
        Some(Counterexample { given, path: Path::to(states), last })
    }

    /// The values of what is rigid, and of inputs.
    fn given(&self, model: &Model) -> Valuation {
        let own = |s: &&Symbol| self.fts.variable(&s.name).is_none() && !s.name.contains('@');
        let spoken = model.constants.keys().filter(own).cloned();
        let rigid = self.fts.rigid.iter().filter(|r| r.arguments.is_empty());
        let rigid = rigid.map(|r| Symbol::constant(r.name.clone(), r.result.clone()));
        let inputs = self.fts.variables.iter().map(|v| &v.symbol).filter(|s| !self.changed.contains(s));
        let symbols = spoken.chain(rigid).chain(inputs.cloned());
        symbols.map(|s| (s.name.clone(), model.constant(&s))).collect()
    }

    fn next(
        &self,
        model: &Model,
        (way, copy): (usize, usize),
        (given, state): (&Valuation, &State),
        chosen: &mut Vec<Value>,
    ) -> Option<State> {
        let step = &self.ways[way];
        let extra: Vec<(Arc<str>, Value)> =
            step.chosen.iter().map(|s| (s.name.clone(), model.constant(&own(s, way, copy)))).collect();
        chosen.extend(extra.iter().map(|(_, value)| value.clone()));
        let within = In { fts: self.fts, given, state, extra };
        let mut next = state.clone();
        for (symbol, e) in &step.updates {
            let at = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name)?;
            next[at] = evaluate(e, &within)?;
        }
        Some(next)
    }

    /// The ways that may be taken from each of the first states of a run, as far as the values of
    /// control tell.
    pub(crate) fn possible(&self, depth: usize) -> Vec<Vec<usize>> {
        let mut now: Vec<Vec<i64>> = self
            .few
            .iter()
            .map(|(s, low, high)| (*low..=*high).filter(|v| may_be(&self.fts.initial, s, *v)).collect())
            .collect();
        let mut all = Vec::new();
        for _ in 0..depth {
            let fits = |way: &usize| {
                let guard = &self.ways[*way].guard;
                self.few.iter().zip(&now).all(|((s, ..), values)| values.iter().any(|v| may_be(guard, s, *v)))
            };
            let possible: Vec<usize> = (0..self.ways.len()).filter(fits).collect();
            for (n, (symbol, low, high)) in self.few.iter().enumerate() {
                for way in &possible {
                    match self.ways[*way].updates.iter().find(|(s, _)| s == symbol) {
                        None => {}
                        Some((_, e)) => match e.op() {
                            Op::Int(value) => now[n].extend(value.to_i64()),
                            _ => now[n].extend(*low..=*high),
                        },
                    }
                }
                now[n].sort_unstable();
                now[n].dedup();
            }
            all.push(possible);
        }
        all
    }
}

/// Whether a formula leaves a value possible, as far as its conjuncts that are equations tell.
fn may_be(e: &Term, symbol: &Symbol, value: i64) -> bool {
    let variable = symbol.term();
    e.conjuncts().iter().all(|part| match (part.op(), part.arguments()) {
        (Op::Equal, [a, b]) if *a == variable => !matches!(b.op(), Op::Int(n) if n.to_i64() != Some(value)),
        (Op::Equal, [a, b]) if *b == variable => !matches!(a.op(), Op::Int(n) if n.to_i64() != Some(value)),
        _ => true,
    })
}

/// What a way binds in the step from a copy.
fn own(symbol: &Symbol, way: usize, copy: usize) -> Symbol {
    Symbol::constant(format!("{}@{copy}!{way}", symbol.name), symbol.sort.clone())
}

/// A variable with few values, with the least and the greatest: control, or a small range.
fn few(fts: &Fts, symbol: &Symbol) -> Option<(Symbol, i64, i64)> {
    let variable = fts.variable(&symbol.name)?;
    let (low, high) = match (&variable.range, variable.mode) {
        (Some(Domain::Range { low, high }), _) => match (low.op(), high.op()) {
            (Op::Int(low), Op::Int(high)) => (low.to_i64()?, high.to_i64()?),
            _ => return None,
        },
        (None, Mode::Control) if symbol.sort == Sort::Int => {
            let thread = fts.threads.iter().find(|t| t.control == *symbol)?;
            (-i64::from(thread.nested), thread.locations.len() as i64 - 1)
        }
        _ => return None,
    };
    (symbol.sort == Sort::Int && high - low < FEW).then(|| (symbol.clone(), low, high))
}
