//! Variable references: which variable, which field, and with what index.

use source::Diagnostic;

use super::Checker;
use super::scopes::Meaning;
use crate::ast::{self, VarRef};
use crate::model::*;

/// What may be done with a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Checker {
    /// The place a reference means; none if it was reported.
    pub(super) fn place(&mut self, reference: &VarRef, access: Access) -> Option<Place> {
        let first = &reference.parts[0];
        let name = &*first.name.name;
        self.mentioned(&first.name);
        let (root, variable) = match self.meaning(name) {
            Meaning::Local(id) => (Root::Local(id), self.locals().get(id).cloned()?),
            Meaning::Global(id) => (Root::Global(id), self.model.globals.get(id).cloned()?),
            _ if name == "_" => return self.nowhere(reference, access),
            _ => {
                self.not_a_variable(reference, access);
                return None;
            }
        };
        self.select(reference, root, variable)
    }

    /// `_`: may be written, not read; in a trace it stands for any value.
    fn nowhere(&mut self, reference: &VarRef, access: Access) -> Option<Place> {
        let in_trace = matches!(self.frame.kind, Some(ProcessKind::Trace | ProcessKind::NoTrace));
        if access == Access::Read && !in_trace {
            self.error("E0311", reference.span, "`_` has no value to read: it only takes what is not needed");
            return None;
        }
        Some(Place { root: Root::Nowhere, index: None, fields: vec![], ty: Type::Int, span: reference.span })
    }

    fn not_a_variable(&mut self, reference: &VarRef, access: Access) {
        let name = &reference.parts[0].name;
        let what = match self.meaning(&name.name) {
            Meaning::Mtype { .. } => "an mtype constant",
            Meaning::Process => "a proctype",
            Meaning::Record => "a type",
            _ if is_predefined(&name.name) => "predefined and read-only",
            _ => return self.unknown(&name.name, name.span),
        };
        let wish = if access == Access::Write { "it cannot be changed" } else { "not a variable" };
        self.error("E0307", name.span, format!("`{}` is {what}: {wish}", name.name));
    }

    /// Follows the indices and fields of a reference from its first variable.
    pub(super) fn select(&mut self, reference: &VarRef, root: Root, variable: Variable) -> Option<Place> {
        let index = self.index(&reference.parts[0], &variable)?;
        let mut place = Place { root, index, fields: vec![], ty: variable.ty, span: reference.span };
        for part in &reference.parts[1..] {
            let Type::Record(id) = place.ty else {
                let message = format!("no field `{}`: this is not a record", part.name.name);
                self.error("E0310", part.name.span, message);
                return None;
            };
            let record = &self.model.records[id];
            let Some(field) = record.fields.iter().position(|field| field.name == part.name.name) else {
                let message = format!("record `{}` has no field `{}`", record.name, part.name.name);
                let names: Vec<_> = record.fields.iter().map(|field| format!("`{}`", field.name)).collect();
                let diagnostic =
                    Diagnostic::error("E0310", part.name.span, message).also(record.span, "the record");
                let help = format!("its fields are {}", names.join(", "));
                self.diagnostics.push(diagnostic.help(help));
                return None;
            };
            let variable = record.fields[field].clone();
            self.names.mean(&part.name, variable.span);
            let index = self.index(part, &variable)?;
            place.ty = variable.ty;
            place.fields.push(Field { field, index });
        }
        Some(place)
    }

    /// The index of one part; an array must have one, all others must not.
    fn index(&mut self, part: &ast::Part, variable: &Variable) -> Option<Option<Box<Expr>>> {
        match (&part.index, variable.length) {
            (None, None) => Some(None),
            (None, Some(length)) => {
                let message = format!("`{}` is an array of {length}: an index is missing", variable.name);
                let diagnostic = Diagnostic::error("E0308", part.name.span, message);
                self.diagnostics.push(diagnostic.help(format!("write `{}[0]`", variable.name)));
                None
            }
            (Some(index), None) => {
                let message = format!("`{}` is not an array and has no index", variable.name);
                let diagnostic = Diagnostic::error("E0309", index.span, message);
                self.diagnostics.push(diagnostic.also(variable.span, "declared here"));
                None
            }
            (Some(index), Some(length)) => {
                let value = self.expression(index);
                self.scalar(&value);
                if let ExprKind::Number(number) = value.kind
                    && !(0..i64::from(length)).contains(&i64::from(number))
                {
                    let message =
                        format!("index {number} is outside `{}`, which has {length} elements", variable.name);
                    self.warn("W0305", index.span, message);
                }
                Some(Some(Box::new(value)))
            }
        }
    }

    /// A place that must hold a channel.
    pub(super) fn channel_place(&mut self, reference: &VarRef) -> Option<Place> {
        let place = self.place(reference, Access::Read)?;
        if place.ty != Type::Chan {
            let message = format!("`{}` is not a channel", crate::print::variable(reference));
            self.error("E0306", reference.span, message);
            return None;
        }
        Some(place)
    }

    /// A place that must not be a whole record.
    pub(super) fn scalar_place(&mut self, reference: &VarRef, access: Access) -> Option<Place> {
        let place = self.place(reference, access)?;
        if let Type::Record(_) = place.ty {
            let message =
                format!("`{}` is a record: name one of its fields", crate::print::variable(reference));
            self.error("E0310", reference.span, message);
            return None;
        }
        Some(place)
    }

    /// All scalars of a place, in the order in which a message carries them.
    pub(super) fn spread(&self, place: Place) -> Vec<Place> {
        let Type::Record(id) = place.ty else { return vec![place] };
        let mut scalars = Vec::new();
        for (field, variable) in self.model.records[id].fields.iter().enumerate() {
            for element in 0..variable.length.unwrap_or(1) {
                let number = Expr { kind: ExprKind::Number(element as i32), span: place.span };
                let index = variable.length.map(|_| Box::new(number));
                let mut part = place.clone();
                part.fields.push(Field { field, index });
                part.ty = variable.ty;
                scalars.extend(self.spread(part));
                if scalars.len() > 2_000 {
                    return scalars;
                }
            }
        }
        scalars
    }
}

pub(super) fn is_predefined(name: &str) -> bool {
    matches!(name, "_pid" | "_nr_pr" | "_last" | "_priority")
}
