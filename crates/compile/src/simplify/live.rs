//! Dead variables: a local scalar that will be written before it is read again is set to zero.
//!
//! Liveness by the usual backward fixpoint over the locations of each process type. Variables
//! that other processes read are always live, and so are arrays and records. The reset is an
//! assignment at the end of the transition after which the variable is dead, if it was live or
//! written before.

use super::terms::{initial_may_fail, read_remotely, variables_read, variables_used};
use logic::Term;
use std::collections::HashSet;
use system::walk::reads_of_object;
use system::{
    Initial, Object, ObjectId, ObjectKind, Operation, Place, ProcessType, ProcessTypeId, Read, Root, System,
    Transition,
};

pub fn reset_dead(system: &mut System) {
    let remote = read_remotely(system);
    for id in 0..system.process_types.len() {
        let candidates: HashSet<ObjectId> = {
            let objects = system.process_types[id].objects.iter().enumerate();
            let local = objects.filter(|(o, object)| is_scalar(object) && !remote.contains(&(Some(id), *o)));
            let provided = system.scheduling.as_ref().and_then(|d| d.process_types[id].provided.as_ref());
            let mut watched = HashSet::new();
            if let Some(provided) = provided {
                variables_read(id, provided, &mut |v| {
                    watched.insert(v);
                });
            }
            local.map(|(o, _)| o).filter(|o| !watched.contains(&(Some(id), *o))).collect()
        };
        let live = liveness(id, &system.process_types[id], &candidates);
        add_resets(&mut system.process_types[id], &candidates, &live);
        begin_dead(id, &mut system.process_types[id], &candidates, &live);
    }
}

fn is_scalar(object: &Object) -> bool {
    matches!(&object.kind, ObjectKind::Variable { sort, .. } if sort.is_scalar())
}

/// By point: the candidates whose value may still be read.
fn liveness(
    id: ProcessTypeId,
    process_type: &ProcessType,
    candidates: &HashSet<ObjectId>,
) -> Vec<HashSet<ObjectId>> {
    let mut live = vec![HashSet::new(); process_type.points.len()];
    loop {
        let mut changed = false;
        // What comes later in a text mostly has the larger number, and is needed first.
        for transition in process_type.transitions.iter().rev() {
            let before = live_before(id, transition, &live[transition.post], candidates);
            let at = &mut live[transition.pre];
            let size = at.len();
            at.extend(before);
            changed |= at.len() > size;
        }
        if !changed {
            return live;
        }
    }
}

fn live_before(
    id: ProcessTypeId,
    transition: &Transition,
    after: &HashSet<ObjectId>,
    candidates: &HashSet<ObjectId>,
) -> HashSet<ObjectId> {
    let ends = transition.command.contains(&Operation::Stop);
    let mut live = if ends { HashSet::new() } else { after.clone() };
    for operation in transition.command.iter().rev() {
        for place in operation.writes() {
            if let (Root::Local(object), true) = (&place.root, place.path.is_empty()) {
                live.remove(object);
            }
        }
        variables_used(id, operation, &mut |(owner, object)| {
            if owner == Some(id) && candidates.contains(&object) {
                live.insert(object);
            }
        });
    }
    variables_read(id, &transition.guard, &mut |(owner, object)| {
        if owner == Some(id) && candidates.contains(&object) {
            live.insert(object);
        }
    });
    live
}

fn add_resets(process_type: &mut ProcessType, candidates: &HashSet<ObjectId>, live: &[HashSet<ObjectId>]) {
    for transition in &mut process_type.transitions {
        if transition.command.contains(&Operation::Stop) {
            continue;
        }
        let written = transition.command.iter().flat_map(Operation::writes);
        let written: HashSet<ObjectId> = written
            .filter_map(|place| match place.root {
                Root::Local(object) => Some(object),
                Root::Global(_) | Root::Remote { .. } => None,
            })
            .collect();
        let mut dying: Vec<ObjectId> = candidates.iter().copied().collect();
        dying.retain(|o| !live[transition.post].contains(o));
        dying.retain(|o| live[transition.pre].contains(o) || written.contains(o));
        dying.sort_unstable();
        let resets =
            dying.into_iter().map(|o| Operation::Assign { target: Place::local(o), value: Term::FALSE });
        transition.command.extend(resets);
    }
}

/// What is dead from the start begins with zero, so that dead variables are zero wherever they are
/// dead.
fn begin_dead(
    id: ProcessTypeId,
    process_type: &mut ProcessType,
    candidates: &HashSet<ObjectId>,
    live: &[HashSet<ObjectId>],
) {
    let mut read = HashSet::new();
    for object in &process_type.objects {
        reads_of_object(object, &mut |r| {
            if let Read::Place(place) = r {
                read.insert(place.variable(id));
            }
        });
    }
    for (o, object) in process_type.objects.iter_mut().enumerate() {
        let dead = candidates.contains(&o) && !live[process_type.entry].contains(&o);
        if let ObjectKind::Variable { initial, .. } = &mut object.kind
            && dead
            && !read.contains(&(Some(id), o))
            && !initial_may_fail(initial)
        {
            *initial = Initial::Zero;
        }
    }
}
