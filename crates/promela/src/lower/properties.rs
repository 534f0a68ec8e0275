//! What a model states of its runs: formulas, claims, labels, as properties of the system.
//!
//! Atoms of formulas become propositions. A boolean part of a formula some atom of which may have
//! no value (an index, a division) stays one proposition, so that `&&` and `||` still guard what is
//! to their right.

use super::claim;
use super::expr::Scope;
use crate::model::{Expr as Written, Model, ProcessKind};
use logic::ltl::{Binary, Formula, Unary};
use logic::{Binary as On, Term, Unary as Of};
use source::Span;
use system::{Access, Expr, Meaning, Place, ProcessRules, ProcessType, Property, Read, Root, System};

/// A formula over expressions of the model.
type Stated = Formula<Written>;

/// What kind of statement a property comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An `ltl` block, or a formula of the command line.
    Formula,
    /// A `never` claim.
    Claim,
    /// Labels that begin with `accept`.
    Acceptance,
    /// Labels that begin with `progress`.
    Progress,
    /// A `trace` or `notrace` assertion.
    Trace,
}

/// Why a property cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncheckable {
    /// More propositions than a letter has bits.
    #[error("it has more than {} propositions", system::property::MAX_PROPOSITIONS)]
    Propositions,
    /// A state formula would have to be decided over a run.
    #[error("an atom of it is a temporal formula itself")]
    TemporalAtom,
    /// A claim does more than look; the statement.
    #[error("the claim has an effect: `{0}`")]
    Effect(String),
    /// The claim's last executable statement is inside an atomic sequence.
    #[error("the claim may stop inside an atomic sequence, after `{0}`")]
    StopsInside(String),
    /// The claim has variables, which no proposition can read.
    #[error("the claim reads variables of its own")]
    OwnVariables,
    /// A statement of a trace.
    #[error("no event: `{0}`")]
    NoEvent(String),
    /// An event of a trace is on a channel of a process.
    #[error("its channel is no global one")]
    LocalChannel,
    /// The automaton of the trace would not be deterministic.
    #[error("two events of the trace may match at once")]
    Ambiguous,
}

/// A property stated by a model, or why it cannot be checked.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What the property is called.
    pub name: String,
    /// What it comes from.
    pub kind: Kind,
    /// A formula as the user wrote it.
    pub text: Option<String>,
    /// What is checked, or why it cannot be.
    pub property: Result<Property, Uncheckable>,
    /// The system it is about, if that is one with more variables; steps are the same.
    pub tracked: Option<System>,
    /// Whether it is checked even if not asked for.
    pub stated: bool,
}

impl Statement {
    /// One that is checked in any case.
    pub fn new(name: &str, kind: Kind, property: Result<Property, Uncheckable>) -> Statement {
        Statement { name: name.to_string(), kind, text: None, property, tracked: None, stated: true }
    }
}

pub(crate) fn formulas(model: &Model, scope: &Scope<'_>) -> Vec<Statement> {
    let of = |stated: &crate::model::Property| {
        let mut propositions = Propositions::default();
        let formula = propositions.formula(scope, &stated.formula);
        let property = propositions.property(&stated.name, Meaning::Always(formula), stated.span);
        let text = Some(stated.text.clone());
        Statement { text, ..Statement::new(&stated.name, Kind::Formula, property) }
    };
    model.formulas.iter().map(of).collect()
}

/// A never claim, from its body as a process type.
pub fn never(name: &str, process_type: &ProcessType, rules: &ProcessRules) -> Statement {
    let mut propositions = Propositions::default();
    let property = claim::automaton(process_type, rules, &mut propositions)
        .and_then(|automaton| propositions.property(name, Meaning::Never(automaton), process_type.span));
    Statement::new(if name.starts_with(':') { "never" } else { name }, Kind::Claim, property)
}

/// An event trace, from the system that keeps track of it.
pub fn trace(tracked: Result<(System, Property), Uncheckable>) -> Statement {
    let (tracked, property) = match tracked {
        Ok((system, property)) => (Some(system), Ok(property)),
        Err(why) => (None, Err(why)),
    };
    Statement { tracked, ..Statement::new("trace", Kind::Trace, property) }
}

/// No infinite run visits accept labels again and again.
pub fn acceptance(model: &Model) -> Statement {
    let again = Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, Formula::Atom(0)));
    let property = Property::about("acceptance", Term::Atom(Read::Accepting), Formula::negation(again));
    labelled(model, "accept", Kind::Acceptance, property)
}

/// No infinite run stays away from progress labels forever. A run that ends does not count, as in
/// SPIN.
pub fn progress(model: &Model) -> Statement {
    let progresses = Formula::negation(Formula::Atom(0));
    let again = Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, progresses));
    let property = Property::about("progress", Term::Atom(Read::NonProgress), again);
    labelled(model, "progress", Kind::Progress, Property { ends: false, ..property })
}

fn labelled(model: &Model, prefix: &str, kind: Kind, property: Property) -> Statement {
    let runs = |kind| matches!(kind, ProcessKind::Proctype | ProcessKind::Init);
    let labels = model.processes.iter().filter(|p| runs(p.kind)).flat_map(|p| &p.labels);
    let stated = labels.into_iter().any(|l| l.name.starts_with(prefix));
    Statement { stated, ..Statement::new(&property.name.clone(), kind, Ok(property)) }
}

/// The propositions of one property, each once.
#[derive(Default)]
pub struct Propositions {
    terms: Vec<Expr>,
    spans: Vec<Span>,
}

impl Propositions {
    /// How many propositions there are so far.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// The property that says this about the propositions.
    pub fn property(self, name: &str, meaning: Meaning, span: Span) -> Result<Property, Uncheckable> {
        if self.count() > system::property::MAX_PROPOSITIONS {
            return Err(Uncheckable::Propositions);
        }
        let Propositions { terms: propositions, spans } = self;
        Ok(Property { name: name.to_string(), propositions, spans, meaning, ends: true, span })
    }

    /// The number of a proposition.
    fn number(&mut self, term: Expr, span: Span) -> usize {
        let known = self.terms.iter().position(|p| *p == term);
        known.unwrap_or_else(|| {
            self.terms.push(term);
            self.spans.push(span);
            self.terms.len() - 1
        })
    }

    fn formula(&mut self, scope: &Scope<'_>, stated: &Stated) -> Formula<usize> {
        if let Some(term) = plain(stated, &|expr| scope.expr(expr))
            && may_fail(&term)
        {
            return Formula::Atom(self.number(term, place(stated)));
        }
        let mut below = |stated: &Stated| self.formula(scope, stated);
        match stated {
            Stated::Atom(expr) => self.boolean(&scope.expr(expr), expr.span),
            Stated::Constant(value) => Formula::Constant(*value),
            Stated::Unary(op, a) => Formula::unary(*op, below(a)),
            Stated::Binary(op, a, b) => {
                let a = below(a);
                Formula::binary(*op, a, below(b))
            }
        }
    }

    /// A term as a formula over propositions.
    pub fn boolean(&mut self, term: &Expr, span: Span) -> Formula<usize> {
        match term {
            Term::Constant(c) => Formula::Constant(*c != 0),
            _ if may_fail(term) => Formula::Atom(self.number(term.clone(), span)),
            Term::Unary(Of::Not, a) => Formula::negation(self.boolean(a, span)),
            Term::Binary(op @ (On::And | On::Or), a, b) => {
                let op = if *op == On::And { Binary::And } else { Binary::Or };
                let a = self.boolean(a, span);
                Formula::binary(op, a, self.boolean(b, span))
            }
            _ => Formula::Atom(self.number(term.clone(), span)),
        }
    }
}

/// Where a formula stands.
fn place(stated: &Stated) -> Span {
    let mut spans = Vec::new();
    stated.atoms(&mut |expr| spans.push(expr.span));
    spans.into_iter().reduce(Span::to).unwrap_or_default()
}

/// A formula without temporal operators as one term, given that of each atom.
pub fn plain<A>(formula: &Formula<A>, atom: &impl Fn(&A) -> Expr) -> Option<Expr> {
    let not = |a: Expr| Term::unary(Of::Not, a);
    Some(match formula {
        Formula::Constant(value) => Term::Constant((*value).into()),
        Formula::Atom(a) => atom(a),
        Formula::Unary(Unary::Not, a) => not(plain(a, atom)?),
        Formula::Unary(..) => return None,
        Formula::Binary(op, a, b) => {
            let (a, b) = (plain(a, atom)?, plain(b, atom)?);
            match op {
                Binary::And => Term::binary(On::And, a, b),
                Binary::Or => Term::binary(On::Or, a, b),
                Binary::Implies => Term::binary(On::Or, not(a), b),
                // Equal as truths, not as numbers.
                Binary::Iff => Term::binary(On::Equal, not(a), not(b)),
                _ => return None,
            }
        }
    })
}

/// Whether the term may have no value in some state.
fn may_fail(term: &Expr) -> bool {
    match term {
        Term::Constant(_) => false,
        Term::Unary(_, a) | Term::Wrap(_, a) => may_fail(a),
        Term::Binary(On::Divide | On::Remainder, _, b) if !matches!(**b, Term::Constant(c) if c != 0) => true,
        Term::Binary(On::ShiftLeft | On::ShiftRight, _, b) if !matches!(**b, Term::Constant(_)) => true,
        Term::Binary(_, a, b) => may_fail(a) || may_fail(b),
        Term::Conditional(parts) => parts.iter().any(may_fail),
        Term::Atom(read) => read_may_fail(read),
    }
}

fn read_may_fail(read: &Read) -> bool {
    let fixed = |place: &Place| {
        let constant = |a: &Access| !matches!(a, Access::Index(t) if !matches!(t, Term::Constant(_)));
        place.path.iter().all(constant)
    };
    match read {
        Read::Place(place @ Place { root: Root::Remote { process, .. }, .. }) => {
            may_fail(process) || !fixed(place)
        }
        Read::Place(place) => !fixed(place),
        Read::At { process, .. } | Read::Location(process) | Read::Priority(process) => may_fail(process),
        Read::Length(c) | Read::Empty(c) | Read::Full(c) => {
            !matches!(&**c, Term::Atom(Read::Place(p)) if fixed(p))
        }
        Read::Enabled(_) | Read::Poll { .. } => true,
        Read::Handle(_) | Read::Myself | Read::Instance(_) | Read::ProcessCount => false,
        Read::Last | Read::Timeout | Read::NonProgress | Read::Accepting => false,
    }
}
