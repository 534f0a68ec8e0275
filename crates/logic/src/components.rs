//! The strongly connected components of a graph with numbered nodes (Tarjan, *Depth-first search
//! and linear graph algorithms*, 1972). The search has a stack of its own: graphs may be deep.

/// Components in an order in which edges lead to earlier ones only.
///
/// ```
/// // 0 → 1 ⇄ 2
/// let next = [vec![1], vec![2], vec![1]];
/// let found = logic::Components::new(3, |node, edge| next[node].get(edge).copied());
/// assert_eq!((found.of, found.members), (vec![1, 0, 0], vec![vec![1, 2], vec![0]]));
/// ```
pub struct Components {
    /// The component of each node.
    pub of: Vec<usize>,
    /// The nodes of each component.
    pub members: Vec<Vec<usize>>,
}

/// No component, no time.
const NONE: usize = usize::MAX;

impl Components {
    /// `edge` gives where the edges of a node lead, by their numbers.
    pub fn new(nodes: usize, edge: impl Fn(usize, usize) -> Option<usize>) -> Components {
        let (mut entered, mut low) = (vec![NONE; nodes], vec![0; nodes]);
        let mut found = Components { of: vec![NONE; nodes], members: Vec::new() };
        let (mut open, mut time) = (Vec::new(), 0);
        for root in 0..nodes {
            let mut path = Vec::from_iter((entered[root] == NONE).then_some((root, 0)));
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                if entered[node] == NONE {
                    (entered[node], low[node]) = (time, time);
                    time += 1;
                    open.push(node);
                }
                if let Some(target) = edge(node, *next) {
                    *next += 1;
                    if entered[target] == NONE {
                        path.push((target, 0));
                    } else if found.of[target] == NONE {
                        low[node] = low[node].min(entered[target]);
                    }
                    continue;
                }
                path.pop();
                if let Some((before, _)) = path.last() {
                    low[*before] = low[*before].min(low[node]);
                }
                if low[node] == entered[node] {
                    let first = open.iter().rposition(|n| *n == node).unwrap_or(0);
                    let members = open.split_off(first);
                    members.iter().for_each(|n| found.of[*n] = found.members.len());
                    found.members.push(members);
                }
            }
        }
        found
    }
}
