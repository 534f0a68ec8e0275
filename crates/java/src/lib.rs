//! The Java front end: a file of Java to a [`structures::model::Model`]. It sees no engine: it
//! marks movers, asks for data races, and tells which individuals do not matter.
//!
//! * *What is written*: `tree`, parts of the syntax tree of tree-sitter; `program`, `classes`,
//!   `members`, the classes; `shown`, what the text shows; `constants`, constant variables.
//! * *What is refused* before anything is lowered: `lexical`, `names`, `refuse`, `signatures`.
//! * *Under construction*: `draft`, an action; `flow`, labels and the actions between them;
//!   `lower`, what is known meanwhile.
//! * *Code*: `methods`, `statements`, `raise` (exceptions); `operands`, `types`, `fields`,
//!   `assign`, `conditions`; `numbers` and `cells` with a range.
//! * *Calls*: `calls`, `dispatch`, which method is meant; `creation`, `threads`, `monitors`,
//!   `locks`, `executor`, `atomic`; `forgotten`, `provided`, what happens where a value is
//!   forgotten.
//! * *Beyond the text*: `may_throw`, what may throw or call code that is not followed; `loading`,
//!   classes that are initialized on first use; `sharing`, which steps are movers; `reading`, how
//!   waits end.
//! * `checks`: what is asked of every program. `notes`: the comments that begin with `//@`.
//!   [`codes`]: what can be wrong.
//!
//! Every thread, object and lock is an individual. A static reference is a unique unary predicate,
//! a field a binary one, a local of main a unique unary one and of other threads a binary one from
//! the thread. Predicates that tell individuals apart are chosen here: the class, the place of a
//! thread, who refers to an object by which variable or field, which variables and fields refer to
//! something at all, which locks are taken. What is not modelled is an error with its line.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let main = "public static void main(String[] arguments) { o = new Object(); }";
//! let text = format!("class A {{ static Object o; {main} }}");
//! let file = map.add("A.java", text);
//! let (model, diagnostics) = java::read(&map, file);
//! assert!(model.is_some_and(|m| m.vocabulary.symbol("A.o").is_some()), "{diagnostics:?}");
//! ```

#![warn(missing_docs)]

mod assign;
mod atomic;
mod calls;
mod cells;
mod checks;
mod classes;
pub mod codes;
mod conditions;
mod constants;
mod creation;
mod dispatch;
mod draft;
mod executor;
mod fields;
mod flow;
mod forgotten;
mod lexical;
mod loading;
mod locks;
mod lower;
mod malformed;
mod may_throw;
mod members;
mod methods;
mod monitors;
mod names;
mod notes;
mod numbers;
mod operands;
mod program;
mod provided;
mod raise;
mod reading;
mod refuse;
mod sharing;
mod shown;
mod signatures;
mod statements;
mod threads;
mod tree;
mod types;

use draft::Variable;
use flow::{Flow, Kind, Label, Mark, Threads};
use lower::Lower;
use program::{Method, Program, Type};
use source::{Diagnostic, FileId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use structures::evaluate::define;
use structures::formula::{self as f, Var};
use structures::kleene::Kleene;
use structures::model::{Claim, Initial, Model, Roots, Thread};
use structures::structure::Structure;
use structures::vocabulary::{Attribute, SUMMARY, Symbol, Vocabulary};
use structures::{race, transient};

pub use lower::{HELD, local_name};
pub use reading::Reading;

/// Reads a program; `None` if there are errors.
pub fn read(map: &SourceMap, file: FileId) -> (Option<Model>, Vec<Diagnostic>) {
    read_as(map, file, Reading::default())
}

/// The same, where waits may end in other ways too.
pub fn read_as(map: &SourceMap, file: FileId, reading: Reading) -> (Option<Model>, Vec<Diagnostic>) {
    let text = map.get(file).map_or("", |text| &*text.content);
    let mut parser = tree_sitter::Parser::new();
    let parsed = parser.set_language(&tree_sitter_java::LANGUAGE.into()).ok();
    let Some(tree) = parsed.and_then(|()| parser.parse(text, None)) else {
        return (None, vec![Diagnostic::error("E0801", Span::new(file, 0, 0), "the text cannot be read")]);
    };
    let program = Program::new(text, file, tree.root_node());
    if !program.diagnostics.is_empty() {
        return (None, program.diagnostics);
    }
    let mut lower = Lower::new(program);
    lower.reading = reading;
    let (flows, marks) = match flows(&mut lower) {
        Some(flows) => flows,
        None => {
            let mut reported = std::mem::take(&mut lower.program.diagnostics);
            let (at, word) = (text.find("class ").unwrap_or(0), "class".len());
            let place = Span::new(file, at as u32, (at + word).min(text.len()) as u32);
            let error = Diagnostic::error("E0805", place, "no `public static void main(String[] args)`");
            let help = "write one that creates the objects and starts the threads to be checked: \
                        `public static void main(String[] args) { new Worker().start(); }`";
            reported.push(error.label("no class has one").help(help));
            return (None, reported);
        }
    };
    let mut flows = flows;
    ends(&mut lower, &mut flows);
    let mut model = assemble(&mut lower, &flows, &marks);
    notes::read(text, file, &mut model, &mut lower.program.diagnostics);
    let diagnostics = std::mem::take(&mut lower.program.diagnostics);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(model), diagnostics)
}

/// Main and every kind of thread that is created.
fn flows(lower: &mut Lower<'_>) -> Option<(Vec<Flow>, Vec<Mark>)> {
    let mains: Vec<Method<'_>> = lower.program.mains();
    let main = mains.first().cloned()?;
    if let Some(other) = mains.get(1).and_then(|m| m.body) {
        let help = "leave one `main`, and check the others in files of their own";
        lower.program.refuse(other, "which `main` is meant is not known", help);
    }
    lower.context(0, &main, Variable::Null, true);
    let mut flows = vec![std::mem::take(&mut lower.flow)];
    let mut marks = vec![Mark::Main];
    let (mut kinds, mut lambdas) = (0, 0);
    while kinds < lower.kinds.len() || lambdas < lower.lambdas.len() {
        let number = flows.len();
        if kinds < lower.kinds.len() {
            let class = lower.kinds[kinds].clone();
            kinds += 1;
            let run = lower.program.find_method(&class, "run", 0).cloned();
            let run = run.unwrap_or_else(|| nothing(&class));
            let own = lower.program.is_thread(&class);
            let is = if own { lower.instance(&class) } else { lower.runs(&class) };
            let target = if own { None } else { Some(lower.target()) };
            lower.scopes = vec![BTreeMap::new()];
            lower.context(number, &run, target.map_or(Variable::Myself, Variable::PerThread), false);
            marks.push(Mark::Own(is));
        } else {
            let lambda = lower.lambdas[lambdas].clone();
            lambdas += 1;
            let (name, body) = (lambda.name.clone(), Some(lambda.body));
            let span = lower.program.span(lambda.body);
            let run = Method { name, is_private: true, body, span, ..nothing(&lambda.class) };
            let is = lower.instance(&lambda.name);
            lower.scopes = vec![lambda.scope];
            lower.context(number, &run, lambda.this, false);
            marks.push(Mark::Own(is));
        }
        flows.push(std::mem::take(&mut lower.flow));
    }
    Some((flows, marks))
}

/// How threads end: submitted tasks keep what they throw, and if monitors of threads are used, the
/// end of one notifies.
fn ends(lower: &mut Lower<'_>, flows: &mut [Flow]) {
    let tasks = flows.iter_mut().filter(|f| f.body.is_some_and(|b| lower.submitted.contains(&b)));
    tasks.for_each(Flow::keeps_exceptions);
    if !lower.sharing.thread_monitors {
        return;
    }
    let symbols = [lower.symbol("waiting", 1, &[]), lower.symbol("waits_on", 2, &[Attribute::Function])];
    let acquired = lower.vocabulary.symbol("is_acquired").unwrap_or(SUMMARY);
    flows.iter_mut().for_each(|flow| flow.ends_by_notifying(symbols, &|t| f::not(f::atom(acquired, &[t]))));
    if lower.sharing.wakes_one && !lower.joins.is_empty() {
        let reason = "a thread that joins another waits on its monitor, and `notify` may wake it instead";
        flows.iter_mut().for_each(|flow| flow.joins_are_inexact(reason));
    }
}

/// The `run` of a thread that has none.
fn nothing<'t>(class: &str) -> Method<'t> {
    Method {
        name: "run".to_string(),
        class: class.to_string(),
        parameters: Vec::new(),
        result: Type::Void,
        is_static: false,
        is_synchronized: false,
        is_private: false,
        first: String::new(),
        body: None,
        span: Span::default(),
    }
}

fn assemble(lower: &mut Lower<'_>, flows: &[Flow], marks: &[Mark]) -> Model {
    let mut vocabulary = std::mem::take(&mut lower.vocabulary);
    let places: Vec<BTreeMap<Label, Symbol>> =
        flows.iter().map(|flow| flow.declare(&mut vocabulary)).collect();
    let at = |flow: usize, label: Label| places[flow].get(&flows[flow].root(label)).copied();
    let kinds: Vec<Kind> = (0..flows.len())
        .filter_map(|n| {
            let (entry, exit) = (at(n, flows[n].entry)?, at(n, flows[n].exit)?);
            Some(Kind { entry, exit, mark: marks[n] })
        })
        .collect();
    let [started, pool] = ["started", executor::POOL].map(|name| vocabulary.symbol(name));
    let all = Threads { kinds, started, pool, sharing: &lower.sharing };
    let mut model = Model::default();
    for (n, flow) in flows.iter().enumerate() {
        model.actions.extend(flow.actions(n, &places[n], &all));
        model.threads.push(Thread {
            name: flow.name.clone(),
            span: Span::default(),
            ends: at(n, flow.exit).into_iter().collect(),
            places: places[n].values().copied().collect(),
        });
    }
    checks::regions(&mut vocabulary, flows, &at, &mut model);
    checks::no_lost_wakeup(lower, &mut vocabulary, flows, &at, &mut model);
    model.vocabulary = vocabulary.clone();
    let short = short_lived(&model, flows, &places);
    derive(&mut vocabulary, &short);
    checks::no_lock_cycle(lower, &vocabulary, &at, &mut model);
    race::ask(&mut model, &vocabulary);
    model.assumed = lower.reading.assumed(lower.sleeps, lower.interruptible);
    model.initial.push(initial(&vocabulary, all.kinds.first().map(|k| k.entry)));
    model.roots = Some(roots(&model, flows, &vocabulary));
    model.vocabulary = vocabulary;
    model
}

/// Locals that no thread has at a place where others may move: nothing needs to be known of them
/// between steps.
fn short_lived(model: &Model, flows: &[Flow], places: &[BTreeMap<Label, Symbol>]) -> BTreeSet<Symbol> {
    let seen = model.properties.iter().filter_map(|p| match &p.claim {
        Claim::Invariant(f) => Some(f.clone()),
        _ => None,
    });
    let transient = transient::locations(model, &seen.collect::<Vec<_>>());
    let mut short: BTreeSet<Symbol> = flows.iter().flat_map(|f| f.locals.iter().copied()).collect();
    for (flow, places) in flows.iter().zip(places) {
        for (label, alive) in flow.alive() {
            if places.get(&label).is_some_and(|place| !transient.contains(place)) {
                short.retain(|symbol| !alive.contains(symbol));
            }
        }
    }
    short
}

/// Threads that have not ended, and what static fields and the locals of main refer to, can be
/// reached.
fn roots(model: &Model, flows: &[Flow], vocabulary: &Vocabulary) -> Roots {
    let going = model.threads.iter().flat_map(|t| t.places.iter().filter(|p| !t.ends.contains(p)));
    let single = vocabulary.predicates.iter().filter(|p| p.attributes.contains(&Attribute::Unique));
    let holders: Vec<Symbol> = going.copied().chain(single.map(|p| p.symbol)).collect();
    let locals = flows.iter().flat_map(|f| f.locals.iter().copied());
    let waits = ["waiting", "waits_on"].into_iter().filter_map(|name| vocabulary.symbol(name));
    let absent = holders.iter().copied().chain(locals).chain(waits).collect();
    Roots { holders, absent }
}

/// Who refers to an object by what, whether several do, and which variables and fields refer to
/// something.
fn derive(vocabulary: &mut Vocabulary, short: &BTreeSet<Symbol>) {
    let binary: Vec<(String, Symbol)> = vocabulary
        .predicates
        .iter()
        .filter(|p| p.symbol.arity() == 2 && p.definition.is_none() && p.name != HELD)
        .filter(|p| !short.contains(&p.symbol))
        .map(|p| (p.name.clone(), p.symbol))
        .collect();
    for (name, symbol) in binary {
        let to = |x: Var| f::atom(symbol, &[x, 0]);
        let definitions = [
            ("has", f::exists(1, f::atom(symbol, &[0, 1]))),
            ("by", f::exists(1, to(1))),
            ("shared", f::exists(1, f::exists(2, f::and([to(1), to(2), f::differ(1, 2)])))),
        ];
        for (word, definition) in definitions {
            vocabulary.derive(&format!("{word}[{name}]"), 1, Span::default(), definition);
        }
    }
}

/// Main alone, at its beginning.
fn initial(vocabulary: &Vocabulary, entry: Option<Symbol>) -> Initial {
    let layout = vocabulary.layout();
    let mut structure = Structure::new(layout);
    let main = structure.push_node(layout).unwrap_or(0);
    let started = vocabulary.symbol("started");
    for symbol in entry.into_iter().chain(started).filter(|s| *s != SUMMARY) {
        structure.set(layout, symbol, [main, 0], Kleene::True);
    }
    for (predicate, definition) in vocabulary.derived() {
        define(&mut structure, layout, (predicate.symbol, definition), |_| true);
    }
    Initial { name: "main".to_string(), span: Span::default(), structure }
}
