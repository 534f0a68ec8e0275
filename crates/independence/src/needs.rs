//! What a persistent set with a choice must have besides.

use super::loaded::{find, place};
use super::role::Used;
use super::{Algorithm, Independence, Method, Node, Set, Snapshot};
use crate::object_table::Mask;
use objects::rendezvous::Half;

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
        self.gather(snapshot, node, method);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            let role = self.role_of(other);
            if !self.hit(&role.all) {
                continue;
            }
            for (t, action) in role.actions.iter().enumerate() {
                if self.hit(&action.own) {
                    set |= 1 << find(&self.here, Node { process: other, transition: t })?;
                }
            }
            // A process that may be started has no location yet.
            if self.hit(&role.born) {
                return None;
            }
        }
        (set & !self.here.enabled == 0).then_some(set)
    }

    /// Step 2 of Algorithm 2: all choices of each process that may ever do something dependent.
    fn whole_processes(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) -> Set {
        let process = self.here.nodes[node].process;
        let mut set = self.here.of_process[process];
        self.gather(snapshot, node, method);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            if self.hit(&self.role_of(other).all) {
                set |= self.here.of_process[other];
            }
        }
        set
    }

    /// Step 2.b of Algorithms 3 and 4: conflicts, and what may be the first to interfere.
    fn disturbers(&mut self, snapshot: &mut impl Snapshot, node: usize, method: Method) -> Set {
        let process = self.here.nodes[node].process;
        let mut set = self.here.of_process[process];
        self.gather(snapshot, node, method);
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            set |= self.sources(snapshot, other);
        }
        if !self.action(node).halves.is_empty() {
            set |= self.at_the_other_half(node);
        }
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

    /// The operations of others that matter to a choice become the rows at hand.
    pub(super) fn gather(&mut self, snapshot: &impl Snapshot, node: usize, method: Method) {
        let is_enabled = self.here.enabled >> node & 1 == 1;
        let Independence { roles, objects, here, tables, .. } = self;
        let place = place(roles, here, here.nodes[node]);
        here.rows.clear();
        tables.step(objects, place, method, is_enabled).gather(objects, snapshot, &mut here.rows);
    }

    /// Whether any of the operations is in the rows at hand.
    fn hit(&self, masks: &[Mask]) -> bool {
        self.here.rows.iter().any(|rows| self.objects.rows.hit(*rows, masks))
    }
}

impl Used {
    pub(super) fn both(&self) -> (u16, u8) {
        (self.object, self.operation)
    }
}

fn meets(halves: &[(u16, Half)], (object, half): &(u16, Half)) -> bool {
    halves.iter().any(|(o, h)| o == object && h.meets(*half))
}
