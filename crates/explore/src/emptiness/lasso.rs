//! A path that counts, in states and edges: the stem to an accepting part, and a cycle inside
//! it.

use super::component::Component;
use super::cycle::short_cycle;
use super::graph::{Graph, Lasso};
use super::refine::Part;
use super::space::{NOWHERE, Space, States};
use super::stem::stem;
use crate::store::StateId;

pub(super) fn lasso<G: Graph, S: States>(
    space: &mut Space<G, S>,
    component: &Component,
    part: &Part,
) -> Lasso {
    let mut local = vec![NOWHERE; space.states.bound()];
    for member in &part.states {
        local[component.states[*member as usize] as usize] = *member;
    }
    let path = stem(space, |state| local[state as usize] != NOWHERE);
    let entry = path.last().map_or(0, |state| local[*state as usize]);
    drop(local);
    let (way, cycle) = short_cycle(component, part, entry, &space.wanted);
    let mut stem: Vec<(Vec<u8>, usize)> =
        path.windows(2).map(|pair| step(space, pair[0], pair[1], None)).collect();
    let mut follow = |edge: usize| {
        let (target, kind) = component.edges[edge];
        let [from, to] = [component.source(edge), target].map(|k| component.states[k as usize]);
        step(space, from, to, Some(component.marks(kind)))
    };
    stem.extend(way.into_iter().map(&mut follow));
    Lasso { stem, cycle: cycle.into_iter().map(follow).collect() }
}

/// A state and the number of its edge to another; the edge with these marks, if it matters which.
fn step<G: Graph, S: States>(
    space: &mut Space<G, S>,
    from: StateId,
    to: StateId,
    marks: Option<&[u64]>,
) -> (Vec<u8>, usize) {
    space.revisit(from);
    let is_it = |k: &usize| space.targets[*k] == to && marks.is_none_or(|marks| space.marks(*k) == marks);
    let edge = (0..space.targets.len()).find(is_it);
    let edge = edge.expect("a graph gives the same edges whenever it is asked");
    (space.state(from), edge)
}
