//! The labels and declarations of a body, and which label a name means.
//!
//! As in SPIN, a label belongs to the innermost braces around it, and a jump means the label of its
//! own block, or of a block around it, or else any in the process. Where the last leaves a choice,
//! SPIN takes one silently; we refuse.

use source::Span;

use super::Checker;
use crate::ast::{self, Sequence, Statement, StatementKind, Step};
use crate::model::LabelId;
use source::Name;

/// A pair of braces in a body; 0 is the body itself.
pub(super) type BlockId = usize;

#[derive(Clone, Default)]
pub(super) struct Labels {
    pub(super) entries: Vec<Entry>,
    pub(super) blocks: Vec<BlockInfo>,
}

#[derive(Clone)]
pub(super) struct Entry {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) block: BlockId,
}

#[derive(Clone, Copy)]
pub(super) struct BlockInfo {
    parent: Option<BlockId>,
    /// The outermost d_step around.
    pub(super) d_step: Option<BlockId>,
}

pub(super) enum Found {
    One(LabelId),
    Several(LabelId, LabelId),
    None,
}

impl Labels {
    /// The label that a jump from a block means.
    pub(super) fn find(&self, name: &str, from: BlockId) -> Found {
        let mut block = Some(from);
        while let Some(id) = block {
            if let Some(label) =
                self.entries.iter().position(|entry| *entry.name == *name && entry.block == id)
            {
                return Found::One(label);
            }
            block = self.blocks.get(id).and_then(|block| block.parent);
        }
        let mut anywhere = (0..self.entries.len()).filter(|label| *self.entries[*label].name == *name);
        match (anywhere.next(), anywhere.next()) {
            (Some(one), Some(other)) => Found::Several(one, other),
            (Some(one), None) => Found::One(one),
            (None, _) => Found::None,
        }
    }

    pub(super) fn d_step(&self, block: BlockId) -> Option<BlockId> {
        self.blocks.get(block).and_then(|block| block.d_step)
    }
}

/// What a first walk over a body finds. The second walk meets everything in the same order.
pub(super) struct Collected<'a> {
    pub(super) labels: Labels,
    pub(super) declarations: Vec<&'a ast::Declaration>,
}

pub(super) fn collect(body: &Sequence) -> Collected<'_> {
    let mut collector = Collector { labels: Labels::default(), declarations: vec![], block: 0 };
    collector.labels.blocks.push(BlockInfo { parent: None, d_step: None });
    collector.sequence(body);
    Collected { labels: collector.labels, declarations: collector.declarations }
}

struct Collector<'a> {
    labels: Labels,
    declarations: Vec<&'a ast::Declaration>,
    block: BlockId,
}

impl<'a> Collector<'a> {
    fn sequence(&mut self, sequence: &'a Sequence) {
        for step in &sequence.steps {
            match step {
                Step::Declaration(declaration) => self.declarations.push(declaration),
                Step::Exclusive(_) => {}
                Step::Statement(statement) => self.statement(statement),
                Step::Unless { main, escape, .. } => {
                    self.statement(main);
                    self.statement(escape);
                }
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        for label in &statement.labels {
            self.labels.entries.push(Entry { name: label.name.clone(), span: label.span, block: self.block });
        }
        match &statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|option| self.sequence(option));
            }
            StatementKind::DStep(body) => self.block(body, true),
            StatementKind::Atomic(body) | StatementKind::Block { body, .. } => self.block(body, false),
            StatementKind::For(of) => self.block(&of.body, false),
            _ => {}
        }
    }

    fn block(&mut self, body: &'a Sequence, is_d_step: bool) {
        let id = self.labels.blocks.len();
        let around = self.labels.d_step(self.block);
        let d_step = around.or(is_d_step.then_some(id));
        self.labels.blocks.push(BlockInfo { parent: Some(self.block), d_step });
        let outer = std::mem::replace(&mut self.block, id);
        self.sequence(body);
        self.block = outer;
    }
}

impl Checker {
    /// Reports labels that stand twice in one block.
    pub(super) fn check_labels(&mut self, labels: &Labels) {
        for (at, entry) in labels.entries.iter().enumerate() {
            let same = |other: &&Entry| other.name == entry.name && other.block == entry.block;
            if let Some(first) = labels.entries[..at].iter().find(same) {
                let name = ast::Ident { name: entry.name.clone(), span: entry.span };
                self.redeclared(&name, first.span);
            }
        }
    }
}
