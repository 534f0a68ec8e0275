//! Expressions: names resolved, types checked, and what must hold for them to have a value.

use super::Lowering;
use super::exact::{both, real};
use super::scope::Entry;
use super::types::{Tree, Ty, Typed};
use crate::ast::{self, Binary, ExprKind, Name, Quantifier, Unary};
use logic::fol::{Binder, Op, Sort, Symbol, Term};
use num_bigint::BigInt;
use source::{Diagnostic, Span};

/// Macros that stand for macros can double what they stand for each time.
const MAX_EXPANSIONS: usize = 20_000;

/// Something that must hold where an expression is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) condition: Term,
    pub(crate) what: String,
    pub(crate) span: Span,
}

impl Check {
    /// The same where a condition holds.
    pub(crate) fn under(self, context: &Term) -> Check {
        Check { condition: Term::implication(context.clone(), self.condition), ..self }
    }
}

impl Lowering<'_> {
    /// A formula without temporal operators.
    pub(crate) fn assertion(&mut self, e: &ast::Expr) -> Term {
        let typed = self.expecting(false, |me| me.expression(e));
        self.bool_of(typed, e.span)
    }

    fn bool_of(&mut self, typed: Typed, span: Span) -> Term {
        match (typed.ty, typed.tree) {
            (Ty::Bool, Tree::Term(e)) => e,
            (Ty::Error, _) => Term::truth(true),
            (ty, _) => {
                self.mismatch(span, "bool", &ty);
                Term::truth(true)
            }
        }
    }

    /// An integer: an index, a bound, a number of something.
    pub(crate) fn integer(&mut self, e: &ast::Expr) -> Term {
        let typed = self.expecting(false, |me| me.expression(e));
        if typed.ty == Ty::Real {
            self.mismatch(e.span, "int", &typed.ty);
            return Term::int(0);
        }
        self.number_of(typed, e.span)
    }

    /// A number of any kind; the rule that needs a whole one refuses others.
    pub(crate) fn any_number(&mut self, e: &ast::Expr) -> Term {
        let typed = self.expecting(false, |me| me.expression(e));
        self.number_of(typed, e.span)
    }

    /// A number; a truth value counts 0 or 1.
    fn number_of(&mut self, typed: Typed, span: Span) -> Term {
        match (typed.ty, typed.tree) {
            (Ty::Bool, Tree::Term(e)) => Term::ite(&e, &Term::int(1), &Term::int(0)),
            (Ty::Int(_) | Ty::Real, Tree::Term(e)) => e,
            (Ty::Error, _) => Term::int(0),
            (ty, _) => {
                self.mismatch(span, "int", &ty);
                Term::int(0)
            }
        }
    }

    pub(crate) fn mismatch(&mut self, span: Span, expected: &str, found: &Ty) {
        let message = format!("expected {expected}, found {}", found.name());
        self.report(Diagnostic::error("E0720", span, message));
    }

    /// Collects the checks that reading an expression gives rise to.
    pub(crate) fn checked<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (T, Vec<Check>) {
        let outer = std::mem::take(&mut self.checks);
        let result = read(self);
        (result, std::mem::replace(&mut self.checks, outer))
    }

    pub(crate) fn check(&mut self, condition: Term, what: String, span: Span) {
        self.checks.push(Check { condition, what, span });
    }

    /// A formula outside of programs: it has no value where a part of it has none. What `known`
    /// says needs no check.
    pub(crate) fn stated(&mut self, e: &ast::Expr, known: &Term) -> Term {
        let (formula, checks) = self.checked(|me| me.assertion(e));
        let known = known.conjuncts();
        let mut needed = Vec::new();
        for Check { condition, what, span } in checks {
            let condition = without(&condition, &known);
            if *condition.op() == Op::False {
                let message = format!("undefined in every state: it is not true that {what}");
                self.report(Diagnostic::error("E0743", span, message));
            }
            needed.push(condition);
        }
        self.open += 1;
        Term::where_defined(&Term::all(needed), formula, self.open)
    }

    /// Reads something that is evaluated only where `context` holds.
    fn under<T>(&mut self, context: &Term, read: impl FnOnce(&mut Self) -> T) -> T {
        let (result, checks) = self.checked(read);
        self.checks.extend(checks.into_iter().map(|c| c.under(context)));
        result
    }

    pub(crate) fn expression(&mut self, e: &ast::Expr) -> Typed {
        match &e.kind {
            ExprKind::Bool(b) => Typed::term(Ty::Bool, Term::truth(*b)),
            ExprKind::Number(digits) => {
                Typed::term(Ty::INT, Term::int(digits.parse::<BigInt>().unwrap_or_default()))
            }
            ExprKind::Decimal(digits, places) => {
                let of = |n: BigInt| real(Term::int(n));
                let digits = of(digits.parse::<BigInt>().unwrap_or_default());
                let unit = of(BigInt::from(10).pow(*places));
                Typed::term(Ty::Real, Term::of(Op::Divide, [digits, unit]))
            }
            ExprKind::Name(name) => self.named(name, e.span),
            ExprKind::Primed(name) => self.primed(name, e.span),
            ExprKind::Labels(_, labels) => {
                let at = labels.iter().map(|l| self.at_label(l, &[], e.span)).collect::<Vec<_>>();
                Typed::term(Ty::Bool, Term::any(at))
            }
            ExprKind::Unary(Unary::Not, a) => {
                let a = self.assertion(a);
                Typed::term(Ty::Bool, Term::negation(a))
            }
            ExprKind::Unary(Unary::Negate, a) => {
                let typed = self.expression(a);
                let ty = if typed.ty == Ty::Real { Ty::Real } else { Ty::INT };
                let a = self.number_of(typed, a.span);
                let negated = match a.op() {
                    Op::Int(n) => Term::int(-n),
                    _ => Term::of(Op::Negate, [a]),
                };
                Typed::term(ty, negated)
            }
            ExprKind::Unary(Unary::Temporal(_), _)
            | ExprKind::Binary(Binary::Temporal(_) | Binary::Congruent, ..) => {
                self.report(
                    Diagnostic::error("E0721", e.span, "a temporal operator inside an assertion")
                        .help("temporal operators stand outside of quantifiers, comparisons and programs"),
                );
                Typed::error()
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.span),
            ExprKind::If(parts) => self.conditional(parts),
            ExprKind::Index(array, index) => self.index(array, index, e.span),
            ExprKind::Field(record, field) => {
                let record = self.expecting(false, |me| me.expression(record));
                self.field(record, field)
            }
            ExprKind::Call(function, arguments) => self.call(function, arguments, e.span),
            ExprKind::Quantified(quantifier, bounds, body) => self.quantified(*quantifier, bounds, body),
            ExprKind::Error => Typed::error(),
        }
    }

    fn named(&mut self, name: &Name, span: Span) -> Typed {
        self.mentioned(name, span);
        if self.scopes.is_outermost(name) && self.ahead(name).is_none() && self.is_label(name) {
            let message = format!("`{name}` is a label and something else");
            let help = format!("rename one of them, or write `at_{name}` for the label");
            self.report(Diagnostic::error("E0745", span, message).help(help));
        }
        match self.scopes.find(name).cloned() {
            Some(Entry::Value(value) | Entry::Variable { value, .. }) => value,
            Some(Entry::Argument { value, exact }) => {
                if self.exact {
                    *exact
                } else {
                    value
                }
            }
            Some(Entry::Macro(at)) => self.expand(at, &[], span),
            Some(Entry::Ambiguous) => {
                let message = format!("several blocks declare a variable `{name}`");
                self.report(Diagnostic::error("E0745", span, message).help("rename all but one"));
                Typed::error()
            }
            Some(Entry::Function(..) | Entry::Constructor(..) | Entry::Tester(..)) => {
                self.misuse(span, format!("`{name}` is a function and needs arguments"))
            }
            Some(Entry::Channel { .. }) => {
                self.misuse(span, format!("`{name}` is a synchronous channel and has no value"))
            }
            None if matches!(&**name, "nil" | "empty") => Typed::term(Ty::Empty, Term::empty(Sort::Int)),
            None if self.is_label(name) => Typed::term(Ty::Bool, self.at_label(name, &[], span)),
            None => {
                let error = Diagnostic::error("E0710", span, format!("no variable or label `{name}`"));
                let labels = self.known_labels();
                let known = self.scopes.values().chain(labels.iter().map(String::as_str));
                let error = error.label("not declared").meant(name, known);
                self.report(error);
                Typed::error()
            }
        }
    }

    pub(crate) fn misuse(&mut self, span: Span, message: String) -> Typed {
        self.report(Diagnostic::error("E0722", span, message));
        Typed::error()
    }

    /// `x'`: the value after the transition; only in relations of transition systems.
    fn primed(&mut self, name: &Name, span: Span) -> Typed {
        self.mentioned(name, Span { end: span.start + name.len() as u32, ..span });
        let value = match self.scopes.find(name) {
            Some(Entry::Variable { value: Typed { ty, tree: Tree::Term(e) }, .. }) => {
                e.as_symbol().map(|symbol| (ty.clone(), symbol.clone()))
            }
            _ => None,
        };
        match (value, &mut self.primed) {
            (Some((ty, symbol)), Some(primed)) => {
                let next = Symbol::constant(format!("{}'", symbol.name), symbol.sort.clone());
                if !primed.iter().any(|(of, _)| *of == symbol) {
                    primed.push((symbol, next.clone()));
                }
                Typed::term(ty, next.term())
            }
            _ => self.misuse(span, format!("`{name}'` has no meaning here")),
        }
    }

    /// The value of a macro with its arguments.
    fn expand(&mut self, at: usize, arguments: &[ast::Expr], span: Span) -> Typed {
        let Some(definition) = self.file.macros.get(at).cloned() else { return Typed::error() };
        if arguments.len() != definition.parameters.len() || self.expanding > 50 {
            return self.misuse(
                span,
                format!("`{}` takes {} arguments", definition.name.name, definition.parameters.len()),
            );
        }
        self.expansions += 1;
        if self.expansions > MAX_EXPANSIONS {
            return self.misuse(span, format!("macros are expanded more than {MAX_EXPANSIONS} times"));
        }
        let values: Vec<(Typed, Typed)> = arguments.iter().map(|a| self.both_ways(a)).collect();
        self.scopes.enter();
        for (parameter, (value, exact)) in definition.parameters.iter().zip(values) {
            let entry = Entry::Argument { value, exact: Box::new(exact) };
            self.scopes.add_at(&parameter.name, Some(parameter.span), entry);
        }
        self.expanding += 1;
        let value = self.expression(&definition.body);
        self.expanding -= 1;
        self.scopes.leave();
        value
    }

    /// An argument of a macro: where no real number is expected, and where one is.
    fn both_ways(&mut self, e: &ast::Expr) -> (Typed, Typed) {
        let value = self.expecting(false, |me| me.expression(e));
        if !self.has_quotient(e, 0) {
            return (value.clone(), value);
        }
        let (exact, _) = self.checked(|me| me.expecting(true, |me| me.expression(e)));
        (value, exact)
    }

    fn conditional(&mut self, parts: &[ast::Expr; 3]) -> Typed {
        let condition = self.assertion(&parts[0]);
        let (then, otherwise) = self.either(&condition, &parts[1], &parts[2]);
        self.merge(&condition, then, otherwise, parts[2].span)
    }

    /// The two values of a choice, each read where it is the one.
    fn either(&mut self, condition: &Term, a: &ast::Expr, b: &ast::Expr) -> (Typed, Typed) {
        let no = Term::negation(condition.clone());
        let outer = std::mem::take(&mut self.checks);
        let then = self.under(condition, |me| me.expression(a));
        let otherwise = self.under(&no, |me| me.expression(b));
        let mixed = (then.ty == Ty::Real) != (otherwise.ty == Ty::Real);
        if !mixed || self.exact {
            self.checks.splice(0..0, outer);
            return (then, otherwise);
        }
        // One of them is real: so is the other expected to be.
        self.checks = outer;
        self.expecting(true, |me| {
            (me.under(condition, |me| me.expression(a)), me.under(&no, |me| me.expression(b)))
        })
    }

    fn merge(&mut self, condition: &Term, a: Typed, b: Typed, span: Span) -> Typed {
        let (a, b) = matched(a, b);
        if !a.ty.agrees(&b.ty) {
            self.mismatch(span, &a.ty.name(), &b.ty);
            return Typed::error();
        }
        match (a.tree, b.tree) {
            (Tree::Term(x), Tree::Term(y)) => {
                let real = a.ty == Ty::Real || b.ty == Ty::Real;
                let ty = match a.ty {
                    _ if real => Ty::Real,
                    ty if ty.is_number() => Ty::INT,
                    ty => ty,
                };
                let (x, y) = both(x, y);
                Typed::term(ty, Term::ite(condition, &x, &y))
            }
            (Tree::Record(xs), Tree::Record(ys)) => {
                let fields = xs.into_iter().zip(ys);
                let fields =
                    fields.map(|((name, x), (_, y))| (name, self.merge(condition, x, y, span))).collect();
                Typed { ty: a.ty, tree: Tree::Record(fields) }
            }
            _ => Typed::error(),
        }
    }

    fn binary(&mut self, op: Binary, a: &ast::Expr, b: &ast::Expr, span: Span) -> Typed {
        let truth = |e: Term| Typed::term(Ty::Bool, e);
        match op {
            Binary::And | Binary::Or | Binary::Implies | Binary::Iff => {
                let left = self.assertion(a);
                let (right, checks) = self.checked(|me| me.assertion(b));
                if !checks.is_empty() {
                    let context = match op {
                        Binary::Or => Term::negation(left.clone()),
                        Binary::Iff => Term::truth(true),
                        _ => left.clone(),
                    };
                    self.checks.extend(checks.into_iter().map(|c| c.under(&context)));
                }
                truth(match op {
                    Binary::And => Term::all([left, right]),
                    Binary::Or => Term::any([left, right]),
                    Binary::Implies => Term::implication(left, right),
                    _ => Term::eq(left, right),
                })
            }
            Binary::Equal => truth(self.equal(a, b)),
            Binary::NotEqual => truth(Term::negation(self.equal(a, b))),
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let (a, b, _) = self.expecting(false, |me| me.numbers(a, b));
                truth(match op {
                    Binary::Less => Term::lt(a, b),
                    Binary::LessEqual => Term::le(a, b),
                    Binary::Greater => Term::lt(b, a),
                    _ => Term::le(b, a),
                })
            }
            _ => self.arithmetic(op, a, b, span),
        }
    }

    fn arithmetic(&mut self, op: Binary, a: &ast::Expr, b: &ast::Expr, span: Span) -> Typed {
        let whole = matches!(op, Binary::Divide | Binary::Modulo);
        let (a, b, fractions) =
            if whole { (self.integer(a), self.integer(b), false) } else { self.numbers(a, b) };
        let exact = fractions || self.exact;
        let op = match op {
            Binary::Add => Op::Add,
            Binary::Subtract => Op::Subtract,
            Binary::Multiply => Op::Multiply,
            Binary::Over if exact => Op::Divide,
            Binary::Over | Binary::Divide => Op::Div,
            _ => Op::Mod,
        };
        if matches!(op, Op::Divide | Op::Div | Op::Mod) {
            let (divisor, zero) = both(b.clone(), Term::int(0));
            let zero = Term::negation(Term::eq(divisor, zero));
            if !zero.is_true() {
                self.check(zero, format!("the divisor `{b}` is not zero"), span);
            }
        }
        if fractions || op == Op::Divide {
            return Typed::term(Ty::Real, Term::of(op, [real(a), real(b)]));
        }
        Typed::term(Ty::INT, Term::of(op, [a, b]))
    }

    /// Two numbers that meet, and whether one of them is real.
    fn numbers(&mut self, a: &ast::Expr, b: &ast::Expr) -> (Term, Term, bool) {
        let (left, right) = self.meeting(a, b);
        let real = left.ty == Ty::Real || right.ty == Ty::Real;
        let (a, b) = both(self.number_of(left, a.span), self.number_of(right, b.span));
        (a, b, real)
    }

    fn equal(&mut self, a: &ast::Expr, b: &ast::Expr) -> Term {
        let (left, right) = self.expecting(false, |me| me.meeting(a, b));
        let arithmetized = |ty: &Ty, other: &Ty| *ty == Ty::Bool && matches!(other, Ty::Int(_) | Ty::Real);
        if arithmetized(&left.ty, &right.ty) || arithmetized(&right.ty, &left.ty) {
            let (x, y) = both(self.number_of(left, a.span), self.number_of(right, b.span));
            return Term::eq(x, y);
        }
        self.equal_trees(left, right, b.span)
    }

    fn equal_trees(&mut self, a: Typed, b: Typed, span: Span) -> Term {
        let (a, b) = matched(a, b);
        if !a.ty.agrees(&b.ty) {
            self.mismatch(span, &a.ty.name(), &b.ty);
            return Term::truth(true);
        }
        match (a.tree, b.tree) {
            (Tree::Term(x), Tree::Term(y)) => {
                let assigns = |e: &Term| {
                    e.as_symbol().is_some_and(|s| self.primed.iter().flatten().any(|(_, next)| next == s))
                };
                if matches!(a.ty, Ty::Array { .. }) && !assigns(&x) && !assigns(&y) {
                    return self.equal_arrays((a.ty, x), (b.ty, y), span);
                }
                if hides_array(x.sort()) {
                    self.misuse(span, "values with arrays inside cannot be compared".to_string());
                }
                let (x, y) = both(x, y);
                Term::eq(x, y)
            }
            (Tree::Record(xs), Tree::Record(ys)) => {
                let pairs = xs.into_iter().zip(ys);
                Term::all(pairs.map(|((_, x), (_, y))| self.equal_trees(x, y, span)).collect::<Vec<_>>())
            }
            _ => Term::truth(true),
        }
    }

    /// Arrays are equal if their elements are: a term of such a sort has others besides.
    fn equal_arrays(&mut self, (a, x): (Ty, Term), (b, y): (Ty, Term), span: Span) -> Term {
        self.same_bounds(&a, &b, span);
        let (Ty::Array { low, high, element }, Ty::Array { element: other, .. }) = (a, b) else {
            return Term::eq(x, y);
        };
        self.open += 1;
        let symbol = Symbol::constant(format!("index!{}", self.open), Sort::Int);
        let at = |array: &Term, ty: Ty| Typed::term(ty, array.select(&symbol.term()));
        let (x, y) = (at(&x, *element), at(&y, *other));
        let equal = self.equal_trees(x, y, span);
        Term::every(vec![Binder { symbol, range: Some((low, high)) }], equal)
    }

    /// Two arrays that meet have the same indices.
    pub(crate) fn same_bounds(&mut self, a: &Ty, b: &Ty, span: Span) {
        let (Ty::Array { low, high, element }, Ty::Array { low: first, high: last, element: other }) = (a, b)
        else {
            return;
        };
        let bounds = [Term::eq(low.clone(), first.clone()), Term::eq(high.clone(), last.clone())];
        let same = Term::all(bounds);
        if !same.is_true() {
            let what = format!("the bounds [{first}..{last}] are [{low}..{high}]");
            self.check(same, what, span);
        }
        self.same_bounds(element, other, span);
    }

    /// `a[i]`, `l3[i]`, `l{3,4}[i]`.
    fn index(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Typed {
        if let Some(labels) = self.indexed_labels(array) {
            array.root_at().into_iter().for_each(|(name, span)| self.mentioned_label(name, span));
            let mut indices = vec![index];
            let mut at = array;
            while let ExprKind::Index(inner, index) = &at.kind {
                indices.insert(0, index);
                at = inner;
            }
            let indices: Vec<Term> = indices.into_iter().map(|e| self.integer(e)).collect();
            let at = labels.iter().map(|l| self.at_label(l, &indices, span)).collect::<Vec<_>>();
            return Typed::term(Ty::Bool, Term::any(at));
        }
        let typed = self.expecting(false, |me| me.expression(array));
        let index_term = self.integer(index);
        if let Some(element) = typed.ty.carried() {
            return self.nth(&typed, &element, &index_term, index.span);
        }
        let bounds = first_array(&typed.ty).cloned();
        let Some(Ty::Array { low, high, .. }) = bounds else {
            if typed.ty != Ty::Error {
                self.mismatch(array.span, "an array", &typed.ty);
            }
            return Typed::error();
        };
        self.check_index(&index_term, (&low, &high), index.span);
        self.index_tree(&typed, &index_term)
    }

    /// An index lies between the bounds of what it is an index of.
    pub(crate) fn check_index(&mut self, index: &Term, (low, high): (&Term, &Term), span: Span) {
        let inside = Term::all([Term::le(low.clone(), index.clone()), Term::le(index.clone(), high.clone())]);
        if inside != Term::truth(true) {
            self.check(inside, format!("the index `{index}` lies in [{low}..{high}]"), span);
        }
    }

    /// The element of a list at a place, counted from 1.
    fn nth(&mut self, list: &Typed, element: &Ty, place: &Term, span: Span) -> Typed {
        let leaves = list.leaves();
        if let Some((e, _)) = leaves.first() {
            let inside =
                Term::all([Term::le(Term::int(1), place.clone()), Term::le(place.clone(), e.length())]);
            self.check(inside, format!("the place `{place}` lies in `{e}`"), span);
        }
        // Terms count from 0.
        let place = match place.op() {
            Op::Int(n) => Term::int(n - 1),
            _ => place.minus(&Term::int(1)),
        };
        let nth = |(e, _): (Term, Ty)| Term::of(Op::Nth, [e, place.clone()]);
        Typed::of(element, &mut leaves.into_iter().map(nth))
    }

    /// The labels that indices stand behind.
    fn indexed_labels(&self, e: &ast::Expr) -> Option<Vec<Name>> {
        match &e.kind {
            ExprKind::Name(name) if self.scopes.find(name).is_none() && self.is_label(name) => {
                Some(vec![name.clone()])
            }
            ExprKind::Labels(_, labels) => Some(labels.clone()),
            ExprKind::Index(inner, _) => self.indexed_labels(inner),
            _ => None,
        }
    }

    pub(crate) fn index_tree(&mut self, typed: &Typed, index: &Term) -> Typed {
        match (&typed.ty, &typed.tree) {
            (Ty::Array { element, .. }, Tree::Term(e)) => Typed::term((**element).clone(), e.select(index)),
            (_, Tree::Record(fields)) => {
                let fields: Vec<(Name, Typed)> = fields
                    .iter()
                    .map(|(name, field)| (name.clone(), self.index_tree(field, index)))
                    .collect();
                let ty =
                    Ty::Record(fields.iter().map(|(name, field)| (name.clone(), field.ty.clone())).collect());
                Typed { ty, tree: Tree::Record(fields) }
            }
            _ => Typed::error(),
        }
    }

    fn field(&mut self, record: Typed, field: &ast::Ident) -> Typed {
        match record.tree {
            Tree::Record(fields) => match fields.into_iter().find(|(name, _)| *name == field.name) {
                Some((_, value)) => value,
                None => self.misuse(field.span, format!("no field `{}`", field.name)),
            },
            Tree::Term(_) if record.ty == Ty::Error => Typed::error(),
            Tree::Term(e) if matches!(record.ty, Ty::Data(_)) => {
                let Ty::Data(data) = &record.ty else { return Typed::error() };
                let found = self.selected(data, &e, &field.name, field.span);
                found.unwrap_or_else(|| self.misuse(field.span, format!("no field `{}`", field.name)))
            }
            Tree::Term(_) => {
                self.mismatch(field.span, "a record", &record.ty);
                Typed::error()
            }
        }
    }

    fn call(&mut self, function: &ast::Expr, arguments: &[ast::Expr], span: Span) -> Typed {
        let ExprKind::Name(name) = &function.kind else { return Typed::error() };
        self.mentioned(name, function.span);
        match self.scopes.find(name).cloned() {
            Some(Entry::Function(symbol, types, result)) => {
                let mut terms = Vec::new();
                let sorts = &symbol.arguments;
                for (argument, sort) in arguments.iter().zip(sorts) {
                    let read = self.expecting(*sort == Sort::Real, |me| me.argument(argument, sort));
                    match read {
                        Typed { tree: Tree::Term(e), ty: Ty::Int(_) } if *sort == Sort::Real => {
                            terms.push(real(e));
                        }
                        Typed { tree: Tree::Term(e), ty } if ty == Ty::Error || e.sort() == sort => {
                            terms.push(e)
                        }
                        other => self.mismatch(argument.span, &sort.to_string(), &other.ty),
                    }
                }
                if arguments.len() != sorts.len() {
                    return self.misuse(span, format!("`{name}` takes {} arguments", sorts.len()));
                }
                if terms.len() != sorts.len() {
                    return Typed::error();
                }
                for ((ty, term), argument) in types.iter().zip(&terms).zip(arguments) {
                    self.fits(ty, term, argument.span);
                }
                Typed::term(result, symbol.apply(terms))
            }
            Some(Entry::Macro(at)) => self.expand(at, arguments, span),
            Some(Entry::Constructor(ty, n)) => self.construct(&ty, n, arguments, span),
            Some(Entry::Tester(ty, n)) => self.tester(&ty, n, arguments, span),
            Some(_) => self.misuse(span, format!("`{name}` is no function")),
            None => self.builtin(name, arguments, span),
        }
    }

    /// An argument of a function; the empty list as the function wants it.
    fn argument(&mut self, e: &ast::Expr, sort: &Sort) -> Typed {
        match (self.expression(e), sort) {
            (Typed { ty: Ty::Empty, .. }, Sort::Sequence(element)) => {
                Typed::term(Ty::Error, Term::empty((**element).clone()))
            }
            (typed, _) => typed,
        }
    }

    /// Functions on lists, queues and channels, and selectors of datatypes.
    fn builtin(&mut self, name: &str, arguments: &[ast::Expr], span: Span) -> Typed {
        match (name, arguments) {
            ("at", [argument]) => self.expression(argument),
            ("cons", [item, list]) => self.longer(Op::Prepend, list, item),
            ("append", [list, item]) => self.longer(Op::Append, list, item),
            (_, [argument]) => {
                let value = self.expecting(false, |me| me.expression(argument));
                if let (Ty::Data(data), Tree::Term(e)) = (&value.ty, &value.tree)
                    && let Some(field) = self.selected(data, e, name, span)
                {
                    return field;
                }
                let op = match name {
                    "length" => Op::Length,
                    "first" | "head" => Op::Nth,
                    "rest" | "tail" => Op::Tail,
                    _ => return self.no_function(name, span),
                };
                self.part(op, &value, argument.span)
            }
            _ => self.no_function(name, span),
        }
    }

    fn no_function(&mut self, name: &str, span: Span) -> Typed {
        let help = match name {
            "max" => Some("write `if x < y then y else x`, or a macro with that"),
            "min" => Some("write `if x < y then x else y`, or a macro with that"),
            "abs" => Some("write `if x < 0 then -x else x`, or a macro with that"),
            _ => None,
        };
        let unknown = Diagnostic::error("E0710", span, format!("no function `{name}`"));
        self.report(help.into_iter().fold(unknown, |unknown, help| unknown.help(help)));
        Typed::error()
    }

    /// The length, the first element or the rest of a sequence. The last two need an element.
    fn part(&mut self, op: Op, sequence: &Typed, span: Span) -> Typed {
        if sequence.ty == Ty::Empty && op == Op::Length {
            return Typed::term(Ty::INT, Term::int(0));
        }
        let Some(element) = sequence.ty.carried() else {
            if sequence.ty != Ty::Error {
                self.mismatch(span, "a list, a queue or a channel", &sequence.ty);
            }
            return Typed::error();
        };
        let leaves = sequence.leaves();
        let Some((first, _)) = leaves.first() else { return Typed::error() };
        if op == Op::Length {
            return Typed::term(Ty::INT, first.length());
        }
        let some = Term::lt(Term::int(0), first.length());
        self.check(some, format!("`{first}` is not empty"), span);
        if op == Op::Nth {
            return Typed::of(&element, &mut leaves.iter().map(|(e, _)| e.head()));
        }
        Typed::of(&sequence.ty, &mut leaves.iter().map(|(e, _)| e.tail()))
    }

    /// A sequence with one element more, in front or at the end.
    fn longer(&mut self, op: Op, list: &ast::Expr, item: &ast::Expr) -> Typed {
        let sequence = self.expecting(false, |me| me.expression(list));
        let added = self.value_for(&sequence.ty.carried().unwrap_or(Ty::Error), item);
        let sequence = match sequence.ty {
            Ty::Empty => sequence.adapted(&super::types::sequence_of(added.ty.clone())),
            _ => sequence,
        };
        let Some(element) = sequence.ty.carried() else {
            if sequence.ty != Ty::Error {
                self.mismatch(list.span, "a list, a queue or a channel", &sequence.ty);
            }
            return Typed::error();
        };
        let items = self.message_of(&element, added, item.span);
        if items.is_empty() {
            return Typed::error();
        }
        let longer = |((e, _), item): ((Term, Ty), Term)| Term::of(op.clone(), [e, item]);
        Typed::of(&sequence.ty, &mut sequence.leaves().into_iter().zip(items).map(longer))
    }

    fn quantified(&mut self, quantifier: Quantifier, bounds: &[ast::Bound], body: &ast::Expr) -> Typed {
        self.scopes.enter();
        let binders = self.binders(bounds);
        let (body, checks) = self.checked(|me| me.assertion(body));
        self.scopes.leave();
        let known: Vec<Term> = binders.iter().flat_map(|b| b.bounds().conjuncts()).collect();
        for check in checks {
            let needed = without(&check.condition, &known);
            if !needed.is_true() {
                let condition = Term::every(binders.clone(), needed);
                self.checks.push(Check { condition, ..check });
            }
        }
        Typed::term(
            Ty::Bool,
            match quantifier {
                Quantifier::Forall => Term::every(binders, body),
                Quantifier::Exists => Term::some(binders, body),
            },
        )
    }

    /// Declares bound variables in the innermost frame.
    pub(crate) fn binders(&mut self, bounds: &[ast::Bound]) -> Vec<Binder> {
        let mut found = Vec::new();
        for (at, bound) in bounds.iter().enumerate() {
            // `Forall i, j:[1..N]`: a name without a type takes the next one.
            let of = bounds[at..].iter().find_map(|b| b.of.as_ref());
            let ty = of.map_or(Ty::INT, |t| self.resolve(t));
            for name in &bound.names {
                let symbol = self.bound_symbol(&name.name, ty.sort());
                let range = match &ty {
                    Ty::Int(range) => range.as_deref().cloned(),
                    _ => None,
                };
                let caught = range.as_ref().is_some_and(|(low, high)| {
                    low.symbols().contains_key(&name.name) || high.symbols().contains_key(&name.name)
                });
                if caught {
                    self.misuse(
                        name.span,
                        format!("the bounds of `{}` speak of another `{}`", name.name, name.name),
                    );
                }
                self.declare(&name.name, name.span, Entry::Value(Typed::term(ty.clone(), symbol.term())));
                found.push(Binder { symbol, range });
            }
        }
        found
    }
}

/// Two values of which one may be the empty list, as values of one type.
fn matched(a: Typed, b: Typed) -> (Typed, Typed) {
    let (from, to) = (a.ty.clone(), b.ty.clone());
    (a.adapted(&to), b.adapted(&from))
}

/// The array type that an index goes into; of a record of arrays, that of its fields.
/// Whether a value of a sort has an array inside, and is none.
fn hides_array(sort: &Sort) -> bool {
    let holds = |sort: &Sort| matches!(sort, Sort::Array(..)) || hides_array(sort);
    match sort {
        Sort::Sequence(element) => holds(element),
        Sort::Data(data) => data.constructors.iter().flat_map(|c| &c.fields).any(|(_, sort)| holds(sort)),
        _ => false,
    }
}

/// A condition without the parts that are known.
pub(super) fn without(condition: &Term, known: &[Term]) -> Term {
    match (condition.op(), condition.arguments()) {
        (Op::And, parts) => Term::all(parts.iter().map(|part| without(part, known))),
        (Op::Implies, [context, part]) => Term::implication(context.clone(), without(part, known)),
        _ if known.iter().any(|known| implies(known, condition)) => Term::truth(true),
        _ => condition.clone(),
    }
}

/// Whether a bound is another one or a tighter one.
fn implies(known: &Term, wanted: &Term) -> bool {
    let ([a, b], [c, d]) = (known.arguments(), wanted.arguments()) else { return known == wanted };
    let same = *known.op() == Op::LessEqual && known.op() == wanted.op();
    match (a.op(), b.op(), c.op(), d.op()) {
        (Op::Int(x), _, Op::Int(y), _) if same && b == d => x >= y,
        (_, Op::Int(x), _, Op::Int(y)) if same && a == c => x <= y,
        _ => known == wanted,
    }
}

fn first_array(ty: &Ty) -> Option<&Ty> {
    match ty {
        Ty::Array { .. } => Some(ty),
        Ty::Record(fields) => first_array(&fields.first()?.1),
        _ => None,
    }
}
