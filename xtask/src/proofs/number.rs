//! Numbers of `fuzz-prove`: fractions; division of integers is Euclidean.

/// Why something has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// It has none by the definition of the language: an index outside, a divisor that is zero.
    Void,
    /// It has one, and the evaluator does not know it: a number becomes too large.
    Lost,
}

pub type Sure<T> = Result<T, Gone>;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fraction(i128, i128);

impl Fraction {
    pub fn int(n: i64) -> Fraction {
        Fraction(i128::from(n), 1)
    }

    fn new(n: i128, d: i128) -> Sure<Fraction> {
        if d == 0 {
            return Err(Gone::Void);
        }
        let (mut a, mut b) = (n.unsigned_abs(), d.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let g = a.max(1) as i128 * d.signum();
        if n.abs() > 1 << 60 || d.abs() > 1 << 60 {
            return Err(Gone::Lost);
        }
        Ok(Fraction(n / g, d / g))
    }

    pub fn whole(self) -> Sure<i128> {
        if self.1 == 1 { Ok(self.0) } else { Err(Gone::Lost) }
    }

    pub fn less(self, other: Fraction) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    pub fn is_between(self, low: i64, high: i64) -> bool {
        !self.less(Fraction::int(low)) && !Fraction::int(high).less(self)
    }

    pub fn negate(self) -> Fraction {
        Fraction(-self.0, self.1)
    }

    pub fn add(self, other: Fraction) -> Sure<Fraction> {
        Fraction::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    pub fn times(self, other: Fraction) -> Sure<Fraction> {
        Fraction::new(self.0 * other.0, self.1 * other.1)
    }

    /// Exact, or that of integers.
    pub fn over(self, other: Fraction, exact: bool) -> Sure<Fraction> {
        match exact {
            true => Fraction::new(self.0 * other.1, self.1 * other.0),
            false => Ok(self.euclid(other)?.0),
        }
    }

    /// Quotient and remainder: that one is never negative, and less than the divisor without its
    /// sign.
    pub fn euclid(self, other: Fraction) -> Sure<(Fraction, Fraction)> {
        let (a, b) = (self.whole()?, other.whole()?);
        if b == 0 {
            return Err(Gone::Void);
        }
        let rest = ((a % b) + b.abs()) % b.abs();
        Ok((Fraction::new((a - rest) / b, 1)?, Fraction::new(rest, 1)?))
    }
}
