//! All arrays of two bits, with operations at known and unknown indices.

use crate::definitions::*;
use crate::variable::Variable;
use logic::{IntType, Sort};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use objects::Dependency;
use objects::array::{self, Part};
use objects::variable::{Operation, View};

const BIT: Variable = Variable { int: IntType::BIT };

struct Array;

/// A part, the index where it really is, and what a Write writes.
type Call = (Part, usize, i64);

impl Kind for Array {
    type Value = [i64; 2];
    type Call = Call;
    type Output = Option<BigInt>;

    fn values(&self) -> Vec<[i64; 2]> {
        vec![[0, 0], [0, 1], [1, 0], [1, 1]]
    }

    fn calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        for operation in BIT.operations() {
            for index in 0..2 {
                for path in [vec![Some(index)], vec![None]] {
                    let inputs = if operation == Operation::Write { 0..2 } else { 0..1 };
                    calls.extend(inputs.map(|input| (Part { path: path.clone(), operation }, index, input)));
                }
            }
        }
        calls
    }

    fn perform(&self, (part, index, input): &Call, value: &[i64; 2]) -> Option<(Option<BigInt>, [i64; 2])> {
        let element = BigInt::from(value[*index]);
        let at = View { value: &element, sort: &Sort::Machine(IntType::BIT) };
        let (output, after) = part.operation.perform(&BigInt::from(*input), at);
        let mut next = *value;
        next[*index] = after.to_i64()?;
        Some((output, next))
    }
}

fn view<R>(a: &Call, value: &[i64; 2], then: impl FnOnce(View<'_>) -> R) -> R {
    then(View { value: &BigInt::from(value[a.1]), sort: &Sort::Machine(IntType::BIT) })
}

#[test]
fn independent_operations_commute() {
    for by in [Dependency::Constant, Dependency::Conditional, Dependency::Uniform] {
        check(&Array, |a, b, value| view(a, value, |at| array::dependent(by, &a.0, &b.0, Some(at))));
    }
    for value in Array.values() {
        for a in Array.calls() {
            for b in Array.calls() {
                for by in [Dependency::Constant, Dependency::Conditional, Dependency::Uniform] {
                    let said = view(&a, &value, |at| array::dependent(by, &a.0, &b.0, Some(at)));
                    assert!(!said || array::can_be_dependent(&a.0, &b.0));
                    assert!(!said || array::dependent(by, &a.0, &b.0, None));
                }
            }
        }
    }
}

#[test]
fn the_first_to_interfere_are_in_the_table() {
    let by = Dependency::Conditional;
    for value in Array.values() {
        for a in Array.calls() {
            let dependent = |x: &Call, y: &Call, v: &[i64; 2]| {
                view(x, v, |at| array::dependent(by, &x.0, &y.0, Some(at)))
            };
            for b in first_to_interfere(&Array, &a, &value, dependent, |_| false) {
                assert!(view(&a, &value, |at| array::interferes(by, &a.0, &b.0, Some(at))), "{a:?} ▷ {b:?}");
            }
        }
    }
}

#[test]
fn known_indices_tell_parts_apart() {
    let write = |index| Part { path: vec![index], operation: Operation::Write };
    assert!(!array::can_be_dependent(&write(Some(0)), &write(Some(1))));
    assert!(array::can_be_dependent(&write(Some(0)), &write(Some(0))));
    assert!(array::can_be_dependent(&write(Some(0)), &write(None)));
    let inside = Part { path: vec![Some(0), Some(3)], operation: Operation::Read };
    assert!(array::can_be_dependent(&write(Some(0)), &inside));
}
