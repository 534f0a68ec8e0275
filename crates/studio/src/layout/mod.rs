//! A directed graph as a drawing in layers: which layer, in which order, at which place.
//!
//! After Sugiyama, Tagawa and Toda (1981). We deviate where the usual choice hides what a graph of
//! states says: the layer of a node is its distance from the first ones, not the longest path, so
//! that height means steps from the start; and edges that lead back are not turned round for the
//! layers, they run upwards. Long edges become chains of points, one in each layer between
//! ([`layers`]). Each layer is sorted by the mean place of its neighbours, and neighbours change
//! places while fewer edges cross ([`order`]). Places are as near to the neighbours as the order
//! and the sizes allow: a least-squares problem on a line, solved by pooling adjacent violators
//! ([`place`]).

mod layers;
mod order;
mod place;

/// Width and height of a node.
pub(crate) type Size = (f64, f64);
/// A point of the drawing, from its upper left corner.
pub(crate) type Point = (f64, f64);

/// Where everything is.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    /// The middle of each node.
    pub(crate) nodes: Vec<Point>,
    /// For each edge the points that it runs through, from its first node to its second.
    pub(crate) edges: Vec<Vec<Point>>,
    pub(crate) size: Size,
}

/// The space between neighbours, and between layers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Space {
    pub(crate) between: f64,
    pub(crate) layer: f64,
}

/// Draws a graph. Edges join numbers of nodes; the first node is where it begins.
pub(crate) fn draw(sizes: &[Size], edges: &[(usize, usize)], space: Space) -> Drawing {
    let mut layered = layers::of(sizes, edges);
    order::sort(&mut layered);
    let across = place::across(&layered, space.between);
    let tall = sizes.iter().map(|s| s.1).fold(0.0, f64::max);
    let wide = layered.points.iter().zip(&across).map(|(p, x)| x + p.width / 2.0).fold(0.0, f64::max);
    let at = |v: usize| (across[v], layered.points[v].layer as f64 * space.layer + tall / 2.0);
    let high = layered.layers.len().saturating_sub(1) as f64 * space.layer + tall;
    Drawing {
        nodes: (0..sizes.len()).map(at).collect(),
        edges: layered.chains.iter().map(|chain| chain.iter().map(|v| at(*v)).collect()).collect(),
        size: (wide, high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: Space = Space { between: 10.0, layer: 50.0 };

    fn drawn(count: usize, edges: &[(usize, usize)]) -> Drawing {
        draw(&vec![(20.0, 10.0); count], edges, SPACE)
    }

    /// Do two edges between the same layers cross?
    fn crossings(drawing: &Drawing) -> usize {
        let pieces: Vec<(Point, Point)> = drawing
            .edges
            .iter()
            .flat_map(|e| e.windows(2).map(|w| if w[0].1 <= w[1].1 { (w[0], w[1]) } else { (w[1], w[0]) }))
            .collect();
        let crosses = |a: &(Point, Point), b: &(Point, Point)| {
            a.0.1 == b.0.1 && a.1.1 == b.1.1 && (a.0.0 - b.0.0) * (a.1.0 - b.1.0) < 0.0
        };
        let pairs =
            pieces.iter().enumerate().map(|(k, a)| pieces[k + 1..].iter().filter(|b| crosses(a, b)).count());
        pairs.sum()
    }

    #[test]
    fn height_is_the_distance_from_the_start() {
        let drawing = drawn(4, &[(0, 1), (1, 2), (2, 3), (0, 3), (3, 0)]);
        let heights: Vec<f64> = drawing.nodes.iter().map(|n| n.1).collect();
        assert_eq!(heights, [5.0, 55.0, 105.0, 55.0]);
        assert_eq!(drawing.edges[4].first(), Some(&drawing.nodes[3]));
        assert_eq!(drawing.edges[4].last(), Some(&drawing.nodes[0]));
    }

    #[test]
    fn nodes_of_a_layer_do_not_overlap() {
        let edges: Vec<(usize, usize)> = (1..40).map(|v| ((v * 7 + 3) % v, v)).collect();
        let drawing = drawn(40, &edges);
        for (k, a) in drawing.nodes.iter().enumerate() {
            for b in &drawing.nodes[k + 1..] {
                assert!(a.1 != b.1 || (a.0 - b.0).abs() >= 29.999, "{a:?} {b:?}");
            }
        }
        assert!(drawing.nodes.iter().all(|n| n.0 >= 9.999 && n.0 <= drawing.size.0 - 9.999));
    }

    #[test]
    fn a_tree_and_a_ladder_have_no_crossings() {
        let tree: Vec<(usize, usize)> = (1..31).map(|v| ((v - 1) / 2, v)).collect();
        assert_eq!(crossings(&drawn(31, &tree)), 0);
        let twisted = [(0, 1), (0, 2), (1, 4), (2, 3), (3, 6), (4, 5)];
        assert_eq!(crossings(&drawn(7, &twisted)), 0);
    }

    #[test]
    fn long_edges_bend_and_empty_graphs_are_empty() {
        let drawing = drawn(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 1)]);
        assert_eq!(drawing.edges[4].len(), 4, "a point in each layer between");
        assert_eq!(drawn(0, &[]), Drawing::default());
        assert_eq!(drawn(1, &[(0, 0)]).nodes, [(10.0, 5.0)]);
        assert_eq!(drawn(1, &[(0, 0)]).edges, [[(10.0, 5.0)]], "a loop has one point");
    }

    #[test]
    fn what_the_first_does_not_reach_begins_where_nothing_leads_to() {
        let drawing = drawn(5, &[(0, 1), (3, 2), (4, 3), (2, 2)]);
        let heights: Vec<f64> = drawing.nodes.iter().map(|n| n.1).collect();
        assert_eq!(heights, [5.0, 55.0, 105.0, 55.0, 5.0]);
    }
}
