//! Terms made: first exactly what is asked for, then, for formulas of systems, without what is
//! trivially so.

use super::sort::Sort;
use super::substitute::free_symbols;
use super::term::{Binder, Op, Quantifier, Rational, Symbol, Term};
use num_bigint::BigInt;

/// Formulas.
impl Term {
    /// `true` or `false`.
    pub fn truth(value: bool) -> Term {
        Term::of(if value { Op::True } else { Op::False }, [])
    }

    /// True for none, the term itself for one.
    pub fn and(terms: impl IntoIterator<Item = Term>) -> Term {
        Term::chain(Op::And, Op::True, terms.into_iter().collect())
    }

    /// False for none, the term itself for one.
    pub fn or(terms: impl IntoIterator<Item = Term>) -> Term {
        Term::chain(Op::Or, Op::False, terms.into_iter().collect())
    }

    fn chain(op: Op, unit: Op, mut terms: Vec<Term>) -> Term {
        match terms.len() {
            0 => Term::of(unit, []),
            1 => terms.remove(0),
            _ => Term::of(op, terms),
        }
    }

    /// `¬self`.
    pub fn negated(&self) -> Term {
        Term::of(Op::Not, [self.clone()])
    }

    /// `self → other`.
    pub fn implies(&self, other: &Term) -> Term {
        self.with(Op::Implies, other)
    }

    /// `self = other`.
    pub fn equals(&self, other: &Term) -> Term {
        self.with(Op::Equal, other)
    }

    /// `self ≠ other`.
    pub fn differs(&self, other: &Term) -> Term {
        self.equals(other).negated()
    }

    /// That the terms have pairwise different values.
    pub fn distinct(terms: impl IntoIterator<Item = Term>) -> Term {
        Term::of(Op::Distinct, terms)
    }

    /// `then` where the condition is true, `otherwise` where it is not.
    pub fn ite(condition: &Term, then: &Term, otherwise: &Term) -> Term {
        Term::of(Op::Ite, [condition.clone(), then.clone(), otherwise.clone()])
    }

    /// A truth value that the theory leaves open, the n-th: a step has none, and a solver must
    /// reckon with both.
    fn open(n: usize) -> Term {
        Term::of(Op::Div, [Term::int(n), Term::int(0)]).equals(&Term::int(0))
    }

    /// Whether a term is such a truth value.
    pub(crate) fn is_open(&self) -> bool {
        let (Op::Equal, [quotient, _]) = (self.op(), self.arguments()) else { return false };
        let (Op::Div, [_, by]) = (quotient.op(), quotient.arguments()) else { return false };
        *by == Term::int(0)
    }

    /// A formula that has a value only where a condition holds. Formulas with other numbers are
    /// open independently of it.
    pub fn where_defined(condition: &Term, formula: Term, n: usize) -> Term {
        match condition.op() {
            Op::True => formula,
            _ => Term::ite(condition, &formula, &Term::open(n)),
        }
    }

    /// The body itself if there is no variable.
    pub fn forall(variables: Vec<Symbol>, body: &Term) -> Term {
        Term::quantified(Quantifier::Forall, variables.into_iter().map(Binder::free).collect(), body)
    }

    /// The existential closure over these variables.
    pub fn exists(variables: Vec<Symbol>, body: &Term) -> Term {
        Term::quantified(Quantifier::Exists, variables.into_iter().map(Binder::free).collect(), body)
    }

    /// The body itself if there is no binder.
    pub fn quantified(quantifier: Quantifier, binders: Vec<Binder>, body: &Term) -> Term {
        if binders.is_empty() {
            return body.clone();
        }
        Term::of(Op::Quantified(quantifier, binders), [body.clone()])
    }

    fn with(&self, op: Op, other: &Term) -> Term {
        Term::of(op, [self.clone(), other.clone()])
    }
}

/// Numbers.
impl Term {
    /// An integer that is written out.
    pub fn int(value: impl Into<BigInt>) -> Term {
        Term::of(Op::Int(value.into()), [])
    }

    /// A rational number that is written out.
    pub fn real(value: Rational) -> Term {
        Term::of(Op::Real(value), [])
    }

    /// `self + other`.
    pub fn plus(&self, other: &Term) -> Term {
        self.with(Op::Add, other)
    }

    /// `self − other`.
    pub fn minus(&self, other: &Term) -> Term {
        self.with(Op::Subtract, other)
    }

    /// `self · other`.
    pub fn times(&self, other: &Term) -> Term {
        self.with(Op::Multiply, other)
    }

    /// `self < other`.
    pub fn less(&self, other: &Term) -> Term {
        self.with(Op::Less, other)
    }

    /// `self ≤ other`.
    pub fn at_most(&self, other: &Term) -> Term {
        self.with(Op::LessEqual, other)
    }

    /// `low <= self <= high`.
    pub fn between(&self, low: &Term, high: &Term) -> Term {
        Term::and([low.at_most(self), self.at_most(high)])
    }
}

/// Arrays, datatypes, sequences.
impl Term {
    /// The element of this array at an index.
    pub fn select(&self, index: &Term) -> Term {
        self.with(Op::Select, index)
    }

    /// This array with another element at an index.
    pub fn store(&self, index: &Term, element: &Term) -> Term {
        Term::of(Op::Store, [self.clone(), index.clone(), element.clone()])
    }

    /// A value of a data type, made by one of its constructors.
    pub fn construct(sort: &Sort, constructor: usize, fields: impl IntoIterator<Item = Term>) -> Term {
        Term::of(Op::Construct(sort.clone(), constructor), fields)
    }

    /// A field of a value that was made by this constructor.
    pub fn field(&self, constructor: usize, field: usize) -> Term {
        Term::of(Op::Field(constructor, field), [self.clone()])
    }

    /// Whether the value was made by this constructor.
    pub fn is(&self, constructor: usize) -> Term {
        Term::of(Op::Is(constructor), [self.clone()])
    }

    /// The record with another value in one field.
    pub fn with_field(&self, field: usize, value: &Term) -> Term {
        let arity = self.sort().datatype().map_or(0, |data| data.constructors[0].fields.len());
        let fields = (0..arity).map(|i| if i == field { value.clone() } else { self.field(0, i) });
        Term::construct(self.sort(), 0, fields)
    }

    /// The empty sequence of elements of a sort.
    pub fn empty(element: Sort) -> Term {
        Term::of(Op::Empty(element), [])
    }

    /// This sequence with one more element at its end.
    pub fn append(&self, element: &Term) -> Term {
        self.with(Op::Append, element)
    }

    /// This sequence with one more element before its first.
    pub fn prepend(&self, element: &Term) -> Term {
        self.with(Op::Prepend, element)
    }

    /// The first element of this sequence.
    pub fn head(&self) -> Term {
        self.with(Op::Nth, &Term::int(0))
    }

    /// This sequence without its first element.
    pub fn tail(&self) -> Term {
        Term::of(Op::Tail, [self.clone()])
    }

    /// How many elements this sequence has.
    pub fn length(&self) -> Term {
        Term::of(Op::Length, [self.clone()])
    }
}

/// What is trivially so is dropped: truth values, nested conjunctions, comparisons of numbers that
/// are written out.
impl Term {
    /// The negation.
    pub fn negation(e: Term) -> Term {
        match (e.op(), e.arguments()) {
            (Op::True, _) => Term::truth(false),
            (Op::False, _) => Term::truth(true),
            (Op::Not, [inner]) => inner.clone(),
            _ => e.negated(),
        }
    }

    /// The conjunction.
    pub fn all(parts: impl IntoIterator<Item = Term>) -> Term {
        Term::junction(Op::And, parts)
    }

    /// The disjunction.
    pub fn any(parts: impl IntoIterator<Item = Term>) -> Term {
        Term::junction(Op::Or, parts)
    }

    fn junction(op: Op, parts: impl IntoIterator<Item = Term>) -> Term {
        let unit = op == Op::And;
        let mut kept = Vec::new();
        for part in parts {
            match part.op() {
                Op::True | Op::False if part.is_true() == unit => {}
                Op::True | Op::False => return part,
                inner if *inner == op => kept.extend_from_slice(part.arguments()),
                _ => kept.push(part),
            }
        }
        if unit { Term::and(kept) } else { Term::or(kept) }
    }

    /// The implication.
    pub fn implication(a: Term, b: Term) -> Term {
        match (a.op(), b.op()) {
            (Op::True, _) => b,
            (Op::False, _) | (_, Op::True) => Term::truth(true),
            (_, Op::False) => Term::negation(a),
            _ => a.implies(&b),
        }
    }

    /// The equality.
    pub fn eq(a: Term, b: Term) -> Term {
        match (a.op(), b.op()) {
            (Op::Int(x), Op::Int(y)) => Term::truth(x == y),
            (Op::Construct(s, x), Op::Construct(t, y)) if s == t && x != y => Term::truth(false),
            _ if a == b => Term::truth(true),
            _ => a.equals(&b),
        }
    }

    /// That `a` is less than `b`.
    pub fn lt(a: Term, b: Term) -> Term {
        match (a.op(), b.op()) {
            (Op::Int(x), Op::Int(y)) => Term::truth(x < y),
            _ => a.less(&b),
        }
    }

    /// That `a` is at most `b`.
    pub fn le(a: Term, b: Term) -> Term {
        match (a.op(), b.op()) {
            (Op::Int(x), Op::Int(y)) => Term::truth(x <= y),
            _ => a.at_most(&b),
        }
    }

    /// Whether a value was made by a constructor.
    pub fn made_by(e: &Term, constructor: usize) -> Term {
        match e.op() {
            Op::Construct(_, made) => Term::truth(*made == constructor),
            _ => e.is(constructor),
        }
    }

    /// The universal closure over these binders.
    pub fn every(binders: Vec<Binder>, body: Term) -> Term {
        Term::bound(Quantifier::Forall, binders, body)
    }

    /// The existential closure over these binders.
    pub fn some(binders: Vec<Binder>, body: Term) -> Term {
        Term::bound(Quantifier::Exists, binders, body)
    }

    /// Drops binders that bind nothing. One with a range is kept: the range may be empty.
    pub fn bound(quantifier: Quantifier, mut binders: Vec<Binder>, body: Term) -> Term {
        let ranges = binders.iter().filter_map(|b| b.range.as_ref()).flat_map(|(low, high)| [low, high]);
        let free: Vec<Symbol> = ranges.chain([&body]).flat_map(free_symbols).collect();
        binders.retain(|b| b.range.is_some() || free.iter().any(|s| s.name == b.symbol.name));
        Term::quantified(quantifier, binders, &body)
    }

    /// An application whose arguments are new.
    pub fn tidied(op: Op, arguments: Vec<Term>) -> Term {
        match (op, &arguments[..]) {
            (Op::Not, [a]) => Term::negation(a.clone()),
            (Op::And, _) => Term::all(arguments),
            (Op::Or, _) => Term::any(arguments),
            (Op::Implies, [a, b]) => Term::implication(a.clone(), b.clone()),
            (Op::Equal, [a, b]) => Term::eq(a.clone(), b.clone()),
            (Op::Less, [a, b]) => Term::lt(a.clone(), b.clone()),
            (Op::LessEqual, [a, b]) => Term::le(a.clone(), b.clone()),
            (Op::Is(constructor), [a]) => Term::made_by(a, constructor),
            (Op::Ite, [c, a, b]) if c.is_true() || c.is_false() => {
                if c.is_true() {
                    a.clone()
                } else {
                    b.clone()
                }
            }
            (Op::Quantified(quantifier, binders), [body]) => Term::bound(quantifier, binders, body.clone()),
            (op, _) => Term::of(op, arguments),
        }
    }
}
