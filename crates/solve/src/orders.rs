//! Orders as axioms over a predicate: instantiation decides them, since the axioms mention nothing but the terms compared.

use logic::fol::{Sort, Symbol, Term};

/// `below(x, y)` is a partial order on the sort: reflexive, antisymmetric, transitive.
pub fn partial_order(below: &Symbol, sort: &Sort) -> Vec<Term> {
    let [x, y, z] = variables(sort);
    let le = |a: &Symbol, b: &Symbol| below.apply([a.term(), b.term()]);
    let antisymmetric = Term::and([le(&x, &y), le(&y, &x)]).implies(&x.term().equals(&y.term()));
    vec![
        Term::forall(vec![x.clone()], &le(&x, &x)),
        Term::forall(vec![x.clone(), y.clone()], &antisymmetric),
        transitive(below, [x, y, z]),
    ]
}

/// `before(x, y)` is a strict partial order: irreflexive and transitive. This much of well-foundedness is first-order.
pub fn strict_order(before: &Symbol, sort: &Sort) -> Vec<Term> {
    let [x, y, z] = variables(sort);
    let irreflexive = before.apply([x.term(), x.term()]).negated();
    vec![Term::forall(vec![x.clone()], &irreflexive), transitive(before, [x, y, z])]
}

fn variables(sort: &Sort) -> [Symbol; 3] {
    ["x", "y", "z"].map(|name| Symbol::constant(name, sort.clone()))
}

fn transitive(relation: &Symbol, [x, y, z]: [Symbol; 3]) -> Term {
    let holds = |a: &Symbol, b: &Symbol| relation.apply([a.term(), b.term()]);
    let chain = Term::and([holds(&x, &y), holds(&y, &z)]).implies(&holds(&x, &z));
    Term::forall(vec![x, y, z], &chain)
}
