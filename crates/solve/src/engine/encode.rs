//! From terms to literals, nodes and polynomials: Tseitin's clauses for compound formulas, one
//! canonical bound for each inequality, nodes of the congruence closure for what no theory
//! interprets.

use super::congruence::NodeId;
use super::ground::{Atom, Ground, Wanted};
use super::linear::{ArithVar, Linear};
use super::product::{self, Polynomial};
use super::rational::{Delta, Rational};
use super::sat::Lit;
use logic::fol::{Op, Sort, Term};
use std::collections::BTreeMap;

impl Ground {
    /// Encodes all that is wanted, and the axioms of every term that this brings.
    pub(crate) fn encode_wanted(&mut self) {
        loop {
            if let Some(node) = self.news.pop() {
                let term = self.terms[node].clone();
                for axiom in super::axioms::axioms(&term).into_iter().chain(self.halved(&term)) {
                    self.state(axiom);
                }
            } else if let Some(wanted) = self.wanted.pop() {
                self.encode(wanted);
            } else {
                return;
            }
        }
    }

    /// What a product has to do with the quotients of its factors, and the other way round.
    fn halved(&self, term: &Term) -> Vec<Term> {
        let with = |wanted: &dyn Fn(&Op) -> bool, lemma: &dyn Fn(&Term) -> Vec<Term>| {
            self.terms.iter().filter(|t| wanted(t.op())).flat_map(lemma).collect()
        };
        match term.op() {
            Op::Multiply => with(&|op| *op == Op::Div, &|q| super::axioms::halved(term, q)),
            Op::Div => with(&|op| *op == Op::Multiply, &|p| super::axioms::halved(p, term)),
            _ => Vec::new(),
        }
    }

    /// Asks for a lemma, once; whether it is new.
    pub fn state(&mut self, lemma: Term) -> bool {
        let new = self.stated.insert(lemma.clone());
        if new {
            self.wanted.push(Wanted::Formula(lemma));
        }
        new
    }

    fn encode(&mut self, wanted: Wanted) {
        match wanted {
            Wanted::Formula(formula) => self.assert(&formula),
            Wanted::Implied(why, a, b) => {
                let mut clause: Vec<Lit> = why.iter().map(|l| !*l).collect();
                clause.push(self.equality(&a, &b));
                self.clauses.push(clause);
            }
            Wanted::Interface(a, b) => {
                let literal = self.equality(&a, &b);
                let (a, b) = (self.node(&a), self.node(&b));
                self.link(literal, a, b);
            }
            Wanted::Branch(form, bound) => drop(self.at_most(form, Delta::from(bound))),
            Wanted::Instance(literal, universal, terms) => {
                let instance = super::normal::instance(&universal, &terms, &mut self.skolem);
                let clause = vec![!literal, self.literal(&instance)];
                self.clauses.push(clause);
            }
        }
    }

    /// The literal tells the closure about the equality of two nodes, unless it does already.
    fn link(&mut self, literal: Lit, a: NodeId, b: NodeId) {
        let linked =
            |atom: &Atom| matches!(atom, Atom::Equal(x, y) if (*x, *y) == (a, b) || (*y, *x) == (a, b));
        if literal == self.always {
            let name = self.fresh(true);
            self.clauses.push(vec![name]);
            self.attach(name, Atom::Equal(a, b));
        } else if literal != !self.always && !self.atoms[literal.var()].iter().any(linked) {
            // An equality has a positive literal, so the atom means what the literal says.
            self.attach(literal, Atom::Equal(a, b));
        }
    }

    /// Makes a formula true.
    pub fn assert(&mut self, formula: &Term) {
        match (formula.op(), formula.arguments()) {
            (Op::And, parts) => parts.iter().for_each(|part| self.assert(part)),
            (Op::Or, parts) => {
                let clause = parts.iter().map(|part| self.literal(part)).collect();
                self.clauses.push(clause);
            }
            (Op::Implies, [a, b]) => {
                let clause = vec![!self.literal(a), self.literal(b)];
                self.clauses.push(clause);
            }
            _ => {
                let literal = self.literal(formula);
                self.clauses.push(vec![literal]);
            }
        }
    }

    /// The literal that is true when the formula is.
    pub fn literal(&mut self, formula: &Term) -> Lit {
        if let Some(literal) = self.literals.get(formula) {
            return *literal;
        }
        let literal = self.make_literal(formula);
        self.literals.insert(formula.clone(), literal);
        literal
    }

    fn make_literal(&mut self, formula: &Term) -> Lit {
        let arguments = formula.arguments();
        match formula.op() {
            Op::True => self.always,
            Op::False => !self.always,
            Op::Not => !self.literal(&arguments[0]),
            Op::And => {
                let parts = arguments.iter().map(|a| self.literal(a)).collect();
                self.conjunction(parts)
            }
            Op::Or => {
                let parts = arguments.iter().map(|a| !self.literal(a)).collect();
                !self.conjunction(parts)
            }
            Op::Implies => {
                let parts = vec![self.literal(&arguments[0]), !self.literal(&arguments[1])];
                !self.conjunction(parts)
            }
            Op::Equal => self.equality(&arguments[0], &arguments[1]),
            Op::Distinct => {
                let mut parts = Vec::new();
                for (at, a) in arguments.iter().enumerate() {
                    parts.extend(arguments[..at].iter().map(|b| !self.equality(a, b)));
                }
                self.conjunction(parts)
            }
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|at| self.literal(&arguments[at]));
                self.choice(c, a, b)
            }
            Op::Less => !self.inequality(&arguments[1], &arguments[0]),
            Op::LessEqual => self.inequality(&arguments[0], &arguments[1]),
            Op::Quantified(..) => {
                let literal = self.fresh(false);
                self.universals.push((literal, formula.clone()));
                literal
            }
            Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
                self.bit_comparison(formula)
            }
            _ => {
                // The node of a predicate brings its literal.
                self.node(formula);
                match self.literals.get(formula) {
                    Some(literal) => *literal,
                    None => self.fresh(false),
                }
            }
        }
    }

    pub fn conjunction(&mut self, mut parts: Vec<Lit>) -> Lit {
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|l| *l != self.always);
        if parts.contains(&!self.always) || parts.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !self.always;
        }
        match parts[..] {
            [] => self.always,
            [part] => part,
            _ => {
                let all = self.fresh(false);
                parts.iter().for_each(|part| self.clauses.push(vec![!all, *part]));
                self.clauses.push(parts.iter().map(|part| !*part).chain([all]).collect());
                all
            }
        }
    }

    /// Whether two literals have the same value.
    pub(crate) fn equivalence(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || a == !b {
            return if a == b { self.always } else { !self.always };
        }
        if a.var() == self.always.var() {
            return if a == self.always { b } else { !b };
        }
        if b.var() == self.always.var() {
            return self.equivalence(b, a);
        }
        let same = self.fresh(true);
        self.clauses.extend([vec![!same, !a, b], vec![!same, a, !b], vec![same, a, b], vec![same, !a, !b]]);
        same
    }

    /// If `c` then `a` else `b`.
    pub fn choice(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        if c.var() == self.always.var() {
            return if c == self.always { a } else { b };
        }
        let made = self.fresh(false);
        self.clauses.extend([vec![!c, !made, a], vec![!c, made, !a], vec![c, !made, b], vec![c, made, !b]]);
        made
    }

    pub fn equality(&mut self, a: &Term, b: &Term) -> Lit {
        if a == b {
            return self.always;
        }
        if let Some(literal) = self.equalities.get(&(a.clone(), b.clone())) {
            return *literal;
        }
        let literal = match a.sort() {
            Sort::Bool => {
                let (a, b) = (self.literal(a), self.literal(b));
                self.equivalence(a, b)
            }
            Sort::Int | Sort::Real => self.numeric_equality(a, b),
            Sort::Bits(_) => {
                let (x, y) = (self.bits_of(a), self.bits_of(b));
                let same = x.iter().zip(&y).map(|(x, y)| self.equivalence(*x, *y)).collect();
                self.conjunction(same)
            }
            sort => {
                let literal = self.fresh(true);
                self.extensionality(a, b, sort);
                let (x, y) = (self.node(a), self.node(b));
                self.attach(literal, Atom::Equal(x, y));
                literal
            }
        };
        // A gate may stand for several things; a literal of its own can be linked to the closure.
        let literal = if literal.is_positive() { literal } else { self.renamed(literal) };
        self.equalities.insert((a.clone(), b.clone()), literal);
        self.equalities.insert((b.clone(), a.clone()), literal);
        literal
    }

    fn renamed(&mut self, literal: Lit) -> Lit {
        if literal.var() == self.always.var() {
            return literal;
        }
        let name = self.fresh(true);
        self.clauses.extend([vec![!name, literal], vec![name, !literal]]);
        name
    }

    fn extensionality(&mut self, a: &Term, b: &Term, sort: &Sort) {
        let mut witness = |index: &Sort| self.skolem.fresh("differ", index);
        let lemma = match sort {
            Sort::Array(index, _) => {
                let at = witness(index);
                Term::or([a.equals(b), a.select(&at).differs(&b.select(&at))])
            }
            Sort::Sequence(_) => super::queues::extensionality(a, b, &witness(&Sort::Int)),
            _ => return,
        };
        self.wanted.push(Wanted::Formula(lemma));
    }

    fn numeric_equality(&mut self, a: &Term, b: &Term) -> Lit {
        let mut difference = self.polynomial(a);
        difference.add(&Rational::from(-1), &self.polynomial(b));
        if difference.terms.is_empty() {
            return if difference.constant.is_zero() { self.always } else { !self.always };
        }
        let (terms, constant, _) = difference.normalize();
        let form = self.form(&terms);
        let value = -&constant;
        let (low, high) = match self.forms.is_int[form] {
            true if !value.is_integer() => return !self.always,
            true => (Delta::from(&value - &Rational::ONE), Delta::from(value)),
            false => (Delta { real: value.clone(), delta: Rational::from(-1) }, Delta::from(value)),
        };
        let (below, at_most) = (self.at_most(form, low), self.at_most(form, high));
        self.conjunction(vec![!below, at_most])
    }

    /// `a <= b`.
    fn inequality(&mut self, a: &Term, b: &Term) -> Lit {
        let mut difference = self.polynomial(a);
        difference.add(&Rational::from(-1), &self.polynomial(b));
        if difference.terms.is_empty() {
            return if difference.constant.is_positive() { !self.always } else { self.always };
        }
        let (terms, constant, negative) = difference.normalize();
        let form = self.form(&terms);
        let bound = -&constant;
        let is_int = self.forms.is_int[form];
        match (negative, is_int) {
            (false, true) => self.at_most(form, Delta::from(bound.floor())),
            (false, false) => self.at_most(form, Delta::from(bound)),
            // form >= bound is not (form < bound).
            (true, true) => !self.at_most(form, Delta::from(&-&(-&bound).floor() - &Rational::ONE)),
            (true, false) => !self.at_most(form, Delta { real: bound, delta: Rational::from(-1) }),
        }
    }

    /// The literal of a bound, with clauses that order it among the other bounds of the form.
    pub fn at_most(&mut self, form: ArithVar, bound: Delta) -> Lit {
        if let Some(literal) = self.forms.bounds[form].get(&bound) {
            return *literal;
        }
        let literal = self.fresh(true);
        let bounds = &self.forms.bounds[form];
        let below = bounds.range(..&bound).next_back().map(|(_, l)| *l);
        let above = bounds.range(&bound..).next().map(|(_, l)| *l);
        self.clauses.extend(below.map(|below| vec![!below, literal]));
        self.clauses.extend(above.map(|above| vec![!literal, above]));
        self.forms.bounds[form].insert(bound.clone(), literal);
        self.attach(literal, Atom::AtMost(form, bound));
        literal
    }

    /// The variable of the simplex for a sum.
    fn form(&mut self, terms: &BTreeMap<ArithVar, Rational>) -> ArithVar {
        if let Some((var, coefficient)) = terms.iter().next()
            && terms.len() == 1
            && *coefficient == Rational::ONE
        {
            return *var;
        }
        if let Some(form) = self.forms.sums.get(terms) {
            return *form;
        }
        let form = self.forms.simplex.define(terms);
        let is_int = terms.iter().all(|(var, c)| self.forms.is_int[*var] && c.is_integer());
        self.forms.is_int.push(is_int);
        self.forms.bounds.push(BTreeMap::new());
        self.forms.sums.insert(terms.clone(), form);
        self.forms.definition.insert(form, terms.clone());
        form
    }

    /// The linear polynomial of a numeric term; what is not linear is a variable of it.
    pub(crate) fn polynomial(&mut self, term: &Term) -> Linear {
        if let Some(known) = self.forms.polynomials.get(term) {
            return known.clone();
        }
        let made = self.make_polynomial(term);
        self.forms.polynomials.insert(term.clone(), made.clone());
        made
    }

    fn make_polynomial(&mut self, term: &Term) -> Linear {
        let arguments = term.arguments();
        let mut sum = Linear::constant(Rational::ZERO);
        match term.op() {
            Op::Int(n) => return Linear::constant(Rational::from(n)),
            Op::Real(r) => return Linear::constant(r.clone().into()),
            Op::Add => arguments.iter().for_each(|a| sum.add(&Rational::ONE, &self.polynomial(a))),
            Op::Subtract => {
                sum.add(&Rational::ONE, &self.polynomial(&arguments[0]));
                sum.add(&Rational::from(-1), &self.polynomial(&arguments[1]));
            }
            Op::Negate => sum.add(&Rational::from(-1), &self.polynomial(&arguments[0])),
            Op::ToReal => return self.polynomial(&arguments[0]),
            Op::Multiply => match product::expanded(term) {
                Some(polynomial) => return self.monomials(polynomial, term),
                None => return self.product(term),
            },
            Op::Divide => {
                let divisor = self.polynomial(&arguments[1]);
                if !divisor.terms.is_empty() || divisor.constant.is_zero() {
                    return self.opaque(term);
                }
                sum.add(&divisor.constant.inverse(), &self.polynomial(&arguments[0]));
            }
            Op::Mod => {
                let divisor = self.polynomial(&arguments[1]);
                if !divisor.terms.is_empty() || divisor.constant.is_zero() {
                    return self.opaque(term);
                }
                let quotient = Term::of(Op::Div, arguments.iter().cloned());
                sum.add(&Rational::ONE, &self.polynomial(&arguments[0]));
                sum.add(&-&divisor.constant, &self.polynomial(&quotient));
            }
            _ => return self.opaque(term),
        }
        sum
    }

    /// A sum of monomials; those with several factors are terms of their own.
    fn monomials(&mut self, polynomial: Polynomial, term: &Term) -> Linear {
        let mut sum = Linear::constant(Rational::ZERO);
        for (factors, coefficient) in polynomial {
            let part = match product::monomial(&factors) {
                None => Linear::constant(Rational::ONE),
                Some(one) if factors.len() == 1 => self.polynomial(&one),
                Some(made) => {
                    let part = self.opaque(if made == *term { term } else { &made });
                    self.commuted(&made);
                    part
                }
            };
            sum.add(&coefficient, &part);
        }
        sum
    }

    /// The product with its factors the other way round is equal, so that products of equal factors
    /// are congruent in any order.
    fn commuted(&mut self, product: &Term) {
        let [a, b] = product.arguments() else { return };
        let swapped = Term::of(Op::Multiply, [b.clone(), a.clone()]);
        if a == b || self.forms.variables.contains_key(&swapped) {
            return;
        }
        let variable = self.opaque(&swapped);
        self.forms.polynomials.insert(swapped.clone(), variable);
        self.state(product.equals(&swapped));
    }

    /// Constants are multiplied out; a product of two others is a term of its own, two factors at a
    /// time.
    fn product(&mut self, term: &Term) -> Linear {
        let mut constant = Rational::ONE;
        let mut factors: Vec<Term> = Vec::new();
        for argument in term.arguments() {
            let polynomial = self.polynomial(argument);
            if polynomial.terms.is_empty() {
                constant = &constant * &polynomial.constant;
            } else {
                factors.push(argument.clone());
            }
        }
        factors.sort();
        let mut rest = factors.into_iter();
        let Some(first) = rest.next() else { return Linear::constant(constant) };
        let product = rest.reduce(|made, factor| made.times(&factor)).map(|others| first.times(&others));
        let mut made = match product {
            Some(product) if product == *term => self.opaque(term),
            Some(product) => self.polynomial(&product),
            None => self.polynomial(&first),
        };
        made.scale(&constant);
        made
    }

    fn opaque(&mut self, term: &Term) -> Linear {
        if let Some(var) = self.forms.variables.get(term) {
            return Linear::variable(*var);
        }
        let var = self.forms.simplex.fresh();
        self.forms.is_int.push(*term.sort() == Sort::Int);
        self.forms.bounds.push(BTreeMap::new());
        self.forms.variables.insert(term.clone(), var);
        self.node(term);
        Linear::variable(var)
    }

    /// The node of the congruence closure for a term.
    pub fn node(&mut self, term: &Term) -> NodeId {
        if let Some(node) = self.nodes.get(term) {
            return *node;
        }
        let node = if is_leaf(term) {
            let head = self.new_head();
            self.closure.add(head, Vec::new())
        } else {
            let arguments = term.arguments().iter().map(|a| self.node(a)).collect();
            let head = match self.heads.get(term.op()) {
                Some(head) => *head,
                None => {
                    let head = self.new_head();
                    self.heads.insert(term.op().clone(), head);
                    head
                }
            };
            self.closure.add(head, arguments)
        };
        self.nodes.insert(term.clone(), node);
        self.terms.push(term.clone());
        self.news.push(node);
        self.interpret(term, node);
        node
    }

    fn new_head(&mut self) -> u32 {
        self.next_head += 1;
        self.next_head
    }

    /// What other theories must know about a term that is a node.
    fn interpret(&mut self, term: &Term, node: NodeId) {
        match term.sort() {
            Sort::Int | Sort::Real => drop(self.polynomial(term)),
            Sort::Bits(_) => drop(self.bits_of(term)),
            Sort::Bool if term.is_true() || term.is_false() => {}
            Sort::Bool if is_predicate(term) => {
                let base = matches!(term.op(), Op::Is(n) if is_base(term.arguments()[0].sort(), *n));
                let literal = self.fresh(base);
                self.literals.insert(term.clone(), literal);
                self.attach(literal, Atom::Truth(node));
            }
            Sort::Bool => {
                let literal = self.literal(term);
                let name = self.fresh(true);
                let same = self.equivalence(name, literal);
                self.clauses.push(vec![same]);
                self.attach(name, Atom::Truth(node));
            }
            _ => {}
        }
    }
}

/// Terms without arguments that the closure sees: constants, and what another theory interprets.
fn is_leaf(term: &Term) -> bool {
    let has_node = matches!(
        term.op(),
        Op::Apply(_)
            | Op::Select
            | Op::Store
            | Op::ConstArray(_)
            | Op::Construct(..)
            | Op::Field(..)
            | Op::Is(_)
            | Op::Length
            | Op::Nth
            | Op::Append
            | Op::Prepend
            | Op::Tail
            | Op::Div
            | Op::Mod
            | Op::Divide
            | Op::Multiply
    );
    term.arguments().is_empty() || !has_node
}

fn is_predicate(term: &Term) -> bool {
    matches!(term.op(), Op::Apply(_) | Op::Select | Op::Field(..) | Op::Is(_) | Op::Nth)
}

/// Whether a constructor makes values without having one already.
fn is_base(sort: &Sort, constructor: usize) -> bool {
    let fields = sort.datatype().and_then(|data| data.constructors.get(constructor)).map(|c| &c.fields);
    fields.is_some_and(|fields| fields.iter().all(|(_, sort)| *sort != Sort::Itself))
}
