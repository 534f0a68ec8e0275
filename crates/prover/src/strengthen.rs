//! Strengthening by backwards propagation: rules WLPC and Strengthen (STeP tutorial, section 5.2)
//! and the intermediate assertions of wait-for formulas (section 6.3).

use crate::clauses::Seen;
use crate::condition::{Condition, Lemma, wlpc};
use crate::discharge::{Judge, OUT_OF_TIME, Obligation, Status};
use crate::generate::pairs;
use crate::history;
use crate::houdini;
use crate::pdr::{self, Counterexample, Found};
use crate::rules;
use logic::fol::Term;
use system::fts::{Evidence, Transition};

/// What a strategy did.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// Whether the property is proved.
    pub proved: bool,
    /// The conditions that the solver was asked about.
    pub obligations: Vec<Obligation>,
    /// What was found to be inductive, if it was searched for.
    pub invariant: Option<Term>,
    /// A run that breaks the property.
    pub run: Option<Counterexample>,
    /// Why it went no further, if that is not seen from the obligations.
    pub reason: Option<String>,
    /// Why it holds, if it is proved.
    pub evidence: Option<Evidence>,
}

/// Assertions with more operators and symbols than this are not strengthened any more.
const LARGE: usize = 100_000;

impl Attempt {
    /// Proved if all obligations are.
    pub fn of(obligations: Vec<Obligation>) -> Attempt {
        let proved = obligations.iter().all(|o| o.status == Status::Proved);
        Attempt { proved, obligations, ..Attempt::default() }
    }

    /// With what makes it hold, if it does.
    pub fn by(self, evidence: Evidence) -> Attempt {
        Attempt { evidence: self.proved.then_some(evidence), ..self }
    }

    /// An attempt that came to nothing.
    pub(crate) fn given_up(reason: impl Into<String>) -> Attempt {
        Attempt { reason: Some(reason.into()), ..Attempt::default() }
    }

    /// Whether nothing else need be tried.
    pub(crate) fn is_final(&self) -> bool {
        self.proved || self.run.is_some()
    }
}

/// The transitions whose condition `{before} τ {after}` is not proved.
pub fn failing(judge: &Judge<'_>, before: &Term, after: &Term, background: &[Lemma]) -> Vec<Transition> {
    let all = crate::condition::moves(judge.fts).into_iter();
    all.filter(|t| !judge.is_valid(&Condition::triple(before, t, after, background))).collect()
}

/// B-INV: the assertion holds initially and every transition preserves it.
pub fn b_inv(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    let attempt = Attempt::of(judge.judge_all("B-INV", &rules::b_inv(judge.fts, p, background)));
    attempt.by(Evidence::Inductive(vec![p.clone()]))
}

/// WLPC: what B-INV leaves open is proved from wlpc(τ, p), each of them an invariant proved by
/// B-INV.
pub fn wlpc_rule(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    let first = b_inv(judge, p, background);
    if first.proved {
        return first;
    }
    let open = failing(judge, p, p, background);
    let mut obligations = Vec::new();
    let mut lemmas = background.to_vec();
    for transition in &open {
        if judge.is_over() {
            return Attempt { reason: Some(OUT_OF_TIME.to_string()), ..first };
        }
        let w = wlpc(transition, p);
        let name = format!("wlpc({})", transition.name);
        let conditions = rules::prefixed(&format!("{name}:"), rules::b_inv(judge.fts, &w, background));
        obligations.extend(judge.judge_all("WLPC", &conditions));
        lemmas.push(Lemma::new(name, w));
    }
    obligations.extend(judge.judge_all("B-INV", &rules::b_inv(judge.fts, p, &lemmas)));
    let found = lemmas.split_off(background.len()).into_iter().map(|l| l.formula);
    Attempt::of(obligations).by(Evidence::Inductive(found.chain([p.clone()]).collect()))
}

/// Strengthen: p becomes p ∧ wlpc(τ, p) for the transitions left open, until all is proved or
/// `rounds` are over.
pub fn strengthen(judge: &Judge<'_>, p: &Term, background: &[Lemma], rounds: usize) -> Attempt {
    let mut phi = p.clone();
    let mut last = b_inv(judge, &phi, background);
    for _ in 0..rounds {
        if last.proved || last.obligations.first().is_some_and(|o| o.status != Status::Proved) {
            break;
        }
        let open = failing(judge, &phi, &phi, background);
        if let Some(reason) = hopeless(judge, &phi) {
            return Attempt { reason: Some(reason.to_string()), ..last };
        }
        let more: Vec<Term> = open.iter().map(|t| wlpc(t, &phi)).collect();
        phi = Term::all(std::iter::once(phi).chain(more));
        last = Attempt::of(judge.judge_all("Strengthen", &rules::b_inv(judge.fts, &phi, background)))
            .by(Evidence::Inductive(vec![phi.clone()]));
    }
    last
}

/// Why a formula is strengthened no further.
pub(crate) fn hopeless(judge: &Judge<'_>, phi: &Term) -> Option<&'static str> {
    if judge.is_over() {
        return Some(OUT_OF_TIME);
    }
    (phi.size() > LARGE).then_some("an assertion becomes too large")
}

/// How the assertions of a wait-for formula were found: the failing transitions of each iteration,
/// for φ1, φ2, ….
#[derive(Clone, Debug, Default)]
pub struct TopDown {
    /// From m down to 0, as the rule takes them.
    pub phi: Vec<Term>,
    /// `iterations[i-1]` are the sets for φi, the last one empty if it succeeded.
    pub iterations: Vec<Vec<Vec<String>>>,
    /// Whether all iterations ended without a failing transition.
    pub succeeded: bool,
    /// Why it ended before.
    pub reason: Option<&'static str>,
}

/// Top-down strengthening: φi := φi ∧ wlpc(τ, φ0 ∨ … ∨ φi) for the failing τ, from φ1 up.
pub fn top_down(judge: &Judge<'_>, p: &Term, q: &[Term], background: &[Lemma], rounds: usize) -> TopDown {
    let m = q.len() - 1;
    // phi[i] is φi here.
    let mut phi: Vec<Term> = q.iter().rev().cloned().collect();
    let mut found = TopDown::default();
    for i in 1..=m {
        let mut sets = Vec::new();
        loop {
            let target = Term::any(phi[..=i].iter().cloned());
            let open = failing(judge, &phi[i], &target, background);
            sets.push(open.iter().map(|t| t.name.clone()).collect::<Vec<_>>());
            if open.is_empty() {
                break;
            }
            let more: Vec<Term> = open.iter().map(|t| wlpc(t, &target)).collect();
            phi[i] = Term::all(std::iter::once(phi[i].clone()).chain(more));
            let covered = Condition::implication("N1", p.clone(), Term::any(phi.iter().cloned()), background);
            found.reason = hopeless(judge, &phi[i]);
            if found.reason.is_some() || sets.len() > rounds || !judge.is_valid(&covered) {
                found.iterations.push(sets);
                found.phi = phi.into_iter().rev().collect();
                return found;
            }
        }
        found.iterations.push(sets);
    }
    found.succeeded = true;
    found.phi = phi.into_iter().rev().collect();
    found
}

/// G-WAIT with assertions found top-down.
pub(crate) fn g_wait_top_down(
    judge: &Judge<'_>,
    p: &Term,
    q: &[Term],
    background: &[Lemma],
    rounds: usize,
) -> Attempt {
    let found = top_down(judge, p, q, background, rounds);
    let conditions = rules::g_wait(judge.fts, p, q, &found.phi, background);
    let attempt = Attempt::of(judge.judge_all("G-WAIT", &conditions));
    let reason = found.reason.map(str::to_string);
    Attempt { reason, ..attempt.by(Evidence::Waiting(found.phi)) }
}

/// G-INV with an invariant found by property-directed search; a run if the property is false; or
/// why neither was found.
pub(crate) fn property_directed(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    match pdr::search(judge, p, background, pdr::Effort::default()) {
        Found::Invariant(clauses) => {
            let phi = Term::all(std::iter::once(p.clone()).chain(needed(judge, p, clauses, background)));
            let conditions = rules::g_inv(judge.fts, p, &phi, background);
            let attempt = Attempt::of(judge.judge_all("PDR", &conditions));
            Attempt { invariant: Some(phi.clone()), ..attempt.by(Evidence::Inductive(vec![phi])) }
        }
        Found::Run(run) => Attempt { run: Some(run), ..Attempt::default() },
        Found::Nothing(reason) => Attempt::given_up(reason),
    }
}

/// G-INV with the largest inductive set of templates, if the property is in it (Houdini).
pub(crate) fn templates(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    let mut candidates = vec![p.clone()];
    candidates.extend(pairs::candidates(judge.fts));
    let mut kept = houdini::inductive_subset(judge, &candidates, background);
    let Some(at) = kept.iter().position(|c| c == p) else {
        return Attempt::given_up("no template makes it inductive");
    };
    kept.remove(at);
    let phi = Term::all(std::iter::once(p.clone()).chain(needed(judge, p, kept, background)));
    let conditions = rules::g_inv(judge.fts, p, &phi, background);
    let attempt = Attempt::of(judge.judge_all("Houdini", &conditions));
    Attempt { invariant: Some(phi.clone()), ..attempt.by(Evidence::Inductive(vec![phi])) }
}

/// The clauses that the induction needs: those that proofs of `p` use, and proofs of those.
fn needed(judge: &Judge<'_>, p: &Term, clauses: Vec<Term>, background: &[Lemma]) -> Vec<Term> {
    let first = background.len();
    let mut all = background.to_vec();
    all.extend(clauses.iter().enumerate().map(|(n, c)| Lemma::new(format!("clause!{n}"), c.clone())));
    let mut wanted = vec![false; clauses.len()];
    let mut work = vec![p.clone()];
    while let Some(goal) = work.pop() {
        for transition in crate::condition::moves(judge.fts) {
            let given = Term::all([p.clone(), goal.clone()]);
            let used = judge.judge("", &Condition::triple(&given, &transition, &goal, &all)).lemmas;
            for name in used {
                let Some(at) = all[first..].iter().position(|l| l.name == name) else { continue };
                if !std::mem::replace(&mut wanted[at], true) {
                    work.push(clauses[at].clone());
                }
            }
        }
    }
    clauses.into_iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(c, _)| c).collect()
}

/// A wait-for formula as an invariance of the system with its stages.
pub(crate) fn waiting_directed(
    judge: &Judge<'_>,
    (p, q): (&Term, &[Term]),
    background: &[Lemma],
    by: fn(&Judge<'_>, &Term, &[Lemma]) -> Attempt,
) -> Attempt {
    let (fts, goal) = history::stages(judge.fts, p, q);
    let attempt = by(&Judge { fts: &fts, seen: &Seen::default(), ..*judge }, &goal, background);
    let evidence = attempt.evidence.map(|evidence| match evidence {
        Evidence::Inductive(steps) => Evidence::Staged(steps),
        other => other,
    });
    Attempt { evidence, ..attempt }
}
