//! Footprints of transitions built by hand.

use independence::footprint::{Footprint, Special, Target, Use, Uses, footprint};
use logic::{Binary, IntType, Sort, Term, Unary};
use objects::Operation::{self as On, Channel, Part, Variable};
use objects::array;
use objects::channel::Operation as OnChannel;
use objects::rendezvous::Half;
use objects::variable::Operation as OnVariable;
use std::collections::BTreeSet;
use system::walk::reads_last;
use system::*;

const BYTE: ObjectId = 0;
const BIT: ObjectId = 1;
const ARRAY: ObjectId = 2;
const RECORD: ObjectId = 3;
const QUEUE: ObjectId = 4;
const MEET: ObjectId = 5;
/// A channel variable that nothing writes.
const NAME: ObjectId = 6;
/// One that the process type's last transition writes.
const MOVING: ObjectId = 7;

fn byte() -> Sort {
    Sort::Machine(IntType::BYTE)
}

fn system(transition: Transition) -> System {
    let queue = || Initial::Term(Term::Atom(Read::Handle(Root::Global(QUEUE))));
    let globals = vec![
        Object::variable("byte", byte(), Initial::Zero),
        Object::variable("bit", Sort::Machine(IntType::BIT), Initial::Zero),
        Object::variable("array", Sort::array(byte(), 3), Initial::Zero),
        Object::variable(
            "record",
            Sort::Record(vec![("f".into(), byte()), ("g".into(), byte())]),
            Initial::Zero,
        ),
        Object::channel("queue", 2, vec![byte()]),
        Object::channel("meet", 0, vec![byte()]),
        Object::variable("name", Sort::Channel, queue()),
        Object::variable("moving", Sort::Channel, queue()),
    ];
    let write = Operation::Assign { target: Place::global(MOVING), value: Term::Constant(1) };
    let process_type = ProcessType {
        objects: vec![Object::variable("local", byte(), Initial::Zero)],
        points: vec![Location::default(); 2],
        transitions: vec![transition, Transition::new(1, Term::TRUE, vec![write], 1)],
        ..ProcessType::default()
    };
    System { globals, process_types: vec![process_type], ..System::default() }
}

fn of_guard(guard: Expr) -> Vec<Uses> {
    footprint(&system(Transition::new(0, guard, vec![], 1)), 0, 0).conditions
}

fn of_command(command: Vec<Operation>) -> Footprint {
    footprint(&system(Transition::new(0, Term::TRUE, command, 1)), 0, 0)
}

fn uses(operations: Vec<(Target, On)>, specials: &[Special]) -> Uses {
    let operations = operations.into_iter().map(|(target, operation)| Use { target, operation }).collect();
    Uses { operations, specials: specials.iter().copied().collect() }
}

fn global(object: ObjectId) -> Expr {
    Place::global(object).read()
}

fn handle(object: ObjectId) -> Expr {
    Term::Atom(Read::Handle(Root::Global(object)))
}

fn length(channel: Expr) -> Expr {
    Term::Atom(Read::Length(Box::new(channel)))
}

fn assign(object: ObjectId, value: Expr) -> Operation {
    Operation::Assign { target: Place::global(object), value }
}

fn receive(channel: Expr, pattern: Pattern, anywhere: bool, copy: bool) -> Operation {
    Operation::Receive { channel, patterns: vec![pattern], mode: ReceiveMode { anywhere, copy } }
}

#[test]
fn conjuncts_are_conditions_of_their_own() {
    let both = Term::binary(
        Binary::And,
        Term::binary(Binary::Less, Term::Constant(3), global(BYTE)),
        Term::binary(Binary::Or, global(BIT), Term::unary(Unary::Not, Place::local(0).read())),
    );
    let test = |op, c| Variable(OnVariable::Test(op, c));
    assert_eq!(
        of_guard(both),
        [
            uses(vec![(Target::Global(BYTE), test(Binary::Greater, 3))], &[]),
            uses(
                vec![
                    (Target::Global(BIT), test(Binary::NotEqual, 0)),
                    (Target::Local(0), test(Binary::NotEqual, 0)),
                ],
                &[]
            ),
        ]
    );
    assert_eq!(of_guard(Term::TRUE), []);
    let sum =
        Term::binary(Binary::Equal, Term::binary(Binary::Add, global(BYTE), global(BIT)), Term::Constant(1));
    let read = |object| (Target::Global(object), Variable(OnVariable::Read));
    assert_eq!(of_guard(sum), [uses(vec![read(BYTE), read(BIT)], &[])]);
}

#[test]
fn lengths_against_constants_are_tests() {
    let test = |op, constant| {
        let guard = Term::binary(op, length(handle(QUEUE)), Term::Constant(constant));
        let found = of_guard(guard)[0].operations[0].clone();
        assert_eq!(found.target, Target::Global(QUEUE));
        let Channel(operation) = found.operation else { panic!("{found:?}") };
        operation
    };
    use Binary::*;
    for (op, constant) in
        [(Equal, 0), (NotEqual, 0), (Greater, 0), (Less, 1), (GreaterEqual, 1), (LessEqual, 0)]
    {
        assert_eq!(test(op, constant), OnChannel::Empty, "{op:?} {constant}");
    }
    for (op, constant) in
        [(Equal, 2), (NotEqual, 2), (Less, 2), (GreaterEqual, 2), (Greater, 1), (LessEqual, 1)]
    {
        assert_eq!(test(op, constant), OnChannel::Full, "{op:?} {constant}");
    }
    assert_eq!(test(Equal, 1), OnChannel::Length);
    let bare = of_guard(length(handle(QUEUE)));
    assert_eq!(bare, [uses(vec![(Target::Global(QUEUE), Channel(OnChannel::Empty))], &[])]);
}

#[test]
fn assignments_are_refined() {
    let update = |object, value| {
        let found = of_command(vec![assign(object, value)]).command;
        assert_eq!(found.operations.len(), 1, "{found:?}");
        let Variable(operation) = found.operations[0].operation else { panic!("{found:?}") };
        operation
    };
    let sum = |op, a, b| Term::binary(op, a, b);
    assert_eq!(update(BYTE, Term::Constant(300)), OnVariable::WriteConstant(44));
    assert_eq!(update(BYTE, sum(Binary::Add, global(BYTE), Term::Constant(2))), OnVariable::Increment(2));
    let down = Term::wrap(IntType::INT, sum(Binary::Subtract, global(BYTE), Term::Constant(1)));
    assert_eq!(update(BYTE, down), OnVariable::Increment(255));
    assert_eq!(update(BIT, Term::unary(Unary::Not, global(BIT))), OnVariable::Complement);
    assert_eq!(update(BIT, sum(Binary::Add, global(BIT), Term::Constant(1))), OnVariable::Complement);
    assert_eq!(update(BYTE, sum(Binary::Subtract, Term::Constant(1), global(BYTE))), OnVariable::Complement);
    let other = of_command(vec![assign(BYTE, sum(Binary::Add, global(BIT), Term::Constant(2)))]).command;
    let on = |object, operation| (Target::Global(object), Variable(operation));
    assert_eq!(other, uses(vec![on(BIT, OnVariable::Read), on(BYTE, OnVariable::Write)], &[]));
    let narrow = Term::wrap(IntType::BIT, sum(Binary::Add, global(BYTE), Term::Constant(1)));
    let narrowed = of_command(vec![assign(BYTE, narrow)]).command;
    assert_eq!(narrowed, uses(vec![on(BYTE, OnVariable::Read), on(BYTE, OnVariable::Write)], &[]));
}

#[test]
fn parts_have_paths() {
    let part = |path, operation| Part(array::Part { path, operation });
    let element = |index| Place { root: Root::Global(ARRAY), path: vec![Access::Index(index)] };
    let field = Place { root: Root::Global(RECORD), path: vec![Access::Field(1)] };
    let to = |target, value| Operation::Assign { target, value };
    let found = of_command(vec![
        to(element(Term::Constant(2)), element(global(BYTE)).read()),
        to(field.clone(), Term::Constant(5)),
    ]);
    let expected = vec![
        (Target::Global(BYTE), Variable(OnVariable::Read)),
        (Target::Global(ARRAY), part(vec![None], OnVariable::Read)),
        (Target::Global(ARRAY), part(vec![Some(2)], OnVariable::Write)),
        (Target::Global(RECORD), part(vec![Some(1)], OnVariable::WriteConstant(5))),
    ];
    assert_eq!(found.command, uses(expected, &[]));
    assert_eq!(found.repeated, []);
}

#[test]
fn sends_and_receives_are_conditions() {
    let send = |channel, sorted| Operation::Send { channel, message: vec![global(BYTE)], sorted };
    let found = of_command(vec![send(handle(QUEUE), true)]);
    let on_queue = |operation| vec![(Target::Global(QUEUE), Channel(operation))];
    assert_eq!(found.conditions, [uses(on_queue(OnChannel::SortedSend), &[])]);
    assert_eq!(found.command, uses(vec![(Target::Global(BYTE), Variable(OnVariable::Read))], &[]));
    let bind = || Pattern::Bind(Place::local(0));
    let asks = || Pattern::Match(Term::Constant(1));
    for (pattern, anywhere, copy, expected) in [
        (bind(), false, false, OnChannel::Receive),
        (asks(), false, false, OnChannel::MatchingReceive),
        (asks(), true, false, OnChannel::RandomReceive),
        (bind(), true, false, OnChannel::Receive),
        (asks(), false, true, OnChannel::CopyingReceive),
        (asks(), true, true, OnChannel::RandomCopy),
    ] {
        let found = of_command(vec![receive(handle(QUEUE), pattern.clone(), anywhere, copy)]);
        assert_eq!(found.conditions, [uses(on_queue(expected), &[])], "{pattern:?} {anywhere} {copy}");
        let writes = matches!(pattern, Pattern::Bind(_));
        assert_eq!(found.command.operations.len(), usize::from(writes));
    }
}

#[test]
fn channels_are_named_where_the_text_tells() {
    let target = |channel| {
        let found = of_command(vec![receive(channel, Pattern::Ignore, false, false)]);
        let condition = &found.conditions[0];
        (condition.operations.last().unwrap().target, condition.specials.contains(&Special::Partner))
    };
    assert_eq!(target(handle(QUEUE)), (Target::Global(QUEUE), false));
    assert_eq!(target(global(NAME)), (Target::Global(QUEUE), false));
    assert_eq!(target(Term::Constant(1)), (Target::Global(QUEUE), false));
    assert_eq!(target(Term::Constant(2)), (Target::Global(MEET), true));
    assert_eq!(target(global(MOVING)), (Target::AnyChannel, true));
    assert_eq!(target(Term::Constant(3)), (Target::AnyChannel, true));
    let found = of_command(vec![receive(global(MOVING), Pattern::Ignore, false, false)]);
    assert_eq!(
        found.conditions[0].operations[0].target,
        Target::Global(MOVING),
        "the variable itself is read"
    );
}

#[test]
fn rendezvous_has_halves_and_no_contents() {
    let send = Operation::Send { channel: handle(MEET), message: vec![Term::Constant(1)], sorted: false };
    let half = |half| [uses(vec![(Target::Global(MEET), On::Half(half))], &[Special::Partner])];
    assert_eq!(of_command(vec![send]).conditions, half(Half::Offer));
    let accept = receive(handle(MEET), Pattern::Ignore, false, false);
    assert_eq!(of_command(vec![accept]).conditions, half(Half::Accept));
    assert_eq!(of_guard(Term::Atom(Read::Empty(Box::new(handle(MEET))))), [Uses::default()]);
}

#[test]
fn specials_are_listed() {
    let constant = |c| Box::new(Term::Constant(c));
    let remote =
        Place { root: Root::Remote { process: constant(0), process_type: 0, object: 0 }, path: vec![] };
    let at = Special::At { process_type: 0, point: 1 };
    for (read, special) in [
        (Read::ProcessCount, Special::ProcessCount),
        (Read::Instance(0), Special::ProcessCount),
        (Read::Last, Special::Last),
        (Read::Timeout, Special::Timeout),
        (Read::NonProgress, Special::NonProgress),
        (Read::Enabled(constant(0)), Special::Enabled),
        (Read::Location(constant(0)), Special::Location),
        (Read::Priority(constant(0)), Special::Priority),
        (Read::At { process: constant(0), process_type: 0, point: 1 }, at),
        (Read::Place(remote.clone()), Special::ProcessCount),
    ] {
        assert_eq!(of_guard(Term::Atom(read.clone()))[0].specials, BTreeSet::from([special]), "{read:?}");
    }
    let remote_read = &of_guard(remote.read())[0].operations[0];
    assert_eq!(remote_read.target, Target::Remote { process_type: 0, object: 0 });
    let start = Operation::Start { process_type: 0, arguments: vec![], priority: None, result: None };
    assert_eq!(of_command(vec![start]).command.specials, BTreeSet::from([Special::Start]));
    let stop = of_command(vec![Operation::Stop]);
    assert_eq!(stop.conditions[0].specials, BTreeSet::from([Special::Youngest]));
    assert_eq!(stop.command.specials, BTreeSet::from([Special::Stop]));
    assert!(!reads_last(&system(Transition::new(0, Term::TRUE, vec![], 1))));
    assert!(reads_last(&system(Transition::new(0, Term::Atom(Read::Last), vec![], 1))));
}

#[test]
fn else_asks_for_what_it_excludes() {
    let take = receive(handle(QUEUE), Pattern::Match(Term::Constant(1)), false, false);
    let mut system = system(Transition::new(0, Term::TRUE, vec![take], 1));
    system.process_types[0].transitions.push(Transition::new(0, Term::TRUE, vec![], 1));
    let choice = |transition, otherwise| Choice { transition, otherwise };
    let tier = |choices| Tier { choices };
    let scheduling = |tiers, provided| {
        let points = vec![LocationRules { tiers, deterministic: false }, LocationRules::default()];
        let rules = ProcessRules { provided, points, keeps: vec![false; 3] };
        Some(Scheduling { process_types: vec![rules], priorities: false })
    };
    let poll = uses(vec![(Target::Global(QUEUE), Channel(OnChannel::Poll))], &[]);
    system.scheduling = scheduling(vec![tier(vec![choice(0, false), choice(2, true)])], None);
    assert_eq!(footprint(&system, 0, 2).conditions, std::slice::from_ref(&poll));
    system.scheduling = scheduling(vec![tier(vec![choice(0, false), choice(2, false)])], None);
    assert_eq!(footprint(&system, 0, 2).conditions, []);
    let tiers = vec![tier(vec![choice(0, false)]), tier(vec![choice(2, false)])];
    system.scheduling = scheduling(tiers, Some(global(BIT)));
    let provided = uses(vec![(Target::Global(BIT), Variable(OnVariable::Test(Binary::NotEqual, 0)))], &[]);
    assert_eq!(footprint(&system, 0, 2).conditions, [provided, poll]);
}

#[test]
fn what_is_used_again_after_a_change_is_noted() {
    let found = of_command(vec![assign(BYTE, Term::Constant(1)), assign(BIT, global(BYTE))]);
    assert_eq!(found.repeated, [Target::Global(BYTE)]);
    let found = of_command(vec![assign(BIT, global(BYTE)), assign(BYTE, Term::Constant(1))]);
    assert_eq!(found.repeated, []);
    let take = |channel| receive(channel, Pattern::Ignore, false, false);
    let found = of_command(vec![take(global(MOVING)), take(handle(QUEUE))]);
    assert_eq!(found.repeated, [Target::Global(QUEUE), Target::AnyChannel], "it may be the queue");
}
