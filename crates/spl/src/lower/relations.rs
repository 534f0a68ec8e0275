//! Transitions of plain transition systems.

use super::Lowering;
use super::scope::Entry;
use super::types::{Ty, Typed};
use crate::ast::{Case, TransitionText};
use logic::fol::{Op, Sort, Symbol, Term};
use source::Diagnostic;
use system::fts::{Branch, Parameter, Transition, TypeCheck};

impl Lowering<'_> {
    pub(crate) fn transition_text(&mut self, t: &TransitionText) {
        if self.fts.transitions.iter().any(|other| *other.name == *t.name.name) {
            let message = format!("transition `{}` is defined twice", t.name.name);
            self.report(Diagnostic::error("E0713", t.name.span, message));
        }
        self.scopes.enter();
        let mut parameters = Vec::new();
        for (index, low, high) in &t.parameters {
            let (low, high) = (self.integer(low), self.integer(high));
            let symbol = Symbol::constant(self.unique(&index.name), Sort::Int);
            let ty = Ty::Int(Some(Box::new((low.clone(), high.clone()))));
            self.declare(&index.name, index.span, Entry::Value(Typed::term(ty, symbol.term())));
            parameters.push(Parameter { symbol, low, high });
        }
        let (branches, checks) =
            self.checked(|me| t.cases.iter().flat_map(|c| me.case(c)).collect::<Vec<_>>());
        self.scopes.leave();
        for check in checks {
            self.fts.type_checks.push(TypeCheck {
                what: check.what,
                parameters: parameters.clone(),
                condition: check.condition,
                span: check.span,
            });
        }
        self.fts.transitions.push(Transition {
            name: t.name.name.to_string(),
            parameters,
            branches,
            fairness: t.fairness,
            text: self.text_of(t.span),
            span: t.span,
        });
    }

    fn case(&mut self, case: &Case) -> Vec<Branch> {
        let guard = Term::all(case.enable.iter().map(|e| self.assertion(e)).collect::<Vec<_>>());
        let mut branch = Branch::new(guard.clone(), Vec::new());
        // Values are read where the guard holds; that is for the checks alone.
        let (writes, checks) = self.checked(|me| {
            let pairs = case.assign.iter().map(|(place, value)| {
                let place = me.expecting(false, |me| me.expression(place));
                let value_ = me.value_for(&place.ty, value);
                (place, value_, value.span)
            });
            pairs.collect::<Vec<_>>()
        });
        self.checks.extend(checks.into_iter().map(|c| c.under(&guard)));
        let mut leaves = Vec::new();
        for (place, value, span) in writes {
            let ((), checks) = self.checked(|me| me.pair(&place, value, span, &mut leaves));
            self.checks.extend(checks.into_iter().map(|c| c.under(&guard)));
            self.assigned_once(&leaves, span);
        }
        leaves.into_iter().for_each(|(target, e)| set(&mut branch.updates, &target, e));
        let branch = self.relation(case, branch);
        self.by_constructors(branch)
    }

    /// A chosen value of a datatype that is no tree is one of each constructor, with chosen fields.
    fn by_constructors(&mut self, branch: Branch) -> Vec<Branch> {
        let Some(at) = branch
            .chosen
            .iter()
            .position(|s| s.sort.datatype().is_some_and(|d| !d.is_tree() && !d.is_enumeration()))
        else {
            return vec![branch];
        };
        let mut branch = branch;
        let symbol = branch.chosen.remove(at);
        let variable = symbol.name.trim_end_matches('\'');
        let domain = self.fts.variable(variable).and_then(|v| v.range.clone());
        let mut found = Vec::new();
        for way in self.any_value(&symbol.sort, domain.as_ref()) {
            let value = |s: &Symbol| if *s == symbol { way.terms.first().cloned() } else { None };
            let mut one = branch.clone();
            let choice = std::iter::once(one.choice.substitute(&value)).chain(way.choice.iter().cloned());
            one.choice = Term::all(choice.collect::<Vec<_>>());
            one.updates.iter_mut().for_each(|(_, e)| *e = e.substitute(&value));
            one.chosen.extend(way.symbols.iter().cloned());
            found.extend(self.by_constructors(one));
        }
        found.retain(|b| b.choice != Term::truth(false));
        found
    }

    /// That a new value is one of the variable's type. The transition is not enabled otherwise: a
    /// relation is about values that the variable can have.
    fn is_value(&self, of: &Symbol, value: &Term) -> Term {
        let domain = self.fts.variable(&of.name).and_then(|v| v.range.clone());
        domain.map_or_else(|| Term::truth(true), |domain| domain.contains(value))
    }

    /// `x' = e` is an assignment; other relations choose the new values.
    fn relation(&mut self, case: &Case, mut branch: Branch) -> Branch {
        self.primed = Some(Vec::new());
        let guard = branch.guard.clone();
        // As assignments are, it is evaluated where the guard holds.
        let (relation, checks) =
            self.checked(|me| case.relation.iter().map(|e| me.assertion(e)).collect::<Vec<_>>());
        self.checks.extend(checks.into_iter().map(|c| c.under(&guard)));
        let relation = Term::all(relation);
        let primed = self.primed.take().unwrap_or_default();
        let mut choice = Vec::new();
        let is_next = |e: &Term| primed.iter().find(|(_, next)| *e == next.term());
        let plain = |e: &Term| !e.symbols().keys().any(|name| name.ends_with('\''));
        for conjunct in relation.conjuncts() {
            let equation = match (conjunct.op(), conjunct.arguments()) {
                (Op::Equal, [a, b]) => match (is_next(a), is_next(b)) {
                    (Some((of, _)), _) if plain(b) => Some((of, b.clone())),
                    (_, Some((of, _))) if plain(a) => Some((of, a.clone())),
                    _ => None,
                },
                _ => None,
            };
            match equation {
                Some((of, value)) if !branch.updates.iter().any(|(s, _)| s == of) => {
                    branch.guard = Term::all([branch.guard, self.is_value(of, &value)]);
                    branch.updates.push((of.clone(), value));
                }
                _ if plain(&conjunct) => branch.guard = Term::all([branch.guard, conjunct]),
                _ => choice.push(conjunct),
            }
        }
        // Values that an equation gives are known in the rest of the relation.
        let known = branch.updates.clone();
        let value = |s: &Symbol| {
            let (of, _) = primed.iter().find(|(_, next)| next == s)?;
            known.iter().find(|(v, _)| v == of).map(|(_, e)| e.clone())
        };
        branch.choice = Term::all(choice.iter().map(|c| c.substitute(&value)));
        for (of, next) in &primed {
            if !known.iter().any(|(v, _)| v == of) {
                branch.choice = Term::all([branch.choice, self.is_value(of, &next.term())]);
                branch.chosen.push(next.clone());
                branch.updates.push((of.clone(), next.term()));
            }
        }
        branch
    }
}

fn set(updates: &mut Vec<(Symbol, Term)>, target: &Term, value: Term) {
    match (target.op(), target.arguments()) {
        (Op::Apply(symbol), []) => match updates.iter_mut().find(|(s, _)| s == symbol) {
            Some((_, old)) => *old = value,
            None => updates.push((symbol.clone(), value)),
        },
        (Op::Select, [array, index]) => {
            let written = array.as_symbol().and_then(|symbol| updates.iter().find(|(s, _)| s == symbol));
            let before = written.map_or_else(|| array.clone(), |(_, e)| e.clone());
            set(updates, array, before.store(index, &value));
        }
        _ => {}
    }
}
