//! Every model in models/shapes says what is expected of it.

mod support;

use shapes::abstracted::Join;
use shapes::answer::{Request, Seen, answer};
use source::SourceMap;
use support::head::Head;
use support::{files, text};

fn word(verdict: &Seen) -> &'static str {
    match verdict {
        Seen::Nothing => "holds",
        Seen::Run(_) => "violated",
        Seen::Open { .. } => "unknown",
    }
}

/// Data races of all variables are one property.
fn worst_race(answer: &shapes::answer::Found) -> &'static str {
    let races = || answer.properties.iter().filter(|p| p.kind == shapes::answer::Kind::Race);
    let worst = ["violated", "unknown", "holds"].into_iter();
    worst.into_iter().find(|v| races().any(|p| word(&p.seen) == *v)).unwrap_or("missing")
}

/// What is wrong with the answer to a model.
fn complaints(name: &str) -> Vec<String> {
    let text = text(name);
    let head = Head::of(&text);
    let options = head.options("check").unwrap_or_default();
    let value = |option: &str| options.windows(2).find(|w| w[0] == option).map(|w| w[1]);
    let java = name.ends_with(".java");
    let mut map = SourceMap::new();
    let file = map.add(name, &*text);
    let (model, diagnostics) = if java { java::read(&map, file) } else { tvm::read(&map, file) };
    let Some(model) = model else { return vec![format!("{name}: {diagnostics:?}")] };
    let partial = value("--join").map_or(java, |join| join == "partial");
    let request = Request {
        join: if partial { Join::Partial } else { Join::Relational },
        concrete_first: java,
        selected: options.windows(2).filter(|w| w[0] == "--property").map(|w| w[1].to_string()).collect(),
        limits: explore::Limits {
            states: value("--max-states").and_then(|n| n.parse().ok()),
            ..explore::Limits::default()
        },
        ..Request::default()
    };
    let answer = answer(&model, &request, &mut explore::NoListener);
    let rejected = !answer.tried.broken.is_empty();
    let worst = ["violated", "unknown", "holds"]
        .into_iter()
        .find(|v| answer.properties.iter().any(|p| word(&p.seen) == *v))
        .unwrap_or("missing");
    let mut wrong = Vec::new();
    for (property, expected) in head.expected() {
        let found = match property {
            _ if rejected => "rejected",
            "" => worst,
            "race" => worst_race(&answer),
            name => answer.properties.iter().find(|p| p.name == name).map_or("missing", |p| word(&p.seen)),
        };
        if found != expected {
            wrong.push(format!(
                "{name}:{property} {expected} expected, {found} found, {:?}",
                answer.tried.broken
            ));
        }
    }
    wrong
}

/// `MODEL=name` looks at one.
fn answered(ending: &str) {
    let only = std::env::var("MODEL").ok();
    let names = files().into_iter().filter(|n| n.ends_with(ending));
    let names = names.filter(|n| only.as_ref().is_none_or(|o| n == o));
    let wrong: Vec<String> = names.flat_map(|name| complaints(&name)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_model_is_answered_as_expected() {
    answered(".tvm");
}

#[test]
fn every_program_is_answered_as_expected() {
    answered(".java");
}

#[test]
fn there_are_enough_models() {
    assert!(files().len() >= 25);
}
