//! The reference stepper as a stepper that can be reduced; a packed state is a number.

use independence::footprint::conjuncts;
use independence::selective::Selective;
use independence::{self, FullExpansion, Independence, Method, Node, NotReduced, Set, Snapshot};
use num_traits::ToPrimitive;
use objects::Dependency;
use space::{Edges, Fault, Label, Rest, Step, Stepper, Which};
use std::collections::{BTreeSet, HashMap};
use system::evaluate::{Context, holds};
use system::{LocationId, ObjectId, Pid, ProcessTypeId, Reference, State, System, TransitionId, Value};

pub struct Slow<'a> {
    pub system: &'a System,
    first: State,
    pub states: Vec<State>,
    numbers: HashMap<State, u32>,
    independence: Independence,
    here: usize,
    /// The states that were visited.
    pub visited: BTreeSet<usize>,
}

struct View<'a> {
    system: &'a System,
    state: &'a State,
}

impl Snapshot for View<'_> {
    fn processes(&self) -> usize {
        self.state.processes.len()
    }

    fn position(&self, pid: Pid) -> (ProcessTypeId, LocationId) {
        (self.state.processes[pid].process_type, self.state.processes[pid].point)
    }

    fn local(&self, pid: Pid, object: ObjectId) -> Option<i64> {
        number(&self.state.processes[pid].objects[object], &[])
    }

    fn global(&self, object: ObjectId, path: &[usize]) -> Option<i64> {
        number(&self.state.globals[object], path)
    }

    fn length(&self, channel: ObjectId) -> usize {
        if let Value::Channel(messages) = &self.state.globals[channel] { messages.len() } else { 0 }
    }

    fn holds(&mut self, pid: Pid, transition: TransitionId, conjunct: usize) -> Option<bool> {
        let process_type = self.state.processes[pid].process_type;
        let guard = &self.system.process_types[process_type].transitions[transition].guard;
        holds(&Context::of(self.system, self.state, pid), conjuncts(guard).get(conjunct)?).ok()
    }
}

fn number(value: &Value, path: &[usize]) -> Option<i64> {
    match (value, path) {
        (Value::Int(value), []) => value.to_i64(),
        (Value::Parts(parts), [first, rest @ ..]) => number(parts.get(*first)?, rest),
        _ => None,
    }
}

impl<'a> Slow<'a> {
    pub fn new(system: &'a System, first: &State) -> Slow<'a> {
        let independence = Independence::new(system, system).unwrap();
        let (states, numbers) = Default::default();
        let first = forget(first.clone());
        Slow { system, first, states, numbers, independence, here: 0, visited: BTreeSet::new() }
    }

    pub fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            next
        })
    }

    /// The moves of a state with their labels.
    pub fn moves(&self, state: &State) -> Vec<(Label, State)> {
        let moves = Reference::new(self.system).moves(state).into_iter();
        moves.filter_map(|m| Some((label(&m.step), forget(m.next?)))).collect()
    }

    /// Takes a state to hand, without a search.
    pub fn stand_at(&mut self, state: &State) -> bool {
        let number = self.number(forget(state.clone())).to_le_bytes();
        let mut edges = Edges::default();
        self.expand(&number, &mut edges);
        self.load(&number, &edges)
    }
}

/// Who moved last does not tell states apart.
pub fn forget(state: State) -> State {
    State { last: 0, ..state }
}

pub fn label(step: &Step) -> Label {
    let label = independence::label(step.actor, step.path[0]);
    step.partner.as_ref().map_or(label, |(pid, path)| independence::handshake(label, *pid, path[0]))
}

fn at(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes.try_into().unwrap()) as usize
}

impl Stepper for Slow<'_> {
    fn initial(&mut self, out: &mut Edges) {
        let first = self.first.clone();
        let number = self.number(first);
        out.push(&number.to_le_bytes(), Label::default());
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        self.visited.insert(at(state));
        let moves = self.moves(&self.states[at(state)].clone());
        for (label, next) in &moves {
            let number = self.number(next.clone());
            out.push(&number.to_le_bytes(), *label);
        }
        match moves.is_empty() {
            false => Rest::Enabled,
            true if self.states[at(state)].is_valid_end(self.system) => Rest::Terminated,
            true => Rest::Deadlock,
        }
    }

    fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
        None
    }

    fn describe(&self, fault: Fault) -> String {
        format!("{fault:?}")
    }
}

impl Selective for Slow<'_> {
    fn prepare(&mut self) -> Result<(), NotReduced> {
        Ok(())
    }

    fn load(&mut self, state: &[u8], edges: &Edges) -> bool {
        self.here = at(state);
        let view = View { system: self.system, state: &self.states[self.here] };
        self.independence.load(&view, edges.labels.iter().copied())
    }

    fn full_expansion(&self) -> Option<FullExpansion> {
        self.independence.full_expansion()
    }

    fn nodes(&self) -> &[Node] {
        self.independence.nodes()
    }

    fn gates(&self) -> Set {
        self.independence.gates()
    }

    fn enabled(&self) -> Set {
        self.independence.enabled()
    }

    fn visible(&self) -> Set {
        self.independence.visible()
    }

    fn needs(&mut self, node: usize, method: Method, alternatives: &mut Vec<Set>) -> Option<()> {
        let mut view = View { system: self.system, state: &self.states[self.here] };
        self.independence.needs(&mut view, node, method, alternatives)
    }

    fn independent(&mut self, a: Label, b: Label, by: Dependency) -> bool {
        let view = View { system: self.system, state: &self.states[self.here] };
        self.independence.independent(&view, a, b, by)
    }
}
