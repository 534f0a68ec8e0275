//! Terms over atoms of any kind.

use crate::IntType;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Negate,
    /// Logical not: 1 for zero, 0 otherwise.
    Not,
    /// Bitwise complement, `-x - 1`.
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    /// Quotient rounded towards zero, as in C.
    Divide,
    /// Remainder with the sign of the dividend, as in C.
    Remainder,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    /// Evaluates its right side only if the left is not zero.
    And,
    /// Evaluates its right side only if the left is zero.
    Or,
}

/// A term whose atoms are of type `V`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term<V> {
    Constant(i64),
    Atom(V),
    Unary(Unary, Box<Term<V>>),
    Binary(Binary, Box<Term<V>>, Box<Term<V>>),
    /// If the first is not zero then the second else the third.
    Conditional(Box<[Term<V>; 3]>),
    /// The residue of a term in a machine type.
    Wrap(IntType, Box<Term<V>>),
}

impl<V> Term<V> {
    pub const TRUE: Term<V> = Term::Constant(1);
    pub const FALSE: Term<V> = Term::Constant(0);

    pub fn unary(op: Unary, a: Term<V>) -> Self {
        Term::Unary(op, Box::new(a))
    }

    pub fn binary(op: Binary, a: Term<V>, b: Term<V>) -> Self {
        Term::Binary(op, Box::new(a), Box::new(b))
    }

    pub fn conditional(condition: Term<V>, then: Term<V>, otherwise: Term<V>) -> Self {
        Term::Conditional(Box::new([condition, then, otherwise]))
    }

    pub fn wrap(int: IntType, a: Term<V>) -> Self {
        Term::Wrap(int, Box::new(a))
    }

    /// Whether the term is a constant other than zero.
    pub fn is_true(&self) -> bool {
        matches!(self, Term::Constant(c) if *c != 0)
    }

    /// Calls `visit` on every atom, left to right; atoms nested in atoms are the visitor's own
    /// business.
    pub fn atoms<'a>(&'a self, visit: &mut impl FnMut(&'a V)) {
        match self {
            Term::Constant(_) => {}
            Term::Atom(v) => visit(v),
            Term::Unary(_, a) | Term::Wrap(_, a) => a.atoms(visit),
            Term::Binary(_, a, b) => {
                a.atoms(visit);
                b.atoms(visit);
            }
            Term::Conditional(parts) => parts.iter().for_each(|p| p.atoms(visit)),
        }
    }
}
