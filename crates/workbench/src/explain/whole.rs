//! All states of a small model, and which of them a reduced search explores.
//!
//! The reduced system is that of properties of runs ([`Reduced`]) with the proviso for finite runs:
//! what it explores from a state depends on the state alone, so it can be drawn. A search for
//! deadlocks and assertions that fail leaves out more: it has sleep sets besides.

use super::{Choice, ChoiceReport, Context, Part, explain, whole};
use crate::audit::in_words;
use crate::executor::RunStatus;
use crate::failure::Failure;
use crate::model::Model;
use crate::values::{Variable, variables};
use compile::Program;
use compile::simplify::Simplified;
use explore::reduction::explain::explain_explored;
use explore::reduction::reduced::{Proviso, Reduced, Shared};
use independence::{Method, node, partner};
use space::{Edges, Ending, Label, Rest, Run, Step, Stepper, Which};
use std::collections::{BTreeMap, HashSet};
use system::{Reference, State};

/// A model with more states is not small.
const MOST: usize = 500;

/// The states of a model; the first one is the initial one.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The states.
    pub states: Vec<Explored>,
    /// The steps between them, as a search takes them.
    pub edges: Vec<GraphEdge>,
}

/// A state, and what the reduced search does there.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Every variable.
    pub variables: Vec<Variable>,
    /// What is possible here.
    pub status: RunStatus,
    /// Whether the reduced search comes here.
    pub explored: bool,
    /// Why nothing is left out here.
    pub whole: Option<String>,
    /// What each process could do, and why it is taken or not.
    pub choices: Vec<ChoiceReport>,
}

/// A step between two states, by their numbers.
#[derive(Clone, Debug)]
pub struct GraphEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Who takes it.
    pub who: String,
    /// What it begins with.
    pub text: String,
    /// Whether the reduced search takes it.
    pub explored: bool,
}

/// What is asked.
pub(super) struct Whole<'a> {
    pub model: &'a Model,
    pub simplified: &'a Simplified,
    pub method: Method,
}

/// A packed state that was found.
struct Found {
    bytes: Vec<u8>,
    steps: Vec<Step>,
    status: RunStatus,
    edges: Vec<(usize, Label)>,
}

/// An edge of the whole system, from its source.
type Taken = (usize, usize, Label);

impl Whole<'_> {
    /// All states, or why they are too many.
    pub fn graph(&self, program: &mut Program) -> Result<Result<Graph, String>, Failure> {
        let Some(found) = all(program) else {
            return Ok(Err(format!("the model has more than {MOST} states")));
        };
        let taken = reduced(program.clone(), self.method, &found);
        let mut graph = Graph::default();
        for (from, state) in found.iter().enumerate() {
            let meant = self.meant(&state.steps)?;
            let mut explored = Explored {
                variables: variables(self.model, &meant, true),
                status: state.status,
                explored: from == 0 || taken.iter().any(|(_, to, _)| *to == from),
                whole: None,
                choices: Vec::new(),
            };
            if explored.explored {
                self.explain(program, (from, state), &taken, (&meant, &mut explored));
            }
            graph.states.push(explored);
            graph.edges.extend(state.edges.iter().map(|(to, label)| GraphEdge {
                from,
                to: *to,
                who: self.who(&meant, *label),
                text: in_words(self.model, self.simplified, &meant, *label),
                explored: taken.contains(&(from, *to, *label)),
            }));
        }
        Ok(Ok(graph))
    }

    /// The state as the model has it.
    fn meant(&self, steps: &[Step]) -> Result<State, Failure> {
        let run = Run::new(steps.to_vec(), Ending::Open);
        let lost = |why| Failure::Internal(format!("a run could not be replayed: {why}"));
        let replayed = certify::replay(&Reference::new(&self.model.system), &run).map_err(lost)?;
        let none = || Failure::Internal("a run has no last state".to_string());
        replayed.states.into_iter().next_back().ok_or_else(none)
    }

    /// Why the steps out of a state that is explored are taken, or not.
    fn explain(
        &self,
        program: &mut Program,
        (from, state): (usize, &Found),
        taken: &HashSet<Taken>,
        (meant, explored): (&State, &mut Explored),
    ) {
        let own = state.edges.iter().filter(|(to, label)| taken.contains(&(from, *to, *label)));
        let own: Vec<Label> = own.map(|(_, label)| *label).collect();
        let choices = explain_explored(program, &state.bytes, self.method, &own);
        let left = |choices: &[Choice]| choices.iter().any(|c| c.enabled && c.part == Part::Outside);
        explored.whole = match left(&choices) || state.edges.is_empty() {
            true => None,
            false if left(&explain(program, &state.bytes, self.method)) => Some(
                "a smaller set is persistent, but no way on from it would lead to a state where \
                 everything is explored: steps could be ignored"
                    .to_string(),
            ),
            false => whole(&choices),
        };
        let context = Context::new(self.model, self.simplified, meant);
        explored.choices = choices.iter().map(|c| context.report(c, &choices)).collect();
    }

    /// The processes that take a step, as the simulator calls them.
    fn who(&self, meant: &State, label: Label) -> String {
        let name = |pid: usize| {
            let process = meant.processes.get(pid);
            let name = process.map_or("?", |process| self.model.process_name(process.process_type));
            format!("{name}[{pid}]")
        };
        match partner(label) {
            Some(partner) => format!("{} -> {}", name(node(label).process), name(partner.process)),
            None => name(node(label).process),
        }
    }
}

/// The states, breadth-first; `None` if they are too many.
fn all(program: &mut Program) -> Option<Vec<Found>> {
    let mut edges = Edges::default();
    program.initial(&mut edges);
    let mut found: Vec<Found> = Vec::new();
    let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let new = |bytes: &[u8], steps| {
        let (bytes, status) = (bytes.to_vec(), RunStatus::Enabled);
        Found { bytes, steps, status, edges: Vec::new() }
    };
    found.extend(edges.iter().take(1).map(|state| new(state, Vec::new())));
    known.extend(found.first().map(|first| (first.bytes.clone(), 0)));
    let mut next = 0;
    while next < found.len() {
        edges.clear();
        let from = found[next].bytes.clone();
        let rest = program.expand(&from, &mut edges);
        found[next].status = status(rest, &edges);
        for (state, label) in edges.iter().zip(&edges.labels) {
            let to = match known.get(state) {
                Some(to) => *to,
                None if found.len() == MOST => return None,
                None => {
                    let step = program.explain(&from, Which::to(state)).unwrap_or_default();
                    known.insert(state.to_vec(), found.len());
                    found.push(new(state, [&found[next].steps[..], &step].concat()));
                    found.len() - 1
                }
            };
            found[next].edges.push((to, *label));
        }
        next += 1;
    }
    Some(found)
}

fn status(rest: Rest, edges: &Edges) -> RunStatus {
    match rest {
        _ if !edges.faults.is_empty() => RunStatus::Failed,
        Rest::Deadlock => RunStatus::Deadlock,
        Rest::Terminated => RunStatus::Terminated,
        Rest::Enabled | Rest::MayRest => RunStatus::Enabled,
    }
}

/// The edges that the reduced system has, found depth-first as a search finds them.
fn reduced(program: Program, method: Method, found: &[Found]) -> HashSet<Taken> {
    let number: BTreeMap<&[u8], usize> =
        found.iter().enumerate().map(|(k, state)| (&state.bytes[..], k)).collect();
    let shared = Shared::new(Proviso::Ways);
    let mut reduced = Reduced::new(program, method, shared.clone());
    let (mut edges, mut taken, mut seen) = (Edges::default(), HashSet::new(), HashSet::new());
    reduced.initial(&mut edges);
    let mut stack: Vec<Vec<u8>> = edges.iter().map(<[u8]>::to_vec).collect();
    while let Some(state) = stack.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        edges.clear();
        reduced.expand(&state, &mut edges);
        let from = number.get(&shared.state(&state)[..]);
        for (target, label) in edges.iter().zip(&edges.labels) {
            let to = number.get(&shared.state(target)[..]);
            taken.extend(from.zip(to).map(|(from, to)| (*from, *to, *label)));
            stack.push(target.to_vec());
        }
    }
    taken
}
