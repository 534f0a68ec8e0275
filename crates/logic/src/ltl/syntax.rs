//! Formulas as text: SPIN's syntax, STeP's, and the common one of letters.
//!
//! | | SPIN | STeP | common |
//! |---|---|---|---|
//! | not, and, or | `! && \|\|` | `~ /\ \/` (also `!`) | `! & \|` (also `&& \|\|`) |
//! | implies, equivalent | `-> <->`, `implies equivalent` | `--> <-->` | `-> <->` |
//! | entails: G (p -> q) | | `==>`, both ways `<==>` | `==>` |
//! | X F G | `X <> []`, `next eventually always` | `() <> []` | `X F G` |
//! | U W R M | `U W V`, `until weakuntil release` | `Until Awaits` (also `Unless`) | `U W R M` |
//! | Y Z O H | | `(-) (~) <-> [-]` | `Y Z O H` |
//! | S B T | | `Since Backto` | `S B T` |
//! | for all, for some | | `Forall i:[1..N]. p`, `Exists` | |
//!
//! Prefix operators bind strongest, then the binary temporal operators, and, or, implies,
//! equivalent, entails; in STeP's syntax the binary temporal operators come behind or, as in
//! `.spl` files. In SPIN's syntax all binary operators associate to the left, and implies
//! and equivalent bind alike; in the others temporal operators, implies and equivalent associate to
//! the right. A quantifier reaches as far as it can.
//!
//! An atom is an expression of the host language: everything that is no operator here, with
//! balanced brackets, up to the next operator. So `x == 1`, `(a + b) < c[i]`, `P[0]@cs`,
//! `len(q) < 2`, `q?[m]` are atoms; a group in brackets is a formula if an operator or nothing
//! follows it, and part of an atom otherwise. `!x == 1` compares `!x`, as in C; `[] x == 1` is
//! `[] (x == 1)`. Text between double quotes is an atom whatever is in it. A letter is an operator
//! only where an operator can stand and something follows for it to work on: `X > 1` is about a
//! variable X.
//!
//! [`read`] takes a formula in any of the three: see [`Reading`].

mod choose;
mod host;
mod operands;
mod parser;
mod print;
mod tokens;
mod tree;

pub use choose::{Reading, read, read_tree};
pub use host::{Atoms, Host, Quantifier};
pub use operands::{Operands, formula};
pub use print::{NoPast, print};
pub use tree::{MAX_HEIGHT, Node, Tree};

use super::{Binary, Unary};

use {Binary::*, Unary::*};

/// A concrete syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// SPIN's: `[] <> U W V X && || !`.
    Spin,
    /// STeP's: `[] <> U W ==> /\ \/ ~`, past operators, quantifiers.
    Step,
    /// The letters of textbooks: `G F X U R W M`, past operators too.
    Common,
}

/// What a binary operator makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// An operator of temporal logic.
    Plain(Binary),
    /// A term of the host language.
    Term(crate::Binary),
    /// `p <==> q`: G (p <-> q).
    Congruent,
}

/// A binary operator of a syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator {
    /// What the operator means.
    pub infix: Infix,
    /// Larger binds stronger.
    pub strength: u8,
    /// Whether it associates to the left.
    pub to_the_left: bool,
}

impl Syntax {
    /// All syntaxes.
    pub const ALL: [Syntax; 3] = [Syntax::Spin, Syntax::Step, Syntax::Common];

    /// The name by which options choose the syntax.
    pub fn name(self) -> &'static str {
        match self {
            Syntax::Spin => "spin",
            Syntax::Step => "step",
            Syntax::Common => "common",
        }
    }

    /// How a prefix operator is written, if the syntax has it.
    pub fn unary_word(self, op: Unary) -> Option<&'static str> {
        self.prefixes().iter().find(|(_, found)| *found == op).map(|(word, _)| *word)
    }

    /// How a binary operator is written, if the syntax has it.
    pub fn binary_word(self, op: Binary) -> Option<&'static str> {
        self.infixes().iter().find(|(_, infix, _)| *infix == Infix::Plain(op)).map(|(word, ..)| *word)
    }

    /// The prefix operators, the one that is printed before its synonyms.
    fn prefixes(self) -> &'static [(&'static str, Unary)] {
        match self {
            Syntax::Spin => &[
                ("!", Not),
                ("X", Next),
                ("<>", Eventually),
                ("[]", Always),
                ("next", Next),
                ("eventually", Eventually),
                ("always", Always),
            ],
            Syntax::Step => &[
                ("~", Not),
                ("()", Next),
                ("<>", Eventually),
                ("[]", Always),
                ("(-)", Previous),
                ("(~)", WeakPrevious),
                ("<->", Once),
                ("[-]", Historically),
                ("!", Not),
            ],
            Syntax::Common => &[
                ("!", Not),
                ("X", Next),
                ("F", Eventually),
                ("G", Always),
                ("Y", Previous),
                ("Z", WeakPrevious),
                ("O", Once),
                ("H", Historically),
            ],
        }
    }

    /// The binary operators with their strengths, the one that is printed before its synonyms.
    fn infixes(self) -> &'static [(&'static str, Infix, u8)] {
        use Infix::*;
        match self {
            Syntax::Spin => &[
                ("->", Plain(Implies), 0),
                ("<->", Plain(Iff), 0),
                ("||", Plain(Or), 3),
                ("&&", Plain(And), 4),
                ("U", Plain(Until), 5),
                ("W", Plain(WeakUntil), 5),
                ("V", Plain(Release), 5),
                ("implies", Plain(Implies), 0),
                ("equivalent", Plain(Iff), 0),
                ("until", Plain(Until), 5),
                ("stronguntil", Plain(Until), 5),
                ("weakuntil", Plain(WeakUntil), 5),
                ("release", Plain(Release), 5),
            ],
            Syntax::Step => &[
                ("==>", Plain(Entails), 0),
                ("<-->", Plain(Iff), 1),
                ("-->", Plain(Implies), 2),
                ("Until", Plain(Until), 3),
                ("Awaits", Plain(WeakUntil), 3),
                ("Since", Plain(Since), 3),
                ("Backto", Plain(BackTo), 3),
                ("Unless", Plain(WeakUntil), 3),
                ("\\/", Plain(Or), 4),
                ("/\\", Plain(And), 5),
                ("<==>", Congruent, 0),
            ],
            Syntax::Common => &[
                ("==>", Plain(Entails), 0),
                ("<->", Plain(Iff), 1),
                ("->", Plain(Implies), 2),
                ("|", Plain(Or), 3),
                ("&", Plain(And), 4),
                ("U", Plain(Until), 5),
                ("W", Plain(WeakUntil), 5),
                ("R", Plain(Release), 5),
                ("M", Plain(StrongRelease), 5),
                ("S", Plain(Since), 5),
                ("B", Plain(BackTo), 5),
                ("T", Plain(Trigger), 5),
                ("||", Plain(Or), 3),
                ("&&", Plain(And), 4),
            ],
        }
    }

    /// The prefix operator that a word stands for.
    pub fn prefix(self, word: &str) -> Option<Unary> {
        self.prefixes().iter().find(|(of, _)| *of == word).map(|(_, op)| *op)
    }

    /// The binary operator that a word stands for.
    pub fn infix(self, word: &str) -> Option<Operator> {
        let (_, infix, strength) = self.infixes().iter().find(|(of, ..)| *of == word)?;
        Some(self.operator(*infix, *strength))
    }

    fn operator(self, infix: Infix, strength: u8) -> Operator {
        let junction = matches!(infix, Infix::Plain(And | Or));
        Operator { infix, strength, to_the_left: junction || self == Syntax::Spin }
    }
}
