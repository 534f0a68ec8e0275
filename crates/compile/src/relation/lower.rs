//! Terms of fair transition systems as [`Code`]: every symbol finds its slot, rigid ones their value.

use super::code::{Code, Over, Quantified};
use super::value::Value;
use logic::fol::{Binder, Op, Quantifier, Sort, Symbol, Term, domain};
use std::sync::Arc;
use system::fts::Fts;
use system::fts::step::Given;

/// The names that a term may read: those bound around it, the innermost last; then variables; then what is given.
#[derive(Clone)]
pub struct Scope<'a> {
    pub fts: &'a Fts,
    pub given: &'a Given,
    pub locals: Vec<Arc<str>>,
}

impl Scope<'_> {
    pub fn code(&mut self, e: &Term) -> Code {
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
            (Op::ToReal, [part]) => self.code(part),
            (Op::Quantified(quantifier, binders), [body]) => self.quantified(*quantifier, binders, body),
            (op, parts) => Code::Apply(op.clone(), parts.iter().map(|part| self.code(part)).collect()),
        }
    }

    fn symbol(&self, symbol: &Symbol) -> Code {
        if let Some(slot) = self.locals.iter().rposition(|name| *name == symbol.name) {
            return Code::Local(slot);
        }
        if let Some(at) = self.fts.variables.iter().position(|v| v.symbol.name == symbol.name) {
            return Code::Variable(at);
        }
        self.given.get(&symbol.name).map_or(Code::Nothing, |value| Code::Constant(value.into()))
    }

    fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Term) -> Code {
        let Some((binder, rest)) = binders.split_first() else { return self.code(body) };
        let bounds = binder.range.as_ref().map(|(low, high)| (self.code(low), self.code(high)));
        let listed = domain(&binder.symbol.sort, None).map(|values| values.iter().map(Value::from).collect());
        let over = match (listed, bounds) {
            (_, Some((low, high))) => Over::Between(low, high),
            (Some(values), None) => Over::Listed(values),
            _ => Over::Unlisted,
        };
        let slot = self.locals.len();
        self.locals.push(binder.symbol.name.clone());
        let body = self.quantified(quantifier, rest, body);
        self.locals.pop();
        let exists = quantifier == Quantifier::Exists;
        Code::Quantified(Box::new(Quantified { exists, slot, over, body }))
    }
}
