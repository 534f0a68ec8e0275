//! States in words: every variable by its name, and what differs between two states.
//!
//! Names are those a user would write: `x`, `a[2]`, `r.f`, and for a local variable Promela's
//! remote reference `P[1]:x`.

use crate::model::Model;
use logic::Sort;
use num_bigint::BigInt;
use num_traits::Zero;
use system::evaluate::{Context, evaluate, resolve};
use system::{Access, Object, ObjectKind, Place, ProcessTypeId, Root, State, Value};

/// A variable and its value in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A change of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

/// Everything a state holds; with `all` false only what is not zero or empty.
pub fn variables(model: &Model, state: &State, all: bool) -> Vec<Variable> {
    let mut found = Vec::new();
    for slot in slots(model, state) {
        let words = Words { model, state, process_type: slot.process_type, object: slot.index };
        leaves(&mut Path::new(slot.name()), slot.object, slot.value, &mut |path, leaf| {
            let value = words.leaf(path, leaf);
            // A channel variable that refers to its own channel has nothing to tell.
            if (all || !leaf.is_nothing()) && value != path.name {
                found.push(Variable { name: path.name.clone(), value });
            }
        });
    }
    found
}

/// What differs, for everything that exists in both states.
pub fn changes(model: &Model, before: &State, after: &State) -> Vec<Change> {
    let mut found = Vec::new();
    for (old, new) in alike(model, before, after) {
        if old.value == new.value {
            continue;
        }
        let old_words = Words { model, state: before, process_type: old.process_type, object: old.index };
        let new_words = Words { state: after, ..old_words };
        let mut olds = Vec::new();
        leaves(&mut Path::new(old.name()), old.object, old.value, &mut |path, leaf| {
            olds.push((leaf, old_words.leaf(path, leaf)));
        });
        let mut olds = olds.into_iter();
        leaves(&mut Path::new(new.name()), new.object, new.value, &mut |path, leaf| {
            if let Some((old, text)) = olds.next()
                && old != leaf
            {
                let after = new_words.leaf(path, leaf);
                found.push(Change { name: path.name.clone(), before: text, after });
            }
        });
    }
    found.extend(priority_changes(model, before, after));
    found
}

/// The name of a place that a process reads, with the numbers of its indices.
pub(crate) fn of_place(model: &Model, context: &Context<'_>, place: &Place) -> Option<String> {
    let (owner, object) = match &place.root {
        Root::Global(object) => (None, *object),
        Root::Local(object) => (Some(context.pid?), *object),
        Root::Remote { process, object, .. } => {
            (Some(usize::try_from(evaluate(context, process).ok()?).ok()?), *object)
        }
    };
    let slot = slots(model, context.state).find(|s| s.owner == owner && s.index == object)?;
    let ObjectKind::Variable { sort, .. } = &slot.object.kind else { return Some(slot.name()) };
    let mut sort = Some(sort);
    let mut name = slot.name();
    for (access, index) in place.path.iter().zip(resolve(context, &place.path).ok()?) {
        match access {
            Access::Index(_) => name.push_str(&format!("[{index}]")),
            Access::Field(_) => name.push_str(&format!(".{}", field(sort?, index)?)),
        }
        sort = sort.and_then(|sort| part(sort, access));
    }
    Some(name)
}

/// The name of a field of a record.
pub(crate) fn field(sort: &Sort, field: usize) -> Option<&str> {
    match sort {
        Sort::Record(fields) => fields.get(field).map(|(name, _)| name.as_str()),
        _ => None,
    }
}

/// The sort of a part.
pub(crate) fn part<'a>(sort: &'a Sort, access: &Access) -> Option<&'a Sort> {
    match (sort, access) {
        (Sort::Record(fields), Access::Field(field)) => fields.get(*field).map(|(_, sort)| sort),
        (Sort::Array(element, _), Access::Index(_)) => Some(element),
        _ => None,
    }
}

/// The name of a channel by owner and index.
pub(crate) fn channel_name(model: &Model, state: &State, (owner, index): (Option<usize>, usize)) -> String {
    let slot = slots(model, state).find(|s| s.owner == owner && s.index == index);
    slot.map_or_else(|| "?".to_string(), |s| s.name())
}

/// A message as Promela writes it: fields with commas.
pub fn message(model: &Model, state: &State, channel: (Option<usize>, usize), fields: &[BigInt]) -> String {
    let process_type = channel.0.and_then(|pid| state.processes.get(pid)).map(|p| p.process_type);
    let objects = process_type.map_or(&model.system.globals, |t| &model.system.process_types[t].objects);
    let words = Words { model, state, process_type, object: channel.1 };
    match objects.get(channel.1).map(|o| &o.kind) {
        Some(ObjectKind::Channel { fields: sorts, .. }) => words.message(sorts, fields),
        _ => String::new(),
    }
}

fn priority_changes<'a>(
    model: &'a Model,
    before: &'a State,
    after: &'a State,
) -> impl Iterator<Item = Change> + 'a {
    let both = before.processes.iter().zip(&after.processes).enumerate();
    both.filter(|(_, (old, new))| old.process_type == new.process_type && old.priority != new.priority).map(
        |(pid, (old, new))| Change {
            name: format!("{}[{pid}]:_priority", model.process_name(old.process_type)),
            before: old.priority.to_string(),
            after: new.priority.to_string(),
        },
    )
}

/// One object of a state with its owner.
#[derive(Clone, Copy)]
struct Slot<'a> {
    owner: Option<usize>,
    process_type: Option<ProcessTypeId>,
    prefix: &'a str,
    index: usize,
    object: &'a Object,
    value: &'a Value,
}

impl Slot<'_> {
    fn name(&self) -> String {
        match self.owner {
            Some(pid) => format!("{}[{pid}]:{}", self.prefix, self.object.name),
            None => self.object.name.clone(),
        }
    }
}

fn slots<'a>(model: &'a Model, state: &'a State) -> impl Iterator<Item = Slot<'a>> {
    let system = &model.system;
    let globals = system.globals.iter().zip(&state.globals).enumerate();
    let globals = globals.map(|(index, (object, value))| Slot {
        owner: None,
        process_type: None,
        prefix: "",
        index,
        object,
        value,
    });
    let locals = state.processes.iter().enumerate().flat_map(move |(pid, process)| {
        let process_type = &system.process_types[process.process_type];
        process_type.objects.iter().zip(&process.objects).enumerate().map(move |(index, (object, value))| {
            Slot {
                owner: Some(pid),
                process_type: Some(process.process_type),
                prefix: model.process_name(process.process_type),
                index,
                object,
                value,
            }
        })
    });
    globals.chain(locals)
}

/// The objects that exist in both states, in pairs.
fn alike<'a>(model: &'a Model, before: &'a State, after: &'a State) -> Vec<(Slot<'a>, Slot<'a>)> {
    let same = |pid: usize| {
        before.processes.get(pid).map(|p| p.process_type) == after.processes.get(pid).map(|p| p.process_type)
    };
    let kept = |s: &Slot<'_>| s.owner.is_none_or(same);
    slots(model, before).filter(kept).zip(slots(model, after).filter(kept)).collect()
}

/// A value that is shown as one.
#[derive(Clone, Copy, PartialEq)]
enum Leaf<'a> {
    Int(&'a Sort, &'a BigInt),
    Messages(&'a [Sort], &'a [Vec<BigInt>]),
}

impl Leaf<'_> {
    fn is_nothing(&self) -> bool {
        match self {
            Leaf::Int(_, value) => value.is_zero(),
            Leaf::Messages(_, messages) => messages.is_empty(),
        }
    }
}

/// Where a leaf stands: its name, and the record fields on the way to it.
struct Path {
    name: String,
    fields: Vec<usize>,
}

impl Path {
    fn new(name: String) -> Path {
        Path { name, fields: Vec::new() }
    }

    fn with(&self, suffix: &str, field: Option<usize>) -> Path {
        let fields = self.fields.iter().copied().chain(field).collect();
        Path { name: format!("{}{suffix}", self.name), fields }
    }
}

fn leaves<'a>(path: &mut Path, object: &'a Object, value: &'a Value, visit: &mut dyn FnMut(&Path, Leaf<'a>)) {
    match (&object.kind, value) {
        (ObjectKind::Channel { fields, .. }, Value::Channel(messages)) => {
            visit(path, Leaf::Messages(fields, messages));
        }
        (ObjectKind::Variable { sort, .. }, value) => parts(path, sort, value, visit),
        _ => {}
    }
}

fn parts<'a>(path: &Path, sort: &'a Sort, value: &'a Value, visit: &mut dyn FnMut(&Path, Leaf<'a>)) {
    match (sort, value) {
        (Sort::Array(element, _), Value::Parts(values)) => {
            for (i, value) in values.iter().enumerate() {
                parts(&path.with(&format!("[{i}]"), None), element, value, visit);
            }
        }
        (Sort::Record(fields), Value::Parts(values)) => {
            for (i, ((name, sort), value)) in fields.iter().zip(values).enumerate() {
                parts(&path.with(&format!(".{name}"), Some(i)), sort, value, visit);
            }
        }
        (sort, Value::Int(value)) => visit(path, Leaf::Int(sort, value)),
        _ => {}
    }
}

/// How values of one object are written.
#[derive(Clone, Copy)]
struct Words<'a> {
    model: &'a Model,
    state: &'a State,
    process_type: Option<ProcessTypeId>,
    object: usize,
}

impl Words<'_> {
    fn leaf(&self, path: &Path, leaf: Leaf<'_>) -> String {
        match leaf {
            Leaf::Int(sort, value) => self.int(sort, &path.fields, value),
            Leaf::Messages(sorts, messages) => {
                let texts: Vec<_> = messages.iter().map(|m| self.bracketed(sorts, m)).collect();
                format!("[{}]", texts.join(" "))
            }
        }
    }

    fn bracketed(&self, sorts: &[Sort], fields: &[BigInt]) -> String {
        let text = self.message(sorts, fields);
        if fields.len() > 1 { format!("({text})") } else { text }
    }

    fn message(&self, sorts: &[Sort], fields: &[BigInt]) -> String {
        let texts =
            sorts.iter().zip(fields).enumerate().map(|(i, (sort, value))| self.int(sort, &[i], value));
        texts.collect::<Vec<_>>().join(",")
    }

    fn int(&self, sort: &Sort, fields: &[usize], value: &BigInt) -> String {
        if let Some(word) = self.model.word(self.process_type, self.object, fields, value) {
            return word.to_string();
        }
        match sort {
            Sort::Channel => match self.state.channel(&self.model.system, value) {
                Some(channel) => channel_name(self.model, self.state, channel),
                None => "-".to_string(),
            },
            _ => value.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{IntType, Term};
    use std::collections::HashMap;
    use system::{Creation, Initial, Location, Operation, Read, Reference};
    use system::{ProcessType, System, Transition};

    fn byte() -> Sort {
        Sort::Machine(IntType::BYTE)
    }

    /// One process `P` with a local array, a global record and a channel; its one step changes them
    /// all.
    fn model() -> Model {
        let assign = |root, path, value| Operation::Assign {
            target: Place { root, path },
            value: Term::Constant(value),
        };
        let send = |a, b| Operation::Send {
            channel: Term::Atom(Read::Handle(Root::Global(1))),
            message: vec![Term::Constant(a), Term::Constant(b)],
            sorted: false,
        };
        let command = vec![
            assign(Root::Global(0), vec![Access::Field(1)], 7),
            assign(Root::Local(0), vec![Access::Index(Term::Constant(3))], 9),
            send(1, 2),
            send(3, 4),
            Operation::Start { process_type: 0, arguments: vec![], priority: None, result: None },
        ];
        let record = Sort::Record(vec![("f".into(), byte()), ("g".into(), byte())]);
        let process_type = ProcessType {
            name: "P".into(),
            objects: vec![Object::variable("a", Sort::array(byte(), 4), Initial::Zero)],
            points: vec![Location::default(); 2],
            transitions: vec![Transition::new(0, Term::TRUE, command, 1)],
            ..ProcessType::default()
        };
        let system = System {
            globals: vec![
                Object::variable("r", record, Initial::Zero),
                Object::channel("q", 2, vec![byte(), byte()]),
            ],
            process_types: vec![process_type],
            initial: vec![Creation { process_type: 0, arguments: vec![], priority: 1 }],
            ..System::default()
        };
        Model { system, ..Model::default() }
    }

    fn first_step(model: &Model) -> (State, State) {
        let reference = Reference::new(&model.system);
        let before = reference.initial().unwrap();
        let after = reference.moves(&before)[0].next.clone().unwrap();
        (before, after)
    }

    fn change(name: &str, before: &str, after: &str) -> Change {
        Change { name: name.into(), before: before.into(), after: after.into() }
    }

    #[test]
    fn everything_that_changes_is_named() {
        let model = model();
        let (before, after) = first_step(&model);
        let expected =
            [change("r.g", "0", "7"), change("q", "[]", "[(1,2) (3,4)]"), change("P[0]:a[3]", "0", "9")];
        assert_eq!(changes(&model, &before, &after), expected);
        assert_eq!(changes(&model, &after, &after), []);
    }

    #[test]
    fn values_have_the_words_of_the_model() {
        let mut model = model();
        let words = |word: &str| HashMap::from([(BigInt::from(7), word.to_string())]);
        model.words.insert((None, 0, vec![1]), words("seven"));
        let (before, after) = first_step(&model);
        let found = changes(&model, &before, &after);
        assert!(found.contains(&change("r.g", "0", "seven")), "{found:?}");
        assert!(found.contains(&change("P[0]:a[3]", "0", "9")), "{found:?}");
    }
}
