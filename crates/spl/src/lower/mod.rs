//! Syntax tree to fair transition system: names, types, control, transitions, specification.
//!
//! The table of statements is that of Manna and Pnueli (*Temporal Verification of Reactive
//! Systems*): which statement is which transition, and how fair. `loop forever`, `;`, blocks and
//! labels are no transitions; `while` and `if` are one each, with two ways out.

mod ahead;
mod bounds;
mod control;
mod data;
mod diagrams;
mod exact;
mod expressions;
mod finish;
mod paths;
mod relations;
mod scope;
mod spec;
mod types;

use crate::ast::{self, File};
use ahead::Ahead;
use control::{Edge, Thread};
use expressions::Check;
use logic::fol::{Sort, Symbol, Term};
use scope::{Entry, Scopes, parts};
use source::{Diagnostic, NameKind, Recorder, SourceMap, Span};
use std::collections::HashMap;
use system::fts::{Fts, Parameter, Property};
use types::Ty;

pub(crate) struct Lowering<'a> {
    file: &'a File,
    texts: &'a SourceMap,
    fts: Fts,
    initial: Vec<Term>,
    /// How many formulas have no value somewhere.
    open: usize,
    scopes: Scopes,
    /// Variables of blocks by the names that specifications use.
    spec_names: Vec<(ast::Ident, Entry)>,
    types: HashMap<ast::Name, Ty>,
    /// The datatype whose fields are being read.
    defining: Option<ast::Name>,
    channels: usize,
    choices: usize,
    /// Bound variables that were renamed.
    renamed: usize,
    /// The indices of the replicated processes being read, the outermost first.
    replicas: Vec<Parameter>,
    threads: Vec<Thread>,
    edges: Vec<Edge>,
    /// The labels of the program while it is being read.
    ahead: Ahead,
    /// By thread: the numbers of the locations that matter.
    numbers: Vec<HashMap<usize, usize>>,
    /// Checks of the expression being read.
    checks: Vec<Check>,
    /// New values that the relation being read speaks of, each with its variable.
    primed: Option<Vec<(Symbol, Symbol)>>,
    /// Whether the value of the expression being read is expected to be a real number.
    exact: bool,
    /// How many macros are being expanded.
    expanding: usize,
    /// How many macros were expanded so far.
    expansions: usize,
    diagnostics: Vec<Diagnostic>,
    /// What names mean; never asked here.
    names: Recorder,
    /// Where labels and transitions stand.
    labels: HashMap<ast::Name, Span>,
}

/// The system that a file describes.
pub fn lower(file: &File, texts: &SourceMap, name: &str) -> (Fts, Vec<Diagnostic>) {
    let lowering = lowered(file, texts, name);
    (lowering.fts, lowering.diagnostics)
}

/// As [`lower`], with what the names mean.
pub fn lower_names(file: &File, texts: &SourceMap) -> (Fts, Vec<Diagnostic>, Recorder) {
    let lowering = lowered(file, texts, "");
    (lowering.fts, lowering.diagnostics, lowering.names)
}

/// As [`lower`], with one more property that is not in the file.
pub fn lower_with(
    file: &File,
    texts: &SourceMap,
    name: &str,
    claim: &ast::Claim,
) -> (Fts, Property, Vec<Diagnostic>) {
    let mut lowering = lowered(file, texts, name);
    let property = lowering.claim(&claim.name, &claim.formula);
    (lowering.fts, property, lowering.diagnostics)
}

/// Formulas that are not in the file.
pub fn lower_claims(
    file: &File,
    texts: &SourceMap,
    claims: &[ast::Claim],
) -> (Vec<Property>, Vec<Diagnostic>) {
    let mut lowering = lowered(file, texts, "");
    let properties = claims.iter().map(|c| lowering.claim(&c.name, &c.formula)).collect();
    (properties, lowering.diagnostics)
}

fn lowered<'a>(file: &'a File, texts: &'a SourceMap, name: &str) -> Lowering<'a> {
    let mut lowering = Lowering {
        file,
        texts,
        fts: Fts { name: name.to_string(), ..Fts::default() },
        initial: Vec::new(),
        open: 0,
        scopes: Scopes::default(),
        spec_names: Vec::new(),
        types: HashMap::new(),
        defining: None,
        channels: 0,
        choices: 0,
        renamed: 0,
        replicas: Vec::new(),
        threads: Vec::new(),
        edges: Vec::new(),
        ahead: Ahead::default(),
        numbers: Vec::new(),
        checks: Vec::new(),
        primed: None,
        exact: false,
        expanding: 0,
        expansions: 0,
        diagnostics: Vec::new(),
        names: Recorder::default(),
        labels: HashMap::new(),
    };
    lowering.whole();
    lowering
}

impl Lowering<'_> {
    fn whole(&mut self) {
        let file = self.file;
        self.scopes.enter();
        self.places();
        for definition in &file.types {
            let name = definition.name.name.clone();
            let ty = match &definition.definition {
                None => Ty::Opaque(Sort::Opaque(name)),
                Some(ast::Type { kind: ast::TypeKind::Enumeration(values), .. }) => {
                    self.enumeration(name, values)
                }
                Some(ast::Type { kind: ast::TypeKind::Data(constructors), .. }) => {
                    self.datatype(&definition.name, constructors)
                }
                Some(definition) => self.resolve(definition),
            };
            if self.types.insert(definition.name.name.clone(), ty).is_some() {
                let message = format!("type `{}` is defined twice", definition.name.name);
                self.report(Diagnostic::error("E0713", definition.name.span, message));
            }
        }
        for (at, definition) in file.macros.iter().enumerate() {
            let whole = definition.name.span.to(definition.body.span);
            self.names.define_whole(&definition.name, NameKind::Macro, whole);
            definition.parameters.iter().for_each(|p| self.names.define(p, NameKind::Parameter));
            self.declare(&definition.name.name, definition.name.span, Entry::Macro(at));
        }
        file.declarations.iter().for_each(|d| self.declaration(d));
        let initially = file.initially.iter().flat_map(parts);
        let initially: Vec<Term> = initially.map(|e| self.stated(e, &Term::truth(true))).collect();
        self.initial.extend(initially);
        if let Some(body) = &file.body {
            if !file.transitions.is_empty() {
                let message = "a program beside transitions";
                let help = "what a transition assigns stands behind `assign`";
                self.report(Diagnostic::error("E0747", body.span, message).help(help));
            }
            self.ahead = Ahead::of(file);
            self.program(body);
        }
        self.finish();
        file.transitions.iter().for_each(|t| self.transition_text(t));
        self.fts.initial = Term::all(std::mem::take(&mut self.initial));
        self.specification();
        self.bounds_are_constant();
        self.sorted();
    }

    /// Notes the names that are known all over the file: types, processes, labels, transitions.
    fn places(&mut self) {
        let file = self.file;
        file.types.iter().for_each(|t| self.names.define(&t.name, NameKind::Type));
        let mut labels: Vec<ast::Ident> = Vec::new();
        if let Some(body) = &file.body {
            ahead::labels(body, &mut |label| labels.push(label.clone()));
            ahead::processes(body, &mut |name, whole| {
                self.names.define_whole(name, NameKind::Process, whole);
            });
        }
        for t in &file.transitions {
            self.names.define_whole(&t.name, NameKind::Action, t.span);
            self.labels.insert(t.name.name.clone(), t.name.span);
        }
        for label in labels {
            self.names.define(&label, NameKind::Label);
            self.labels.entry(label.name).or_insert(label.span);
        }
    }

    /// What is wrong with types was said where it was read; a formula without a sort that slipped
    /// through is refused here.
    fn sorted(&mut self) {
        let is_formula = |e: &Term| *e.sort() == Sort::Bool;
        let branch = |b: &system::fts::Branch| {
            let fits = |(symbol, value): &(Symbol, Term)| symbol.sort == *value.sort();
            is_formula(&b.guard) && is_formula(&b.choice) && b.updates.iter().all(fits)
        };
        let transitions = self.fts.transitions.iter().map(|t| (t.span, t.branches.iter().all(branch)));
        let checks = self.fts.type_checks.iter().map(|c| (c.span, is_formula(&c.condition)));
        let properties = self.fts.properties.iter().chain(&self.fts.axioms).map(|p| {
            let mut all = is_formula(&p.given);
            p.formula.clone().map(&mut |e: Term| all &= is_formula(&e));
            (p.span, all)
        });
        let variables = self.fts.variables.first().map(|v| (v.span, is_formula(&self.fts.initial)));
        let wrong = transitions.chain(checks).chain(properties).chain(variables).find(|(_, fits)| !fits);
        if let Some((span, _)) = wrong
            && self.diagnostics.iter().all(|d| !d.is_error())
        {
            self.report(Diagnostic::error("E0720", span, "a value here has another type than its place"));
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The text of a span in one line.
    pub(crate) fn text_of(&self, span: Span) -> String {
        let text =
            self.texts.get(span.file).and_then(|t| t.content.get(span.start as usize..span.end as usize));
        let line = text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(100) {
            Some((cut, _)) => format!("{} …", &line[..cut]),
            None => line,
        }
    }
}
