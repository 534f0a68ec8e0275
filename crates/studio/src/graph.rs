//! The states around one as a picture: what stands in each node, how large it is, and where.
//!
//! A state has many variables, and most are the same in all states shown. A node tells those that
//! differ from the first state, at most a few lines; the page has the rest when one points at it.

use crate::layout::{Drawing, Size, Space, draw};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// More lines would make nodes that are too large to be read.
const LINES: usize = 4;
/// A longer line is cut.
const COLUMNS: usize = 22;
/// What a letter and a line take, and the space around the text.
const LETTER: f64 = 6.7;
const LINE: f64 = 15.0;
const MARGIN: Size = (18.0, 12.0);
const NARROWEST: f64 = 44.0;
const SPACE: Space = Space { between: 22.0, layer: 96.0 };

/// A graph that the page has already, such as a diagram of a proof.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sketch {
    sizes: Vec<Size>,
    edges: Vec<(usize, usize)>,
}

/// Larger graphs are no pictures for people.
const MOST_NODES: usize = 1000;
const MOST_EDGES: usize = 4000;

impl Sketch {
    /// Its drawing; `None` if it is too large, or an edge leads nowhere.
    pub(crate) fn drawn(&self) -> Option<Value> {
        let Sketch { sizes, edges } = self;
        let inside = |end: usize| end < sizes.len();
        let sound = edges.iter().all(|(from, to)| inside(*from) && inside(*to));
        let fair = |size: &Size| [size.0, size.1].iter().all(|side| (0.0..1e4).contains(side));
        if !sound || sizes.len() > MOST_NODES || edges.len() > MOST_EDGES || !sizes.iter().all(fair) {
            return None;
        }
        let tall = sizes.iter().map(|s| s.1).fold(0.0, f64::max);
        let Drawing { nodes, edges: routes, size } =
            draw(sizes, edges, Space { layer: tall + 56.0, ..SPACE });
        Some(json!({"nodes": nodes, "routes": routes, "size": size}))
    }
}

/// States and edges as the simulator or a reduction tells of them, with lines for each state, and a
/// drawing.
pub(crate) fn drawn(event: &Value) -> Option<Value> {
    let states = event["states"].as_array()?;
    let edges: Vec<(usize, usize)> = event["edges"].as_array()?.iter().filter_map(ends).collect();
    let first = states.first().map(|s| &s["state"]);
    let lines: Vec<Vec<String>> =
        states.iter().map(|s| first.map_or(Vec::new(), |f| differs(f, &s["state"]))).collect();
    let sizes: Vec<Size> = lines.iter().map(|lines| size(lines)).collect();
    let Drawing { nodes, edges: routes, size } = draw(&sizes, &edges, SPACE);
    Some(
        json!({"graph": event, "lines": lines, "sizes": sizes, "nodes": nodes, "routes": routes, "size": size}),
    )
}

fn ends(edge: &Value) -> Option<(usize, usize)> {
    let end = |name: &str| usize::try_from(edge[name].as_u64()?).ok();
    Some((end("from")?, end("to")?))
}

/// What a state has that the first one has not.
fn differs(first: &Value, state: &Value) -> Vec<String> {
    let (Some(first), Some(state)) = (first.as_object(), state.as_object()) else { return Vec::new() };
    let names: BTreeSet<&String> = state.keys().filter(|name| first.get(*name) != state.get(*name)).collect();
    let words = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let line = |name: &&String| cut(&format!("{} = {}", name.replace("]:", "]."), words(&state[*name])));
    let mut lines: Vec<String> = names.iter().take(LINES).map(line).collect();
    if names.len() > LINES {
        lines[LINES - 1] = format!("and {} more", names.len() + 1 - LINES);
    }
    lines
}

fn cut(line: &str) -> String {
    if line.chars().count() <= COLUMNS {
        line.to_string()
    } else {
        line.chars().take(COLUMNS - 1).chain(['…']).collect()
    }
}

fn size(lines: &[String]) -> Size {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let wide = (longest as f64 * LETTER + MARGIN.0).max(NARROWEST);
    (wide, lines.len().max(1) as f64 * LINE + MARGIN.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_tell_what_differs() {
        let state = |state: Value| json!({"path": [], "status": "enabled", "expanded": true, "state": state});
        let event = json!({
            "event": "graph", "whole": true,
            "states": [state(json!({"x": "0", "y": "0"})), state(json!({"x": "1", "y": "0"}))],
            "edges": [{"from": 0, "to": 1, "who": "P[0]", "text": "x = 1"}, {"from": 1, "to": 1, "who": "P[0]", "text": "skip"}],
        });
        let drawn = drawn(&event).unwrap();
        assert_eq!(drawn["lines"], json!([[], ["x = 1"]]));
        assert_eq!(drawn["nodes"].as_array().map(Vec::len), Some(2));
        assert_eq!(drawn["routes"].as_array().map(Vec::len), Some(2));
        assert!(super::drawn(&json!({"event": "graph", "states": null})).is_none());
    }

    #[test]
    fn sketches_are_drawn_if_they_make_sense() {
        let sketch = |text: &str| serde_json::from_str::<Sketch>(text).unwrap().drawn();
        let drawn = sketch(r#"{"sizes":[[20,10],[20,10]],"edges":[[0,1]]}"#).unwrap();
        assert_eq!(drawn["nodes"].as_array().map(Vec::len), Some(2));
        assert!(sketch(r#"{"sizes":[[20,10]],"edges":[[0,1]]}"#).is_none());
        assert!(sketch(r#"{"sizes":[[1e9,10]],"edges":[]}"#).is_none());
    }

    #[test]
    fn long_lines_and_many_are_cut() {
        let state = json!({"a": "1", "b": "1", "c": "1", "d": "1", "e": "1", "f": "x".repeat(90)});
        let lines = differs(&json!({}), &state);
        assert_eq!(lines, ["a = 1", "b = 1", "c = 1", "and 3 more"]);
        assert_eq!(cut(&"x".repeat(90)).chars().count(), COLUMNS);
    }
}
