//! Executes a fair transition system from state to state and reports what happens.
//!
//! The distinct states that may follow one are put in order, so that a step is the number of one;
//! idling has no number. Idling is always possible: it is taken if a run says so, and never
//! offered.

use super::{Executor, Offer, RunStatus, not_enabled};
use crate::answer::{Kind, Violation};
use crate::failure::Failure;
use crate::headline::{self, IDLE};
use crate::model::fingerprint;
use crate::observed::Word;
use crate::prove::Source;
use crate::question::Define;
use crate::recording::Recording;
use crate::report::{Actor, Ending, Failed, Report, ReportStep, Statement};
use crate::simulate::Session;
use crate::values::{Change, Variable};
use crate::why::relation as why;
use logic::fol::{ArrayValue, Term, Value};
use logic::ltl::Formula;
use prover::labelled;
use source::Span;
use space::{Path, Run, Start, Step, Undefined};
use std::collections::BTreeSet;
use system::Meaning;
use system::fts::step::{In, State, Taken, Valuation, initial, steps};
use system::fts::{Fts, Mode, Property, Thread};

pub(crate) struct RelationExecutor<'a> {
    source: &'a Source,
    given: Valuation,
    defines: Vec<Define>,
    /// The initial states, and which one the run began in.
    initial: Vec<State>,
    start: usize,
    /// The states of the run, and the transition taken to each but the first; idling is none.
    states: Vec<State>,
    taken: Vec<Option<Taken>>,
    /// The states that may follow the last one, or why they cannot be computed.
    next: Result<Vec<(State, Taken)>, Undefined>,
}

/// What is known of a run that breaks a property.
pub(crate) struct Broken<'a> {
    pub(crate) kind: Kind,
    pub(crate) property: &'a str,
    /// What is not true: the text of a formula, or words.
    pub(crate) what: String,
    /// How, if the run does not show it by itself.
    pub(crate) how: Option<String>,
    pub(crate) span: Span,
    /// The property, if it is a formula.
    pub(crate) formula: Option<&'a Formula<Term>>,
}

impl<'a> Broken<'a> {
    /// A run breaks this property.
    pub(crate) fn of(property: &'a Property) -> Broken<'a> {
        let (what, formula) = (property.text.clone(), Some(&property.formula));
        Broken { kind: Kind::Ltl, property: &property.name, what, how: None, span: property.span, formula }
    }

    /// The run through these states, which the judge has confirmed, executed again.
    pub(crate) fn violation(
        self,
        source: &Source,
        given: &Valuation,
        defines: &[Define],
        (path, run): (&Path<State>, Run),
    ) -> Result<Violation, Failure> {
        let internal = |f: Failure| Failure::Internal(f.message());
        // Of infinitely many initial states there is no list, only the one at hand.
        let mut all = initial(&source.fts, given).unwrap_or_default();
        all.extend(path.states.first().filter(|first| !all.contains(first)).cloned());
        let start = Start::Number(all.iter().position(|s| Some(s) == path.states.first()).unwrap_or(0));
        let executor = RelationExecutor::with(source, given.clone(), defines, all);
        let ending = path.loop_start.map_or(Ending::Open, |loop_start| Ending::Lasso { loop_start });
        let recording = Recording { start, steps: run.steps, ending, ..executor.origin() };
        let session = Session::execute(Box::new(executor), &recording).map_err(internal)?;
        let (fts, formula) = (&source.fts, self.formula);
        let trace = session.report();
        let message = match (self.kind, self.how) {
            (Kind::Ltl, None) => headline::fails(&self.what, &trace),
            (Kind::Ltl, Some(how)) => format!("{}: {how}", headline::fails(&self.what, &trace)),
            _ => self.what,
        };
        Ok(Violation {
            kind: self.kind,
            property: self.property.to_string(),
            message,
            location: source.location(self.span),
            recording,
            trace,
            shortest: self.kind == Kind::Runtime,
            at_end: formula.map(|f| why::at_end(fts, given, f, path)).unwrap_or_default(),
            course: formula.and_then(|f| why::course(fts, given, f, path)),
        })
    }
}

impl<'a> RelationExecutor<'a> {
    /// With these values of rigid symbols and inputs.
    pub fn new(
        source: &'a Source,
        given: Valuation,
        defines: &[Define],
    ) -> Result<RelationExecutor<'a>, Failure> {
        let initial = initial(&source.fts, &given).map_err(|why| Failure::Request(why.to_string()))?;
        if initial.is_empty() {
            return Err(Failure::Request("the program has no initial state".to_string()));
        }
        Ok(RelationExecutor::with(source, given, defines, initial))
    }

    fn with(
        source: &'a Source,
        given: Valuation,
        defines: &[Define],
        initial: Vec<State>,
    ) -> RelationExecutor<'a> {
        RelationExecutor {
            source,
            given,
            defines: defines.to_vec(),
            initial,
            start: 0,
            states: Vec::new(),
            taken: Vec::new(),
            next: Ok(Vec::new()),
        }
    }

    fn look(&mut self) {
        let Some(last) = self.states.last() else { return };
        // Of several transitions to one state, the first counts.
        let first = |(next, ways): (State, Vec<Taken>)| Some((next, ways.into_iter().next()?));
        let next = steps(&self.source.fts, &self.given, last);
        self.next = next.map(|next| next.into_iter().filter_map(first).collect());
    }

    fn next(&self) -> &[(State, Taken)] {
        self.next.as_deref().unwrap_or_default()
    }

    fn step(
        &self,
        (from, to): (&State, &State),
        taken: Option<&Taken>,
        actors: &mut Vec<Actor>,
    ) -> ReportStep {
        let fts = &self.source.fts;
        let actor = actor(fts, taken, actors);
        let statement = match taken {
            Some(taken) => {
                let transition = &fts.transitions[taken.transition];
                let location = self.source.location(transition.span);
                Statement { actor, text: transition.text.clone(), location, call: None }
            }
            None => Statement { actor, text: IDLE.to_string(), location: None, call: None },
        };
        let changes = named_changes(self.source, from, to);
        ReportStep { actor, statements: vec![statement], changes, ..ReportStep::default() }
    }

    /// The variables of a state, as the program calls them; without its control.
    fn values(&self, state: &State, with_control: bool) -> Vec<Variable> {
        let parts = named_values(self.source, state).into_iter();
        let shown = parts.filter(|(_, _, is_control)| with_control || !is_control);
        shown.map(|(name, value, _)| Variable { name, value }).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (&State, &State)> {
        self.states.iter().zip(self.states.iter().skip(1))
    }
}

impl Executor for RelationExecutor<'_> {
    fn origin(&self) -> Recording {
        Recording {
            file: self.source.file(),
            defines: self.defines.clone(),
            fingerprint: fingerprint(&self.source.map, &self.defines),
            ..Recording::default()
        }
    }

    fn starts(&self) -> usize {
        self.initial.len()
    }

    fn restart(&mut self, start: &Start) -> Result<(), Failure> {
        let number = match start {
            Start::Number(number) => Some(*number),
            Start::Text(_) => None,
        };
        let state = number.and_then(|n| self.initial.get(n));
        let state = state.ok_or_else(|| Failure::Request("there is no such initial state".to_string()))?;
        self.states = vec![state.clone()];
        (self.start, self.taken) = (number.unwrap_or(0), Vec::new());
        self.look();
        Ok(())
    }

    fn start(&self) -> Start {
        Start::Number(self.start)
    }

    fn offers(&self) -> Vec<Offer> {
        let Some(here) = self.states.last() else { return Vec::new() };
        let offer = |(number, (next, taken)): (usize, &(State, Taken))| {
            let mut actors = Vec::new();
            let step = self.step((here, next), Some(taken), &mut actors);
            Offer {
                step: Step { path: vec![number], ..Step::IDLE },
                who: actors.first().map(Actor::label).unwrap_or_default(),
                statements: step.statements,
                changes: step.changes,
                fault: None,
            }
        };
        self.next().iter().enumerate().map(offer).collect()
    }

    fn take(&mut self, step: &Step) -> Result<(), Failure> {
        let here = self.states.last().ok_or_else(not_enabled)?;
        let (next, taken) = match step.path[..] {
            _ if step.actor != 0 || step.partner.is_some() => return Err(not_enabled()),
            [] => (here.clone(), None),
            [number] => {
                let undefined = |why: &Undefined| Failure::Request(why.to_string());
                let found = self.next.as_ref().map_err(undefined)?.get(number);
                let (next, taken) = found.ok_or_else(not_enabled)?;
                (next.clone(), Some(taken.clone()))
            }
            _ => return Err(not_enabled()),
        };
        self.states.push(next);
        self.taken.push(taken);
        self.look();
        Ok(())
    }

    fn variables(&self) -> Vec<Variable> {
        self.states.last().map(|state| self.values(state, true)).unwrap_or_default()
    }

    fn identity(&self) -> Option<String> {
        self.states.last().map(|state| format!("{state:?}"))
    }

    fn formulas(&self) -> Vec<(String, String)> {
        let plain = self.source.fts.properties.iter().filter(|p| p.rigid.is_empty());
        plain.map(|p| (p.name.clone(), p.text.clone())).collect()
    }

    fn word(&self, formula: &str) -> Result<Option<Word>, Failure> {
        let fts = &self.source.fts;
        let found = fts.properties.iter().find(|p| p.name == formula && p.rigid.is_empty());
        let Some(property) = found else { return Ok(None) };
        let (numbered, atoms) = property.formula.clone().numbered();
        if atoms.len() > u64::BITS as usize {
            return Err(Failure::Request(format!("{formula} has more than 64 propositions")));
        }
        let bit = |state: &State, at: usize| {
            let within = In { fts, given: &self.given, state, extra: Vec::new() };
            let value = logic::fol::holds(&atoms[at], &within).map(|truth| u64::from(truth) << at);
            let text = || labelled(fts, &atoms[at]);
            value.ok_or_else(|| Failure::Request(format!("{} has no value in a state of this run", text())))
        };
        let letter = |state: &State| -> Result<Option<u64>, Failure> {
            (0..atoms.len()).try_fold(0, |all, at| Ok(all | bit(state, at)?)).map(Some)
        };
        Ok(Some(Word {
            propositions: atoms.iter().map(|atom| labelled(fts, atom).to_string()).collect(),
            meaning: Meaning::Always(numbered),
            letters: self.states.iter().map(letter).collect::<Result<_, _>>()?,
        }))
    }

    fn status(&self) -> RunStatus {
        match &self.next {
            Err(_) => RunStatus::Failed,
            Ok(next) if next.is_empty() => RunStatus::Terminated,
            Ok(_) => RunStatus::Enabled,
        }
    }

    fn shows(&self, ending: Ending) -> bool {
        match ending {
            Ending::Open => true,
            // Idling goes on where the run ends.
            Ending::Lasso { loop_start } => {
                loop_start <= self.taken.len() && self.states.get(loop_start) == self.states.last()
            }
            _ => false,
        }
    }

    fn report(&self, ending: Option<Ending>) -> Report {
        let mut report = Report { ending: ending.unwrap_or_default(), ..Report::default() };
        report.initial = self.states.first().map(|first| self.values(first, false)).unwrap_or_default();
        for (pair, taken) in self.pairs().zip(&self.taken) {
            let step = self.step(pair, taken.as_ref(), &mut report.actors);
            report.steps.push(step);
        }
        if report.actors.is_empty() {
            report.actors.push(Actor { pid: 0, name: "system".to_string(), process: None });
        }
        let undefined = |why: &Undefined| Failed { kind: "undefined".to_string(), message: why.to_string() };
        report.failure = self.next.as_ref().err().map(undefined);
        report
    }
}

/// Who moves: the thread whose control changes first, and which of its replicas.
fn actor(fts: &Fts, taken: Option<&Taken>, actors: &mut Vec<Actor>) -> usize {
    let transition = taken.and_then(|t| fts.transitions.get(t.transition));
    let moved = transition.and_then(|t| t.branches.first()?.updates.first().map(|(s, _)| s));
    let thread = moved.and_then(|s| fts.threads.iter().position(|t| t.control == *s));
    let replica = taken.and_then(|t| t.parameters.first()).and_then(|n| usize::try_from(n).ok());
    let wanted = match thread {
        Some(at) => {
            Actor { pid: replica.unwrap_or(at), name: process(&fts.threads[at]).to_string(), process: None }
        }
        None => match actors.last() {
            // Idling is no thread's step.
            Some(last) => last.clone(),
            None => Actor { pid: 0, name: "system".to_string(), process: None },
        },
    };
    match actors.iter().position(|a| *a == wanted) {
        Some(at) => at,
        None => {
            actors.push(wanted);
            actors.len() - 1
        }
    }
}

/// What a process is called.
fn process(thread: &Thread) -> &str {
    if thread.process.is_empty() { "program" } else { &thread.process }
}

/// What differs between two states: the elements of an array one by one.
fn named_changes(source: &Source, from: &State, to: &State) -> Vec<Change> {
    let mut all = Vec::new();
    for (at, variable) in source.fts.variables.iter().enumerate() {
        let (Some(a), Some(b)) = (from.get(at), to.get(at)) else { continue };
        let named = Named::of(source, variable);
        let mut add = |index: Option<&Value>, a: &Value, b: &Value| {
            if a != b {
                let (before, after) = (named.text(a), named.text(b));
                all.push(Change { name: named.name(index), before, after });
            }
        };
        match (a, b) {
            (Value::Array(a), Value::Array(b)) if a.default == b.default => {
                let indices: BTreeSet<&Value> = a.entries.keys().chain(b.entries.keys()).collect();
                let element = |of: &ArrayValue, i: &Value| of.entries.get(i).unwrap_or(&of.default).clone();
                indices.into_iter().for_each(|i| add(Some(i), &element(a, i), &element(b, i)));
            }
            _ => add(None, a, b),
        }
    }
    all
}

/// The variables of a state by name, each with whether it says where a process is.
fn named_values(source: &Source, state: &State) -> Vec<(String, String, bool)> {
    let mut all = Vec::new();
    for (variable, value) in source.fts.variables.iter().zip(state) {
        let (named, is_control) = (Named::of(source, variable), variable.mode == Mode::Control);
        match (value, named.thread) {
            (Value::Array(array), Some(_)) => {
                let one = |(i, v): (&Value, &Value)| (named.name(Some(i)), named.text(v), is_control);
                all.extend(array.entries.iter().map(one));
            }
            _ => all.push((named.name(None), named.text(value), is_control)),
        }
    }
    all
}

/// A variable with the words for it: a control variable is where its process is, `P[1]:at`.
struct Named<'a> {
    source: &'a Source,
    symbol: &'a str,
    thread: Option<&'a Thread>,
    number: usize,
}

impl<'a> Named<'a> {
    fn of(source: &'a Source, variable: &'a system::fts::Variable) -> Named<'a> {
        let threads = &source.fts.threads;
        let number = threads.iter().position(|t| t.control == variable.symbol);
        let thread = number.map(|n| &threads[n]);
        Named { source, symbol: &variable.symbol.name, thread, number: number.unwrap_or(0) }
    }

    fn name(&self, index: Option<&Value>) -> String {
        match (self.thread, index) {
            (Some(thread), Some(index)) => format!("{}[{index}]:at", process(thread)),
            (Some(thread), None) => format!("{}[{}]:at", process(thread), self.number),
            (None, Some(index)) => format!("{}[{index}]", self.symbol),
            (None, None) => self.symbol.to_string(),
        }
    }

    /// A value as the program has it; where a process is, by the name of the location.
    fn text(&self, value: &Value) -> String {
        match (value, self.thread) {
            (Value::Int(n), Some(thread)) => {
                match usize::try_from(n).ok().and_then(|n| thread.locations.get(n)) {
                    None => "rest".to_string(),
                    Some(place) => place.labels.first().cloned().unwrap_or_else(|| self.unlabelled(place)),
                }
            }
            _ => value.to_string(),
        }
    }

    /// A place without a label: by the line of the statement that begins there.
    fn unlabelled(&self, place: &system::fts::Location) -> String {
        self.source.location(place.span).map_or("its end".to_string(), |l| format!("line {}", l.line))
    }
}
