//! A short cycle that counts, in a part of which it is known that it has one.
//!
//! A cycle is made greedily from some state: go the shortest way to an edge with a mark that is
//! still needed, until none is; then the shortest way back. Needed are the recurrent marks, and the
//! response to a request only once the request is on the cycle. This is tried with all edges and
//! again without those whose request would cost a response; and from several states: the one where
//! the stem arrives, then the sources of edges with the rarest of the recurrent marks, nearest
//! first, as long as a budget of followed edges lasts. With at most one recurrent mark, no pairs
//! and budget enough, a shortest cycle is among those tried. Kept is the one that together with the
//! way to it is shortest.

use super::component::Component;
use super::marks::{Wanted, has, is_empty, meet, unite};
use super::refine::Part;

/// How many edges may be followed before the best cycle so far is good enough.
const BUDGET: usize = 1 << 22;

/// The way from `entry` to a cycle, and the cycle, as numbers of edges of `component`.
pub(super) fn short_cycle(
    component: &Component,
    part: &Part,
    entry: u32,
    wanted: &Wanted,
) -> (Vec<usize>, Vec<usize>) {
    let mut walker = Walker::new(component, part);
    let all = component.kinds(|marks| !meet(marks, &part.avoid));
    let costly = wanted.costly();
    let cheap = component.kinds(|marks| !meet(marks, &part.avoid) && !meet(marks, &costly));
    let near = walker.distances(entry, &all);
    let mut best: Option<(usize, Vec<usize>)> = None;
    for start in walker.starts(entry, wanted, &all, &near) {
        for kinds in [&all, &cheap] {
            let Some(cycle) = walker.cycle(start, wanted, kinds) else { continue };
            let (distance, cycle) = walker.begin_nearest(cycle, &near);
            let total = distance + cycle.len();
            if best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, cycle));
            }
            if cheap == all {
                break;
            }
        }
        if walker.followed > BUDGET {
            break;
        }
    }
    let (_, cycle) = best.expect("a strongly connected part has a cycle through all its edges");
    let head = component.source(cycle[0]);
    let way = (head != entry).then(|| walker.walk(entry, &all, |target, _| target == head)).flatten();
    (way.unwrap_or_default(), cycle)
}

/// Walks the edges of a part; a path is the numbers of its edges. `kinds` says which kinds of
/// edges to take.
struct Walker<'a> {
    component: &'a Component,
    states: &'a [u32],
    member: Vec<bool>,
    /// In which walk each member was seen last, and the edge by which.
    seen: Vec<u32>,
    by: Vec<usize>,
    walks: u32,
    followed: usize,
}

impl<'a> Walker<'a> {
    fn new(component: &'a Component, part: &'a Part) -> Self {
        let size = component.states.len();
        let mut member = vec![false; size];
        part.states.iter().for_each(|state| member[*state as usize] = true);
        let (seen, by) = (vec![0; size], vec![0; size]);
        Walker { component, states: &part.states, member, seen, by, walks: 0, followed: 0 }
    }

    /// A shortest path from a state whose last edge is the `goal`, given by its target and kind.
    fn walk(&mut self, start: u32, kinds: &[bool], goal: impl Fn(u32, u32) -> bool) -> Option<Vec<usize>> {
        self.walks += 1;
        self.seen[start as usize] = self.walks;
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(state) = queue.get(next) {
            for edge in self.component.out(*state) {
                let (target, kind) = self.component.edges[edge];
                self.followed += 1;
                if !self.member[target as usize] || !kinds[kind as usize] {
                    continue;
                }
                if goal(target, kind) {
                    return Some(self.path(start, edge));
                }
                if self.seen[target as usize] != self.walks {
                    self.seen[target as usize] = self.walks;
                    self.by[target as usize] = edge;
                    queue.push(target);
                }
            }
            next += 1;
        }
        None
    }

    /// The path of the last walk from `start` that ends with `edge`.
    fn path(&self, start: u32, edge: usize) -> Vec<usize> {
        let mut path = vec![edge];
        let mut at = self.component.source(edge);
        while at != start {
            let edge = self.by[at as usize];
            path.push(edge);
            at = self.component.source(edge);
        }
        path.reverse();
        path
    }

    /// How far each member is from `entry`.
    fn distances(&mut self, entry: u32, kinds: &[bool]) -> Vec<u32> {
        let mut near = vec![u32::MAX; self.member.len()];
        near[entry as usize] = 0;
        let mut queue = vec![entry];
        let mut next = 0;
        while let Some(state) = queue.get(next) {
            let further = near[*state as usize] + 1;
            for (target, kind) in &self.component.edges[self.component.out(*state)] {
                let at = *target as usize;
                if self.member[at] && kinds[*kind as usize] && near[at] == u32::MAX {
                    near[at] = further;
                    queue.push(*target);
                }
            }
            next += 1;
        }
        near
    }

    /// States to try cycles from.
    fn starts(&self, entry: u32, wanted: &Wanted, kinds: &[bool], near: &[u32]) -> Vec<u32> {
        let rarest = self.rarest(wanted, kinds);
        let counts = |(target, kind): &(u32, u32)| {
            self.member[*target as usize]
                && kinds[*kind as usize]
                && rarest.is_none_or(|mark| has(self.component.marks(*kind), mark))
        };
        let has_it = |state: &u32| self.component.edges[self.component.out(*state)].iter().any(counts);
        let mut starts: Vec<u32> = self.states.iter().copied().filter(has_it).collect();
        starts.sort_by_key(|state| near[*state as usize]);
        starts.insert(0, entry);
        starts
    }

    /// The recurrent mark that is on the fewest edges.
    fn rarest(&self, wanted: &Wanted, kinds: &[bool]) -> Option<usize> {
        let mut counts = vec![0usize; kinds.len()];
        for state in self.states {
            for (target, kind) in &self.component.edges[self.component.out(*state)] {
                counts[*kind as usize] += usize::from(self.member[*target as usize] && kinds[*kind as usize]);
            }
        }
        let on = |mark: &usize| {
            let kinds = (0..kinds.len() as u32).filter(|kind| has(self.component.marks(*kind), *mark));
            kinds.map(|kind| counts[kind as usize]).sum::<usize>()
        };
        (0..wanted.words * 64).filter(|mark| has(&wanted.recurrent, *mark)).min_by_key(on)
    }

    /// A cycle through `start` that counts; there may be none if not all kinds are allowed.
    fn cycle(&mut self, start: u32, wanted: &Wanted, kinds: &[bool]) -> Option<Vec<usize>> {
        let mut marks = vec![0; wanted.words];
        let mut cycle: Vec<usize> = Vec::new();
        let mut at = start;
        loop {
            let needed = wanted.lacks(&marks);
            let path = if !is_empty(&needed) {
                let component = self.component;
                self.walk(at, kinds, |_, kind| meet(component.marks(kind), &needed))?
            } else if at != start || cycle.is_empty() {
                self.walk(at, kinds, |target, _| target == start)?
            } else {
                return Some(cycle);
            };
            for edge in path {
                let (target, kind) = self.component.edges[edge];
                unite(&mut marks, self.component.marks(kind));
                cycle.push(edge);
                at = target;
            }
        }
    }

    /// The same cycle, begun at its state nearest to the entry, with the distance of that.
    fn begin_nearest(&self, mut cycle: Vec<usize>, near: &[u32]) -> (usize, Vec<usize>) {
        let distances = cycle.iter().map(|edge| near[self.component.source(*edge) as usize]);
        let (first, distance) = distances.enumerate().min_by_key(|(_, distance)| *distance).unwrap_or((0, 0));
        cycle.rotate_left(first);
        (distance as usize, cycle)
    }
}
