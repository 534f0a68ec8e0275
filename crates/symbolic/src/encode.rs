//! Expressions to terms: the reference evaluator (`logic::fol::evaluate`) once more, on all states
//! at once.
//!
//! Where that has no value, the term has none: connectives decide on what they know, everything
//! else needs all its parts.

use crate::diagram::{Bdd, NoAnswer, Space, without};
use crate::term::{Cases, PLAIN, Term, combine, less};
use logic::fol::{self, Binder, Op, Quantifier, Sort, Value, domain, evaluate};
use num_bigint::BigInt;
use oxidd::BooleanFunction;
use std::sync::Arc;
use system::fts::Fts;
use system::fts::step::Valuation;

/// More values than this are not tried for a quantifier.
const MAX_RANGE: i64 = 10_000;

/// Names with their terms; the last one counts.
pub(crate) type Scope = Vec<(Arc<str>, Term)>;

pub(crate) struct Encoder<'a> {
    pub(crate) space: &'a Space<'a>,
    pub(crate) fts: &'a Fts,
    pub(crate) given: &'a Valuation,
    /// The variables of the system.
    pub(crate) terms: &'a [Term],
}

impl Encoder<'_> {
    /// Where a formula is true, and where it is false.
    pub(crate) fn truth(&self, e: &fol::Term, scope: &mut Scope) -> Result<(Bdd, Bdd), NoAnswer> {
        Ok(self.term(e, scope)?.as_truth(self.space))
    }

    pub(crate) fn term(&self, e: &fol::Term, scope: &mut Scope) -> Result<Term, NoAnswer> {
        let constant = |value: Value, sort: &Sort| Ok(Term::constant(self.space, &value, sort));
        match (e.op(), e.arguments()) {
            _ if *e.sort() == Sort::Unsorted => Ok(Term::UNDEFINED),
            (Op::Apply(symbol), []) => {
                if let Some((_, term)) = scope.iter().rev().find(|(name, _)| *name == symbol.name) {
                    return Ok(term.clone());
                }
                let at = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name);
                match at.and_then(|at| self.terms.get(at)) {
                    Some(term) => Ok(term.clone()),
                    None => match self.given.get(&symbol.name) {
                        Some(value) => constant(value.clone(), &symbol.sort),
                        None => Ok(Term::UNDEFINED),
                    },
                }
            }
            // Functions have no definition.
            (Op::Apply(_), _) => Ok(Term::UNDEFINED),
            (Op::Quantified(quantifier, binders), [body]) => {
                let (yes, no) = self.quantified(*quantifier, binders, body, scope)?;
                Ok(Term::truth(yes, no))
            }
            (Op::Construct(..), _) => self.apply(e, scope),
            (_, []) => evaluate(e, self.given).map_or(Ok(Term::UNDEFINED), |value| constant(value, e.sort())),
            _ => self.apply(e, scope),
        }
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &fol::Term,
        scope: &mut Scope,
    ) -> Result<(Bdd, Bdd), NoAnswer> {
        let Some((binder, rest)) = binders.split_first() else { return self.truth(body, scope) };
        let exists = quantifier == Quantifier::Exists;
        // Where some value decides, and where all values are known not to.
        let (mut decided, mut open) = (self.space.constant(false), self.space.constant(true));
        let (values, defined) = self.values(binder, scope)?;
        for (value, within) in values {
            let term = Term::constant(self.space, &value, &binder.symbol.sort);
            scope.push((binder.symbol.name.clone(), term));
            let (yes, no) = self.quantified(quantifier, rest, body, scope)?;
            scope.pop();
            let (deciding, other) = if exists { (yes, no) } else { (no, yes) };
            decided = decided.or(&within.and(&deciding)?)?;
            open = open.and(&other.or(&within.not()?)?)?;
        }
        let (decided, open) = (decided.and(&defined)?, open.and(&defined)?);
        Ok(if exists { (decided, open) } else { (open, decided) })
    }

    /// The values that a bound variable may have, each with the states where it is within the
    /// bounds; and where these are known.
    fn values(&self, binder: &Binder, scope: &mut Scope) -> Result<(Vec<(Value, Bdd)>, Bdd), NoAnswer> {
        let always = self.space.constant(true);
        let Some((low, high)) = binder.range.as_ref() else {
            let all = domain(&binder.symbol.sort, None);
            let known = self.space.constant(all.is_some());
            return Ok((all.unwrap_or_default().into_iter().map(|v| (v, always.clone())).collect(), known));
        };
        let (low, high) = (self.term(low, scope)?.scalar(), self.term(high, scope)?.scalar());
        let defined = self.space.any(low.values())?.and(&self.space.any(high.values())?)?;
        let ends = (low.keys().next().and_then(Value::as_int), high.keys().last().and_then(Value::as_int));
        let (Some(first), Some(last)) = ends else { return Ok((Vec::new(), defined)) };
        if last - first > BigInt::from(MAX_RANGE) {
            return Ok((Vec::new(), self.space.constant(false)));
        }
        let mut found = Vec::new();
        for value in domain(&Sort::Int, Some((first.clone(), last.clone()))).unwrap_or_default() {
            let here = Cases::from([(value.clone(), always.clone())]);
            let above = less(self.space, &low, &here, true)?.0;
            let within = above.and(&less(self.space, &here, &high, true)?.0)?;
            found.push((value, within));
        }
        Ok((found, defined))
    }

    fn apply(&self, e: &fol::Term, scope: &mut Scope) -> Result<Term, NoAnswer> {
        let (space, op) = (self.space, e.op());
        let terms = e.arguments().iter().map(|p| self.term(p, scope)).collect::<Result<Vec<_>, _>>()?;
        let part = |at: usize| terms.get(at).cloned().unwrap_or(Term::UNDEFINED);
        let truths: Vec<(Bdd, Bdd)> = terms.iter().map(|t| t.as_truth(space)).collect();
        let numbers = |at: usize| numbers(&part(at));
        match op {
            Op::Not => {
                let (yes, no) = part(0).as_truth(space);
                Ok(Term::truth(no, yes))
            }
            Op::And => Ok(Term::truth(
                space.all(truths.iter().map(|(yes, _)| yes))?,
                space.any(truths.iter().map(|(_, no)| no))?,
            )),
            Op::Or => Ok(Term::truth(
                space.any(truths.iter().map(|(yes, _)| yes))?,
                space.all(truths.iter().map(|(_, no)| no))?,
            )),
            Op::Implies => {
                let ((a, not_a), (b, not_b)) = (part(0).as_truth(space), part(1).as_truth(space));
                Ok(Term::truth(not_a.or(&b)?, a.and(&not_b)?))
            }
            Op::Equal => {
                let (yes, no) = part(0).equal(space, &part(1))?;
                Ok(Term::truth(yes, no))
            }
            Op::Ite => Term::ite(space, &part(0), &part(1), &part(2)),
            Op::Less | Op::LessEqual => {
                let (yes, no) = less(space, &numbers(0), &numbers(1), *op == Op::LessEqual)?;
                Ok(Term::truth(yes, no))
            }
            Op::Negate | Op::ToReal | Op::ToInt => {
                let always = Cases::from([(Value::Bool(true), space.constant(true))]);
                combine(&numbers(0), &always, |x, _| computed(op, &[x])).map(Term::Scalar)
            }
            Op::Add | Op::Multiply | Op::Subtract | Op::Divide | Op::Div | Op::Mod => {
                let rest = terms.iter().skip(1);
                let all = rest
                    .map(self::numbers)
                    .try_fold(numbers(0), |sum, next| combine(&sum, &next, |x, y| computed(op, &[x, y])));
                all.map(Term::Scalar)
            }
            Op::Select => part(0).select(space, &part(1)),
            Op::Store => part(0).store(space, &part(1), &part(2)),
            Op::Append => part(0).append(space, &part(1)),
            Op::Tail => part(0).rest(space),
            Op::Length => Ok(part(0).length()),
            Op::Prepend => part(0).prepend(space, &part(1)),
            Op::Nth => part(0).nth(space, &numbers(1)),
            Op::Construct(sort, n) => {
                let made = Cases::from([(Value::Data(sort.clone(), *n, Vec::new()), space.constant(true))]);
                terms.iter().try_fold(made, |made, field| with_field(&made, field)).map(Term::Scalar)
            }
            Op::Is(n) => {
                let (cases, is) =
                    (part(0).scalar(), |v: &Value| matches!(v, Value::Data(_, made, _) if made == n));
                let (yes, no): (Vec<_>, Vec<_>) = cases.iter().partition(|(value, _)| is(value));
                let any = |side: Vec<(&Value, &Bdd)>| space.any(side.into_iter().map(|(_, when)| when));
                Ok(Term::truth(any(yes)?, any(no)?))
            }
            Op::Field(n, at) => part(0).field(*n, *at),
            // Programs have no more.
            _ => Ok(Term::UNDEFINED),
        }
    }

    /// Where a formula has no truth value.
    pub(crate) fn undefined(&self, (yes, no): &(Bdd, Bdd)) -> Result<Bdd, NoAnswer> {
        without(&self.space.constant(true), &yes.or(no)?)
    }
}

/// What a constructor made so far, with one field more.
fn with_field(made: &Cases, field: &Term) -> Result<Cases, NoAnswer> {
    let Term::Scalar(values) = field else { return Err(NoAnswer::Refused(PLAIN.to_string())) };
    combine(made, values, |made, value| match made {
        Value::Data(sort, n, fields) => {
            let fields = [&fields[..], std::slice::from_ref(value)].concat();
            Some(Value::Data(sort.clone(), *n, fields))
        }
        _ => None,
    })
}

fn numbers(of: &Term) -> Cases {
    let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Real(_));
    of.scalar().into_iter().filter(|(value, _)| is_number(value)).collect()
}

/// The one definition of arithmetic is asked for every combination of values.
fn computed(op: &Op, values: &[&Value]) -> Option<Value> {
    evaluate(&fol::Term::of(op.clone(), values.iter().map(|v| v.term())), &Valuation::new())
}
