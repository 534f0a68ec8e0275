//! Labels in the statements of a program: `await at_m1`, `while ~l3[j] do …`.
//!
//! Where control is can be read like a variable, but while a program is read its locations have no
//! numbers yet: those are in the order of the text, and which locations are one is known at the
//! end. So a label stands for a symbol of its own until then, as do the bounds of the indices of
//! its process. The symbols have names that no text can have. What a statement says of labels is
//! said of the state before it, as of variables; inside a grouped statement, too, control is where
//! it was before the group.

use super::Lowering;
use super::control::Edge;
use super::expressions::without;
use crate::ast::{File, Ident, Name, Statement, StatementKind};
use logic::fol::{Op, Quantifier, Sort, Symbol, Term, rebuild};
use source::{Diagnostic, Span};
use std::collections::HashSet;

/// What begins the names of such symbols.
const AT: &str = "at ";
const LOW: &str = "low ";
const HIGH: &str = "high ";

/// The labels of the program that is being read, and what was said of them.
#[derive(Default)]
pub(crate) struct Ahead {
    labels: HashSet<Name>,
    /// Each use: the label, how many indices stand behind it, where.
    used: Vec<(Name, usize, Span)>,
}

impl Ahead {
    /// The labels that the statements of a file have.
    pub(crate) fn of(file: &File) -> Ahead {
        let mut labels = HashSet::new();
        file.body.iter().for_each(|body| {
            self::labels(body, &mut |label| {
                labels.insert(label.name.clone());
            });
        });
        Ahead { labels, used: Vec::new() }
    }
}

impl Lowering<'_> {
    /// The label of a program being read that a name is, with or without `at_`.
    pub(crate) fn ahead(&self, name: &str) -> Option<Name> {
        let found = |name: &str| self.ahead.labels.get(name).cloned();
        found(name).or_else(|| found(name.strip_prefix("at_")?))
    }

    /// Reads what is no part of a statement: declarations and numbers of processes know no labels.
    pub(crate) fn without_labels<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let labels = std::mem::take(&mut self.ahead.labels);
        let result = read(self);
        self.ahead.labels = labels;
        result
    }

    /// That control is at a label whose location has no number yet.
    pub(crate) fn at_ahead(&mut self, label: Name, indices: &[Term], span: Span) -> Term {
        for (n, index) in indices.iter().enumerate() {
            let bound = |which| Symbol::constant(format!("{which}{n} {label}"), Sort::Int).term();
            let inside =
                Term::all([Term::le(bound(LOW), index.clone()), Term::le(index.clone(), bound(HIGH))]);
            self.check(inside, format!("`{index}` is the index of a process with label `{label}`"), span);
        }
        let sorts = vec![Sort::Int; indices.len()];
        let symbol = Symbol::function(format!("{AT}{label}"), sorts, Sort::Bool);
        self.ahead.used.push((label, indices.len(), span));
        symbol.apply(indices.to_vec())
    }

    /// Puts the locations of labels, whose numbers are known now, into the edges of a program.
    pub(crate) fn labels_known(&mut self, edges: &mut [Edge]) {
        let used = std::mem::take(&mut self.ahead).used;
        if used.is_empty() {
            return;
        }
        for (label, indices, span) in &used {
            self.is_location(label, *indices, *span);
        }
        for edge in edges {
            for arm in &mut edge.arms {
                arm.path.branch = arm.path.branch.map(|e| self.located(e));
                if let Some(half) = &mut arm.path.half {
                    let terms = half.indices.iter_mut().chain(half.sent.iter_mut().flatten());
                    terms.for_each(|e| *e = self.located(e));
                }
            }
            edge.checks.iter_mut().for_each(|c| c.condition = needed(&self.located(&c.condition)));
            edge.checks.retain(|c| !c.condition.is_true());
        }
    }

    /// The labels of the program.
    pub(crate) fn known_labels(&self) -> Vec<String> {
        let locations = self.fts.threads.iter().flat_map(|t| &t.locations);
        let known = locations.flat_map(|l| l.labels.iter().cloned());
        known.chain(self.ahead.labels.iter().map(|name| name.to_string())).collect()
    }

    /// Refuses what names no location.
    fn is_location(&mut self, label: &Name, indices: usize, span: Span) {
        let replicas = self.fts.label(label).map(|_| self.replicas_of(label));
        let message = match replicas {
            None => {
                let diagnostic = Diagnostic::error("E0710", span, format!("no label `{label}`"));
                return self.report(diagnostic.help("labels inside grouped statements are no locations"));
            }
            Some(wanted) if wanted == indices => return,
            Some(wanted) => super::spec::wrong_indices(label, wanted),
        };
        self.misuse(span, message);
    }

    fn replicas_of(&self, label: &str) -> usize {
        self.thread_of(label).map_or(0, |thread| self.threads[thread].replicas.len())
    }

    fn thread_of(&self, label: &str) -> Option<usize> {
        let (thread, _) = self.fts.label(label)?;
        self.fts.threads.iter().position(|t| t.control == thread.control)
    }

    /// A term with locations in the place of labels.
    fn located(&self, e: &Term) -> Term {
        if let Op::Quantified(quantifier, binders) = e.op() {
            let mut binders = binders.clone();
            for (low, high) in binders.iter_mut().filter_map(|b| b.range.as_mut()) {
                (*low, *high) = (self.located(low), self.located(high));
            }
            let body = e.arguments().iter().map(|body| self.located(body));
            return Term::of(Op::Quantified(*quantifier, binders), body);
        }
        let inner = rebuild(e, |part| self.located(part));
        let Op::Apply(symbol) = inner.op() else { return inner };
        self.location_of(&symbol.name, inner.arguments()).unwrap_or(inner)
    }

    fn location_of(&self, symbol: &str, indices: &[Term]) -> Option<Term> {
        if let Some(label) = symbol.strip_prefix(AT) {
            let (thread, number) = self.fts.label(label)?;
            let place = indices.iter().fold(thread.control.term(), |array, index| array.select(index));
            return (*place.sort() == Sort::Int).then(|| Term::eq(place, Term::int(number as i64)));
        }
        let (is_low, rest) = match symbol.strip_prefix(LOW) {
            Some(rest) => (true, rest),
            None => (false, symbol.strip_prefix(HIGH)?),
        };
        let (n, label) = rest.split_once(' ')?;
        let replica = self.threads[self.thread_of(label)?].replicas.get(n.parse::<usize>().ok()?)?;
        Some(if is_low { replica.low.clone() } else { replica.high.clone() })
    }
}

/// A condition without what the bounds of its quantifiers say.
fn needed(condition: &Term) -> Term {
    match (condition.op(), condition.arguments()) {
        (Op::And, parts) => Term::all(parts.iter().map(needed)),
        (Op::Implies, [context, part]) => Term::implication(context.clone(), needed(part)),
        (Op::Quantified(Quantifier::Forall, binders), [body]) => {
            let known: Vec<Term> = binders.iter().flat_map(|b| b.bounds().conjuncts()).collect();
            let left = without(&needed(body), &known);
            if left.is_true() { left } else { Term::every(binders.clone(), left) }
        }
        _ => condition.clone(),
    }
}

/// All labels of a statement and of those inside.
pub(super) fn labels(s: &Statement, found: &mut dyn FnMut(&Ident)) {
    s.labels.iter().chain(&s.after).for_each(&mut *found);
    inside(s, &mut |inner| labels(inner, found));
}

/// All processes that have a name, and where each begins and ends.
pub(super) fn processes(s: &Statement, found: &mut dyn FnMut(&Ident, Span)) {
    if let StatementKind::Process(name, inner) = &s.kind {
        found(name, name.span.to(inner.span));
    }
    inside(s, &mut |inner| processes(inner, found));
}

/// The statements directly inside of one.
fn inside(s: &Statement, visit: &mut dyn FnMut(&Statement)) {
    match &s.kind {
        StatementKind::If(_, then, otherwise) => {
            visit(then);
            otherwise.iter().for_each(|inner| visit(inner));
        }
        StatementKind::When(_, inner)
        | StatementKind::While(_, inner)
        | StatementKind::Loop(inner)
        | StatementKind::Block(_, inner)
        | StatementKind::Group(inner)
        | StatementKind::Replicated(_, _, _, inner)
        | StatementKind::Process(_, inner) => visit(inner),
        StatementKind::Or(parts) | StatementKind::Sequence(parts) | StatementKind::Parallel(parts) => {
            parts.iter().for_each(visit);
        }
        _ => {}
    }
}
