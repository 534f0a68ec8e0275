//! What a Promela text calls things: the words for the values of its variables and messages, and
//! its properties.
//!
//! An object of the system and the declaration it came from have the same name and span.

use crate::answer::Kind;
use crate::model::{Claim, WordTable};
use num_bigint::BigInt;
use promela::lower::properties::{self, Statement};
use promela::model::{Channel, Initial, Model, Type, Variable};
use source::Span;
use std::collections::HashMap;
use system::{Object, ObjectKind, ProcessTypeId, System};

/// The words for the values of every object.
pub fn of(model: &Model, system: &System) -> WordTable {
    let declared = Declared::of(model);
    let mut words = WordTable::new();
    let mut add = |process_type: Option<ProcessTypeId>, objects: &[Object]| {
        for (id, object) in objects.iter().enumerate() {
            for (fields, ty) in declared.types(object) {
                if let Some(table) = table(model, ty) {
                    words.insert((process_type, id, fields), table);
                }
            }
        }
    };
    add(None, &system.globals);
    system.process_types.iter().enumerate().for_each(|(id, t)| add(Some(id), &t.objects));
    words
}

/// The properties that the text states beyond safety.
pub fn claims(statements: &[Statement]) -> Vec<Claim> {
    statements.iter().filter(|s| s.stated).map(claim).collect()
}

/// What a property is known by. Properties of two kinds may have one name.
pub fn claim(statement: &Statement) -> Claim {
    let kind = match statement.kind {
        properties::Kind::Formula => Kind::Ltl,
        properties::Kind::Claim | properties::Kind::Acceptance => Kind::Claim,
        properties::Kind::Progress => Kind::Progress,
        properties::Kind::Trace => Kind::Trace,
    };
    Claim { name: statement.name.clone(), kind }
}

fn table(model: &Model, ty: Type) -> Option<HashMap<BigInt, String>> {
    match ty {
        Type::Bool => Some(HashMap::from([(0.into(), "false".to_string()), (1.into(), "true".to_string())])),
        Type::Mtype(set) => {
            let names = model.mtypes.get(set)?.constants.iter();
            Some(names.enumerate().map(|(i, name)| (BigInt::from(i + 1), name.to_string())).collect())
        }
        _ => None,
    }
}

/// Everything declared, by span.
struct Declared<'a> {
    model: &'a Model,
    variables: HashMap<(String, Span), &'a Variable>,
    channels: HashMap<Span, &'a Channel>,
}

impl<'a> Declared<'a> {
    fn of(model: &'a Model) -> Declared<'a> {
        let mut declared = Declared { model, variables: HashMap::new(), channels: HashMap::new() };
        let locals = model.processes.iter().flat_map(|p| &p.locals);
        let fields = model.records.iter().flat_map(|r| &r.fields);
        for variable in model.globals.iter().chain(locals).chain(fields) {
            declared.variables.insert((variable.name.to_string(), variable.span), variable);
            if let Initial::Channel(channel) = &variable.initial {
                declared.channels.insert(channel.span, channel);
            }
        }
        declared
    }

    /// The types in an object, each with the way to it through records, or the number of the field
    /// of a message.
    fn types(&self, object: &Object) -> Vec<(Vec<usize>, Type)> {
        let mut found = Vec::new();
        match &object.kind {
            ObjectKind::Channel { .. } => {
                let fields = self.channels.get(&object.span).map(|c| &c.fields);
                found.extend(fields.into_iter().flatten().enumerate().map(|(i, ty)| (vec![i], *ty)));
            }
            ObjectKind::Variable { .. } => {
                if let Some(variable) = self.variables.get(&(object.name.clone(), object.span)) {
                    self.descend(&mut Vec::new(), variable.ty, &mut found);
                }
            }
        }
        found
    }

    /// A record uses earlier ones only, so this ends.
    fn descend(&self, way: &mut Vec<usize>, ty: Type, found: &mut Vec<(Vec<usize>, Type)>) {
        let Type::Record(id) = ty else {
            found.push((way.clone(), ty));
            return;
        };
        for (i, field) in self.model.records.get(id).iter().flat_map(|r| &r.fields).enumerate() {
            way.push(i);
            self.descend(way, field.ty, found);
            way.pop();
        }
    }
}
