//! Free symbols, and substitution that captures nothing.

use super::term::{Binder, Op, Quantifier, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The symbols of a term that no quantifier binds, functions included.
pub fn free_symbols(term: &Term) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    collect(term, &mut Vec::new(), &mut HashSet::new(), &mut found);
    found
}

/// `seen` holds shared terms already visited outside of any quantifier.
fn collect(term: &Term, bound: &mut Vec<Symbol>, seen: &mut HashSet<usize>, found: &mut BTreeSet<Symbol>) {
    if bound.is_empty() && term.is_shared() && !seen.insert(term.address()) {
        return;
    }
    match term.op() {
        Op::Apply(symbol) if !bound.iter().any(|b| b.name == symbol.name) => {
            found.insert(symbol.clone());
        }
        Op::Quantified(_, binders) => {
            let outer = bound.len();
            for binder in binders {
                for end in binder.range.iter().flat_map(|(low, high)| [low, high]) {
                    collect(end, bound, seen, found);
                }
                bound.push(binder.symbol.clone());
            }
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
        term.is_shared() && !seen.insert(term.address())
            || !matches!(term.op(), Op::Quantified(..)) && term.arguments().iter().all(|a| walk(a, seen))
    }
    walk(term, &mut HashSet::new())
}

/// The term with terms in the place of its free constants, all at once.
pub fn substitute(term: &Term, map: &HashMap<Symbol, Term>) -> Term {
    if map.is_empty() {
        return term.clone();
    }
    Substitution { replace: &|s| map.get(s).cloned(), make: Term::of, done: HashMap::new() }.apply(term)
}

/// The formula with its quantifiers free of bounds: what was a bound is a premise, or a further
/// conjunct.
pub fn guarded(term: &Term) -> Term {
    fn walk(term: &Term, done: &mut HashMap<usize, Term>) -> Term {
        if let Some(made) = done.get(&term.address()) {
            return made.clone();
        }
        let made = rebuild(term, |a| walk(a, done));
        let made = match made.op() {
            Op::Quantified(quantifier, binders) if binders.iter().any(|b| b.range.is_some()) => {
                let bounds = walk(&Term::all(binders.iter().map(Binder::bounds)), &mut HashMap::new());
                let body = made.arguments()[0].clone();
                let free = binders.iter().map(|b| Binder::free(b.symbol.clone())).collect();
                let body = match quantifier {
                    Quantifier::Forall => Term::implication(bounds, body),
                    Quantifier::Exists => Term::all([bounds, body]),
                };
                Term::quantified(*quantifier, free, &body)
            }
            _ => made,
        };
        done.insert(term.address(), made.clone());
        made
    }
    if is_ground(term) { term.clone() } else { walk(term, &mut HashMap::new()) }
}

impl Term {
    /// The free constants by name; functions are not among them.
    pub fn symbols(&self) -> BTreeMap<Arc<str>, Symbol> {
        let constants = free_symbols(self).into_iter().filter(|s| s.arguments.is_empty());
        constants.map(|s| (s.name.clone(), s)).collect()
    }

    /// Replaces free constants, and drops what is trivially so then.
    pub fn substitute(&self, replace: &dyn Fn(&Symbol) -> Option<Term>) -> Term {
        Substitution { replace, make: Term::tidied, done: HashMap::new() }.apply(self)
    }

    /// How many operators and symbols it has, written out.
    pub fn size(&self) -> usize {
        fn walk(term: &Term, done: &mut HashMap<usize, usize>) -> usize {
            if let Some(size) = done.get(&term.address()) {
                return *size;
            }
            let size = term.arguments().iter().fold(1usize, |sum, a| sum.saturating_add(walk(a, done)));
            if term.is_shared() {
                done.insert(term.address(), size);
            }
            size
        }
        walk(self, &mut HashMap::new())
    }

    /// The conjuncts of a conjunction; a single one otherwise.
    pub fn conjuncts(&self) -> Vec<Term> {
        match self.op() {
            Op::And => self.arguments().iter().flat_map(Term::conjuncts).collect(),
            Op::True => Vec::new(),
            _ => vec![self.clone()],
        }
    }
}

struct Substitution<'a> {
    replace: &'a dyn Fn(&Symbol) -> Option<Term>,
    make: fn(Op, Vec<Term>) -> Term,
    /// What was made of shared terms. The term is kept beside it, so that its address stays its
    /// own.
    done: HashMap<usize, (Term, Term)>,
}

impl Substitution<'_> {
    fn apply(&mut self, term: &Term) -> Term {
        let arguments = term.arguments();
        match term.op() {
            Op::Apply(symbol) if arguments.is_empty() => {
                return (self.replace)(symbol).unwrap_or_else(|| term.clone());
            }
            Op::Quantified(quantifier, binders) => return self.under(*quantifier, binders, &arguments[0]),
            _ if arguments.is_empty() => return term.clone(),
            _ => {}
        }
        let shared = term.is_shared();
        if shared && let Some((_, made)) = self.done.get(&term.address()) {
            return made.clone();
        }
        let new: Vec<Term> = arguments.iter().map(|a| self.apply(a)).collect();
        let same = new.iter().zip(arguments).all(|(new, old)| new.address() == old.address());
        let made = if same { term.clone() } else { (self.make)(term.op().clone(), new) };
        if shared {
            self.done.insert(term.address(), (term.clone(), made.clone()));
        }
        made
    }

    /// Under a quantifier: its variables are left alone, and renamed if what comes in mentions
    /// them.
    fn under(&self, quantifier: Quantifier, binders: &[Binder], body: &Term) -> Term {
        let bound = |name: &str| binders.iter().any(|b| &*b.symbol.name == name);
        let ends = binders.iter().filter_map(|b| b.range.as_ref()).flat_map(|(low, high)| [low, high]);
        let free: BTreeSet<Symbol> = ends.chain([body]).flat_map(free_symbols).collect();
        let replaced = free.iter().filter(|s| !bound(&s.name)).filter_map(self.replace);
        let brought: BTreeSet<Arc<str>> =
            replaced.flat_map(|e| free_symbols(&e)).map(|s| s.name.clone()).collect();
        let mut renamed: Vec<(Symbol, Symbol)> = Vec::new();
        for binder in binders.iter().filter(|b| brought.contains(&b.symbol.name)) {
            let mut name = format!("{}_", binder.symbol.name);
            let taken =
                |name: &str| brought.contains(name) || bound(name) || free.iter().any(|s| &*s.name == name);
            while taken(&name) {
                name.push('_');
            }
            renamed.push((binder.symbol.clone(), Symbol::constant(name, binder.symbol.sort.clone())));
        }
        let fresh =
            |s: &Symbol| renamed.iter().find(|(old, _)| old.name == s.name).map(|(_, new)| new.clone());
        let inside = |s: &Symbol| {
            if bound(&s.name) { fresh(s).map(|s| s.term()) } else { (self.replace)(s) }
        };
        let mut inner = Substitution { replace: &inside, make: self.make, done: HashMap::new() };
        let mut ends = |range: &Option<(Term, Term)>| {
            range.as_ref().map(|(low, high)| (inner.apply(low), inner.apply(high)))
        };
        let binders = binders.iter().map(|b| Binder {
            symbol: fresh(&b.symbol).unwrap_or_else(|| b.symbol.clone()),
            range: ends(&b.range),
        });
        let binders = binders.collect();
        (self.make)(Op::Quantified(quantifier, binders), vec![inner.apply(body)])
    }
}

/// The term with other arguments; itself if none changed.
pub fn rebuild(term: &Term, mut change: impl FnMut(&Term) -> Term) -> Term {
    let arguments: Vec<Term> = term.arguments().iter().map(&mut change).collect();
    let same = arguments.iter().zip(term.arguments()).all(|(new, old)| new.address() == old.address());
    if same { term.clone() } else { Term::of(term.op().clone(), arguments) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::Sort;

    fn int(name: &str) -> Symbol {
        Symbol::constant(name, Sort::Int)
    }

    #[test]
    fn substitution_captures_nothing() {
        let (x, y) = (int("x"), int("y"));
        let formula = Term::forall(vec![x.clone()], &x.term().less(&y.term()));
        let map = HashMap::from([(y.clone(), x.term().plus(&Term::int(1)))]);
        let made = substitute(&formula, &map);
        assert_eq!(made.to_string(), "Forall x_. x_ < x + 1");
        assert_eq!(free_symbols(&made), BTreeSet::from([x.clone()]));
        // A bound variable is left alone.
        assert_eq!(substitute(&formula, &HashMap::from([(x, Term::int(3))])), formula);
    }

    #[test]
    fn substitution_is_simultaneous() {
        let (x, y) = (int("x"), int("y"));
        let map = HashMap::from([(x.clone(), y.term()), (y.clone(), x.term())]);
        assert_eq!(substitute(&x.term().less(&y.term()), &map), y.term().less(&x.term()));
    }

    #[test]
    fn bounds_become_guards() {
        let (x, n) = (int("x"), int("n"));
        let binders = || vec![Binder { symbol: x.clone(), range: Some((Term::int(1), n.term())) }];
        let small = || Term::lt(x.term(), Term::int(9));
        let all = guarded(&Term::every(binders(), small()));
        assert_eq!(all.to_string(), "Forall x. 1 <= x /\\ x <= n --> x < 9");
        let some = guarded(&Term::some(binders(), small()));
        assert_eq!(some.to_string(), "Exists x. 1 <= x /\\ x <= n /\\ x < 9");
    }

    #[test]
    fn bounds_are_replaced_too() {
        let (x, n) = (int("x"), int("n"));
        let binder = Binder { symbol: x.clone(), range: Some((Term::int(1), n.term())) };
        let all = Term::every(vec![binder], Term::lt(x.term(), Term::int(9)));
        let made = all.substitute(&|s| (*s == n).then(|| x.term()));
        assert_eq!(made.to_string(), "Forall x_:[1..x]. x_ < 9");
    }
}
