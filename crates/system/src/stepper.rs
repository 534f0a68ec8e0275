//! What a fast stepper offers to a search: packed states, all successors of one at once, and an account of its moves.

use crate::fault::Fault;
use crate::independence::{Label, Method, Node, Obstacle, Refusal, Set};
use crate::model::{Pid, TemplateId, TransitionId};
use crate::objects::Dependency;
use crate::run::Step;

/// A set of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pids([u64; 4]);

impl Pids {
    pub fn insert(&mut self, pid: Pid) {
        self.0[pid / 64] |= 1 << (pid % 64);
    }

    pub fn contains(&self, pid: Pid) -> bool {
        self.0[pid / 64] >> (pid % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        *self == Pids::default()
    }

    pub fn iter(&self) -> impl Iterator<Item = Pid> {
        (0..256).filter(|pid| self.contains(*pid))
    }
}

/// The successors of a state, packed one behind the other in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    pub bytes: Vec<u8>,
    /// Where each successor ends in `bytes`.
    pub ends: Vec<usize>,
    /// Who moves to each successor, and by what.
    pub labels: Vec<Label>,
    /// Faults met on the way, with the process and the transition.
    pub faults: Vec<FaultAt>,
    /// Whether the next two are wanted.
    pub tells_movers: bool,
    /// Who moves on the way to each successor.
    pub movers: Vec<Pids>,
    /// Who could begin a move.
    pub enabled: Pids,
    /// For each fault by what the step began.
    pub failing: Vec<Label>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaultAt {
    pub fault: Fault,
    pub process: Pid,
    pub template: TemplateId,
    pub transition: TransitionId,
}

/// What a state is to a search besides its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Somebody can move.
    Moves,
    /// Nobody can, and everybody is where they may rest.
    End,
    Deadlock,
}

impl Successors {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.labels.clear();
        self.faults.clear();
        self.movers.clear();
        self.enabled = Pids::default();
        self.failing.clear();
    }

    /// The k-th successor.
    pub fn get(&self, k: usize) -> &[u8] {
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.bytes[start..self.ends[k]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }
}

/// What a move is looked for by.
#[derive(Clone, Copy, Debug)]
pub enum Goal<'a> {
    /// A move to this state.
    State(&'a [u8]),
    /// A move to this state in which these processes take part.
    Move(&'a [u8], Pids),
    /// A move with this fault.
    Fault(FaultAt),
}

/// A stepper over packed states.
pub trait Stepper {
    /// The initial state, or why there is none.
    fn initial(&mut self) -> Result<Vec<u8>, Fault>;

    /// Appends all successors of `state`: one for each path to the next state that a search stores.
    fn expand(&mut self, state: &[u8], out: &mut Successors) -> Rest;

    /// The steps of a move from `state` to the goal, as the reference stepper takes them.
    fn explain(&mut self, state: &[u8], goal: Goal<'_>) -> Option<Vec<Step>>;
}

/// A stepper that can tell what holds in a state.
pub trait Observer: Stepper {
    /// The propositions of the system that hold, as bits.
    fn observe(&mut self, state: &[u8]) -> Result<u64, Fault>;
}

/// A stepper whose steps can be told apart and compared: what partial-order reduction needs. All questions are about the
/// state last given to [`Selective::situate`].
pub trait Selective: Stepper {
    /// Prepares for reduction.
    fn prepare(&mut self) -> Result<(), Refusal>;

    /// Takes a state to hand; `successors` are all of it. `false` if it cannot be reduced.
    fn situate(&mut self, state: &[u8], successors: &Successors) -> bool;

    /// Why nothing can be left out in the state, if so.
    fn obstacle(&self) -> Option<Obstacle>;

    /// The choices of the state: transitions out of the points where processes are. Behind them, as questions about needs bring
    /// them up, gates: transitions elsewhere that may be in a set as well, and are not enabled.
    fn nodes(&self) -> &[Node];

    /// The nodes that are gates.
    fn gates(&self) -> Set;

    fn enabled(&self) -> Set;

    /// The choices whose steps may change a proposition.
    fn visible(&self) -> Set;

    /// The alternatives of what a persistent set with the choice must have besides, each whole; `None` if only the set of
    /// everything enabled will do.
    fn needs(&mut self, node: usize, method: Method, alternatives: &mut Vec<Set>) -> Option<()>;

    /// Whether two enabled steps are independent here.
    fn independent(&mut self, a: Label, b: Label, by: Dependency) -> bool;
}
