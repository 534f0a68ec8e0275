//! Lists, queues and datatypes: what they are read as, what must be shown where they are used, and
//! what is refused.

use logic::fol::Sort;
use source::SourceMap;
use system::fts::Fts;

fn all(text: &str) -> (Option<Fts>, Vec<&'static str>) {
    let mut map = SourceMap::new();
    let root = map.add("test.spl", text);
    let (fts, diagnostics) = spl::read(&map, &[root]);
    (fts, diagnostics.iter().map(|d| d.code).collect())
}

fn read(text: &str) -> Fts {
    let (fts, codes) = all(text);
    fts.unwrap_or_else(|| panic!("{text}\n{codes:?}"))
}

/// The updates of all transitions, without those of control.
fn updates(fts: &Fts) -> Vec<String> {
    let branches = fts.transitions.iter().flat_map(|t| &t.branches);
    let data = branches.flat_map(|b| &b.updates).filter(|(s, _)| !s.name.starts_with("pi"));
    data.map(|(s, e)| format!("{} := {e}", s.name)).collect()
}

fn checks(fts: &Fts) -> Vec<String> {
    fts.type_checks.iter().map(|c| c.condition.to_string()).collect()
}

const TREE: &str =
    "type tree = data {leaf | node(left, right : tree; key : [0..9])}\nlocal t : tree where t = leaf\n";

#[test]
fn lists_and_queues_are_sequences() {
    let fts = read(
        "local l, m : list of int where l = nil\nlocal q : queue of bool\nl0: (l, m) := (cons(1, nil), tail(l))",
    );
    let sorts: Vec<String> = fts.variables.iter().map(|v| v.symbol.sort.to_string()).collect();
    assert_eq!(sorts, ["sequence of int", "sequence of int", "sequence of bool", "int"]);
    assert_eq!(updates(&fts), ["l := cons(1, empty)", "m := tail(l)"]);
    assert_eq!(checks(&fts), ["pi0 = 0 --> 0 < length(l)"]);
}

#[test]
fn a_list_of_records_is_a_record_of_lists() {
    let fts = read(
        "type r = record {a : int; b : bool}\nlocal l : list of r\nlocal x : r\nl0: (x, l) := (head(l), cons(x, nil))",
    );
    assert_eq!(
        updates(&fts),
        ["x.a := head(l.a)", "x.b := head(l.b)", "l.a := cons(x.a, empty)", "l.b := cons(x.b, empty)"]
    );
    assert_eq!(checks(&fts), ["pi0 = 0 --> 0 < length(l.a)"]);
}

#[test]
fn a_datatype_has_constructors_testers_and_selectors() {
    let fts =
        read(&format!("{TREE}local b : bool\nl0: t := node(leaf, left(t), 3); l1: b := is_leaf(t.right)"));
    let Sort::Data(data) = &fts.variables[0].symbol.sort else { panic!("no datatype") };
    assert_eq!(data.constructors.len(), 2);
    assert_eq!(updates(&fts), ["t := node(leaf, left(t), 3)", "b := is_leaf(right(t))"]);
    // The key is a number in its range; only the selectors ask for something.
    assert_eq!(checks(&fts), ["pi0 = 0 --> is_node(t)", "pi0 = 1 --> is_node(t)"]);
}

#[test]
fn without_fields_it_is_an_enumeration() {
    let fts = read("type c = data {red | green}\nlocal x : c where is_red(x)\nl0: x := green");
    assert!(fts.variables[0].symbol.sort.is_enumeration());
    assert!(fts.initial.to_string().contains("x = red"), "{}", fts.initial);
}

#[test]
fn the_range_of_a_field_is_checked_where_a_value_is_made() {
    let fts = read(&format!("{TREE}local k : int\nl0: t := node(leaf, leaf, k)"));
    assert_eq!(checks(&fts), ["pi0 = 0 --> 0 <= k /\\ k <= 9"]);
    let fts = read("local l : list of [0..3]\nlocal k : int\nl0: l := cons(k, l)");
    assert_eq!(checks(&fts), ["pi0 = 0 --> 0 <= k /\\ k <= 3"]);
}

#[test]
fn what_a_grouped_statement_needs_is_needed_where_it_is_evaluated() {
    let fts = read("local l : list of int\nlocal x : int\nl0: < l := tail(l); x := head(l) >");
    assert_eq!(checks(&fts), ["pi0 = 0 --> 0 < length(l)", "pi0 = 0 --> 0 < length(tail(l))"]);
    let fts = read("local l : list of int\nlocal x : int\nl0: < await l != nil; x := head(l) >");
    assert_eq!(checks(&fts), ["pi0 = 0 --> (l != empty --> 0 < length(l))"]);
    let fts = read("local l : list of int\nlocal x : int\nl0: when l != nil do x := head(l)");
    assert_eq!(checks(&fts), ["pi0 = 0 --> (l != empty --> 0 < length(l))"]);
    let fts =
        read("local a : array [1..3] of int\nlocal i : [1..9]\nlocal x : int\nl0: < choose i; x := a[i] >");
    assert_eq!(checks(&fts).len(), 1);
    assert!(checks(&fts)[0].contains("Forall chosen!1:[1..9]"), "{:?}", checks(&fts));
}

#[test]
fn a_message_handed_over_must_fit_its_place() {
    let text =
        "local c : channel of int\nlocal x : [0..3]\nlocal k : int\nP:: [l0: c <= k + 1] || Q:: [m0: c => x]";
    assert_eq!(checks(&read(text)), ["pi0 = 0 /\\ pi1 = 0 --> 0 <= k + 1 /\\ k + 1 <= 3"]);
}

#[test]
fn any_value_of_a_datatype_is_one_of_each_constructor() {
    let fts = read("type s = data {none | one(v : [0..1])}\nlocal o : s\nl0: choose o");
    assert_eq!(fts.transitions[0].branches.len(), 2);
    assert_eq!(updates(&fts), ["o := none", "o := one(chosen!1)"]);
}

#[test]
fn what_is_refused() {
    let refused = [
        ("local t : data {a | b(x : int)}\nl0: skip", "E0715"),
        ("type t = data {a | b(x : list of t)}\nl0: skip", "E0715"),
        ("type t = data {b(x : t)}\nl0: skip", "E0716"),
        ("type t = data {a | b(x : int) | c(x : bool)}\nl0: skip", "E0713"),
        ("type t = data {a | b(x : channel of int)}\nl0: skip", "E0712"),
        ("type t = data {a | b(x : u)}\ntype u = data {c | d(y : t)}\nl0: skip", "E0711"),
        ("type t = data {a | b(x : int)}\nlocal o : t\nl0: o := b", "E0722"),
        ("type t = data {a | b(x : int)}\nlocal o : t\nl0: o := b(1, 2)", "E0722"),
        ("type t = data {a | b(x : int)}\nlocal o : t\nl0: o := b(true)", "E0720"),
        ("type t = data {a | b(x : int)}\nlocal o : t\nl0: o := o.y", "E0722"),
        ("type t = data {a | b(x : int)}\nlocal i : int\nl0: await is_a(i)", "E0720"),
        ("local l : list of int\nl0: l := cons(true, l)", "E0720"),
        ("local l : list of int\nlocal x : int\nl0: x := nil", "E0720"),
        ("local l : list of int\nl0: l := head(l)", "E0720"),
        ("local x : int\nl0: x := head(x)", "E0720"),
        ("local x : int\nlocal r : real\nl0: x := r", "E0720"),
        ("type t = data {a b}\nl0: skip", "E0703"),
    ];
    for (text, code) in refused {
        let (_, found) = all(text);
        assert!(found.contains(&code), "{text}\nwanted {code}, found {found:?}");
    }
}

#[test]
fn the_label_of_replicas_inside_a_parallel_statement_is_theirs() {
    let fts = read(
        "l0: [ a: skip || b: ||[i:1..2] c: skip ]; l1: skip\nPROPERTY p : [] Forall i:[1..2]. (b[i] <--> c[i])",
    );
    assert_eq!(fts.properties.len(), 1);
}
