//! What partial-order reduction asks of a stepper.

use crate::{FullExpansion, Method, Node, NotReduced, Set};
use objects::Dependency;
use space::{Edges, Label, Stepper};

/// A stepper whose steps can be distinguished and compared: what partial-order reduction needs. All
/// questions are about the state last given to [`Selective::load`].
pub trait Selective: Stepper {
    /// Prepares for reduction.
    fn prepare(&mut self) -> Result<(), NotReduced>;

    /// Takes a state to hand; `edges` are all of it. `false` if it cannot be reduced.
    fn load(&mut self, state: &[u8], edges: &Edges) -> bool;

    /// Why nothing can be left out in the state, if so.
    fn full_expansion(&self) -> Option<FullExpansion>;

    /// The choices of the state: transitions out of the points where processes are. Behind them, as
    /// questions about needs bring them up, gates: transitions elsewhere that may be in a set as
    /// well, and are not enabled.
    fn nodes(&self) -> &[Node];

    /// The nodes that are gates.
    fn gates(&self) -> Set;

    /// The choices that are enabled.
    fn enabled(&self) -> Set;

    /// The choices whose steps may change a proposition.
    fn visible(&self) -> Set;

    /// The alternatives of what a persistent set with the choice must have besides, each whole;
    /// `None` if only the set of everything enabled will do.
    fn needs(&mut self, node: usize, method: Method, alternatives: &mut Vec<Set>) -> Option<()>;

    /// Whether two enabled steps are independent here.
    fn independent(&mut self, a: Label, b: Label, by: Dependency) -> bool;
}
