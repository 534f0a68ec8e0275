//! Fair refinement: each computation of a program is one of another, seen through a relation (STeP
//! tutorial, section 7). The relation gives each variable of the abstract program a value in the
//! concrete one.
//!
//! Initially: Θ implies the abstract Θ. Each step of a transition is one of the abstract transition
//! of the same name, or idling if there is none. Where an abstract transition that is fair is
//! enabled, the concrete one is, too, and it is at least as fair. So a concrete run that is fair is
//! seen as an abstract one that is fair, and what holds of the abstract program holds here.

use super::{Basis, is_kept};
use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use crate::rules::NotApplicable;
use logic::fol::{Op, Sort, Symbol, Term};
use logic::ltl::{Binary, Formula, Unary};
use system::fts::{Branch, Fairness, Fts, Transition, Watched};

/// The conditions of a refinement.
pub fn refinement(
    judge: &Judge<'_>,
    of: &Fts,
    (relation, watched): (&Basis, &[Watched]),
    background: &[Lemma],
) -> Result<Vec<Condition>, NotApplicable> {
    let fts = judge.fts;
    let flag = |s: &Symbol| watched.iter().any(|w| w.down == *s || w.up == *s);
    let stands = |s: &Symbol| flag(s) || relation.iter().any(|(other, _)| other.name == s.name);
    if let Some(v) = of.variables.iter().find(|v| !stands(&v.symbol)) {
        return Err(NotApplicable(format!("it is not said what `{}` stands for", v.symbol.name)));
    }
    let families = fts.transitions.iter().chain(&of.transitions).find(|t| !t.parameters.is_empty());
    if let Some(t) = families {
        return Err(NotApplicable(format!("`{}` is a family of transitions", t.name)));
    }
    let seen = |e: &Term| seen(e, relation);
    let first = of.initial.substitute(&|s| flag(s).then(|| Term::truth(false)));
    let begins = Condition::implication("Theta", fts.initial.clone(), seen(&first), background);
    let mut all = vec![begins];
    let idle = (!watched.is_empty()).then(Fts::idle);
    for t in fts.transitions.iter().chain(&idle) {
        all.push(step(t, of, (relation, watched), background));
    }
    for t in of.transitions.iter().filter(|t| t.fairness != Fairness::None) {
        let found = fts.transitions.iter().find(|c| c.name == t.name);
        let concrete =
            found.ok_or_else(|| NotApplicable(format!("`{}` is fair, but not in the program", t.name)))?;
        if concrete.fairness < t.fairness {
            return Err(NotApplicable(format!("`{}` is fairer than in the program", t.name)));
        }
        let name = format!("fair {}", t.name);
        all.push(Condition::implication(name, seen(&t.enabled()), concrete.enabled(), background));
    }
    Ok(all)
}

/// An abstract assertion, seen through the relation.
fn seen(e: &Term, relation: &Basis) -> Term {
    e.substitute(&|s| relation.iter().find(|(b, _)| b.name == s.name).map(|(_, e)| e.clone()))
}

/// Each way to take a transition is one of the abstract transition.
fn step(
    t: &Transition,
    of: &Fts,
    (relation, watched): (&Basis, &[Watched]),
    background: &[Lemma],
) -> Condition {
    let found = of.transitions.iter().find(|a| a.name == t.name).cloned();
    let ways = found.unwrap_or_else(Fts::idle).branches;
    let both = |b: &Branch| {
        let way = |a: &Branch| {
            let same = of.variables.iter().map(|v| {
                let new = a.updates.iter().find(|(s, _)| s.name == v.symbol.name);
                let new = new.map_or_else(|| v.symbol.term(), |(_, e)| e.clone());
                let flag = |w: &Watched| {
                    let (down, up) = w.moved(&b.after(&w.rank));
                    let up = (v.symbol == w.up).then_some(up);
                    (v.symbol == w.down).then_some(down).or(up)
                };
                let now = watched.iter().find_map(flag);
                let now = now.unwrap_or_else(|| b.after(&seen(&v.symbol.term(), relation)));
                Term::eq(now, seen(&new, relation))
            });
            Term::all([seen(&a.guard, relation)].into_iter().chain(same))
        };
        Term::any(ways.iter().filter(|a| a.chosen.is_empty()).map(way).collect::<Vec<_>>())
    };
    let ranks = watched.iter().map(|w| &w.rank);
    let mentions: Vec<&Term> = relation.iter().map(|(_, e)| e).chain(ranks).collect();
    Condition::step(&Term::truth(true), t, &mentions, both, background)
}

/// A formula under the premise that each number that is watched goes up again and again if it goes
/// down again and again.
pub fn assuming(formula: Formula<Term>, watched: &[Watched]) -> Formula<Term> {
    let again = |s: &Symbol| {
        Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, Formula::Atom(s.term())))
    };
    let premise = |w: &Watched| Formula::binary(Binary::Implies, again(&w.down), again(&w.up));
    watched.iter().rev().fold(formula, |f, w| Formula::binary(Binary::Implies, premise(w), f))
}

/// A formula about the program as one about its abstraction: with the same truth value in every
/// state.
pub fn translated(
    judge: &Judge<'_>,
    formula: &Formula<Term>,
    basis: &Basis,
    background: &[Lemma],
) -> Result<Formula<Term>, NotApplicable> {
    let mut wrong: Option<NotApplicable> = None;
    let made = formula.clone().map(&mut |e: Term| match told(judge, &e, basis, background) {
        Ok(told) => told,
        Err(why) => {
            wrong.get_or_insert(why);
            Term::truth(true)
        }
    });
    wrong.map_or(Ok(made), Err)
}

fn told(judge: &Judge<'_>, e: &Term, basis: &Basis, background: &[Lemma]) -> Result<Term, NotApplicable> {
    if e.symbols().keys().all(|name| is_kept(judge.fts, name)) {
        return Ok(e.clone());
    }
    let of_truths = e.arguments().iter().all(|part| *part.sort() == Sort::Bool);
    let joins = matches!(e.op(), Op::And | Op::Or | Op::Not | Op::Implies | Op::Equal | Op::Ite);
    if joins && of_truths && !e.arguments().is_empty() {
        let parts = e.arguments().iter().map(|a| told(judge, a, basis, background));
        return Ok(Term::tidied(e.op().clone(), parts.collect::<Result<_, _>>()?));
    }
    let same = |with: Term| {
        let goal = Term::eq(e.clone(), with);
        judge.is_valid(&Condition::implication("", Term::truth(true), goal, background))
    };
    if let Some(value) = [true, false].into_iter().find(|value| same(Term::truth(*value))) {
        return Ok(Term::truth(value));
    }
    for (symbol, stands_for) in basis {
        if same(stands_for.clone()) {
            return Ok(symbol.term());
        }
        if same(Term::negation(stands_for.clone())) {
            return Ok(Term::negation(symbol.term()));
        }
    }
    let pairs = basis.iter().flat_map(|a| basis.iter().map(move |b| (a, b)));
    for (a, b) in pairs {
        for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
            let literal = |(s, e): &(Symbol, Term), sign: bool| match sign {
                true => (s.term(), e.clone()),
                false => (Term::negation(s.term()), Term::negation(e.clone())),
            };
            let ((a, ea), (b, eb)) = (literal(a, x), literal(b, y));
            if same(Term::all([ea.clone(), eb.clone()])) {
                return Ok(Term::all([a, b]));
            }
            if same(Term::any([ea, eb])) {
                return Ok(Term::any([a, b]));
            }
        }
    }
    Err(NotApplicable(format!("the basis does not say whether `{e}`: add it")))
}
