//! Diagrams: sections 6, 7 and 10 of the tutorial's figures, condition by condition, each case that
//! must fail with its reason.

use crate::support::{Program, program, text};
use certify::proof::Certifier;
use logic::automata::{Automaton, Cube, Edge, Label};
use logic::fol::Term;
use logic::ltl::Lasso;
use prover::diagram::graph::Graph;
use prover::diagram::{Part, Question, shares_word};
use prover::strengthen::Attempt;
use prover::{Condition, Lemma, Obligation, Status};
use std::collections::BTreeMap;
use system::fts::Property;
use system::fts::diagram::Diagram;

pub const LOCAL: [&str; 4] = ["y1 >= 0", "y2 >= 0", "l{0,1} --> y1 = 0", "m{0,1} --> y2 = 0"];
pub const LINEAR: [&str; 2] = ["0 <= pi0 /\\ pi0 <= 4", "0 <= pi1 /\\ pi1 <= 4"];
pub const POLYHEDRAL: [&str; 2] = ["l{2,3,4} --> y1 > 0", "m{2,3,4} --> y2 > 0"];
const REAFFIRMED: &str = "l{1,4} \\/ l0 /\\ y1 = 0 \\/ l2 /\\ y1 = y2 + 1 \\/ l3 /\\ (y1 <= y2 \\/ y2 = 0) \\/ \
     m3 /\\ (y2 < y1 \\/ y1 = 0) \\/ m{1,4} \\/ m0 /\\ y2 = 0 \\/ m2 /\\ y2 = y1 + 1";
pub const VISITS: [&str; 10] = [
    "y1 >= 0",
    "y2 >= 0",
    "l{0,1,5} \\/ pi0 = 6 --> y1 = 0",
    "m{0,1} --> y2 = 0",
    "0 <= pi0 /\\ pi0 <= 6",
    "0 <= pi1 /\\ pi1 <= 4",
    "l{2,3,4} --> y1 > 0",
    "m{2,3,4} --> y2 > 0",
    "l{1..5} --> n > 0",
    "n >= 0",
];

fn bu(p: &Program) -> Vec<Lemma> {
    p.lemmas(&[&LOCAL[..], &LINEAR, &POLYHEDRAL].concat())
}

fn bu_r(p: &Program) -> Vec<Lemma> {
    let mut all = bu(p);
    all.extend(p.lemmas(&[REAFFIRMED]));
    all
}

/// A program of the corpus with a diagram of its own.
fn drawn(name: &str, diagram: &str) -> Program {
    program(&format!("{}\n{diagram}", text(&format!("spl/{name}.spl"))))
}

fn with(name: &str) -> Program {
    drawn(name, &text(&format!("diagrams/{name}.diagram")))
}

fn the<'a>(p: &'a Program, name: &str) -> (&'a Diagram, &'a Property) {
    let diagram = p.fts.diagrams.iter().find(|d| d.name == name).expect("the diagram");
    (diagram, p.fts.properties.iter().find(|q| q.name == diagram.property).expect("the property"))
}

fn attempt(p: &Program, diagram: &Diagram, background: &[Lemma]) -> Result<Attempt, String> {
    let property = p.fts.properties.iter().find(|q| q.name == diagram.property).expect("the property");
    let question = Question { judge: &p.judge(), diagram, given: &property.given, background };
    question.prove(&property.formula).map_err(|e| e.to_string())
}

/// What became of each condition.
fn judged(p: &Program, name: &str, background: &[Lemma]) -> Vec<Obligation> {
    attempt(p, the(p, name).0, background).expect("a diagram of the right form").obligations
}

fn count(judged: &[Obligation]) -> BTreeMap<Part, usize> {
    let mut count = BTreeMap::new();
    for o in judged {
        *count.entry(o.place.as_ref().expect("a place").part).or_default() += 1;
    }
    count
}

#[track_caller]
fn failing(judged: &[Obligation]) -> Vec<String> {
    let open = judged.iter().filter(|o| o.status != Status::Proved);
    open.inspect(|o| assert_eq!(o.status, Status::Failed, "{}: {:?}", o.name, o.reason))
        .map(|o| o.name.clone())
        .collect()
}

/// The certifier says the same of an attempt that succeeds.
#[track_caller]
fn certified(p: &Program, name: &str, background: &[Lemma]) {
    let (diagram, property) = the(p, name);
    let attempt = attempt(p, diagram, background).unwrap();
    assert!(attempt.proved, "{:?}", failing(&attempt.obligations));
    certifies(p, property, &attempt, background).unwrap();
}

fn certifies(
    p: &Program,
    property: &Property,
    attempt: &Attempt,
    background: &[Lemma],
) -> Result<(), certify::proof::Refused> {
    let judge = p.judge();
    let valid = |_: &[Term], given: &[Term], goal: &Term| {
        judge.confirms(&Condition::implication(
            "",
            Term::all(given.iter().cloned()),
            goal.clone(),
            background,
        ))
    };
    Certifier::new(&p.fts, &valid).property(property, attempt.evidence.as_ref().expect("evidence"), &[])
}

/// Section 6.1: 55 of 55 without background; each edge is needed for exactly one condition.
#[test]
fn the_invariance_diagram_of_figure_7() {
    let p = with("bakery2");
    let all = judged(&p, "mux_diagram", &[]);
    assert_eq!(failing(&all), Vec::<String>::new());
    assert_eq!(count(&all), BTreeMap::from([(Part::Cover, 1), (Part::Goal, 5), (Part::Consecution, 55)]));
    certified(&p, "mux_diagram", &[]);
    let whole = the(&p, "mux_diagram").0;
    let needed = ["0 l1", "0 m1", "1 l4", "1 m1", "2 m4", "2 l1", "3 m4", "4 l4"];
    assert_eq!(whole.edges.len(), needed.len());
    for (at, condition) in needed.iter().enumerate() {
        let mut less = whole.clone();
        less.edges.remove(at);
        let left = attempt(&p, &less, &[]).unwrap();
        assert_eq!(failing(&left.obligations), [*condition]);
        assert!(left.evidence.is_none());
        // The edge that was removed is proposed.
        let failed = left.obligations.iter().find(|o| o.status == Status::Failed).unwrap();
        let (from, to) = (whole.name_of(whole.edges[at].from), whole.name_of(whole.edges[at].to));
        assert_eq!(failed.reason, Some(format!("an edge {from} -> {to} would allow it")));
    }
    // The condition is pinned to its node and transition, with two states.
    let mut less = whole.clone();
    less.edges.remove(0);
    let left = attempt(&p, &less, &[]).unwrap().obligations;
    let open = left.iter().find(|o| o.status == Status::Failed).unwrap();
    let place = open.place.as_ref().unwrap();
    assert_eq!(
        (place.part, place.node.as_deref(), place.transition.as_deref()),
        (Part::Consecution, Some("0"), Some("l1"))
    );
    let model = open.countermodel.as_ref().unwrap();
    let value = |name: &str| model.before.iter().find(|(n, _)| n == name).map(|(_, v)| &v[..]);
    let before = (value("P1"), value("y1"), value("y2"));
    assert_eq!(before, (Some("at l1"), Some("0"), Some("0")), "{model:?}");
    assert!(model.after.contains(&("P1".to_string(), "at l2".to_string())), "{model:?}");
}

fn overtaking(edges: &str, sign: &str) -> String {
    format!(
        "DIAGRAM overtaking : wait-for proves one_bounded {{
           compound waiting : l2 {{
             node 3 : m2 /\\ y2 < y1
             node 2 : m3
             node 1 : m{{4,0,1}} \\/ (m2 /\\ y1 {sign} y2)
           }}
           node 0 : l3
           terminal 0
           edge 3 -> 2  edge 2 -> 1  {edges}
         }}"
    )
}

/// Section 6.2.
#[test]
fn the_wait_for_diagram_of_figure_8() {
    let compound = drawn("bakery2", &overtaking("edge waiting -> 0", "<"));
    let all = judged(&compound, "overtaking", &bu(&compound));
    assert_eq!(failing(&all), ["cover"]);
    assert_eq!(count(&all), BTreeMap::from([(Part::Cover, 1), (Part::Goal, 4), (Part::Consecution, 33)]));
    // Where the two tickets are the same.
    let cover = all.iter().find(|o| o.name == "cover").and_then(|o| o.countermodel.as_ref()).unwrap();
    let value = |name: &str| cover.before.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    assert_eq!(value("y1"), value("y2"));
    assert_eq!(failing(&judged(&compound, "overtaking", &bu_r(&compound))), Vec::<String>::new());
    certified(&compound, "overtaking", &bu_r(&compound));

    let plain = drawn("bakery2", &overtaking("edge 1 -> 0", "<"));
    assert_eq!(failing(&judged(&plain, "overtaking", &bu(&plain))), ["cover", "2 l2"]);
    assert_eq!(failing(&judged(&plain, "overtaking", &bu_r(&plain))), Vec::<String>::new());

    let weak = drawn("bakery2", &overtaking("edge waiting -> 0", "<="));
    assert_eq!(failing(&judged(&weak, "overtaking", &bu(&weak))), Vec::<String>::new());
    certified(&weak, "overtaking", &bu(&weak));
    assert_eq!(failing(&judged(&compound, "overtaking", &[])), ["cover", "1 m2"]);
}

/// Section 6.3.
#[test]
fn the_chain_diagram_of_figure_10() {
    let p = with("bakery2");
    let all = judged(&p, "access", &bu(&p));
    assert_eq!(failing(&all), Vec::<String>::new());
    let expected =
        [(Part::Cover, 1), (Part::Goal, 1), (Part::Consecution, 55), (Part::Enabled, 5), (Part::Helpful, 5)];
    assert_eq!(count(&all), BTreeMap::from(expected));
    certified(&p, "access", &bu(&p));
    let open = failing(&judged(&p, "access", &[]));
    assert_eq!(open, ["5 l1", "5 helpful l1", "4 l2", "3 l2", "2 l2", "1 m2", "1 enabled l2"]);
    let some = p.lemmas(&[&LOCAL[..], &LINEAR].concat());
    assert_eq!(failing(&judged(&p, "access", &some)), ["4 l2", "3 l2", "2 l2", "1 m2"]);
    let chain = |more: &str| {
        drawn(
            "bakery2",
            &format!(
                "DIAGRAM b : chain proves acc {{ node 5 : l1  node 4 : l2 /\\ m2 /\\ y2 < y1  node 3 : l2 /\\ m3
                 node 2 : l2 /\\ m4  node 1 : l2 /\\ (m{{0,1}} \\/ (m2 /\\ y1 < y2))  node 0 : l3  terminal 0
                 edge 5 -> 4, 3, 2, 1 by l1  edge 4 -> 3 by m2  edge 3 -> 2 by m3  edge 2 -> 1 by m4
                 edge 1 -> 0 by l2 {more} }}"
            ),
        )
    };
    let b = chain("");
    assert_eq!(failing(&judged(&b, "b", &bu(&b))), ["3 l2", "2 l2"]);
    let b = chain("edge 3, 2 -> 0");
    assert_eq!(failing(&judged(&b, "b", &bu(&b))), Vec::<String>::new());
    let b = chain("edge 2 -> 0");
    assert_eq!(failing(&judged(&b, "b", &bu_r(&b))), Vec::<String>::new());
    certified(&b, "b", &bu_r(&b));
}

/// Section 6.4.
#[test]
fn the_rank_diagram_of_figure_12() {
    let p = with("bakery_vis");
    let all = judged(&p, "visiting", &p.lemmas(&VISITS));
    assert_eq!(failing(&all), Vec::<String>::new());
    let expected = [(Part::Consecution, 108), (Part::Enabled, 9), (Part::Helpful, 9)];
    let counted = count(&all);
    assert!(expected.iter().all(|(part, n)| counted.get(part) == Some(n)), "{counted:?}");
    assert_eq!((counted[&Part::Cover], counted[&Part::Goal], counted[&Part::Domain]), (1, 1, 9));
    certified(&p, "visiting", &p.lemmas(&VISITS));
    let mut open = failing(&judged(&p, "visiting", &[]));
    open.sort();
    assert_eq!(open, ["4 enabled l2", "4 m2", "5 l2", "6 l2", "7 l2", "8 helpful l1", "8 l1"]);
    // Without ranks, as a chain: 1 -> 9 goes up.
    let chain = Diagram { kind: system::fts::diagram::Kind::Chain, ..the(&p, "visiting").0.clone() };
    let refused = attempt(&p, &chain, &p.lemmas(&VISITS)).unwrap_err();
    assert!(refused.contains("the edges form a cycle"), "{refused}");
    // m3 is not fair for the lazy one.
    let lazy = drawn("bakery_lazy", &text("diagrams/bakery_vis.diagram"));
    let refused = attempt(&lazy, the(&lazy, "visiting").0, &lazy.lemmas(&VISITS)).unwrap_err();
    assert_eq!(refused, "`m3` is not fair: it may never be taken");
}

/// Section 6.5: the Müller automaton of Fig. 14 against its formula, on all short lassos.
#[test]
fn the_muller_automaton_of_figure_14_agrees_with_its_formula_on_7140_lassos() {
    let p = drawn(
        "bakery_lazy",
        "PROPERTY q : <>[]m3 \\/ <>(n = 0)
         DIAGRAM automaton : generalized proves q {
           node n1 : ~m3 /\\ n != 0  node n2 : m3 /\\ n != 0  node n3 : n = 0  node n4 : m3 /\\ n != 0  node n5 : true
           initial n1, n2, n3, n4
           edge n1, n2 -> n1, n2, n3, n4  edge n3 -> n5  edge n4 -> n4  edge n5 -> n5
           accept {n4}, {n5}
         }",
    );
    let (diagram, property) = the(&p, "automaton");
    let (formula, atoms) = property.formula.clone().numbered();
    assert_eq!(atoms.len(), 2);
    // m3 is the first letter, n = 0 the second.
    let letters = vec![vec![0b00], vec![0b01], vec![0b10, 0b11], vec![0b01], vec![0, 1, 2, 3]];
    let graph = Graph::of(diagram);
    let words = |longest: usize| -> Vec<Vec<u64>> {
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..longest {
            let new: Vec<Vec<u64>> =
                all[from..].iter().flat_map(|w| (0..4).map(move |l| [&w[..], &[l]].concat())).collect();
            from = all.len();
            all.extend(new);
        }
        all
    };
    let mut lassos = 0;
    for stem in words(3) {
        for cycle in words(3).into_iter().filter(|c| !c.is_empty()) {
            let lasso = Lasso { stem: stem.clone(), cycle };
            let accepted = shares_word(&graph, &letters, &only(&lasso)).is_some();
            assert_eq!(accepted, logic::ltl::semantics::satisfies(&lasso, &formula), "{lasso:?}");
            lassos += 1;
        }
    }
    assert_eq!(lassos, 7140);
}

/// The automaton of one word.
fn only(word: &Lasso<u64>) -> Automaton {
    let all: Vec<u64> = word.stem.iter().chain(&word.cycle).copied().collect();
    let states = all.iter().enumerate().map(|(at, letter)| {
        let to = if at + 1 == all.len() { word.stem.len() } else { at + 1 };
        let label = Label { cubes: vec![Cube { positive: *letter, negative: !letter & 3 }] };
        vec![Edge { label, to, sets: 0 }]
    });
    Automaton { propositions: 2, sets: 0, initial: 0, states: states.collect() }
}

/// Section 6.6.
#[test]
fn the_generalized_diagram_of_figure_15() {
    let p = with("bakery_lazy");
    let background = p.lemmas(&VISITS);
    let (diagram, _) = the(&p, "visits_unless_lazy");
    let subgraphs = Graph::of(diagram).subgraphs(1000).unwrap();
    assert_eq!(subgraphs.len(), 14);
    let (one, nine) = (diagram.node("n1").unwrap(), diagram.node("n9").unwrap());
    assert!(subgraphs.iter().filter(|s| s.len() > 1).all(|s| s.contains(&one) && s.contains(&nine)));
    let all = judged(&p, "visits_unless_lazy", &background);
    assert_eq!(failing(&all), Vec::<String>::new());
    let counted = count(&all);
    let parts = [Part::Initiality, Part::Consecution, Part::Exit, Part::Descent];
    assert_eq!(parts.map(|part| counted[&part]), [1, 120, 16, 252]);
    assert_eq!(parts.iter().map(|part| counted[part]).sum::<usize>(), 389);
    assert_eq!((counted[&Part::Proposition], counted[&Part::Domain]), (10, 9));
    certified(&p, "visits_unless_lazy", &background);
    // The cut-set that is found.
    let Some(system::fts::Evidence::Diagram(found)) = attempt(&p, diagram, &background).unwrap().evidence
    else {
        panic!("no evidence");
    };
    let cut: Vec<(&str, &str)> = found
        .reasons
        .iter()
        .filter_map(|r| match r {
            system::fts::diagram::Reason::WellFounded(_, cut) => Some(cut),
            _ => None,
        })
        .flatten()
        .map(|e| (diagram.name_of(diagram.edges[*e].from), diagram.name_of(diagram.edges[*e].to)))
        .collect();
    assert_eq!(cut, [("n1", "n9")]);
    // Without what is known of n and the tickets.
    let open = failing(&judged(&p, "visits_unless_lazy", &[]));
    for name in ["n0 l5", "n4 m2", "n5 l2", "n6 l2", "n7 l2", "n8 l1"] {
        assert!(open.contains(&name.to_string()), "{open:?}");
    }
    assert_eq!(open.iter().filter(|name| !name.starts_with("acceptance")).count(), 6, "{open:?}");
    // Without {n6}: nothing leads out of n6 for sure.
    let strict = text("diagrams/bakery_lazy.diagram").replace("accept {n0}, {n6}", "accept {n0}");
    let strict = drawn("bakery_lazy", &strict);
    let judged = judged(&strict, "visits_unless_lazy", &strict.lemmas(&VISITS));
    let reason = judged.iter().find(|o| o.status == Status::Failed).and_then(|o| o.reason.clone()).unwrap();
    assert!(
        reason.contains("{n6} is not accepted")
            && reason.contains("`m3` would be an exit, but it is not fair"),
        "{reason}"
    );
    // Without the label of n6 the words say nothing of m3.
    let mute = text("diagrams/bakery_lazy.diagram").replace("label m3", "label true");
    let mute = drawn("bakery_lazy", &mute);
    assert_eq!(failing(&self::judged(&mute, "visits_unless_lazy", &mute.lemmas(&VISITS))), ["inclusion"]);
}

/// Section 6.7.
#[test]
fn the_diagram_of_figure_18_for_n_processes() {
    let invariants = [
        "Forall i:[1..N]. max(y) >= y[i]",
        "Exists i:[1..N]. max(y) = y[i]",
        "Forall i:[1..N]. y[i] >= 0",
        "Forall i:[1..N]. l{2,3,4}[i] --> y[i] > 0",
        "Forall i,j:[1..N]. i != j /\\ l{2..4}[i] /\\ l{2..4}[j] --> y[i] != y[j]",
        "Forall i,j:[1..N]. l2[i] /\\ l{3,4}[j] --> y[j] < y[i]",
        "Forall i:[1..N]. 0 <= pi0[i] /\\ pi0[i] <= 4",
    ];
    let p = with("bakery_n");
    let without = |left_out: &[usize]| {
        let kept = invariants.iter().enumerate().filter(|(at, _)| !left_out.contains(at)).map(|(_, f)| *f);
        p.lemmas(&kept.collect::<Vec<_>>())
    };
    let all = judged(&p, "passing", &without(&[]));
    assert_eq!(failing(&all), Vec::<String>::new());
    assert_eq!(count(&all), BTreeMap::from([(Part::Cover, 1), (Part::Goal, 4), (Part::Consecution, 18)]));
    certified(&p, "passing", &without(&[]));
    assert_eq!(failing(&judged(&p, "passing", &without(&[0, 1]))), ["1 l1"]);
    assert_eq!(failing(&judged(&p, "passing", &without(&[4]))), ["1 l2"]);
    assert_eq!(failing(&judged(&p, "passing", &without(&[5]))), ["2 l2"]);
    assert_eq!(failing(&judged(&p, "passing", &without(&[6]))), ["cover"]);
    let strict = text("diagrams/bakery_n.diagram").replace("y[i] <= y[j]", "y[i] < y[j]");
    let strict = drawn("bakery_n", &strict);
    assert_eq!(failing(&judged(&strict, "passing", &strict.lemmas(&invariants))), ["cover"]);
    // The form that needs the two local invariants.
    let other = text("diagrams/bakery_n.diagram").replace(
        "l{0,1,4}[j] \\/ (l2[j] /\\ y[i] <= y[j])",
        "~l3[j] /\\ (l4[j] \\/ y[j] = 0 \\/ y[i] <= y[j])",
    );
    let other = drawn("bakery_n", &other);
    assert_eq!(failing(&judged(&other, "passing", &other.lemmas(&invariants))), ["cover"]);
    let local = ["Forall i:[1..N]. l0[i] --> y[i] = 0", "Forall i:[1..N]. l1[i] --> y[i] = 0"];
    let more = other.lemmas(&[&invariants[..], &local].concat());
    assert_eq!(failing(&judged(&other, "passing", &more)), Vec::<String>::new());
}

/// Section 10: compassion.
#[test]
fn the_semaphore_by_compassionate_exits() {
    let known = ["l2 + l3 + m2 + m3 + r = 1", "r >= 0", "0 <= pi0 /\\ pi0 <= 3", "0 <= pi1 /\\ pi1 <= 3"];
    let p = with("mux_sem");
    let all = judged(&p, "waiting", &p.lemmas(&known));
    assert_eq!(failing(&all), Vec::<String>::new());
    let counted = count(&all);
    assert_eq!([Part::Initiality, Part::Consecution, Part::Exit].map(|part| counted[&part]), [1, 36, 8]);
    certified(&p, "waiting", &p.lemmas(&known));
    assert_eq!(failing(&judged(&p, "access", &p.lemmas(&known))), Vec::<String>::new());
    certified(&p, "access", &p.lemmas(&known));
    // As a chain, with the response that compassion needs.
    let mut p = drawn("mux_sem", &text("diagrams/mux_sem_chain.diagram"));
    let chain = judged(&p, "access_chain", &p.lemmas(&known));
    assert_eq!(failing(&chain), Vec::<String>::new());
    assert!(count(&chain)[&Part::Again] > 1);
    certified(&p, "access_chain", &p.lemmas(&known));
    // Where `request` is just, both are refused.
    let mut just = with("mux_sem");
    for t in &mut p.fts.transitions {
        if t.fairness == system::fts::Fairness::Strong {
            t.fairness = system::fts::Fairness::Weak;
        }
    }
    assert_eq!(failing(&judged(&p, "access_chain", &p.lemmas(&known))), ["1 enabled l1"]);
    for t in &mut just.fts.transitions {
        if t.fairness == system::fts::Fairness::Strong {
            t.fairness = system::fts::Fairness::Weak;
        }
    }
    let open = judged(&just, "access", &just.lemmas(&known));
    let reason = open.iter().find(|o| o.status == Status::Failed).and_then(|o| o.reason.clone()).unwrap();
    assert!(reason.contains("is not accepted, has no fair exit"), "{reason}");
}

/// The same acceptance as pairs of edges.
#[test]
fn streett_pairs_do_what_node_sets_do() {
    let known = ["l2 + l3 + m2 + m3 + r = 1", "r >= 0", "0 <= pi0 /\\ pi0 <= 3", "0 <= pi1 /\\ pi1 <= 3"];
    let pairs = "streett {} or {A -> A, A -> B, A -> C, A -> D, B -> A}";
    let p = drawn("mux_sem", &text("diagrams/mux_sem.diagram").replace("accept containing {A}\n", pairs));
    assert_eq!(failing(&judged(&p, "waiting", &p.lemmas(&known))), Vec::<String>::new());
    certified(&p, "waiting", &p.lemmas(&known));
    let stay = "streett {A -> A} or {}";
    let p = drawn("mux_sem", &text("diagrams/mux_sem.diagram").replace("accept containing {A}\n", stay));
    let open = failing(&judged(&p, "waiting", &p.lemmas(&known)));
    assert!(open.iter().any(|name| name.starts_with("acceptance")), "{open:?}");
}

/// A rank that is a finite set: the processes that have not yet finished.
#[test]
fn a_finite_set_is_a_rank() {
    let p = program(
        "in N : int where N > 0
         local done : array [1..N] of bool where Forall i:[1..N]. ~done[i]
         local all : bool where ~all
         Transition one [i:[1..N]] Just:
           enable ~done[i]
           assign done[i] := true
         Transition end Just:
           enable Forall i:[1..N]. done[i]
           assign all := true
         value k : int where 1 <= k, k <= N
         PROPERTY mine : <>done[k]
         DIAGRAM finish : rank proves mine {
           node 1 : ~done[k] rank {i:[1..N] | ~done[i]}
           node 0 : done[k]
           terminal 0
           edge 1 -> 1
           edge 1 -> 0 by one[k]
         }",
    );
    let all = judged(&p, "finish", &[]);
    assert_eq!(failing(&all), Vec::<String>::new());
    certified(&p, "finish", &[]);
    // A set without bounds goes down endlessly.
    let mut map = source::SourceMap::new();
    let unbounded = "local x : int\nTransition t Just: enable x > 0 assign x := x - 1\nPROPERTY q : <>(x <= 0)\n\
         DIAGRAM d : rank proves q { node 1 : x > 0 rank {i : int | i < x} node 0 : x <= 0 terminal 0 edge 1 -> 0 by t }";
    let root = map.add("unbounded.fts", unbounded);
    let (_, diagnostics) = spl::read(&map, &[root]);
    assert!(diagnostics.iter().any(|d| d.code == "E0753"), "{diagnostics:?}");
}
