//! A fair transition system as a machine of bits.
//!
//! Every instance of a transition, and every branch of it, is a part of its own. Values that a
//! branch chooses have bits of their own, which are quantified away. What the reference stepper
//! cannot do (a guard without a value, a choice among infinitely many) is kept with the states
//! where it happens: if one of them is reachable, there is no answer.

use crate::diagram::{Bdd, Bit, NoAnswer, Space, meets, without};
use crate::encode::{Encoder, Scope};
use crate::layout::{Domain, Layout, OutOfDomain};
use crate::machine::{Fair, Machine, Part};
use crate::order::order;
use crate::term::{Cases, Term};
use logic::fol::{self, Binder, Op, Quantifier, Sort, Symbol, Value, domain};
use num_bigint::BigInt;
use oxidd::{BooleanFunction, BooleanFunctionQuant};
use space::Undefined;
use system::fts::step::{Valuation, all, choices, covers, instances};
use system::fts::{self, Branch, Fairness, Fts, Transition};

pub(crate) struct Built {
    pub(crate) layout: Layout,
    pub(crate) machine: Machine,
    /// Initial values without a place.
    pub(crate) outside: Vec<OutOfDomain>,
    /// Values without a place that steps lead to.
    pub(crate) out_of_domain: Vec<OutOfDomain>,
    /// What cannot be done, and where.
    pub(crate) faults: Vec<(Bdd, String)>,
}

pub(crate) fn build(
    space: &Space<'_>,
    fts: &Fts,
    given: &Valuation,
    most: Fairness,
    domains: &[Domain],
) -> Result<Built, NoAnswer> {
    let layout = Layout::new(space, domains, &order(fts))?;
    let mut builder =
        Builder { space, fts, given, layout: &layout, out_of_domain: Vec::new(), faults: Vec::new() };
    let initial = builder.initial()?;
    let outside = std::mem::take(&mut builder.out_of_domain);
    let (mut parts, mut fair) = (Vec::new(), Vec::new());
    for transition in &fts.transitions {
        let unlisted = |why: Undefined| NoAnswer::Refused(why.to_string());
        for parameters in instances(fts, given, transition).map_err(unlisted)? {
            let names = transition.parameters.iter().map(|p| p.symbol.name.clone());
            let values = parameters.into_iter().map(|n| Term::constant(space, &Value::Int(n), &Sort::Int));
            let scope: Scope = names.zip(values).collect();
            let (mut enabled, first) = (space.constant(false), parts.len());
            for branch in &transition.branches {
                let (possible, part) = builder.branch(transition, branch, scope.clone())?;
                enabled = enabled.or(&possible)?;
                parts.push(part);
                space.breathe()?;
            }
            let fairness = transition.fairness.min(most);
            if fairness != Fairness::None {
                let compassionate = fairness == Fairness::Strong;
                fair.push(Fair { enabled, parts: (first..parts.len()).collect(), compassionate });
            }
        }
    }
    let Builder { out_of_domain, faults, .. } = builder;
    let bits = layout.leaves.iter().flat_map(|leaf| leaf.bits.iter().copied()).collect();
    Ok(Built { machine: Machine { bits, initial, parts, fair }, layout, outside, out_of_domain, faults })
}

impl Built {
    /// States that break an invariant. That one has no value somewhere is a fault.
    pub(crate) fn outside(
        &mut self,
        space: &Space<'_>,
        fts: &Fts,
        given: &Valuation,
        invariants: &[fol::Term],
    ) -> Result<Bdd, NoAnswer> {
        let encoder = Encoder { space, fts, given, terms: &self.layout.terms };
        let mut outside = space.constant(false);
        for invariant in invariants {
            let truth = encoder.truth(invariant, &mut Scope::new())?;
            outside = outside.or(&truth.1)?;
            self.faults.push((encoder.undefined(&truth)?, format!("`{invariant}` is undefined")));
        }
        Ok(outside)
    }
}

struct Builder<'a> {
    space: &'a Space<'a>,
    fts: &'a Fts,
    given: &'a Valuation,
    layout: &'a Layout,
    out_of_domain: Vec<OutOfDomain>,
    faults: Vec<(Bdd, String)>,
}

impl Builder<'_> {
    fn encoder(&self) -> Encoder<'_> {
        Encoder { space: self.space, fts: self.fts, given: self.given, terms: &self.layout.terms }
    }

    /// Where a branch is possible, and its steps.
    fn branch(
        &mut self,
        transition: &Transition,
        branch: &Branch,
        mut scope: Scope,
    ) -> Result<(Bdd, Part), NoAnswer> {
        let space = self.space;
        let name = &transition.name;
        let guard = self.encoder().truth(&branch.guard, &mut scope)?;
        let unknown = self.encoder().undefined(&guard)?;
        self.fault(unknown, || format!("the guard of `{name}` is undefined"));
        let Some(choice) = self.choose(branch, &mut scope)? else {
            self.fault(guard.0, || format!("`{name}` chooses among infinitely many values"));
            let never = space.constant(false);
            return Ok((never.clone(), Part::new(space, never, Vec::new())?));
        };
        let chosen = self.encoder().truth(&branch.choice, &mut scope)?;
        let possible = guard.0.and(&choice.valid)?;
        let unknown = self.encoder().undefined(&chosen)?.and(&possible)?.exists(&choice.bits)?;
        self.fault(unknown, || format!("the choice of `{name}` is undefined"));
        let possible = possible.and(&chosen.0)?;
        let mut relation = possible.clone();
        let mut changed: Vec<Bit> = Vec::new();
        for (symbol, value) in &branch.updates {
            let at = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name);
            let value = self.encoder().term(value, &mut scope)?;
            let unknown = without(&possible, &value.defined(space)?)?.exists(&choice.bits)?;
            self.fault(unknown, || format!("the effect of `{name}` is undefined"));
            let Some(variable) = at else { continue };
            let effect = self.layout.assign(space, variable, &value, true)?;
            relation = relation.and(&effect.relation)?;
            changed.extend(effect.changed.iter().flat_map(|leaf| &self.layout.leaves[*leaf].bits));
            for (way, value, when) in effect.out_of_domain {
                let when = when.and(&possible)?.exists(&choice.bits)?;
                self.out_of_domain.push(OutOfDomain { variable, way, value, when });
            }
        }
        let part = Part::new(space, relation.exists(&choice.bits)?, changed)?;
        Ok((possible.exists(&choice.bits)?, part))
    }

    fn fault(&mut self, when: Bdd, what: impl Fn() -> String) {
        if when.satisfiable() {
            self.faults.push((when, what()));
        }
    }

    /// Bits for what a branch chooses; none if it has infinitely many values.
    fn choose(&mut self, branch: &Branch, scope: &mut Scope) -> Result<Option<Choice>, NoAnswer> {
        let space = self.space;
        let mut choice = Choice { bits: space.constant(true), valid: space.constant(true) };
        let outside = scope.clone();
        for symbol in &branch.chosen {
            let Some(values) = self.chosen_values(symbol, branch, &mut outside.clone())? else {
                return Ok(None);
            };
            let width = values.len().next_power_of_two().trailing_zeros() as usize;
            let vars = space.vars(width);
            let mut cases = Cases::new();
            for (k, value) in values.into_iter().enumerate() {
                let literals = vars.iter().enumerate().map(|(at, v)| space.literal(*v, k >> at & 1 == 1));
                cases.insert(value, space.all(&literals.collect::<Result<Vec<_>, _>>()?)?);
            }
            choice.bits = choice.bits.and(&space.cube(vars)?)?;
            choice.valid = choice.valid.and(&space.any(cases.values())?)?;
            scope.push((symbol.name.clone(), Term::Scalar(cases)));
        }
        Ok(Some(choice))
    }

    /// Values that include all that may be chosen: those of the sort, or those between the
    /// outermost bounds that conjuncts of the choice give.
    fn chosen_values(
        &self,
        symbol: &Symbol,
        branch: &Branch,
        scope: &mut Scope,
    ) -> Result<Option<Vec<Value>>, NoAnswer> {
        if let Some(values) = domain(&symbol.sort, None) {
            return Ok(Some(values));
        }
        let is = |e: &fol::Term| e.as_symbol().is_some_and(|s| s.name == symbol.name);
        let (mut low, mut high) = (None, None);
        for conjunct in branch.choice.conjuncts() {
            let (op @ (Op::Less | Op::LessEqual), [a, b]) = (conjunct.op(), conjunct.arguments()) else {
                continue;
            };
            let strict = i32::from(*op == Op::Less);
            if is(a) && high.is_none() {
                let bound = self.encoder().term(b, scope)?.scalar();
                high = bound.keys().filter_map(Value::as_int).max().map(|n| n - strict);
            } else if is(b) && low.is_none() {
                let bound = self.encoder().term(a, scope)?.scalar();
                low = bound.keys().filter_map(Value::as_int).min().map(|n| n + strict);
            }
        }
        Ok(low.zip(high).and_then(|range| domain(&symbol.sort, Some(range))))
    }

    /// The initial states: variables get their value one after the other, from an equation or from
    /// their declared values, as `system::fts::step::initial` has it.
    fn initial(&mut self) -> Result<Bdd, NoAnswer> {
        let space = self.space;
        let conjuncts = self.fts.initial.conjuncts();
        let mut partial = space.constant(true);
        let mut left: Vec<usize> = (0..self.fts.variables.len()).collect();
        // Nothing left is no initial state, or one without a place: then the caller comes back.
        while !left.is_empty() && partial.satisfiable() {
            let known = |e: &fol::Term| self.is_known(e, &left);
            let equation = |at: usize| self.equation(left[at], &conjuncts, &known);
            let found = (0..left.len()).find_map(|at| Some((at, equation(at)?)));
            if let Some((at, value)) = found {
                let variable = left.remove(at);
                partial = self.determined(variable, &value, partial)?;
            } else {
                let finite = |v: &usize| {
                    let variable = &self.fts.variables[*v];
                    listed(&variable.symbol.sort, variable.range.as_ref(), self.given)
                };
                let Some(at) = left.iter().position(finite) else {
                    let values = |at: usize| choices(self.fts, left[at], &conjuncts, self.given);
                    let found = (0..left.len()).find_map(|at| Some((at, values(at)?)));
                    if let Some((at, values)) = found {
                        let variable = left.remove(at);
                        partial = self.one_of(variable, values, &partial)?;
                        continue;
                    }
                    let name = &self.fts.variables[left[0]].symbol.name;
                    return Err(NoAnswer::Refused(format!(
                        "nothing determines the initial value of `{name}`"
                    )));
                };
                let variable = left.remove(at);
                partial = partial.and(&self.somewhere(variable)?)?;
            }
            for conjunct in &conjuncts {
                if self.is_known(conjunct, &left) {
                    let (_, no) = self.encoder().truth(conjunct, &mut Scope::new())?;
                    partial = without(&partial, &no)?;
                }
            }
        }
        let (yes, no) = self.encoder().truth(&self.fts.initial, &mut Scope::new())?;
        if meets(&partial, &self.encoder().undefined(&(yes.clone(), no))?)? {
            return Err(NoAnswer::Refused("the initial condition is undefined".to_string()));
        }
        Ok(partial.and(&yes)?)
    }

    /// A variable has one of some values.
    fn one_of(&mut self, variable: usize, values: Vec<Value>, partial: &Bdd) -> Result<Bdd, NoAnswer> {
        let mut any = self.space.constant(false);
        for value in values {
            let one = self.determined(variable, &Determined::Value(value), partial.clone())?;
            any = any.or(&one)?;
        }
        Ok(any)
    }

    /// Whether a formula speaks of none of some variables.
    fn is_known(&self, e: &fol::Term, left: &[usize]) -> bool {
        let open = |name: &str| left.iter().any(|v| *self.fts.variables[*v].symbol.name == *name);
        e.symbols().keys().all(|name| !open(name))
    }

    fn determined(&mut self, variable: usize, value: &Determined, partial: Bdd) -> Result<Bdd, NoAnswer> {
        let space = self.space;
        let sort = &self.fts.variables[variable].symbol.sort;
        let term = match value {
            Determined::Value(value) => Term::constant(space, value, sort),
            Determined::Equal(e) => self.encoder().term(e, &mut Scope::new())?,
            Determined::Elements(elements) => {
                let array = Term::constant(space, &Value::default_of(sort), sort);
                self.filled(array, (&elements.binders, &elements.value), &mut Scope::new(), &partial)?
            }
        };
        let unknown = without(&partial, &term.defined(space)?)?;
        if unknown.satisfiable() {
            return Err(NoAnswer::Refused("the initial condition is undefined".to_string()));
        }
        let effect = self.layout.assign(space, variable, &term, false)?;
        for (way, value, when) in effect.out_of_domain {
            let when = when.and(&partial)?;
            self.out_of_domain.push(OutOfDomain { variable, way, value, when });
        }
        Ok(partial.and(&effect.relation)?)
    }

    /// The array with an element for each value of the first index; the rest of them are indices of
    /// its elements.
    fn filled(
        &self,
        array: Term,
        (binders, value): (&[Binder], &fol::Term),
        scope: &mut Scope,
        partial: &Bdd,
    ) -> Result<Term, NoAnswer> {
        let Some((binder, rest)) = binders.split_first() else { return self.encoder().term(value, scope) };
        let Some((low, high)) = binder.range.as_ref() else { return Ok(Term::UNDEFINED) };
        let range = (self.bound(low, partial)?, self.bound(high, partial)?);
        let mut array = array;
        for index in domain(&Sort::Int, Some(range)).unwrap_or_default() {
            let at = Term::constant(self.space, &index, &Sort::Int);
            scope.push((binder.symbol.name.clone(), at.clone()));
            let before = array.select(self.space, &at)?;
            let element = self.filled(before, (rest, value), scope, partial)?;
            scope.pop();
            array = array.store(self.space, &at, &element)?;
        }
        Ok(array)
    }

    /// The one number that a bound of an array is.
    fn bound(&self, e: &fol::Term, partial: &Bdd) -> Result<BigInt, NoAnswer> {
        let cases = self.encoder().term(e, &mut Scope::new())?.scalar();
        let mut possible = Vec::new();
        for (value, when) in cases {
            if meets(&when, partial)? {
                possible.push(value);
            }
        }
        let mut keys = possible.into_iter();
        let only = keys.next().filter(|_| keys.next().is_none());
        let number = only.and_then(|v| v.as_int().cloned());
        number.ok_or_else(|| NoAnswer::Refused("how far an array reaches is not known".to_string()))
    }

    /// Any of the values that have a place: those that are declared, before anything grew.
    fn somewhere(&self, variable: usize) -> Result<Bdd, NoAnswer> {
        let declared = &self.fts.variables[variable];
        let within = declared.range.as_ref();
        self.within(&self.layout.terms[variable], &declared.symbol.sort, within)
    }

    fn within(&self, term: &Term, sort: &Sort, range: Option<&fts::Domain>) -> Result<Bdd, NoAnswer> {
        let space = self.space;
        let mut all = space.constant(true);
        match (term, sort, range) {
            (Term::Scalar(cases), _, range) => {
                let mut some = space.any(cases.values())?;
                if let Some(fts::Domain::Range { low, high }) = range {
                    let low = self.encoder().term(low, &mut Scope::new())?.scalar();
                    let high = self.encoder().term(high, &mut Scope::new())?.scalar();
                    some = some.and(&crate::term::less(space, &low, cases, true)?.0)?;
                    some = some.and(&crate::term::less(space, cases, &high, true)?.0)?;
                }
                all = all.and(&some)?;
            }
            (
                Term::Array { elements, .. },
                Sort::Array(_, sort),
                Some(fts::Domain::Array { element, low, high }),
            ) => {
                let low = self.encoder().term(low, &mut Scope::new())?.scalar();
                let high = self.encoder().term(high, &mut Scope::new())?.scalar();
                for (at, part) in elements {
                    let index = Cases::from([(Value::Int(at.clone()), space.constant(true))]);
                    let inside = crate::term::less(space, &low, &index, true)?.0;
                    let inside = inside.and(&crate::term::less(space, &index, &high, true)?.0)?;
                    let free = self.within(part, sort, element.as_deref())?;
                    let default = Term::constant(space, &Value::default_of(sort), sort);
                    let fixed = part.equal(space, &default)?.0;
                    all = all.and(&inside.ite(&free, &fixed)?)?;
                }
            }
            _ => {}
        }
        Ok(all)
    }

    /// The value that a conjunct `x = e`, `x`, `~x` or `Forall i:[a..b]. x[i] = e` gives to a
    /// variable, or what was given for it.
    fn equation(
        &self,
        variable: usize,
        conjuncts: &[fol::Term],
        known: &dyn Fn(&fol::Term) -> bool,
    ) -> Option<Determined> {
        let symbol = &self.fts.variables[variable].symbol;
        if let Some(value) = self.given.get(&symbol.name) {
            return Some(Determined::Value(value.clone()));
        }
        let is = |e: &fol::Term| e.as_symbol().is_some_and(|s| s.name == symbol.name);
        let equal = |e: &fol::Term| known(e).then(|| Determined::Equal(e.clone()));
        conjuncts.iter().find_map(|conjunct| match (conjunct.op(), conjunct.arguments()) {
            _ if is(conjunct) => Some(Determined::Value(Value::Bool(true))),
            (Op::Not, [a]) if is(a) => Some(Determined::Value(Value::Bool(false))),
            (Op::Equal, [a, b]) if is(a) => equal(b),
            (Op::Equal, [a, b]) if is(b) => equal(a),
            (Op::Quantified(Quantifier::Forall, binders), [body])
                if covers(binders, self.fts.variables[variable].range.as_ref(), self.given) =>
            {
                elements(symbol, binders, body, known)
            }
            _ => None,
        })
    }
}

struct Choice {
    /// What to quantify away.
    bits: Bdd,
    valid: Bdd,
}

/// What determines an initial value.
enum Determined {
    Value(Value),
    Equal(fol::Term),
    /// Of every element between bounds.
    Elements(Box<Elements>),
}

struct Elements {
    binders: Vec<Binder>,
    value: fol::Term,
}

fn elements(
    symbol: &Symbol,
    binders: &[Binder],
    body: &fol::Term,
    known: &dyn Fn(&fol::Term) -> bool,
) -> Option<Determined> {
    let select = |array: fol::Term, b: &Binder| array.select(&b.symbol.term());
    let place = binders.iter().fold(symbol.term(), select);
    let selected = |e: &fol::Term| *e == place;
    let value = match (body.op(), body.arguments()) {
        (Op::Equal, [a, b]) if selected(a) => b.clone(),
        (Op::Equal, [a, b]) if selected(b) => a.clone(),
        (Op::Not, [a]) if selected(a) => fol::Term::truth(false),
        _ if selected(body) => fol::Term::truth(true),
        _ => return None,
    };
    let bounded = |b: &Binder| b.range.as_ref().is_some_and(|(low, high)| known(low) && known(high));
    let all_known = known(&value) && binders.iter().all(bounded);
    all_known.then(|| Determined::Elements(Box::new(Elements { binders: binders.to_vec(), value })))
}

/// Whether the declared values can be listed.
fn listed(sort: &Sort, within: Option<&fts::Domain>, given: &Valuation) -> bool {
    match (sort, within) {
        (Sort::Bool, _) | (Sort::Int, Some(fts::Domain::Range { .. })) => true,
        (Sort::Array(_, element), Some(fts::Domain::Array { element: inner, .. })) => {
            listed(element, inner.as_deref(), given)
                || all(sort, within, given).is_some_and(|values| values.len() == 1)
        }
        (Sort::Data(_), within) => all(sort, within, given).is_some(),
        _ => false,
    }
}
