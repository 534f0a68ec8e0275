//! What may enable a choice that is disabled: step 2.a of Algorithms 3 and 4.

use super::objects::{Key, Mask, Op, Question, Sight};
use super::role::Condition;
use super::situation::{members, span};
use super::{Independence, Method, Node, Set, Snapshot, is_unclear};
use crate::footprint::Source;
use crate::objects::Dependency;
use crate::objects::Operation as On;
use crate::objects::channel::Operation as OnChannel;
use std::sync::Arc;

impl Independence {
    /// Step 2.a of Algorithms 3 and 4 for a transition whose process is there: for each condition that is false, what may
    /// make it true. If none is known to be false, what may make any of those true of which nothing is known.
    pub(super) fn enablers(
        &mut self,
        snapshot: &mut impl Snapshot,
        node: usize,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let Node { process, transition } = self.here.nodes[node];
        let role = Arc::clone(&self.roles[self.here.roles[process]]);
        let action = &role.actions[transition];
        if action.never || action.conditions.iter().any(|c| c.timeout && action.last_resort) {
            return alternatives.push(0);
        }
        let mut unclear: Set = 0;
        let mut any_unclear = false;
        for condition in &action.conditions {
            match self.truth(snapshot, node, condition) {
                Some(true) => {}
                Some(false) => self.make_true(snapshot, node, condition, method, alternatives),
                None => {
                    any_unclear = true;
                    let mut sets = Vec::new();
                    self.make_true(snapshot, node, condition, method, &mut sets);
                    unclear |= sets.first().copied().unwrap_or(0);
                }
            }
        }
        if alternatives.is_empty() {
            // Nothing is false that we know of: the process' own choices decide, or others'.
            alternatives.push(if any_unclear { unclear } else { span(0, self.here.nodes.len()) });
        }
    }

    /// Whether a condition holds in this state, if that can be told.
    fn truth(&self, snapshot: &mut impl Snapshot, node: usize, condition: &Condition) -> Option<bool> {
        let Node { process, transition } = self.here.nodes[node];
        if condition.youngest {
            return Some(process + 1 == self.here.roles.len());
        }
        if condition.timeout || is_unclear(condition.source) || condition.partner {
            return None;
        }
        if let Source::Guard(conjunct) = condition.source {
            return snapshot.holds(process, transition, conjunct);
        }
        let channel = condition.uses.iter().find_map(|u| {
            match (self.objects.key(u.object), self.objects.operation(u.object, u.operation)?) {
                (Key::Channel(o), Op::On(On::Channel(operation))) => Some((o, *operation)),
                _ => None,
            }
        });
        let (channel, operation) = channel?;
        let n = snapshot.length(channel);
        match operation {
            OnChannel::Send | OnChannel::SortedSend => {
                Some(n < super::survey::capacity(&self.system, channel))
            }
            OnChannel::Receive => Some(n > 0),
            OnChannel::MatchingReceive
            | OnChannel::RandomReceive
            | OnChannel::CopyingReceive
            | OnChannel::RandomCopy
                if n == 0 =>
            {
                Some(false)
            }
            _ => None,
        }
    }

    /// What may make a condition true: the alternatives, each whole.
    fn make_true(
        &mut self,
        snapshot: &impl Snapshot,
        node: usize,
        condition: &Condition,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let process = self.here.nodes[node].process;
        if condition.youngest {
            let births = self.objects.number(Key::Births);
            let stop = births.map_or(0, |b| self.objects.bit(b, &Op::Stop));
            let rows = [(births.unwrap_or(0), stop)];
            for younger in process + 1..self.here.roles.len() {
                let role = self.role_of(younger);
                let ends = |at: &usize| {
                    let future = &role.actions[self.here.nodes[*at].transition].future;
                    future.get(rows[0].0 as usize).is_some_and(|m| m & stop != 0)
                };
                let leading = members(self.here.of_process[younger]).filter(ends);
                alternatives.push(leading.fold(0, |set, at| set | 1 << at));
            }
            return;
        }
        let mut rows = std::mem::take(&mut self.here.rows);
        rows.clear();
        for used in &condition.uses {
            let mask = if method.conditional {
                self.objects.interfering(snapshot, used, Dependency::Conditional, None, false)
            } else {
                let by = Dependency::Conditional;
                self.objects.related(used.both(), Question::CanBeDependent, by, Sight::Nothing, None)
            };
            rows.push((used.object, mask));
        }
        let mut set = 0;
        for other in (0..self.here.roles.len()).filter(|p| *p != process) {
            let role = self.role_of(other);
            let hit = |masks: &[Mask]| {
                rows.iter().any(|(o, mask)| masks.get(*o as usize).is_some_and(|m| m & mask != 0))
            };
            if hit(&role.ahead[self.here.points[other]]) {
                let leads = |at: &usize| hit(&role.actions[self.here.nodes[*at].transition].future);
                set |= members(self.here.of_process[other]).filter(leads).fold(0, |set, at| set | 1 << at);
            }
        }
        // A handshake also waits for what its message and its patterns say.
        if condition.partner {
            let all = self.rows(snapshot, node, method, Question::CanBeDependent);
            set |= self.leading(&all, node, process) | self.at_the_other_half(node);
        }
        set |= if condition.private { self.here.of_process[process] } else { self.own_doing(node, &rows) };
        self.here.rows = rows;
        alternatives.push(set);
    }

    /// The choices of the same process that may make the condition true some time later.
    fn own_doing(&self, node: usize, rows: &[(u16, Mask)]) -> Set {
        let process = self.here.nodes[node].process;
        let role = self.role_of(process);
        let leads = |at: &usize| {
            let future = &role.actions[self.here.nodes[*at].transition].future;
            rows.iter().any(|(o, mask)| future.get(*o as usize).is_some_and(|m| m & mask != 0))
        };
        members(self.here.of_process[process]).filter(leads).fold(0, |set, at| set | 1 << at)
    }
}
