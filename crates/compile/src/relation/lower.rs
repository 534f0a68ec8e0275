//! Terms of fair transition systems as [`Code`]: every symbol finds its slot, rigid ones their
//! value.
//!
//! What is known beforehand is computed beforehand: parameters have their values, small quantifiers
//! over known ranges are written out, and what has only constants in it is a constant.

use super::code::{Code, Frame, Over, Quantified};
use super::value::Value;
use logic::fol::{Binder, Op, Quantifier, Sort, Symbol, Term, domain};
use std::sync::Arc;
use system::fts::Fts;
use system::fts::step::Valuation;

/// The names that a term may read: those bound around it, the innermost last; then variables; then
/// what is given.
#[derive(Clone)]
pub struct Scope<'a> {
    pub fts: &'a Fts,
    pub given: &'a Valuation,
    pub bound: Vec<(Arc<str>, Bound)>,
}

/// What a bound name stands for.
#[derive(Clone)]
pub enum Bound {
    Slot(usize),
    Value(Value),
}

/// No more copies of the body of a quantifier are written out, those of quantifiers around it
/// included.
const COPIES: usize = 64;

impl Scope<'_> {
    /// Binds a name to the slot that is next.
    pub fn bind(&mut self, name: &Arc<str>) -> usize {
        let slot = self.bound.iter().filter(|(_, bound)| matches!(bound, Bound::Slot(_))).count();
        self.bound.push((name.clone(), Bound::Slot(slot)));
        slot
    }

    pub fn code(&mut self, e: &Term) -> Code {
        self.written(e, 1)
    }

    /// The code of a term, of which there will be this number of copies.
    fn written(&mut self, e: &Term, copies: usize) -> Code {
        match (e.op(), e.arguments()) {
            _ if *e.sort() == Sort::Unsorted => Code::Nothing,
            (Op::True, _) => Code::Constant(Value::Bool(true)),
            (Op::False, _) => Code::Constant(Value::Bool(false)),
            (Op::Int(n), _) => Code::Constant(Value::integer(n.clone())),
            (Op::Real(r), _) => Code::Constant(Value::number(r.clone())),
            (Op::Construct(_, n), []) => Code::Constant(Value::Constant(*n)),
            (Op::Empty(_), _) => Code::Constant(Value::Sequence(Arc::default())),
            (Op::Apply(symbol), []) => self.symbol(symbol),
            // Functions are known by axioms alone.
            (Op::Apply(_), _) => Code::Nothing,
            // A whole number looks the same among reals.
            (Op::ToReal, [part]) => self.written(part, copies),
            (Op::Quantified(quantifier, binders), [body]) => {
                self.quantified(*quantifier, binders, body, copies)
            }
            (op, parts) => {
                simplified(op.clone(), parts.iter().map(|part| self.written(part, copies)).collect())
            }
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Code {
        if let Some((_, bound)) = self.bound.iter().rfind(|(name, _)| *name == symbol.name) {
            return match bound {
                Bound::Slot(slot) => Code::Local(*slot),
                Bound::Value(value) => Code::Constant(value.clone()),
            };
        }
        if let Some(at) = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name) {
            return Code::Variable(at);
        }
        self.given.get(&symbol.name).map_or(Code::Nothing, |value| Code::Constant(value.into()))
    }

    fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Term, copies: usize) -> Code {
        let Some((binder, rest)) = binders.split_first() else { return self.written(body, copies) };
        let range = binder.range.as_ref();
        let bounds = range.map(|(low, high)| (self.written(low, copies), self.written(high, copies)));
        if let Some((Code::Constant(Value::Int(low)), Code::Constant(Value::Int(high)))) = &bounds
            && let Some(count) = high.checked_sub(*low).and_then(|n| usize::try_from(n).ok())
            && (count + 1) * copies <= COPIES
        {
            let one = |n: i64| {
                self.bound.push((binder.symbol.name.clone(), Bound::Value(Value::Int(n))));
                let code = self.quantified(quantifier, rest, body, (count + 1) * copies);
                self.bound.pop();
                code
            };
            let parts = (*low..=*high).map(one).collect();
            return simplified(if quantifier == Quantifier::Exists { Op::Or } else { Op::And }, parts);
        }
        let listed = domain(&binder.symbol.sort, None).map(|values| values.iter().map(Value::from).collect());
        let over = match (listed, bounds) {
            (_, Some((low, high))) => Over::Between(low, high),
            (Some(values), None) => Over::Listed(values),
            _ => Over::Unlisted,
        };
        let slot = self.bind(&binder.symbol.name);
        let body = self.quantified(quantifier, rest, body, copies);
        self.bound.pop();
        let exists = quantifier == Quantifier::Exists;
        Code::Quantified(Box::new(Quantified { exists, slot, over, body }))
    }
}

/// An operator applied: its value if that is known, the place of an element if it is one.
pub fn simplified(op: Op, parts: Box<[Code]>) -> Code {
    let is_element = op == Op::Select && parts.iter().all(|part| !part.is_computed());
    let is_constant = parts.iter().all(|part| matches!(part, Code::Constant(_)));
    let code = match <[Code; 2]>::try_from(parts.into_vec()) {
        Ok(pair) if is_element => Code::Element(Box::new(pair)),
        Ok(pair) => Code::Apply(op, Box::new(pair)),
        Err(parts) => Code::Apply(op, parts.into()),
    };
    match is_constant.then(|| code.value(&mut Frame::default())).flatten() {
        Some(value) => Code::Constant(value),
        None => code,
    }
}
