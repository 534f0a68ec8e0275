//! The rules that need no search: each turns a property and hints into conditions (STeP tutorial, Figs. 3, 5 and 6; for responses,
//! Manna and Pnueli).
//!
//! G-INV is I1 φ → p, I2 Θ → φ, I3 {φ} τ {φ}. The tutorial prints {φ} τ {p} for I3, which would be unsound.

use crate::condition::{Condition, Lemma, triples};
use system::fts::{Expr, Fairness, Fts, Transition};

/// B-INV: Θ → p, {p} τ {p}.
pub fn b_inv(fts: &Fts, p: &Expr, background: &[Lemma]) -> Vec<Condition> {
    let first = Condition::implication("Theta", fts.initial.clone(), p.clone(), background);
    std::iter::once(first).chain(triples(fts, p, p, background)).collect()
}

/// G-INV with the inductive assertion φ.
pub fn g_inv(fts: &Fts, p: &Expr, phi: &Expr, background: &[Lemma]) -> Vec<Condition> {
    let implied = Condition::implication("I1", phi.clone(), p.clone(), background);
    let mut all = vec![implied];
    all.extend(b_inv(fts, phi, background));
    all
}

/// G-WAIT: N1 p → ∨φ, N2 φi → qi, N3 {φi} τ {φ0 ∨ … ∨ φi}. Both lists go from m down to 0.
pub fn g_wait(fts: &Fts, p: &Expr, q: &[Expr], phi: &[Expr], background: &[Lemma]) -> Vec<Condition> {
    let m = q.len() - 1;
    let at = |list: &[Expr], i: usize| list[m - i].clone();
    let mut all = vec![Condition::implication("N1", p.clone(), Expr::or(phi.iter().cloned()), background)];
    for i in 0..=m {
        all.push(Condition::implication(format!("N2 {i}"), at(phi, i), at(q, i), background));
    }
    for i in 1..=m {
        let target = Expr::or((0..=i).map(|j| at(phi, j)));
        for condition in triples(fts, &at(phi, i), &target, background) {
            let name = format!("N3 {i} {}", condition.name);
            all.push(condition.named(name));
        }
    }
    all
}

/// A step towards a goal: where it is taken, what helps, and how far it is still to go.
#[derive(Clone, Debug)]
pub struct Stage {
    pub phi: Expr,
    pub helpful: String,
    /// A tuple that goes down lexicographically, each part bounded by 0; empty for chains.
    pub rank: Vec<Expr>,
}

/// Why a rule cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplicable(pub String);

fn helpful<'a>(fts: &'a Fts, name: &str) -> Result<&'a Transition, NotApplicable> {
    let found = fts.transitions.iter().find(|t| t.name == name);
    let transition = found.ok_or_else(|| NotApplicable(format!("no transition `{name}`")))?;
    if transition.fairness == Fairness::Unfair {
        return Err(NotApplicable(format!("`{name}` is not fair: it may never be taken")));
    }
    if !transition.parameters.is_empty() {
        return Err(NotApplicable(format!("`{name}` is a family of transitions; a single one must help")));
    }
    Ok(transition)
}

/// RESP-J and CHAIN-J: p ==> <> q by stages φm … φ1, each with a just transition that is enabled and leads on.
///
/// J1 p → q ∨ ∨φ; J2 {φi} τ {q ∨ φ0..φi}; J3 {φi} τi {q ∨ φ0..φ(i-1)}; J4 φi → q ∨ enabled(τi). One stage is RESP-J. `from` is p, or
/// Θ for `<> q`.
pub fn chain(
    fts: &Fts,
    from: &Expr,
    q: &Expr,
    stages: &[Stage],
    background: &[Lemma],
) -> Result<Vec<Condition>, NotApplicable> {
    let phis = stages.iter().map(|s| s.phi.clone());
    let mut all = vec![Condition::implication(
        "J1",
        from.clone(),
        Expr::or(std::iter::once(q.clone()).chain(phis)),
        background,
    )];
    for (at, stage) in stages.iter().enumerate() {
        let i = stages.len() - at;
        let helping = helpful(fts, &stage.helpful)?;
        if helping.fairness == Fairness::Compassionate {
            return Err(NotApplicable(format!("`{}` is compassionate: use RESP-C", stage.helpful)));
        }
        let below = |first: usize| {
            Expr::or(std::iter::once(q.clone()).chain(stages[first..].iter().map(|s| s.phi.clone())))
        };
        for condition in triples(fts, &stage.phi, &below(at), background) {
            let name = format!("J2 {i} {}", condition.name);
            all.push(condition.named(name));
        }
        let leads = Condition::triple(&stage.phi, helping, &below(at + 1), background);
        all.push(leads.named(format!("J3 {i} {}", stage.helpful)));
        let enabled = Expr::or([q.clone(), helping.enabled()]);
        all.push(Condition::implication(format!("J4 {i}"), stage.phi.clone(), enabled, background));
    }
    Ok(all)
}

/// WELL-J: as CHAIN-J with ranks over a well-founded domain; stages may lead anywhere if the rank goes down.
///
/// W1 p → q ∨ ∨φ; W2 {φi ∧ δi = u} τ {q ∨ ∨j(φj ∧ δj < u) ∨ (φi ∧ δi = u)}; W3 {φi ∧ δi = u} τi {q ∨ ∨j(φj ∧ δj < u)};
/// W4 φi → q ∨ enabled(τi); W5 φi → 0 ≤ δi.
pub fn well(
    fts: &Fts,
    from: &Expr,
    q: &Expr,
    stages: &[Stage],
    background: &[Lemma],
) -> Result<Vec<Condition>, NotApplicable> {
    let width = stages.first().map_or(0, |s| s.rank.len());
    if width == 0 || stages.iter().any(|s| s.rank.len() != width) {
        return Err(NotApplicable("every stage needs a rank of the same length".to_string()));
    }
    let phis = stages.iter().map(|s| s.phi.clone());
    let mut all = vec![Condition::implication(
        "W1",
        from.clone(),
        Expr::or(std::iter::once(q.clone()).chain(phis)),
        background,
    )];
    let old: Vec<Expr> = (0..width)
        .map(|n| system::fts::Symbol::new(format!("rank!{n}"), system::fts::Sort::Int).expr())
        .collect();
    let down =
        Expr::or(std::iter::once(q.clone()).chain(
            stages.iter().map(|s| Expr::and([s.phi.clone(), less(&s.rank, &old)])).collect::<Vec<_>>(),
        ));
    for (at, stage) in stages.iter().enumerate() {
        let i = stages.len() - at;
        let helping = helpful(fts, &stage.helpful)?;
        if helping.fairness == Fairness::Compassionate {
            return Err(NotApplicable(format!("`{}` is compassionate: use RESP-C", stage.helpful)));
        }
        let same = Expr::and(stage.rank.iter().zip(&old).map(|(r, u)| Expr::eq(r.clone(), u.clone())));
        let before = Expr::and([stage.phi.clone(), same.clone()]);
        let stays = Expr::or([down.clone(), before.clone()]);
        for condition in triples(fts, &before, &stays, background) {
            let name = format!("W2 {i} {}", condition.name);
            all.push(condition.named(name));
        }
        let leads = Condition::triple(&before, helping, &down, background);
        all.push(leads.named(format!("W3 {i} {}", stage.helpful)));
        let enabled = Expr::or([q.clone(), helping.enabled()]);
        all.push(Condition::implication(format!("W4 {i}"), stage.phi.clone(), enabled, background));
        let bounded = Expr::and(stage.rank.iter().map(|r| Expr::le(Expr::int(0), r.clone())));
        all.push(Condition::implication(format!("W5 {i}"), stage.phi.clone(), bounded, background));
    }
    Ok(all)
}

/// `a < b`, lexicographically.
fn less(a: &[Expr], b: &[Expr]) -> Expr {
    let Some(((a0, rest_a), (b0, rest_b))) = a.split_first().zip(b.split_first()) else { return Expr::FALSE };
    Expr::or([
        Expr::lt(a0.clone(), b0.clone()),
        Expr::and([Expr::eq(a0.clone(), b0.clone()), less(rest_a, rest_b)]),
    ])
}

/// RESP-C: p ==> <> q by one assertion φ and a compassionate transition τh.
///
/// C1 p → q ∨ φ; C2 {φ} τ {q ∨ φ}; C3 {φ} τh {q}; and C4, a response of its own: φ ==> <>(q ∨ enabled(τh)).
pub fn resp_c(
    fts: &Fts,
    from: &Expr,
    q: &Expr,
    stage: &Stage,
    background: &[Lemma],
) -> Result<(Vec<Condition>, Expr), NotApplicable> {
    let helping = helpful(fts, &stage.helpful)?;
    let reached = Expr::or([q.clone(), stage.phi.clone()]);
    let mut all = vec![Condition::implication("C1", from.clone(), reached.clone(), background)];
    for condition in triples(fts, &stage.phi, &reached, background) {
        let name = format!("C2 {}", condition.name);
        all.push(condition.named(name));
    }
    let leads = Condition::triple(&stage.phi, helping, q, background);
    all.push(leads.named(format!("C3 {}", stage.helpful)));
    Ok((all, Expr::or([q.clone(), helping.enabled()])))
}
