//! Executes a fair transition system state by state: the reference for what a step is.
//!
//! A state gives every variable a value; rigid symbols are given once. What cannot be enumerated
//! (an unconstrained integer, a function without a definition) is an error that says so, never a
//! guess.

use super::{Branch, Domain, Fts, Parameter, Transition, Variable};
use logic::fol::{
    Binder, Interpretation, Op, Quantifier, Sort, Symbol, Term, Value, constructed, domain, evaluate, holds,
};
use num_bigint::BigInt;
use space::Undefined;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of each variable, in the order of the system.
pub type State = Vec<Value>;

/// What rigid symbols stand for; the values of `in` variables that nothing determines belong here
/// too.
pub type Valuation = BTreeMap<Arc<str>, Value>;

/// Values that free choices are taken from, if a valuation has a sequence of this name: those of a
/// run that is replayed. No symbol of a program is called so.
///
/// A choice among infinitely many values is then one among these. Where none of them fits, nothing
/// is known: that a transition is disabled is never concluded from them.
pub const CHOICES: &str = "choices!";

/// A transition taken: which, with which parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its index in the system.
    pub transition: usize,
    /// One value for each parameter of the family.
    pub parameters: Vec<BigInt>,
}

/// A state as an interpretation.
pub struct In<'a> {
    /// The description.
    pub fts: &'a Fts,
    /// The values of rigid symbols.
    pub given: &'a Valuation,
    /// One value for each variable, in the order of the description.
    pub state: &'a [Value],
    /// Values of bound symbols, such as parameters; the last one of a name counts.
    pub extra: Vec<(Arc<str>, Value)>,
}

impl Interpretation for In<'_> {
    fn symbol(&self, symbol: &Symbol) -> Option<Value> {
        if let Some((_, value)) = self.extra.iter().rev().find(|(name, _)| *name == symbol.name) {
            return Some(value.clone());
        }
        let at = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name);
        match at {
            Some(at) if at < self.state.len() => self.state.get(at).cloned(),
            // Outside of a state, an input is what was given for it.
            _ => self.given.get(&symbol.name).cloned(),
        }
    }
}

/// No more initial states than this are tried.
const MAX_INITIAL: usize = 100_000;

/// All initial states.
pub fn initial(fts: &Fts, given: &Valuation) -> Result<Vec<State>, Undefined> {
    let undefined = |why: &str| Undefined(why.to_string());
    let conjuncts = fts.initial.conjuncts();
    let mut partial: Vec<Valuation> = vec![given.clone()];
    let mut left: Vec<usize> = (0..fts.variables.len()).collect();
    while !left.is_empty() {
        // A variable that an equation determines goes first; else one with finitely many values.
        let determined = left.iter().position(|v| equation(fts, *v, &conjuncts, &partial[0]).is_some());
        let finite = |v: &usize| choices(fts, *v, &conjuncts, &partial[0]).is_some();
        let at = determined.or_else(|| left.iter().position(finite));
        let Some(at) = at else {
            return Err(nothing_determines(&fts.variables[left[0]].symbol));
        };
        let variable = left.remove(at);
        let mut next = Vec::new();
        for known in partial {
            let values = match equation(fts, variable, &conjuncts, &known) {
                Some(value) => vec![value],
                None => choices(fts, variable, &conjuncts, &known)
                    .ok_or_else(|| undefined("an initial value is not determined"))?,
            };
            next.extend(values.into_iter().map(|value| {
                let mut known = known.clone();
                known.insert(fts.variables[variable].symbol.name.clone(), value);
                known
            }));
        }
        next.retain(|known| conjuncts.iter().all(|c| holds(c, known) != Some(false)));
        if next.len() > MAX_INITIAL {
            return Err(undefined("too many initial states"));
        }
        if next.is_empty() {
            return Ok(Vec::new());
        }
        partial = next;
    }
    let mut states = Vec::new();
    for known in partial {
        match holds(&fts.initial, &known) {
            Some(true) => {
                states.push(fts.variables.iter().map(|v| known[&v.symbol.name].clone()).collect::<State>());
            }
            Some(false) => {}
            None => return Err(undefined("the initial condition is undefined")),
        }
    }
    states.sort();
    states.dedup();
    Ok(states)
}

/// The value that a conjunct `x = e`, `x`, `~x` or `Forall i:[a..b]. x[i] = e` gives to a variable.
fn equation(fts: &Fts, variable: usize, conjuncts: &[Term], known: &Valuation) -> Option<Value> {
    let symbol = &fts.variables[variable].symbol;
    if let Some(value) = known.get(&symbol.name) {
        return Some(value.clone());
    }
    let is = |e: &Term| e.as_symbol().is_some_and(|s| s.name == symbol.name);
    conjuncts.iter().find_map(|conjunct| match (conjunct.op(), conjunct.arguments()) {
        _ if is(conjunct) => Some(Value::Bool(true)),
        (Op::Not, [a]) if is(a) => Some(Value::Bool(false)),
        (Op::Equal, [a, b]) if is(a) => evaluate(b, known),
        (Op::Equal, [a, b]) if is(b) => evaluate(a, known),
        (Op::Quantified(Quantifier::Forall, binders), [body])
            if covers(binders, fts.variables[variable].range.as_ref(), known) =>
        {
            elements(symbol, binders, body, known)
        }
        _ => None,
    })
}

/// Whether indices range over all of an array: what is not spoken of may be anything.
pub fn covers(binders: &[Binder], domain: Option<&Domain>, known: &Valuation) -> bool {
    let Some((binder, rest)) = binders.split_first() else { return true };
    let Some(Domain::Array { low, high, element }) = domain else { return false };
    let Some((first, last)) = &binder.range else { return false };
    let at_most = |a: &Term, b: &Term| holds(&Term::le(a.clone(), b.clone()), known) == Some(true);
    at_most(first, low) && at_most(high, last) && covers(rest, element.as_deref(), known)
}

/// The array that `Forall i:[a..b]. x[i] = e` describes, or one of arrays with several indices.
fn elements(symbol: &Symbol, binders: &[Binder], body: &Term, known: &Valuation) -> Option<Value> {
    let place = binders.iter().fold(symbol.term(), |array, b| array.select(&b.symbol.term()));
    let value = match (body.op(), body.arguments()) {
        (Op::Equal, [a, b]) if *a == place => b.clone(),
        (Op::Equal, [a, b]) if *b == place => a.clone(),
        (Op::Not, [a]) if *a == place => Term::truth(false),
        _ if *body == place => Term::truth(true),
        _ => return None,
    };
    filled(Value::default_of(&symbol.sort), binders, &value, known)
}

/// The array with an element for each value of the first index; the rest of them are indices of its
/// elements.
fn filled(array: Value, binders: &[Binder], value: &Term, known: &Valuation) -> Option<Value> {
    let Some((binder, rest)) = binders.split_first() else { return evaluate(value, known) };
    let (low, high) = binder.range.as_ref()?;
    let range = (evaluate(low, known)?.as_int()?.clone(), evaluate(high, known)?.as_int()?.clone());
    let mut array = array;
    for index in domain(&Sort::Int, Some(range))? {
        let mut inner = known.clone();
        inner.insert(binder.symbol.name.clone(), index.clone());
        let element = filled(array.select(&index)?, rest, value, &inner)?;
        array = array.store(&index, element)?;
    }
    Some(array)
}

/// All values a variable may have at the beginning, if they are finitely many: those that conjuncts
/// of the initial condition leave, or those of its type.
pub fn choices(fts: &Fts, variable: usize, conjuncts: &[Term], known: &Valuation) -> Option<Vec<Value>> {
    let Variable { symbol, range, .. } = &fts.variables[variable];
    let place = Place { at: symbol.term(), sort: &symbol.sort, within: range.as_ref() };
    place.values(conjuncts, known).or_else(|| all(&symbol.sort, range.as_ref(), known))
}

/// A variable, or an element of one that is an array.
struct Place<'a> {
    at: Term,
    sort: &'a Sort,
    within: Option<&'a Domain>,
}

impl Place<'_> {
    /// The values that conjuncts leave, if they are finitely many: equations, bounds, cases; for an
    /// array those of its elements.
    fn values(&self, conjuncts: &[Term], known: &Valuation) -> Option<Vec<Value>> {
        let said = conjuncts.iter().find_map(|c| self.equal(c, known)).or_else(|| {
            let cases = conjuncts.iter().find_map(|c| self.cases(c, known));
            cases.or_else(|| self.bounded(conjuncts, known))
        });
        said.or_else(|| self.of_elements(conjuncts, known)).or_else(|| all(self.sort, self.within, known))
    }

    /// What `p = e`, `p` or `~p` says.
    fn equal(&self, conjunct: &Term, known: &Valuation) -> Option<Vec<Value>> {
        let value = match (conjunct.op(), conjunct.arguments()) {
            (Op::Not, [a]) if *a == self.at => Value::Bool(false),
            (Op::Equal, [a, b]) if *a == self.at => evaluate(b, known)?,
            (Op::Equal, [a, b]) if *b == self.at => evaluate(a, known)?,
            _ if *conjunct == self.at => Value::Bool(true),
            _ => return None,
        };
        Some(vec![value])
    }

    /// What a disjunction leaves, if each part of it leaves finitely many.
    fn cases(&self, conjunct: &Term, known: &Valuation) -> Option<Vec<Value>> {
        if *conjunct.op() != Op::Or {
            return None;
        }
        let mut found = Vec::new();
        for part in conjunct.arguments() {
            let conjuncts = part.conjuncts();
            let equal = conjuncts.iter().find_map(|c| self.equal(c, known));
            found.extend(equal.or_else(|| self.bounded(&conjuncts, known))?);
        }
        found.sort();
        found.dedup();
        Some(found)
    }

    /// The integers between the narrowest bounds.
    fn bounded(&self, conjuncts: &[Term], known: &Valuation) -> Option<Vec<Value>> {
        if *self.sort != Sort::Int {
            return None;
        }
        let number = |e: &Term| evaluate(e, known)?.as_int().cloned();
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for conjunct in conjuncts {
            let (op @ (Op::Less | Op::LessEqual), [a, b]) = (conjunct.op(), conjunct.arguments()) else {
                continue;
            };
            let strict = i32::from(*op == Op::Less);
            if *a == self.at {
                highs.extend(number(b).map(|n| n - strict));
            } else if *b == self.at {
                lows.extend(number(a).map(|n| n + strict));
            }
        }
        if let Some(Domain::Range { low, high }) = self.within {
            lows.extend(number(low));
            highs.extend(number(high));
        }
        domain(self.sort, Some((lows.into_iter().max()?, highs.into_iter().min()?)))
    }

    /// The arrays that what is said of their elements leaves.
    fn of_elements(&self, conjuncts: &[Term], known: &Valuation) -> Option<Vec<Value>> {
        let (Sort::Array(_, sort), Some(Domain::Array { low, high, element })) = (self.sort, self.within)
        else {
            return None;
        };
        let number = |e: &Term| evaluate(e, known)?.as_int().cloned();
        let mut arrays = vec![Value::default_of(self.sort)];
        for index in domain(&Sort::Int, Some((number(low)?, number(high)?)))? {
            let at = self.at.select(&index.term());
            let said: Vec<Term> = conjuncts.iter().flat_map(|c| instances_at(c, &index, known)).collect();
            let place = Place { at, sort, within: element.as_deref() };
            let values = place.values(&said, known)?;
            if arrays.len().saturating_mul(values.len()) > MAX_INITIAL {
                return None;
            }
            let with =
                |array: &Value| values.iter().map(|v| array.store(&index, v.clone())).collect::<Vec<_>>();
            arrays = arrays.iter().flat_map(with).collect::<Option<Vec<_>>>()?;
        }
        Some(arrays)
    }
}

/// What a conjunct says of one index: a quantifier over indices at this one, or the conjunct
/// itself.
fn instances_at(conjunct: &Term, index: &Value, known: &Valuation) -> Vec<Term> {
    let (Op::Quantified(Quantifier::Forall, binders), [body]) = (conjunct.op(), conjunct.arguments()) else {
        return vec![conjunct.clone()];
    };
    let Some((first, rest)) = binders.split_first() else { return Vec::new() };
    let inside = match &first.range {
        Some((low, high)) => {
            let ends = evaluate(low, known).zip(evaluate(high, known));
            ends.is_some_and(|(low, high)| low <= *index && *index <= high)
        }
        None => first.symbol.sort == Sort::Int,
    };
    let body = Term::every(rest.to_vec(), body.clone());
    let at = body.substitute(&|s| (*s == first.symbol).then(|| index.term()));
    if inside { at.conjuncts() } else { Vec::new() }
}

/// All values of a sort within its bounds, if they are finitely many.
pub fn all(sort: &Sort, within: Option<&Domain>, known: &Valuation) -> Option<Vec<Value>> {
    let number = |e: &Term| evaluate(e, known)?.as_int().cloned();
    match (sort, within) {
        (_, Some(Domain::Range { low, high })) => domain(sort, Some((number(low)?, number(high)?))),
        (Sort::Array(_, element), Some(Domain::Array { low, high, element: inner })) => {
            let indices = domain(&Sort::Int, Some((number(low)?, number(high)?)))?;
            let elements =
                if indices.is_empty() { Vec::new() } else { all(element, inner.as_deref(), known)? };
            let mut arrays = vec![Value::default_of(sort)];
            for index in indices {
                arrays = arrays
                    .iter()
                    .flat_map(|array| elements.iter().map(|value| array.store(&index, value.clone())))
                    .collect::<Option<Vec<_>>>()?;
                if arrays.len() > MAX_INITIAL {
                    return None;
                }
            }
            Some(arrays)
        }
        (Sort::Data(data), Some(Domain::Data(constructors))) => {
            let mut found = Vec::new();
            for (n, (constructor, within)) in data.constructors.iter().zip(constructors).enumerate() {
                let fields = constructor.fields.iter().zip(within);
                let fields = fields.map(|((_, sort), within)| all(sort, within.as_ref(), known));
                found.extend(constructed(sort, n, &fields.collect::<Option<Vec<_>>>()?, known.few())?);
            }
            Some(found)
        }
        _ => domain(sort, None),
    }
}

fn nothing_determines(symbol: &Symbol) -> Undefined {
    Undefined(format!("nothing determines the initial value of `{}`", symbol.name))
}

/// A variable whose initial value is one of infinitely many.
pub fn undetermined(fts: &Fts, given: &Valuation) -> Option<Symbol> {
    let why = initial(fts, given).err()?;
    let symbols = fts.variables.iter().map(|v| &v.symbol);
    symbols.into_iter().find(|symbol| nothing_determines(symbol) == why).cloned()
}

/// The states that may follow one, in order, each with the ways to get there. Idling is not among
/// them.
pub fn steps(fts: &Fts, given: &Valuation, state: &[Value]) -> Result<Vec<(State, Vec<Taken>)>, Undefined> {
    let mut next: BTreeMap<State, Vec<Taken>> = BTreeMap::new();
    for (taken, state) in successors(fts, given, state)? {
        next.entry(state).or_default().push(taken);
    }
    Ok(next.into_iter().collect())
}

/// All ways to take a transition in a state, with the state they lead to. Idling is not among them.
pub fn successors(fts: &Fts, given: &Valuation, state: &[Value]) -> Result<Vec<(Taken, State)>, Undefined> {
    let mut found = Vec::new();
    for (at, transition) in fts.transitions.iter().enumerate() {
        for parameters in instances(fts, given, transition)? {
            let extra = named(transition, &parameters);
            let within = In { fts, given, state, extra };
            for branch in &transition.branches {
                for next in taken(branch, transition, &within)? {
                    found.push((Taken { transition: at, parameters: parameters.clone() }, next));
                }
            }
        }
    }
    Ok(found)
}

fn named(transition: &Transition, parameters: &[BigInt]) -> Vec<(Arc<str>, Value)> {
    let names = transition.parameters.iter().map(|p| p.symbol.name.clone());
    names.zip(parameters.iter().cloned().map(Value::Int)).collect()
}

/// The values of the parameters of a transition; rigid symbols alone bound them.
pub fn instances(
    fts: &Fts,
    given: &Valuation,
    transition: &Transition,
) -> Result<Vec<Vec<BigInt>>, Undefined> {
    let mut found = vec![Vec::new()];
    for Parameter { low, high, symbol } in &transition.parameters {
        let within = In { fts, given, state: &[], extra: Vec::new() };
        let number = |e: &Term| evaluate(e, &within).and_then(|v| v.as_int().cloned());
        let bounds = number(low).zip(number(high));
        let values = bounds.and_then(|range| domain(&Sort::Int, Some(range)));
        let values =
            values.ok_or_else(|| Undefined(format!("how far `{}` ranges is not known", symbol.name)))?;
        found = found
            .iter()
            .flat_map(|known| {
                values.iter().filter_map(|v| {
                    let mut known: Vec<BigInt> = known.clone();
                    known.push(v.as_int()?.clone());
                    Some(known)
                })
            })
            .collect();
    }
    Ok(found)
}

fn taken(branch: &Branch, transition: &Transition, within: &In<'_>) -> Result<Vec<State>, Undefined> {
    let name = &transition.name;
    let unknown = || Undefined(format!("the guard of `{name}` is undefined"));
    if !holds(&branch.guard, within).ok_or_else(unknown)? {
        return Ok(Vec::new());
    }
    let infinite = || Undefined(format!("`{name}` chooses among infinitely many values"));
    let mut sampled = false;
    let mut chosen: Vec<Vec<(Arc<str>, Value)>> = vec![within.extra.clone()];
    for symbol in &branch.chosen {
        let values = chosen_values(symbol, branch, within).or_else(|| {
            sampled = true;
            listed(symbol, within)
        });
        let values = values.ok_or_else(infinite)?;
        chosen = chosen
            .iter()
            .flat_map(|known| {
                values.iter().map(|value| {
                    let mut known = known.clone();
                    known.push((symbol.name.clone(), value.clone()));
                    known
                })
            })
            .collect();
    }
    let mut found = Vec::new();
    for extra in chosen {
        let inner = In { extra, ..*within };
        let unknown = || Undefined(format!("the choice of `{name}` is undefined"));
        if holds(&branch.choice, &inner).ok_or_else(unknown)? {
            found.push(update(branch, transition, &inner)?);
        }
    }
    if sampled && found.is_empty() { Err(infinite()) } else { Ok(found) }
}

/// The values that a valuation lists for free choices.
fn listed(symbol: &Symbol, within: &In<'_>) -> Option<Vec<Value>> {
    let Value::Sequence(_, values) = within.given.get(CHOICES)? else { return None };
    Some(values.iter().filter(|value| value.sort() == symbol.sort).cloned().collect())
}

/// Values to choose from: those of the sort, the one that an equation gives, or those between
/// bounds that conjuncts of the choice give.
fn chosen_values(symbol: &Symbol, branch: &Branch, within: &In<'_>) -> Option<Vec<Value>> {
    if let Some(values) = domain(&symbol.sort, None) {
        return Some(values);
    }
    let is = |e: &Term| e.unwidened().as_symbol().is_some_and(|s| s.name == symbol.name);
    let number = |e: &Term| evaluate(e, within)?.as_int().cloned();
    let (mut low, mut high) = (None, None);
    for conjunct in branch.choice.conjuncts() {
        let (op, [a, b]) = (conjunct.op(), conjunct.arguments()) else { continue };
        match op {
            Op::Equal if is(a) || is(b) => {
                if let Some(value) = evaluate(if is(a) { b } else { a }, within) {
                    return Some(narrowed(value, &symbol.sort).into_iter().collect());
                }
            }
            Op::Less | Op::LessEqual => {
                let strict = i32::from(*op == Op::Less);
                if is(a) {
                    high = high.or(number(b).map(|n| n - strict));
                } else if is(b) {
                    low = low.or(number(a).map(|n| n + strict));
                }
            }
            _ => {}
        }
    }
    if symbol.sort != Sort::Int {
        return None;
    }
    domain(&symbol.sort, Some((low?, high?)))
}

/// A number as one of a sort, if it is one: a fraction is no integer.
fn narrowed(value: Value, sort: &Sort) -> Option<Value> {
    match (value, sort) {
        (Value::Real(r), Sort::Int) => r.is_integer().then(|| Value::Int(r.to_integer())),
        (value, _) => Some(value),
    }
}

fn update(branch: &Branch, transition: &Transition, within: &In<'_>) -> Result<State, Undefined> {
    let mut next = within.state.to_vec();
    for (symbol, value) in &branch.updates {
        let at = within.fts.variables.iter().position(|v| v.symbol.name == symbol.name);
        let value = evaluate(value, within);
        match (at, value) {
            (Some(at), Some(value)) => next[at] = value,
            _ => {
                let why = "is undefined, or a number in it becomes too large";
                return Err(Undefined(format!("the effect of `{}` {why}", transition.name)));
            }
        }
    }
    Ok(next)
}
