//! Wake-up trees: what is left to explore from a state, as sequences of transitions that share
//! their beginnings.
//!
//! After Abdulla and others (JACM 2017), Definition 6 and 7. A sequence is put in only if no branch
//! already leads to the same.

use super::Transition;
use objects::dependent;

#[derive(Clone, Debug)]
pub(super) struct Branch<Op> {
    pub(super) transition: Transition<Op>,
    pub(super) children: Vec<Branch<Op>>,
}

/// How a transition stands to a sequence.
pub(super) enum Relation {
    /// It may come first: it is in the sequence, at this place, and nothing before depends on it.
    First(usize),
    /// It is not in the sequence and nothing in it depends on it.
    Beside,
    Conflict,
}

pub(super) fn standing<Op>(t: &Transition<Op>, sequence: &[Transition<Op>]) -> Relation {
    for (at, other) in sequence.iter().enumerate() {
        if other.who == t.who {
            return if other.outcome == t.outcome { Relation::First(at) } else { Relation::Conflict };
        }
        if dependent(&other.touched, &t.touched) {
            return Relation::Conflict;
        }
    }
    Relation::Beside
}

/// Whether the transition is a weak initial of the sequence: some equivalent extension begins with
/// it.
pub(super) fn weak_initial<Op>(t: &Transition<Op>, sequence: &[Transition<Op>]) -> bool {
    !matches!(standing(t, sequence), Relation::Conflict)
}

/// The rest of a sequence behind a transition that may come first; none if it may not.
pub(super) fn behind<Op>(
    t: &Transition<Op>,
    mut sequence: Vec<Transition<Op>>,
) -> Result<Vec<Transition<Op>>, Vec<Transition<Op>>> {
    match standing(t, &sequence) {
        Relation::Conflict => return Err(sequence),
        Relation::First(at) => drop(sequence.remove(at)),
        Relation::Beside => {}
    }
    Ok(sequence)
}

/// A sequence as a tree with one leaf.
pub(super) fn chain<Op>(sequence: Vec<Transition<Op>>) -> Option<Branch<Op>> {
    let onto = |rest: Option<Branch<Op>>, transition| {
        Some(Branch { transition, children: rest.into_iter().collect() })
    };
    sequence.into_iter().rev().fold(None, onto)
}

/// Puts a sequence into the tree.
pub(super) fn insert<Op>(tree: &mut Vec<Branch<Op>>, mut sequence: Vec<Transition<Op>>) {
    for branch in tree.iter_mut() {
        match behind(&branch.transition, sequence) {
            Err(same) => sequence = same,
            Ok(rest) => {
                if !branch.children.is_empty() && !rest.is_empty() {
                    insert(&mut branch.children, rest);
                }
                return;
            }
        }
    }
    tree.extend(chain(sequence));
}
