//! The syntax tree of a `.tvm` file: its items. Formulas in them are `structures::syntax`'s.

use source::Span;
use structures::kleene::Kleene;
pub use structures::syntax::{Expr, Ident, Name};

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Set {
        name: Ident,
        members: Vec<Ident>,
    },
    Foreach {
        variable: Ident,
        set: Ident,
        items: Vec<Item>,
    },
    Predicate {
        name: Name,
        parameters: Vec<Ident>,
        attributes: Vec<Ident>,
        definition: Option<Expr>,
    },
    Constraint {
        span: Span,
        body: Expr,
        head: Expr,
    },
    Action(ActionDef),
    Thread(ThreadDef),
    Procedure(ProcedureDef),
    /// Actions that no thread takes.
    Environment {
        calls: Vec<Call>,
    },
    Initial {
        name: Option<Ident>,
        span: Span,
        facts: Vec<Fact>,
    },
    Invariant {
        name: Ident,
        body: Expr,
    },
    Ltl {
        name: Ident,
        text: Span,
    },
    /// An automaton of the bad runs, in the Hanoi format.
    Never {
        name: Ident,
        text: Span,
    },
    Fair(FairDef),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ThreadDef {
    pub name: Ident,
    /// All of it.
    pub span: Span,
    pub guard: Vec<Name>,
    pub ends: Vec<Ident>,
    pub transitions: Vec<Transition>,
}

/// Something that threads call; left at some places by returning, at others by an exception.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcedureDef {
    pub name: Ident,
    pub transitions: Vec<Transition>,
    pub returns: Vec<Ident>,
    pub raises: Vec<Ident>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FairDef {
    pub span: Span,
    pub strong: bool,
    pub actions: Vec<Name>,
    pub who: Option<Name>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ActionDef {
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub clauses: Vec<Clause>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    Focus(Vec<Expr>),
    Choose(Vec<Ident>),
    When(Expr),
    New(Vec<Ident>),
    Update { name: Name, parameters: Vec<Ident>, value: Expr },
    Retain { variable: Ident, body: Expr },
    Foreach { variable: Ident, set: Ident, clauses: Vec<Clause> },
    Idle,
    Error(Ident),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub name: Name,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    pub from: Ident,
    pub call: Call,
    pub to: Ident,
    pub span: Span,
    /// It calls a procedure, and goes on here if that ends by an exception.
    pub calls: bool,
    pub otherwise: Option<Ident>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    Node { name: Ident, summary: bool, holds: Vec<(Name, Kleene)> },
    Value { name: Name, arguments: Vec<Ident>, value: Kleene },
}
