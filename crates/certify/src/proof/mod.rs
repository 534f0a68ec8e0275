//! Proofs, held against the system once more: from the evidence that was found, every condition is
//! made again.
//!
//! Nothing is taken over from the prover but what it claims: assertions, helpful transitions,
//! ranks. The conditions are made from the transition relation by substitution over names that a
//! step has for itself (`relation`), the claims from the formula of the property (`claim`). The
//! conditions are not compared with the prover's but asked about: what is valid here is enough for
//! the property, whatever the prover had asked. Who answers is given from outside; *unknown* counts
//! as no.

mod claim;
mod consistent;
mod diagram;
mod paths;
mod relation;
mod repeated;
mod replace;
mod response;
mod simulation;
mod successive;

pub use repeated::{NotRepeated, Repeats};
pub use simulation::Seen;

use claim::{Claim, claim, present};
use logic::fol::{Symbol, Term};
use relation::{Extended, WaitingFor, Way, stage};
use response::Leads;
use system::fts::{Consistent, Evidence, Fts, Parameter, Property, Remembered, TypeCheck};

/// Whether, with what is known, some assumptions imply a goal.
pub type Valid<'a> = dyn Fn(&[Term], &[Term], &Term) -> bool + Sync + 'a;

/// Whether formulas have a model together, in which what is assumed of the system is true;
/// *unknown* counts as no.
pub type Satisfiable<'a> = dyn Fn(&[Term]) -> bool + 'a;

/// Why a proof is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// An assertion speaks of something that is neither state nor rigid.
    #[error("an assertion mentions `{0}`, which is not a part of the state")]
    Foreign(String),
    /// A condition is not valid, or no solver can tell.
    #[error("condition `{0}` is not confirmed")]
    Open(String),
    /// The evidence does not fit the property.
    #[error("{0}")]
    Form(&'static str),
}

/// A property that was confirmed, for what follows from it.
struct Confirmed {
    name: String,
    given: Term,
    claim: Claim,
}

/// Judges proofs of one system: generates the conditions again and has each one decided.
pub struct Certifier<'a> {
    fts: &'a Fts,
    valid: &'a Valid<'a>,
    /// What holds in every reachable state.
    known: Vec<Term>,
    confirmed: Vec<Confirmed>,
}

/// A question with all that belongs to it.
struct Case<'a> {
    system: &'a Extended<'a>,
    given: &'a Term,
    rigid: &'a [Symbol],
}

impl<'a> Certifier<'a> {
    /// With nothing known yet; `valid` decides whether a formula is valid.
    pub fn new(fts: &'a Fts, valid: &'a Valid<'a>) -> Certifier<'a> {
        Certifier { fts, valid, known: Vec::new(), confirmed: Vec::new() }
    }

    /// Takes over what is assumed, axioms, if they have a model together.
    pub fn assume(
        &mut self,
        axioms: &[Term],
        why: Option<&Consistent>,
        satisfiable: &Satisfiable<'_>,
    ) -> Result<(), Refused> {
        if !axioms.is_empty() {
            let why = why.ok_or(Refused::Form("the axioms contradict each other"))?;
            consistent::together(
                self.fts,
                axioms,
                why,
                &consistent::Asked { valid: self.valid, satisfiable },
            )?;
        }
        self.known.extend(axioms.iter().cloned());
        Ok(())
    }

    /// A lemma with the evidence for it; then it is known.
    pub fn lemma(&mut self, formula: &Term, evidence: &Evidence) -> Result<(), Refused> {
        let case = Case { system: &self.plain(), given: &Term::truth(true), rigid: &[] };
        self.claimed(&case, &Claim::Always(formula.clone()), evidence)?;
        self.known.push(formula.clone());
        Ok(())
    }

    /// Assertions that are said to be inductive together; then they are known.
    pub fn invariants(&mut self, formulas: &[Term]) -> Result<(), Refused> {
        let system = self.plain();
        let case = Case { system: &system, given: &Term::truth(true), rigid: &[] };
        self.inductive(&case, &[Term::all(formulas.iter().cloned())])?;
        self.known.extend(formulas.iter().cloned());
        Ok(())
    }

    /// A property with the evidence for it; an invariance is known then.
    pub fn property(
        &mut self,
        property: &Property,
        evidence: &Evidence,
        remembered: &[Remembered],
    ) -> Result<(), Refused> {
        let formula = present(&property.formula, remembered)?;
        let claim = claim(&formula);
        let system = Extended { remembered, ..self.plain() };
        let case = Case { system: &system, given: &property.given, rigid: &property.rigid };
        if let Evidence::Diagram(proven) = evidence {
            self.drawn(&case, &formula, claim.as_ref(), proven)?;
        }
        let claim = match (claim, evidence) {
            (Some(claim), Evidence::Diagram(_)) => claim,
            // Nothing follows from a formula of another form.
            (None, Evidence::Diagram(_)) => return Ok(()),
            (None, _) => return Err(Refused::Form("no rule fits the form of this formula")),
            (Some(claim), _) => {
                self.claimed(&case, &claim, evidence)?;
                claim
            }
        };
        if let (Claim::Always(p), true) = (&claim, remembered.is_empty()) {
            let binders = property.rigid.iter().cloned().map(logic::fol::Binder::free).collect();
            self.known.push(Term::every(binders, Term::implication(property.given.clone(), p.clone())));
        }
        let (name, given) = (property.name.clone(), property.given.clone());
        self.confirmed.push(Confirmed { name, given, claim });
        Ok(())
    }

    /// That a type check never fails.
    pub fn type_check(&self, check: &TypeCheck, evidence: &Evidence) -> Result<(), Refused> {
        let given = Term::all(check.parameters.iter().map(Parameter::bounds));
        let rigid: Vec<Symbol> = check.parameters.iter().map(|p| p.symbol.clone()).collect();
        let case = Case { system: &self.plain(), given: &given, rigid: &rigid };
        self.claimed(&case, &Claim::Always(check.condition.clone()), evidence)
    }

    fn plain(&self) -> Extended<'a> {
        Extended { fts: self.fts, remembered: &[], waiting_for: None }
    }

    fn claimed(&self, case: &Case<'_>, claim: &Claim, evidence: &Evidence) -> Result<(), Refused> {
        match (claim, evidence) {
            (Claim::All(claims), Evidence::All(parts)) if claims.len() == parts.len() => {
                claims.iter().zip(parts).try_for_each(|(c, e)| self.claimed(case, c, e))
            }
            (Claim::Always(p), Evidence::Inductive(steps)) => {
                self.inductive(case, steps)?;
                let given: Vec<Term> = steps.iter().cloned().chain([case.given.clone()]).collect();
                self.ask("goal", &given, p)
            }
            (Claim::Always(p), Evidence::KInductive(found)) => {
                self.successive(case, &Term::implication(case.given.clone(), p.clone()), found)
            }
            (Claim::First(p), Evidence::Initial | Evidence::Inductive(_)) => {
                let mut given = case.system.initially();
                given.push(case.given.clone());
                self.ask("Theta", &given, p)
            }
            (Claim::Waiting(p, q), Evidence::Waiting(phi)) => self.waiting(case, (p, q), phi),
            (Claim::Waiting(p, q), Evidence::Staged(steps)) => {
                self.staged(case, (p, q), &|case| self.inductive(case, steps).map(|()| steps.clone()))
            }
            (Claim::Waiting(p, q), Evidence::KInductive(found)) => self.staged(case, (p, q), &|case| {
                let kept = Term::negation(Term::eq(stage(), Term::int(q.len() as i64)));
                self.successive(case, &kept, found).map(|()| vec![kept])
            }),
            (Claim::Precedes(q), evidence) => {
                // More than what is claimed: of every state in which the initial condition is true.
                let p = Term::all(case.system.initially());
                self.claimed(case, &Claim::Waiting(p, q.clone()), evidence)
            }
            (Claim::Leads(..) | Claim::Comes(_), Evidence::Progress(_) | Evidence::Ranked(_)) => {
                let (from, goal) = match claim {
                    Claim::Leads(p, q) => (vec![p.clone()], q),
                    Claim::Comes(q) => (case.system.initially(), q),
                    _ => return Err(Refused::Form("the property is not a response")),
                };
                let from = Term::all(from.into_iter().chain([case.given.clone()]));
                match evidence {
                    Evidence::Ranked(stages) => {
                        self.ranked(case, &Leads { from: &from, goal, again: &[] }, stages)
                    }
                    Evidence::Progress(stages) => self.progress(case, &from, goal, stages),
                    _ => Err(Refused::Form("the evidence is not for a response")),
                }
            }
            (Claim::Recurs(claim), evidence) => self.recurring(case, claim, evidence),
            (claim, Evidence::Follows(name)) => self.follows(case, claim, name),
            _ => Err(Refused::Form("the evidence does not fit the property")),
        }
    }

    /// Each assertion holds at the beginning, and every step keeps it, if those before it are
    /// known.
    fn inductive(&self, case: &Case<'_>, steps: &[Term]) -> Result<(), Refused> {
        self.speak(case, steps)?;
        for (n, phi) in steps.iter().enumerate() {
            let with = |given: Vec<Term>| [given, steps[..n].to_vec()].concat();
            self.ask("Theta", &with(case.system.initially()), phi)?;
            self.keep(case, &with(vec![phi.clone()]), phi)?;
        }
        Ok(())
    }

    /// From `before` every step leads to `after`.
    fn keep(&self, case: &Case<'_>, before: &[Term], after: &Term) -> Result<(), Refused> {
        case.system.ways().iter().try_for_each(|way| self.leads(way, before, after))
    }

    fn leads(&self, way: &Way, before: &[Term], after: &Term) -> Result<(), Refused> {
        let given: Vec<Term> = before.iter().chain(&way.taken).cloned().collect();
        self.ask(&way.name, &given, &way.after(after))
    }

    /// N1 p → ∨φ, N2 φi → qi, N3 {φi} τ {φ0 ∨ … ∨ φi}, where φ0 need not be kept.
    fn waiting(&self, case: &Case<'_>, (p, q): (&Term, &[Term]), phi: &[Term]) -> Result<(), Refused> {
        self.speak(case, phi)?;
        if phi.len() != q.len() {
            return Err(Refused::Form("each interval needs an assertion"));
        }
        let somewhere = Term::any(phi.iter().cloned());
        self.ask("N1", &[case.given.clone(), p.clone()], &somewhere)?;
        for (at, (phi_i, q_i)) in phi.iter().zip(q).enumerate() {
            self.ask("N2", std::slice::from_ref(phi_i), q_i)?;
            if at + 1 < phi.len() {
                let onward = Term::any(phi[at..].iter().cloned());
                self.keep(case, std::slice::from_ref(phi_i), &onward)?;
            }
        }
        Ok(())
    }

    /// No waiting-for formula is ever violated: that follows from assertions about the system with
    /// its stage.
    fn staged(
        &self,
        case: &Case<'_>,
        (p, q): (&Term, &[Term]),
        assertions: &dyn Fn(&Case<'_>) -> Result<Vec<Term>, Refused>,
    ) -> Result<(), Refused> {
        let p = Term::all([case.given.clone(), p.clone()]);
        let waiting_for = Some(WaitingFor { p, q: q.to_vec() });
        let system = Extended { fts: self.fts, remembered: case.system.remembered, waiting_for };
        let steps = assertions(&Case { system: &system, ..*case })?;
        let broken = Term::eq(stage(), Term::int(q.len() as i64));
        self.ask("goal", &steps, &Term::negation(broken))
    }

    /// From a confirmed property of the same form that assumes less and says more.
    fn follows(&self, case: &Case<'_>, claim: &Claim, name: &str) -> Result<(), Refused> {
        let found = self.confirmed.iter().find(|c| c.name == name);
        let from = found.ok_or(Refused::Form("what it follows from is not confirmed"))?;
        let covers = |p2: &Term, p: &Term| {
            let wanted = Term::all([from.given.clone(), p.clone()]);
            self.ask("M1", &[case.given.clone(), p2.clone()], &wanted)
        };
        match (claim, &from.claim) {
            (Claim::Always(p2), Claim::Always(p)) => {
                let known = Term::implication(from.given.clone(), p.clone());
                self.ask("M1", &[case.given.clone(), known], p2)
            }
            (Claim::Leads(p2, q2), Claim::Leads(p, q)) => {
                covers(p2, p)?;
                self.ask("M2", std::slice::from_ref(q), q2)
            }
            (Claim::Waiting(p2, q2), Claim::Waiting(p, q)) if q.len() == q2.len() => {
                covers(p2, p)?;
                q.iter().zip(q2).try_for_each(|(q, q2)| self.ask("M2", std::slice::from_ref(q), q2))
            }
            _ => Err(Refused::Form("the two properties are not of one form")),
        }
    }

    fn ask(&self, name: &str, given: &[Term], goal: &Term) -> Result<(), Refused> {
        if (self.valid)(&self.known, given, goal) { Ok(()) } else { Err(Refused::Open(name.to_string())) }
    }

    /// That assertions speak of state and rigid values alone.
    fn speak(&self, case: &Case<'_>, assertions: &[Term]) -> Result<(), Refused> {
        let system = case.system;
        let known = |name: &str| {
            system.fts.variable(name).is_some()
                || system.fts.rigid.iter().any(|r| &*r.name == name)
                || case.rigid.iter().any(|s| &*s.name == name)
                || system.remembered.iter().any(|r| &*r.symbol.name == name)
                || system.waiting_for.is_some() && name == system::fts::evidence::STAGE
        };
        for name in assertions.iter().flat_map(|e| e.symbols().into_keys()) {
            if !known(&name) {
                return Err(Refused::Foreign(name.to_string()));
            }
        }
        Ok(())
    }
}
