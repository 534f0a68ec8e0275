//! Queues by their lengths and what stands at each place.
//!
//! A queue is known when its length is and every place within it. Appending, prepending and
//! removing the head say what that is at the places that matter in the values at hand; since these
//! are finite, so are the places.

use super::ground::Ground;
use super::rational::Rational;
use logic::fol::{Op, Sort, Term};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// What is known of one queue: its length, and the place where something was appended.
pub fn axioms(queue: &Term) -> Vec<Term> {
    let zero = Term::int(0);
    let length = queue.length();
    match (queue.op(), queue.arguments()) {
        (Op::Empty(_), _) => vec![length.equals(&zero)],
        (Op::Append, [before, element]) => vec![
            zero.at_most(&before.length()),
            length.equals(&before.length().plus(&Term::int(1))),
            Term::of(Op::Nth, [queue.clone(), before.length()]).equals(element),
        ],
        (Op::Prepend, [before, element]) => vec![
            zero.at_most(&before.length()),
            length.equals(&before.length().plus(&Term::int(1))),
            queue.head().equals(element),
        ],
        (Op::Tail, [before]) => vec![
            empty_if_short(queue),
            zero.less(&before.length()).implies(&length.equals(&before.length().minus(&Term::int(1)))),
            before.length().at_most(&zero).implies(&length.equals(&zero)),
        ],
        _ => vec![zero.at_most(&length), empty_if_short(queue)],
    }
}

fn empty_if_short(queue: &Term) -> Term {
    let Sort::Sequence(element) = queue.sort() else { return Term::truth(true) };
    let empty = Term::of(Op::Empty((**element).clone()), []);
    queue.length().equals(&Term::int(0)).implies(&queue.equals(&empty))
}

/// Queues that differ do so in length or at some place.
pub(crate) fn extensionality(a: &Term, b: &Term, place: &Term) -> Term {
    let lengths = a.length().differs(&b.length());
    if [a, b].iter().any(|q| matches!(q.op(), Op::Empty(_))) {
        return Term::or([a.equals(b), lengths]);
    }
    let at = |queue: &Term| Term::of(Op::Nth, [queue.clone(), place.clone()]);
    let within = Term::and([Term::int(0).at_most(place), place.less(&a.length()), at(a).differs(&at(b))]);
    Term::or([a.equals(b), lengths, within])
}

/// States what appending and removing mean at the places that are looked at; whether anything was
/// new.
pub(crate) fn saturate(ground: &mut Ground) -> bool {
    // By the class of the queue, one place for each value: places of equal value are compared
    // elsewhere.
    let mut places: BTreeMap<(usize, Option<Rational>), Term> = BTreeMap::new();
    let mut changes: Vec<usize> = Vec::new();
    for (node, term) in ground.terms.iter().enumerate() {
        match (term.op(), term.arguments()) {
            (Op::Nth, [queue, place]) => {
                let class = ground.closure.class(ground.nodes[queue]);
                places.entry((class, ground.number(place))).or_insert_with(|| place.clone());
            }
            (Op::Append | Op::Prepend | Op::Tail, _) => changes.push(node),
            _ => {}
        }
    }
    let mut lemmas = Vec::new();
    for change in changes {
        let term = ground.terms[change].clone();
        let before = term.arguments()[0].clone();
        let (after_class, before_class) =
            (ground.closure.class(change), ground.closure.class(ground.nodes[&before]));
        for ((class, _), place) in &places {
            if *class == after_class && ground.is_within(place, &term) {
                lemmas.push(moved(&term, &before, place));
            }
            if *class == before_class && ground.is_within(place, &before) {
                lemmas.push(moved(&term, &before, &shifted(place, by(&term))));
            }
        }
    }
    let stated: Vec<bool> = lemmas.into_iter().map(|lemma| ground.state(lemma)).collect();
    stated.contains(&true)
}

/// How much further back a change puts what was there before.
fn by(change: &Term) -> i64 {
    match change.op() {
        Op::Tail => -1,
        Op::Prepend => 1,
        _ => 0,
    }
}

/// What stands at a place of the changed queue stood before: at the same place, one further back or
/// one before.
fn moved(after: &Term, before: &Term, place: &Term) -> Term {
    let at = |queue: &Term, place: &Term| Term::of(Op::Nth, [queue.clone(), place.clone()]);
    let old = shifted(place, -by(after));
    let (first, limit) = match after.op() {
        Op::Tail => (0, after.length()),
        Op::Prepend => (1, after.length()),
        _ => (0, before.length()),
    };
    Term::and([Term::int(first).at_most(place), place.less(&limit)])
        .implies(&at(after, place).equals(&at(before, &old)))
}

/// The place so much further back, without sums in sums.
fn shifted(place: &Term, by: i64) -> Term {
    match (place.op(), place.arguments()) {
        _ if by == 0 => place.clone(),
        (Op::Int(n), _) => Term::int(n + by),
        (Op::Add, [base, offset]) => match offset.op() {
            Op::Int(n) if *n == BigInt::from(-by) => base.clone(),
            Op::Int(n) => base.plus(&Term::int(n + by)),
            _ => place.plus(&Term::int(by)),
        },
        _ => place.plus(&Term::int(by)),
    }
}

impl Ground {
    /// Whether a place lies within a queue, in the values at hand; true if they do not say.
    fn is_within(&self, place: &Term, queue: &Term) -> bool {
        match (self.number(place), self.number(&queue.length())) {
            (Some(place), Some(length)) => !place.is_negative() && place < length,
            _ => true,
        }
    }
}
