//! Every model in models/shapes says what is expected of it; weave must answer so, and each holds against concrete runs.

mod support;

use std::path::PathBuf;
use support::{result, root, weave};

fn models() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("models/shapes")).unwrap();
    let mut models: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    models.retain(|p| p.extension().is_some_and(|e| e == "tvm" || e == "java"));
    models.sort();
    models
}

#[test]
fn every_model_is_answered_as_expected() {
    let models = models();
    assert!(models.len() >= 8, "the corpus is missing");
    let mut wrong = Vec::new();
    for model in models {
        let text = std::fs::read_to_string(&model).unwrap();
        let head: Vec<&str> = text.lines().take(15).map(|l| l.trim_start_matches(['/', '*', ' '])).collect();
        let options = head.iter().find_map(|l| l.strip_prefix("run: check")).unwrap_or("");
        let file = model.to_string_lossy();
        let mut arguments = vec!["check", "--json", "--timeout", "60s"];
        arguments.extend(options.split_whitespace());
        arguments.push(&file);
        let answer = weave(&arguments);
        let found = result(&answer);
        for line in head.iter().filter_map(|l| l.strip_prefix("expect")) {
            let Some((name, verdict)) = line.split_once(": ") else { continue };
            let properties = found["properties"].as_array().cloned().unwrap_or_default();
            let told = match name.trim() {
                _ if answer.code == 2 => "rejected".to_string(),
                "" => found["verdict"].as_str().unwrap_or("missing").to_string(),
                name => {
                    let property = properties.iter().find(|p| p["name"] == name);
                    property
                        .map_or("missing".to_string(), |p| p["verdict"].as_str().unwrap_or("").to_string())
                }
            };
            if told != verdict.trim() {
                wrong.push(format!("{file}:{name} {verdict} expected, {told} found: {}", found["reason"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
