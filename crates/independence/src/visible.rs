//! Which steps are visible: may change what a proposition of the system says (thesis, section 7.2).
//!
//! A proposition is looked at as if it were a transition that only asks: a step is visible if it
//! can be dependent on it. So the tables of the object library decide, with all their refinements,
//! and what a system has besides the objects counts too: creations and deaths, points that labels
//! name, progress and accept labels, variables of processes. A step of which nothing is known is
//! visible. This is said of the text, not of a state: an invisible step changes no proposition
//! anywhere.

use super::loaded::members;
use super::role::Ground;
use super::survey::points;
use super::{Independence, Set, ground};
use crate::footprint::{Special, proposition};
use crate::object_table::{Key, Op, can_be_dependent};

impl Independence {
    /// The choices whose steps may change a proposition.
    pub fn visible(&self) -> Set {
        let here = &self.here;
        let seen = |node: &usize| self.action(*node).visible;
        let all = here.of_process.iter().fold(0, |all, own| all | own);
        members(all).filter(seen).fold(0, |set, node| set | 1 << node)
    }

    /// What propositions ask of objects.
    pub(super) fn watched(&self) -> Vec<(Key, Op)> {
        let ground = ground(&self.system, &self.survey, &[], &[]);
        let mut watched = Vec::new();
        for uses in self.system.propositions.iter().map(|p| proposition(&self.system, p)) {
            watched.extend(ground.resolve(0, &uses));
            for special in &uses.specials {
                let labelled: Vec<_> = match special {
                    Special::NonProgress => points(&self.system, |p| p.progress).collect(),
                    Special::Accepting => points(&self.system, |p| p.accept).collect(),
                    _ => continue,
                };
                watched.push((Key::Creations, Op::Count));
                watched.extend(labelled.into_iter().map(|(t, p)| (Key::Location(t, p), Op::At)));
            }
        }
        watched
    }
}

impl Ground<'_> {
    /// Whether a proposition can tell that the operations were performed on the object.
    pub(super) fn is_seen(&self, key: Key, operations: &[(Op, bool)]) -> bool {
        let asked = self.watched.iter().filter(|(watched, _)| *watched == key);
        asked.into_iter().any(|(_, asks)| operations.iter().any(|(op, _)| can_be_dependent(op, asks)))
    }
}
