//! The whole way from a model to what is known of it: constraints, the abstract space, every
//! property, and concrete runs for what may be violated.
//!
//! Nothing is seen: no abstract run is bad, and abstract runs cover all concrete ones. A run is
//! seen: a concrete one with few individuals that is bad; it was taken step by step in the
//! two-valued semantics, and a bad infinite run was held against the meaning of the formula.
//! Otherwise it is open, with the abstract run that may be bad.

mod blocked;
mod exact;
mod infinite;
mod races;
mod states;
mod witness;

use crate::abstracted::{Join, Space};
use crate::concrete::Bounds;
use crate::crosscheck::{self, Checked, Uncovered};
use crate::integrity::{self, Integrity, Tried};
use crate::obligation::{self, Evidence};
use crate::prepared::prepare;
use crate::reduce::reduce;
use exact::Exact;
pub use exact::Looked;
use explore::{Limits, Listener, Progress, Stop};
use states::{Asking, Shared};
use std::cell::RefCell;
use std::collections::BTreeMap;
use structures::model::{Claim, Model};
use structures::race;
use structures::structure::Structure;

/// What is asked of a model, and how hard to try.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which structures are one state.
    pub join: Join,
    /// Abstract runs count only if a name that loses individuals again and again also gains some
    /// again and again.
    pub population_fairness: bool,
    /// Compare the abstract space with concrete runs.
    pub cross_check: bool,
    /// Look for bad states in concrete runs before anything is abstracted; what is found there is
    /// not asked again.
    pub concrete_first: bool,
    /// The abstract space itself is asked for, to be drawn; answers do not depend on that.
    pub whole_space: bool,
    /// Leave out interleavings that make no difference to what is asked (see `reduce`).
    pub reduce: bool,
    /// Look for data races, whatever is selected.
    pub races: bool,
    /// Found for every variable, even if one is known to have a data race.
    pub all_races: bool,
    /// Names of properties; empty for all. `deadlock`, `error` and those of the file.
    pub selected: Vec<String>,
    /// Threads of the machine that search the abstract space.
    pub workers: usize,
    /// Of the search of the abstract space.
    pub limits: Limits,
    /// How many individuals behind summary nodes concrete runs may have.
    pub individuals: usize,
    /// Of concrete runs.
    pub bounds: Bounds,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            join: Join::Relational,
            population_fairness: true,
            cross_check: false,
            concrete_first: false,
            whole_space: false,
            reduce: true,
            races: true,
            all_races: false,
            selected: Vec::new(),
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::default(),
            individuals: 5,
            bounds: Bounds { states: 5_000, individuals: 9 },
        }
    }
}

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Some thread is not at a valid end, and nothing is enabled.
    Deadlock,
    /// An invariant of the file.
    Invariant,
    /// An action that is an error is taken.
    Error,
    /// Two threads access a variable at the same time.
    Race,
    /// A temporal formula of the file.
    Ltl,
    /// An automaton of bad runs.
    Never,
}

/// What was seen of a property; which verdict follows is not said here.
#[derive(Clone, Debug)]
pub enum Seen {
    /// No abstract run is bad.
    Nothing,
    /// A concrete run is bad.
    Run(Box<Witness>),
    /// An abstract run may be bad, or not everything was seen.
    Open {
        /// Which limit was reached, or why the abstract run may be spurious.
        reason: String,
        /// The abstract run, if there is one.
        candidate: Option<Box<Candidate>>,
    },
}

/// A concrete run that is bad; its first state is written down.
#[derive(Clone, Debug)]
pub struct Witness {
    /// As the reference executes it.
    pub run: space::Run,
    /// What is violated, in one sentence without a full stop.
    pub message: String,
    /// No shorter run with as few individuals is bad.
    pub shortest: bool,
}

/// An abstract run that may be bad: numbers of abstract states and of actions.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    /// From an initial structure on.
    pub states: Vec<Structure>,
    /// Between the states; none where nothing is taken.
    pub actions: Vec<Option<usize>>,
    /// Where the cycle begins, if it is a lasso.
    pub loop_start: Option<usize>,
    /// What is 1/2 where the run is not certain.
    pub because: Vec<String>,
}

/// What was found of a property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// By which reports refer to it.
    pub name: String,
    /// What kind of property it is.
    pub kind: Kind,
    /// What was seen of it.
    pub seen: Seen,
    /// Why a property that holds says little.
    pub vacuous: Option<String>,
    /// Of the product.
    pub states: u64,
    /// Of the product.
    pub transitions: u64,
    /// Whether fairness was taken into account.
    pub fairness_used: bool,
}

impl Outcome {
    /// Without a product.
    fn new(name: &str, kind: Kind, seen: Seen) -> Outcome {
        let name = name.to_string();
        Outcome { name, kind, seen, vacuous: None, states: 0, transitions: 0, fairness_used: false }
    }
}

/// What was found of everything asked for.
#[derive(Default)]
pub struct Found {
    /// One for each property asked for.
    pub properties: Vec<Outcome>,
    /// The abstract space, as far as it was searched.
    pub space: Space,
    /// What was looked at if that was everything, without abstraction.
    pub looked: Option<Looked>,
    /// Interleavings were left out.
    pub reduced: bool,
    /// What runs with few individuals say of the integrity constraints.
    pub tried: Tried,
    /// The constraints that are not proved, and how much is known of them.
    pub relied_on: BTreeMap<Integrity, Evidence>,
    /// The comparison with concrete runs, if it was asked for.
    pub checked: Option<Result<Checked, Box<Uncovered>>>,
    /// The space to be drawn, if it is another one: with edges.
    pub drawn: Option<Space>,
}

/// The names of everything that can be asked.
pub fn properties(model: &Model) -> Vec<(String, Kind)> {
    let errors = model.actions.iter().any(|a| a.error.is_some());
    let built_in = [(!model.threads.is_empty(), "deadlock", Kind::Deadlock), (errors, "error", Kind::Error)];
    let built_in = built_in.into_iter().filter(|(there, ..)| *there).map(|(_, n, k)| (n.to_string(), k));
    let own = model.properties.iter().map(|p| {
        let kind = match p.claim {
            Claim::Invariant(_) => Kind::Invariant,
            Claim::Race { .. } => Kind::Race,
            Claim::Ltl { .. } => Kind::Ltl,
            Claim::Never { .. } => Kind::Never,
        };
        (p.name.clone(), kind)
    });
    built_in.chain(own).collect()
}

/// Answers what is asked, by concrete runs and by the abstract space.
pub fn answer(model: &Model, request: &Request, watch: &mut dyn Listener) -> Found {
    let mut asked: Vec<(String, Kind)> = properties(model)
        .into_iter()
        .filter(|(name, kind)| match kind {
            Kind::Race => request.races,
            _ => request.selected.is_empty() || request.selected.contains(name),
        })
        .collect();
    let order = asked.clone();
    let settled = races::settled(model, &mut asked);
    let mut answers: Vec<Found> = Vec::new();
    let mut strict = model.clone();
    race::without_weak(&mut strict);
    let groups =
        if asked.is_empty() && !settled.is_empty() { Vec::new() } else { together(&strict, request, &asked) };
    for (reduced, group) in groups {
        let known: Vec<Outcome> = answers.iter().flat_map(|a| a.properties.clone()).collect();
        let open = races::worth_asking(request, &group, &known);
        if open.is_empty() && !group.is_empty() {
            continue;
        }
        answers.push(answer_group(&reduced, request, &open, watch));
        if answers.iter().any(|a| !a.tried.broken.is_empty() || a.tried.nothing) {
            break;
        }
    }
    for (reduced, group) in again(model, request, &answers) {
        let mut more = answer_group(&reduced, request, &group, watch);
        races::replace(&mut answers, &mut more);
        answers.push(more);
    }
    let mut rest = answers.into_iter();
    let mut first = rest.next().unwrap_or_default();
    for more in rest {
        first.merge(more);
    }
    first.properties.extend(settled);
    first.properties.iter_mut().for_each(|p| races::vague_is_unknown(model, p));
    let place = |p: &Outcome| order.iter().position(|(name, _)| *name == p.name);
    first.properties.sort_by_key(place);
    first
}

/// What is asked once more, with what Java does not order.
fn again(model: &Model, request: &Request, answers: &[Found]) -> Vec<(Model, Vec<(String, Kind)>)> {
    let open = races::to_ask_again(model, request, answers);
    if open.is_empty() { Vec::new() } else { together(model, request, &open) }
}

/// Properties that allow the same reduction are answered together; with nothing asked for there is
/// still a space.
fn together(model: &Model, request: &Request, asked: &[(String, Kind)]) -> Vec<(Model, Vec<(String, Kind)>)> {
    let mut groups: Vec<(Model, Vec<(String, Kind)>)> = Vec::new();
    for property in asked {
        let mut reduced = model.clone();
        if request.reduce {
            reduce(&mut reduced, std::slice::from_ref(&property.0));
        }
        let same = |m: &Model| m.transient == reduced.transient && m.collects == reduced.collects;
        match groups.iter_mut().find(|(m, _)| same(m)) {
            Some((_, group)) => group.push(property.clone()),
            None => groups.push((reduced, vec![property.clone()])),
        }
    }
    if groups.is_empty() {
        groups.push((model.clone(), Vec::new()));
    }
    groups
}

impl Found {
    /// Takes in the answers about other properties, from a space of their own.
    fn merge(&mut self, other: Found) {
        self.reduced |= other.reduced;
        self.properties.extend(other.properties);
        self.tried.broken.extend(other.tried.broken);
        self.tried.nothing |= other.tried.nothing;
        self.looked = match (self.looked.take(), other.looked) {
            (Some(mut a), Some(b)) => {
                a.taken.iter_mut().zip(&b.taken).for_each(|(a, b)| *a |= b);
                (a.states, a.steps) = (a.states.max(b.states), a.steps.max(b.steps));
                Some(a)
            }
            (a, b) => a.or(b),
        };
        self.space.taken.iter_mut().zip(&other.space.taken).for_each(|(a, b)| *a |= b);
        self.space.notes.declined.extend(other.space.notes.declined.iter().copied());
        self.checked = match (self.checked.take(), other.checked) {
            (Some(Ok(a)), Some(Ok(b))) => Some(Ok(Checked {
                states: a.states + b.states,
                populations: a.populations + b.populations,
                complete: a.complete + b.complete,
            })),
            (Some(Err(e)), _) | (_, Some(Err(e))) => Some(Err(e)),
            (a, b) => a.or(b),
        };
        self.drawn = self.drawn.take().or(other.drawn);
        if other.space.len() > self.space.len() {
            let taken = std::mem::take(&mut self.space.taken);
            let notes = std::mem::take(&mut self.space.notes);
            self.space = Space { taken, notes, ..other.space };
        }
    }
}

/// The search was stopped before it had begun.
fn unanswered(model: &Model, asked: &[(String, Kind)], stop: Stop) -> Found {
    let seen = Seen::Open { reason: states::reason(stop).to_string(), candidate: None };
    let unknown = |(name, kind): &(String, Kind)| Outcome::new(name, *kind, seen.clone());
    // Nothing is known about actions that are never taken.
    let space = Space { stopped: Some(stop), taken: vec![true; model.actions.len()], ..Space::default() };
    Found { properties: asked.iter().map(unknown).collect(), space, ..Found::default() }
}

fn answer_group(
    model: &Model,
    request: &Request,
    asked: &[(String, Kind)],
    watch: &mut dyn Listener,
) -> Found {
    let watch = RefCell::new(watch);
    let mut early: Vec<Outcome> = Vec::new();
    let mut looked = None;
    if let Some(exact) = Exact::search(model, request, &watch) {
        early.extend(asked.iter().filter_map(|(name, kind)| exact.answer(name, *kind)));
        looked = Some(exact.looked());
    }
    if !asked.is_empty() && early.len() == asked.len() {
        let reduced = !model.transient.is_empty() || model.collects;
        let taken = looked.as_ref().map(|l| l.taken.clone()).unwrap_or_default();
        let space = Space { taken, ..Space::default() };
        let checked = request.cross_check.then(|| checked_alone(model, request, &watch)).flatten();
        let drawn = request.whole_space.then(|| drawn(model, request, &watch));
        return Found { properties: early, space, looked, reduced, checked, drawn, ..Found::default() };
    }
    let prepared = prepare(model, &[]);
    let stopped = || Shared(&watch).look(&Progress::default()).break_value();
    let over = &|| stopped().is_some();
    let relied_on = obligation::examine(model, over);
    // What every step is proved to keep, in states of any size, needs to be looked at only where
    // runs begin.
    let enough = if relied_on.is_empty() { 40 } else { 400 };
    let trial = Bounds { states: 400.min(request.bounds.states), ..request.bounds };
    let first = Bounds { states: enough.min(request.bounds.states), ..request.bounds };
    let most = request.individuals.min(3);
    let mut tried = integrity::try_out(model, &prepared, most, first, over);
    if tried.broken.is_empty() && relied_on.values().any(|s| matches!(s, Evidence::Open { .. })) {
        // Nothing proves it, so it is tried harder.
        let harder = Bounds { states: 2_000.min(request.bounds.states), ..trial };
        tried = integrity::try_out(model, &prepared, most, harder, over);
    }
    if !tried.broken.is_empty() || tried.nothing {
        return Found { tried, ..Found::default() };
    }
    if let Some(stop) = stopped() {
        return unanswered(model, asked, stop);
    }
    let mut asking = Asking { model, request, prepared, space: Space::default(), watch: &watch };
    if request.concrete_first && looked.is_none() {
        early = asking.early(asked);
    }
    let open = races::worth_asking(request, asked, &early);
    let asked = &open[..];
    let mut checked = None;
    if asked.is_empty() || asked.iter().any(|(name, _)| early.iter().all(|e| e.name != *name)) {
        asking.abstracted();
        checked = (request.cross_check && asking.space.is_complete()).then(|| {
            crosscheck::crosscheck(model, &asking.prepared, &asking.space, request.individuals, trial)
        });
    } else {
        asking.space.stopped = Some(Stop::Violation);
        asking.space.taken = vec![true; model.actions.len()];
    }
    let one = |(name, kind): &(String, Kind)| match early.iter().position(|e| e.name == *name) {
        Some(at) => early.swap_remove(at),
        None => asking.one(name.clone(), *kind),
    };
    let mut properties: Vec<Outcome> = asked.iter().map(one).collect();
    if request.concrete_first && looked.is_none() && exact::is_fixed(model) {
        properties.iter_mut().for_each(exact::partial_is_unknown);
    }
    let space = asking.space;
    let reduced = !model.transient.is_empty() || model.collects;
    let other = request.whole_space && request.join == Join::Partial;
    let drawn = other.then(|| drawn(model, request, &watch));
    Found { properties, space, looked, reduced, tried, relied_on, checked, drawn }
}

/// The abstract space with edges, which only relational spaces have.
fn drawn(model: &Model, request: &Request, watch: &RefCell<&mut dyn Listener>) -> Space {
    let request = &Request { join: Join::Relational, ..request.clone() };
    let prepared = prepare(model, &[]);
    let mut asking = Asking { model, request, prepared, space: Space::default(), watch };
    asking.abstracted();
    asking.space
}

/// The abstract space held against concrete runs, where answers need neither.
fn checked_alone(
    model: &Model,
    request: &Request,
    watch: &RefCell<&mut dyn Listener>,
) -> Option<Result<Checked, Box<Uncovered>>> {
    let trial = Bounds { states: 400.min(request.bounds.states), ..request.bounds };
    let prepared = prepare(model, &[]);
    let mut asking = Asking { model, request, prepared, space: Space::default(), watch };
    asking.abstracted();
    let complete = asking.space.is_complete();
    complete
        .then(|| crosscheck::crosscheck(model, &asking.prepared, &asking.space, request.individuals, trial))
}
