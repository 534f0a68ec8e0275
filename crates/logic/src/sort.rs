//! Sorts: what a variable may hold.

use num_bigint::BigInt;

/// A two's-complement machine integer type of 1 to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntType {
    /// How many bits its values have.
    pub bits: u8,
    /// Whether its values are in two's complement.
    pub signed: bool,
}

impl IntType {
    /// Promela's `bit` and `bool`.
    pub const BIT: IntType = IntType::unsigned(1);
    /// Promela's `byte`.
    pub const BYTE: IntType = IntType::unsigned(8);
    /// Promela's `short`.
    pub const SHORT: IntType = IntType::signed(16);
    /// Promela's `int`.
    pub const INT: IntType = IntType::signed(32);

    /// Unsigned numbers of this many bits.
    pub const fn unsigned(bits: u8) -> Self {
        IntType { bits, signed: false }
    }

    /// Signed numbers of this many bits.
    pub const fn signed(bits: u8) -> Self {
        IntType { bits, signed: true }
    }

    /// The value that remains of `value` when it is stored in this type: its residue modulo 2^bits.
    pub fn wrap(self, value: &BigInt) -> BigInt {
        let modulus = BigInt::from(1) << usize::from(self.bits);
        let residue = ((value % &modulus) + &modulus) % &modulus;
        let half = &modulus >> 1;
        if self.signed && residue >= half { residue - modulus } else { residue }
    }

    /// The smallest and the largest value of the type.
    pub fn range(self) -> (BigInt, BigInt) {
        let one = BigInt::from(1);
        if self.signed {
            let half = one.clone() << usize::from(self.bits - 1);
            (-half.clone(), half - one)
        } else {
            (BigInt::from(0), (one.clone() << usize::from(self.bits)) - one)
        }
    }
}

/// What a variable may hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Unbounded integers (SPL); a finite checker refuses them.
    Integer,
    /// A finite machine integer; assignment wraps.
    Machine(IntType),
    /// A reference to a channel; 0 refers to none. Finite checkers store it in one byte, as SPIN
    /// does.
    Channel,
    /// Arrays of this many elements.
    Array(Box<Sort>, usize),
    /// Records with these fields.
    Record(Vec<(String, Sort)>),
}

impl Sort {
    /// Arrays of this many elements.
    pub fn array(element: Sort, length: usize) -> Sort {
        Sort::Array(Box::new(element), length)
    }

    /// Whether a value of this sort is a single integer.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Sort::Integer | Sort::Machine(_) | Sort::Channel)
    }

    /// The machine type of a scalar, if it is finite.
    pub fn machine(&self) -> Option<IntType> {
        match self {
            Sort::Machine(int) => Some(*int),
            Sort::Channel => Some(IntType::BYTE),
            Sort::Integer | Sort::Array(..) | Sort::Record(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_is_the_residue_inside_the_range() {
        for int in [IntType::BIT, IntType::BYTE, IntType::SHORT, IntType::INT, IntType::unsigned(5)] {
            let (low, high) = int.range();
            for value in -70_000..70_000 {
                let value = BigInt::from(value);
                let wrapped = int.wrap(&value);
                assert!(low <= wrapped && wrapped <= high);
                assert_eq!((&value - &wrapped) % (BigInt::from(1) << usize::from(int.bits)), BigInt::from(0));
            }
        }
    }

    #[test]
    fn wrapping_agrees_with_machine_casts() {
        for value in [-1i64, 0, 1, 127, 128, 255, 256, 32_767, 32_768, -32_769, i64::from(i32::MAX) + 1] {
            let big = BigInt::from(value);
            assert_eq!(IntType::BYTE.wrap(&big), BigInt::from(value as u8));
            assert_eq!(IntType::SHORT.wrap(&big), BigInt::from(value as i16));
            assert_eq!(IntType::INT.wrap(&big), BigInt::from(value as i32));
        }
    }
}
