//! `weave ltl` from outside: first lines, exit codes, JSON against its schema, formats.

mod support;

use support::{Folder, result, valid, weave};

/// Exit code and first line.
fn ask(arguments: &[&str]) -> (i32, String) {
    let answer = weave(&[&["ltl", "--quiet"], arguments].concat());
    (answer.code, answer.first_line().to_owned())
}

#[test]
fn the_first_line_is_the_answer() {
    let answer = |formula| ask(&[formula]);
    for formula in ["[] (p -> <> q)", "[] (p --> <> q)", "G (p -> F q)", "p ==> <> q", "p ==> F q"] {
        let line = "SATISFIABLE, not valid: recurrence, liveness, stutter-invariant";
        assert_eq!(answer(formula), (0, line.to_owned()), "{formula}");
    }
    assert_eq!(answer("p & !p"), (0, "UNSATISFIABLE: no word satisfies it".to_owned()));
    assert_eq!(answer("[] p -> <> p"), (0, "VALID: every word satisfies it".to_owned()));
    assert_eq!(answer("G (p -> Y q)"), (0, "SATISFIABLE, not valid: safety, counts steps".to_owned()));
}

#[test]
fn questions_decide_the_exit_code() {
    assert_eq!(ask(&["p W q", "--equivalent", "G p | p U q"]).0, 0);
    let (code, line) = ask(&["p U q", "--equivalent", "p W q"]);
    assert_eq!((code, line.as_str()), (1, "NOT EQUIVALENT: some word satisfies the second formula only"));
    assert_eq!(ask(&["--is", "safety", "--is", "stutter-invariant", "p W q"]).0, 0);
    let (code, line) = ask(&["--is", "safety", "--is", "liveness", "p W q"]);
    assert_eq!(code, 1);
    assert!(line.starts_with("NO: safety, not liveness"), "{line}");
    assert_eq!(ask(&["--is", "valid", "p | !p"]).0, 0);
    assert_eq!(ask(&["--is", "satisfiable", "p & !p"]).0, 1);
}

#[test]
fn what_is_no_formula_is_shown_with_its_place() {
    let answer = weave(&["ltl", "G (p -> )"]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("error[E0403]") && answer.stderr.contains("G (p -> )"), "{answer:?}");
    let answer = weave(&["ltl", "p U q U r"]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("E0408"), "{answer:?}");
    assert_eq!(weave(&["ltl", "--syntax", "spin", "p U q U r"]).code, 0);
    assert_eq!(weave(&["ltl", "--to", "spin", "O p"]).code, 2);
    assert!(weave(&["explain", "E0408"]).stdout.contains("syntax"));
    assert!(weave(&["explain", "e0501"]).code == 0);
}

#[test]
fn json() {
    for arguments in [
        &["p U q"][..],
        &["p & !p"],
        &["O p | x == 1", "--equivalent", "p", "--is", "safety"],
        &["p -> p", "--equivalent", "true"],
    ] {
        let answer = weave(&[&["ltl", "--json"], arguments].concat());
        valid(&answer);
        assert_eq!(result(&answer)["exit_code"], answer.code);
    }
    let answer = result(&weave(&["ltl", "--json", "F (p & X !q)"]));
    assert_eq!(answer["class"], "guarantee");
    assert_eq!(answer["formula"]["spin"], "<> (p && X !q)");
    assert_eq!(answer["propositions"], serde_json::json!(["p", "q"]));
    let failed = weave(&["ltl", "--json", "p U"]);
    valid(&failed);
    assert_eq!(failed.code, 2);
}

#[test]
fn other_formats() {
    let written = |to| weave(&["ltl", "G (p -> F (x == 1))", "--to", to]).stdout;
    assert_eq!(written("spin"), "[] (p -> <> (x == 1))\n");
    assert_eq!(written("step"), "[] (p --> <> (x == 1))\n");
    assert_eq!(written("common"), "G (p -> F (x == 1))\n");
    assert!(written("hoa").starts_with("HOA: v1\n"));
    assert!(written("never").starts_with("never {"));
    assert!(written("dot").starts_with("digraph"));
}

/// Formulas whose automata are hopeless end with 3 and soon, not with a crash.
#[test]
fn too_large() {
    let conjuncts: Vec<String> = (0..40).map(|i| format!("(G F p{i} -> F (q{i} & X X X r))")).collect();
    let formula = conjuncts[..20].join(" & ");
    let answer = weave(&["ltl", "--quiet", &formula]);
    assert_eq!(answer.code, 3, "{answer:?}");
    assert!(answer.first_line().starts_with("UNKNOWN: "), "{answer:?}");
}

/// `--ltl` reads a formula as an `ltl` block does: `||` guards an index that is out of bounds.
#[test]
fn a_formula_on_the_command_line_is_one_in_the_file() {
    let folder = Folder::new("guarded");
    let file = folder.write("guarded.pml", GUARDED);
    for (formula, code) in [
        ("[] (i >= 3 || a[i] == 0)", 0),
        ("G (i >= 3 | a[i] == 0)", 0),
        ("[] (i >= 3 \\/ a[i] = 0)", 2),
        ("[] (i >= 3 \\/ a[i] == 0)", 0),
        ("G (i < 3 -> a[i] == 0)", 0),
        ("G F (i < 3 & a[i] == 0)", 0),
        ("G (i < 3 -> a[i] == 1)", 1),
        ("G (i <-> i >= 1)", 0),
        ("G (i == 1 -> O (i == 0))", 0),
        ("G (a[i] == 0)", 3),
        ("\"[] (i >= 0)\"", 3),
    ] {
        let answer = weave(&["check", "--ltl", formula, &file]);
        assert_eq!(answer.code, code, "{formula}: {answer:?}");
    }
}

/// A macro of the model that has the name of an operator is one in an `ltl` block; on the command
/// line it would be the operator, silently.
#[test]
fn an_operator_that_is_a_macro_is_refused() {
    let folder = Folder::new("macros");
    let file = folder.write("macros.pml", MACROS);
    for (formula, code) in [
        ("[] (x == 0 || X(x))", 2),
        ("G (x == 0 | F(x))", 2),
        ("p U x == 3", 2),
        ("[] (x == 0 || \"X(x)\")", 1),
        ("G (x == 0 | p)", 1),
        ("G (B@L -> O (x == 3))", 0),
    ] {
        let answer = weave(&["check", "--ltl", formula, &file]);
        assert_eq!(answer.code, code, "{formula}: {answer:?}");
        assert_eq!(answer.stderr.contains("E0408"), code == 2, "{formula}: {answer:?}");
    }
}

const MACROS: &str = "#define X(a) (a == 7)
#define F(a) (a == 7)
#define U &&
#define p (x == 7)
byte x;
active proctype B() { x = 3; L: skip }
";

const GUARDED: &str = "byte i; byte a[3];
active proctype P() { do :: i < 5 -> i++ :: i == 5 -> i = 0 od }
";
