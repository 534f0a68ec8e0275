//! Reading, printing and reading again gives the same tree.

#[path = "support/printer.rs"]
mod printer;

use source::SourceMap;

use printer::program;
use promela::{NoFiles, ast, parse};

/// The tree as text without what printing does not keep: places, the text of formulas, the names of
/// inlines.
fn shape(program: &ast::Program) -> String {
    let dump = format!("{program:?}");
    let mut shape = String::new();
    let mut rest = dump.as_str();
    while let Some(at) = rest.find(['@', 'i', 't']) {
        shape += &rest[..at];
        rest = &rest[at..];
        if rest.starts_with("inlined: Some(") {
            rest = &rest[rest.find(')').map_or(1, |end| end + 1)..];
            shape += "inlined: None";
        } else if rest.starts_with("text: \"") {
            rest = &rest[rest.find("\", span").map_or(1, |end| end + 1)..];
        } else if rest.starts_with('@') {
            rest = rest[1..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == '.');
        } else {
            shape += &rest[..1];
            rest = &rest[1..];
        }
    }
    shape + rest
}

fn read(text: &str) -> ast::Program {
    let mut map = SourceMap::new();
    let root = map.add("test", text);
    let (program, diagnostics) = parse(&mut map, root, &NoFiles, &[]);
    let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    program
}

#[track_caller]
fn round_trip(text: &str) {
    let first = read(text);
    let printed = program(&first);
    let second = read(&printed);
    assert_eq!(shape(&first), shape(&second), "{printed}");
}

#[test]
fn units() {
    round_trip(
        "mtype = { a, b }; mtype:s = { c } mtype:s x = c; hidden byte h; show int i = -3, j[4] = { 1, 2 };",
    );
    round_trip("typedef T { byte a[3]; unsigned u : 5; chan c } T t[2]; local short s;");
    round_trip(
        "chan q[2] = [3] of { mtype, T, int }; active [2] proctype P(byte a, b; chan c) provided (a > 0) { skip }",
    );
    round_trip("D_proctype D() priority 3 { skip } init priority 2 { run D() priority 4; run D() }");
    round_trip(
        "never n { T0: if :: P[0]@end -> goto T0 :: P@L && P[1]:x == 2 :: np_ fi } proctype P() { L: skip }",
    );
    round_trip("trace { do :: q!a :: q?b od } notrace { q!1; q?2 }");
}

#[test]
fn formulas() {
    round_trip("ltl p { [] (a -> <> b) && !(c U d) || (x + 1 == 3 W y) <-> X z }");
    round_trip("ltl { always (p implies eventually q) && (r release s) && q?[1] V len(q) > 2 }");
    round_trip("ltl { !x == 1 && (a && b) == c && -x < ~y }");
}

#[test]
fn statements() {
    round_trip(
        "init { byte x; xr q; xs a[1], b; x = 1; x++; x--; assert(x > 0); printf(\"a%d\\n\", x); printm(x); goto L; L: }",
    );
    round_trip(
        "init { do :: x -> break :: else od; if :: a; b -> c :: timeout fi; atomic { a; d_step { b } } { c } unless d }",
    );
    round_trip(
        "init { for (i : 1 .. N - 1) { skip } for (a[0].b in q) { skip } select (i : 1 .. 3); select (i : 1 .. n); }",
    );
    round_trip(
        "init { q!1; q!a(2, 3); q!!4; q?x, _, -1; q?t(a, b); q??eval(x + 1); q?<x>; q??<x, 1>; q?[x]; q??[1, x] && a }",
    );
    round_trip(
        "init { set_priority(_pid, get_priority(0)); enabled(1) && pc_value(2) == 3; nfull(q) && nempty(q); empty(q) || full(q) }",
    );
    round_trip(
        "init { x = (a -> b : c) + (-d * (e - f)) - -g; x = a - (b - c); x = !(a && ~b) || a.b[c.d[1]].e }",
    );
}

#[test]
fn inlines() {
    round_trip(
        "inline f(a, b) { a = b; select (a : 1 .. 2) } inline g(x) { return x + 1 } init { f(y, 3); y = g(4) }",
    );
}
