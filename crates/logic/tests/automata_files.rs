//! Automata in files: what is written is read back as the same automaton; what cannot be read is
//! refused, never a panic.

#[path = "support/random.rs"]
mod random;

use logic::automata::{Automaton, Named, On, buchi, dot, hoa, never, translate};
use logic::ltl::semantics::satisfies;
use logic::ltl::{Binary, Formula, Unary};
use random::{Random, Shape};
use source::FileId;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|p| ["p", "x == 1", "say \"q\" \\"][p % 3].to_owned()).collect()
}

fn named(automaton: Automaton) -> Named {
    Named { names: names(automaton.propositions), automaton }
}

fn read(text: &str) -> Named {
    hoa::read(text, FileId(0)).expect("readable").remove(0)
}

/// The code of the refusal.
fn refused(text: &str) -> &'static str {
    hoa::read(text, FileId(0)).expect_err("to be refused").code
}

#[test]
fn hoa_is_read_back_as_it_was_written() {
    for seed in 0..500 {
        let formula = random::formula(&mut Random::new(seed), &Shape::default());
        for automaton in [translate(&formula).expect("small"), buchi(&formula, On::States).expect("small")] {
            let named = named(automaton);
            assert_eq!(read(&hoa::write(&named)), named, "seed {seed}");
        }
    }
}

#[test]
fn claims_are_read_back_with_the_same_words() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, &Shape::default());
        let automaton = translate(&formula).expect("small");
        let names =
            (0..automaton.propositions).map(|p| ["p", "x == 1", "len(q) > 2"][p].to_owned()).collect();
        let named = Named { automaton, names };
        let text = never::write(&named).expect("small");
        let back =
            never::read(&text, FileId(0)).unwrap_or_else(|error| panic!("seed {seed}: {error:?}: {text}"));
        // The claim names its propositions in the order in which they occur.
        let place = |name: &String| named.names.iter().position(|n| n == name || format!("({n})") == *name);
        let order: Vec<usize> = back.names.iter().map(|n| place(n).expect("a known name")).collect();
        for _ in 0..10 {
            let word = random::lasso(&mut random, 3, 3, 3);
            let renamed =
                word.map(|letter| order.iter().enumerate().fold(0, |l, (i, p)| l | (letter >> p & 1) << i));
            assert_eq!(
                back.automaton.accepts(&renamed),
                satisfies(&word, &formula),
                "seed {seed}: {word:?}: {text}"
            );
        }
    }
}

fn eventually_always() -> Formula<usize> {
    Formula::unary(Unary::Eventually, Formula::unary(Unary::Always, Formula::Atom(0)))
}

#[test]
fn the_formats_look_like_this() {
    let automaton = buchi(&eventually_always(), On::States).expect("small");
    let named = Named { automaton, names: vec!["p".into()] };
    assert_eq!(
        never::write(&named).expect("small"),
        "never {\nT0_init:\n\tdo\n\t:: (1) -> goto T0_init\n\t:: (p) -> goto accept_S1\n\tod;\n\
         accept_S1:\n\tdo\n\t:: (p) -> goto accept_S1\n\tod;\n}\n"
    );
    assert_eq!(
        hoa::write(&named),
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
         properties: trans-labels explicit-labels state-acc\n--BODY--\n\
         State: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[0] 1\n--END--\n"
    );
    assert_eq!(
        dot::write(&named),
        "digraph automaton {\n  rankdir=LR\n  node [shape=circle]\n  start [shape=point, style=invis]\n  start -> 0\n\
         \x20 0 -> 0 [label=\"true\"]\n  0 -> 1 [label=\"p\"]\n  1 [shape=doublecircle]\n  1 -> 1 [label=\"p\"]\n}\n"
    );
}

/// Automata of `G F p`, in as many ways as the format has.
#[test]
fn every_style_of_hoa_is_read() {
    let head = "HOA: v1 name: \"x\" States: 2 Start: 0 AP: 1 \"p\"";
    let explicit = "--BODY-- State: 0 [0] 1 [!0] 0 State: 1 {0} [0] 1 [!0] 0 --END--";
    let implicit = "--BODY-- State: 0 \"a\" 0 1 State: 1 {0} 0 1 --END--";
    let aliases =
        "Alias: @a 0 Alias: @b !@a&t --BODY-- State: 0 [@a] 1 [@b|f] 0 State: 1 {0} [(@a)] 1 [!@a] 0 --END--";
    let on_edges = "--BODY-- State: 0 [0] 1 {0} [!0] 0 State: 1 [0] 1 {0} [!0] 0 --END--";
    // Leaving the state on p marks the position of p.
    let state_labels = "--BODY-- State: [0] 0 {0} 0 1 State: [!0] 1 0 1 --END--";
    let formula = Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, Formula::Atom(0)));
    for (acceptance, body, starts) in [
        ("acc-name: Buchi Acceptance: 1 Inf(0)", explicit, ""),
        ("Acceptance: 1 Inf(0)", implicit, ""),
        ("Acceptance: 1 Inf(0)", aliases, ""),
        ("Acceptance: 1 (Inf(0))&t", on_edges, ""),
        ("Acceptance: 3 Inf(0)|Inf(2)|f", explicit, ""),
        ("Acceptance: 1 Inf(0)", state_labels, "Start: 1"),
        ("properties: very-weak Acceptance: 1 Inf(0) /* a /* nested */ comment */", explicit, "Start: 1"),
    ] {
        let read = read(&format!("{head} {starts} {acceptance} {body}"));
        assert_eq!(read.names, ["p"]);
        for seed in 0..100 {
            let word = random::lasso(&mut Random::new(seed), 1, 3, 3);
            assert_eq!(
                read.automaton.accepts(&word),
                satisfies(&word, &formula),
                "{acceptance} {body}: {word:?}"
            );
        }
    }
    let never = format!("{head} Acceptance: 0 f {}", explicit.replace("{0}", ""));
    assert_eq!(read(&never).automaton.witness(), None);
    let complement = format!("{head} Acceptance: 1 Inf(!0) {on_edges}");
    let not_p = Formula::binary(Binary::Until, Formula::TRUE, Formula::negation(Formula::Atom(0)));
    let often = Formula::unary(Unary::Always, not_p);
    for seed in 0..100 {
        let word = random::lasso(&mut Random::new(seed), 1, 3, 3);
        assert_eq!(read(&complement).automaton.accepts(&word), satisfies(&word, &often), "{word:?}");
    }
}

#[test]
fn what_is_not_read_is_refused_politely() {
    let text = |acceptance: &str, body: &str| {
        format!("HOA: v1 States: 2 Start: 0 AP: 1 \"p\" {acceptance} --BODY-- {body} --END--")
    };
    let buchi = "Acceptance: 1 Inf(0)";
    assert_eq!(refused(""), "E0501");
    assert_eq!(refused("digraph {}"), "E0501");
    assert_eq!(refused("HOA: v2"), "E0501");
    assert_eq!(refused(&text("", "")), "E0501");
    assert_eq!(refused(&text("acc-name: Rabin 1 Acceptance: 2 Fin(0)&Inf(1)", "")), "E0504");
    assert_eq!(refused(&text("acc-name: co-Buchi Acceptance: 1 Fin(0)", "")), "E0504");
    assert_eq!(refused(&text("Acceptance: 65 t", "")), "E0502");
    assert_eq!(refused(&text("Acceptance: 1 Inf(1)", "")), "E0503");
    assert_eq!(refused(&text(buchi, "State: 0 [1] 0")), "E0503");
    assert_eq!(refused(&text(buchi, "State: 0 [@a] 0")), "E0503");
    assert_eq!(refused(&text(buchi, "State: 0 [0] 2")), "E0503");
    assert_eq!(refused(&text(buchi, "State: 0 [0] 0 {1}")), "E0503");
    assert_eq!(refused(&text(buchi, "State: 0 [0] 0&1")), "E0507");
    assert_eq!(refused(&text(buchi, "State: 0 [0] 0 1")), "E0506");
    assert_eq!(refused(&text(buchi, "State: 0 0 1 1")), "E0506");
    assert_eq!(refused(&text("Acceptance: 1 Inf(0) Fairness: 2", "")), "E0505");
    let deep = format!("State: 0 [{}0{}] 0", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(refused(&text(buchi, &deep)), "E0502");
    assert_eq!(refused(&text(&format!("Acceptance: 1 {}", "(".repeat(5000)), "")), "E0502");
}

#[test]
fn the_claims_of_others_are_read() {
    let spin = "never  {    /* !([] p) */\nT0_init:\n\tdo\n\t:: atomic { (! ((p))) -> assert(!(! ((p)))) }\n\
                \t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n";
    let classic = "never { /* !([] p) */\nT0_init:\n\tif\n\t:: (1) -> goto T0_init\n\t:: (!p) -> goto accept_all\n\tfi;\n\
                   accept_all:\n\tskip\n}\n";
    let labels = "never later {\nT0_init: T0_S1: do :: !(p) -> goto accept_S2 :: p od;\n\
                  accept_S2: if :: (p || !p) -> goto accept_S2 fi; dead: false; }";
    let formula = Formula::unary(Unary::Eventually, Formula::negation(Formula::Atom(0)));
    for text in [spin, classic, labels] {
        let read = never::read(text, FileId(0)).expect("readable");
        assert_eq!(read.names, ["p"]);
        for seed in 0..100 {
            let word = random::lasso(&mut Random::new(seed), 1, 3, 3);
            assert_eq!(read.automaton.accepts(&word), satisfies(&word, &formula), "{text}: {word:?}");
        }
    }
    let refused = |text: &str| never::read(text, FileId(0)).expect_err("to be refused").code;
    assert_eq!(refused("proctype p() {}"), "E0508");
    assert_eq!(refused("never { T0_init: x = 1; }"), "E0508");
    assert_eq!(refused("never { T0_init: do :: p -> goto nowhere od; }"), "E0503");
    assert_eq!(refused(&format!("never {{ a: do :: {} -> goto a od }}", "(".repeat(5000))), "E0508");
    assert_eq!(
        refused(&format!("never {{ a: do :: {}p{} -> goto a od }}", "(".repeat(5000), ")".repeat(5000))),
        "E0502"
    );
}

/// Texts with bytes changed, removed, doubled or moved: an automaton or a diagnostic.
#[test]
fn mutated_texts_neither_panic_nor_hang() {
    let mut random = Random::new(7);
    let formula = random::formula(&mut Random::new(11), &Shape::default());
    let named = named(translate(&formula).expect("small"));
    let texts = [hoa::write(&named), never::write(&named).expect("small")];
    for round in 0..4000 {
        let mut text: Vec<char> = texts[round % 2].chars().collect();
        for _ in 0..1 + random.below(4) {
            let (at, other) = (random.below(text.len()), random.below(text.len()));
            match random.below(4) {
                0 => text[at] = ['9', '(', '[', '"', '&', '!', 'é', '-', '}', ':'][random.below(10)],
                1 => {
                    text.remove(at);
                }
                2 => text.insert(at, text[other]),
                _ => text.swap(at, other),
            }
        }
        let text: String = text.into_iter().collect();
        let _ = hoa::read(&text, FileId(0)).map(|read| read.iter().map(hoa::write).collect::<String>());
        let _ = never::read(&text, FileId(0)).map(|read| never::write(&read));
    }
}
