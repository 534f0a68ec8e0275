//! Statement merging: a transition goes on through the local, unconditional transitions that follow
//! it.
//!
//! A transition may be appended to the one before it if it is the only choice of its point, always
//! enabled, cannot fail and touches nothing but variables of its process that no other reads. It
//! then commutes with every move of every other process, so no deadlock, assertion or fault is
//! lost. Neither its point nor the next may be observed, nor who moved last. A transition that
//! begins an atomic sequence is not appended to one outside of it: others may move in between, and
//! not after it. Nothing is appended to a send that may be a rendezvous: its receiver may have
//! control, and then the sender is blocked.

use super::Simplified;
use super::terms::{may_fail, path_may_fail, read_remotely, variables_used};
use crate::constant::{constant_globals, known};
use logic::Term;
use std::collections::{HashMap, HashSet};
use system::state::Value;
use system::walk::reads_of_system;
use system::{
    LocationId, ObjectId, ObjectKind, Operation, ProcessTypeId, Read, Root, System, TransitionId, Variable,
};

pub fn merge(simplified: &mut Simplified) {
    let Some(watch) = Observed::of(&simplified.system) else { return };
    let original = simplified.system.clone();
    for id in 0..original.process_types.len() {
        extend_all(simplified, &original, &watch, id);
    }
}

/// Extends every transition out of a point that is still come to. The others are never taken, and
/// to extend them would cost the square of the length of a sequence.
fn extend_all(simplified: &mut Simplified, original: &System, watch: &Observed, id: ProcessTypeId) {
    let Some(scheduling) = &original.scheduling else { return };
    let entry = original.process_types[id].entry;
    let (mut seen, mut open) = (HashSet::from([entry]), vec![entry]);
    while let Some(point) = open.pop() {
        let choices = scheduling.process_types[id].points[point].tiers.iter().flat_map(|tier| &tier.choices);
        for choice in choices {
            let t = choice.transition;
            if simplified.origins[id][t].len() <= 1 {
                extend(simplified, original, watch, id, t);
            }
            let post = simplified.system.process_types[id].transitions[t].post;
            if seen.insert(post) {
                open.push(post);
            }
        }
    }
}

/// What could notice a merge.
struct Observed {
    points: HashSet<(ProcessTypeId, LocationId)>,
    variables: Vec<Variable>,
    constants: HashMap<ObjectId, Value>,
}

impl Observed {
    /// `None` if control is observed in ways that rule merging out.
    fn of(system: &System) -> Option<Observed> {
        let scheduling = system.scheduling.as_ref()?;
        let mut points = HashSet::new();
        let mut observed = scheduling.priorities;
        reads_of_system(system, &mut |read| match read {
            Read::At { process_type, point, .. } => {
                points.insert((*process_type, *point));
            }
            Read::Location(_) | Read::Enabled(_) | Read::NonProgress | Read::Accepting | Read::Last => {
                observed = true;
            }
            _ => {}
        });
        let (variables, constants) = (read_remotely(system), constant_globals(system));
        (!observed).then_some(Observed { points, variables, constants })
    }
}

/// Appends what can be appended to transition `t`.
fn extend(
    simplified: &mut Simplified,
    original: &System,
    watch: &Observed,
    id: ProcessTypeId,
    t: TransitionId,
) {
    let process_type = &original.process_types[id];
    let Some(scheduling) = &original.scheduling else { return };
    let rules = &scheduling.process_types[id];
    let first = &process_type.transitions[t];
    let is_inside = |point: LocationId| rules.points[point].deterministic;
    if rules.provided.is_some() || is_inside(first.pre) || may_offer(original, watch, &first.command) {
        return;
    }
    let mut passed = HashSet::from([first.pre]);
    let mut at = first.post;
    let mut keeps = rules.keeps[t];
    let mut ends = first.command.contains(&Operation::Stop);
    while !ends && !is_inside(at) && passed.insert(at) && !watch.points.contains(&(id, at)) {
        let [tier] = &rules.points[at].tiers[..] else { return };
        let [choice] = tier.choices[..] else { return };
        let next = &process_type.transitions[choice.transition];
        let takes_control = rules.keeps[choice.transition] && !keeps;
        // Coming to a point that is asked about is seen.
        let seen = watch.points.contains(&(id, next.post));
        if choice.otherwise || takes_control || seen || is_inside(next.post) || !is_local(watch, id, next) {
            return;
        }
        let merged = &mut simplified.system.process_types[id].transitions[t];
        merged.command.extend(next.command.iter().cloned());
        merged.post = next.post;
        simplified.origins[id][t].push(choice.transition);
        keeps = rules.keeps[choice.transition];
        if let Some(scheduling) = &mut simplified.system.scheduling {
            scheduling.process_types[id].keeps[t] = keeps;
        }
        ends = next.command.contains(&Operation::Stop);
        at = next.post;
    }
}

/// Always enabled, without faults, and about nothing but unobserved locals.
fn is_local(watch: &Observed, id: ProcessTypeId, transition: &system::Transition) -> bool {
    let ours = |(owner, object): Variable| {
        owner == Some(id) && !watch.variables.contains(&(owner, object))
            || owner.is_none() && watch.constants.contains_key(&object)
    };
    let is_assignment = |operation: &Operation| {
        let Operation::Assign { target, value } = operation else { return false };
        let mut local = matches!(target.root, Root::Local(_)) && !path_may_fail(target) && !may_fail(value);
        local &= !reads_others(value);
        variables_used(id, operation, &mut |v| local &= ours(v));
        operation.writes().for_each(|p| local &= ours(p.variable(id)));
        local
    };
    transition.guard == Term::TRUE && transition.command.iter().all(is_assignment)
}

/// Whether a term reads more than variables, constants and its own process number.
fn reads_others(term: &system::Expr) -> bool {
    let mut others = false;
    system::walk::reads_of_term(term, &mut |read| {
        others |= !matches!(read, Read::Place(_) | Read::Myself | Read::Handle(_));
    });
    others
}

/// Whether the command may begin a handshake by sending.
fn may_offer(system: &System, watch: &Observed, command: &[Operation]) -> bool {
    let Some(Operation::Send { channel, .. }) = command.first() else { return false };
    let globals = system.globals.iter();
    let locals = system.process_types.iter().flat_map(|t| &t.objects);
    let is_rendezvous = |kind: &ObjectKind| matches!(kind, ObjectKind::Channel { capacity: 0, .. });
    if !globals.chain(locals).any(|o| is_rendezvous(&o.kind)) {
        return false;
    }
    let Term::Atom(Read::Place(place)) = channel else { return true };
    let handle = known(&watch.constants, place).and_then(|h| usize::try_from(h).ok()?.checked_sub(1));
    let global_channels: Vec<_> = system.globals.iter().filter(|o| o.is_channel()).collect();
    handle.and_then(|h| global_channels.get(h)).is_none_or(|o| is_rendezvous(&o.kind))
}
