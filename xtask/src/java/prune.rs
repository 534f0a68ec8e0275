//! Hides what nothing uses: fields, methods and classes of the skeleton, and ranges of no number.

use super::ast::{Cls, Expr, FieldId, Kind, MethodId, Place, Program, Type, local};
use super::walk;
use std::collections::BTreeSet;

#[derive(Default)]
struct Used {
    fields: BTreeSet<FieldId>,
    methods: BTreeSet<(usize, usize)>,
    classes: BTreeSet<usize>,
    texts: bool,
}

/// Hides until nothing more can be hidden: what a hidden method uses may be hidden too.
pub fn prune(program: &mut Program) {
    loop {
        let used = used(program);
        let mut changed = false;
        for (number, class) in program.classes.iter_mut().enumerate() {
            let gone = number != 0 && !used.classes.contains(&number);
            changed |= gone && !class.hidden;
            class.hidden = gone;
            for (field, f) in class.fields.iter_mut().enumerate() {
                let gone = gone || !used.fields.contains(&FieldId { class: number, field });
                changed |= gone && !f.hidden;
                f.hidden = gone;
            }
            for (method, m) in class.methods.iter_mut().enumerate() {
                let implied = match m.name.as_str() {
                    "main" | "run" => true,
                    "toString" | "equals" => used.texts,
                    _ => false,
                };
                let gone = gone || !(implied || used.methods.contains(&(number, method)));
                changed |= gone && !m.hidden;
                m.hidden = gone;
            }
        }
        if !changed {
            break;
        }
    }
    let names = numbers(program);
    program.ranges.retain(|(name, _, _)| names.contains(name));
}

/// A copy without hidden code, so that it does not count.
fn visible(program: &Program) -> Program {
    let mut copy = program.clone();
    for class in &mut copy.classes {
        let gone = class.hidden;
        class.methods.iter_mut().filter(|m| gone || m.hidden).for_each(|m| m.body.clear());
        class.fields.iter_mut().filter(|f| gone || f.hidden).for_each(|f| f.init = None);
    }
    copy
}

fn used(program: &Program) -> Used {
    let program = &visible(program);
    let mut used = Used::default();
    for (number, class) in program.classes.iter().enumerate() {
        let mut of = Of { program, class: number, used: &mut used };
        walk::expressions_of(class, &mut |expr| of.expression(expr));
    }
    types(program, &mut used);
    used
}

/// What the code of one class uses.
struct Of<'a> {
    program: &'a Program,
    class: usize,
    used: &'a mut Used,
}

impl Of<'_> {
    /// That a class uses itself does not count.
    fn class(&mut self, class: usize) {
        if class != self.class {
            self.used.classes.insert(class);
        }
    }

    fn field(&mut self, field: FieldId) {
        self.used.fields.insert(field);
        self.class(field.class);
    }

    fn method(&mut self, id: MethodId) {
        self.class(id.class);
        let name = &self.program.method(id).name;
        for (number, class) in self.program.classes.iter().enumerate() {
            let found = class.methods.iter().position(|m| m.name == *name);
            self.used.methods.extend(found.map(|method| (number, method)));
        }
    }

    fn expression(&mut self, expr: &Expr) {
        match expr {
            Expr::Read(place)
            | Expr::Assign(place, _)
            | Expr::Compound(_, place, _)
            | Expr::Step { place, .. } => {
                if let Place::Static(field) | Place::Field(_, field) = place {
                    self.field(*field);
                }
            }
            Expr::Constant(field, _) => self.field(*field),
            Expr::Static(id, _) | Expr::Call(_, id, _) => self.method(*id),
            Expr::New(Cls::Own(class), _)
            | Expr::Cast(Cls::Own(class), _)
            | Expr::InstanceOf(_, Cls::Own(class)) => self.class(*class),
            Expr::Concat(..) | Expr::ToString(_) | Expr::Equals(..) => self.used.texts = true,
            _ => {}
        }
    }
}

/// Classes that types name, and parents.
fn types(program: &Program, used: &mut Used) {
    let mut named: Vec<(usize, Type)> = Vec::new();
    for (number, class) in program.classes.iter().enumerate().filter(|(_, class)| !class.hidden) {
        named.extend(class.fields.iter().filter(|f| !f.hidden).map(|f| (number, f.ty)));
        for method in class.methods.iter().filter(|m| !m.hidden) {
            named.extend(method.params.iter().chain(&method.result).map(|&ty| (number, ty)));
        }
        walk::statements_of(class, &mut |stmt| match &stmt.kind {
            Kind::Local(_, ty, _) => named.push((number, *ty)),
            Kind::Print(_) => used.texts = true,
            _ => {}
        });
    }
    used.classes.extend(named.into_iter().filter_map(|(by, ty)| match ty {
        Type::Ref(Cls::Own(class)) if class != by => Some(class),
        _ => None,
    }));
    let all: Vec<usize> = used.classes.iter().copied().collect();
    for class in all {
        used.classes.extend(program.classes[class].parent);
        let fields = program.classes[class].constructor.iter();
        used.fields.extend(fields.map(|&field| FieldId { class, field }));
    }
}

/// The names of all numbers that are there.
fn numbers(program: &Program) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for class in program.classes.iter().filter(|class| !class.hidden) {
        for field in class.fields.iter().filter(|f| !f.hidden) {
            let counts = matches!(field.ty, Type::Int | Type::Ref(Cls::AtomicInt));
            names.extend(counts.then(|| field.name.clone()));
        }
        for method in class.methods.iter().filter(|m| !m.hidden) {
            names.extend((method.result == Some(Type::Int)).then(|| method.name.clone()));
            let slots = method.locals.iter().enumerate().filter(|(_, ty)| **ty == Type::Int);
            names.extend(slots.map(|(slot, &ty)| local(slot, ty)));
        }
    }
    names
}
