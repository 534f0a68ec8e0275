//! Propositions of formulas over the relation.
//!
//! An observer does not see states inside atomic sequences. Where there are some, each proposition
//! has a variable that keeps what was last seen; formulas speak of that. Idling repeats letters,
//! and so do unseen states: only formulas that do not count steps may be asked.

use super::refuse::NotRelational;
use super::step::Stepping;
use super::{Builder, Relation};
use logic::fol::{self, Symbol, Term, evaluate};
use system::fts::{Branch, Fairness, Fts, Mode, Transition, Variable};
use system::{Expr, Operation, Read};

/// Why a formula cannot be asked of the relation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unobservable {
    /// A proposition is not translated.
    #[error(transparent)]
    Refused(NotRelational),
    /// A proposition may have no value.
    #[error("a proposition may be undefined")]
    Faulty,
    /// A proposition reads `timeout`.
    #[error("a proposition reads timeout")]
    Timeout,
    /// An atomic sequence may never end, unseen.
    #[error("an atomic sequence may never end")]
    Endless,
}

impl Relation<'_> {
    /// The relation with what an observer sees, and the propositions as terms over it. The steps
    /// are one transition that is treated fairly: a run goes on as long as it can.
    pub fn observed(&self, propositions: &[Expr]) -> Result<(Fts, Vec<Term>), Unobservable> {
        let mut terms = Vec::new();
        for proposition in propositions {
            terms.push(self.proposition(proposition)?);
        }
        let mut fts = self.fts.clone();
        if let Some(leaf) = self.layout.control {
            self.ends_unseen()?;
            for (number, term) in terms.iter_mut().enumerate() {
                let seen = Symbol::constant(format!("seen{number}!"), fol::Sort::Bool);
                self.keep(&mut fts, &seen, term, leaf)?;
                *term = seen.term();
            }
        }
        let branches = fts.transitions.iter_mut().flat_map(|t| std::mem::take(&mut t.branches)).collect();
        let step = Transition {
            name: "step".to_string(),
            parameters: Vec::new(),
            branches,
            fairness: Fairness::Weak,
            text: String::new(),
            span: source::Span::default(),
        };
        fts.transitions = vec![step];
        Ok((fts, terms))
    }

    /// A proposition as a term.
    pub fn proposition(&self, proposition: &Expr) -> Result<Term, Unobservable> {
        let mut timeout = false;
        system::walk::reads_of_term(proposition, &mut |read| timeout |= *read == Read::Timeout);
        if timeout {
            return Err(Unobservable::Timeout);
        }
        let values = Stepping::new(self.system, &self.layout, false).values;
        let builder = Builder { system: self.system, layout: &self.layout };
        let worth = builder.context(&values).worth(proposition).map_err(Unobservable::Refused)?;
        if worth.faults.is_empty() { Ok(worth.as_truth()) } else { Err(Unobservable::Faulty) }
    }

    /// Adds a variable that keeps a proposition between observed states.
    fn keep(&self, fts: &mut Fts, seen: &Symbol, term: &Term, control: usize) -> Result<(), Unobservable> {
        let first = |s: &Symbol| {
            let at = self.layout.leaf_of(s)?;
            let equation = &self.fts.initial.conjuncts()[at];
            equation.arguments().get(1).cloned()
        };
        let begins = evaluate(&term.substitute(&first), &system::fts::step::Valuation::new());
        let begins = begins.and_then(|v| v.as_bool()).ok_or(Unobservable::Faulty)?;
        let begins = Term::eq(seen.term(), Term::truth(begins));
        fts.initial = Term::all([fts.initial.clone(), begins]);
        let after = |branch: &Branch| {
            let free = branch.after(&Term::same(&self.layout.term(control), &Term::int(0)));
            Term::any([
                Term::all([free.clone(), branch.after(term)]),
                Term::all([Term::negation(free), seen.term()]),
            ])
        };
        for branch in fts.transitions.iter_mut().flat_map(|t| &mut t.branches) {
            branch.updates.push((seen.clone(), after(branch)));
        }
        let span = source::Span::default();
        fts.variables.push(Variable { symbol: seen.clone(), mode: Mode::Control, range: None, span });
        Ok(())
    }

    /// Refuses if an atomic sequence may never end: no formula says anything of such a run.
    pub fn ends_unseen(&self) -> Result<(), Unobservable> {
        let endless = self.layout.control.is_some() && self.may_stay_unseen();
        if endless { Err(Unobservable::Endless) } else { Ok(()) }
    }

    /// Whether transitions that keep control make a loop, or a handshake hands it on.
    fn may_stay_unseen(&self) -> bool {
        let Some(scheduling) = &self.system.scheduling else { return false };
        self.system.process_types.iter().zip(&scheduling.process_types).any(|(process_type, rules)| {
            let kept = || process_type.transitions.iter().zip(&rules.keeps).filter(|(_, keeps)| **keeps);
            let receives = kept().any(|(t, _)| matches!(t.command.first(), Some(Operation::Receive { .. })));
            // Points from which control is kept, as long as some lead on to others of them.
            let mut open: Vec<(usize, usize)> = kept().map(|(t, _)| (t.pre, t.post)).collect();
            loop {
                let before = open.len();
                let begins: Vec<usize> = open.iter().map(|(pre, _)| *pre).collect();
                open.retain(|(_, post)| begins.contains(post));
                if open.len() == before {
                    break;
                }
            }
            !open.is_empty() || receives && has_rendezvous(self.system)
        })
    }
}

fn has_rendezvous(system: &system::System) -> bool {
    let objects = system.globals.iter().chain(system.process_types.iter().flat_map(|t| &t.objects));
    objects.into_iter().any(|o| matches!(o.kind, system::ObjectKind::Channel { capacity: 0, .. }))
}
