//! Declarations of mtypes, records and variables, and their initial values.

use std::collections::HashMap;

use source::{Diagnostic, NameKind, Span};

use super::{Checker, Symbol};
use crate::ast::{self, TypeKind, Visibility};
use crate::model::*;
use source::Name;

/// The longest array and the largest channel.
const MAX_LENGTH: i32 = 65_535;
/// The most scalars in one variable, and the deepest nesting of records.
const MAX_SIZE: u64 = 1_000_000;
const MAX_DEPTH: u32 = 50;
/// The most fields a message can have, records spread out.
const MAX_FIELDS: usize = 1_000;

impl Checker {
    /// All mtype declarations of one set count as one. The last name gets the lowest value: SPIN
    /// counts backwards.
    pub(super) fn declare_mtypes(&mut self, program: &ast::Program) {
        self.model.mtypes.push(MtypeSet { name: None, constants: vec![] });
        let mut sets: HashMap<Name, MtypeSetId> = HashMap::new();
        for item in &program.items {
            let ast::Item::Mtype(mtype) = item else { continue };
            let set = match &mtype.set {
                None => 0,
                Some(name) => {
                    self.name_set(name);
                    *sets.entry(name.name.clone()).or_insert_with(|| {
                        let constants = vec![];
                        self.model.mtypes.push(MtypeSet { name: Some(name.name.clone()), constants });
                        self.model.mtypes.len() - 1
                    })
                }
            };
            for name in mtype.names.iter().rev() {
                let constants = &mut self.model.mtypes[set].constants;
                constants.push(name.name.clone());
                let value = constants.len() as i32;
                self.enter(name, Symbol::Mtype { set, value }, name.span);
            }
            if self.model.mtypes[set].constants.len() > 255 {
                self.error("E0305", mtype.span, "more than 255 mtype constants");
            }
        }
    }

    /// A set of mtypes is named; the first time that defines the name.
    fn name_set(&mut self, name: &ast::Ident) {
        match self.mtype_sets.get(&name.name) {
            Some(first) => self.names.mean(name, *first),
            None => {
                self.names.define(name, NameKind::Type);
                self.mtype_sets.insert(name.name.clone(), name.span);
            }
        }
    }

    pub(super) fn declare_record(&mut self, typedef: &ast::Typedef) {
        let mut fields: Vec<Variable> = Vec::new();
        for declaration in &typedef.fields {
            for declarator in &declaration.variables {
                if let Some(first) = fields.iter().find(|field| field.name == declarator.name.name) {
                    let first = first.span;
                    self.redeclared(&declarator.name, first);
                }
                self.names.define(&declarator.name, NameKind::Field);
                let mut field = self.variable(declaration, declarator);
                field.initial = self.initial(declarator, &field);
                fields.push(field);
            }
        }
        let size = fields.iter().map(|field| self.size(field.ty, field.length).0).sum();
        let depth = fields.iter().map(|field| self.size(field.ty, None).1 + 1).max().unwrap_or(1);
        if size > MAX_SIZE || depth > MAX_DEPTH {
            self.error("E0305", typedef.span, format!("record `{}` is too large", typedef.name.name));
            fields.clear();
        }
        self.record_sizes.push((size, depth));
        let id = self.model.records.len();
        let record = Record { name: typedef.name.name.clone(), fields, span: typedef.span };
        self.model.records.push(record);
        self.enter(&typedef.name, Symbol::Record(id), typedef.span);
    }

    pub(super) fn declare_globals(&mut self, declaration: &ast::Declaration) {
        for declarator in &declaration.variables {
            let mut variable = self.variable(declaration, declarator);
            variable.initial = self.initial_constant(declarator);
            self.check_hidden(&variable, declarator.span);
            let id = self.model.globals.len();
            self.model.globals.push(variable);
            self.enter(&declarator.name, Symbol::Variable(id), declarator.name.span);
        }
    }

    /// A plain number as initial value can be used as a constant by later declarations.
    fn initial_constant(&mut self, declarator: &ast::Declarator) -> Initial {
        match &declarator.initial {
            Some(ast::Initial::Value(value)) => match value.kind {
                ast::ExprKind::Number(number) => {
                    Initial::Value(Expr { kind: ExprKind::Number(number), span: value.span })
                }
                _ => Initial::Zero,
            },
            _ => Initial::Zero,
        }
    }

    fn check_hidden(&mut self, variable: &Variable, span: Span) {
        let wrong = matches!(variable.ty, Type::Bit | Type::Bool | Type::Chan);
        if wrong && variable.visibility == Some(Visibility::Hidden) {
            self.error(
                "E0312",
                span,
                format!("`{}` cannot be hidden: it is a bit or a channel", variable.name),
            );
        }
    }

    /// The second pass over a global declaration, whose first variable is `id`. The result is the
    /// next one.
    pub(super) fn resolve_globals(&mut self, declaration: &ast::Declaration, mut id: GlobalId) -> GlobalId {
        for declarator in &declaration.variables {
            let initial = self.initial(declarator, &self.model.globals[id].clone());
            if let Initial::Value(value) = &initial {
                self.require_earlier(value, id);
            }
            self.model.globals[id].initial = initial;
            id += 1;
        }
        id
    }

    /// The initial value of a global may read only globals declared before it.
    fn require_earlier(&mut self, value: &Expr, id: GlobalId) {
        let mut late = None;
        value.any(&mut |expr| {
            if let ExprKind::Read(place) = &expr.kind
                && matches!(place.root, Root::Global(other) if other >= id)
            {
                late = Some(place.span);
            }
            false
        });
        if let Some(span) = late {
            self.error("E0328", span, "the initial value reads a variable that is declared later");
        }
    }

    /// A variable without its initial value.
    pub(super) fn variable(
        &mut self,
        declaration: &ast::Declaration,
        declarator: &ast::Declarator,
    ) -> Variable {
        let mut ty = self.ty(&declaration.ty);
        if let Type::Unsigned(_) = ty {
            ty = self.unsigned(declarator);
        } else if let Some(width) = &declarator.width {
            self.error("E0303", width.span, "only `unsigned` variables have a width");
        }
        let length = declarator.length.as_ref();
        let length =
            length.map(|length| self.constant(length, "the length of an array", 1, MAX_LENGTH) as u32);
        if self.size(ty, length).0 > MAX_SIZE {
            self.error("E0305", declarator.span, format!("`{}` is too large", declarator.name.name));
        }
        let visibility = declaration.visibility;
        let (name, span) = (declarator.name.name.clone(), declarator.name.span);
        Variable { name, ty, length, initial: Initial::Zero, visibility, span }
    }

    /// How many scalars a variable has, and how deep its records nest.
    fn size(&self, ty: Type, length: Option<u32>) -> (u64, u32) {
        let (size, depth) = match ty {
            Type::Record(id) => self.record_sizes.get(id).copied().unwrap_or((1, 1)),
            _ => (1, 0),
        };
        (size.saturating_mul(length.unwrap_or(1).into()), depth)
    }

    fn unsigned(&mut self, declarator: &ast::Declarator) -> Type {
        match &declarator.width {
            Some(width) => Type::Unsigned(self.constant(width, "the width of an unsigned", 1, 31) as u8),
            None => {
                let diagnostic =
                    Diagnostic::error("E0303", declarator.span, "an unsigned variable needs a width");
                let help = format!("write `unsigned {} : 8`", declarator.name.name);
                self.diagnostics.push(diagnostic.help(help));
                Type::Unsigned(16)
            }
        }
    }

    fn ty(&mut self, ty: &ast::Type) -> Type {
        match &ty.kind {
            TypeKind::Bit => Type::Bit,
            TypeKind::Bool => Type::Bool,
            TypeKind::Byte => Type::Byte,
            TypeKind::Pid => Type::Pid,
            TypeKind::Short => Type::Short,
            TypeKind::Int => Type::Int,
            TypeKind::Unsigned => Type::Unsigned(16),
            TypeKind::Chan => Type::Chan,
            TypeKind::Mtype(None) => Type::Mtype(0),
            TypeKind::Mtype(Some(name)) => Type::Mtype(self.mtype_set(name)),
            TypeKind::Record(name) => match self.globals.get(name) {
                Some((Symbol::Record(id), defined)) => {
                    self.names.mean_at(name, ty.span, *defined);
                    Type::Record(*id)
                }
                _ => {
                    let diagnostic = Diagnostic::error("E0303", ty.span, format!("no type named `{name}`"));
                    let records = self.global_names(|symbol| matches!(symbol, Symbol::Record(_)));
                    const TYPES: [&str; 9] =
                        ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];
                    let diagnostic = diagnostic.meant(name, records.chain(TYPES));
                    let help = "a typedef must come before its first use; or a `;` is missing here";
                    self.diagnostics.push(diagnostic.help(help));
                    Type::Int
                }
            },
        }
    }

    fn mtype_set(&mut self, name: &ast::Ident) -> MtypeSetId {
        if let Some(first) = self.mtype_sets.get(&name.name) {
            self.names.mean(name, *first);
        }
        let found = self.model.mtypes.iter().position(|set| set.name.as_ref() == Some(&name.name));
        found.unwrap_or_else(|| {
            let message = format!("no set of mtypes named `{}`", name.name);
            let help = format!("declare it: `mtype:{} = {{ … }}`", name.name);
            self.diagnostics.push(Diagnostic::error("E0303", name.span, message).help(help));
            0
        })
    }

    /// The initial value of a variable, with its names resolved where the declaration stands.
    pub(super) fn initial(&mut self, declarator: &ast::Declarator, variable: &Variable) -> Initial {
        match &declarator.initial {
            None => Initial::Zero,
            Some(ast::Initial::Channel { capacity, fields, span }) => {
                if variable.ty != Type::Chan {
                    let message = format!("`{}` is not a channel", variable.name);
                    self.error("E0306", *span, message + " and cannot begin as one");
                }
                Initial::Channel(self.channel(capacity, fields, *span))
            }
            Some(ast::Initial::List(values)) => self.list(values, declarator, variable),
            Some(ast::Initial::Value(value)) => {
                let value = self.expression(value);
                self.no_run(&value, "an initial value");
                self.assignable(variable.ty, &value);
                if let Type::Record(_) = variable.ty {
                    let message = format!("record `{}` cannot have an initial value", variable.name);
                    self.error("E0310", value.span, message + "; assign its fields");
                }
                Initial::Value(value)
            }
        }
    }

    fn list(&mut self, values: &[ast::Expr], declarator: &ast::Declarator, variable: &Variable) -> Initial {
        let length = variable.length.unwrap_or(0) as usize;
        if values.len() > length {
            let message =
                format!("{} initial values for {length} elements of `{}`", values.len(), variable.name);
            self.error("E0305", declarator.span, message);
        }
        let value = |value| self.constant(value, "an element of an initial list", i32::MIN, i32::MAX);
        Initial::List(values.iter().map(value).collect())
    }

    fn channel(&mut self, capacity: &ast::Expr, fields: &[ast::Type], span: Span) -> Channel {
        let capacity = self.constant(capacity, "the capacity of a channel", 0, MAX_LENGTH) as u32;
        let mut spread = Vec::new();
        for field in fields {
            let ty = self.ty(field);
            if let Type::Unsigned(_) = ty {
                self.error("E0303", field.span, "unsigned cannot be the type of a message field");
            }
            self.spread_type(ty, 1, &mut spread);
        }
        if spread.len() > MAX_FIELDS {
            self.error("E0305", span, format!("more than {MAX_FIELDS} fields in a message"));
            spread.truncate(MAX_FIELDS);
        }
        Channel { capacity, fields: spread, span }
    }

    /// The types of the scalars in `count` values of a type. Stops beyond the longest message there
    /// may be.
    pub(super) fn spread_type(&self, ty: Type, count: u32, spread: &mut Vec<Type>) {
        for _ in 0..count {
            if spread.len() > MAX_FIELDS {
                return;
            }
            match ty {
                Type::Record(id) => {
                    for field in &self.model.records[id].fields {
                        self.spread_type(field.ty, field.length.unwrap_or(1), spread);
                    }
                }
                _ => spread.push(ty),
            }
        }
    }
}
