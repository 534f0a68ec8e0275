//! Bit-vectors as circuits: every bit a literal, lowest first.

use super::ground::Ground;
use super::sat::Lit;
use logic::fol::{Op, Sort, Term};

impl Ground {
    pub(crate) fn bits_of(&mut self, term: &Term) -> Vec<Lit> {
        if let Some(bits) = self.bits.get(term) {
            return bits.clone();
        }
        let bits = self.circuit(term);
        self.bits.insert(term.clone(), bits.clone());
        bits
    }

    fn circuit(&mut self, term: &Term) -> Vec<Lit> {
        let Sort::Bits(width) = *term.sort() else { return Vec::new() };
        let arguments = term.arguments();
        let never = !self.always;
        match term.op() {
            Op::Bits(value, _) => {
                (0..width).map(|at| if value.bit(at.into()) { self.always } else { never }).collect()
            }
            Op::Ite => {
                let c = self.literal(&arguments[0]);
                let (a, b) = (self.bits_of(&arguments[1]), self.bits_of(&arguments[2]));
                a.iter().zip(&b).map(|(a, b)| self.choice(c, *a, *b)).collect()
            }
            Op::Apply(_) | Op::Select | Op::Field(..) | Op::Nth => {
                let bits: Vec<Lit> = (0..width).map(|_| self.fresh(false)).collect();
                // Known before its node is made, which asks for the bits.
                self.bits.insert(term.clone(), bits.clone());
                self.node(term);
                bits
            }
            _ => {
                let operands: Vec<Vec<Lit>> = arguments.iter().map(|a| self.bits_of(a)).collect();
                self.operation(term.op(), &operands)
            }
        }
    }

    fn operation(&mut self, op: &Op, operands: &[Vec<Lit>]) -> Vec<Lit> {
        let a = &operands[0];
        let never = !self.always;
        match (op, operands.get(1)) {
            (Op::BitNot, _) => a.iter().map(|x| !*x).collect(),
            (Op::BitNegate, _) => {
                let inverted: Vec<Lit> = a.iter().map(|x| !*x).collect();
                self.sum(&inverted, &vec![never; a.len()], self.always)
            }
            (Op::Extract(high, low), _) => a[*low as usize..=*high as usize].to_vec(),
            (Op::ZeroExtend(more), _) => [&a[..], &vec![never; *more as usize]].concat(),
            (Op::SignExtend(more), _) => [&a[..], &vec![a[a.len() - 1]; *more as usize]].concat(),
            (Op::Concat, Some(low)) => [&low[..], a].concat(),
            (Op::BitAnd, Some(b)) => self.bitwise(a, b, |g, x, y| g.conjunction(vec![x, y])),
            (Op::BitOr, Some(b)) => self.bitwise(a, b, |g, x, y| !g.conjunction(vec![!x, !y])),
            (Op::BitXor, Some(b)) => self.bitwise(a, b, |g, x, y| !g.equivalence(x, y)),
            (Op::BitAdd, Some(b)) => self.sum(a, b, never),
            (Op::BitSubtract, Some(b)) => self.difference(a, b).0,
            (Op::BitMultiply, Some(b)) => self.multiple(a, b),
            (Op::BitDivide, Some(b)) => self.quotient(a, b).0,
            (Op::BitRemainder, Some(b)) => self.quotient(a, b).1,
            (Op::ShiftLeft, Some(b)) => {
                let reversed: Vec<Lit> = a.iter().rev().copied().collect();
                let mut shifted = self.shifted_down(&reversed, b, never);
                shifted.reverse();
                shifted
            }
            (Op::ShiftRight, Some(b)) => self.shifted_down(a, b, never),
            (Op::ArithmeticShiftRight, Some(b)) => self.shifted_down(a, b, a[a.len() - 1]),
            _ => a.iter().map(|_| self.fresh(false)).collect(),
        }
    }

    fn bitwise(&mut self, a: &[Lit], b: &[Lit], gate: fn(&mut Ground, Lit, Lit) -> Lit) -> Vec<Lit> {
        a.iter().zip(b).map(|(x, y)| gate(self, *x, *y)).collect()
    }

    fn exclusive(&mut self, a: Lit, b: Lit) -> Lit {
        !self.equivalence(a, b)
    }

    fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Vec<Lit> {
        self.sum_and_carry(a, b, carry).0
    }

    fn sum_and_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        let mut sum = Vec::new();
        for (x, y) in a.iter().zip(b) {
            let half = self.exclusive(*x, *y);
            sum.push(self.exclusive(half, carry));
            // If the two differ the carry passes, otherwise they decide.
            carry = self.choice(half, carry, *x);
        }
        (sum, carry)
    }

    /// The difference, and whether nothing had to be borrowed: `a >= b`.
    fn difference(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let inverted: Vec<Lit> = b.iter().map(|y| !*y).collect();
        self.sum_and_carry(a, &inverted, self.always)
    }

    fn multiple(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut sum = vec![!self.always; a.len()];
        for (at, bit) in b.iter().enumerate() {
            let shifted = vec![!self.always; at];
            let shifted: Vec<Lit> = shifted.iter().chain(&a[..a.len() - at]).copied().collect();
            let row: Vec<Lit> = shifted.iter().map(|x| self.conjunction(vec![*x, *bit])).collect();
            sum = self.sum(&sum, &row, !self.always);
        }
        sum
    }

    /// Long division. A divisor of zero goes in always and leaves the dividend: all ones, as
    /// SMT-LIB has it.
    fn quotient(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let never = !self.always;
        let wide: Vec<Lit> = b.iter().copied().chain([never]).collect();
        let mut rest = vec![never; width + 1];
        let mut quotient = vec![never; width];
        for at in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[at]);
            let (less, fits) = self.difference(&rest, &wide);
            quotient[at] = fits;
            rest = less
                .iter()
                .zip(&rest)
                .map(|(x, y)| (*x, *y))
                .collect::<Vec<_>>()
                .iter()
                .map(|(x, y)| self.choice(fits, *x, *y))
                .collect();
        }
        rest.truncate(width);
        (quotient, rest)
    }

    /// Shifts towards the lowest bit, by powers of two.
    fn shifted_down(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut bits = a.to_vec();
        for (at, shift) in by.iter().enumerate() {
            let distance = if at < 32 { 1usize << at } else { width };
            let moved =
                |bits: &[Lit], k: usize| bits.get(k.saturating_add(distance)).copied().unwrap_or(fill);
            bits = (0..width).map(|k| self.choice(*shift, moved(&bits, k), bits[k])).collect();
        }
        bits
    }

    pub(crate) fn bit_comparison(&mut self, formula: &Term) -> Lit {
        let mut a = self.bits_of(&formula.arguments()[0]);
        let mut b = self.bits_of(&formula.arguments()[1]);
        if matches!(formula.op(), Op::SignedLess | Op::SignedLessEqual) {
            // With the sign bits turned round, signed order is unsigned order.
            for bits in [&mut a, &mut b] {
                if let Some(sign) = bits.last_mut() {
                    *sign = !*sign;
                }
            }
        }
        match formula.op() {
            Op::UnsignedLess | Op::SignedLess => !self.difference(&a, &b).1,
            _ => self.difference(&b, &a).1,
        }
    }
}
