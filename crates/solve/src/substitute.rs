//! Free symbols, and substitution that captures nothing.

use crate::term::{Op, Symbol, Term};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The symbols of a term that no quantifier binds, functions included.
pub fn free_symbols(term: &Term) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    collect(term, &mut Vec::new(), &mut HashSet::new(), &mut found);
    found
}

/// `seen` holds shared terms already visited outside of any quantifier.
fn collect(term: &Term, bound: &mut Vec<Symbol>, seen: &mut HashSet<usize>, found: &mut BTreeSet<Symbol>) {
    if bound.is_empty() && !seen.insert(term.address()) {
        return;
    }
    match term.op() {
        Op::Apply(symbol) if !bound.contains(symbol) => drop(found.insert(symbol.clone())),
        Op::Forall(variables) | Op::Exists(variables) => {
            let outer = bound.len();
            bound.extend(variables.iter().cloned());
            collect(&term.arguments()[0], bound, seen, found);
            bound.truncate(outer);
            return;
        }
        _ => {}
    }
    term.arguments().iter().for_each(|a| collect(a, bound, seen, found));
}

/// Whether the term has no quantifier.
pub fn is_ground(term: &Term) -> bool {
    fn walk(term: &Term, seen: &mut HashSet<usize>) -> bool {
        !seen.insert(term.address())
            || !matches!(term.op(), Op::Forall(_) | Op::Exists(_))
                && term.arguments().iter().all(|a| walk(a, seen))
    }
    walk(term, &mut HashSet::new())
}

/// The term with terms in the place of its free constants, all at once.
pub fn substitute(term: &Term, map: &HashMap<Symbol, Term>) -> Term {
    Substitution { map, incoming: None, done: HashMap::new() }.apply(term)
}

struct Substitution<'a> {
    map: &'a HashMap<Symbol, Term>,
    /// The free symbols of what is put in, computed at the first quantifier.
    incoming: Option<BTreeSet<Symbol>>,
    done: HashMap<usize, (Term, Term)>,
}

impl Substitution<'_> {
    fn apply(&mut self, term: &Term) -> Term {
        if self.map.is_empty() {
            return term.clone();
        }
        if let Some((_, made)) = self.done.get(&term.address()) {
            return made.clone();
        }
        let made = match term.op() {
            Op::Apply(symbol) if term.arguments().is_empty() => {
                self.map.get(symbol).cloned().unwrap_or_else(|| term.clone())
            }
            Op::Forall(variables) | Op::Exists(variables) => self.under(term, variables),
            _ => rebuild(term, |a| self.apply(a)),
        };
        // The term is kept beside what was made of it, so that its address stays its own.
        self.done.insert(term.address(), (term.clone(), made.clone()));
        made
    }

    /// Under a quantifier: its variables are left alone, and renamed if what comes in mentions them.
    fn under(&mut self, term: &Term, variables: &[Symbol]) -> Term {
        let map = self.map;
        let incoming = self.incoming.get_or_insert_with(|| map.values().flat_map(free_symbols).collect());
        let mut inner: HashMap<Symbol, Term> = map.clone();
        variables.iter().for_each(|v| drop(inner.remove(v)));
        let body = &term.arguments()[0];
        let mut renamed = Vec::new();
        for variable in variables {
            let mut fresh = variable.clone();
            if incoming.contains(variable) {
                let taken = free_symbols(body);
                let names = (1..).map(|n| format!("{}~{n}", variable.name()));
                let candidates = names.map(|name| Symbol::constant(name, variable.result().clone()));
                let free = |s: &Symbol| !incoming.contains(s) && !taken.contains(s) && !renamed.contains(s);
                fresh = candidates.into_iter().find(free).unwrap_or(fresh);
                inner.insert(variable.clone(), fresh.term());
            }
            renamed.push(fresh);
        }
        let body = substitute(body, &inner);
        let op = if matches!(term.op(), Op::Forall(_)) { Op::Forall(renamed) } else { Op::Exists(renamed) };
        Term::of(op, [body])
    }
}

/// The term with other arguments; itself if none changed.
pub(crate) fn rebuild(term: &Term, mut change: impl FnMut(&Term) -> Term) -> Term {
    let arguments: Vec<Term> = term.arguments().iter().map(&mut change).collect();
    let same = arguments.iter().zip(term.arguments()).all(|(new, old)| new.address() == old.address());
    if same { term.clone() } else { Term::of(term.op().clone(), arguments) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    fn int(name: &str) -> Symbol {
        Symbol::constant(name, Sort::Int)
    }

    #[test]
    fn substitution_captures_nothing() {
        let (x, y) = (int("x"), int("y"));
        let formula = Term::forall(vec![x.clone()], &x.term().less(&y.term()));
        let map = HashMap::from([(y.clone(), x.term().plus(&Term::int(1)))]);
        let made = substitute(&formula, &map);
        assert_eq!(made.to_string(), "(forall ((x~1 Int)) (< x~1 (+ x 1)))");
        assert_eq!(free_symbols(&made), BTreeSet::from([x.clone()]));
        // A bound variable is nobody's business.
        assert_eq!(substitute(&formula, &HashMap::from([(x, Term::int(3))])), formula);
    }

    #[test]
    fn substitution_is_simultaneous() {
        let (x, y) = (int("x"), int("y"));
        let map = HashMap::from([(x.clone(), y.term()), (y.clone(), x.term())]);
        assert_eq!(substitute(&x.term().less(&y.term()), &map), y.term().less(&x.term()));
    }
}
