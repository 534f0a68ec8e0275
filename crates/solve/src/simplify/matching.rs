//! Matching the left side of a rule: one-sided unification, modulo associativity and commutativity
//! if wanted.
//!
//! An operator that is associative and commutative may be matched by any choice of its arguments in
//! any order; at the root some may be left over, and come back beside the right side. Variables
//! take single arguments.

use super::Rule;
use logic::fol::{Op, Symbol, Term};
use std::collections::HashMap;

pub(crate) type Match = HashMap<Symbol, Term>;

/// All ways the rule's left side fits the term, each with the arguments that are left over.
pub fn matches(rule: &Rule, term: &Term, modulo: bool) -> Vec<(Match, Vec<Term>)> {
    let search = Search { variables: &rule.variables, modulo };
    let (pattern, start) = (&rule.left, Match::new());
    if modulo && is_associative_commutative(pattern.op()) && pattern.op() == term.op() {
        let (wanted, given) = (flattened(pattern), flattened(term));
        return search.choose(&wanted, &given, start);
    }
    search.fit(pattern, term, start).into_iter().map(|found| (found, Vec::new())).collect()
}

fn is_associative_commutative(op: &Op) -> bool {
    matches!(
        op,
        Op::And
            | Op::Or
            | Op::Add
            | Op::Multiply
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::BitAdd
            | Op::BitMultiply
    )
}

fn flattened(term: &Term) -> Vec<Term> {
    let inner = |a: &Term| if a.op() == term.op() { flattened(a) } else { vec![a.clone()] };
    term.arguments().iter().flat_map(inner).collect()
}

struct Search<'a> {
    variables: &'a [Symbol],
    modulo: bool,
}

impl Search<'_> {
    fn fit(&self, pattern: &Term, term: &Term, so_far: Match) -> Vec<Match> {
        if let Some(variable) = pattern.as_symbol().filter(|s| self.variables.contains(s)) {
            return match so_far.get(variable) {
                Some(bound) if bound == term => vec![so_far],
                Some(_) => Vec::new(),
                None if variable.sort == *term.sort() => {
                    let mut more = so_far;
                    more.insert(variable.clone(), term.clone());
                    vec![more]
                }
                None => Vec::new(),
            };
        }
        if pattern.op() != term.op() {
            return Vec::new();
        }
        if self.modulo && is_associative_commutative(pattern.op()) {
            let found = self.choose(&flattened(pattern), &flattened(term), so_far);
            return found.into_iter().filter(|(_, rest)| rest.is_empty()).map(|(found, _)| found).collect();
        }
        if self.modulo && *pattern.op() == Op::Equal {
            let (straight, mut turned) = (pattern.arguments().to_vec(), pattern.arguments().to_vec());
            turned.reverse();
            let both = [straight, turned];
            return both.iter().flat_map(|p| self.all(p, term.arguments(), so_far.clone())).collect();
        }
        self.all(pattern.arguments(), term.arguments(), so_far)
    }

    fn all(&self, patterns: &[Term], terms: &[Term], so_far: Match) -> Vec<Match> {
        if patterns.len() != terms.len() {
            return Vec::new();
        }
        patterns.iter().zip(terms).fold(vec![so_far], |found, (pattern, term)| {
            found.into_iter().flat_map(|so_far| self.fit(pattern, term, so_far)).collect()
        })
    }

    /// Each pattern takes one of the terms; what none took is left.
    fn choose(&self, patterns: &[Term], terms: &[Term], so_far: Match) -> Vec<(Match, Vec<Term>)> {
        let Some((first, others)) = patterns.split_first() else { return vec![(so_far, terms.to_vec())] };
        let mut found = Vec::new();
        for at in 0..terms.len() {
            for fit in self.fit(first, &terms[at], so_far.clone()) {
                let mut rest = terms.to_vec();
                rest.remove(at);
                found.extend(self.choose(others, &rest, fit));
            }
        }
        found
    }
}
