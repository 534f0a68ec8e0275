//! Initial structures: nodes, and what holds of them.

use super::Lower;
use crate::ast::{Fact, Ident};
use source::{Diagnostic, NameKind, Span};
use std::collections::{BTreeSet, HashMap};
use structures::evaluate::define;
use structures::kleene::Kleene;
use structures::model::Initial;
use structures::structure::Structure;
use structures::syntax::Meaning;
use structures::vocabulary::Symbol;

/// The nodes of a structure by their names.
type Nodes = HashMap<String, (usize, Span)>;

impl Lower<'_> {
    pub(super) fn initial(&mut self, meaning: &Meaning, name: Option<&Ident>, span: Span, facts: &[Fact]) {
        let layout = self.model.vocabulary.layout();
        let mut structure = Structure::new(layout);
        let nodes = self.nodes(meaning, facts, &mut structure);
        let mut given: BTreeSet<(Symbol, [usize; 2])> = BTreeSet::new();
        for (symbol, tuple, value) in self.values(meaning, facts, &nodes) {
            structure.set(layout, symbol, tuple, value);
            given.insert((symbol, tuple));
        }
        for (predicate, definition) in self.model.vocabulary.derived() {
            let open = |tuple: [usize; 2]| !given.contains(&(predicate.symbol, tuple));
            define(&mut structure, layout, (predicate.symbol, definition), open);
        }
        let name = name.map_or_else(|| "initial".to_string(), |n| meaning.word(n));
        self.model.initial.push(Initial { name, span, structure });
    }

    fn nodes(&mut self, meaning: &Meaning, facts: &[Fact], s: &mut Structure) -> Nodes {
        let layout = self.model.vocabulary.layout();
        let mut nodes = Nodes::new();
        for fact in facts {
            let Fact::Node { name, summary, .. } = fact else { continue };
            meaning.define(name, NameKind::Constant);
            let Some(node) = s.push_node(layout) else {
                self.diagnostics.push(Diagnostic::error("E0915", name.span, "more than 64 nodes"));
                break;
            };
            if nodes.insert(name.text.clone(), (node, name.span)).is_some() {
                let message = format!("two nodes `{}`", name.text);
                self.diagnostics.push(Diagnostic::error("E0907", name.span, message));
            }
            if *summary {
                s.set_summary(layout, node);
            }
        }
        nodes
    }

    /// The values that are written down.
    fn values(
        &mut self,
        meaning: &Meaning,
        facts: &[Fact],
        nodes: &Nodes,
    ) -> Vec<(Symbol, [usize; 2], Kleene)> {
        let mut values = Vec::new();
        for fact in facts {
            match fact {
                Fact::Node { name, holds, .. } => {
                    let Some((node, _)) = nodes.get(&name.text) else { continue };
                    let mut lowering = self.names(meaning);
                    let one = |(p, value): &_| Some((lowering.symbol(p, 1)?, [*node, 0], *value));
                    values.extend(holds.iter().filter_map(one));
                }
                Fact::Value { name, arguments, value } => {
                    let mut symbol = self.names(meaning).symbol(name, arguments.len());
                    let mut tuple = [0; 2];
                    for (slot, argument) in tuple.iter_mut().zip(arguments) {
                        match nodes.get(&argument.text) {
                            Some((node, place)) => {
                                meaning.mean(argument, *place);
                                *slot = *node;
                            }
                            None => {
                                symbol = None;
                                let message = format!("no node `{}`", argument.text);
                                let known = nodes.keys().map(|name| &**name);
                                let error = Diagnostic::error("E0916", argument.span, message);
                                self.diagnostics.push(error.meant(&argument.text, known));
                            }
                        }
                    }
                    values.extend(symbol.map(|symbol| (symbol, tuple, *value)));
                }
            }
        }
        values
    }
}
