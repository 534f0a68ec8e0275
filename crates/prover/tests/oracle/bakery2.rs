//! BAKERY(2), its variants, and MUX-SEM.

use crate::support::{Program, model};
use logic::fol::Term;
use prover::rules::{b_inv, g_inv, g_wait};
use prover::strengthen::{strengthen, top_down, wlpc_rule};
use prover::{Lemma, Status, wlpc};

const LOCAL: [&str; 4] = ["y1 >= 0", "y2 >= 0", "l{0,1} --> y1 = 0", "m{0,1} --> y2 = 0"];
const LINEAR: [&str; 2] = ["0 <= pi0 /\\ pi0 <= 4", "0 <= pi1 /\\ pi1 <= 4"];
const POLYHEDRAL: [&str; 2] = ["l{2,3,4} --> y1 > 0", "m{2,3,4} --> y2 > 0"];
const REAFFIRMED: &str = "l{1,4} \\/ l0 /\\ y1 = 0 \\/ l2 /\\ y1 = y2 + 1 \\/ l3 /\\ (y1 <= y2 \\/ y2 = 0) \\/ \
     m3 /\\ (y2 < y1 \\/ y1 = 0) \\/ m{1,4} \\/ m0 /\\ y2 = 0 \\/ m2 /\\ y2 = y1 + 1";
const MUX: &str = "~(l3 /\\ m3)";

fn bu(p: &Program) -> Vec<Lemma> {
    p.lemmas(&[&LOCAL[..], &LINEAR, &POLYHEDRAL].concat())
}

fn bu_r(p: &Program) -> Vec<Lemma> {
    let mut all = bu(p);
    all.extend(p.lemmas(&[REAFFIRMED]));
    all
}

fn transition<'a>(p: &'a Program, name: &str) -> &'a system::fts::Transition {
    p.fts.transitions.iter().find(|t| t.name == name).unwrap()
}

/// Section 1: k transitions make k + 1 conditions.
#[test]
fn b_inv_has_a_condition_for_each_transition_and_one_for_the_beginning() {
    for (name, conditions) in [
        ("bakery2", 12),
        ("bakery_vis", 13),
        ("bakery_lazy", 13),
        ("bakery_abstract", 12),
        ("bakery_n", 7),
        ("mux_sem", 10),
    ] {
        let p = model(name);
        assert_eq!(b_inv(&p.fts, &Term::truth(true), &[]).len(), conditions, "{name}");
    }
}

/// Section 3.
#[test]
fn the_printed_invariants_are_inductive() {
    let p = model("bakery2");
    let fails = |text: &str, background: &[Lemma]| p.failing(&b_inv(&p.fts, &p.assertion(text), background));
    assert_eq!(fails("y1 >= 0", &[]), ["l1"]);
    assert_eq!(fails("y2 >= 0", &[]), ["m1"]);
    assert!(fails("y1 >= 0 /\\ y2 >= 0", &[]).is_empty());
    let local = p.lemmas(&LOCAL[..2]);
    assert!(fails(LOCAL[2], &local).is_empty() && fails(LOCAL[3], &local).is_empty());
    assert!(LINEAR.iter().all(|l| fails(l, &[]).is_empty()));
    assert!(fails("l0 + l1 + l2 + l3 + l4 = 1", &[]).is_empty());
    let background = p.lemmas(&[&LOCAL[..], &LINEAR].concat());
    assert!(POLYHEDRAL.iter().all(|f| fails(f, &background).is_empty()));
    assert!(fails(REAFFIRMED, &[]).is_empty());
    // Established by every transition but idling from any state.
    let reaffirmed = p.assertion(REAFFIRMED);
    for t in &p.fts.transitions {
        assert!(
            p.failing(&[prover::Condition::triple(&Term::truth(true), t, &reaffirmed, &[])]).is_empty(),
            "{}",
            t.name
        );
    }
}

/// Section 4.
#[test]
fn mux_fails_at_l2_and_m2_without_the_reaffirmed_invariant() {
    let p = model("bakery2");
    let mux = p.assertion(MUX);
    let fails = |background: &[Lemma]| p.failing(&b_inv(&p.fts, &mux, background));
    assert_eq!(fails(&[]), ["l2", "m2"]);
    assert_eq!(fails(&bu(&p)), ["l2", "m2"]);
    assert_eq!(fails(&bu_r(&p)), Vec::<String>::new());
    let local = p.lemmas(&[&LOCAL[..], &[REAFFIRMED]].concat());
    assert_eq!(fails(&local), ["l2", "m2"]);
    assert_eq!(fails(&p.lemmas(&[REAFFIRMED])), ["l2", "m2"]);
}

#[test]
fn a_countermodel_is_two_states_with_the_statement_between() {
    let p = model("bakery2");
    let judged = p.judged(&b_inv(&p.fts, &p.assertion(MUX), &bu(&p)));
    let l2 = judged.iter().find(|o| o.name == "l2").unwrap();
    let found = l2.countermodel.as_ref().unwrap();
    let value = |name: &str| -> i64 {
        found.before.iter().find(|(n, _)| n == name).and_then(|(_, v)| v.parse().ok()).unwrap()
    };
    let entry = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert!([entry("P1", "at l2"), entry("P2", "at m3")].iter().all(|e| found.before.contains(e)));
    assert!(value("y1") <= value("y2") && value("y1") > 0);
    assert_eq!(found.after, [entry("P1", "at l3")]);
    assert!(found.fails.is_some());
    assert_eq!(found.transition.as_ref().unwrap().1, "l2: await (y2 = 0 \\/ y1 <= y2)");
}

#[test]
fn proofs_say_which_lemmas_they_used() {
    let p = model("bakery2");
    let judged = p.judged(&b_inv(&p.fts, &p.assertion(MUX), &bu_r(&p)));
    let used = |name: &str| judged.iter().find(|o| o.name == name).unwrap().lemmas.clone();
    assert!(used("Idle").is_empty());
    assert!(used("l2").contains(&REAFFIRMED.to_string()), "{:?}", used("l2"));
}

#[test]
fn wlpc_and_strengthen_prove_mux() {
    let p = model("bakery2");
    let mux = p.assertion(MUX);
    let w_m2 = wlpc(transition(&p, "m2"), &mux);
    let w_l2 = wlpc(transition(&p, "l2"), &mux);
    assert!(p.equivalent(&w_m2, &p.assertion("(y1 = 0 \\/ y2 < y1) /\\ m2 --> ~l3"), &[]));
    assert!(p.equivalent(&w_l2, &p.assertion("(y2 = 0 \\/ y1 <= y2) /\\ l2 --> ~m3"), &[]));
    let fails = |f: &Term, background: &[Lemma]| p.failing(&b_inv(&p.fts, f, background));
    assert!(fails(&w_m2, &bu(&p)).is_empty() && fails(&w_l2, &bu(&p)).is_empty());
    assert_eq!(fails(&w_m2, &[]), ["l2", "m1"]);
    assert_eq!(fails(&w_l2, &[]), ["l1", "m2"]);
    let mut lemmas = bu(&p);
    lemmas.extend([Lemma::new("w_m2", w_m2.clone()), Lemma::new("w_l2", w_l2.clone())]);
    assert!(fails(&mux, &lemmas).is_empty());
    let strong = Term::all([mux.clone(), w_m2, w_l2]);
    assert!(fails(&strong, &bu(&p)).is_empty());
    assert_eq!(fails(&strong, &[]), ["l1", "l2", "m1", "m2"]);
    assert!(p.failing(&g_inv(&p.fts, &mux, &strong, &bu(&p))).is_empty());
    // The rules find the same by themselves.
    let attempt = wlpc_rule(&p.judge(), &mux, &bu(&p));
    assert!(attempt.proved);
    assert_eq!(attempt.obligations.len(), 36);
    let attempt = strengthen(&p.judge(), &mux, &bu(&p), 3);
    assert!(attempt.proved);
    assert_eq!(attempt.obligations.len(), 12);
}

fn waits(p: &Program, texts: &[&str]) -> Vec<Term> {
    texts.iter().map(|t| p.assertion(t)).collect()
}

/// Section 5.
#[test]
fn g_wait_as_printed_fails_once_and_repaired_not() {
    let p = model("bakery2");
    let q = waits(&p, &["~m3", "m3", "~m3", "l3"]);
    let l2 = p.assertion("l2");
    for (less, background) in [("<", bu(&p)), ("<", bu_r(&p)), ("<=", bu(&p))] {
        let one = format!("l2 /\\ (m{{0,1,4}} \\/ (m2 /\\ y1 {less} y2))");
        let printed = waits(&p, &["~m3", "l2 /\\ m3", &one, "l3"]);
        let conditions = g_wait(&p.fts, &l2, &q, &printed, &background);
        assert_eq!(conditions.len(), 38);
        assert_eq!(p.failing(&conditions), ["N3 3 m2"]);
        let repaired = waits(&p, &["l2 /\\ ~m3", "l2 /\\ m3", &one, "l3"]);
        assert!(p.failing(&g_wait(&p.fts, &l2, &q, &repaired, &background)).is_empty());
    }
    let mut with_mux = bu(&p);
    with_mux.extend(p.lemmas(&[MUX]));
    let printed = waits(&p, &["~m3", "l2 /\\ m3", "l2 /\\ (m{0,1,4} \\/ (m2 /\\ y1 < y2))", "l3"]);
    assert_eq!(p.failing(&g_wait(&p.fts, &l2, &q, &printed, &with_mux)), ["N3 3 m2"]);
}

fn sets(texts: &[&str]) -> Vec<Vec<String>> {
    let names = |t: &&str| t.split_whitespace().map(str::to_string).collect();
    texts.iter().map(names).collect()
}

/// Section 5.1.
#[test]
fn top_down_strengthening_takes_the_printed_way() {
    let p = model("bakery2");
    let q = waits(&p, &["~m3", "m3", "~m3", "l3"]);
    let l2 = p.assertion("l2");
    let background = bu(&p);
    let found = top_down(&p.judge(), &l2, &q, &background, 12);
    assert!(found.succeeded);
    let outer = ["m2", "l3 l4 m1", "l3 l4 m0 m1", "l3 l4 m0 m4", "l3 l4 m4", "l3", ""];
    assert_eq!(found.iterations[0], sets(&outer));
    assert_eq!(found.iterations[1], sets(&["m3", "l3", ""]));
    assert_eq!(found.iterations[2], sets(&outer));
    let printed = ["l2 /\\ ~m3", "l2 /\\ m3", "l2 /\\ ~m3 /\\ (m2 --> y2 >= y1) /\\ y1 != 0", "l3"];
    for (ours, theirs) in found.phi.iter().zip(printed) {
        assert!(p.equivalent(ours, &p.assertion(theirs), &background), "{theirs}: {ours}");
    }
    assert!(p.failing(&g_wait(&p.fts, &l2, &q, &found.phi, &background)).is_empty());
    // With the reaffirmed invariant the second set is smaller.
    let found = top_down(&p.judge(), &l2, &q, &bu_r(&p), 12);
    let outer = ["m2", "l4 m1", "l3 l4 m0 m1", "l3 l4 m0 m4", "l3 l4 m4", "l3", ""];
    assert_eq!(found.iterations[0], sets(&outer));
    assert!(found.succeeded);
}

/// At some locations of the first process: where the second may be, and what holds at m2 besides.
type Row<'a> = (&'a [u32], &'a [u32], Option<&'a str>);

/// Section 5.1, the exact assertions location by location, after each strengthening.
#[test]
fn the_iterates_of_phi_1_are_exact() {
    let p = model("bakery2");
    let background = bu(&p);
    let q = waits(&p, &["~m3", "l3"]);
    let le = Some("y1 <= y2");
    let rows: [&[Row<'_>]; 6] = [
        &[(&[0, 1], &[0, 1, 4], None), (&[2, 4], &[0, 1, 4], le), (&[3], &[0, 1, 2, 4], None)],
        &[(&[0, 1], &[0, 4], None), (&[2, 3], &[0, 1, 4], le), (&[4], &[0, 1, 4], None)],
        &[(&[0, 1], &[4], None), (&[2], &[0, 1, 4], le), (&[3], &[0, 1, 4], None), (&[4], &[0, 4], None)],
        &[(&[0, 1], &[], None), (&[2], &[0, 1, 4], le), (&[3], &[0, 4], None), (&[4], &[4], None)],
        &[(&[0, 1, 4], &[], None), (&[2], &[0, 1, 4], le), (&[3], &[4], None)],
        &[(&[0, 1, 3, 4], &[], None), (&[2], &[0, 1, 4], le)],
    ];
    for (n, row) in rows.iter().enumerate() {
        let phi = iterate(&p, &q, &background, n + 1);
        for (ls, ms, at_m2) in *row {
            for l in *ls {
                let each = (0..5u32).map(|m| {
                    let expected = match (ms.contains(&m), m == 2, at_m2) {
                        (true, ..) => Term::truth(true),
                        (false, true, Some(text)) => p.assertion(text),
                        _ => Term::truth(false),
                    };
                    Term::implication(p.assertion(&format!("l{l} /\\ m{m}")), Term::eq(phi.clone(), expected))
                });
                let same = Term::all(each.collect::<Vec<_>>());
                let condition = prover::Condition::implication("same", Term::truth(true), same, &background);
                assert!(p.failing(&[condition]).is_empty(), "iteration {}, l{l}", n + 1);
            }
        }
    }
}

/// φ1 after `rounds` strengthenings, computed from the definition.
fn iterate(p: &Program, q: &[Term], background: &[Lemma], rounds: usize) -> Term {
    let (mut phi, last) = (q[0].clone(), q[1].clone());
    for _ in 0..rounds {
        let target = Term::any([phi.clone(), last.clone()]);
        let open = prover::strengthen::failing(&p.judge(), &phi, &target, background);
        phi =
            Term::all(std::iter::once(phi).chain(open.iter().map(|t| wlpc(t, &target)).collect::<Vec<_>>()));
    }
    phi
}

/// Section 10.
#[test]
fn the_semaphore_needs_its_linear_invariant() {
    let p = model("mux_sem");
    let fails = |text: &str, background: &[&str]| {
        p.failing(&b_inv(&p.fts, &p.assertion(text), &p.lemmas(background)))
    };
    let linear = "l2 + l3 + m2 + m3 + r = 1";
    assert!(fails(linear, &[]).is_empty() && fails("r >= 0", &[]).is_empty());
    assert_eq!(fails("~(l2 /\\ m2)", &[]), ["l1", "m1"]);
    assert_eq!(fails("~(l2 /\\ m2)", &["r >= 0"]), ["l1", "m1"]);
    assert!(fails("~(l2 /\\ m2)", &[linear, "r >= 0"]).is_empty());
}

#[test]
fn the_bakery_with_visits_has_its_invariants_in_order() {
    let all = [
        "y1 >= 0 /\\ y2 >= 0",
        "l{0,1,5} \\/ pi0 = 6 --> y1 = 0",
        "m{0,1} --> y2 = 0",
        "0 <= pi0 /\\ pi0 <= 6",
        "0 <= pi1 /\\ pi1 <= 4",
        "l{2,3,4} --> y1 > 0",
        "m{2,3,4} --> y2 > 0",
        "l{1..5} --> n > 0",
        "n >= 0",
    ];
    for name in ["bakery_vis", "bakery_lazy"] {
        let p = model(name);
        for n in 0..all.len() {
            let fails = p.failing(&b_inv(&p.fts, &p.assertion(all[n]), &p.lemmas(&all[..n])));
            assert!(fails.is_empty(), "{name}: {}: {fails:?}", all[n]);
        }
    }
}

#[test]
fn undecided_is_not_proved() {
    let p = model("bakery2");
    let judged = p.judged(&b_inv(&p.fts, &p.assertion("y1 * y1 * y1 + y2 * y2 * y2 != 1729"), &[]));
    assert!(judged.iter().any(|o| o.status != Status::Proved));
}
