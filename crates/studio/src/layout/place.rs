//! Places along the layers: each point as near as possible to the mean of its neighbours, in the
//! order of its layer and apart from those beside it.

use super::layers::{Layered, Point};

/// Down, up, and again, until little moves.
const ROUNDS: usize = 60;

/// Points that were pushed together: where their first would like to be, with how much weight, and
/// how many they are.
struct Block {
    wish: f64,
    weight: f64,
    count: usize,
}

pub(super) fn across(graph: &Layered, between: f64) -> Vec<f64> {
    let mut x = vec![0.0; graph.points.len()];
    graph.layers.iter().for_each(|layer| side_by_side(layer, &graph.points, between, &mut x));
    let count = graph.layers.len();
    for round in 0..ROUNDS {
        for k in 0..count {
            let at = if round % 2 == 0 { k } else { count - 1 - k };
            settle(&graph.layers[at], &graph.points, between, &mut x);
        }
    }
    let left = x.iter().zip(&graph.points).map(|(x, p)| x - p.width / 2.0).fold(f64::MAX, f64::min);
    x.iter().map(|x| x - left).collect()
}

/// To begin with: the layer around the middle.
fn side_by_side(layer: &[usize], points: &[Point], between: f64, x: &mut [f64]) {
    let shift = shifts(layer, points, between);
    let middle = shift.last().copied().unwrap_or(0.0) / 2.0;
    layer.iter().zip(&shift).for_each(|(v, s)| x[*v] = s - middle);
}

/// How far each point is from the first one of its layer, if all stand close.
fn shifts(layer: &[usize], points: &[Point], between: f64) -> Vec<f64> {
    let mut sum = 0.0;
    let mut before: Option<f64> = None;
    let next = |v: &usize| {
        let width = points[*v].width;
        sum += before.map_or(0.0, |b| (b + width) / 2.0 + between);
        before = Some(width);
        sum
    };
    layer.iter().map(next).collect()
}

fn settle(layer: &[usize], points: &[Point], between: f64, x: &mut [f64]) {
    let shift = shifts(layer, points, between);
    let mut blocks: Vec<Block> = Vec::new();
    for (v, s) in layer.iter().zip(&shift) {
        let (wish, weight) = wish(*v, points, x);
        blocks.push(Block { wish: wish - s, weight, count: 1 });
        while let [.., a, b] = &blocks[..]
            && a.wish > b.wish
        {
            let weight = a.weight + b.weight;
            let wish = (a.wish * a.weight + b.wish * b.weight) / weight;
            let count = a.count + b.count;
            blocks.truncate(blocks.len() - 2);
            blocks.push(Block { wish, weight, count });
        }
    }
    let wishes = blocks.iter().flat_map(|b| std::iter::repeat_n(b.wish, b.count));
    layer.iter().zip(&shift).zip(wishes).for_each(|((v, s), wish)| x[*v] = wish + s);
}

/// The mean of the neighbours; long edges want to be straight most of all.
fn wish(v: usize, points: &[Point], x: &[f64]) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    for u in points[v].up.iter().chain(&points[v].down) {
        let pull = match (points[*u].is_bend, points[v].is_bend) {
            (true, true) => 8.0,
            (false, false) => 1.0,
            _ => 2.0,
        };
        sum += pull * x[*u];
        weight += pull;
    }
    if weight > 0.0 { (sum / weight, weight) } else { (x[v], 0.01) }
}
