//! Java: what is refused. Verdicts are tested with the corpus.

use shapes::model::Model;
use source::{Diagnostic, SourceMap};

fn read(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", text);
    shapes::java::read(&map, file)
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
