//! Variables: what each operation does, and which pairs of operations depend on each other.
//!
//! The thesis has Read and Write (example 3.14) and splits the complement of a boolean off Write
//! (3.16). In the same way we split off writes of a constant, which are independent of each other
//! if the constants agree, and increments, which commute; and off Read a test against a constant,
//! which cares only for its outcome. The tables are conditional: writing the value that is already
//! there disturbs no reader, and a test is disturbed only by what changes its outcome. All
//! operations are always defined, so do-not-accord is can-be-dependent.
//!
//! The conditional table is not weakly uniform (a second write of the same constant makes the first
//! harmless to a reader), and neither are increments against tests; nothing less than the constant
//! table is.

use crate::Dependency;
use logic::{Binary, Sort, apply_binary};
use num_bigint::BigInt;
use num_traits::Zero;

/// An operation, refined by the constant in it. Constants to be written are values of the
/// variable's sort; an increment is zero only if it changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reads the value.
    Read,
    /// Writes any value.
    Write,
    /// Writes a value that is known from the text.
    WriteConstant(i64),
    /// `x := 1 - x`
    Complement,
    /// `x := x + d`
    Increment(i64),
    /// Asks whether `x` compares so with the constant.
    Test(Binary, i64),
}

/// The variable two operations meet in.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Its value now.
    pub value: &'a BigInt,
    /// Which values it can have.
    pub sort: &'a Sort,
}

impl Operation {
    /// The output and the value afterwards; `input` is what a Write writes.
    pub fn perform(self, input: &BigInt, at: View<'_>) -> (Option<BigInt>, BigInt) {
        let unchanged = |output| (Some(output), at.value.clone());
        let changed = |value| (None, store(at.sort, value));
        match self {
            Operation::Read => unchanged(at.value.clone()),
            Operation::Write => changed(input.clone()),
            Operation::WriteConstant(c) => changed(BigInt::from(c)),
            Operation::Complement => changed(1 - at.value),
            Operation::Increment(d) => changed(at.value + d),
            Operation::Test(comparison, c) => {
                unchanged(apply_binary(comparison, at.value, &BigInt::from(c)).unwrap_or_default())
            }
        }
    }

    /// The row and column of an operation.
    fn kind(self) -> usize {
        match self {
            Operation::Read => 0,
            Operation::Write => 1,
            Operation::WriteConstant(_) => 2,
            Operation::Complement => 3,
            Operation::Increment(_) => 4,
            Operation::Test(..) => 5,
        }
    }

    fn constant(self) -> i64 {
        match self {
            Operation::WriteConstant(c) | Operation::Increment(c) | Operation::Test(_, c) => c,
            Operation::Read | Operation::Write | Operation::Complement => 0,
        }
    }
}

/// Definitions 3.13 and 3.18.
pub fn dependent(by: Dependency, a: Operation, b: Operation, at: View<'_>) -> bool {
    match by {
        Dependency::Constant | Dependency::Uniform => can_be_dependent(a, b),
        Dependency::Conditional => conditional(a, b, at)[a.kind()][b.kind()],
    }
}

/// Definition 4.6. Examples 3.14 and 3.16.
#[rustfmt::skip]
pub fn can_be_dependent(a: Operation, b: Operation) -> bool {
    let (y, o) = (true, false);
    let differ = a.constant() != b.constant();
    let (row, col) = (a.constant() != 0, b.constant() != 0);
    [   //              Read Write Const  Compl Increm Test
        /* Read      */ [o,   y,  y,      y,    col,   o],
        /* Write     */ [y,   y,  y,      y,    col,   y],
        /* Constant  */ [y,   y,  differ, y,    col,   y],
        /* Complement*/ [y,   y,  y,      o,    col,   y],
        /* Increment */ [row, row, row,   row,  o,     row],
        /* Test      */ [o,   y,  y,      y,    col,   o],
    ][a.kind()][b.kind()]
}

/// Definition 4.13.
pub fn do_not_accord(a: Operation, b: Operation) -> bool {
    can_be_dependent(a, b)
}

type Table = [[bool; 6]; 6];

/// Whether `writer` changes what `reader` gives back.
fn disturbs(writer: Operation, reader: Operation, at: View<'_>) -> bool {
    let zero = BigInt::zero();
    let after = writer.perform(&zero, at).1;
    reader.perform(&zero, at).0 != reader.perform(&zero, View { value: &after, ..at }).0
}

/// As example 3.16, in a state.
#[rustfmt::skip]
fn conditional(a: Operation, b: Operation, at: View<'_>) -> Table {
    let (y, o) = (true, false);
    let differ = a.constant() != b.constant();
    let (row, col) = (a.constant() != 0, b.constant() != 0);
    let (r_by, c_by) = (disturbs(b, a, at), disturbs(a, b, at));
    [   //              Read  Write Const   Compl  Increm Test
        /* Read      */ [o,    y,   r_by,   r_by,  r_by,  o],
        /* Write     */ [y,    y,   y,      y,     col,   y],
        /* Constant  */ [c_by, y,   differ, y,     col,   c_by],
        /* Complement*/ [c_by, y,   y,      o,     col,   c_by],
        /* Increment */ [c_by, row, row,    row,   o,     c_by],
        /* Test      */ [o,    y,   r_by,   r_by,  r_by,  o],
    ]
}

/// Definition 4.26, `a ▷s b`.
pub fn interferes(by: Dependency, a: Operation, b: Operation, at: View<'_>) -> bool {
    match by {
        Dependency::Constant | Dependency::Uniform => can_be_dependent(a, b),
        Dependency::Conditional => first(a, b, at)[a.kind()][b.kind()],
    }
}

/// As example 4.29. What is independent of a test leaves its outcome alone, so a write of a
/// constant interferes with it only if it changes the outcome of now; increments and complements
/// may do so later.
#[rustfmt::skip]
fn first(a: Operation, b: Operation, at: View<'_>) -> Table {
    let (y, o) = (true, false);
    let differ = a.constant() != b.constant();
    let (row, col) = (a.constant() != 0, b.constant() != 0);
    let (r_by, c_by) = (disturbs(b, a, at), disturbs(a, b, at));
    [   //              Read  Write Const   Compl  Increm Test
        /* Read      */ [o,    y,   r_by,   r_by,  r_by,  o],
        /* Write     */ [y,    y,   y,      y,     col,   y],
        /* Constant  */ [c_by, y,   differ, y,     col,   c_by],
        /* Complement*/ [c_by, y,   y,      o,     col,   c_by],
        /* Increment */ [c_by, row, row,    row,   o,     row],
        /* Test      */ [o,    y,   r_by,   y,     col,   o],
    ]
}

/// What remains of an integer when it is stored in a variable of the sort.
pub fn store(sort: &Sort, value: BigInt) -> BigInt {
    match sort.machine() {
        Some(int) => int.wrap(&value),
        None => value,
    }
}
