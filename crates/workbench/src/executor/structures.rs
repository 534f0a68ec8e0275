//! Executes a model of structures in the two-valued semantics and reports what happens.
//!
//! A run begins in a concrete structure: one that is written down, or one of those that the initial
//! structures of the model stand for, with few individuals. A step is an action and who takes part:
//! pairs of a variable and an individual.

use super::java_words::{JavaWords, moves_without};
use super::{Executor, Offer, RunStatus, not_enabled};
use crate::failure::Failure;
use crate::recording::Recording;
use crate::report::{
    Actor, Ending, Frame, Heap, Location, Need, RaceSide, Report, ReportStep, Statement, Tie, Waiting,
};
use crate::shapes::heap::heap;
use crate::values::{Change, Variable};
use java::Reading;
use shapes::concrete::{Concrete, State, Step as Taken};
use shapes::concretize::{Concretizer, populations};
use shapes::picture::structure;
use source::SourceMap;
use space::{Reference, Run, Start, Step};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;
use structures::action::Action;
use structures::model::{Model, Thread};
use structures::reference::Meaning;
use structures::vocabulary::{Predicate, Symbol};
use structures::written::INDIVIDUALS;

/// Initial states to choose from: this many individuals for summary nodes, and this many states of
/// one population, at most.
const SUMMARIES: usize = 3;
const STATES: usize = 20;

pub(crate) struct StructuresExecutor<'a> {
    model: &'a Model,
    map: &'a SourceMap,
    origin: Recording,
    reading: Reading,
    initial: OnceCell<Vec<State>>,
    states: Vec<State>,
    steps: Vec<Taken>,
    /// What is enabled now.
    next: OnceCell<Next>,
}

/// The enabled steps, and whether some are left out because they make too many individuals.
#[derive(Default)]
struct Next {
    steps: Vec<(Taken, State)>,
    cut: bool,
}

impl<'a> StructuresExecutor<'a> {
    /// `origin` names the file; `reading` is how Java was read.
    pub fn new(
        model: &'a Model,
        map: &'a SourceMap,
        origin: Recording,
        reading: Reading,
    ) -> StructuresExecutor<'a> {
        StructuresExecutor {
            model,
            map,
            origin,
            reading,
            initial: OnceCell::new(),
            states: Vec::new(),
            steps: Vec::new(),
            next: OnceCell::new(),
        }
    }

    /// A run that was found, as it is written to a file.
    pub fn recording(&self, run: &Run, ending: Ending) -> Recording {
        let start = match &run.start {
            Start::Text(text) => Start::Text(self.start_text(text)),
            number => number.clone(),
        };
        Recording { start, steps: run.steps.clone(), ending, ..self.origin.clone() }
    }

    fn concrete(&self) -> Concrete<'a> {
        Concrete::new(&self.model.vocabulary)
    }

    /// How Java is read, and a state.
    fn start_text(&self, state: &str) -> String {
        let words = self.reading.words().into_iter().chain([state]);
        words.collect::<Vec<_>>().join("; ")
    }

    /// Whether a run may begin in a state that a file gives.
    fn is_initial(&self, state: &State) -> bool {
        let meaning = Meaning::new(self.model, self.concrete(), Vec::new(), &[]);
        meaning.is_initial(state).unwrap_or(false)
    }

    /// Concrete initial states, few individuals first.
    fn initial(&self) -> &[State] {
        self.initial.get_or_init(|| {
            let prepared = shapes::prepared::prepare(self.model, &[]);
            let coercion = &prepared.machine.coercion;
            let vocabulary = &prepared.vocabulary;
            let concretizer = Concretizer { vocabulary, coercion, constraints: &coercion.constraints };
            let mut cases = Vec::new();
            for s in &prepared.initial {
                let summaries = concretizer.summaries(s).len();
                cases.extend(populations(summaries, SUMMARIES.max(summaries)).into_iter().map(|p| (s, p)));
            }
            cases.sort_by_key(|(_, sizes)| sizes.iter().sum::<usize>());
            let mut all: Vec<State> = Vec::new();
            for (s, sizes) in cases {
                for mut state in concretizer.states(s, &sizes).0.into_iter().take(STATES) {
                    state.truth.truncate(self.model.vocabulary.predicates.len());
                    if !all.contains(&state) {
                        all.push(state);
                    }
                }
            }
            all
        })
    }

    fn next(&self) -> &Next {
        self.next.get_or_init(|| {
            let (mut next, concrete) = (Next::default(), self.concrete());
            let Some(state) = self.states.last().filter(|_| !self.failed()) else { return next };
            // Weak actions are there only for data races.
            let actions = self.model.actions.iter().enumerate().filter(|(_, a)| !a.weak);
            for (number, action) in actions {
                next.steps.extend(concrete.steps(state, number, action));
            }
            let all = next.steps.len();
            next.steps.retain(|(_, state)| state.individuals <= INDIVIDUALS);
            next.cut = next.steps.len() < all;
            next
        })
    }

    fn failed(&self) -> bool {
        self.last_action().is_some_and(|a| a.error.is_some())
    }

    fn last_action(&self) -> Option<&Action> {
        self.model.actions.get(self.steps.last()?.action)
    }

    /// Whether nothing but idling is enabled, and some thread is where it may not end.
    fn is_dead(&self, state: &State) -> bool {
        Meaning::new(self.model, self.concrete(), Vec::new(), &[]).is_deadlock(state)
    }

    /// Whether some thread is blocked where it may not end; others may be enabled.
    fn is_partly_dead(&self, state: &State) -> bool {
        let concrete = self.concrete();
        let waits = |u: &usize| self.model.restless().any(|p| concrete.get(state, p, [*u, 0]));
        (0..state.individuals).filter(waits).any(|u| !concrete.can_move(state, &self.model.actions, u))
    }

    fn names(&self) -> Vec<String> {
        all_names(self.model, &self.states)
    }

    fn statement(&self, actor: usize, action: &Action) -> Statement {
        Statement {
            actor,
            text: action.name.clone(),
            location: Location::of(self.map, action.span),
            call: None,
        }
    }

    fn step(&self, taken: &Taken, (before, after): (&State, &State), names: &[String]) -> ReportStep {
        let action = &self.model.actions[taken.action];
        let actor = taken.part.get(&0).copied().unwrap_or(0);
        ReportStep {
            actor,
            statements: vec![self.statement(actor, action)],
            changes: self.changes(before, after, names),
            created: (before.individuals..after.individuals).collect(),
            fault: action.error.clone(),
            ..ReportStep::default()
        }
    }

    fn is_java(&self) -> bool {
        crate::shapes::is_java(Path::new(&self.origin.file))
    }

    /// Every thread that is blocked, and what it could go on with.
    fn waiting(&self, state: &State) -> Vec<Waiting> {
        let (concrete, names) = (self.concrete(), self.names());
        let words = self.is_java().then(|| JavaWords::new(self.model, &names));
        let mut all = Vec::new();
        let blocked = |u: &usize| !concrete.can_move(state, &self.model.actions, *u);
        for u in (0..state.individuals).filter(blocked) {
            for thread in &self.model.threads {
                let at = thread.places.iter().find(|p| concrete.get(state, **p, [u, 0]));
                let Some(location) = at else { continue };
                let here = |a: &&Action| a.from == Some(*location) && !a.idle && !a.weak && a.error.is_none();
                let next = self.model.actions.iter().filter(here);
                let mut statements: Vec<Statement> = next.map(|a| self.statement(u, a)).collect();
                statements.dedup_by(|a, b| a.location == b.location);
                all.push(Waiting {
                    actor: u,
                    statements,
                    holds: words.as_ref().map(|w| w.held_by(state, u)).unwrap_or_default(),
                    valid_end: thread.ends.contains(location),
                    needs: words.as_ref().map_or_else(|| self.needs(state, u), |w| w.needs(state, u)),
                });
            }
        }
        all
    }

    /// What a blocked thread waits for: what another one holds, if it could go on without that.
    fn needs(&self, state: &State, u: usize) -> Vec<Need> {
        let (concrete, names) = (self.concrete(), self.names());
        let is_thread = |v: usize| {
            self.model.threads.iter().flat_map(|t| &t.places).any(|p| concrete.get(state, *p, [v, 0]))
        };
        let binary = concrete.core().filter(|p| p.symbol.arity() == 2).map(|p| p.symbol);
        let held =
            binary.flat_map(|symbol| symbol.tuples(state.individuals).map(move |tuple| (symbol, tuple)));
        let held = held.filter(|(symbol, [object, by])| {
            *by != u && concrete.get(state, *symbol, [*object, *by]) && is_thread(*by)
        });
        let frees = |held: &(Symbol, [usize; 2])| moves_without(self.model, state, *held, u);
        let need = |(_, [object, by]): (Symbol, [usize; 2])| Need {
            object: names[object].clone(),
            actors: vec![by],
            tie: Tie::Holds,
            ..Need::default()
        };
        held.filter(frees).map(need).collect()
    }

    /// The accesses of the race with which the run ends: its last two steps.
    fn race(&self, names: &[String]) -> Vec<RaceSide> {
        let last = self.steps.len().saturating_sub(2);
        let side = |taken: &Taken| {
            let action = &self.model.actions[taken.action];
            let actor = taken.part.get(&0).copied().unwrap_or(0);
            let (access, place) = (action.touch.as_ref()?, Location::of(self.map, action.span));
            let who = names.get(actor).cloned().unwrap_or_default();
            let function = who.split('[').next().unwrap_or_default().to_string();
            let frame = place.map(|l| Frame { function, file: l.file, line: l.line });
            Some(RaceSide {
                actor: Some(actor),
                who,
                access: if access.writes { "writes" } else { "reads" }.to_string(),
                object: access.field.clone(),
                stack: frame.into_iter().collect(),
                source: self.map.line(action.span).map(|line| line.trim().to_string()),
            })
        };
        self.steps[last..].iter().filter_map(side).collect()
    }

    /// The objects before the first step and after each.
    fn heaps(&self, names: &[String]) -> Vec<Heap> {
        let concrete = self.concrete();
        let one = |state: &State| heap(self.model, &structure(&concrete, state), names, self.is_java());
        self.states.iter().map(one).collect()
    }

    /// What holds and is not derived; of Java, what variables and monitors are.
    fn facts(&self, state: &State, names: &[String]) -> Vec<Variable> {
        if self.is_java() {
            return JavaWords::new(self.model, names).facts(state);
        }
        let concrete = self.concrete();
        let at = |u: usize| Some(Variable { name: format!("{}:at", names[u]), value: self.at(state, u)? });
        let held = concrete
            .core()
            .filter(|p| !self.is_place(p.symbol))
            .flat_map(|p| p.symbol.tuples(state.individuals).map(move |t| (p, t)))
            .filter(|(p, tuple)| concrete.get(state, p.symbol, *tuple))
            .map(|(p, tuple)| Variable { name: fact(p, tuple, names), value: "1".to_string() });
        (0..state.individuals).filter_map(at).chain(held).collect()
    }

    fn changes(&self, before: &State, after: &State, names: &[String]) -> Vec<Change> {
        if self.is_java() {
            return JavaWords::new(self.model, names).changes(before, after);
        }
        let concrete = self.concrete();
        let mut all = self.moves(before, after, names);
        for p in concrete.core().filter(|p| !self.is_place(p.symbol)) {
            for tuple in p.symbol.tuples(after.individuals) {
                let known = tuple[..p.symbol.arity()].iter().all(|u| *u < before.individuals);
                let old = known && concrete.get(before, p.symbol, tuple);
                let new = concrete.get(after, p.symbol, tuple);
                if old != new {
                    let (before, after) = (u8::from(old).to_string(), u8::from(new).to_string());
                    all.push(Change { name: fact(p, tuple, names), before, after });
                }
            }
        }
        all
    }
}

impl StructuresExecutor<'_> {
    fn is_place(&self, symbol: Symbol) -> bool {
        self.model.threads.iter().any(|t| t.places.contains(&symbol))
    }

    /// Where a thread is, by the name of the location.
    fn at(&self, state: &State, individual: usize) -> Option<String> {
        let here = |p: &&Symbol| self.concrete().get(state, **p, [individual, 0]);
        let place = self.model.threads.iter().flat_map(|t| &t.places).find(here)?;
        let name = &self.model.vocabulary.get(*place).name;
        let location = name.strip_prefix("at[").and_then(|rest| rest.strip_suffix(']'));
        Some(location.unwrap_or(name).to_string())
    }

    /// Which threads go from where to where.
    fn moves(&self, before: &State, after: &State, names: &[String]) -> Vec<Change> {
        let change = |u: usize| {
            let known = (u < before.individuals).then(|| self.at(before, u)).flatten();
            let [before, after] = [known, self.at(after, u)].map(|at| at.unwrap_or("nowhere".to_string()));
            (before != after).then(|| Change { name: format!("{}:at", names[u]), before, after })
        };
        (0..after.individuals).filter_map(change).collect()
    }
}

impl Executor for StructuresExecutor<'_> {
    fn origin(&self) -> Recording {
        self.origin.clone()
    }

    fn starts(&self) -> usize {
        self.initial().len()
    }

    fn restart(&mut self, start: &Start) -> Result<(), Failure> {
        let state = match start {
            Start::Number(number) => self.initial().get(*number).cloned(),
            Start::Text(text) => self.concrete().read(Reading::parse(text).1).filter(|s| self.is_initial(s)),
        };
        let none = || Failure::Request("the model has no such initial state".to_string());
        self.states = vec![state.ok_or_else(none)?];
        self.steps.clear();
        self.next.take();
        Ok(())
    }

    fn start(&self) -> Start {
        let first = self.states.first().map(|state| self.concrete().written(state));
        Start::Text(self.start_text(&first.unwrap_or_default()))
    }

    fn offers(&self) -> Vec<Offer> {
        let Some(here) = self.states.last() else { return Vec::new() };
        let mut names = self.names();
        let offer = |(taken, next): &(Taken, State)| {
            let all = crate::executor::structures::names(self.model, next);
            names.extend(all.into_iter().skip(names.len()));
            let action = &self.model.actions[taken.action];
            let who = match (&action.actor, taken.part.get(&0)) {
                (Some(_), Some(u)) => names[*u].clone(),
                _ => "environment".to_string(),
            };
            let ReportStep { statements, changes, fault, .. } = self.step(taken, (here, next), &names);
            Offer { step: Step::from(taken), who, statements, changes, fault }
        };
        self.next().steps.iter().map(offer).collect()
    }

    fn take(&mut self, step: &Step) -> Result<(), Failure> {
        let here = self.states.last().ok_or_else(not_enabled)?;
        let (taken, action) = self.read(step, here.individuals).ok_or_else(not_enabled)?;
        let next = self.concrete().step(here, &taken, action).ok_or_else(not_enabled)?;
        if next.individuals > INDIVIDUALS {
            return Err(Failure::Request(format!("there are more than {INDIVIDUALS} individuals")));
        }
        self.states.push(next);
        self.steps.push(taken);
        self.next.take();
        Ok(())
    }

    fn variables(&self) -> Vec<Variable> {
        self.states.last().map(|state| self.facts(state, &self.names())).unwrap_or_default()
    }

    fn identity(&self) -> Option<String> {
        self.states
            .last()
            .filter(|_| !self.failed())
            .map(|state| format!("{:?}", self.concrete().normal(state).0))
    }

    fn status(&self) -> RunStatus {
        match self.states.last() {
            _ if self.failed() => RunStatus::Failed,
            Some(state) if self.is_dead(state) => RunStatus::Deadlock,
            _ if self.next().steps.is_empty() && !self.next().cut => RunStatus::Terminated,
            _ => RunStatus::Enabled,
        }
    }

    fn shows(&self, ending: Ending) -> bool {
        let Some(last) = self.states.last() else { return false };
        match ending {
            Ending::Open => true,
            Ending::Deadlock => self.is_partly_dead(last),
            Ending::Fault => self.failed(),
            Ending::Race => {
                structures::race::ends_in_race(self.model, &self.concrete(), &self.states, &self.steps)
            }
            Ending::Lasso { loop_start } if loop_start == self.steps.len() => {
                self.next().steps.is_empty() && !self.next().cut
            }
            Ending::Lasso { loop_start } => self.states.get(loop_start) == Some(last),
            Ending::End => self.status() == RunStatus::Terminated,
        }
    }

    fn report(&self, ending: Option<Ending>) -> Report {
        let names = self.names();
        let ending = ending.unwrap_or_else(|| self.status().ending());
        let bare = |name: &str| name.split('[').next().unwrap_or("").to_string();
        let actors =
            names.iter().enumerate().map(|(pid, name)| Actor { pid, name: bare(name), process: None });
        let pairs = self.states.iter().zip(self.states.iter().skip(1));
        let steps = self.steps.iter().zip(pairs).map(|(taken, pair)| self.step(taken, pair, &names));
        let last = self.states.last().filter(|_| ending != Ending::Fault);
        Report {
            actors: actors.collect(),
            initial: self.states.first().map(|s| self.facts(s, &names)).unwrap_or_default(),
            steps: steps.collect(),
            waiting: last.map(|s| self.waiting(s)).unwrap_or_default(),
            race: if ending == Ending::Race { self.race(&names) } else { Vec::new() },
            heaps: self.heaps(&names),
            ending,
            ..Report::default()
        }
    }
}

impl StructuresExecutor<'_> {
    /// A step by its numbers, with exactly those who take part; `None` if it is none of the model.
    fn read(&self, step: &Step, individuals: usize) -> Option<(Taken, &Action)> {
        let taken = Taken::read(step)?;
        let action = self.model.actions.get(taken.action)?;
        let part: BTreeSet<_> =
            action.actor.iter().map(|_| 0).chain(action.parameters.iter().copied()).collect();
        let known = taken.part.keys().eq(&part) && taken.part.values().all(|u| *u < individuals);
        (known && Step::from(&taken) == *step).then_some((taken, action))
    }
}

/// A name for each individual: its thread and a number, or the first predicate that holds of it.
pub(crate) fn names(model: &Model, state: &State) -> Vec<String> {
    let concrete = Concrete::new(&model.vocabulary);
    let of = |u: usize| {
        let at = |t: &&Thread| t.places.iter().any(|p| concrete.get(state, *p, [u, 0]));
        let thread = model.threads.iter().find(at).map(|t| t.name.clone());
        let holds =
            |p: &&Predicate| p.symbol.arity() == 1 && !p.hidden && concrete.get(state, p.symbol, [u, 0]);
        // The class of a Java object, or the first thing that holds of it.
        let held: Vec<&str> =
            model.vocabulary.predicates.iter().filter(holds).map(|p| p.name.as_str()).collect();
        let class = held.iter().find_map(|name| name.strip_prefix("is[")?.strip_suffix(']'));
        let first = || class.or(held.first().copied()).map(str::to_string);
        thread.or_else(first).unwrap_or_else(|| "object".to_string())
    };
    (0..state.individuals).map(|u| format!("{}[{u}]", of(u))).collect()
}

/// Names of all individuals that there are at some time of a run.
pub(crate) fn all_names(model: &Model, states: &[State]) -> Vec<String> {
    let mut all = states.first().map(|s| names(model, s)).unwrap_or_default();
    let widest = states.iter().max_by_key(|s| s.individuals).map(|s| names(model, s));
    let later: Vec<String> = widest.into_iter().flatten().skip(all.len()).collect();
    all.extend(later);
    all
}

fn fact(p: &Predicate, tuple: [usize; 2], names: &[String]) -> String {
    let arguments: Vec<&str> = tuple[..p.symbol.arity()].iter().map(|u| names[*u].as_str()).collect();
    if arguments.is_empty() { p.name.clone() } else { format!("{}({})", p.name, arguments.join(", ")) }
}
