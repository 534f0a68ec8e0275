//! Labels at the end of a block and inside statements, macros for statements, decimal numbers.

use source::SourceMap;
use system::fts::Fts;

fn read_all(text: &str) -> (Option<Fts>, Vec<&'static str>) {
    let mut map = SourceMap::new();
    let root = map.add("test.spl", text);
    let (fts, diagnostics) = spl::read(&map, &[root]);
    (fts, diagnostics.iter().map(|d| d.code).collect())
}

fn read(text: &str) -> Fts {
    let (fts, codes) = read_all(text);
    fts.unwrap_or_else(|| panic!("{text}\n{codes:?}"))
}

/// The guard of a transition.
fn guard(fts: &Fts, name: &str) -> String {
    fts.transitions.iter().find(|t| t.name == name).map_or(String::new(), |t| t.branches[0].guard.to_string())
}

/// What a transition does, with its control left out.
fn updates(fts: &Fts, name: &str) -> Vec<String> {
    let found = fts.transitions.iter().find(|t| t.name == name);
    let updates = found.into_iter().flat_map(|t| &t.branches[0].updates);
    let own = updates.filter(|(symbol, _)| !symbol.name.starts_with("pi"));
    own.map(|(symbol, e)| format!("{} := {e}", symbol.name)).collect()
}

#[test]
fn labels_at_the_end_of_a_block_are_behind_its_last_statement() {
    let fts =
        read("local x : int  [ l0: x := 1; l1: if x = 1 then [ l2: skip; l3: ]; l4: l5: ] || m0: skip; m1:");
    let at = |label: &str| fts.label(label).map(|(_, at)| at);
    assert_eq!(["l0", "l1", "l2", "l3", "l4", "l5"].map(at), [0, 1, 2, 3, 3, 3].map(Some));
    assert_eq!(["m0", "m1"].map(at), [0, 1].map(Some));
    // The end of the body of a loop is its beginning.
    let fts = read("local x : int  l0: while x > 0 do [ l1: x := x - 1; l2: ]; l3:");
    let at = |label: &str| fts.label(label).map(|(_, at)| at);
    assert_eq!(["l0", "l1", "l2", "l3"].map(at), [0, 1, 0, 2].map(Some));
    // A sign of "greater" may follow a grouped statement without a label.
    assert!(read_all("local x : int  l0: < x := 1; l1: >").1.contains(&"E0703"));
}

#[test]
fn statements_speak_of_labels_before_and_behind_them() {
    let fts =
        read("P:: [ l0: skip; l1: await at_m1 /\\ ~m0; l2: skip ] || Q:: [ m0: await l{1,2}; m1: skip ]");
    assert_eq!(guard(&fts, "l1"), "pi0 = 1 /\\ pi1 = 1 /\\ pi1 != 0");
    assert_eq!(guard(&fts, "m0"), "pi1 = 0 /\\ (pi0 = 1 \\/ pi0 = 2)");
    // In a group control is where it was before, and values are read as everywhere.
    let fts = read("local b : bool  P:: [ l0: < b := true; b := b /\\ l0 >; l1: ]");
    assert_eq!(updates(&fts, "l0"), ["b := pi0 = 0"]);
    // A variable of this name is meant, not the label.
    let fts = read("local l1 : bool  P:: [ l0: await l1; l1: skip ]");
    assert_eq!(guard(&fts, "l0"), "pi0 = 0 /\\ l1");
}

#[test]
fn labels_of_replicated_processes_have_indices_within_bounds() {
    let fts = read(
        "in N : int where N > 1  ||[i:1..N] P[i]:: [ l0: await Forall j:[1..N]. j != i --> ~l1[j]; l1: skip ]",
    );
    assert!(guard(&fts, "l0").contains("j != i --> pi0[j] != 1"), "{}", guard(&fts, "l0"));
    assert!(fts.type_checks.is_empty(), "{:?}", fts.type_checks);
    let fts = read("||[i:1..3] P[i]:: [ l0: when i < 3 do await l1[i+1]; l1: skip ]");
    let checks: Vec<String> = fts.type_checks.iter().map(|c| c.condition.to_string()).collect();
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert!(checks[0].contains("i < 3 -->") && checks[0].contains("i + 1 <= 3"), "{checks:?}");
}

#[test]
fn labels_that_are_no_locations_are_refused() {
    for (text, code) in [
        ("||[i:1..2] P[i]:: [ l0: await l1; l1: skip ]", "E0722"),
        ("P:: [ l0: await m0[1] ] || Q:: [ m0: skip ]", "E0722"),
        ("P:: [ l0: await l9 ]", "E0710"),
        // Inside a group there is no location.
        ("P:: [ l0: await l1 ] || Q:: [ m0: < l1: skip > ]", "E0710"),
        // Nor does a declaration know where control will be.
        ("P:: [ local b : bool where b = l0; l0: skip ]", "E0710"),
    ] {
        assert!(read_all(text).1.contains(&code), "{text}: {:?}", read_all(text).1);
    }
}

#[test]
fn a_call_of_a_statement_macro_is_the_statement() {
    let fts = read(
        "macro add(place, e) do place := place + e
         macro twice(v) do [ add(v, 1); add(v, 1 + 1) ]
         local x : int  local a : array [1..2] of int
         [ l0: add(a[x], 2 * x); l1: twice(x); l2: skip ]",
    );
    assert_eq!(updates(&fts, "l0"), ["a := update(a, x, a[x] + 2 * x)"]);
    assert_eq!(updates(&fts, "l1"), ["x := x + 1"]);
    assert_eq!(fts.transitions.len(), 4, "{:#?}", fts.transitions);
    let fts = read(
        "macro swap(a, b) do < [ local t : int; t := a; a := b; b := t ] >  local x, y : int  l0: swap(x, y)",
    );
    assert_eq!(updates(&fts, "l0").last().map(String::as_str), Some("y := x"));
    assert!(updates(&fts, "l0").contains(&"x := y".to_string()));
}

#[test]
fn macros_that_would_mean_something_else_are_refused() {
    for (text, code) in [
        ("macro m(v) do [ l1: v := 1 ]  local x : int  l0: m(x)", "E0739"),
        ("macro m(v) do [ local t : int; t := v ]  local t : int  l0: m(t)", "E0739"),
        ("macro m(v) do await Forall i:[1..2]. v = i  ||[i:1..2] P[i]:: [ l0: m(i) ]", "E0739"),
        ("macro m(v) do v := 1  local x : int  l0: m(x, x)", "E0722"),
        ("macro m(v) do m(v)  local x : int  l0: m(x)", "E0703"),
        ("macro m do skip  macro m do skip  l0: m", "E0713"),
        ("macro m(t) do [ local t : int; t := 1 ]  local x : int  l0: m(x)", "E0713"),
    ] {
        assert!(read_all(text).1.contains(&code), "{text}: {:?}", read_all(text).1);
    }
    let doubling: String = (1..40).map(|n| format!("macro m{n} do [ m{}; m{} ]\n", n - 1, n - 1)).collect();
    let text = format!("macro m0 do skip\n{doubling}l0: m39");
    assert!(read_all(&text).1.contains(&"E0722"));
}

#[test]
fn decimal_numbers_are_quotients() {
    let fts = read("local r : real  l0: r := r + 0.25; l1: r := -1.50");
    assert_eq!(updates(&fts, "l0"), ["r := r + 25 / 100"]);
    assert_eq!(updates(&fts, "l1"), ["r := -(150 / 100)"]);
    assert!(read_all("local i : int  l0: i := 0.5").1.contains(&"E0720"));
    // A range, and the end of a quantifier's bounds, are no fractions.
    assert!(read_all("local i : [1..2]  l0: await Forall j:[1..2]. 1 <= j").1.is_empty());
}

#[test]
fn a_program_may_begin_behind_a_number() {
    let fts = read("local x : int where x = 0  [ l0: x := 1 ]");
    assert_eq!(updates(&fts, "l0"), ["x := 1"]);
}
