//! Terms over atoms of any kind.

use crate::IntType;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// The negative.
    Negate,
    /// Logical not: 1 for zero, 0 otherwise.
    Not,
    /// Bitwise complement, `-x - 1`.
    Complement,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient rounded towards zero, as in C.
    Divide,
    /// Remainder with the sign of the dividend, as in C.
    Remainder,
    /// Bitwise conjunction.
    BitAnd,
    /// Bitwise disjunction.
    BitOr,
    /// Bitwise exclusive disjunction.
    BitXor,
    /// Shift to the left.
    ShiftLeft,
    /// Shift to the right.
    ShiftRight,
    /// 1 if the left operand is less, otherwise 0.
    Less,
    /// 1 if the left operand is at most the right one, otherwise 0.
    LessEqual,
    /// 1 if the left operand is greater, otherwise 0.
    Greater,
    /// 1 if the left operand is at least the right one, otherwise 0.
    GreaterEqual,
    /// 1 if both operands are equal, otherwise 0.
    Equal,
    /// 1 if the operands differ, otherwise 0.
    NotEqual,
    /// Evaluates its right side only if the left is not zero.
    And,
    /// Evaluates its right side only if the left is zero.
    Or,
}

/// A term whose atoms are of type `V`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term<V> {
    /// A number that is written out.
    Constant(i64),
    /// What the host reads: a variable, a channel, a property of the state.
    Atom(V),
    /// An operator with one operand.
    Unary(Unary, Box<Term<V>>),
    /// An operator with two operands.
    Binary(Binary, Box<Term<V>>, Box<Term<V>>),
    /// If the first is not zero then the second else the third.
    Conditional(Box<[Term<V>; 3]>),
    /// The residue of a term in a machine type.
    Wrap(IntType, Box<Term<V>>),
}

impl<V> Term<V> {
    /// The number 1, which is true.
    pub const TRUE: Term<V> = Term::Constant(1);
    /// The number 0, which is false.
    pub const FALSE: Term<V> = Term::Constant(0);

    /// An operator applied to one expression.
    pub fn unary(op: Unary, a: Term<V>) -> Self {
        Term::Unary(op, Box::new(a))
    }

    /// An operator applied to two expressions.
    pub fn binary(op: Binary, a: Term<V>, b: Term<V>) -> Self {
        Term::Binary(op, Box::new(a), Box::new(b))
    }

    /// `then` where the condition is not 0, `otherwise` where it is.
    pub fn conditional(condition: Term<V>, then: Term<V>, otherwise: Term<V>) -> Self {
        Term::Conditional(Box::new([condition, then, otherwise]))
    }

    /// The value stored in a variable of this type: the bits that do not fit are lost.
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
