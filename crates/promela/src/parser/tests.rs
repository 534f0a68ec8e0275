//! What the parser reads, what it refuses, and how it goes on.

#[path = "../../tests/support/printer.rs"]
mod printer;

use source::{Diagnostic, Look, SourceMap, render};

use crate::ast::*;
use crate::{NoFiles, parse, print};

fn read(text: &str) -> (Program, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let root = map.add("test", text);
    let (program, diagnostics) = parse(&mut map, root, &NoFiles, &[]);
    diagnostics.iter().for_each(|diagnostic| assert!(!render(&map, diagnostic, Look::Plain).is_empty()));
    (program, diagnostics)
}

/// The statements of `init { … }`, printed with all parentheses.
#[track_caller]
fn statements(text: &str) -> Vec<String> {
    let (program, diagnostics) = read(&format!("init {{ {text} }}"));
    assert!(diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{diagnostics:?}");
    let Some(Item::Init(init)) = program.items.last() else { panic!("no init in {text}") };
    let statement = |step: &Step| match step {
        Step::Statement(statement) => print::statement(&statement.kind),
        other => format!("{other:?}"),
    };
    init.body.steps.iter().map(statement).collect()
}

#[track_caller]
fn reports(text: &str, codes: &[&str]) {
    let found: Vec<_> = read(text).1.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(found, codes, "{text}");
}

#[test]
fn operators_bind_as_in_spin() {
    assert_eq!(
        statements("a || b && c | d ^ e & f == g < h << i + j * -k"),
        ["a || (b && (c | (d ^ (e & (f == (g < (h << (i + (j * (-k))))))))))",]
    );
    assert_eq!(statements("a - b - c"), ["(a - b) - c"]);
    assert_eq!(statements("!a == b"), ["(!a) == b"]);
    assert_eq!(statements("x = (c -> a : b) + 1"), ["x = (c -> a : b) + 1"]);
}

#[test]
fn statements_end_at_line_ends() {
    assert_eq!(statements("x = a\n y = b\n skip"), ["x = a", "y = b", "skip"]);
    assert_eq!(statements("x = (a\n + b)\n q!c\n break"), ["x = a + b", "q!c", "break"]);
    assert_eq!(statements("x = a\n - b"), ["x = a", "-b"]);
    assert_eq!(statements("x = a\n + b"), ["x = a + b"]);
    reports("init { byte x; x = 1\n - 1 }", &["W0202"]);
}

#[test]
fn message_forms() {
    let forms =
        statements("q!a(b, c); q?(a, b); q?t(x); q?t(x(y)); q?<a, 1>; q??eval(a), -1, _; q?[a]; q!!-1");
    let expected =
        ["q!a, b, c", "q?a, b", "q?t, x", "q?t, x, y", "q?<a, 1>", "q??eval(a), -1, _", "q?[a]", "q!!-1"];
    assert_eq!(forms, expected);
}

#[test]
fn labels_and_remote_references() {
    let text = "goto a; a: b: skip; c: }; proctype P() { skip } init { P[0]:x == P@l";
    assert_eq!(statements(text), ["P[0]:x == P@l"]);
    reports("init { L: byte x; x = 1 }", &["E0206"]);
    reports("init { L: }", &[]);
}

#[test]
fn selects_remember_how_spin_reads_them() {
    let form = |text: &str| match &read(&format!("inline f() {{ select (i : 1 .. 3) }} init {{ {text} }}"))
        .0
        .items[..]
    {
        [Item::Init(init)] => match &init.body.steps[0] {
            Step::Statement(Statement { kind: StatementKind::Select(select), .. }) => Some(select.form),
            Step::Statement(Statement { kind: StatementKind::Block { body, .. }, .. }) => {
                match &body.steps[0] {
                    Step::Statement(Statement { kind: StatementKind::Select(select), .. }) => {
                        Some(select.form)
                    }
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    };
    assert_eq!(form("select (i : 1 .. 33)"), Some(SelectForm::Choice));
    assert_eq!(form("select (i : 1 .. 34)"), Some(SelectForm::Loop));
    assert_eq!(form("select (my_i : 1 .. 3)"), Some(SelectForm::Loop));
    assert_eq!(form("select (i : 1 .. n)"), Some(SelectForm::Loop));
    assert_eq!(form("select (i : 1 .. \n 3)"), Some(SelectForm::Loop));
    assert_eq!(form("f()"), Some(SelectForm::Loop));
}

#[test]
fn inlines_are_text() {
    let text = "inline swap(a, b) { t = a; a = b; b = t } inline twice(x) { swap(x, y[x]); swap(x, z) } init { twice(p) }";
    let (program, diagnostics) = read(text);
    assert!(diagnostics.is_empty());
    let printed = printer::program(&program).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(printed, "init { { { t = p; p = y[p]; y[p] = t; }; { t = p; p = z; z = t; }; }; }");
    assert_eq!(statements("skip } inline inc(x) { return x + 1 } init { y = inc(y)")[0], "");
}

#[test]
fn formulas() {
    let formula = |text: &str| match read(&format!("ltl {{ {text} }}")).0.items.first() {
        Some(Item::Ltl(ltl)) => printer::formula(&ltl.formula),
        _ => "none".to_string(),
    };
    assert_eq!(formula("[]<>p && q U r -> s"), "(([] (<> p)) && (q U r)) -> s");
    assert_eq!(formula("a -> b -> c"), "(a -> b) -> c");
    assert_eq!(formula("[] (x == 1 -> <> (y < 2))"), "[] ((x == 1) -> (<> (y < 2)))");
    assert_eq!(formula("a U b W c V d"), "((a U b) W c) V d");
    assert_eq!(formula("always (p implies eventually q) equivalent next r"), "([] (p -> (<> q))) <-> (X r)");
    assert_eq!(formula("!!p <-> a | b == c"), "(!(!p)) <-> (a | (b == c))");
    reports("ltl { [] x == 1 }", &["E0215"]);
}

#[test]
fn several_errors_in_one_run() {
    let text = "byte x = ;\nproctype P( { skip }\ninit { x = ; y == ; if :: skip od; goto 3 }\nbyte len;";
    let (program, diagnostics) = read(text);
    assert!(diagnostics.len() >= 5, "{diagnostics:?}");
    assert!(program.items.iter().any(|item| matches!(item, Item::Init(_))) || diagnostics.len() > 5);
}

#[test]
fn each_mistake_has_its_code() {
    reports("init { skip skip }", &["E0201"]);
    reports("byte do; init { skip }", &["E0202"]);
    reports("init { }", &["E0205"]);
    reports("typedef T { }", &["E0205"]);
    reports(
        "c_decl { int x; } init { c_code { x = 1; }; c_expr { x } ; skip } c_state \"int x\" \"Global\"",
        &["E0207", "E0207", "E0207", "E0207"],
    );
    reports("init { STDIN?x }", &["E0208"]);
    reports("init { f(1) }", &["E0209"]);
    reports("inline f(a) { skip } init { f() }", &["E0210"]);
    reports("inline f() { g() } inline g() { f() } init { f() }", &["E0211"]);
    reports("inline f() { skip } inline f() { skip } init { f() }", &["E0212"]);
    reports("init { return 3 }", &["E0213"]);
    reports("inline f() { return 3 } init { f() }", &["E0213"]);
    reports("init { mtype = { a } }", &["E0217"]);
    reports("init { x = 4294967297 }", &["W0201"]);
}

#[test]
fn depth_and_length_are_bounded() {
    let blocks = |n: usize| format!("init {{ {} skip {} }}", "{".repeat(n), "}".repeat(n));
    reports(&blocks(200), &[]);
    assert_eq!(read(&blocks(100_000)).1[0].code, "E0203");
    for (open, close) in
        [("(", ")"), ("a[", "]"), ("- ", ""), ("(1 -> 2 : ", ")"), ("len(q[", "])"), ("run P(", ")")]
    {
        let text = format!("init {{ x = {} 1 {} }}", open.repeat(50_000), close.repeat(50_000));
        assert_eq!(read(&text).1[0].code, "E0203", "{open}");
    }
    for link in ["+ 1 ", "&& 1 ", "== 1 "] {
        reports(&format!("init {{ x = 1 {} }}", link.repeat(450)), &[]);
        assert_eq!(read(&format!("init {{ x = 1 {} }}", link.repeat(50_000))).1[0].code, "E0204");
    }
    assert_eq!(read(&format!("ltl {{ p {} }}", "U p ".repeat(50_000))).1[0].code, "E0204");
    assert_eq!(read(&format!("ltl {{ {} p }}", "[] ".repeat(50_000))).1[0].code, "E0203");
    assert_eq!(read(&format!("init {{ x{} = 1 }}", ".x".repeat(50_000))).1[0].code, "E0204");
    assert_eq!(
        read(&format!("init {{ q?{}x{} }}", "(".repeat(50_000), ")".repeat(50_000))).1[0].code,
        "E0203"
    );
}

#[test]
fn inlines_cannot_explode() {
    let mut text = "inline f0() { skip; skip; skip; skip }\n".to_string();
    for level in 1..20 {
        text += &format!("inline f{level}() {{ f{0}(); f{0}(); f{0}(); f{0}() }}\n", level - 1);
    }
    assert!(read(&(text + "init { f19() }")).1.iter().any(|diagnostic| diagnostic.code == "E0211"));
}
