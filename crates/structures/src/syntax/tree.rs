//! The syntax tree of formulas.

use crate::kleene::Kleene;
use source::Span;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// As written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Ident {
    /// The name as all languages have it.
    pub fn written(&self) -> source::Ident {
        source::Ident { name: self.text.as_str().into(), span: self.span }
    }
}

/// `at[l]`: a name with indices, which may be variables of `foreach` or of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// What stands before the brackets.
    pub base: Ident,
    /// What stands in the brackets; empty without any.
    pub index: Vec<Ident>,
    /// All of it.
    pub span: Span,
}

/// A formula as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The forms of formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `0`, `1/2` or `1`.
    Value(Kleene),
    /// A predicate and its arguments.
    Atom(Name, Vec<Ident>),
    /// `p+(a, b)`, or `p*(a, b)` if reflexive.
    Reach {
        /// The binary predicate.
        name: Name,
        /// Whether no step is enough.
        reflexive: bool,
        /// Where the path begins.
        from: Ident,
        /// Where it ends.
        to: Ident,
    },
    /// `a == b`.
    Equal(Ident, Ident),
    /// `!f`.
    Not(Box<Expr>),
    /// `f & g`.
    And(Box<Expr>, Box<Expr>),
    /// `f | g`.
    Or(Box<Expr>, Box<Expr>),
    /// `f -> g`.
    Implies(Box<Expr>, Box<Expr>),
    /// `f <-> g`.
    Iff(Box<Expr>, Box<Expr>),
    /// `forall x, y. f` or `exists x, y. f`.
    Quantified {
        /// `forall`; else `exists`.
        all: bool,
        /// At least one.
        variables: Vec<Ident>,
        /// What is quantified.
        body: Box<Expr>,
    },
    /// `any(x in S: f)`, `all(x in S: f)`.
    OverSet {
        /// `all`; else `any`.
        all: bool,
        /// Replaced by each member.
        variable: Ident,
        /// The name of a declared set.
        set: Ident,
        /// What is repeated.
        body: Box<Expr>,
    },
    /// `tc(a, b)(x, y: f)`.
    Closure {
        /// Where the path begins.
        from: Ident,
        /// Where it ends.
        to: Ident,
        /// The source of a step in `body`.
        x: Ident,
        /// The target of a step in `body`.
        y: Ident,
        /// What a step is.
        body: Box<Expr>,
    },
    /// Condition, then, otherwise.
    Choice(Box<[Expr; 3]>),
    /// Something that could not be read; an error was reported.
    Bad,
}
