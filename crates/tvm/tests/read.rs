//! Reading never fails: every model of the corpus is read, and damaged ones are read or refused.

use source::{Diagnostic, SourceMap};
use std::path::Path;
use structures::model::Model;

fn read(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("model.tvm", text);
    tvm::read(&map, file)
}

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let models = paths.filter(|path| path.extension().is_some_and(|e| e == "tvm"));
    models.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_model_of_the_corpus_is_read() {
    let all = corpus();
    assert!(all.len() > 15, "only {} models", all.len());
    for text in all {
        let (model, diagnostics) = read(&text);
        let model = model.unwrap_or_else(|| panic!("{diagnostics:#?}"));
        assert!(!model.initial.is_empty() && !model.actions.is_empty());
    }
}

/// A word left out, or written twice: a model or reasons, never neither.
#[test]
fn damaged_models_are_read_or_refused() {
    let (mut taken, mut refused) = (0, 0);
    for text in corpus() {
        let words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', ',', '{', '}']).collect();
        for at in (0..words.len()).step_by(words.len() / 60 + 1) {
            for damaged in [[&words[..at], &words[at + 1..]], [&words[..=at], &words[at..]]] {
                let damaged = damaged.concat().concat();
                let (model, diagnostics) = read(&damaged);
                assert_eq!(model.is_none(), diagnostics.iter().any(Diagnostic::is_error), "{damaged}");
                *(if model.is_none() { &mut refused } else { &mut taken }) += 1;
            }
        }
    }
    assert!(taken > 50 && refused > 500, "{taken} were taken, {refused} refused");
}

/// What is wrong has a code, and the table explains it.
#[test]
fn mistakes_have_their_codes() {
    for (text, code) in [
        ("predicate p(x", "E0901"),
        ("foreach (l in Locks) { predicate p[l] } initial { node t }", "E0902"),
        ("predicate p(x) invariant i = p(y) initial { node t }", "E0903"),
        ("invariant i = p initial { node t }", "E0904"),
        ("predicate p(x) invariant i = p initial { node t }", "E0905"),
        ("predicate p predicate p initial { node t }", "E0907"),
        ("predicate p(x, y, z) initial { node t }", "E0908"),
        ("predicate p(x) function initial { node t }", "E0909"),
        ("derived p = q predicate q initial { node t }", "E0910"),
        ("predicate p", "E0911"),
        ("predicate p predicate q constraint p => p | q initial { node t }", "E0912"),
        ("thread t { l0: a -> l1 } initial { node t: at[l0] }", "E0913"),
        ("action a[v] { } thread t { l0: a -> l1 } initial { node t: at[l0] }", "E0914"),
        ("predicate p(x) initial { p(t) }", "E0916"),
        ("predicate p action a { focus (p | p) } environment { a } initial { node t }", "E0917"),
        ("predicate p action a { p := 1 p := 0 } environment { a } initial { node t }", "E0918"),
        ("thread t { l0: call P -> l1 } initial { node t: at[l0] }", "E0923"),
        ("predicate p(x) action a { new k p(k) := 1 } environment { a } initial { node t }", "E0924"),
    ] {
        let (model, diagnostics) = read(text);
        assert!(model.is_none(), "{text} is taken");
        assert!(diagnostics.iter().any(|d| d.code == code), "{text}: {diagnostics:?}");
        let tables = [tvm::codes::CODES, structures::codes::CODES];
        assert!(tables.iter().any(|table| table.find(code).is_some()), "{code} is not explained");
    }
}
