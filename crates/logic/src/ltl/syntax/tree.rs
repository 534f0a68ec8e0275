//! A formula as it was written: operators with their places, atoms as text.

use source::Span;

use super::super::{Binary, Unary};

use {Binary::*, Unary::*};

/// Higher trees are refused, so that no later stage runs out of stack.
pub const MAX_HEIGHT: u16 = 500;

/// A formula and its place in the text. Trees are equal if they mean the same, wherever they stand.
#[derive(Clone, Debug)]
pub struct Tree {
    /// What stands at the root.
    pub node: Node,
    /// Where the formula stands.
    pub span: Span,
    pub(super) height: u16,
    /// A temporal operator is in it.
    pub temporal: bool,
}

/// A formula as it is written: atoms are still text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// *true* or *false*.
    Constant(bool),
    /// An expression of the host language.
    Atom(String),
    /// An operator with one operand.
    Unary(Unary, Box<Tree>),
    /// An operator with two operands.
    Binary(Binary, Box<Tree>, Box<Tree>),
    /// A quantifier over a temporal formula; over any other it is part of an atom.
    Quantified {
        /// Whether it is universal.
        forall: bool,
        /// What it binds, as written.
        binder: String,
        /// What it ranges over.
        body: Box<Tree>,
    },
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.node == other.node
    }
}

impl Eq for Tree {}

impl Tree {
    /// None if the tree would be too high.
    pub(super) fn new(node: Node, span: Span) -> Option<Tree> {
        let (height, temporal) = match &node {
            Node::Constant(_) | Node::Atom(_) => (0, false),
            Node::Unary(op, a) => (a.height, a.temporal || *op != Not),
            Node::Binary(op, a, b) => {
                let here = !matches!(op, And | Or | Implies | Iff);
                (a.height.max(b.height), here || a.temporal || b.temporal)
            }
            Node::Quantified { body, .. } => (body.height, body.temporal),
        };
        (height < MAX_HEIGHT).then_some(Tree { node, span, height: height + 1, temporal })
    }
}
