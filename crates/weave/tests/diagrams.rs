//! Diagrams and abstractions by the command line: what is proved live, what is refused with which
//! reason, pictures and JSON.

mod support;

use serde_json::Value;
use support::{result, valid, weave};

/// A file of the corpus.
fn file(path: &str) -> String {
    support::root().join(path).to_string_lossy().into_owned()
}

/// A program and its diagrams.
fn ask(program: &str, diagrams: &str, more: &[&str]) -> Value {
    let program = file(&format!("models/spl/{program}"));
    let diagrams = file(&format!("models/diagrams/{diagrams}"));
    let mut arguments = vec!["prove", &program, "--diagram", &diagrams, "--json"];
    arguments.extend(more);
    let answer = weave(&arguments);
    valid(&answer);
    result(&answer)
}

fn verdict(result: &Value, property: &str) -> String {
    let all = result["properties"].as_array().expect("properties");
    let found = all.iter().find(|p| p["name"] == property).expect("the property");
    found["verdict"].as_str().unwrap_or_default().to_string()
}

#[test]
fn diagrams_of_the_corpus_prove_their_properties() {
    for (program, diagrams, properties) in [
        ("bakery2.spl", "bakery2.diagram", &["mux", "one_bounded", "acc"][..]),
        ("bakery_vis.spl", "bakery_vis.diagram", &["visits"]),
        ("bakery_lazy.spl", "bakery_lazy.diagram", &["cond_visits"]),
        ("mux_sem.spl", "mux_sem.diagram", &["leaves", "acc"]),
        ("mux_sem.spl", "mux_sem_chain.diagram", &["acc"]),
        ("bakery_n.spl", "bakery_n.diagram", &["overtaking"]),
    ] {
        let mut selected = Vec::new();
        // The diagram for N processes rests on all that is proved before it.
        if program != "bakery_n.spl" {
            properties.iter().for_each(|p| selected.extend(["--property", p]));
        }
        let result = ask(program, diagrams, &selected);
        for property in properties {
            assert_eq!(verdict(&result, property), "holds", "{diagrams} {property}: {}", result["reason"]);
        }
        let drawn = result["diagrams"].as_array().expect("diagrams");
        assert!(drawn.iter().all(|d| d["status"] == "proved"), "{drawn:?}");
        assert!(drawn.iter().flat_map(|d| d["nodes"].as_array().unwrap()).all(|n| n["status"] != "failed"));
    }
}

/// The lazy process may stay: its rank diagram is refused.
#[test]
fn a_helpful_transition_must_be_fair() {
    let result = ask("bakery_lazy.spl", "bakery_vis.diagram", &["--property", "visits"]);
    assert_eq!(verdict(&result, "visits"), "unknown");
    assert!(result["reason"].as_str().unwrap().contains("`m3` is not fair"), "{}", result["reason"]);
}

/// A condition that fails is pinned to its node, drawn and reported.
#[test]
fn a_missing_edge_is_seen() {
    let folder = std::env::temp_dir().join(format!("weave-diagrams-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(support::root().join("models/diagrams/bakery2.diagram")).unwrap();
    let diagram = folder.join("broken.diagram");
    std::fs::write(&diagram, text.replace("  edge 3 -> 1\n", "")).unwrap();
    let pictures = folder.join("pictures");
    let (diagram, pictures) =
        (diagram.to_string_lossy().into_owned(), pictures.to_string_lossy().into_owned());
    let arguments = [
        "prove",
        &file("models/spl/bakery2.spl"),
        "--diagram",
        &diagram,
        "--property",
        "mux",
        "--pictures",
        &pictures,
        "--json",
    ];
    let answer = weave(&arguments);
    valid(&answer);
    let result = result(&answer);
    assert_eq!(verdict(&result, "mux"), "unknown");
    let obligations = result["obligations"].as_array().unwrap();
    let failed: Vec<&Value> = obligations.iter().filter(|o| o["status"] == "failed").collect();
    let [one] = &failed[..] else { panic!("{failed:?}") };
    assert_eq!(
        (&one["place"]["node"], &one["place"]["transition"], &one["place"]["part"]),
        (&"3".into(), &"m4".into(), &"consecution".into())
    );
    let countermodel = &one["countermodel"];
    assert!(countermodel["before"]["P2"] == "at m4" && countermodel["after"]["P2"] == "at m0");
    let svg = std::fs::read_to_string(folder.join("pictures/mux_diagram.svg")).unwrap();
    let dot = std::fs::read_to_string(folder.join("pictures/mux_diagram.dot")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("#cf222e") && svg.contains("#1a7f37"));
    assert!(dot.starts_with("digraph") && dot.contains("n3 [label=") && dot.contains("#cf222e"));
    std::fs::remove_dir_all(folder).unwrap();
}

const BASIS: &str = "b1: y1 = 0, b2: y2 = 0, b3: y1 <= y2";

#[test]
fn the_abstraction_of_the_bakery_decides_its_properties() {
    let arguments = ["prove", &file("models/spl/bakery2.spl"), "--abstract", BASIS, "--json"];
    let answer = weave(&arguments);
    valid(&answer);
    let result = result(&answer);
    for property in ["mux", "one_bounded", "acc"] {
        assert_eq!(verdict(&result, property), "holds", "{}", result["reason"]);
    }
    assert_eq!(verdict(&result, "zero_bounded"), "unknown");
    let statements = result["abstraction"]["statements"].as_array().unwrap();
    let l2 = statements.iter().find(|s| s["transition"] == "l2").unwrap();
    assert_eq!((&l2["statement"], &l2["fairness"]), (&"await (b2 \\/ b3)".into(), &"just".into()));
}

#[test]
fn the_bakery_fairly_refines_its_abstraction() {
    let refines = |other: &str| {
        let arguments =
            ["prove", &file("models/spl/bakery2.spl"), "--refines", other, "--abstract", BASIS, "--json"];
        let answer = weave(&arguments);
        valid(&answer);
        result(&answer)
    };
    assert_eq!(refines(&file("models/spl/bakery_abstract.spl"))["verdict"], "holds");
    let text = std::fs::read_to_string(support::root().join("models/spl/bakery_abstract.spl")).unwrap();
    let dropped = std::env::temp_dir().join(format!("weave-dropped-{}.spl", std::process::id()));
    std::fs::write(&dropped, text.replace("await (b1 \\/ ~b3)", "await b1")).unwrap();
    let result = refines(&dropped.to_string_lossy());
    assert_eq!(result["verdict"], "unknown");
    assert!(result["reason"].as_str().unwrap().ends_with("fairer there: m2"), "{}", result["reason"]);
    std::fs::remove_file(dropped).unwrap();
}

/// Where a type check of one of the programs may fail there is nothing to refine: an assignment
/// leaves the range of its variable, or an expression divides by zero.
#[test]
fn a_program_without_meaning_refines_nothing() {
    let grows = |range: &str| {
        format!(
            "Transition System\nlocal x : {range}\nInitially x = 0\n\
             Transition t Just:\n  enable true\n  assign x := x + 1\n"
        )
    };
    let divides = "Transition System\nlocal x : int\nInitially x = 0\n\
                   Transition t Just:\n  enable 1 div x = 1 div x\n  assign x := x + 1\n";
    let folder = support::Folder::new("refines");
    let written = |name: &str, text: &str| {
        let path = folder.path(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let free = written("free.fts", &grows("int"));
    let ranged = written("ranged.fts", &grows("[0..3]"));
    let dividing = written("dividing.fts", divides);
    let verdict = |own: &str, other: &str| {
        let answer = weave(&["prove", own, "--refines", other, "--json"]);
        valid(&answer);
        result(&answer)["verdict"].clone()
    };
    assert_eq!(verdict(&free, &free), "holds");
    assert_eq!(verdict(&free, &ranged), "unknown");
    assert_eq!(verdict(&ranged, &free), "unknown");
    assert_eq!(verdict(&free, &dividing), "unknown");
}

/// With a basis that is found all properties of the bakeries are decided, and those of other
/// programs, most of which have infinitely many states; the certifier replays runs that violate.
#[test]
fn a_basis_is_found() {
    let all: &[(&str, &[(&str, &str)])] = &[
        (
            "bakery2.spl",
            &[("mux", "holds"), ("one_bounded", "holds"), ("acc", "holds"), ("zero_bounded", "violated")],
        ),
        (
            "bakery2_auto.spl",
            &[("mux", "holds"), ("one_bounded", "holds"), ("two_in_a_row", "holds"), ("tickets", "violated")],
        ),
        ("bakery_vis.spl", &[("left", "holds"), ("mux", "holds"), ("visits", "holds")]),
        ("bakery_lazy.spl", &[("mux", "holds"), ("visits", "violated")]),
        ("gcd_proof.spl", &[("positive", "holds"), ("ends", "holds")]),
        ("relation.fts", &[("positive", "holds"), ("order", "holds")]),
        ("axiom_input.spl", &[("pT", "holds"), ("qT", "holds")]),
        ("bank.spl", &[("total", "holds")]),
        (
            "past_proved.spl",
            &[
                ("knocked", "holds"),
                ("since", "holds"),
                ("beginning", "holds"),
                ("always_zero", "violated"),
                ("just_before", "violated"),
            ],
        ),
        ("thirds.spl", &[("b", "violated")]),
        ("array_given.spl", &[("runtime", "holds"), ("found", "violated"), ("first", "violated")]),
        ("array_partly_given.spl", &[("p", "violated")]),
        ("array_partly_given_check.fts", &[("p", "violated")]),
        ("sum_loop.spl", &[("total", "holds"), ("low", "holds"), ("result", "holds")]),
        ("unbounded.spl", &[("grows", "holds")]),
        ("test_and_set.spl", &[("mux", "holds"), ("held", "holds")]),
        ("producer_consumer_proof.spl", &[("mux", "holds"), ("bounded", "holds")]),
        ("traffic_light.spl", &[("safe", "holds"), ("changes", "holds"), ("order", "holds")]),
        ("mux_sem.spl", &[("one", "holds"), ("positive", "holds"), ("mux", "holds"), ("acc", "holds")]),
    ];
    for (program, properties) in all {
        let program = file(&format!("models/spl/{program}"));
        let answer = weave(&["prove", &program, "--abstract", "auto", "--timeout", "300s", "--json"]);
        valid(&answer);
        let result = result(&answer);
        assert_eq!(result["properties"].as_array().unwrap().len(), properties.len(), "{program}");
        for (property, expected) in *properties {
            assert_eq!(verdict(&result, property), *expected, "{program} {property}: {}", result["reason"]);
        }
    }
}

/// Each property gets a diagram that proves it; what is written can be given again.
#[test]
fn a_diagram_is_derived() {
    let folder = std::env::temp_dir().join(format!("weave-derived-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let written = folder.join("derived.diagram").to_string_lossy().into_owned();
    let all: &[(&str, &[(&str, &str)])] = &[
        ("bakery2.spl", &[("mux", "invariance"), ("one_bounded", "wait-for"), ("acc", "chain")]),
        ("bakery_vis.spl", &[("left", "invariance"), ("mux", "invariance"), ("visits", "rank")]),
        ("bakery_lazy.spl", &[("cond_visits", "generalized")]),
        ("gcd_proof.spl", &[("positive", "invariance"), ("ends", "rank")]),
        ("mux_sem.spl", &[("one", "invariance"), ("acc", "chain")]),
        ("traffic_light.spl", &[("safe", "invariance"), ("order", "wait-for")]),
        ("peterson.spl", &[("mux", "invariance"), ("acc", "chain"), ("one_bounded", "wait-for")]),
        ("sum_loop.spl", &[("total", "invariance"), ("result", "invariance")]),
        ("relation.fts", &[("order", "invariance")]),
    ];
    for (program, properties) in all {
        // The property of the lazy bakery stands beside its diagram.
        let lazy = folder.join("lazy.spec").to_string_lossy().into_owned();
        std::fs::write(&lazy, "PROPERTY cond_visits : []<>~m3 --> <>(n = 0)\n").unwrap();
        let beside = (*program == "bakery_lazy.spl").then_some(&lazy[..]);
        let program = file(&format!("models/spl/{program}"));
        let mut arguments =
            vec!["prove", &program, "--diagram", "auto", "--write-diagram", &written, "--json"];
        arguments.extend(beside);
        properties.iter().for_each(|(p, _)| arguments.extend(["--property", p]));
        let answer = weave(&arguments);
        valid(&answer);
        let derived = result(&answer);
        for (property, kind) in *properties {
            assert_eq!(verdict(&derived, property), "holds", "{program} {property}: {}", derived["reason"]);
            let drawn = derived["diagrams"].as_array().unwrap();
            let own = drawn.iter().find(|d| d["property"] == *property).expect("a diagram");
            assert_eq!((&own["kind"], &own["status"]), (&(*kind).into(), &"proved".into()), "{own}");
        }
        let again: Vec<&str> =
            ["prove", &program, "--diagram", &written, "--json"].into_iter().chain(beside).collect();
        let again = result(&weave(&again));
        for (property, _) in *properties {
            assert_eq!(verdict(&again, property), "holds", "{program} {property}: {}", again["reason"]);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A formula that is asked about gets a name in the text; one that is false gets no diagram, nor
/// does one of a form for which none is derived.
#[test]
fn what_has_no_diagram_is_said() {
    let program = file("models/spl/bakery_vis.spl");
    let asked = ["<>(n = 0)", "<>(n < 0)", "[]~(l3 /\\ m3) /\\ <>(n = 0)"];
    let mut arguments = vec!["prove", &program, "--diagram", "auto", "--json"];
    asked.iter().for_each(|formula| arguments.extend(["--ltl", formula]));
    let answer = weave(&arguments);
    valid(&answer);
    let result = result(&answer);
    let verdicts = asked.map(|formula| verdict(&result, formula));
    assert_eq!(verdicts, ["holds", "violated", "holds"], "{}", result["reason"]);
    let derived = result["derived"].as_array().unwrap();
    let text = derived[0]["text"].as_str().unwrap();
    assert!(text.starts_with("PROPERTY asked1 : <>(n = 0)\nDIAGRAM auto_asked1 : rank proves asked1 {"));
    assert_eq!(derived.len(), 2, "{derived:?}");
    assert!(derived[1]["reason"].as_str().unwrap().contains("is none of"), "{derived:?}");
    let refused = weave(&["prove", &program, "--diagram", "auto", "--abstract", "b1: n = 0"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

/// A first diagram has what the tableau says; an acceptance that lacks a reason is named.
#[test]
fn a_first_diagram_shows_what_is_missing() {
    let ask = |property: &str| {
        let program = file("models/spl/bakery2.spl");
        let answer = weave(&["prove", &program, "--diagram", "first", "--property", property, "--json"]);
        valid(&answer);
        result(&answer)
    };
    let access = ask("acc");
    assert_eq!(verdict(&access, "acc"), "unknown");
    let open: Vec<&Value> =
        access["obligations"].as_array().unwrap().iter().filter(|o| o["status"] != "proved").collect();
    let [one] = &open[..] else { panic!("{open:?}") };
    assert_eq!(one["place"]["part"], "acceptance");
    assert!(one["reason"].as_str().unwrap().contains("no fair exit"), "{one}");
    // What the tableau alone says of an invariance is its proof, if the invariants are known.
    assert_eq!(verdict(&ask("mux"), "mux"), "holds");
}

/// One diagram may prove several properties.
#[test]
fn a_diagram_proves_several_properties() {
    let folder = std::env::temp_dir().join(format!("weave-several-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(file("models/diagrams/mux_sem.diagram")).unwrap();
    let text = text.replace("PROPERTY leaves", "PROPERTY wrong : []<>l2\nPROPERTY leaves");
    let text = text.replace("proves leaves {", "proves leaves, wrong {");
    let diagram = folder.join("several.diagram");
    std::fs::write(&diagram, text).unwrap();
    let diagram = diagram.to_string_lossy().into_owned();
    let program = file("models/spl/mux_sem.spl");
    let answer = weave(&["prove", &program, "--diagram", &diagram, "--json", "--timeout", "60s"]);
    valid(&answer);
    let result = result(&answer);
    assert_eq!((verdict(&result, "leaves"), verdict(&result, "wrong")), ("holds".into(), "unknown".into()));
    let statuses = result["diagrams"].as_array().unwrap();
    let status = |p: &str| statuses.iter().find(|d| d["property"] == p).unwrap()["status"].clone();
    assert_eq!((status("leaves"), status("wrong")), ("proved".into(), "failed".into()));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Visits end because a number goes down: it is watched. Without fairness of m3 they need not end.
#[test]
fn a_number_that_goes_down_is_watched() {
    let ask = |program: &str, formula: &str| {
        let program = file(&format!("models/spl/{program}"));
        let answer = weave(&["prove", &program, "--abstract", "auto", "--ltl", formula, "--json"]);
        valid(&answer);
        result(&answer)
    };
    let visits = ask("bakery_vis.spl", "<>(n = 0)");
    assert_eq!(visits["verdict"], "holds", "{}", visits["reason"]);
    let watched = visits["abstraction"]["watched"].as_array().unwrap();
    assert!(watched.iter().any(|w| w["number"] == "n"), "{watched:?}");
    let lazy = ask("bakery_lazy.spl", "<>(n = 0)");
    assert_eq!(lazy["verdict"], "violated");
    assert!(!lazy["violations"].as_array().unwrap().is_empty());
    assert_eq!(ask("bakery_lazy.spl", "[]<>~m3 --> <>(n = 0)")["verdict"], "holds");
}

/// Axioms that are assumed may exclude a run: it is no violation.
#[test]
fn a_run_says_nothing_where_axioms_are_assumed() {
    let program = file("models/spl/axiom_everywhere.spl");
    let answer = weave(&["prove", &program, "--abstract", "auto", "--json"]);
    valid(&answer);
    let result = result(&answer);
    assert_eq!(verdict(&result, "q"), "unknown");
}
