//! `goto`, `break` and where labels may stand.

use source::{Diagnostic, Span};

use super::Checker;
use super::labels::{Found, Labels};
use crate::ast::{self, Ident, Sequence, StatementKind as Ast, Step};
use crate::model::*;

impl Checker {
    fn current_labels(&self) -> &Labels {
        &self.labels[self.frame.process]
    }

    pub(super) fn goto(&mut self, label: &Ident) -> Option<LabelId> {
        let labels = self.current_labels();
        let here = labels.d_step(self.frame.block);
        match labels.find(&label.name, self.frame.block) {
            Found::One(id) => {
                let entry = labels.entries[id].clone();
                let there = labels.d_step(entry.block);
                self.names.mean(label, entry.span);
                self.check_d_step(here, there, label.span, entry.span);
                Some(id)
            }
            Found::Several(one, other) => {
                let (one, other) = (labels.entries[one].span, labels.entries[other].span);
                let message = format!("label `{}` is ambiguous", label.name);
                let diagnostic = Diagnostic::error("E0318", label.span, message);
                self.diagnostics
                    .push(diagnostic.also(one, "it could be this one").also(other, "or this one"));
                None
            }
            Found::None => {
                let message = format!("no label named `{}` in this process", label.name);
                let diagnostic = Diagnostic::error("E0318", label.span, message).label("not declared");
                let known = labels.entries.iter().map(|entry| &*entry.name);
                let diagnostic = diagnostic.meant(&label.name, known);
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// A d_step can neither be left nor entered by a jump.
    fn check_d_step(&mut self, here: Option<usize>, there: Option<usize>, from: Span, to: Span) {
        let message = match (here, there) {
            _ if here == there => return,
            (Some(_), _) => "jump out of a d_step",
            (None, _) => "jump into a d_step",
        };
        let diagnostic = Diagnostic::error("E0321", from, message).also(to, "to this label");
        self.diagnostics.push(diagnostic.help("use `atomic`, or jump before or after the d_step"));
    }

    pub(super) fn break_(&mut self, span: Span) {
        let here = self.current_labels().d_step(self.frame.block);
        match self.frame.loops.last() {
            None => self.error("E0320", span, "`break` outside of a loop"),
            Some(around) if *around != here => {
                let diagnostic = Diagnostic::error("E0321", span, "`break` leaves a d_step");
                self.diagnostics.push(diagnostic.help("use `atomic`, or put the `break` after the d_step"));
            }
            Some(_) => {}
        }
    }

    /// The first statement of a block cannot have a label: the block and its first statement are
    /// one location. A loop has a location of its own, and a declaration is a statement here.
    pub(super) fn check_first_label(&mut self, sequence: &Sequence, word: &str) {
        let first = sequence.steps.iter().find(|step| !matches!(step, Step::Exclusive(_)));
        let statement = match first {
            Some(Step::Statement(statement)) => statement,
            Some(Step::Unless { main, .. }) => main,
            _ => return,
        };
        if matches!(statement.kind, Ast::Do(_) | Ast::For(_)) {
            return;
        }
        if let Some(label) = statement.labels.first() {
            let message = format!("label `{}` stands at the start of {word}", label.name);
            let diagnostic = Diagnostic::error("E0325", label.span, message);
            self.diagnostics.push(diagnostic.help("put the label before the whole block"));
        }
    }

    /// `L: a unless b`: SPIN cannot tell which of the two the label is for, unless `a` is a block.
    pub(super) fn check_unless_label(&mut self, main: &ast::Statement) {
        let block = matches!(main.kind, Ast::Block { .. } | Ast::Atomic(_) | Ast::DStep(_));
        if let (Some(label), false) = (main.labels.first(), block) {
            let message = format!("label `{}` is attached to one part of an `unless`", label.name);
            let diagnostic = Diagnostic::error("E0325", label.span, message);
            self.diagnostics.push(diagnostic.help(format!("write `{}: {{ … unless … }}`", label.name)));
        }
    }
}
