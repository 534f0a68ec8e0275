//! Structures as pictures: DOT for Graphviz, and SVG drawn here.
//!
//! A node is an ellipse with the unary predicates that hold of it, those with 1/2 marked `?`; a
//! summary node has a double border. A binary predicate is an arrow, dotted if its value is 1/2.
//! Nullary predicates stand below.

use std::fmt::Write;
use structures::kleene::Kleene;
use structures::structure::Structure;
use structures::vocabulary::{Predicate, SUMMARY, Vocabulary};

/// A structure with what led to it.
pub struct Picture<'a> {
    /// The step that led to it.
    pub title: String,
    /// What is drawn.
    pub structure: &'a Structure,
}

fn shown(vocabulary: &Vocabulary, arity: usize) -> impl Iterator<Item = &Predicate> {
    vocabulary
        .predicates
        .iter()
        .filter(move |p| p.symbol.arity() == arity && p.symbol != SUMMARY && !p.hidden)
}

fn mark(name: &str, value: Kleene) -> Option<String> {
    match value {
        Kleene::True => Some(name.to_string()),
        Kleene::Half => Some(format!("{name}?")),
        Kleene::False => None,
    }
}

/// The unary predicates of each node.
fn labels(vocabulary: &Vocabulary, s: &Structure) -> Vec<Vec<String>> {
    let layout = vocabulary.layout();
    let of =
        |u: usize| shown(vocabulary, 1).filter_map(move |p| mark(&p.name, s.get(layout, p.symbol, [u, 0])));
    (0..s.nodes).map(|u| of(u).collect()).collect()
}

fn facts(vocabulary: &Vocabulary, s: &Structure) -> Vec<String> {
    let layout = vocabulary.layout();
    shown(vocabulary, 0).filter_map(|p| mark(&p.name, s.get(layout, p.symbol, [0, 0]))).collect()
}

/// MarkedEdges: from, to, names, whether only 1/2.
fn arrows(vocabulary: &Vocabulary, s: &Structure) -> Vec<(usize, usize, String, bool)> {
    let layout = vocabulary.layout();
    let mut all = Vec::new();
    for p in shown(vocabulary, 2) {
        for (from, to) in (0..s.nodes).flat_map(|u| (0..s.nodes).map(move |v| (u, v))) {
            match s.get(layout, p.symbol, [from, to]) {
                Kleene::False => {}
                value => all.push((from, to, p.name.clone(), value == Kleene::Half)),
            }
        }
    }
    all
}

/// One line for a structure: its nodes, arrows and facts.
pub fn line(vocabulary: &Vocabulary, s: &Structure) -> String {
    let layout = vocabulary.layout();
    let mut parts: Vec<String> = labels(vocabulary, s)
        .iter()
        .enumerate()
        .map(|(u, names)| {
            format!("{u}{}:{}", if s.is_summary(layout, u) { "*" } else { "" }, names.join(","))
        })
        .collect();
    for (from, to, name, half) in arrows(vocabulary, s) {
        parts.push(format!("{name}({from},{to}){}", if half { "?" } else { "" }));
    }
    parts.extend(facts(vocabulary, s));
    parts.join("  ")
}

/// Pictures as clusters of one graph, for Graphviz.
pub fn dot(vocabulary: &Vocabulary, pictures: &[Picture<'_>]) -> String {
    let layout = vocabulary.layout();
    let mut out = String::from(
        "digraph shapes {\n  rankdir=LR;\n  node [shape=ellipse, fontsize=11];\n  edge [fontsize=10];\n",
    );
    for (at, picture) in pictures.iter().enumerate() {
        let s = picture.structure;
        let facts = facts(vocabulary, s).join(", ");
        let _ = writeln!(
            out,
            "  subgraph cluster_{at} {{\n    label={};",
            quoted(&format!("{}\n{facts}", picture.title))
        );
        for (u, names) in labels(vocabulary, s).iter().enumerate() {
            let peripheries = if s.is_summary(layout, u) { 2 } else { 1 };
            let _ = writeln!(
                out,
                "    n{at}_{u} [label={}, peripheries={peripheries}];",
                quoted(&names.join("\n"))
            );
        }
        for (from, to, name, half) in arrows(vocabulary, s) {
            let style = if half { ", style=dotted" } else { "" };
            let _ = writeln!(out, "    n{at}_{from} -> n{at}_{to} [label={}{style}];", quoted(&name));
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;

/// Pictures one below the other.
pub fn svg(vocabulary: &Vocabulary, pictures: &[Picture<'_>]) -> String {
    let height = HEIGHT * pictures.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\">\
         <path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (at, picture) in pictures.iter().enumerate() {
        let _ = writeln!(out, "<g transform=\"translate(0,{})\">", HEIGHT * at as f64);
        draw(vocabulary, picture, &mut out);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Nodes on an ellipse, arrows straight between them.
fn draw(vocabulary: &Vocabulary, picture: &Picture<'_>, out: &mut String) {
    let s = picture.structure;
    let layout = vocabulary.layout();
    let place = |u: usize| {
        let angle = std::f64::consts::TAU * u as f64 / s.nodes.max(1) as f64;
        (WIDTH / 2.0 - 220.0 * angle.cos(), HEIGHT / 2.0 + 10.0 - 130.0 * angle.sin())
    };
    let facts = facts(vocabulary, s).join(", ");
    let _ = writeln!(out, "<text x=\"12\" y=\"20\" font-weight=\"bold\">{}</text>", escaped(&picture.title));
    let _ = writeln!(out, "<text x=\"12\" y=\"{}\">{}</text>", HEIGHT - 12.0, escaped(&facts));
    for (number, (from, to, name, half)) in arrows(vocabulary, s).into_iter().enumerate() {
        let ((x1, y1), (x2, y2)) = (place(from), place(to));
        let dashes = if half { " stroke-dasharray=\"2,4\"" } else { "" };
        let bend = 18.0 + 9.0 * (number % 4) as f64;
        let path = if from == to {
            format!(
                "M{:.0},{:.0} C{:.0},{:.0} {:.0},{:.0} {:.0},{:.0}",
                x1 - 12.0,
                y1 - 24.0,
                x1 - 40.0,
                y1 - 24.0 - 2.0 * bend,
                x1 + 40.0,
                y1 - 24.0 - 2.0 * bend,
                x1 + 12.0,
                y1 - 24.0
            )
        } else {
            let length = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt().max(1.0);
            let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
            let (mx, my) = ((x1 + x2) / 2.0 - uy * bend, (y1 + y2) / 2.0 + ux * bend);
            format!(
                "M{:.0},{:.0} Q{mx:.0},{my:.0} {:.0},{:.0}",
                x1 + ux * 48.0,
                y1 + uy * 28.0,
                x2 - ux * 48.0,
                y2 - uy * 28.0
            )
        };
        let (tx, ty) = if from == to {
            (x1, y1 - 24.0 - 1.6 * bend)
        } else {
            (
                (x1 + x2) / 2.0 - (y2 - y1).signum() * bend * 0.6,
                (y1 + y2) / 2.0 + (x2 - x1).signum() * bend * 0.6,
            )
        };
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"black\" marker-end=\"url(#tip)\"{dashes}/>"
        );
        let _ = writeln!(
            out,
            "<text x=\"{tx:.0}\" y=\"{ty:.0}\" font-size=\"10\" text-anchor=\"middle\">{}</text>",
            escaped(&name)
        );
    }
    for (u, names) in labels(vocabulary, s).iter().enumerate() {
        let (x, y) = place(u);
        let ry = 14.0 + 7.0 * names.len() as f64;
        let ellipse = |grow: f64| {
            format!(
                "<ellipse cx=\"{x:.0}\" cy=\"{y:.0}\" rx=\"{:.0}\" ry=\"{:.0}\" fill=\"white\" stroke=\"black\"/>",
                48.0 + grow,
                ry + grow
            )
        };
        if s.is_summary(layout, u) {
            let _ = writeln!(out, "{}", ellipse(4.0));
        }
        let _ = writeln!(out, "{}", ellipse(0.0));
        for (row, name) in names.iter().enumerate() {
            let ty = y + 4.0 + 13.0 * (row as f64 - (names.len() as f64 - 1.0) / 2.0);
            let _ = writeln!(
                out,
                "<text x=\"{x:.0}\" y=\"{ty:.0}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
                escaped(name)
            );
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A concrete state as a structure without 1/2.
pub fn structure(concrete: &crate::concrete::Concrete<'_>, state: &crate::concrete::State) -> Structure {
    let layout = concrete.vocabulary.layout();
    let mut s = Structure::new(layout);
    for _ in 0..state.individuals {
        s.push_node(layout);
    }
    for predicate in &concrete.vocabulary.predicates {
        for tuple in predicate.symbol.tuples(s.nodes) {
            s.set(
                layout,
                predicate.symbol,
                tuple,
                Kleene::from(concrete.get(state, predicate.symbol, tuple)),
            );
        }
    }
    s
}

/// The whole abstract space, for Graphviz: states by number, arrows with their actions, dashed if a
/// precondition was 1/2.
pub fn space(
    model: &structures::model::Model,
    vocabulary: &Vocabulary,
    space: &crate::abstracted::Space,
) -> String {
    let mut out = String::from("digraph kripke {\n  node [shape=box, fontsize=9];\n  edge [fontsize=9];\n");
    for at in 0..space.len() {
        let label = line(vocabulary, &space.narrow(model, at)).replace("  ", "\n");
        let initial = space.recorded.initial.contains(&(at as u32));
        let shape = if initial { ", style=bold" } else { "" };
        let _ = writeln!(out, "  s{at} [label={}{shape}];", quoted(&label));
    }
    for e in space.edges() {
        let style = if e.definite { "" } else { ", style=dotted" };
        let _ = writeln!(
            out,
            "  s{} -> s{} [label={}{style}];",
            e.from,
            e.to,
            quoted(&model.actions[e.action].name)
        );
    }
    out.push_str("}\n");
    out
}
