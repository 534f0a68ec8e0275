//! Which enabled steps are independent (Definition 3.21).

use super::{Independence, Node, Snapshot, node, partner};
use crate::object_table::{Asked, Question};
use objects::Dependency;
use space::Label;

impl Independence {
    /// Definition 3.21 for two enabled steps of this state. What is known of the one may tell more
    /// than what is known of the other, so it is asked both ways.
    pub fn independent(&mut self, snapshot: &impl Snapshot, a: Label, b: Label, by: Dependency) -> bool {
        let shared = people(a).any(|x| people(b).any(|y| x.process == y.process));
        !shared
            && !self.here.last_resort
            && (self.leaves_alone(snapshot, a, b, by) || self.leaves_alone(snapshot, b, a, by))
    }

    /// Whether no operation of the one depends on any of the other.
    fn leaves_alone(&mut self, snapshot: &impl Snapshot, a: Label, b: Label, by: Dependency) -> bool {
        let Independence { roles, objects, here, .. } = self;
        let action = |x: Node| &roles[here.roles[x.process]].actions[x.transition];
        for x in people(a) {
            for used in &action(x).uses {
                if !people(b).any(|y| action(y).own.get(used.object as usize).is_some_and(|m| *m != 0)) {
                    continue;
                }
                let sight = objects.sight(snapshot, used);
                let possible = used.certain.then_some(true);
                let asked = Asked { question: Question::Dependent, by, sight, possible };
                let mask = objects.related(used.both(), asked);
                let met = people(b).any(|y| {
                    let own = &action(y).own;
                    own.get(used.object as usize).is_some_and(|m| m & mask != 0)
                });
                if met {
                    return false;
                }
            }
        }
        true
    }
}

/// Who takes part in a step.
fn people(label: Label) -> impl Iterator<Item = Node> {
    std::iter::once(node(label)).chain(partner(label))
}
