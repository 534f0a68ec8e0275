//! Java programs: verdicts from plain source, and what is refused.

mod support;

use shapes::answer::{Answer, Request, Verdict, answer};
use shapes::model::Model;
use shapes::space::Join;
use source::{Diagnostic, SourceMap};
use support::text;

fn read(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", text);
    shapes::java::read(&map, file)
}

fn ask(name: &str) -> Answer {
    let (model, diagnostics) = read(&text(name));
    let model = model.unwrap_or_else(|| panic!("{name}: {diagnostics:#?}"));
    let request = Request { join: Join::Partial, concrete_first: true, ..Request::default() };
    let answer = answer(&model, &request, &mut explore::Unwatched);
    assert!(answer.tried.broken.is_empty(), "{name}: {:?}", answer.tried.broken);
    answer
}

fn verdict(answer: &Answer, property: &str) -> String {
    match &answer
        .properties
        .iter()
        .find(|p| p.name == property)
        .unwrap_or_else(|| panic!("no {property}"))
        .verdict
    {
        Verdict::Holds => "holds".to_string(),
        Verdict::Violated(_) => "violated".to_string(),
        Verdict::Unknown { reason, .. } => format!("unknown: {reason}"),
    }
}

fn check(name: &str, expected: &[(&str, &str)]) {
    let answer = ask(name);
    for (property, expected) in expected {
        let states = answer.space.states.len();
        assert_eq!(&verdict(&answer, property), expected, "{name} {property}, {states} states");
    }
}

#[test]
fn mutual_exclusion() {
    check("Mutex.java", &[("critical", "holds"), ("deadlock", "holds"), ("error", "holds")]);
}

#[test]
fn mutual_exclusion_with_a_lock_for_each() {
    check("MutexBroken.java", &[("critical", "violated")]);
}

#[test]
fn lock_order() {
    check("LockOrder.java", &[("lock-cycle", "violated")]);
    check("LockOrderKept.java", &[("lock-cycle", "holds")]);
}

/// Everything outside the subset is an error with its line.
#[test]
fn nothing_is_skipped() {
    let program = |body: &str| {
        format!(
            "class A {{ Object f; int[] a; public static void main(String[] args) {{ {body} }} void r() {{ r(); }} }}"
        )
    };
    for (body, code) in [
        ("switch (1) { case 1: }", "E0802"),
        ("throw new RuntimeException();", "E0802"),
        ("Object o = a.b.c;", "E0803"),
        ("new A().r();", "E0804"),
        ("Runtime.getRuntime().exit(1);", "E0803"),
        ("for (Object o : args) {}", "E0802"),
        ("new java.util.ArrayList();", "E0802"),
        ("int x = ;", "E0801"),
    ] {
        let (model, diagnostics) = read(&program(body));
        assert!(model.is_none(), "{body} is taken");
        assert!(diagnostics.iter().any(|d| d.code == code), "{body}: {diagnostics:?}");
    }
    assert!(read("class A {}").1.iter().any(|d| d.code == "E0805"));
}
