//! Runs without end that never come back to a state: loops whose numbers and lists grow.
//!
//! A search of a *folded* system, in which numbers beyond a bound stay there or start again from 0,
//! proposes a lasso. Its steps are taken in the system itself, the loop several times. What is the
//! same each time (values, differences, remainders, bounds) is a candidate for the invariant of the
//! loop; what one round keeps is left (Houdini). The certifier decides (`certify::proof::Repeats`).

use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use logic::fol::{Op, Sort, Symbol, Term, Value, evaluate};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use space::Path;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::step::{self, In, State, Taken, Valuation};
use system::fts::{Branch, Domain, Fts, Mode, Repeated, Repetition};

/// How often the loop is taken before its invariant is looked for.
const ROUNDS: usize = 4;
/// Numbers whose differences are looked at.
const NUMBERS: usize = 12;

/// What becomes of numbers that are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// They stay at the bound.
    Stay(i64),
    /// They start again from 0.
    Wrap(i64),
}

impl Fold {
    fn number(self, e: &Term) -> Term {
        match self {
            Fold::Wrap(n) => Term::of(Op::Mod, [e.clone(), Term::int(n)]),
            Fold::Stay(n) => {
                let (low, high) = (Term::int(-n), Term::int(n));
                let above = Term::ite(&Term::lt(high.clone(), e.clone()), &high, e);
                Term::ite(&Term::lt(e.clone(), low.clone()), &low, &above)
            }
        }
    }

    fn length(self) -> i64 {
        match self {
            Fold::Stay(n) | Fold::Wrap(n) => n,
        }
    }

    /// A new value, with its numbers folded.
    fn value(self, e: &Term) -> Term {
        let folded = |parts: &[Term]| -> Vec<Term> {
            parts
                .iter()
                .map(|p| if *p.sort() == Sort::Int { self.number(p) } else { self.value(p) })
                .collect()
        };
        match (e.op(), e.arguments()) {
            (Op::Ite, [c, a, b]) => Term::ite(c, &self.value(a), &self.value(b)),
            (Op::Store, [a, i, v]) if matches!(v.sort(), Sort::Int) => {
                self.value(a).store(i, &self.number(v))
            }
            (Op::Append | Op::Prepend, parts) => Term::of(e.op().clone(), folded(parts)),
            _ if *e.sort() == Sort::Int => self.number(e),
            _ => e.clone(),
        }
    }
}

/// The system with its unbounded variables folded.
pub fn folded(fts: &Fts, fold: Fold) -> Fts {
    let mut fts = fts.clone();
    let bounded: Vec<Arc<str>> = fts
        .variables
        .iter()
        .filter(|v| v.mode == Mode::Control || matches!(v.range, Some(Domain::Range { .. })))
        .map(|v| v.symbol.name.clone())
        .collect();
    for branch in fts.transitions.iter_mut().flat_map(|t| &mut t.branches) {
        for (symbol, value) in branch.updates.iter_mut().filter(|(s, _)| !bounded.contains(&s.name)) {
            let new = fold.value(value);
            *value = match &symbol.sort {
                Sort::Sequence(_) => {
                    let fits = Term::le(new.length(), Term::int(fold.length()));
                    Term::ite(&fits, &new, &symbol.term())
                }
                _ => new,
            };
        }
    }
    fts.properties.clear();
    fts
}

/// A loop of the system, with the states up to the end of its first round.
pub struct Found {
    /// The states.
    pub states: Vec<State>,
    /// The loop.
    pub loops: Repeated,
}

/// A loop with states of the system as a lasso of a folded one has it.
pub fn found(judge: &Judge<'_>, given: &Valuation, fold: Fold, path: &Path<State>) -> Option<Found> {
    let labels = labels(&folded(judge.fts, fold), given, path)?;
    let start = path.loop_start?;
    let unrolled = Unrolled::new(judge.fts, given, path, &labels)?;
    let length = labels.len() - start;
    // The first round may still change what later ones leave alone.
    let first = start + length;
    let mut steps = Vec::new();
    for at in first..first + length {
        steps.push(unrolled.repetition(at, length)?);
    }
    let heads: Vec<&State> = (1..=ROUNDS).map(|n| &unrolled.states[start + n * length]).collect();
    let changed = changed(judge.fts, &steps);
    let candidates = candidates(judge.fts, given, &heads, &changed);
    let fixed = fixed(judge.fts, given, heads[0], &changed);
    let kept = kept(judge, &candidates, &steps, &fixed);
    let states = unrolled.states[..=first + length].to_vec();
    let loops = Repeated { start: first, steps, invariant: Term::all(kept) };
    Some(Found { states, loops })
}

/// The transitions along a lasso, the way back included; none is idling.
fn labels(fts: &Fts, given: &Valuation, path: &Path<State>) -> Option<Vec<Option<Taken>>> {
    let back = path.states.get(path.loop_start?)?;
    let mut found = Vec::new();
    for (at, state) in path.states.iter().enumerate() {
        let next = path.states.get(at + 1).unwrap_or(back);
        let all = step::successors(fts, given, state).ok()?;
        let taken = all.into_iter().find(|(_, s)| s == next).map(|(taken, _)| taken);
        if taken.is_none() && state != next {
            return None;
        }
        found.push(taken);
    }
    Some(found)
}

/// A run of the system itself: up to the loop, and several times round.
struct Unrolled<'a> {
    fts: &'a Fts,
    given: &'a Valuation,
    states: Vec<State>,
    /// The transition taken from each state, with its branch.
    taken: Vec<Option<(Taken, usize)>>,
}

impl<'a> Unrolled<'a> {
    fn new(
        fts: &'a Fts,
        given: &'a Valuation,
        path: &Path<State>,
        labels: &[Option<Taken>],
    ) -> Option<Unrolled<'a>> {
        let start = path.loop_start?;
        let mut run = Unrolled { fts, given, states: vec![path.states.first()?.clone()], taken: Vec::new() };
        let round: Vec<usize> = (start..labels.len()).collect();
        let rounds = std::iter::repeat_n(round, ROUNDS).flatten();
        for at in (0..start).chain(rounds) {
            let next = if at + 1 < path.states.len() { at + 1 } else { start };
            run.take(labels[at].as_ref(), &path.states[next])?;
        }
        Some(run)
    }

    /// Takes a transition to a state that is like another one in all that has few values.
    fn take(&mut self, label: Option<&Taken>, like: &State) -> Option<()> {
        let state = self.states.last()?.clone();
        let Some(label) = label else {
            self.states.push(state);
            self.taken.push(None);
            return Some(());
        };
        let next = step::successors(self.fts, self.given, &state).ok()?;
        let mut fitting: Vec<State> = next.into_iter().filter(|(t, _)| t == label).map(|(_, s)| s).collect();
        let distance = |s: &State| s.iter().zip(like).filter(|(a, b)| a != b).count();
        let few = |s: &State| s.iter().zip(like).all(|(a, b)| a == b || is_large(a));
        fitting.retain(few);
        fitting.sort_by_key(distance);
        let next = fitting.into_iter().next()?;
        let branch = self.branch(label, &state, &next)?;
        self.taken.push(Some((label.clone(), branch)));
        self.states.push(next);
        Some(())
    }

    fn branch(&self, label: &Taken, from: &State, to: &State) -> Option<usize> {
        let transition = &self.fts.transitions[label.transition];
        let parameters = transition.parameters.iter().zip(&label.parameters);
        let extra: Vec<(Arc<str>, Value)> =
            parameters.map(|(p, v)| (p.symbol.name.clone(), Value::Int(v.clone()))).collect();
        let fits = |b: &Branch| {
            let mut extra = extra.clone();
            extra.extend(self.chosen(b, to).into_iter().map(|(s, v)| (s.name.clone(), v)));
            let here = In { fts: self.fts, given: self.given, state: from, extra };
            let possible = Term::all([b.guard.clone(), b.choice.clone()]);
            logic::fol::holds(&possible, &here) == Some(true)
                && b.updates.iter().all(|(s, e)| evaluate(e, &here).as_ref() == self.value(to, s))
        };
        transition.branches.iter().position(fits)
    }

    fn value<'s>(&self, state: &'s State, symbol: &Symbol) -> Option<&'s Value> {
        let at = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name)?;
        state.get(at)
    }

    /// What was chosen, as far as it is the new value of a variable.
    fn chosen(&self, branch: &Branch, to: &State) -> Vec<(Symbol, Value)> {
        let value = |c: &Symbol| {
            let update = branch.updates.iter().find(|(_, e)| e.as_symbol() == Some(c))?;
            Some((c.clone(), self.value(to, &update.0)?.clone()))
        };
        branch.chosen.iter().filter_map(value).collect()
    }

    /// A step of the second round, as it is taken in every one.
    fn repetition(&self, at: usize, length: usize) -> Option<Repetition> {
        let Some((label, branch)) = &self.taken[at] else {
            return Some(Repetition { taken: None, parameters: Vec::new(), chosen: Vec::new() });
        };
        let rounds: Vec<usize> = (0..ROUNDS - 1).map(|n| at + n * length).collect();
        if rounds.iter().any(|n| self.taken[*n].as_ref() != Some(&(label.clone(), *branch))) {
            return None;
        }
        let of = &self.fts.transitions[label.transition].branches[*branch];
        let choice = |c: &Symbol| {
            let (variable, _) = of.updates.iter().find(|(_, e)| e.as_symbol() == Some(c))?;
            let after: Vec<&Value> =
                rounds.iter().map(|n| self.value(&self.states[n + 1], variable)).collect::<Option<_>>()?;
            if after.windows(2).all(|pair| pair[0] == pair[1]) {
                return Some((c.clone(), after[0].term()));
            }
            let before: Vec<&Value> =
                rounds.iter().map(|n| self.value(&self.states[*n], variable)).collect::<Option<_>>()?;
            let by: Vec<BigInt> = before
                .iter()
                .zip(&after)
                .map(|(a, b)| Some(b.as_int()? - a.as_int()?))
                .collect::<Option<_>>()?;
            let same = by.windows(2).all(|pair| pair[0] == pair[1]);
            same.then(|| (c.clone(), variable.term().plus(&Term::int(by[0].clone()))))
        };
        let chosen = of.chosen.iter().map(choice).collect::<Option<_>>()?;
        let taken = Some((label.transition, *branch));
        Some(Repetition { taken, parameters: label.parameters.clone(), chosen })
    }
}

/// Whether a value may differ from one of the folded system: numbers, and what has numbers in it.
fn is_large(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Real(_) | Value::Array(_) | Value::Sequence(..))
}

fn changed(fts: &Fts, steps: &[Repetition]) -> Vec<Arc<str>> {
    let taken = steps.iter().filter_map(|s| s.taken);
    let updates = taken.flat_map(|(t, b)| &fts.transitions[t].branches[b].updates);
    updates.map(|(s, _)| s.name.clone()).collect()
}

/// What the loop leaves alone, by name.
fn fixed(fts: &Fts, given: &Valuation, head: &State, changed: &[Arc<str>]) -> BTreeMap<Arc<str>, Term> {
    let mut known: BTreeMap<Arc<str>, Term> =
        given.iter().map(|(name, value)| (name.clone(), value.term())).collect();
    for (variable, value) in fts.variables.iter().zip(head) {
        known.insert(variable.symbol.name.clone(), value.term());
    }
    known.retain(|name, _| !changed.contains(name));
    known
}

/// What is the same each time the loop begins.
fn candidates(fts: &Fts, given: &Valuation, heads: &[&State], changed: &[Arc<str>]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut numbers: Vec<(Term, Vec<BigInt>)> = Vec::new();
    for (at, variable) in fts.variables.iter().enumerate() {
        if !changed.contains(&variable.symbol.name) {
            continue;
        }
        let values: Vec<&Value> = heads.iter().map(|h| &h[at]).collect();
        let of = variable.symbol.term();
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            let same = Term::eq(of.clone(), values[0].term());
            found.push(if let Some(b) = values[0].as_bool() {
                if b { of } else { Term::negation(of) }
            } else {
                same
            });
            continue;
        }
        let bounds = variable.range.as_ref();
        parts(&of, &values, (bounds, fts, given), &mut numbers);
    }
    for (at, (term, values)) in numbers.iter().take(NUMBERS).enumerate() {
        found.extend(of_number(term, values));
        for (other, theirs) in numbers[at + 1..].iter().take(NUMBERS) {
            let by: Vec<BigInt> = values.iter().zip(theirs).map(|(a, b)| a - b).collect();
            if by.windows(2).all(|pair| pair[0] == pair[1]) {
                found.push(Term::eq(term.clone(), other.plus(&Term::int(by[0].clone()))));
            }
        }
    }
    found
}

/// The numbers that a value is made of.
fn parts(
    of: &Term,
    values: &[&Value],
    (bounds, fts, given): (Option<&Domain>, &Fts, &Valuation),
    numbers: &mut Vec<(Term, Vec<BigInt>)>,
) {
    match of.sort() {
        Sort::Int => numbers.extend(
            values.iter().map(|v| v.as_int().cloned()).collect::<Option<_>>().map(|v| (of.clone(), v)),
        ),
        Sort::Sequence(_) => {
            let length = |v: &&Value| match v {
                Value::Sequence(_, items) => Some(BigInt::from(items.len())),
                _ => None,
            };
            numbers.extend(values.iter().map(length).collect::<Option<_>>().map(|v| (of.length(), v)));
        }
        Sort::Array(..) => {
            let Some(Domain::Array { low, high, .. }) = bounds else { return };
            let here = In { fts, given, state: &[], extra: Vec::new() };
            let number = |e: &Term| evaluate(e, &here)?.as_int()?.to_i64();
            let Some((low, high)) = number(low).zip(number(high)) else { return };
            for index in low..=high.min(low + 6) {
                let element = |v: &&Value| match v {
                    Value::Array(array) => {
                        let entry = array.entries.get(&Value::int(index));
                        Some(entry.unwrap_or(&array.default).clone())
                    }
                    _ => None,
                };
                let Some(items) = values.iter().map(element).collect::<Option<Vec<Value>>>() else { return };
                let items: Vec<&Value> = items.iter().collect();
                parts(&of.select(&Term::int(index)), &items, (None, fts, given), numbers);
            }
        }
        _ => {}
    }
}

fn of_number(term: &Term, values: &[BigInt]) -> Vec<Term> {
    let mut found = Vec::new();
    let first = Term::int(values[0].clone());
    if values.windows(2).all(|pair| pair[0] == pair[1]) {
        return vec![Term::eq(term.clone(), first)];
    }
    if values.windows(2).all(|pair| pair[0] <= pair[1]) {
        found.push(Term::le(first, term.clone()));
    } else if values.windows(2).all(|pair| pair[0] >= pair[1]) {
        found.push(Term::le(term.clone(), first));
    }
    for modulus in [2_i64, 3] {
        let rest = |v: &BigInt| ((v % modulus) + modulus) % modulus;
        if values.iter().all(|v| rest(v) == rest(&values[0])) {
            let remainder = Term::of(Op::Mod, [term.clone(), Term::int(modulus)]);
            found.push(Term::eq(remainder, Term::int(rest(&values[0]))));
        }
    }
    found
}

/// The candidates that one round of the loop keeps.
fn kept(
    judge: &Judge<'_>,
    candidates: &[Term],
    steps: &[Repetition],
    fixed: &BTreeMap<Arc<str>, Term>,
) -> Vec<Term> {
    let at = |e: &Term, by: &BTreeMap<Arc<str>, Term>| e.substitute(&|s| by.get(&s.name).cloned());
    let mut now = fixed.clone();
    for step in steps {
        let Some((transition, branch)) = step.taken else { continue };
        let transition = &judge.fts.transitions[transition];
        let branch = &transition.branches[branch];
        let mut within = now.clone();
        for (parameter, value) in transition.parameters.iter().zip(&step.parameters) {
            within.insert(parameter.symbol.name.clone(), Term::int(value.clone()));
        }
        for (symbol, value) in &step.chosen {
            within.insert(symbol.name.clone(), at(value, &now));
        }
        for (symbol, value) in &branch.updates {
            now.insert(symbol.name.clone(), at(value, &within));
        }
    }
    let mut kept = candidates.to_vec();
    loop {
        let before = kept.len();
        let given = Term::all(kept.iter().map(|e| at(e, fixed)));
        kept.retain(|e| {
            let none: &[Lemma] = &[];
            judge.is_valid(&Condition::implication("", given.clone(), at(e, &now), none))
        });
        if kept.len() == before {
            return kept;
        }
    }
}
