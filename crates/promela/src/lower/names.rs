//! How the variables of a model become objects of a system: which object each is, and which
//! channels stand before it.

use crate::model::{Channel, Initial as ModelInitial, Model, Type, Variable};
use logic::{IntType, Sort, Term};

use system::{Initial, Object, ObjectId, ObjectKind, Read, Root};

/// The objects of one owner.
#[derive(Default)]
pub struct Owner {
    pub objects: Vec<Object>,
    /// By variable: its object.
    pub of_variable: Vec<ObjectId>,
}

/// Where an owner's objects live.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Global,
    Local,
}

pub fn sort(model: &Model, ty: Type) -> Sort {
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

impl Owner {
    /// Adds a variable, its channels first. `begins` says how, if not by its own initial value.
    pub fn add(
        &mut self,
        model: &Model,
        scope: Scope,
        variable: &Variable,
        begins: Option<Initial>,
        value: &mut dyn FnMut(&crate::model::Expr) -> system::Expr,
    ) {
        let initial = match begins {
            Some(initial) => initial,
            None => self.initial(model, scope, variable, &variable.name, value),
        };
        let kind = ObjectKind::Variable { sort: variable_sort(model, variable), initial };
        let hidden = variable.visibility == Some(crate::ast::Visibility::Hidden);
        self.of_variable.push(self.objects.len());
        self.objects.push(Object { name: variable.name.to_string(), kind, hidden, span: variable.span });
    }

    fn initial(
        &mut self,
        model: &Model,
        scope: Scope,
        variable: &Variable,
        name: &str,
        value: &mut dyn FnMut(&crate::model::Expr) -> system::Expr,
    ) -> Initial {
        let length = variable.length.map(|n| n as usize);
        match (&variable.initial, variable.ty) {
            (ModelInitial::Value(expr), _) => each(length, Initial::Term(value(expr))),
            (ModelInitial::List(list), _) => {
                let last = list.last().copied().unwrap_or(0);
                let items = list.iter().copied().chain(std::iter::repeat(last)).take(length.unwrap_or(0));
                Initial::Parts(items.map(|v| Initial::Term(Term::Constant(v.into()))).collect())
            }
            (ModelInitial::Channel(channel), _) => self.channels(model, scope, channel, name, length),
            (ModelInitial::Zero, Type::Record(id)) => self.records(model, scope, id, name, length, value),
            (ModelInitial::Zero, _) => Initial::Zero,
        }
    }

    /// A new channel for each element.
    fn channels(
        &mut self,
        model: &Model,
        scope: Scope,
        channel: &Channel,
        name: &str,
        length: Option<usize>,
    ) -> Initial {
        match length {
            None => self.channel(model, scope, channel, name.to_string()),
            Some(n) => Initial::Parts(
                (0..n).map(|k| self.channel(model, scope, channel, format!("{name}[{k}]"))).collect(),
            ),
        }
    }

    fn channel(&mut self, model: &Model, scope: Scope, channel: &Channel, name: String) -> Initial {
        let fields = channel.fields.iter().map(|ty| sort(model, *ty)).collect();
        let kind = ObjectKind::Channel { capacity: channel.capacity as usize, fields };
        let id = self.objects.len();
        self.objects.push(Object { name, kind, hidden: false, span: channel.span });
        let root = if scope == Scope::Global { Root::Global(id) } else { Root::Local(id) };
        Initial::Term(Term::Atom(Read::Handle(root)))
    }

    /// The fields of a record begin as its typedef says, channels included.
    fn records(
        &mut self,
        model: &Model,
        scope: Scope,
        id: usize,
        name: &str,
        length: Option<usize>,
        value: &mut dyn FnMut(&crate::model::Expr) -> system::Expr,
    ) -> Initial {
        let mut one = |owner: &mut Owner, name: String| {
            let fields = model.records[id].fields.iter();
            let parts = fields.map(|f| owner.initial(model, scope, f, &format!("{name}.{}", f.name), value));
            Initial::Parts(parts.collect())
        };
        match length {
            None => one(self, name.to_string()),
            Some(n) => Initial::Parts((0..n).map(|k| one(self, format!("{name}[{k}]"))).collect()),
        }
    }
}

fn each(length: Option<usize>, initial: Initial) -> Initial {
    match length {
        Some(_) => Initial::Each(Box::new(initial)),
        None => initial,
    }
}
