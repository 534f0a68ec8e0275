//! Ranks compared: the state before a step with the state after it.
//!
//! Numbers by `<`, finite sets by inclusion, tuples lexicographically. Each of these goes down
//! finitely often, if numbers are not negative.

use logic::fol::{Binder, Op, Quantifier, Term};
use system::fts::diagram::Rank;

/// The rank after is lower than the one before.
pub fn lower(after: &[Rank], before: &[Rank]) -> Term {
    let Some(((a, rest_a), (b, rest_b))) = after.split_first().zip(before.split_first()) else {
        return Term::truth(false);
    };
    Term::any([less(a, b), Term::all([same(a, b), lower(rest_a, rest_b)])])
}

/// The two are the same.
pub fn equal(after: &[Rank], before: &[Rank]) -> Term {
    Term::all(after.iter().zip(before).map(|(a, b)| same(a, b)))
}

/// Each number is at least 0; sets within bounds are finite.
pub fn bounded(rank: &[Rank]) -> Term {
    Term::all(rank.iter().filter_map(|r| match r {
        Rank::Number(e) => Some(Term::le(Term::int(0), e.clone())),
        Rank::Set(_) => None,
    }))
}

/// Whether ranks can be compared: of the same length, numbers with numbers, sets with sets of the
/// same bounds.
pub fn comparable(a: &[Rank], b: &[Rank]) -> bool {
    let fits = |(a, b): (&Rank, &Rank)| match (a, b) {
        (Rank::Number(_), Rank::Number(_)) => true,
        (Rank::Set(a), Rank::Set(b)) => {
            let sorts = |e: &Term| match e.op() {
                Op::Quantified(_, binders) => binders.iter().map(|b| b.symbol.sort.clone()).collect(),
                _ => Vec::new(),
            };
            sorts(a) == sorts(b)
        }
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(fits)
}

fn less(a: &Rank, b: &Rank) -> Term {
    match (a, b) {
        (Rank::Number(a), Rank::Number(b)) => Term::lt(a.clone(), b.clone()),
        (Rank::Set(a), Rank::Set(b)) => Term::all([
            for_each(a, b, &|x, y| Term::implication(x, y)),
            Term::negation(for_each(a, b, &|x, y| Term::implication(y, x))),
        ]),
        _ => Term::truth(false),
    }
}

fn same(a: &Rank, b: &Rank) -> Term {
    match (a, b) {
        (Rank::Number(a), Rank::Number(b)) => Term::eq(a.clone(), b.clone()),
        (Rank::Set(a), Rank::Set(b)) => for_each(a, b, &|x, y| Term::eq(x, y)),
        _ => Term::truth(false),
    }
}

/// Something about membership in both sets, for every number: within the bounds of the set or not.
fn for_each(a: &Term, b: &Term, relate: &dyn Fn(Term, Term) -> Term) -> Term {
    let (Some((binders, a)), Some((others, b))) = (member(a), member(b)) else { return Term::truth(false) };
    let named = |s: &logic::fol::Symbol| {
        let at = others.iter().position(|o| o.symbol == *s)?;
        Some(binders[at].symbol.term())
    };
    let b = b.substitute(&named);
    let free = binders.iter().map(|b| Binder::free(b.symbol.clone())).collect();
    Term::every(free, relate(a, b))
}

/// What membership in a set says, with the bounds.
fn member(set: &Term) -> Option<(Vec<Binder>, Term)> {
    let (Op::Quantified(Quantifier::Exists, binders), [body]) = (set.op(), set.arguments()) else {
        return None;
    };
    let bounds = Term::all(binders.iter().map(Binder::bounds));
    Some((binders.clone(), Term::all([bounds, body.clone()])))
}
