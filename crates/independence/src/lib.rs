//! Independence of what processes do, out of the object library: what partial-order reduction asks
//! of a system.
//!
//! After the thesis, sections 3.4, 4.2–4.7 and Definition 3.21. The unit is the *choice*: a
//! transition out of the point where its process is now, enabled or not, and with it the whole step
//! that it begins (an atomic sequence, a d_step, merged statements). For each choice
//! [`Independence::needs`] says which other choices a persistent set that has it must also have,
//! for each of the algorithms of chapter 4; `explore` finds the sets.
//!
//! Where the thesis puts a transition t' that is far from its process' point into a stubborn set,
//! and then by its step 2.a.i all that leads there, we put in at once those choices of the process
//! whose future has t': the transitions between are disabled, and what they need in turn is there.
//! That makes sets of choices small enough for bit masks. Only where another reason than the point
//! disables t', or something on the way to it, that is a node besides the choices: see `outlook`.
//!
//! Deviations, all because of Promela:
//! * **Processes are created.** What the processes may do that a choice may lead to create belongs
//!   to its future.
//! * **A handshake** has two halves, each a choice of its process; a set with one half has all
//!   choices of all processes that are at the other, and those that lead others there.
//! * **The end of a process** waits for all younger ones: whichever of them is taken, its own end
//!   must come first.
//! * **Timeout** is true only where nothing else can move. As long as a choice of the set is
//!   enabled, nothing that waits for a timeout can happen, and nothing independent of the set
//!   disables it. So such choices are left out of all futures; and where they are what is enabled,
//!   all of it is taken.
//! * **`else` and `unless`** have what they exclude among their conditions (see
//!   [`crate::footprint`]).
//! * Where a step may hand control to another process in its middle, or `else` asks whether a send
//!   finds its partner, the step is taken to depend on everything.
//! * `_last`, `enabled`, `pc_value`, `np_` and priorities see all steps of all processes: no
//!   reduction ([`NotReduced`]).
//!
//! ```
//! use independence::{Node, label, node, partner};
//!
//! // The label of a step says which process takes which transition.
//! let step = label(1, 7);
//! assert_eq!(node(step), Node { process: 1, transition: 7 });
//! assert_eq!(partner(step), None);
//! ```
#![warn(missing_docs)]

mod asks;
mod enablers;
mod flow;
pub mod fold;
pub mod footprint;
mod known;
mod loaded;
mod needs;
pub mod object_table;
mod outlook;
mod role;
mod rows;
pub mod selective;
mod steps;
mod survey;
mod truth;
mod visible;

pub use loaded::members;

use crate::footprint::{Source, footprints_of};
use object_table::{Key, Mask, Objects, Op};
use objects::Dependency;
use role::{Ground, Role, or_into};
use space::Label;
use std::collections::HashMap;
use std::sync::Arc;
use survey::Survey;
use system::*;

/// A set of choices, a bit for each.
pub type Set = u128;

/// A state with more choices than this is not reduced.
pub const MAX_CHOICES: usize = 128;

/// No more roles than this are distinguished; then processes are seen as any of their process type.
const MAX_ROLES: usize = 4096;

/// What a state tells about processes and objects.
pub trait Snapshot {
    /// How many processes there are.
    fn processes(&self) -> usize;
    /// The type and the location of a process.
    fn position(&self, pid: Pid) -> (ProcessTypeId, LocationId);
    /// The value of a local scalar.
    fn local(&self, pid: Pid, object: ObjectId) -> Option<i64>;
    /// The value of a global variable or of a part of it.
    fn global(&self, object: ObjectId, path: &[usize]) -> Option<i64>;
    /// How many messages are in a global channel.
    fn length(&self, channel: ObjectId) -> usize;
    /// Whether the k-th conjunct of a guard holds; `None` if that is unknown.
    fn holds(&mut self, pid: Pid, transition: TransitionId, conjunct: usize) -> Option<bool>;
}

/// The algorithms of chapter 4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Algorithm 1: conflicting transitions.
    Conflict,
    /// Algorithm 2: Overman's.
    Overman,
    /// Algorithm 3, and with the relation ▷s Algorithm 4.
    #[default]
    Stubborn,
}

/// How persistent sets are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// Which algorithm of the thesis.
    pub algorithm: Algorithm,
    /// With ▷s in place of can-be-dependent and do-not-accord.
    pub conditional: bool,
    /// The dependency relation that sets are persistent with respect to, and that sleep sets use.
    pub dependency: Dependency,
}

/// Why a system is not reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReduced {
    /// Some expression reads `_last`.
    #[error("the model reads _last, which every step changes")]
    Last,
    /// Some expression reads `enabled()`.
    #[error("the model asks enabled(), which every step may change")]
    Enabled,
    /// Some expression reads `pc_value()`.
    #[error("the model asks pc_value(), which every step may change")]
    Location,
    /// Some expression reads `np_`.
    #[error("the model reads np_, which every step may change")]
    NonProgress,
    /// Some process has a priority, or an expression reads one.
    #[error("the model uses priorities, which order all steps")]
    Priorities,
    /// A proposition asks whether no process can move.
    #[error("the property asks timeout, which every step may change")]
    Timeout,
    /// The search does not enter states that break an invariant.
    #[error("the search keeps to an invariant, which every step may violate")]
    Constrained,
    /// Too many branches of transitions to compare them.
    #[error("there are too many transitions to compare all pairs of them")]
    Branches,
}

/// Why nothing is left out in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum FullExpansion {
    /// Only processes that wait for a timeout can move, and any other step would end the timeout.
    #[error("a timeout")]
    Timeout,
    /// More choices than a set has room for.
    #[error("more than {MAX_CHOICES} choices")]
    Choices,
    /// A step may hand control to another process in its middle, or asks whether a send would find
    /// its partner.
    #[error("a step that depends on where every process is")]
    Handover,
    /// Looking for small sets did not pay, so the search gave it up.
    #[error("sets were seldom smaller than what is enabled")]
    Seldom,
}

/// A choice of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The process.
    pub process: Pid,
    /// Its transition.
    pub transition: TransitionId,
}

const NO_PROCESS: u64 = 0xff;

/// The label of a choice.
pub fn label(process: Pid, transition: TransitionId) -> Label {
    Label((process as u64) << 56 | (transition as u64 & 0xff_ffff) << 32 | NO_PROCESS << 24)
}

/// The label of the handshake with another process and its transition.
pub fn handshake(sender: Label, process: Pid, transition: TransitionId) -> Label {
    Label(sender.0 & !0xffff_ffff | (process as u64) << 24 | transition as u64 & 0xff_ffff)
}

/// The choice that a step begins with.
pub fn node(label: Label) -> Node {
    Node { process: (label.0 >> 56) as usize, transition: (label.0 >> 32 & 0xff_ffff) as usize }
}

/// The other half of a handshake.
pub fn partner(label: Label) -> Option<Node> {
    let process = label.0 >> 24 & 0xff;
    let transition = (label.0 & 0xff_ffff) as usize;
    (process != NO_PROCESS).then_some(Node { process: process as usize, transition })
}

/// What is known of a system and of the state at hand.
#[derive(Clone)]
pub struct Independence {
    system: System,
    survey: Survey,
    objects: Objects,
    families: Vec<Vec<Mask>>,
    /// What propositions ask of objects.
    watched: Vec<(Key, Op)>,
    /// By process type and point: whether names of channels may still be written from there on.
    unsettled: Vec<Vec<bool>>,
    roles: Vec<Arc<Role>>,
    numbers: HashMap<Vec<i64>, usize>,
    /// The channels that global names stand for, once no process writes them any more.
    settings: HashMap<Vec<i64>, i64>,
    outlooks: outlook::Outlooks,
    tables: asks::Tables,
    here: loaded::Loaded,
}

impl Independence {
    /// `original` is the system before it was simplified, which tells what is never written.
    pub fn new(system: &System, original: &System) -> Result<Independence, NotReduced> {
        let survey = Survey::of(system, original)?;
        let mut independence = Independence {
            system: system.clone(),
            survey,
            objects: Objects::default(),
            families: Vec::new(),
            watched: Vec::new(),
            unsettled: Vec::new(),
            roles: Vec::new(),
            numbers: HashMap::new(),
            settings: HashMap::new(),
            outlooks: outlook::Outlooks::default(),
            tables: asks::Tables::default(),
            here: loaded::Loaded::default(),
        };
        independence.watched = independence.watched();
        let generic: Vec<Role> = (0..system.process_types.len())
            .map(|t| independence.make_role(t, &system.process_types[t].clone()))
            .collect();
        independence.families = families(system, &generic);
        for (t, _) in generic.iter().enumerate() {
            let role = independence.make_role(t, &system.process_types[t].clone());
            independence.unsettled.push(independence.unsettled(&role));
            independence.roles.push(Arc::new(role));
        }
        Ok(independence)
    }

    fn make_role(&mut self, process_type: ProcessTypeId, known: &ProcessType) -> Role {
        let mut system = self.system.clone();
        system.process_types[process_type] = known.clone();
        let footprints = footprints_of(&system, process_type);
        let Independence { system, survey, families, watched, .. } = self;
        ground(system, survey, families, watched).role(&mut self.objects, process_type, known, &footprints)
    }

    /// By point: whether a name of a channel may be written from there on.
    fn unsettled(&self, role: &Role) -> Vec<bool> {
        let writes = |ahead: &Vec<Mask>| {
            self.survey.names.iter().any(|name| {
                let Some(object) = self.objects.number(Key::Variable(*name)) else { return false };
                let mask = ahead.get(object as usize).copied().unwrap_or(0);
                (0..64)
                    .any(|k| mask >> k & 1 == 1 && self.objects.operation(object, k).is_none_or(Op::changes))
            })
        };
        role.ahead.iter().map(writes).collect()
    }

    /// The role of a process in a state; `setting` is what names of channels stand for.
    fn role(&mut self, snapshot: &impl Snapshot, pid: Pid, setting: i64, key: &[i64]) -> usize {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let (process_type, _) = snapshot.position(pid);
        if self.roles.len() >= MAX_ROLES {
            return process_type;
        }
        let survey = &self.survey;
        let lookup = |read: &Read| match read {
            Read::Myself => Some(pid as i64),
            Read::Place(place) => {
                let path = survey::constant_path(place)?;
                match place.root {
                    Root::Local(o) if path.is_empty() && survey.constants[process_type].contains(&o) => {
                        // A channel of its own is known by its place.
                        let own = |value: &i64| survey.is_name(process_type, o) && *value > survey.channels;
                        snapshot.local(pid, o).filter(|value| !own(value))
                    }
                    Root::Global(o) if survey.fixed.contains(&o) => snapshot.global(o, &path),
                    Root::Global(o) if setting > 0 && survey.names.contains(&o) => snapshot.global(o, &path),
                    _ => None,
                }
            }
            _ => None,
        };
        let mut known = self.system.process_types[process_type].clone();
        known.transitions = known.transitions.iter().map(|t| known::transition(t, &lookup)).collect();
        let role = self.make_role(process_type, &known);
        let number = self.roles.len();
        self.roles.push(Arc::new(role));
        self.numbers.insert(key.to_vec(), number);
        number
    }
}

fn ground<'a>(
    system: &'a System,
    survey: &'a Survey,
    families: &'a [Vec<Mask>],
    watched: &'a [(Key, Op)],
) -> Ground<'a> {
    Ground {
        system,
        escaped: &survey.escaped,
        remote: &survey.remote,
        asked: &survey.asked,
        rendezvous: survey.rendezvous,
        families,
        watched,
    }
}

/// A process type with what is known of its reads put in.
pub fn with_known(process_type: &ProcessType, known: &dyn Fn(&Read) -> Option<i64>) -> ProcessType {
    let transitions = process_type.transitions.iter().map(|t| known::transition(t, known)).collect();
    ProcessType { transitions, ..process_type.clone() }
}

/// By process type: what its processes, and those that they start, and so on, may ever do.
fn families(system: &System, generic: &[Role]) -> Vec<Vec<Mask>> {
    let mut families: Vec<Vec<Mask>> = generic.iter().map(|role| role.all.clone()).collect();
    loop {
        let before = families.clone();
        for (t, process_type) in system.process_types.iter().enumerate() {
            let commands = process_type.transitions.iter().flat_map(|t| &t.command);
            for started in commands.filter_map(Operation::starts) {
                let more = families[started].clone();
                or_into(&mut families[t], &more);
            }
        }
        if families == before {
            return families;
        }
    }
}

/// Whether a condition's source is one whose truth is not evaluated.
fn is_unclear(source: Source) -> bool {
    matches!(source, Source::Provided | Source::Excluded)
}
