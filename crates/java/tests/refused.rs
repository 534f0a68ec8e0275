//! What is refused, and that reading never panics.

use source::{Diagnostic, SourceMap};
use std::path::Path;
use structures::model::Model;

fn read(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", text);
    java::read(&map, file)
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
        ("throw args;", "E0802"),
        ("Object o = a.b.c;", "E0803"),
        ("new A().r();", "E0804"),
        ("Runtime.getRuntime().exit(1);", "E0802"),
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

/// Programs of the corpus, cut off and with a line left out: a model or reasons, never neither.
#[test]
fn damaged_programs_are_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    let mut refused = 0;
    for name in ["Mutex.java", "TwoThreads.java", "Tasks.java"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(read(&text).0.is_some(), "{name} is refused");
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let without = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            for damaged in [without, lines[..at].join("\n")] {
                let (model, diagnostics) = read(&damaged);
                assert_eq!(model.is_none(), diagnostics.iter().any(Diagnostic::is_error), "{damaged}");
                refused += usize::from(model.is_none());
            }
        }
    }
    assert!(refused > 50, "only {refused} were refused");
}
