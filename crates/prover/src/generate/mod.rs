//! Bottom-up invariants: found from the system alone (STeP tutorial, section 4).
//!
//! * [`local`]: what holds whenever control is at a location, from templates over the constants of
//!   the program.
//! * `linear`: equations over control and data (Karr).
//! * `polyhedral`: inequalities at each location (Cousot and Halbwachs), with widening.
//! * `carried`: what a process tested or assigned on its way to a location.
//! * `reaffirmed`: one step of some transition from any state.
//! * `equations`: between numbers, their products and lengths, from states of small instances.
//! * `pairs`: what two processes, or two variables, have to do with each other; only when it is
//!   asked for.
//!
//! Each proposes; a sample of reachable states drops what is false at once, and `houdini` keeps
//! what is inductive, so that no proposal needs to be trusted.

mod carried;
pub(crate) mod equations;
pub(crate) mod linear;
pub mod local;
pub(crate) mod pairs;
pub(crate) mod polyhedral;
pub(crate) mod reaffirmed;
mod sample;

use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use crate::houdini;
use logic::fol::Term;

/// Which kinds are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What holds whenever control is at a location.
    Local,
    /// Equations over control and data (Karr).
    Linear,
    /// Inequalities at each location (Cousot and Halbwachs).
    Polyhedral,
    /// What a process tested or assigned on its way to a location.
    Carried,
    /// What one step of some transition establishes, from any state.
    Reaffirmed,
    /// Equations between numbers, products and lengths that small instances show.
    Equations,
    /// Pairs, together with local ones; not among those that are always wanted.
    Pairs,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 6] =
        [Kind::Linear, Kind::Local, Kind::Polyhedral, Kind::Carried, Kind::Reaffirmed, Kind::Equations];

    /// The word in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Local => "local",
            Kind::Linear => "linear",
            Kind::Polyhedral => "polyhedral",
            Kind::Carried => "carried",
            Kind::Reaffirmed => "reaffirmed",
            Kind::Equations => "equations",
            Kind::Pairs => "pairs",
        }
    }
}

/// The invariants of some kinds, each relative to those before it. Generation goes on until nothing
/// new is found.
pub fn generate(judge: &Judge<'_>, kinds: &[Kind], background: &[Lemma]) -> Vec<Lemma> {
    let mut known: Vec<Lemma> = background.to_vec();
    let first = known.len();
    for kind in kinds {
        if judge.is_over() {
            break;
        }
        let candidates = match kind {
            Kind::Local => local::candidates(judge.fts),
            Kind::Linear => linear::candidates(judge.fts),
            Kind::Polyhedral => polyhedral::candidates(judge.fts),
            Kind::Carried => carried::candidates(judge.fts),
            Kind::Reaffirmed => reaffirmed::candidates(judge.fts),
            Kind::Equations => equations::candidates(judge.fts, &|| judge.is_over()),
            Kind::Pairs => [pairs::candidates(judge.fts), local::candidates(judge.fts)].concat(),
        };
        let fresh = |c: &Term, known: &[Lemma]| {
            !judge.is_valid(&Condition::implication("", Term::truth(true), c.clone(), known))
        };
        let candidates = sample::survivors(judge.fts, candidates);
        for formula in houdini::inductive_subset(judge, &candidates, &known) {
            // What follows from what is known is no news.
            if fresh(&formula, &known) {
                known.push(Lemma::new(kind.name(), formula));
            }
        }
    }
    known.split_off(first)
}
