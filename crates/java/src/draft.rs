//! An action under construction: what it reads and writes, who takes part, and how the variables of
//! a program become predicates in it.

use crate::flow::Label;
use source::Span;
use std::collections::BTreeSet;
use structures::action::{Action, Literal, Update};
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::Symbol;

/// The individual that moves.
pub const SELF: Var = 0;

/// A variable of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// Of main, which exists once: unary, unique.
    Single(Symbol),
    /// Of each thread of a kind: binary, from the thread.
    PerThread(Symbol),
    SingleFlag(Symbol),
    ThreadFlag(Symbol),
    /// With a declared range: a truth value for each value but 0.
    Number(Vec<(i64, Symbol)>),
    /// The thread itself.
    Myself,
    #[default]
    Null,
    /// Forgotten.
    Nothing,
}

/// Whether others' steps just before an action could be taken just after it, to the same effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mover {
    #[default]
    No,
    /// It touches only what belongs to the thread, or what others cannot use meanwhile.
    Yes,
    /// If the field of this use is constant, or used only under one lock (see `sharing`).
    Field(usize),
    /// If threads are known only to those that created them.
    Start,
    /// If no thread looks whether a lock is taken.
    Unlock,
}

/// An action under construction.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub action: Action,
    pub from: Label,
    pub to: Label,
    /// Locals that it reads and that it gives a new value.
    pub uses: BTreeSet<Symbol>,
    pub defines: BTreeSet<Symbol>,
    /// The thread that it starts, and the one that it waits for to end.
    pub starts: Option<Var>,
    pub joins: Option<Var>,
    /// It waits for all tasks of an executor to end.
    pub awaits: Option<Var>,
    /// It is a `notify` of this monitor.
    pub wakes: Option<Monitor>,
    pub mover: Mover,
    /// The next variable that is free.
    next: Var,
}

impl Draft {
    pub fn new(name: &str, span: Span) -> Draft {
        let action = Action { name: name.to_string(), span, actor: Some(Vec::new()), ..Action::default() };
        Draft { action, next: 1, ..Draft::default() }
    }

    pub fn moving(mut self, mover: Mover) -> Draft {
        self.mover = mover;
        self
    }

    pub fn fresh(&mut self) -> Var {
        self.next += 1;
        self.next - 1
    }

    /// A participant.
    pub fn choose(&mut self) -> Var {
        let v = self.fresh();
        self.action.parameters.push(v);
        v
    }

    /// Who a variable refers to takes part.
    pub fn refers(&mut self, variable: &Variable) -> Var {
        self.focus(variable, None);
        let o = self.choose();
        let is = self.is(variable, o);
        self.when(is);
        o
    }

    pub fn create(&mut self) -> Var {
        let v = self.fresh();
        self.action.created.push(v);
        v
    }

    pub fn when(&mut self, f: Formula) {
        self.action.precondition = f::and([self.action.precondition.clone(), f]);
    }

    /// That a variable refers to this individual.
    pub fn is(&mut self, variable: &Variable, o: Var) -> Formula {
        match variable {
            Variable::Single(symbol) => {
                self.uses.insert(*symbol);
                f::atom(*symbol, &[o])
            }
            Variable::PerThread(symbol) => {
                self.uses.insert(*symbol);
                f::atom(*symbol, &[SELF, o])
            }
            Variable::Myself => f::equal(SELF, o),
            _ => f::FALSE,
        }
    }

    pub fn is_null(&mut self, variable: &Variable) -> Formula {
        let o = self.fresh();
        let some = self.is(variable, o);
        f::not(f::exists(o, some))
    }

    pub fn flag(&mut self, variable: &Variable) -> Formula {
        match variable {
            Variable::SingleFlag(symbol) => {
                self.uses.insert(*symbol);
                f::atom(*symbol, &[])
            }
            Variable::ThreadFlag(symbol) => {
                self.uses.insert(*symbol);
                f::atom(*symbol, &[SELF])
            }
            _ => f::UNKNOWN,
        }
    }

    /// Makes it definite to which object a variable refers, and on from there along a field.
    pub fn focus(&mut self, variable: &Variable, field: Option<Symbol>) {
        let o = self.fresh();
        let mut literals = match variable {
            Variable::Single(symbol) => vec![Literal { symbol: *symbol, arguments: [o, 0], positive: true }],
            Variable::PerThread(symbol) => {
                vec![Literal { symbol: *symbol, arguments: [SELF, o], positive: true }]
            }
            Variable::Myself => vec![],
            _ => return,
        };
        if let Some(field) = field {
            let from = if *variable == Variable::Myself { SELF } else { o };
            let p = self.fresh();
            literals.push(Literal { symbol: field, arguments: [from, p], positive: true });
        }
        if !literals.is_empty() {
            self.action.focus.push(literals);
        }
    }

    /// Gives a local variable a new value: the individuals for which `value` holds.
    pub fn assign(&mut self, variable: &Variable, value: impl FnOnce(&mut Draft, Var) -> Formula) {
        match variable {
            Variable::Single(symbol) => {
                let o = self.fresh();
                let formula = value(self, o);
                self.defines.insert(*symbol);
                self.update(*symbol, &[o], formula);
            }
            Variable::PerThread(symbol) => {
                let (t, o) = (self.fresh(), self.fresh());
                let mine = value(self, o);
                self.defines.insert(*symbol);
                let formula = f::choose(f::equal(t, SELF), mine, f::atom(*symbol, &[t, o]));
                self.update(*symbol, &[t, o], formula);
            }
            _ => {}
        }
    }

    pub fn assign_flag(&mut self, variable: &Variable, value: Formula) {
        match variable {
            Variable::SingleFlag(symbol) => {
                self.defines.insert(*symbol);
                self.update(*symbol, &[], value);
            }
            Variable::ThreadFlag(symbol) => {
                let t = self.fresh();
                self.defines.insert(*symbol);
                let formula = f::choose(f::equal(t, SELF), value, f::atom(*symbol, &[t]));
                self.update(*symbol, &[t], formula);
            }
            _ => {}
        }
    }

    /// From now on the predicate holds of this individual too.
    pub fn add(&mut self, symbol: Symbol, individual: Var) {
        let o = self.fresh();
        self.update(symbol, &[o], f::or([f::atom(symbol, &[o]), f::equal(o, individual)]));
    }

    /// The thread that moves has this lock from now on.
    pub fn take(&mut self, held: Symbol, lock: Var) {
        let (a, b) = (self.fresh(), self.fresh());
        let taken = f::and([f::equal(a, lock), f::equal(b, SELF)]);
        self.update(held, &[a, b], f::or([f::atom(held, &[a, b]), taken]));
    }

    /// The thread that moves does not have this lock any more.
    pub fn give_back(&mut self, held: Symbol, lock: Var) {
        let (a, b) = (self.fresh(), self.fresh());
        let mine = f::and([f::equal(a, lock), f::equal(b, SELF)]);
        self.update(held, &[a, b], f::and([f::atom(held, &[a, b]), f::not(mine)]));
    }

    pub fn update(&mut self, symbol: Symbol, parameters: &[Var], formula: Formula) {
        let first = parameters.first().copied().unwrap_or(0);
        let parameters = [first, parameters.get(1).copied().unwrap_or(first)];
        self.action.updates.push(Update { symbol, parameters, formula });
    }

    /// Resets a local; `flag` if it is a truth value of each thread.
    pub fn forget(&mut self, symbol: Symbol, flag: bool) {
        self.action.updates.retain(|u| u.symbol != symbol);
        match symbol {
            Symbol::Binary(_) => {
                let (t, o) = (self.fresh(), self.fresh());
                self.update(symbol, &[t, o], f::and([f::atom(symbol, &[t, o]), f::differ(t, SELF)]));
            }
            Symbol::Unary(_) if flag => {
                let t = self.fresh();
                self.update(symbol, &[t], f::and([f::atom(symbol, &[t]), f::differ(t, SELF)]));
            }
            Symbol::Unary(_) => {
                let o = self.fresh();
                self.update(symbol, &[o], f::FALSE);
            }
            Symbol::Nullary(_) => self.update(symbol, &[], f::FALSE),
        }
    }
}

/// What the text shows of an object that threads wait on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Monitor {
    /// A field that has had one object of its own from the beginning, and what class it is of.
    Field(String, String),
    /// An object of a class or of one below it.
    Class(String),
}
