//! Names: what each stands for, innermost first.

use super::Lowering;
use super::types::{Tree, Ty, Typed, array_of};
use crate::ast::{Binary, ExprKind, Ident, Name, Statement};
use logic::fol::{Sort, Symbol, Term};
use source::{Diagnostic, NameKind, Span};
use std::collections::HashMap;
use system::fts::{Mode, Parameter, Rigid, Variable};

/// The least and the greatest of each index.
pub(crate) type Bounds = Vec<(Term, Term)>;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// Something with a value, that cannot be assigned to: constants, bound variables, parameters.
    Value(Typed),
    /// A variable; the tree reads it.
    Variable {
        value: Typed,
        mode: crate::ast::Mode,
    },
    /// With the types of its arguments and of its value.
    Function(Symbol, Vec<Ty>, Ty),
    /// A synchronous channel, by its number; a family of them if it is an array. Of the indices
    /// `implied` are those of the processes that it is declared in.
    Channel {
        id: usize,
        bounds: Bounds,
        implied: usize,
        element: Ty,
    },
    /// An argument of a macro: as it is, and where a real number is expected.
    Argument {
        value: Typed,
        exact: Box<Typed>,
    },
    /// A macro, by its position in the file.
    Macro(usize),
    /// The n-th constructor of a datatype, if it has fields.
    Constructor(Ty, usize),
    Tester(Ty, usize),
    /// A variable of several blocks, where a specification names it.
    Ambiguous,
}

#[derive(Default)]
pub(crate) struct Scopes {
    /// What names stand for, and where each was declared, if that is in the text.
    frames: Vec<HashMap<Name, (Entry, Option<Span>)>>,
}

impl Scopes {
    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        self.frames.iter().rev().find_map(|frame| frame.get(name)).map(|(entry, _)| entry)
    }

    /// Where the name that counts here was declared.
    fn place(&self, name: &str) -> Option<Span> {
        self.frames.iter().rev().find_map(|frame| frame.get(name)).and_then(|(_, place)| *place)
    }

    /// The names of what has a value.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        let entries = self.frames.iter().flatten();
        let wanted =
            |entry: &Entry| matches!(entry, Entry::Value(_) | Entry::Variable { .. } | Entry::Macro(_));
        entries.filter(move |(_, (entry, _))| wanted(entry)).map(|(name, _)| &**name)
    }

    /// Whether the name means what the whole file declares, and nothing inside of it.
    pub(crate) fn is_outermost(&self, name: &str) -> bool {
        let inner = self.frames.iter().skip(1).any(|frame| frame.contains_key(name));
        !inner && self.frames.first().is_some_and(|frame| frame.contains_key(name))
    }

    pub(crate) fn enter(&mut self) {
        self.frames.push(HashMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.frames.pop();
    }

    /// Whether the innermost frame has the name already.
    pub(crate) fn add(&mut self, name: &Name, entry: Entry) -> bool {
        self.add_at(name, None, entry)
    }

    /// As [`Scopes::add`], of a name that is declared in the text.
    pub(crate) fn add_at(&mut self, name: &Name, place: Option<Span>, entry: Entry) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        frame.insert(name.clone(), (entry, place)).is_some()
    }

    /// Adds to the outermost frame, if the name is free there.
    pub(crate) fn add_outside(&mut self, name: &Name, place: Option<Span>, entry: Entry) {
        if let Some(frame) = self.frames.first_mut() {
            frame.entry(name.clone()).or_insert((entry, place));
        }
    }
}

impl Entry {
    /// What it is called in an editor.
    fn kind(&self) -> NameKind {
        match self {
            Entry::Value(_) => NameKind::Constant,
            Entry::Variable { .. } | Entry::Channel { .. } | Entry::Ambiguous => NameKind::Variable,
            Entry::Argument { .. } => NameKind::Parameter,
            Entry::Macro(_) => NameKind::Macro,
            Entry::Function(..) | Entry::Constructor(..) | Entry::Tester(..) => NameKind::Function,
        }
    }
}

impl Lowering<'_> {
    pub(crate) fn declare(&mut self, name: &Name, span: Span, entry: Entry) {
        if self.file.body.is_some() && is_control(name) {
            let message = format!("`{name}` is the name of a control variable");
            let help = "`pi0`, `pi1`, … say where processes are; choose another name";
            self.report(Diagnostic::error("E0744", span, message).help(help));
        }
        self.names.define(&Ident { name: name.clone(), span }, entry.kind());
        if self.scopes.add_at(name, Some(span), entry) {
            self.report(Diagnostic::error("E0713", span, format!("`{name}` is declared twice")));
        }
    }

    /// Notes what a name means here: what is declared, or else a place in the program.
    pub(crate) fn mentioned(&mut self, name: &Name, used: Span) {
        if let Some(defined) = self.scopes.place(name) {
            self.names.mean_at(name, used, defined);
        } else if self.scopes.find(name).is_none() {
            self.mentioned_label(name, used);
        }
    }

    /// Notes the use of a label, with or without `at_`.
    pub(crate) fn mentioned_label(&mut self, name: &Name, used: Span) {
        const AT: &str = "at_";
        if let Some(defined) = self.labels.get(name) {
            self.names.mean_at(name, used, *defined);
        } else if let Some((label, defined)) =
            name.strip_prefix(AT).and_then(|label| self.labels.get_key_value(label))
        {
            let used = Span { start: used.start + AT.len() as u32, ..used };
            self.names.mean_at(label, used, *defined);
        }
    }

    /// Notes the use of a property, a transition or another name that has a place of its own.
    pub(crate) fn mentioned_as(&mut self, name: &Ident, defined: Option<Span>) {
        if let Some(defined) = defined {
            self.names.mean(name, defined);
        }
    }

    pub(crate) fn declaration(&mut self, declaration: &crate::ast::Declaration) {
        let ty = self.resolve(&declaration.of);
        for name in &declaration.names {
            match declaration.mode {
                crate::ast::Mode::Value => self.rigid(&name.name, name.span, &ty),
                mode => self.variable(&name.name, name.span, &ty, mode),
            }
        }
        for condition in &declaration.initially {
            let known = Term::all(self.replicas.iter().map(Parameter::bounds));
            let each = parts(condition).into_iter().map(|part| self.stated(part, &known));
            let each: Vec<Term> = each.flat_map(|part| part.conjuncts()).collect();
            // Inside a replicated process it is said of every replica.
            let each = each.into_iter();
            let each: Vec<Term> = each.map(|c| super::finish::for_all(&self.replicas, c)).collect();
            if declaration.mode == crate::ast::Mode::Value {
                self.fts.assumptions.extend(each);
            } else {
                self.initial.extend(each);
            }
        }
    }

    fn rigid(&mut self, name: &Name, span: Span, ty: &Ty) {
        let entry = match ty {
            Ty::Function(arguments, result) => {
                let sorts: Vec<Sort> = arguments.iter().map(Ty::sort).collect();
                let symbol = Symbol::function(name.clone(), sorts.clone(), result.sort());
                self.add_rigid(name, sorts, result.sort(), span);
                Entry::Function(symbol, arguments.clone(), (**result).clone())
            }
            _ => {
                let value = self.flatten(name, ty, &mut |me, symbol, ty| {
                    me.add_rigid(&symbol.name, Vec::new(), symbol.sort.clone(), span);
                    if let Some(domain) = ty.domain() {
                        me.fts.assumptions.push(domain.contains(&symbol.term()));
                    }
                });
                Entry::Value(value)
            }
        };
        self.declare(name, span, entry);
    }

    fn add_rigid(&mut self, name: &Name, arguments: Vec<Sort>, result: Sort, span: Span) {
        self.fts.rigid.push(Rigid { name: name.clone(), arguments, result, span });
    }

    /// A variable of a program. In a replicated process it becomes an array over the index, in one
    /// inside another one of arrays.
    fn variable(&mut self, name: &Name, span: Span, ty: &Ty, mode: crate::ast::Mode) {
        if let Some((id, bounds, element)) = self.synchronous(ty) {
            let implied = self.replicas.len();
            return self.declare(name, span, Entry::Channel { id, bounds, implied, element });
        }
        if matches!(ty, Ty::Function(..)) {
            self.report(
                Diagnostic::error("E0714", span, "only a `value` can be a function").help("write `value`"),
            );
            return;
        }
        let replicas = self.replicas.clone();
        let each = |ty: Ty, index: &Parameter| array_of(index.low.clone(), index.high.clone(), ty);
        let whole = replicas.iter().rev().fold(ty.clone(), each);
        let unique = self.unique(name);
        let stored = self.flatten(&unique, &whole, &mut |me, symbol, ty| {
            me.add_variable(symbol, ty, mode, span);
        });
        let outside = Entry::Variable { value: stored.clone(), mode };
        let value =
            replicas.iter().fold(stored, |whole, index| self.index_tree(&whole, &index.symbol.term()));
        self.declare(name, span, Entry::Variable { value, mode });
        // Specifications speak of the variables of blocks too.
        self.spec_names.push((Ident { name: name.clone(), span }, outside));
    }

    fn add_variable(&mut self, symbol: Symbol, ty: &Ty, mode: crate::ast::Mode, span: Span) {
        let mode = match mode {
            crate::ast::Mode::In => Mode::In,
            crate::ast::Mode::Out => Mode::Out,
            crate::ast::Mode::Local | crate::ast::Mode::Value => Mode::Local,
        };
        if !matches!(ty, Ty::Asynchronous { .. })
            && let Some(domain) = ty.domain()
        {
            let bound = domain.contains(&symbol.term());
            self.initial.extend(Some(bound).filter(|bound| !bound.arguments().is_empty()));
        }
        if let Some(empty) = empty_channels(&symbol.term(), ty, 0) {
            self.initial.push(empty);
        }
        self.fts.variables.push(Variable { symbol, mode, range: ty.domain(), span });
    }

    /// What blocks declare is visible in specifications, under its name if one block has it.
    pub(crate) fn declare_outside(&mut self) {
        let names = std::mem::take(&mut self.spec_names);
        for (Ident { name, span }, entry) in &names {
            let once = names.iter().filter(|(other, _)| other.name == *name).count() == 1;
            let (place, entry) = if once { (Some(*span), entry.clone()) } else { (None, Entry::Ambiguous) };
            self.scopes.add_outside(name, place, entry);
        }
    }

    /// The symbol of a bound variable: another one than those that its scope, or an argument of a
    /// macro, can speak of.
    pub(crate) fn bound_symbol(&mut self, name: &Name, sort: Sort) -> Symbol {
        if self.scopes.find(name).is_none() && self.unique(name) == *name {
            return Symbol::constant(name.clone(), sort);
        }
        self.renamed += 1;
        Symbol::constant(format!("{name}@{}", self.renamed), sort)
    }

    /// A name that no variable, constant or index has, and that no text can have.
    pub(crate) fn unique(&self, name: &Name) -> Name {
        let taken = |n: &str| {
            let field = format!("{n}.");
            self.fts.variables.iter().any(|v| &*v.symbol.name == n || v.symbol.name.starts_with(&field))
                || self.fts.rigid.iter().any(|r| &*r.name == n)
                || self.replicas.iter().any(|p| &*p.symbol.name == n)
        };
        let numbered = (2..).map(|n| Name::from(format!("{name}@{n}")));
        std::iter::once(name.clone()).chain(numbered).find(|n| !taken(n)).unwrap_or_else(|| name.clone())
    }

    /// The tree of terms of a variable, each leaf declared by `leaf`.
    fn flatten(&mut self, name: &Name, ty: &Ty, leaf: &mut dyn FnMut(&mut Self, Symbol, &Ty)) -> Typed {
        match ty {
            Ty::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|(field, ty)| {
                        (field.clone(), self.flatten(&format!("{name}.{field}").into(), ty, leaf))
                    })
                    .collect();
                Typed { ty: ty.clone(), tree: Tree::Record(fields) }
            }
            ty => {
                let symbol = Symbol::constant(name.clone(), ty.sort());
                leaf(self, symbol.clone(), ty);
                Typed::term(ty.clone(), symbol.term())
            }
        }
    }

    /// A new synchronous channel, if the type is one or an array of them.
    fn synchronous(&mut self, ty: &Ty) -> Option<(usize, Bounds, Ty)> {
        let own = self.replicas.iter().map(|index| (index.low.clone(), index.high.clone()));
        let (mut bounds, mut inner) = (own.collect::<Vec<_>>(), ty);
        while let Ty::Array { low, high, element } = inner {
            bounds.push((low.clone(), high.clone()));
            inner = element;
        }
        let Ty::Synchronous(element) = inner else { return None };
        self.channels += 1;
        Some((self.channels - 1, bounds, (**element).clone()))
    }

    /// Blocks that declare something open a frame.
    pub(crate) fn in_block<T>(
        &mut self,
        declarations: &[crate::ast::Declaration],
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scopes.enter();
        self.without_labels(|me| declarations.iter().for_each(|d| me.declaration(d)));
        let result = read(self);
        self.scopes.leave();
        result
    }
}

/// `pi0`, `pi1`, …
fn is_control(name: &str) -> bool {
    let number = name.strip_prefix("pi").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// The parts of a conjunction: each may have a value by itself.
pub(crate) fn parts(e: &crate::ast::Expr) -> Vec<&crate::ast::Expr> {
    match &e.kind {
        ExprKind::Binary(Binary::And, a, b) => [parts(a), parts(b)].concat(),
        _ => vec![e],
    }
}

/// Asynchronous channels begin empty.
fn empty_channels(e: &Term, ty: &Ty, depth: usize) -> Option<Term> {
    match ty {
        Ty::Asynchronous { element, .. } => Some(Term::eq(e.clone(), Term::empty(element.sort()))),
        Ty::Array { low, high, element } => {
            let symbol = Symbol::constant(format!("i!{depth}"), Sort::Int);
            let inner = empty_channels(&e.select(&symbol.term()), element, depth + 1)?;
            let range = Some((low.clone(), high.clone()));
            Some(Term::every(vec![logic::fol::Binder { symbol, range }], inner))
        }
        _ => None,
    }
}

/// Whether a statement is, inside its brackets and names, several threads of control.
pub(crate) fn is_parallel(statement: &Statement) -> bool {
    use crate::ast::StatementKind as Kind;
    match &statement.kind {
        Kind::Parallel(_) | Kind::Replicated(..) => true,
        Kind::Block(_, inner) | Kind::Process(_, inner) => is_parallel(inner),
        _ => false,
    }
}
