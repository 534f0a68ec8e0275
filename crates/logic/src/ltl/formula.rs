//! Formulas of linear temporal logic, future and past, over atoms of any kind.
//!
//! A formula is read at a position of an infinite word. Operators are named as in Manna and Pnueli;
//! the letters are the common ones. The first position has no previous one: there `Y p` is false
//! and its weak form `Z p` is true.

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Negation.
    Not,
    /// `X p`: at the next position.
    Next,
    /// `F p`: now or later.
    Eventually,
    /// `G p`: now and always later.
    Always,
    /// `Y p`: there is a previous position, and p there.
    Previous,
    /// `Z p`: if there is a previous position, p there.
    WeakPrevious,
    /// `O p`: now or before.
    Once,
    /// `H p`: now and always before.
    Historically,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication.
    Implies,
    /// Equivalence.
    Iff,
    /// `p => q`, entailment: `G (p -> q)`.
    Entails,
    /// `p U q`: q comes, and p until then.
    Until,
    /// `p W q`: p until q comes, or forever (Awaits, Unless).
    WeakUntil,
    /// `p R q`: q up to and including the first p, or forever (SPIN's V).
    Release,
    /// `p M q`: q up to and including the first p, which comes.
    StrongRelease,
    /// `p S q`: q was, and p since then.
    Since,
    /// `p B q`: p since q was, or always before (Back-to).
    BackTo,
    /// `p T q`: the past mirror of release: q since and including the last p, or always before.
    Trigger,
}

/// A formula with atoms of type `A`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula<A> {
    /// *true* or *false*.
    Constant(bool),
    /// A state formula of the host language.
    Atom(A),
    /// An operator with one operand.
    Unary(Unary, Box<Formula<A>>),
    /// An operator with two operands.
    Binary(Binary, Box<Formula<A>>, Box<Formula<A>>),
}

impl<A> Formula<A> {
    /// The formula that every word satisfies.
    pub const TRUE: Formula<A> = Formula::Constant(true);
    /// The formula that no word satisfies.
    pub const FALSE: Formula<A> = Formula::Constant(false);

    /// An operator applied to one formula.
    pub fn unary(op: Unary, a: Formula<A>) -> Self {
        Formula::Unary(op, Box::new(a))
    }

    /// An operator applied to two formulas.
    pub fn binary(op: Binary, a: Formula<A>, b: Formula<A>) -> Self {
        Formula::Binary(op, Box::new(a), Box::new(b))
    }

    /// The negation, without any simplification.
    pub fn negation(a: Formula<A>) -> Self {
        Formula::unary(Unary::Not, a)
    }

    /// The formula with every atom replaced, from left to right.
    pub fn map<B>(self, atom: &mut impl FnMut(A) -> B) -> Formula<B> {
        match self {
            Formula::Constant(c) => Formula::Constant(c),
            Formula::Atom(a) => Formula::Atom(atom(a)),
            Formula::Unary(op, a) => Formula::unary(op, a.map(atom)),
            Formula::Binary(op, a, b) => {
                let a = a.map(atom);
                Formula::binary(op, a, b.map(atom))
            }
        }
    }

    /// The formula over numbers, and the atoms that they stand for, each once.
    pub fn numbered(self) -> (Formula<usize>, Vec<A>)
    where
        A: PartialEq,
    {
        let mut atoms: Vec<A> = Vec::new();
        let numbered = self.map(&mut |atom: A| {
            let known = atoms.iter().position(|a| *a == atom);
            known.unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            })
        });
        (numbered, atoms)
    }

    /// How many operators, atoms and constants it has.
    pub fn size(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Atom(_) => 1,
            Formula::Unary(_, a) => 1 + a.size(),
            Formula::Binary(_, a, b) => 1 + a.size() + b.size(),
        }
    }

    /// Calls `visit` on every atom, from left to right.
    pub fn atoms<'a>(&'a self, visit: &mut impl FnMut(&'a A)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Atom(a) => visit(a),
            Formula::Unary(_, a) => a.atoms(visit),
            Formula::Binary(_, a, b) => {
                a.atoms(visit);
                b.atoms(visit);
            }
        }
    }
}
