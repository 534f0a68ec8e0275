//! Which enabled steps are independent (Definition 3.21).

use super::loaded::place;
use super::{Independence, Node, Snapshot, node, partner};
use objects::Dependency;
use space::Label;

impl Independence {
    /// Definition 3.21 for two enabled steps of this state. What is known of the one may tell more
    /// than what is known of the other, so it is asked both ways.
    pub fn independent(&mut self, snapshot: &impl Snapshot, a: Label, b: Label, by: Dependency) -> bool {
        let shared = participants(a).any(|x| participants(b).any(|y| x.process == y.process));
        !shared
            && !self.here.last_resort
            && (self.leaves_alone(snapshot, a, b, by) || self.leaves_alone(snapshot, b, a, by))
    }

    /// Whether no operation of the one depends on any of the other.
    fn leaves_alone(&mut self, snapshot: &impl Snapshot, a: Label, b: Label, by: Dependency) -> bool {
        let Independence { roles, objects, here, tables, .. } = self;
        here.rows.clear();
        for x in participants(a) {
            let at = place(roles, here, x);
            tables.beside(objects, at, by).gather(objects, snapshot, &mut here.rows);
        }
        let met = |y: Node| {
            let at = place(roles, here, y);
            here.rows.iter().any(|rows| tables.is_met(objects, at, *rows))
        };
        !participants(b).any(met)
    }
}

/// Who takes part in a step.
fn participants(label: Label) -> impl Iterator<Item = Node> {
    std::iter::once(node(label)).chain(partner(label))
}
