//! What threads share, as far as the text shows it: which fields are constant, which are used only
//! under one lock, whether threads are known to others than their creators. From this follows which
//! actions are left movers (see `reduce`).
//!
//! A field is *constant* if it is written only while its object is being created, before any other
//! thread can know it. It is *guarded* if every other use of it happens under the monitor of its
//! own object, or under one lock that a constant static field refers to, or in main. While a thread
//! uses a guarded field no other thread can, so the order with what others do does not matter, and
//! nothing races.
//!
//! Every access of the text is noted here, of fields whose value is forgotten too: those that are
//! neither constant nor guarded are what data races are looked for in (see `race`).

use crate::draft::{Mover, SELF, Variable};
use crate::flow::Label;
use crate::lower::{Lower, Taken, Undo};
use crate::program::Field;
use std::collections::BTreeSet;
use structures::action::VariableAccess;
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::Symbol;
use tree_sitter::Node;

/// A lock that is held where a field is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Guard {
    /// The monitor of the object whose field it is.
    Own,
    /// What a constant static field refers to.
    Lock(Symbol),
    /// No lock: only main uses it, and there is one main.
    Main,
}

/// A field, by its place in [`Sharing::fields`].
type FieldId = usize;

/// What is known of a field.
#[derive(Clone, Debug, Default)]
struct Shared {
    /// The class that declares it, and its name.
    name: String,
    /// Two accesses of which no order is promised are a data race: it is neither volatile nor
    /// atomic.
    plain: bool,
    /// It stands for more than one place in memory.
    vague: bool,
    /// The locks that are held at all its uses; `None` before the first.
    guards: Option<BTreeSet<Guard>>,
    written: bool,
}

/// One use of a field in the text.
#[derive(Clone, Debug)]
struct Use {
    field: FieldId,
    owner: Option<Variable>,
    /// As far as data races go: an operation of an atomic object only reads the field that refers
    /// to it.
    writes: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// Static fields get their first values, and no thread has been started.
    pub alone: bool,
    /// The object that is being created, known to no other thread.
    pub fresh: Option<Variable>,
    /// The field that an atomic object is being given to.
    pub given: Option<String>,
    fields: Vec<Shared>,
    uses: Vec<Use>,
    /// A thread other than its creator may know a thread.
    pub known_threads: bool,
    /// Some thread looks whether a lock is taken.
    pub tries: bool,
    /// The monitor of an object that may be a thread is used.
    pub thread_monitors: bool,
    /// A thread that waits on one may be woken alone: it could be one that joins.
    pub wakes_one: bool,
}

impl Sharing {
    /// Whether an action is a mover, when everything is known.
    pub fn moves(&self, mover: Mover) -> bool {
        match mover {
            Mover::No => false,
            Mover::Yes => true,
            Mover::Field(use_) => {
                let field = &self.fields[self.uses[use_].field];
                !field.written || field.is_guarded()
            }
            Mover::Start => !self.known_threads,
            Mover::Unlock => !self.tries,
        }
    }

    /// The same use, as one that only reads.
    pub fn reading(&mut self, mover: Mover) -> Mover {
        let Mover::Field(use_) = mover else { return mover };
        if !self.uses[use_].writes {
            return mover;
        }
        self.uses.push(Use { writes: false, ..self.uses[use_].clone() });
        Mover::Field(self.uses.len() - 1)
    }

    /// The access of an action to a field that two threads may access at a time, one of them
    /// writing.
    pub fn touch(&self, mover: Mover) -> Option<VariableAccess> {
        let Mover::Field(use_) = mover else { return None };
        let Use { field, owner, writes } = &self.uses[use_];
        let shared = &self.fields[*field];
        let written = self.uses.iter().any(|u| u.field == *field && u.writes);
        let owner = owner.as_ref().map(|variable| variable.is(SELF, 1));
        (shared.plain && written && !shared.is_guarded()).then(|| VariableAccess {
            field: shared.name.clone(),
            owner,
            writes: *writes,
            vague: shared.vague,
        })
    }

    pub fn field(&mut self, name: &str, plain: bool, vague: bool) -> FieldId {
        let known = self.fields.iter().position(|f| f.name == name);
        known.unwrap_or_else(|| {
            self.fields.push(Shared { name: name.to_string(), plain, vague, ..Shared::default() });
            self.fields.len() - 1
        })
    }
}

impl Shared {
    fn is_guarded(&self) -> bool {
        self.guards.as_ref().is_some_and(|guards| !guards.is_empty())
    }
}

impl Variable {
    /// That the variable of thread `t` refers to `o`.
    pub fn is(&self, t: Var, o: Var) -> Formula {
        match self {
            Variable::Single(symbol) => f::atom(*symbol, &[o]),
            Variable::PerThread(symbol) => f::atom(*symbol, &[t, o]),
            Variable::Myself => f::equal(t, o),
            _ => f::FALSE,
        }
    }
}

impl<'t> Lower<'t> {
    /// Notes the use of a field that has predicates, static if it has no owner.
    pub fn uses(&mut self, symbol: Symbol, owner: Option<&Variable>, writes: bool) -> Mover {
        let name = self.vocabulary.name(symbol).split('=').next().unwrap_or_default().to_string();
        let (class, field) = name.rsplit_once('.').unwrap_or(("", &name));
        let field = self.program.find_field(class, field);
        let atomic = field.is_some_and(|f| f.ty.is_atomic());
        let plain = !field.is_some_and(|f| f.is_volatile);
        let given = self.sharing.given.as_ref() == Some(&name);
        let id = self.sharing.field(&name, plain, false);
        self.notes_use(id, owner, [writes, if atomic { given } else { writes }])
    }

    /// Notes the use of a field whose value is forgotten.
    fn uses_forgotten(&mut self, field: &Field<'t>, owner: &Variable, writes: bool) -> Mover {
        let name = format!("{}.{}", field.class, field.name);
        let id = self.sharing.field(&name, !field.is_volatile, false);
        self.notes_use(id, (!field.is_static).then_some(owner), [writes, writes])
    }

    /// Whether it changes the field as far as movers go, and as far as races go.
    fn notes_use(&mut self, field: FieldId, owner: Option<&Variable>, [changes, writes]: [bool; 2]) -> Mover {
        if self.sharing.alone || owner.is_some() && self.sharing.fresh.as_ref() == owner {
            return Mover::Yes;
        }
        let held = self.guards(owner);
        let shared = &mut self.sharing.fields[field];
        let guards = shared.guards.get_or_insert_with(|| held.clone());
        guards.retain(|guard| held.contains(guard));
        shared.written |= changes;
        self.sharing.uses.push(Use { field, owner: owner.cloned(), writes });
        Mover::Field(self.sharing.uses.len() - 1)
    }

    /// The locks that are held here.
    fn guards(&self, owner: Option<&Variable>) -> BTreeSet<Guard> {
        let mut held = BTreeSet::new();
        if self.is_main {
            held.insert(Guard::Main);
        }
        for undo in &self.undo {
            let (_, Undo::Unlock(Taken { lock, .. })) = undo else { continue };
            if Some(lock) == owner {
                held.insert(Guard::Own);
            }
            match lock {
                Variable::Single(symbol) if !self.flow.locals.contains(symbol) => {
                    held.insert(Guard::Lock(*symbol));
                }
                _ => {}
            }
        }
        held
    }

    /// A step that reads or writes a field and changes nothing that is modelled: its value is
    /// forgotten, or not wanted.
    pub fn touch(
        &mut self,
        (owner, class, name): (&Variable, &str, &str),
        writes: bool,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let Some(field) = self.program.find_field(class, name).cloned() else { return };
        let constant = self.program.constant_value(&field).is_some();
        if constant || field.is_static && self.program.is_constant(&field) {
            return;
        }
        let mover = self.uses_forgotten(&field, owner, writes);
        let mut draft = self.draft(node).moving(mover);
        if !field.is_static {
            self.not_null(owner, node, *at);
            draft.focus(owner, None);
            let o = draft.fresh();
            let some = draft.is(owner, o);
            draft.when(f::exists(o, some));
        }
        self.then(draft, at, node);
    }

    /// A step that uses what is behind a reference to memory that is not modelled: all of a kind
    /// are taken for one.
    pub fn touch_behind(&mut self, kind: &str, writes: bool, node: Node<'t>, at: &mut Label) {
        let id = self.sharing.field(kind, true, true);
        let mover = self.notes_use(id, None, [writes, writes]);
        let draft = self.draft(node).moving(mover);
        self.then(draft, at, node);
    }
}
