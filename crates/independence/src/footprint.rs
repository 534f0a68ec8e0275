//! Static footprints: which operations on which objects a transition uses, before any state is
//! known.
//!
//! This is `used(t)` of the thesis (section 2.1), with the conditions of the guard kept apart as
//! Algorithms 3 and 4 want them: one for each conjunct, one for each operation that may block
//! (where the thesis wants the guard to repeat the operation's domain, the operation itself stands
//! for it), and, from Promela's scheduling rules, one for `provided` and one for each choice that
//! `else` or a tier must find impossible. Operations are refined where the text shows it: a
//! comparison with a constant is a test, `x = x + 1` an increment, `len(q) == 0` is Empty. What an
//! object of the library cannot express is a [`Special`]. Every step also sets who moved last;
//! priorities concern every step if they are on.

mod naming;
mod recognize;
mod scope;

use logic::{Binary, Term};
use naming::Written;
use objects::Operation as On;
use objects::array::Part;
use objects::channel::Operation as OnChannel;
use objects::variable::Operation as OnVariable;
pub(crate) use recognize::comparison;
use scope::Scope;
use std::collections::BTreeSet;
use system::*;

/// What a transition uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// All must hold for the transition to be enabled.
    pub conditions: Vec<Uses>,
    /// By condition: where it comes from.
    pub sources: Vec<Source>,
    /// What is done besides.
    pub command: Uses,
    /// Objects that the command uses again after changing them, against the rule of section 2.1.
    pub repeated: Vec<Target>,
}

/// Where a condition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The k-th of [`conjuncts`] of the guard.
    Guard(usize),
    /// An operation that may block.
    Blocking,
    /// The process type's `provided`.
    Provided,
    /// A choice that must be impossible.
    Excluded,
}

/// What a condition or a command uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The operations on objects.
    pub operations: Vec<Use>,
    /// What else it depends on or does.
    pub specials: BTreeSet<Special>,
}

/// An operation on an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    /// The object.
    pub target: Target,
    /// What is done with it.
    pub operation: On,
}

/// Whose object an operation is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A global variable or channel.
    Global(ObjectId),
    /// Of the process itself.
    Local(ObjectId),
    /// Of some process of the process type.
    Remote {
        /// The process type.
        process_type: ProcessTypeId,
        /// The object, by its number there.
        object: ObjectId,
    },
    /// A channel that only the state tells; it may be rendezvous.
    AnyChannel,
}

/// What else a transition may depend on or do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Special {
    /// Reads how many processes live, which, or whether a certain one does.
    ProcessCount,
    /// Reads who moved last.
    Last,
    /// Asks whether no process could move otherwise.
    Timeout,
    /// Asks whether no process is at a progress point.
    NonProgress,
    /// Asks whether some process is at an accept point.
    Accepting,
    /// Asks whether some process can move.
    Enabled,
    /// Reads where some process is.
    Location,
    /// Asks whether some process is there.
    At {
        /// The process type.
        process_type: ProcessTypeId,
        /// The location.
        point: LocationId,
    },
    /// Reads the priority of some process.
    Priority,
    /// Waits for a partner of a handshake, or for there being none.
    Partner,
    /// Waits until all younger processes have ended.
    Youngest,
    /// Creates a process.
    Start,
    /// Ends its process.
    Stop,
    /// Changes a priority.
    SetPriority,
}

impl Footprint {
    /// All that is used, in guard and command.
    pub fn all(&self) -> impl Iterator<Item = &Use> {
        self.conditions.iter().chain([&self.command]).flat_map(|u| &u.operations)
    }

    /// What else the guard and the command depend on or do.
    pub fn specials(&self) -> impl Iterator<Item = Special> {
        self.conditions.iter().chain([&self.command]).flat_map(|u| u.specials.iter().copied())
    }
}

/// The parts of a guard that must all hold, from left to right.
pub fn conjuncts(guard: &Expr) -> Vec<&Expr> {
    match guard {
        Term::Binary(Binary::And, a, b) => conjuncts(a).into_iter().chain(conjuncts(b)).collect(),
        term => vec![term],
    }
}

/// What a proposition reads.
pub fn proposition(system: &System, proposition: &Expr) -> Uses {
    let mut uses = Uses::default();
    let scope = Scope { system, written: &Written::in_system(system), process_type: 0 };
    scope.term(proposition, true, &mut uses);
    uses
}

/// The footprints of all transitions, by process type and transition.
pub fn footprints(system: &System) -> Vec<Vec<Footprint>> {
    let written = &Written::in_system(system);
    let of = |process_type| {
        let scope = Scope { system, written, process_type };
        (0..system.process_types[process_type].transitions.len()).map(|t| scope.footprint(t)).collect()
    };
    (0..system.process_types.len()).map(of).collect()
}

/// The footprints of the transitions of one process type.
pub fn footprints_of(system: &System, process_type: ProcessTypeId) -> Vec<Footprint> {
    let scope = Scope { system, written: &Written::in_system(system), process_type };
    (0..system.process_types[process_type].transitions.len()).map(|t| scope.footprint(t)).collect()
}

/// The footprint of one transition.
pub fn footprint(system: &System, process_type: ProcessTypeId, transition: TransitionId) -> Footprint {
    Scope { system, written: &Written::in_system(system), process_type }.footprint(transition)
}

impl Use {
    /// Whether the operation may change its object.
    pub fn changes(&self) -> bool {
        match &self.operation {
            On::Variable(o) | On::Part(Part { operation: o, .. }) => {
                !matches!(o, OnVariable::Read | OnVariable::Test(..))
            }
            On::Channel(o) => *o <= OnChannel::RandomReceive,
            On::Half(_) => false,
        }
    }

    /// Whether two uses by one process may be of the same object.
    fn may_meet(&self, other: &Use) -> bool {
        let any = self.target == Target::AnyChannel || other.target == Target::AnyChannel;
        self.target == other.target || any && self.is_on_channel() && other.is_on_channel()
    }

    fn is_on_channel(&self) -> bool {
        matches!(self.operation, On::Channel(_))
    }
}
