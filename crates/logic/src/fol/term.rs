//! Terms and formulas (terms of sort `Bool`): immutable, shared, with their sort and hash computed
//! once.
//!
//! Operators mean what SMT-LIB 2.6 says they mean. Where it leaves a value open (division by zero,
//! a field of another constructor, the head of an empty sequence) it stays open here: a step of a
//! system has none, a model of the solver chooses one, the same for the same arguments, and nothing
//! is valid that depends on which.

use super::sort::Sort;
use super::sorting::sort_of;
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// An exact fraction of two integers.
pub type Rational = Ratio<BigInt>;

/// A variable, rigid constant, bound variable, parameter or function: known by its name. Two
/// symbols of one name in one formula must be equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol(Arc<Named>);

/// A name with its sort; a function has arguments besides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// What the symbol is called.
    pub name: Arc<str>,
    /// The sorts of its arguments; constants have none.
    pub arguments: Vec<Sort>,
    /// Of the value; of a function's, too.
    pub sort: Sort,
}

impl Symbol {
    /// A symbol without arguments.
    pub fn constant(name: impl Into<Arc<str>>, sort: Sort) -> Symbol {
        Symbol::function(name, Vec::new(), sort)
    }

    /// A symbol with arguments.
    pub fn function(name: impl Into<Arc<str>>, arguments: Vec<Sort>, sort: Sort) -> Symbol {
        Symbol(Arc::new(Named { name: name.into(), arguments, sort }))
    }

    /// The symbol as a term; only for constants.
    pub fn term(&self) -> Term {
        self.apply([])
    }

    /// The symbol applied to these arguments.
    pub fn apply(&self, arguments: impl IntoIterator<Item = Term>) -> Term {
        Term::of(Op::Apply(self.clone()), arguments)
    }
}

impl Deref for Symbol {
    type Target = Named;

    fn deref(&self) -> &Named {
        &self.0
    }
}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Universal or existential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantifier {
    /// For all values.
    Forall,
    /// For some value.
    Exists,
}

/// A bound variable, between bounds if they are given. The bounds may speak of the variables bound
/// before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binder {
    /// The bound variable.
    pub symbol: Symbol,
    /// The least and the greatest value, if it ranges over an interval.
    pub range: Option<(Term, Term)>,
}

impl Binder {
    /// A binder over all values of the variable's sort.
    pub fn free(symbol: Symbol) -> Binder {
        Binder { symbol, range: None }
    }

    /// What is known of the bound variable.
    pub fn bounds(&self) -> Term {
        match &self.range {
            None => Term::truth(true),
            Some((low, high)) => {
                let variable = self.symbol.term();
                Term::all([Term::le(low.clone(), variable.clone()), Term::le(variable, high.clone())])
            }
        }
    }
}

/// What a term does with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// The truth value true.
    True,
    /// The truth value false.
    False,
    /// An integer that is written out.
    Int(BigInt),
    /// A rational number that is written out.
    Real(Rational),
    /// A bit-vector of this width.
    Bits(BigUint, u32),
    /// A symbol with its arguments; constants and variables, free or bound, have none.
    Apply(Symbol),
    /// Negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication.
    Implies,
    /// Both sides of one sort; on `Bool` it is equivalence.
    Equal,
    /// All arguments are different.
    Distinct,
    /// If-then-else.
    Ite,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// The negative of a number.
    Negate,
    /// Product.
    Multiply,
    /// Of reals.
    Divide,
    /// Of integers, with a remainder that is not negative.
    Div,
    /// The remainder that belongs to `Div`.
    Mod,
    /// Less, on numbers.
    Less,
    /// At most, on numbers.
    LessEqual,
    /// The rational number that equals an integer.
    ToReal,
    /// The greatest integer that is not greater.
    ToInt,
    /// The element of an array at an index.
    Select,
    /// An array with one element changed.
    Store,
    /// The array that is the argument everywhere.
    ConstArray(Sort),
    /// The n-th constructor of a datatype.
    Construct(Sort, usize),
    /// Constructor, field.
    Field(usize, usize),
    /// Whether a value was made by the n-th constructor.
    Is(usize),
    /// The empty sequence with elements of this sort.
    Empty(Sort),
    /// Sequence, element: the sequence with the element at its end.
    Append,
    /// Sequence, element: the sequence with the element before its head, as a list has it.
    Prepend,
    /// The sequence without its head. For a model that of the empty sequence is empty; a step has
    /// none.
    Tail,
    /// The number of elements of a sequence.
    Length,
    /// Sequence, position counted from 0, where the head is.
    Nth,
    /// Every bit inverted.
    BitNot,
    /// The negative in two's complement.
    BitNegate,
    /// Bitwise conjunction.
    BitAnd,
    /// Bitwise disjunction.
    BitOr,
    /// Bitwise exclusive disjunction.
    BitXor,
    /// Sum modulo the power of two of the width.
    BitAdd,
    /// Difference modulo the power of two of the width.
    BitSubtract,
    /// Product modulo the power of two of the width.
    BitMultiply,
    /// Unsigned quotient; all ones if the divisor is zero.
    BitDivide,
    /// Unsigned remainder; the dividend if the divisor is zero.
    BitRemainder,
    /// Shift to the left, filled with zeros.
    ShiftLeft,
    /// Shifts zeros in.
    ShiftRight,
    /// Shifts copies of the sign in.
    ArithmeticShiftRight,
    /// Less, of unsigned numbers.
    UnsignedLess,
    /// At most, of unsigned numbers.
    UnsignedLessEqual,
    /// Less, of signed numbers.
    SignedLess,
    /// At most, of signed numbers.
    SignedLessEqual,
    /// The bits of the first argument above those of the second.
    Concat,
    /// Bits high to low, both included.
    Extract(u32, u32),
    /// Wider by this number of bits.
    ZeroExtend(u32),
    /// Extends by this many copies of the highest bit.
    SignExtend(u32),
    /// The variables are constants, bound in the one argument.
    Quantified(Quantifier, Vec<Binder>),
}

/// Arguments that an operator cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    /// The operator.
    pub op: Op,
    /// The sorts of the arguments it was given.
    pub arguments: Vec<Sort>,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sorts: Vec<String> = self.arguments.iter().map(Sort::to_string).collect();
        write!(f, "{:?} cannot be applied to ({})", self.op, sorts.join(", "))
    }
}

impl std::error::Error for SortError {}

/// A term of the language, shared: clones are cheap.
#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    op: Op,
    arguments: Vec<Term>,
    sort: Sort,
    hash: u64,
}

impl Term {
    /// The operator applied to the arguments, if their sorts fit.
    pub fn new(op: Op, arguments: Vec<Term>) -> Result<Term, SortError> {
        match sort_of(&op, &arguments) {
            Some(sort) => Ok(Term::made(op, arguments, sort)),
            None => Err(SortError { op, arguments: arguments.iter().map(|a| a.sort().clone()).collect() }),
        }
    }

    /// As [`Term::new`]; a term whose arguments do not fit is of sort [`Sort::Unsorted`], and so is
    /// all that it is part of.
    pub fn of(op: Op, arguments: impl IntoIterator<Item = Term>) -> Term {
        let arguments: Vec<Term> = arguments.into_iter().collect();
        let sort = sort_of(&op, &arguments).unwrap_or(Sort::Unsorted);
        Term::made(op, arguments, sort)
    }

    fn made(op: Op, arguments: Vec<Term>, sort: Sort) -> Term {
        let mut hasher = DefaultHasher::new();
        op.hash(&mut hasher);
        arguments.iter().for_each(|a| a.0.hash.hash(&mut hasher));
        Term(Arc::new(Node { op, arguments, sort, hash: hasher.finish() }))
    }

    /// The operator at the root.
    pub fn op(&self) -> &Op {
        &self.0.op
    }

    /// The arguments of the operator at the root.
    pub fn arguments(&self) -> &[Term] {
        &self.0.arguments
    }

    /// The sort of its values.
    pub fn sort(&self) -> &Sort {
        &self.0.sort
    }

    /// Where the term lies: equal for the same node, a key for caches over shared terms.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Whether a walk may meet this node more than once.
    pub(super) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Whether it is the constant *true*.
    pub fn is_true(&self) -> bool {
        *self.op() == Op::True
    }

    /// Whether it is the constant *false*.
    pub fn is_false(&self) -> bool {
        *self.op() == Op::False
    }

    /// The integer under [`Op::ToReal`]; the term itself otherwise.
    pub fn unwidened(&self) -> &Term {
        match (self.op(), self.arguments()) {
            (Op::ToReal, [inner]) => inner,
            _ => self,
        }
    }

    /// The symbol, if the term is a constant or variable.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match self.op() {
            Op::Apply(symbol) if self.arguments().is_empty() => Some(symbol),
            _ => None,
        }
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.hash == other.0.hash
                && self.0.op == other.0.op
                && self.0.arguments == other.0.arguments)
    }
}

impl Eq for Term {}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Term) -> std::cmp::Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return std::cmp::Ordering::Equal;
        }
        (&self.0.op, &self.0.arguments).cmp(&(&other.0.op, &other.0.arguments))
    }
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl Default for Term {
    fn default() -> Term {
        Term::truth(true)
    }
}
