//! Nodes in layers, and long edges as chains of points.

use super::Size;
use std::collections::VecDeque;

/// A node, or a point of a long edge.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) layer: usize,
    pub(super) width: f64,
    pub(super) is_bend: bool,
    /// Its neighbours in the layer above.
    pub(super) up: Vec<usize>,
    /// Its neighbours in the layer below.
    pub(super) down: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Layered {
    /// The nodes, then the bends.
    pub(super) points: Vec<Point>,
    /// The points of each layer, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// The points of each edge, in its direction.
    pub(super) chains: Vec<Vec<usize>>,
}

/// What an edge needs beside others.
const BEND: f64 = 6.0;

pub(super) fn of(sizes: &[Size], edges: &[(usize, usize)]) -> Layered {
    let layer = distances(sizes.len(), edges);
    let node = |(v, size): (usize, &Size)| point(layer[v], size.0, false);
    let mut points: Vec<Point> = sizes.iter().enumerate().map(node).collect();
    let chains = edges.iter().map(|edge| chain(&mut points, *edge)).collect();
    let count = points.iter().map(|p| p.layer + 1).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); count];
    points.iter().enumerate().for_each(|(v, p)| layers[p.layer].push(v));
    Layered { points, layers, chains }
}

fn point(layer: usize, width: f64, is_bend: bool) -> Point {
    Point { layer, width, is_bend, up: Vec::new(), down: Vec::new() }
}

/// How far each node is from the first. What it does not reach begins trees of its own, at nodes to
/// which nothing leads if there are some.
fn distances(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); count];
    edges.iter().for_each(|(from, to)| successors[*from].push(*to));
    let mut is_led_to = vec![false; count];
    edges.iter().filter(|(from, to)| from != to).for_each(|(_, to)| is_led_to[*to] = true);
    let first = 0..count.min(1);
    let roots = first.chain((1..count).filter(|v| !is_led_to[*v])).chain(1..count);
    let mut found: Vec<Option<usize>> = vec![None; count];
    for root in roots {
        if found[root].is_some() {
            continue;
        }
        found[root] = Some(0);
        let mut queue = VecDeque::from([(root, 0)]);
        while let Some((v, distance)) = queue.pop_front() {
            for next in &successors[v] {
                if found[*next].is_none() {
                    found[*next] = Some(distance + 1);
                    queue.push_back((*next, distance + 1));
                }
            }
        }
    }
    found.into_iter().map(|distance| distance.unwrap_or(0)).collect()
}

/// The points of an edge, one in each layer; those between its ends are new. An edge from a node to
/// itself has that point alone.
fn chain(points: &mut Vec<Point>, (from, to): (usize, usize)) -> Vec<usize> {
    if from == to {
        return vec![from];
    }
    let leads_up = points[from].layer > points[to].layer;
    let (top, bottom) = if leads_up { (to, from) } else { (from, to) };
    let mut chain = vec![top];
    for layer in points[top].layer + 1..points[bottom].layer {
        let (above, bend) = (chain[chain.len() - 1], points.len());
        points.push(point(layer, BEND, true));
        join(points, above, bend);
        chain.push(bend);
    }
    if points[top].layer < points[bottom].layer {
        join(points, chain[chain.len() - 1], bottom);
    }
    chain.push(bottom);
    if leads_up {
        chain.reverse();
    }
    chain
}

fn join(points: &mut [Point], above: usize, below: usize) {
    points[above].down.push(below);
    points[below].up.push(above);
}
