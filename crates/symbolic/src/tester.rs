//! Temporal testers: bits that say, at every position of a run, whether a formula holds there.
//!
//! After Kesten, Pnueli and Raviv, who give every temporal operator a tester; in the form of Burch,
//! Clarke and others, with a bit only for `X p` ("p holds next", a promise that the next state
//! keeps) and `Y p` ("p held before", a memory). The rest is expansion:
//! `p U q = q \/ (p /\ X (p U q))`, `p S q = q \/ (p /\ Y (p S q))`. A promise may be put off
//! endlessly, so each `p U q` demands that again and again it is false or q is true. Until, since,
//! next and previous express all other operators.

use crate::diagram::{Bdd, Bit, NoAnswer, Space};
use logic::ltl::{Binary, Formula, Unary};
use oxidd::BooleanFunction;

/// A bit and the formula that it speaks about, elsewhere.
pub(crate) struct Elsewhere {
    pub(crate) bit: Bit,
    /// Where that formula holds.
    pub(crate) holds: Bdd,
}

pub(crate) struct Tester {
    /// Where the formula as a whole holds.
    pub(crate) root: Bdd,
    /// `X p` for each p.
    pub(crate) promises: Vec<Elsewhere>,
    /// `Y p` for each p.
    pub(crate) memories: Vec<Elsewhere>,
    /// What must be so again and again.
    pub(crate) justice: Vec<Bdd>,
    /// At the first position: nothing was before.
    pub(crate) initial: Bdd,
}

impl Tester {
    /// The tester of a formula whose atoms are sets of states.
    pub(crate) fn new(space: &Space<'_>, formula: &Formula<Bdd>) -> Result<Tester, NoAnswer> {
        let mut tester = Tester {
            root: space.constant(true),
            promises: Vec::new(),
            memories: Vec::new(),
            justice: Vec::new(),
            initial: space.constant(true),
        };
        tester.root = tester.holds(space, formula)?;
        for memory in &tester.memories {
            tester.initial = tester.initial.and(&space.literal(memory.bit.now, false)?)?;
        }
        Ok(tester)
    }

    fn holds(&mut self, space: &Space<'_>, formula: &Formula<Bdd>) -> Result<Bdd, NoAnswer> {
        match formula {
            Formula::Constant(value) => Ok(space.constant(*value)),
            Formula::Atom(atom) => Ok(atom.clone()),
            Formula::Unary(op, a) => {
                let a = self.holds(space, a)?;
                let always = space.constant(true);
                Ok(match op {
                    Unary::Not => a.not()?,
                    Unary::Next => self.promise(space, a)?,
                    Unary::Eventually => self.until(space, &always, &a)?,
                    Unary::Always => self.until(space, &always, &a.not()?)?.not()?,
                    Unary::Previous => self.memory(space, a)?,
                    Unary::WeakPrevious => self.memory(space, a.not()?)?.not()?,
                    Unary::Once => self.since(space, &always, &a)?,
                    Unary::Historically => self.since(space, &always, &a.not()?)?.not()?,
                })
            }
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.holds(space, a)?, self.holds(space, b)?);
                let (not_a, not_b) = (a.not()?, b.not()?);
                Ok(match op {
                    Binary::And => a.and(&b)?,
                    Binary::Or => a.or(&b)?,
                    Binary::Implies => not_a.or(&b)?,
                    Binary::Iff => a.equiv(&b)?,
                    Binary::Entails => self.until(space, &space.constant(true), &a.and(&not_b)?)?.not()?,
                    Binary::Until => self.until(space, &a, &b)?,
                    // Not: neither comes while the second does not.
                    Binary::WeakUntil => self.until(space, &not_b, &not_a.and(&not_b)?)?.not()?,
                    Binary::Release => self.until(space, &not_a, &not_b)?.not()?,
                    Binary::StrongRelease => self.until(space, &b, &a.and(&b)?)?,
                    Binary::Since => self.since(space, &a, &b)?,
                    Binary::BackTo => self.since(space, &not_b, &not_a.and(&not_b)?)?.not()?,
                    Binary::Trigger => self.since(space, &not_a, &not_b)?.not()?,
                })
            }
        }
    }

    /// `X p`.
    fn promise(&mut self, space: &Space<'_>, holds: Bdd) -> Result<Bdd, NoAnswer> {
        let bit = fresh(space);
        self.promises.push(Elsewhere { bit, holds });
        space.var(bit.now)
    }

    /// `Y p`.
    fn memory(&mut self, space: &Space<'_>, holds: Bdd) -> Result<Bdd, NoAnswer> {
        let bit = fresh(space);
        self.memories.push(Elsewhere { bit, holds });
        space.var(bit.now)
    }

    fn until(&mut self, space: &Space<'_>, a: &Bdd, b: &Bdd) -> Result<Bdd, NoAnswer> {
        let bit = fresh(space);
        let holds = b.or(&a.and(&space.var(bit.now)?)?)?;
        self.justice.push(b.or(&holds.not()?)?);
        self.promises.push(Elsewhere { bit, holds: holds.clone() });
        Ok(holds)
    }

    fn since(&mut self, space: &Space<'_>, a: &Bdd, b: &Bdd) -> Result<Bdd, NoAnswer> {
        let bit = fresh(space);
        let holds = b.or(&a.and(&space.var(bit.now)?)?)?;
        self.memories.push(Elsewhere { bit, holds: holds.clone() });
        Ok(holds)
    }
}

fn fresh(space: &Space<'_>) -> Bit {
    space.bits(1)[0]
}
