//! Every model of the corpus is read, unless it says that it is to be rejected; and prints to a
//! text that reads the same.

#[path = "support/printer.rs"]
mod printer;

mod corpus;
#[path = "../../../models/head.rs"]
mod head;

use corpus::{Sample, diagnose, models, samples};
use head::Head;
use source::{Diagnostic, Look, SourceMap, render};

fn is_rejected(sample: &Sample) -> bool {
    Head::of(&sample.text).expected() == [("", "rejected")]
}

#[test]
fn models_are_read_or_rejected_as_they_say() {
    for sample in models() {
        let (map, diagnostics) = diagnose(&sample.name, &sample.text);
        let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
        let rendered: String = errors.iter().map(|error| render(&map, error, Look::Plain)).collect();
        assert_eq!(!errors.is_empty(), is_rejected(&sample), "{}\n{rendered}", sample.name);
    }
}

#[test]
fn printing_and_reading_again_changes_nothing() {
    let mut printed = 0;
    for sample in samples() {
        let mut map = SourceMap::new();
        let root = map.add(sample.name.clone(), sample.text.clone());
        let (program, diagnostics) = promela::parse(&mut map, root, &corpus::Disk, &[]);
        if diagnostics.iter().any(Diagnostic::is_error) {
            continue;
        }
        let text = printer::program(&program);
        let again = map.add("printed", text.clone());
        let (program, diagnostics) = promela::parse(&mut map, again, &corpus::Disk, &[]);
        let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}\n{text}", sample.name);
        assert_eq!(printer::program(&program), text, "{}", sample.name);
        printed += 1;
    }
    assert!(printed >= 2);
}
