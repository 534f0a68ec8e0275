//! What a persistent set with a choice must have besides, and what the state tells of the objects
//! it uses.

use super::role::Used;
use super::situation::find;
use super::{Algorithm, Independence, Method, Node, Set, Snapshot};
use crate::object_table::{Asked, Key, Mask, Objects, Op, Question, Sight};
use objects::Operation as On;
use objects::{Dependency, array, rendezvous::Half};

impl Independence {
    /// The alternatives of what a persistent set that has the choice must have besides: one of the
    /// sets, whole. `None` if there is no such set but everything that is enabled.
    pub fn needs(
        &mut self,
        snapshot: &mut impl Snapshot,
        node: usize,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) -> Option<()> {
        alternatives.clear();
        let is_enabled = self.here.enabled >> node & 1 == 1;
        match method.algorithm {
            Algorithm::Conflict => alternatives.push(self.conflicts(snapshot, node, method)?),
            Algorithm::Overman => alternatives.push(self.whole_processes(snapshot, node, method)),
            Algorithm::Stubborn if is_enabled => alternatives.push(self.disturbers(snapshot, node, method)),
            Algorithm::Stubborn if node >= self.here.choices => {
                self.openers(snapshot, node, method, alternatives);
            }
            Algorithm::Stubborn => self.enablers(snapshot, node, method, alternatives),
        }
        Some(())
    }

    /// Step 2 of Algorithm 1; `None` if a transition that is not enabled would be needed.
    fn conflicts(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) -> Option<Set> {
        let process = self.here.nodes[node].process;
        let mut set = self.here.of_process[process];
        let rows = self.rows(snapshot, node, method, Question::CanBeDependent);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            let role = self.role_of(other);
            if !hits(&rows, &role.all) {
                continue;
            }
            for (t, action) in role.actions.iter().enumerate() {
                if hits(&rows, &action.own) {
                    set |= 1 << find(&self.here, Node { process: other, transition: t })?;
                }
            }
            // A process that may be started has no location yet.
            if hits(&rows, &role.born) {
                return None;
            }
        }
        self.here.rows = rows;
        (set & !self.here.enabled == 0).then_some(set)
    }

    /// Step 2 of Algorithm 2: all choices of each process that may ever do something dependent.
    fn whole_processes(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) -> Set {
        let process = self.here.nodes[node].process;
        let mut set = self.here.of_process[process];
        let rows = self.rows(snapshot, node, method, Question::CanBeDependent);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            if hits(&rows, &self.role_of(other).all) {
                set |= self.here.of_process[other];
            }
        }
        self.here.rows = rows;
        set
    }

    /// Step 2.b of Algorithms 3 and 4: conflicts, and what may be the first to interfere.
    fn disturbers(&mut self, snapshot: &mut impl Snapshot, node: usize, method: Method) -> Set {
        let process = self.here.nodes[node].process;
        let rows = self.rows(snapshot, node, method, Question::DoNotAccord);
        let mut set = self.here.of_process[process];
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            set |= self.sources(snapshot, other, |masks| hits(&rows, masks));
        }
        if !self.action(node).halves.is_empty() {
            set |= self.at_the_other_half(node);
        }
        self.here.rows = rows;
        set
    }

    /// All choices of the processes that are at the other half of a handshake: they take part in
    /// it.
    pub(super) fn at_the_other_half(&self, node: usize) -> Set {
        let own = self.action(node);
        let process = self.here.nodes[node].process;
        let choices = &self.here.nodes[..self.here.choices];
        let partners = choices.iter().enumerate().filter(|(k, other)| {
            other.process != process && self.action(*k).halves.iter().any(|h| meets(&own.halves, h))
        });
        partners.fold(0, |set, (_, other)| set | self.here.of_process[other.process])
    }

    /// By object that a choice uses: the operations of others that matter to it, the other halves
    /// of its handshakes among them.
    pub(super) fn rows(
        &mut self,
        snapshot: &impl Snapshot,
        node: usize,
        method: Method,
        unconditional: Question,
    ) -> Vec<(u16, Mask)> {
        let mut rows = std::mem::take(&mut self.here.rows);
        rows.clear();
        let Node { process, transition } = self.here.nodes[node];
        let is_enabled = self.here.enabled >> node & 1 == 1;
        let Independence { roles, objects, here, .. } = self;
        let action = &roles[here.roles[process]].actions[transition];
        for used in &action.uses {
            let mask = if !method.conditional {
                objects.related(used.both(), Asked::blindly(unconditional, method.dependency))
            } else {
                objects.interfering(snapshot, used, method.dependency, is_enabled)
            };
            if mask != 0 {
                rows.push((used.object, mask));
            }
        }
        for (object, half) in &action.halves {
            let wanted = match half {
                Half::Offer => Half::Accept,
                Half::Accept => Half::Offer,
            };
            rows.push((*object, objects.bit(*object, &Op::On(On::Half(wanted)))));
        }
        rows
    }
}

impl Objects {
    /// ▷s for one operation; where the state tells nothing, what includes it.
    pub(super) fn interfering(
        &mut self,
        snapshot: &impl Snapshot,
        used: &Used,
        by: Dependency,
        is_enabled: bool,
    ) -> Mask {
        let asked = match (self.sight(snapshot, used), is_enabled) {
            (Sight::Nothing, true) => Asked::blindly(Question::DoNotAccord, by),
            (Sight::Nothing, false) => Asked::blindly(Question::CanBeDependent, by),
            (sight, _) => {
                let possible = (used.certain && is_enabled).then_some(true);
                Asked { question: Question::Interferes, by, sight, possible }
            }
        };
        self.related(used.both(), asked)
    }

    pub(super) fn sight(&self, snapshot: &impl Snapshot, used: &Used) -> Sight {
        let Some(operation) = self.operation(used.object, used.operation) else {
            return Sight::Nothing;
        };
        let value = |value: Option<i64>| value.map_or(Sight::Nothing, Sight::Value);
        match (self.key(used.object), operation) {
            (
                Key::Channel(o),
                Op::On(On::Channel(_)) | Op::Tried(On::Channel(_)) | Op::Room | Op::Message,
            ) => Sight::Length(snapshot.length(o)),
            (Key::Variable(o), Op::On(On::Variable(_))) => value(snapshot.global(o, &[])),
            (Key::Variable(o), Op::On(On::Part(array::Part { path, .. }))) => {
                let path: Option<Vec<usize>> = path.iter().copied().collect();
                value(path.and_then(|path| snapshot.global(o, &path)))
            }
            _ => Sight::Nothing,
        }
    }
}

impl Used {
    pub(super) fn both(&self) -> (u16, u8) {
        (self.object, self.operation)
    }
}

/// Whether any of the operations is one of the rows.
pub(super) fn hits(rows: &[(u16, Mask)], masks: &[Mask]) -> bool {
    rows.iter().any(|(object, mask)| masks.get(*object as usize).is_some_and(|m| m & mask != 0))
}

fn meets(halves: &[(u16, Half)], (object, half): &(u16, Half)) -> bool {
    halves.iter().any(|(o, h)| o == object && h.meets(*half))
}
