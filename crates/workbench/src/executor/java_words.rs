//! A state of a Java program in Java's words: fields of objects, local variables, who has which
//! monitor, who waits on what. The predicates behind them are not named.
//!
//! What the translation of Java adds for its own needs (where a thread is, the class of an object,
//! intermediate results) is left out: the statement of a step says it.

use crate::report::{Awaited, Need, Tie};
use crate::shapes::java_meaning::{Meaning, is_single, meaning, number};
use crate::values::{Change, Variable};
use structures::concrete::{Concrete, State};
use structures::model::Model;
use structures::vocabulary::{Predicate, Symbol};

/// The states of a run, with the names of its threads and objects.
pub(super) struct JavaWords<'a> {
    model: &'a Model,
    concrete: Concrete<'a>,
    names: &'a [String],
}

/// Something that has a value in every state.
struct Item {
    name: String,
    value: String,
    /// What it is where nothing was said.
    usual: &'static str,
}

impl<'a> JavaWords<'a> {
    /// The names are those of all individuals.
    pub(super) fn new(model: &'a Model, names: &'a [String]) -> JavaWords<'a> {
        JavaWords { model, concrete: Concrete::new(&model.vocabulary), names }
    }

    /// What is not as it is at the beginning of everything.
    pub(super) fn facts(&self, state: &State) -> Vec<Variable> {
        let all = self.items(state).into_iter().filter(|item| item.value != item.usual);
        all.map(|item| Variable { name: item.name, value: item.value }).collect()
    }

    /// What a step changes.
    pub(super) fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        let old = self.items(before);
        let change = |new: Item| {
            let old = old.iter().find(|item| item.name == new.name);
            let before = old.map_or(new.usual.to_string(), |item| item.value.clone());
            (before != new.value).then_some(Change { name: new.name, before, after: new.value })
        };
        self.items(after).into_iter().filter_map(change).collect()
    }

    /// The monitors and locks that a thread has.
    pub(super) fn held_by(&self, state: &State, thread: usize) -> Vec<String> {
        let Some(held) = self.model.vocabulary.symbol(java::HELD) else { return Vec::new() };
        let mine = |lock: &usize| self.concrete.get(state, held, [*lock, thread]);
        (0..state.individuals).filter(mine).map(|lock| self.called(state, lock)).collect()
    }

    /// What a blocked thread waits for: to be notified, or locks that would let it go on.
    pub(super) fn needs(&self, state: &State, thread: usize) -> Vec<Need> {
        let need = |what: Awaited, object: usize, actors: Vec<usize>| Need {
            what,
            object: self.called(state, object),
            value: None,
            actors,
            tie: Tie::Holds,
        };
        if let Some(on) = self.waits_on(state, thread) {
            return vec![need(Awaited::Notify, on, Vec::new())];
        }
        let Some(held) = self.model.vocabulary.symbol(java::HELD) else { return Vec::new() };
        let taken = held.tuples(state.individuals).filter(|t| self.concrete.get(state, held, *t));
        let frees = |tuple: &[usize; 2]| moves_without(self.model, state, (held, *tuple), thread);
        taken.filter(frees).map(|[lock, owner]| need(Awaited::Lock, lock, vec![owner])).collect()
    }

    /// An object, by a static field that refers to it if there is one.
    pub(super) fn called(&self, state: &State, object: usize) -> String {
        let refers = |p: &&Predicate| {
            p.symbol.arity() == 1
                && is_single(p)
                && matches!(meaning(self.model, p), Meaning::Field(_))
                && self.concrete.get(state, p.symbol, [object, 0])
        };
        let field = self.concrete.core().find(|p| refers(p));
        field.map_or_else(|| self.names[object].clone(), |p| p.name.clone())
    }

    fn waits_on(&self, state: &State, thread: usize) -> Option<usize> {
        let vocabulary = &self.model.vocabulary;
        let (waiting, on) = (vocabulary.symbol("waiting")?, vocabulary.symbol("waits_on")?);
        let monitor = (0..state.individuals).find(|m| self.concrete.get(state, on, [thread, *m]))?;
        self.concrete.get(state, waiting, [thread, 0]).then_some(monitor)
    }

    fn items(&self, state: &State) -> Vec<Item> {
        let mut all: Vec<Item> = Vec::new();
        for predicate in self.concrete.core() {
            match meaning(self.model, predicate) {
                Meaning::Held => {
                    all.extend((0..state.individuals).map(|lock| self.monitor(state, predicate, lock)))
                }
                Meaning::Waiting => all.extend((0..state.individuals).map(|t| self.thread(state, t))),
                Meaning::Field(name) => self.field(state, predicate, name, &mut all),
                Meaning::Local { thread, name } => self.local(state, predicate, (thread, name), &mut all),
                // The statement of a step says where a thread is; the rest says no more.
                Meaning::Place(_) | Meaning::WaitsOn | Meaning::Target | Meaning::Class(_) => {}
                Meaning::Nothing => {}
            }
        }
        all
    }

    fn monitor(&self, state: &State, held: &Predicate, lock: usize) -> Item {
        let owner = (0..state.individuals).find(|t| self.concrete.get(state, held.symbol, [lock, *t]));
        let value = owner.map_or("free".to_string(), |owner| format!("held by {}", self.names[owner]));
        Item { name: format!("lock of {}", self.names[lock]), value, usual: "free" }
    }

    fn thread(&self, state: &State, thread: usize) -> Item {
        let on = self.waits_on(state, thread);
        let value = on.map_or("awake".to_string(), |on| format!("waits on {}", self.names[on]));
        Item { name: self.names[thread].clone(), value, usual: "awake" }
    }

    /// A static field, or one of each object.
    fn field(&self, state: &State, p: &Predicate, name: &str, all: &mut Vec<Item>) {
        let own = name.rsplit('.').next().unwrap_or(name);
        if is_single(p) {
            let value = self.value(state, p, None);
            return add(all, name.to_string(), value);
        }
        for object in 0..state.individuals {
            add(all, format!("{}.{own}", self.names[object]), self.value(state, p, Some(object)));
        }
    }

    /// A local variable, of each thread of its kind.
    fn local(&self, state: &State, p: &Predicate, (kind, name): (&str, &str), all: &mut Vec<Item>) {
        let is_kind = |u: &usize| self.names[*u].split('[').next() == Some(kind);
        for thread in (0..state.individuals).filter(is_kind) {
            let owner = (!is_single(p)).then_some(thread);
            add(all, format!("{}:{name}", self.names[thread]), self.value(state, p, owner));
        }
    }

    /// What a predicate says of the value of a variable, and what it is if it says nothing.
    fn value(&self, state: &State, p: &Predicate, owner: Option<usize>) -> (Option<String>, &'static str) {
        let holds = |tuple: [usize; 2]| self.concrete.get(state, p.symbol, tuple);
        let rest = p.symbol.arity() - usize::from(owner.is_some());
        if rest == 1 {
            let at = |to: &usize| holds(owner.map_or([*to, 0], |owner| [owner, *to]));
            let found = (0..state.individuals).find(at);
            return (found.map(|to| self.names[to].clone()), "null");
        }
        let is_true = holds([owner.unwrap_or(0), 0]);
        match number(p) {
            Some(number) => (is_true.then(|| number.to_string()), "0"),
            None => (is_true.then(|| "true".to_string()), "false"),
        }
    }
}

/// Whether a thread could go on if something did not hold, such as that another one has a lock.
pub(super) fn moves_without(
    model: &Model,
    state: &State,
    (symbol, tuple): (Symbol, [usize; 2]),
    thread: usize,
) -> bool {
    let concrete = Concrete::new(&model.vocabulary);
    let mut without = state.clone();
    concrete.set(&mut without, symbol, tuple, false);
    concrete.derive(&mut without);
    concrete.can_move(&without, &model.actions, thread)
}

/// Adds a variable, or its value: a number has a predicate for each.
fn add(all: &mut Vec<Item>, name: String, (value, usual): (Option<String>, &'static str)) {
    match (all.iter_mut().find(|item| item.name == name), value) {
        (Some(item), Some(value)) => item.value = value,
        (Some(_), None) => {}
        (None, value) => {
            let value = value.unwrap_or_else(|| usual.to_string());
            all.push(Item { name, value, usual });
        }
    }
}
