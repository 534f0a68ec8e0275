//! All values of two-bit variables, signed and unsigned, and of a bit, with all operations and
//! constants.

use crate::definitions::*;
use logic::{Binary, IntType, Sort};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use objects::Dependency;
use objects::variable::{self, Operation, View};
use std::collections::HashSet;

const RELATIONS: [Dependency; 3] = [Dependency::Constant, Dependency::Conditional, Dependency::Uniform];

pub(crate) struct Variable {
    pub(crate) int: IntType,
}

impl Variable {
    fn all() -> [Variable; 3] {
        [IntType::BIT, IntType::unsigned(2), IntType::signed(2)].map(|int| Variable { int })
    }

    pub(crate) fn domain(&self) -> Vec<i64> {
        let (low, high) = self.int.range();
        (low.to_i64().unwrap()..=high.to_i64().unwrap()).collect()
    }

    pub(crate) fn operations(&self) -> Vec<Operation> {
        let comparisons = [Binary::Less, Binary::LessEqual, Binary::Greater, Binary::Equal, Binary::NotEqual];
        let domain = self.domain();
        let mut all = vec![Operation::Read, Operation::Write, Operation::Complement];
        all.extend(domain.iter().map(|c| Operation::WriteConstant(*c)));
        all.extend(domain.iter().map(|d| Operation::Increment(*d)));
        all.extend(comparisons.iter().flat_map(|o| domain.iter().map(|c| Operation::Test(*o, *c))));
        all
    }

    fn dependent(&self, by: Dependency, a: &Call, b: &Call, value: i64) -> bool {
        let (value, sort) = (BigInt::from(value), Sort::Machine(self.int));
        variable::dependent(by, a.0, b.0, View { value: &value, sort: &sort })
    }

    /// A test that comes out the same for all values depends on nothing; the tables do not go into
    /// that.
    fn is_vacuous(&self, operation: Operation) -> bool {
        let sort = Sort::Machine(self.int);
        let outcomes: HashSet<_> = self
            .domain()
            .into_iter()
            .map(|v| operation.perform(&BigInt::from(0), View { value: &BigInt::from(v), sort: &sort }).0)
            .collect();
        matches!(operation, Operation::Test(..)) && outcomes.len() == 1
    }
}

/// An operation and what it would write.
type Call = (Operation, i64);

impl Kind for Variable {
    type Value = i64;
    type Call = Call;
    type Output = Option<BigInt>;

    fn values(&self) -> Vec<i64> {
        self.domain()
    }

    fn calls(&self) -> Vec<Call> {
        let inputs = |o: Operation| if o == Operation::Write { self.domain() } else { vec![0] };
        self.operations().into_iter().flat_map(|o| inputs(o).into_iter().map(move |i| (o, i))).collect()
    }

    fn perform(&self, call: &Call, value: &i64) -> Option<(Option<BigInt>, i64)> {
        let (value, sort) = (BigInt::from(*value), Sort::Machine(self.int));
        let (output, after) = call.0.perform(&BigInt::from(call.1), View { value: &value, sort: &sort });
        Some((output, after.to_i64().unwrap()))
    }
}

#[test]
fn independent_operations_commute() {
    for kind in Variable::all() {
        RELATIONS.iter().for_each(|by| check(&kind, |a, b, value| kind.dependent(*by, a, b, *value)));
        let calls = kind.calls();
        for value in kind.values() {
            for (a, b) in calls.iter().flat_map(|a| calls.iter().map(move |b| (a, b))) {
                for by in RELATIONS {
                    let said = kind.dependent(by, a, b, value);
                    assert_eq!(said, kind.dependent(by, b, a, value), "symmetry of {a:?} {b:?}");
                    assert!(!said || kind.dependent(Dependency::Constant, a, b, value));
                }
            }
        }
    }
}

#[test]
fn dependent_operations_have_a_witness() {
    for kind in Variable::all() {
        for (a, b) in
            kind.operations().iter().flat_map(|a| kind.operations().into_iter().map(move |b| (*a, b)))
        {
            let witness = |value: &i64| {
                let of = |o| kind.calls().into_iter().filter(move |c| c.0 == o);
                of(a).any(|x| of(b).any(|y| !independent(&kind, &x, &y, value)))
            };
            // Adding half of the range commutes with the complement; the tables do not go into
            // that.
            let half =
                |o| matches!(o, Operation::Increment(d) if d.unsigned_abs() == 1 << (kind.int.bits - 1));
            let generous = kind.is_vacuous(a) || kind.is_vacuous(b) || half(a) || half(b);
            for value in kind.values() {
                let said = kind.dependent(Dependency::Conditional, &(a, 0), &(b, 0), value);
                assert!(!said || witness(&value) || generous, "{a:?} {b:?} in {value}");
            }
            // Nor into which tests do not tell a value from its complement.
            let mirror = |o, p| o == Operation::Complement && matches!(p, Operation::Test(..));
            let ever = kind.values().iter().any(witness) || generous || mirror(a, b) || mirror(b, a);
            assert!(!variable::can_be_dependent(a, b) || ever, "{a:?} {b:?}");
        }
    }
}

#[test]
fn the_first_to_interfere_are_in_the_table() {
    for kind in Variable::all() {
        for value in kind.values() {
            for a in kind.calls() {
                let dependent =
                    |x: &Call, y: &Call, v: &i64| kind.dependent(Dependency::Conditional, x, y, *v);
                for b in first_to_interfere(&kind, &a, &value, dependent, |_| false) {
                    let (value, sort) = (BigInt::from(value), Sort::Machine(kind.int));
                    let at = View { value: &value, sort: &sort };
                    assert!(variable::interferes(Dependency::Conditional, a.0, b.0, at), "{a:?} ▷ {b:?}");
                }
            }
        }
    }
}

/// A false guard `x == c` waits for a write of `c`, not for writes of other constants.
#[test]
fn a_test_waits_for_what_changes_its_outcome() {
    let (zero, sort) = (BigInt::from(0), Sort::Machine(IntType::BYTE));
    let waits = |constant| {
        let test = Operation::Test(Binary::Equal, 3);
        let at = View { value: &zero, sort: &sort };
        variable::interferes(Dependency::Conditional, test, Operation::WriteConstant(constant), at)
    };
    assert!(waits(3));
    assert!(!waits(2));
}

#[test]
fn only_the_constant_table_is_weakly_uniform() {
    for kind in Variable::all() {
        let singles: Vec<_> = kind.calls().into_iter().map(|c| vec![c]).collect();
        let broken = |by| {
            breaks_weak_uniformity(&kind, &singles, |a: &Call, b: &Call, v: &i64| {
                kind.dependent(by, a, b, *v)
            })
        };
        assert!(broken(Dependency::Uniform).is_empty());
        let reason = |(_, calls): (i64, [Vec<Call>; 3])| calls.map(|c| c[0].0);
        let reasons: HashSet<_> = broken(Dependency::Conditional).into_iter().map(reason).collect();
        let write = Operation::WriteConstant(0);
        assert!(reasons.contains(&[write, Operation::Read, write]), "{reasons:?}");
    }
}
