//! Datatypes: their definition, and what their constructors, testers and selectors mean.
//!
//! `type tree = data {leaf | node(left, right : tree; key : int)}` makes the constructors `leaf`
//! and `node(l, r, k)`, the testers `is_leaf(t)` and `is_node(t)`, and the selectors `left(t)`,
//! `right(t)`, `key(t)`, also written `t.key`. A selector is partial: that its argument was made by
//! its constructor is to be shown where it is used.

use super::Lowering;
use super::scope::Entry;
use super::types::{Data, Ty, Typed};
use crate::ast::{self, Ident, Name, TypeKind};
use logic::fol::{Constructor, Datatype, Sort, Term};
use source::{Diagnostic, Span};
use std::sync::Arc;
use system::fts::Domain;

impl Data {
    /// The type of a field, with the datatype in the place of itself.
    fn field(self: &Arc<Data>, ty: &Ty) -> Ty {
        if *ty == Ty::Itself { Ty::Data(self.clone()) } else { ty.clone() }
    }

    /// The bounds of the fields. Of a tree they are not stated: they would speak of every node;
    /// where a node is made they are checked.
    pub(crate) fn domain(&self) -> Option<Domain> {
        if self.sort.datatype().is_some_and(|data| data.is_tree()) {
            return None;
        }
        let of = |fields: &Vec<(Name, Ty)>| {
            let leaves = fields.iter().flat_map(|(_, ty)| ty.leaves());
            leaves.map(|ty| ty.domain()).collect::<Vec<_>>()
        };
        let all: Vec<Vec<_>> = self.constructors.iter().map(|(_, fields)| of(fields)).collect();
        all.iter().flatten().any(Option::is_some).then_some(Domain::Data(all))
    }
}

impl Lowering<'_> {
    /// Defines a datatype; its constructors without fields are constants.
    pub(crate) fn datatype(&mut self, name: &Ident, constructors: &[(Ident, Vec<(Ident, ast::Type)>)]) -> Ty {
        // Without fields it is an enumeration.
        if constructors.iter().all(|(_, fields)| fields.is_empty()) {
            let names: Vec<Ident> = constructors.iter().map(|(name, _)| name.clone()).collect();
            let ty = self.enumeration(name.name.clone(), &names);
            for (n, constructor) in names.iter().enumerate() {
                self.declare_tester(&ty, n, constructor);
            }
            return ty;
        }
        self.defining = Some(name.name.clone());
        let mut made = Vec::new();
        for (constructor, fields) in constructors {
            let fields = fields.iter().map(|(field, t)| (field.name.clone(), self.field_type(name, t)));
            made.push((constructor.name.clone(), fields.collect::<Vec<_>>()));
        }
        self.defining = None;
        self.no_name_twice(constructors);
        if !made.iter().any(|(_, fields)| fields.iter().all(|(_, ty)| *ty != Ty::Itself)) {
            let message = format!("no value of `{}` is finite", name.name);
            self.report(
                Diagnostic::error("E0716", name.span, message)
                    .help("one constructor must do without a field of the type itself"),
            );
            return Ty::Error;
        }
        let sort = Sort::Data(Arc::new(Datatype {
            name: name.name.clone(),
            constructors: made.iter().map(|(name, fields)| sorted(name, fields)).collect(),
        }));
        let ty = Ty::Data(Arc::new(Data { sort: sort.clone(), constructors: made }));
        for (n, (constructor, fields)) in constructors.iter().enumerate() {
            let entry = match fields[..] {
                [] => Entry::Value(Typed::term(ty.clone(), Term::construct(&sort, n, Vec::new()))),
                _ => Entry::Constructor(ty.clone(), n),
            };
            self.declare(&constructor.name, constructor.span, entry);
            self.declare_tester(&ty, n, constructor);
        }
        ty
    }

    fn declare_tester(&mut self, ty: &Ty, n: usize, constructor: &Ident) {
        let name = format!("is_{}", constructor.name).into();
        self.declare(&name, constructor.span, Entry::Tester(ty.clone(), n));
    }

    fn field_type(&mut self, of: &Ident, t: &ast::Type) -> Ty {
        match &t.kind {
            TypeKind::Named(name) if *name == of.name => Ty::Itself,
            _ => self.message(t),
        }
    }

    fn no_name_twice(&mut self, constructors: &[(Ident, Vec<(Ident, ast::Type)>)]) {
        let fields: Vec<&Ident> = constructors.iter().flat_map(|(_, f)| f.iter().map(|(n, _)| n)).collect();
        for (at, field) in fields.iter().enumerate() {
            if let Some(first) = fields[..at].iter().find(|f| f.name == field.name) {
                let message = format!("field `{}` is declared twice", field.name);
                self.report(Diagnostic::error("E0713", field.span, message).also(first.span, "first here"));
            }
        }
    }

    /// `node(l, r, 3)`.
    pub(crate) fn construct(&mut self, ty: &Ty, n: usize, arguments: &[ast::Expr], span: Span) -> Typed {
        let Ty::Data(data) = ty else { return Typed::error() };
        let (name, fields) = &data.constructors[n];
        if arguments.len() != fields.len() {
            return self.misuse(span, format!("`{name}` has {} fields", fields.len()));
        }
        let mut terms = Vec::new();
        for (argument, (_, field)) in arguments.iter().zip(fields) {
            let value = self.value_for(&data.field(field), argument);
            terms.extend(self.message_of(&data.field(field), value, argument.span));
        }
        let wanted = data.sort.datatype().map_or(0, |d| d.constructors[n].fields.len());
        if terms.len() != wanted {
            return Typed::error();
        }
        Typed::term(ty.clone(), Term::construct(&data.sort, n, terms))
    }

    /// `is_node(t)`.
    pub(crate) fn tester(&mut self, ty: &Ty, n: usize, arguments: &[ast::Expr], span: Span) -> Typed {
        let [argument] = arguments else { return self.misuse(span, "a tester has one argument".to_string()) };
        let value = self.expecting(false, |me| me.expression(argument));
        match value.leaves().pop() {
            Some((e, found)) if found == *ty => {
                let is = match ty {
                    Ty::Enumeration(sort) => Term::eq(e, Term::construct(sort, n, [])),
                    _ => Term::made_by(&e, n),
                };
                Typed::term(Ty::Bool, is)
            }
            _ => {
                self.mismatch(argument.span, &ty.name(), &value.ty);
                Typed::error()
            }
        }
    }

    /// `key(t)` or `t.key`, if the datatype has such a field.
    pub(crate) fn selected(&mut self, data: &Arc<Data>, e: &Term, name: &str, span: Span) -> Option<Typed> {
        for (n, (constructor, fields)) in data.constructors.iter().enumerate() {
            let Some(at) = fields.iter().position(|(field, _)| **field == *name) else { continue };
            let made = Term::made_by(e, n);
            if made != Term::truth(true) && data.constructors.len() > 1 {
                self.check(made, format!("`{e}` is made by `{constructor}`"), span);
            }
            let first: usize = fields[..at].iter().map(|(_, ty)| ty.leaves().len()).sum();
            let ty = data.field(&fields[at].1);
            let mut leaves = (first..).map(|leaf| e.field(n, leaf));
            return Some(Typed::of(&ty, &mut leaves));
        }
        None
    }
}

/// A constructor over sorts: records become as many fields as they have.
fn sorted(name: &Name, fields: &[(Name, Ty)]) -> Constructor {
    let mut leaves = Vec::new();
    for (field, ty) in fields {
        let parts = ty.leaves();
        let several = parts.len() > 1;
        for (at, part) in parts.iter().enumerate() {
            let name = if several { format!("{field}.{at}").into() } else { field.clone() };
            leaves.push((name, part.sort()));
        }
    }
    Constructor { name: name.clone(), fields: leaves }
}
