//! Looks for a run that breaks a property.
//!
//! A safety formula needs no loop: a monitor sees the shortest prefix that breaks it. Everything
//! else is a question of emptiness, of the product with the automaton of the runs that are
//! forbidden. A property that can tell how often a state repeats is checked on the system as it is
//! written, one statement a step; any other on the simplified one.

use super::Query;
use super::close::close;
use super::loops;
use super::reduce::Selected;
use crate::answer::{ReductionUsed, SearchNumbers};
use crate::engine::compiled;
use crate::failure::Failure;
use crate::listener::ProgressListener;
use compile::simplify::Simplified;
use compile::{Ledger, Program};
use explore::emptiness::{Lasso, Outcome, near};
use explore::monitored::Monitored;
use explore::product::{Product, Unseen};
use explore::reduction::reduced::{Proviso, Reduced, ReductionListener, Shared};
use explore::{Limits, Listener, Options, Order, Stop};
use independence::Method;
use logic::automata::{Automaton, Monitor, monitor, translate};
use logic::ltl::Formula;
use logic::ltl::classify::Language;
use space::{Ending, Fairness, Fault, Observer, Requirement, Run, Step, Undefined};
use std::sync::Arc;
use system::{Meaning, System};

/// What a search for a run found.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// A run that violates the property, if one was found.
    pub run: Option<Run>,
    /// Why the search ended early.
    pub stopped: Option<Stop>,
    /// What is undefined, if something is.
    pub undefined: Option<Undefined>,
    /// Of the product.
    pub product: SearchNumbers,
    /// `None` if nothing was searched.
    pub reduction: Option<ReductionUsed>,
    /// If the search saw the whole reduced system, and no run that ends with a run-time error.
    pub whole: Option<Whole>,
}

/// What a search for a run saw of the system, where it saw everything that its reduction leaves.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Of the reduced system, without the automaton.
    pub numbers: SearchNumbers,
    /// By process type, then by transition: whether some run executes it.
    pub reached: Vec<Vec<bool>>,
    /// How persistent sets were computed.
    pub method: Method,
}

impl Searched {
    fn new(reduction: Option<ReductionUsed>, stopped: Option<Stop>, product: SearchNumbers) -> Searched {
        Searched { reduction, stopped, product, ..Searched::default() }
    }

    /// With what was found of another part of the property.
    fn and(self, other: Searched) -> Searched {
        Searched {
            run: self.run.or(other.run),
            stopped: self.stopped.or(other.stopped),
            undefined: self.undefined.or(other.undefined),
            product: self.product.and(other.product),
            reduction: self.reduction.zip(other.reduction).map(|(a, b)| a.and(b)),
            whole: self.whole.or(other.whole),
        }
    }

    /// Notes that the whole system was seen, if it was: then no run-time error needs another
    /// search (docs/internals/partial-order.md, *Run-time errors*).
    fn note_whole(&mut self, choices: &Shared, method: Method, ledger: &Ledger) {
        let complete = self.run.is_none() && self.stopped.is_none() && self.undefined.is_none();
        let Some((states, steps)) = choices.all().filter(|_| complete) else { return };
        let memory_bytes = self.product.memory_bytes + choices.memory_bytes();
        // One transition leads to the initial state.
        let numbers = SearchNumbers { states, transitions: steps + 1, memory_bytes, ..self.product };
        self.whole = Some(Whole { numbers, reached: ledger.read(), method });
    }
}

/// Why a property cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooHard {
    #[error("the automaton of the formula is too large")]
    Automaton,
    #[error("a run was found whose variables never repeat, so that it cannot be shown")]
    NeverRepeats,
}

/// What watches the system.
enum Watching {
    Monitor(Monitor),
    Automaton(Automaton),
}

/// Whether a property may tell a state from the same state twice.
pub fn is_sensitive(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Always(formula) => {
            let invariant = Language::of(formula).and_then(|language| language.is_stutter_invariant());
            !invariant.unwrap_or(false)
        }
        Meaning::Never(_) => true,
    }
}

/// No more states than this are searched for a shorter run.
const SHORTEN_STATES: u64 = 100_000;

impl Query<'_> {
    /// A run that breaks the property, if there is one; or why that is too hard.
    pub fn search(&self, watcher: &mut ProgressListener<'_>) -> Result<Result<Searched, TooHard>, Failure> {
        let (mut found, mut hard) = (None::<Searched>, None);
        for property in &self.parts() {
            match (Query { property, ..*self }).search_part(watcher)? {
                Err(why) => hard = Some(why),
                Ok(answer) => {
                    let broken = answer.run.is_some();
                    found = Some(match found {
                        Some(before) => before.and(answer),
                        None => answer,
                    });
                    if broken {
                        return Ok(Ok(found.unwrap_or_default()));
                    }
                }
            }
        }
        Ok(hard.map_or_else(|| Ok(found.unwrap_or_default()), Err))
    }

    fn search_part(&self, watcher: &mut ProgressListener<'_>) -> Result<Result<Searched, TooHard>, Failure> {
        watcher.phase("translating a formula");
        let Ok(watching) = watching(&self.property.meaning) else {
            return Ok(Err(TooHard::Automaton));
        };
        let raw = self.request.raw || is_sensitive(&self.property.meaning);
        for raw in [raw, true] {
            let answer = match &watching {
                Watching::Monitor(monitor) => Some(self.search_prefix(monitor, raw, watcher)?),
                Watching::Automaton(automaton) => self.search_loop(automaton, raw, watcher)?,
            };
            // A loop that does not close without the variables that were left out may close with
            // them.
            if let Some(answer) = answer {
                return Ok(Ok(answer));
            }
        }
        Ok(Err(TooHard::NeverRepeats))
    }

    /// The system as it is searched.
    fn simplified(&self, raw: bool) -> Simplified {
        let system = &self.property.observed(self.system);
        if raw { Simplified::raw(system) } else { Simplified::of(system) }
    }

    /// Compiled, with what is left out of the search.
    fn prepared(
        &self,
        raw: bool,
        proviso: Proviso,
        watcher: &ProgressListener<'_>,
    ) -> Result<(Program, Selected), Failure> {
        watcher.phase("compiling the model for a property of runs");
        let mut program = compiled(self.simplified(raw))?;
        watcher.phase("setting up the reduction for a property of runs");
        let selected = self.reduction(&mut program, proviso);
        watcher.phase("searching for a run that violates a property");
        Ok((program, selected))
    }

    fn limits(&self) -> Limits {
        self.request.limits
    }

    fn search_prefix(
        &self,
        monitor: &Monitor,
        raw: bool,
        watcher: &mut ProgressListener<'_>,
    ) -> Result<Searched, Failure> {
        let (program, selected) = self.prepared(raw, Proviso::Ways, watcher)?;
        let limits = self.limits();
        let Some((method, proviso)) = selected.persistent else {
            let workers = vec![program; self.request.threads.max(1)];
            let answer = self.prefix(workers, monitor, limits, watcher);
            return Ok(Searched { reduction: Some(selected.used), ..answer });
        };
        let (choices, ledger) = (Shared::new(proviso), Ledger::default());
        let mut kept = program.clone();
        kept.keep(&ledger);
        let reduced = Reduced::new(kept, method, choices.clone());
        let mut watch =
            ReductionListener { watch: &mut *watcher, choices: choices.clone(), memory: limits.memory };
        let mut answer = self.prefix(vec![reduced], monitor, limits, &mut watch);
        if proviso != Proviso::Off {
            answer.note_whole(&choices, method, &ledger);
        }
        answer.reduction = Some(ReductionUsed { off: choices.full_expansions(), ..selected.used });
        if let Some(run) = &answer.run {
            let limits = Limits { states: Some(SHORTEN_STATES), ..limits };
            let whole = self.prefix(vec![program], monitor, limits, watcher);
            answer.run = whole.run.filter(|short| short.steps.len() < run.steps.len()).or(answer.run);
        }
        Ok(answer)
    }

    fn prefix(
        &self,
        workers: Vec<impl Observer + Send>,
        monitor: &Monitor,
        limits: Limits,
        watch: &mut impl Listener,
    ) -> Searched {
        let mut workers: Vec<_> = workers.into_iter().map(|w| Monitored::new(w, monitor)).collect();
        let options = Options {
            order: Order::BreadthFirst,
            deadlocks: false,
            assertions: false,
            limits,
            ..Options::default()
        };
        let report = explore::parallel_search(&mut workers, &options, watch);
        let product = SearchNumbers::from(&report);
        let broken = report.violations.into_iter().find(|v| v.run.ending == Ending::Fault(Fault::Property));
        let stopped = report.stopped.filter(|_| broken.is_none());
        Searched {
            run: broken.map(|v| self.reported(v.run.steps)),
            undefined: workers.into_iter().find_map(|worker| worker.undefined),
            ..Searched::new(None, stopped, product)
        }
    }

    /// The run to a state in which the property is broken. If it took resting at the end of a run
    /// to break it, the run rests.
    fn reported(&self, steps: Vec<Step>) -> Run {
        let rest = Ending::Lasso { loop_start: steps.len() };
        let prefix = Run::new(steps, Ending::Prefix);
        match self.violated_by(&prefix) {
            Ok(()) => prefix,
            Err(_) => Run { ending: rest, ..prefix },
        }
    }

    /// `None` if a run was found whose loop does not close in the whole system.
    fn search_loop(
        &self,
        automaton: &Automaton,
        raw: bool,
        watcher: &mut ProgressListener<'_>,
    ) -> Result<Option<Searched>, Failure> {
        let (program, mut selected) = self.prepared(raw, Proviso::Cycles, watcher)?;
        let unseen = Arc::new(Unseen::default());
        let plain = || self.product(program.clone(), automaton, &unseen);
        let mut whole = None;
        let (outcome, run) = match selected.persistent {
            None => self.lasso(&plain, watcher)?,
            Some((method, proviso)) => {
                let (choices, ledger) = (Shared::new(proviso), Ledger::default());
                let mut kept = program.clone();
                kept.keep(&ledger);
                let reduced = || Reduced::new(kept.clone(), method, choices.clone());
                let memory = self.limits().memory;
                let mut watch = ReductionListener { watch: watcher, choices: choices.clone(), memory };
                let found = self.lasso(&|| self.product(reduced(), automaton, &unseen), &mut watch)?;
                selected.used.off = choices.full_expansions();
                whole = (proviso != Proviso::Off).then_some((choices, method, ledger));
                found
            }
        };
        let mut answer = Searched::new(Some(selected.used), outcome.stopped, (&outcome).into());
        answer.undefined = unseen.undefined.get().cloned();
        if let Some((choices, method, ledger)) = whole.filter(|_| run.is_none()) {
            answer.note_whole(&choices, method, &ledger);
        }
        let Some(mut run) = run else { return Ok(Some(answer)) };
        if let Some(short) = near(&mut plain())
            && short.stem.len() + short.cycle.len() < run.length
        {
            run = LassoSteps::new(&mut plain(), &short)?;
        }
        answer.run = close(self.system, &self.property.observed(self.system), run.stem, run.cycle);
        Ok(answer.run.is_some().then_some(answer))
    }

    fn product<'a, S: Observer>(
        &self,
        stepper: S,
        automaton: &'a Automaton,
        unseen: &Arc<Unseen>,
    ) -> Product<'a, S> {
        let requirements = requirements(self.system, self.fairness());
        Product::new(stepper, automaton, &requirements, self.property.ends, Arc::clone(unseen))
    }

    /// A run that the product accepts, if there is one.
    fn lasso<'a, S: Observer + 'a>(
        &self,
        make: &(impl Fn() -> Product<'a, S> + Sync),
        watch: &mut impl Listener,
    ) -> Result<(Outcome, Option<LassoSteps>), Failure> {
        let outcome = loops::look(make, self.limits(), self.request.threads, watch);
        let run = outcome.lasso.as_ref().map(|lasso| LassoSteps::new(&mut make(), lasso)).transpose()?;
        Ok((outcome, run))
    }
}

fn watching(meaning: &Meaning) -> Result<Watching, logic::automata::TooLarge> {
    match meaning {
        Meaning::Never(automaton) => Ok(Watching::Automaton(automaton.clone())),
        Meaning::Always(formula) => match monitor(formula) {
            Ok(Some(monitor)) => Ok(Watching::Monitor(monitor)),
            Ok(None) | Err(_) => Ok(Watching::Automaton(translate(&Formula::negation(formula.clone()))?)),
        },
    }
}

/// One for each process that may live.
fn requirements(system: &System, strength: Fairness) -> Vec<Requirement> {
    let processes = if strength == Fairness::None { 0 } else { processes(system) };
    (0..processes).map(|pid| Requirement { name: format!("process {pid}"), strength }).collect()
}

/// No more processes than this ever live.
fn processes(system: &System) -> usize {
    let mut operations = system.process_types.iter().flat_map(|t| &t.transitions).flat_map(|t| &t.command);
    let creates = operations.any(|o| o.starts().is_some());
    if creates { system::MAX_PROCESSES } else { system.initial.len() }
}

/// A lasso in steps: those to the loop, and those of the loop.
struct LassoSteps {
    stem: Vec<Step>,
    cycle: Vec<Step>,
    /// How many edges it has.
    length: usize,
}

impl LassoSteps {
    fn new<S: Observer>(product: &mut Product<'_, S>, lasso: &Lasso) -> Result<LassoSteps, Failure> {
        let mut steps = |edges: &[(Vec<u8>, usize)]| -> Option<Vec<Step>> {
            let steps = edges.iter().map(|(state, edge)| product.explain(state, *edge));
            steps.collect::<Option<Vec<_>>>().map(|steps| steps.concat())
        };
        let reported = steps(&lasso.stem).zip(steps(&lasso.cycle));
        let length = lasso.stem.len() + lasso.cycle.len();
        let reported = reported.map(|(stem, cycle)| LassoSteps { stem, cycle, length });
        reported.ok_or_else(|| Failure::Internal("a run that was found cannot be explained".to_string()))
    }
}
