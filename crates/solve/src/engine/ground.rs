//! The theory of ground formulas: everything the search knows about the literals it assigns.
//!
//! A literal may be a bound on a linear form ([`Simplex`]), an equality of terms or a truth value
//! of one ([`Congruence`]), a bit of a bit-vector, or a name for a compound formula, which clauses
//! tell about ([`super::encode`]). Bounds and equalities are checked as they are assigned. When
//! everything is assigned, what is missing is found by looking at the values ([`super::complete`]).

use super::congruence::{Congruence, Head, NodeId};
use super::linear::{ArithVar, Linear};
use super::rational::{Delta, Rational};
use super::sat::{Completion, Lit, Theory};
use super::simplex::{Side, Simplex};
use crate::model::Model;
use logic::fol::{Op, Term};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the theory makes of a variable of the search.
#[derive(Clone, Debug)]
pub enum Atom {
    /// The form is at most the bound.
    AtMost(ArithVar, Delta),
    Equal(NodeId, NodeId),
    /// The node is true.
    Truth(NodeId),
}

/// Something to be encoded as soon as nothing is decided.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A formula that is true.
    Formula(Term),
    /// Literals that together make two terms equal.
    Implied(Vec<Lit>, Term, Term),
    /// The congruence closure wants to know whether two terms are equal.
    Interface(Term, Term),
    /// Whether the form is at most an integer.
    Branch(ArithVar, Rational),
    /// What a quantified formula says about these terms, if its literal is true.
    Instance(Lit, Term, Vec<Term>),
}

/// Linear forms: the variables of the simplex with what they stand for.
#[derive(Default)]
pub(crate) struct Forms {
    pub(crate) simplex: Simplex,
    /// Numeric terms that are no sums, and the polynomials of all numeric terms met.
    pub variables: HashMap<Term, ArithVar>,
    pub(crate) polynomials: HashMap<Term, Linear>,
    /// Sums, by their coefficients; and the other way round.
    pub(crate) sums: HashMap<BTreeMap<ArithVar, Rational>, ArithVar>,
    pub definition: HashMap<ArithVar, BTreeMap<ArithVar, Rational>>,
    pub(crate) is_int: Vec<bool>,
    /// For each form its bounds that have a literal.
    pub bounds: Vec<BTreeMap<Delta, Lit>>,
}

pub struct Ground {
    pub closure: Congruence,
    pub forms: Forms,
    /// Literals of formulas, of equalities, of the bits of bit-vectors.
    pub literals: HashMap<Term, Lit>,
    pub(crate) equalities: HashMap<(Term, Term), Lit>,
    pub bits: HashMap<Term, Vec<Lit>>,
    pub nodes: HashMap<Term, NodeId>,
    pub terms: Vec<Term>,
    pub heads: HashMap<Op, Head>,
    pub(crate) next_head: Head,
    pub atoms: Vec<Vec<Atom>>,
    pub(crate) phases: Vec<bool>,
    pub values: Vec<Option<bool>>,
    pub always: Lit,
    pub truth: [NodeId; 2],
    /// Clauses for the search, formulas for the encoder, nodes whose axioms are still to be stated.
    pub clauses: Vec<Vec<Lit>>,
    pub wanted: Vec<Wanted>,
    pub news: Vec<NodeId>,
    /// Lemmas stated once.
    pub stated: HashSet<Term>,
    /// Quantified formulas by their literals.
    pub(crate) universals: Vec<(Lit, Term)>,
    /// Instances of them that were stated.
    pub(crate) instances: HashSet<(Term, Vec<Term>)>,
    pub(crate) skolem: super::normal::Skolem,
    /// The values of the forms in the last complete assignment, and the model made of it.
    pub numbers: Vec<Rational>,
    pub model: Model,
    pub branches: usize,
    /// How much the next call of the Omega test may do.
    pub(crate) omega: usize,
    pub limits: super::complete::Budget,
    assigned: Vec<Lit>,
    marks: Vec<(usize, usize)>,
}

impl Ground {
    pub fn new(limits: super::complete::Budget, skolem: super::normal::Skolem) -> Ground {
        let mut ground = Ground {
            closure: Congruence::default(),
            forms: Forms::default(),
            literals: HashMap::new(),
            equalities: HashMap::new(),
            bits: HashMap::new(),
            nodes: HashMap::new(),
            terms: Vec::new(),
            heads: HashMap::new(),
            next_head: 0,
            atoms: Vec::new(),
            phases: Vec::new(),
            values: Vec::new(),
            always: Lit::new(0, true),
            truth: [0, 1],
            clauses: Vec::new(),
            wanted: Vec::new(),
            news: Vec::new(),
            stated: HashSet::new(),
            universals: Vec::new(),
            instances: HashSet::new(),
            skolem,
            numbers: Vec::new(),
            model: Model::default(),
            branches: 0,
            omega: super::complete::OMEGA,
            limits,
            assigned: Vec::new(),
            marks: Vec::new(),
        };
        ground.always = ground.fresh(true);
        ground.clauses.push(vec![ground.always]);
        ground.truth = [Term::truth(false), Term::truth(true)].map(|t| ground.node(&t));
        // Nothing is assigned yet, so this cannot fail.
        let _ = ground.closure.differ(ground.truth[0], ground.truth[1], None);
        ground
    }

    /// A new variable as a literal, with the value to try first.
    pub(crate) fn fresh(&mut self, phase: bool) -> Lit {
        self.phases.push(phase);
        self.values.push(None);
        self.atoms.push(Vec::new());
        Lit::new(self.phases.len() - 1, true)
    }

    pub fn value(&self, literal: Lit) -> Option<bool> {
        self.values[literal.var()].map(|value| value == literal.is_positive())
    }

    /// Attaches a meaning to a literal, which may be true or false already for good.
    pub(crate) fn attach(&mut self, literal: Lit, atom: Atom) {
        let known = self.values[literal.var()];
        if let Some(value) = known {
            let assigned = Lit::new(literal.var(), value);
            if let Err(conflict) = self.inform(assigned, &atom) {
                self.clauses.push(conflict.iter().map(|l| !*l).collect());
            }
        }
        self.atoms[literal.var()].push(atom);
    }

    /// Tells a decision procedure about a literal that has become true.
    fn inform(&mut self, literal: Lit, atom: &Atom) -> Result<(), Vec<Lit>> {
        match (atom, literal.is_positive()) {
            (Atom::AtMost(form, bound), true) => {
                self.forms.simplex.assert(*form, Side::Upper, bound.clone(), literal)
            }
            (Atom::AtMost(form, bound), false) => {
                let above = match self.forms.is_int[*form] {
                    true => Delta::from(&bound.real + &Rational::ONE),
                    false => Delta { real: bound.real.clone(), delta: &bound.delta + &Rational::ONE },
                };
                self.forms.simplex.assert(*form, Side::Lower, above, literal)
            }
            (Atom::Equal(a, b), true) => self.closure.merge(*a, *b, literal),
            (Atom::Equal(a, b), false) => self.closure.differ(*a, *b, Some(literal)),
            (Atom::Truth(node), value) => self.closure.merge(*node, self.truth[usize::from(value)], literal),
        }
    }
}

impl Theory for Ground {
    fn assign(&mut self, literals: &[Lit]) -> Result<(), Vec<Lit>> {
        let mut bounds = false;
        for literal in literals {
            self.marks.push((self.closure.mark(), self.forms.simplex.mark()));
            self.assigned.push(*literal);
            self.values[literal.var()] = Some(literal.is_positive());
            for at in 0..self.atoms[literal.var()].len() {
                let atom = self.atoms[literal.var()][at].clone();
                bounds |= matches!(atom, Atom::AtMost(..));
                self.inform(*literal, &atom)?;
            }
        }
        if bounds { self.forms.simplex.check() } else { Ok(()) }
    }

    fn retract(&mut self, count: usize) {
        if count >= self.assigned.len() {
            return;
        }
        let (closure, simplex) = self.marks[count];
        self.closure.undo_to(closure);
        self.forms.simplex.undo_to(simplex);
        self.marks.truncate(count);
        for literal in self.assigned.drain(count..) {
            self.values[literal.var()] = None;
        }
    }

    fn complete(&mut self) -> Completion {
        super::complete::complete(self)
    }

    fn clauses(&mut self) -> Vec<Vec<Lit>> {
        self.encode_wanted();
        std::mem::take(&mut self.clauses)
    }

    fn phases(&self) -> &[bool] {
        &self.phases
    }
}
