//! The simplifier: an equivalent formula, as short as quick means make it. After section 3.3 of the
//! STeP tutorial: fast rather than complete, its strength set by flags.
//!
//! Terms are rewritten from the inside out, with the identities of the theories (`builtin`) and
//! with rules the caller brings, conditional ones and modulo associativity and commutativity if the
//! flags say so (`matching`). A conjunct is simplified under the truth of the others, a conclusion
//! under that of its premise; with the decision procedures on, an atom that its context decides
//! becomes true or false.

mod builtin;
mod matching;

use crate::answer::{Answer, Assumption, Options, Solver};
use crate::engine::Embedded;
use logic::fol::{Op, Sort, Symbol, Term, guarded, is_ground, rebuild, substitute};
use std::collections::HashMap;

/// Speed against strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Sums are collected, comparisons of equal sums decided.
    pub arithmetic: bool,
    /// Rules match modulo associativity and commutativity.
    pub associative_commutative: bool,
    /// Rules with conditions are tried.
    pub conditional: bool,
    /// Parts are simplified under the truth of what stands beside them.
    pub context: bool,
    /// Atoms and conditions of rules are put to the decision procedures, together with their
    /// context.
    pub decide: bool,
}

impl Flags {
    /// Without conditional rules and decision procedures.
    pub const FAST: Flags = Flags {
        arithmetic: true,
        associative_commutative: false,
        conditional: false,
        context: true,
        decide: false,
    };
    /// Everything switched on.
    pub const STRONG: Flags = Flags {
        arithmetic: true,
        associative_commutative: true,
        conditional: true,
        context: true,
        decide: true,
    };
}

impl Default for Flags {
    fn default() -> Flags {
        Flags::FAST
    }
}

/// `left` may become `right` wherever the condition holds, for all values of the variables.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What may be replaced by any term of its sort.
    pub variables: Vec<Symbol>,
    /// Where the rule applies; `true` for one without a condition.
    pub condition: Term,
    /// What is matched.
    pub left: Term,
    /// What takes its place.
    pub right: Term,
}

/// Rewrites with rules at one term; more is a rule set that runs in circles.
const STEPS: usize = 50;

/// A set of rules, and how hard to try.
#[derive(Clone, Debug, Default)]
pub struct Simplifier {
    /// Which techniques are used.
    pub flags: Flags,
    /// Tried in order, the first that matches is applied.
    pub rules: Vec<Rule>,
}

/// With the fast flags and no rules.
pub fn simplify(term: &Term) -> Term {
    Simplifier::default().simplify(term)
}

impl Simplifier {
    /// An equivalent term.
    pub fn simplify(&self, term: &Term) -> Term {
        self.under(&guarded(term), &mut Context::default())
    }

    fn under(&self, term: &Term, context: &mut Context) -> Term {
        if let Some(done) = context.known(term) {
            return done;
        }
        let made = match (term.op(), term.arguments()) {
            (Op::And | Op::Or, parts) if self.flags.context => {
                self.beside_each_other(term.op(), parts, context)
            }
            (Op::Implies, [premise, conclusion]) if self.flags.context => {
                let premise = self.under(premise, context);
                let conclusion = context.assuming(&[(premise.clone(), true)], |c| self.under(conclusion, c));
                Term::of(Op::Implies, [premise, conclusion])
            }
            (Op::Ite, [condition, then, otherwise]) if self.flags.context => {
                let condition = self.under(condition, context);
                let then = context.assuming(&[(condition.clone(), true)], |c| self.under(then, c));
                let otherwise = context.assuming(&[(condition.clone(), false)], |c| self.under(otherwise, c));
                Term::of(Op::Ite, [condition, then, otherwise])
            }
            // What is assumed speaks of free symbols, and a quantifier may bind the same names.
            (Op::Quantified(..), _) => rebuild(term, |a| self.under(a, &mut Context::default())),
            _ => rebuild(term, |a| self.under(a, context)),
        };
        let made = builtin::step(&made, self.flags.arithmetic);
        let made = self.rewrite(made, context);
        let made = if self.flags.decide && is_atom(&made) { self.decided(&made, context) } else { made };
        context.known(&made).unwrap_or(made)
    }

    /// Each part under the others: those before it in their new form, those behind it in their old
    /// one.
    fn beside_each_other(&self, op: &Op, parts: &[Term], context: &mut Context) -> Term {
        let truth = *op == Op::And;
        let mut done: Vec<Term> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let beside: Vec<(Term, bool)> =
                done.iter().chain(&parts[at + 1..]).map(|other| (other.clone(), truth)).collect();
            done.push(context.assuming(&beside, |c| self.under(part, c)));
        }
        Term::of(op.clone(), done)
    }

    fn rewrite(&self, term: Term, context: &mut Context) -> Term {
        let mut term = term;
        for _ in 0..STEPS {
            let Some(next) = self.rules.iter().find_map(|rule| self.apply(rule, &term, context)) else {
                break;
            };
            term = builtin::step(&next, self.flags.arithmetic);
        }
        term
    }

    fn apply(&self, rule: &Rule, term: &Term, context: &mut Context) -> Option<Term> {
        if !rule.condition.is_true() && !self.flags.conditional {
            return None;
        }
        let matches = matching::matches(rule, term, self.flags.associative_commutative);
        let found = matches.into_iter().find(|(map, _)| {
            let condition = substitute(&rule.condition, map);
            condition.is_true() || self.holds(&condition, context)
        });
        let (map, rest) = found?;
        let right = substitute(&rule.right, &map);
        // What an associative operator had beside the match stays beside what the match became.
        Some(if rest.is_empty() { right } else { Term::of(term.op().clone(), [vec![right], rest].concat()) })
    }

    fn holds(&self, condition: &Term, context: &mut Context) -> bool {
        let simplified = Simplifier { flags: Flags { conditional: false, ..self.flags }, rules: Vec::new() }
            .under(condition, context);
        simplified.is_true() || (self.flags.decide && context.implies(&simplified))
    }

    fn decided(&self, atom: &Term, context: &Context) -> Term {
        if context.implies(atom) {
            Term::truth(true)
        } else if context.implies(&atom.negated()) {
            Term::truth(false)
        } else {
            atom.clone()
        }
    }
}

fn is_atom(term: &Term) -> bool {
    let compound = matches!(
        term.op(),
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Implies | Op::Quantified(..)
    );
    let equivalence = matches!((term.op(), term.arguments()), (Op::Equal, [a, _]) if *a.sort() == Sort::Bool);
    *term.sort() == Sort::Bool && !compound && !equivalence && *term.op() != Op::Ite && is_ground(term)
}

/// Formulas that are known to be true or false where we are.
#[derive(Default)]
struct Context {
    truths: HashMap<Term, bool>,
}

impl Context {
    fn known(&self, term: &Term) -> Option<Term> {
        if *term.sort() != Sort::Bool {
            return None;
        }
        self.truths.get(term).map(|value| Term::truth(*value))
    }

    /// Runs under more facts, and forgets them.
    fn assuming<T>(&mut self, facts: &[(Term, bool)], run: impl FnOnce(&mut Context) -> T) -> T {
        let before = self.truths.clone();
        facts.iter().for_each(|(fact, value)| self.learn(fact, *value));
        let result = run(self);
        self.truths = before;
        result
    }

    fn learn(&mut self, fact: &Term, value: bool) {
        match (fact.op(), fact.arguments()) {
            (Op::True | Op::False, _) => {}
            (Op::Not, [a]) => self.learn(a, !value),
            (Op::And, parts) if value => parts.iter().for_each(|part| self.learn(part, true)),
            (Op::Or, parts) if !value => parts.iter().for_each(|part| self.learn(part, false)),
            (Op::Implies, [a, b]) if !value => {
                self.learn(a, true);
                self.learn(b, false);
            }
            _ => drop(self.truths.insert(fact.clone(), value)),
        }
    }

    /// Whether the decision procedures find that a formula follows.
    fn implies(&self, goal: &Term) -> bool {
        let fact = |(fact, value): (&Term, &bool)| if *value { fact.clone() } else { fact.negated() };
        let facts: Vec<Assumption> =
            self.truths.iter().map(fact).filter(is_ground).map(|f| Assumption::new("", f)).collect();
        let options = Options { conflicts: 1_000, instances: 100, ..Options::default() };
        matches!(Embedded::default().check(&facts, goal, &options), Answer::Valid { .. })
    }
}
