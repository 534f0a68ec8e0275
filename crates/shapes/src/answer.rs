//! The whole way from a model to answers: promises, the abstract space, every property, and concrete runs for what may be violated.
//!
//! *Holds*: no abstract run is bad, and abstract runs cover all concrete ones. *Violated*: a concrete run with few individuals is
//! bad; it was taken step by step in the two-valued semantics, and a bad infinite run was held against the meaning of the formula.
//! Otherwise *unknown*, with the abstract run that may be bad.

use crate::concrete::{Concrete, State, Step};
use crate::crosscheck::{self, Checked, Uncovered, each_population, each_population_until};
use crate::formula::{Formula, not};
use crate::kleene::Kleene;
use crate::model::{Claim, Model, Prepared};
use crate::obligation::{self, Standing};
use crate::promise::{self, Promise, Tried};
use crate::reduce::reduce;
use crate::runs::{Bounds, Runs};
use crate::space::{Join, Space, Wish, explore};
use crate::structure::Structure;
use crate::temporal::{Assumed, Kripke, Lasso};
use explore::{Stop, Watch};
use logic::automata::{Automaton, translate};
use logic::ltl::{self, semantics};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

#[derive(Clone, Debug)]
pub struct Request {
    pub join: Join,
    pub population_fairness: bool,
    pub cross_check: bool,
    /// Look for bad states in concrete runs before anything is abstracted; what is found there is not asked again.
    pub concrete_first: bool,
    /// Leave out interleavings that make no difference to what is asked (see `reduce`).
    pub reduce: bool,
    /// Names of properties; empty for all. `deadlock`, `error` and those of the file.
    pub selected: Vec<String>,
    pub max_states: Option<u64>,
    pub max_memory: Option<u64>,
    /// How many individuals behind summary nodes concrete runs may have.
    pub individuals: usize,
    pub bounds: Bounds,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            join: Join::Relational,
            population_fairness: true,
            cross_check: false,
            concrete_first: false,
            reduce: true,
            selected: Vec::new(),
            max_states: None,
            max_memory: None,
            individuals: 5,
            bounds: Bounds { states: 5_000, individuals: 9 },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Deadlock,
    /// An invariant of the file.
    Invariant,
    /// An action that is an error is taken.
    Error,
    Ltl,
    Never,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Holds,
    Violated(Box<Run>),
    Unknown { reason: String, doubt: Option<Box<Doubt>> },
}

/// A concrete run, replayed.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub states: Vec<State>,
    pub steps: Vec<Step>,
    /// After the last step the run goes on as after this one, for ever.
    pub loop_start: Option<usize>,
    pub message: String,
    /// No shorter run with so few individuals is bad.
    pub shortest: bool,
}

/// An abstract run that may be bad: numbers of abstract states and of actions.
#[derive(Clone, Debug, Default)]
pub struct Doubt {
    pub states: Vec<Structure>,
    pub actions: Vec<Option<usize>>,
    pub loop_start: Option<usize>,
    /// What is 1/2 where the doubt begins.
    pub because: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Answered {
    pub name: String,
    pub kind: Kind,
    pub verdict: Verdict,
    /// Why a property that holds says little.
    pub vacuous: Option<String>,
    /// Of the product.
    pub states: u64,
    pub transitions: u64,
    pub fairness_used: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub properties: Vec<Answered>,
    pub space: Space,
    pub tried: Tried,
    /// The promises that are not proved, and how much is known of them.
    pub relied_on: BTreeMap<Promise, Standing>,
    pub checked: Option<Result<Checked, Box<Uncovered>>>,
}

/// The names of everything that can be asked.
pub fn properties(model: &Model) -> Vec<(String, Kind)> {
    let errors = model.actions.iter().any(|a| a.error.is_some());
    let built_in = [(!model.threads.is_empty(), "deadlock", Kind::Deadlock), (errors, "error", Kind::Error)];
    let built_in = built_in.into_iter().filter(|(there, ..)| *there).map(|(_, n, k)| (n.to_string(), k));
    let own = model.properties.iter().map(|p| {
        let kind = match p.claim {
            Claim::Invariant(_) => Kind::Invariant,
            Claim::Ltl { .. } => Kind::Ltl,
            Claim::Never { .. } => Kind::Never,
        };
        (p.name.clone(), kind)
    });
    built_in.chain(own).collect()
}

pub fn answer(model: &Model, request: &Request, watch: &mut dyn Watch) -> Answer {
    let asked: Vec<(String, Kind)> = properties(model)
        .into_iter()
        .filter(|(name, _)| request.selected.is_empty() || request.selected.contains(name))
        .collect();
    let mut answers: Vec<Answer> = Vec::new();
    for (reduced, group) in together(model, request, &asked) {
        answers.push(answer_group(&reduced, request, &group, watch));
        if answers.iter().any(|a| !a.tried.broken.is_empty() || a.tried.nothing) {
            break;
        }
    }
    let mut rest = answers.into_iter();
    let mut first = rest.next().unwrap_or_default();
    for more in rest {
        first.merge(more);
    }
    let place = |p: &Answered| asked.iter().position(|(name, _)| *name == p.name);
    first.properties.sort_by_key(place);
    first
}

/// Properties that allow the same reduction are answered together; with nothing asked for there is still a space.
fn together(model: &Model, request: &Request, asked: &[(String, Kind)]) -> Vec<(Model, Vec<(String, Kind)>)> {
    let mut groups: Vec<(Model, Vec<(String, Kind)>)> = Vec::new();
    for property in asked {
        let mut reduced = model.clone();
        if request.reduce {
            reduce(&mut reduced, std::slice::from_ref(&property.0));
        }
        let same = |m: &Model| m.passing == reduced.passing && m.collects == reduced.collects;
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

impl Answer {
    /// Takes in the answers about other properties, from a space of their own.
    fn merge(&mut self, other: Answer) {
        self.properties.extend(other.properties);
        self.tried.broken.extend(other.tried.broken);
        self.tried.nothing |= other.tried.nothing;
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
        if other.space.states.len() > self.space.states.len() {
            let taken = std::mem::take(&mut self.space.taken);
            let notes = std::mem::take(&mut self.space.notes);
            self.space = Space { taken, notes, ..other.space };
        }
    }
}

fn answer_group(model: &Model, request: &Request, asked: &[(String, Kind)], watch: &mut dyn Watch) -> Answer {
    let prepared = model.prepare(&[]);
    let trial = Bounds { states: 400.min(request.bounds.states), ..request.bounds };
    let mut tried = promise::try_out(model, &prepared, request.individuals.min(3), trial);
    let relied_on = obligation::examine(model);
    if tried.broken.is_empty() && relied_on.values().any(|s| matches!(s, Standing::Open { .. })) {
        // Nothing proves it, so it is tried harder.
        let most = request.individuals.min(3);
        tried = promise::try_out(model, &prepared, most, Bounds { states: 2_000.min(request.bounds.states), ..trial });
    }
    if !tried.broken.is_empty() || tried.nothing {
        return Answer { tried, ..Answer::default() };
    }
    let watch = RefCell::new(watch);
    let mut asking = Asking { model, request, prepared, space: Space::default(), watch: &watch };
    let mut early: Vec<Answered> = Vec::new();
    if request.concrete_first {
        early = asking.early(asked);
    }
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
    let properties = asked.iter().map(one).collect();
    Answer { properties, space: asking.space, tried, relied_on, checked }
}

struct Asking<'a, 'w> {
    model: &'a Model,
    request: &'a Request,
    prepared: Prepared,
    space: Space,
    watch: &'a RefCell<&'w mut dyn Watch>,
}

/// A watch behind a shared reference.
struct Shared<'a, 'w>(&'a RefCell<&'w mut dyn Watch>);

impl Watch for Shared<'_, '_> {
    fn look(&mut self, progress: &explore::Progress) -> std::ops::ControlFlow<Stop> {
        self.0.borrow_mut().look(progress)
    }
}

impl Asking<'_, '_> {
    /// Explores the abstract space.
    fn abstracted(&mut self) {
        let invariants = self.model.properties.iter().map(|p| match &p.claim {
            Claim::Invariant(f) => f.clone(),
            _ => crate::formula::TRUE,
        });
        let wish = Wish {
            join: self.request.join,
            invariants: invariants.collect(),
            edges: self.request.join == Join::Relational,
            max_states: self.request.max_states,
            max_memory: self.request.max_memory,
            ..Wish::default()
        };
        self.space = explore(&mut self.prepared, &wish, &mut Shared(self.watch));
    }

    /// Bad states of concrete runs, before anything is abstracted.
    fn early(&self, asked: &[(String, Kind)]) -> Vec<Answered> {
        let states = asked.iter().filter(|(_, kind)| !matches!(kind, Kind::Ltl | Kind::Never));
        let states: Vec<(String, Kind)> = states.cloned().collect();
        let runs = self.concrete_states(&states);
        let answered = |((name, kind), run): ((String, Kind), Option<Run>)| {
            let verdict = self.judge(run?);
            matches!(verdict, Verdict::Violated(_)).then(|| Answered {
                name,
                kind,
                verdict,
                vacuous: None,
                states: 0,
                transitions: 0,
                fairness_used: false,
            })
        };
        states.into_iter().zip(runs).filter_map(answered).collect()
    }

    fn one(&mut self, name: String, kind: Kind) -> Answered {
        match kind {
            Kind::Deadlock => self.safety(name, kind, |asking| asking.may_deadlock()),
            Kind::Error => self.safety(name, kind, |asking| asking.may_err()),
            Kind::Invariant => {
                let at = self.model.properties.iter().position(|p| p.name == name);
                self.safety(name, kind, |asking| asking.may_break(at))
            }
            Kind::Ltl | Kind::Never => self.temporal(name, kind),
        }
    }

    /// A property of single states: `suspect` gives an abstract run to a state that may be bad.
    fn safety(&mut self, name: String, kind: Kind, suspect: impl Fn(&Self) -> Option<Doubt>) -> Answered {
        let doubt = suspect(self);
        let verdict = match doubt {
            None if self.space.is_complete() => Verdict::Holds,
            None => match self.concrete_state(&name, kind) {
                Some(run) => self.judge(run),
                None => Verdict::Unknown { reason: self.incomplete(), doubt: None },
            },
            Some(doubt) => match self.concrete_state(&name, kind) {
                Some(run) => self.judge(run),
                None => Verdict::Unknown { reason: self.spurious(), doubt: Some(Box::new(doubt)) },
            },
        };
        let (states, transitions) = (self.space.states.len() as u64, self.space.steps);
        Answered { name, kind, verdict, vacuous: None, states, transitions, fairness_used: false }
    }

    /// A run counts unless it depends on what the front end forgot.
    fn judge(&self, run: Run) -> Verdict {
        let guess = run.steps.iter().map(|s| &self.model.actions[s.action]).find(|a| a.guess);
        match guess {
            None => Verdict::Violated(Box::new(run)),
            Some(action) => {
                let reason = format!(
                    "a run violates it if `{}` goes as it likes, but what it depends on is forgotten; //@ any before the statement says that it may",
                    action.name
                );
                Verdict::Unknown { reason, doubt: None }
            }
        }
    }

    fn incomplete(&self) -> String {
        match self.space.stopped {
            Some(Stop::States) => "limit of states reached".to_string(),
            Some(Stop::Memory) => "memory limit reached".to_string(),
            Some(Stop::Time) => "time limit reached".to_string(),
            Some(Stop::Interrupt) => "interrupted".to_string(),
            Some(_) => "the search was stopped".to_string(),
            None => "a structure needs more than 64 nodes".to_string(),
        }
    }

    fn spurious(&self) -> String {
        format!(
            "an abstract run may violate it, but no run with up to {} individuals for the summary nodes does",
            self.request.individuals
        )
    }

    fn may_deadlock(&self) -> Option<Doubt> {
        let (can, waits) = self.model.deadlock();
        let value = |s: &Structure, f: &Formula| self.prepared.machine.value(s, f);
        let stuck = |s: &Structure| !can.iter().any(|f| value(s, f).must()) && value(s, &waits).may();
        let at = self.space.states.iter().position(stuck)?;
        let mut because: Vec<String> = Vec::new();
        for (action, f) in self.model.actions.iter().filter(|a| !a.idle).zip(&can) {
            if value(&self.space.states[at], f) == Kleene::Half {
                because.push(format!("whether `{}` can be taken", action.name));
            }
        }
        Some(self.doubt(at, None, because))
    }

    fn may_err(&self) -> Option<Doubt> {
        let errors = |n: &usize| self.model.actions[*n].error.is_some() && self.space.taken[*n];
        let number = (0..self.model.actions.len()).find(errors)?;
        let edge = self.space.edges.iter().find(|e| e.action == number);
        let because = edge.filter(|e| !e.definite).map(|_| "the precondition of the last step".to_string());
        Some(self.doubt(edge.map_or(0, |e| e.from), Some(number), because.into_iter().collect()))
    }

    fn may_break(&self, at: Option<usize>) -> Option<Doubt> {
        let breach = self.space.breaches.get(at?)?.as_ref()?;
        let because = (!breach.definite).then(|| "the invariant itself".to_string());
        Some(self.doubt(breach.state, breach.action, because.into_iter().collect()))
    }

    fn doubt(&self, state: usize, last: Option<usize>, because: Vec<String>) -> Doubt {
        let (actions, states) = self.space.way(state);
        Doubt {
            states: states.into_iter().map(|s| self.space.states[s].clone()).collect(),
            actions: actions.into_iter().chain(last).map(Some).collect(),
            loop_start: None,
            because,
        }
    }

    /// For each of some properties of states, a shortest concrete run to a bad state, with few individuals.
    fn concrete_states(&self, asked: &[(String, Kind)]) -> Vec<Option<Run>> {
        let (can, waits) = self.model.deadlock();
        let error = |a: &crate::runs::Arrow| self.model.actions[a.action].error.clone();
        let broken = |name: &str| {
            let claims = self.model.properties.iter().filter(|p| p.name == name).map(|p| &p.claim);
            claims.filter_map(|c| if let Claim::Invariant(f) = c { Some(not(f.clone())) } else { None }).next()
        };
        let broken: Vec<Option<Formula>> = asked.iter().map(|(name, _)| broken(name)).collect();
        // What is wrong with a state, or with a step from it.
        let wrong = |c: &Concrete<'_>, runs: &Runs, at: usize, property: usize| match asked[property].1 {
            Kind::Deadlock => {
                let state = &runs.states[at];
                let dead = c.holds(state, &waits) && !can.iter().any(|f| c.holds(state, f));
                dead.then(|| "nobody can move, and somebody is not where it may rest".to_string())
            }
            Kind::Invariant => {
                let breaks = broken[property].as_ref().is_some_and(|f| c.holds(&runs.states[at], f));
                breaks.then(|| format!("the invariant `{}` does not hold", asked[property].0))
            }
            _ => runs.arrows[at].iter().find_map(error),
        };
        let bad: RefCell<Vec<Option<usize>>> = RefCell::new(vec![None; asked.len()]);
        let found: RefCell<Vec<Option<Run>>> = RefCell::new(vec![None; asked.len()]);
        let stop = &mut |c: &Concrete<'_>, runs: &Runs, at: usize| {
            let mut bad = bad.borrow_mut();
            for (property, bad) in bad.iter_mut().enumerate() {
                if bad.is_none() && wrong(c, runs, at, property).is_some() {
                    *bad = Some(at);
                }
            }
            bad.iter().zip(&*found.borrow()).all(|(bad, found)| bad.is_some() || found.is_some())
        };
        let (most, bounds) = (self.request.individuals, self.request.bounds);
        each_population_until(self.model, &self.prepared, most, bounds, stop, &mut |c, runs| {
            let mut found = found.borrow_mut();
            for (property, bad) in bad.borrow_mut().iter_mut().enumerate() {
                let Some(at) = bad.take().filter(|_| found[property].is_none()) else { continue };
                let Some(message) = wrong(c, &runs, at, property) else { continue };
                let fails = asked[property].1 == Kind::Error;
                let last = runs.arrows[at].iter().position(|a| fails && error(a).is_some());
                found[property] = self.replay(c, &runs, at, last, message);
            }
            found.iter().all(Option::is_some) || !self.goes_on()
        });
        found.into_inner()
    }

    fn concrete_state(&self, name: &str, kind: Kind) -> Option<Run> {
        self.concrete_states(&[(name.to_string(), kind)]).pop()?
    }

    /// Takes a run again from its first state; `None` if that is not possible, which would be our bug.
    fn replay(
        &self,
        c: &Concrete<'_>,
        runs: &Runs,
        at: usize,
        last: Option<usize>,
        message: String,
    ) -> Option<Run> {
        let way = runs.way(at).into_iter().chain(last.map(|arrow| (at, arrow)));
        let mut run = Run { message, shortest: true, ..Run::default() };
        let mut arrows = way.peekable();
        let first = arrows.peek().map_or(at, |(state, _)| *state);
        run.states.push(runs.states[first].clone());
        for (state, arrow) in arrows {
            self.take(c, runs, state, arrow, &mut run)?;
        }
        Some(run)
    }

    /// Adds a step. The individuals of the run are those of its first state, whatever order the state has in `runs`.
    fn take(&self, c: &Concrete<'_>, runs: &Runs, state: usize, arrow: usize, run: &mut Run) -> Option<()> {
        let here = run.states.last()?;
        let (normal, order) = c.normal(here);
        if normal != runs.states[state] {
            return None;
        }
        let mut step = runs.arrows[state][arrow].step.clone();
        step.part.values_mut().for_each(|u| *u = order[*u]);
        let next = c.step(here, &step, &self.model.actions[step.action])?;
        run.steps.push(step);
        run.states.push(next);
        Some(())
    }

    fn temporal(&mut self, name: String, kind: Kind) -> Answered {
        let unknown = |reason: String| Verdict::Unknown { reason, doubt: None };
        let mut answered = Answered {
            name: name.clone(),
            kind,
            verdict: unknown(String::new()),
            vacuous: None,
            states: 0,
            transitions: 0,
            fairness_used: false,
        };
        let claim = self.model.properties.iter().find(|p| p.name == name).map(|p| p.claim.clone());
        let (formula, bad, letters) = match claim {
            Some(Claim::Ltl { formula, letters }) => {
                match translate(&ltl::Formula::negation(formula.clone())) {
                    Ok(bad) => (Some(formula), bad, letters),
                    Err(reason) => {
                        answered.verdict = unknown(reason.to_string());
                        return answered;
                    }
                }
            }
            Some(Claim::Never { automaton, letters }) => (None, automaton, letters),
            _ => return answered,
        };
        let mut prepared = self.model.prepare(&letters);
        let who = self.model.fairness.iter().filter_map(|f| f.who).collect();
        let wish = Wish {
            edges: true,
            who,
            max_states: self.request.max_states,
            max_memory: self.request.max_memory,
            ..Wish::default()
        };
        let space = explore(&mut prepared, &wish, &mut Shared(self.watch));
        if !space.is_complete() {
            answered.verdict = unknown(Asking { space, prepared, ..*self }.incomplete());
            return answered;
        }
        let assumed = Assumed { population: self.request.population_fairness, scheduler: true };
        let kripke = Kripke::of_space(self.model, &prepared, &space, assumed);
        let limits = explore::Limits::default();
        let found = kripke.search(&bad, limits, &mut Shared(self.watch));
        (answered.states, answered.transitions) = (found.states, found.transitions);
        answered.fairness_used = !self.model.fairness.is_empty();
        answered.verdict = match (found.stopped, found.lasso) {
            (Some(_), _) => unknown("the search of the product was stopped".to_string()),
            (None, None) => Verdict::Holds,
            (None, Some(lasso)) => match self.concrete_lasso(&prepared, &bad, &letters, formula.as_ref()) {
                Some(run) => self.judge(run),
                None => {
                    let doubt = Some(Box::new(abstract_lasso(&space, &lasso)));
                    Verdict::Unknown { reason: self.spurious(), doubt }
                }
            },
        };
        if let (Verdict::Holds, Some(formula)) = (&answered.verdict, &formula) {
            answered.vacuous = self.vacuity(&kripke, formula);
        }
        answered
    }

    /// A concrete infinite run that is bad, with few individuals.
    fn concrete_lasso(
        &self,
        prepared: &Prepared,
        bad: &Automaton,
        letters: &[Formula],
        formula: Option<&ltl::Formula<usize>>,
    ) -> Option<Run> {
        let mut run = None;
        let assumed = Assumed { population: false, scheduler: true };
        each_population(
            self.model,
            prepared,
            self.request.individuals,
            self.request.bounds,
            &mut |c, runs| {
                let kripke = Kripke::of_runs(self.model, c, &runs, letters, assumed);
                let found = kripke.search(bad, explore::Limits::default(), &mut Shared(self.watch));
                if let Some(lasso) = found.lasso {
                    let word = |part: &[(usize, Option<usize>)]| {
                        part.iter().map(|(s, _)| kripke.letters[*s]).collect()
                    };
                    let word = ltl::Lasso::new(word(&lasso.stem), word(&lasso.cycle));
                    let is_bad = formula
                        .is_none_or(|f| !semantics::holds(f, &word, |atom, letter| letter >> atom & 1 == 1));
                    if is_bad {
                        run = self.replay_lasso(c, &runs, &lasso);
                        return true;
                    }
                }
                !self.goes_on()
            },
        );
        run
    }

    fn replay_lasso(&self, c: &Concrete<'_>, runs: &Runs, lasso: &Lasso) -> Option<Run> {
        let first = lasso.stem.first().or(lasso.cycle.first())?.0;
        let mut run = Run { message: "the run violates it".to_string(), ..Run::default() };
        run.states.push(runs.states[first].clone());
        for (state, arrow) in &lasso.stem {
            if let Some(arrow) = arrow {
                self.take(c, runs, *state, *arrow, &mut run)?;
            }
        }
        let start = run.steps.len();
        // Round by round until the very individuals are back in their places.
        let back = run.states.last()?.clone();
        for _ in 0..24 {
            for (state, arrow) in &lasso.cycle {
                if let Some(arrow) = arrow {
                    self.take(c, runs, *state, *arrow, &mut run)?;
                }
            }
            if *run.states.last()? == back {
                run.loop_start = Some(start);
                return Some(run);
            }
        }
        None
    }

    /// Whether a stronger formula holds as well, so that this one says less than it seems to.
    fn vacuity(&self, kripke: &Kripke, formula: &ltl::Formula<usize>) -> Option<String> {
        for (stronger, words) in strengthened(formula) {
            let Ok(bad) = translate(&ltl::Formula::negation(stronger)) else { continue };
            let found = kripke.search(&bad, explore::Limits::default(), &mut Shared(self.watch));
            if found.lasso.is_none() && found.stopped.is_none() {
                return Some(words);
            }
        }
        None
    }

    fn goes_on(&self) -> bool {
        let progress = explore::Progress::default();
        self.watch.borrow_mut().look(&progress).is_continue()
    }
}

fn abstract_lasso(space: &Space, lasso: &Lasso) -> Doubt {
    let steps = || lasso.stem.iter().chain(&lasso.cycle);
    let edges: Vec<Option<&crate::space::Edge>> = steps().map(|(_, o)| o.map(|e| &space.edges[e])).collect();
    let because = edges.iter().flatten().any(|e| !e.definite);
    Doubt {
        states: steps().map(|(s, _)| space.states[*s].clone()).collect(),
        actions: edges.iter().map(|e| e.map(|e| e.action)).collect(),
        loop_start: Some(lasso.stem.len()),
        because: because.then(|| "a precondition on the way".to_string()).into_iter().collect(),
    }
}

/// Stronger formulas, each with what it means that it holds too.
fn strengthened(formula: &ltl::Formula<usize>) -> Vec<(ltl::Formula<usize>, String)> {
    use ltl::{Binary, Formula as L, Unary};
    let mut found = Vec::new();
    match formula {
        L::Unary(Unary::Eventually, inner) => {
            found.push(((**inner).clone(), "it is true from the beginning".to_string()));
        }
        L::Binary(Binary::Until, _, right) => {
            found.push(((**right).clone(), "its right side is true from the beginning".to_string()));
        }
        L::Unary(Unary::Always, inner) => match &**inner {
            L::Binary(Binary::Implies, left, _) => {
                let never = L::unary(Unary::Always, L::negation((**left).clone()));
                found.push((never, "its condition is never true".to_string()));
            }
            L::Unary(Unary::Eventually, deep) => {
                let always = L::unary(Unary::Always, (**deep).clone());
                found.push((always, "it is always true, not only again and again".to_string()));
            }
            _ => {}
        },
        _ => {}
    }
    let mut atoms = HashSet::new();
    formula.atoms(&mut |a| {
        atoms.insert(*a);
    });
    let mut atoms: Vec<usize> = atoms.into_iter().collect();
    atoms.sort_unstable();
    for atom in atoms.iter().filter(|_| atoms.len() > 1) {
        let with = |value: bool| {
            let mut visited = formula.clone();
            replace(&mut visited, *atom, value);
            visited
        };
        let both = L::binary(Binary::And, with(true), with(false));
        found.push((both, format!("atom {} of it does not matter", atom + 1)));
    }
    found
}

fn replace(f: &mut ltl::Formula<usize>, atom: usize, value: bool) {
    match f {
        ltl::Formula::Atom(a) if *a == atom => *f = ltl::Formula::Constant(value),
        ltl::Formula::Constant(_) | ltl::Formula::Atom(_) => {}
        ltl::Formula::Unary(_, a) => replace(a, atom, value),
        ltl::Formula::Binary(_, a, b) => {
            replace(a, atom, value);
            replace(b, atom, value);
        }
    }
}
