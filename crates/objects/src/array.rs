//! Arrays and records: a variable for each element or field.
//!
//! The thesis has no arrays; an operation on one is refined (section 3.4.2) by the path to the part
//! it touches. Parts that differ in a known index are different objects. Where an index is not
//! known before the state is, the parts may be the same, and the constant relation of variables
//! holds; in a state all indices are known (what the index was computed from is among the
//! transition's own reads, so an independent transition cannot move the part).

use crate::{Dependency, variable};

/// An operation on a part of an array or record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Indices and field numbers from the outside in; `None` where only the state tells.
    pub path: Vec<Option<usize>>,
    /// What is done with the part.
    pub operation: variable::Operation,
}

/// Whether two paths may lead to the same part, or one into the other.
pub fn overlap(a: &[Option<usize>], b: &[Option<usize>]) -> bool {
    a.iter().zip(b).all(|(x, y)| x.is_none() || y.is_none() || x == y)
}

fn is_known(part: &Part) -> bool {
    part.path.iter().all(Option::is_some)
}

/// Definitions 3.13 and 3.18; `at` is the value of the part, if both paths are known.
pub fn dependent(by: Dependency, a: &Part, b: &Part, at: Option<variable::View<'_>>) -> bool {
    overlap(&a.path, &b.path)
        && match at {
            Some(at) if is_known(a) && is_known(b) => variable::dependent(by, a.operation, b.operation, at),
            _ => variable::can_be_dependent(a.operation, b.operation),
        }
}

/// Whether two operations on parts of a variable can be dependent: they may meet in one part.
pub fn can_be_dependent(a: &Part, b: &Part) -> bool {
    overlap(&a.path, &b.path) && variable::can_be_dependent(a.operation, b.operation)
}

/// The same, as operations on parts are always defined.
pub fn do_not_accord(a: &Part, b: &Part) -> bool {
    can_be_dependent(a, b)
}

/// Definition 4.26; `at` is the value of the part, if both paths are known.
pub fn interferes(by: Dependency, a: &Part, b: &Part, at: Option<variable::View<'_>>) -> bool {
    overlap(&a.path, &b.path)
        && match at {
            Some(at) if is_known(a) && is_known(b) => variable::interferes(by, a.operation, b.operation, at),
            _ => variable::can_be_dependent(a.operation, b.operation),
        }
}
