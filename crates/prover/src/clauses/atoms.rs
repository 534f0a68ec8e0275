//! The words in which invariants over process indices are stated: atoms about one index i, about
//! two different ones, i and j, and about none.
//!
//! They come from the declarations (elements of arrays, locations, variables, constants), from the
//! guards, where a parameter stands for i, and from the property, where bound variables do.

use crate::generate::local;
use logic::fol::{Op, Sort, Symbol, Term};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use system::fts::{Domain, Fts, Mode, Parameter};

/// Atoms of each kind; more would take too long to evaluate.
const MOST: usize = 90;
/// Numbers that are compared with each other.
const NUMBERS: usize = 7;

/// What invariants may speak of.
pub(super) struct Words {
    /// The two indices.
    pub(super) indices: [Symbol; 2],
    /// Their bounds; none if there are no processes.
    pub(super) range: Option<(Term, Term)>,
    /// About no index, about i, about j, about both.
    pub(super) atoms: Vec<Term>,
}

impl Words {
    pub(super) fn of(fts: &Fts, property: &Term) -> Words {
        let (indices, range) = (indices(), range(fts));
        let mut words = Words { indices, range, atoms: Vec::new() };
        let i = words.indices[0].term();
        words.of_property(fts, property);
        words.of_guards(fts);
        let mut single = globals(fts);
        if words.range.is_some() {
            single.extend(elements(fts, &i));
        }
        for atom in single {
            words.add(atom);
        }
        words.sort(fts);
        words
    }

    fn add(&mut self, atom: Term) {
        let plain = match (atom.op(), atom.arguments()) {
            (Op::Not, [inner]) => inner.clone(),
            _ => atom,
        };
        if !matches!(plain.op(), Op::True | Op::False) && !self.atoms.contains(&plain) {
            self.atoms.push(plain);
        }
    }

    /// The atoms by what they are about; what is said of i is said of j as well.
    fn sort(&mut self, fts: &Fts) {
        let [i, j] = self.indices.clone();
        let about = |e: &Term| (e.symbols().contains_key(&i.name), e.symbols().contains_key(&j.name));
        let (mut none, mut one, mut both) = (Vec::new(), Vec::new(), Vec::new());
        if self.range.is_some() {
            self.compared(fts);
        }
        for atom in std::mem::take(&mut self.atoms) {
            match about(&atom) {
                (false, false) => none.push(atom),
                (true, true) => both.push(atom),
                (true, false) => one.push(atom),
                (false, true) => one.push(atom.substitute(&|s| (*s == j).then(|| i.term()))),
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        one.retain(|e| seen.insert(e.clone()));
        none.truncate(MOST);
        one.truncate(MOST);
        let other: Vec<Term> = one.iter().map(|e| e.substitute(&|s| (*s == i).then(|| j.term()))).collect();
        self.atoms = [none, one, other, both].concat();
    }

    /// How two elements of an array compare.
    fn compared(&mut self, fts: &Fts) {
        let [i, j] = [self.indices[0].term(), self.indices[1].term()];
        self.add(Term::lt(i.clone(), j.clone()));
        for (array, element) in arrays(fts) {
            if *element == Sort::Int && !is_control(fts, array) {
                let (a, b) = (array.term().select(&i), array.term().select(&j));
                self.add(Term::eq(a.clone(), b.clone()));
                self.add(Term::le(a.clone(), b.clone()));
                self.add(Term::lt(a, b));
            }
        }
    }

    /// The atoms of guards; the first parameter of a transition is i.
    fn of_guards(&mut self, fts: &Fts) {
        for transition in &fts.transitions {
            let first = transition.parameters.first().map(|p| p.symbol.clone());
            for branch in &transition.branches {
                let own: Vec<&Symbol> = branch.chosen.iter().chain(first.iter()).collect();
                let mut found = Vec::new();
                atoms(&branch.guard, &mut found);
                for atom in found {
                    let i = &self.indices[0];
                    let atom = atom.substitute(&|s| first.as_ref().filter(|p| *p == s).map(|_| i.term()));
                    if self.speaks(fts, &atom) && !own.iter().any(|s| atom.symbols().contains_key(&s.name)) {
                        self.add(atom);
                    }
                }
            }
        }
    }

    /// The atoms of the property: its first bound variable is i, its second j.
    fn of_property(&mut self, fts: &Fts, property: &Term) {
        let mut found = Vec::new();
        inside(property, &BTreeMap::new(), &self.indices, &mut found);
        for atom in found {
            if self.speaks(fts, &atom) {
                self.add(atom);
            }
        }
    }

    /// Whether an atom speaks of state, rigid values and indices alone.
    fn speaks(&self, fts: &Fts, atom: &Term) -> bool {
        let known = |name: &str| {
            fts.variable(name).is_some()
                || fts.rigid.iter().any(|r| &*r.name == name)
                || self.indices.iter().any(|s| &*s.name == name && self.range.is_some())
        };
        atom.symbols().keys().all(|name| known(name))
    }
}

/// Two process indices.
pub(super) fn indices() -> [Symbol; 2] {
    ["i!", "j!"].map(|name| Symbol::constant(name, Sort::Int))
}

/// The bounds of most process indices.
pub(super) fn range(fts: &Fts) -> Option<(Term, Term)> {
    let mut count: BTreeMap<(Term, Term), usize> = BTreeMap::new();
    let threads = fts.threads.iter().filter_map(|t| t.replicated.as_ref());
    let parameters = threads.chain(fts.transitions.iter().flat_map(|t| &t.parameters));
    for Parameter { low, high, .. } in parameters {
        *count.entry((low.clone(), high.clone())).or_default() += 2;
    }
    for variable in &fts.variables {
        if let Some(Domain::Array { low, high, .. }) = &variable.range {
            *count.entry((low.clone(), high.clone())).or_default() += 1;
        }
    }
    // An index of another process is no bound.
    let own = |e: &Term| {
        e.symbols()
            .keys()
            .all(|name| fts.variable(name).is_some() || fts.rigid.iter().any(|r| r.name == *name))
    };
    count.retain(|(low, high), _| own(low) && own(high));
    count.into_iter().max_by_key(|(_, n)| *n).map(|(range, _)| range)
}

fn arrays(fts: &Fts) -> impl Iterator<Item = (&Symbol, &Sort)> {
    fts.variables.iter().filter_map(|v| match &v.symbol.sort {
        Sort::Array(index, element) if **index == Sort::Int => Some((&v.symbol, &**element)),
        _ => None,
    })
}

fn is_control(fts: &Fts, symbol: &Symbol) -> bool {
    fts.threads.iter().any(|t| t.control == *symbol)
}

/// What elements of arrays are at an index.
fn elements(fts: &Fts, i: &Term) -> Vec<Term> {
    let constants = local::constants(fts);
    let mut found = Vec::new();
    for (array, sort) in arrays(fts) {
        let of = array.term().select(i);
        match fts.threads.iter().find(|t| t.control == *array) {
            Some(thread) => {
                let locations = (0..thread.locations.len()).map(|l| Term::int(l as i64));
                found.extend(locations.clone().map(|l| Term::eq(of.clone(), l)));
                found.extend(locations.skip(1).map(|l| Term::le(l, of.clone())));
            }
            None => found.extend(values(&of, sort, &constants)),
        }
    }
    let numbers = fts.variables.iter().filter(|v| v.symbol.sort == Sort::Int && v.mode != Mode::Control);
    for number in numbers.filter(|v| fts.changes(&v.symbol.name)).take(NUMBERS) {
        let number = number.symbol.term();
        found.extend([Term::eq(number.clone(), i.clone()), Term::lt(number.clone(), i.clone())]);
        found.push(Term::lt(i.clone(), number.clone()));
        let rows = arrays(fts).filter(|(a, sort)| **sort == Sort::Int && !is_control(fts, a));
        for (array, _) in rows {
            let of = array.term().select(i);
            found.extend([Term::eq(of.clone(), number.clone()), Term::lt(of, number.clone())]);
        }
    }
    found
}

/// What a value may be.
fn values(of: &Term, sort: &Sort, constants: &[BigInt]) -> Vec<Term> {
    match sort {
        Sort::Bool => vec![of.clone()],
        Sort::Data(data) if data.is_enumeration() => (0..data.constructors.len())
            .map(|at| Term::eq(of.clone(), Term::construct(sort, at, [])))
            .collect(),
        Sort::Int => {
            let constants = constants.iter().take(4).map(|c| Term::int(c.clone()));
            constants.flat_map(|c| [Term::eq(of.clone(), c.clone()), Term::le(of.clone(), c)]).collect()
        }
        _ => Vec::new(),
    }
}

/// What variables that are no arrays may be, and how numbers compare.
fn globals(fts: &Fts) -> Vec<Term> {
    let constants = local::constants(fts);
    let (mut found, mut numbers) = (Vec::new(), Vec::new());
    for variable in &fts.variables {
        let of = variable.symbol.term();
        match (&variable.symbol.sort, variable.mode) {
            (Sort::Int, Mode::Control) => {
                let thread = fts.threads.iter().find(|t| t.control == variable.symbol);
                let locations = thread.map_or(0, |t| t.locations.len());
                found.extend((0..locations).map(|l| Term::eq(of.clone(), Term::int(l as i64))));
            }
            (Sort::Int, _) => numbers.push(of),
            (Sort::Sequence(_), _) => numbers.push(of.length()),
            (sort, _) => found.extend(values(&of, sort, &constants)),
        }
    }
    let rigid = fts.rigid.iter().filter(|r| r.arguments.is_empty() && r.result == Sort::Int);
    numbers.extend(rigid.map(|r| Symbol::constant(r.name.clone(), Sort::Int).term()));
    numbers.truncate(NUMBERS);
    for (at, number) in numbers.iter().enumerate() {
        for other in &numbers[at + 1..] {
            found.push(Term::eq(number.clone(), other.clone()));
            found.push(Term::eq(number.clone(), other.plus(&Term::int(1))));
            found.push(Term::eq(other.clone(), number.plus(&Term::int(1))));
            found.push(Term::lt(number.clone(), other.clone()));
        }
    }
    numbers.iter().for_each(|number| found.extend(values(number, &Sort::Int, &constants)));
    found.extend(firsts(fts, &numbers));
    found
}

/// What the first elements of sequences of numbers are, where there is one.
fn firsts(fts: &Fts, numbers: &[Term]) -> Vec<Term> {
    let numeric = |s: &Sort| matches!(s, Sort::Sequence(element) if **element == Sort::Int);
    let mut found = Vec::new();
    for sequence in fts.variables.iter().filter(|v| numeric(&v.symbol.sort)) {
        let of = sequence.symbol.term();
        let some = Term::lt(Term::int(0), of.length());
        for number in numbers {
            let same = Term::eq(of.head(), number.clone());
            found.push(Term::all([some.clone(), same.clone()]));
            found.push(Term::all([some.clone(), Term::negation(same)]));
        }
    }
    found
}

/// The atoms of a formula; a quantified formula is one.
fn atoms(e: &Term, found: &mut Vec<Term>) {
    match (e.op(), e.arguments()) {
        (Op::And | Op::Or | Op::Not | Op::Implies, parts) => parts.iter().for_each(|part| atoms(part, found)),
        (Op::Equal, [a, b]) if *a.sort() == Sort::Bool => {
            [a, b].into_iter().for_each(|part| atoms(part, found))
        }
        (Op::Ite, [a, b, c]) if *b.sort() == Sort::Bool => {
            [a, b, c].into_iter().for_each(|part| atoms(part, found));
        }
        _ => found.push(e.clone()),
    }
}

/// The atoms inside of quantifiers, with the indices for bound variables.
fn inside(e: &Term, bound: &BTreeMap<Symbol, Term>, indices: &[Symbol; 2], found: &mut Vec<Term>) {
    match (e.op(), e.arguments()) {
        (Op::Quantified(_, binders), [body]) => {
            let mut bound = bound.clone();
            for binder in binders {
                let Some(index) = indices.get(bound.len()) else { return };
                bound.insert(binder.symbol.clone(), index.term());
            }
            inside(body, &bound, indices, found);
        }
        (Op::And | Op::Or | Op::Not | Op::Implies, parts) => {
            parts.iter().for_each(|part| inside(part, bound, indices, found));
        }
        _ => found.push(e.substitute(&|s| bound.get(s).cloned())),
    }
}
