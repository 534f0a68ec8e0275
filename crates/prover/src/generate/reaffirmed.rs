//! Reaffirmed invariants: Θ, or one step of some transition from any state.
//!
//! Every reachable state is initial or has just been reached by a transition, so Θ ∨ ∨τ ∃x₀. ρτ(x₀, x) holds in it. The state before is
//! eliminated by solving for it: a variable that is not assigned kept its value; `x := x + e` gives x₀ = x - e; conjuncts that
//! still speak of it are dropped, which weakens the formula.

use system::fts::{Branch, Expr, Fts, Op, Symbol};

pub fn candidates(fts: &Fts) -> Vec<Expr> {
    // With parameters the step would be hidden under an existential quantifier: of little use.
    if fts.transitions.is_empty() || fts.transitions.iter().any(|t| !t.parameters.is_empty()) {
        return Vec::new();
    }
    let branches = fts.transitions.iter().flat_map(|t| &t.branches).map(post);
    let all = Expr::or(std::iter::once(fts.initial.clone()).chain(branches));
    if all == Expr::TRUE { Vec::new() } else { vec![all] }
}

/// What holds after a branch was taken, whatever was before.
fn post(branch: &Branch) -> Expr {
    let assigned = |s: &Symbol| branch.updates.iter().any(|(v, _)| v == s);
    let before: Vec<(Symbol, Expr)> =
        branch.updates.iter().filter_map(|(s, value)| Some((s.clone(), invert(s, value)?))).collect();
    // A term of the state before, over the state after; none if it cannot be known.
    let solved = |e: &Expr| -> Option<Expr> {
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
    Expr::and(guard.chain(values).collect::<Vec<_>>())
}

fn equation(s: &Symbol, value: Expr) -> Expr {
    if s.sort == system::fts::Sort::Bool { Expr::iff(s.expr(), value) } else { Expr::eq(s.expr(), value) }
}

/// The value of `x` before `x := x + e` and its kin, over the values after; `e` must not change in the step.
fn invert(s: &Symbol, value: &Expr) -> Option<Expr> {
    let Expr::Apply(op, parts) = value else { return None };
    let [a, b] = &parts[..] else { return None };
    let free = |e: &Expr| matches!(e, Expr::Int(_));
    match op {
        Op::Add if *a == s.expr() && free(b) => Some(Expr::difference(s.expr(), b.clone())),
        Op::Add if *b == s.expr() && free(a) => Some(Expr::difference(s.expr(), a.clone())),
        Op::Subtract if *a == s.expr() && free(b) => Some(Expr::sum(s.expr(), b.clone())),
        _ => None,
    }
}
