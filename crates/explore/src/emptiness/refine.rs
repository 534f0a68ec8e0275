//! Streett acceptance inside a component: is there a strongly connected part in which every request
//! is answered?
//!
//! After Emerson and Lei (*Modalities for model checking*, 1987). Take a strongly connected part.
//! If some recurrent mark is on none of its edges, no path inside counts. If every request on its
//! edges is answered on its edges, the path that takes all of them endlessly counts. Otherwise a
//! path that counts and stays inside takes edges with an unanswered request only finitely often:
//! they go, the rest falls into strongly connected parts, and each is asked again. A request once
//! avoided is avoided in all that follows, so the depth is at most the number of pairs and the cost
//! at most that many times the component.

use super::component::Component;
use super::marks::{Wanted, is_empty, meet, unite};
use std::ops::Range;

/// A strongly connected part of a component when edges with marks in `avoid` are not taken.
pub(super) struct Part {
    pub states: Vec<u32>,
    pub avoid: Vec<u64>,
}

/// A strongly connected part in which the path that takes all edges endlessly counts.
pub(super) fn accepting_part(component: &Component, wanted: &Wanted) -> Option<Part> {
    let size = component.states.len();
    let mut refinement = Refinement::new(component);
    let mut parts = 0;
    let mut open = vec![Part { states: (0..size as u32).collect(), avoid: vec![0; wanted.words] }];
    while let Some(part) = open.pop() {
        for states in refinement.decompose(&part) {
            let marks = refinement.marks(&states, &part);
            if !wanted.recurs(&marks) {
                continue;
            }
            let mut avoid = wanted.unanswered(&marks);
            if is_empty(&avoid) {
                return Some(Part { states, avoid: part.avoid });
            }
            unite(&mut avoid, &part.avoid);
            parts += 1;
            states.iter().for_each(|state| refinement.part_of[*state as usize] = parts);
            open.push(Part { states, avoid });
        }
    }
    None
}

struct Refinement<'a> {
    component: &'a Component,
    /// The part each state is in; edges between parts are gone.
    part_of: Vec<u32>,
    /// Places in `live` plus one while a part is decomposed.
    order: Vec<u32>,
    live: Vec<u32>,
    roots: Vec<u32>,
    /// The states on the path, each with the edges still to follow.
    path: Vec<(u32, Range<usize>)>,
}

const NEW: u32 = 0;
const DONE: u32 = u32::MAX;

impl<'a> Refinement<'a> {
    fn new(component: &'a Component) -> Self {
        let size = component.states.len();
        let (part_of, order) = (vec![0; size], vec![NEW; size]);
        Refinement { component, part_of, order, live: Vec::new(), roots: Vec::new(), path: Vec::new() }
    }

    /// The strongly connected parts with at least one edge, by Tarjan's algorithm in Gabow's form.
    fn decompose(&mut self, part: &Part) -> Vec<Vec<u32>> {
        let allowed = self.component.kinds(|marks| !meet(marks, &part.avoid));
        part.states.iter().for_each(|state| self.order[*state as usize] = NEW);
        let mut found = Vec::new();
        for start in &part.states {
            if self.order[*start as usize] == NEW {
                self.enter(*start);
            }
            while let Some((state, edges)) = self.path.last_mut() {
                let state = *state;
                let Some(edge) = edges.next() else {
                    self.path.pop();
                    found.extend(self.leave(state, &allowed));
                    continue;
                };
                let (target, kind) = self.component.edges[edge];
                let here = self.part_of[state as usize] == self.part_of[target as usize];
                match self.order[target as usize] {
                    _ if !here || !allowed[kind as usize] => {}
                    NEW => self.enter(target),
                    DONE => {}
                    order => self.roots.truncate(self.roots.partition_point(|root| *root <= order)),
                }
            }
        }
        found
    }

    fn enter(&mut self, state: u32) {
        self.live.push(state);
        self.order[state as usize] = self.live.len() as u32;
        self.roots.push(self.live.len() as u32);
        self.path.push((state, self.component.out(state)));
    }

    fn leave(&mut self, state: u32, allowed: &[bool]) -> Option<Vec<u32>> {
        let order = self.order[state as usize];
        if self.roots.last() != Some(&order) {
            return None;
        }
        self.roots.pop();
        let states = &self.live[order as usize - 1..];
        states.iter().for_each(|state| self.order[*state as usize] = DONE);
        let edges = &self.component.edges[self.component.out(state)];
        let has_edge = states.len() > 1
            || edges.iter().any(|(target, kind)| *target == state && allowed[*kind as usize]);
        let states = has_edge.then(|| states.to_vec());
        self.live.truncate(order as usize - 1);
        states
    }

    /// The marks on edges inside `states`, which are a strongly connected part of `part`.
    fn marks(&mut self, states: &[u32], part: &Part) -> Vec<u64> {
        // Here `order` says who is inside: all others, of this part or another, are done.
        const INSIDE: u32 = 1;
        states.iter().for_each(|state| self.order[*state as usize] = INSIDE);
        let mut union = vec![0; part.avoid.len()];
        for state in states {
            for (target, kind) in &self.component.edges[self.component.out(*state)] {
                let marks = self.component.marks(*kind);
                if self.order[*target as usize] == INSIDE && !meet(marks, &part.avoid) {
                    unite(&mut union, marks);
                }
            }
        }
        states.iter().for_each(|state| self.order[*state as usize] = DONE);
        union
    }
}
