//! How the variables of a model become objects of a system: which object each is, and which
//! channels stand before it.

use crate::model::{Channel, Initial as ModelInitial, Model, Type, Variable};
use logic::{IntType, Sort, Term};

use system::{Initial, Object, ObjectId, ObjectKind, Read, Root};

/// The objects of one owner.
pub(crate) struct Owner<'m> {
    model: &'m Model,
    scope: Scope,
    pub(crate) objects: Vec<Object>,
    /// By variable: its object.
    pub(crate) of_variable: Vec<ObjectId>,
}

/// What an expression means.
pub(crate) type Meaning<'a> = dyn Fn(&crate::model::Expr) -> system::Expr + 'a;

/// Where an owner's objects live.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Global,
    Local,
}

pub(crate) fn sort(model: &Model, ty: Type) -> Sort {
    match ty {
        Type::Bit | Type::Bool => Sort::Machine(IntType::BIT),
        Type::Byte | Type::Pid | Type::Mtype(_) => Sort::Machine(IntType::BYTE),
        Type::Short => Sort::Machine(IntType::SHORT),
        Type::Int => Sort::Machine(IntType::INT),
        Type::Unsigned(bits) => Sort::Machine(IntType::unsigned(bits)),
        Type::Chan => Sort::Channel,
        Type::Record(id) => {
            let fields = model.records[id].fields.iter();
            Sort::Record(fields.map(|f| (f.name.to_string(), variable_sort(model, f))).collect())
        }
    }
}

fn variable_sort(model: &Model, variable: &Variable) -> Sort {
    let element = sort(model, variable.ty);
    match variable.length {
        Some(length) => Sort::array(element, length as usize),
        None => element,
    }
}

impl<'m> Owner<'m> {
    pub(crate) fn new(model: &'m Model, scope: Scope) -> Owner<'m> {
        Owner { model, scope, objects: Vec::new(), of_variable: Vec::new() }
    }

    /// Adds a variable, its channels first. `begins` says how, if not by its own initial value.
    pub(crate) fn add(&mut self, variable: &Variable, begins: Option<Initial>, value: &Meaning<'_>) {
        let initial = begins.unwrap_or_else(|| self.initial(variable, &variable.name, value));
        let kind = ObjectKind::Variable { sort: variable_sort(self.model, variable), initial };
        let hidden = variable.visibility == Some(crate::ast::Visibility::Hidden);
        self.of_variable.push(self.objects.len());
        self.objects.push(Object { name: variable.name.to_string(), kind, hidden, span: variable.span });
    }

    fn initial(&mut self, variable: &Variable, name: &str, value: &Meaning<'_>) -> Initial {
        let length = variable.length.map(|n| n as usize);
        match (&variable.initial, variable.ty) {
            (ModelInitial::Value(expr), _) => each(length, Initial::Term(value(expr))),
            (ModelInitial::List(list), _) => {
                let last = list.last().copied().unwrap_or(0);
                let items = list.iter().copied().chain(std::iter::repeat(last)).take(length.unwrap_or(0));
                Initial::Parts(items.map(|v| Initial::Term(Term::Constant(v.into()))).collect())
            }
            (ModelInitial::Channel(channel), _) => named(name, length, |name| self.channel(channel, name)),
            (ModelInitial::Zero, Type::Record(id)) => {
                named(name, length, |name| self.record(id, &name, value))
            }
            (ModelInitial::Zero, _) => Initial::Zero,
        }
    }

    fn channel(&mut self, channel: &Channel, name: String) -> Initial {
        let fields = channel.fields.iter().map(|ty| sort(self.model, *ty)).collect();
        let kind = ObjectKind::Channel { capacity: channel.capacity as usize, fields };
        let id = self.objects.len();
        self.objects.push(Object { name, kind, hidden: false, span: channel.span });
        let root = if self.scope == Scope::Global { Root::Global(id) } else { Root::Local(id) };
        Initial::Term(Term::Atom(Read::Handle(root)))
    }

    /// The fields of a record begin as its typedef says, channels included.
    fn record(&mut self, id: usize, name: &str, value: &Meaning<'_>) -> Initial {
        let fields = self.model.records[id].fields.iter();
        let field = |f: &Variable| self.initial(f, &format!("{name}.{}", f.name), value);
        Initial::Parts(fields.map(field).collect())
    }
}

/// What is made for a name; of an array, for the name of each element.
fn named(name: &str, length: Option<usize>, mut one: impl FnMut(String) -> Initial) -> Initial {
    match length {
        None => one(name.to_string()),
        Some(n) => Initial::Parts((0..n).map(|k| one(format!("{name}[{k}]"))).collect()),
    }
}

fn each(length: Option<usize>, initial: Initial) -> Initial {
    match length {
        Some(_) => Initial::Each(Box::new(initial)),
        None => initial,
    }
}
