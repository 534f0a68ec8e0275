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

use super::role::{Condition, Role, or_into};
use super::situation::members;
use super::{Independence, MAX_CHOICES, Node, Set, Snapshot};
use crate::footprint::Source as From;
use crate::object_table::Mask;
use std::sync::Arc;
use system::*;

/// Gates of a role beyond these are none.
pub(super) const MAX_GATES: usize = 64;

/// How many outlooks are remembered.
const REMEMBERED: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Outlook {
    /// Those of the choices in their order, then those of the gates.
    sources: Vec<Source>,
}

#[derive(Debug)]
struct Source {
    transition: TransitionId,
    /// What may be done from here on without passing a gate or a choice.
    open: Vec<Mask>,
    /// The gates that may be come to so.
    into: Vec<TransitionId>,
}

impl Outlook {
    /// From a point, where the gates of `shut` are false.
    fn of(template: &Template, role: &Role, point: PointId, shut: u64) -> Outlook {
        let gates: Vec<_> = members(Set::from(shut)).map(|k| role.gates[k]).collect();
        let source = |first: TransitionId| {
            let mut source = Source { transition: first, open: Vec::new(), into: Vec::new() };
            let (mut seen, mut next) = (vec![false; role.points.len()], Vec::new());
            // The transitions out of the point are sources themselves.
            seen[point] = true;
            let mut pass = |t: TransitionId, next: &mut Vec<PointId>| {
                if role.actions[t].takes_part() {
                    or_into(&mut source.open, &role.actions[t].doing);
                    next.push(template.transitions[t].post);
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
        Outlook { sources }
    }
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
    /// The choices and gates of a process that open something hit.
    pub(super) fn sources(
        &mut self,
        snapshot: &mut impl Snapshot,
        process: Pid,
        hit: impl Fn(&[Mask]) -> bool,
    ) -> Set {
        if !hit(&self.role_of(process).ahead[self.here.points[process]]) {
            return 0;
        }
        let outlook = self.outlook(snapshot, process);
        self.nodes_of(process, &outlook, |source| hit(&source.open))
    }

    /// What leads to a gate.
    pub(super) fn before(&mut self, snapshot: &mut impl Snapshot, gate: Node) -> Set {
        let outlook = self.outlook(snapshot, gate.process);
        self.nodes_of(gate.process, &outlook, |source| source.into.contains(&gate.transition))
    }

    fn nodes_of(&mut self, process: Pid, outlook: &Outlook, wanted: impl Fn(&Source) -> bool) -> Set {
        let own = self.here.of_process[process];
        let (choices, gates) = outlook.sources.split_at(own.count_ones() as usize);
        let chosen = members(own).zip(choices).filter(|(_, source)| wanted(source));
        let mut set = chosen.fold(0, |set, (at, _)| set | 1 << at);
        for gate in gates.iter().filter(|source| wanted(source)) {
            match self.gate(Node { process, transition: gate.transition }) {
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

    fn outlook(&mut self, snapshot: &mut impl Snapshot, process: Pid) -> Arc<Outlook> {
        if let Some(known) = &self.here.outlooks[process] {
            return Arc::clone(known);
        }
        let (number, point) = (self.here.roles[process], self.here.points[process]);
        let role = Arc::clone(&self.roles[number]);
        let shut = |k: &usize| {
            let transition = role.gates[*k];
            let mut conditions = role.actions[transition].conditions.iter().filter(|c| c.is_shared());
            conditions.any(|c| self.truth(snapshot, Node { process, transition }, c) == Some(false))
        };
        let shut = members(Set::from(role.gates_ahead[point])).filter(shut).fold(0, |set, k| set | 1 << k);
        if self.outlooks.len() > REMEMBERED {
            self.outlooks.clear();
        }
        let (template, _) = snapshot.position(process);
        let template = &self.system.templates[template];
        let outlook = self.outlooks.entry((number, point, shut));
        let outlook = outlook.or_insert_with(|| Arc::new(Outlook::of(template, &role, point, shut)));
        self.here.outlooks[process] = Some(Arc::clone(outlook));
        Arc::clone(outlook)
    }
}
