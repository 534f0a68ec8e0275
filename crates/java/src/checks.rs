//! What is asked of every program: no two threads in a region, no circle of locks, no lost wake-up.
//!
//! *Lost wake-up*: a thread waits, and no thread that is not waiting itself will ever come to a
//! `notify` of that monitor again, nor start one that will, as far as the text shows. Such a
//! thread waits forever, whatever the others do. Two monitors are different objects if they are
//! those of two fields, each with an object of its own, or if no object is of both their classes.

use crate::draft::{Draft, Monitor, Variable};
use crate::flow::{Flow, Label};
use crate::lower::{HELD, Lower, Wish};
use crate::program::Program;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use structures::formula::{self as f, Formula, Var};
use structures::model::{Claim, Model, Property};
use structures::vocabulary::{Symbol, Vocabulary};

/// The place of a label of a flow.
type Places<'a> = &'a dyn Fn(usize, Label) -> Option<Symbol>;

/// A unary predicate: being at one of some places.
fn somewhere(vocabulary: &mut Vocabulary, name: &str, places: &BTreeSet<Symbol>) -> Symbol {
    vocabulary.derive(name, 1, Span::default(), f::or(places.iter().map(|p| f::atom(*p, &[0]))))
}

fn ask(model: &mut Model, name: &str, good: Formula) {
    let (name, claim) = (name.to_string(), Claim::Invariant(good));
    model.properties.push(Property { name, text: String::new(), span: Span::default(), claim });
}

/// `in[R](t)`: t is in region R; and no other thread is at the same time.
pub fn regions(vocabulary: &mut Vocabulary, flows: &[Flow], at: Places<'_>, model: &mut Model) {
    let mut all: BTreeMap<String, BTreeSet<Symbol>> = BTreeMap::new();
    for (n, flow) in flows.iter().enumerate() {
        for (name, statements) in &flow.regions {
            let labels = statements.iter().flat_map(|region| flow.inside(region));
            all.entry(name.clone()).or_default().extend(labels.filter_map(|l| at(n, l)));
        }
    }
    for (name, places) in all {
        let inside = somewhere(vocabulary, &format!("in[{name}]"), &places);
        let two = f::and([f::atom(inside, &[0]), f::atom(inside, &[1]), f::differ(0, 1)]);
        ask(model, &name, f::not(f::exists(0, f::exists(1, two))));
    }
}

/// That x is at a place where it asks for a lock l, for each such place.
fn wants(lower: &Lower<'_>, vocabulary: &Vocabulary, at: Places<'_>, [x, l]: [Var; 2]) -> Formula {
    let waiting = vocabulary.symbol("waiting");
    let one = |wish: &Wish| -> Option<Formula> {
        let here = f::atom(at(wish.flow, wish.label)?, &[x]);
        let asleep = if wish.woken { waiting.map(|w| f::not(f::atom(w, &[x]))) } else { None };
        let lock = refers(&wish.lock, x, l)?;
        Some(f::and([here, lock].into_iter().chain(asleep)))
    };
    f::or(lower.wishes.iter().filter_map(one))
}

/// That a variable of x refers to l.
fn refers(variable: &Variable, x: Var, l: Var) -> Option<Formula> {
    match variable {
        Variable::Single(s) => Some(f::atom(*s, &[l])),
        Variable::PerThread(s) => Some(f::atom(*s, &[x, l])),
        Variable::Myself => Some(f::equal(x, l)),
        _ => None,
    }
}

/// That x waits for the end of y, which has begun and not ended.
fn awaits(
    lower: &Lower<'_>,
    model: &Model,
    vocabulary: &Vocabulary,
    at: Places<'_>,
    [x, y]: [Var; 2],
) -> Formula {
    let one = |(flow, label, thread): &(usize, Label, Variable)| {
        Some(f::and([f::atom(at(*flow, *label)?, &[x]), refers(thread, x, y)?]))
    };
    let ends = model.threads.iter().flat_map(|t| t.ends.iter());
    let going = ends.map(|end| f::not(f::atom(*end, &[y])));
    // Who holds the monitor of the thread gives it back meanwhile.
    let begun = vocabulary.symbol("started").map(|s| f::atom(s, &[y]));
    let begun = begun.into_iter().chain(vocabulary.symbol(HELD).map(|h| f::not(f::atom(h, &[y, x]))));
    f::and([f::or(lower.joins.iter().filter_map(one))].into_iter().chain(going).chain(begun))
}

/// No thread waits for a lock whose holder waits, or for the end of one that waits, and so on, for
/// a lock that it holds itself or for its own end.
pub fn no_lock_cycle(lower: &Lower<'_>, vocabulary: &Vocabulary, at: Places<'_>, model: &mut Model) {
    let (x, y, l) = (1, 2, 3);
    let Some(held) = vocabulary.symbol(HELD).filter(|_| lower.wishes.len() + lower.joins.len() > 1) else {
        return;
    };
    let wants = wants(lower, vocabulary, at, [x, l]);
    let blocked = f::and([f::differ(x, y), f::exists(l, f::and([wants, f::atom(held, &[l, y])]))]);
    let step = match lower.joins.is_empty() {
        true => blocked,
        false => f::or([blocked, awaits(lower, model, vocabulary, at, [x, y])]),
    };
    ask(model, "lock-cycle", f::not(f::exists(0, f::closure(0, 0, x, y, step))));
}

pub fn no_lost_wakeup(
    lower: &Lower<'_>,
    vocabulary: &mut Vocabulary,
    flows: &[Flow],
    at: Places<'_>,
    model: &mut Model,
) {
    let Some(waiting) = vocabulary.symbol("waiting") else { return };
    let monitors: BTreeSet<&Monitor> = lower.waits.iter().map(|(_, _, monitor)| monitor).collect();
    let mut lost = Vec::new();
    for (number, monitor) in monitors.into_iter().enumerate() {
        let places = hopeful(lower, flows, monitor);
        let symbols =
            places.iter().enumerate().flat_map(|(n, all)| all.iter().filter_map(move |l| at(n, *l)));
        let name = if number == 0 { "may_notify".to_string() } else { format!("may_notify{number}") };
        let hopeful = somewhere(vocabulary, &name, &symbols.collect());
        let asleep = lower.waits.iter().filter(|(_, _, m)| m == monitor);
        let asleep = f::or(asleep.filter_map(|(flow, label, _)| at(*flow, *label)).map(|p| f::atom(p, &[0])));
        let mut helper = f::and([f::atom(hopeful, &[1]), f::not(f::atom(waiting, &[1]))]);
        if let (true, Some(held)) = (lower.nested_waits, vocabulary.symbol(HELD)) {
            // Who wants a lock of the one who waits cannot help.
            let wants = wants(lower, vocabulary, at, [1, 2]);
            let blocked = f::exists(2, f::and([wants, f::atom(held, &[2, 0])]));
            helper = f::and([helper, f::not(blocked)]);
        }
        lost.push(f::and([f::atom(waiting, &[0]), asleep, f::not(f::exists(1, helper))]));
    }
    ask(model, "lost-wakeup", f::not(f::exists(0, f::or(lost))));
}

/// The places from which a notify of this monitor can be reached, or of one that a thread waits on
/// that can reach one, or the start of one that can.
fn hopeful(lower: &Lower<'_>, flows: &[Flow], monitor: &Monitor) -> Vec<BTreeSet<Label>> {
    let (Monitor::Field(_, class) | Monitor::Class(class)) = monitor;
    let own = matches!(monitor, Monitor::Field(..)) && class == "Object";
    if !own && lower.may_be_thread(class) {
        // The end of a thread wakes who waits on it.
        let going = |flow: &Flow| flow.places().into_iter().filter(|p| *p != flow.root(flow.exit)).collect();
        return flows.iter().map(going).collect();
    }
    let (mut starts, mut helpful) = (false, BTreeSet::from([monitor]));
    loop {
        let wakes = |draft: &Draft| {
            let same = |m: &Monitor| helpful.iter().any(|h| lower.program.may_be_same(m, h));
            draft.wakes.as_ref().is_some_and(same)
        };
        let lead = |flow: &Flow| flow.leading(&|draft| wakes(draft) || starts && draft.starts.is_some());
        let places: Vec<BTreeSet<Label>> = flows.iter().map(lead).collect();
        let begins = |(flow, places): (&Flow, &BTreeSet<Label>)| places.contains(&flow.root(flow.entry));
        let begin = flows.iter().zip(&places).skip(1).any(begins);
        let sleepers =
            lower.waits.iter().filter(|(n, label, _)| places[*n].contains(&flows[*n].root(*label)));
        let known = helpful.len();
        let more: Vec<&Monitor> = sleepers.map(|(_, _, m)| m).collect();
        helpful.extend(more);
        if begin == starts && helpful.len() == known {
            return places;
        }
        starts = begin;
    }
}

impl Program<'_> {
    /// Whether two monitors may be one object, as far as the text shows.
    fn may_be_same(&self, a: &Monitor, b: &Monitor) -> bool {
        let (a, b) = match (a, b) {
            (Monitor::Field(f, _), Monitor::Field(g, _)) => return f == g,
            (Monitor::Field(_, a) | Monitor::Class(a), Monitor::Field(_, b) | Monitor::Class(b)) => (a, b),
        };
        let closed = ["Condition", "Class", "Thread"];
        let any = |class: &str| !self.classes.contains_key(class) && !closed.contains(&class);
        a == b || any(a) || any(b) || self.below(a).iter().any(|class| self.is_a(class, b)) || self.is_a(b, a)
    }
}
