//! Data races of small Java programs, each with what the Java Language Specification, chapter 17,
//! says of it.

mod programs;

use java::{Reading, read_as};
use programs::PROGRAMS;
use shapes::abstracted::Join;
use shapes::answer::{Kind, Request, Seen, answer};
use source::SourceMap;

const IMPORTS: &str = "import java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
    import java.util.concurrent.locks.*;\n";

/// The worst that is said of some kind of property.
fn said(name: &str, text: &str, kind: Kind, reading: Reading) -> &'static str {
    let mut map = SourceMap::new();
    let file = map.add(format!("{name}.java"), format!("{IMPORTS}{text}"));
    let (model, diagnostics) = read_as(&map, file, reading);
    let model = model.unwrap_or_else(|| panic!("{name}: {diagnostics:#?}"));
    let selected = vec![if kind == Kind::Error { "error" } else { "race" }.to_string()];
    let request = Request {
        join: Join::Partial,
        concrete_first: true,
        limits: explore::Limits { states: Some(400), ..explore::Limits::default() },
        selected,
        ..Request::default()
    };
    let answer = answer(&model, &request, &mut explore::NoListener);
    let of_kind = || answer.properties.iter().filter(|p| p.kind == kind);
    let unknown = |v: &Seen| matches!(v, Seen::Open { .. });
    match () {
        () if of_kind().any(|p| matches!(p.seen, Seen::Run(_))) => "violated",
        () if of_kind().any(|p| unknown(&p.seen)) => "unknown",
        () if of_kind().next().is_some() => "holds",
        () => "missing",
    }
}

#[test]
fn every_program_races_as_the_memory_model_says() {
    let mut wrong = Vec::new();
    for (name, truth, text) in PROGRAMS {
        let found = said(name, text, Kind::Race, Reading::default());
        if !truth.split('|').any(|t| t == found) {
            wrong.push(format!("{name}: {truth} is true, {found} was said"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A producer and a consumer, with or without a loop around the wait.
fn waits(how: &str) -> String {
    let text = r#"public class Box {
    Object item;
    synchronized void put() { item = new Object(); notify(); }
    synchronized void take() throws InterruptedException { HOW (item == null) { wait(); } assert item != null; }
    public static void main(String[] args) {
        Box box = new Box();
        new Thread(() -> box.put()).start();
        try { box.take(); } catch (InterruptedException e) { }
    }
}
"#;
    text.replace("HOW", how)
}

#[test]
fn waits_end_by_themselves_if_that_is_allowed() {
    let spurious = Reading { spurious: true, interrupts: false };
    assert_eq!(said("Box", &waits("if"), Kind::Error, Reading::default()), "holds");
    assert_eq!(said("Box", &waits("if"), Kind::Error, spurious), "violated");
    assert_eq!(said("Box", &waits("while"), Kind::Error, spurious), "holds");
}

#[test]
fn interruptions_throw_if_they_are_allowed() {
    let interrupts = Reading { spurious: false, interrupts: true };
    assert_eq!(said("Box", &waits("while"), Kind::Error, interrupts), "holds");
    let uncaught =
        waits("while").replace("try { box.take(); } catch (InterruptedException e) { }", "box.take();");
    let uncaught = uncaught.replace("String[] args)", "String[] args) throws InterruptedException");
    assert_eq!(said("Box", &uncaught, Kind::Error, interrupts), "violated");
    assert_eq!(said("Box", &uncaught, Kind::Error, Reading::default()), "holds");
}
