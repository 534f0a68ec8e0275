//! Models of the corpus, and variants of them.

#![allow(dead_code)]

#[path = "../../../../models/head.rs"]
pub mod head;

use source::SourceMap;
use std::path::Path;
use structures::model::Model;

/// The text of a model.
pub fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn model(name: &str) -> Model {
    model_text(&text(name))
}

pub fn model_text(text: &str) -> Model {
    let mut map = SourceMap::new();
    let file = map.add("model.tvm", text);
    let (model, diagnostics) = tvm::read(&map, file);
    model.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

pub fn java(name: &str) -> Model {
    let mut map = SourceMap::new();
    let file = map.add(name, text(name));
    let (model, diagnostics) = java::read(&map, file);
    model.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// The text with each replacement made; each must apply.
pub fn variant(text: &str, replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(text.to_string(), |text, (old, new)| {
        assert!(text.contains(old), "`{old}` is not in the model");
        text.replace(old, new)
    })
}

/// The names of all `.tvm` models.
pub fn names() -> Vec<String> {
    files().into_iter().filter(|name| name.ends_with(".tvm")).collect()
}

/// The names of all models.
pub fn files() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|n| n.ends_with(".tvm") || n.ends_with(".java")).collect();
    names.sort();
    names
}
