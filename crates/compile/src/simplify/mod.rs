//! Smaller systems with the same verdicts: what SPIN does by default, and `--raw` leaves out.
//!
//! * `slice`: variables that nothing depends on are not stored.
//! * `live`: a local variable whose value cannot be read again is set to zero.
//! * `merge`: a transition goes on through local, unconditional ones that follow it.
//!
//! Transitions keep their numbers; a merged one remembers the original ones it executes, so that
//! every run can be reported (and checked) in terms of the original system. What observes control
//! from outside (remote labels, `pc_value`, `enabled`, `np_`, priorities, `provided`) switches
//! merging off where it could notice.

mod live;
mod merge;
mod slice;
mod terms;

use space::Step;
use system::{ProcessTypeId, System, TransitionId};

/// A simplified system and what its transitions stand for.
#[derive(Clone, Debug, Default)]
pub struct Simplified {
    /// The simplified system.
    pub system: System,
    /// By process type and transition: the original transitions, in order.
    pub origins: Vec<Vec<Vec<TransitionId>>>,
    /// Paths that meet inside an atomic sequence may be followed as one; SPIN counts them apart.
    pub joins: bool,
    /// The system before, if variables are reset: it tells which are never written otherwise.
    pub original: Option<System>,
}

/// Which simplifications are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passes {
    /// Leaves out what no property and no guard depends on.
    pub slice: bool,
    /// Sets variables that are not read again to their initial values.
    pub reset: bool,
    /// Merges steps that no other process can observe.
    pub merge: bool,
}

impl Simplified {
    /// The system itself, but for hidden variables that nothing depends on.
    pub fn raw(system: &System) -> Simplified {
        Simplified::by(system, Passes::default())
    }

    fn unchanged(system: &System) -> Simplified {
        let singles = |n: usize| (0..n).map(|t| vec![t]).collect();
        let origins = system.process_types.iter().map(|t| singles(t.transitions.len())).collect();
        Simplified { system: system.clone(), origins, joins: false, original: None }
    }

    /// By all simplifications.
    pub fn of(system: &System) -> Simplified {
        Simplified::by(system, Passes { slice: true, reset: true, merge: true })
    }

    /// By some of the simplifications only; hidden variables that nothing depends on go in any
    /// case.
    pub fn by(system: &System, passes: Passes) -> Simplified {
        let mut simplified = Simplified::unchanged(system);
        if passes.slice {
            slice::slice(&mut simplified.system);
        } else {
            slice::slice_hidden(&mut simplified.system);
        }
        if passes.reset {
            simplified.original = Some(system.clone());
            live::reset_dead(&mut simplified.system);
        }
        if passes.merge {
            merge::merge(&mut simplified);
            simplified.joins = true;
        }
        simplified
    }

    /// A step of the simplified system as steps of the original one; `process_type` is that of the
    /// process whose path it is (in a handshake, of the receiver: senders are not merged).
    pub fn unfold(&self, step: Step, process_type: ProcessTypeId) -> Vec<Step> {
        let (pid, path) = step.partner.as_ref().map_or((step.actor, &step.path), |(pid, path)| (*pid, path));
        let [transition] = path[..] else { return vec![step] };
        let origin = &self.origins[process_type][transition];
        let more = origin[1..].iter().map(|t| Step { actor: pid, path: vec![*t], partner: None });
        let more: Vec<Step> = more.collect();
        std::iter::once(step).chain(more).collect()
    }
}
