//! Negation normal form as far as quantifiers need it: existential ones become new constants,
//! universal ones stand where they must be true, and formulas without quantifiers stay as they are.
//!
//! Only ground formulas come here, instances included; so a new constant never depends on a
//! variable.

use logic::fol::{Op, Quantifier, Sort, Symbol, Term, free_symbols, is_ground, substitute};
use std::collections::HashMap;

/// Makes constants that occur nowhere else: their names have a mark in them that no symbol of the
/// question has.
#[derive(Clone, Debug)]
pub(crate) struct Skolem {
    count: usize,
    mark: String,
}

impl Skolem {
    pub fn new<'a>(formulas: impl Iterator<Item = &'a Term>) -> Skolem {
        let mut mark = "!".to_owned();
        for symbol in formulas.flat_map(free_symbols) {
            while symbol.name.contains(&*mark) {
                mark.push('!');
            }
        }
        Skolem { count: 0, mark }
    }

    /// Another constant with every call.
    pub(crate) fn fresh(&mut self, name: &str, sort: &Sort) -> Term {
        self.count += 1;
        Symbol::constant(format!("{name}{}{}", self.mark, self.count), sort.clone()).term()
    }

    /// The same constant for the same words.
    pub fn named(&self, name: &str, of: &Sort, sort: &Sort) -> Term {
        Symbol::constant(format!("{name}{}{of}", self.mark), sort.clone()).term()
    }

    pub(crate) fn made(&self, symbol: &Symbol) -> bool {
        symbol.name.contains(&*self.mark)
    }
}

/// The formula, or its negation, with quantifiers only where they are universal. None if a
/// quantifier stands inside a term that is no formula.
pub fn normal(formula: &Term, positive: bool, skolem: &mut Skolem) -> Option<Term> {
    if is_ground(formula) {
        return Some(if positive { formula.clone() } else { formula.negated() });
    }
    let arguments = formula.arguments();
    let mut all = |terms: &[Term], positive: bool| {
        terms.iter().map(|t| normal(t, positive, skolem)).collect::<Option<Vec<Term>>>()
    };
    match (formula.op(), arguments) {
        (Op::Not, [a]) => normal(a, !positive, skolem),
        (Op::And, _) | (Op::Or, _) => {
            let parts = all(arguments, positive)?;
            Some(if (*formula.op() == Op::And) == positive { Term::and(parts) } else { Term::or(parts) })
        }
        (Op::Implies, [a, b]) => {
            let (a, b) = (normal(a, !positive, skolem)?, normal(b, positive, skolem)?);
            Some(if positive { Term::or([a, b]) } else { Term::and([a, b]) })
        }
        (Op::Equal, [a, b]) if *a.sort() == Sort::Bool => {
            let one = all(&[a.clone(), b.clone()], true)?;
            let other = all(&[a.clone(), b.clone()], false)?;
            Some(if positive {
                // Both or neither.
                Term::or([Term::and(one), Term::and(other)])
            } else {
                Term::and([Term::or(one), Term::or(other)])
            })
        }
        (Op::Ite, [c, a, b]) => {
            let then = [normal(c, false, skolem)?, normal(a, positive, skolem)?];
            let otherwise = [normal(c, true, skolem)?, normal(b, positive, skolem)?];
            Some(Term::and([Term::or(then), Term::or(otherwise)]))
        }
        (Op::Quantified(quantifier, binders), [body]) => {
            if (*quantifier == Quantifier::Forall) == positive {
                let body = if positive { body.clone() } else { body.negated() };
                return Some(Term::quantified(Quantifier::Forall, binders.clone(), &body));
            }
            let variables = binders.iter().map(|b| &b.symbol);
            let map: HashMap<Symbol, Term> =
                variables.map(|v| (v.clone(), skolem.fresh(&v.name, &v.sort))).collect();
            normal(&substitute(body, &map), positive, skolem)
        }
        _ => None,
    }
}

/// What a universal formula says about these terms; true if it cannot be said.
pub fn instance(universal: &Term, terms: &[Term], skolem: &mut Skolem) -> Term {
    let (Op::Quantified(Quantifier::Forall, binders), [body]) = (universal.op(), universal.arguments())
    else {
        return Term::truth(true);
    };
    let variables = binders.iter().map(|b| b.symbol.clone());
    let map: HashMap<Symbol, Term> = variables.zip(terms.iter().cloned()).collect();
    normal(&substitute(body, &map), true, skolem).unwrap_or_else(|| Term::truth(true))
}
