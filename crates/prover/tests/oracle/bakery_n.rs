//! The atomic bakery for N processes (section 7): seven conditions for each invariant, and what
//! each needs.

use crate::support::{Program, model};
use logic::fol::Term;
use prover::Lemma;
use prover::rules::b_inv;
use prover::shape::{Shape, shape};

fn invariant(p: &Program, name: &str) -> Lemma {
    let mut all = p.fts.properties.iter().chain(&p.fts.axioms);
    let property = all.find(|f| f.name == name).unwrap();
    match shape(&property.formula) {
        Some(Shape::Invariance(formula)) => Lemma::new(name, formula),
        other => panic!("{name}: {other:?}"),
    }
}

fn fails(p: &Program, goal: &str, background: &[&str]) -> Vec<String> {
    let background: Vec<Lemma> = background.iter().map(|name| invariant(p, name)).collect();
    let conditions = b_inv(&p.fts, &invariant(p, goal).formula, &background);
    assert_eq!(conditions.len(), 7);
    p.failing(&conditions)
}

#[test]
fn each_invariant_is_inductive_relative_to_those_before_it() {
    let p = model("bakery_n");
    let max = ["max_upper", "max_is"];
    assert!(fails(&p, "phi_A", &max).is_empty());
    assert!(fails(&p, "phi_B", &[&max[..], &["phi_A"]].concat()).is_empty());
    assert!(fails(&p, "phi_C", &max).is_empty());
    assert!(fails(&p, "phi_D", &[&max[..], &["phi_A", "phi_B", "phi_C"]].concat()).is_empty());
    assert!(fails(&p, "mux", &["phi_A", "phi_B", "phi_C", "phi_D"]).is_empty());
}

#[test]
fn what_is_left_out_is_missed() {
    let p = model("bakery_n");
    let max = ["max_upper", "max_is"];
    assert_eq!(fails(&p, "phi_A", &[]), ["l1"]);
    assert_eq!(fails(&p, "phi_B", &["phi_A"]), ["l1"]);
    assert_eq!(fails(&p, "phi_C", &[]), ["l1"]);
    assert_eq!(fails(&p, "phi_D", &["phi_A", "phi_B", "phi_C"]), ["l1"]);
    assert_eq!(fails(&p, "phi_D", &[&max[..], &["phi_A", "phi_C"]].concat()), ["l2"]);
    assert_eq!(fails(&p, "phi_D", &[&max[..], &["phi_A", "phi_B"]].concat()), ["l2"]);
    assert_eq!(fails(&p, "mux", &["phi_A", "phi_B", "phi_C"]), ["l2"]);
}

#[test]
fn overtaking_is_a_wait_for_formula_about_two_processes() {
    let p = model("bakery_n");
    let property = p.fts.properties.iter().find(|f| f.name == "overtaking").unwrap();
    let Some(Shape::WaitFor(from, q)) = shape(&property.formula) else { panic!("no wait-for formula") };
    assert_eq!(q.len(), 4);
    let from = Term::all([property.given.clone(), from]);
    let text = |t: &str| {
        // `i` and `j` are the property's own.
        let under = p.property(&format!("Forall i,j:[1..N]. [] ({t})"));
        prover::shape::assertion(match &under.formula {
            logic::ltl::Formula::Unary(_, inner) => inner,
            other => panic!("{other:?}"),
        })
        .unwrap()
    };
    let phi: Vec<Term> = [
        "l2[i] /\\ l2[j] /\\ y[j] < y[i]",
        "l2[i] /\\ l3[j]",
        "l2[i] /\\ (l{0,1,4}[j] \\/ (l2[j] /\\ y[i] <= y[j]))",
        "l3[i]",
    ]
    .iter()
    .map(|t| Term::all([property.given.clone(), text(t)]))
    .collect();
    let names = ["max_upper", "max_is", "phi_A", "phi_B", "phi_C", "phi_D"];
    let mut background: Vec<Lemma> = names.iter().map(|n| invariant(&p, n)).collect();
    background.extend(p.lemmas(&["Forall i:[1..N]. 0 <= pi0[i] /\\ pi0[i] <= 4"]));
    let conditions = prover::rules::g_wait(&p.fts, &from, &q, &phi, &background);
    assert_eq!(conditions.len(), 1 + 4 + 3 * 6);
    assert!(p.failing(&conditions).is_empty());
}
