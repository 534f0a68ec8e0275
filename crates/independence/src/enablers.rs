//! What may enable a choice that is disabled: step 2.a of Algorithms 3 and 4.

use super::needs::hits;
use super::role::{Condition, Used};
use super::situation::span;
use super::{Independence, Method, Node, Set, Snapshot, is_unclear};
use crate::footprint::Source;
use crate::object_table::{Asked, Key, Op, Question};
use objects::Dependency;
use objects::Operation as On;
use objects::channel::Operation as OnChannel;
use std::sync::Arc;

/// A condition of a transition that is false, or of which nothing is known.
#[derive(Clone, Copy)]
struct Lacking<'a> {
    node: usize,
    condition: &'a Condition,
    is_false: bool,
}

impl Independence {
    /// Step 2.a of Algorithms 3 and 4 for a transition whose process is there: for each condition
    /// that is false, what may make it true. If none is known to be false, what may make any of
    /// those true of which nothing is known.
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
            match self.truth(snapshot, self.here.nodes[node], condition) {
                Some(true) => {}
                Some(false) => {
                    let lacking = Lacking { node, condition, is_false: true };
                    self.make_true(snapshot, lacking, method, alternatives);
                }
                None => {
                    any_unclear = true;
                    let mut sets = Vec::new();
                    let lacking = Lacking { node, condition, is_false: false };
                    self.make_true(snapshot, lacking, method, &mut sets);
                    unclear |= sets.first().copied().unwrap_or(0);
                }
            }
        }
        if alternatives.is_empty() {
            // Nothing is false that we know of: the process' own choices decide, or others'.
            alternatives.push(if any_unclear { unclear } else { span(0, self.here.choices) });
        }
    }

    /// Whether a condition holds in this state, if that can be told.
    pub(super) fn truth(
        &self,
        snapshot: &mut impl Snapshot,
        Node { process, transition }: Node,
        condition: &Condition,
    ) -> Option<bool> {
        if condition.youngest {
            return Some(process + 1 == self.here.roles.len());
        }
        if condition.timeout || is_unclear(condition.source) || condition.partner {
            return None;
        }
        if let Source::Guard(conjunct) = condition.source {
            return snapshot.holds(process, transition, conjunct);
        }
        // Which channel it is, only the state in which the process gets there may tell.
        if condition.uses.iter().any(|u| self.objects.key(u.object) == Key::Escaped) {
            return None;
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

    /// Step 2.a for a gate: what leads to it, or for each condition that is false, what may make it
    /// true.
    pub(super) fn openers(
        &mut self,
        snapshot: &mut impl Snapshot,
        gate: usize,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let node = self.here.nodes[gate];
        let role = Arc::clone(&self.roles[self.here.roles[node.process]]);
        alternatives.push(self.before(snapshot, node));
        for condition in role.actions[node.transition].conditions.iter().filter(|c| c.is_shared()) {
            if self.truth(snapshot, node, condition) == Some(false) {
                let lacking = Lacking { node: gate, condition, is_false: true };
                self.make_true(snapshot, lacking, method, alternatives);
            }
        }
    }

    /// What may make a condition true: the alternatives, each whole.
    fn make_true(
        &mut self,
        snapshot: &mut impl Snapshot,
        Lacking { node, condition, is_false }: Lacking<'_>,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let process = self.here.nodes[node].process;
        let count = self.here.roles.len();
        if condition.youngest {
            let Some(births) = self.objects.number(Key::Births) else { return alternatives.push(0) };
            let ends = [(births, self.objects.bit(births, &Op::Stop))];
            for younger in process + 1..count {
                alternatives.push(self.sources(snapshot, younger, |masks| hits(&ends, masks)));
            }
            return;
        }
        let mut rows = std::mem::take(&mut self.here.rows);
        rows.clear();
        // A send or receive that is known to be impossible is so by the length of its channel
        // alone.
        let by_length = is_false && condition.source == Source::Blocking;
        let matters = |used: &&Used| !by_length || matches!(self.objects.key(used.object), Key::Channel(_));
        let uses: Vec<&Used> = condition.uses.iter().filter(matters).collect();
        for used in uses {
            let mask = if method.conditional {
                self.objects.interfering(snapshot, used, Dependency::Conditional, false)
            } else {
                let asked = Asked::blindly(Question::CanBeDependent, Dependency::Conditional);
                self.objects.related(used.both(), asked)
            };
            // What only asks makes nothing true.
            rows.push((used.object, mask & self.objects.changers(used.object)));
        }
        let mut set = if condition.private && !by_length { self.here.of_process[process] } else { 0 };
        for any in 0..count {
            set |= self.sources(snapshot, any, |masks| hits(&rows, masks));
        }
        self.here.rows = rows;
        // A handshake also waits for what its message and its patterns say.
        if condition.partner {
            let all = self.rows(snapshot, node, method, Question::CanBeDependent);
            set |= self.at_the_other_half(node);
            for other in (0..count).filter(|p| *p != process) {
                set |= self.sources(snapshot, other, |masks| hits(&all, masks));
            }
            self.here.rows = all;
        }
        alternatives.push(set);
    }
}
