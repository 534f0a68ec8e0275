//! Auxiliary variables: what has been, kept in the state (Manna and Pnueli's transformation of past
//! formulas).
//!
//! A past formula becomes a boolean variable that is true exactly where the formula is; a nested
//! wait-for formula becomes a stage that says how far the oldest promise has come. Auxiliary
//! variables read the program and never steer it, so the program's runs are those of the extended
//! system with the new variables forgotten: what is proved of one is proved of the other, and rules
//! for assertions do for the past.

use logic::fol::{Op, Sort, Symbol, Term};
use logic::ltl::{Binary, Formula, Unary};
use system::fts::evidence::STAGE;
use system::fts::{Domain, Fts, Mode, Past, Remembered, Variable};

/// What a formula says, with auxiliary variables in the place of its past subformulas.
///
/// None if a past operator stands over a future one.
pub fn without_past(fts: &mut Fts, formula: &Formula<Term>) -> Option<Formula<Term>> {
    if !has_past(formula) {
        return Some(formula.clone());
    }
    Some(match formula {
        Formula::Constant(_) | Formula::Atom(_) => formula.clone(),
        Formula::Unary(op, a) => {
            let a = without_past(fts, a)?;
            match op {
                Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically => {
                    Formula::Atom(remember(fts, *op, crate::shape::assertion(&a)?))
                }
                _ => Formula::unary(*op, a),
            }
        }
        Formula::Binary(op, a, b) => {
            let (a, b) = (without_past(fts, a)?, without_past(fts, b)?);
            match op {
                Binary::Since | Binary::BackTo | Binary::Trigger => {
                    let (p, q) = (crate::shape::assertion(&a)?, crate::shape::assertion(&b)?);
                    Formula::Atom(since(fts, *op, p, q))
                }
                _ => Formula::binary(*op, a, b),
            }
        }
    })
}

/// Whether a formula speaks of the past.
pub fn has_past(formula: &Formula<Term>) -> bool {
    logic::ltl::semantics::past_depth(formula) > 0
}

fn remember(fts: &mut Fts, op: Unary, p: Term) -> Term {
    let past = Past::Unary(op, p.clone());
    let text = |sign: &str| format!("{sign}({p})!");
    match op {
        // The only one that idling changes: the state before is then this one.
        Unary::Previous | Unary::WeakPrevious => {
            let (sign, first) = if op == Unary::Previous { ("(-)", false) } else { ("(~)", true) };
            idle_explicitly(fts);
            let before = p.clone();
            boolean(fts, (text(sign), past), Term::truth(first), &|_, _| before.clone())
        }
        Unary::Once => {
            boolean(fts, (text("<->"), past), p.clone(), &|h, after| Term::any([after(&p), h.clone()]))
        }
        _ => boolean(fts, (text("[-]"), past), p.clone(), &|h, after| Term::all([after(&p), h.clone()])),
    }
}

fn since(fts: &mut Fts, op: Binary, p: Term, q: Term) -> Term {
    let past = Past::Binary(op, p.clone(), q.clone());
    let text = |sign: &str| format!("({p}) {sign} ({q})!");
    match op {
        Binary::Since => boolean(fts, (text("Since"), past), q.clone(), &|h, after| {
            Term::any([after(&q), Term::all([after(&p), h.clone()])])
        }),
        Binary::BackTo => {
            let first = Term::any([p.clone(), q.clone()]);
            boolean(fts, (text("Backto"), past), first, &|h, after| {
                Term::any([after(&q), Term::all([after(&p), h.clone()])])
            })
        }
        _ => boolean(fts, (text("Trigger"), past), q.clone(), &|h, after| {
            Term::all([after(&q), Term::any([after(&p), h.clone()])])
        }),
    }
}

/// What a variable becomes: from its old value, and from assertions about the state after the step.
type Next<'a> = dyn Fn(&Term, &dyn Fn(&Term) -> Term) -> Term + 'a;

/// A boolean variable with its first value and how it goes on.
fn boolean(fts: &mut Fts, (name, past): (String, Past), first: Term, next: &Next<'_>) -> Term {
    let symbol = Symbol::constant(name, Sort::Bool);
    if fts.variable(&symbol.name).is_none() {
        fts.remembered.push(Remembered { symbol: symbol.clone(), past });
        add(fts, &symbol, None, Term::eq(symbol.term(), first), next);
    }
    symbol.term()
}

fn add(fts: &mut Fts, symbol: &Symbol, range: Option<Domain>, initially: Term, next: &Next<'_>) {
    for branch in fts.transitions.iter_mut().flat_map(|t| &mut t.branches) {
        let value = next(&symbol.term(), &|e: &Term| branch.after(e));
        branch.updates.push((symbol.clone(), value));
    }
    fts.initial = Term::all([fts.initial.clone(), initially]);
    let span = source::Span::default();
    fts.variables.push(Variable { symbol: symbol.clone(), mode: Mode::Local, range, span });
}

/// Idling as a transition that auxiliary variables can notice. What is remembered so far does not
/// change by it: of the past operators only "previous" counts states, and it comes before what it
/// stands in.
fn idle_explicitly(fts: &mut Fts) {
    let idle = Fts::idle();
    if fts.transitions.iter().all(|t| t.name != idle.name) {
        fts.transitions.push(idle);
    }
}

/// Stages of `p ==> q_m W … W q_0` as an assertion: the extended system, and that no promise is
/// broken.
///
/// The stage is 0 if nothing is promised, else the number of the interval that the oldest promise
/// is in. A promise moves to an earlier interval only when it must, for whatever an earlier one
/// allows a later one allows too; the oldest is the furthest, and `q_0` fulfils all at once. So one
/// number is enough. `m + 1` says that a promise was broken.
pub fn stages(fts: &Fts, p: &Term, q: &[Term]) -> (Fts, Term) {
    let m = q.len() - 1;
    let mut extended = fts.clone();
    let symbol = Symbol::constant(STAGE, Sort::Int);
    let number = |i: usize| Term::int(i as i64);
    let broken = number(m + 1);
    // Where a promise that was at `at` is after a state: the highest interval not above it that
    // allows the state.
    let moved = |at: Option<&Term>, reads: &dyn Fn(&Term) -> Term| {
        let intervals = (1..=m).map(|i| {
            let allowed = reads(&q[m - i]);
            let below = at.map_or(Term::truth(true), |stage| Term::le(number(i), stage.clone()));
            (Term::all([below, allowed]), number(i))
        });
        intervals.fold(broken.clone(), |otherwise, (when, i)| choose(when, i, otherwise))
    };
    let begun = |reads: &dyn Fn(&Term) -> Term| choose(reads(p), moved(None, reads), number(0));
    let now = |e: &Term| e.clone();
    let first = choose(q[m].clone(), number(0), begun(&now));
    let initially = Term::eq(symbol.term(), first);
    let range = Domain::Range { low: number(0), high: broken.clone() };
    add(&mut extended, &symbol, Some(range), initially, &|stage, after| {
        let waiting = choose(Term::eq(stage.clone(), number(0)), begun(after), moved(Some(stage), after));
        let going_on = choose(after(&q[m]), number(0), waiting);
        choose(Term::eq(stage.clone(), broken.clone()), broken.clone(), going_on)
    });
    (extended, Term::negation(Term::eq(symbol.term(), broken)))
}

fn choose(when: Term, then: Term, otherwise: Term) -> Term {
    match when.op() {
        Op::True => then,
        Op::False => otherwise,
        _ if then == otherwise => then,
        _ => Term::ite(&when, &then, &otherwise),
    }
}
