//! `weave check --explain-reduction`: for one state, why each choice is in the persistent set; who
//! uses which channels and variables; which `xr` and `xs` of the user do not hold.
//!
//! What the engine decides (the set, and which choice needs which) is asked of it. Why one choice
//! needs another is read from footprints: an object that the one uses and the other, or something
//! that may come after it, may use dependently. `whole`: the same for all states of a small model.

mod whole;

use crate::audit::in_words;
use crate::engine::compiled;
use crate::exclusive::{self, Uses};
use crate::failure::Failure;
use crate::model::Model;
use crate::question::Question;
use crate::reduction::Plan;
use crate::report::Location;
use compile::Program;
use compile::simplify::Simplified;
use explore::reduction::explain::{Choice, Part, explain};
use explore::{Limits, NoListener, Options};
use independence::footprint::{Footprint, Special, Target, Use, footprints_of};
use independence::selective::Selective;
use independence::{Method, label, with_known};
use num_traits::ToPrimitive;
use objects::Operation as On;
use objects::can_be_dependent;
use objects::channel::Operation as OnChannel;
use space::{Edges, Ending, Run, Step, Stepper, Which};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use system::*;
pub use whole::{Explored, Graph, GraphEdge};

/// Which state is explained.
#[derive(Clone, Debug, PartialEq)]
pub enum Where {
    /// The first one, breadth-first, in which the reduction leaves something out.
    First,
    /// The initial state.
    Start,
    /// The last state of a run.
    After(Run),
    /// The first one; and all states of a small model, with those that are not explored.
    Graph,
}

/// Why the reduction explores what it explores in one state.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// Why the model is not reduced at all.
    pub refused: Option<String>,
    /// What was executed until the state.
    pub way: Vec<String>,
    /// Why nothing is left out in the state.
    pub whole: Option<String>,
    /// What each process could do there.
    pub choices: Vec<ChoiceReport>,
    /// Which processes use which channel from there on.
    pub channels: Vec<ChannelUse>,
    /// Which processes use which global variable from there on.
    pub variables: Vec<VariableUse>,
    /// The channel assertions of the model.
    pub channel_assertions: Vec<ChannelAssertion>,
    /// All states, if they were asked for; or why they are not shown.
    pub graph: Option<Result<Graph, String>>,
}

/// A choice in words.
#[derive(Clone, Debug)]
pub struct ChoiceReport {
    /// The process, by name and number.
    pub process: String,
    /// The statement.
    pub statement: String,
    /// Where it stands.
    pub line: Option<u32>,
    /// Whether it can be executed now.
    pub enabled: bool,
    /// Why it is in the set, or not.
    pub part: Part,
    /// Why it is in the set.
    pub reason: String,
}

impl ChoiceReport {
    /// Could be taken, and need not be.
    pub fn is_left_out(&self) -> bool {
        self.enabled && self.part == Part::Outside
    }

    /// Whether the reduction explores it.
    pub fn is_in_set(&self) -> bool {
        self.part != Part::Outside
    }
}

/// Who may still use a channel.
#[derive(Clone, Debug)]
pub struct ChannelUse {
    /// The channel.
    pub name: String,
    /// The processes that send to it.
    pub senders: Vec<String>,
    /// The processes that receive from it.
    pub receivers: Vec<String>,
}

/// Who may still use a variable.
#[derive(Clone, Debug)]
pub struct VariableUse {
    /// The variable.
    pub name: String,
    /// The processes that read it.
    pub readers: Vec<String>,
    /// The processes that write it.
    pub writers: Vec<String>,
}

/// An `xr` or `xs`.
#[derive(Clone, Debug)]
pub struct ChannelAssertion {
    /// The assertion, as it is written.
    pub text: String,
    /// Where it stands.
    pub location: Option<Location>,
    /// The processes that were seen to break it.
    pub broken_by: Vec<String>,
}

/// No more states than this are looked at for one to explain.
const LOOKED_AT: usize = 5_000;
/// No more states than this are searched for uses of channels.
const SEARCHED: u64 = 200_000;

/// Explains what the reduction does in one state of a model.
pub fn explain_reduction(model: &Model, request: &Question, at: &Where) -> Result<Explanation, Failure> {
    let system = &model.system;
    let simplified = if request.raw { Simplified::raw(system) } else { Simplified::of(system) };
    let mut program = compiled(simplified.clone())?;
    let mut explanation = Explanation::default();
    if let Err(refusal) = program.prepare() {
        explanation.refused = Some(refusal.to_string());
        return Ok(explanation);
    }
    let kinds = [crate::answer::Kind::Deadlock, crate::answer::Kind::Assertion];
    let plan = Plan::of(request, &kinds)?;
    let Some(method) = plan.reduction.and_then(|r| r.persistent) else {
        explanation.refused = Some("persistent sets are switched off".to_string());
        return Ok(explanation);
    };
    let (run, choices) = find(&mut program, at, method)?;
    let lost = |why| Failure::Internal(format!("a run could not be replayed: {why}"));
    let states = certify::replay(&Reference::new(system), &run).map_err(lost)?.states;
    let Some(state) = states.last() else {
        explanation.refused = Some("the model has no initial state".to_string());
        return Ok(explanation);
    };
    explanation.way = way(model, &run)?;
    let context = Context::new(model, &simplified, state);
    explanation.whole = whole(&choices);
    explanation.choices = choices.iter().map(|c| context.report(c, &choices)).collect();
    explanation.channels = context.channels();
    explanation.variables = context.variables();
    if *at == Where::Graph {
        let question = whole::Whole { model, simplified: &simplified, method };
        explanation.graph = Some(question.graph(&mut program)?);
    }
    explanation.channel_assertions = channel_assertions(model, &mut program, plan);
    Ok(explanation)
}

fn way(model: &Model, run: &Run) -> Result<Vec<String>, Failure> {
    let (_, trace) = crate::executor::system::executed(model, run)?;
    Ok(trace.steps.iter().flat_map(|s| &s.statements).map(|s| s.text.clone()).collect())
}

fn whole(choices: &[Choice]) -> Option<String> {
    let enabled = choices.iter().filter(|c| c.enabled).count();
    let outside = choices.iter().any(|c| c.enabled && c.part == Part::Outside);
    match () {
        () if choices.is_empty() => {
            let why = "only timeouts are enabled, a statement may fail, or there are too many choices";
            Some(format!("the state cannot be reduced: {why}"))
        }
        () if enabled < 2 => Some("fewer than two steps are enabled".to_string()),
        () if !outside => {
            Some("no smaller set is persistent: each one depends on a step outside it".to_string())
        }
        () => None,
    }
}

/// The packed initial state.
fn initial(program: &mut Program) -> Result<Vec<u8>, Failure> {
    let mut out = Edges::default();
    program.initial(&mut out);
    let fault = out.faults.first().map_or_else(String::new, |f| program.describe(f.fault));
    let none = || Failure::Request(format!("no initial state: {fault}"));
    out.iter().next().map(<[u8]>::to_vec).ok_or_else(none)
}

/// A run to the state wanted, and the choices there.
fn find(program: &mut Program, at: &Where, method: Method) -> Result<(Run, Vec<Choice>), Failure> {
    let initial = initial(program)?;
    let open = |steps| Run::new(steps, Ending::Open);
    match at {
        Where::Start => Ok((open(Vec::new()), explain(program, &initial, method))),
        Where::After(run) => {
            let state = follow(program, initial, &run.steps)?;
            Ok((open(run.steps.clone()), explain(program, &state, method)))
        }
        Where::First | Where::Graph => Ok(first(program, initial, method)),
    }
}

/// The first state, breadth-first, in which something is left out; else the first with a choice,
/// else the initial one.
fn first(program: &mut Program, initial: Vec<u8>, method: Method) -> (Run, Vec<Choice>) {
    let mut known: BTreeMap<Vec<u8>, Option<Vec<u8>>> = BTreeMap::from([(initial.clone(), None)]);
    let mut queue = VecDeque::from([initial.clone()]);
    let mut found = initial;
    let mut successors = Edges::default();
    let mut chosen = false;
    while let Some(state) = queue.pop_front() {
        let choices = explain(program, &state, method);
        let enabled = choices.iter().filter(|c| c.enabled);
        if enabled.clone().any(|c| c.part == Part::Outside) {
            found = state;
            break;
        }
        if !chosen && enabled.count() > 1 {
            (found, chosen) = (state.clone(), true);
        }
        successors.clear();
        program.expand(&state, &mut successors);
        for next in successors.iter() {
            if known.len() < LOOKED_AT && !known.contains_key(next) {
                known.insert(next.to_vec(), Some(state.clone()));
                queue.push_back(next.to_vec());
            }
        }
    }
    let mut path = vec![found.clone()];
    while let Some(Some(before)) = path.last().and_then(|s| known.get(s)) {
        path.push(before.clone());
    }
    path.reverse();
    let pairs = path.windows(2);
    let steps = pairs.flat_map(|w| program.explain(&w[0], Which::to(&w[1])).unwrap_or_default()).collect();
    let choices = explain(program, &found, method);
    (Run::new(steps, Ending::Open), choices)
}

/// The packed state that a run leads to.
fn follow(program: &mut Program, initial: Vec<u8>, steps: &[Step]) -> Result<Vec<u8>, Failure> {
    let mut state = initial;
    let mut left = steps;
    while !left.is_empty() {
        let mut successors = Edges::default();
        program.expand(&state, &mut successors);
        let next = successors.iter().find_map(|next| {
            let taken = program.explain(&state, Which::to(next))?;
            left.starts_with(&taken).then(|| (next.to_vec(), taken.len()))
        });
        let Some((next, taken)) = next.filter(|(_, taken)| *taken > 0) else {
            let message = "the trace ends in the middle of a step of the search; with --raw every statement is a step of its own";
            return Err(Failure::Request(message.to_string()));
        };
        state = next;
        left = &left[taken..];
    }
    Ok(state)
}

/// The state explained, with what each process may do from where it is.
struct Context<'a> {
    model: &'a Model,
    simplified: &'a Simplified,
    state: &'a State,
    /// By process: the footprints of its transitions, with what is known of it.
    footprints: Vec<Vec<Footprint>>,
    /// By process: the transitions it may come to.
    ahead: Vec<BTreeSet<TransitionId>>,
    /// Process types that may yet be started.
    unborn: BTreeSet<ProcessTypeId>,
    /// The variables that some step writes to.
    written: BTreeSet<Variable>,
}

impl<'a> Context<'a> {
    fn new(model: &'a Model, simplified: &'a Simplified, state: &'a State) -> Context<'a> {
        let mut context = Context {
            model,
            simplified,
            state,
            footprints: Vec::new(),
            ahead: Vec::new(),
            unborn: BTreeSet::new(),
            written: model.system.written(),
        };
        for (pid, process) in state.processes.iter().enumerate() {
            let mut system = simplified.system.clone();
            let process_type = &simplified.system.process_types[process.process_type];
            system.process_types[process.process_type] =
                with_known(process_type, &|read| context.known(pid, read));
            context.footprints.push(footprints_of(&system, process.process_type));
            let here = process_type.transitions.iter().enumerate().filter(|(_, t)| t.pre == process.point);
            context.ahead.push(reachable(process_type, here.map(|(k, _)| k)));
        }
        context.unborn = context.unborn();
        context
    }

    /// What a read of a process always gives.
    fn known(&self, pid: Pid, read: &Read) -> Option<i64> {
        let process_type = self.state.processes[pid].process_type;
        let number = |value: &Value| if let Value::Int(n) = value { n.to_i64() } else { None };
        match read {
            Read::Myself => Some(pid as i64),
            Read::Place(Place { root: Root::Local(o), path }) if path.is_empty() => {
                let constant = !self.written.contains(&(Some(process_type), *o));
                number(&self.state.processes[pid].objects[*o]).filter(|_| constant)
            }
            Read::Place(Place { root: Root::Global(o), path }) if path.is_empty() => {
                let constant = !self.written.contains(&(None, *o));
                number(&self.state.globals[*o]).filter(|_| constant)
            }
            _ => None,
        }
    }

    fn unborn(&self) -> BTreeSet<ProcessTypeId> {
        let process_types = &self.simplified.system.process_types;
        let started = |commands: &mut dyn Iterator<Item = &Transition>| -> Vec<ProcessTypeId> {
            commands.flat_map(|t| &t.command).filter_map(Operation::starts).collect()
        };
        let mut open: Vec<ProcessTypeId> = Vec::new();
        for (pid, ahead) in self.ahead.iter().enumerate() {
            let transitions = &process_types[self.state.processes[pid].process_type].transitions;
            open.extend(started(&mut ahead.iter().map(|k| &transitions[*k])));
        }
        let mut all = BTreeSet::new();
        while let Some(next) = open.pop() {
            if all.insert(next) {
                open.extend(started(&mut process_types[next].transitions.iter()));
            }
        }
        all
    }

    fn report(&self, choice: &Choice, all: &[Choice]) -> ChoiceReport {
        let node = choice.node;
        let process_type = self.state.processes[node.process].process_type;
        let origin = self.simplified.origins[process_type][node.transition].first();
        let transition = origin.map(|t| &self.model.system.process_types[process_type].transitions[*t]);
        let reason = match choice.part {
            Part::Start => "the persistent set starts with it".to_string(),
            Part::Everything => "every enabled step is taken".to_string(),
            Part::Outside => String::new(),
            Part::NeededBy(by) => {
                let other = &all[by];
                let by = in_words(
                    self.model,
                    self.simplified,
                    self.state,
                    label(other.node.process, other.node.transition),
                );
                format!("because of {by}: {}", self.why(other, choice))
            }
        };
        ChoiceReport {
            process: format!("{}[{}]", self.model.process_name(process_type), node.process),
            statement: transition.map(|t| t.text.clone()).unwrap_or_default(),
            line: transition.and_then(|t| self.model.location(t.span)).map(|l| l.line),
            enabled: choice.enabled,
            part: choice.part,
            reason,
        }
    }

    /// Why a set with the one must have the other.
    fn why(&self, one: &Choice, other: &Choice) -> String {
        if one.node.process == other.node.process {
            return "it is a choice of the same process".to_string();
        }
        let own = &self.footprints[one.node.process][one.node.transition];
        let process_type = self.state.processes[other.node.process].process_type;
        let later = reachable(
            &self.simplified.system.process_types[process_type],
            [other.node.transition].into_iter(),
        );
        let mut shared: BTreeMap<String, Option<u32>> = BTreeMap::new();
        for next in &later {
            let theirs = &self.footprints[other.node.process][*next];
            for object in self.meet(own, theirs) {
                let origin = self.simplified.origins[process_type][*next].first();
                let span = origin.map(|t| self.model.system.process_types[process_type].transitions[*t].span);
                let line = span.and_then(|s| self.model.location(s)).map(|l| l.line);
                shared.entry(object).or_insert(line);
            }
        }
        let verb = if one.enabled { "may disturb it through" } else { "may enable it through" };
        let at = |(object, line): (&String, &Option<u32>)| {
            line.map_or_else(|| object.clone(), |line| format!("{object} (line {line})"))
        };
        let all: Vec<String> = shared.iter().take(3).map(at).collect();
        match all.is_empty() {
            true => "what it may lead to may not be left out".to_string(),
            false => format!("it or what follows {verb} {}", all.join(", ")),
        }
    }

    /// The objects on which the one may depend on the other.
    fn meet(&self, own: &Footprint, theirs: &Footprint) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (a, b) in own.all().flat_map(|a| theirs.all().map(move |b| (a, b))) {
            let any = [a.target, b.target].contains(&Target::AnyChannel);
            let channels = [a, b].iter().all(|u| matches!(u.operation, On::Channel(_) | On::Half(_)));
            if any && channels {
                found.insert("a channel that is known only at run time".to_string());
            } else if a.target == b.target
                && !matches!(a.target, Target::Local(_))
                && (can_be_dependent(&a.operation, &b.operation) || halves(a, b))
            {
                found.insert(self.name(a.target));
            }
        }
        let lives = |s: Special| {
            matches!(s, Special::Start | Special::Stop | Special::Youngest | Special::ProcessCount)
        };
        if own.specials().any(lives) && theirs.specials().any(lives) {
            found.insert("which processes live".to_string());
        }
        found
    }

    fn name(&self, target: Target) -> String {
        let system = &self.simplified.system;
        match target {
            Target::Global(o) => system.globals[o].name.clone(),
            Target::Local(o) => format!("local {o}"),
            Target::Remote { process_type, object } => {
                system.process_types[process_type].objects[object].name.clone()
            }
            Target::AnyChannel => "a channel that is known only at run time".to_string(),
        }
    }

    /// Who may yet use a global: those that live by name, those that are yet to be created by their
    /// type.
    fn users(&self, object: ObjectId, wanted: impl Fn(&Use) -> bool) -> Vec<String> {
        let is_channel = self.simplified.system.globals[object].is_channel();
        let here = |u: &Use| {
            let meant = u.target == Target::Global(object) || is_channel && u.target == Target::AnyChannel;
            meant && wanted(u)
        };
        let mut users = Vec::new();
        for (pid, ahead) in self.ahead.iter().enumerate() {
            if ahead.iter().any(|k| self.footprints[pid][*k].all().any(here)) {
                let name = self.model.process_name(self.state.processes[pid].process_type);
                users.push(format!("{name}[{pid}]"));
            }
        }
        for process_type in &self.unborn {
            let all = footprints_of(&self.simplified.system, *process_type);
            if all.iter().any(|f| f.all().any(here)) {
                users.push(format!("{} to be started", self.model.process_name(*process_type)));
            }
        }
        users
    }

    fn channels(&self) -> Vec<ChannelUse> {
        let globals = self.simplified.system.globals.iter().enumerate();
        let use_of = |(o, object): (ObjectId, &Object)| ChannelUse {
            name: object.name.clone(),
            senders: self.users(o, |u| operates(u, true)),
            receivers: self.users(o, |u| operates(u, false)),
        };
        globals.filter(|(_, o)| o.is_channel()).map(use_of).collect()
    }

    fn variables(&self) -> Vec<VariableUse> {
        let globals = self.simplified.system.globals.iter().enumerate();
        let use_of = |(o, object): (ObjectId, &Object)| VariableUse {
            name: object.name.clone(),
            readers: self.users(o, |u| !u.changes()),
            writers: self.users(o, Use::changes),
        };
        let used = |v: &VariableUse| !v.readers.is_empty() || !v.writers.is_empty();
        globals.filter(|(_, o)| !o.is_channel()).map(use_of).filter(used).collect()
    }
}

fn halves(a: &Use, b: &Use) -> bool {
    matches!((&a.operation, &b.operation), (On::Half(x), On::Half(y)) if x.meets(*y))
}

/// Whether a use sends, or receives.
fn operates(used: &Use, sends: bool) -> bool {
    use objects::rendezvous::Half;
    match &used.operation {
        On::Channel(OnChannel::Send | OnChannel::SortedSend) => sends,
        On::Channel(OnChannel::Receive | OnChannel::MatchingReceive | OnChannel::RandomReceive) => !sends,
        On::Half(half) => (*half == Half::Offer) == sends,
        _ => false,
    }
}

/// The transitions that can come at or after these.
fn reachable(process_type: &ProcessType, from: impl Iterator<Item = TransitionId>) -> BTreeSet<TransitionId> {
    let mut all: BTreeSet<TransitionId> = from.collect();
    let mut open: Vec<TransitionId> = all.iter().copied().collect();
    while let Some(k) = open.pop() {
        let post = process_type.transitions[k].post;
        let next = process_type.transitions.iter().enumerate().filter(|(_, t)| t.pre == post);
        open.extend(next.map(|(n, _)| n).filter(|n| all.insert(*n)));
    }
    all
}

/// The channel assertions of the model and which processes violate them, by a search.
fn channel_assertions(model: &Model, program: &mut Program, plan: Plan) -> Vec<ChannelAssertion> {
    if model.system.exclusive.is_empty() {
        return Vec::new();
    }
    let limits = Limits { states: Some(SEARCHED), ..Limits::default() };
    let options = Options { keep_going: true, limits, ..Options::default() };
    match plan.reduction {
        Some(reduction) => drop(explore::selective_search(program, &options, reduction, &mut NoListener)),
        None => drop(explore::search(program, &options, &mut NoListener)),
    }
    let uses: Uses = program.uses().collect();
    let assertion = |claim: &Exclusive| {
        let users = exclusive::users(model, &uses, claim).unwrap_or_default();
        let broken = users.len() > 1;
        ChannelAssertion {
            text: if claim.sends { "xs" } else { "xr" }.to_string(),
            location: model.location(claim.span),
            broken_by: users.into_iter().filter(|_| broken).map(|pid| format!("process {pid}")).collect(),
        }
    };
    model.system.exclusive.iter().map(assertion).collect()
}
