//! Diagrams as pictures, DOT and SVG: what is proved, what fails, what is open.
//!
//! The SVG needs no other program: nodes stand below each other in the order of the text, so
//! that what a compound node holds stays together; edges down are arcs on the right, edges up on
//! the left.

use super::{Part, Place};
use crate::discharge::{Obligation, Status};
use std::fmt::Write;
use system::fts::diagram::{Diagram, Edge, Kind};

/// What became of a part of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing was asked about it.
    Plain,
    /// All conditions are proved.
    Proved,
    /// Some condition is undecided.
    Open,
    /// Some condition fails.
    Failed,
}

impl Mark {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Plain => "plain",
            Mark::Proved => "proved",
            Mark::Open => "open",
            Mark::Failed => "failed",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Mark::Plain => "#555555",
            Mark::Proved => "#1a7f37",
            Mark::Open => "#b08800",
            Mark::Failed => "#cf222e",
        }
    }

    fn of(status: Status) -> Mark {
        match status {
            Status::Proved => Mark::Proved,
            Status::Unknown => Mark::Open,
            Status::Failed => Mark::Failed,
        }
    }
}

/// A diagram with what became of its conditions.
pub struct Picture<'a> {
    /// The diagram.
    pub diagram: &'a Diagram,
    /// Those with a place in it.
    pub obligations: &'a [Obligation],
}

/// The height of a node, and the way from one to the next.
const HEIGHT: usize = 40;
const STEP: usize = 84;
/// The width of a letter.
const LETTER: usize = 8;

impl Picture<'_> {
    fn placed(&self) -> impl Iterator<Item = (&Place, &Obligation)> {
        let name = &self.diagram.name;
        self.obligations
            .iter()
            .filter_map(move |o| Some((o.place.as_ref()?, o)))
            .filter(move |(p, _)| p.diagram == *name)
    }

    fn worst(&self, of: impl Fn(&Place) -> bool) -> Mark {
        let found = self.placed().filter(|(p, _)| of(p)).map(|(_, o)| Mark::of(o.status));
        found.max().unwrap_or(Mark::Plain)
    }

    /// What became of a node: its own conditions, not those of its edges.
    pub fn node(&self, node: usize) -> Mark {
        let name = self.diagram.name_of(node);
        self.worst(|p| p.node.as_deref() == Some(name) && p.edge.is_none())
    }

    /// What became of an edge: ranks along it, or the transition that helps along it.
    pub fn edge(&self, edge: &Edge) -> Mark {
        let (from, to) = (self.diagram.name_of(edge.from), self.diagram.name_of(edge.to));
        let helps = |p: &Place| {
            let named = |t: &String| edge.by.iter().any(|h| t.split('[').next() == Some(&h.name[..]));
            p.part == Part::Helpful
                && p.node.as_deref() == Some(from)
                && p.transition.as_ref().is_some_and(named)
        };
        self.worst(|p| p.edge.as_ref().is_some_and(|(a, b)| a == from && b == to) || helps(p))
    }

    /// What became of the whole.
    pub fn whole(&self) -> Mark {
        self.worst(|_| true)
    }

    /// What is open or fails and belongs to no node: sentences.
    fn told(&self) -> Vec<String> {
        let open = self.placed().filter(|(_, o)| o.status != Status::Proved);
        let line = |o: &Obligation| match &o.reason {
            Some(reason) => format!("{}: {reason}", o.name),
            None => format!("{} fails", o.name),
        };
        open.map(|(_, o)| line(o)).take(12).collect()
    }

    fn labels(&self, edge: &Edge) -> String {
        let one = |h: &system::fts::Helpful| {
            let parameters = h.parameters.iter().map(|e| format!("[{e}]"));
            std::iter::once(h.name.clone()).chain(parameters).collect::<String>()
        };
        edge.by.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn said(&self, node: usize) -> String {
        let n = &self.diagram.nodes[node];
        let rank: Vec<String> = n.rank.iter().map(|r| r.term().to_string()).collect();
        let rank = if rank.is_empty() { String::new() } else { format!("   rank ({})", rank.join(", ")) };
        format!("{}: {}{rank}", n.name, n.text)
    }

    /// In Graphviz's language.
    pub fn dot(&self) -> String {
        let d = self.diagram;
        let mut text = format!("digraph \"{}\" {{\n  node [shape=box, style=rounded]\n", escaped(&d.name));
        for (n, node) in d.nodes.iter().enumerate() {
            let double = if node.terminal || self.is_accepted(n) { ", peripheries=2" } else { "" };
            let colour = self.node(n).colour();
            let _ =
                writeln!(text, "  n{n} [label=\"{}\", color=\"{colour}\"{double}]", escaped(&self.said(n)));
        }
        for (at, compound) in d.compounds.iter().enumerate() {
            let inside: Vec<String> = compound.nodes.iter().map(|n| format!("n{n}")).collect();
            let label = escaped(&format!("{}: {}", compound.name, compound.text));
            let _ = writeln!(text, "  subgraph cluster_{at} {{ label=\"{label}\"; {}; }}", inside.join("; "));
        }
        for edge in &d.edges {
            let (colour, label) = (self.edge(edge).colour(), escaped(&self.labels(edge)));
            let _ =
                writeln!(text, "  n{} -> n{} [color=\"{colour}\", label=\"{label}\"]", edge.from, edge.to);
        }
        text + "}\n"
    }

    /// Whether the node alone is an accepting set.
    fn is_accepted(&self, node: usize) -> bool {
        match &self.diagram.acceptance {
            system::fts::diagram::Acceptance::Muller { exactly, containing } => {
                exactly.iter().chain(containing).any(|set| set[..] == [node])
            }
            system::fts::diagram::Acceptance::Streett(_) => false,
        }
    }

    /// As scalable vector graphics.
    pub fn svg(&self) -> String {
        let d = self.diagram;
        let letters = (0..d.nodes.len()).map(|n| self.said(n).chars().count()).max().unwrap_or(8);
        let frames = d.compounds.iter().map(|c| c.depth + 1).max().unwrap_or(0);
        let far = d.edges.iter().map(|e| e.from.abs_diff(e.to)).max().unwrap_or(1);
        let side = 60 + 16 * far.min(12) + 24 * frames;
        let (width, left) = (letters * LETTER + 24, side);
        let told = self.told();
        let top = 64;
        let height = top + d.nodes.len() * STEP + 40 + 18 * told.len();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{height}\" viewBox=\"0 0 {w} {height}\" \
             font-family=\"monospace\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            w = left * 2 + width
        );
        let _ = writeln!(
            text,
            "<text x=\"16\" y=\"24\" font-weight=\"bold\" fill=\"{}\">{} ({}), {}</text>",
            self.whole().colour(),
            marked_up(&d.name),
            d.kind.name(),
            self.whole().name()
        );
        let y = |n: usize| top + n * STEP;
        for compound in &d.compounds {
            let (Some(first), Some(last)) = (compound.nodes.first(), compound.nodes.last()) else { continue };
            let inset = 12 * (frames - compound.depth);
            let (x, above) = (left.saturating_sub(inset), y(*first).saturating_sub(10 + inset));
            let tall = y(*last) + HEIGHT + 10 - above;
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{above}\" width=\"{}\" height=\"{tall}\" rx=\"10\" fill=\"none\" stroke=\"#8c959f\" \
                 stroke-dasharray=\"5 3\"/>\n<text x=\"{}\" y=\"{}\" fill=\"#57606a\">{}</text>",
                width + 2 * inset,
                x + 8,
                above + 13,
                marked_up(&compound.text)
            );
        }
        for edge in &d.edges {
            self.arc(&mut text, edge, (left, width), y);
        }
        for (n, node) in d.nodes.iter().enumerate() {
            let (colour, at) = (self.node(n).colour(), y(n));
            let thick = if node.terminal || self.is_accepted(n) { 4 } else { 2 };
            let start = d.kind == Kind::Generalized && d.initial.contains(&n);
            if start {
                let _ = writeln!(
                    text,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"#555555\"/>",
                    left - 9,
                    at + HEIGHT / 2
                );
            }
            let _ = writeln!(
                text,
                "<rect x=\"{left}\" y=\"{at}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"white\" stroke=\"{colour}\" \
                 stroke-width=\"{thick}\"/>\n<text x=\"{}\" y=\"{}\">{}</text>",
                left + 12,
                at + 25,
                marked_up(&self.said(n))
            );
        }
        for (n, line) in told.iter().enumerate() {
            let at = top + d.nodes.len() * STEP + 18 * (n + 1);
            let red = Mark::Failed.colour();
            let _ = writeln!(text, "<text x=\"16\" y=\"{at}\" fill=\"{red}\">{}</text>", marked_up(line));
        }
        text + "</svg>\n"
    }

    /// An edge as an arc, with an arrowhead where it ends.
    fn arc(&self, text: &mut String, edge: &Edge, (left, width): (usize, usize), y: impl Fn(usize) -> usize) {
        let down = edge.to >= edge.from;
        let x = if down { left + width } else { left };
        let (begin, end) = (y(edge.from) + HEIGHT / 2 + 4, y(edge.to) + HEIGHT / 2 - 4);
        let bow = 24 + 16 * edge.from.abs_diff(edge.to).min(12);
        let bend = if down { x + bow } else { x.saturating_sub(bow) };
        let (begin, end) =
            if edge.from == edge.to { (y(edge.to) + 30, y(edge.to) + 10) } else { (begin, end) };
        let colour = self.edge(edge).colour();
        let tip = if down { x + 8 } else { x.saturating_sub(8) };
        let label = marked_up(&self.labels(edge));
        let _ = writeln!(
            text,
            "<path d=\"M {x} {begin} C {bend} {begin} {bend} {end} {x} {end}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"1.5\"/>\n<path d=\"M {x} {end} L {tip} {} L {tip} {} Z\" fill=\"{colour}\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{label}</text>",
            end.saturating_sub(4),
            end + 4,
            if down { x + bow * 3 / 4 } else { x.saturating_sub(bow * 3 / 4 + LETTER * label.len()) },
            usize::midpoint(begin, end) + 4
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn marked_up(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
