//! Terms of a system in the words of its text, and the values of what they read.
//!
//! A description keeps no text of its terms. They are written as Promela has them, with no bracket
//! more than needed; constants that are compared with a variable have the words of its values.

use crate::model::Model;
use crate::values;
use logic::{Binary, Term, Unary};
use num_traits::Zero;
use system::evaluate::{Context, evaluate};
use system::{Access, Expr, Object, ObjectKind, Pattern, Place, ProcessTypeId, Read, Root};

/// Writes terms as a process of this type, or none, sees them.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) model: &'a Model,
    pub(super) process_type: Option<ProcessTypeId>,
}

/// How strongly what stands around a term binds.
type Strength = u8;

const LOOSE: Strength = 0;
const TIGHT: Strength = 20;

impl<'a> Names<'a> {
    /// A term, as it would be written.
    pub(super) fn text(self, term: &Expr) -> String {
        self.write(term, LOOSE)
    }

    /// The value of a term in words; `None` if it has none.
    pub(super) fn value(self, context: &Context<'_>, term: &Expr) -> Option<String> {
        let value = evaluate(context, term).ok()?;
        if is_truth(term) {
            return Some((!value.is_zero()).to_string());
        }
        let known = match bare(term) {
            Term::Atom(Read::Place(place)) => values::of_place(self.model, context, place),
            _ => None,
        };
        let known = known.and_then(|name| {
            let all = values::variables(self.model, context.state, true);
            all.into_iter().find(|variable| variable.name == name)
        });
        Some(known.map_or_else(|| value.to_string(), |variable| variable.value))
    }

    fn write(self, term: &Expr, around: Strength) -> String {
        match term {
            Term::Constant(number) => number.to_string(),
            Term::Wrap(_, inner) => self.write(inner, around),
            Term::Atom(read) => self.read(read),
            Term::Unary(op, inner) => {
                let sign = match op {
                    Unary::Negate => "-",
                    Unary::Not => "!",
                    Unary::Complement => "~",
                };
                format!("{sign}{}", self.write(inner, TIGHT))
            }
            Term::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref().each_ref().map(|part| self.text(part));
                format!("({condition} -> {then} : {otherwise})")
            }
            Term::Binary(op, a, b) => self.joined(*op, (a, b), around),
        }
    }

    fn joined(self, op: Binary, (a, b): (&Expr, &Expr), around: Strength) -> String {
        let (sign, own) = operator(op);
        let right = if matches!(op, Binary::And | Binary::Or) { own } else { own + 1 };
        let left = self.word_beside(a, b).unwrap_or_else(|| self.write(a, own));
        let right = self.word_beside(b, a).unwrap_or_else(|| self.write(b, right));
        let text = format!("{left} {sign} {right}");
        if own < around { format!("({text})") } else { text }
    }

    /// The word of a number, if the term beside it is a variable with words for its values.
    fn word_beside(self, number: &Expr, beside: &Expr) -> Option<String> {
        let (Term::Constant(number), Term::Atom(Read::Place(place))) = (bare(number), bare(beside)) else {
            return None;
        };
        let (process_type, object) = self.owner(&place.root);
        let fields = place.path.iter().filter_map(|access| match access {
            Access::Field(field) => Some(*field),
            Access::Index(_) => None,
        });
        let fields: Vec<usize> = fields.collect();
        self.model.word(process_type, object, &fields, &(*number).into()).map(str::to_string)
    }

    fn owner(self, root: &Root) -> (Option<ProcessTypeId>, usize) {
        match root {
            Root::Global(object) => (None, *object),
            Root::Local(object) => (self.process_type, *object),
            Root::Remote { process_type, object, .. } => (Some(*process_type), *object),
        }
    }

    fn object(self, root: &Root) -> Option<&'a Object> {
        let system = &self.model.system;
        match self.owner(root) {
            (None, object) => system.globals.get(object),
            (Some(process_type), object) => system.process_types.get(process_type)?.objects.get(object),
        }
    }

    fn root(self, root: &Root) -> String {
        let name = self.object(root).map_or("?", |object| object.name.as_str());
        match root {
            Root::Remote { process, process_type, .. } => {
                format!("{}[{}]:{name}", self.model.process_name(*process_type), self.text(process))
            }
            _ => name.to_string(),
        }
    }

    fn place(self, place: &Place) -> String {
        let mut sort = self.object(&place.root).and_then(|object| match &object.kind {
            ObjectKind::Variable { sort, .. } => Some(sort),
            ObjectKind::Channel { .. } => None,
        });
        let mut text = self.root(&place.root);
        for access in &place.path {
            match access {
                Access::Index(index) => text.push_str(&format!("[{}]", self.text(index))),
                Access::Field(field) => {
                    let name = sort.and_then(|sort| values::field(sort, *field));
                    text.push_str(&format!(".{}", name.unwrap_or("?")));
                }
            }
            sort = sort.and_then(|sort| values::part(sort, access));
        }
        text
    }

    fn read(self, read: &Read) -> String {
        let call = |name: &str, of: &Expr| format!("{name}({})", self.text(of));
        match read {
            Read::Place(place) => self.place(place),
            Read::Handle(root) => self.root(root),
            Read::Myself => "_pid".to_string(),
            Read::Instance(process_type) => self.model.process_name(*process_type).to_string(),
            Read::ProcessCount => "_nr_pr".to_string(),
            Read::Last => "_last".to_string(),
            Read::Timeout => "timeout".to_string(),
            Read::NonProgress => "np_".to_string(),
            Read::Accepting => "accepting".to_string(),
            Read::Enabled(of) => call("enabled", of),
            Read::Location(of) => call("pc_value", of),
            Read::Priority(of) => call("get_priority", of),
            Read::Length(of) => call("len", of),
            Read::Empty(of) => call("empty", of),
            Read::Full(of) => call("full", of),
            Read::At { process, process_type, point } => {
                let points = self.model.system.process_types.get(*process_type).map(|t| &t.points);
                let label = points.and_then(|points| points.get(*point)?.labels.first());
                let name = self.model.process_name(*process_type);
                let label = label.map_or("?", String::as_str);
                match bare(process) {
                    Term::Atom(Read::Instance(_)) => format!("{name}@{label}"),
                    process => format!("{name}[{}]@{label}", self.text(process)),
                }
            }
            Read::Poll { channel, patterns, anywhere } => {
                let fields: Vec<String> = patterns.iter().map(|pattern| self.pattern(pattern)).collect();
                let sign = if *anywhere { "??" } else { "?" };
                format!("{}{sign}[{}]", self.text(channel), fields.join(", "))
            }
        }
    }

    fn pattern(self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Bind(place) => self.place(place),
            Pattern::Match(term) => self.text(term),
            Pattern::Ignore => "_".to_string(),
        }
    }
}

/// Without the machine types around it.
pub(super) fn bare(mut term: &Expr) -> &Expr {
    while let Term::Wrap(_, inner) = term {
        term = inner;
    }
    term
}

/// Whether a term is true or false, rather than a number.
fn is_truth(term: &Expr) -> bool {
    use Binary::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
    match bare(term) {
        Term::Unary(op, _) => *op == Unary::Not,
        Term::Binary(op, ..) => {
            matches!(op, And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
        }
        Term::Atom(read) => matches!(
            read,
            Read::Timeout
                | Read::NonProgress
                | Read::Accepting
                | Read::Enabled(_)
                | Read::At { .. }
                | Read::Empty(_)
                | Read::Full(_)
                | Read::Poll { .. }
        ),
        _ => false,
    }
}

/// How an operator is written, and how strongly it binds in Promela.
fn operator(op: Binary) -> (&'static str, Strength) {
    match op {
        Binary::Or => ("||", 1),
        Binary::And => ("&&", 2),
        Binary::BitOr => ("|", 3),
        Binary::BitXor => ("^", 4),
        Binary::BitAnd => ("&", 5),
        Binary::Equal => ("==", 6),
        Binary::NotEqual => ("!=", 6),
        Binary::Less => ("<", 7),
        Binary::LessEqual => ("<=", 7),
        Binary::Greater => (">", 7),
        Binary::GreaterEqual => (">=", 7),
        Binary::ShiftLeft => ("<<", 8),
        Binary::ShiftRight => (">>", 8),
        Binary::Add => ("+", 9),
        Binary::Subtract => ("-", 9),
        Binary::Multiply => ("*", 10),
        Binary::Divide => ("/", 10),
        Binary::Remainder => ("%", 10),
    }
}
