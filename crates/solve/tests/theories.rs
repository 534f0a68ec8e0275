//! Each theory with a formula that is valid and a neighbour that is not, on every engine at hand:
//! none contradicts the embedded one, which decides all of them.

mod portfolio;

use logic::fol::{Constructor, Op, Rational, Sort, Symbol, Term};
use portfolio::Portfolio;
use solve::{Answer, Assumption, Embedded, External, Options, Solver};
use std::sync::atomic::Ordering;

fn symbol(name: &str, sort: &Sort) -> Term {
    Symbol::constant(name, sort.clone()).term()
}

fn int(name: &str) -> Term {
    symbol(name, &Sort::Int)
}

fn named(assumptions: &[Term]) -> Vec<Assumption> {
    assumptions.iter().enumerate().map(|(n, f)| Assumption::new(format!("h{n}"), f.clone())).collect()
}

/// The embedded engine's answer, after z3 and cvc5 have not contradicted it.
fn check(assumptions: &[Term], goal: &Term) -> Answer {
    let (assumptions, options) = (named(assumptions), Options::default());
    let ours = Embedded::default().check(&assumptions, goal, &options);
    let cross = Portfolio::default().cross_check(&assumptions, goal, &options);
    assert!(cross.is_ok(), "{cross:?} on {goal}");
    ours
}

fn valid(assumptions: &[Term], goal: &Term) {
    let answer = check(assumptions, goal);
    assert!(answer.is_valid(), "{answer:?} on {goal}");
}

fn invalid(assumptions: &[Term], goal: &Term) {
    let answer = check(assumptions, goal);
    assert!(answer.is_invalid(), "{answer:?} on {goal}");
}

#[test]
fn arrays() {
    let sort = Sort::array(Sort::Int, Sort::Int);
    let (a, b, i, j) = (symbol("a", &sort), symbol("b", &sort), int("i"), int("j"));
    let swapped = a.store(&i, &a.select(&j)).store(&j, &a.select(&i));
    let back = swapped.store(&i, &swapped.select(&j)).store(&j, &swapped.select(&i));
    valid(&[], &back.equals(&a));
    invalid(&[], &swapped.equals(&a));
    let everywhere = Term::of(Op::ConstArray(sort.clone()), [Term::int(0)]);
    valid(&[everywhere.store(&i, &Term::int(1)).equals(&b)], &b.select(&j).at_most(&Term::int(1)));
    let ones = Term::of(Op::ConstArray(sort), [Term::int(1)]);
    valid(&[], &everywhere.store(&i, &Term::int(1)).differs(&ones));
    invalid(&[i.differs(&j)], &a.store(&i, &int("v")).differs(&b));
}

#[test]
fn records_and_enumerations() {
    let point = Sort::record("Point", &[("abscissa", Sort::Int), ("ordinate", Sort::Int)]);
    let (p, q) = (symbol("p", &point), symbol("q", &point));
    let same = [p.field(0, 0).equals(&q.field(0, 0)), p.field(0, 1).equals(&q.field(0, 1))];
    valid(&same, &p.equals(&q));
    invalid(&same[..1], &p.equals(&q));
    valid(&[], &p.with_field(0, &Term::int(3)).field(0, 1).equals(&p.field(0, 1)));
    let light = Sort::enumeration("Light", &["red", "yellow", "green"]);
    let lights: Vec<Term> = ["s", "t", "u", "v"].iter().map(|n| symbol(n, &light)).collect();
    valid(&[], &Term::distinct(lights.clone()).negated());
    invalid(&[], &Term::distinct(lights[..3].to_vec()).negated());
}

#[test]
fn lists_and_trees() {
    let list = Sort::list("List", Sort::Int);
    let (x, y, n) = (symbol("x", &list), symbol("y", &list), int("n"));
    let cons = |head: &Term, tail: &Term| Term::construct(&list, 1, [head.clone(), tail.clone()]);
    valid(&[], &cons(&n, &x).differs(&x));
    valid(&[x.equals(&cons(&n, &y)), y.equals(&cons(&n, &x))], &Term::truth(false));
    valid(
        &[x.is(1), y.is(1), x.field(1, 0).equals(&y.field(1, 0))],
        &x.field(1, 1).differs(&y.field(1, 1)).implies(&x.differs(&y)),
    );
    invalid(&[x.is(1), y.is(1)], &x.equals(&y));
    // The head of the empty list is unspecified.
    invalid(&[x.is(0)], &x.field(1, 0).equals(&Term::int(0)));
    let leaf = Constructor { name: "leaf".into(), fields: vec![("label".into(), Sort::Int)] };
    let fields = vec![("left".into(), Sort::Itself), ("right".into(), Sort::Itself)];
    let tree = Sort::data("Tree", vec![leaf, Constructor { name: "fork".into(), fields }]);
    let t = symbol("t", &tree);
    valid(&[t.is(1)], &t.field(1, 0).differs(&t));
    invalid(&[t.is(1)], &t.field(1, 0).differs(&t.field(1, 1)));
}

#[test]
fn queues() {
    let sort = Sort::sequence(Sort::Int);
    let (q, r, v) = (symbol("q", &sort), symbol("r", &sort), int("v"));
    let nonempty = Term::int(0).less(&q.length());
    valid(std::slice::from_ref(&nonempty), &q.append(&v).head().equals(&q.head()));
    valid(std::slice::from_ref(&nonempty), &q.append(&v).tail().equals(&q.tail().append(&v)));
    invalid(&[], &q.append(&v).tail().equals(&q.tail().append(&v)));
    valid(
        &[q.append(&v).equals(&r.append(&Term::int(5)))],
        &Term::and([v.equals(&Term::int(5)), q.equals(&r)]),
    );
    invalid(&[q.length().equals(&r.length())], &q.equals(&r));
    // All messages are positive, one is received: it is positive, and so are the others.
    let i = Symbol::constant("i", Sort::Int);
    let positive = |queue: &Term| {
        let within = Term::and([Term::int(0).at_most(&i.term()), i.term().less(&queue.length())]);
        let at = Term::of(Op::Nth, [queue.clone(), i.term()]);
        Term::forall(vec![i.clone()], &within.implies(&Term::int(0).less(&at)))
    };
    valid(&[positive(&q), nonempty.clone()], &Term::int(0).less(&q.head()));
    valid(&[positive(&q), nonempty], &positive(&q.tail()));
    invalid(&[positive(&q)], &positive(&q.append(&v)));
}

/// `below(x, y)` is a partial order on the sort: reflexive, antisymmetric, transitive.
fn partial_order(below: &Symbol, sort: &Sort) -> Vec<Term> {
    let [x, y, z] = variables(sort);
    let le = |a: &Symbol, b: &Symbol| below.apply([a.term(), b.term()]);
    let antisymmetric = Term::and([le(&x, &y), le(&y, &x)]).implies(&x.term().equals(&y.term()));
    vec![
        Term::forall(vec![x.clone()], &le(&x, &x)),
        Term::forall(vec![x.clone(), y.clone()], &antisymmetric),
        transitive(below, [x, y, z]),
    ]
}

/// `before(x, y)` is a strict partial order: irreflexive and transitive. This much of
/// well-foundedness is first-order.
fn strict_order(before: &Symbol, sort: &Sort) -> Vec<Term> {
    let [x, y, z] = variables(sort);
    let irreflexive = before.apply([x.term(), x.term()]).negated();
    vec![Term::forall(vec![x.clone()], &irreflexive), transitive(before, [x, y, z])]
}

fn variables(sort: &Sort) -> [Symbol; 3] {
    ["x", "y", "z"].map(|name| Symbol::constant(name, sort.clone()))
}

fn transitive(relation: &Symbol, [x, y, z]: [Symbol; 3]) -> Term {
    let holds = |a: &Symbol, b: &Symbol| relation.apply([a.term(), b.term()]);
    let chain = Term::and([holds(&x, &y), holds(&y, &z)]).implies(&holds(&x, &z));
    Term::forall(vec![x, y, z], &chain)
}

#[test]
fn partial_orders() {
    let sort = Sort::opaque("Node");
    let below = Symbol::function("below", vec![sort.clone(), sort.clone()], Sort::Bool);
    let [a, b, c] = ["a", "b", "c"].map(|n| symbol(n, &sort));
    let le = |x: &Term, y: &Term| below.apply([x.clone(), y.clone()]);
    let axioms = partial_order(&below, &sort);
    let circle = [le(&a, &b), le(&b, &c), le(&c, &a)];
    valid(&[&axioms[..], &circle].concat(), &a.equals(&c));
    invalid(&[&axioms[..], &circle[..2]].concat(), &a.equals(&c));
    // Nothing is total about it.
    invalid(&axioms, &Term::or([le(&a, &b), le(&b, &a)]));
    let strict = strict_order(&below, &sort);
    valid(&[&strict[..], &circle].concat(), &Term::truth(false));
}

#[test]
fn bit_vectors() {
    let word = Sort::Bits(8);
    let (x, y) = (symbol("x", &word), symbol("y", &word));
    let of = |op: Op, a: &Term, b: &Term| Term::of(op, [a.clone(), b.clone()]);
    let number = |n: u32| Term::of(Op::Bits(n.into(), 8), []);
    let halves = of(Op::BitAdd, &of(Op::BitAnd, &x, &y), &of(Op::BitOr, &x, &y));
    valid(&[], &halves.equals(&of(Op::BitAdd, &x, &y)));
    // Going around: x + 1 > x but for the largest.
    let more = of(Op::UnsignedLess, &x, &of(Op::BitAdd, &x, &number(1)));
    invalid(&[], &more);
    valid(&[x.differs(&number(255))], &more);
    valid(&[], &of(Op::BitMultiply, &x, &number(4)).equals(&of(Op::ShiftLeft, &x, &number(2))));
}

#[test]
fn integers_and_reals() {
    let (x, y) = (int("x"), int("y"));
    let times = |n: i64, t: &Term| Term::int(n).times(t);
    // No bounds, and solutions over the reals everywhere.
    valid(&[], &times(4, &x).minus(&times(6, &y)).differs(&Term::int(1)));
    invalid(&[], &times(4, &x).minus(&times(6, &y)).differs(&Term::int(2)));
    valid(&[Term::int(2).less(&times(3, &x)), times(3, &x).less(&Term::int(6))], &x.equals(&Term::int(1)));
    let (r, s) = (symbol("r", &Sort::Real), symbol("s", &Sort::Real));
    let half = Term::real(Rational::new(1.into(), 2.into()));
    let middle = half.times(&r.plus(&s));
    valid(&[r.less(&s)], &Term::and([r.less(&middle), middle.less(&s)]));
    invalid(&[r.at_most(&s)], &r.less(&middle));
    let floor = Term::of(Op::ToInt, [r.clone()]);
    valid(&[half.less(&r)], &Term::int(0).at_most(&floor));
    invalid(&[half.less(&r)], &Term::int(0).less(&floor));
    let quotient = |a: &Term, n: i64| Term::of(Op::Div, [a.clone(), Term::int(n)]);
    valid(&[x.less(&Term::int(0))], &times(-3, &quotient(&x, -3)).at_most(&x));
    invalid(&[], &quotient(&x, 0).equals(&Term::int(0)));
}

/// The largest element of an array, as the parameterized bakery has it.
#[test]
fn quantifiers() {
    let sort = Sort::array(Sort::Int, Sort::Int);
    let (y, n, k) = (symbol("y", &sort), int("N"), int("k"));
    let max = Symbol::function("max", vec![sort], Sort::Int);
    let i = Symbol::constant("i", Sort::Int);
    let within = i.term().between(&Term::int(1), &n);
    let top = max.apply([y.clone()]);
    let upper = Term::forall(vec![i.clone()], &within.implies(&y.select(&i.term()).at_most(&top)));
    let attained =
        Term::exists(vec![i.clone()], &Term::and([within.clone(), top.equals(&y.select(&i.term()))]));
    let range = k.between(&Term::int(1), &n);
    let ticket = y.store(&k, &top.plus(&Term::int(1)));
    let largest = within.implies(&ticket.select(&i.term()).at_most(&ticket.select(&k)));
    let goal = Term::forall(vec![i.clone()], &largest);
    valid(&[upper.clone(), attained.clone(), range.clone()], &goal);
    invalid(&[attained, range], &goal);
    // Refuted by a model in which the universal assumption holds everywhere.
    invalid(&[upper], &y.select(&k).at_most(&top));
}

#[test]
fn what_is_not_linear_is_unknown_or_right() {
    let (x, y) = (int("x"), int("y"));
    valid(&[], &Term::int(0).at_most(&x.times(&x)));
    valid(&[Term::int(0).less(&x), Term::int(0).less(&y)], &Term::int(0).less(&x.times(&y)));
    let answer = Embedded::default().check(&[], &x.times(&x).differs(&Term::int(49)), &Options::default());
    assert!(!answer.is_valid(), "{answer:?}");
}

#[test]
fn names_of_the_engine_meet_no_names_of_the_user() {
    let x = Symbol::constant("x", Sort::Int);
    // The constant for the bound x would be called x!1, were there not one already.
    let user = int("x!1");
    let somewhere = Term::exists(vec![x.clone()], &x.term().equals(&Term::int(7)));
    invalid(&[somewhere], &user.equals(&Term::int(7)));
}

#[test]
fn cancelled_and_limited_searches_are_unknown() {
    let x = int("x");
    let goal = x.less(&int("y"));
    let options = Options::default();
    options.cancel.store(true, Ordering::Relaxed);
    assert!(matches!(Embedded::default().check(&[], &goal, &options), Answer::Unknown { .. }));
    let z3 = External::z3().expect("z3 is installed by ./test");
    assert!(matches!(z3.check(&[], &goal, &options), Answer::Unknown { .. }));
    let none = Portfolio::new(Vec::new());
    assert!(matches!(none.check(&[], &goal, &Options::default()), Answer::Unknown { .. }));
}
