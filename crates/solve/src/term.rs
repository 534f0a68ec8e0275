//! Terms and formulas (terms of sort `Bool`): immutable, shared, with their sort and hash computed once.
//!
//! [`Term::new`] is the one way to build a term and checks sorts; the named constructors are for callers that have
//! checked already, and panic on terms without a sort, as indexing does. Operators mean what SMT-LIB 2.6 says they mean. Where SMT-LIB leaves a value open (division by zero,
//! a field of another constructor, the head of an empty queue) it stays open here: some value, the same for the same
//! arguments, and nothing is valid that depends on which.

use crate::sort::Sort;
use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub type Rational = Ratio<BigInt>;

/// A constant, variable or function, known by its name. Two symbols of one name in one query must be equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(Arc<(String, Vec<Sort>, Sort)>);

impl Symbol {
    pub fn constant(name: impl Into<String>, sort: Sort) -> Symbol {
        Symbol::function(name, Vec::new(), sort)
    }

    pub fn function(name: impl Into<String>, arguments: Vec<Sort>, result: Sort) -> Symbol {
        Symbol(Arc::new((name.into(), arguments, result)))
    }

    pub fn name(&self) -> &str {
        &self.0.0
    }

    pub fn arguments(&self) -> &[Sort] {
        &self.0.1
    }

    pub fn result(&self) -> &Sort {
        &self.0.2
    }

    /// The symbol as a term; only for constants.
    pub fn term(&self) -> Term {
        self.apply([])
    }

    pub fn apply(&self, arguments: impl IntoIterator<Item = Term>) -> Term {
        Term::of(Op::Apply(self.clone()), arguments)
    }
}

/// What a term does with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    True,
    False,
    Int(BigInt),
    Real(Rational),
    /// A bit-vector of so many bits.
    Bits(BigUint, u32),
    /// A symbol with its arguments; constants and variables, free or bound, have none.
    Apply(Symbol),
    Not,
    And,
    Or,
    Implies,
    /// Both sides of one sort; on `Bool` it is equivalence.
    Equal,
    Distinct,
    Ite,
    Add,
    Subtract,
    Negate,
    Multiply,
    /// Of reals.
    Divide,
    /// Of integers, with a remainder that is not negative.
    Div,
    Mod,
    Less,
    LessEqual,
    ToReal,
    /// The greatest integer that is not greater.
    ToInt,
    Select,
    Store,
    /// The array that is the argument everywhere.
    ConstArray(Sort),
    /// The n-th constructor of a datatype.
    Construct(Sort, usize),
    /// Constructor, field.
    Field(usize, usize),
    /// Whether a value was made by the n-th constructor.
    Is(usize),
    /// The empty queue with elements of this sort.
    EmptyQueue(Sort),
    /// Queue, element: the queue with the element at its end.
    Append,
    /// Queue, element: the queue with the element before its head, as a list has it.
    Prepend,
    /// The queue without its head; the empty queue if it was empty.
    Tail,
    Length,
    /// Queue, position counted from 0, where the head is.
    At,
    BitNot,
    BitNegate,
    BitAnd,
    BitOr,
    BitXor,
    BitAdd,
    BitSubtract,
    BitMultiply,
    /// Unsigned quotient; all ones if the divisor is zero.
    BitDivide,
    /// Unsigned remainder; the dividend if the divisor is zero.
    BitRemainder,
    ShiftLeft,
    /// Shifts zeros in.
    ShiftRight,
    /// Shifts copies of the sign in.
    ArithmeticShiftRight,
    UnsignedLess,
    UnsignedLessEqual,
    SignedLess,
    SignedLessEqual,
    Concat,
    /// Bits high to low, both included.
    Extract(u32, u32),
    /// With so many more bits.
    ZeroExtend(u32),
    SignExtend(u32),
    /// The variables are constants, bound in the one argument.
    Forall(Vec<Symbol>),
    Exists(Vec<Symbol>),
}

/// Arguments that an operator cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    pub op: Op,
    pub arguments: Vec<Sort>,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sorts: Vec<String> = self.arguments.iter().map(Sort::to_string).collect();
        write!(f, "{:?} cannot be applied to ({})", self.op, sorts.join(", "))
    }
}

impl std::error::Error for SortError {}

#[derive(Clone)]
pub struct Term(Arc<Node>);

struct Node {
    op: Op,
    arguments: Vec<Term>,
    sort: Sort,
    hash: u64,
}

impl Term {
    pub fn new(op: Op, arguments: Vec<Term>) -> Result<Term, SortError> {
        let Some(sort) = crate::sorting::sort_of(&op, &arguments) else {
            return Err(SortError { op, arguments: arguments.iter().map(|a| a.sort().clone()).collect() });
        };
        let mut hasher = DefaultHasher::new();
        op.hash(&mut hasher);
        arguments.iter().for_each(|a| a.0.hash.hash(&mut hasher));
        let hash = hasher.finish();
        Ok(Term(Arc::new(Node { op, arguments, sort, hash })))
    }

    /// As [`Term::new`], for callers that know the sorts to be right.
    pub fn of(op: Op, arguments: impl IntoIterator<Item = Term>) -> Term {
        match Term::new(op, arguments.into_iter().collect()) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn op(&self) -> &Op {
        &self.0.op
    }

    pub fn arguments(&self) -> &[Term] {
        &self.0.arguments
    }

    pub fn sort(&self) -> &Sort {
        &self.0.sort
    }

    /// Where the term lies: equal for the same node, a key for caches over shared terms.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub fn is_true(&self) -> bool {
        *self.op() == Op::True
    }

    pub fn is_false(&self) -> bool {
        *self.op() == Op::False
    }

    /// The symbol, if the term is a constant or variable.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match self.op() {
            Op::Apply(symbol) if self.arguments().is_empty() => Some(symbol),
            _ => None,
        }
    }
}

/// Formulas.
impl Term {
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

    pub fn negated(&self) -> Term {
        Term::of(Op::Not, [self.clone()])
    }

    pub fn implies(&self, other: &Term) -> Term {
        self.with(Op::Implies, other)
    }

    pub fn equals(&self, other: &Term) -> Term {
        self.with(Op::Equal, other)
    }

    pub fn differs(&self, other: &Term) -> Term {
        self.equals(other).negated()
    }

    pub fn distinct(terms: impl IntoIterator<Item = Term>) -> Term {
        Term::of(Op::Distinct, terms)
    }

    pub fn ite(condition: &Term, then: &Term, otherwise: &Term) -> Term {
        Term::of(Op::Ite, [condition.clone(), then.clone(), otherwise.clone()])
    }

    /// The body itself if there is no variable.
    pub fn forall(variables: Vec<Symbol>, body: &Term) -> Term {
        if variables.is_empty() { body.clone() } else { Term::of(Op::Forall(variables), [body.clone()]) }
    }

    pub fn exists(variables: Vec<Symbol>, body: &Term) -> Term {
        if variables.is_empty() { body.clone() } else { Term::of(Op::Exists(variables), [body.clone()]) }
    }

    fn with(&self, op: Op, other: &Term) -> Term {
        Term::of(op, [self.clone(), other.clone()])
    }
}

/// Numbers.
impl Term {
    pub fn int(value: impl Into<BigInt>) -> Term {
        Term::of(Op::Int(value.into()), [])
    }

    pub fn real(value: Rational) -> Term {
        Term::of(Op::Real(value), [])
    }

    pub fn plus(&self, other: &Term) -> Term {
        self.with(Op::Add, other)
    }

    pub fn minus(&self, other: &Term) -> Term {
        self.with(Op::Subtract, other)
    }

    pub fn times(&self, other: &Term) -> Term {
        self.with(Op::Multiply, other)
    }

    pub fn less(&self, other: &Term) -> Term {
        self.with(Op::Less, other)
    }

    pub fn at_most(&self, other: &Term) -> Term {
        self.with(Op::LessEqual, other)
    }

    /// `low <= self <= high`.
    pub fn between(&self, low: &Term, high: &Term) -> Term {
        Term::and([low.at_most(self), self.at_most(high)])
    }
}

/// Arrays, datatypes, queues.
impl Term {
    pub fn select(&self, index: &Term) -> Term {
        self.with(Op::Select, index)
    }

    pub fn store(&self, index: &Term, element: &Term) -> Term {
        Term::of(Op::Store, [self.clone(), index.clone(), element.clone()])
    }

    pub fn construct(sort: &Sort, constructor: usize, fields: impl IntoIterator<Item = Term>) -> Term {
        Term::of(Op::Construct(sort.clone(), constructor), fields)
    }

    pub fn field(&self, constructor: usize, field: usize) -> Term {
        Term::of(Op::Field(constructor, field), [self.clone()])
    }

    pub fn is(&self, constructor: usize) -> Term {
        Term::of(Op::Is(constructor), [self.clone()])
    }

    /// The record with another value in one field.
    pub fn with_field(&self, field: usize, value: &Term) -> Term {
        let arity = self.sort().datatype().map_or(0, |data| data.constructors[0].fields.len());
        let fields = (0..arity).map(|i| if i == field { value.clone() } else { self.field(0, i) });
        Term::construct(self.sort(), 0, fields)
    }

    pub fn append(&self, element: &Term) -> Term {
        self.with(Op::Append, element)
    }

    pub fn prepend(&self, element: &Term) -> Term {
        self.with(Op::Prepend, element)
    }

    pub fn head(&self) -> Term {
        self.with(Op::At, &Term::int(0))
    }

    pub fn tail(&self) -> Term {
        Term::of(Op::Tail, [self.clone()])
    }

    pub fn length(&self) -> Term {
        Term::of(Op::Length, [self.clone()])
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

/// As SMT-LIB writes it.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::smtlib::term(self))
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
