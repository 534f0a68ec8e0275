//! From the tree to a formula: the host language reads the atoms, and decides about quantifiers.

use source::{Diagnostic, Span};

use super::super::{Binary, Formula, Unary};
use super::tree::{Node, Tree};

use {Binary::*, Unary::*};

/// The language that atoms are written in.
pub trait Host {
    /// What an atom is read as.
    type Atom;

    /// Reads an atom.
    fn atom(&mut self, text: &str, span: Span) -> Result<Self::Atom, Vec<Diagnostic>>;

    /// In how many cases a quantified temporal formula is read: the conjunction (for `Exists` the
    /// disjunction) of all of them takes its place. A host that knows the range gives one case for
    /// each value; one that proves things may give a single case, a fresh constant, if the
    /// quantifier [can come to the front](Quantifier::to_the_front).
    fn cases(&mut self, quantifier: &Quantifier) -> Result<usize, Vec<Diagnostic>> {
        let problem = Diagnostic::error("E0407", quantifier.span, "a quantifier over a temporal formula")
            .label("only state formulas can be quantified here");
        Err(vec![problem.help("move the quantifier inside, or write one property for each value")])
    }

    /// From here to the matching [`leave`](Host::leave) atoms are read in this case.
    fn enter(&mut self, _quantifier: &Quantifier, _case: usize) {}

    /// The end of the case that [`enter`](Host::enter) began.
    fn leave(&mut self) {}
}

/// A quantifier over a temporal formula.
pub struct Quantifier<'a> {
    /// Whether it is universal.
    pub forall: bool,
    /// What it binds, as written: `i:[1..N], j:[1..N]`.
    pub binder: &'a str,
    /// Where it stands.
    pub span: Span,
    /// The formula holds of a system if and only if it does for each value, taken as a constant: it
    /// is `Forall` under operators that distribute over conjunction, or `Exists` under a negation
    /// and their duals.
    pub to_the_front: bool,
}

/// A host without quantifiers: a function that reads atoms.
pub struct Atoms<R>(pub R);

impl<A, R: FnMut(&str, Span) -> Result<A, Vec<Diagnostic>>> Host for Atoms<R> {
    type Atom = A;

    fn atom(&mut self, text: &str, span: Span) -> Result<A, Vec<Diagnostic>> {
        (self.0)(text, span)
    }
}

/// More nodes than this are not made by quantifiers.
const MAX_NODES: usize = 100_000;

impl Tree {
    /// The formula, with all atoms read; or everything that is wrong with them.
    pub fn resolve<H: Host>(&self, host: &mut H) -> Result<Formula<H::Atom>, Vec<Diagnostic>> {
        let mut resolver = Resolver { host, problems: Vec::new(), nodes: 0 };
        let formula = resolver.formula(self, Some(true));
        if resolver.problems.is_empty() { Ok(formula) } else { Err(resolver.problems) }
    }
}

struct Resolver<'a, H> {
    host: &'a mut H,
    problems: Vec<Diagnostic>,
    nodes: usize,
}

/// Which quantifier can come to the front from here as "for all": `Forall` (true), `Exists`
/// (false), neither.
type Front = Option<bool>;

impl<H: Host> Resolver<'_, H> {
    /// Where an atom cannot be read, a constant stands for it.
    fn formula(&mut self, tree: &Tree, front: Front) -> Formula<H::Atom> {
        self.nodes += 1;
        match &tree.node {
            Node::Constant(c) => Formula::Constant(*c),
            Node::Atom(text) => match self.host.atom(text, tree.span) {
                Ok(atom) => Formula::Atom(atom),
                Err(problems) => {
                    self.problems.extend(problems);
                    Formula::FALSE
                }
            },
            Node::Unary(op, a) => Formula::unary(*op, self.formula(a, through_unary(*op, front))),
            Node::Binary(op, a, b) => {
                let [left, right] = through_binary(*op, front);
                let a = self.formula(a, left);
                Formula::binary(*op, a, self.formula(b, right))
            }
            Node::Quantified { forall, binder, body } => {
                let to_the_front = front == Some(*forall);
                let quantifier = Quantifier { forall: *forall, binder, span: tree.span, to_the_front };
                self.quantified(&quantifier, body, front)
            }
        }
    }

    fn quantified(&mut self, quantifier: &Quantifier, body: &Tree, front: Front) -> Formula<H::Atom> {
        let cases = match self.host.cases(quantifier) {
            Ok(cases) => cases,
            Err(problems) => {
                self.problems.extend(problems);
                return Formula::FALSE;
            }
        };
        let op = if quantifier.forall { And } else { Or };
        let mut all: Vec<Formula<H::Atom>> = Vec::new();
        for case in 0..cases {
            if self.nodes > MAX_NODES {
                self.problems.push(Diagnostic::error("E0404", quantifier.span, "too many cases"));
                break;
            }
            self.host.enter(quantifier, case);
            all.push(self.formula(body, front));
            self.host.leave();
        }
        balanced(op, all)
    }
}

/// A junction of many, no higher than needed.
fn balanced<A>(op: Binary, mut all: Vec<Formula<A>>) -> Formula<A> {
    match all.len() {
        0 => Formula::Constant(op == And),
        1 => all.remove(0),
        length => {
            let rest = all.split_off(length / 2);
            Formula::binary(op, balanced(op, all), balanced(op, rest))
        }
    }
}

fn through_unary(op: Unary, front: Front) -> Front {
    match op {
        Not => front.map(|forall| !forall),
        Next | Previous | WeakPrevious => front,
        Always | Historically => front.filter(|forall| *forall),
        Eventually | Once => front.filter(|forall| !*forall),
    }
}

fn through_binary(op: Binary, front: Front) -> [Front; 2] {
    let (universal, existential) = (front.filter(|forall| *forall), front.filter(|forall| !*forall));
    match op {
        And | Or => [front, front],
        Implies => [front.map(|forall| !forall), front],
        Entails => [universal.map(|_| false), universal],
        Iff => [None, None],
        Until | WeakUntil | Since | BackTo => [universal, existential],
        Release | StrongRelease | Trigger => [existential, universal],
    }
}
