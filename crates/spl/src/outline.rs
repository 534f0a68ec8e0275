//! Diagrams as they are written: where each part stands in the text.
//!
//! For an editor, which changes the text and nothing but the text. What the parts mean is for
//! `lower` to say; an outline is there also where names are wrong.

use crate::ast::{self, DiagramItem, DiagramItemKind, DiagramNode, Expr, Ident};
use source::{Diagnostic, FileId, SourceMap, Span};

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A diagram as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its name.
    pub name: Named,
    /// Its kind, which may be none that there is.
    pub kind: Named,
    /// The properties it is for.
    pub proves: Vec<Named>,
    /// Its parts in the order of the text.
    pub parts: Vec<Part>,
    /// From brace to brace.
    pub body: Span,
    /// The whole.
    pub span: Span,
}

/// A part of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one.
    pub kind: PartKind,
    /// From its first word to its last.
    pub span: Span,
}

/// Which part it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A node.
    Node {
        /// Its name.
        name: Named,
        /// What holds there.
        assertion: Span,
        /// How far it is still to go, without the word `rank`.
        rank: Option<Span>,
        /// What it says about the property, without the word `label`.
        label: Option<Span>,
    },
    /// A compound node; its span ends with its closing brace.
    Compound {
        /// Its name.
        name: Named,
        /// What it adds to the nodes inside.
        assertion: Option<Span>,
        /// What stands inside.
        parts: Vec<Part>,
    },
    /// Edges.
    Edge {
        /// Where they begin.
        from: Vec<Named>,
        /// Where they lead.
        to: Vec<Named>,
        /// The transitions, without the word `by`.
        by: Option<Span>,
    },
    /// A line that names nodes: `initial`, `terminal`, `accept`, `streett`.
    Names {
        /// Its first word.
        word: &'static str,
        /// The nodes, list by list.
        lists: Vec<Vec<Named>>,
    },
}

/// The diagrams of a text, and what is wrong with the text so far.
pub fn outline(map: &SourceMap, root: FileId) -> (Vec<Outline>, Vec<Diagnostic>) {
    let (file, diagnostics) = crate::parse(map, root);
    (file.diagrams.iter().map(diagram).collect(), diagnostics)
}

fn diagram(d: &ast::Diagram) -> Outline {
    Outline {
        name: named(&d.name),
        kind: named(&d.kind),
        proves: all(&d.proves),
        parts: d.items.iter().map(part).collect(),
        body: d.body,
        span: d.span,
    }
}

fn named(ident: &Ident) -> Named {
    Named { name: ident.name.to_string(), span: ident.span }
}

fn all(idents: &[Ident]) -> Vec<Named> {
    idents.iter().map(named).collect()
}

/// From the first one to the last one.
fn across(mut spans: impl Iterator<Item = Span>) -> Option<Span> {
    let first = spans.next()?;
    Some(spans.last().map_or(first, |last| first.to(last)))
}

fn part(item: &DiagramItem) -> Part {
    let lists = |word, lists| PartKind::Names { word, lists };
    let kind = match &item.kind {
        DiagramItemKind::Node(node) => of_node(node),
        DiagramItemKind::Compound(name, assertion, inner) => PartKind::Compound {
            name: named(name),
            assertion: assertion.as_ref().map(|e| e.span),
            parts: inner.iter().map(part).collect(),
        },
        DiagramItemKind::Edge(from, to, by) => PartKind::Edge {
            from: all(from),
            to: all(to),
            by: by.first().map(|(first, _)| Span { end: item.span.end, ..first.span }),
        },
        DiagramItemKind::Initial(names) => lists("initial", vec![all(names)]),
        DiagramItemKind::Terminal(names) => lists("terminal", vec![all(names)]),
        DiagramItemKind::Accept(sets, _) => lists("accept", sets.iter().map(|set| all(set)).collect()),
        DiagramItemKind::Streett(stays, again) => {
            let ends = |(from, to): &(Ident, Ident)| vec![named(from), named(to)];
            lists("streett", stays.iter().chain(again).map(ends).collect())
        }
    };
    Part { kind, span: item.span }
}

fn of_node(node: &DiagramNode) -> PartKind {
    let span = |e: &Expr| e.span;
    PartKind::Node {
        name: named(&node.name),
        assertion: node.assertion.span,
        rank: across(node.rank.iter().map(span)),
        label: node.label.as_ref().map(span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "DIAGRAM d : chain proves p {
  // two that wait
  compound w : (l2) {
    node 2 : (m3) /\\ y2 < y1 rank n, 3 label p
  }
  node 1 : l3
  edge w, 2 -> 1 by l1, l2
  terminal 1
} using nothing
";

    #[test]
    fn each_part_has_its_place_in_the_text() {
        let mut map = SourceMap::new();
        let file = map.add("d.diagram", TEXT);
        let (found, diagnostics) = outline(&map, file);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let [diagram] = &found[..] else { panic!("{found:?}") };
        let text = |span: Span| map.snippet(span).to_string();
        assert!(
            text(diagram.body).starts_with("{\n  // two") && text(diagram.body).ends_with("terminal 1\n}")
        );
        let PartKind::Compound { assertion, parts, .. } = &diagram.parts[0].kind else { panic!() };
        assert_eq!(assertion.map(text).unwrap(), "(l2)");
        assert!(text(diagram.parts[0].span).ends_with("label p\n  }"));
        let PartKind::Node { assertion, rank, label, .. } = &parts[0].kind else { panic!() };
        assert_eq!(text(*assertion), "(m3) /\\ y2 < y1");
        assert_eq!((rank.map(text).unwrap(), label.map(text).unwrap()), ("n, 3".into(), "p".into()));
        let PartKind::Edge { from, by, .. } = &diagram.parts[2].kind else { panic!() };
        assert_eq!((from.len(), by.map(text).unwrap()), (2, "l1, l2".into()));
        assert_eq!(text(diagram.parts[3].span), "terminal 1");
    }

    #[test]
    fn an_outline_needs_no_sense() {
        let mut map = SourceMap::new();
        let file = map.add("d", "DIAGRAM d : nonsense proves nothing_known { edge a -> b }");
        let (found, diagnostics) = outline(&map, file);
        assert_eq!((found.len(), found[0].kind.name.as_str(), diagnostics.len()), (1, "nonsense", 0));
    }
}
