//! Every construct of the generator comes up, and the evaluator says what the book says.

use super::model::*;
use super::number::Fraction;
use super::truth::{Graph, Truth};
use super::{print, random, truths};

const SEEDS: u64 = 300;

/// The constructs of the model, as they are called there.
const CONSTRUCTS: &str = "Range Int Real Bool Named Array Channel Channels List Element Next Index \
    Constant Length Table Count Head Item Truth Negate If Macro Decimal Add Subtract Multiply Div Mod Over \
    Nil Cons Append Tail NextNamed At Arrays Lists Records Not Compare Quantified And Or Implies Iff \
    Record Skip Critical Noncritical Idle Assign Await Choose Produce Consume Request Release Send \
    Receive While Group Unfair Just Compassionate Always First Waits Leads Comes Past Each Once \
    Before WeakBefore Since BackTo Unbounded";

/// Forms that have no word of their own: a piece of the text of a system.
const FORMS: [(&str, &str); 19] = [
    ("a label in a statement", "await ((l0) "),
    ("a label at the end", "; l1: ]"),
    ("a call of a statement macro", "put("),
    ("an element that is given alone", " where a[1] = "),
    ("elements that are given in part", "array [0..2] of [0..2] where (Forall i0:[0..1]."),
    ("an array of which nothing is given", "local a : array [0..1] of [0..2]\n"),
    ("an index that is a variable", "a[x]"),
    ("an index that is an expression", "a[(x + 1)]"),
    ("a divisor that is a variable", " div x)"),
    ("a remainder by a variable", " mod x)"),
    ("a semaphore of an array", "release a["),
    ("a channel that hands over", "channel of "),
    ("an array of channels", "local c : array [0..1] of channel [1.."),
    ("a channel chosen by a variable", "c[x] "),
    ("a message into an array", " => a["),
    ("a label with the index of a family", "0[i0]"),
    ("a label with a variable as index", "0[x]"),
    ("a condition on the beginning", "Initially "),
    ("an array assigned", "a := b"),
];

#[test]
fn every_construct_comes_up() {
    let systems: Vec<System> = (1..=SEEDS).map(random::system).collect();
    let models: String = systems.iter().map(|s| format!("{s:?}\n")).collect();
    let words: std::collections::BTreeSet<&str> = models.split(|c: char| !c.is_alphanumeric()).collect();
    let texts: String = systems.iter().map(print::file).collect();
    let mut missing: Vec<&str> = CONSTRUCTS.split_whitespace().filter(|word| !words.contains(word)).collect();
    missing.extend(FORMS.iter().filter(|(_, text)| !texts.contains(text)).map(|(name, _)| name));
    assert!(missing.is_empty(), "not in {SEEDS} systems: {missing:?}");
}

/// What the evaluator says of systems: each outcome is there, and few systems are given up.
#[test]
fn every_outcome_comes_up() {
    let (mut found, mut lost) = (Vec::new(), 0);
    for seed in 1..=60 {
        let system = random::system(seed);
        let truths = truths(&system);
        lost += usize::from(truths.is_none());
        found.extend(truths.into_iter().flatten().flatten().map(|known| known.searched));
    }
    for truth in [Truth::HOLDS, Truth::BROKEN, Truth::OPEN, Truth::NEITHER] {
        assert!(found.contains(&truth), "{truth:?}");
    }
    assert!(lost < 6, "{lost} of 60 systems are given up");
}

fn variable(name: &str, kind: Kind, first: Option<i64>) -> Variable {
    let given = match &kind {
        Kind::Array(bounds, _) => Some(*bounds),
        _ => None,
    };
    Variable { name: name.to_string(), kind, first, given, record: None }
}

fn program(variables: Vec<Variable>, bodies: Vec<Vec<Statement>>) -> System {
    let thread = |body: Vec<Statement>| Thread { body, forever: false, replicated: false };
    System { variables, threads: bodies.into_iter().map(thread).collect(), ..System::default() }
}

fn is(e: Num, n: i64) -> Test {
    Test::Compare(Relation::Equal, e, Num::Lit(n))
}

fn set(v: Var, e: Num) -> Statement {
    Statement::Assign(vec![(Place::Var(v), Value::Num(e))])
}

fn element(v: Var, at: Num) -> Num {
    Num::Element(v, Box::new(at))
}

fn judged(system: &System, claim: Claim) -> (Truth, Truth) {
    let graph = Graph::of(system, 0).unwrap();
    (graph.truth(&claim).unwrap(), graph.runtime())
}

#[test]
fn elements_that_are_not_given_may_be_anything() {
    let mut a = variable("a", Kind::Array(Bounds(0, 2), Some((0, 2))), Some(0));
    a.given = Some(Bounds(0, 1));
    let x = variable("x", Kind::Int, Some(0));
    let system = program(vec![a, x], vec![vec![set(1, element(0, Num::Lit(2)))]]);
    let always = |n: i64| {
        let small = Test::Compare(Relation::LessEqual, Num::Var(1), Num::Lit(n));
        judged(&system, Claim::Always(small))
    };
    assert_eq!(always(1), (Truth::BROKEN, Truth::HOLDS));
    assert_eq!(always(2), (Truth::HOLDS, Truth::HOLDS));
}

#[test]
fn an_index_outside_is_an_error_in_statements_and_no_value_in_claims() {
    let a = variable("a", Kind::Array(Bounds(0, 1), None), Some(0));
    let x = variable("x", Kind::Int, Some(1));
    let outside = program(vec![a, x], vec![vec![set(1, Num::Lit(2)), Statement::Skip]]);
    let at_x = Claim::Always(is(element(0, Num::Var(1)), 0));
    assert_eq!(judged(&outside, at_x.clone()), (Truth::NEITHER, Truth::HOLDS));
    let mut fails = outside.clone();
    fails.threads[0].body[1] = set(1, element(0, Num::Var(1)));
    let positive = Test::Compare(Relation::Greater, Num::Var(1), Num::Lit(0));
    assert_eq!(judged(&fails, Claim::Always(positive.clone())), (Truth::NEITHER, Truth::BROKEN));
    assert_eq!(judged(&fails, Claim::First(positive)), (Truth::HOLDS, Truth::BROKEN));
    assert_eq!(judged(&fails, Claim::Always(is(Num::Var(1), 1))), (Truth::BROKEN, Truth::BROKEN));
}

#[test]
fn lists_have_no_first_element_if_they_are_empty() {
    let l = variable("l", Kind::List, None);
    let system = program(vec![l], vec![vec![Statement::Skip]]);
    let head = is(Num::Head(Seq::Var(0)), 1);
    assert_eq!(judged(&system, Claim::Always(head.clone())), (Truth::NEITHER, Truth::HOLDS));
    let filled = Test::Lists(false, Seq::Var(0), Seq::Nil);
    let guarded = Test::Binary(Connective::Implies, Box::new(filled), Box::new(head));
    assert_eq!(judged(&system, Claim::Always(guarded)), (Truth::HOLDS, Truth::HOLDS));
    let item = |n: i64| {
        let l = Seq::Append(Box::new(Seq::Var(0)), Box::new(Num::Lit(7)));
        Claim::Always(is(Num::Item(l, Box::new(Num::Lit(n))), 7))
    };
    assert_eq!(judged(&system, item(1)).0, Truth::HOLDS);
    assert_eq!(judged(&system, item(0)).0, Truth::NEITHER);
}

#[test]
fn sender_and_receiver_move_together() {
    let c = variable("c", Kind::Channels(Bounds(0, 1), Capacity::None, 0, 2), None);
    let x = variable("x", Kind::Int, Some(0));
    let send = Statement::Send(Chan(0, Some(Num::Lit(1))), Num::Lit(2));
    let receive = |at: Num| Statement::Receive(Chan(0, Some(at)), Place::Var(1));
    let comes = Claim::Comes(is(Num::Var(1), 2));
    let system = program(vec![c, x], vec![vec![send], vec![receive(Num::Lit(1))]]);
    assert_eq!(judged(&system, comes.clone()), (Truth::HOLDS, Truth::HOLDS));
    let mut other = system.clone();
    other.threads[1].body[0] = receive(Num::Lit(0));
    assert_eq!(judged(&other, comes.clone()), (Truth::BROKEN, Truth::HOLDS));
    other.threads[1].body[0] = receive(Num::Lit(2));
    assert_eq!(judged(&other, comes).1, Truth::BROKEN);
}

#[test]
fn semaphores_stay_in_their_range() {
    let r = variable("r", Kind::Range(0, 1), Some(1));
    let release = Statement::Release(Place::Var(0));
    let system = program(vec![r], vec![vec![release]]);
    let small = Test::Compare(Relation::LessEqual, Num::Var(0), Num::Lit(1));
    assert_eq!(judged(&system, Claim::Always(small)), (Truth::BROKEN, Truth::BROKEN));
    let positive = Test::Compare(Relation::Greater, Num::Var(0), Num::Lit(0));
    assert_eq!(judged(&system, Claim::Always(positive)), (Truth::NEITHER, Truth::BROKEN));
}

#[test]
fn division_is_euclidean() {
    let euclid = |a: i64, b: i64| Fraction::int(a).euclid(Fraction::int(b));
    let parts = |a: i64, b: i64| Ok((Fraction::int(a), Fraction::int(b)));
    assert_eq!(euclid(-7, 2), parts(-4, 1));
    assert_eq!(euclid(-7, -2), parts(4, 1));
    assert_eq!(euclid(7, -2), parts(-3, 1));
    assert!(euclid(7, 0).is_err());
}
