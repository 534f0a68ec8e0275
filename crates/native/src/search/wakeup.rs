//! Wake-up trees: what is left to explore from a state, as sequences of transitions that share their beginnings.
//!
//! After Abdulla and others (JACM 2017), Definition 6 and 7. A sequence is put in only if no branch already leads to the same.

use super::Transition;
use crate::operation::dependent;

pub(super) struct Branch<Op> {
    pub(super) transition: Transition<Op>,
    pub(super) children: Vec<Branch<Op>>,
}

/// How a transition stands to a sequence.
enum Standing {
    /// It may come first: it is in the sequence, at this place, and nothing before depends on it.
    First(usize),
    /// It is not in the sequence and nothing in it depends on it.
    Beside,
    Conflict,
}

fn standing<Op>(t: &Transition<Op>, sequence: &[Transition<Op>]) -> Standing {
    for (at, other) in sequence.iter().enumerate() {
        if other.who == t.who {
            return if other.outcome == t.outcome { Standing::First(at) } else { Standing::Conflict };
        }
        if dependent(&other.touched, &t.touched) {
            return Standing::Conflict;
        }
    }
    Standing::Beside
}

/// Whether the transition is a weak initial of the sequence: some equivalent extension begins with it.
pub(super) fn weak_initial<Op>(t: &Transition<Op>, sequence: &[Transition<Op>]) -> bool {
    !matches!(standing(t, sequence), Standing::Conflict)
}

/// Puts a sequence into the tree.
pub(super) fn insert<Op>(tree: &mut Vec<Branch<Op>>, mut sequence: Vec<Transition<Op>>) {
    for branch in tree.iter_mut() {
        match standing(&branch.transition, &sequence) {
            Standing::Conflict => continue,
            Standing::First(at) => drop(sequence.remove(at)),
            Standing::Beside => {}
        }
        if !branch.children.is_empty() && !sequence.is_empty() {
            insert(&mut branch.children, sequence);
        }
        return;
    }
    let chain = |rest: Vec<Branch<Op>>, transition| vec![Branch { transition, children: rest }];
    tree.extend(sequence.into_iter().rev().fold(Vec::new(), chain));
}
