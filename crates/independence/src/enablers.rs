//! What may enable a choice that is disabled: step 2.a of Algorithms 3 and 4.

use super::loaded::{place, span};
use super::{Independence, Method, Set, Snapshot};
use crate::footprint::Source;
use crate::object_table::{Key, Op};

/// A condition of a node, by its number among those of the transition.
#[derive(Clone, Copy)]
struct Asked {
    node: usize,
    condition: usize,
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
        let action = self.action(node);
        if action.never || action.conditions.iter().any(|c| c.timeout && action.last_resort) {
            return alternatives.push(0);
        }
        let (at, count) = (self.here.nodes[node], self.here.roles.len());
        let mut unclear: Set = 0;
        let mut any_unclear = false;
        for condition in 0..action.conditions.len() {
            match self.action(node).conditions[condition].truth.tell(snapshot, at, count) {
                Some(true) => {}
                Some(false) => {
                    let asked = Asked { node, condition, is_false: true };
                    self.make_true(snapshot, asked, method, alternatives);
                }
                None => {
                    any_unclear = true;
                    let first = alternatives.len();
                    let asked = Asked { node, condition, is_false: false };
                    self.make_true(snapshot, asked, method, alternatives);
                    unclear |= alternatives.get(first).copied().unwrap_or(0);
                    alternatives.truncate(first);
                }
            }
        }
        if alternatives.is_empty() {
            // Nothing is false that we know of: the process' own choices decide, or others'.
            alternatives.push(if any_unclear { unclear } else { span(0, self.here.choices) });
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
        let (at, count) = (self.here.nodes[gate], self.here.roles.len());
        alternatives.push(self.before(snapshot, at));
        for condition in 0..self.action(gate).conditions.len() {
            let asked = &self.action(gate).conditions[condition];
            if asked.is_shared() && asked.truth.tell(snapshot, at, count) == Some(false) {
                let asked = Asked { node: gate, condition, is_false: true };
                self.make_true(snapshot, asked, method, alternatives);
            }
        }
    }

    /// What may make a condition true, which is false or of which nothing is known: the
    /// alternatives, each whole.
    fn make_true(
        &mut self,
        snapshot: &mut impl Snapshot,
        asked: Asked,
        method: Method,
        alternatives: &mut Vec<Set>,
    ) {
        let process = self.here.nodes[asked.node].process;
        let condition = &self.action(asked.node).conditions[asked.condition];
        if condition.youngest {
            return self.ends_of_younger(snapshot, process, alternatives);
        }
        // A send or receive that is known to be impossible is so by the length of its channel
        // alone.
        let by_length = asked.is_false && condition.source == Source::Blocking;
        let has_partner = condition.partner;
        let own = condition.private && !by_length;
        let mut set = if own { self.here.of_process[process] } else { 0 };
        self.gather_condition(snapshot, asked, method, by_length);
        set |= self.all_sources(snapshot, None);
        // A handshake also waits for what its message and its patterns say.
        if has_partner {
            self.gather(snapshot, asked.node, method);
            set |= self.at_the_other_half(asked.node);
            set |= self.all_sources(snapshot, Some(process));
        }
        alternatives.push(set);
    }

    /// For each younger process: what leads to its end.
    fn ends_of_younger(&mut self, snapshot: &mut impl Snapshot, process: usize, alternatives: &mut Vec<Set>) {
        let Some(creations) = self.objects.number(Key::Creations) else { return alternatives.push(0) };
        let end = vec![(creations, self.objects.bit(creations, &Op::Stop))];
        self.here.rows.clear();
        self.here.rows.push(self.objects.rows.number(end));
        for younger in process + 1..self.here.roles.len() {
            alternatives.push(self.sources(snapshot, younger));
        }
    }

    /// What may make a condition true becomes the rows at hand.
    fn gather_condition(&mut self, snapshot: &impl Snapshot, asked: Asked, method: Method, by_length: bool) {
        let Independence { roles, objects, here, tables, .. } = self;
        let place = place(roles, here, here.nodes[asked.node]);
        tables.adopt(method);
        here.rows.clear();
        let prepared = tables.condition(objects, place, asked.condition, by_length);
        prepared.gather(objects, snapshot, &mut here.rows);
    }

    /// The choices and gates of all processes but one that open something of the rows at hand.
    fn all_sources(&mut self, snapshot: &mut impl Snapshot, but: Option<usize>) -> Set {
        let others = (0..self.here.roles.len()).filter(|process| Some(*process) != but);
        others.fold(0, |set, process| set | self.sources(snapshot, process))
    }
}
