//! Operators on bit-vectors, as SMT-LIB defines them.

use super::term::Op;
use super::value::Value;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

pub(super) fn apply(op: &Op, values: &[Value]) -> Value {
    let operand = |at: usize| match values.get(at) {
        Some(Value::Bits(bits, width)) => (bits.clone(), *width),
        _ => (BigUint::zero(), 1),
    };
    let ((a, width), (b, other)) = (operand(0), operand(1));
    let modulus = BigUint::from(1u32) << width;
    let ones = &modulus - 1u32;
    let signed = |x: &BigUint| {
        let value = BigInt::from(x.clone());
        if x.bit(u64::from(width) - 1) { value - BigInt::from(modulus.clone()) } else { value }
    };
    let shift = if b < BigUint::from(width) { b.to_u32().unwrap_or(width) } else { width };
    let of = |bits: BigUint| Value::Bits(bits % &modulus, width);
    match op {
        Op::BitNot => of(&ones - &a),
        Op::BitNegate => of(&modulus - &a),
        Op::BitAnd => of(a & b),
        Op::BitOr => of(a | b),
        Op::BitXor => of(a ^ b),
        Op::BitAdd => of(a + b),
        Op::BitSubtract => of(a + &modulus - b),
        Op::BitMultiply => of(a * b),
        Op::BitDivide => of(if b.is_zero() { ones } else { a / b }),
        Op::BitRemainder => of(if b.is_zero() { a } else { a % b }),
        Op::ShiftLeft => of(a << shift),
        Op::ShiftRight => of(a >> shift),
        Op::ArithmeticShiftRight => {
            let shifted: BigInt = signed(&a) >> shift;
            let wrapped = shifted.mod_floor(&BigInt::from(modulus.clone()));
            of(wrapped.magnitude().clone())
        }
        Op::UnsignedLess => Value::Bool(a < b),
        Op::UnsignedLessEqual => Value::Bool(a <= b),
        Op::SignedLess => Value::Bool(signed(&a) < signed(&b)),
        Op::SignedLessEqual => Value::Bool(signed(&a) <= signed(&b)),
        Op::Concat => Value::Bits((a << other) | b, width + other),
        Op::Extract(high, low) => {
            let width = high - low + 1;
            Value::Bits((a >> *low) % (BigUint::from(1u32) << width), width)
        }
        Op::ZeroExtend(more) => Value::Bits(a, width + more),
        Op::SignExtend(more) => {
            let wide = BigInt::from(1) << (width + more);
            Value::Bits(signed(&a).mod_floor(&wide).magnitude().clone(), width + more)
        }
        _ => of(a),
    }
}
