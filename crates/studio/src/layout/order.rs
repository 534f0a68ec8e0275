//! The order in each layer: few crossings.

use super::layers::Layered;

/// Sweeps down and up; the best order that was seen is kept.
const SWEEPS: usize = 24;
/// How often neighbours may change places after a sweep.
const SWAPS: usize = 4;

pub(super) fn sort(graph: &mut Layered) {
    let mut position = vec![0; graph.points.len()];
    graph.layers.iter().for_each(|layer| number(layer, &mut position));
    let mut best = (crossings(graph, &position), graph.layers.clone());
    for sweep in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        let downwards = sweep % 2 == 0;
        by_neighbours(graph, &mut position, downwards);
        for _ in 0..SWAPS {
            if !swap_neighbours(graph, &mut position) {
                break;
            }
        }
        let count = crossings(graph, &position);
        if count < best.0 {
            best = (count, graph.layers.clone());
        }
    }
    graph.layers = best.1;
}

fn number(layer: &[usize], position: &mut [usize]) {
    layer.iter().enumerate().for_each(|(k, v)| position[*v] = k);
}

/// Each layer by the mean position of the neighbours in the one before.
fn by_neighbours(graph: &mut Layered, position: &mut [usize], downwards: bool) {
    let count = graph.layers.len();
    for k in 0..count {
        let at = if downwards { k } else { count - 1 - k };
        let mean = |v: usize| {
            let near = if downwards { &graph.points[v].up } else { &graph.points[v].down };
            let sum: usize = near.iter().map(|u| position[*u]).sum();
            if near.is_empty() { position[v] as f64 } else { sum as f64 / near.len() as f64 }
        };
        let mut keyed: Vec<(f64, usize)> = graph.layers[at].iter().map(|v| (mean(*v), *v)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        graph.layers[at] = keyed.into_iter().map(|(_, v)| v).collect();
        number(&graph.layers[at], position);
    }
}

/// Neighbours change places where fewer edges cross then; true if some did.
fn swap_neighbours(graph: &mut Layered, position: &mut [usize]) -> bool {
    let mut changed = false;
    for layer in &mut graph.layers {
        for k in 1..layer.len() {
            let (a, b) = (layer[k - 1], layer[k]);
            let crossed = |left: usize, right: usize| {
                let (left, right) = (&graph.points[left], &graph.points[right]);
                inversions(&left.up, &right.up, position) + inversions(&left.down, &right.down, position)
            };
            if crossed(b, a) < crossed(a, b) {
                layer.swap(k - 1, k);
                (position[a], position[b]) = (k, k - 1);
                changed = true;
            }
        }
    }
    changed
}

/// How many neighbours of the left one are right of neighbours of the right one.
fn inversions(left: &[usize], right: &[usize], position: &[usize]) -> usize {
    left.iter().map(|l| right.iter().filter(|r| position[**r] < position[*l]).count()).sum()
}

fn crossings(graph: &Layered, position: &[usize]) -> usize {
    let in_layer = |layer: &Vec<usize>| {
        let ends = |v: &usize| graph.points[*v].down.iter().map(|d| position[*d]).collect::<Vec<_>>();
        let mut edges: Vec<(usize, usize)> =
            layer.iter().flat_map(|v| ends(v).into_iter().map(|d| (position[*v], d))).collect();
        edges.sort_unstable();
        merge_count(&mut edges.into_iter().map(|(_, d)| d).collect::<Vec<_>>())
    };
    graph.layers.iter().map(in_layer).sum()
}

/// The inversions of a list, counted while it is sorted by merging.
fn merge_count(list: &mut [usize]) -> usize {
    if list.len() < 2 {
        return 0;
    }
    let (left, right) = list.split_at_mut(list.len() / 2);
    let mut count = merge_count(left) + merge_count(right);
    let (mut merged, mut k) = (Vec::with_capacity(left.len() + right.len()), 0);
    for r in right.iter() {
        while k < left.len() && left[k] <= *r {
            merged.push(left[k]);
            k += 1;
        }
        count += left.len() - k;
        merged.push(*r);
    }
    merged.extend_from_slice(&left[k..]);
    list.copy_from_slice(&merged);
    count
}
