//! Exact rationals that are two machine words while they can be.
//!
//! Simplex on verification conditions hardly ever leaves numbers of a few digits, so big integers
//! are the exception: an operation is tried on 64-bit parts, and done on big ones only if it
//! overflows.

use logic::fol::Rational as Big;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// In lowest terms, with a positive denominator; small whenever it fits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Rational {
    Small(i64, i64),
    Large(Box<Big>),
}

use Rational::{Large, Small};

impl Rational {
    pub const ZERO: Rational = Small(0, 1);
    pub const ONE: Rational = Small(1, 1);

    /// Reduces; the denominator must not be zero.
    fn small(numerator: i128, denominator: i128) -> Rational {
        let divisor = numerator.gcd(&denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        let (n, d) = (sign * (numerator / divisor), sign * (denominator / divisor));
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) if n != i64::MIN => Small(n, d),
            _ => Large(Box::new(Big::new_raw(n.into(), d.into()))),
        }
    }

    pub(crate) fn big(&self) -> Big {
        match self {
            Small(n, d) => Big::new_raw((*n).into(), (*d).into()),
            Large(big) => (**big).clone(),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Small(0, _))
    }

    pub fn is_positive(&self) -> bool {
        match self {
            Small(n, _) => *n > 0,
            Large(big) => big.is_positive(),
        }
    }

    pub fn is_negative(&self) -> bool {
        !self.is_zero() && !self.is_positive()
    }

    pub(crate) fn is_integer(&self) -> bool {
        match self {
            Small(_, d) => *d == 1,
            Large(big) => big.is_integer(),
        }
    }

    pub(crate) fn floor(&self) -> Rational {
        match self {
            Small(n, d) => Small(Integer::div_floor(n, d), 1),
            Large(big) => big.floor().into(),
        }
    }

    /// The inverse of a number that is not zero.
    pub(crate) fn inverse(&self) -> Rational {
        match self {
            Small(n, d) => Rational::small((*d).into(), (*n).into()),
            Large(big) => big.recip().into(),
        }
    }

    pub(crate) fn numerator(&self) -> BigInt {
        match self {
            Small(n, _) => (*n).into(),
            Large(big) => big.numer().clone(),
        }
    }

    pub(crate) fn denominator(&self) -> BigInt {
        match self {
            Small(_, d) => (*d).into(),
            Large(big) => big.denom().clone(),
        }
    }
}

impl From<Big> for Rational {
    fn from(big: Big) -> Rational {
        match (big.numer().to_i64(), big.denom().to_i64()) {
            (Some(n), Some(d)) if n != i64::MIN => Small(n, d),
            _ => Large(Box::new(big)),
        }
    }
}

impl From<&BigInt> for Rational {
    fn from(n: &BigInt) -> Rational {
        Big::from_integer(n.clone()).into()
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Rational {
        Rational::small(n.into(), 1)
    }
}

impl Add for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        match (self, other) {
            (Small(a, 1), Small(c, 1)) => Rational::small(i128::from(*a) + i128::from(*c), 1),
            (Small(a, b), Small(c, d)) => {
                let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
                // Two products of 63-bit numbers fit into 127 bits, their sum into 128.
                match (a * d).checked_add(c * b) {
                    Some(sum) => Rational::small(sum, b * d),
                    None => (self.big() + other.big()).into(),
                }
            }
            _ => (self.big() + other.big()).into(),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        match (self, other) {
            (Small(a, b), Small(c, d)) => {
                Rational::small(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d))
            }
            _ => (self.big() * other.big()).into(),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match self {
            Small(n, d) => Small(-n, *d),
            Large(big) => (-&**big).into(),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (self, other) {
            (Small(a, b), Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.big())
    }
}

/// A rational plus a multiple of an infinitely small number, for strict bounds (Dutertre and de
/// Moura).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Delta {
    pub(crate) real: Rational,
    pub delta: Rational,
}

impl Delta {
    pub const ZERO: Delta = Delta { real: Rational::ZERO, delta: Rational::ZERO };

    pub fn plus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real + &other.real, delta: &self.delta + &other.delta }
    }

    pub fn minus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real - &other.real, delta: &self.delta - &other.delta }
    }

    pub fn times(&self, factor: &Rational) -> Delta {
        Delta { real: &self.real * factor, delta: &self.delta * factor }
    }
}

impl From<Rational> for Delta {
    fn from(real: Rational) -> Delta {
        Delta { real, delta: Rational::ZERO }
    }
}

/// The greatest common divisor of numerators over the least common multiple of denominators.
pub fn content<'a>(numbers: impl Iterator<Item = &'a Rational> + Clone) -> Rational {
    let divisor = numbers.clone().fold(BigInt::zero(), |d, r| d.gcd(&r.numerator()));
    let multiple = numbers.fold(BigInt::from(1), |m, r| m.lcm(&r.denominator()));
    if divisor.is_zero() { Rational::ONE } else { Big::new(divisor, multiple).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_agree() {
        let numbers =
            [0, 1, -1, 2, -7, 12, i64::MAX, i64::MAX - 1, -i64::MAX, i64::MIN, 1 << 40, 3_037_000_500];
        let rationals: Vec<Rational> = numbers
            .iter()
            .flat_map(|n| {
                numbers.iter().filter(|d| **d != 0).map(|d| Big::new((*n).into(), (*d).into()).into())
            })
            .collect();
        for a in &rationals {
            for b in &rationals {
                assert_eq!((a + b).big(), a.big() + b.big());
                assert_eq!((a - b).big(), a.big() - b.big());
                assert_eq!((a * b).big(), a.big() * b.big());
                assert_eq!(a.cmp(b), a.big().cmp(&b.big()));
                assert_eq!(a == b, a.big() == b.big());
            }
            assert_eq!(a.floor().big(), a.big().floor());
            assert_eq!(Rational::from(a.big()), *a);
            if !a.is_zero() {
                assert_eq!(a.inverse().big(), a.big().recip());
            }
        }
    }
}
