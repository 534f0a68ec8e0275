//! Small systems built by hand, for tests.

use crate::model::Model;
use logic::{IntType, Sort, Term};
use source::{SourceMap, Span};
use system::{
    Creation, Initial, Location, Object, Operation, Pattern, Place, ProcessType, Read, ReceiveMode, Root,
    System, Transition,
};

const TEXT: &str = "x = 1;\nc!x;\nc?y;\nq!7;\nq?x;\nassert(x == 1);\n";

/// A process type that runs through the transitions in a line; the last point may be an end.
fn line(name: &str, objects: Vec<Object>, body: Vec<(&str, Vec<Operation>)>, valid_end: bool) -> ProcessType {
    let points =
        (0..=body.len()).map(|i| Location { valid_end: valid_end && i == body.len(), ..Location::default() });
    let transition = |(i, (text, command)): (usize, (&str, Vec<Operation>))| {
        let start = TEXT.find(text).unwrap_or(0) as u32;
        let span = Span::new(source::FileId(0), start, start + text.len() as u32);
        Transition { text: text.to_string(), span, ..Transition::new(i, Term::TRUE, command, i + 1) }
    };
    ProcessType {
        name: name.to_string(),
        objects,
        points: points.collect(),
        transitions: body.into_iter().enumerate().map(transition).collect(),
        ..ProcessType::default()
    }
}

fn handle(object: usize) -> system::Expr {
    Term::Atom(Read::Handle(Root::Global(object)))
}

fn send(channel: usize, value: system::Expr) -> Vec<Operation> {
    vec![Operation::Send { channel: handle(channel), message: vec![value], sorted: false }]
}

fn receive(channel: usize, place: Place) -> Vec<Operation> {
    let mode = ReceiveMode { anywhere: false, copy: false };
    vec![Operation::Receive { channel: handle(channel), patterns: vec![Pattern::Bind(place)], mode }]
}

fn byte(name: &str) -> Object {
    Object::variable(name, Sort::Machine(IntType::BYTE), Initial::Zero)
}

fn model(process_types: Vec<ProcessType>) -> Model {
    let channel = |name, capacity| Object::channel(name, capacity, vec![Sort::Machine(IntType::BYTE)]);
    let initial = (0..process_types.len()).map(|process_type| Creation {
        process_type,
        arguments: vec![],
        priority: 1,
    });
    let mut map = SourceMap::new();
    map.add("sample.pml", TEXT);
    let system = System {
        name: "sample".to_string(),
        globals: vec![byte("x"), channel("c", 0), channel("q", 1)],
        initial: initial.collect(),
        process_types,
        ..System::default()
    };
    Model { file: "sample.pml".to_string(), fingerprint: "f".to_string(), system, map, ..Model::default() }
}

/// `A` sets x, hands it to `B` by rendezvous and waits for 7 from B's buffered answer; with
/// `failing` it asserts x == 1.
pub(crate) fn talk(failing: bool) -> Model {
    let x = || Place::global(0);
    let is_one = Term::binary(logic::Binary::Equal, x().read(), Term::Constant(1));
    let mut a = vec![
        ("x = 1", vec![Operation::Assign { target: x(), value: Term::Constant(1) }]),
        ("c!x", send(1, x().read())),
        ("q?x", receive(2, x())),
    ];
    if failing {
        a.push(("assert(x == 1)", vec![Operation::Assert { condition: is_one }]));
    }
    let b = vec![("c?y", receive(1, Place::local(0))), ("q!7", send(2, Term::Constant(7)))];
    model(vec![line("A", vec![], a, true), line("B", vec![byte("y")], b, true)])
}

/// `A` waits for a message that is never sent.
pub(crate) fn blocked() -> Model {
    model(vec![line("A", vec![], vec![("q?x", receive(2, Place::global(0)))], true)])
}
