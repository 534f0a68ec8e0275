//! Expressions and places to terms. Arithmetic is C's `int`: every operator that may leave its
//! range is wrapped.

use crate::ast::Probe;
use crate::model::{
    Expr as ModelExpr, ExprKind, Model, Pattern as ModelPattern, Place as ModelPlace, Root as ModelRoot,
    Type, Variable,
};
use logic::{Binary, IntType, Term, Unary};
use system::{Access, Expr, ObjectId, Pattern, Place, ProcessTypeId, Read, Root};

/// What expressions need to know of the rest: which object each variable is, which process type
/// each process.
pub(crate) struct Scope<'a> {
    pub(crate) model: &'a Model,
    pub(crate) globals: &'a [ObjectId],
    /// By process of the model: its locals as objects.
    pub(crate) locals: &'a [Vec<ObjectId>],
    /// By process of the model: its process type, if it is no claim.
    pub(crate) process_types: &'a [Option<ProcessTypeId>],
    /// The process whose text it is.
    pub(crate) process: Option<usize>,
}

impl Scope<'_> {
    pub(crate) fn expr(&self, expr: &ModelExpr) -> Expr {
        match &expr.kind {
            ExprKind::Number(n) => Term::Constant((*n).into()),
            ExprKind::Mtype { value, .. } => Term::Constant((*value).into()),
            // `_` is read in traces only, as any value: it must not be a constant there.
            ExprKind::Read(place) => self.place(place).map_or(Term::Atom(Read::Myself), Place::read),
            ExprKind::Pid => Term::Atom(Read::Myself),
            ExprKind::ProcessCount => Term::Atom(Read::ProcessCount),
            ExprKind::Last => Term::Atom(Read::Last),
            ExprKind::Priority => Term::Atom(Read::Priority(Box::new(Term::Atom(Read::Myself)))),
            ExprKind::Unary(op, a) => unary(*op, self.expr(a)),
            ExprKind::Binary(op, a, b) => binary(*op, self.expr(a), self.expr(b)),
            ExprKind::Conditional(c, a, b) => Term::conditional(self.expr(c), self.expr(a), self.expr(b)),
            // A `run` inside a larger expression is refused by the checker.
            ExprKind::Run { .. } => Term::TRUE,
            ExprKind::Len(channel) => Term::Atom(Read::Length(Box::new(self.channel(channel)))),
            ExprKind::Probe(probe, channel) => self.probe(*probe, channel),
            ExprKind::Poll { channel, random, pattern } => Term::Atom(Read::Poll {
                channel: Box::new(self.channel(channel)),
                patterns: self.patterns(pattern),
                anywhere: *random,
            }),
            ExprKind::Timeout => Term::Atom(Read::Timeout),
            ExprKind::NonProgress => Term::Atom(Read::NonProgress),
            ExprKind::Enabled(p) => Term::Atom(Read::Enabled(Box::new(self.expr(p)))),
            ExprKind::PcValue(p) => Term::Atom(Read::Location(Box::new(self.expr(p)))),
            ExprKind::GetPriority(p) => Term::Atom(Read::Priority(Box::new(self.expr(p)))),
            ExprKind::RemoteLabel { process, number, label } => self.remote_label(*process, number, *label),
            ExprKind::RemoteVariable { process, number, place } => {
                self.remote_variable(*process, number, place)
            }
        }
    }

    fn probe(&self, probe: Probe, channel: &ModelPlace) -> Expr {
        let channel = Box::new(self.channel(channel));
        match probe {
            Probe::Full => Term::Atom(Read::Full(channel)),
            Probe::Empty => Term::Atom(Read::Empty(channel)),
            Probe::NotFull => Term::unary(Unary::Not, Term::Atom(Read::Full(channel))),
            Probe::NotEmpty => Term::unary(Unary::Not, Term::Atom(Read::Empty(channel))),
        }
    }

    /// The handle in a channel variable.
    pub(crate) fn channel(&self, place: &ModelPlace) -> Expr {
        self.place(place).map_or(Term::FALSE, Place::read)
    }

    /// A variable or a part of it; `None` for `_`.
    pub(crate) fn place(&self, place: &ModelPlace) -> Option<Place> {
        let root = match place.root {
            ModelRoot::Global(id) => Root::Global(self.globals[id]),
            ModelRoot::Local(id) => Root::Local(self.locals[self.process?][id]),
            ModelRoot::Nowhere => return None,
        };
        Some(Place { root, path: self.path(self.process, place) })
    }

    /// The way into a variable of the system or of a process.
    fn path(&self, process: Option<usize>, place: &ModelPlace) -> Vec<Access> {
        let root = match (place.root, process) {
            (ModelRoot::Global(id), _) => self.model.globals.get(id),
            (ModelRoot::Local(id), Some(process)) => self.model.processes[process].locals.get(id),
            _ => None,
        };
        let mut path: Vec<Access> = place.index.iter().map(|e| self.index(e, root)).collect();
        let mut at = root;
        for field in &place.fields {
            at = match at.map(|variable| variable.ty) {
                Some(Type::Record(id)) => self.model.records[id].fields.get(field.field),
                _ => None,
            };
            path.push(Access::Field(field.field));
            path.extend(field.index.iter().map(|e| self.index(e, at)));
        }
        path
    }

    /// An element of an array; one that is known to be there is like a field.
    fn index(&self, index: &ModelExpr, array: Option<&Variable>) -> Access {
        let term = self.expr(index);
        let length = array.and_then(|variable| variable.length).unwrap_or(0);
        match term {
            Term::Constant(k) if (0..i64::from(length)).contains(&k) => Access::Field(k as usize),
            _ => Access::Index(term),
        }
    }

    pub(crate) fn patterns(&self, patterns: &[ModelPattern]) -> Vec<Pattern> {
        let one = |pattern: &ModelPattern| match pattern {
            ModelPattern::Store(place) => self.place(place).map_or(Pattern::Ignore, Pattern::Bind),
            ModelPattern::Ignore => Pattern::Ignore,
            ModelPattern::Match(expr) => Pattern::Match(self.expr(expr)),
        };
        patterns.iter().map(one).collect()
    }

    /// The number of a process that is named by its kind and perhaps a number.
    fn number(&self, process_type: ProcessTypeId, number: &Option<Box<ModelExpr>>) -> Box<Expr> {
        Box::new(match number {
            Some(number) => self.expr(number),
            None => Term::Atom(Read::Instance(process_type)),
        })
    }

    /// Names the label in place of its point; [`super::points`] puts the point there when all are
    /// known.
    fn remote_label(&self, process: usize, number: &Option<Box<ModelExpr>>, label: usize) -> Expr {
        match self.process_types[process] {
            None => Term::FALSE,
            Some(process_type) => {
                let process = self.number(process_type, number);
                Term::Atom(Read::At { process, process_type, point: label })
            }
        }
    }

    fn remote_variable(&self, process: usize, number: &Option<Box<ModelExpr>>, place: &ModelPlace) -> Expr {
        let (Some(process_type), ModelRoot::Local(local)) = (self.process_types[process], place.root) else {
            return Term::FALSE;
        };
        let object = self.locals[process][local];
        let root = Root::Remote { process: self.number(process_type, number), process_type, object };
        Place { root, path: self.path(Some(process), place) }.read()
    }
}

fn unary(op: Unary, a: Expr) -> Expr {
    let result = Term::unary(op, a);
    if op == Unary::Negate { int(result) } else { result }
}

pub(crate) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    use Binary::{Add, Divide, Multiply, ShiftLeft, ShiftRight, Subtract};
    let b = if matches!(op, ShiftLeft | ShiftRight) { amount(b) } else { b };
    let result = Term::binary(op, a, b);
    if matches!(op, Add | Subtract | Multiply | Divide | ShiftLeft) { int(result) } else { result }
}

fn int(term: Expr) -> Expr {
    Term::wrap(IntType::INT, term)
}

/// A machine shifts by the amount modulo its width.
fn amount(term: Expr) -> Expr {
    Term::binary(Binary::BitAnd, term, Term::Constant(31))
}
