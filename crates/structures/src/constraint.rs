//! Constraints `body |> head`: in every concrete state, whenever the body holds, so does the head.
//!
//! Three sources. *Attributes* of predicates and constraints *declared* in the file are integrity
//! constraints; each is an obligation on every action (see `obligation`). Those of *derived*
//! predicates follow from their definitions. After Sagiv, Reps and Wilhelm: from p = φ come `φ |>
//! p` and `!φ |> !p`, and if φ or its negation is an existential conjunction, its *closure*: one
//! literal must be false if p is and the others are true.
//!
//! The head is a literal over the variables of the constraint. In an abstract structure an
//! assignment stands for all individuals of its nodes, each variable on its own; so a literal that
//! names a variable twice would speak of pairs that the constraint does not speak of. Such a head
//! gets a second variable that the body equates with the first.

use crate::formula::{Formula, Var, and, atom, closure, differ, equal, exists, not};
use crate::vocabulary::{Attribute, Predicate, Symbol, Vocabulary};
use source::Span;
use std::collections::BTreeSet;

/// A constraint on states: wherever the body holds, the head does.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Its variables are those below this number.
    pub variables: Var,
    /// When it applies.
    pub body: Formula,
    /// A literal, an equality or inequality, or false.
    pub head: Formula,
    /// Why it is assumed.
    pub origin: Origin,
}

/// Where a constraint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An attribute of a predicate.
    Attribute(Symbol, Attribute),
    /// A constraint of the file.
    Declared(Span),
    /// Follows from a definition.
    Derived(Symbol),
}

/// What one of its attributes requires of a predicate.
pub fn of_attribute(p: Symbol, attribute: Attribute) -> Vec<Constraint> {
    let r = |a: Var, b: Var| atom(p, &[a, b]);
    let (x, y, z) = (0, 1, 2);
    let rules: Vec<(Var, Formula, Formula)> = match attribute {
        Attribute::Unique => vec![
            (2, and([atom(p, &[x]), atom(p, &[y])]), equal(x, y)),
            (1, exists(1, and([atom(p, &[1]), differ(1, x)])), not(atom(p, &[x]))),
        ],
        Attribute::Function => vec![
            (2, exists(z, and([r(z, x), r(z, y)])), equal(x, y)),
            (2, exists(z, and([r(x, z), differ(z, y)])), not(r(x, y))),
        ],
        Attribute::InvFunction => vec![
            (2, exists(z, and([r(x, z), r(y, z)])), equal(x, y)),
            (2, exists(z, and([r(z, y), differ(z, x)])), not(r(x, y))),
        ],
        Attribute::Symmetric => vec![(2, r(x, y), r(y, x)), (2, not(r(x, y)), not(r(y, x)))],
        Attribute::Antisymmetric => {
            vec![(2, and([r(x, y), r(y, x)]), equal(x, y)), (2, and([r(x, y), differ(x, y)]), not(r(y, x)))]
        }
        Attribute::Reflexive => vec![(2, equal(x, y), r(x, y)), (2, not(r(x, y)), differ(x, y))],
        Attribute::Antireflexive => vec![(2, equal(x, y), not(r(x, y))), (2, r(x, y), differ(x, y))],
        Attribute::Transitive => vec![
            (2, exists(z, and([r(x, z), r(z, y)])), r(x, y)),
            (2, exists(z, and([r(z, x), not(r(z, y))])), not(r(x, y))),
            (2, exists(z, and([not(r(x, z)), r(y, z)])), not(r(x, y))),
        ],
        Attribute::Acyclic => {
            vec![(2, closure(y, x, 2, 3, r(2, 3)), not(r(x, y))), (2, equal(x, y), not(r(x, y)))]
        }
    };
    let origin = Origin::Attribute(p, attribute);
    rules.into_iter().map(|(variables, body, head)| Constraint { variables, body, head, origin }).collect()
}

/// What follows from the definition of a predicate.
pub(crate) fn of_definition(predicate: &Predicate, definition: &Formula) -> Vec<Constraint> {
    let arity = predicate.symbol.arity() as Var;
    let p = atom(predicate.symbol, &(0..arity).collect::<Vec<_>>());
    let origin = Origin::Derived(predicate.symbol);
    let plain = |body: Formula, head: Formula| Constraint { variables: arity, body, head, origin };
    let mut rules =
        vec![plain(definition.clone(), p.clone()), plain(not(definition.clone()), not(p.clone()))];
    for (positive, p) in [(true, p.clone()), (false, not(p))] {
        let Some(literals) = existential_conjunction(definition, positive) else { continue };
        for at in 0..literals.len() {
            let others = literals.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, l)| l.clone());
            let body = and(others.chain([not(p.clone())]));
            rules.extend(rule(body, not(literals[at].clone()), origin));
        }
    }
    rules
}

/// The literals L1 … Ln of φ = E … (L1 & … & Ln), or of !φ if not `positive`.
fn existential_conjunction(f: &Formula, positive: bool) -> Option<Vec<Formula>> {
    match (f, positive) {
        (Formula::Exists(_, bound), true) | (Formula::Forall(_, bound), false) => {
            existential_conjunction(&bound.body, positive)
        }
        (Formula::Not(inner), _) => existential_conjunction(inner, !positive),
        _ => literals(f, positive),
    }
}

/// The literals of a conjunction, or of a negated disjunction.
fn literals(f: &Formula, positive: bool) -> Option<Vec<Formula>> {
    match (f, positive) {
        (Formula::Atom(..) | Formula::Equal(..), true) => Some(vec![f.clone()]),
        (Formula::Atom(..) | Formula::Equal(..), false) => Some(vec![not(f.clone())]),
        (Formula::Not(inner), _) => literals(inner, !positive),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            let all = parts.iter().map(|part| literals(part, positive)).collect::<Option<Vec<_>>>();
            all.map(|parts| parts.concat())
        }
        _ => None,
    }
}

/// A constraint from a body and a head over any variables: those of the head come first, the others
/// are quantified. `None` if the head is nothing that can be enforced.
pub fn rule(body: Formula, head: Formula, origin: Origin) -> Option<Constraint> {
    let (positive, inner) = head.signed();
    let arguments = match inner {
        Formula::Atom(symbol, a) => a[..symbol.arity()].to_vec(),
        Formula::Equal(a, b) => vec![*a, *b],
        Formula::Constant(_) => Vec::new(),
        _ => return None,
    };
    // Each place of the head has its own variable; places that name the same one are equated in the
    // body.
    let mut order: Vec<Var> = Vec::new();
    let mut equations: Vec<(Var, Var)> = Vec::new();
    for argument in &arguments {
        let place = order.len() as Var;
        if let Some(first) = order.iter().position(|v| v == argument) {
            equations.push((first as Var, place));
        }
        order.push(*argument);
    }
    let free = body.free();
    let mut rest: Vec<Var> = (0..64).filter(|v| free >> v & 1 == 1 && !order.contains(v)).collect();
    let base = order.len() as Var;
    let to = |v: Var| match order.iter().position(|o| *o == v) {
        Some(place) => place as Var,
        None => base + rest.iter().position(|r| *r == v).unwrap_or(0) as Var,
    };
    let next = base + rest.len() as Var;
    let renamed = body.rename(&to, next);
    let mut body = and(std::iter::once(renamed).chain(equations.iter().map(|(a, b)| equal(*a, *b))));
    while rest.pop().is_some() {
        body = exists(base + rest.len() as Var, body);
    }
    let sign = |f: Formula| if positive { f } else { not(f) };
    let places: Vec<Var> = (0..base).collect();
    let head = match inner {
        Formula::Atom(symbol, _) => sign(atom(*symbol, &places)),
        Formula::Equal(..) => sign(equal(places[0], places[1])),
        other => sign(other.clone()),
    };
    Some(Constraint { variables: base, body, head, origin })
}

/// All constraints of a vocabulary that are not written down.
pub fn generated(vocabulary: &Vocabulary) -> Vec<Constraint> {
    let mut all = Vec::new();
    for predicate in &vocabulary.predicates {
        for attribute in &predicate.attributes {
            all.extend(of_attribute(predicate.symbol, *attribute));
        }
        if let Some(definition) = &predicate.definition {
            all.extend(of_definition(predicate, definition));
        }
    }
    all
}

impl Constraint {
    /// The predicates whose change may make it fire.
    pub fn reads(&self) -> BTreeSet<Symbol> {
        let mut reads = BTreeSet::new();
        self.body.symbols(&mut reads);
        self.head.symbols(&mut reads);
        reads
    }

    /// As a closed formula.
    pub fn formula(&self) -> Formula {
        let matrix = crate::formula::implies(self.body.clone(), self.head.clone());
        (0..self.variables).rev().fold(matrix, |f, v| crate::formula::forall(v, f))
    }

    /// `body |> head`, with the names of predicates.
    pub fn text(&self, vocabulary: &Vocabulary) -> String {
        format!("{} |> {}", self.body.text(vocabulary), self.head.text(vocabulary))
    }
}
