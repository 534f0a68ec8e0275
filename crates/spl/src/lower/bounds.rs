//! Bounds never change: those of arrays, ranges and families of processes, and of the values that a
//! quantifier outside of temporal operators speaks of. They are evaluated in any state, so a
//! variable that a step assigns to is refused in them.

use super::Lowering;
use logic::fol::{Symbol, Term};
use source::{Diagnostic, Span};
use std::collections::HashSet;
use system::fts::{Domain, Fts};

impl Lowering<'_> {
    /// Of the system. Those of a property are looked at where it is read.
    pub(crate) fn bounds_are_constant(&mut self) {
        self.are_constant(bounds(&self.fts));
    }

    /// Reports bounds that change.
    pub(crate) fn are_constant(&mut self, bounds: Vec<(Span, Term)>) {
        let branches = self.fts.transitions.iter().flat_map(|t| &t.branches);
        let assigned: HashSet<&Symbol> =
            branches.flat_map(|b| b.updates.iter().map(|(symbol, _)| symbol)).collect();
        let changing = |bound: &Term| {
            bound.symbols().into_values().find(|symbol| assigned.contains(symbol)).map(|s| s.name.clone())
        };
        let mut found: Vec<(Span, _)> = Vec::new();
        for (span, bound) in bounds {
            found.extend(changing(&bound).map(|name| (span, name)));
        }
        found.dedup();
        for (span, name) in found {
            let message = format!("`{name}` may change, and is part of a bound");
            let help = "a bound is a constant or an input that no statement assigns to";
            self.report(Diagnostic::error("E0742", span, message).help(help));
        }
    }
}

/// All bounds of a system, and where they belong.
fn bounds(fts: &Fts) -> Vec<(Span, Term)> {
    let mut found = Vec::new();
    for variable in &fts.variables {
        let mut terms = Vec::new();
        variable.range.iter().for_each(|domain| of_domain(domain, &mut terms));
        found.extend(terms.into_iter().map(|term| (variable.span, term)));
    }
    for transition in &fts.transitions {
        let ends = transition.parameters.iter().flat_map(|p| [p.low.clone(), p.high.clone()]);
        found.extend(ends.map(|term| (transition.span, term)));
    }
    found
}

fn of_domain(domain: &Domain, found: &mut Vec<Term>) {
    match domain {
        Domain::Range { low, high } => found.extend([low.clone(), high.clone()]),
        Domain::Array { low, high, element } => {
            found.extend([low.clone(), high.clone()]);
            element.iter().for_each(|element| of_domain(element, found));
        }
        Domain::Sequence(element) => of_domain(element, found),
        Domain::Data(constructors) => {
            constructors.iter().flatten().flatten().for_each(|field| of_domain(field, found));
        }
    }
}
