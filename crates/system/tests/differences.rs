//! What changed in a step, as a reader sees it, and replaying runs.

use logic::{IntType, Sort, Term};
use num_bigint::BigInt;
use system::differences::{Difference, Names, Numbers, Spot, differences};
use system::*;

fn byte() -> Sort {
    Sort::Machine(IntType::BYTE)
}

/// One process `P` with a local array, a global record and a channel; its one step changes them
/// all.
fn system() -> System {
    let index = |i| Access::Index(Term::Constant(i));
    let assign =
        |root, path, value| Operation::Assign { target: Place { root, path }, value: Term::Constant(value) };
    let send = |a, b| Operation::Send {
        channel: Term::Atom(Read::Handle(Root::Global(1))),
        message: vec![Term::Constant(a), Term::Constant(b)],
        sorted: false,
    };
    let start = Operation::Start { template: 0, arguments: vec![], priority: None, result: None };
    let command = vec![
        assign(Root::Global(0), vec![Access::Field(1)], 7),
        assign(Root::Local(0), vec![index(3)], 9),
        send(1, 2),
        send(3, 4),
        start,
    ];
    let record = Sort::Record(vec![("f".into(), byte()), ("g".into(), byte())]);
    let template = Template {
        name: "P".into(),
        objects: vec![Object::variable("a", Sort::array(byte(), 4), Initial::Zero)],
        points: vec![Point::default(); 3],
        transitions: vec![
            Transition::new(0, Term::TRUE, command, 1),
            Transition::new(1, Term::TRUE, vec![Operation::Stop], 2),
        ],
        ..Template::default()
    };
    System {
        globals: vec![
            Object::variable("r", record, Initial::Zero),
            Object::channel("q", 2, vec![byte(), byte()]),
        ],
        templates: vec![template],
        initial: vec![Birth { template: 0, arguments: vec![], priority: 1 }],
        ..System::default()
    }
}

fn value(name: &str, before: &str, after: &str) -> Difference {
    Difference::Value { name: name.into(), before: before.into(), after: after.into() }
}

#[test]
fn everything_that_changes_is_named() {
    let system = system();
    let reference = Reference::new(&system);
    let before = reference.initial().unwrap();
    let after = reference.moves(&before)[0].next.clone().unwrap();
    let expected = vec![
        value("r.g", "0", "7"),
        value("q", "[]", "[(1,2),(3,4)]"),
        Difference::Moved { process: "P[0]".into(), pid: 0, from: 0, to: 1 },
        value("P[0]:a[3]", "0", "9"),
        Difference::Born { process: "P[1]".into(), pid: 1 },
    ];
    assert_eq!(differences(&system, &before, &after, &Numbers), expected);
    assert_eq!(differences(&system, &after, &after, &Numbers), []);
    let back = differences(&system, &after, &before, &Numbers);
    assert!(back.contains(&Difference::Ended { process: "P[1]".into(), pid: 1 }), "{back:?}");
}

#[test]
fn the_caller_writes_the_values() {
    struct Letters;
    impl Names for Letters {
        fn value(&self, spot: Spot<'_>, value: &BigInt) -> String {
            format!("{}{}:{value}", if spot.owner.is_some() { "local" } else { "global" }, spot.path.len())
        }
    }
    let system = system();
    let reference = Reference::new(&system);
    let before = reference.initial().unwrap();
    let after = reference.moves(&before)[0].next.clone().unwrap();
    let found = differences(&system, &before, &after, &Letters);
    assert!(found.contains(&value("r.g", "global1:0", "global1:7")), "{found:?}");
    assert!(found.contains(&value("P[0]:a[3]", "local1:0", "local1:9")), "{found:?}");
}
