//! Who comes anew and is known to none: of a new individual no predicate holds yet, and neither
//! does one of an individual that ceases to be. Formulas that ask for a predicate of everyone they
//! look at do not notice it.
//!
//! Creating is then invisible to such formulas, and so is forgetting: what `transient` and the
//! engine rely on.

use crate::formula::{Formula, Var};
use crate::vocabulary::Symbol;

/// What a new individual, of which no predicate holds yet, can do to the values of formulas for
/// others.
pub struct Newcomer<'a> {
    /// False for predicates that may hold of it from the beginning: some derived ones.
    pub absent: &'a dyn Fn(Symbol) -> bool,
    /// False for predicates that it may change for others.
    pub steady: &'a dyn Fn(Symbol) -> bool,
}

impl Newcomer<'_> {
    /// Whether it changes nothing: wherever the formula looks at all individuals, it asks for a
    /// predicate of them.
    pub fn is_ignored(&self, f: &Formula) -> bool {
        match f {
            Formula::Constant(_) | Formula::Equal(..) => true,
            Formula::Atom(symbol, _) => (self.steady)(*symbol),
            Formula::Exists(v, bound) => self.settled(&bound.body, *v, false) && self.is_ignored(&bound.body),
            Formula::Forall(v, bound) => self.settled(&bound.body, *v, true) && self.is_ignored(&bound.body),
            Formula::Closure(c) => {
                let aside = self.settled(&c.body, c.x, false) || self.settled(&c.body, c.y, false);
                aside && self.is_ignored(&c.body)
            }
            _ => f.parts().iter().all(|f| self.is_ignored(f)),
        }
    }

    /// Whether the formula is surely false if `v` is the newcomer.
    pub fn is_without(&self, f: &Formula, v: Var) -> bool {
        self.settled(f, v, false)
    }

    /// Whether the formula surely has this value if `v` is the newcomer.
    fn settled(&self, f: &Formula, v: Var, value: bool) -> bool {
        let all = |parts: &[Formula]| parts.iter().all(|f| self.settled(f, v, value));
        let any = |parts: &[Formula]| parts.iter().any(|f| self.settled(f, v, value));
        match f {
            Formula::Constant(k) => k.is_definite() && k.must() == value,
            Formula::Atom(symbol, arguments) => {
                !value && arguments[..symbol.arity()].contains(&v) && (self.absent)(*symbol)
            }
            Formula::Not(f) => self.settled(f, v, !value),
            Formula::And(parts) if value => all(parts),
            Formula::Or(parts) if !value => all(parts),
            Formula::And(parts) | Formula::Or(parts) => any(parts),
            Formula::Exists(w, bound) | Formula::Forall(w, bound) => {
                *w != v && self.settled(&bound.body, v, value)
            }
            // No path leads from an individual without a step out, or to one without a step in.
            Formula::Closure(c) => {
                let leaves = c.from == v && self.settled(&c.body, c.x, false);
                let arrives = c.to == v && self.settled(&c.body, c.y, false);
                !value && (leaves || arrives)
            }
            Formula::Equal(..) | Formula::If(_) => false,
        }
    }
}
