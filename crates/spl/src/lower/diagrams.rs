//! Verification diagrams: text to nodes and edges, without compound nodes.
//!
//! A compound node adds its assertion to all nodes inside, and an edge to or from it is one to or
//! from each of them (STeP tutorial, section 6.2). A diagram is a proof of its property, under the
//! rule `diagram`.

use super::Lowering;
use super::scope::Entry;
use super::types::{Ty, Typed};
use crate::ast::{self, DiagramItem, DiagramItemKind, ExprKind, Ident};
use logic::fol::{Symbol, Term};
use source::{Diagnostic, NameKind, Span};
use std::collections::BTreeMap;
use system::fts::diagram::{Acceptance, Compound, Diagram, Edge, Kind, Node, Rank};
use system::fts::{Helpful, Proof, ProofStep};

/// A diagram being read, and what each name stands for.
struct Drawn {
    diagram: Diagram,
    names: BTreeMap<ast::Name, Vec<usize>>,
    /// Where they stand.
    places: BTreeMap<ast::Name, Span>,
}

impl Lowering<'_> {
    /// A diagram, once for each of its properties.
    pub(super) fn diagram(&mut self, text: &ast::Diagram) {
        if self.fts.diagrams.iter().any(|d| *d.name == *text.name.name) {
            let message = format!("diagram `{}` is given twice", text.name.name);
            self.report(Diagnostic::error("E0713", text.name.span, message));
        }
        self.names.define_whole(&text.name, NameKind::Diagram, text.span);
        match &text.proves[..] {
            [] => self.diagram_for(text, &text.name),
            all => all.iter().for_each(|of| self.diagram_for(text, of)),
        }
    }

    fn diagram_for(&mut self, text: &ast::Diagram, of: &Ident) {
        let Some(property) = self.fts.properties.iter().find(|p| *p.name == *of.name) else {
            let message = format!("no property `{}`", of.name);
            let help = "say which property the diagram proves: `DIAGRAM name : kind proves property { … }`";
            self.report(Diagnostic::error("E0741", of.span, message).help(help));
            return;
        };
        let rigid: Vec<Symbol> = property.rigid.clone();
        self.mentioned_property(of);
        text.using.iter().flatten().for_each(|name| self.mentioned_property(name));
        let Some(kind) = Kind::ALL.into_iter().find(|k| *k.name() == *text.kind.name) else {
            let known: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
            let message = format!("no kind of diagram `{}`", text.kind.name);
            let help = format!("kinds are {}", known.join(", "));
            self.report(Diagnostic::error("E0751", text.kind.span, message).help(help));
            return;
        };
        self.scopes.enter();
        for symbol in &rigid {
            let name = symbol.name.split('@').next().unwrap_or_default().into();
            let value = Typed::term(Ty::of(&symbol.sort), symbol.term());
            self.scopes.add(&name, Entry::Value(value));
        }
        let diagram = Diagram {
            name: text.name.name.to_string(),
            property: of.name.to_string(),
            kind,
            nodes: Vec::new(),
            edges: Vec::new(),
            initial: Vec::new(),
            acceptance: Acceptance::default(),
            compounds: Vec::new(),
            span: text.span,
        };
        let mut drawn = Drawn { diagram, names: BTreeMap::new(), places: BTreeMap::new() };
        // Values of assertions that are not defined are any values, as in other proofs.
        self.checked(|me| {
            me.nodes(&text.items, &[], &mut drawn);
            me.lines(&text.items, &mut drawn);
        });
        self.scopes.leave();
        self.fits_kind(&drawn.diagram, text);
        let step = ProofStep {
            formula: Term::truth(true),
            by: Vec::new(),
            rank: Vec::new(),
            text: text.name.name.to_string(),
        };
        self.fts.proofs.push(Proof {
            property: of.name.to_string(),
            rule: "diagram".to_string(),
            steps: vec![step],
            using: text.using.as_ref().map(|names| names.iter().map(|i| i.name.to_string()).collect()),
            span: text.span,
        });
        self.fts.diagrams.push(drawn.diagram);
    }

    /// Nodes and compound nodes; `around` are the assertions of those around.
    fn nodes(&mut self, items: &[DiagramItem], around: &[Term], drawn: &mut Drawn) {
        for item in items {
            match &item.kind {
                DiagramItemKind::Node(node) => {
                    let own = self.assertion(&node.assertion);
                    let assertion = Term::all(around.iter().cloned().chain([own]));
                    let rank = node.rank.iter().map(|e| self.rank_of(e)).collect();
                    let label = node.label.as_ref().map(|e| self.assertion(e));
                    let text = self.text_of(node.assertion.span);
                    let (name, span) = (node.name.name.to_string(), node.name.span);
                    let number = drawn.diagram.nodes.len();
                    self.name_nodes(&node.name, vec![number], drawn);
                    drawn.diagram.nodes.push(Node {
                        name,
                        assertion,
                        text,
                        terminal: false,
                        rank,
                        label,
                        span,
                    });
                }
                DiagramItemKind::Compound(name, assertion, inner) => {
                    let first = drawn.diagram.nodes.len();
                    let mut all = around.to_vec();
                    all.extend(assertion.as_ref().map(|e| self.assertion(e)));
                    self.nodes(inner, &all, drawn);
                    let nodes: Vec<usize> = (first..drawn.diagram.nodes.len()).collect();
                    self.name_nodes(name, nodes.clone(), drawn);
                    let text = assertion.as_ref().map(|e| self.text_of(e.span)).unwrap_or_default();
                    let depth = around.len();
                    drawn.diagram.compounds.push(Compound {
                        name: name.name.to_string(),
                        text,
                        nodes,
                        depth,
                    });
                }
                _ => {}
            }
        }
    }

    fn name_nodes(&mut self, name: &Ident, nodes: Vec<usize>, drawn: &mut Drawn) {
        self.names.define(name, NameKind::Diagram);
        drawn.places.insert(name.name.clone(), name.span);
        if drawn.names.insert(name.name.clone(), nodes).is_some() {
            let message = format!("node `{}` is given twice", name.name);
            self.report(Diagnostic::error("E0713", name.span, message));
        }
    }

    fn rank_of(&mut self, e: &ast::Expr) -> Rank {
        let rank = match &e.kind {
            ExprKind::Quantified(..) => Rank::Set(self.assertion(e)),
            _ => Rank::Number(self.any_number(e)),
        };
        if !rank.is_well_founded() {
            let message = "a rank is a whole number, or a set of numbers within bounds";
            let help = "such as `rank n, 3` or `rank {i:[1..N] | l2[i]}`: both go down finitely often";
            self.report(Diagnostic::error("E0753", e.span, message).help(help));
        }
        rank
    }

    /// Edges, and all that names nodes.
    fn lines(&mut self, items: &[DiagramItem], drawn: &mut Drawn) {
        for item in items {
            match &item.kind {
                DiagramItemKind::Compound(_, _, inner) => self.lines(inner, drawn),
                DiagramItemKind::Edge(from, to, by) => {
                    let helpful = |me: &mut Self, (name, parameters): &(Ident, Vec<ast::Expr>)| {
                        me.transition_name(name);
                        let parameters = parameters.iter().map(|e| me.any_number(e)).collect();
                        Helpful { name: name.name.to_string(), parameters }
                    };
                    let by: Vec<Helpful> = by.iter().map(|one| helpful(self, one)).collect();
                    let (from_nodes, to_nodes) = (self.found(from, drawn), self.found(to, drawn));
                    let span = from.first().map_or(drawn.diagram.span, |i| i.span);
                    for from in &from_nodes {
                        for to in &to_nodes {
                            edge(&mut drawn.diagram, Edge { from: *from, to: *to, by: by.clone(), span });
                        }
                    }
                }
                DiagramItemKind::Initial(names) => {
                    let nodes = self.found(names, drawn);
                    drawn.diagram.initial.extend(nodes);
                }
                DiagramItemKind::Terminal(names) => {
                    for node in self.found(names, drawn) {
                        drawn.diagram.nodes[node].terminal = true;
                    }
                }
                DiagramItemKind::Accept(sets, more) => self.accepted(sets, *more, drawn),
                DiagramItemKind::Streett(stays, again) => {
                    let pair = (self.arrows(stays, drawn), self.arrows(again, drawn));
                    match &mut drawn.diagram.acceptance {
                        Acceptance::Streett(pairs) => pairs.push(pair),
                        Acceptance::Muller { exactly, containing } => {
                            if !(exactly.is_empty() && containing.is_empty()) {
                                self.mixed(drawn);
                            }
                            drawn.diagram.acceptance = Acceptance::Streett(vec![pair]);
                        }
                    }
                }
                DiagramItemKind::Node(_) => {}
            }
        }
    }

    fn accepted(&mut self, sets: &[Vec<Ident>], more: bool, drawn: &mut Drawn) {
        let mut found: Vec<Vec<usize>> = sets.iter().map(|names| self.found(names, drawn)).collect();
        for set in &mut found {
            set.sort_unstable();
            set.dedup();
        }
        match &mut drawn.diagram.acceptance {
            Acceptance::Muller { exactly, .. } if !more => exactly.extend(found),
            Acceptance::Muller { containing, .. } => containing.extend(found),
            Acceptance::Streett(_) => self.mixed(drawn),
        }
    }

    fn mixed(&mut self, drawn: &Drawn) {
        let message = "`accept` beside `streett`: a diagram has one kind of acceptance";
        self.report(Diagnostic::error("E0754", drawn.diagram.span, message));
    }

    fn found(&mut self, names: &[Ident], drawn: &Drawn) -> Vec<usize> {
        let mut nodes = Vec::new();
        for name in names {
            match drawn.names.get(&name.name) {
                Some(found) => {
                    nodes.extend(found);
                    self.mentioned_as(name, drawn.places.get(&name.name).copied());
                }
                None => {
                    let message = format!("no node `{}` in this diagram", name.name);
                    self.report(Diagnostic::error("E0752", name.span, message));
                }
            }
        }
        nodes
    }

    fn arrows(&mut self, arrows: &[(Ident, Ident)], drawn: &Drawn) -> Vec<usize> {
        let mut all = Vec::new();
        for (from, to) in arrows {
            let (sources, targets) =
                (self.found(std::slice::from_ref(from), drawn), self.found(std::slice::from_ref(to), drawn));
            let between = |e: &Edge| sources.contains(&e.from) && targets.contains(&e.to);
            let edges = drawn.diagram.edges.iter().enumerate();
            let found: Vec<usize> = edges.filter(|(_, e)| between(e)).map(|(at, _)| at).collect();
            if found.is_empty() {
                let message = format!("no edge `{} -> {}` is given before this", from.name, to.name);
                self.report(Diagnostic::error("E0752", from.span, message));
            }
            all.extend(found);
        }
        all
    }

    fn transition_name(&mut self, name: &Ident) {
        self.mentioned_label(&name.name, name.span);
        if !self.fts.transitions.iter().any(|t| *t.name == *name.name) && &*name.name != "Idle" {
            let message = format!("no transition `{}`", name.name);
            let help = "a transition has the label of its statement as its name";
            self.report(Diagnostic::error("E0752", name.span, message).help(help));
        }
    }

    /// What each kind of diagram is made of.
    fn fits_kind(&mut self, diagram: &Diagram, text: &ast::Diagram) {
        let wrong = |me: &mut Self, message: String| {
            me.report(Diagnostic::error("E0754", text.name.span, message));
        };
        if diagram.nodes.is_empty() {
            wrong(self, format!("diagram `{}` has no nodes", diagram.name));
        }
        let plain = diagram.initial.is_empty() && diagram.acceptance == Acceptance::default();
        if diagram.kind != Kind::Generalized && !plain {
            let kind = diagram.kind.name();
            wrong(
                self,
                format!(
                    "`initial`, `accept` and `streett` belong to generalized diagrams, not to {kind} ones"
                ),
            );
        }
        if let Some(node) = diagram.nodes.iter().find(|n| n.terminal)
            && matches!(diagram.kind, Kind::Invariance | Kind::Generalized)
        {
            wrong(
                self,
                format!("node `{}` is terminal, but a run may go on: give it an edge to itself", node.name),
            );
        }
        if !diagram.kind.has_helpful()
            && let Some(by) = diagram.edges.iter().flat_map(|e| &e.by).find(|h| !h.parameters.is_empty())
        {
            wrong(
                self,
                format!("the label `{}` of an edge is a whole family here: leave out its index", by.name),
            );
        }
    }
}

/// Adds an edge; labels of edges between the same nodes are joined.
fn edge(diagram: &mut Diagram, new: Edge) {
    let helps = diagram.kind.has_helpful();
    let old = diagram.edges.iter_mut().find(|e| e.from == new.from && e.to == new.to);
    match old {
        None => diagram.edges.push(new),
        // Any transition may take it already, or does so now.
        Some(old) if !helps && (old.by.is_empty() || new.by.is_empty()) => old.by.clear(),
        Some(old) => {
            for by in new.by {
                if !old.by.contains(&by) {
                    old.by.push(by);
                }
            }
        }
    }
}
