//! Reaffirmed invariants: Θ, or one step of some transition from any state.
//!
//! Every reachable state is initial or has just been reached by a transition, so Θ ∨ ∨τ ∃x₀.
//! ρτ(x₀, x) holds in it. The state before is eliminated by solving for it: a variable that is not
//! assigned kept its value; `x := x + e` gives x₀ = x - e; conjuncts that still speak of it are
//! dropped, which weakens the formula.

use logic::fol::{Op, Symbol, Term};
use system::fts::{Branch, Fts};

pub fn candidates(fts: &Fts) -> Vec<Term> {
    // With parameters the step would be hidden under an existential quantifier: of little use.
    if fts.transitions.is_empty() || fts.transitions.iter().any(|t| !t.parameters.is_empty()) {
        return Vec::new();
    }
    let branches = fts.transitions.iter().flat_map(|t| &t.branches).map(post);
    let all = Term::any(std::iter::once(fts.initial.clone()).chain(branches));
    if all == Term::truth(true) { Vec::new() } else { vec![all] }
}

/// What holds after a branch was taken, whatever was before.
fn post(branch: &Branch) -> Term {
    let assigned = |s: &Symbol| branch.updates.iter().any(|(v, _)| v == s);
    let before: Vec<(Symbol, Term)> =
        branch.updates.iter().filter_map(|(s, value)| Some((s.clone(), invert(s, value)?))).collect();
    // A term of the state before, over the state after; none if it cannot be known.
    let solved = |e: &Term| -> Option<Term> {
        let known = |s: &Symbol| before.iter().find(|(v, _)| v == s).map(|(_, e)| e.clone());
        let lost = e
            .symbols()
            .into_values()
            .any(|s| branch.chosen.contains(&s) || (assigned(&s) && known(&s).is_none()));
        (!lost).then(|| e.substitute(&known))
    };
    let guard = branch.guard.conjuncts().into_iter().filter_map(|c| solved(&c));
    let values = branch.updates.iter().filter_map(|(s, value)| {
        let inverted = before.iter().any(|(v, _)| v == s);
        if inverted { None } else { Some(equation(s, solved(value)?)) }
    });
    Term::all(guard.chain(values).collect::<Vec<_>>())
}

fn equation(s: &Symbol, value: Term) -> Term {
    Term::eq(s.term(), value)
}

/// The value of `x` before `x := x + e` and its kin, over the values after; `e` must not change in
/// the step.
fn invert(s: &Symbol, value: &Term) -> Option<Term> {
    let [a, b] = value.arguments() else { return None };
    let free = |e: &Term| matches!(e.op(), Op::Int(_));
    match value.op() {
        Op::Add if *a == s.term() && free(b) => Some(s.term().minus(b)),
        Op::Add if *b == s.term() && free(a) => Some(s.term().minus(a)),
        Op::Subtract if *a == s.term() && free(b) => Some(s.term().plus(b)),
        _ => None,
    }
}
