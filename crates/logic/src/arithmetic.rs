//! What the operators compute, on unbounded integers: the one definition that evaluators share.

use crate::{Binary, IntType, Unary};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// Why an operator has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticError {
    /// The divisor, or the right operand of a remainder, is zero.
    DivisionByZero,
    /// A shift by a negative or absurdly large amount.
    BadShift,
}

/// What a unary operator computes, without bounds.
pub fn apply_unary(op: Unary, a: &BigInt) -> BigInt {
    match op {
        Unary::Negate => -a,
        Unary::Not => truth(a.is_zero()),
        Unary::Complement => -a - 1,
    }
}

/// What a binary operator computes, without bounds; comparisons give 0 or 1.
pub fn apply_binary(op: Binary, a: &BigInt, b: &BigInt) -> Result<BigInt, ArithmeticError> {
    Ok(match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide | Binary::Remainder if b.is_zero() => return Err(ArithmeticError::DivisionByZero),
        Binary::Divide => a / b,
        Binary::Remainder => a % b,
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::ShiftLeft => a << shift_amount(b)?,
        Binary::ShiftRight => a >> shift_amount(b)?,
        Binary::Less => truth(a < b),
        Binary::LessEqual => truth(a <= b),
        Binary::Greater => truth(a > b),
        Binary::GreaterEqual => truth(a >= b),
        Binary::Equal => truth(a == b),
        Binary::NotEqual => truth(a != b),
        Binary::And => truth(!a.is_zero() && !b.is_zero()),
        Binary::Or => truth(!a.is_zero() || !b.is_zero()),
    })
}

/// What a signed machine type keeps of the result.
pub fn wrapped_unary(int: IntType, op: Unary, a: i64) -> i64 {
    kept(int, &apply_unary(op, &a.into()))
}

/// What a signed machine type keeps of the result.
pub fn wrapped_binary(int: IntType, op: Binary, a: i64, b: i64) -> Result<i64, ArithmeticError> {
    apply_binary(op, &a.into(), &b.into()).map(|value| kept(int, &value))
}

fn kept(int: IntType, value: &BigInt) -> i64 {
    int.wrap(value).to_i64().unwrap_or_default()
}

fn truth(b: bool) -> BigInt {
    BigInt::from(u8::from(b))
}

fn shift_amount(b: &BigInt) -> Result<usize, ArithmeticError> {
    b.to_usize().filter(|n| *n < 4096).ok_or(ArithmeticError::BadShift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_agree_with_machine_arithmetic_on_small_numbers() {
        for a in -40i64..40 {
            for b in -40i64..40 {
                let (x, y) = (BigInt::from(a), BigInt::from(b));
                let of = |op| apply_binary(op, &x, &y).map(|v| v.to_i64().unwrap_or(i64::MAX));
                assert_eq!(of(Binary::Add), Ok(a + b));
                assert_eq!(of(Binary::Multiply), Ok(a * b));
                assert_eq!(of(Binary::BitXor), Ok(a ^ b));
                assert_eq!(of(Binary::BitAnd), Ok(a & b));
                assert_eq!(of(Binary::Less), Ok(i64::from(a < b)));
                assert_eq!(of(Binary::And), Ok(i64::from(a != 0 && b != 0)));
                if b == 0 {
                    assert_eq!(of(Binary::Remainder), Err(ArithmeticError::DivisionByZero));
                } else {
                    assert_eq!(of(Binary::Divide), Ok(a / b));
                    assert_eq!(of(Binary::Remainder), Ok(a % b));
                }
                if (0..16).contains(&b) {
                    assert_eq!(of(Binary::ShiftLeft), Ok(a << b));
                    assert_eq!(of(Binary::ShiftRight), Ok(a >> b));
                }
            }
        }
    }
}
