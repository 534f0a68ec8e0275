//! Section 8: the abstraction of BAKERY(2), and fair refinement.

use crate::support::{Program, model, program, text};
use certify::proof::{Certifier, Seen};
use logic::fol::{Sort, Symbol, Term};
use prover::abstraction::{Basis, Found, abstracted, refinement, statement};
use prover::{Condition, Lemma, Status};
use system::fts::{Fairness, Fts};

const CONTROL: [&str; 2] = ["0 <= pi0 /\\ pi0 <= 4", "0 <= pi1 /\\ pi1 <= 4"];
const BASIS: [(&str, &str); 3] = [("b1", "y1 = 0"), ("b2", "y2 = 0"), ("b3", "y1 <= y2")];

fn found(p: &Program) -> Found {
    let basis = BASIS.iter().map(|(name, e)| (Symbol::constant(*name, Sort::Bool), p.assertion(e)));
    Found { basis: basis.collect(), ..Found::default() }
}

fn positive(p: &Program) -> Vec<Lemma> {
    p.lemmas(&[&["y1 >= 0", "y2 >= 0"][..], &CONTROL].concat())
}

fn statements(of: &Fts) -> Vec<String> {
    of.transitions.iter().map(|t| format!("{}: {}", t.name, statement(of, t))).collect()
}

/// Fig. 16, statement by statement, and with the fairness of the program.
#[test]
fn the_abstraction_of_the_bakery_is_figure_16() {
    let p = model("bakery2");
    let made = abstracted(&p.judge(), &found(&p), &positive(&p)).unwrap();
    assert_eq!(
        statements(&made.fts),
        [
            "l0: skip",
            "l1: (b1, b3) := (false, false)",
            "l2: await (b2 \\/ b3)",
            "l3: skip",
            "l4: (b1, b3) := (true, true)",
            "m0: skip",
            "m1: (b2, b3) := (false, true)",
            "m2: await (b1 \\/ ~b3)",
            "m3: skip",
            "m4: (b2, b3) := (true, b1)",
        ]
    );
    for (t, c) in made.fts.transitions.iter().zip(&p.fts.transitions) {
        assert_eq!(t.fairness, c.fairness, "{}", t.name);
    }
    // 5 of 8 valuations, 25 places of control: 125 abstract states.
    assert_eq!(made.feasible.len(), 5);
    // Both directions: Fig. 16 as it is printed simulates it, and its transitions are the same.
    let printed = model("bakery_abstract").fts;
    assert_eq!(printed.transitions.len(), made.fts.transitions.len());
    for (a, b) in made.fts.transitions.iter().zip(&printed.transitions) {
        assert_eq!((&a.name, a.fairness), (&b.name, b.fairness));
        let same = Term::eq(a.enabled(), b.enabled());
        let feasible = p.lemmas(&CONTROL);
        let judge = p.judge();
        // y1 = 0 and not y1 <= y2 is not possible, nor are both 0 and y1 > y2.
        let possible = possible();
        let condition = Condition::implication("same", possible, same, &feasible);
        assert!(judge.is_valid(&condition), "{}", a.name);
    }
}

/// The valuations of b1, b2, b3 that some state has: b1 --> b3; b2 /\ b3 --> b1.
fn possible() -> Term {
    let b = |n: &str| Symbol::constant(n, Sort::Bool).term();
    Term::all([
        Term::implication(b("b1"), b("b3")),
        Term::implication(Term::all([b("b2"), b("b3")]), b("b1")),
    ])
}

/// Without y >= 0 it is coarser.
#[test]
fn without_the_invariant_the_abstraction_is_coarser() {
    let p = model("bakery2");
    let made = abstracted(&p.judge(), &found(&p), &p.lemmas(&CONTROL)).unwrap();
    let l1 = made.fts.transitions.iter().find(|t| t.name == "l1").unwrap();
    assert!(l1.branches.len() > 1, "{}", statement(&made.fts, l1));
}

fn relation(p: &Program) -> Basis {
    let control = ["pi0", "pi1"].map(|name| Symbol::constant(name, Sort::Int));
    found(p).basis.into_iter().chain(control.map(|s| (s.clone(), s.term()))).collect()
}

fn certifies(p: &Program, of: &Fts, background: &[Lemma]) -> Result<(), certify::proof::Refused> {
    let judge = p.judge();
    let valid = |_: &[Term], given: &[Term], goal: &Term| {
        let given = Term::all(given.iter().cloned());
        judge.confirms(&Condition::implication("", given, goal.clone(), background))
    };
    Certifier::new(&p.fts, &valid).simulated(Seen { of, relation: &relation(p), watched: &[] })
}

/// BAKERY(2) fairly refines BAKERY-ABSTRACT; not if m2 waits for b1 alone, nor if m3 is said to be
/// fairer or l0 to be fair.
#[test]
fn the_bakery_refines_its_abstraction() {
    let p = model("bakery2");
    let of = model("bakery_abstract").fts;
    let open = |of: &Fts| -> Vec<String> {
        let conditions = refinement(&p.judge(), of, (&relation(&p), &[]), &positive(&p)).unwrap();
        p.judged(&conditions).into_iter().filter(|o| o.status != Status::Proved).map(|o| o.name).collect()
    };
    assert_eq!(open(&of), Vec::<String>::new());
    certifies(&p, &of, &positive(&p)).unwrap();
    let dropped = program(&text("spl/bakery_abstract.spl").replace("await (b1 \\/ ~b3)", "await b1")).fts;
    assert_eq!(open(&dropped), ["m2"]);
    assert!(certifies(&p, &dropped, &positive(&p)).is_err());
    let mut fairer = of.clone();
    fairer.transitions[0].fairness = Fairness::Weak;
    let refused = refinement(&p.judge(), &fairer, (&relation(&p), &[]), &positive(&p)).unwrap_err();
    assert_eq!(refused.to_string(), "`l0` is fairer than in the program");
    assert!(certifies(&p, &fairer, &positive(&p)).is_err());
    // Where the abstract guard is weaker, waiting cannot be said to be just.
    let weaker = program(&text("spl/bakery_abstract.spl").replace("await (b1 \\/ ~b3)", "await true")).fts;
    assert_eq!(open(&weaker), ["fair m2"]);
    assert!(certifies(&p, &weaker, &positive(&p)).is_err());
}
