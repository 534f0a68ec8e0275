//! What a process may do from where it is, as others see it: step 2.a of Algorithms 3 and 4 for
//! transitions elsewhere.
//!
//! A transition that is not where its process is may be disabled for two reasons: the process is
//! elsewhere, or its guard is false now. Step 2.a leaves the choice between them open. The first
//! puts in all that comes just before the transition, and so on backwards to the choices of the
//! process; what lies between is disabled and needs no more than that, so it is passed over. The
//! second pays where the guard asks shared objects (a fork that another process holds): such a
//! transition is a *gate*, a node next to the choices. Going backwards ends at gates as it ends at
//! choices, so each of both is a *source* that opens what can be done from it without passing
//! another.

use super::fold::Folding;
use super::loaded::members;
use super::role::{Condition, Role, or_into};
use super::rows::{Known, Rows, RowsId};
use super::{Independence, MAX_CHOICES, Node, Set, Snapshot};
use crate::footprint::Source as From;
use crate::object_table::Mask;
use std::collections::HashMap;
use system::*;

/// Gates of a role beyond these are none.
pub(super) const MAX_GATES: usize = 64;

/// How many outlooks are remembered.
const REMEMBERED: usize = 1 << 14;

/// The number of an outlook.
pub(super) type OutlookId = u32;

#[derive(Clone, Debug)]
pub(super) struct Outlook {
    /// Those of the choices in their order, then those of the gates.
    sources: Vec<Source>,
    choices: usize,
    /// Which sources open something of the rows.
    reach: Known<Reach>,
}

#[derive(Clone, Debug)]
struct Source {
    transition: TransitionId,
    /// What may be done from here on without passing a gate or a choice.
    open: Vec<Mask>,
    /// The gates that may be come to so.
    into: Vec<TransitionId>,
}

/// Some of the sources: choices and gates, each by their order.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    choices: Set,
    gates: u64,
}

impl Reach {
    fn and(self, other: Reach) -> Reach {
        Reach { choices: self.choices | other.choices, gates: self.gates | other.gates }
    }
}

impl Outlook {
    /// From a point, where the gates of `shut` are false.
    fn of(process_type: &ProcessType, role: &Role, point: LocationId, shut: u64) -> Outlook {
        let gates: Vec<_> = members(Set::from(shut)).map(|k| role.gates[k]).collect();
        let source = |first: TransitionId| {
            let mut source = Source { transition: first, open: Vec::new(), into: Vec::new() };
            let (mut seen, mut next) = (vec![false; role.points.len()], Vec::new());
            // The transitions out of the point are sources themselves.
            seen[point] = true;
            let mut pass = |t: TransitionId, next: &mut Vec<LocationId>| {
                if role.actions[t].takes_part() {
                    or_into(&mut source.open, &role.actions[t].doing);
                    next.push(process_type.transitions[t].post);
                }
            };
            pass(first, &mut next);
            while let Some(at) = next.pop() {
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                for t in &role.points[at] {
                    match gates.contains(t) {
                        true => source.into.push(*t),
                        false => pass(*t, &mut next),
                    }
                }
            }
            source
        };
        let sources = role.points[point].iter().chain(&gates).map(|t| source(*t)).collect();
        Outlook { sources, choices: role.points[point].len(), reach: Known::default() }
    }

    /// The sources that open something of the rows.
    fn opening(&mut self, rows: &Rows, id: RowsId) -> Reach {
        let Outlook { sources, choices, reach } = self;
        reach.of(id, || those(sources, *choices, |source| rows.hit(id, &source.open)))
    }
}

/// The sources that are wanted; the first are choices.
fn those(sources: &[Source], choices: usize, wanted: impl Fn(&Source) -> bool) -> Reach {
    let (choices, gates) = sources.split_at(choices);
    let bits = |sources: &[Source]| {
        let those = sources.iter().enumerate().filter(|(_, source)| wanted(source));
        those.fold(0, |set: Set, (k, _)| set | 1 << k)
    };
    Reach { choices: bits(choices), gates: bits(gates) as u64 }
}

impl Condition {
    /// Whether it can be found false while its process is elsewhere, and stay so until others
    /// change it.
    pub(super) fn is_shared(&self) -> bool {
        self.youngest
            || match self.source {
                From::Guard(_) => !self.private && !self.timeout && !self.partner,
                From::Blocking => !self.partner,
                From::Provided | From::Excluded => false,
            }
    }
}

impl Independence {
    /// The choices and gates of a process that open something of the rows at hand.
    pub(super) fn sources(&mut self, snapshot: &mut impl Snapshot, process: Pid) -> Set {
        if self.here.outlooks[process].is_none() && !self.is_ahead(process) {
            return 0;
        }
        let outlook = self.outlook(snapshot, process);
        let Independence { objects, here, outlooks, .. } = self;
        let known = &mut outlooks.all[outlook as usize];
        let mut reach = Reach::default();
        for rows in &here.rows {
            reach = reach.and(known.opening(&objects.rows, *rows));
        }
        if reach.gates == 0 {
            // Without choices there is nothing to shift.
            return reach.choices << (here.of_process[process].trailing_zeros() & 127);
        }
        self.nodes_of(process, outlook, reach)
    }

    /// Whether a process may ever come to something of the rows at hand.
    fn is_ahead(&mut self, process: Pid) -> bool {
        let Independence { roles, objects, here, tables, .. } = self;
        let (number, point) = (here.roles[process], here.points[process]);
        let role = (number, &*roles[number]);
        here.rows.iter().any(|rows| tables.is_ahead(objects, role, point, *rows))
    }

    /// What leads to a gate.
    pub(super) fn before(&mut self, snapshot: &mut impl Snapshot, gate: Node) -> Set {
        let outlook = self.outlook(snapshot, gate.process);
        let Outlook { sources, choices, .. } = &self.outlooks.all[outlook as usize];
        let reach = those(sources, *choices, |source| source.into.contains(&gate.transition));
        self.nodes_of(gate.process, outlook, reach)
    }

    fn nodes_of(&mut self, process: Pid, outlook: OutlookId, reach: Reach) -> Set {
        let own = self.here.of_process[process];
        let mut set = reach.choices << (own.trailing_zeros() & 127);
        for k in members(Set::from(reach.gates)) {
            let known = &self.outlooks.all[outlook as usize];
            let transition = known.sources[known.choices + k].transition;
            match self.gate(Node { process, transition }) {
                Some(at) => set |= 1 << at,
                // No room for it: whatever may lead there.
                None => set |= own,
            }
        }
        set
    }

    /// The number of a gate among the nodes.
    fn gate(&mut self, gate: Node) -> Option<usize> {
        let here = &mut self.here;
        let known = here.nodes[here.choices..].iter().position(|node| *node == gate);
        known.map(|k| here.choices + k).or_else(|| {
            let room = here.nodes.len() < MAX_CHOICES;
            room.then(|| here.nodes.push(gate))?;
            Some(here.nodes.len() - 1)
        })
    }

    fn outlook(&mut self, snapshot: &mut impl Snapshot, process: Pid) -> OutlookId {
        if let Some(known) = self.here.outlooks[process] {
            return known;
        }
        let (number, point) = (self.here.roles[process], self.here.points[process]);
        let (role, count) = (&self.roles[number], self.here.roles.len());
        let mut shut = 0;
        for k in members(Set::from(role.gates_ahead[point])) {
            let at = Node { process, transition: role.gates[k] };
            let mut shared = role.actions[at.transition].conditions.iter().filter(|c| c.is_shared());
            if shared.any(|c| c.truth.tell(snapshot, at, count) == Some(false)) {
                shut |= 1 << k;
            }
        }
        let (process_type, _) = snapshot.position(process);
        let make = || Outlook::of(&self.system.process_types[process_type], role, point, shut);
        let outlook = self.outlooks.number((number, point, shut), make);
        self.here.outlooks[process] = Some(outlook);
        outlook
    }
}

/// The outlooks met so far, by role, point and gates that are shut.
#[derive(Clone, Default)]
pub(super) struct Outlooks {
    all: Vec<Outlook>,
    numbers: HashMap<(usize, LocationId, u64), OutlookId, Folding>,
}

impl Outlooks {
    fn number(&mut self, key: (usize, LocationId, u64), make: impl FnOnce() -> Outlook) -> OutlookId {
        *self.numbers.entry(key).or_insert_with(|| {
            self.all.push(make());
            (self.all.len() - 1) as OutlookId
        })
    }

    /// Forgets all if it is too much; between states.
    pub fn clean(&mut self) {
        if self.all.len() > REMEMBERED {
            self.all.clear();
            self.numbers.clear();
        }
    }
}
