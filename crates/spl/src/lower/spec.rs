//! Specifications: labels as assertions, temporal formulas, axioms, properties, proofs.

use super::Lowering;
use super::scope::Entry;
use super::types::{Ty, Typed, array_of};
use crate::ast::{self, Binary, ExprKind, Quantifier, Unary};
use logic::fol::{Binder, Sort, Symbol, Term};
use logic::ltl::{self, Formula};
use source::{Diagnostic, NameKind, Span};
use system::fts::{Helpful, Parameter, Proof, ProofStep, Property};

impl Lowering<'_> {
    /// Whether a name is a label, with or without `at_`.
    pub(crate) fn is_label(&self, name: &str) -> bool {
        self.ahead(name).is_some()
            || self.fts.label(name).is_some()
            || name.strip_prefix("at_").is_some_and(|l| self.fts.label(l).is_some())
    }

    /// That control is at a label; in a replicated process, that of one replica.
    pub(crate) fn at_label(&mut self, name: &str, indices: &[Term], span: Span) -> Term {
        if let Some(label) = self.ahead(name) {
            return self.at_ahead(label, indices, span);
        }
        let found = self.fts.label(name).or_else(|| self.fts.label(name.strip_prefix("at_")?));
        let Some((thread, number)) = found else {
            let error = Diagnostic::error("E0710", span, format!("no label `{name}`"));
            let error = error.meant(name, self.known_labels().iter().map(String::as_str));
            self.report(error);
            return Term::truth(true);
        };
        let control = thread.control.term();
        let (mut wanted, mut sort) = (0, &thread.control.sort);
        while let Sort::Array(_, element) = sort {
            (wanted, sort) = (wanted + 1, element);
        }
        if indices.len() == wanted {
            let bounds = self.fts.threads.iter().position(|t| t.control == thread.control);
            let bounds = bounds.map(|at| self.threads[at].replicas.clone()).unwrap_or_default();
            for (index, replica) in indices.iter().zip(&bounds) {
                self.check_index(index, (&replica.low, &replica.high), span);
            }
            return Term::eq(
                indices.iter().fold(control, |array, index| array.select(index)),
                Term::int(number as i64),
            );
        }
        self.misuse(span, wrong_indices(name, wanted));
        Term::truth(true)
    }

    pub(crate) fn specification(&mut self) {
        self.declare_outside();
        for (thread, of) in self.fts.threads.iter().zip(&self.threads) {
            let symbol = thread.control.clone();
            let each = |ty: Ty, index: &Parameter| array_of(index.low.clone(), index.high.clone(), ty);
            let ty = of.replicas.iter().rev().fold(Ty::INT, each);
            let value = Typed::term(ty, symbol.term());
            self.scopes.add_outside(&symbol.name, None, Entry::Variable { value, mode: ast::Mode::Local });
        }
        let file = self.file;
        for claim in file.axioms.iter().chain(&file.properties) {
            let whole = claim.name.span.to(claim.formula.span);
            self.names.define_whole(&claim.name, NameKind::Property, whole);
        }
        for claim in &file.axioms {
            let axiom = self.claim(&claim.name, &claim.formula);
            self.fts.axioms.push(axiom);
        }
        for claim in &file.properties {
            let property = self.claim(&claim.name, &claim.formula);
            if self.fts.properties.iter().any(|p| p.name == property.name) {
                let message = format!("property `{}` is stated twice", property.name);
                self.report(Diagnostic::error("E0713", claim.name.span, message));
            }
            self.fts.properties.push(property);
        }
        for proof in &file.proofs {
            self.proof(proof);
        }
        for diagram in &file.diagrams {
            self.diagram(diagram);
        }
        // Who draws a diagram wants to see what comes of it.
        let drawn: Vec<&str> = self.fts.diagrams.iter().map(|d| &d.property[..]).collect();
        self.fts.proofs.retain(|p| p.rule == "diagram" || !drawn.contains(&&*p.property));
    }

    pub(crate) fn claim(&mut self, name: &ast::Ident, formula: &ast::Expr) -> Property {
        self.scopes.enter();
        let mut rigid = Vec::new();
        let (formula_, _) = self.checked(|me| me.temporal(formula, true, &mut rigid));
        self.scopes.leave();
        let given = Term::all(rigid.iter().map(Binder::bounds));
        self.are_constant(vec![(formula.span, given.clone())]);
        Property {
            name: name.name.to_string(),
            given,
            rigid: rigid.into_iter().map(|b| b.symbol).collect(),
            formula: formula_,
            text: self.text_of(formula.span),
            span: name.span,
        }
    }

    fn is_temporal(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(Unary::Temporal(_), _) => true,
            ExprKind::Binary(Binary::Temporal(_) | Binary::Congruent, ..) => true,
            ExprKind::Unary(_, a) | ExprKind::Quantified(_, _, a) => self.is_temporal(a),
            ExprKind::Binary(_, a, b) => self.is_temporal(a) || self.is_temporal(b),
            ExprKind::Name(name) => match self.scopes.find(name) {
                Some(Entry::Macro(at)) => self.file.macros.get(*at).is_some_and(|m| {
                    m.body.span != e.span && self.expanding < 50 && self.is_temporal(&m.body)
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// A temporal formula. A universal quantifier that everything outside of it commutes with
    /// speaks of rigid values.
    fn temporal(&mut self, e: &ast::Expr, universal: bool, rigid: &mut Vec<Binder>) -> Formula<Term> {
        if !self.is_temporal(e) {
            let known = Term::all(rigid.iter().map(Binder::bounds));
            return Formula::Atom(self.stated(e, &known));
        }
        match &e.kind {
            ExprKind::Unary(Unary::Not, a) => Formula::negation(self.temporal(a, false, rigid)),
            ExprKind::Unary(Unary::Temporal(op), a) => {
                let universal = universal && *op == ltl::Unary::Always;
                Formula::unary(*op, self.temporal(a, universal, rigid))
            }
            ExprKind::Binary(op, a, b) => self.temporal_binary(*op, (a, b), universal, rigid),
            ExprKind::Quantified(Quantifier::Forall, bounds, body) if universal => {
                for binder in self.binders(bounds) {
                    rigid.push(binder);
                }
                self.temporal(body, true, rigid)
            }
            ExprKind::Quantified(..) => {
                self.report(
                    Diagnostic::error("E0740", e.span, "a temporal operator inside a quantifier")
                        .help("only a `Forall` directly under `[]` and `/\\` may contain one"),
                );
                Formula::TRUE
            }
            ExprKind::Name(name) => match self.scopes.find(name) {
                Some(Entry::Macro(at)) => {
                    let body = self.file.macros[*at].body.clone();
                    self.mentioned(name, e.span);
                    self.expanding += 1;
                    let formula = self.temporal(&body, universal, rigid);
                    self.expanding -= 1;
                    formula
                }
                _ => Formula::TRUE,
            },
            _ => Formula::Atom(self.assertion(e)),
        }
    }

    fn temporal_binary(
        &mut self,
        op: Binary,
        (a, b): (&ast::Expr, &ast::Expr),
        universal: bool,
        rigid: &mut Vec<Binder>,
    ) -> Formula<Term> {
        let congruent = op == Binary::Congruent;
        let (op, left, right) = match op {
            Binary::And => (ltl::Binary::And, universal, universal),
            Binary::Or => (ltl::Binary::Or, false, false),
            Binary::Implies => (ltl::Binary::Implies, false, universal),
            Binary::Temporal(ltl::Binary::Entails) => (ltl::Binary::Entails, false, universal),
            Binary::Temporal(op) => (op, false, false),
            Binary::Iff | Binary::Congruent => (ltl::Binary::Iff, false, false),
            _ => return Formula::Atom(Term::truth(true)),
        };
        let first = self.temporal(a, left, rigid);
        let second = self.temporal(b, right, rigid);
        let made = match (op, first, second) {
            // As `[] (p --> q)`: where p is false, q need not have a value.
            (ltl::Binary::Entails, Formula::Atom(p), Formula::Atom(q)) => {
                return Formula::unary(ltl::Unary::Always, Formula::Atom(Term::implication(p, q)));
            }
            (op, first, second) => Formula::binary(op, first, second),
        };
        if congruent { Formula::unary(ltl::Unary::Always, made) } else { made }
    }

    fn proof(&mut self, proof: &ast::Proof) {
        let Some(property) = self.fts.properties.iter().find(|p| *p.name == *proof.of.name) else {
            let message = format!("no property `{}`", proof.of.name);
            let known = self.fts.properties.iter().map(|p| p.name.as_str());
            let error = Diagnostic::error("E0741", proof.of.span, message).meant(&proof.of.name, known);
            self.report(error.help("a proof names the property above it: `PROOF name : …`"));
            return;
        };
        let rigid: Vec<Symbol> = property.rigid.clone();
        let of = Some(property.span);
        self.mentioned_as(&proof.of, of);
        proof.using.iter().flatten().for_each(|name| self.mentioned_property(name));
        self.scopes.enter();
        for symbol in &rigid {
            let ty = Ty::of(&symbol.sort);
            let name = symbol.name.split('@').next().unwrap_or_default().into();
            self.scopes.add(&name, Entry::Value(Typed::term(ty, symbol.term())));
        }
        let (steps, _) = self.checked(|me| {
            let steps = proof.steps.iter().map(|step| ProofStep {
                formula: me.step_formula(&step.formula),
                by: step
                    .by
                    .iter()
                    .map(|(name, parameters)| {
                        me.mentioned_label(&name.name, name.span);
                        let parameters = parameters.iter().map(|e| me.any_number(e)).collect();
                        Helpful { name: name.name.to_string(), parameters }
                    })
                    .collect(),
                rank: step.rank.iter().map(|e| me.any_number(e)).collect(),
                text: me.text_of(step.formula.span),
            });
            steps.collect()
        });
        self.scopes.leave();
        self.fts.proofs.push(Proof {
            property: proof.of.name.to_string(),
            rule: proof.rule.name.to_string(),
            steps,
            using: proof.using.as_ref().map(|names| names.iter().map(|i| i.name.to_string()).collect()),
            span: proof.span,
        });
    }

    /// Notes the use of a property or an axiom.
    pub(super) fn mentioned_property(&mut self, name: &ast::Ident) {
        let mut all = self.fts.properties.iter().chain(&self.fts.axioms);
        let defined = all.find(|p| *p.name == *name.name).map(|p| p.span);
        self.mentioned_as(name, defined);
    }

    /// The formula of a step; a step may also be the bare name of a transition or a property.
    fn step_formula(&mut self, e: &ast::Expr) -> Term {
        if let ExprKind::Name(name) = &e.kind {
            let known = self.scopes.find(name).is_some() || self.is_label(name);
            let named = self.fts.transitions.iter().any(|t| *t.name == **name)
                || self.fts.properties.iter().any(|p| *p.name == **name);
            if !known && named {
                let name = ast::Ident { name: name.clone(), span: e.span };
                self.mentioned_property(&name);
                self.mentioned_label(&name.name, name.span);
                return Term::truth(true);
            }
        }
        self.assertion(e)
    }
}

/// What is wrong where a label has other indices than its process.
pub(super) fn wrong_indices(label: &str, wanted: usize) -> String {
    match wanted {
        0 => format!("`{label}` belongs to one process and has no index"),
        1 => format!("`{label}` needs the index of a process: `{label}[i]`"),
        n => format!("`{label}` needs the {n} indices of a process: `{label}[i][j]`"),
    }
}
