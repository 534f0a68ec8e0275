//! Executes a fair transition system from state to state and reports what happens.
//!
//! The distinct states that may follow one are put in order, so that a step is the number of one; idling has no number.
//! Idling is always possible: it is taken if a run says so, and never offered.

use super::{Executor, Offer, Standing, not_enabled};
use crate::failure::Failure;
use crate::model::fingerprint;
use crate::prove::Source;
use crate::recording::Recording;
use crate::report::{Actor, Ending, Failed, Report, ReportStep, Statement};
use crate::request::Define;
use crate::result::{Kind, Violation};
use crate::simulate::Session;
use crate::values::{Change, Variable};
use source::Span;
use space::{Start, Step};
use system::fts::step::{Given, State, Taken, initial, successors};
use system::fts::{Fts, Mode, Sort, Thread, Value};

pub struct RelationExecutor<'a> {
    source: &'a Source,
    given: Given,
    defines: Vec<Define>,
    /// The initial states, and which one the run began in.
    initial: Vec<State>,
    start: usize,
    /// The states of the run, and the transition taken to each but the first; idling is none.
    states: Vec<State>,
    taken: Vec<Option<Taken>>,
    /// The states that may follow the last one, or why they cannot be computed.
    next: Result<Vec<(State, Taken)>, String>,
}

/// What is known of a run that breaks a property.
pub(crate) struct Broken<'a> {
    pub(crate) kind: Kind,
    pub(crate) property: &'a str,
    pub(crate) message: String,
    pub(crate) loop_start: Option<usize>,
    pub(crate) span: Span,
}

impl Broken<'_> {
    /// The run through these states, executed again.
    pub(crate) fn violation(
        self,
        source: &Source,
        given: &Given,
        defines: &[Define],
        states: &[State],
    ) -> Result<Violation, Failure> {
        let internal = |f: Failure| Failure::Internal(f.message());
        // Of infinitely many initial states there is no list, only the one at hand.
        let mut all = initial(&source.fts, given).unwrap_or_default();
        all.extend(states.first().filter(|first| !all.contains(first)).cloned());
        let start = Start::Number(all.iter().position(|s| Some(s) == states.first()).unwrap_or(0));
        let mut executor = RelationExecutor::with(source, given.clone(), defines, all);
        executor.restart(&start).map_err(internal)?;
        let back = self.loop_start.and_then(|at| states.get(at));
        let mut steps = Vec::new();
        for next in states.iter().skip(1).chain(back) {
            steps.push(executor.step_to(next));
            executor.take(&steps[steps.len() - 1]).map_err(internal)?;
        }
        let ending = self.loop_start.map_or(Ending::Open, |loop_start| Ending::Lasso { loop_start });
        let recording = Recording { start, steps, ending, ..executor.origin() };
        let session = Session::execute(Box::new(executor), &recording).map_err(internal)?;
        Ok(Violation {
            kind: self.kind,
            property: self.property.to_string(),
            message: self.message,
            location: source.location(self.span),
            recording,
            trace: session.report(),
            shortest: self.kind == Kind::Runtime,
        })
    }
}

impl<'a> RelationExecutor<'a> {
    /// With these values of rigid symbols and inputs.
    pub fn new(
        source: &'a Source,
        given: Given,
        defines: &[Define],
    ) -> Result<RelationExecutor<'a>, Failure> {
        let initial = initial(&source.fts, &given).map_err(Failure::Request)?;
        if initial.is_empty() {
            return Err(Failure::Request("the program has no initial state".to_string()));
        }
        Ok(RelationExecutor::with(source, given, defines, initial))
    }

    fn with(
        source: &'a Source,
        given: Given,
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
        self.next = successors(&self.source.fts, &self.given, last).map(|found| {
            let mut next: Vec<(State, Taken)> =
                found.into_iter().map(|(taken, next)| (next, taken)).collect();
            // Of several transitions to one state, the first counts.
            next.sort_by(|(a, _), (b, _)| a.cmp(b));
            next.dedup_by(|(a, _), (b, _)| a == b);
            next
        });
    }

    fn next(&self) -> &[(State, Taken)] {
        self.next.as_deref().unwrap_or_default()
    }

    /// The step to a state; idling if none leads there.
    fn step_to(&self, state: &State) -> Step {
        let number = self.next().iter().position(|(next, _)| next == state);
        Step { actor: 0, path: number.into_iter().collect(), partner: None }
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
            None => Statement { actor, text: "(idle)".to_string(), location: None, call: None },
        };
        let pairs = fts.variables.iter().zip(from.iter().zip(to));
        let changes = pairs.filter(|(_, (a, b))| a != b).map(|(v, (a, b))| {
            let text = |value: &Value| text(fts, &v.symbol.name, &v.symbol.sort, value);
            Change { name: v.symbol.name.to_string(), before: text(a), after: text(b) }
        });
        ReportStep { actor, statements: vec![statement], changes: changes.collect(), ..ReportStep::default() }
    }

    /// The variables of a state, as the program calls them; without its control.
    fn values(&self, state: &State, with_control: bool) -> Vec<Variable> {
        let fts = &self.source.fts;
        let shown = fts.variables.iter().zip(state).filter(|(v, _)| with_control || v.mode != Mode::Control);
        let variable = |(v, value): (&system::fts::Variable, &Value)| Variable {
            name: v.symbol.name.to_string(),
            value: text(fts, &v.symbol.name, &v.symbol.sort, value),
        };
        shown.map(variable).collect()
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
                step: Step { actor: 0, path: vec![number], partner: None },
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
                let undefined = |why: &String| Failure::Request(why.clone());
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

    fn standing(&self) -> Standing {
        match &self.next {
            Err(_) => Standing::Failed,
            Ok(next) if next.is_empty() => Standing::Terminated,
            Ok(_) => Standing::Enabled,
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
        let undefined = |why: &String| Failed { kind: "undefined".to_string(), message: why.clone() };
        report.failure = self.next.as_ref().err().map(undefined);
        report
    }
}

/// Who moves: the thread whose control changes first, and which of its replicas.
fn actor(fts: &Fts, taken: Option<&Taken>, actors: &mut Vec<Actor>) -> usize {
    let transition = taken.and_then(|t| fts.transitions.get(t.transition));
    let moved = transition.and_then(|t| t.branches.first()?.updates.first().map(|(s, _)| s));
    let thread = moved.and_then(|s| fts.threads.iter().position(|t| t.control == *s));
    let name = |thread: &Thread| {
        if thread.process.is_empty() { thread.control.name.to_string() } else { thread.process.clone() }
    };
    let replica = taken.and_then(|t| t.parameters.first()).and_then(|n| usize::try_from(n).ok());
    let wanted = match thread {
        Some(at) => Actor { pid: replica.unwrap_or(at), name: name(&fts.threads[at]), process: None },
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

/// A value as the program has it: names of locations and of enumerations.
fn text(fts: &Fts, name: &str, sort: &Sort, value: &Value) -> String {
    let thread = fts.threads.iter().find(|t| &*t.control.name == name);
    match (value, sort) {
        (Value::Int(n), _) if thread.is_some() => {
            let location = thread.and_then(|t| t.locations.get(usize::try_from(n).ok()?));
            location.and_then(|l| l.labels.first()).cloned().unwrap_or_else(|| n.to_string())
        }
        (Value::Constant(at), Sort::Enumeration(_, names)) => {
            names.get(*at).map_or_else(|| at.to_string(), |n| n.to_string())
        }
        (Value::Array { entries, default }, Sort::Array(element)) => {
            let entry = |(index, value): (_, &Value)| format!("{index}: {}", text(fts, name, element, value));
            let mut parts: Vec<String> = entries.iter().map(entry).collect();
            parts.push(format!("else {}", text(fts, name, element, default)));
            format!("[{}]", parts.join(", "))
        }
        (Value::Sequence(items), Sort::Sequence(element)) => {
            let items: Vec<String> = items.iter().map(|v| text(fts, name, element, v)).collect();
            format!("<{}>", items.join(", "))
        }
        (Value::Data(n, fields), Sort::Data(data)) => {
            let constructor = data.constructors.get(*n).map_or("?", |c| &c.name);
            let part = |(at, v): (usize, &Value)| {
                sort.field(*n, at).map_or_else(|| v.to_string(), |sort| text(fts, name, &sort, v))
            };
            let parts: Vec<String> = fields.iter().enumerate().map(part).collect();
            if parts.is_empty() {
                constructor.to_string()
            } else {
                format!("{constructor}({})", parts.join(", "))
            }
        }
        (value, _) => value.to_string(),
    }
}
