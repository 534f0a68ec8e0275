//! Finite differencing: how a derived predicate changes when an action updates the predicates it is
//! made of.
//!
//! After Reps, Sagiv and Loginov. For p = φ, two formulas over the old state: Δ+\[φ\], φ becomes
//! true, and Δ−\[φ\], φ becomes false; then p' = p ? !Δ−\[φ\] : Δ+\[φ\]. This keeps what p
//! remembers where φ itself could no longer be evaluated. What φ will be is F\[φ\]: φ with the
//! updates put in for the predicates. A closure whose steps change is evaluated anew (F\[φ\]),
//! which is right and may be 1/2; `reach` knows better if only one edge changes.

use std::collections::{BTreeSet, HashMap};
use structures::action::Update;
use structures::formula::{FALSE, Formula, Var, and, atom, choose, exists, not, or};
use structures::vocabulary::Symbol;

/// The updates of an action by predicate.
pub type Updates = HashMap<Symbol, Update>;

/// The update of a derived predicate that follows from those of an action; `next` is above all
/// variables of the action. `None` if it does not change.
pub fn update(symbol: Symbol, definition: &Formula, updates: &Updates, next: Var) -> Option<Update> {
    let mut made_of = BTreeSet::new();
    definition.symbols(&mut made_of);
    if !made_of.iter().any(|s| updates.contains_key(s)) {
        return None;
    }
    let arity = symbol.arity() as Var;
    let parameters: Vec<Var> = (next..next + arity).collect();
    let inside = next + arity;
    let phi = definition.rename(&|v| if v < arity { next + v } else { v }, inside);
    let p = atom(symbol, &parameters);
    let (plus, minus) = Differencing { updates }.delta(&phi, Some(&p), inside);
    if plus == FALSE && minus == FALSE {
        return None;
    }
    let parameters = [next, if arity > 1 { next + 1 } else { next }];
    Some(Update { symbol, parameters, formula: choose(p, not(minus), plus) })
}

/// Δ+ and Δ− of a predicate for these arguments; `next` is above them and all variables of the
/// action.
pub fn changes(updates: &Updates, symbol: Symbol, arguments: [Var; 2], next: Var) -> (Formula, Formula) {
    Differencing { updates }.atom(symbol, &arguments[..symbol.arity()], next)
}

struct Differencing<'a> {
    updates: &'a Updates,
}

impl Differencing<'_> {
    /// Δ+ and Δ−; `stored` is a predicate that has the value of `f`. Bound variables are numbered
    /// from `next` on.
    fn delta(&self, f: &Formula, stored: Option<&Formula>, next: Var) -> (Formula, Formula) {
        let now = |f: &Formula| stored.cloned().unwrap_or_else(|| f.clone());
        match f {
            Formula::Constant(_) | Formula::Equal(..) => (FALSE, FALSE),
            Formula::Atom(symbol, arguments) => self.atom(*symbol, &arguments[..symbol.arity()], next),
            Formula::Not(inner) => {
                let stored = stored.map(|p| not(p.clone()));
                let (plus, minus) = self.delta(inner, stored.as_ref(), next);
                (minus, plus)
            }
            Formula::And(parts) => self.conjunction(parts, next),
            Formula::Or(parts) => {
                let negated: Vec<Formula> = parts.iter().map(|p| not(p.clone())).collect();
                let (plus, minus) = self.conjunction(&negated, next);
                (minus, plus)
            }
            Formula::Exists(v, bound) => {
                let body = bound.body.rename(&|old| if old == *v { next } else { old }, next + 1);
                let (plus, minus) = self.delta(&body, None, next + 1);
                let becomes = and([exists(next, plus), not(now(f))]);
                let ends = match minus {
                    FALSE => FALSE,
                    minus => and([exists(next, minus), not(exists(next, self.future(&body, next + 1)))]),
                };
                (becomes, ends)
            }
            Formula::Forall(v, bound) => {
                let negated = exists(*v, not(bound.body.clone()));
                let stored = stored.map(|p| not(p.clone()));
                let (plus, minus) = self.delta(&negated, stored.as_ref(), next);
                (minus, plus)
            }
            Formula::Closure(_) | Formula::If(_) => {
                let mut made_of = BTreeSet::new();
                f.symbols(&mut made_of);
                if !made_of.iter().any(|s| self.updates.contains_key(s)) {
                    return (FALSE, FALSE);
                }
                let future = self.future(f, next);
                (and([future.clone(), not(now(f))]), and([now(f), not(future)]))
            }
        }
    }

    /// One by one from the left: what was taken in so far, and the next part.
    fn conjunction(&self, parts: &[Formula], next: Var) -> (Formula, Formula) {
        let Some((first, rest)) = parts.split_first() else { return (FALSE, FALSE) };
        let (mut plus, mut minus) = self.delta(first, None, next);
        let mut before = first.clone();
        for part in rest {
            let (more, less) = self.delta(part, None, next);
            plus = or([and([plus, self.future(part, next)]), and([self.future(&before, next), more])]);
            minus = or([and([minus, part.clone()]), and([before.clone(), less])]);
            before = and([before, part.clone()]);
        }
        (plus, minus)
    }

    fn atom(&self, symbol: Symbol, arguments: &[Var], next: Var) -> (Formula, Formula) {
        let Some(update) = self.updates.get(&symbol) else { return (FALSE, FALSE) };
        let p = atom(symbol, arguments);
        let new = update.value_for(arguments, next);
        let others = |parts: &[Formula]| parts.iter().filter(|f| **f != p).cloned().collect::<Vec<_>>();
        match &new {
            Formula::Or(parts) if parts.contains(&p) => (or(others(parts)), FALSE),
            Formula::And(parts) if parts.contains(&p) => (FALSE, and([p.clone(), not(and(others(parts)))])),
            Formula::If(parts) if parts[1] == p || parts[2] == p => {
                // It changes only where the condition has the one value.
                let [condition, then, otherwise] = &**parts;
                let (here, value) = match *otherwise == p {
                    true => (condition.clone(), then.clone()),
                    false => (not(condition.clone()), otherwise.clone()),
                };
                (and([here.clone(), value.clone(), not(p.clone())]), and([here, p, not(value)]))
            }
            _ => (and([new.clone(), not(p.clone())]), and([p, not(new)])),
        }
    }

    /// What the formula will be after the action.
    fn future(&self, f: &Formula, next: Var) -> Formula {
        f.replace(&|v| v, next, &mut |symbol, arguments, next| match self.updates.get(&symbol) {
            Some(update) => update.value_for(arguments, next),
            None => atom(symbol, arguments),
        })
    }
}
