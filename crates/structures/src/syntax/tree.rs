//! The syntax tree of formulas.

use crate::kleene::Kleene;
use source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    pub text: String,
    pub span: Span,
}

/// `at[l]`: a name with indices, which may be variables of `foreach` or of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub base: Ident,
    pub index: Vec<Ident>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Value(Kleene),
    Atom(Name, Vec<Ident>),
    /// `p+(a, b)`, or `p*(a, b)` if reflexive.
    Reach {
        name: Name,
        reflexive: bool,
        from: Ident,
        to: Ident,
    },
    Equal(Ident, Ident),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Implies(Box<Expr>, Box<Expr>),
    Iff(Box<Expr>, Box<Expr>),
    Quantified {
        all: bool,
        variables: Vec<Ident>,
        body: Box<Expr>,
    },
    /// `any(x in S: f)`, `all(x in S: f)`.
    OverSet {
        all: bool,
        variable: Ident,
        set: Ident,
        body: Box<Expr>,
    },
    /// `tc(a, b)(x, y: f)`.
    Closure {
        from: Ident,
        to: Ident,
        x: Ident,
        y: Ident,
        body: Box<Expr>,
    },
    Choice(Box<[Expr; 3]>),
    /// Something that could not be read; an error was told.
    Bad,
}
