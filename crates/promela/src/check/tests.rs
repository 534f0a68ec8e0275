//! What the checker finds, and what it makes of a good model.

use source::SourceMap;

use crate::model::*;
use crate::{NoFiles, read};

fn codes(text: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let root = map.add("test", text);
    let (_, diagnostics) = read(&mut map, root, &NoFiles, &[]);
    diagnostics.iter().for_each(|diagnostic| drop(source::render(&map, diagnostic, source::Look::Plain)));
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[track_caller]
fn reports(text: &str, expected: &[&str]) {
    assert_eq!(codes(text), expected, "{text}");
}

/// In the body of `init`, after some declarations.
#[track_caller]
fn body_reports(text: &str, expected: &[&str]) {
    let before = "mtype = { a, b }; mtype:s = { c }; typedef R { byte f; byte g[2] } byte x; byte v[3]; R r; R rs[2];
        chan q = [1] of { byte, byte }; chan qr = [1] of { R }; proctype P(byte k; chan l) { byte z; L: skip }";
    reports(&format!("{before} init {{ {text} }}"), expected);
}

#[track_caller]
fn model(text: &str) -> Model {
    let mut map = SourceMap::new();
    let root = map.add("test", text);
    let (model, diagnostics) = read(&mut map, root, &NoFiles, &[]);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

#[test]
fn names() {
    body_reports("x = y", &["E0301"]);
    body_reports("{ byte i; i = 1 } i = 2", &["E0301"]);
    body_reports("{ byte i; i = 1 } { byte i; i = 2 }", &[]);
    body_reports("byte i; short i; skip", &["E0302"]);
    body_reports("byte x; x = 1", &["W0301"]);
    body_reports("byte i; { byte i; i = 1 }", &["W0301"]);
    body_reports("if :: byte i; i = 1 :: i = 2 fi; i = 3", &[]);
    reports("byte x; mtype = { x }; init { skip }", &["E0302"]);
    reports("proctype P() { skip } byte P; init { skip }", &["E0302"]);
    reports("typedef T { byte a; byte a } init { skip }", &["E0302"]);
    reports("init { skip } init { skip }", &["E0302"]);
    reports("inline f(v) { byte t; t = v; v = t } init { byte t; f(t) }", &["E0302"]);
    reports("ltl p { true } ltl p { true } init { skip }", &["E0302"]);
}

#[test]
fn types_and_constants() {
    reports("T x; init { skip }", &["E0303"]);
    reports("typedef T { T x } init { skip }", &["E0303"]);
    reports("mtype:s x; init { skip }", &["E0303"]);
    reports("unsigned u; byte b : 3; init { skip }", &["E0303", "E0303"]);
    reports("unsigned u : 40; init { skip }", &["E0305"]);
    reports("byte n; byte a[n]; init { skip }", &["E0304"]);
    reports("byte n = 4; byte a[n]; init { skip }", &["W0304"]);
    reports("byte a[1 / 0]; init { skip }", &["E0304"]);
    reports("byte a[0]; byte b[2] = { 1, 2, 3 }; init { skip }", &["E0305", "E0305"]);
    reports("byte x = y; byte y; init { skip }", &["E0328"]);
    reports("active [300] proctype P() { skip }", &["E0305"]);
    reports("hidden bit b; init { hidden byte c; skip }", &["E0312", "E0312"]);
    reports("proctype P(byte a[2]) { skip } init { skip }", &["E0309"]);
    reports("proctype P(byte a = 2) { skip } init { skip }", &["E0329"]);
    reports("proctype P() { skip }", &["E0327"]);
    reports("", &["E0327"]);
    body_reports("for (x : 3 .. 1) { skip }", &["E0305"]);
    let mut nested = "typedef T0 { byte x }\n".to_string();
    (1..300).for_each(|n| nested += &format!("typedef T{n} {{ T{} x[9] }}\n", n - 1));
    assert!(codes(&(nested + "init { skip }")).contains(&"E0305"));
}

#[test]
fn variables_and_records() {
    body_reports("a = 1", &["E0307"]);
    body_reports("_pid = 1", &["E0307"]);
    body_reports("P = 1", &["E0307"]);
    body_reports("v = 1", &["E0308"]);
    body_reports("x[0] = 1", &["E0309"]);
    body_reports("r = 1", &["E0310"]);
    body_reports("x = r", &["E0310"]);
    body_reports("r.h = 1", &["E0310"]);
    body_reports("x.h = 1", &["E0310"]);
    body_reports("x = _", &["E0311"]);
    body_reports("v[3] = 1", &["W0305"]);
    body_reports("r.f = rs[1].g[x]; _ = 3", &[]);
    body_reports("for (v[0] : 1 .. 2) { skip } for (r.f in v) { skip } for (x in r.g) { skip }", &[]);
    body_reports("for (r in qr) { skip } for (x in x) { skip }", &["E0306"]);
}

#[test]
fn channels_and_messages() {
    body_reports("x!1", &["E0306"]);
    body_reports("len(x) > 0", &["E0306"]);
    body_reports("q!1", &["E0319"]);
    body_reports("q!1, 2, 3", &["E0319"]);
    body_reports("q?x", &["E0319"]);
    body_reports("q?x, _, 1", &["E0319"]);
    body_reports("q?[1]", &[]);
    body_reports("q?[1, 2, 3]", &["E0319"]);
    body_reports("qr!r; qr?r; qr!1, 2, 3", &[]);
    body_reports("chan l = [1] of { byte }; l = q; l!1", &[]);
    body_reports("x = q + 1", &["E0313"]);
    body_reports("q = 3", &["E0313"]);
    body_reports("q++", &["E0313"]);
    body_reports("!full(q)", &["E0214"]);
    body_reports("full(q) == 1", &["E0214"]);
    body_reports("full(q) && (nempty(q) || empty(qr))", &[]);
    body_reports("skip; chan l = [1] of { byte }; l!1", &["E0326"]);
    body_reports("mtype:s m = a; m = c", &["E0314"]);
    body_reports("mtype m; m == c", &["W0306"]);
    body_reports("xr q; xs x; skip", &["E0306"]);
}

#[test]
fn processes() {
    body_reports("run Q()", &["E0316"]);
    body_reports("run P(1)", &["E0317"]);
    body_reports("run P(1, 2)", &["E0313"]);
    body_reports("x = run P(1, q); run P(1, q)", &[]);
    body_reports("assert(run P(1, q))", &["E0315"]);
    body_reports("x = 1 + run P(1, q)", &["E0315"]);
    body_reports("d_step { run P(1, q) }", &["E0315"]);
    body_reports("P[1]@L && P[1]:z == 1 && P@L", &[]);
    body_reports("P[1]@M", &["E0318"]);
    body_reports("P[1]:y == 1", &["E0301"]);
    body_reports("Q@L", &["E0316"]);
    reports("proctype P(byte a) provided (a == _pid) { skip } init { skip }", &["E0322"]);
    for outside in [
        "byte x; init { skip } ltl p { [] (x > _pid) }",
        "byte x; init { skip } ltl p { [] (_priority == 1 || x > 0) }",
        "byte x; init { skip } never { do :: x == _pid od }",
        "byte x = _pid; init { skip }",
    ] {
        reports(outside, &["E0330"]);
    }
    reports("init { np_ }", &["E0323"]);
    reports("chan q = [1] of { byte }; never { q!1 } trace { q!1; skip } init { skip }", &["E0324", "E0324"]);
    body_reports("printf(\"%d %d%%\", x)", &["W0308"]);
    body_reports("_priority = 3; set_priority(_pid, get_priority(0)); x = _nr_pr + _last + _priority", &[]);
}

#[test]
fn jumps_and_labels() {
    body_reports("goto M", &["E0318"]);
    body_reports("{ skip; M: skip }; { skip; M: skip }; goto M", &["E0318"]);
    body_reports("M: skip; M: skip", &["E0302"]);
    body_reports("break", &["E0320"]);
    body_reports("else", &["E0320"]);
    body_reports("if :: else :: else fi", &["E0320"]);
    body_reports("if :: q?x, _ :: else fi", &["W0303"]);
    body_reports("goto M; d_step { skip; M: skip }", &["E0321"]);
    body_reports("d_step { skip; goto M }; M: skip", &["E0321"]);
    body_reports("d_step { M: skip }", &["E0325"]);
    body_reports("do :: d_step { x = 1; break } od", &["E0321"]);
    body_reports("d_step { do :: break od }", &[]);
    body_reports("d_step { { x = 1 } unless { x = 2 } }", &["E0321"]);
    body_reports("M: x = 1 unless { x = 2 }", &["E0325"]);
    body_reports("{ x = 1 } unless { M: x = 2 }", &["E0325"]);
    body_reports("M: { x = 1 } unless { x = 2 }", &[]);
}

#[test]
fn mtypes_count_from_the_last() {
    let model = model("mtype = { a, b }; mtype = { c, d }; mtype:s = { e }; init { skip }");
    assert_eq!(model.mtypes[0].constants, ["b", "a", "d", "c"].map(Into::into));
    assert_eq!(model.mtypes[1].constants, ["e"].map(Into::into));
}

#[test]
fn jumps_prefer_their_own_block() {
    let text = "init { L: skip; { skip; L: skip; goto L }; { skip; goto L }; inner: skip }";
    let model = model(text);
    let mut targets = Vec::new();
    for step in &model.processes[0].body.steps {
        let Step::Statement(Statement { kind: StatementKind::Block(block), .. }) = step else { continue };
        let gotos = block.steps.iter().filter_map(|step| match step {
            Step::Statement(Statement { kind: StatementKind::Goto(label), .. }) => Some(*label),
            _ => None,
        });
        targets.extend(gotos);
    }
    assert_eq!(targets, [1, 0]);
}

#[test]
fn records_are_spread_in_messages() {
    let model =
        model("typedef R { byte f; byte g[2] } chan q = [1] of { R, int }; init { R r; q!r, 1; q?r, _ }");
    let Initial::Channel(channel) = &model.globals[0].initial else { panic!("no channel") };
    assert_eq!(channel.fields, [Type::Byte, Type::Byte, Type::Byte, Type::Int]);
    let Step::Statement(Statement { kind: StatementKind::Send { message, .. }, .. }) =
        &model.processes[0].body.steps[1]
    else {
        panic!("no send")
    };
    assert_eq!(message.len(), 4);
}

#[test]
fn declarations_run_after_the_first_statement() {
    let model = model("init { byte x; byte y = 1; skip; byte z; { byte w; w = 1 } }");
    let runs = |step: &Step| match step {
        Step::Declare { runs, .. } => Some(*runs),
        _ => None,
    };
    let found: Vec<_> = model.processes[0].body.steps.iter().filter_map(runs).collect();
    assert_eq!(found, [false, false, true]);
    assert_eq!(model.processes[0].locals.len(), 4);
}

#[test]
fn unknown_names_suggest_near_ones() {
    let mut map = SourceMap::new();
    let root = map.add("test", "byte counter; init { conter = 1 }");
    let (_, diagnostics) = read(&mut map, root, &NoFiles, &[]);
    assert_eq!(diagnostics[0].help, ["did you mean `counter`?"]);
}
