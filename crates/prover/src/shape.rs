//! Which rule fits a formula: invariances, nested wait-for formulas, responses.

use logic::fol::Term;
use logic::ltl::{Binary, Formula, Unary};

/// A property as the rules see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `[] p`.
    Invariance(Term),
    /// `p ==> q_m W … W q_0`, q_m first.
    WaitFor(Term, Vec<Term>),
    /// `q_m W … W q_0` of the initial states.
    Precedence(Vec<Term>),
    /// `p ==> <> q`.
    Response(Term, Term),
    /// `<> q`: from the initial states.
    Guarantee(Term),
    /// An assertion about the initial states.
    Initial(Term),
    /// Recurrence, persistence, reactivity: a goal that comes where others come again and again.
    Recurrence(Recurrence),
    /// All of these.
    Conjunction(Vec<Shape>),
}

/// From `from`, or from the initial states, `goal` comes on every run on which each of `again` is
/// true again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// Where it begins; in the initial states if there is none.
    pub from: Option<Term>,
    /// What recurs on the runs that it speaks of.
    pub again: Vec<Term>,
    /// What comes.
    pub goal: Term,
}

/// A formula without temporal operators.
pub fn assertion(f: &Formula<Term>) -> Option<Term> {
    Some(match f {
        Formula::Constant(b) => Term::truth(*b),
        Formula::Atom(e) => e.clone(),
        Formula::Unary(Unary::Not, a) => Term::negation(assertion(a)?),
        Formula::Unary(..) => return None,
        Formula::Binary(op, a, b) => {
            let (a, b) = (assertion(a)?, assertion(b)?);
            match op {
                Binary::And => Term::all([a, b]),
                Binary::Or => Term::any([a, b]),
                Binary::Implies => Term::implication(a, b),
                Binary::Iff => Term::eq(a, b),
                _ => return None,
            }
        }
    })
}

/// The shape of a formula, if a rule fits it.
pub fn shape(f: &Formula<Term>) -> Option<Shape> {
    simple(f).or_else(|| recurrence(f).map(Shape::Recurrence))
}

fn simple(f: &Formula<Term>) -> Option<Shape> {
    match f {
        Formula::Binary(Binary::And, a, b) if assertion(f).is_none() => {
            let mut parts = Vec::new();
            for part in [a, b] {
                match shape(part)? {
                    Shape::Conjunction(more) => parts.extend(more),
                    other => parts.push(other),
                }
            }
            Some(Shape::Conjunction(parts))
        }
        Formula::Unary(Unary::Always, inner) => always(inner),
        Formula::Binary(Binary::Entails, p, q) => entails(assertion(p)?, q),
        Formula::Unary(Unary::Eventually, q) => Some(Shape::Guarantee(assertion(q)?)),
        Formula::Binary(Binary::WeakUntil, ..) => Some(Shape::Precedence(waits(f)?)),
        f => assertion(f).map(Shape::Initial),
    }
}

fn always(f: &Formula<Term>) -> Option<Shape> {
    if let Some(p) = assertion(f) {
        return Some(Shape::Invariance(p));
    }
    match f {
        Formula::Unary(Unary::Always, inner) => always(inner),
        Formula::Binary(Binary::Implies | Binary::Entails, p, q) => entails(assertion(p)?, q),
        Formula::Binary(Binary::And, a, b) => {
            let mut parts = Vec::new();
            for part in [a, b] {
                match always(part)? {
                    Shape::Conjunction(more) => parts.extend(more),
                    other => parts.push(other),
                }
            }
            Some(Shape::Conjunction(parts))
        }
        f => entails(Term::truth(true), f),
    }
}

fn entails(p: Term, q: &Formula<Term>) -> Option<Shape> {
    if let Some(q) = assertion(q) {
        return Some(Shape::Invariance(Term::implication(p, q)));
    }
    match q {
        Formula::Unary(Unary::Eventually, goal) => Some(Shape::Response(p, assertion(goal)?)),
        Formula::Unary(Unary::Always, inner) => {
            // p ==> [] q is [](<-> p --> q); as a wait-for formula: p ==> q W false.
            Some(Shape::WaitFor(p, vec![assertion(inner)?, Term::truth(false)]))
        }
        Formula::Binary(Binary::WeakUntil, ..) => Some(Shape::WaitFor(p, waits(q)?)),
        Formula::Binary(Binary::Implies, p2, q) => entails(Term::all([p, assertion(p2)?]), q),
        _ => None,
    }
}

/// The intervals of a nested wait-for formula, the first first.
fn waits(f: &Formula<Term>) -> Option<Vec<Term>> {
    match f {
        Formula::Binary(Binary::WeakUntil, q, rest) => {
            let mut all = vec![assertion(q)?];
            all.extend(waits(rest)?);
            Some(all)
        }
        f => Some(vec![assertion(f)?]),
    }
}

/// A formula as a disjunction of what recurs, what settles and what comes.
///
/// `<>[] p` is "`~p` does not recur". Where something recurs among the disjuncts, every state must
/// lead to one of those that come, so that either something comes that is asked for once, or what
/// recurs does.
fn recurrence(f: &Formula<Term>) -> Option<Recurrence> {
    let mut found = Disjuncts::default();
    let from = match f {
        Formula::Unary(Unary::Always, inner) if assertion(inner).is_none() => match &**inner {
            // []<> q, and what settles or recurs: the same from every state.
            Formula::Unary(Unary::Eventually, _) => {
                found.collect(f, true)?;
                Some(Term::truth(true))
            }
            inner => {
                found.collect(inner, true)?;
                Some(Term::truth(true))
            }
        },
        Formula::Binary(Binary::Entails, p, q) => {
            found.collect(q, true)?;
            Some(assertion(p)?)
        }
        f => {
            found.collect(f, true)?;
            None
        }
    };
    let otherwise = Term::negation(Term::any(found.now));
    let from = match (found.recurs, from) {
        (true, _) => Some(Term::truth(true)),
        (false, Some(from)) => Some(Term::all([from, otherwise])),
        (false, None) if otherwise.is_true() => None,
        // Runs begin in the initial states, which the caller knows.
        (false, None) => return None,
    };
    Some(Recurrence { from, again: found.again, goal: Term::any(found.goal) })
}

#[derive(Default)]
struct Disjuncts {
    /// About the state in which the formula is asked about.
    now: Vec<Term>,
    again: Vec<Term>,
    goal: Vec<Term>,
    /// Whether a goal must come again and again.
    recurs: bool,
}

impl Disjuncts {
    fn collect(&mut self, f: &Formula<Term>, positive: bool) -> Option<()> {
        let signed = |e: Term| if positive { e } else { Term::negation(e) };
        if let Some(e) = assertion(f) {
            self.now.push(signed(e));
            return Some(());
        }
        match f {
            Formula::Unary(Unary::Not, a) => self.collect(a, !positive),
            Formula::Binary(Binary::Or, a, b) if positive => {
                self.collect(a, true)?;
                self.collect(b, true)
            }
            Formula::Binary(Binary::And, a, b) if !positive => {
                self.collect(a, false)?;
                self.collect(b, false)
            }
            Formula::Binary(Binary::Implies, a, b) if positive => {
                self.collect(a, false)?;
                self.collect(b, true)
            }
            Formula::Unary(outer @ (Unary::Always | Unary::Eventually), a) => {
                self.modal(*outer == Unary::Always, a, positive)
            }
            _ => None,
        }
    }

    /// `[] a` or `<> a`, or its negation.
    fn modal(&mut self, always: bool, a: &Formula<Term>, positive: bool) -> Option<()> {
        let signed = |e: Term| if positive { e } else { Term::negation(e) };
        match a {
            // []<> p, or the negation of <>[] p: what recurs.
            Formula::Unary(Unary::Eventually, p) if always && positive => {
                self.recurs = true;
                self.goal.push(assertion(p)?);
            }
            Formula::Unary(Unary::Always, p) if !always && !positive => {
                self.recurs = true;
                self.goal.push(Term::negation(assertion(p)?));
            }
            // The negation of []<> p, or <>[] p: what does not recur.
            Formula::Unary(Unary::Eventually, p) if always => self.again.push(assertion(p)?),
            Formula::Unary(Unary::Always, p) if !always => self.again.push(Term::negation(assertion(p)?)),
            // <> p, or the negation of [] p.
            p if always != positive => self.goal.push(signed(assertion(p)?)),
            _ => return None,
        }
        Some(())
    }
}
