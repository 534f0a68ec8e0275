//! Programs that Java answers: run by `java -ea`, each of these fails, or cannot, as it says here.
//! The answer must be one of those that are allowed: an honest *unknown* or refusal sometimes, the
//! opposite never.

use shapes::abstracted::Join;
use shapes::answer::{Request, Seen, answer};
use source::SourceMap;

/// The worst answer to everything that is asked of a program; `refused` if it cannot be read.
fn worst(text: &str) -> &'static str {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", text);
    let (Some(model), _) = java::read(&map, file) else { return "refused" };
    // What Java may do with data races is not seen in its runs.
    let request = Request { join: Join::Partial, concrete_first: true, races: false, ..Request::default() };
    let answer = answer(&model, &request, &mut explore::NoListener);
    let is = |p: &shapes::answer::Outcome, word: &str| match p.seen {
        Seen::Run(_) => word == "violated",
        Seen::Open { .. } => word == "unknown",
        Seen::Nothing => word == "holds",
    };
    let words = ["violated", "unknown", "holds"];
    words.into_iter().find(|w| answer.properties.iter().any(|p| is(p, w))).unwrap_or("holds")
}

#[test]
fn answers_are_true() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/truth");
    let mut names: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").flatten().map(|f| f.path()).collect();
    names.sort();
    assert!(names.len() >= 250, "{} programs", names.len());
    let mut wrong = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(&name).expect("a program");
        let allowed = text.lines().next().and_then(|l| l.strip_prefix("// allowed: ")).unwrap_or_default();
        let found = worst(&text);
        if !allowed.split(' ').any(|w| w == found) {
            wrong.push(format!("{name:?}: {found}, allowed: {allowed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
