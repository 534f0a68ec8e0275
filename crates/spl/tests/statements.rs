//! Which statement is which transition, and how fair: the table of statements, row by row.

use logic::fol::Term;
use source::SourceMap;
use system::fts::{Fairness, Fts};

fn read(text: &str) -> Fts {
    let mut map = SourceMap::new();
    let root = map.add("test.spl", text);
    let (fts, diagnostics) = spl::read(&map, &[root]);
    fts.unwrap_or_else(|| panic!("{text}\n{diagnostics:#?}"))
}

fn codes(text: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let root = map.add("test.spl", text);
    let (_, diagnostics) = spl::read(&map, &[root]);
    diagnostics.iter().map(|d| d.code).collect()
}

fn model(name: &str) -> Fts {
    let path = format!("{}/../../models/spl/{name}.spl", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read_to_string(path).unwrap())
}

/// Name, fairness, branches as `guard → updates`.
fn shown(fts: &Fts) -> Vec<String> {
    let fairness = |f: Fairness| match f {
        Fairness::None => "unfair",
        Fairness::Weak => "just",
        Fairness::Strong => "compassionate",
    };
    let branch = |b: &system::fts::Branch| {
        let updates: Vec<_> = b.updates.iter().map(|(s, e)| format!("{} := {e}", s.name)).collect();
        let chosen = if b.chosen.is_empty() { String::new() } else { format!(" choose {}", b.choice) };
        format!("{} → {}{chosen}", b.guard, updates.join(", "))
    };
    let line = |t: &system::fts::Transition| {
        let branches: Vec<_> = t.branches.iter().map(branch).collect();
        format!("{} {}: {}", t.name, fairness(t.fairness), branches.join(" | "))
    };
    fts.transitions.iter().map(line).collect()
}

#[test]
fn proofs_name_their_background() {
    let fts = read(
        "local x : int where x = 0\nl0: skip\nPROPERTY p : [](x = 0)\nPROOF p : B-INV using local, linear",
    );
    assert_eq!(fts.proofs[0].using, Some(vec!["local".to_string(), "linear".to_string()]));
}

#[test]
fn the_programs_of_the_tutorial_have_their_transitions() {
    // The idling transition is not listed: 11, 12, 12, 11, 6, 9 with it.
    for (name, transitions) in [
        ("bakery2", 10),
        ("bakery_vis", 11),
        ("bakery_lazy", 11),
        ("bakery_abstract", 10),
        ("bakery_n", 5),
        ("mux_sem", 8),
    ] {
        assert_eq!(model(name).transitions.len(), transitions, "{name}");
    }
    let unfair = |name: &str| -> Vec<String> {
        let fts = model(name);
        let unfair = fts.transitions.iter().filter(|t| t.fairness == Fairness::None);
        unfair.map(|t| t.name.clone()).collect()
    };
    assert_eq!(unfair("bakery2"), ["l0", "m0"]);
    assert_eq!(unfair("bakery_vis"), ["m0"]);
    assert_eq!(unfair("bakery_lazy"), ["m0", "m3"]);
    assert_eq!(unfair("bakery_n"), ["l0"]);
    let fts = model("mux_sem");
    let compassionate = fts.transitions.iter().filter(|t| t.fairness == Fairness::Strong);
    assert_eq!(compassionate.map(|t| &t.name[..]).collect::<Vec<_>>(), ["l1", "m1"]);
}

#[test]
fn bakery_is_the_system_of_section_2() {
    let fts = model("bakery2");
    assert_eq!(fts.initial.to_string(), "y1 = 0 /\\ y2 = 0 /\\ pi0 = 0 /\\ pi1 = 0");
    assert_eq!(
        shown(&fts)[..5],
        [
            "l0 unfair: pi0 = 0 → pi0 := 1",
            "l1 just: pi0 = 1 → pi0 := 2, y1 := y2 + 1",
            "l2 just: pi0 = 2 /\\ (y2 = 0 \\/ y1 <= y2) → pi0 := 3",
            "l3 just: pi0 = 3 → pi0 := 4",
            "l4 just: pi0 = 4 → pi0 := 0, y1 := 0",
        ]
    );
    let fts = model("bakery_vis");
    assert_eq!(shown(&fts)[0], "l0 just: pi0 = 0 /\\ 0 < n → pi0 := 1 | pi0 = 0 /\\ ~(0 < n) → pi0 := 6");
    assert_eq!(fts.threads[0].locations.len(), 7);
}

#[test]
fn parameterized_programs_are_over_arrays() {
    let fts = model("bakery_n");
    assert_eq!(
        shown(&fts),
        [
            "l0 unfair: pi0[i] = 0 → pi0 := update(pi0, i, 1)",
            "l1 just: pi0[i] = 1 → pi0 := update(pi0, i, 2), y := update(y, i, 1 + max(y))",
            "l2 just: pi0[i] = 2 /\\ (Forall j:[1..N]. i != j --> y[j] = 0 \\/ y[i] <= y[j]) → pi0 := update(pi0, i, 3)",
            "l3 just: pi0[i] = 3 → pi0 := update(pi0, i, 4)",
            "l4 just: pi0[i] = 4 → pi0 := update(pi0, i, 0), y := update(y, i, 0)",
        ]
    );
    assert_eq!(
        fts.initial.to_string(),
        "N > 0 /\\ (Forall i:[1..N]. y[i] = 0) /\\ (Forall i:[1..N]. pi0[i] = 0)".replace("N > 0", "0 < N")
    );
    let overtaking = fts.properties.last().unwrap();
    assert_eq!(overtaking.given.to_string(), "1 <= i /\\ i <= N /\\ 1 <= j /\\ j <= N");
}

#[test]
fn every_statement_is_its_transition() {
    let fts = read(
        "local x, y, r : int
         local a : channel [1..] of int
         local b : channel [1..2] of int
         l0: skip; l1: (x, y) := (y, x); l2: await x > 0; l3: produce x; l4: consume y; l5: choose x;
         l6: request r; l7: release r; l8: a <= x; l9: a => y; k0: b <= 1; k1: noncritical; k2: idle; k3: critical;
         k4: if x > y then k5: x := 1 else k6: y := 1; k7: while x > 0 do k8: x := x - 1; k9: < x := x + 1; y := x >",
    );
    assert_eq!(
        shown(&fts),
        [
            "l0 just: pi0 = 0 → pi0 := 1",
            "l1 just: pi0 = 1 → pi0 := 2, x := y, y := x",
            "l2 just: pi0 = 2 /\\ 0 < x → pi0 := 3",
            "l3 just: pi0 = 3 → pi0 := 4, x := chosen!1 choose chosen!1 != 0",
            "l4 just: pi0 = 4 → pi0 := 5",
            "l5 just: pi0 = 5 → pi0 := 6, x := chosen!2 choose true",
            "l6 compassionate: pi0 = 6 /\\ 0 < r → pi0 := 7, r := r - 1",
            "l7 just: pi0 = 7 → pi0 := 8, r := r + 1",
            "l8 just: pi0 = 8 → pi0 := 9, a := append(a, x)",
            "l9 compassionate: pi0 = 9 /\\ 0 < length(a) → pi0 := 10, y := head(a), a := tail(a)",
            "k0 compassionate: pi0 = 10 /\\ length(b) < 2 → pi0 := 11, b := append(b, 1)",
            "k1 unfair: pi0 = 11 → pi0 := 12",
            "k2 unfair: pi0 = 12 → pi0 := 13",
            "k3 just: pi0 = 13 → pi0 := 14",
            "k4 just: pi0 = 14 /\\ y < x → pi0 := 15 | pi0 = 14 /\\ ~(y < x) → pi0 := 16",
            "k5 just: pi0 = 15 → pi0 := 17, x := 1",
            "k6 just: pi0 = 16 → pi0 := 17, y := 1",
            "k7 just: pi0 = 17 /\\ 0 < x → pi0 := 18 | pi0 = 17 /\\ ~(0 < x) → pi0 := 19",
            "k8 just: pi0 = 18 → pi0 := 17, x := x - 1",
            "k9 just: pi0 = 19 → pi0 := 20, x := x + 1, y := x + 1",
        ]
    );
}

#[test]
fn selections_share_their_location() {
    let fts = read(
        "local x : int
         l0: [ l1: when x > 0 do l2: x := 1 or l3: await x < 0; l4: skip ]",
    );
    assert_eq!(
        shown(&fts),
        [
            "l2 just: pi0 = 0 /\\ 0 < x → pi0 := 1, x := 1",
            "l3 just: pi0 = 0 /\\ x < 0 → pi0 := 1",
            "l4 just: pi0 = 1 → pi0 := 2",
        ]
    );
    for label in ["l0", "l1", "l2", "l3"] {
        assert_eq!(fts.label(label).map(|(_, at)| at), Some(0), "{label}");
    }
    // A loop that comes back to its beginning does not come back to the selection.
    let fts = read("local x : int  l0: [ l1: while x > 0 do l2: x := x - 1 or l3: skip ]");
    let from_zero = shown(&fts).iter().filter(|t| t.contains("pi0 = 0 ")).count();
    assert_eq!(from_zero, 2, "{:#?}", shown(&fts));
    assert!(shown(&fts).iter().any(|t| t == "l2 just: pi0 = 2 → pi0 := 1, x := x - 1"), "{:#?}", shown(&fts));
}

#[test]
fn a_label_behind_a_loop_is_behind_the_loop() {
    let fts = read("local x : int  l0: while x > 0 do [ l1: x := x - 1 :l2 ] :l3");
    let at = |label: &str| fts.label(label).map(|(_, at)| at);
    assert_eq!([at("l0"), at("l1"), at("l2"), at("l3")], [Some(0), Some(1), Some(0), Some(2)]);
}

#[test]
fn synchronous_communication_is_one_step_of_two() {
    let fts = read(
        "local c : channel of int  local x, y : int where x = 7
         P1:: [ l0: c <= x + 1; l1: skip ] || P2:: [ m0: c => y ] || P3:: [ k0: c => x ]",
    );
    assert_eq!(
        shown(&fts),
        [
            "l0_m0 compassionate: pi0 = 0 /\\ pi1 = 0 → pi0 := 1, pi1 := 1, y := x + 1",
            "l0_k0 compassionate: pi0 = 0 /\\ pi2 = 0 → pi0 := 1, pi2 := 1, x := x + 1",
            "l1 just: pi0 = 1 → pi0 := 2",
        ]
    );
    let fts = read(
        "in N : int where N > 1  local c : array [1..N] of channel of int  local v : array [1..N] of int
         ||[i:1..N] P[i]:: [ l0: c[i] <= v[i] or l1: c[i - 1] => v[i] ]",
    );
    assert_eq!(fts.transitions.len(), 1);
    assert_eq!(fts.transitions[0].parameters.len(), 2);
    let guard = fts.transitions[0].branches[0].guard.to_string();
    assert!(guard.contains("i = i!r - 1") && guard.contains("i != i!r"), "{guard}");
}

#[test]
fn nested_parallel_statements_begin_and_end_together() {
    let fts = read("local x, y : int  l0: [ [ m0: x := 1 ] || [ k0: y := 1 ] ]; l1: skip");
    assert_eq!(
        shown(&fts),
        [
            "l0 just: pi0 = 0 → pi0 := 1, pi1 := 0, pi2 := 0",
            "pi0@1 just: pi0 = 1 /\\ pi1 = 1 /\\ pi2 = 1 → pi0 := 2, pi1 := -1, pi2 := -1",
            "m0 just: pi1 = 0 → pi1 := 1, x := 1",
            "k0 just: pi2 = 0 → pi2 := 1, y := 1",
            "l1 just: pi0 = 2 → pi0 := 3",
        ]
    );
    assert!(fts.initial.to_string().ends_with("pi0 = 0 /\\ pi1 = -1 /\\ pi2 = -1"), "{}", fts.initial);
}

#[test]
fn types_are_resolved() {
    let fts = read(
        "type colour = {red, green}
         type token
         local c : colour where c = red
         local p : record {x, y : int; on : bool}
         local a : array [0..3] of record {n : [0..9]; c : colour}
         local q : array [1..2] of channel [1..] of bool
         value t : token
         local u : token where u = t
         l0: c := green; l1: p.x := p.y + 1; l2: a[p.x].n := a[1].n; l3: a[0].c := c; l4: q[1] <= true; l5: u := t",
    );
    let names: Vec<_> =
        fts.variables.iter().map(|v| format!("{}: {}", v.symbol.name, v.symbol.sort)).collect();
    assert_eq!(
        names,
        [
            "c: colour",
            "p.x: int",
            "p.y: int",
            "p.on: bool",
            "a.n: array of int",
            "a.c: array of colour",
            "q: array of sequence of bool",
            "u: token",
            "pi0: int",
        ]
    );
    assert_eq!(shown(&fts)[2], "l2 just: pi0 = 2 → pi0 := 3, a.n := update(a.n, p.x, a.n[1])");
    let checks: Vec<_> = fts.type_checks.iter().map(|c| c.condition.to_string()).collect();
    assert!(checks.contains(&"pi0 = 2 --> 0 <= p.x /\\ p.x <= 3".to_string()), "{checks:?}");
    assert!(checks.contains(&"pi0 = 2 --> 0 <= a.n[1] /\\ a.n[1] <= 9".to_string()), "{checks:?}");
}

#[test]
fn variables_of_replicated_blocks_are_arrays() {
    let fts = read(
        "in N : int where N > 0
         ||[i:1..N] P[i]:: [ local x : int where x = i; l0: x := x + 1 ]
         PROPERTY p : [] Forall k:[1..N]. x[k] >= k",
    );
    assert_eq!(shown(&fts), ["l0 just: pi0[i] = 0 → pi0 := update(pi0, i, 1), x := update(x, i, x[i] + 1)"]);
}

/// A parameterized composition below the top level: one step starts all replicas, one waits for all
/// of them.
#[test]
fn replicas_inside_a_process_are_started_and_awaited() {
    let fts = read("local x : int l0: [ ||[i:1..2] Q[i]:: [ l1: x := x + i ] ]; l2: skip");
    assert_eq!(
        shown(&fts),
        [
            "l0 just: pi0 = 0 → pi0 := 1, pi1 := update(update(pi1, 1, 0), 2, 0)",
            "pi0@1 just: pi0 = 1 /\\ (Forall i:[1..2]. pi1[i] = 1) → pi0 := 2, pi1 := update(update(pi1, 1, -1), 2, -1)",
            "l1 just: pi1[i] = 0 → pi1 := update(pi1, i, 1), x := x + i",
            "l2 just: pi0 = 2 → pi0 := 3",
        ]
    );
    assert!(
        fts.initial.to_string().ends_with("pi0 = 0 /\\ (Forall i:[1..2]. pi1[i] = -1)"),
        "{}",
        fts.initial
    );
    // How many there are is not known: any array that says so of all of them.
    let fts = read("in N : int where N > 0 l0: [ ||[i:1..N] Q[i]:: [ l1: skip ] ]; l2: skip");
    let start = "l0 just: pi0 = 0 → pi0 := 1, pi1 := chosen!1 choose Forall i:[1..N]. chosen!1[i] = 0";
    assert_eq!(shown(&fts)[0], start);
}

/// Replicas of replicas are over arrays of arrays, and so are their variables.
#[test]
fn replicas_of_replicas_have_two_indices() {
    let fts = read(
        "in N : int where N > 0
         ||[i:1..N] P[i]:: [ ||[j:1..2] Q[j]:: [ local y : int where y = 0; l0: y := i + j; l1: skip ] ]
         PROPERTY p : [] Forall i:[1..N], j:[1..2]. (l1[i][j] --> y[i][j] = i + j)",
    );
    assert_eq!(
        shown(&fts)[0],
        "l0 just: pi0[i][j] = 0 → pi0 := update(pi0, i, update(pi0[i], j, 1)), y := update(y, i, update(y[i], j, i + j))"
    );
    let parameters: Vec<_> = fts.transitions[0].parameters.iter().map(|p| &*p.symbol.name).collect();
    assert_eq!(parameters, ["i", "j"]);
    assert!(codes("||[i:1..2] P[i]:: [ ||[j:1..2] l0: skip ] PROPERTY p : []~l0[1]").contains(&"E0722"));
}

/// The parent waits while its own children are at work, but not while those of another replica are.
#[test]
fn replicas_talk_to_each_other_only() {
    let fts = read(
        "local a : channel of int local x : int
         ||[i:1..3] P[i]:: [ l0: a <= i; [ ||[j:1..2] m0: a => x ] ]",
    );
    let guard = fts.transitions.iter().find(|t| t.name == "l0_m0").unwrap().branches[0].guard.to_string();
    assert_eq!(guard, "pi0[i] = 0 /\\ pi1[i!r][j!r] = 0 /\\ i != i!r");
}

/// An index that has the name of a constant or of a variable is neither.
#[test]
fn an_index_is_no_constant() {
    let fts = read("value i : int where i = 1 local x : int ||[i:1..3] P[i]:: [ l0: x := i ]");
    assert_eq!(shown(&fts), ["l0 just: pi0[i@2] = 0 → pi0 := update(pi0, i@2, 1), x := i@2"]);
    let fts =
        read("value i : int where i = 1 local x : int l0: skip PROPERTY p : Forall i:[1..3]. [](x != i)");
    assert_eq!(&*fts.properties[0].rigid[0].name, "i@1");
}

#[test]
fn transition_systems_are_read() {
    let fts = read(
        "Transition System
         in N : int where N > 0
         local x, y : int
         Initially x = 0, y = 0
         Transition inc [i:[1..N]] Just:
           enable x < N
           assign x := x + i
         Transition any NoFairness:
           relation x' > x /\\ y' = x
           or enable x = 0 assign x := 1
         PROPERTY p : [](x >= 0)",
    );
    assert_eq!(
        shown(&fts),
        ["inc just: x < N → x := x + i", "any unfair: true → y := x, x := x' choose x < x' | x = 0 → x := 1",]
    );
    assert_eq!(fts.transitions[0].parameters.len(), 1);
    assert_eq!(fts.initial.to_string(), "0 < N /\\ x = 0 /\\ y = 0");
}

#[test]
fn specifications_mean_what_they_say() {
    let fts = read(
        "local x : int
         macro big(n) = x > n
         l0: skip; l1: x := 1
         PROPERTY a : l0 ==> <>big(3) Since (-) l{0,1}
         PROPERTY b : Forall i:[0..3]. x != i
         PROPERTY c : [](l0 + l1 = 1)
         PROPERTY d : x = 0 <==> <-> at_l1",
    );
    let texts: Vec<String> = fts
        .properties
        .iter()
        .map(|p| format!("{:?}", p.formula.clone().map(&mut |e: Term| e.to_string())))
        .collect();
    assert!(
        texts[0].starts_with(
            "Binary(Entails, Atom(\"pi0 = 0\"), Binary(Since, Unary(Eventually, Atom(\"3 < x\"))"
        )
    );
    assert!(texts[0].contains("Unary(Previous, Atom(\"pi0 = 0 \\\\/ pi0 = 1\"))"), "{}", texts[0]);
    assert_eq!(texts[1], "Atom(\"Forall i:[0..3]. x != i\")");
    assert!(texts[2].contains("(if pi0 = 0 then 1 else 0) + (if pi0 = 1 then 1 else 0) = 1"), "{}", texts[2]);
    assert!(texts[3].starts_with("Unary(Always, Binary(Iff"), "{}", texts[3]);
}

/// Names made by the lowering are names that no program can have, and what a property speaks of is
/// no variable.
#[test]
fn names_do_not_meet() {
    let fts = read(
        "local i, k : int where i = 0, k = 0
         l0: loop forever do l1: i := i + 1
         PROPERTY p : [] Forall i:[1..3]. (l0 --> <>(k = i))",
    );
    let p = &fts.properties[0];
    assert_eq!(p.rigid.iter().map(|s| &*s.name).collect::<Vec<_>>(), ["i@1"]);
    assert_eq!(p.given.to_string(), "1 <= i@1 /\\ i@1 <= 3");
    assert!(format!("{:?}", p.formula.clone().map(&mut |e: Term| e.to_string())).contains("k = i@1"));
    assert!(codes("local i : int l0: await Forall i:[1..i]. i > 0").contains(&"E0722"));
}

#[test]
fn mistakes_are_reported() {
    for (text, code) in [
        ("l0: skip (* no end", "E0701"),
        ("l0: x $ 1", "E0702"),
        ("l0: x = 1", "E0703"),
        ("local i : int l0: for i := 1 to 3 do skip", "E0703"),
        ("local i : int l0: repeat i := 1 until i = 1", "E0703"),
        ("l0: goto l0", "E0703"),
        ("local i : int l0: if i = 1 then skip elsif i = 2 then skip", "E0703"),
        ("local i : int l0: await i <> 1", "E0703"),
        ("type t = {in, out} l0: skip", "E0703"),
        ("local i : nat l0: skip", "E0711"),
        ("local i : int l0: i := max(i, 1)", "E0710"),
        ("local x : int l0: y := 1", "E0710"),
        ("local x : colour", "E0711"),
        ("local c : channel of record {x : channel of int}", "E0712"),
        ("local x : int local x : bool", "E0713"),
        ("local f : int --> int", "E0714"),
        ("local b : bool l0: b := 3", "E0720"),
        ("local b : bool l0: await <>b", "E0721"),
        ("||[i:1..2] P[i]:: [l0: skip] PROPERTY p : []l0", "E0722"),
        ("local x : int l0: < while x > 0 do x := 1 >", "E0730"),
        ("local x, y : int l0: (x, y) := (1, 2, 3)", "E0731"),
        ("in x : int l0: x := 1", "W0732"),
        ("local a, b : channel of int l0: < a <= 1; b <= 1 >", "E0733"),
        ("||[i:1..2] P[i]:: [ l0: skip; [ ||[j:1..i] l1: skip ] ]", "E0734"),
        ("l0: skip; l0: skip", "E0735"),
        ("local a : channel of int l0: a <= 1", "W0736"),
        ("local a : channel of int local x, y : int [ <a <= 1; x := 1> ] || [ <a => y; x := 2> ]", "E0737"),
        ("local x : int l0: skip PROPERTY p : Exists i:[1..2]. <>(x = i)", "E0740"),
        ("l0: skip PROOF p : B-INV", "E0741"),
    ] {
        assert!(codes(text).contains(&code), "{text}: {:?}", codes(text));
    }
}
