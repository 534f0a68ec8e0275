//! The rules that need no search: each turns a property and hints into conditions (STeP tutorial,
//! Figs. 3, 5 and 6; for responses, Manna and Pnueli).
//!
//! G-INV is I1 φ → p, I2 Θ → φ, I3 {φ} τ {φ}. The tutorial prints {φ} τ {p} for I3, which would be
//! unsound.

use crate::condition::{Condition, Lemma, triples};
use logic::fol::{Sort, Symbol, Term};
use system::fts::evidence::RECURS;
use system::fts::{Fairness, Fts, Helpful, Transition};

/// B-INV: Θ → p, {p} τ {p}.
pub fn b_inv(fts: &Fts, p: &Term, background: &[Lemma]) -> Vec<Condition> {
    let first = Condition::implication("Theta", fts.initial.clone(), p.clone(), background);
    std::iter::once(first).chain(triples(fts, p, p, background)).collect()
}

/// G-INV with the inductive assertion φ.
pub fn g_inv(fts: &Fts, p: &Term, phi: &Term, background: &[Lemma]) -> Vec<Condition> {
    let implied = Condition::implication("I1", phi.clone(), p.clone(), background);
    let mut all = vec![implied];
    all.extend(b_inv(fts, phi, background));
    all
}

/// G-WAIT: N1 p → ∨φ, N2 φi → qi, N3 {φi} τ {φ0 ∨ … ∨ φi}. Both lists go from m down to 0.
pub fn g_wait(fts: &Fts, p: &Term, q: &[Term], phi: &[Term], background: &[Lemma]) -> Vec<Condition> {
    let m = q.len() - 1;
    let at = |list: &[Term], i: usize| list[m - i].clone();
    let mut all = vec![Condition::implication("N1", p.clone(), Term::any(phi.iter().cloned()), background)];
    for i in 0..=m {
        all.push(Condition::implication(format!("N2 {i}"), at(phi, i), at(q, i), background));
    }
    for i in 1..=m {
        let target = Term::any((0..=i).map(|j| at(phi, j)));
        all.extend(prefixed(&format!("N3 {i}"), triples(fts, &at(phi, i), &target, background)));
    }
    all
}

/// Conditions of a part of a rule, with the name of the part.
pub(crate) fn prefixed(part: &str, conditions: Vec<Condition>) -> Vec<Condition> {
    let named = |c: Condition| Condition { name: format!("{part} {}", c.name), ..c };
    conditions.into_iter().map(named).collect()
}

/// A step towards a goal: where it is taken, what helps, and how far it is still to go.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What holds while the stage lasts.
    pub phi: Term,
    pub(crate) helpful: Helpful,
    /// A tuple that goes down lexicographically, each part bounded by 0; empty for chains.
    pub(crate) rank: Vec<Term>,
}

/// Why a rule cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotApplicable(pub String);

/// A stage with its helpful transition at hand.
///
/// Fairness is about each transition of a family by itself, so the one that helps must stay the
/// same as long as the stage lasts: its parameters, which may depend on the state, are given names,
/// and `phi` says that they are what they are named.
pub(crate) struct Helped<'a> {
    pub(crate) phi: Term,
    pub(crate) helping: Transition,
    /// The parameters within their bounds.
    exists: Term,
    stage: &'a Stage,
}

impl Helped<'_> {
    pub(crate) fn name(&self) -> String {
        let parameters = self.stage.helpful.parameters.iter().map(|e| format!("[{e}]"));
        std::iter::once(self.stage.helpful.name.clone()).chain(parameters).collect()
    }

    pub(crate) fn enabled(&self) -> Term {
        Term::all([self.exists.clone(), self.helping.enabled()])
    }
}

pub(crate) fn helped<'a>(fts: &Fts, stage: &'a Stage, wanted: Fairness) -> Result<Helped<'a>, NotApplicable> {
    let Helpful { name, parameters } = &stage.helpful;
    let found = fts.transitions.iter().find(|t| t.name == *name);
    let transition = found.ok_or_else(|| NotApplicable(format!("no transition `{name}`")))?;
    if transition.fairness == Fairness::None {
        return Err(NotApplicable(format!("`{name}` is not fair: it may never be taken")));
    }
    if wanted == Fairness::Weak && transition.fairness == Fairness::Strong {
        return Err(NotApplicable(format!("`{name}` is compassionate: use RESP-C")));
    }
    if transition.parameters.len() != parameters.len() {
        let n = transition.parameters.len();
        let family = format!("`{name}` is a family of transitions with {n} parameters");
        return Err(NotApplicable(format!("{family}; say which one helps: `{name}[i]`")));
    }
    if !parameters.iter().all(is_whole) {
        return Err(NotApplicable(format!("the parameters of `{name}` are whole numbers")));
    }
    let flexible = |e: &Term| e.symbols().keys().any(|v| fts.variable(v).is_some());
    let (mut values, mut same) = (Vec::new(), Vec::new());
    for (n, value) in parameters.iter().enumerate() {
        let named = Symbol::constant(format!("helpful!{n}"), Sort::Int).term();
        if flexible(value) {
            same.push(Term::eq(value.clone(), named.clone()));
        }
        values.push(if flexible(value) { named } else { value.clone() });
    }
    let value = |s: &Symbol| {
        let at = transition.parameters.iter().position(|p| p.symbol == *s)?;
        values.get(at).cloned()
    };
    let at_value = |e: &Term| e.substitute(&value);
    let exists = at_value(&transition.bounds());
    let branches = transition.branches.iter().map(|b| b.map(at_value)).collect();
    let helping = Transition { parameters: Vec::new(), branches, ..transition.clone() };
    let phi = Term::all(std::iter::once(stage.phi.clone()).chain(same));
    Ok(Helped { phi, helping, exists, stage })
}

/// RESP-J and CHAIN-J: p ==> <> q by stages φm … φ1, each with a just transition that is enabled
/// and leads on.
///
/// J1 p → q ∨ ∨φ; J2 {φi} τ {q ∨ φ0..φi}; J3 {φi} τi {q ∨ φ0..φ(i-1)}; J4 φi → q ∨ enabled(τi). One
/// stage is RESP-J. `from` is p, or Θ for `<> q`.
pub fn chain(
    fts: &Fts,
    from: &Term,
    q: &Term,
    stages: &[Stage],
    background: &[Lemma],
) -> Result<Vec<Condition>, NotApplicable> {
    let phis = stages.iter().map(|s| s.phi.clone());
    let covered = Term::any(std::iter::once(q.clone()).chain(phis));
    let mut all = vec![Condition::implication("J1", from.clone(), covered, background)];
    for (at, stage) in stages.iter().enumerate() {
        let i = stages.len() - at;
        let helped = helped(fts, stage, Fairness::Weak)?;
        let later = stages[at + 1..].iter().map(|s| s.phi.clone());
        let below = Term::any(std::iter::once(q.clone()).chain(later));
        let stays = Term::any([below.clone(), helped.phi.clone()]);
        all.extend(prefixed(&format!("J2 {i}"), triples(fts, &helped.phi, &stays, background)));
        let leads = Condition::triple(&helped.phi, &helped.helping, &below, background);
        all.push(leads.named(format!("J3 {i} {}", helped.name())));
        let enabled = Term::any([q.clone(), helped.enabled()]);
        all.push(Condition::implication(format!("J4 {i}"), helped.phi, enabled, background));
    }
    Ok(all)
}

/// What is to be reached, from where, on runs on which each of `again` is true again and again.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Where it begins.
    pub from: &'a Term,
    /// What comes.
    pub goal: &'a Term,
    /// What recurs.
    pub again: &'a [Term],
}

/// WELL-J: as CHAIN-J with ranks over a well-founded domain; stages may lead anywhere if the rank
/// goes down.
///
/// W1 p → q ∨ ∨φ; W2 {φi ∧ δi = u} τ {q ∨ ∨j(φj ∧ δj < u) ∨ (φi ∧ δi = u)}; W3 {φi ∧ δi = u} τi {q
/// ∨ ∨j(φj ∧ δj < u)}; W4 φi → q ∨ enabled(τi); W5 φi → 0 ≤ δi. A stage may be left because h
/// recurs, then W3 and W4 are φi → ¬h.
pub fn well(
    fts: &Fts,
    Target { from, goal: q, again }: Target<'_>,
    stages: &[Stage],
    background: &[Lemma],
) -> Result<Vec<Condition>, NotApplicable> {
    let width = stages.first().map_or(0, |s| s.rank.len());
    if width == 0 || stages.iter().any(|s| s.rank.len() != width) {
        return Err(NotApplicable("every stage needs a rank of the same length".to_string()));
    }
    if !stages.iter().flat_map(|s| &s.rank).all(is_whole) {
        return Err(NotApplicable("ranks are whole numbers: fractions may decrease endlessly".to_string()));
    }
    let phis = stages.iter().map(|s| s.phi.clone());
    let covered = Term::any(std::iter::once(q.clone()).chain(phis));
    let mut all = vec![Condition::implication("W1", from.clone(), covered, background)];
    let old: Vec<Term> =
        (0..width).map(|n| Symbol::constant(format!("rank!{n}"), Sort::Int).term()).collect();
    let lower = stages.iter().map(|s| Term::all([s.phi.clone(), less(&s.rank, &old)]));
    let down = Term::any(std::iter::once(q.clone()).chain(lower));
    for (at, stage) in stages.iter().enumerate() {
        let i = stages.len() - at;
        let same = Term::all(stage.rank.iter().zip(&old).map(|(r, u)| Term::eq(r.clone(), u.clone())));
        let left = leaves(fts, stage, again)?;
        let before = Term::all([left.phi().clone(), same]);
        let stays = Term::any([down.clone(), before.clone()]);
        all.extend(prefixed(&format!("W2 {i}"), triples(fts, &before, &stays, background)));
        match &left {
            Leaves::Step(helped) => {
                let leads = Condition::triple(&before, &helped.helping, &down, background);
                all.push(leads.named(format!("W3 {i} {}", helped.name())));
                let enabled = Term::any([q.clone(), helped.enabled()]);
                let phi = helped.phi.clone();
                all.push(Condition::implication(format!("W4 {i}"), phi, enabled, background));
            }
            Leaves::Recurs(phi, h) => {
                let never = Term::negation(h.clone());
                all.push(Condition::implication(format!("W3 {i} {RECURS}"), phi.clone(), never, background));
            }
        }
        let bounded = Term::all(stage.rank.iter().map(|r| Term::le(Term::int(0), r.clone())));
        all.push(Condition::implication(format!("W5 {i}"), stage.phi.clone(), bounded, background));
    }
    Ok(all)
}

/// Why a run does not stay in a stage.
enum Leaves<'a> {
    /// A fair transition is taken; compassionate ones that are enabled all the time are, too.
    Step(Box<Helped<'a>>),
    /// Something recurs that is false in the stage, which is the first.
    Recurs(Term, Term),
}

impl Leaves<'_> {
    fn phi(&self) -> &Term {
        match self {
            Leaves::Step(helped) => &helped.phi,
            Leaves::Recurs(phi, _) => phi,
        }
    }
}

fn leaves<'a>(fts: &Fts, stage: &'a Stage, again: &[Term]) -> Result<Leaves<'a>, NotApplicable> {
    if stage.helpful.name != RECURS {
        return Ok(Leaves::Step(Box::new(helped(fts, stage, Fairness::Strong)?)));
    }
    let number = stage.helpful.parameters.first();
    let found = again.iter().enumerate().find(|(n, _)| number == Some(&Term::int(*n as i64)));
    let missing = || NotApplicable("nothing of this kind recurs".to_string());
    found.map(|(_, h)| Leaves::Recurs(stage.phi.clone(), h.clone())).ok_or_else(missing)
}

fn is_whole(e: &Term) -> bool {
    *e.sort() == Sort::Int
}

/// `a < b`, lexicographically.
fn less(a: &[Term], b: &[Term]) -> Term {
    let Some(((a0, rest_a), (b0, rest_b))) = a.split_first().zip(b.split_first()) else {
        return Term::truth(false);
    };
    Term::any([
        Term::lt(a0.clone(), b0.clone()),
        Term::all([Term::eq(a0.clone(), b0.clone()), less(rest_a, rest_b)]),
    ])
}

/// RESP-C: p ==> <> q by one assertion φ and a compassionate transition τh.
///
/// C1 p → q ∨ φ; C2 {φ} τ {q ∨ φ}; C3 {φ} τh {q}; and C4, a response of its own: φ ==> <>(q ∨
/// enabled(τh)).
pub(crate) fn resp_c(
    fts: &Fts,
    from: &Term,
    q: &Term,
    stage: &Stage,
    background: &[Lemma],
) -> Result<(Vec<Condition>, Term), NotApplicable> {
    let helped = helped(fts, stage, Fairness::Strong)?;
    // What is left to prove speaks of the same transition all the time.
    if helped.phi != stage.phi {
        return Err(NotApplicable("the compassionate transition must not depend on the state".to_string()));
    }
    let covered = Term::any([q.clone(), stage.phi.clone()]);
    let mut all = vec![Condition::implication("C1", from.clone(), covered, background)];
    let stays = Term::any([q.clone(), helped.phi.clone()]);
    all.extend(prefixed("C2", triples(fts, &helped.phi, &stays, background)));
    let leads = Condition::triple(&helped.phi, &helped.helping, q, background);
    all.push(leads.named(format!("C3 {}", helped.name())));
    let to = Term::any([q.clone(), helped.enabled()]);
    Ok((all, to))
}
