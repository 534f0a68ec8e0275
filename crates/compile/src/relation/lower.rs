//! Terms of fair transition systems as [`Code`]: every symbol finds its slot, rigid ones their value.

use super::code::{Code, Over, Quantified};
use super::value::Value;
use std::sync::Arc;
use system::fts::evaluate::domain;
use system::fts::step::Given;
use system::fts::{Binder, Expr, Fts, Quantifier, Sort, Symbol};

/// The names that a term may read: those bound around it, the innermost last; then variables; then what is given.
#[derive(Clone)]
pub struct Scope<'a> {
    pub fts: &'a Fts,
    pub given: &'a Given,
    pub locals: Vec<Arc<str>>,
}

impl Scope<'_> {
    pub fn code(&mut self, e: &Expr) -> Code {
        match e {
            Expr::Bool(b) => Code::Constant(Value::Bool(*b)),
            Expr::Int(n) => Code::Constant(Value::integer(n.clone())),
            Expr::Constant(Sort::Data(_), at) => Code::Constant(Value::Data(*at, Arc::default())),
            Expr::Constant(_, at) => Code::Constant(Value::Constant(*at)),
            Expr::Empty(_) => Code::Constant(Value::Sequence(Arc::default())),
            Expr::Symbol(symbol) => self.symbol(symbol),
            // Functions are known by axioms alone.
            Expr::Call(..) => Code::Nothing,
            Expr::Apply(op, parts) => Code::Apply(*op, parts.iter().map(|part| self.code(part)).collect()),
            Expr::Quantified(quantifier, binders, body) => self.quantified(*quantifier, binders, body),
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

    fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Expr) -> Code {
        let Some((binder, rest)) = binders.split_first() else { return self.code(body) };
        let bounds = binder.range.as_deref().map(|(low, high)| (self.code(low), self.code(high)));
        let listed = domain(&binder.symbol.sort, None).map(|values| values.iter().map(Value::from).collect());
        let over = match (&binder.symbol.sort, listed, bounds) {
            (Sort::Int, _, Some((low, high))) => Over::Between(low, high),
            (Sort::Data(_), _, Some(_)) => Over::Unlisted,
            (_, Some(values), bounds) => Over::Listed(values, bounds),
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
